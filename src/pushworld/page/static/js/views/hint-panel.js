/** Hints, solutions and dead ends, from the planner. */

import { describeHint, describeLength } from "../model/descriptions.js";
import { addressOf } from "../model/links.js";
import { Outlook } from "../model/outlook.js";
import { firstPushed, formatPlan, nextPushes, replayPlan } from "../model/plans.js";
import { startingFrom } from "../model/puzzle.js";
import { formatPwp } from "../model/pwp.js";
import { read, write } from "../model/storage.js";
import { solve } from "../server/solver.js";
import { announce, button, checkbox, h, toast } from "./dom.js";
import { DEAD_END, NO_SOLVER, SearchPanel } from "./search-panel.js";

const MOST_DEGREE = 2;
const PLAY_MS = 160;
/** Moves made in a row are judged together. */
const WARN_AFTER_MS = 300;
const WARN_SECONDS = 10;
const SEARCH_SECONDS = 60;
const THINKING = "Thinking …";
const NOTHING_FOUND = "No solution was found from here. Go back a few moves, and ask again.";

/** The panel for hints and solutions of a game; only where there are solutions does the page play anything. */
export class HintPanel {
  view; game; tools;
  #outlook;
  #shown = null;
  #search = new SearchPanel();
  #warning = { timer: 0, search: null };

  /** The help that can be seen: "hint-1" to "hint-3", "solution", "dead-end" or null. */
  shown = null;

  /** @param {import("./game-view.js").GameView} view the game, whose log gets all help as it is shown */
  constructor(view, site) {
    Object.assign(this, { view, game: view.game, tools: view.tools });
    this.#outlook = new Outlook(view.puzzle, view.entry.plan);
    this.available = site.solver === true;
    /** Where hints and solutions are shown. */
    this.answer = this.#search.element;
    this.answer.setAttribute("role", "region");
    this.answer.setAttribute("aria-label", "Hint and solution");
    const solve = { icon: "solve", text: "Solve it for me" };
    this.element = h("section", { class: "assist", "aria-label": "Solution and warnings" },
      !this.available && h("p", { class: "quiet" }, NO_SOLVER),
      this.available && this.tools.solution && button(solve, () => this.solve()),
      this.available && this.tools.free && this.#warningBox(),
    );
  }

  #warningBox() {
    return checkbox("Warn me when a move loses the game", this.warns, (warns) => {
      write("warn", warns);
      this.moved();
      this.warn();
    });
  }

  get warns() {
    return this.available && this.tools.free && read("warn", false) === true;
  }

  /** Shows where to look next; while that is shown, what to do; and then how. */
  hint() {
    if (!this.available) return announce(NO_SOLVER);
    if (this.#shown?.degree < MOST_DEGREE) {
      this.#shown.degree++;
      return this.#presentHint();
    }
    return this.#answer("hint", (actions) => {
      const { puzzle, state } = this.game;
      this.#show(nextPushes(puzzle, state, actions), (rest, states) => this.#drawHint(rest, states));
      this.#shown.degree = 0;
      this.#presentHint();
    });
  }

  #drawHint(rest, states) {
    const { puzzle } = this.game;
    const { degree } = this.#shown;
    this.#shown.suggests = rest[0];
    this.view.board.showHint({ states, first: firstPushed(puzzle, states[0], rest), degree });
    const more = { icon: "hint", text: "Tell me more", keys: "H" };
    const doIt = { icon: "play", text: "Do it", kind: "primary" };
    const actions =
      degree < MOST_DEGREE
        ? [button(more, () => this.hint())]
        : [this.tools.solution && button(doIt, () => this.#play(rest))];
    this.#search.show(describeHint(puzzle, states[0], rest, degree, false), actions);
  }

  /** Shows a new hint where it can be seen, and announces it. */
  #presentHint() {
    this.#showRest();
    this.view.board.scrollToHint();
    const { puzzle, state } = this.game;
    const { degree, replay } = this.#shown;
    const rest = replay.actions.slice(stepAt(replay, state));
    announce(describeHint(puzzle, state, rest, degree, true));
    this.shown = `hint-${degree + 1}`;
    this.view.record("hint");
  }

  /** Shows the whole solution. */
  solve() {
    return this.#answer("solution", (actions) => {
      this.view.board.showHint(null);
      const play = { icon: "play", text: "Play it", kind: "primary" };
      const stop = { icon: "pause", text: "Stop", kind: "primary" };
      this.#show(actions, (rest, states, isPlaying) => {
        this.#search.show(this.#describeSolution(rest, states[0]), [
          isPlaying ? button(stop, () => this.#stop()) : button(play, () => this.#play(rest)),
          button({ icon: "next", text: "One move" }, () => this.#play(rest.slice(0, 1))),
          this.tools.free && h("a", { class: "button", href: this.#watchAddress(rest) }, "Watch the solution"),
        ]);
      });
      this.#showRest();
      announce(this.#describeSolution(actions, this.game.state));
      this.shown = "solution";
      this.view.record("solution");
    });
  }

  #play(actions) {
    this.view.run(actions, PLAY_MS, "machine");
  }

  #stop() {
    this.view.stopWalk();
    this.moved();
  }

  #watchAddress(actions) {
    const { plan, step } = this.game;
    return addressOf("watch", this.view.entry, { plan: plan + formatPlan(actions), step });
  }

  #describeSolution(actions, state) {
    const { pushes } = replayPlan(this.game.puzzle, actions, state);
    return `Solved: ${describeLength(actions.length, pushes.at(-1))} from here.`;
  }

  /** Keeps an answer for as long as the player follows it; `draw` shows the remaining moves. */
  #show(actions, draw) {
    this.#shown = { replay: replayPlan(this.game.puzzle, actions, this.game.state), draw };
  }

  /** Shows the remaining moves of the answer; returns whether there are any. */
  #showRest(isPlaying = false) {
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
    this.view.board.showHint(null);
    this.#stopWarning();
    if (this.#showRest(isPlaying)) return;
    this.#shown = this.shown = null;
    this.#search.clear();
  }

  /** Cancels the current search. */
  cancel() {
    this.#search.cancel();
    this.#stopWarning();
  }

  /** Calls `show` with a solution from the current position, searching only if none is known. */
  async #answer(kind, show) {
    this.#stopWarning();
    const { puzzle, state, solved, history } = this.game;
    if (!puzzle.goals) {
      return this.#search.say("This puzzle has no goals: there is nothing to solve.");
    }
    if (solved) return this.#search.say("It is solved already.");
    this.#shown = this.shown = null;
    this.view.board.showHint(null);
    if (!this.#outlook.solutionFrom(state) && this.#outlook.judge(history).dead === Infinity) {
      const back = this.#outlook.wayBack(state);
      if (back) this.#outlook.learn(state, { plan: formatPlan(back) });
      const result = back ? { plan: back } : await this.#searchFrom(state, THINKING, this.#wayBack());
      if (!result?.plan && result?.status !== "unsolvable") {
        this.view.record(kind);
        return result && this.#search.say(NOTHING_FOUND, this.#wayBack());
      }
    }
    const known = this.#outlook.solutionFrom(state);
    if (known) return show(known);
    this.#showDeadEnd(kind);
    return announce(DEAD_END);
  }

  /** Resolves to what a search from a state finds, and learns it; to null if it was cancelled. */
  async #searchFrom(state, text, actions) {
    const pwp = formatPwp(startingFrom(this.game.puzzle, state));
    const ask = (_, signal) => solve(pwp, SEARCH_SECONDS, () => {}, signal);
    const result = await this.#search.follow(text, ask, actions);
    if (result) this.#outlook.learn(state, result);
    return result;
  }

  get #mayGoBack() {
    return this.tools.undo && this.tools.solution;
  }

  /** Returns a button that leads back to a position of which a solution is known. */
  #wayBack() {
    const { solvable } = this.#outlook.judge(this.game.history);
    const back = { icon: "undo", text: `Back to move ${solvable}, which can be solved` };
    return [this.#mayGoBack && solvable >= 0 && button(back, () => this.view.backTo(solvable))];
  }

  /** Shows that the position is a dead end. */
  #showDeadEnd(kind) {
    this.shown = "dead-end";
    this.view.record(kind, { actor: kind === "warning" ? "machine" : "player" });
    const back = { icon: "undo", text: "Back to where it can be solved", kind: "primary" };
    const mayGoBack = this.#mayGoBack && this.game.canUndo;
    this.#search.show(DEAD_END, mayGoBack ? [button(back, () => this.#goBack())] : []);
  }

  /** Goes back to the last position from which a solution is found. */
  async #goBack() {
    const { history } = this.game;
    let isProved = true;
    let { solvable, dead } = this.#outlook.judge(history);
    while (dead - solvable > 1) {
      const middle = Math.floor((solvable + dead) / 2);
      const result = await this.#searchFrom(history.states[middle], "Looking back");
      if (result === null) return;
      const judged = this.#outlook.judge(history);
      isProved &&= Boolean(result.plan) || result.status === "unsolvable";
      solvable = Math.max(solvable, judged.solvable);
      dead = Math.min(dead, judged.dead, result.plan ? Infinity : middle);
    }
    if (solvable < 0) {
      this.#search.say(isProved ? "No position of this game can be solved." : "No such position was found.");
      return;
    }
    this.view.backTo(solvable);
    this.#search.say(
      `This is move ${solvable}, the last position from which ` +
        (isProved ? "it can be solved." : "a solution was found."),
    );
  }

  /**
   * Searches in the background whether the last push has lost the game, and says so if it has,
   * where the player wants that.
   */
  warn() {
    if (this.#shown || !this.warns || this.game.solved) return;
    const { state, history, step } = this.game;
    const { solvable, dead } = this.#outlook.judge(history);
    if (dead <= step) {
      this.#showDeadEnd("warning");
      return;
    }
    if (solvable >= step || !this.game.pushes) return;
    const search = new AbortController();
    const check = async () => {
      const pwp = formatPwp(startingFrom(this.game.puzzle, state));
      // A search that fails warns of nothing.
      const result = await solve(pwp, WARN_SECONDS, () => {}, search.signal).catch(() => null);
      if (search.signal.aborted) return;
      if (result) this.#outlook.learn(state, result);
      if (result?.status !== "unsolvable") return;
      toast("That push lost the game.");
      this.#showDeadEnd("warning");
      announce(DEAD_END);
    };
    this.#warning = { search, timer: setTimeout(check, WARN_AFTER_MS) };
  }

  #stopWarning() {
    clearTimeout(this.#warning.timer);
    this.#warning.search?.abort();
  }
}

/** Returns the last step at which a replay is in a state, or -1. */
function stepAt(replay, state) {
  const key = String(state);
  return replay.states.findLastIndex((one) => String(one) === key);
}
