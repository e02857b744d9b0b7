/** What the browser remembers: settings and progress; without storage, until the page closes. */

const PREFIX = "pushworld.";
const memory = new Map();

/** Returns the value kept under a name, or another one if there is none. */
export function read(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name) ?? memory.get(name);
    return text == null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Keeps a value under a name; null forgets it. */
export function write(name, value) {
  const text = JSON.stringify(value);
  if (value === null) memory.delete(name);
  else memory.set(name, text);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // Storage is full or forbidden: what is in memory serves until the page closes.
  }
}

/** Returns the names that begin with a text and hold a value. */
export function namesWith(start) {
  const names = new Set(memory.keys());
  try {
    for (const name of Object.keys(localStorage)) names.add(name.slice(PREFIX.length));
  } catch {
    // Storage is forbidden: memory has all there is.
  }
  return [...names].filter((name) => name.startsWith(start));
}

/**
 * Returns what is known of a puzzle.
 *
 * @param {string} key
 * @returns {{best?: {plan: string, moves: number, pushes: number}, current?: string}} the best
 *   solution, and the moves of a game that was left
 */
export function progressOf(key) {
  return allProgress()[key] ?? {};
}

/** Keeps what is known of a puzzle. */
export function keepProgress(key, progress) {
  const all = allProgress();
  all[key] = { ...all[key], ...progress };
  write("progress", all);
}

/** Returns whether no puzzle was ever solved here. */
export function isNewcomer() {
  return !Object.values(allProgress()).some((progress) => progress?.best);
}

/** Returns what is known of all puzzles by key. */
export function allProgress() {
  const all = read("progress", {});
  return all && typeof all === "object" ? all : {};
}
