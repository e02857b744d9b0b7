/**
 * The puzzles of the site, loaded from the server or the static host.
 *
 * @typedef {import("../model/links.js").Entry} Entry
 */

import { makeEntry, unpack } from "../model/links.js";
import { parsePwp } from "../model/pwp.js";

/** What a page in one file brings along: see `views/class-kit.js`. */
const brought = globalThis.document?.getElementById("brought")?.textContent;
const loaded = new Map(Object.entries(JSON.parse(brought ?? "{}")));

/** Resolves to the JSON at an address relative to the page; loads it only once. */
async function load(path) {
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

/** Resolves to what the site offers: version, sets, solver, recording, consent. */
export const loadSite = () => load("data/site.json");

/** Resolves to the sets of the site. */
export const loadSets = async () => (await loadSite()).sets;

/** Resolves to the puzzles of a set. @returns {Promise<Entry[]>} */
export async function loadSet(id) {
  const sets = await loadSets();
  const setTitle = sets.find((each) => each.id === id)?.title;
  if (setTitle === undefined) throw new Error(`there is no set called ${id}`);
  const entries = await load(`data/sets/${encodeURIComponent(id)}.json`);
  return entries.map((entry) => ({ ...entry, setTitle, key: `${entry.set}/${entry.id}` }));
}

/**
 * Resolves to the puzzle that a route names, parsed, with its neighbours; after the last puzzle of
 * a set comes the first of the next set.
 *
 * @returns {Promise<{entry: Entry, puzzle: import("../model/puzzle.js").Puzzle, previous: ?Entry,
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
  const entries = query.has("list") ? await loadList(query) : await loadSet(set);
  const index = entries.findIndex((entry) => entry.id === id && entry.set === set);
  if (index < 0) throw new Error(`the set ${set} has no puzzle called ${id}`);
  const entry = entries[index];
  return {
    entry,
    puzzle: parsePwp(entry.pwp, entry.name),
    previous: entries[index - 1] ?? null,
    next: entries[index + 1] ?? (query.has("list") ? null : await firstAfter(set)),
  };
}

/**
 * Resolves to the puzzles of a list in an address.
 *
 * @param {URLSearchParams} query `list` names sets and puzzles ("bundled.keyhole~classic.cradle"), and
 *   `title` the list
 * @returns {Promise<Entry[]>}
 */
export async function loadList(query) {
  const [text, title] = [query.get("list"), query.get("title") || "A list"];
  const list = { list: text, title };
  return Promise.all(
    text.split("~").map(async (key) => {
      const [set, id] = key.split(".");
      const entry = (await loadSet(set)).find((one) => one.id === id);
      if (!entry) throw new Error(`the set ${set} has no puzzle called ${id}`);
      return { ...entry, list, setTitle: title };
    }),
  );
}

/** Resolves to the puzzle of a key, or to null if the site does not have it. */
export async function findPuzzle(key) {
  const [set, id] = key.split("/");
  const isHere = (await loadSets()).some((one) => one.id === set);
  return (isHere && (await loadSet(set)).find((entry) => entry.id === id)) || null;
}

/** Resolves to the first puzzle of the set after another, or to null. */
async function firstAfter(id) {
  const sets = await loadSets();
  const next = sets[sets.findIndex((set) => set.id === id) + 1];
  return next?.count ? (await loadSet(next.id))[0] : null;
}
