/** The explorer: a stage, controls, a time bar, plots and theory around one run. */

import { html, LitElement, nothing, type PropertyValues } from "lit";
import { parse } from "smol-toml";
import { readWeights, type Weights } from "../frames.ts";
import { type ClockKind, mergings } from "../player.ts";
import { Run } from "../run.ts";
import { copy, fromLink, type Scenario, set, toLink, type View } from "../state.ts";
import type { Status, Transport, Words } from "../transport.ts";
import { Stage } from "../view/stage.ts";
import { shown } from "../words.ts";
import { controls, type Panel } from "./controls.ts";
import { fileName, film, type Filming, picture, save } from "./export.ts";
import { formula, parameters } from "./formula.ts";
import { icons } from "./icons.ts";
import type { Mode, Spectrum } from "./matrix-editor.ts";
import { layout, panels, theme } from "./styles.ts";
import { theoryPanel } from "./theory.ts";

const PASS = 14;
const TRAIL = 0.06;
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const TABS = { controls: "Controls", plots: "Plots", theory: "Theory" };
const QUIET = 110;

export class AfExplorer extends LitElement {
  static styles = [theme, layout, panels];
  static properties = {
    status: { state: true }, scenario: { state: true }, run: { state: true }, playing: { state: true }, view: { state: true },
    note: { state: true }, busy: { state: true }, tab: { state: true }, dark: { type: Boolean, reflect: true }, presets: { state: true },
    isMenuOpen: { state: true }, isDropping: { state: true }, weights: { state: true }, filming: { state: true }, chosen: { state: true },
    query: { state: true },
  };
  declare status: Status;
  declare scenario: Scenario | null;
  declare run: Run | null;
  declare playing: boolean;
  declare view: View;
  declare note: { words: string; kind: "error" | "info" } | null;
  declare busy: string;
  declare tab: keyof typeof TABS;
  declare dark: boolean;
  declare presets: Words[];
  declare isMenuOpen: boolean;
  declare isDropping: boolean;
  declare weights: Weights | null;
  declare filming: Filming | null;
  declare chosen: number;
  declare query: string;
  transport: Transport | null = null;
  /** Whether this element is the whole page, whose address carries the scenario. */
  isPage = false;
  #stage: Stage | null = null;
  #next: Run | null = null;
  #id = 0;
  #u = 0;
  #before = 0;
  #frame = 0;
  #sizes: ResizeObserver | null = null;
  #dragged = 0;
  #isWaiting = false;
  #held: Scenario | null = null;
  #modes: Record<string, Mode> = {};
  #spectra: Record<string, Spectrum> = {};
  #asked = { matrix: 0, at: -1 };
  #matrixWords = "";
  #opening: string | null = null;
  #wantsPlay = false;
  #lowest: MediaQueryList | null = null;
  #linkTimer = 0;

  constructor() {
    super();
    this.status = "connecting";
    this.scenario = this.run = this.note = this.weights = this.filming = null;
    this.playing = this.isMenuOpen = this.isDropping = false;
    this.view = {};
    this.busy = this.query = "";
    this.tab = "controls";
    this.presets = [];
    this.chosen = -1;
    this.dark = false;
  }

  // ---- life --------------------------------------------------------------------------------------------------------

  connectedCallback(): void {
    super.connectedCallback();
    const kept = remembered("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    this.dark = kept ? kept === "dark" : system.matches;
    system.addEventListener("change", (event) => !remembered("theme") && (this.dark = event.matches));
    this.#lowest = matchMedia("(prefers-reduced-motion: reduce)");
    window.addEventListener("keydown", this.#key);
    if (this.isPage) window.addEventListener("hashchange", this.#hash);
  }

  disconnectedCallback(): void {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#frame);
    window.removeEventListener("keydown", this.#key);
    window.removeEventListener("hashchange", this.#hash);
    this.transport?.stop();
    this.#sizes?.disconnect();
    this.#stage?.dispose();
  }

  firstUpdated(): void {
    const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(".stage canvas")!;
    try {
      this.#stage = new Stage(canvas);
    } catch {
      this.note = { words: "This browser cannot draw in three dimensions: WebGL is turned off.", kind: "error" };
    }
    this.#sizes = new ResizeObserver(() => this.#stage?.resize(canvas.clientWidth, canvas.clientHeight));
    this.#sizes.observe(canvas);
    this.#stage?.resize(canvas.clientWidth, canvas.clientHeight);
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
    this.transport?.start((words, data) => this.#hear(words, data), (now) => this.#connected(now));
  }

  updated(changed: PropertyValues): void {
    if (changed.has("run") || changed.has("dark")) this.#setStage();
    if (changed.has("dark") && this.#stage) this.#stage.isStale = true;
    this.#showTime();
  }

  #setStage(): void {
    const run = this.run;
    if (!run || !this.#stage) return;
    const { drawn = "sphere", space, mass = null } = run.start;
    const same = run.labels ?? (this.#lastLabels?.length === run.path.n ? this.#lastLabels : null);
    this.#lastLabels = same;
    this.#stage.setLook({ drawn, isSphere: space === "sphere", mass, labels: same }, this.dark);
    this.#stage.showsTrails = this.view.trails ?? true;
  }
  #lastLabels: number[] | null = null;

  // ---- talking with the session --------------------------------------------------------------------------------------

  #connected(now: Status): void {
    const isBack = this.status === "reconnecting" && now === "open";
    this.status = now;
    if (now !== "open") return;
    const hello = () => this.transport!.send({ do: "hello" });
    if (!isBack) void this.#begin().then(hello);
    else {
      hello();
      if (this.scenario) this.request(this.scenario);
    }
  }

  /** The scenario of the link, or what the user opened. */
  async #begin(): Promise<void> {
    if (this.isPage) {
      try {
        const shared = await fromLink(location.hash);
        if (shared) {
          this.view = shared.v;
          this.request(shared.s, { plays: true });
          return;
        }
      } catch (error) {
        this.note = { words: `This link cannot be read: ${(error as Error).message}`, kind: "error" };
      }
    }
    this.#opening = "first";
  }

  #hash = async () => {
    const shared = await fromLink(location.hash).catch(() => null);
    if (shared && JSON.stringify(shared.s) !== JSON.stringify(this.scenario)) this.request(shared.s, { plays: true });
  };

  /** Ask for a run; the newest request wins. */
  request(scenario: Scenario, { isPreview = false, plays = false } = {}): void {
    this.scenario = scenario;
    this.#wantsPlay = plays;
    this.#next = new Run(++this.#id, isPreview);
    this.#isWaiting = true;
    if (!isPreview) this.busy = "computing";
    this.transport!.send({ do: "run", id: this.#id, scenario, preview: isPreview });
    if (!isPreview) this.#keepLink();
  }

  open(name: string): void {
    this.#next = new Run(++this.#id, false);
    this.#wantsPlay = true;
    this.busy = "computing";
    this.note = null;
    this.#modes = {};
    this.#spectra = {};
    this.transport!.send({ do: "open", id: this.#id, name });
  }

  #keepLink(): void {
    if (!this.isPage || !this.scenario) return;
    clearTimeout(this.#linkTimer);
    this.#linkTimer = window.setTimeout(async () => {
      const link = await toLink({ s: this.scenario!, v: this.view });
      if (link.length < 60_000) history.replaceState(null, "", link);
    }, 80);
  }

  #hear(words: Words, data: ArrayBuffer | null): void {
    if (words.say === "hello") {
      this.presets = words.presets;
      if (this.#opening === "first" && words.presets.length) this.open(words.presets[0].name);
      this.#opening = null;
      return;
    }
    if (words.say === "text") return this.#saveText(words);
    if (words.say === "matrix") return this.#setMatrix(words, data!);
    if (words.say === "error") return this.#refused(words);
    if (!this.transport!.isLive && words.say === "start") this.#next = new Run(words.id, false);
    const run = this.#next?.id === words.id ? this.#next : this.run?.id === words.id ? this.run : null;
    if (!run) return;
    if (words.say === "compiling") this.busy = "compiling";
    if (words.say === "progress") this.busy = words.total > 1 ? `computing, part ${Math.min(words.done + 1, words.total)} of ${words.total}` : "computing";
    run.hear(words, data);
    this.#adopt(run, words.say);
  }

  /** Show a new run as soon as it has reached the playhead; then keep what it says. */
  #adopt(run: Run, said: string): void {
    if (said === "start") run.setClock(this.view.clock ?? "auto");
    if (run === this.#next) {
      const u = this.#wantsPlay ? 0 : this.#u;
      const isThere = run.path.knots.length > 0 && (run.path.end >= run.clock.time(u) * (1 - 1e-9) || run.ended !== null);
      if (!isThere) return;
      this.#next = null;
      this.run = run;
      if (run.scenario && !run.isPreview) {
        this.scenario = copy(run.scenario);
        this.#keepLink();
      }
      if (run.start.scenario === null) this.scenario = null;
      this.#stage?.setPath(run.path);
      this.weights = run.isPreview ? this.weights : null;
      if (this.#wantsPlay) this.#rewind();
    }
    if (said === "working") return;
    if (said === "knot") {
      if (this.#stage) this.#stage.isStale = true;
      return;
    }
    if (said === "ended") {
      run.setClock(this.view.clock ?? "auto");
      this.busy = "";
      this.note = run.ended!.status === "DONE" || run.ended!.status === "STEADY" ? null : { words: `The run stopped early: ${run.ended!.words}`, kind: "info" };
      this.#isWaiting = false;
      this.#setStage();
      this.#askMatrix(true);
      if (this.#held) this.#preview(this.#held);
    }
    this.requestUpdate();
  }

  #rewind(): void {
    this.#wantsPlay = false;
    this.#u = 0;
    this.playing = !this.#lowest?.matches;
  }

  #refused(words: Words): void {
    // What is refused of the run on the stage does not touch the one on its way.
    if (words.id && words.id !== this.#id && words.id !== (this.#next?.id ?? this.run?.id)) return;
    this.busy = "";
    this.#isWaiting = false;
    this.#next = null;
    this.note = { words: words.words, kind: "error" };
  }

  // ---- changing parameters -------------------------------------------------------------------------------------------

  #panel(): Panel {
    return {
      scenario: this.scenario!,
      modes: this.#modes,
      spectra: this.#spectra,
      put: (path, value, isFinal = true) => this.#put(path, value, isFinal),
      setMode: (path, mode) => {
        this.#modes[path] = mode;
        if (mode === "scalar") this.#put(path, path === "flow.V" ? 1 : undefined, true);
        else if (mode === "random") this.#put(path, { random: "gaussian", scale: 1 }, true);
        else this.requestUpdate();
      },
      setSpectrum: (path, spectrum) => (this.#spectra[path] = spectrum),
      replace: (scenario) => this.request(scenario),
    };
  }

  #put(path: string, value: unknown, isFinal: boolean): void {
    const changed = set(this.scenario!, path, value);
    if (isFinal) {
      this.#held = null;
      this.request(changed);
    } else this.#preview(changed);
  }

  /** While a slider moves: few tokens, one request at a time, the newest next. */
  #preview(scenario: Scenario): void {
    this.scenario = scenario;
    const now = performance.now();
    if (this.#isWaiting || now - this.#dragged < QUIET) {
      this.#held = scenario;
      if (!this.#isWaiting) setTimeout(() => this.#held && !this.#isWaiting && this.#preview(this.#held), QUIET);
      return;
    }
    this.#dragged = now;
    this.#held = null;
    this.request(scenario, { isPreview: true });
  }

  // ---- time ----------------------------------------------------------------------------------------------------------

  #tick(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#tick(next));
    const elapsed = Math.min(0.1, (now - this.#before) / 1000);
    this.#before = now;
    const { run } = this;
    if (!run || !this.#stage) return;
    if (this.playing) this.#advance(elapsed);
    if (!this.#stage.isStale) return;
    const trail = Array.from({ length: 20 }, (_, k) => this.#u - (TRAIL * (k + 1)) / 20).filter((u) => u >= 0);
    this.#stage.draw(run.clock.time(this.#u), trail.map((u) => run.clock.time(u)));
    this.#showTime();
  }

  #advance(elapsed: number): void {
    const run = this.run!;
    let u = this.#u + (elapsed * (this.view.speed ?? 1)) / PASS;
    const ready = run.isDone || run.ended ? 1 : run.clock.share(run.path.end);
    if (u >= 1 && ready >= 1) {
      if (this.view.loop) u = 0;
      else {
        u = 1;
        this.playing = false;
        this.filming?.stop();
      }
    }
    this.seek(Math.min(u, Math.max(ready, this.#u)), false);
  }

  /** Put the playhead at a share of the time bar. */
  seek(u: number, stops = true): void {
    if (stops) this.playing = false;
    this.#u = Math.min(1, Math.max(0, u));
    if (this.#stage) this.#stage.isStale = true;
    if (this.#u !== this.#asked.at && performance.now() - this.#asked.matrix > (this.playing ? 700 : 150)) this.#askMatrix();
    else if (!this.playing) setTimeout(() => this.#askMatrix(), 180);
  }

  get time(): number {
    return this.run ? this.run.clock.time(this.#u) : 0;
  }

  /** Words and plots that follow the playhead, without drawing the panels anew. */
  #showTime(): void {
    const { run } = this;
    const root = this.renderRoot;
    if (!run || !root) return;
    const t = this.time;
    const slider = root.querySelector<HTMLInputElement>("#time");
    if (slider) {
      slider.value = String(this.#u);
      slider.setAttribute("aria-valuetext", `t = ${shown(t)}`);
    }
    const clock = root.querySelector(".clock b");
    if (clock) clock.textContent = `t = ${shown(t, 4)}`;
    const ready = root.querySelector<HTMLElement>(".ready i");
    if (ready) ready.style.width = `${100 * Math.min(1, run.ended ? 1 : run.clock.share(run.path.end))}%`;
    const count = run.clustersAt(t);
    const facts = root.querySelector(".facts .count");
    if (facts) facts.textContent = count === null ? "" : count === 0 ? "spread out" : String(count);
    const now = root.querySelector(".facts .now");
    if (now) now.textContent = count === 0 ? " now" : count === 1 ? " cluster now" : " clusters now";
    root.querySelector(".facts .many")?.toggleAttribute("hidden", count === null);
    const size = root.querySelector(".facts .scale");
    if (size) size.textContent = this.#scaleWords();
    for (const plot of root.querySelectorAll<any>("af-plot")) plot.seek(this.#u);
    for (const plot of root.querySelectorAll<any>("af-cosines")) plot.seek(t);
  }

  #scaleWords(): string {
    const run = this.run!;
    if (run.start.space === "sphere" || !run.path.knots.length || !this.#stage) return "";
    return `axes end at ±${shown(1.15 / this.#stage.scale(run.path.at(this.time)), 3)}`;
  }

  #toggle = () => {
    if (!this.run) return;
    if (!this.playing && this.#u >= 1) this.#u = 0;
    this.playing = !this.playing;
  };

  #key = (event: KeyboardEvent) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (event.key === "Escape") this.isMenuOpen = false;
    if (!this.isPage && !this.matches(":hover") && !event.composedPath().includes(this)) return;
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/.test(target.tagName ?? "") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") {
      event.preventDefault();
      this.#toggle();
    }
  };

  #turn = (event: KeyboardEvent) => {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (turns[event.key]) this.#stage?.turn(...turns[event.key]);
    else if (event.key === "+" || event.key === "=") this.#stage?.zoom(0.9);
    else if (event.key === "-") this.#stage?.zoom(1.1);
    else if (event.key === "0") this.#stage?.resetCamera();
    else return;
    event.preventDefault();
  };

  #pressed: [number, number] = [0, 0];
  #pick = (event: PointerEvent) => {
    const [x, y] = this.#pressed;
    if (Math.hypot(event.offsetX - x, event.offsetY - y) > 4 || !this.#stage) return;
    this.chosen = this.#stage.chosen = this.#stage.pick(event.offsetX, event.offsetY, this.time);
    this.#stage.isStale = true;
  };

  // ---- the attention matrix -------------------------------------------------------------------------------------------

  #askMatrix(isForced = false): void {
    const run = this.run;
    if (!run?.ended || run.isPreview || !this.transport!.isLive || run.start.is_law || !run.scenario) return;
    if (!isForced && this.#asked.at === this.#u) return;
    this.#asked = { matrix: performance.now(), at: this.#u };
    this.transport!.send({ do: "matrix", id: run.id, t: this.time });
  }

  #setMatrix(words: Words, data: ArrayBuffer): void {
    if (words.id !== this.run?.id) return;
    this.weights = readWeights(data);
    const blocks = words.n > this.weights.size ? `means over blocks of ${Math.round((words.sampled ?? words.n) / this.weights.size)} tokens` : "";
    const heads = this.weights.heads > 1 ? `mean of ${this.weights.heads} heads` : "";
    this.#matrixWords = [words.sampled ? `${words.sampled} of ${words.n} tokens` : "", blocks, heads].filter(Boolean).join(", ");
  }

  // ---- own data --------------------------------------------------------------------------------------------------------

  #drag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files") || !this.transport?.isLive) return;
    event.preventDefault();
    this.isDropping = event.type === "dragover";
  };

  #drop = (event: DragEvent) => {
    event.preventDefault();
    this.isDropping = false;
    const file = event.dataTransfer?.files[0];
    if (file && this.transport?.isLive) void this.take(file);
  };

  /** A dropped or chosen file: a scenario, tokens, or states of layers. */
  async take(file: File): Promise<void> {
    this.note = null;
    if (file.size > 2 ** 26) {
      this.note = { words: `${file.name}: ${Math.round(file.size / 2 ** 20)} MB; at most 64 MB are read`, kind: "error" };
      return;
    }
    if (/\.toml$/i.test(file.name)) {
      try {
        this.request(parse(await file.text()) as Scenario, { plays: true });
      } catch (error) {
        this.note = { words: `${file.name} is not TOML: ${String((error as Error).message).split("\n")[0]}`, kind: "error" };
      }
      return;
    }
    this.#next = new Run(++this.#id, false);
    this.#wantsPlay = true;
    this.busy = "reading";
    this.transport!.send({ do: "upload", id: this.#id, name: file.name, scenario: this.scenario }, await file.arrayBuffer());
  }

  // ---- out again ----------------------------------------------------------------------------------------------------------

  #captions = (): [string, string] => [this.#title, [`t = ${shown(this.time, 4)}`, ...(this.scenario ? parameters(this.scenario) : [])].join("   ")];

  get #title(): string {
    return this.run?.start.title || this.scenario?.title || "attnflow";
  }

  #export(kind: string): void {
    this.isMenuOpen = false;
    const canvas = this.#stage!.canvas;
    if (kind === "png") picture(canvas, ...this.#captions(), this.dark).toBlob((blob) => blob && save(fileName(this.#title, "png"), blob));
    else if (kind === "webm") this.#film(canvas);
    else if (kind === "link") {
      void navigator.clipboard?.writeText(location.href).then(() => (this.note = { words: "The link is in the clipboard.", kind: "info" }),
        () => (this.note = { words: "Copy the link from the address bar: it holds the whole state.", kind: "info" }));
    } else this.transport!.send({ do: kind, id: this.#id, scenario: this.scenario });
  }

  #film(canvas: HTMLCanvasElement): void {
    const filming = film(canvas, this.#captions, this.dark, (blob, ending) => {
      this.filming = null;
      save(fileName(this.#title, ending), blob);
    });
    if (!filming) {
      this.note = { words: "This browser cannot record video.", kind: "error" };
      return;
    }
    this.filming = filming;
    this.view = { ...this.view, loop: false };
    this.#u = 0;
    this.playing = true;
  }

  #saveText({ kind, text }: Words): void {
    const types: Words = { toml: ["toml", "application/toml"], python: ["py", "text/x-python"], html: ["html", "text/html"] };
    save(fileName(this.#title, types[kind][0]), new Blob([text], { type: types[kind][1] }));
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------------------

  render() {
    const isLive = this.transport?.isLive ?? true;
    return html`<div class="app" @dragover=${this.#drag} @dragleave=${this.#drag} @drop=${this.#drop}>
      ${this.#header(isLive)}
      <aside class="left" aria-label="Controls" ?data-open=${this.tab === "controls"}>
        ${!isLive ? this.#recorded() : this.scenario ? controls(this.#panel()) : html`<section class="block"><h2>Recorded</h2><p class="hint">These states were recorded, or made by a flow without a scenario: they play, but cannot be computed anew.</p></section>`}
      </aside>
      <main>
        ${this.#stageArea()}
        ${this.#bar()}
      </main>
      <div class="tabs" role="tablist">
        ${Object.entries(TABS).map(([key, words]) => html`<button role="tab" aria-selected=${this.tab === key} @click=${() => (this.tab = key as keyof typeof TABS)}>${words}</button>`)}
      </div>
      <aside class="right" aria-label="Plots and theory" ?data-open=${this.tab !== "controls"}>
        <section class="block ${this.tab === "theory" ? "hide-small" : ""}" aria-label="Plots">${this.#plots()}</section>
        <section class="block theory ${this.tab === "plots" ? "hide-small" : ""}" aria-label="Theory">
          <h2>Theory</h2>
          ${theoryPanel(this.run?.theory ?? null, this.run?.checks ?? new Map(), this.run?.unchecked ?? [], this.run?.isDone ?? false)}
        </section>
      </aside>
      ${this.isDropping ? html`<div class="drop">Drop tokens (.npy, .npz, .csv), states of layers (layers, n, d), or a scenario (.toml)</div>` : nothing}
      ${this.#presetSheet()}
      <input class="visually-hidden" id="file" type="file" tabindex="-1" aria-hidden="true" accept=".npy,.npz,.csv,.toml"
        @change=${(e: Event) => { const chosen = e.target as HTMLInputElement; if (chosen.files?.[0]) void this.take(chosen.files[0]); chosen.value = ""; }}>
    </div>`;
  }

  #header(isLive: boolean) {
    return html`<header>
      <div class="brand">attnflow <span class="hide-small">explorer</span></div>
      ${isLive ? html`
        <button class="button" @click=${() => this.#sheet?.showModal()}>Presets</button>
        <button class="button plain hide-small" @click=${() => this.renderRoot.querySelector<HTMLInputElement>("#file")!.click()}>${icons.open} Open file</button>` : nothing}
      <div class="grow"></div>
      <div class="menu">
        <button class="button" aria-haspopup="menu" aria-expanded=${this.isMenuOpen} ?disabled=${!this.run} @click=${() => (this.isMenuOpen = !this.isMenuOpen)}>${icons.share} Export</button>
        ${this.isMenuOpen ? this.#menu(isLive) : nothing}
      </div>
      <button class="button icon plain" aria-label=${this.dark ? "Light colours" : "Dark colours"} @click=${this.#switchTheme}>${this.dark ? icons.sun : icons.moon}</button>
    </header>`;
  }

  #switchTheme = () => {
    this.dark = !this.dark;
    remember("theme", this.dark ? "dark" : "light");
  };

  #menu(isLive: boolean) {
    const hasScenario = isLive && this.scenario !== null;
    const items: [string, string, string, boolean][] = [
      ["png", "Picture", "PNG of the stage as it is now", true],
      ["webm", "Film", "one pass through the run", !this.filming],
      ["html", "Page that plays by itself", "one HTML file, no Python, no network", isLive && !!this.run?.ended],
      ["toml", "Scenario", "TOML for `attnflow run`", hasScenario],
      ["python", "Python", "the same run in a script", hasScenario],
      ["link", "Copy link", "the whole state is in the address", this.isPage && hasScenario],
    ];
    return html`<div role="menu">${items.filter(([key]) => isLive || key === "png" || key === "webm").map(
      ([key, name, words, isPossible]) => html`<button role="menuitem" ?disabled=${!isPossible} @click=${() => this.#export(key)}>${name}<small>${words}</small></button>`,
    )}</div>`;
  }

  #stageArea() {
    const { run, scenario } = this;
    const count = run?.ended?.clusters?.count;
    const label = run ? `${run.path.n} tokens, ${this.#title}. Arrow keys turn, plus and minus zoom.` : "Stage";
    return html`<div class="stage">
      <canvas tabindex="0" role="img" aria-label=${label} @keydown=${this.#turn}
        @pointerdown=${(e: PointerEvent) => (this.#pressed = [e.offsetX, e.offsetY])} @pointerup=${this.#pick}></canvas>
      <div class="heading">
        <h1>${this.#title}</h1>
        ${scenario ? html`${formula(scenario)}<div class="chips">${parameters(scenario).map((words) => html`<span class="chip">${words}</span>`)}</div>` : nothing}
      </div>
      <div class="facts">
        <span class="many" hidden><b class="count"></b><span class="now"></span>${count === undefined ? nothing : html`, <b class="final">${count}</b> at the end`}</span>
        <span class="scale"></span>
        ${run?.isPreview && run.path.n < (scenario?.tokens?.n ?? 0) ? html`<span>preview with ${run.path.n} tokens</span>` : nothing}
        ${this.chosen >= 0 && run ? html`<span>token <b>${this.chosen + 1}</b>${run.labels ? html`, ${run.labels[this.chosen] < 0 ? "in no cluster" : html`cluster <b>${run.labels[this.chosen] + 1}</b>`}` : nothing}</span>` : nothing}
      </div>
      <div class="corner">
        ${run?.start.drawn === "projection" && this.transport!.isLive ? html`<select aria-label="Projection" @change=${(e: Event) => this.#project((e.target as HTMLSelectElement).value as View["projection"])}>
          ${[["pca", "Principal axes"], ["random", "Random axes"], ["first", "First axes"]].map(([key, words]) => html`<option value=${key} ?selected=${key === (this.view.projection ?? "pca")}>${words}</option>`)}
        </select>` : nothing}
        <button class="button icon plain" aria-label="Trails" aria-pressed=${this.view.trails ?? true} title="Trails" @click=${this.#switchTrails}>${icons.trail}</button>
        <button class="button icon plain" aria-label="Reset the view" title="Reset the view" @click=${() => this.#stage?.resetCamera()}>${icons.home}</button>
      </div>
      ${this.#saying()}
      <div class="visually-hidden" role="status" aria-live="polite">${run?.ended ? `${run.ended.words}${count === undefined ? "" : `, ${count} clusters`}` : ""}</div>
    </div>`;
  }

  #project(kind: View["projection"]): void {
    this.view = { ...this.view, projection: kind };
    this.#next = new Run(++this.#id, false);
    this.transport!.send({ do: "project", id: this.#id, kind });
  }

  #switchTrails = () => {
    this.view = { ...this.view, trails: !(this.view.trails ?? true) };
    this.#setStage();
    this.#keepLink();
  };

  #saying() {
    if (this.status === "reconnecting") return html`<div class="say wait" role="alert"><span class="spin"></span>The server does not answer; reconnecting…</div>`;
    if (this.status === "connecting") return html`<div class="say"><span class="spin"></span>connecting…</div>`;
    if (this.note?.kind === "error") return html`<div class="say error" role="alert">${this.note.words}<button class="button icon plain" aria-label="Close" @click=${() => (this.note = null)}>${icons.close}</button></div>`;
    if (this.filming) return html`<div class="say"><span class="spin"></span>filming one pass…</div>`;
    if (this.busy && this.#next) return html`<div class="say"><span class="spin"></span>${this.busy === "compiling" ? "compiling this shape, once" : this.busy}…</div>`;
    if (this.note) return html`<div class="say" role="status">${this.note.words}<button class="button icon plain" aria-label="Close" @click=${() => (this.note = null)}>${icons.close}</button></div>`;
    return nothing;
  }

  #bar() {
    const run = this.run;
    const { t = [], clusters = [] } = run?.observed ?? {};
    const marks = run && clusters.length ? mergings(t, clusters).slice(-40) : [];
    const speed = this.view.speed ?? 1;
    return html`<div class="bar" aria-label="Time">
      <button class="button icon primary" id="play" aria-label=${this.playing ? "Pause" : "Play"} ?disabled=${!run} @click=${this.#toggle}>${this.playing ? icons.pause : icons.play}</button>
      <div class="track">
        <div class="ready"><i></i></div>
        <div class="marks" aria-hidden="true">${marks.map((m) => html`<i style="left: ${100 * run!.clock.share(m.t)}%" title="${m.count} clusters from t = ${shown(m.t)}"></i>`)}</div>
        <input id="time" type="range" min="0" max="1" step="any" aria-label="Time" @input=${(e: Event) => this.seek(Number((e.target as HTMLInputElement).value))}
          @keydown=${this.#step}>
      </div>
      <div class="tools clock">
        <span><b>t = 0</b> <small>of ${shown(run?.until ?? 0)}</small></span>
        <select aria-label="Clock" .value=${run?.clock.kind ?? "linear"} @change=${(e: Event) => this.#setClock((e.target as HTMLSelectElement).value as ClockKind)}>
          <option value="linear" ?selected=${run?.clock.kind === "linear"}>linear</option><option value="log" ?selected=${run?.clock.kind === "log"}>log</option>
        </select>
        <select aria-label="Speed" @change=${(e: Event) => this.#setView({ speed: Number((e.target as HTMLSelectElement).value) })}>
          ${SPEEDS.map((s) => html`<option value=${s} ?selected=${s === speed}>${s}×</option>`)}
        </select>
        <button class="button icon plain" aria-label="Loop" title="Loop" aria-pressed=${this.view.loop ?? false} @click=${() => this.#setView({ loop: !this.view.loop })}>${icons.loop}</button>
      </div>
    </div>`;
  }

  #step = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -0.005, ArrowRight: 0.005, PageDown: -0.05, PageUp: 0.05, Home: -1, End: 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.seek(this.#u + steps[event.key]);
  };

  #setView(change: View): void {
    this.view = { ...this.view, ...change };
    this.#keepLink();
  }

  #setClock(kind: ClockKind): void {
    const t = this.time;
    this.#setView({ clock: kind });
    this.run?.setClock(kind);
    if (this.run) this.seek(this.run.clock.share(t), false);
  }

  #plots() {
    const { run } = this;
    if (!run) return html`<p class="hint">Plots come with the run.</p>`;
    const { t = [], energy, energy_words: why, clusters, rank, cosines, cosines_t: ct } = run.observed;
    return html`
      <af-plot label="Energy" .t=${t} .y=${energy ?? null} .clock=${run.clock} .note=${why ?? ""} ?dark=${this.dark}></af-plot>
      ${run.start.is_law ? nothing : html`<af-plot label="Clusters" stepped .t=${t} .y=${clusters ?? null} .clock=${run.clock} ?dark=${this.dark}></af-plot>`}
      <af-plot label="Effective rank" .t=${t} .y=${rank ?? null} .clock=${run.clock} ?dark=${this.dark}></af-plot>
      ${run.start.is_law ? nothing : html`<af-cosines .t=${ct ?? []} .cells=${cosines ?? null} ?dark=${this.dark}></af-cosines>`}
      ${this.transport!.isLive && !run.start.is_law && run.scenario ? html`<af-matrix .weights=${this.weights} .words=${this.#matrixWords}></af-matrix>` : nothing}`;
  }

  get #sheet(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  #presetSheet() {
    const wanted = this.query.toLowerCase();
    const found = this.presets.filter((p) => `${p.title} ${p.group} ${p.name}`.toLowerCase().includes(wanted));
    const groups = [...new Set(found.map((p) => p.group))];
    return html`<dialog aria-label="Presets" @click=${(e: Event) => e.target === this.#sheet && this.#sheet!.close()}>
      <div class="sheet">
        <header><h2>Presets</h2><button class="button icon plain" aria-label="Close" @click=${() => this.#sheet?.close()}>${icons.close}</button></header>
        <input class="search" type="search" placeholder="Search scenarios, papers, figures" aria-label="Search presets" .value=${this.query} @input=${(e: Event) => (this.query = (e.target as HTMLInputElement).value)}>
        <div class="list">
          ${groups.map((group) => html`<h3>${group}</h3>${found.filter((p) => p.group === group).map(
            (p) => html`<button data-preset=${p.name} @click=${() => { this.#sheet?.close(); this.open(p.name); }}>${p.title || p.name}</button>`,
          )}`)}
          ${found.length ? nothing : html`<p class="hint">Nothing matches.</p>`}
        </div>
      </div>
    </dialog>`;
  }

  #recorded() {
    const words = this.run?.start.words ?? [];
    const table = this.run?.scenario ?? {};
    return html`<section class="block"><h2>Recorded run</h2>
      <p class="hint">This page plays by itself. Turn the stage, move through time, read what theory said.</p>
      ${words.map((w: string) => html`<p class="hint">${w}</p>`)}
      <p class="hint">${this.run?.ended?.words ?? ""}${table.seed === undefined ? "" : `, seed ${table.seed}`}</p>
    </section>`;
  }
}

function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`attnflow-${key}`);
  } catch {
    return null;
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`attnflow-${key}`, value);
  } catch {
    // A page opened from a file may have no storage; then the choice lasts as long as the page.
  }
}
