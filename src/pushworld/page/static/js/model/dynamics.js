/**
 * The dynamics: an action moves the agent by one cell, together with everything that it pushes,
 * directly or transitively; if any of them would enter a wall, nothing moves.
 */

import { AGENT_WALL, WALL, cellsAt } from "./puzzle.js";

/** The letters of the actions 0 to 3: left, right, up, down. */
export const LETTERS = "LRUD";
/** @type {import("./puzzle.js").Position[]} */
export const DELTAS = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/**
 * Returns the indices of the objects that an action moves, the agent first; null if a wall stops
 * any of them.
 *
 * @param {import("./puzzle.js").Puzzle} puzzle
 * @param {import("./puzzle.js").State} state
 * @param {number} action
 * @returns {?number[]}
 */
export function movedBy(puzzle, state, action) {
  const [dx, dy] = DELTAS[action];
  const owner = ownersOf(puzzle, state);
  const moving = [0];
  const known = new Set(moving);
  for (const index of moving) {
    const stops = index === 0 ? WALL | AGENT_WALL : WALL;
    for (const [x, y] of cellsAt(puzzle.objects[index], state[index])) {
      const place = (y + dy) * puzzle.width + x + dx;
      if (puzzle.cells[place] & stops) return null;
      const pushed = owner.get(place);
      if (pushed !== undefined && !known.has(pushed)) {
        known.add(pushed);
        moving.push(pushed);
      }
    }
  }
  return moving;
}

/** Returns the state with some objects moved by an action. */
export function moved(state, moving, action) {
  const [dx, dy] = DELTAS[action];
  const next = state.slice();
  for (const index of moving) next[index] = [state[index][0] + dx, state[index][1] + dy];
  return next;
}

/** Returns whether an object stands on its goal. */
export function isHome(puzzle, state, index) {
  const { goal } = puzzle.objects[index];
  return Boolean(goal) && goal[0] === state[index][0] && goal[1] === state[index][1];
}

/** Returns how many objects stand on their goals. */
export function achievedGoals(puzzle, state) {
  return state.filter((_, index) => isHome(puzzle, state, index)).length;
}

/** Returns whether all goals hold; a puzzle without goals is never solved. */
export function isSolved(puzzle, state) {
  return puzzle.goals > 0 && achievedGoals(puzzle, state) === puzzle.goals;
}

/**
 * Returns the fewest actions that bring the agent onto a cell without pushing anything, or null.
 *
 * @param {import("./puzzle.js").Puzzle} puzzle
 * @param {import("./puzzle.js").State} state
 * @param {import("./puzzle.js").Position} target
 * @returns {?number[]}
 */
export function walkTo(puzzle, state, [targetX, targetY]) {
  const covers = (position) =>
    cellsAt(puzzle.objects[0], position).some(([x, y]) => x === targetX && y === targetY);
  return walk(puzzle, state, covers);
}

/** Returns the same for a position of the agent, the corner of its shape. */
export function walkToPosition(puzzle, state, [targetX, targetY]) {
  return walk(puzzle, state, ([x, y]) => x === targetX && y === targetY);
}

function walk(puzzle, state, isThere) {
  const agent = puzzle.objects[0];
  const owner = ownersOf(puzzle, state);
  const isFree = (position) =>
    cellsAt(agent, position).every(([x, y]) => {
      const place = y * puzzle.width + x;
      return !(puzzle.cells[place] & (WALL | AGENT_WALL)) && !owner.get(place);
    });
  const keyOf = ([x, y]) => y * puzzle.width + x;
  const cameBy = new Map([[keyOf(state[0]), null]]);
  const queue = [state[0]];
  for (const position of queue) {
    if (isThere(position)) return actionsTo(position, cameBy, keyOf);
    DELTAS.forEach(([dx, dy], action) => {
      const next = /** @type {[number, number]} */ ([position[0] + dx, position[1] + dy]);
      if (!cameBy.has(keyOf(next)) && isFree(next)) {
        cameBy.set(keyOf(next), action);
        queue.push(next);
      }
    });
  }
  return null;
}

/** Returns the action with which the agent, where it is, pushes the object on a cell, or null. */
export function pushTo(puzzle, state, cell) {
  const pushed = objectAt(puzzle, state, cell);
  if (!pushed) return null;
  const found = DELTAS.findIndex(
    (_, action) => movedBy(puzzle, state, action) && touches(puzzle, state, action, pushed),
  );
  return found < 0 ? null : found;
}

/** Returns the actions that walk to an object and push it by another action, or null. */
export function pushObject(puzzle, state, index, action) {
  const others = state.slice(1);
  const way = walk(puzzle, state, (position) => {
    const there = [position, ...others];
    return touches(puzzle, there, action, index) && movedBy(puzzle, there, action);
  });
  return way && [...way, action];
}

/** Returns the index of the object on a cell, or undefined. */
export function objectAt(puzzle, state, [x, y]) {
  return ownersOf(puzzle, state).get(y * puzzle.width + x);
}

/** Returns whether the agent itself would touch an object. */
function touches(puzzle, state, action, index) {
  const [dx, dy] = DELTAS[action];
  const ahead = cellsAt(puzzle.objects[0], [state[0][0] + dx, state[0][1] + dy]);
  const cells = new Set(cellsAt(puzzle.objects[index], state[index]).map(String));
  return ahead.some((cell) => cells.has(String(cell)));
}

function actionsTo(position, cameBy, keyOf) {
  const actions = [];
  let [x, y] = position;
  for (let action; (action = cameBy.get(keyOf([x, y]))) !== null;) {
    actions.push(action);
    x -= DELTAS[action][0];
    y -= DELTAS[action][1];
  }
  return actions.reverse();
}

/** Returns the index of the object on each occupied place of the world. */
function ownersOf(puzzle, state) {
  const owner = new Map();
  puzzle.objects.forEach((thing, index) => {
    for (const [x, y] of cellsAt(thing, state[index])) owner.set(y * puzzle.width + x, index);
  });
  return owner;
}
