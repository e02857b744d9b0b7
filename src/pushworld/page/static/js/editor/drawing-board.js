/** The editor's board: shows a drawing, and turns pointer and keys into strokes. */

import { nameOf } from "../model/descriptions.js";
import { floorShapes, goalInside, goalLine, label, pieceShape, wallShapes } from "../views/board-shapes.js";
import { cellUnder, viewBox } from "../views/board.js";
import { announce, fill, h, s } from "../views/dom.js";
import { Zoom } from "../views/zoom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The surface to draw on.
 *
 * While the pen carries something, a keyboard stroke lasts until the key is pressed again. If the
 * tool Move finds nothing to carry, the pointer scrolls the drawing.
 */
export class DrawingBoard {
  /**
   * @param {import("./drawing.js").Drawing} drawing
   * @param {import("./pen.js").Pen} pen
   */
  constructor(drawing, pen) {
    this.drawing = drawing;
    this.pen = pen;
    /** @type {[number, number]} */
    this.cursor = [1, 1];
    this.carrying = false;
    this.svg = s("svg", { class: "board editable" });
    this.element = h("div", {
      class: "surface",
      role: "application",
      tabindex: "0",
      "aria-label":
        "Drawing. Arrow keys move the cursor, space uses the tool, delete clears the cell.",
      data: { autofocus: "" },
    }, this.svg);
    this.#listenToPointer();
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #listenToPointer() {
    let last = null;
    let panFrom = null;
    const cellOf = (event) => cellUnder(this.svg, event);
    const onPinch = () => {
      if (last) this.pen.cancel();
      last = panFrom = null;
    };
    this.zoom = new Zoom(this.element, this.svg, { onPinch });
    this.element.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button > 0) return;
      last = cellOf(event);
      this.element.setPointerCapture(event.pointerId);
      if (event.pointerType !== "mouse") this.element.focus({ preventScroll: true });
      this.element.classList.remove("by-keys");
      this.#moveCursor(last);
      this.pen.start(last);
      const isEmpty = this.pen.tool === "move" && !this.pen.isCarrying();
      panFrom = isEmpty ? [event.clientX, event.clientY] : null;
    });
    this.element.addEventListener("pointermove", (event) => {
      if (!last || !event.isPrimary) return;
      if (panFrom) {
        const to = [event.clientX, event.clientY];
        this.element.scrollBy(panFrom[0] - to[0], panFrom[1] - to[1]);
        panFrom = to;
        return;
      }
      const cell = cellOf(event);
      this.pen.drag(...cellsBetween(last, cell));
      last = cell;
    });
    for (const type of ["pointerup", "pointercancel"]) {
      this.element.addEventListener(type, () => {
        if (last) this.pen.end();
        last = panFrom = null;
      });
    }
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.element.classList.add("by-keys");
    if (ARROWS[event.key]) {
      const [dx, dy] = ARROWS[event.key];
      this.#moveCursor([this.cursor[0] + dx, this.cursor[1] + dy]);
      if (this.carrying) this.pen.drag(this.cursor);
      this.#showCursor();
      this.cursorMark.scrollIntoView({ block: "nearest", inline: "nearest" });
      this.#announceCell();
    } else if (event.key === " " || event.key === "Enter") {
      this.#useTool();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.pen.erase(this.cursor);
      this.#announceCell();
    } else {
      return;
    }
    event.preventDefault();
  }

  #useTool() {
    if (this.carrying) {
      this.carrying = false;
      this.pen.end();
      announce("Put down.");
      return;
    }
    this.pen.start(this.cursor);
    this.carrying = this.pen.isCarrying();
    if (this.carrying) {
      announce("Taken: arrow keys carry it, space puts it down.");
    } else {
      this.pen.end();
      this.#announceCell();
    }
  }

  #moveCursor([x, y]) {
    const { columns, rows } = this.drawing;
    this.cursor = [Math.max(1, Math.min(x, columns)), Math.max(1, Math.min(y, rows))];
  }

  #announceCell() {
    const names = this.drawing.at(this.cursor).map(nameOf);
    announce(`Column ${this.cursor[0]}, row ${this.cursor[1]}: ${names.join(", ") || "empty"}`);
  }

  #showCursor() {
    const [x, y] = this.cursor;
    this.cursorMark?.setAttribute("transform", `translate(${x} ${y})`);
  }

  /**
   * Shows the drawing.
   *
   * @param {string} selected the object that the tools draw
   * @param {?[number, number]} wrong the cell that an error is about
   */
  show(selected, wrong) {
    this.#moveCursor(this.cursor);
    const size = { width: this.drawing.columns + 2, height: this.drawing.rows + 2 };
    const layers = [...this.drawing.cellsById()];
    const hasGoal = (id) => layers.some(([other]) => other === "G" + id.slice(1));
    const kindOf = (id) => (id === "A" ? "agent" : hasGoal(id) ? "target" : "movable");
    const pick = (first) => layers.filter(([id]) => id[0] === first && id !== "AW");
    const piece = ([id, cells]) =>
      s("g", { class: `piece ${kindOf(id)} ${id === selected ? "selected" : ""}`, data: { id } },
        pieceShape(cells, kindOf(id)),
        id !== "A" && label(cells, id.slice(1), "piece-name"),
      );
    const goal = ([id, cells]) =>
      s("g", { class: "goal", data: { id } },
        goalLine(cells),
        label(cells, id.slice(1), "goal-name"),
      );
    this.cursorMark = s("rect", { class: "cursor", width: 1, height: 1 });
    this.svg.setAttribute("viewBox", viewBox(size));
    this.svg.style.setProperty("--columns", `${size.width - 1}`);
    this.svg.style.setProperty("--rows", `${size.height - 1}`);
    const cellsOf = (wanted) => layers.find(([id]) => id === wanted)?.[1] ?? [];
    fill(
      this.svg,
      floorShapes(size),
      wallShapes(cellsOf("AW"), "agent-wall"),
      wallShapes([...borderCells(size), ...cellsOf("W")], "wall"),
      pick("G").map(([, cells]) => goalInside(cells)),
      [...pick("A"), ...pick("M")].map(piece),
      pick("G").map(goal),
      wrong && s("rect", { class: "wrong", x: wrong[0], y: wrong[1], width: 1, height: 1 }),
      this.cursorMark,
    );
    this.#showCursor();
  }
}

function borderCells({ width, height }) {
  const cells = [];
  for (let x = 0; x < width; x++) cells.push([x, 0], [x, height - 1]);
  for (let y = 1; y < height - 1; y++) cells.push([0, y], [width - 1, y]);
  return cells;
}

/** Returns the cells on the straight line to a cell, so that a quick stroke leaves no gaps. */
function cellsBetween([fromX, fromY], [toX, toY]) {
  const length = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY));
  return Array.from({ length }, (_, i) => [
    Math.round(fromX + ((toX - fromX) * (i + 1)) / length),
    Math.round(fromY + ((toY - fromY) * (i + 1)) / length),
  ]);
}
