/** Cosines of pairs of tokens at the playhead: shares of pairs between −1 and 1. */

import { html, LitElement } from "lit";
import { plotStyle } from "../ui/styles.ts";
import { minus } from "../words.ts";

export class AfCosines extends LitElement {
  static styles = plotStyle;
  static properties = { t: { attribute: false }, cells: { attribute: false }, means: { attribute: false }, dark: { type: Boolean } };
  declare t: number[];
  declare cells: number[][] | null;
  /** Mean cosines at the same times. */
  declare means: number[];
  declare dark: boolean;
  #time = 0;
  /** The place in the table that is on the canvas. */
  #painted = -1;
  #sizes: ResizeObserver | null = null;

  constructor() {
    super();
    this.t = this.means = [];
    this.cells = null;
    this.dark = false;
  }

  render() {
    return html`<figure role="img" aria-label="Histogram of the cosines of all pairs of different tokens">
      <figcaption><span>Cosines of pairs <i>i ≠ j</i></span><output></output></figcaption>
      ${this.cells ? html`<canvas height="92"></canvas><p class="legend">heights are square roots of shares</p>` : html`<p class="empty">…</p>`}
    </figure>`;
  }

  updated(): void {
    this.#repaint();
    const canvas = this.renderRoot.querySelector("canvas");
    this.#sizes ??= new ResizeObserver(() => this.#repaint());
    this.#sizes.disconnect();
    if (canvas) this.#sizes.observe(canvas);
  }

  #repaint(): void {
    this.#painted = -1;
    this.seek(this.#time);
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes?.disconnect();
  }

  seek(time: number): void {
    this.#time = time;
    const canvas = this.renderRoot.querySelector("canvas");
    const words = this.renderRoot.querySelector("output");
    if (words && !this.cells?.length) words.textContent = "";
    if (!canvas || !words || !this.cells?.length) return;
    let k = 0;
    while (k + 1 < this.t.length && Math.abs(this.t[k + 1] - time) <= Math.abs(this.t[k] - time)) k++;
    if (k === this.#painted) return;
    this.#painted = k;
    const cells = this.cells[k];
    words.textContent = `mean ${minus(this.means[k].toFixed(3))}`;
    this.#paint(canvas, cells);
  }

  #paint(canvas: HTMLCanvasElement, cells: number[]): void {
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth || 300;
    const height = 92;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d")!;
    const style = getComputedStyle(this);
    pen.scale(ratio, ratio);
    const left = 10;
    const right = width - 10;
    const floor = height - 18;
    // Square roots: a cluster holds most pairs, and the few others should still be seen.
    const most = Math.sqrt(Math.max(...cells));
    pen.fillStyle = style.getPropertyValue("--accent").trim();
    const step = (right - left) / cells.length;
    cells.forEach((share, i) => {
      const tall = (Math.sqrt(share) / most) * (floor - 6);
      pen.fillRect(left + i * step, floor - tall, Math.max(1, step - 1), tall);
    });
    pen.strokeStyle = style.getPropertyValue("--line").trim();
    pen.strokeRect(left, floor + 0.5, right - left, 0);
    pen.fillStyle = style.getPropertyValue("--faint").trim();
    pen.font = "11px Inter, system-ui, sans-serif";
    pen.textAlign = "center";
    for (const [value, words] of [[-1, "−1"], [0, "0"], [1, "1"]] as [number, string][]) {
      pen.fillText(words, left + ((value + 1) / 2) * (right - left), height - 4);
    }
  }
}
