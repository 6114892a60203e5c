/** Trails: where some of the tokens just were, as one buffer of line segments that fade. */

import { BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, LineBasicMaterial, LineSegments, type Sphere } from "three";
import { type Path, tokenAt } from "../player.ts";

/** Tokens that leave a trail, at most, and pieces of a trail. */
const MOST = 300;
const PIECES = 20;

export class Trails {
  readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
  #tokens: number[] = [];
  #isTinted = false;
  #pieces = 0;
  #here = new Float32Array(3 * (PIECES + 1));

  constructor() {
    this.lines.frustumCulled = false;
  }

  /** Make room for the trails of the first of these tokens. */
  allocate(order: Uint32Array, bounds: Sphere): void {
    const shown = Math.min(order.length, MOST);
    this.#tokens = [...order.subarray(0, shown)];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(shown * PIECES * 6), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(shown * PIECES * 8), 4));
    geometry.boundingSphere = bounds;
    this.lines.geometry.dispose();
    this.lines.geometry = geometry;
    this.#isTinted = false;
  }

  /** Colours are to be set anew. */
  forgetColours(): void {
    this.#isTinted = false;
  }

  /** Trails through the given times, the latest first, each with the scale of its picture. */
  draw(path: Path, times: number[], scaleAt: (t: number) => number, colourOf: (i: number) => Color): void {
    const pieces = Math.min(times.length - 1, PIECES);
    this.lines.visible = pieces > 0;
    if (pieces <= 0) return;
    this.#place(path, times.slice(0, pieces + 1), scaleAt);
    if (!this.#isTinted || pieces !== this.#pieces) this.#tint(pieces, colourOf);
    this.lines.geometry.setDrawRange(0, 2 * pieces * this.#tokens.length);
  }

  #place(path: Path, times: number[], scaleAt: (t: number) => number): void {
    const segments = times.map((time) => path.at(time));
    const scales = times.map(scaleAt);
    const place = this.lines.geometry.getAttribute("position") as BufferAttribute;
    const xs = place.array as Float32Array;
    const here = this.#here;
    let k = 0;
    for (const i of this.#tokens) {
      for (let j = 0; j < segments.length; j++) {
        tokenAt(segments[j], i, here, 3 * j);
        for (let c = 3 * j; c < 3 * j + 3; c++) here[c] *= scales[j];
      }
      for (let j = 0; j + 1 < segments.length; j++) for (let c = 0; c < 6; c++) xs[k++] = here[3 * j + c];
    }
    place.needsUpdate = true;
  }

  #tint(pieces: number, colourOf: (i: number) => Color): void {
    const tint = this.lines.geometry.getAttribute("color") as BufferAttribute;
    let k = 0;
    for (const i of this.#tokens) {
      const { r, g, b } = colourOf(i);
      for (let j = 0; j < pieces; j++) for (const end of [j, j + 1]) tint.setXYZW(k++, r, g, b, 0.55 * (1 - end / pieces) ** 1.5);
    }
    tint.needsUpdate = true;
    this.#isTinted = true;
    this.#pieces = pieces;
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
