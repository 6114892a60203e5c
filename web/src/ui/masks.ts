/** Masks: which tokens a token hears, and how much less it hears distant ones. */

import { html, nothing, type TemplateResult } from "lit";
import { type Scenario, tokenCount, withMask } from "../state.ts";
import { choice, log, sinh, slider } from "./fields.ts";

const MASKS = { all: "All hear all", causal: "Causal: j ≤ i", blocks: "Own and earlier blocks" };
const BLOCKS = log(1, 32);
const SLOPE = sinh(2, 3);

function maskOf({ causal, positions, table, slope }: Record<string, any>): string {
  if (table || (positions && slope !== undefined)) return "given";
  return causal ? "causal" : positions ? "blocks" : "all";
}

export function masks(scenario: Scenario, put: (path: string, value: unknown, isFinal?: boolean) => void, replace: (scenario: Scenario) => void): TemplateResult {
  const rule = scenario.attention ?? {};
  const mask = maskOf(rule);
  const known = mask === "given" ? { ...MASKS, given: "As the scenario gives it" } : MASKS;
  const change = (v: string) => replace(withMask(scenario, v === "blocks" ? Math.min(4, tokenCount(scenario) ?? 4) : (v as "all" | "causal")));
  return html`
    ${choice("mask", "Mask", mask, known, (v) => v !== "given" && change(v))}
    ${mask === "blocks" ? slider("blocks", "Number of blocks", new Set(rule.positions).size, BLOCKS, (v, f) => f && replace(withMask(scenario, v)), { whole: true }) : nothing}
    ${mask === "all" || mask === "causal" ? slider("slope", "Penalty of distance", rule.slope ?? 0, SLOPE, (v, f) => put("attention.slope", v > 0.001 ? v : undefined, f)) : nothing}`;
}
