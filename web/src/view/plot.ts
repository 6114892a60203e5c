/** One curve over the time bar, with the playhead in it (uPlot). */

import { html, LitElement } from "lit";
import uPlot from "uplot";
import uplotCss from "uplot/dist/uPlot.min.css?inline";
import { unsafeCSS } from "lit";
import type { Clock } from "../player.ts";
import { shown } from "../words.ts";
import { plotStyle } from "../ui/styles.ts";

/** Steps between the ticks of a count. */
const WHOLE = [1, 2, 5].flatMap((k) => [0, 1, 2, 3, 4].map((power) => k * 10 ** power)).sort((a, b) => a - b);

export class AfPlot extends LitElement {
  static styles = [unsafeCSS(uplotCss), plotStyle];
  static properties = {
    label: {}, t: { attribute: false }, y: { attribute: false }, clock: { attribute: false }, stepped: { type: Boolean }, note: {}, none: {},
    dark: { type: Boolean }, old: { type: Boolean },
  };
  declare label: string;
  declare t: number[];
  declare y: number[] | null;
  declare clock: Clock | null;
  declare stepped: boolean;
  declare note: string;
  /** What a value of 0 is called. */
  declare none: string;
  declare dark: boolean;
  /** Whether it is the curve of a run before the one on the stage: then the playhead does not stand in it. */
  declare old: boolean;
  #plot: uPlot | null = null;
  #playhead = 0;
  #sizes: ResizeObserver | null = null;
  #head = document.createElement("i");
  #dot = document.createElement("b");

  constructor() {
    super();
    this.label = this.note = this.none = "";
    this.t = [];
    this.y = this.clock = null;
    this.stepped = this.dark = this.old = false;
    this.#head.className = "head";
    this.#head.append(this.#dot);
  }

  render() {
    const words = this.old ? `${this.label} before the change` : this.y?.length
      ? `${this.label}: ${this.#words(this.valueAt(this.#playhead))} now, ${this.#words(this.y[this.y.length - 1])} at the end`
      : this.label;
    return html`<figure role="img" aria-label=${words}>
      <figcaption><span>${this.label}</span><output></output></figcaption>
      <div class="plot" ?hidden=${!this.y?.length}></div>
      ${this.y?.length ? null : html`<p class="empty">${this.note || "…"}</p>`}
    </figure>`;
  }

  valueAt(u: number): number {
    if (!this.y?.length || !this.clock) return NaN;
    const time = this.clock.time(u) * (1 + 1e-12);
    let k = 0;
    while (k + 1 < this.t.length && this.t[k + 1] <= time) k++;
    if (this.stepped || k + 1 >= this.t.length) return this.y[k];
    const s = (time - this.t[k]) / (this.t[k + 1] - this.t[k]);
    return (1 - s) * this.y[k] + s * this.y[k + 1];
  }

  /** Move the playhead without drawing the curve anew. */
  seek(u: number): void {
    this.#playhead = u;
    const output = this.renderRoot.querySelector("output");
    const words = this.y?.length ? this.#words(this.valueAt(u)) : "";
    if (output && output.textContent !== words) output.textContent = words;
    this.#mark();
  }

  #words(value: number): string {
    return value === 0 && this.none ? this.none : shown(value, 4);
  }

  updated(): void {
    const home = this.renderRoot.querySelector<HTMLElement>(".plot")!;
    this.#sizes ??= new ResizeObserver(() => this.#plot?.setSize({ width: home.clientWidth, height: 92 }));
    this.#sizes.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
    if (!this.y?.length || !this.clock) return;
    this.#plot = new uPlot(this.#options(home.clientWidth || 300), this.#data(), home);
    this.#sizes.observe(home);
    this.seek(this.#playhead);
  }

  #data(): uPlot.AlignedData {
    return [this.t.map((t) => this.clock!.share(t)), this.y!];
  }

  #options(width: number): uPlot.Options {
    const style = getComputedStyle(this);
    const ink = style.getPropertyValue("--faint").trim() || "#888";
    const grid = style.getPropertyValue("--line").trim() || "#ddd";
    const accent = style.getPropertyValue("--accent").trim() || "#0072B2";
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: "11px Inter, system-ui, sans-serif" };
    return {
      width,
      height: 92,
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 10, 0, 0],
      scales: { x: { time: false, range: [0, 1] }, y: { range: (_, low, high) => room(low, high) } },
      axes: [
        { ...axis, size: 20, splits: () => [0, 0.25, 0.5, 0.75, 1], values: (_, us) => us.map((u) => (u === 0 ? "t = 0" : shown(this.clock!.time(u), 2))) },
        { ...axis, size: 44, space: 26, ...(this.stepped ? { incrs: WHOLE } : {}), values: (_, ys) => ys.map((y) => shown(y, 3)) },
      ],
      series: [{}, { stroke: accent, width: 1.6, paths: this.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined, points: { show: false } }],
      hooks: { ready: [(plot) => void plot.over.append(this.#head)], draw: [() => this.#mark()] },
    };
  }

  /** The playhead stands over the curve as an element of its own: moving it draws nothing anew. */
  #mark(): void {
    if (!this.#plot) return;
    const x = (this.#playhead * this.#plot.bbox.width) / uPlot.pxRatio;
    const y = this.#plot.valToPos(this.valueAt(this.#playhead), "y");
    this.#head.style.transform = `translateX(${x}px)`;
    this.#dot.style.transform = `translateY(${Number.isFinite(y) ? y : -99}px)`;
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#plot?.destroy();
    this.#plot = null;
    this.#sizes?.disconnect();
  }
}

/** A range with some air, never empty. */
export function room(low: number, high: number): [number, number] {
  if (low === null || high === null || !Number.isFinite(low + high)) return [0, 1];
  const pad = Math.max((high - low) * 0.12, Math.abs(high) * 1e-6, 1e-12);
  return high === low ? [low - Math.max(0.5, Math.abs(low) * 0.1), high + Math.max(0.5, Math.abs(high) * 0.1)] : [low - pad, high + pad];
}
