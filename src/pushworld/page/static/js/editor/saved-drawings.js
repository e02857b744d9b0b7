/**
 * The drawings that the editor saves in this browser, the last one first.
 *
 * @typedef {{id: string, name: string, pwp: string}} SavedDrawing
 */

import { read, write } from "../model/storage.js";

const MAX_DRAWINGS = 50;

/** Returns all saved drawings. @returns {SavedDrawing[]} */
export function savedDrawings() {
  const all = read("drawings", []);
  const isValid = (one) => [one?.id, one?.name, one?.pwp].every((text) => typeof text === "string");
  return Array.isArray(all) ? all.filter(isValid) : [];
}

/** Saves a drawing, replacing the one with its id; drops the oldest ones beyond a limit. */
export function saveDrawing(drawing) {
  write("drawings", [drawing, ...without(drawing.id)].slice(0, MAX_DRAWINGS));
}

/** Deletes a drawing. */
export function deleteDrawing(id) {
  write("drawings", without(id));
}

function without(id) {
  return savedDrawings().filter((one) => one.id !== id);
}
