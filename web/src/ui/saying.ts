/** One line over the stage: a broken connection, a refusal, work in progress, or a note. */

import { html, nothing, type TemplateResult } from "lit";
import type { Status } from "../transport.ts";
import { icons } from "./icons.ts";

export interface Note {
  words: string;
  kind: "error" | "info";
}

export interface Sayings {
  status: Status;
  note: Note | null;
  /** What the session works on. */
  busy: string;
  isFilming: boolean;
  close(): void;
}

export function saying({ status, note, busy, isFilming, close }: Sayings): TemplateResult | typeof nothing {
  const closing = html`<button class="button icon plain" aria-label="Close" @click=${close}>${icons.close}</button>`;
  const spin = html`<span class="spin"></span>`;
  if (status === "reconnecting") return html`<div class="say wait" role="alert">${spin}The server does not answer; reconnecting…</div>`;
  if (status === "connecting") return html`<div class="say">${spin}connecting…</div>`;
  if (note?.kind === "error") return html`<div class="say error" role="alert">${note.words}${closing}</div>`;
  if (isFilming) return html`<div class="say">${spin}filming one pass…${closing}</div>`;
  if (busy) return html`<div class="say">${spin}${busy === "compiling" ? "compiling this shape, once" : busy}…</div>`;
  if (note) return html`<div class="say" role="status">${note.words}${closing}</div>`;
  return nothing;
}
