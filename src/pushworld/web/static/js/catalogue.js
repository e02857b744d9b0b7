/**
 * The puzzles of the site, and puzzles that travel in links.
 *
 * @typedef {{id: ?string, set: ?string, key: ?string, name: string, description: string,
 *   tags: string[], pwp: string, digest?: string, packed?: string, level?: ?number, setTitle?: string,
 *   known_moves?: ?number}} Entry  a puzzle as the page
 *   lists it; one from a link has no set, id and key
 */

import { parsePwp } from "./pwp.js";

const MAX_PACKED_TEXT = 1024 * 1024;
const loaded = new Map();

/** Resolves to the JSON at an address relative to the page; asks for it only once. */
function load(path) {
  if (!loaded.has(path)) {
    const answer = fetch(path).then(
      (response) => {
        if (!response.ok) throw new Error(`${path} cannot be loaded (status ${response.status})`);
        return response.json();
      },
      () => {
        throw new Error(`the server cannot be reached, so ${path} cannot be loaded`);
      },
    );
    answer.catch(() => loaded.delete(path));
    loaded.set(path, answer);
  }
  return loaded.get(path);
}

/** Resolves to what the site offers: version, solver, recording, consent. */
export const loadSite = () => load("data/site.json");

/** Resolves to the sets of the site. */
export const loadSets = () => load("data/sets.json");

/** Resolves to the puzzles of a set. @returns {Promise<Entry[]>} */
export async function loadSet(id) {
  const sets = await loadSets();
  const setTitle = sets.find((each) => each.id === id)?.title;
  if (setTitle === undefined) throw new Error(`there is no set called ${id}`);
  const entries = await load(`data/sets/${encodeURIComponent(id)}.json`);
  return entries.map((entry) => ({ ...entry, setTitle, key: `${entry.set}/${entry.id}` }));
}

/**
 * Resolves to the puzzle that a route names, parsed, with the ones before and after it.
 *
 * @returns {Promise<{entry: Entry, puzzle: import("./model.js").Puzzle, previous: ?Entry,
 *   next: ?Entry}>}
 */
export async function loadPuzzle({ parts, query }) {
  if (query.has("puzzle")) {
    const pwp = await unpack(query.get("puzzle"));
    const name = query.get("name") || "Untitled";
    const entry = makeEntry(name, pwp, query.get("puzzle"));
    return { entry, puzzle: parsePwp(pwp, name), previous: null, next: null };
  }
  const [set, id] = parts;
  const entries = await loadSet(set);
  const index = entries.findIndex((entry) => entry.id === id);
  if (index < 0) throw new Error(`the set ${set} has no puzzle called ${id}`);
  const entry = entries[index];
  return {
    entry,
    puzzle: parsePwp(entry.pwp, entry.name),
    previous: entries[index - 1] ?? null,
    next: entries[index + 1] ?? null,
  };
}

/** Returns the entry of a puzzle that is in no set. @returns {Entry} */
export function makeEntry(name, pwp, packed) {
  return { id: null, set: null, key: null, name, description: "", tags: [], pwp, packed };
}

/** Returns the address of a view of a puzzle, as the part behind `#`. */
export function addressOf(view, entry, query = {}) {
  const parameters = new URLSearchParams();
  if (!entry.set) {
    parameters.set("name", entry.name);
    parameters.set("puzzle", entry.packed);
  }
  for (const [key, value] of Object.entries(query)) {
    if (value !== "" && value != null) parameters.set(key, value);
  }
  const path = entry.set ? [entry.set, entry.id].map(encodeURIComponent).join("/") : "";
  const search = parameters.size ? `?${parameters}` : "";
  return `#/${view}${path && "/"}${path}${search}`;
}

/** Resolves to a text in the form that links carry: compressed, in letters safe for addresses. */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Resolves to the text in a link, or throws an error that says what is wrong with it. */
export async function unpack(packed) {
  try {
    const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await readBounded(stream);
  } catch {
    throw new Error("the puzzle in this link is damaged: ask for the link again");
  }
}

/** Resolves to the text of a stream; a small link must not fill the memory. */
async function readBounded(stream) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_PACKED_TEXT) {
      await reader.cancel();
      throw new Error("too large");
    }
  }
  return text + decoder.decode();
}
