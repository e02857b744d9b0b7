/**
 * The package's native planners, compiled to WebAssembly (`native/wasm/planner.cc`).
 *
 * @typedef {{seconds: number, bytes: number, states: number}} Limits  of the tables' memory, and of
 *   the number of different states
 * @typedef {{status: string, plan: string, states: number, expanded: number,
 *   peak_bytes: number}} Found
 */

import { AGENT_WALL, WALL, cellsWith } from "../model/puzzle.js";

/** Values from here on stand for an infinite or missing estimate. */
const NO_ESTIMATE = 2 ** 28;

/**
 * Resolves to the planners; each call searches until it returns.
 *
 * @param {(report: import("./solver.js").Report) => void} onProgress
 * @returns {Promise<{
 *   solve: (puzzle: import("../model/puzzle.js").Puzzle, planner: string, limits: Limits) => Found,
 *   shorten: (puzzle: import("../model/puzzle.js").Puzzle, plan: string, limits: Limits) => Found,
 * }>}
 */
export async function loadPlanners(onProgress) {
  let planner;
  const imports = {
    page: { report: (...values) => onProgress(progressOf(...values)) },
    env: { emscripten_notify_memory_growth() {} },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock, _precision, place) => writeTime(planner.memory.buffer, place),
      proc_exit() {
        throw new Error("the search ended unexpectedly");
      },
    },
  };
  const response = await fetch(new URL("../../wasm/planner.wasm", import.meta.url));
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  planner = instance.exports;
  planner._initialize();
  return {
    solve: (puzzle, name, limits) => call(planner, planner.solve, puzzle, name, limits),
    shorten: (puzzle, plan, limits) => call(planner, planner.shorten, puzzle, plan, limits),
  };
}

/** @returns {import("./solver.js").Report} */
function progressOf(seconds, states, best, bytes) {
  return {
    type: "progress",
    seconds,
    states,
    rate: states / Math.max(seconds, 1e-9),
    best: best < NO_ESTIMATE ? best : null,
    memory_bytes: bytes,
  };
}

/** Writes the time in nanoseconds, as a number of 64 bits. */
function writeTime(buffer, place) {
  const now = performance.now() * 1e6;
  const view = new DataView(buffer, place, 8);
  view.setUint32(0, now % 2 ** 32, true);
  view.setUint32(4, now / 2 ** 32, true);
  return 0;
}

/** Calls a function of the planner with a puzzle and a text; returns what it found. */
function call(planner, search, puzzle, text, { seconds, bytes, states }) {
  const given = [numbersOf(puzzle), new TextEncoder().encode(`${text}\0`)];
  const places = given.map((each) => {
    const place = planner.malloc(each.byteLength);
    new Uint8Array(planner.memory.buffer).set(new Uint8Array(each.buffer), place);
    return place;
  });
  const answer = search(...places, seconds, bytes, states);
  places.forEach(planner.free);
  const memory = new Uint8Array(planner.memory.buffer, answer);
  const found = JSON.parse(new TextDecoder().decode(memory.subarray(0, memory.indexOf(0))));
  if (found.error) throw new Error(found.error);
  return found;
}

/** Returns the puzzle as the numbers that the planner reads. */
function numbersOf(puzzle) {
  const list = (points) => [points.length, ...points.flat()];
  return Int32Array.from([
    puzzle.width,
    puzzle.height,
    ...list(cellsWith(puzzle, WALL)),
    ...list(cellsWith(puzzle, AGENT_WALL)),
    puzzle.objects.length,
    ...puzzle.objects.flatMap(({ shape, start, goal }) => [
      ...list(shape),
      ...start,
      ...list(goal ? [goal] : []),
    ]),
  ]);
}
