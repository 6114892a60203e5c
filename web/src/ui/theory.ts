/** Theory beside the run: what applies, what it predicts, and whether the run agreed; all words come from Python. */

import { html, nothing, type TemplateResult } from "lit";
import type { Run } from "../run.ts";
import { shown } from "../words.ts";

export interface Theory {
  words?: string;
  predictions?: any[];
  hypotheses_not_met?: any[];
  limit?: any;
}

const LEGEND = "holds: this run could have violated it and did not; consistent: many wrong runs would pass too; undecided: this run cannot tell.";

function numbers(table: Record<string, unknown> = {}): string {
  return Object.entries(table)
    .filter(([, value]) => typeof value === "number" || typeof value === "string")
    .slice(0, 6)
    .map(([name, value]) => `${name} = ${typeof value === "number" ? shown(value, 5) : value}`)
    .join(", ");
}

function hypotheses(list: { words: string; margin: number }[] = []): TemplateResult | typeof nothing {
  if (!list.length) return nothing;
  return html`<details>
    <summary>${list.length} ${list.length === 1 ? "hypothesis" : "hypotheses"}</summary>
    <ul>${list.map((h) => html`<li><span>${h.words}</span><span>${h.margin < 0 ? "fails by" : "margin"} ${shown(Math.abs(h.margin))}</span></li>`)}</ul>
  </details>`;
}

function statement(about: any): TemplateResult | typeof nothing {
  if (!about?.printed) return nothing;
  const said = about.provenance === "seen" ? "As printed" : about.provenance === "derived" ? "Derived here" : `As ${about.provenance}`;
  return html`<details>
    <summary>Statement${about.corrected ? ", printed and corrected" : ""}</summary>
    <p class="said"><b>${said}.</b> ${about.printed}</p>
    ${about.corrected ? html`<p class="said"><b>Corrected.</b> ${about.corrected}</p>` : nothing}
  </details>`;
}

function claim(prediction: any, check: any): TemplateResult {
  return html`<article class="claim" data-claim=${prediction.claim}>
    <p>${prediction.words}</p>
    <div class="by">
      ${check ? html`<span class="mark ${check.outcome}" title=${check.words}>${check.outcome}</span>` : nothing}
      ${prediction.about?.erratum ? html`<span class="mark erratum">printed: ${prediction.about.erratum}</span>` : nothing}
      <span>${prediction.claim}</span>
    </div>
    ${numbers(prediction.numbers) ? html`<div class="numbers">${numbers(prediction.numbers)}</div>` : nothing}
    ${check ? html`<details><summary>What this run did</summary><p class="said">${check.words}</p><p class="numbers">${numbers(check.numbers)}</p></details>` : nothing}
    ${hypotheses(prediction.hypotheses)}
    ${statement(prediction.about)}
  </article>`;
}

function summary(theory: Theory, checks: Map<string, any>): string {
  const count = theory.predictions?.length ?? 0;
  if (!count) return "No claim in the register applies to this run.";
  const outcomes = [...checks.values()].map((c) => c.outcome);
  const told = ["holds", "consistent", "undecided", "refuted", "error"]
    .map((name) => [name, outcomes.filter((o) => o === name).length] as const)
    .filter(([, many]) => many)
    .map(([name, many]) => `${many} ${name}`);
  return `${count} ${count === 1 ? "statement applies" : "statements apply"}${told.length ? `; checked: ${told.join(", ")}` : ""}.`;
}

export function theoryPanel(run: Run | null): TemplateResult {
  const theory: Theory | null = run?.theory ?? null;
  if (!run || !theory) return html`<p class="hint">Asked when the run is there.</p>`;
  const { checks, unchecked, isDone } = run;
  if (theory.words) return html`<p class="hint">${theory.words}</p>`;
  const missed = theory.hypotheses_not_met ?? [];
  return html`<p class="summary">${summary(theory, checks)}${isDone ? "" : " Checking…"}</p>
    ${theory.limit ? html`<article class="claim"><p>${theory.limit.words}</p><div class="by"><span>limit of rescaled tokens: ${theory.limit.certificate}</span></div></article>` : nothing}
    ${(theory.predictions ?? []).map((p) => claim(p, checks.get(p.claim)))}
    ${unchecked.length ? html`<p class="hint">Checks that took too long: ${unchecked.join(", ")}. Run \`attnflow run\` for them.</p>` : nothing}
    ${checks.size ? html`<p class="hint">${LEGEND}</p>` : nothing}
    ${missed.length ? html`<details>
      <summary>Nearest claims that do not apply (${missed.length})</summary>
      ${missed.slice(0, 12).map((m) => html`<article class="claim"><p>${m.title}</p><div class="by"><span>${m.claim}</span></div>
        <ul>${m.hypotheses.map((h: any) => html`<li><span>${h.words}</span><span>fails by ${shown(Math.abs(h.margin))}</span></li>`)}</ul></article>`)}
    </details>` : nothing}`;
}
