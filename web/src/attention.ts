/** The attention matrix at the playhead: asked for when the playhead rests, and now and then while it moves. */

import { readWeights, type Weights } from "./frames.ts";
import type { Run } from "./run.ts";
import type { Words } from "./transport.ts";

/** Milliseconds between two questions while the run plays, and while the playhead is drawn by hand. */
const PLAYING = 700;
const SCRUBBING = 150;

export class Attention {
  weights: Weights | null = null;
  words = "";
  /** The run whose matrix it is. */
  of = 0;
  #ask: (words: Words) => void;
  #asked = -Infinity;
  #at = -1;

  constructor(ask: (words: Words) => void) {
    this.#ask = ask;
  }

  isKnown(run: Run): boolean {
    return run.start.has_matrix === true;
  }

  ask(run: Run | null, u: number, { isForced = false } = {}): void {
    if (!run?.ended || run.isPreview || !this.isKnown(run) || (!isForced && this.#at === u)) return;
    this.#asked = performance.now();
    this.#at = u;
    this.#ask({ do: "matrix", id: run.id, t: run.clock.time(u) });
  }

  /** The playhead has moved; `later` is called when it may have come to rest. */
  follow(run: Run | null, u: number, isPlaying: boolean, later: () => void): void {
    if (u !== this.#at && performance.now() - this.#asked > (isPlaying ? PLAYING : SCRUBBING)) this.ask(run, u);
    else if (!isPlaying) setTimeout(later, SCRUBBING + 30);
  }

  hear(words: Words, data: ArrayBuffer): void {
    this.weights = readWeights(data);
    this.of = words.id;
    const { size, heads } = this.weights;
    const many = words.sampled ?? words.n;
    this.words = [
      words.sampled ? `${words.sampled} of ${words.n} tokens` : "",
      words.n > size ? `means over blocks of ${Math.round(many / size)} tokens` : "",
      heads > 1 ? `mean of ${heads} heads` : "",
    ].filter(Boolean).join(", ");
  }

  forget(): void {
    this.weights = null;
    this.words = "";
  }
}
