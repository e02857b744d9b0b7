/** Hints and solutions: asks the planner on the server, and shows how far it is. */

import { announce, button, h, select } from "./dom.js";
import { startingFrom } from "./model.js";
import { nextPushes, parsePlan, replayPlan } from "./plans.js";
import { formatPwp } from "./pwp.js";
import { NO_SOLVER, SearchBox, describeFailure } from "./searching.js";
import { describeActions, describeLengths } from "./words.js";

const LIMITS = [
  ["10", "10 s"],
  ["60", "1 min"],
  ["300", "5 min"],
];

/**
 * The panel for hints and solutions of a game.
 *
 * `game` gives puzzle and state; `onHint(states)` shows a hint on the board, `onPlay(actions)`
 * plays moves, `onAsk()` is told about each question, and `watchAddress(actions)` is where a
 * solution can be watched.
 */
export class Assistant {
  #solution = null;
  #box = new SearchBox();

  constructor({ site, game, onHint, onPlay, onAsk, watchAddress }) {
    Object.assign(this, { game, onHint, onPlay, onAsk, watchAddress });
    this.limit = "60";
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
      this.#box.element,
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
      this.#box.say(text, [
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
      this.#box.say(`Solved: ${lengths} from here.`, [
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
    this.#box.clear();
  }

  /** Ends the search, if one runs. */
  cancel() {
    this.#box.cancel();
  }

  /** Calls `show` with a solution from the current position, after a search if none is known. */
  async #answer(show) {
    this.onAsk();
    const { puzzle, state, solved } = this.game;
    if (!puzzle.goals) return this.#box.say("This puzzle has no goals: there is nothing to solve.");
    if (solved) return this.#box.say("It is solved already.");
    const known = this.#knownActions();
    if (known) return show(known);
    const pwp = formatPwp(startingFrom(puzzle, state));
    const result = await this.#box.search(pwp, Number(this.limit));
    if (result === null) return;
    if (result.plan === null) return this.#box.say(describeFailure(result));
    this.#solution = replayPlan(puzzle, parsePlan(result.plan), state);
    show(this.#solution.actions);
  }

  /** Returns the rest of the last solution if the position is on its way, or null. */
  #knownActions() {
    const key = String(this.game.state);
    const index = this.#solution?.states.findLastIndex((state) => String(state) === key) ?? -1;
    return index < 0 ? null : this.#solution.actions.slice(index);
  }
}
