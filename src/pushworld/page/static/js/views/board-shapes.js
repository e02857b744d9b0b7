/** The SVG shapes of a board: pieces, goals, walls and floor, in units of cells. */

import { roundPath, tiesBetween } from "../model/outlines.js";
import { s } from "./dom.js";

const GAP = 0.04;
const BORDER = 0.1;

/**
 * Returns the parts of a piece: ties between its parts, shadow, body, pattern for the safe palette,
 * face or tick.
 */
export function pieceShape(cells, kind) {
  const body = roundPath(cells, GAP + BORDER / 2, 0.14);
  return [
    tie(cells),
    s("path", { class: "shadow", d: roundPath(cells, GAP, 0.16), transform: "translate(0 .07)" }),
    s("path", { class: "body", d: body }),
    s("path", { class: "pattern", d: body, fill: `url(#pattern-${kind})` }),
    s("path", { class: "shine", d: roundPath(cells, GAP + BORDER + 0.03, 0.1) }),
    kind === "agent" ? face(cells) : kind === "target" && tick(cells),
  ];
}

/** Returns the outline of a goal, which lies over all pieces. */
export function goalLine(cells) {
  return s("path", { class: "goal-line", d: roundPath(cells, 0.1, 0.12) });
}

/** Returns lines between the nearest cells of parts that do not touch, or null. */
function tie(cells) {
  const d = tiesBetween(cells).map(
    ([[ax, ay], [bx, by]]) => `M${ax + 0.5} ${ay + 0.5}L${bx + 0.5} ${by + 0.5}`,
  );
  return d.length ? s("path", { class: "tie", d: d.join("") }) : null;
}

/** Returns the outline of a hint around a shape. */
export function hintOutline(cells, kind) {
  return s("path", { class: kind, d: roundPath(cells, kind === "hint-mark" ? -0.1 : 0.1, 0.15) });
}

/** Returns the inside of a goal, with ties between its parts, which lies below all pieces. */
export function goalInside(cells) {
  return [tie(cells), s("path", { class: "goal-inside", d: roundPath(cells, 0.06, 0.14) })];
}

/** Returns the parts of a set of walls. */
export function wallShapes(cells, kind) {
  if (!cells.length) return [];
  const d = roundPath(cells, 0, 0.1);
  const face = s("path", { class: kind, d });
  if (kind === "wall") return [s("path", { class: "shadow", d, transform: "translate(0 .09)" }), face];
  return [
    face,
    s("path", { d, fill: "url(#pattern-mesh)" }),
    s("path", { class: "agent-wall-line", d: roundPath(cells, 0.03, 0.05) }),
  ];
}

/** Returns a text in the middle of a shape. */
export function label(cells, text, kind) {
  const [x, y] = middle(cells);
  // Browsers round or refuse font sizes far below a pixel, so the text is scaled down.
  const transform = `translate(${x} ${y}) scale(.01)`;
  return s("text", { class: kind, transform }, Array.from(text).slice(0, 3).join(""));
}

function face(cells) {
  const [x, y, room] = middle(cells);
  const eye = (cx) => [
    s("circle", { class: "eye", cx, cy: -0.04, r: 0.13 }),
    s("circle", { class: "pupil", cx, cy: -0.04, r: 0.06 }),
  ];
  const transform = `translate(${x} ${y}) scale(${room > 0.5 ? 1.8 : 1})`;
  return s("g", { class: "face", transform }, eye(-0.17), eye(0.17));
}

function tick(cells) {
  const [x, y] = middle(cells);
  return s("path", { class: "tick", d: `M${x - 0.2} ${y + 0.02}l.14 .15 .27 -.31` });
}

/**
 * Returns the centre of a shape, or of the nearest cell if the centre is not inside the shape, and
 * the free distance around it.
 */
function middle(cells) {
  const mean = (axis) => cells.reduce((sum, cell) => sum + cell[axis] + 0.5, 0) / cells.length;
  const [cx, cy] = [mean(0), mean(1)];
  const members = new Set(cells.map(String));
  const hasRoom = (room) =>
    [-room, room].every((dx) =>
      [-room, room].every((dy) => members.has(String([Math.floor(cx + dx), Math.floor(cy + dy)]))),
    );
  if (hasRoom(0.45)) return [cx, cy, hasRoom(0.8) ? 0.8 : 0.45];
  const distance = ([x, y]) => (x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2;
  const [x, y] = cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
  return [x + 0.5, y + 0.5, 0.5];
}

/** Returns the floor of a world with its grid. */
export function floorShapes({ width, height }) {
  const inside = { x: 0.9, y: 0.9, width: width - 1.8, height: height - 1.8 };
  return [s("rect", { class: "floor", ...inside }), s("rect", { ...inside, fill: "url(#pattern-grid)" })];
}
