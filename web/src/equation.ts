/** The equation of motion of a scenario in LaTeX, word for word as `Flow.equation()` writes it in Python. */

import { isLayered, isOfModel, type Scenario, type Table } from "./state.ts";

const SCORE = String.raw`\beta\langle x_i,Bx_j\rangle`;
const SHARE = String.raw`\frac{m_je^{#j}}{\sum_{%k}m_ke^{#k}}`;

/** Score and weight of every rule: #j is the score with its bias, %k which tokens k are heard, @ the mass of token j. */
const RULES: Record<string, [string, string]> = {
  softmax: [SCORE, SHARE],
  unnormalised: [SCORE, "@e^{#j}"],
  l2: [String.raw`-\beta|Qx_i-Kx_j|^2`, SHARE],
  sinkhorn: [String.raw`\langle x_i,Bx_j\rangle/\varepsilon+f_i+g_j`, "m_je^{#j}"],
  sigmoid: [SCORE, String.raw`@\,\sigma(#j+b)`],
  linear: [SCORE, "@(#j)"],
  relu: [SCORE, String.raw`@\max(#j,0)`],
  hardmax: ["", String.raw`\frac{m_j\mathbf 1\{j\in C_i\}}{\sum_{k\in C_i}m_k}`],
};

/** Velocities by the output a of attention, and whether tokens carry a length. */
const SCHEMES: Record<string, [string, boolean]> = {
  pre_ln: ["a_i", true],
  peri_ln: [String.raw`\frac{a_i}{|a_i|}`, true],
  mix_ln: [String.raw`\begin{cases}|x_i|\,\Pi_{x_i}a_i & t<\tau\\ a_i & t\ge\tau\end{cases}`, true],
  ngpt: [String.raw`\alpha\,\Pi_{x_i}\frac{a_i}{|a_i|}`, false],
  sqrt_ln: [String.raw`\frac{1}{\sqrt{1+t}}\,\Pi_{x_i}a_i`, false],
};

/** Which tokens # are heard, what position adds to a score, and whether a mean is over what is heard. */
function mask({ causal, positions, table, slope, average }: Table): [string[], string, boolean] {
  const isTruth = typeof table?.[0]?.[0] === "boolean";
  const heard = causal ? [String.raw`#\le i`] : positions && slope === undefined ? [String.raw`s_#\le s_i`] : [];
  if (isTruth) heard.push(String.raw`#\text{ heard}`);
  const distance = slope === undefined ? "" : positions ? String.raw`-\lambda|s_i-s_#|` : String.raw`-\lambda|i-#|`;
  return [heard, (table && !isTruth ? "+b_{i#}" : "") + distance, average !== "all"];
}

/** What attention says to a token; empty where the rule is not known here. */
function heard(attention: Table): string {
  if (attention.heads) return String.raw`V\sum_hV_h\sum_j w^h_{ij}x_j`;
  const { rule = "softmax", scale, total } = attention;
  const [score, weight] = RULES[rule] ?? [];
  if (weight === undefined) return "";
  const [conditions, bias, isMean] = mask(attention);
  const span = conditions.join(String.raw`,\ `) || "#";
  const isSum = (rule === "unnormalised" && scale === "sum") || (rule === "sigmoid" && total);
  const mass = conditions.length && isMean && !isSum ? String.raw`\frac{m_j}{\sum_{%k}m_k}` : "m_j";
  const written = ["j", "k"].reduce(
    (words, letter) => words
      .replaceAll(`#${letter}`, score.replace("x_j", `x_${letter}`) + bias.replace("#", letter))
      .replaceAll(`%${letter}`, span.replaceAll("#", letter)),
    weight.replace("@", mass),
  );
  const constant = isSum || (rule === "unnormalised" && (scale ?? "mean") !== "mean") ? String.raw`c\,` : "";
  return String.raw`V\sum_{${span.replaceAll("#", "j")}} ${constant}${written}\,x_j`;
}

/** The equation of the flow; with `isLayers`, of its layers of step η where the scenario has them. */
export function equation(scenario: Scenario, { isLayers = false } = {}): string {
  const { attention = {}, flow = {}, tokens = {} } = scenario;
  const { space = "sphere", normalisation: scheme = "post_ln" } = flow;
  if (isOfModel(scenario) && tokens.keep !== "attention") return isLayers ? String.raw`\dot x_i = f_i(x_1,\dots,x_n)` : "";
  const said = heard(isOfModel(scenario) ? { heads: [] } : attention);
  if (!said || !["sphere", "euclidean"].includes(space) || (scheme !== "post_ln" && !SCHEMES[scheme])) return "";
  const push = said + (flow.feed_forward ? String.raw` + w\,\sigma(ax_i+b)` : "");
  const [velocity, hasLength] = SCHEMES[scheme] ?? [space === "sphere" ? String.raw`\Pi_{x_i}\left(${push}\right)` : push, space !== "sphere"];
  const read = hasLength ? String.raw`,\quad x_j \text{ read as } x_j/|x_j|` : "";
  const more = (SCHEMES[scheme] ? String.raw`,\qquad a_i = ${push}${read}` : "") + (flow.rescaled ? String.raw`,\qquad z_i = e^{-tV}x_i` : "");
  if (isLayers && isLayered(scenario)) {
    const step = String.raw`x_i+\eta\,${velocity}`;
    return String.raw`x_i \leftarrow ${hasLength ? step : String.raw`N\left(${step}\right)`}${more}`;
  }
  const hasNoise = flow.noise !== undefined && flow.noise !== null;
  return (hasNoise ? String.raw`dx_i = \left(${velocity}\right)dt + \sigma\,dW_i` : String.raw`\dot x_i = ${velocity}`) + more;
}
