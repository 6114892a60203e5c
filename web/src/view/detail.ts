/** How finely frames are drawn: where a machine is too slow to play, pixels become larger until the run rests. */

/** Pixels per pixel of the screen, from the finest. */
const STEPS = [1, 0.75, 0.5];
/** Milliseconds of a frame that are too many, and frames until a judgement. */
const SLOW = 45;
const FRAMES = 10;

export class Detail {
  #step = 0;
  #spent = 0;
  #frames = 0;

  /** The share of the finest resolution, after another frame of a run that plays. */
  after(milliseconds: number): number {
    this.#spent += milliseconds;
    if (++this.#frames === FRAMES) {
      if (this.#spent > SLOW * FRAMES) this.#step = Math.min(this.#step + 1, STEPS.length - 1);
      this.#spent = this.#frames = 0;
    }
    return STEPS[this.#step];
  }

  /** Another run may be lighter. */
  restore(): void {
    this.#step = this.#spent = this.#frames = 0;
  }
}
