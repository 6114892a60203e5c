/** The plots of a run: energy, clusters, effective rank, cosines, and the attention matrix; grey where it is an old one. */

import { html, nothing, type TemplateResult } from "lit";
import type { Run } from "../run.ts";
import type { Attention } from "../attention.ts";

export function plots(run: Run | null, attention: Attention | null, isDark: boolean, isOld: boolean): TemplateResult {
  if (!run) return html`<p class="hint">Plots come with the run.</p>`;
  const { t = [], energy, energy_words: why, clusters, rank, cosines, cosines_t: ct, cosines_mean: means } = run.observed;
  return html`
    <af-plot label="Energy" .t=${t} .y=${energy ?? null} .clock=${run.clock} .note=${why ?? ""} ?dark=${isDark} ?old=${isOld}></af-plot>
    ${run.start.is_law ? nothing : html`<af-plot label="Clusters" none="spread out" stepped .t=${t} .y=${clusters ?? null} .clock=${run.clock} ?dark=${isDark} ?old=${isOld}></af-plot>`}
    <af-plot label="Effective rank" .t=${t} .y=${rank ?? null} .clock=${run.clock} ?dark=${isDark} ?old=${isOld}></af-plot>
    ${run.start.is_law ? nothing : html`<af-cosines .t=${ct ?? []} .cells=${cosines ?? null} .means=${means ?? []} ?dark=${isDark} ?old=${isOld}></af-cosines>`}
    ${attention?.isKnown(run) ? html`<af-matrix ?old=${isOld || attention.of !== run.id} .weights=${attention.weights} .words=${attention.words}></af-matrix>` : nothing}`;
}
