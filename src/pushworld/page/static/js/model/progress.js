/** The player's progress: solved puzzles, games that can be resumed, and the puzzle played last. */

import { read, write } from "./storage.js";

/** The id under which the gallery shows all sets together. */
export const ALL_SETS = "all";

let lastPlayed = null;

/**
 * Returns the player's progress in a puzzle.
 *
 * @param {string} key
 * @returns {{best?: {plan: string, moves: number, pushes: number}, fewest?: number,
 *   helped?: boolean, current?: string, actors?: string}} the player's own solution with the fewest
 *   moves, the fewest pushes of any, whether there was one with help, the moves of an unfinished
 *   game, and the first letters of who made them
 */
export function progressOf(key) {
  return allProgress()[key] ?? {};
}

/** Stores the given parts of the player's progress in a puzzle. */
export function saveProgress(key, progress) {
  const all = allProgress();
  all[key] = { ...all[key], ...progress };
  write("progress", all);
}

/** Returns the stars of a puzzle: for a solution of one's own, in par moves, and in par pushes. */
export function starsOf({ best, fewest = Infinity }, par) {
  if (!best) return [false, false, false];
  return [true, best.moves <= par?.moves, Math.min(fewest, best.pushes) <= par?.pushes];
}

/** Returns all progress and drawings of this browser as a text that `importProgress` takes. */
export function exportProgress() {
  return JSON.stringify({ pushworld: 1, progress: allProgress(), drawings: read("drawings", []) });
}

/** Adds what another browser has exported: the better solution of each puzzle, and new drawings. */
export function importProgress(text) {
  let saved;
  try {
    saved = JSON.parse(text);
  } catch {
    saved = null;
  }
  if (saved?.pushworld !== 1) throw new Error("this file is not progress saved by this page");
  const all = allProgress();
  for (const [key, theirs] of Object.entries(saved.progress ?? {})) {
    const mine = all[key] ?? {};
    const best = [mine.best, theirs.best].filter(Boolean).sort((a, b) => a.moves - b.moves)[0];
    const fewest = Math.min(mine.fewest ?? Infinity, theirs.fewest ?? Infinity);
    all[key] = { ...theirs, ...mine, best, fewest: Number.isFinite(fewest) ? fewest : undefined };
  }
  write("progress", all);
  const drawings = read("drawings", []);
  const known = new Set(drawings.map(({ id }) => id));
  write("drawings", [...drawings, ...(saved.drawings ?? []).filter(({ id }) => !known.has(id))]);
}

/** Returns whether no puzzle has been solved in this browser. */
export function isNewcomer() {
  return !Object.values(allProgress()).some((progress) => progress?.best);
}

/** Returns the progress in all puzzles by key. */
export function allProgress() {
  const all = read("progress", {});
  return all && typeof all === "object" ? all : {};
}

/** Remembers a puzzle as the one played last, and its set as the gallery's. */
export function rememberPlayed({ key, set }) {
  lastPlayed = key;
  if (set && read("set", null) !== ALL_SETS) write("set", set);
}

/** Returns the key of the puzzle played last since the page was loaded, or null. */
export const lastPlayedKey = () => lastPlayed;
