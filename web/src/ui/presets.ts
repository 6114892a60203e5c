/** The sheet of presets: scenarios, published figures by paper, stored runs, with a search. */

import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../transport.ts";
import { icons } from "./icons.ts";

export function presetSheet(presets: Words[], query: string, search: (query: string) => void, open: (name: string) => void): TemplateResult {
  const wanted = query.toLowerCase();
  const found = presets.filter((p) => `${p.title} ${p.group} ${p.name}`.toLowerCase().includes(wanted));
  const groups = [...new Set(found.map((p) => p.group))];
  const close = (e: Event) => (e.target as HTMLElement).closest("dialog")!.close();
  const preset = (p: Words) =>
    html`<button data-preset=${p.name} @click=${(e: Event) => { close(e); open(p.name); }}>${p.title || p.name}</button>`;
  return html`<dialog aria-label="Presets" @click=${(e: Event) => e.target === e.currentTarget && close(e)}>
    <div class="sheet">
      <header><h2>Presets</h2><button class="button icon plain" aria-label="Close" @click=${close}>${icons.close}</button></header>
      <input class="search" type="search" placeholder="Search scenarios, papers, figures" aria-label="Search presets" .value=${query} @input=${(e: Event) => search((e.target as HTMLInputElement).value)}>
      <div class="list">
        ${groups.map((group) => html`<h3>${group}</h3>${found.filter((p) => p.group === group).map(preset)}`)}
        ${found.length ? nothing : html`<p class="hint">Nothing matches.</p>`}
      </div>
    </div>
  </dialog>`;
}
