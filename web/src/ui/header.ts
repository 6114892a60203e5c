/** The head of the page: presets, files, the menu of exports, light and dark. */

import { html, nothing, type TemplateResult } from "lit";
import type { Export } from "./export.ts";
import { icons } from "./icons.ts";

export interface Header {
  isLive: boolean;
  isDark: boolean;
  hasRun: boolean;
  isMenuOpen: boolean;
  exports: Export[];
  showPresets(): void;
  chooseFile(): void;
  switchMenu(): void;
  switchTheme(): void;
  save(kind: string): void;
}

export function header(page: Header): TemplateResult {
  return html`<header>
    <div class="brand">attnflow <span class="hide-small">explorer</span></div>
    ${page.isLive ? html`
      <button class="button" @click=${page.showPresets}>Presets</button>
      <button class="button plain hide-small" @click=${page.chooseFile}>${icons.open} Open file</button>
      <button class="button icon plain only-small" aria-label="Open file" @click=${page.chooseFile}>${icons.open}</button>` : nothing}
    <div class="grow"></div>
    <div class="menu">
      <button class="button" aria-haspopup="menu" aria-expanded=${page.isMenuOpen} ?disabled=${!page.hasRun} @click=${page.switchMenu}>${icons.share} Export</button>
      ${page.isMenuOpen ? menu(page) : nothing}
    </div>
    <button class="button icon plain" aria-label=${page.isDark ? "Light colours" : "Dark colours"} @click=${page.switchTheme}>${page.isDark ? icons.sun : icons.moon}</button>
  </header>`;
}

function menu({ exports, save }: Header): TemplateResult {
  return html`<div role="menu" @keydown=${step}>${exports.map(
    ({ kind, name, words, isPossible }) =>
      html`<button role="menuitem" ?disabled=${!isPossible} @click=${() => save(kind)}>${name}<small>${words}</small></button>`,
  )}</div>`;
}

/** Arrow keys go through the menu. */
function step(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button:not(:disabled)")];
  items[(items.indexOf(event.target as HTMLElement) + by + items.length) % items.length]?.focus();
}
