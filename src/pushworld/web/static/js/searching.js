/** The place on the page where a search by the server's planner shows how far it is and what it says. */

import { announce, button, count, fill, h, select, sentence } from "./dom.js";
import { solve } from "./solver.js";

export const NO_SOLVER =
  "Hints and solutions need the solver, and this is a static site without one. " +
  "Run “pushworld play” on your computer to have it.";

const LIMITS = [
  ["10", "max 10 s"],
  ["60", "max 1 min"],
  ["300", "max 5 min"],
];

/** Returns a field for the most seconds that a search may take; its value is their number. */
export function limitField() {
  return select("Time limit of the solver", LIMITS, "60", () => {});
}

export class SearchBox {
  #search = null;

  constructor() {
    this.element = h("div", { class: "answer" });
  }

  /** Resolves to what a search finds; to null if it was cancelled or failed, which is said. */
  async search(pwp, seconds) {
    this.cancel();
    const search = new AbortController();
    this.#search = search;
    const status = h("p", { class: "search-status" }, "Searching");
    const cancel = button({ icon: "close", text: "Cancel" }, () => {
      this.cancel();
      this.say("Cancelled.");
    });
    fill(
      this.element,
      h("progress", { "aria-label": "Search" }),
      status,
      h("div", { class: "row" }, cancel),
    );
    announce("Searching for a solution.");
    try {
      const onReport = (report) => (status.textContent = describeReport(report));
      const result = await solve(pwp, seconds, onReport, search.signal);
      if (search !== this.#search) return null;
      this.#search = null;
      return result;
    } catch (error) {
      if (search === this.#search) this.say(sentence(error.message));
      return null;
    }
  }

  /** Ends the search, if one runs. */
  cancel() {
    this.#search?.abort();
    this.#search = null;
  }

  /** Ends the search and forgets what was said. */
  clear() {
    this.cancel();
    fill(this.element);
  }

  /** Shows and announces a text, with buttons and links below it. */
  say(text, actions = []) {
    this.show(text, actions);
    announce(text);
  }

  /** Shows a text that is announced elsewhere, with buttons and links below it. */
  show(text, actions = []) {
    const buttons = () => [...this.element.querySelectorAll(".row > *")];
    const focused = buttons().indexOf(document.activeElement);
    fill(this.element, h("p", {}, text), actions.length > 0 && h("div", { class: "row" }, actions));
    buttons()[focused]?.focus();
  }
}

/** Returns how far a search is. */
function describeReport(report) {
  if (report.type === "queued") return `Waiting, number ${report.position} in the queue`;
  const parts = [
    `${report.seconds.toFixed(1)} s`,
    count(report.states, "state"),
    `${Math.round(report.rate).toLocaleString("en")} a second`,
  ];
  if (report.best != null) parts.push(`best estimate ${report.best.toLocaleString("en")} to go`);
  if (report.memory_bytes) parts.push(`${Math.ceil(report.memory_bytes / 2 ** 20)} MiB`);
  return parts.join(" · ");
}

/** Returns how much work a search was: "1,234 states in 0.5 s". */
export function describeSearch({ seconds, states }) {
  return `${count(states, "state")} in ${seconds.toFixed(2)} s`;
}

/** Returns why a search has no plan. */
export function describeFailure(result) {
  const effort = describeSearch(result);
  switch (result.status) {
    case "unsolvable":
      return `This is a dead end: it is proved that no moves lead from here to a solution (${effort}).`;
    case "time-limit":
      return `No solution found within the time limit (${effort}). Allow more time, or undo a few moves.`;
    case "memory-limit":
      return `The search ran out of memory (${effort}). Undo a few moves and try again.`;
    default:
      return `The search ended without a solution: ${result.status} (${effort}).`;
  }
}
