/** The equation of the run with its parameters, in MathML: browsers draw it themselves. */

import { html, mathml, nothing, type TemplateResult } from "lit";
import { dimension, isLayered, isOfModel, type Scenario, tokenCount } from "../state.ts";
import { shown } from "../words.ts";

type Maths = TemplateResult<3>;

const sub = (base: string, index: string) => mathml`<msub><mi>${base}</mi><mi>${index}</mi></msub>`;
const letter = (name: string | null) => (name ? mathml`<mi>${name}</mi>` : nothing);

/** Query and key of a pair: with Q and K, or with B alone. */
function sides({ Q, K, B }: Record<string, any>): [Maths, Maths] {
  const [q, k] = Q || K ? ["Q", "K"] : [null, B !== undefined && B !== 1 ? "B" : null];
  return [mathml`${letter(q)}${sub("x", "i")}`, mathml`${letter(k)}${sub("x", "j")}`];
}

function sum({ causal, positions }: Record<string, any>): Maths {
  const heard = causal ? mathml`<mi>j</mi><mo>≤</mo><mi>i</mi>` : positions ? mathml`${sub("s", "j")}<mo>≤</mo>${sub("s", "i")}` : mathml`<mi>j</mi>`;
  return mathml`<munder><mo>∑</mo><mrow>${heard}</mrow></munder>`;
}

/** |Qxᵢ − Kxⱼ|², where B stands for Q = K = √B. */
function distance(attention: Record<string, any>): Maths {
  const hasB = !attention.Q && !attention.K && attention.B !== undefined && attention.B !== 1;
  const [q, k] = hasB ? [sub("x", "i"), sub("x", "j")] : sides(attention);
  const apart = mathml`${q}<mo>−</mo>${k}`;
  const inside = hasB ? mathml`<msqrt><mi>B</mi></msqrt><mo>(</mo>${apart}<mo>)</mo>` : apart;
  return mathml`<msup><mrow><mo>|</mo>${inside}<mo>|</mo></mrow><mn>2</mn></msup>`;
}

function number(value: unknown): string {
  return typeof value === "number" ? shown(value) : "·";
}

/** A constant over the number of tokens that token i hears, or times the mass of the one it hears. */
function over(constant: Maths, { tokens = {}, attention = {} }: Scenario): Maths {
  if (tokens.mass) return mathml`${constant}${sub("m", "j")}`;
  const count = attention.average === "all" ? mathml`<mi>n</mi>` : attention.causal ? mathml`<mi>i</mi>` : attention.positions ? sub("n", "i") : mathml`<mi>n</mi>`;
  return mathml`<mfrac><mrow>${constant}</mrow><mrow>${count}</mrow></mfrac>`;
}

/** The weight with which token i listens to token j, up to what the rule divides by. */
function weight(scenario: Scenario): Maths {
  const { attention = {} } = scenario;
  const { rule = "softmax", scale } = attention;
  const [query, key] = sides(attention);
  const pair = mathml`<mo>⟨</mo>${query}<mo>,</mo>${key}<mo>⟩</mo>`;
  const score = mathml`<mi>β</mi>${pair}`;
  const mean = over(mathml`<mn>1</mn>`, scenario);
  const exponential = (inside: Maths) => mathml`<msup><mi>e</mi><mrow>${inside}</mrow></msup>`;
  const share = (inside: Maths) =>
    mathml`<mfrac><mrow>${exponential(inside)}</mrow><mrow><msub><mi>Z</mi><mi>i</mi></msub></mrow></mfrac>`;
  switch (rule) {
    case "softmax": return share(score);
    case "unnormalised": {
      if (scale === "sum") return exponential(score);
      if (scale === "shifted") return mathml`${mean}${exponential(mathml`<mi>β</mi><mo>(</mo>${pair}<mo>−</mo><mo>‖</mo><mi>B</mi><mo>‖</mo><mo>)</mo>`)}`;
      return mathml`${typeof scale === "number" ? over(mathml`<mi>c</mi>`, scenario) : mean}${exponential(score)}`;
    }
    case "l2": return share(mathml`<mo>−</mo><mi>β</mi>${distance(attention)}`);
    case "sigmoid": return mathml`${attention.total ? nothing : mean}<mi>σ</mi><mo>(</mo>${score}<mo>)</mo>`;
    case "linear": return mathml`${mean}${score}`;
    case "relu": return mathml`${mean}<msub><mrow><mo>(</mo>${score}<mo>)</mo></mrow><mo>+</mo></msub>`;
    case "sinkhorn": return mathml`<msub><mi mathvariant="normal">Sinkhorn</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>(</mo>${exponential(mathml`${pair}<mo>/</mo><mi>ε</mi>`)}<mo>)</mo>`;
    default: return mathml`<msub><mi mathvariant="normal">hardmax</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>`;
  }
}

/** Heads have matrices and perhaps rules of their own: A is what each of them weighs. */
function heads(): Maths {
  const of = (base: string) => mathml`<msub><mi>${base}</mi><mi>h</mi></msub>`;
  const weights = mathml`<msubsup><mi>A</mi><mrow><mi>i</mi><mi>j</mi></mrow><mi>h</mi></msubsup>`;
  return mathml`<munder><mo>∑</mo><mi>h</mi></munder>${of("V")}${sum({})}${weights}<mspace width="0.15em"></mspace>${sub("x", "j")}`;
}

function isWholeLayer(scenario: Scenario): boolean {
  return isOfModel(scenario) && scenario.tokens?.keep !== "attention";
}

/** A layer as it was trained: norms, biases and feed-forward parts too. */
const layer = mathml`${sub("f", "i")}<mo>(</mo>${sub("x", "1")}<mo>,</mo><mo>…</mo><mo>,</mo>${sub("x", "n")}<mo>)</mo>`;

function field(scenario: Scenario): Maths {
  const flow = scenario.flow ?? {};
  const value = flow.V === undefined || flow.V === 1 ? nothing : flow.V === -1 ? mathml`<mo>−</mo>` : mathml`<mi>V</mi>`;
  if (scenario.attention?.heads || isOfModel(scenario)) return mathml`${value}${heads()}`;
  return mathml`${value}${sum(scenario.attention ?? {})}${weight(scenario)}<mspace width="0.15em"></mspace>${sub("x", "j")}`;
}

export function formula(scenario: Scenario): TemplateResult {
  const flow = scenario.flow ?? {};
  const isSphere = (flow.space ?? "sphere") === "sphere";
  const inner = isWholeLayer(scenario) ? layer
    : isSphere ? mathml`<msub><mi mathvariant="normal">P</mi>${sub("x", "i")}</msub><mo>(</mo>${field(scenario)}<mo>)</mo>`
    : field(scenario);
  const dot = flow.rescaled
    ? mathml`<msub><mi>z</mi><mi>i</mi></msub><mo>=</mo><msup><mi>e</mi><mrow><mo>−</mo><mi>t</mi><mi>V</mi></mrow></msup>${sub("x", "i")}<mo>,</mo><mspace width="0.6em"></mspace>`
    : nothing;
  const left = isLayered(scenario)
    ? mathml`${sub("x", "i")}<mo>←</mo>${isSphere ? mathml`<mi mathvariant="normal">N</mi><mo>(</mo>` : nothing}${sub("x", "i")}<mo>+</mo><mi>η</mi>${inner}${isSphere ? mathml`<mo>)</mo>` : nothing}`
    : mathml`${dot}<msub><mover><mi>x</mi><mo>˙</mo></mover><mi>i</mi></msub><mo>=</mo>${inner}`;
  const noise = flow.noise ? mathml`<mo>+</mo><mi>σ</mi><msub><mover><mi>W</mi><mo>˙</mo></mover><mi>i</mi></msub>` : nothing;
  return html`<math display="block" aria-label="equation of motion"><mrow>${left}${noise}</mrow></math>`;
}

/** The parameters of the formula, as chips below it. */
export function parameters(scenario: Scenario): string[] {
  const { attention = {}, flow = {}, time = {} } = scenario;
  const n = tokenCount(scenario);
  const d = dimension(scenario);
  const chips = [];
  if (attention.rule === "sinkhorn") chips.push(`ε = ${number(attention.eps ?? 1)}`);
  else if (attention.rule !== "hardmax" && !attention.heads && !isOfModel(scenario)) chips.push(`β = ${number(attention.beta ?? 1)}`);
  if (isWholeLayer(scenario)) chips.push("f is the layer as trained");
  if (n) chips.push(`n = ${n.toLocaleString("en").replaceAll(",", " ")}`);
  if (d) chips.push(`d = ${d}`);
  if (typeof flow.V === "number" && flow.V !== 1 && flow.V !== -1) chips.push(`V = ${number(flow.V)} I`);
  if (flow.noise) chips.push(`σ = ${number(flow.noise)}`);
  if (isLayered(scenario)) chips.push(`η = ${number(time.step)}`);
  if (attention.causal) chips.push("causal");
  if (attention.positions) chips.push(`${new Set(attention.positions).size} blocks`);
  if (typeof attention.slope === "number") chips.push(`slope ${number(attention.slope)}`);
  if (flow.normalisation && flow.normalisation !== "post_ln") chips.push(flow.normalisation.replace("_ln", "-LN").replace("ngpt", "nGPT"));
  return chips;
}
