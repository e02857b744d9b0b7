/** Hints and solutions from the planner on the server. */

import { describeActions, describeLength, inArrows, inWords } from "../model/descriptions.js";
import { nextPushes, parsePlan, replayPlan } from "../model/plans.js";
import { startingFrom } from "../model/puzzle.js";
import { formatPwp } from "../model/pwp.js";
import { announce, button, h } from "./dom.js";
import { NO_SOLVER, SearchPanel, describeFailure, limitField } from "./search-panel.js";

/**
 * The panel for hints and solutions of a game.
 *
 * `onHint(states)` shows a hint on the board, `onPlay(actions)` plays moves, `onStop()` stops
 * playing, `onAsk()` is called for each question, and `watchAddress(actions)` returns the address
 * where a solution can be watched.
 */
export class HintPanel {
  #solution = null;
  #shown = null;
  #search = new SearchPanel();

  constructor({ site, game, onHint, onPlay, onStop, onAsk, watchAddress }) {
    Object.assign(this, { game, onHint, onPlay, onStop, onAsk, watchAddress });
    this.element = h("section", { class: "assist", "aria-label": "Hint and solution" });
    this.available = site.solver === true;
    if (!this.available) {
      this.element.append(h("p", { class: "quiet" }, NO_SOLVER));
      return;
    }
    this.limit = limitField();
    this.element.append(
      h(
        "div",
        { class: "row" },
        button({ icon: "hint", text: "Hint", keys: "H" }, () => this.hint()),
        button({ icon: "solve", text: "Solve" }, () => this.solve()),
        h("span", { class: "limit" }, this.limit),
      ),
      this.#search.element,
    );
  }

  /** Shows the next pushes of a solution. */
  hint() {
    if (!this.available) return announce(NO_SOLVER);
    return this.#answer((actions) => {
      const { puzzle, state } = this.game;
      const next = nextPushes(puzzle, state, actions);
      this.#show(next, (rest, states) => {
        this.#shown.suggests = rest[0];
        this.onHint(states);
        this.#search.show(describeActions(puzzle, states[0], rest, inArrows), [
          button({ icon: "play", text: "Do it", kind: "primary" }, () => this.onPlay(rest)),
        ]);
      });
      announce(describeActions(puzzle, state, next, inWords));
    });
  }

  /** Shows the whole solution. */
  solve() {
    return this.#answer((actions) => {
      this.onHint([]);
      const play = { icon: "play", text: "Play it", kind: "primary" };
      const stop = { icon: "pause", text: "Stop", kind: "primary" };
      this.#show(actions, (rest, states, isPlaying) => {
        this.#search.show(this.#describeSolution(rest, states[0]), [
          isPlaying
            ? button(stop, () => this.onStop())
            : button(play, () => this.onPlay(rest)),
          button({ icon: "next", text: "One move" }, () => this.onPlay(rest.slice(0, 1))),
          h("a", { class: "button", href: this.watchAddress(rest) }, "Watch"),
        ]);
      });
      announce(this.#describeSolution(actions, this.game.state));
    });
  }

  #describeSolution(actions, state) {
    const { pushes } = replayPlan(this.game.puzzle, actions, state);
    return `Solved: ${describeLength(actions.length, pushes.at(-1))} from here.`;
  }

  /** Shows an answer for as long as the player follows it; `draw` shows the remaining moves. */
  #show(actions, draw) {
    this.#shown = { replay: replayPlan(this.game.puzzle, actions, this.game.state), draw };
    this.#showRest(false);
  }

  /** Shows the remaining moves of the answer; returns whether there are any. */
  #showRest(isPlaying) {
    if (!this.#shown) return false;
    const { replay, draw } = this.#shown;
    const step = stepAt(replay, this.game.state);
    const rest = replay.actions.slice(step);
    if (step < 0 || !rest.length) return false;
    draw(rest, replay.states.slice(step), isPlaying);
    return true;
  }

  /** Returns whether an action is the next one of a shown hint. */
  suggests(action) {
    return this.#shown?.suggests === action;
  }

  /** Updates the answer when the position has changed; removes it if the player has left it. */
  moved({ isPlaying = false } = {}) {
    this.onHint([]);
    if (this.#showRest(isPlaying)) return;
    this.#shown = null;
    this.#search.clear();
  }

  /** Cancels the current search. */
  cancel() {
    this.#search.cancel();
  }

  /** Calls `show` with a solution from the current position, searching only if none is known. */
  async #answer(show) {
    this.onAsk();
    const { puzzle, state, solved } = this.game;
    if (!puzzle.goals) {
      return this.#search.say("This puzzle has no goals: there is nothing to solve.");
    }
    if (solved) return this.#search.say("It is solved already.");
    const known = this.#knownActions();
    if (known) return show(known);
    this.#shown = null;
    this.onHint([]);
    const pwp = formatPwp(startingFrom(puzzle, state));
    const result = await this.#search.search(pwp, Number(this.limit.value));
    if (result === null) return;
    if (result.plan === null) return this.#search.say(describeFailure(result));
    this.#solution = replayPlan(puzzle, parsePlan(result.plan), state);
    show(this.#solution.actions);
  }

  /** Returns the rest of the last solution if the position is on its path, or null. */
  #knownActions() {
    const index = stepAt(this.#solution, this.game.state);
    return index < 0 ? null : this.#solution.actions.slice(index);
  }
}

/** Returns the last step at which a replay is in a state, or -1. */
function stepAt(replay, state) {
  const key = String(state);
  return replay?.states.findLastIndex((one) => String(one) === key) ?? -1;
}
