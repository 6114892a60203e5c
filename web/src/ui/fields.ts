/** Fields of a form: a slider with its number, a choice, a tick. */

import { html, type TemplateResult } from "lit";
import { rounded } from "../words.ts";

export interface Scale {
  low: number;
  high: number;
  /** From a place of the slider, 0 to 1, to a value, and back. */
  value: (u: number) => number;
  place: (v: number) => number;
}

export const log = (low: number, high: number): Scale => ({
  low, high,
  value: (u) => low * (high / low) ** u,
  place: (v) => Math.log(Math.max(v, low) / low) / Math.log(high / low),
});
export const sinh = (high: number, k = 6): Scale => ({
  low: 0, high,
  value: (u) => (high * Math.sinh(k * u)) / Math.sinh(k),
  place: (v) => Math.asinh((Math.max(0, v) * Math.sinh(k)) / high) / k,
});

/** The number in a field, if there is one: an empty field changes nothing. */
function numberIn(e: Event): number | null {
  const { value } = e.target as HTMLInputElement;
  return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : null;
}

/** What a field of a number does when it is left: an empty one takes its old number back. */
export function typed(value: number, put: (v: number) => void): (e: Event) => void {
  return (e) => {
    const v = numberIn(e);
    if (v !== null) put(v);
    else (e.target as HTMLInputElement).value = String(value);
  };
}

const input = (e: Event) => e.target as HTMLInputElement;

export function slider(id: string, label: unknown, value: number, scale: Scale, put: (v: number, isFinal: boolean) => void, options: { whole?: boolean; hint?: string } = {}): TemplateResult {
  const read = (e: Event) => {
    const v = rounded(scale.value(Number(input(e).value)), 3);
    return options.whole ? Math.max(scale.low, Math.round(v)) : v;
  };
  const exact = typed(value, (v) => put(options.whole ? Math.round(v) : v, true));
  return html`<div class="row">
    <label for=${id} title=${options.hint ?? ""}>${label}</label>
    <input class="number" type="number" step="any" aria-label="${id}, exactly" .value=${String(value)} @change=${exact}>
    <input class="wide" id=${id} type="range" min="0" max="1" step="0.002" .value=${String(scale.place(value))} aria-valuetext=${String(value)}
      @input=${(e: Event) => put(read(e), false)} @change=${(e: Event) => put(read(e), true)}>
  </div>`;
}

export function choice(id: string, label: string, value: string, options: Record<string, string>, put: (v: string) => void): TemplateResult {
  const known = value in options ? options : { ...options, [value]: value };
  return html`<div class="row">
    <label for=${id}>${label}</label>
    <select id=${id} @change=${(e: Event) => put((e.target as HTMLSelectElement).value)}>
      ${Object.entries(known).map(([key, words]) => html`<option value=${key} .selected=${key === value}>${words}</option>`)}
    </select>
  </div>`;
}

export function tick(label: string, value: boolean, put: (v: boolean) => void): TemplateResult {
  return html`<label class="check"><input type="checkbox" .checked=${value} @change=${(e: Event) => put(input(e).checked)}>${label}</label>`;
}
