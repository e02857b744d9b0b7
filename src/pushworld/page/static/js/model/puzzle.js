/**
 * The puzzle, validated. Mirrors `pushworld.puzzle.model`, including its messages.
 *
 * @typedef {[number, number]} Position  a cell of the world as x (to the right) and y (downwards)
 * @typedef {Position[]} State  the positions of all objects, the agent first
 * @typedef {{name: string, shape: Position[], start: Position, goal: ?Position}} Thing
 * @typedef {{name: string, width: number, height: number, objects: Thing[], goals: number,
 *   cells: Uint8Array}} Puzzle  `cells` holds WALL and AGENT_WALL at y * width + x; the objects
 *   1 to `goals` are those that have goals
 */

export const MAX_SIDE = 1000;
const MAX_OBJECTS = 1000;
export const WALL = 1;
export const AGENT_WALL = 2;

/** A puzzle that breaks a rule, with its place in the text or in the world if there is one. */
export class PuzzleError extends Error {
  problem; line; column; cell;

  /**
   * @param {string} problem what is wrong, without the place
   * @param {{line?: number, column?: number, cell?: Position}} [place]
   */
  constructor(problem, { line, column, cell } = {}) {
    const parts = [];
    if (line !== undefined) parts.push(`line ${line}`);
    if (column !== undefined) parts.push(`column ${column}`);
    if (line === undefined && cell) parts.push(`cell (${cell[0]}, ${cell[1]})`);
    super(parts.length ? `${parts.join(", ")}: ${problem}` : problem);
    Object.assign(this, { problem, line, column, cell });
  }
}

/**
 * Returns the puzzle made of the given parts, or throws a PuzzleError.
 *
 * @param {{width: number, height: number, agent: Thing, movables: Thing[], walls: Position[],
 *   agentWalls: Position[], name?: string}} parts
 * @returns {Puzzle}
 */
export function makePuzzle({ width, height, agent, movables, walls, agentWalls, name = "" }) {
  checkSize(width, height);
  const cells = new Uint8Array(width * height);
  for (let x = 0; x < width; x++) cells[x] = cells[(height - 1) * width + x] = WALL;
  for (let y = 0; y < height; y++) cells[y * width] = cells[y * width + width - 1] = WALL;
  for (const [x, y] of walls) cells[y * width + x] |= WALL;
  for (const [x, y] of agentWalls) cells[y * width + x] |= AGENT_WALL;
  const objects = [agent, ...movables.toSorted(compareThings)];
  if (objects.length > MAX_OBJECTS) {
    throw new PuzzleError(`there are ${objects.length} objects; at most ${MAX_OBJECTS} are allowed`);
  }
  checkOverlaps(objects, cells, width);
  const goals = objects.filter((thing) => thing.goal).length;
  return { name, width, height, objects, goals, cells };
}

/** Throws a PuzzleError if a world cannot have this size. */
export function checkSize(width, height) {
  if ([width, height].some((side) => side < 3 || side > MAX_SIDE)) {
    throw new PuzzleError(
      `the world is ${width} x ${height} cells with its border; each side must be 3 to ${MAX_SIDE}`,
    );
  }
}

function checkOverlaps(objects, cells, width) {
  const owner = new Map();
  objects.forEach((thing, index) => {
    for (const cell of cellsAt(thing, thing.start)) {
      const place = cell[1] * width + cell[0];
      const flags = cells[place];
      if (flags & WALL) throw new PuzzleError(`${thing.name} overlaps a wall`, { cell });
      if (index === 0 && flags & AGENT_WALL) {
        throw new PuzzleError(`${thing.name} overlaps an agent wall`, { cell });
      }
      if (owner.has(place)) {
        throw new PuzzleError(`${thing.name} overlaps ${owner.get(place)}`, { cell });
      }
      owner.set(place, thing.name);
    }
  });
}

/** Returns the cells of the world that an object covers at a position, in reading order. */
export function cellsAt(thing, [px, py]) {
  return thing.shape.map(([x, y]) => [px + x, py + y]);
}

/** Returns the cells of the world that carry a flag, in reading order. */
export function cellsWith(puzzle, flag) {
  const found = [];
  puzzle.cells.forEach((flags, place) => {
    if (flags & flag) found.push([place % puzzle.width, Math.floor(place / puzzle.width)]);
  });
  return found;
}

/** Returns "agent", "target" (an object with a goal) or "movable". */
export function kindOf(thing) {
  return thing.name.toUpperCase() === "A" ? "agent" : thing.goal ? "target" : "movable";
}

/** Returns the positions of all objects at the start. */
export function initialState(puzzle) {
  return puzzle.objects.map((thing) => thing.start);
}

/** Returns the puzzle that starts in another state. */
export function startingFrom(puzzle, state) {
  const objects = puzzle.objects.map((thing, i) => ({ ...thing, start: state[i] }));
  return { ...puzzle, objects };
}

/**
 * Returns the top-left corner of the cells' bounding box and the cells relative to it, sorted.
 *
 * @param {Position[]} cells
 * @returns {{corner: Position, shape: Position[]}}
 */
export function cornerAndShape(cells) {
  const [left, top] = cells.reduce(([a, b], [x, y]) => [Math.min(a, x), Math.min(b, y)]);
  const shape = cells.map(([x, y]) => /** @type {Position} */ ([x - left, y - top]));
  shape.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return { corner: [left, top], shape };
}

/** Objects with goals first, then by name with numbers in numeric order: M2 before M10. */
function compareThings(a, b) {
  if (!a.goal !== !b.goal) return a.goal ? -1 : 1;
  const [upperA, upperB] = [a.name.toUpperCase(), b.name.toUpperCase()];
  const [partsA, partsB] = [upperA, upperB].map((text) => text.match(/[0-9]+|[^0-9]+/g));
  for (let i = 0; i < Math.min(partsA.length, partsB.length); i++) {
    const order = compareParts(partsA[i], partsB[i]);
    if (order) return order;
  }
  return partsA.length - partsB.length || compareText(upperA, upperB);
}

function compareParts(a, b) {
  const [numberA, numberB] = [a, b].map((part) => /^[0-9]/.test(part));
  if (numberA !== numberB) return numberA ? -1 : 1;
  if (!numberA) return compareText(a, b);
  const [bigA, bigB] = [BigInt(a), BigInt(b)];
  return bigA < bigB ? -1 : bigA > bigB ? 1 : 0;
}

/** Compares by code points, where `<` would compare halves of surrogate pairs. */
function compareText(a, b) {
  const [pointsA, pointsB] = [a, b].map((text) => Array.from(text, (c) => c.codePointAt(0)));
  for (let i = 0; i < Math.min(pointsA.length, pointsB.length); i++) {
    if (pointsA[i] !== pointsB[i]) return pointsA[i] - pointsB[i];
  }
  return pointsA.length - pointsB.length;
}
