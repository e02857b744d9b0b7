/** Asks the server to change the puzzle that is being drawn. */

import { formatPwp } from "../model/pwp.js";
import { revise } from "../server/solver.js";
import { button, h } from "../views/dom.js";
import { SearchPanel } from "../views/search-panel.js";

const SECONDS = 60;

/** Each change with its button, what is said meanwhile, and what if there is no better drawing. */
const CHANGES = [
  ["harder", "Make it harder", "Making it harder", "No harder puzzle was found."],
  ["tool", "Make it need a tool", "Looking for a tool", "No puzzle that needs a tool was found."],
  ["tidy", "Tidy", "Tidying it", "Everything in it is needed."],
];

const NO_SERVER =
  "Changes need a server, and this is a static site. " +
  "Run “pushworld play” on your computer to have one.";

export class RevisionPanel {
  onRevised; onUndo;
  #search = new SearchPanel();
  #text = "";

  /**
   * @param {(pwp: string) => void} onRevised replaces the drawing
   * @param {() => void} onUndo brings the old one back
   */
  constructor(site, onRevised, onUndo) {
    Object.assign(this, { onRevised, onUndo });
    this.buttons = CHANGES.map((change) =>
      button({ text: change[1] }, () => this.#revise(...change)),
    );
    const about = "The server tries many changes, for a minute at most. Undo brings your drawing back.";
    const parts = [
      h("div", { class: "row" }, this.buttons),
      h("p", { class: "quiet" }, about),
      this.#search.element,
    ];
    this.element = h("div", {}, site.server ? parts : h("p", { class: "quiet" }, NO_SERVER));
  }

  /** Sets the puzzle, null while the drawing is invalid; discards the result for an earlier one. */
  change(puzzle) {
    const text = puzzle ? formatPwp(puzzle) : "";
    if (text === this.#text) return;
    this.#text = text;
    for (const one of this.buttons) one.disabled = !puzzle?.goals;
    this.#search.clear();
  }

  cancel() {
    this.#search.cancel();
  }

  async #revise(change, _, text, nothing) {
    const ask = (onReport, signal) => revise(this.#text, change, SECONDS, onReport, signal);
    const result = await this.#search.follow(text, ask);
    if (result === null) return;
    if (!result.pwp) {
      this.#search.say(nothing);
      return;
    }
    this.onRevised(result.pwp);
    this.#search.say(`Done: ${result.note}.`, [button({ icon: "undo", text: "Undo" }, this.onUndo)]);
  }
}
