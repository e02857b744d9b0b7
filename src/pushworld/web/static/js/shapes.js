/** What boards are drawn with: pieces, goals and walls along their outlines, in units of cells. */

import { s } from "./dom.js";
import { roundPath } from "./geometry.js";

const GAP = 0.04;
const BORDER = 0.1;

/** Returns the parts of a piece: a shadow, its body, a pattern that can be switched on, a face. */
export function pieceShape(cells, kind) {
  const body = roundPath(cells, GAP + BORDER / 2, 0.14);
  return [
    s("path", { class: "shadow", d: roundPath(cells, GAP, 0.16), transform: "translate(0 .07)" }),
    s("path", { class: "body", d: body }),
    s("path", { class: "pattern", d: body, fill: `url(#pattern-${kind})` }),
    s("path", { class: "shine", d: roundPath(cells, GAP + BORDER + 0.03, 0.1) }),
    kind === "agent" ? face(cells) : kind === "target" && tick(cells),
  ];
}

/** Returns the parts of a goal's outline. */
export function goalShape(cells) {
  return [
    s("path", { class: "goal-inside", d: roundPath(cells, 0.06, 0.14) }),
    s("path", { class: "goal-line", d: roundPath(cells, 0.1, 0.12) }),
  ];
}

/** Returns the parts of a set of walls. */
export function wallShapes(cells, kind) {
  if (!cells.length) return [];
  const parts = [s("path", { class: kind, d: roundPath(cells, kind === "wall" ? 0 : 0.03, 0.1) })];
  if (kind === "agent-wall") {
    parts.push(
      s("path", { class: "mesh", d: roundPath(cells, 0.03, 0.1), fill: "url(#pattern-mesh)" }),
    );
  }
  return parts;
}

/** Returns a text in the middle of a shape. */
export function label(cells, text, kind) {
  const [x, y] = middleCell(cells);
  const short = Array.from(text).slice(0, 3).join("");
  return s("text", { class: kind, x: x + 0.5, y: y + 0.5 }, short);
}

function face(cells) {
  const [x, y] = middleCell(cells);
  const eye = (dx) => [
    s("circle", { class: "eye", cx: x + 0.5 + dx, cy: y + 0.46, r: 0.13 }),
    s("circle", { class: "pupil", cx: x + 0.5 + dx, cy: y + 0.46, r: 0.06 }),
  ];
  return s("g", { class: "face" }, eye(-0.17), eye(0.17));
}

function tick(cells) {
  const [x, y] = middleCell(cells);
  const d = `M${x + 0.3} ${y + 0.52}l.14 .15 .27 -.31`;
  return s("path", { class: "tick", d });
}

/** Returns the cell nearest to the centre of a shape. */
function middleCell(cells) {
  const mean = (axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length;
  const [cx, cy] = [mean(0), mean(1)];
  const distance = ([x, y]) => (x - cx) ** 2 + (y - cy) ** 2;
  return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
}

/** Returns the floor of a world with its grid. */
export function floorShapes({ width, height }) {
  return [
    s("rect", { class: "floor", width, height }),
    s("rect", { width, height, fill: "url(#pattern-grid)" }),
  ];
}
