/** How finely frames are drawn: where a machine is too slow to play, pixels become larger, and of a crowd a sample is drawn,
 * until the run rests. */

export interface Grain {
  /** Pixels per pixel of the screen. */
  pixels: number;
  /** The most tokens that are drawn. */
  tokens: number;
}

export const FINEST: Grain = { pixels: 1, tokens: Infinity };
const STEPS: Grain[] = [FINEST, { pixels: 0.75, tokens: Infinity }, { pixels: 0.5, tokens: Infinity }];
/** Of a crowd it is the tokens that take the time, not the pixels. */
const OF_A_CROWD: Grain[] = [FINEST, { pixels: 0.75, tokens: 30_000 }, { pixels: 0.5, tokens: 10_000 }];
/** Within these milliseconds so many frames are wanted. */
const WINDOW = 450;
const FRAMES = 10;

export class Detail {
  #steps = STEPS;
  #step = 0;
  #spent = 0;
  #frames = 0;

  /** How to draw after another frame of a picture that moves. */
  after(milliseconds: number): Grain {
    this.#spent += Math.min(milliseconds, WINDOW);
    this.#frames++;
    if (this.#spent >= WINDOW) {
      if (this.#frames < FRAMES) this.#step = Math.min(this.#step + 1, this.#steps.length - 1);
      this.#spent = this.#frames = 0;
    }
    return this.#steps[this.#step];
  }

  /** Another run, of n tokens, may be lighter. */
  restore(n: number): void {
    this.#steps = n > 10_000 ? OF_A_CROWD : STEPS;
    this.#step = this.#spent = this.#frames = 0;
  }
}

/** Tokens in an order whose beginnings are samples of all of them: steps of the golden ratio, whatever order they came in. */
export function sampling(n: number): Uint32Array {
  const coprime = (a: number, b: number): boolean => (b === 0 ? a === 1 : coprime(b, a % b));
  let step = Math.max(1, Math.round(n * 0.6180339887));
  while (!coprime(step, n)) step++;
  const order = new Uint32Array(n);
  for (let k = 1; k < n; k++) order[k] = (order[k - 1] + step) % n;
  return order;
}
