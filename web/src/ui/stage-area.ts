/** The stage and what is written over it: title, equation, facts at the playhead, and how to look at it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Run } from "../run.ts";
import type { Scenario, View } from "../state.ts";
import { formula, parameters } from "./formula.ts";
import { icons } from "./icons.ts";

export interface StageArea {
  run: Run | null;
  /** What the controls say; the title and the equation are those of the run. */
  scenario: Scenario | null;
  /** Whether another run is on its way. */
  isOld: boolean;
  title: string;
  view: View;
  /** The token picked, or −1. */
  chosen: number;
  canProject: boolean;
  saying: unknown;
  turn(event: KeyboardEvent): void;
  press(event: PointerEvent): void;
  pick(event: PointerEvent): void;
  project(kind: View["projection"]): void;
  switchTrails(): void;
  resetCamera(): void;
}

const PROJECTIONS = { pca: "Principal axes", random: "Random axes", first: "First axes" };

export function stageArea(area: StageArea): TemplateResult {
  const { run, title } = area;
  const label = run ? `${run.path.n} tokens, ${title}. Arrow keys turn, plus and minus zoom.` : "Stage";
  const count = run?.ended?.clusters?.count;
  return html`<div class="stage">
    <canvas tabindex="0" role="img" aria-label=${label} @keydown=${area.turn} @pointerdown=${area.press} @pointerup=${area.pick}></canvas>
    ${heading(area)}
    ${facts(area)}
    ${corner(area)}
    ${area.saying}
    <div class="visually-hidden" role="status" aria-live="polite">${run?.ended ? `${run.ended.words}${count === undefined ? "" : `, ${count} clusters`}` : ""}</div>
  </div>`;
}

function heading({ title, run, isOld }: StageArea): TemplateResult {
  const scenario = run?.scenario;
  const equation = scenario && html`${formula(scenario)}<div class="chips">${parameters(scenario).map((words) => html`<span class="chip">${words}</span>`)}</div>`;
  return html`<div class="heading" ?data-old=${isOld}><h1>${title}</h1>${equation || nothing}</div>`;
}

function facts({ run, scenario, chosen, isOld }: StageArea): TemplateResult {
  const count = run?.ended?.clusters?.count;
  const isSmaller = run?.isPreview && run.path.n < (scenario?.tokens?.n ?? 0);
  return html`<div class="facts" ?data-old=${isOld}>
    <span class="many" hidden><b class="count"></b><span class="now"></span>${count === undefined ? nothing : html`, <b class="final">${count || "spread out"}</b> at the end`}</span>
    <span class="scale"></span>
    <span class="sample"></span>
    ${isSmaller ? html`<span>preview with ${run.path.n} tokens</span>` : nothing}
    ${chosen >= 0 && run ? html`<span>token <b>${chosen + 1}</b>${run.start.names?.[chosen] ? html` “${run.start.names[chosen]}”` : nothing}${cluster(run, chosen)}</span>` : nothing}
  </div>`;
}

function cluster({ labels }: Run, token: number): TemplateResult | typeof nothing {
  if (!labels) return nothing;
  return labels[token] < 0 ? html`, in no cluster` : html`, cluster <b>${labels[token] + 1}</b>`;
}

function corner(area: StageArea): TemplateResult {
  const { view } = area;
  return html`<div class="corner">
    ${area.canProject ? html`<select aria-label="Projection" @change=${(e: Event) => area.project((e.target as HTMLSelectElement).value as View["projection"])}>
      ${Object.entries(PROJECTIONS).map(([key, words]) => html`<option value=${key} ?selected=${key === (view.projection ?? "pca")}>${words}</option>`)}
    </select>` : nothing}
    <button class="button icon plain" aria-label="Trails" aria-pressed=${view.trails ?? true} title="Trails" @click=${area.switchTrails}>${icons.trail}</button>
    <button class="button icon plain" aria-label="Reset the view" title="Reset the view" @click=${area.resetCamera}>${icons.home}</button>
  </div>`;
}
