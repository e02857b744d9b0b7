/** Is it solvable, and how hard: the planner's opinion of a puzzle that is being drawn. */

import { button, h } from "./dom.js";
import { parsePlan, replayPlan } from "./plans.js";
import { formatPwp } from "./pwp.js";
import {
  NO_SOLVER,
  SearchBox,
  describeFailure,
  describeSearch,
  limitField,
} from "./searching.js";
import { describeLengths } from "./words.js";

/** What the number of states says of the effort; beyond the last it is very hard. */
const EFFORTS = [
  [100, "Very easy"],
  [2_000, "Easy"],
  [50_000, "Medium"],
  [1_000_000, "Hard"],
];

export class Judge {
  #box = new SearchBox();
  #text = "";

  /** @param {(plan: string) => void} onWatch shows a plan */
  constructor(site, onWatch) {
    this.onWatch = onWatch;
    this.askButton = button({ icon: "solve", text: "Ask the planner" }, () => this.#ask());
    this.limit = limitField();
    const parts = [h("div", { class: "row" }, this.askButton, this.limit), this.#box.element];
    this.element = h("div", {}, site.solver ? parts : h("p", { class: "quiet" }, NO_SOLVER));
  }

  /** Takes another puzzle, or null while there is none; an old opinion does not hold for it. */
  change(puzzle) {
    const text = puzzle ? formatPwp(puzzle) : "";
    if (text === this.#text) return;
    this.puzzle = puzzle;
    this.#text = text;
    this.askButton.disabled = !puzzle?.goals;
    this.#box.clear();
  }

  cancel() {
    this.#box.cancel();
  }

  async #ask() {
    const result = await this.#box.search(this.#text, Number(this.limit.value));
    if (result === null) return;
    if (result.plan) this.#praise(result);
    else if (result.status !== "unsolvable") this.#box.say(describeFailure(result));
    else this.#box.say(`It cannot be solved, which is proved (${describeSearch(result)}).`);
  }

  #praise(result) {
    const { plan, states } = result;
    const { pushes } = replayPlan(this.puzzle, parsePlan(plan));
    const effort = EFFORTS.find(([most]) => states <= most)?.[1] ?? "Very hard";
    this.#box.say(
      `Solvable in ${describeLengths(plan.length, pushes.at(-1))}. ` +
        `${effort} for the planner: ${describeSearch(result)}.`,
      [button({ icon: "watch", text: "Watch" }, () => this.onWatch(plan))],
    );
  }
}
