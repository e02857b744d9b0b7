/**
 * The drawings of the editor that the browser keeps, the last one first.
 *
 * @typedef {{id: string, name: string, pwp: string}} Kept
 */

import { read, write } from "./store.js";

const MOST = 50;

/** Returns all drawings that are kept. @returns {Kept[]} */
export function keptDrawings() {
  const all = read("drawings", []);
  const isKept = (one) => [one?.id, one?.name, one?.pwp].every((text) => typeof text === "string");
  return Array.isArray(all) ? all.filter(isKept) : [];
}

/** Keeps a drawing in the place of the one with its id; the oldest of too many go. */
export function keepDrawing(drawing) {
  write("drawings", [drawing, ...without(drawing.id)].slice(0, MOST));
}

/** Forgets a drawing. */
export function forgetDrawing(id) {
  write("drawings", without(id));
}

/** Returns an id that no drawing has. */
export function newDrawingId() {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
}

function without(id) {
  return keptDrawings().filter((one) => one.id !== id);
}
