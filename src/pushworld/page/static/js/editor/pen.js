/** The editor's tools, and what a stroke with each of them does to the drawing. */

import { fromTop } from "./drawing.js";

/** The tools in the order of the keys 1 to 7. */
export const TOOLS = [
  ["wall", "Wall"],
  ["agent-wall", "Agent wall"],
  ["agent", "Agent"],
  ["object", "Object"],
  ["goal", "Goal"],
  ["move", "Move"],
  ["erase", "Erase"],
];

const BRUSHES = { wall: "W", "agent-wall": "AW", agent: "A" };

/** What draws: the current tool, the object that it draws, and the current stroke. */
export class Pen {
  #drawing;
  #onChange;
  #stroke = null;
  #isChosen = false;

  /**
   * @param {import("./drawing.js").Drawing} drawing
   * @param {() => void} onChange called after each change
   */
  constructor(drawing, onChange) {
    this.#drawing = drawing;
    this.#onChange = onChange;
    this.tool = "wall";
    this.movable = "M1";
  }

  /** Sets the object to draw; one chosen by its name may have parts that lie apart. */
  choose(movable, isByName) {
    this.movable = movable;
    this.#isChosen = isByName;
  }

  /** Returns whether the object has cells, none of them beside a cell. */
  #isAway([x, y]) {
    const cells = this.#drawing.cellsById().get(this.movable) ?? [];
    return cells.length > 0 && cells.every(([a, b]) => Math.abs(a - x) + Math.abs(b - y) > 1);
  }

  /** Returns whether the tool Move carries something. */
  isCarrying() {
    return this.#stroke?.carried != null;
  }

  /**
   * Begins a stroke in a cell. One that begins on another object continues that object, and one away
   * from the object begins a new one, unless the object was chosen by its name.
   */
  start(cell) {
    const drawing = this.#drawing;
    drawing.begin();
    const ids = drawing.contains(cell) ? drawing.at(cell) : [];
    const picksUp = this.tool === "object" && !ids.includes(this.movable);
    const other = picksUp && ids.find((id) => id[0] === "M");
    if (other) this.choose(other, false);
    else if (picksUp && !this.#isChosen && this.#isAway(cell)) this.movable = drawing.newMovable();
    const id = this.tool === "object" ? this.movable : BRUSHES[this.tool];
    const removes = ids.includes(id) && !other;
    this.#stroke = { id, removes, from: cell, before: drawing.content };
    if (this.tool === "move") {
      this.#stroke.carried = fromTop(ids)[0];
      if (this.#stroke.carried?.[0] === "M") this.movable = this.#stroke.carried;
    }
    this.#apply(cell);
    this.#onChange();
  }

  /** Continues the stroke through further cells. */
  drag(...cells) {
    if (!this.#stroke || !cells.length) return;
    for (const cell of cells) this.#apply(cell);
    this.#onChange();
  }

  /** Ends the stroke. */
  end() {
    this.#stroke = null;
    this.#drawing.end();
    this.#onChange();
  }

  /** Undoes the stroke. */
  cancel() {
    if (this.#stroke) this.#drawing.content = this.#stroke.before;
    this.end();
  }

  /** Clears a cell, whatever the tool is. */
  erase(cell) {
    this.#drawing.begin();
    this.#drawing.erase(cell);
    this.end();
  }

  #apply(cell) {
    const drawing = this.#drawing;
    const { id, removes, carried, from, before } = this.#stroke;
    if (this.tool === "move") {
      // Always from its first place, so that it follows the pointer back from beyond the border.
      drawing.content = before;
      const isElsewhere = cell[0] !== from[0] || cell[1] !== from[1];
      if (carried && isElsewhere) drawing.move(carried, cell[0] - from[0], cell[1] - from[1]);
    } else if (this.tool === "goal") {
      drawing.placeGoal(this.movable, cell);
    } else if (this.tool === "erase") {
      drawing.erase(cell);
    } else if (removes) {
      drawing.remove(cell, id);
    } else {
      drawing.paint(cell, id);
    }
  }
}
