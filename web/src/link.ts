/** The address of the page, which carries the scenario and how it is looked at. */

import { fromLink, type Shared, toLink } from "./state.ts";

/** Longer addresses are cut by browsers and mail programs. */
const LONGEST = 60_000;

export class Link {
  #timer = 0;

  /** The state in the address, if there is one; one clear line where it cannot be read. */
  async read(): Promise<Shared | null> {
    try {
      return await fromLink(location.hash);
    } catch (error) {
      throw new Error(`This link cannot be read: ${(error as Error).message}`);
    }
  }

  /** Write the state into the address, soon. */
  keep(state: () => Shared | null): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(async () => {
      const shared = state();
      const link = shared && (await toLink(shared));
      if (link && link.length < LONGEST) history.replaceState(null, "", link);
    }, 80);
  }

  /** The address of a state, for others. */
  async of(state: Shared): Promise<string> {
    return location.href.replace(/#.*$/, "") + (await toLink(state));
  }
}
