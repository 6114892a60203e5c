/** An element that plays one run: its stage, its playhead, its keys, light or dark. */

import { LitElement, type PropertyValues } from "lit";
import type { ClockKind } from "../player.ts";
import type { Run } from "../run.ts";
import type { View } from "../state.ts";
import { follow } from "./following.ts";
import { Playback, type Player } from "./playback.ts";
import type { Note } from "../ui/saying.ts";
import { choose, chosen } from "./theme-choice.ts";

const TYPING = /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/;

export abstract class PlayingElement extends LitElement implements Player {
  static properties = {
    run: { state: true }, playing: { state: true }, view: { state: true }, note: { state: true }, dark: { type: Boolean, reflect: true },
  };
  declare run: Run | null;
  declare playing: boolean;
  declare view: View;
  declare note: Note | null;
  declare dark: boolean;
  /** Whether this element is the whole page, whose address carries the scenario. */
  isPage = false;
  protected playback = new Playback(this);

  constructor() {
    super();
    this.run = this.note = null;
    this.playing = this.dark = false;
    this.view = {};
  }

  connectedCallback(): void {
    super.connectedCallback();
    const system = matchMedia("(prefers-color-scheme: dark)");
    this.dark = chosen() ? chosen() === "dark" : system.matches;
    system.addEventListener("change", (event) => !chosen() && (this.dark = event.matches));
    window.addEventListener("keydown", this.#key);
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.#key);
    this.playback.stop();
  }

  protected firstUpdated(): void {
    try {
      this.playback.start(this.renderRoot.querySelector<HTMLCanvasElement>(".stage canvas")!);
    } catch {
      this.refuse("This browser cannot draw in three dimensions: WebGL is turned off.");
    }
  }

  protected updated(changed: PropertyValues): void {
    if (changed.has("run") || changed.has("dark")) this.playback.setLook();
    if (changed.has("playing") && !this.playing) this.moved();
    this.#follow();
  }

  protected refuse(words: string): void {
    this.note = { words, kind: "error" };
  }

  protected switchTheme(): void {
    this.dark = !this.dark;
    choose(this.dark);
  }

  // ---- time ----------------------------------------------------------------------------------------------------------

  get time(): number {
    return this.playback.time;
  }

  /** Put the playhead at a share of the time bar. */
  seek(u: number): void {
    this.playing = false;
    this.playback.seek(u);
  }

  abstract get isFilming(): boolean;
  abstract moved(): void;
  abstract finished(): void;

  drawn(): void {
    this.#follow();
  }

  #follow(): void {
    if (this.run) follow(this.renderRoot, this.run, this.playback.head.u, this.playback.stage);
  }

  protected rewind(): void {
    this.playback.head.u = 0;
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  protected toggle = () => {
    if (!this.run) return;
    if (!this.playing && this.playback.head.u >= 1) this.playback.head.u = 0;
    this.playing = !this.playing;
  };

  protected setView(change: View): void {
    this.view = { ...this.view, ...change };
  }

  protected setClock(kind: ClockKind): void {
    const t = this.time;
    this.setView({ clock: kind });
    this.run?.setClock(kind);
    if (this.run) this.playback.seek(this.run.clock.share(t));
  }

  protected setTrails(areShown: boolean): void {
    this.setView({ trails: areShown });
    this.playback.setLook();
  }

  /** The space bar plays and pauses, in a notebook only where this element is meant. */
  #key = (event: KeyboardEvent) => {
    const path = event.composedPath();
    const isMeant = this.isPage || this.matches(":hover") || path.includes(this);
    const isTyped = TYPING.test((path[0] as HTMLElement).tagName ?? "") || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== " " || !isMeant || isTyped) return;
    event.preventDefault();
    this.toggle();
  };
}
