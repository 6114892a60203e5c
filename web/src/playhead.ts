/** The playhead: the share of the time bar that has passed, and how it moves while a run plays. */

import type { Run } from "./run.ts";

/** Seconds of one pass at speed 1. */
const PASS = 14;
/** Length of a trail, as a share of the time bar, and the number of its pieces. */
const TRAIL = 0.06;
const PIECES = 20;

export class Playhead {
  u = 0;

  /** Move on, never beyond what has come; tells whether the end is reached. */
  advance(run: Run, seconds: number, { speed = 1, loop = false }): boolean {
    const u = this.u + (seconds * speed) / PASS;
    const ready = shareReady(run);
    if (u >= 1 && ready >= 1) {
      this.u = loop ? 0 : 1;
      return !loop;
    }
    this.u = Math.min(u, Math.max(ready, this.u));
    return false;
  }

  set(u: number): void {
    this.u = Math.min(1, Math.max(0, u));
  }

  /** Shares of the time bar just before the playhead, the latest first. */
  trail(): number[] {
    return Array.from({ length: PIECES }, (_, k) => this.u - (TRAIL * (k + 1)) / PIECES).filter((u) => u >= 0);
  }
}

/** The share of the time bar whose knots have come. */
export function shareReady(run: Run): number {
  return run.isDone || run.ended ? 1 : Math.min(1, run.clock.share(run.path.end));
}
