/** A run as the page knows it: what its session has said so far. */

import { type Knot, readKnot } from "./frames.ts";
import { Clock, type ClockKind, Path } from "./player.ts";
import type { Scenario } from "./state.ts";
import type { Words } from "./transport.ts";

export class Run {
  id: number;
  isPreview: boolean;
  path = new Path();
  start: Words = {};
  ended: Words | null = null;
  observed: Words = {};
  theory: Words | null = null;
  checks = new Map<string, any>();
  /** Papers whose checks took too long. */
  unchecked: string[] = [];
  isDone = false;
  clock = new Clock("linear", 1, 0.01);

  constructor(id: number, isPreview: boolean) {
    this.id = id;
    this.isPreview = isPreview;
  }

  /** Take what was said of this run. */
  hear(words: Words, data: ArrayBuffer | null): void {
    switch (words.say) {
      case "start":
        this.start = words;
        this.isPreview = words.preview === true;
        break;
      case "knot": {
        const knot: Knot = readKnot(data!);
        this.path.add(knot);
        break;
      }
      case "ended":
        this.ended = words;
        break;
      case "observed":
        Object.assign(this.observed, words);
        break;
      case "theory":
        this.theory = words;
        break;
      case "checks":
        for (const check of words.checks) this.checks.set(check.claim, check);
        break;
      case "unchecked":
        this.unchecked.push(words.paper);
        break;
      case "done":
        this.isDone = true;
    }
  }

  get scenario(): Scenario | null {
    return this.start.scenario ?? null;
  }

  get until(): number {
    return this.ended?.t ?? this.start.until ?? (this.path.end || 1);
  }

  get labels(): number[] | null {
    return this.ended?.clusters?.labels ?? null;
  }

  setClock(kind: "auto" | ClockKind): void {
    const time = this.scenario?.time ?? {};
    const isLong = (time.spacing ?? 1) >= 2 || this.until >= 300 || (Array.isArray(time.save) && this.until > 50);
    const first = this.path.knots[1]?.t ?? this.until / 1000;
    this.clock = new Clock(kind === "auto" ? (isLong ? "log" : "linear") : kind, this.until, Math.max(first, this.until * 1e-8, 0.05 * Math.min(1, this.until / 10)));
  }

  /** Clusters at a time, as the plot counts them. */
  clustersAt(t: number): number | null {
    const { t: times, clusters } = this.observed;
    if (!clusters) return t >= this.until * (1 - 1e-9) ? (this.ended?.clusters?.count ?? null) : null;
    let k = 0;
    while (k + 1 < times.length && times[k + 1] <= t * (1 + 1e-9)) k++;
    return clusters[k];
  }
}
