/**
 * Plans from benchmark results: JSON lines, one run of a planner on a puzzle each.
 *
 * @typedef {{puzzle: string, planner: string, plan: string, level: string}} Run
 */

/** The runs that were loaded last; they stay while the page is open. @type {Run[]} */
let loaded = [];

/** Returns the runs that have a plan, or throws an error that names the line. @returns {Run[]} */
export function parseResults(text) {
  const runs = [];
  text.split(/\r?\n/).forEach((line, index) => {
    if (!line.trim()) return;
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      throw new Error(`line ${index + 1} is not JSON: benchmark results have one record a line`);
    }
    if (typeof record?.puzzle !== "string" || typeof record?.planner !== "string") {
      throw new Error(`line ${index + 1} is not a run: it needs "puzzle", "planner" and "plan"`);
    }
    if (typeof record.plan !== "string" || !/^[LRUD]+$/.test(record.plan)) return;
    const { puzzle, planner, plan } = record;
    runs.push({ puzzle, planner, plan, level: String(record.level ?? "") });
  });
  if (!runs.length) throw new Error("no run in this file has a plan");
  return runs;
}

/** Keeps runs for all puzzles that are watched from now on. */
export function keepResults(runs) {
  loaded = runs;
}

/** Returns the runs that were kept. */
export const keptResults = () => loaded;

/** Returns the runs on a puzzle. */
export function runsOn(entry) {
  const names = [entry.id, slug(entry.name)];
  return loaded.filter((run) => names.includes(slug(run.puzzle)));
}

/** Returns a name as ids have it: letters and digits in lower case, hyphens between. */
export function slug(name) {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
