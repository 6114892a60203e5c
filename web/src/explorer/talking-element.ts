/** An element that talks with a session: it asks for runs, and shows what it hears of the newest. */

import { Conversation } from "../conversation.ts";
import { Link } from "../link.ts";
import type { Run } from "../run.ts";
import { copy, CROWD, type Scenario, type View } from "../state.ts";
import type { Status, Transport, Words } from "../transport.ts";
import { Attention } from "../attention.ts";
import { read } from "../ui/own-data.ts";
import { PlayingElement } from "./playing-element.ts";

export abstract class TalkingElement extends PlayingElement {
  static properties = {
    ...PlayingElement.properties, status: { state: true }, scenario: { state: true }, busy: { state: true }, presets: { state: true },
  };
  declare status: Status;
  declare scenario: Scenario | null;
  /** What the session works on. */
  declare busy: string;
  declare presets: Words[];
  transport: Transport | null = null;
  protected talk: Conversation | null = null;
  protected attention: Attention | null = null;
  /** The scenario that the session took last. */
  #taken: Scenario | null = null;
  /** The last whole run of which something is plotted. */
  #plotted: Run | null = null;
  #link = new Link();
  /** Whether the first preset is to be opened when the catalogue comes. */
  #opensFirst = false;

  constructor() {
    super();
    this.status = "connecting";
    this.scenario = null;
    this.busy = "";
    this.presets = [];
  }

  connectedCallback(): void {
    super.connectedCallback();
    if (this.isPage) window.addEventListener("hashchange", this.#follow);
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("hashchange", this.#follow);
    this.transport?.stop();
  }

  protected firstUpdated(): void {
    super.firstUpdated();
    const { transport } = this;
    if (!transport) return;
    this.talk = new Conversation(transport, (scenario) => this.preview(scenario));
    if (transport.isLive) this.attention = new Attention((words) => transport.send(words));
    transport.start((words, data) => this.#hear(words, data), (now) => this.#connected(now));
  }

  /** The title of the run, and the first words of what is saved of it. */
  get title(): string {
    return this.run?.start.title || this.scenario?.title || "attnflow";
  }

  /** Whether a whole run is on its way, so that the stage shows the one before. */
  protected get isAway(): boolean {
    return this.talk?.next?.isPreview === false;
  }

  /** The run that plots and theory tell of, and whether it is older than what the controls say. */
  protected get told(): { run: Run | null; isOld: boolean } {
    const run = this.run?.isPreview || !this.run?.observed.t ? this.#plotted ?? this.run : this.run;
    return { run, isOld: run !== this.run || this.isAway };
  }

  moved(): void {
    const { u } = this.playback.head;
    this.attention?.follow(this.run, u, this.playing, () => this.attention?.ask(this.run, this.playback.head.u));
  }

  protected setView(change: View): void {
    super.setView(change);
    this.#keepLink();
  }

  /** Words that the session wrote. */
  protected abstract save(words: Words): void;

  // ---- asking the session ----------------------------------------------------------------------------------------------

  #connected(now: Status): void {
    const isBack = this.status === "reconnecting";
    this.status = now;
    if (now !== "open") return;
    if (!isBack) void this.#begin().then(() => this.greet());
    else {
      this.greet();
      this.talk!.repeat();
    }
  }

  /** Ask what can be opened. */
  protected greet(): void {
    this.transport!.send({ do: "hello" });
  }

  /** The scenario of the link, or what the user opened. */
  async #begin(): Promise<void> {
    this.#opensFirst = !this.isPage || !(await this.#follow());
  }

  /** Show what the address says; tells whether it says anything new. */
  #follow = async (): Promise<boolean> => {
    try {
      const shared = await this.#link.read();
      if (!shared || JSON.stringify(shared.s) === JSON.stringify(this.scenario)) return false;
      const { at, ...view } = shared.v;
      this.view = view;
      if (at !== undefined) this.seek(at);
      this.request(shared.s, { plays: at === undefined });
      return true;
    } catch (error) {
      this.refuse((error as Error).message);
      return false;
    }
  };

  /** The address of what is shown now, with the playhead where it is. */
  protected async linkHere(): Promise<string> {
    return this.#link.of({ s: this.scenario!, v: { ...this.view, at: this.playback.head.u } });
  }

  #keepLink(): void {
    if (this.isPage) this.#link.keep(() => this.scenario && { s: this.scenario, v: this.view });
  }

  /** Ask for a run; the newest request wins. */
  request(scenario: Scenario, { isPreview = false, plays = false } = {}): void {
    this.scenario = scenario;
    this.note = null;
    if (!isPreview) this.busy = "computing";
    this.talk!.ask({ do: "run", scenario, projection: this.view.projection }, { isPreview, plays });
  }

  open(name: string): void {
    this.note = null;
    this.#open(name);
  }

  #open(name: string): void {
    this.busy = "computing";
    this.talk!.ask({ do: "open", name, projection: this.view.projection }, { plays: true });
  }

  /** While a slider moves: few tokens. */
  protected preview(scenario: Scenario): void {
    this.scenario = scenario;
    if (this.talk!.mayPreview(scenario)) this.request(scenario, { isPreview: true });
  }

  protected project(kind: View["projection"]): void {
    this.setView({ projection: kind });
    this.talk!.ask({ do: "project", kind });
  }

  /** A dropped or chosen file. */
  async take(file: File): Promise<void> {
    this.note = null;
    try {
      const given = await read(file);
      if ("scenario" in given) return this.request(given.scenario, { plays: true });
      this.busy = "reading";
      this.talk!.ask({ do: "upload", name: given.name, scenario: this.scenario }, { plays: true, data: given.data });
    } catch (error) {
      this.refuse((error as Error).message);
    }
  }

  // ---- hearing it ------------------------------------------------------------------------------------------------------

  #hear(words: Words, data: ArrayBuffer | null): void {
    switch (words.say) {
      case "hello": return this.#greeted(words);
      case "text": return this.save(words);
      case "matrix": return this.#setMatrix(words, data!);
      case "error": return this.#refused(words);
    }
    const run = this.talk!.about(words, this.run);
    if (!run) return;
    if (words.say === "compiling") this.busy = "compiling";
    if (words.say === "progress") this.busy = words.total > 1 ? `computing, part ${Math.min(words.done + 1, words.total)} of ${words.total}` : "computing";
    run.hear(words, data);
    if (words.say === "start") run.setClock(this.view.clock ?? "auto");
    if (run === this.talk!.next && !this.#adopt(run)) return;
    if (words.say === "observed") this.#plotted = run;
    if (words.say === "knot") this.playback.refresh();
    else if (words.say === "ended") this.#ended(run);
    else if (words.say !== "working") this.requestUpdate();
  }

  #greeted({ presets }: Words): void {
    this.presets = presets;
    if (this.#opensFirst && presets.length) this.#open(presets[0].name);
    this.#opensFirst = false;
  }

  #setMatrix(words: Words, data: ArrayBuffer): void {
    if (words.id !== this.run?.id) return;
    this.attention!.hear(words, data);
    this.requestUpdate();
  }

  #refused(words: Words): void {
    if (this.talk!.isRefusalOfOlder(words, this.run)) return;
    this.busy = "";
    const isRun = this.talk!.next !== null;
    this.talk!.settle({ isRefused: true });
    if (isRun) this.#restore();
    this.refuse(words.words);
  }

  /** What was refused is nobody's state: the controls say again what the session took. */
  #restore(): void {
    this.scenario = this.#taken && copy(this.#taken);
    this.#keepLink();
    if (this.scenario && this.run?.isPreview) this.request(this.scenario);
  }

  /** Show a run on its way as soon as it has reached the playhead, a crowd from its start; tells whether it is shown. */
  #adopt(run: Run): boolean {
    const talk = this.talk!;
    talk.plays ||= run.path.n > CROWD;
    const t = talk.plays ? 0 : run.clock.time(this.playback.head.u);
    if (!run.path.knots.length || (run.path.end < t * (1 - 1e-9) && !run.ended)) return false;
    talk.next = null;
    this.run = run;
    if (!run.isPreview) {
      this.#taken = run.scenario;
      this.scenario = run.scenario && copy(run.scenario);
      this.#keepLink();
    }
    this.playback.setRun(run);
    if (!run.isPreview) this.attention?.forget();
    if (talk.plays) this.rewind();
    talk.plays = false;
    return true;
  }

  #ended(run: Run): void {
    const { status, words } = run.ended!;
    run.setClock(this.view.clock ?? "auto");
    this.busy = "";
    if (!["DONE", "STEADY"].includes(status)) this.note = { words: `The run stopped early: ${words}`, kind: "info" };
    this.playback.setLook();
    this.attention?.ask(this.run, this.playback.head.u, { isForced: true });
    this.talk!.settle();
    this.requestUpdate();
  }
}
