/** The time bar: play, scrub, clock, speed, loop, and marks where clusters merged. */

import { html, type TemplateResult } from "lit";
import { type ClockKind, mergings } from "../player.ts";
import type { Run } from "../run.ts";
import type { View } from "../state.ts";
import { shown } from "../words.ts";
import { icons } from "./icons.ts";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const STEPS: Record<string, number> = { ArrowLeft: -0.005, ArrowRight: 0.005, PageDown: -0.05, PageUp: 0.05, Home: -1, End: 1 };

export interface Bar {
  run: Run | null;
  isPlaying: boolean;
  view: View;
  toggle(): void;
  seek(u: number): void;
  move(by: number): void;
  setClock(kind: ClockKind): void;
  setView(change: View): void;
}

const value = (e: Event) => (e.target as HTMLInputElement | HTMLSelectElement).value;

export function timeBar(bar: Bar): TemplateResult {
  const { run, isPlaying, view } = bar;
  const kind = run?.clock.kind ?? "linear";
  const step = (event: KeyboardEvent) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    bar.move(STEPS[event.key]);
  };
  return html`<div class="bar" aria-label="Time">
    <button class="button icon primary" id="play" aria-label=${isPlaying ? "Pause" : "Play"} ?disabled=${!run} @click=${bar.toggle}>${isPlaying ? icons.pause : icons.play}</button>
    <div class="track">
      <div class="ready"><i></i></div>
      <div class="marks" aria-hidden="true">${marks(run)}</div>
      <input id="time" type="range" min="0" max="1" step="any" aria-label="Time" @input=${(e: Event) => bar.seek(Number(value(e)))} @keydown=${step}>
    </div>
    <div class="tools clock">
      <span><b>t = 0</b> <small>of ${shown(run?.until ?? 0)}</small></span>
      <select aria-label="Clock" .value=${kind} @change=${(e: Event) => bar.setClock(value(e) as ClockKind)}>
        ${["linear", "log"].map((one) => html`<option value=${one} ?selected=${one === kind}>${one}</option>`)}
      </select>
      <select aria-label="Speed" @change=${(e: Event) => bar.setView({ speed: Number(value(e)) })}>
        ${SPEEDS.map((s) => html`<option value=${s} ?selected=${s === (view.speed ?? 1)}>${s}×</option>`)}
      </select>
      <button class="button icon plain" aria-label="Loop" title="Loop" aria-pressed=${view.loop ?? false} @click=${() => bar.setView({ loop: !view.loop })}>${icons.loop}</button>
    </div>
  </div>`;
}

function marks(run: Run | null): TemplateResult[] {
  const { t = [], clusters = [] } = run?.observed ?? {};
  return mergings(t, clusters).slice(-40).map(
    (m) => html`<i style="left: ${100 * run!.clock.share(m.t)}%" title="${m.count} clusters from t = ${shown(m.t)}"></i>`,
  );
}
