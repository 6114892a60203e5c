/** In place of controls: a run that plays but cannot be computed anew. */

import { html, type TemplateResult } from "lit";
import type { Run } from "../run.ts";

/** The panel of a page that plays by itself. */
export function exported(run: Run | null): TemplateResult {
  const seed = run?.scenario?.seed;
  return html`<section class="block"><h2>Recorded run</h2>
    <p class="hint">This page plays by itself. Turn the stage, move through time, read what theory said.</p>
    ${conventions(run)}
    <p class="hint">${run?.ended?.words ?? ""}${seed === undefined ? "" : `, seed ${seed}`}</p>
  </section>`;
}

/** The panel of states that no scenario makes. */
export function withoutScenario(run: Run | null): TemplateResult {
  if (!run) return html`<section class="block"><p class="hint">Nothing is shown yet: choose a preset, or open a file.</p></section>`;
  return html`<section class="block"><h2>Recorded</h2>
    <p class="hint">These states were recorded, or made by a flow without a scenario: they play, but cannot be computed anew.</p>
    ${conventions(run)}
  </section>`;
}

/** What the rule of the flow says of its own constants. */
function conventions(run: Run | null): TemplateResult[] {
  return (run?.start.words ?? []).map((words: string) => html`<p class="hint">${words}</p>`);
}
