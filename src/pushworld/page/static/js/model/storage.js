/** Values kept in the browser's local storage; where that fails, until the page is closed. */

const PREFIX = "pushworld.";

/** The values that local storage did not accept. */
const memory = new Map();

/** Returns the value stored under a name, or a fallback. */
export function read(name, fallback) {
  try {
    const text = memory.get(name) ?? localStorage.getItem(PREFIX + name);
    return text == null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Stores a value under a name; null deletes it. */
export function write(name, value) {
  const text = JSON.stringify(value);
  memory.delete(name);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    if (value !== null) memory.set(name, text); // storage is full or forbidden
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
