/** The attention matrix: who (row) listens to whom (column), tokens sorted by their clusters, those at the end first. */

import { html, LitElement } from "lit";
import type { Weights } from "../frames.ts";
import { plotStyle } from "../ui/styles.ts";
import { shown } from "../words.ts";
import { painting } from "./colours.ts";

export class AfMatrix extends LitElement {
  static styles = plotStyle;
  static properties = { weights: { attribute: false }, words: {} };
  declare weights: Weights | null;
  declare words: string;

  constructor() {
    super();
    this.weights = null;
    this.words = "";
  }

  render() {
    const { low, high } = painting(this.weights?.values ?? []);
    return html`<figure role="img" aria-label="Attention matrix, tokens sorted by cluster">
      <figcaption><span>Attention matrix</span><output>${this.weights ? `t = ${shown(this.weights.t)}` : ""}</output></figcaption>
      ${this.weights ? html`<canvas class="matrix"></canvas>` : html`<p class="empty">${this.words || "…"}</p>`}
      ${this.weights
        ? html`<p class="legend">row listens to column · <span class="ramp ${low < 0 ? "signed" : ""}"></span> ${shown(low, 2)} to ${shown(high, 2)}, by square roots${this.words ? ` · ${this.words}` : ""}</p>`
        : null}
    </figure>`;
  }

  updated(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    if (!canvas || !this.weights) return;
    const { size, values } = this.weights;
    canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d")!;
    const image = pen.createImageData(size, size);
    const { colour } = painting(values);
    for (let k = 0; k < values.length; k++) image.data.set([...colour(values[k]), 255], 4 * k);
    pen.putImageData(image, 0, 0);
  }
}
