/** The equation of a scenario as browsers draw it, and its parameters. */

import { html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { equation } from "../equation.ts";
import { dimension, isLayered, isOfModel, type Scenario, type Table, tokenCount } from "../state.ts";
import { RULES, SCHEMES, shown } from "../words.ts";
import { mathml } from "./mathml.ts";

export function formula(scenario: Scenario): TemplateResult | typeof nothing {
  const latex = equation(scenario, { isLayers: true });
  // No words of the scenario stand in it: letters and signs alone.
  return latex ? html`<div class="equation" role="group" aria-label="equation of motion">${unsafeHTML(mathml(latex))}</div>` : nothing;
}

/** A number in few digits; what is no number is a function or a table. */
function number(value: unknown): string {
  return typeof value === "number" ? shown(value) : "·";
}

/** A matrix where it is a multiple of the identity. */
function multiple(name: string, value: unknown): string[] {
  return typeof value === "number" || value === undefined ? [`${name} = ${value === undefined || value === 1 ? "" : value === -1 ? "−" : `${number(value)} `}I`] : [];
}

/** The constants of a rule, as far as the scenario gives them. */
function ofRule({ rule = "softmax", heads, B, Q, K, beta = 1, eps = 1, scale, total, bias = 0 }: Table): string[] {
  if (heads || !(rule in RULES)) return [];
  const constant = { sum: "n", shifted: "e^(−β‖B‖)" }[scale as string] ?? (total ? "n" : typeof scale === "number" ? shown(scale) : "");
  return [
    ...(rule === "sinkhorn" ? [`ε = ${number(eps)}`] : rule === "hardmax" ? [] : [`β = ${number(beta)}`]),
    ...(constant ? [`c = ${constant}`] : []),
    ...(rule === "sigmoid" ? [`b = ${bias === "-log n" ? "−log n" : number(bias)}`] : []),
    ...(rule === "l2" && !Q && !K ? ["Q = K = √B"] : []),
    ...(Q || K ? [] : multiple("B", B)),
  ];
}

/** The parameters of the formula, as chips below it. */
export function parameters(scenario: Scenario): string[] {
  const { attention = {}, flow = {}, time = {} } = scenario;
  const n = tokenCount(scenario);
  const d = dimension(scenario);
  const isWhole = isOfModel(scenario) && scenario.tokens?.keep !== "attention";
  const chips = isOfModel(scenario) ? [] : [...ofRule(attention), ...multiple("V", flow.V)];
  if (isWhole) chips.push("f is the layer as trained");
  if (n) chips.push(`n = ${n.toLocaleString("en").replaceAll(",", " ")}`);
  if (d) chips.push(`d = ${d}`);
  if (flow.noise) chips.push(`σ = ${number(flow.noise)}`);
  if (isLayered(scenario)) chips.push(`η = ${number(time.step)}`);
  if (attention.causal) chips.push("causal");
  if (attention.positions) chips.push(`${new Set(attention.positions).size} blocks`);
  if (attention.slope !== undefined) chips.push(`λ = ${number(attention.slope)}`);
  if (flow.tau !== undefined) chips.push(`τ = ${number(flow.tau)}`);
  if (flow.normalisation === "ngpt") chips.push(`α = ${number(flow.alpha ?? 1)}`);
  if (flow.normalisation && flow.normalisation !== "post_ln") chips.push(SCHEMES[flow.normalisation] ?? flow.normalisation);
  return chips;
}
