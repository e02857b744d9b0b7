/** What is known about the positions of a puzzle: solutions that pass through them, and dead ends. */

import { moved, movedBy, walkToPosition } from "./dynamics.js";
import { parsePlan, replayPlan } from "./plans.js";
import { initialState } from "./puzzle.js";

/** How long to look for a way back. */
const PATIENCE_MS = 150;

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
  learn(state, { plan = null, status = "" }) {
    if (status === "unsolvable") this.#deadEnds.add(String(state));
    if (!plan) return;
    const { actions, states } = replayPlan(this.puzzle, parsePlan(plan), state);
    const things = states.map((one) => String(one.slice(1)));
    this.#solutions.unshift({ actions, states, things, keys: new Set(states.map(String)) });
  }

  /** Returns a solution from a state, if walking is all it takes to join one, or null. */
  solutionFrom(state) {
    const here = String(state.slice(1));
    for (const { actions, states, things } of this.#solutions) {
      for (let step = things.lastIndexOf(here); step >= 0; step--) {
        const walk = things[step] === here && walkToPosition(this.puzzle, state, states[step][0]);
        if (walk) return [...walk, ...actions.slice(step)];
      }
    }
    return null;
  }

  /** Returns a solution from a state that soon joins a known one, or null if none is found at once. */
  wayBack(state) {
    const ends = performance.now() + PATIENCE_MS;
    const queue = [{ state, actions: [] }];
    const seen = new Set([String(state)]);
    for (const { state: here, actions } of queue) {
      for (let action = 0; action < 4; action++) {
        const moving = movedBy(this.puzzle, here, action);
        const next = moving && moved(here, moving, action);
        if (!next || seen.has(String(next))) continue;
        seen.add(String(next));
        const way = [...actions, action];
        const rest = moving.length > 1 && this.solutionFrom(next);
        if (rest) return [...way, ...rest];
        queue.push({ state: next, actions: way });
      }
      if (performance.now() > ends) return null;
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
    const keys = states.map(String);
    const solved = keys.findLastIndex((key) => this.#solutions.some((one) => one.keys.has(key)));
    const lost = keys.findIndex((key) => this.#deadEnds.has(key));
    return {
      solvable: solved < 0 ? -1 : pushes.lastIndexOf(pushes[solved]),
      dead: lost < 0 ? Infinity : pushes.indexOf(pushes[lost]),
    };
  }
}
