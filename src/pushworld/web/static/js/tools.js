/** The tools of the editor: what a stroke over the drawing does. */

import { fromTop } from "./drawing.js";

/** The tools by the keys 1 to 7. */
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

/** The hand that draws: it has a tool, an object that the tool works on, and a stroke. */
export class Hand {
  #drawing;
  #onChange;
  #stroke = null;

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

  /** Whether something is carried, which needs a second press to end. */
  isHeld() {
    return this.#stroke?.carried != null;
  }

  /** Begins a stroke in a cell; one that begins on another object goes on with that object. */
  start(cell) {
    const drawing = this.#drawing;
    drawing.begin();
    const ids = drawing.contains(cell) ? drawing.at(cell) : [];
    const picksUp = this.tool === "object" && !ids.includes(this.movable);
    const other = picksUp && ids.find((id) => id[0] === "M");
    if (other) this.movable = other;
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

  /** Goes on with the stroke in further cells. */
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

  /** Takes the stroke back. */
  cancel() {
    if (this.#stroke) this.#drawing.content = this.#stroke.before;
    this.end();
  }

  /** Clears one cell, whatever the tool. */
  erase(cell) {
    this.#drawing.begin();
    this.#drawing.erase(cell);
    this.end();
  }

  #apply(cell) {
    const drawing = this.#drawing;
    const { id, removes, carried, from, before } = this.#stroke;
    if (this.tool === "move") {
      // From where it was taken, so that it follows the pointer back from beyond the border.
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
