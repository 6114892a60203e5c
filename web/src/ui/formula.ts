/** The equation of the run with its parameters, in MathML: browsers draw it themselves. */

import { html, mathml, nothing, type TemplateResult } from "lit";
import { dimension, isLayered, type Scenario, tokenCount } from "../state.ts";
import { shown } from "../words.ts";

type Maths = TemplateResult<3>;

const sub = (base: string, index: string) => mathml`<msub><mi>${base}</mi><mi>${index}</mi></msub>`;
const pair = (b: boolean) =>
  mathml`<mo>⟨</mo>${sub("x", "i")}<mo>,</mo>${b ? mathml`<mi>B</mi>` : nothing}${sub("x", "j")}<mo>⟩</mo>`;
const sum = mathml`<munder><mo>∑</mo><mi>j</mi></munder>`;

function number(value: unknown): string {
  return typeof value === "number" ? shown(value) : "·";
}

/** The weight with which token i listens to token j, up to what the rule divides by. */
function weight(scenario: Scenario): Maths {
  const { rule = "softmax", B } = scenario.attention ?? {};
  const hasB = B !== undefined && B !== 1;
  const score = mathml`<mi>β</mi>${pair(hasB)}`;
  const exponential = (inside: Maths) => mathml`<msup><mi>e</mi><mrow>${inside}</mrow></msup>`;
  const share = (inside: Maths) =>
    mathml`<mfrac><mrow>${exponential(inside)}</mrow><mrow><msub><mi>Z</mi><mi>i</mi></msub></mrow></mfrac>`;
  switch (rule) {
    case "softmax": return share(score);
    case "unnormalised": return mathml`<mfrac><mn>1</mn><mi>n</mi></mfrac>${exponential(score)}`;
    case "l2": return share(mathml`<mo>−</mo><mi>β</mi><msup><mrow><mo>|</mo>${sub("x", "i")}<mo>−</mo>${sub("x", "j")}<mo>|</mo></mrow><mn>2</mn></msup>`);
    case "sigmoid": return mathml`<mfrac><mn>1</mn><mi>n</mi></mfrac><mi>σ</mi><mo>(</mo>${score}<mo>)</mo>`;
    case "linear": return mathml`<mfrac><mn>1</mn><mi>n</mi></mfrac>${score}`;
    case "relu": return mathml`<mfrac><mn>1</mn><mi>n</mi></mfrac><msub><mrow><mo>(</mo>${score}<mo>)</mo></mrow><mo>+</mo></msub>`;
    case "sinkhorn": return mathml`<msub><mi mathvariant="normal">Sinkhorn</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>(</mo>${exponential(mathml`${pair(hasB)}<mo>/</mo><mi>ε</mi>`)}<mo>)</mo>`;
    default: return mathml`<msub><mi mathvariant="normal">hardmax</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>`;
  }
}

function field(scenario: Scenario): Maths {
  const flow = scenario.flow ?? {};
  const value = flow.V === undefined || flow.V === 1 ? nothing : flow.V === -1 ? mathml`<mo>−</mo>` : mathml`<mi>V</mi>`;
  const total = scenario.attention?.heads ? mathml`<munder><mo>∑</mo><mi>h</mi></munder>` : nothing;
  return mathml`${total}${value}${sum}${weight(scenario)}<mspace width="0.15em"></mspace>${sub("x", "j")}`;
}

export function formula(scenario: Scenario): TemplateResult {
  const flow = scenario.flow ?? {};
  const isSphere = (flow.space ?? "sphere") === "sphere";
  const inner = isSphere
    ? mathml`<msub><mi mathvariant="normal">P</mi>${sub("x", "i")}</msub><mo>(</mo>${field(scenario)}<mo>)</mo>`
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
  else if (attention.rule !== "hardmax") chips.push(`β = ${number(attention.beta ?? 1)}`);
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
