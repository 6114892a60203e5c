/** The controls: first prompt, attention, motion and time of a scenario. */

import { html, nothing, type TemplateResult } from "lit";
import { dimension, get, isLayered, isOfModel, type Scenario, tokenCount } from "../state.ts";
import { KINDS, rounded, RULES, SCHEMES, shown } from "../words.ts";
import { choice, log, sinh, slider, tick, typed } from "./fields.ts";
import { masks } from "./masks.ts";
import { matrixEditor, type Mode, modeOf, spectral, type Spectrum } from "./matrix-editor.ts";

export interface Panel {
  scenario: Scenario;
  modes: Record<string, Mode>;
  spectra: Record<string, Spectrum>;
  /** Change one value; while a slider moves the change is not final. */
  put(path: string, value: unknown, isFinal?: boolean): void;
  setMode(path: string, mode: Mode): void;
  setSpectrum(path: string, spectrum: Spectrum): void;
  replace(scenario: Scenario): void;
  /** One clear line about what cannot be taken. */
  refuse(words: string): void;
}

const SCALES = { beta: sinh(200), eps: log(0.01, 10), n: log(2, 10_000), d: log(1, 64), until: log(0.5, 1e6), noise: sinh(2, 3), eta: log(0.005, 2) };

function editor(panel: Panel, name: string, path: string): TemplateResult {
  const value = get(panel.scenario, path) ?? 1;
  const mode = panel.modes[path] ?? modeOf(value);
  return matrixEditor({
    name, value, mode,
    d: dimension(panel.scenario) ?? 3,
    spectrum: panel.spectra[path],
    change: (v, isFinal) => panel.put(path, v, isFinal),
    refuse: panel.refuse,
    setMode: (next) => panel.setMode(path, next),
    setSpectrum: (spectrum, isFinal) => {
      panel.setSpectrum(path, spectrum);
      panel.put(path, spectral(spectrum), isFinal);
    },
  });
}

function prompt(panel: Panel): TemplateResult {
  const { scenario, put } = panel;
  const tokens = scenario.tokens ?? {};
  const kind = tokens.kind ?? "sphere";
  const n = tokenCount(scenario);
  const d = dimension(scenario);
  const kinds = kind === "array" ? { ...KINDS, array: "Your own tokens" } : isOfModel(scenario) ? { ...KINDS, model: "Of a Transformer" } : KINDS;
  const size = isOfModel(scenario) ? `Model “${tokens.model}”: tokens, heads and values are its own.` : `${n ?? "?"} tokens in dimension ${d ?? "?"}`;
  return html`<section class="block" aria-label="First prompt">
    <h2>First prompt</h2>
    ${choice("kind", "Tokens", kind, kinds, (v) => put("tokens.kind", v))}
    ${"n" in tokens ? slider("n", html`Number <i>n</i>`, tokens.n, SCALES.n, (v, f) => put("tokens.n", v, f), { whole: true }) : nothing}
    ${"d" in tokens ? slider("d", html`Dimension <i>d</i>`, tokens.d, SCALES.d, (v, f) => put("tokens.d", v, f), { whole: true }) : nothing}
    ${"n" in tokens || "d" in tokens ? nothing : html`<p class="hint">${size}</p>`}
    ${kind === "caps" && typeof tokens.angle === "number" ? slider("angle", "Angle of the caps", tokens.angle, sinh(3.1, 2), (v, f) => put("tokens.angle", v, f)) : nothing}
    ${kind === "caps" && typeof tokens.centres === "number" ? slider("centres", "Number of caps", tokens.centres, log(1, 32), (v, f) => put("tokens.centres", v, f), { whole: true }) : nothing}
    ${kind === "equiangular" ? slider("cos", "Cosine of pairs", tokens.cos, { low: -0.9, high: 0.99, value: (u) => -0.9 + 1.89 * u, place: (v) => (v + 0.9) / 1.89 }, (v, f) => put("tokens.cos", v, f)) : nothing}
    <div class="row">
      <label for="seed">Seed</label>
      <span class="pair">
        <button class="button icon plain" aria-label="Another seed" title="Another seed" @click=${() => put("seed", Math.floor(Math.random() * 100_000))}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><rect x="4" y="4" width="16" height="16" rx="3.5"/><circle cx="9" cy="9" r=".9"/><circle cx="15" cy="15" r=".9"/><circle cx="15" cy="9" r=".9"/><circle cx="9" cy="15" r=".9"/></svg>
        </button>
        <input id="seed" class="number" type="number" min="0" step="1" .value=${String(scenario.seed ?? 0)} @change=${typed(scenario.seed ?? 0, (v) => put("seed", Math.max(0, Math.round(v))))}>
      </span>
    </div>
  </section>`;
}

function attention(panel: Panel): TemplateResult {
  const { scenario, put } = panel;
  const rule = scenario.attention ?? {};
  if (rule.heads) return html`<section class="block"><h2>Attention</h2><p class="hint">${rule.heads.length} heads, as the scenario gives them.</p></section>`;
  const name = rule.rule ?? "softmax";
  return html`<section class="block" aria-label="Attention">
    <h2>Attention</h2>
    ${choice("rule", "Rule", name, RULES, (v) => put("attention.rule", v))}
    ${name === "sinkhorn" ? slider("eps", html`Entropy <i>ε</i>`, rule.eps ?? 1, SCALES.eps, (v, f) => put("attention.eps", v, f)) : nothing}
    ${!["sinkhorn", "hardmax"].includes(name) && typeof (rule.beta ?? 1) === "number"
      ? slider("beta", html`Inverse temperature <i>β</i>`, rule.beta ?? 1, SCALES.beta, (v, f) => put("attention.beta", v, f)) : nothing}
    ${rule.Q || rule.K ? html`<p class="hint">Q and K as the scenario gives them.</p>` : editor(panel, "B", "attention.B")}
    ${masks(scenario, put, panel.replace)}
  </section>`;
}

function motion(panel: Panel): TemplateResult {
  const { scenario, put } = panel;
  const flow = scenario.flow ?? {};
  const isSphere = (flow.space ?? "sphere") === "sphere";
  const canNoise = !isLayered(scenario) && scenario.tokens?.kind !== "law";
  return html`<section class="block" aria-label="Motion">
    <h2>Motion</h2>
    ${choice("space", "Space", flow.space ?? "sphere", { sphere: "Sphere (layer norm)", euclidean: "All of space" }, (v) => put("flow.space", v))}
    ${isSphere ? choice("scheme", "Normalisation", flow.normalisation ?? "post_ln", SCHEMES, (v) => put("flow.normalisation", v === "post_ln" ? undefined : v))
      : tick("Rescaled: z = e^(−tV) x", flow.rescaled ?? false, (v) => put("flow.rescaled", v || undefined))}
    ${editor(panel, "V", "flow.V")}
    ${canNoise ? slider("noise", html`Noise <i>σ</i>`, typeof flow.noise === "number" ? flow.noise : 0, SCALES.noise, (v, f) => put("flow.noise", v > 0.001 ? v : undefined, f)) : nothing}
  </section>`;
}

function time(panel: Panel): TemplateResult {
  const { scenario, put, replace } = panel;
  const now = scenario.time ?? {};
  const layered = isLayered(scenario);
  const until = now.until ?? 10;
  const setLayers = (count: number, eta: number, from = scenario) => {
    const { tol, merge, steady, spacing, save, ...rest } = now;
    replace({ ...from, time: { ...rest, method: "euler", step: eta, until: rounded(count * eta, 12), save: count + 1 } });
  };
  const setFlow = () => {
    const { method, step, save, ...rest } = now;
    replace({ ...scenario, time: { ...rest, save: 121, spacing: 2 } });
  };
  const count = Math.round(until / (now.step ?? 0.1));
  const layeredFlow = () => {
    const { noise, ...flow } = scenario.flow ?? {};
    setLayers(Math.min(400, Math.max(10, Math.round(until / 0.1))), 0.1, { ...scenario, flow });
  };
  return html`<section class="block" aria-label="Time">
    <h2>Time</h2>
    ${choice("clock-kind", "Time is", layered ? "layers" : "flow", { flow: "Continuous", layers: "Layers of step η" }, (v) => (v === "layers" ? layeredFlow() : setFlow()))}
    ${layered
      ? html`${slider("eta", html`Step <i>η</i>`, now.step ?? 0.1, SCALES.eta, (v, f) => f && setLayers(count, v))}
          ${slider("layers", "Layers", count, log(1, 1000), (v, f) => f && setLayers(v, now.step ?? 0.1), { whole: true })}`
      : slider("until", html`Until <i>t</i>`, until, SCALES.until, (v, f) => put("time.until", v, f))}
    ${layered || !now.tol ? nothing : html`<p class="hint">Error of a step at most ${shown(now.tol)}${now.method ? `, method ${now.method}` : ""}</p>`}
    ${layered || scenario.flow?.noise ? nothing
      : tick("Unite tokens that touch (long runs)", now.merge !== undefined, (v) => put("time.merge", v ? 1e-4 : undefined))}
  </section>`;
}

export function controls(panel: Panel): TemplateResult {
  // A model brings its own flow.
  const flow = isOfModel(panel.scenario) ? nothing : html`${attention(panel)}${motion(panel)}`;
  return html`${prompt(panel)}${flow}${time(panel)}`;
}
