/** Words and plots that follow the playhead, without drawing the panels anew. */

import { shareReady } from "../playhead.ts";
import type { Run } from "../run.ts";
import type { Stage } from "../view/stage.ts";
import { counted, shown } from "../words.ts";

export function follow(root: ParentNode, run: Run, u: number, stage: Stage | null): void {
  const t = run.clock.time(u);
  const slider = root.querySelector<HTMLInputElement>("#time");
  if (slider) {
    slider.value = String(u);
    slider.setAttribute("aria-valuetext", `t = ${shown(t)}`);
  }
  say(root, ".clock b", `t = ${shown(t, 4)}`);
  const ready = root.querySelector<HTMLElement>(".ready i");
  if (ready) ready.style.width = `${100 * shareReady(run)}%`;
  const count = run.clustersAt(t);
  say(root, ".facts .count", count === null ? "" : count === 0 ? "spread out" : String(count));
  say(root, ".facts .now", count === 0 ? " now" : count === 1 ? " cluster now" : " clusters now");
  root.querySelector(".facts .many")?.toggleAttribute("hidden", count === null);
  say(root, ".facts .scale", stage ? scaleWords(run, t, stage) : "");
  say(root, ".facts .sample", stage && stage.drawn < run.path.n ? `${counted(stage.drawn)} of ${counted(run.path.n)} tokens are drawn while the picture moves` : "");
  for (const plot of root.querySelectorAll<any>("af-plot")) plot.seek(u);
  for (const plot of root.querySelectorAll<any>("af-cosines")) plot.seek(t);
}

function say(root: ParentNode, place: string, words: string): void {
  const found = root.querySelector(place);
  if (found && found.textContent !== words) found.textContent = words;
}

/** In R^d the picture follows the size of the prompt, so the axes say how far they reach. */
function scaleWords(run: Run, t: number, stage: Stage): string {
  if (run.start.space === "sphere" || !run.path.knots.length) return "";
  return `axes end at ±${shown(1.15 / stage.scale(run.path.at(t)), 3)}`;
}
