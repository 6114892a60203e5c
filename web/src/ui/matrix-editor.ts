/** A matrix as people give it: a number times the identity, eigenvalues and a rotation, random, or written out. */

import { html, nothing, type TemplateResult } from "lit";
import { rounded, shown } from "../words.ts";
import { typed } from "./fields.ts";

export type Mode = "scalar" | "spectrum" | "rows" | "random";
export type Change = (value: unknown, isFinal: boolean) => void;

export interface Spectrum {
  values: number[];
  /** Turns, in degrees, in the planes (1, 2) and (2, 3). */
  angles: [number, number];
}

const ENSEMBLES = { gaussian: "Gaussian", goe: "GOE (symmetric)", psd: "Positive", orthogonal: "Orthogonal", uniform: "Uniform" };

export function modeOf(value: any): Mode {
  if (Array.isArray(value)) return "rows";
  if (value && typeof value === "object") return "diagonal" in value ? "spectrum" : "random" in value ? "random" : "rows";
  return "scalar";
}

/** R diag(λ) Rᵀ for the two turns. */
export function spectral({ values, angles }: Spectrum): number[][] | { diagonal: number[] } {
  const d = values.length;
  if (angles.every((a) => a % 360 === 0) || d < 2) return { diagonal: values };
  let R = identity(d);
  R = product(turn(d, 0, 1, angles[0]), R);
  if (d > 2) R = product(turn(d, 1, 2, angles[1]), R);
  const scaled = R.map((row) => row.map((entry, j) => entry * values[j]));
  return product(scaled, transposed(R)).map((row) => row.map((entry) => Number(entry.toPrecision(12))));
}

function identity(d: number): number[][] {
  return Array.from({ length: d }, (_, i) => Array.from({ length: d }, (_, j) => (i === j ? 1 : 0)));
}

function transposed(A: number[][]): number[][] {
  return A[0].map((_, j) => A.map((row) => row[j]));
}

function product(A: number[][], B: number[][]): number[][] {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, entry, k) => sum + entry * B[k][j], 0)));
}

function turn(d: number, i: number, j: number, degrees: number): number[][] {
  const R = identity(d);
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  R[i][i] = R[j][j] = c;
  R[i][j] = -s;
  R[j][i] = s;
  return R;
}

function rowsOf(value: any, d: number): number[][] {
  if (Array.isArray(value)) return value;
  if (value?.diagonal) return identity(d).map((row, i) => row.map((one) => one * (value.diagonal[i] ?? 1)));
  const scale = typeof value === "number" ? value : 1;
  return identity(d).map((row) => row.map((one) => one * scale));
}

export interface Editor {
  name: string;
  value: any;
  d: number;
  mode: Mode;
  spectrum: Spectrum | undefined;
  change: Change;
  refuse: (words: string) => void;
  setMode: (mode: Mode) => void;
  setSpectrum: (spectrum: Spectrum, isFinal: boolean) => void;
}

export function matrixEditor(editor: Editor): TemplateResult {
  const { name, d, mode } = editor;
  const modes: [Mode, string][] = [["scalar", `c · I`], ["spectrum", "Eigenvalues + rotation"], ["rows", "Matrix"], ["random", "Random"]];
  return html`<div class="row">
      <label for="mode-${name}">${name}</label>
      <select id="mode-${name}" @change=${(e: Event) => editor.setMode((e.target as HTMLSelectElement).value as Mode)}>
        ${modes.map(([key, words]) => html`<option value=${key} ?selected=${key === mode} ?disabled=${d > 16 && key !== "scalar" && key !== "random"}>${words}</option>`)}
      </select>
    </div>
    ${mode === "scalar" ? scalar(editor) : mode === "spectrum" ? spectrumRows(editor) : mode === "random" ? random(editor) : rows(editor)}`;
}

function scalar({ name, value, change }: Editor): TemplateResult {
  const c = typeof value === "number" ? value : 1;
  return html`<div class="row">
    <input class="wide" type="range" min="-3" max="3" step="0.05" aria-label="${name}: multiple of the identity" .value=${String(c)}
      @input=${(e: Event) => change(Number((e.target as HTMLInputElement).value), false)}
      @change=${(e: Event) => change(Number((e.target as HTMLInputElement).value), true)}>
    <span class="name">${name} = c · I</span>
    <input class="number" type="number" step="0.1" aria-label="${name}: c" .value=${String(c)} @change=${typed(c, (v) => change(v, true))}>
  </div>`;
}

function spectrumRows({ name, value, d, spectrum, setSpectrum }: Editor): TemplateResult {
  const now: Spectrum = spectrum?.values.length === d ? spectrum : { values: diagonal(value, d), angles: [0, 0] };
  const put = (k: number, v: number, isFinal: boolean) =>
    setSpectrum({ ...now, values: now.values.map((old, i) => (i === k ? v : old)) }, isFinal);
  const angle = (k: 0 | 1, v: number, isFinal: boolean) =>
    setSpectrum({ ...now, angles: now.angles.map((old, i) => (i === k ? v : old)) as [number, number] }, isFinal);
  return html`${now.values.slice(0, 8).map(
      (v, k) => html`<div class="row">
        <input type="range" min="-3" max="3" step="0.05" aria-label="${name}: eigenvalue ${k + 1}" .value=${String(v)}
          @input=${(e: Event) => put(k, Number((e.target as HTMLInputElement).value), false)}
          @change=${(e: Event) => put(k, Number((e.target as HTMLInputElement).value), true)}>
        <span class="name">λ${"₁₂₃₄₅₆₇₈"[k]} = ${shown(v)}</span>
      </div>`,
    )}
    ${d < 2 ? nothing : [0, 1].slice(0, d > 2 ? 2 : 1).map(
      (k) => html`<div class="row">
        <input type="range" min="0" max="360" step="1" aria-label="${name}: turn in the plane of axes ${k + 1} and ${k + 2}" .value=${String(now.angles[k])}
          @input=${(e: Event) => angle(k as 0 | 1, Number((e.target as HTMLInputElement).value), false)}
          @change=${(e: Event) => angle(k as 0 | 1, Number((e.target as HTMLInputElement).value), true)}>
        <span class="name">turn ${k + 1}–${k + 2}: ${now.angles[k]}°</span>
      </div>`,
    )}`;
}

function diagonal(value: any, d: number): number[] {
  return rowsOf(value, d).map((row, i) => row[i] ?? 1);
}

function rows({ name, value, d, change, refuse }: Editor): TemplateResult {
  const now = rowsOf(value, d);
  if (d > 5) {
    const words = now.map((row) => row.join(" ")).join("\n");
    const read = (e: Event) => {
      const parsed = (e.target as HTMLTextAreaElement).value.trim().split("\n").map((line) => line.trim().split(/[\s,]+/).map(Number));
      if (parsed.length === d && parsed.every((row) => row.length === d && row.every(Number.isFinite))) change(parsed, true);
      else refuse(`${name} needs ${d} rows of ${d} numbers`);
    };
    return html`<textarea rows="5" aria-label="${name}: one row per line" .value=${words} @change=${read}></textarea>`;
  }
  const put = (i: number, j: number, v: number) => change(now.map((row, k) => row.map((old, l) => (k === i && l === j ? v : old))), true);
  return html`<div class="grid" style="grid-template-columns: repeat(${d}, 1fr)">
    ${now.flatMap((row, i) => row.map(
      (v, j) => html`<input class="number" type="number" step="0.1" aria-label="${name}: row ${i + 1}, column ${j + 1}" .value=${String(rounded(v, 6))}
        @change=${typed(v, (w) => put(i, j, w))}>`,
    ))}
  </div>`;
}

function random({ name, value, change }: Editor): TemplateResult {
  const now = value?.random ? value : { random: "gaussian", scale: 1 };
  return html`<div class="row">
    <select class="wide" aria-label="${name}: ensemble" @change=${(e: Event) => change({ ...now, random: (e.target as HTMLSelectElement).value }, true)}>
      ${Object.entries(ENSEMBLES).map(([key, words]) => html`<option value=${key} ?selected=${key === now.random}>${words}</option>`)}
    </select>
    <label for="scale-${name}">scale</label>
    <input id="scale-${name}" class="number" type="number" min="0.01" step="0.1" .value=${String(now.scale ?? 1)}
      @change=${typed(now.scale ?? 1, (v) => change({ ...now, scale: Math.max(0.01, v) }, true))}>
  </div>`;
}
