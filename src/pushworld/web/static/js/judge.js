/** Is it solvable, and how hard: the planner's opinion of a puzzle that is being drawn. */

import { NO_SOLVER, describeFailure, describeReport } from "./assistant.js";
import { announce, button, count, fill, h } from "./dom.js";
import { parsePlan, replayPlan } from "./plans.js";
import { formatPwp } from "./pwp.js";
import { solve } from "./solver.js";
import { describeLengths } from "./words.js";

const SECONDS = 60;
/** What the number of states says of the effort; beyond the last it is very hard. */
const EFFORTS = [
  [100, "Very easy"],
  [2_000, "Easy"],
  [50_000, "Medium"],
  [1_000_000, "Hard"],
];

export class Judge {
  #search = null;
  #text = "";

  /** @param {(plan: string) => void} onWatch shows a plan */
  constructor(site, onWatch) {
    this.onWatch = onWatch;
    this.output = h("div", { class: "answer" });
    this.askButton = button({ icon: "solve", text: "Ask the planner" }, () => this.#ask());
    this.element = h("div", {});
    if (site.solver) this.element.append(h("div", { class: "row" }, this.askButton), this.output);
    else this.element.append(h("p", { class: "quiet" }, NO_SOLVER));
  }

  /** Takes another puzzle, or null while there is none; an old opinion does not hold for it. */
  change(puzzle) {
    const text = puzzle ? formatPwp(puzzle) : "";
    if (text === this.#text) return;
    this.puzzle = puzzle;
    this.#text = text;
    this.askButton.disabled = !puzzle?.goals;
    this.cancel();
    fill(this.output);
  }

  cancel() {
    this.#search?.abort();
    this.#search = null;
  }

  async #ask() {
    this.cancel();
    const search = new AbortController();
    this.#search = search;
    const status = h("p", { class: "search-status" }, "Searching");
    const stop = button({ icon: "close", text: "Cancel" }, () => {
      this.cancel();
      this.#say("Cancelled.");
    });
    fill(
      this.output,
      h("progress", { "aria-label": "Search" }),
      status,
      h("div", { class: "row" }, stop),
    );
    try {
      const onReport = (report) => (status.textContent = describeReport(report));
      const result = await solve(this.#text, SECONDS, onReport, search.signal);
      if (search !== this.#search) return;
      if (result.plan === null) this.#say(describeFailure(result).replace("from here ", ""));
      else this.#praise(result);
    } catch (error) {
      if (search === this.#search) this.#say(error.message);
    }
  }

  #praise({ plan, states, seconds }) {
    const { pushes } = replayPlan(this.puzzle, parsePlan(plan));
    const effort = EFFORTS.find(([most]) => states <= most)?.[1] ?? "Very hard";
    this.#say(
      `Solvable in ${describeLengths(plan.length, pushes.at(-1))}. ` +
        `${effort} for the planner: ${count(states, "state")} in ${seconds.toFixed(2)} s.`,
      button({ icon: "watch", text: "Watch" }, () => this.onWatch(plan)),
    );
  }

  #say(text, action) {
    fill(this.output, h("p", {}, text), action && h("div", { class: "row" }, action));
    announce(text);
  }
}
