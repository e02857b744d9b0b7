/** Asks the planner whether the puzzle that is being drawn is solvable, and how hard it is. */

import { describeLength } from "../model/descriptions.js";
import { parsePlan, replayPlan } from "../model/plans.js";
import { formatPwp } from "../model/pwp.js";
import { button, field, h, select } from "../views/dom.js";
import { NO_SOLVER, SearchPanel, describeFailure, describeSearch } from "../views/search-panel.js";

const LIMITS = [
  ["10", "10 s"],
  ["60", "1 min"],
  ["300", "5 min"],
];

/** The effort by the number of states, up to each bound; above the last one it is very hard. */
const EFFORTS = [
  [100, "Very easy"],
  [2_000, "Easy"],
  [50_000, "Medium"],
  [1_000_000, "Hard"],
];

export class SolvabilityPanel {
  #search = new SearchPanel();
  #text = "";

  /** @param {(plan: string) => void} onWatch shows a plan */
  constructor(site, onWatch) {
    this.onWatch = onWatch;
    this.askButton = button({ icon: "solve", text: "Ask the planner" }, () => this.#ask());
    this.limit = select("Search for at most", LIMITS, "60", () => {});
    const parts = [h("div", { class: "row" }, this.askButton, field("up to", this.limit)), this.#search.element];
    this.element = h("div", {}, site.solver ? parts : h("p", { class: "quiet" }, NO_SOLVER));
  }

  /** Sets the puzzle, null while the drawing is invalid; discards the result for an earlier one. */
  change(puzzle) {
    const text = puzzle ? formatPwp(puzzle) : "";
    if (text === this.#text) return;
    this.puzzle = puzzle;
    this.#text = text;
    this.askButton.disabled = !puzzle?.goals;
    this.#search.clear();
  }

  cancel() {
    this.#search.cancel();
  }

  async #ask() {
    const result = await this.#search.search(this.#text, Number(this.limit.value));
    if (result === null) return;
    if (result.plan) this.#showSolvable(result);
    else if (result.status !== "unsolvable") this.#search.say(describeFailure(result));
    else this.#search.say(`It is proved to be unsolvable (${describeSearch(result)}).`);
  }

  #showSolvable(result) {
    const { plan, states } = result;
    const { pushes } = replayPlan(this.puzzle, parsePlan(plan));
    const effort = EFFORTS.find(([most]) => states <= most)?.[1] ?? "Very hard";
    this.#search.say(
      `Solvable in ${describeLength(plan.length, pushes.at(-1))}. ` +
        `${effort} for the planner: ${describeSearch(result)}.`,
      [button({ icon: "watch", text: "Watch" }, () => this.onWatch(plan))],
    );
  }
}
