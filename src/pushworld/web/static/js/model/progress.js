/** The player's progress: solved puzzles, games that can be resumed, and the puzzle played last. */

import { read, write } from "./storage.js";

/** The id under which the gallery shows all sets together. */
export const ALL_SETS = "all";

let lastPlayed = null;

/**
 * Returns the player's progress in a puzzle.
 *
 * @param {string} key
 * @returns {{best?: {plan: string, moves: number, pushes: number}, helped?: boolean,
 *   current?: string, actors?: string}} the player's own best solution, whether there was one with
 *   help, the moves of an unfinished game, and the first letters of who made them
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
