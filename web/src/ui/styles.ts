import { css } from "lit";

/** Colours and sizes; the notebook's own styles do not reach in here, nor do these reach out. */
export const theme = css`
  :host {
    --paper: #fbfaf7;
    --panel: #ffffff;
    --ink: #1d2733;
    --soft: #4c5a68;
    --faint: #5c6977;
    --line: #e5e3dc;
    --accent: #0b6aa8;
    --accent-soft: #e4f0f8;
    --good: #08704f;
    --good-soft: #e2f4ec;
    --bad: #b3261e;
    --bad-soft: #fbe9e7;
    --wait: #8a6100;
    --wait-soft: #fbf1d9;
    --shadow: 0 1px 2px rgb(20 30 40 / 6%), 0 6px 24px rgb(20 30 40 / 6%);
    --sans: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
    --math: "STIX Two Math", "Latin Modern Math", "Cambria Math", "Libertinus Math", math;
    color-scheme: light;
  }
  :host([dark]) {
    --paper: #10151b;
    --panel: #171e26;
    --ink: #e8edf2;
    --soft: #b4c0cc;
    --faint: #8b9aa9;
    --line: #28323d;
    --accent: #5cb0ea;
    --accent-soft: #1b3143;
    --good: #46cf9f;
    --good-soft: #16342a;
    --bad: #ff8f86;
    --bad-soft: #3c201f;
    --wait: #f0c25e;
    --wait-soft: #362c16;
    --shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 8px 28px rgb(0 0 0 / 25%);
    color-scheme: dark;
  }
  *, *::before, *::after { box-sizing: border-box; }
  [hidden] { display: none !important; }
  button, input, select, textarea { font: inherit; color: inherit; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
`;

export const layout = css`
  :host {
    display: block; height: 100%; font: 400 14px/1.5 var(--sans); color: var(--ink); background: var(--paper);
    container: page / size; -webkit-font-smoothing: antialiased; overflow: hidden; font-feature-settings: "cv05", "ss03";
  }
  .app { display: grid; height: 100%; grid: 52px minmax(0, 1fr) / 292px minmax(0, 1fr) 348px; }
  header {
    grid-column: 1 / -1; display: flex; align-items: center; gap: 10px; padding: 0 16px; background: var(--panel);
    border-bottom: 1px solid var(--line); min-width: 0; z-index: 3;
  }
  .brand { font-weight: 650; letter-spacing: -0.02em; font-size: 16px; margin-right: 6px; }
  .brand span { color: var(--faint); font-weight: 450; }
  .grow { flex: 1; }
  aside { overflow-y: auto; background: var(--panel); scrollbar-width: thin; scrollbar-color: var(--line) transparent; min-height: 0; }
  .left { border-right: 1px solid var(--line); }
  .right { border-left: 1px solid var(--line); }
  main { container: main / inline-size; position: relative; display: flex; flex-direction: column; min-width: 0; min-height: 0; }
  .stage { position: relative; flex: 1; min-height: 0; }
  .stage canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; touch-action: none; cursor: grab; }
  .stage canvas:active { cursor: grabbing; }
  .heading { position: absolute; left: 22px; right: 22px; top: 16px; pointer-events: none; }
  .heading h1 { font-size: 19px; line-height: 1.3; font-weight: 600; letter-spacing: -0.015em; margin: 0 0 8px; text-wrap: balance; max-width: 34em; }
  .heading math { font-family: var(--math); font-size: 18px; color: var(--ink); width: fit-content; }
  .equation { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 1.4em; max-width: 100%; overflow-x: auto; overflow-y: hidden; }
  .chips { display: flex; flex-wrap: wrap; gap: 5px; margin-top: 9px; }
  .chip { font-size: 12px; color: var(--soft); background: color-mix(in srgb, var(--panel) 82%, transparent); border: 1px solid var(--line); border-radius: 999px; padding: 1px 9px; font-variant-numeric: tabular-nums; }
  .corner { position: absolute; right: 14px; bottom: 12px; display: flex; gap: 6px; align-items: center; }
  .facts { position: absolute; left: 22px; bottom: 14px; font-size: 12.5px; color: var(--soft); pointer-events: none; display: grid; gap: 2px; max-width: 60%; }
  .facts b { font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
  [data-old] { opacity: 0.45; }
  .tabs { display: none; }

  .button {
    display: inline-flex; align-items: center; justify-content: center; gap: 7px; height: 32px; padding: 0 11px; border-radius: 8px;
    border: 1px solid var(--line); background: var(--panel); cursor: pointer; white-space: nowrap; font-size: 13px; font-weight: 500;
  }
  .button:hover { border-color: var(--faint); }
  .button.plain { border-color: transparent; background: none; color: var(--soft); }
  .button.plain:hover { color: var(--ink); background: var(--accent-soft); }
  .button[aria-pressed="true"], .button.primary { background: var(--accent-soft); border-color: transparent; color: var(--accent); }
  .button.icon { width: 32px; padding: 0; }
  .button svg { width: 17px; height: 17px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
  .button:disabled { opacity: 0.45; cursor: default; }

  .say {
    position: absolute; inset: auto 0 56px; margin-inline: auto; width: fit-content; max-width: min(560px, 88%); padding: 9px 14px; border-radius: 10px;
    box-shadow: var(--shadow); background: var(--panel); border: 1px solid var(--line); font-size: 13px; display: flex; gap: 10px; align-items: center; z-index: 2;
  }
  .say.error { background: var(--bad-soft); color: var(--bad); border-color: transparent; }
  .say.wait { background: var(--wait-soft); color: var(--wait); border-color: transparent; }
  .spin { width: 13px; height: 13px; border-radius: 50%; border: 2px solid currentColor; border-right-color: transparent; animation: turn 0.8s linear infinite; flex: none; }
  @keyframes turn { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { .spin { animation: none; } }
  .drop { position: absolute; inset: 10px; border: 2px dashed var(--accent); border-radius: 16px; display: grid; place-items: center; background: color-mix(in srgb, var(--paper) 82%, transparent); font-size: 16px; color: var(--accent); z-index: 5; pointer-events: none; text-align: center; padding: 20px; }
  .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

  .bar { display: grid; grid-template-columns: auto 1fr auto; gap: 12px; align-items: center; padding: 10px 18px 12px; background: var(--panel); border-top: 1px solid var(--line); }
  .bar .track { position: relative; display: grid; align-items: center; height: 32px; }
  .bar .marks { position: absolute; left: 8px; right: 8px; top: 0; height: 8px; pointer-events: none; }
  .bar .marks i { position: absolute; width: 2px; height: 7px; border-radius: 1px; background: var(--faint); transform: translateX(-1px); opacity: 0.7; }
  .bar .ready { position: absolute; left: 8px; right: 8px; top: 50%; height: 3px; margin-top: -1.5px; border-radius: 2px; background: var(--line); }
  .bar .ready i { position: absolute; inset: 0 auto 0 0; background: var(--accent); opacity: 0.28; border-radius: 2px; }
  .bar .clock { font-variant-numeric: tabular-nums; min-width: 8.6em; text-align: right; font-weight: 600; font-size: 14px; }
  .bar .clock small { font-weight: 400; color: var(--faint); font-size: 12px; }
  .bar .tools { display: flex; align-items: center; gap: 6px; }

  input[type="range"] { appearance: none; background: none; width: 100%; height: 24px; margin: 0; cursor: pointer; position: relative; }
  input[type="range"]::-webkit-slider-runnable-track { height: 3px; border-radius: 2px; background: var(--line); }
  .track input[type="range"]::-webkit-slider-runnable-track { background: none; }
  input[type="range"]::-moz-range-track { height: 3px; border-radius: 2px; background: var(--line); }
  .track input[type="range"]::-moz-range-track { background: none; }
  input[type="range"]::-webkit-slider-thumb { appearance: none; width: 15px; height: 15px; margin-top: -6px; border-radius: 50%; background: var(--accent); border: 2px solid var(--panel); box-shadow: 0 0 0 1px var(--accent); }
  input[type="range"]::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; background: var(--accent); border: 2px solid var(--panel); box-shadow: 0 0 0 1px var(--accent); }
  select, .number, textarea {
    border: 1px solid var(--line); border-radius: 7px; background: var(--paper); height: 30px; padding: 0 8px; min-width: 0; font-size: 13px;
  }
  select { cursor: pointer; }
  textarea { height: auto; padding: 7px 8px; width: 100%; font: 12px/1.5 ui-monospace, "SF Mono", Menlo, monospace; }
  .number { width: 76px; text-align: right; font-variant-numeric: tabular-nums; }
  .number::-webkit-inner-spin-button { opacity: 0.3; }

  @container page (max-width: 1080px) { .app { grid-template-columns: 256px minmax(0, 1fr) 300px; } }
  @container page (max-width: 900px) {
    .app { grid: 48px minmax(240px, 52cqh) auto minmax(0, 1fr) / minmax(0, 1fr); height: 100%; }
    main { grid-row: 2; }
    .tabs { grid-row: 3; display: flex; background: var(--panel); border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
    .tabs button { flex: 1; border: 0; background: none; padding: 9px 4px; font-size: 13px; font-weight: 500; color: var(--faint); border-bottom: 2px solid transparent; cursor: pointer; }
    .tabs button[aria-selected="true"] { color: var(--accent); border-color: var(--accent); }
    aside { grid-row: 4; grid-column: 1; border: 0; }
    aside:not([data-open]) { display: none; }
    header { padding: 0 10px; gap: 4px; }
    .stage { display: flex; flex-direction: column; }
    .stage canvas { position: static; flex: 1 1 0; min-height: 0; }
    .heading { position: static; order: -1; padding: 8px 14px 4px; display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; }
    .heading h1 { flex: 0 0 100%; font-size: 15px; margin-bottom: 1px; }
    .heading math { font-size: 14px; }
    .equation { pointer-events: auto; }
    .chips { margin-top: 0; }
    .facts { position: static; min-height: 44px; padding: 2px 0 8px 14px; align-content: end; font-size: 12px; max-width: 42%; }
    .corner { right: 8px; bottom: 6px; }
    .hide-small { display: none !important; }
  }
  @container main (max-width: 560px) {
    .bar { padding: 6px 10px 8px; grid-template-columns: auto 1fr; gap: 4px 8px; }
    .bar .clock { grid-column: 1 / -1; grid-row: 2; text-align: left; min-width: 0; }
  }
  @container page (min-width: 901px) { .only-small { display: none !important; } }
`;

export const panels = css`
  section.block { padding: 14px 18px 16px; border-bottom: 1px solid var(--line); }
  section.block:last-child { border-bottom: 0; }
  h2 { font-size: 11.5px; letter-spacing: 0.06em; text-transform: uppercase; color: var(--faint); font-weight: 600; margin: 0 0 10px; }
  .row { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 2px 10px; margin: 0 0 9px; }
  .row > label, .row > .name { font-size: 13px; color: var(--soft); }
  .row > .wide { grid-column: 1 / -1; }
  .row select { max-width: 184px; }
  .row .wide select { max-width: none; width: 100%; }
  .pair { display: flex; gap: 6px; align-items: center; }
  .check { display: flex; align-items: center; gap: 8px; font-size: 13px; color: var(--soft); margin: 0 0 9px; cursor: pointer; }
  .check input { width: 16px; height: 16px; accent-color: var(--accent); margin: 0; }
  .hint { font-size: 12px; color: var(--faint); margin: 2px 0 8px; line-height: 1.45; }
  .grid { display: grid; gap: 4px; }
  .grid .number { width: 100%; padding: 0 4px; text-align: center; height: 28px; font-size: 12px; }

  .claim { padding: 11px 0 12px; border-bottom: 1px solid var(--line); }
  .claim:last-of-type { border-bottom: 0; }
  .claim p { margin: 0 0 6px; font-size: 13.5px; line-height: 1.5; overflow-wrap: anywhere; }
  .claim .by { display: flex; gap: 8px; align-items: baseline; font-size: 12px; color: var(--faint); flex-wrap: wrap; }
  .claim .numbers { font-size: 12px; color: var(--soft); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .mark { font-size: 11.5px; font-weight: 600; padding: 0 7px; border-radius: 999px; line-height: 18px; flex: none; }
  .mark.holds { background: var(--good-soft); color: var(--good); }
  .mark.consistent { background: var(--accent-soft); color: var(--accent); }
  .mark.refuted, .mark.error { background: var(--bad-soft); color: var(--bad); }
  .mark.undecided, .mark.erratum { background: var(--wait-soft); color: var(--wait); }
  details { font-size: 12.5px; margin-top: 6px; }
  details summary { cursor: pointer; color: var(--faint); list-style: none; }
  details summary::-webkit-details-marker { display: none; }
  details summary::before { content: "▸ "; }
  details[open] summary::before { content: "▾ "; }
  details ul { margin: 6px 0 2px; padding-left: 0; list-style: none; display: grid; gap: 4px; color: var(--soft); }
  details li { display: flex; justify-content: space-between; gap: 10px; }
  details li span:last-child { color: var(--faint); font-variant-numeric: tabular-nums; white-space: nowrap; }
  .said { color: var(--soft); margin: 6px 0 0; }
  .said b { font-weight: 600; color: var(--ink); }
  .summary { font-size: 13px; color: var(--soft); margin: 0 0 4px; }

  dialog { border: 1px solid var(--line); border-radius: 14px; background: var(--panel); color: var(--ink); padding: 0; box-shadow: var(--shadow); width: min(660px, 92vw); max-height: 82vh; font: inherit; }
  dialog::backdrop { background: rgb(10 16 22 / 38%); }
  .sheet { padding: 18px 20px 20px; display: grid; gap: 12px; max-height: 82vh; grid-template-rows: auto auto 1fr; }
  .sheet h2 { font-size: 16px; text-transform: none; letter-spacing: -0.01em; color: var(--ink); margin: 0; }
  .sheet header { all: unset; display: flex; align-items: center; justify-content: space-between; }
  .search { width: 100%; height: 36px; border: 1px solid var(--line); border-radius: 9px; padding: 0 12px; background: var(--paper); }
  .list { overflow-y: auto; margin: 0 -8px; padding: 0 8px; }
  .list h3 { font-size: 12px; color: var(--faint); font-weight: 600; margin: 14px 0 4px; position: sticky; top: 0; background: var(--panel); padding: 3px 0; }
  .list button { display: block; width: 100%; text-align: left; border: 0; background: none; padding: 7px 10px; margin: 0 -10px; border-radius: 8px; cursor: pointer; font-size: 13.5px; width: calc(100% + 20px); }
  .list button:hover, .list button:focus-visible { background: var(--accent-soft); }
  .menu { position: relative; }
  .menu [role="menu"] { position: absolute; right: 0; top: 38px; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); padding: 6px; min-width: 268px; z-index: 6; display: grid; }
  .menu [role="menuitem"] { border: 0; background: none; text-align: left; padding: 8px 10px; border-radius: 8px; cursor: pointer; display: grid; font-size: 13px; font-weight: 500; }
  .menu [role="menuitem"] small { color: var(--faint); font-weight: 400; font-size: 12px; }
  .menu [role="menuitem"]:hover, .menu [role="menuitem"]:focus-visible { background: var(--accent-soft); }
  .menu [role="menuitem"]:disabled { opacity: 0.45; cursor: default; }
`;

export const plotStyle = css`
  :host { display: block; margin: 0 0 12px; }
  figure { margin: 0; }
  figcaption { display: flex; justify-content: space-between; font-size: 13px; color: var(--soft); margin: 0 0 2px; }
  figcaption output { font-weight: 600; color: var(--ink); font-variant-numeric: tabular-nums; }
  canvas { width: 100%; display: block; }
  canvas.matrix { aspect-ratio: 1; image-rendering: pixelated; border-radius: 6px; max-height: 320px; object-fit: contain; object-position: left; }
  .empty { font-size: 12.5px; color: var(--faint); margin: 4px 0 10px; }
  .legend { font-size: 12px; color: var(--faint); margin: 5px 0 0; }
  .ramp { display: inline-block; width: 54px; height: 8px; border-radius: 4px; vertical-align: baseline; background: linear-gradient(90deg, #00204d, #575d6d, #a59c74, #fdea45); }
  .ramp.signed { background: linear-gradient(90deg, #0072b2, #f7f7f7, #d55e00); }
  :host([old]) { opacity: 0.45; filter: grayscale(1); }
  :host([old]) output, :host([old]) .head { display: none; }
  :host([old]) figcaption::after { content: "before the change"; }
  .u-wrap { overflow: hidden; }
  .head { position: absolute; left: -0.5px; top: 0; width: 1px; height: 100%; background: color-mix(in srgb, var(--accent) 55%, transparent); will-change: transform; pointer-events: none; }
  .head b { position: absolute; left: -2.5px; top: -3px; width: 6px; height: 6px; border-radius: 50%; background: var(--accent); will-change: transform; }
  [hidden] { display: none; }
`;
