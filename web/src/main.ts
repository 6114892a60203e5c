/** One module for three homes: a page served by Python, an exported file, a notebook. */

import { Comm, Recorded, Socket } from "./transport.ts";
import { AfExplorer } from "./explorer/explorer.ts";
import { AfCosines } from "./view/histogram.ts";
import { AfMatrix } from "./view/heatmap.ts";
import { AfPlot } from "./view/plot.ts";

const ELEMENTS = { "af-plot": AfPlot, "af-cosines": AfCosines, "af-matrix": AfMatrix, "af-explorer": AfExplorer };
for (const [name, element] of Object.entries(ELEMENTS)) if (!customElements.get(name)) customElements.define(name, element);

const page = document.querySelector<AfExplorer>("body > af-explorer");
if (page && !page.transport) {
  const recorded = document.getElementById("attnflow-run")?.textContent;
  if (recorded) page.transport = new Recorded(JSON.parse(recorded));
  else {
    page.transport = new Socket(new URL("session", location.href.replace(/^http/, "ws").replace(/[?#].*$/, "")).href);
    page.isPage = true;
  }
}

/** The notebook widget (anywidget). */
export default {
  render({ model, el }: { model: any; el: HTMLElement }) {
    const explorer = document.createElement("af-explorer") as AfExplorer;
    explorer.style.cssText = `height: ${model.get("height") ?? 640}px; border: 1px solid #88888855; border-radius: 10px; box-sizing: border-box;`;
    explorer.transport = new Comm(model);
    el.append(explorer);
    return () => explorer.remove();
  },
};
