/** A panel that runs a search on the server, and shows its progress and its result. */

import { count, sentence } from "../model/descriptions.js";
import { solve } from "../server/solver.js";
import { announce, button, fill, h } from "./dom.js";

export const NO_SOLVER =
  "Hints and solutions need the solver, and this is a static site without one. " +
  "Run “pushworld play” on your computer to have it.";

export const DEAD_END = "This is a dead end: it is proved that no moves lead from here to a solution.";

export class SearchPanel {
  #search = null;

  constructor() {
    this.element = h("div", { class: "answer" });
  }

  /** Resolves to the result of a search, or to null if it was cancelled or failed. */
  search(pwp, seconds, { planner = "default", text = "Searching" } = {}) {
    return this.follow(text, (onReport, signal) => solve(pwp, seconds, onReport, signal, { planner }));
  }

  /**
   * Shows the progress of a search, and resolves to its result, or to null if it was cancelled or
   * failed.
   *
   * @param {string} text what is being done
   * @param {(onReport: (report: Object) => void, signal: AbortSignal) => Promise<Object>} ask
   * @param {Array<HTMLElement|false>} [actions] what else can be done meanwhile
   */
  async follow(text, ask, actions = []) {
    this.cancel();
    const search = new AbortController();
    this.#search = search;
    const status = h("p", { class: "search-status" }, text);
    const cancel = button({ icon: "close", text: "Cancel" }, () => {
      this.cancel();
      this.say("Cancelled.");
    });
    fill(
      this.element,
      h("progress", { "aria-label": "Search" }),
      status,
      h("div", { class: "row" }, actions, cancel),
    );
    announce(text);
    try {
      const onReport = (report) => (status.textContent = `${text}: ${describeReport(report)}`);
      const result = await ask(onReport, search.signal);
      if (search !== this.#search) return null;
      this.#search = null;
      return result;
    } catch (error) {
      if (search === this.#search) this.say(sentence(error.message));
      return null;
    }
  }

  /** Cancels the current search. */
  cancel() {
    this.#search?.abort();
    this.#search = null;
  }

  /** Cancels the current search and clears the panel. */
  clear() {
    this.cancel();
    fill(this.element);
  }

  /** Shows a text with buttons and links below it, and announces the text. */
  say(text, actions = []) {
    this.show(text, actions);
    announce(text);
  }

  /** Shows a text with buttons and links below it, without announcing it. */
  show(text, actions = []) {
    const buttons = () => [...this.element.querySelectorAll(".row > *")];
    const focused = buttons().indexOf(document.activeElement);
    const offered = actions.filter(Boolean);
    fill(this.element, h("p", {}, text), offered.length > 0 && h("div", { class: "row" }, offered));
    buttons()[focused]?.focus();
  }
}

/** Returns the progress of a search as a text. */
function describeReport(report) {
  if (report.type === "queued") return `waiting, number ${report.position} in the queue`;
  if (report.text) return `${report.text} · ${report.seconds.toFixed(0)} s`;
  const parts = [
    `${report.seconds.toFixed(1)} s`,
    count(report.states, "state"),
    `${Math.round(report.rate).toLocaleString("en")} a second`,
  ];
  if (report.best != null) parts.push(`best estimate ${report.best.toLocaleString("en")} to go`);
  if (report.memory_bytes) parts.push(`${Math.ceil(report.memory_bytes / 2 ** 20)} MiB`);
  return parts.join(" · ");
}

/** Returns the effort of a search: "1,234 states in 0.5 s". */
export function describeSearch({ seconds, states }) {
  return `${count(states, "state")} in ${seconds.toFixed(2)} s`;
}

const REASONS = {
  "time-limit": "No solution found within the time limit",
  "memory-limit": "The search ran out of memory",
};

/** Returns why a search has no plan. */
export function describeFailure(result) {
  if (result.status === "unsolvable") return DEAD_END;
  const reason = REASONS[result.status] ?? `The search ended without a solution: ${result.status}`;
  return `${reason} (${describeSearch(result)}).`;
}
