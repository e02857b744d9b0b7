/**
 * The worker of the planner in the page: takes requests and sends reports as the server does.
 *
 * The planner is the package's native code, compiled to WebAssembly (`native/wasm/planner.cc`). The
 * page ends the worker to end a search at once.
 */

import { parsePlan, replayPlan } from "../model/plans.js";
import { AGENT_WALL, WALL, cellsWith } from "../model/puzzle.js";
import { parsePwp } from "../model/pwp.js";

// The limits of the server: `solver_worker.py`, `solver_pool.py` and `request_bodies.py`.
const SHORTEN_SECONDS = 0.5;
const MAX_SECONDS = 300;
const MAX_CELLS = 10_000;

/** What the tables of a search may hold. A device of less than 6 GB has less, where it tells. */
const MEMORY_BYTES = Math.min(1.5e9, (navigator.deviceMemory ?? 8) * 2.5e8);

/** Values from here on stand for an infinite or missing estimate. */
const NO_ESTIMATE = 2 ** 28;

let planner;

/** Resolves to the functions and the memory of the planner. */
async function load() {
  const imports = {
    page: { report: sendProgress },
    env: { emscripten_notify_memory_growth() {} },
    wasi_snapshot_preview1: { clock_time_get: writeTime, proc_exit: fail },
  };
  const response = await fetch(new URL("../../wasm/planner.wasm", import.meta.url));
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  instance.exports._initialize();
  return instance.exports;
}

/** Writes the time in nanoseconds, as a number of 64 bits. */
function writeTime(_clock, _precision, place) {
  const now = performance.now() * 1e6;
  const view = new DataView(planner.memory.buffer, place, 8);
  view.setUint32(0, now % 2 ** 32, true);
  view.setUint32(4, now / 2 ** 32, true);
  return 0;
}

function fail() {
  throw new Error("the search ended unexpectedly");
}

function sendProgress(seconds, states, best, bytes) {
  postMessage({
    type: "progress",
    seconds,
    states,
    rate: states / Math.max(seconds, 1e-9),
    best: best < NO_ESTIMATE ? best : null,
    memory_bytes: bytes,
  });
}

/** Returns the puzzle of a request; throws an error to be shown if it cannot be searched. */
function puzzleOf({ pwp }) {
  if (pwp.split(/\s+/).length > MAX_CELLS + 2) {
    throw new Error(`the puzzle has more than ${MAX_CELLS.toLocaleString("en")} cells`);
  }
  const puzzle = parsePwp(pwp);
  if (!puzzle.goals) throw new Error("the puzzle has no goals, so there is nothing to solve");
  return puzzle;
}

/** Returns the puzzle as the numbers that `native/wasm/planner.cc` reads. */
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

/** Calls a function of the planner with a world and a text; returns the result. */
function call(name, world, text, ...limits) {
  const bytes = [new Uint8Array(world.buffer), new TextEncoder().encode(`${text}\0`)];
  const places = bytes.map((each) => {
    const place = planner.malloc(each.length);
    new Uint8Array(planner.memory.buffer, place, each.length).set(each);
    return place;
  });
  const answer = planner[name](...places, ...limits);
  places.forEach(planner.free);
  const memory = new Uint8Array(planner.memory.buffer);
  const result = JSON.parse(
    new TextDecoder().decode(memory.subarray(answer, memory.indexOf(0, answer))),
  );
  if (result.error) throw new Error(result.error);
  return result;
}

/** Returns the last report of a search. */
function search(request) {
  const puzzle = puzzleOf(request);
  const world = numbersOf(puzzle);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const limit = Math.min(request.time_limit, MAX_SECONDS);
  const states = request.max_states ?? 2 ** 63;
  const found = call("solve", world, request.planner, limit, MEMORY_BYTES, states);
  let plan = found.status === "solved" ? found.plan : null;
  const left = limit - seconds();
  if (plan && left > 0 && request.planner === "default") {
    const most = Math.min(SHORTEN_SECONDS, left);
    ({ plan } = call("shorten", world, plan, most, MEMORY_BYTES, 2 ** 63));
  }
  if (plan !== null && !replayPlan(puzzle, parsePlan(plan)).solved) fail();
  return { type: "result", status: found.status, plan, seconds: seconds(), states: found.states };
}

addEventListener("message", async ({ data: request }) => {
  try {
    planner ??= await load();
  } catch (error) {
    const message = `the planner of this page cannot be loaded (${error.message}): are you offline?`;
    postMessage({ type: "error", message });
    return;
  }
  postMessage({ type: "ready" });
  try {
    postMessage(search(request));
  } catch (error) {
    postMessage({ type: "error", message: error.message });
  }
});
