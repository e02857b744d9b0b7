/**
 * Plans from benchmark results: a file of JSON lines, one run of a planner on a puzzle each.
 *
 * @typedef {{puzzle: string, planner: string, plan: string, level: string}} Run
 */

import { slug } from "./links.js";

/** The runs of the file loaded last. @type {Run[]} */
let loaded = [];

/** Returns the runs that have a plan, or throws an error that names the line. @returns {Run[]} */
export function parseRuns(text) {
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

/** Replaces the loaded runs. */
export function keepRuns(runs) {
  loaded = runs;
}

/** Returns the loaded runs. */
export const loadedRuns = () => loaded;

/** Returns the runs on a puzzle: the human solution if the site has it, and the loaded ones. */
export function runsOn(entry) {
  const names = [entry.id, slug(entry.name)];
  const human = { puzzle: entry.name, planner: "human", plan: entry.human, level: entry.set };
  const known = entry.human ? [human] : [];
  return known.concat(loaded.filter((run) => names.includes(slug(run.puzzle))));
}
