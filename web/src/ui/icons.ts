import { html, svg } from "lit";

const icon = (inside: unknown) => html`<svg viewBox="0 0 24 24" aria-hidden="true">${inside}</svg>`;

export const icons = {
  play: icon(svg`<path d="M8 5.5v13l10.5-6.5z" fill="currentColor"/>`),
  pause: icon(svg`<path d="M8.5 5.5v13M15.5 5.5v13" stroke-width="3"/>`),
  loop: icon(svg`<path d="M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4"/>`),
  share: icon(svg`<path d="M12 15V4M8 7.5 12 3.5l4 4M5 13v5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5"/>`),
  open: icon(svg`<path d="M4 7.5a2 2 0 0 1 2-2h3.5l2 2.5H18a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z"/>`),
  sun: icon(svg`<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>`),
  moon: icon(svg`<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z"/>`),
  home: icon(svg`<path d="M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4"/>`),
  trail: icon(svg`<path d="M4 18c5 0 4-9 9-9"/><circle cx="17" cy="8" r="3"/>`),
  close: icon(svg`<path d="M6 6l12 12M18 6 6 18"/>`),
};
