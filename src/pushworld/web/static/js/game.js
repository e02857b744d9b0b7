/** A game: the moves made so far, with unlimited undo and redo. */

import { isSolved, moved, movedBy } from "./dynamics.js";
import { formatPlan, parsePlan, replayPlan } from "./plans.js";
import { progressOf } from "./store.js";

export class Game {
  #actions;
  #states;
  #pushes;

  /**
   * @param {import("./model.js").Puzzle} puzzle
   * @param {number[]} [actions] moves to begin with
   * @param {number} [step] how many of them are made; the others can be redone
   */
  constructor(puzzle, actions = [], step = actions.length) {
    this.puzzle = puzzle;
    const replay = replayPlan(puzzle, actions);
    this.#actions = actions.slice();
    this.#states = replay.states;
    this.#pushes = replay.pushes;
    /** How many moves are made. */
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
   * Makes a move, and returns the objects it moves; null if it has no effect, which is no move.
   * A move that could be redone keeps what could be redone after it.
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

  /** Takes the last move back; returns whether there was one. */
  undo() {
    return this.canUndo && this.step-- > 0;
  }

  /** Makes the move again that was taken back; returns whether there was one. */
  redo() {
    return this.canRedo && ++this.step > 0;
  }

  /** Goes back to the start; redo leads forwards again. Returns whether it was elsewhere. */
  reset() {
    const wasElsewhere = this.canUndo;
    this.step = 0;
    return wasElsewhere;
  }
}

/** Returns the game that an address describes, or the one that was left, or a new one. */
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
