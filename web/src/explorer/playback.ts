/** A run on the stage: the frames, the playhead that moves through them, and what pointer and keys do to the picture. */

import { Playhead } from "../playhead.ts";
import type { Run } from "../run.ts";
import type { View } from "../state.ts";
import { Detail, FINEST } from "../view/detail.ts";
import { Stage } from "../view/stage.ts";

const TURNS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
/** Pixels a pointer may move and still have picked. */
const STILL = 4;

export interface Player {
  run: Run | null;
  playing: boolean;
  view: View;
  dark: boolean;
  /** Whether a film is made, whose frames have one size. */
  readonly isFilming: boolean;
  /** A frame was drawn. */
  drawn(): void;
  /** The playhead moved. */
  moved(): void;
  /** The run has played to its end. */
  finished(): void;
}

export class Playback {
  stage: Stage | null = null;
  head = new Playhead();
  #player: Player;
  #labels: number[] | null = null;
  #sizes: ResizeObserver | null = null;
  #detail = new Detail();
  #frame = 0;
  #before = 0;
  #pressed: [number, number] = [0, 0];

  constructor(player: Player) {
    this.#player = player;
  }

  /** Take a canvas; raises where the browser cannot draw on it. */
  start(canvas: HTMLCanvasElement): void {
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
    this.stage = new Stage(canvas);
    const resize = () => this.stage?.resize(canvas.clientWidth, canvas.clientHeight);
    this.#sizes = new ResizeObserver(resize);
    this.#sizes.observe(canvas);
    resize();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#sizes?.disconnect();
    this.stage?.dispose();
    this.stage = null;
  }

  /** Colours and backdrop of the run; until its clusters are known, those of the run before. */
  setLook(): void {
    const { run, dark, view } = this.#player;
    if (!run || !this.stage) return;
    const { drawn = "sphere", space, mass = null } = run.start;
    this.#labels = run.labels ?? (this.#labels?.length === run.path.n ? this.#labels : null);
    this.stage.setLook({ drawn, isSphere: space === "sphere", mass, labels: this.#labels }, dark);
    this.stage.showsTrails = view.trails ?? true;
  }

  /** Another run comes on the stage. */
  setRun(run: Run): void {
    this.#detail.restore(run.path.n);
    this.stage?.setPath(run.path);
  }

  refresh(): void {
    if (this.stage) this.stage.isStale = true;
  }

  get time(): number {
    return this.#player.run?.clock.time(this.head.u) ?? 0;
  }

  seek(u: number): void {
    this.head.set(u);
    this.refresh();
    this.#player.moved();
  }

  #tick(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#tick(next));
    const milliseconds = now - this.#before;
    this.#before = now;
    const { run, playing, view, isFilming } = this.#player;
    if (!run || !this.stage) return;
    if (!isFilming) this.stage.setGrain(playing || this.stage.isHeld ? this.#detail.after(milliseconds) : FINEST);
    if (playing) {
      const { u } = this.head;
      const isOver = this.head.advance(run, Math.min(100, milliseconds) / 1000, view);
      // Where the next knots are still computed the playhead waits, and drawing the same again would slow them down.
      if (this.head.u !== u) this.seek(this.head.u);
      if (isOver) this.#player.finished();
    }
    if (!this.stage.isStale) return;
    this.stage.draw(this.time, this.head.trail().map((u) => run.clock.time(u)));
    this.#player.drawn();
  }

  // ---- pointer and keys ----------------------------------------------------------------------------------------------

  turn = (event: KeyboardEvent) => {
    if (TURNS[event.key]) this.stage?.turn(...TURNS[event.key]);
    else if (event.key === "+" || event.key === "=") this.stage?.zoom(0.9);
    else if (event.key === "-") this.stage?.zoom(1.1);
    else if (event.key === "0") this.stage?.resetCamera();
    else return;
    event.preventDefault();
  };

  press = (event: PointerEvent) => {
    this.#pressed = [event.offsetX, event.offsetY];
  };

  /** The token under the pointer, −1 where there is none; nothing where the pointer turned the stage. */
  pick(event: PointerEvent): number | null {
    const [x, y] = this.#pressed;
    if (Math.hypot(event.offsetX - x, event.offsetY - y) > STILL || !this.stage) return null;
    this.stage.chosen = this.stage.pick(event.offsetX, event.offsetY, this.time);
    this.refresh();
    return this.stage.chosen;
  }
}
