/** A game: the moves made so far, with unlimited undo and redo. */

import { isSolved, moved, movedBy } from "./dynamics.js";
import { formatPlan, parsePlan, replayPlan } from "./plans.js";
import { progressOf } from "./progress.js";

class Game {
  #actions;
  #states;
  #pushes;

  /**
   * @param {import("./puzzle.js").Puzzle} puzzle
   * @param {number[]} [actions] the first moves
   * @param {number} [step] how many of them are made; redo makes the others
   */
  constructor(puzzle, actions = [], step = actions.length) {
    this.puzzle = puzzle;
    const replay = replayPlan(puzzle, actions);
    this.#actions = actions.slice();
    this.#states = replay.states;
    this.#pushes = replay.pushes;
    /** The number of moves made. */
    this.step = Math.max(0, Math.min(step, actions.length));
  }

  get state() {
    return this.#states[this.step];
  }

  get pushes() {
    return this.#pushes[this.step];
  }

  get solved() {
    return isSolved(this.puzzle, this.state);
  }

  get canUndo() {
    return this.step > 0;
  }

  get canRedo() {
    return this.step < this.#actions.length;
  }

  /** The moves made, as a plan. */
  get plan() {
    return formatPlan(this.#actions.slice(0, this.step));
  }

  /** The action of the last move, or undefined. */
  get lastAction() {
    return this.#actions[this.step - 1];
  }

  /**
   * Makes a move and returns the indices of the objects that it moves; null if nothing moves, which
   * does not count as a move. A move that redo would make keeps the undone moves after it.
   */
  move(action) {
    const moving = movedBy(this.puzzle, this.state, action);
    if (!moving) return null;
    if (this.#actions[this.step] !== action) {
      this.#actions.splice(this.step, Infinity, action);
      this.#states.splice(this.step + 1, Infinity, moved(this.state, moving, action));
      this.#pushes.splice(this.step + 1, Infinity, this.pushes + (moving.length > 1 ? 1 : 0));
    }
    this.step++;
    return moving;
  }

  /** Undoes the last move; returns whether there was one. */
  undo() {
    return this.canUndo && this.step-- > 0;
  }

  /** Makes an undone move again; returns whether there was one. */
  redo() {
    return this.canRedo && ++this.step > 0;
  }

  /** Undoes all moves, which can be redone; returns whether there were any. */
  reset() {
    const hadMoves = this.canUndo;
    this.step = 0;
    return hadMoves;
  }
}

/** Returns the game in the address, the saved game, or a new one. */
export function startGame(puzzle, entry, query) {
  if (query.has("plan")) {
    const actions = parsePlan(query.get("plan"));
    const step = query.has("step") ? Number.parseInt(query.get("step"), 10) || 0 : actions.length;
    return new Game(puzzle, actions, step);
  }
  try {
    return new Game(puzzle, parsePlan((entry.key && progressOf(entry.key).current) || ""));
  } catch {
    return new Game(puzzle);
  }
}
