/** Knots of a run, the path between them, and the clock that turns a place on the time bar into a time. */

import type { Knot } from "./frames.ts";

export interface Segment {
  a: Knot;
  b: Knot;
  /** Share of the time between the knots. */
  s: number;
}

export class Path {
  knots: Knot[] = [];

  /** Knots come in the order of time; one at the time of the last replaces it. */
  add(knot: Knot): void {
    let k = this.knots.length;
    while (k > 0 && this.knots[k - 1].t > knot.t) k--;
    if (k > 0 && this.knots[k - 1].t === knot.t) this.knots[k - 1] = knot;
    else this.knots.splice(k, 0, knot);
  }

  get end(): number {
    return this.knots.length ? this.knots[this.knots.length - 1].t : 0;
  }

  get n(): number {
    return this.knots.length ? this.knots[0].n : 0;
  }

  at(t: number): Segment {
    const { knots } = this;
    const last = knots.length - 1;
    if (last <= 0 || t <= knots[0].t) return { a: knots[0], b: knots[Math.min(1, last)], s: 0 };
    if (t >= knots[last].t) return { a: knots[last - 1], b: knots[last], s: 1 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (knots[middle].t <= t) low = middle;
      else high = middle;
    }
    return { a: knots[low], b: knots[high], s: (t - knots[low].t) / (knots[high].t - knots[low].t) };
  }
}

export function isCurved({ a, b }: Segment): boolean {
  return a.v !== null && b.v !== null && b.t > a.t;
}

/** Token i of a segment, written into `out` from `place` on: the cubic of the shader, on the processor. */
export function tokenAt(segment: Segment, i: number, out: Float32Array | number[], place: number): void {
  const { a, b, s } = segment;
  const r = 1 - s;
  const curved = isCurved(segment);
  const h = b.t - a.t;
  let length = 0;
  for (let c = 0; c < 3; c++) {
    const k = 3 * i + c;
    const value = curved
      ? (1 + 2 * s) * r * r * a.x[k] + s * s * (3 - 2 * s) * b.x[k] + h * s * r * (r * a.v![k] - s * b.v![k])
      : r * a.x[k] + s * b.x[k];
    out[place + c] = value;
    length += value * value;
  }
  if (!a.isSphere) return;
  length = Math.sqrt(length) || 1;
  for (let c = 0; c < 3; c++) out[place + c] /= length;
}

/** The largest coordinate of a knot. */
export function extent(knot: Knot): number {
  let most = 0;
  for (let k = 0; k < knot.x.length; k++) most = Math.max(most, Math.abs(knot.x[k]));
  return most;
}

export type ClockKind = "linear" | "log";

/** From a share u of the time bar to a time, and back. */
export class Clock {
  kind: ClockKind;
  until: number;
  first: number;

  constructor(kind: ClockKind, until: number, first: number) {
    this.kind = kind;
    this.until = until;
    this.first = Math.min(Math.max(first, until * 1e-9), until * 0.01) || 1e-3;
  }

  time(u: number): number {
    if (this.kind === "linear") return u * this.until;
    return u >= 1 ? this.until : this.first * Math.expm1(u * Math.log1p(this.until / this.first));
  }

  share(t: number): number {
    if (this.until <= 0) return 0;
    if (this.kind === "linear") return t / this.until;
    return Math.log1p(t / this.first) / Math.log1p(this.until / this.first);
  }
}

/** Times at which the number of clusters falls; 0 means that tokens are spread out. */
export function mergings(t: number[], counts: number[]): { t: number; count: number }[] {
  const found = [];
  for (let k = 1; k < counts.length; k++) if (counts[k] < counts[k - 1] && counts[k] > 0) found.push({ t: t[k], count: counts[k] });
  return found;
}
