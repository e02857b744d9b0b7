/** Hints and solutions: asks the planner on the server, and shows how far it is. */

import { announce, button, count, fill, h, select } from "./dom.js";
import { startingFrom } from "./model.js";
import { nextPushes, parsePlan, replayPlan } from "./plans.js";
import { formatPwp } from "./pwp.js";
import { solve } from "./solver.js";
import { describeActions, describeLengths } from "./words.js";

const LIMITS = [
  ["10", "10 s"],
  ["60", "1 min"],
  ["300", "5 min"],
];

export const NO_SOLVER =
  "Hints and solutions need the solver, and this is a static site without one. " +
  "Run “pushworld play” on your computer to have it.";

/**
 * The panel for hints and solutions of a game.
 *
 * `game` gives puzzle and state; `onHint(states)` shows a hint on the board, `onPlay(actions)`
 * plays moves, `onAsk()` is told about each question, and `watchAddress(actions)` is where a
 * solution can be watched.
 */
export class Assistant {
  #solution = null;
  #search = null;

  constructor({ site, game, onHint, onPlay, onAsk, watchAddress }) {
    Object.assign(this, { game, onHint, onPlay, onAsk, watchAddress });
    this.limit = "60";
    this.output = h("div", { class: "answer" });
    this.element = h("section", { class: "assist", "aria-label": "Hint and solution" });
    this.available = site.solver === true;
    if (!this.available) {
      this.element.append(h("p", { class: "quiet" }, NO_SOLVER));
      return;
    }
    this.element.append(
      h(
        "div",
        { class: "row" },
        button({ icon: "hint", text: "Hint", keys: "H" }, () => this.hint()),
        button({ icon: "solve", text: "Solve" }, () => this.solve()),
        h(
          "span",
          { class: "limit" },
          select("Time limit of the solver", LIMITS, this.limit, (value) => (this.limit = value)),
        ),
      ),
      this.output,
    );
  }

  /** Shows the next pushes of a solution. */
  hint() {
    if (!this.available) return announce(NO_SOLVER);
    return this.#answer((actions) => {
      const { puzzle, state } = this.game;
      const next = nextPushes(puzzle, state, actions);
      const text = describeActions(puzzle, state, next);
      this.onHint(replayPlan(puzzle, next, state).states);
      this.#say(text, [
        button({ icon: "play", text: "Do it", kind: "primary" }, () => this.onPlay(next)),
      ]);
    });
  }

  /** Shows the whole solution. */
  solve() {
    return this.#answer((actions) => {
      const { puzzle, state } = this.game;
      const lengths = describeLengths(
        actions.length,
        replayPlan(puzzle, actions, state).pushes.at(-1),
      );
      this.#say(`Solved: ${lengths} from here.`, [
        button({ icon: "play", text: "Play it", kind: "primary" }, () => this.onPlay(actions)),
        button({ icon: "next", text: "One move" }, () => this.onPlay(actions.slice(0, 1), true)),
        h("a", { class: "button", href: this.watchAddress(actions) }, "Watch"),
      ]);
    });
  }

  /** To be called when the position has changed: what was said does not apply any more. */
  moved({ keepAnswer = false } = {}) {
    this.onHint([]);
    if (keepAnswer) return;
    this.cancel();
    fill(this.output);
  }

  /** Ends the search, if one runs. */
  cancel() {
    this.#search?.abort();
    this.#search = null;
  }

  /** Calls `show` with a solution from the current position, after a search if none is known. */
  async #answer(show) {
    this.onAsk();
    const { puzzle, state, solved } = this.game;
    if (!puzzle.goals) return this.#say("This puzzle has no goals: there is nothing to solve.");
    if (solved) return this.#say("It is solved already.");
    const known = this.#knownActions();
    if (known) return show(known);
    this.cancel();
    const search = new AbortController();
    this.#search = search;
    const status = h("p", { class: "search-status" }, "Searching");
    const cancel = button({ icon: "close", text: "Cancel" }, () => {
      this.cancel();
      this.#say("Cancelled.");
    });
    fill(
      this.output,
      h("progress", { "aria-label": "Search" }),
      status,
      h("div", { class: "row" }, cancel),
    );
    announce("Searching for a solution.");
    try {
      const pwp = formatPwp(startingFrom(puzzle, state));
      const onReport = (report) => (status.textContent = describeReport(report));
      const result = await solve(pwp, Number(this.limit), onReport, search.signal);
      if (search !== this.#search) return;
      this.#search = null;
      if (result.plan === null) return this.#say(describeFailure(result));
      this.#solution = replayPlan(puzzle, parsePlan(result.plan), state);
      show(this.#solution.actions);
    } catch (error) {
      if (search === this.#search) this.#say(error.message);
    }
  }

  /** Returns the rest of the last solution if the position is on its way, or null. */
  #knownActions() {
    const key = String(this.game.state);
    const index = this.#solution?.states.findLastIndex((state) => String(state) === key) ?? -1;
    return index < 0 ? null : this.#solution.actions.slice(index);
  }

  #say(text, actions = []) {
    fill(this.output, h("p", {}, text), actions.length > 0 && h("div", { class: "row" }, actions));
    announce(text);
  }
}

/** Returns how far a search is. */
export function describeReport(report) {
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

/** Returns why a search has no plan. */
export function describeFailure({ status, seconds, states }) {
  const effort = `${count(states, "state")} in ${seconds.toFixed(1)} s`;
  switch (status) {
    case "unsolvable":
      return `This is a dead end: it is proved that no moves lead from here to a solution (${effort}).`;
    case "time-limit":
      return `No solution found within the time limit (${effort}). Allow more time, or undo a few moves.`;
    case "memory-limit":
      return `The search ran out of memory (${effort}). Undo a few moves and try again.`;
    default:
      return `The search ended without a solution: ${status} (${effort}).`;
  }
}
