/** Values kept in the browser's local storage; where that fails, until the page is closed. */

const PREFIX = "pushworld.";
const memory = new Map();

/** Returns the value stored under a name, or a fallback. */
export function read(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name) ?? memory.get(name);
    return text == null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Stores a value under a name; null deletes it. */
export function write(name, value) {
  const text = JSON.stringify(value);
  if (value === null) memory.delete(name);
  else memory.set(name, text);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // Storage is full or forbidden: the copy in memory serves until the page is closed.
  }
}

/** Returns the names of stored values that start with a text. */
export function namesStartingWith(start) {
  const names = new Set(memory.keys());
  try {
    for (const name of Object.keys(localStorage)) names.add(name.slice(PREFIX.length));
  } catch {
    // Storage is forbidden: all values are in memory.
  }
  return [...names].filter((name) => name.startsWith(start));
}
