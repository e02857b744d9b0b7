/** What is known about the positions of a puzzle: solutions that pass through them, and dead ends. */

import { parsePlan, replayPlan } from "./plans.js";
import { initialState } from "./puzzle.js";

export class Outlook {
  #solutions = [];
  #deadEnds = new Set();

  /**
   * @param {import("./puzzle.js").Puzzle} puzzle
   * @param {?string} [plan] one that solves it
   */
  constructor(puzzle, plan) {
    this.puzzle = puzzle;
    if (plan) this.learn(initialState(puzzle), { plan });
  }

  /** Learns the result of a search from a state. */
  learn(state, { plan, status }) {
    if (status === "unsolvable") this.#deadEnds.add(String(state));
    if (!plan) return;
    const { actions, states } = replayPlan(this.puzzle, parsePlan(plan), state);
    this.#solutions.unshift({ actions, keys: states.map(String) });
  }

  /** Returns a solution from a state, the latest one known, or null. */
  solutionFrom(state) {
    const key = String(state);
    for (const { actions, keys } of this.#solutions) {
      const step = keys.lastIndexOf(key);
      if (step >= 0) return actions.slice(step);
    }
    return null;
  }

  /**
   * Returns the last step of a game that is known to be solvable, or -1, and the first one that is
   * known to be a dead end, or Infinity.
   *
   * Walking can be undone: of the positions between two pushes, all are solvable or none is.
   *
   * @param {{states: import("./puzzle.js").State[], pushes: number[]}} history
   */
  judge({ states, pushes }) {
    const solved = states.findLastIndex((state) => this.solutionFrom(state));
    const lost = states.findIndex((state) => this.#deadEnds.has(String(state)));
    return {
      solvable: solved < 0 ? -1 : pushes.lastIndexOf(pushes[solved]),
      dead: lost < 0 ? Infinity : pushes.indexOf(pushes[lost]),
    };
  }
}
