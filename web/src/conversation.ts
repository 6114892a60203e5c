/** Talking with a session: the newest request wins, and while a slider moves previews go out one at a time. */

import { Run } from "./run.ts";
import type { Scenario } from "./state.ts";
import type { Transport, Words } from "./transport.ts";

/** The least time between two previews, in milliseconds. */
const QUIET = 110;

export interface Asking {
  isPreview?: boolean;
  /** Whether the run is shown from its start and plays. */
  plays?: boolean;
  data?: ArrayBuffer;
}

export class Conversation {
  /** The run on its way; it is shown when it has reached the playhead. */
  next: Run | null = null;
  /** Whether the run on its way is to be played from its start. */
  plays = false;
  #transport: Transport;
  #request: (scenario: Scenario) => void;
  #id = 0;
  #isWaiting = false;
  #held: Scenario | null = null;
  #asked = 0;
  #last: { words: Words; asking: Asking } | null = null;

  /** `request` sends a preview that was held back. */
  constructor(transport: Transport, request: (scenario: Scenario) => void) {
    this.#transport = transport;
    this.#request = request;
  }

  /** Ask for another run. */
  ask(words: Words, { isPreview = false, plays = false, data }: Asking = {}): void {
    this.plays = plays;
    this.next = new Run(++this.#id, isPreview);
    this.#isWaiting = true;
    if (!isPreview) this.#held = null;
    if (words.do !== "project") this.#last = { words, asking: { isPreview, data } };
    this.#transport.send({ ...words, id: this.#id, ...(words.do === "run" ? { preview: isPreview } : {}) }, data);
  }

  /** Ask a new session for what the old one showed. */
  repeat(): void {
    if (this.#last) this.ask(this.#last.words, { ...this.#last.asking, isPreview: false });
  }

  /** Ask about the run on the stage. */
  question(words: Words): void {
    this.#transport.send({ id: this.#id, ...words });
  }

  /** Whether a preview may go out now; else the newest is held until it may. */
  mayPreview(scenario: Scenario): boolean {
    const now = performance.now();
    if (!this.#isWaiting && now - this.#asked >= QUIET) {
      this.#asked = now;
      this.#held = null;
      return true;
    }
    this.#held = scenario;
    if (!this.#isWaiting) setTimeout(() => this.#isWaiting || this.#release(), QUIET);
    return false;
  }

  #release(): void {
    if (this.#held) this.#request(this.#held);
  }

  /** The run that words are about: the one on its way, or the one shown; nothing of older ones is heard. */
  about(words: Words, shown: Run | null): Run | null {
    if (!this.#transport.isLive && words.say === "start") this.next = new Run(words.id, false);
    return this.next?.id === words.id ? this.next : shown?.id === words.id ? shown : null;
  }

  /** What is refused of the run on the stage does not touch the one on its way. */
  isRefusalOfOlder({ id }: Words, shown: Run | null): boolean {
    return Boolean(id) && id !== this.#id && id !== (this.next?.id ?? shown?.id);
  }

  /** The newest request has ended, well or not. */
  settle({ isRefused = false } = {}): void {
    this.#isWaiting = false;
    if (isRefused) this.next = null;
    else this.#release();
  }
}
