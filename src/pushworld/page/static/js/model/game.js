/**
 * A game: the moves made so far and who made them, with unlimited undo and redo.
 *
 * A move is made by the `player`, by the player along a shown `hint`, by the `machine` (a solution
 * that is played), or it comes from a `link`, so that nobody knows who found it.
 *
 * @typedef {"player"|"hint"|"machine"|"link"} Actor
 * @typedef {Game} PlayedGame
 */

import { isSolved, moved, movedBy } from "./dynamics.js";
import { formatPlan, parsePlan, replayPlan } from "./plans.js";
import { progressOf, saveProgress } from "./progress.js";

/** @type {Actor[]} */
const ACTORS = ["player", "hint", "machine", "link"];

class Game {
  #actions;
  #actors;
  #states;
  #pushes;

  /**
   * @param {import("./puzzle.js").Puzzle} puzzle
   * @param {number[]} [actions] the first moves
   * @param {number} [step] how many of them are made; redo makes the others
   * @param {Actor[]} [actors] who made each of them
   */
  constructor(puzzle, actions = [], step = actions.length, actors = actions.map(() => "link")) {
    this.puzzle = puzzle;
    const replay = replayPlan(puzzle, actions);
    this.#actions = actions.slice();
    this.#actors = actors.slice();
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

  /** The states from the start to this one, and the number of pushes up to each. */
  get history() {
    const end = this.step + 1;
    return { states: this.#states.slice(0, end), pushes: this.#pushes.slice(0, end) };
  }

  /** The moves made, as a plan. */
  get plan() {
    return formatPlan(this.#actions.slice(0, this.step));
  }

  /** The action of the last move, or undefined. */
  get lastAction() {
    return this.#actions[this.step - 1];
  }

  /** Who made each of the moves. */
  get actors() {
    return this.#actors.slice(0, this.step);
  }

  /** Whose the position is: the player's "own", reached with "help", or nothing of it ("none"). */
  get credit() {
    const { actors } = this;
    if (actors.every((actor) => actor === "player")) return "own";
    return actors.some((actor) => actor === "player" || actor === "hint") ? "help" : "none";
  }

  /**
   * Makes a move and returns the indices of the objects that it moves; null if nothing moves, which
   * does not count as a move. A move that redo would make keeps the undone moves after it.
   *
   * @param {number} action
   * @param {Actor} [actor]
   */
  move(action, actor = "player") {
    const moving = movedBy(this.puzzle, this.state, action);
    if (!moving) return null;
    if (this.#actions[this.step] !== action) {
      this.#actors.splice(this.step);
      this.#actions.splice(this.step, Infinity, action);
      this.#states.splice(this.step + 1, Infinity, moved(this.state, moving, action));
      this.#pushes.splice(this.step + 1, Infinity, this.pushes + (moving.length > 1 ? 1 : 0));
    }
    this.#actors[this.step++] = actor;
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
    const { current = "", actors = "" } = entry.key ? progressOf(entry.key) : {};
    return resumedGame(puzzle, { plan: current, actors });
  } catch {
    return new Game(puzzle);
  }
}

/**
 * Returns a game at a step of a plan; redo makes the moves after it.
 *
 * @param {import("./puzzle.js").Puzzle} puzzle
 * @param {{plan: string, actors: string, step?: number}} saved who made each move, by first letters
 */
export function resumedGame(puzzle, { plan, actors, step }) {
  const actions = parsePlan(plan);
  const makers = actions.map((_, i) => ACTORS.find((actor) => actor[0] === actors[i]));
  return new Game(puzzle, actions, step, makers.map((actor) => actor ?? "player"));
}

/** Saves a game, to be continued later; a solved one is begun anew. */
export function saveGame(game, entry) {
  if (!entry.key) return;
  const actors = game.actors.map((actor) => actor[0]).join("");
  saveProgress(entry.key, game.solved ? { current: "", actors: "" } : { current: game.plan, actors });
}

/** Counts a solved game for the player; returns the best solution before it. */
export function countSolution(game, entry) {
  if (!entry.key) return undefined;
  const { best, fewest = Infinity } = progressOf(entry.key);
  const { plan, step: moves, pushes, credit } = game;
  if (credit === "help") saveProgress(entry.key, { helped: true });
  if (credit === "own") saveProgress(entry.key, { fewest: Math.min(fewest, pushes) });
  if (credit === "own" && !(best?.moves <= moves)) {
    saveProgress(entry.key, { best: { plan, moves, pushes } });
  }
  return best;
}
