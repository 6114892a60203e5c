/** The explorer: a stage, controls, a time bar, plots and theory around one run. */

import { html, nothing } from "lit";
import { edited, set } from "../state.ts";
import type { Words } from "../transport.ts";
import { shown } from "../words.ts";
import { controls, type Panel } from "../ui/controls.ts";
import { type Ending, exports, fileName, film, type Filming, isFilm, picture, save, saveText } from "../ui/export.ts";
import { parameters } from "../ui/formula.ts";
import { header } from "../ui/header.ts";
import type { Mode, Spectrum } from "../ui/matrix-editor.ts";
import { folderOf } from "../ui/own-data.ts";
import { plots } from "../ui/plots.ts";
import { presetSheet } from "../ui/presets.ts";
import { exported, withoutScenario } from "../ui/recorded.ts";
import { saying } from "../ui/saying.ts";
import { stageArea } from "../ui/stage-area.ts";
import { layout, panels, theme } from "../ui/styles.ts";
import { TalkingElement } from "./talking-element.ts";
import { theoryPanel } from "../ui/theory.ts";
import { timeBar } from "../ui/time-bar.ts";

const TABS = { controls: "Controls", plots: "Plots", theory: "Theory" };

export class AfExplorer extends TalkingElement {
  static styles = [theme, layout, panels];
  static properties = {
    ...TalkingElement.properties, tab: { state: true }, isMenuOpen: { state: true }, isDropping: { state: true },
    filming: { state: true }, token: { state: true }, query: { state: true },
  };
  declare tab: keyof typeof TABS;
  declare isMenuOpen: boolean;
  declare isDropping: boolean;
  declare filming: Filming | null;
  /** The token picked, or −1. */
  declare token: number;
  /** What is searched among presets. */
  declare query: string;
  #modes: Record<string, Mode> = {};
  #spectra: Record<string, Spectrum> = {};

  constructor() {
    super();
    this.tab = "controls";
    this.isMenuOpen = this.isDropping = false;
    this.filming = null;
    this.token = -1;
    this.query = "";
  }

  open(name: string): void {
    this.#modes = {};
    this.#spectra = {};
    super.open(name);
  }

  drawn(): void {
    super.drawn();
    this.filming?.take();
  }

  get isFilming(): boolean {
    return this.filming !== null;
  }

  finished(): void {
    this.playing = false;
    this.filming?.stop();
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
    const files = event.dataTransfer;
    if (!files || !this.transport?.isLive) return;
    const folder = folderOf(files);
    if (folder !== null) this.open(`run/${folder}`);
    else if (files.files[0]) void this.take(files.files[0]);
  };

  // ---- out again -------------------------------------------------------------------------------------------------------

  #captions = (): [string, string] => [this.title, [`t = ${shown(this.time, 4)}`, ...(this.run?.scenario ? parameters(this.run.scenario) : [])].join("   ")];

  protected save(words: Words): void {
    saveText(this.title, words);
  }

  #export(kind: string): void {
    this.isMenuOpen = false;
    if (kind === "link") void this.#copyLink();
    else if (kind === "png") this.#picture();
    else if (isFilm(kind)) this.#film(kind);
    else this.talk!.question({ do: kind, scenario: this.scenario });
  }

  async #copyLink(): Promise<void> {
    const link = await this.linkHere();
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    this.note = { words: copied ? "The link is in the clipboard." : "Copy the link from the address bar: it holds the whole state.", kind: "info" };
  }

  #picture(): void {
    const canvas = this.playback.stage?.snapshot();
    if (canvas) picture(canvas, ...this.#captions(), this.dark).toBlob((blob) => blob && save(fileName(this.title, "png"), blob));
  }

  #film(ending: Ending): void {
    const canvas = this.playback.stage?.snapshot();
    if (!canvas) return;
    this.filming = film(ending, canvas, this.#captions, this.dark, (blob) => {
      this.filming = null;
      save(fileName(this.title, ending), blob);
    });
    this.view = { ...this.view, loop: false };
    this.playback.head.u = 0;
    this.playing = true;
  }

  // ---- drawing ---------------------------------------------------------------------------------------------------------

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
      replace: (scenario) => this.request(edited(scenario)),
      refuse: (words) => this.refuse(words),
    };
  }

  #put(path: string, value: unknown, isFinal: boolean): void {
    const changed = edited(set(this.scenario!, path, value));
    if (isFinal) this.request(changed);
    else this.preview(changed);
  }

  render() {
    const isLive = this.transport?.isLive ?? true;
    const { run, isOld } = this.told;
    const side = !isLive ? exported(this.run) : this.scenario ? controls(this.#panel()) : withoutScenario(this.run);
    return html`<div class="app" @dragover=${this.#drag} @dragleave=${this.#drag} @drop=${this.#drop} @click=${this.#leaveMenu} @keydown=${this.#leaveMenu}>
      ${this.#header(isLive)}
      <aside class="left" aria-label="Controls" ?data-open=${this.tab === "controls"}>${side}</aside>
      <main>${this.#stageArea(isLive)}${this.#bar()}</main>
      <div class="tabs" role="tablist">
        ${Object.entries(TABS).map(([key, words]) => html`<button role="tab" aria-selected=${this.tab === key} @click=${() => (this.tab = key as keyof typeof TABS)}>${words}</button>`)}
      </div>
      <aside class="right" aria-label="Plots and theory" ?data-open=${this.tab !== "controls"}>
        <section class="block ${this.tab === "theory" ? "hide-small" : ""}" aria-label="Plots">${plots(run, this.attention, this.dark, isOld)}</section>
        <section class="block theory ${this.tab === "plots" ? "hide-small" : ""}" aria-label="Theory" ?data-old=${isOld}><h2>Theory${isOld ? ", before the change" : ""}</h2>${theoryPanel(run)}</section>
      </aside>
      ${this.isDropping ? html`<div class="drop">Drop tokens (.npy, .npz, .csv), states of layers (layers, n, d), a scenario (.toml), or a result folder of out/</div>` : nothing}
      ${presetSheet(this.presets, this.query, (query) => (this.query = query), (name) => this.open(name))}
      <input class="visually-hidden" id="file" type="file" tabindex="-1" aria-hidden="true" accept=".npy,.npz,.csv,.toml" @change=${this.#chosenFile}>
    </div>`;
  }

  async #switchMenu(): Promise<void> {
    this.isMenuOpen = !this.isMenuOpen;
    await this.updateComplete;
    if (this.isMenuOpen) this.renderRoot.querySelector<HTMLElement>("[role=menuitem]:not(:disabled)")?.focus();
  }

  /** The menu closes on Escape, and on a click beside it. */
  #leaveMenu = (event: Event) => {
    if (!this.isMenuOpen) return;
    const menu = this.renderRoot.querySelector<HTMLElement>(".menu")!;
    const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
    if (isEscape) menu.querySelector("button")!.focus();
    if (isEscape || (event.type === "click" && !event.composedPath().includes(menu))) this.isMenuOpen = false;
  };

  #chosenFile = (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.files?.[0]) void this.take(input.files[0]);
    input.value = "";
  };

  /** The sheet of presets; stored runs may have come since the last look. */
  #showPresets(): void {
    this.greet();
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  #header(isLive: boolean) {
    const scenario = isLive && this.scenario !== null;
    return header({
      isLive, isDark: this.dark, hasRun: this.run !== null, isMenuOpen: this.isMenuOpen,
      exports: exports({ live: isLive, film: !this.filming, page: isLive && !!this.run?.ended, scenario, link: this.isPage && scenario }),
      showPresets: () => this.#showPresets(),
      chooseFile: () => this.renderRoot.querySelector<HTMLInputElement>("#file")!.click(),
      switchMenu: () => void this.#switchMenu(),
      switchTheme: () => this.switchTheme(),
      save: (kind) => this.#export(kind),
    });
  }

  /** Close what is said over the stage; of a film, what is there is saved. */
  #close(): void {
    if (this.filming && this.note?.kind !== "error") this.filming.stop();
    else this.note = null;
  }

  #stageArea(isLive: boolean) {
    const { status, note, run } = this;
    return stageArea({
      run, scenario: this.scenario, isOld: this.isAway, title: this.title, view: this.view, chosen: this.token,
      canProject: isLive && run?.start.drawn === "projection",
      saying: saying({ status, note, busy: this.talk?.next ? this.busy : "", isFilming: this.isFilming, close: () => this.#close() }),
      turn: this.playback.turn,
      press: this.playback.press,
      pick: (event) => (this.token = this.playback.pick(event) ?? this.token),
      project: (kind) => this.project(kind),
      switchTrails: () => this.setTrails(!(this.view.trails ?? true)),
      resetCamera: () => this.playback.stage?.resetCamera(),
    });
  }

  #bar() {
    return timeBar({
      run: this.run, isPlaying: this.playing, view: this.view, toggle: this.toggle,
      seek: (u) => this.seek(u),
      move: (by) => this.seek(this.playback.head.u + by),
      setClock: (kind) => this.setClock(kind),
      setView: (change) => this.setView(change),
    });
  }
}
