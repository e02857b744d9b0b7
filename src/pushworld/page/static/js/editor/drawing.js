/**
 * A puzzle that is being drawn: the ids in each cell, valid or not, with undo and redo.
 *
 * @typedef {{columns: number, rows: number, cells: string[][]}} Content  the ids of each cell
 */

import { PuzzleError, cornerAndShape } from "../model/puzzle.js";
import { formatRows, layersOf, parsePwp } from "../model/pwp.js";

export const MAX_DRAWN_SIDE = 100;

const ORDER = { W: 0, A: 1, M: 2, G: 3 };
const isObject = (id) => id === "A" || id[0] === "M";

export class Drawing {
  #past = [];
  #future = [];
  #written = null;

  /** Makes an empty drawing. Cells have the world's coordinates, so the first one is (1, 1). */
  constructor(columns, rows) {
    /** @type {Content} replaced by each change, never modified */
    this.content = compose(columns, rows, []);
  }

  /** Returns the drawing of a puzzle's text, or throws the parser's error. */
  static fromText(text) {
    const drawing = new Drawing(1, 1);
    drawing.content = contentOf(parsePwp(text));
    return drawing;
  }

  /** Replaces the drawing by a puzzle's text, or throws the parser's error. */
  replaceBy(text) {
    const { content, text: meaning } = Drawing.fromText(text);
    // A change of white space alone adds no step to undo.
    if (meaning === this.text) return;
    this.begin();
    this.content = content;
  }

  get columns() {
    return this.content.columns;
  }

  get rows() {
    return this.content.rows;
  }

  /** The drawing as a `.pwp` text, whether it is a valid puzzle or not. */
  get text() {
    if (this.#written?.content !== this.content) {
      const { columns, rows, cells } = this.content;
      const row = (y) => cells.slice(y * columns, (y + 1) * columns);
      const text = formatRows(Array.from({ length: rows }, (_, y) => row(y)));
      this.#written = { content: this.content, text };
    }
    return this.#written.text;
  }

  /** Returns whether a cell is inside the border. */
  contains([x, y]) {
    return x >= 1 && y >= 1 && x <= this.columns && y <= this.rows;
  }

  /** Returns the ids in a cell. */
  at([x, y]) {
    return this.content.cells[(y - 1) * this.columns + x - 1];
  }

  /** Returns the cells of each id, in reading order. @returns {Map<string, [number, number][]>} */
  cellsById() {
    const found = new Map();
    this.content.cells.forEach((ids, place) => {
      const cell = [(place % this.columns) + 1, Math.floor(place / this.columns) + 1];
      for (const id of ids) {
        if (!found.has(id)) found.set(id, []);
        found.get(id).push(cell);
      }
    });
    return found;
  }

  /** Returns the ids of the movable objects. */
  movables() {
    const names = [...this.cellsById().keys()].filter((id) => id[0] === "M");
    return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  }

  /** Returns an unused id for another object. */
  newMovable() {
    const known = new Set(this.movables().map((id) => id.toUpperCase()));
    let number = 1;
    while (known.has(`M${number}`)) number++;
    return `M${number}`;
  }

  /** Begins a step: the changes that follow are undone together. */
  begin() {
    this.#past.push(this.content);
    this.#future = [];
  }

  /** Ends the step, and drops it if it changed nothing. */
  end() {
    if (this.#past.at(-1) === this.content) this.#past.pop();
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.content);
    this.content = this.#past.pop();
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.content);
    this.content = this.#future.pop();
  }

  /** Adds an id to a cell, and removes the ids that cannot share the cell with it. */
  paint(cell, id) {
    if (!this.contains(cell) || this.at(cell).includes(id)) return;
    const stays = (other) =>
      other[0] === "G" || (id === "AW" && other[0] === "M") || (id[0] === "M" && other === "AW");
    const lost = this.at(cell).filter((other) => !stays(other));
    this.#change(cell, [...this.at(cell).filter(stays), id]);
    for (const other of [id, ...lost]) this.#matchGoal(other);
  }

  /** Removes an id from a cell. */
  remove(cell, id) {
    if (!this.contains(cell) || !this.at(cell).includes(id)) return;
    this.#change(cell, this.at(cell).filter((other) => other !== id));
    this.#matchGoal(id);
  }

  /** Removes walls and objects from a cell; if there are none, removes the goals that cover it. */
  erase(cell) {
    if (!this.contains(cell)) return;
    const solid = this.at(cell).filter((id) => id[0] !== "G");
    for (const id of solid) this.remove(cell, id);
    if (!solid.length) for (const id of this.at(cell)) this.#place(id, []);
  }

  /** Centres the goal of an object on a cell, or as near to it as the border allows. */
  placeGoal(movable, [x, y]) {
    const object = this.cellsById().get(movable);
    if (!object) return;
    const { corner, shape } = cornerAndShape(object);
    const middle = (axis) => Math.floor(Math.max(...shape.map((one) => one[axis])) / 2);
    const offset = [x - middle(0) - corner[0], y - middle(1) - corner[1]];
    this.#place("G" + movable.slice(1), this.#shifted(object, ...offset));
  }

  /** Moves all cells of an id, as far as the border allows. */
  move(id, dx, dy) {
    const cells = this.cellsById().get(id);
    if (cells) this.#place(id, this.#shifted(cells, dx, dy));
  }

  /** Adds rows and columns on the given sides; negative numbers remove them. */
  resize({ left = 0, right = 0, top = 0, bottom = 0 }) {
    const columns = this.columns + left + right;
    const rows = this.rows + top + bottom;
    if (Math.min(columns, rows) < 1 || Math.max(columns, rows) > MAX_DRAWN_SIDE) return;
    const moved = (cells) => cells.map(([x, y]) => [x + left, y + top]);
    const layers = [...this.cellsById()].map(([id, cells]) => [id, moved(cells)]);
    this.content = compose(columns, rows, layers);
  }

  #shifted(cells, dx, dy) {
    const bounded = (by, axis, most) => {
      const values = cells.map((cell) => cell[axis]);
      return Math.max(1 - Math.min(...values), Math.min(by, most - Math.max(...values)));
    };
    const [byX, byY] = [bounded(dx, 0, this.columns), bounded(dy, 1, this.rows)];
    return cells.map(([x, y]) => [x + byX, y + byY]);
  }

  /** Gives a goal the current shape of its object. */
  #matchGoal(movable) {
    if (movable[0] !== "M") return;
    const goal = "G" + movable.slice(1);
    const cells = this.cellsById();
    if (!cells.has(goal) || !cells.has(movable)) return;
    const [from, to] = [cells.get(movable), cells.get(goal)].map(cornerAndShape);
    if (String(from.shape) === String(to.shape)) return;
    const shift = [0, 1].map((axis) => to.corner[axis] - from.corner[axis]);
    this.#place(goal, this.#shifted(cells.get(movable), ...shift));
  }

  /** Makes the given cells the only ones of an id. */
  #place(id, cells) {
    const others = [...this.cellsById()].filter(([other]) => other !== id);
    this.content = compose(this.columns, this.rows, [...others, [id, cells]]);
  }

  #change([x, y], ids) {
    const cells = this.content.cells.slice();
    cells[(y - 1) * this.columns + x - 1] = ids.toSorted(byRank);
    this.content = { ...this.content, cells };
  }
}

/** Returns the content with the given cells of each id; ignores cells outside the border. */
function compose(columns, rows, layers) {
  const cells = Array.from({ length: columns * rows }, () => []);
  for (const [id, where] of layers) {
    for (const [x, y] of where) {
      if (x >= 1 && y >= 1 && x <= columns && y <= rows) cells[(y - 1) * columns + x - 1].push(id);
    }
  }
  for (const ids of cells) ids.sort(byRank);
  return { columns, rows, cells };
}

function contentOf(puzzle) {
  const [columns, rows] = [puzzle.width - 2, puzzle.height - 2];
  if (Math.max(columns, rows) > MAX_DRAWN_SIDE) {
    throw new PuzzleError(
      `the puzzle has ${columns} x ${rows} cells: at most ${MAX_DRAWN_SIDE} on a side can be drawn`,
    );
  }
  return compose(columns, rows, layersOf(puzzle));
}

/** The order of ids in a cell: walls, agent, objects, goals. */
const rank = (id) => (id === "AW" ? 0.5 : ORDER[id[0]]);
const byRank = (a, b) => rank(a) - rank(b);

/** Returns the ids of a cell from top to bottom; the tool Move takes the first one. */
export function fromTop(ids) {
  return ids.toSorted((a, b) => Number(isObject(b)) - Number(isObject(a)) || rank(b) - rank(a));
}
