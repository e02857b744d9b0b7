/**
 * The worker of the planner in the page: takes requests and sends reports as the server does. The
 * page ends the worker to end a search at once.
 */

import { parsePlan, replayPlan } from "../model/plans.js";
import { parsePwp } from "../model/pwp.js";
import { loadPlanners } from "./wasm-planner.js";

// The limits of the server: `solver_worker.py`, `solver_pool.py` and `request_bodies.py`.
const SHORTEN_SECONDS = 0.5;
const MAX_SECONDS = 300;
const MAX_CELLS = 10_000;

/** What the tables of a search may hold. A device of less than 6 GB has less, where it tells. */
const MEMORY_BYTES = Math.min(1.5e9, (navigator.deviceMemory ?? 8) * 2.5e8);

let planners;

/** Returns the last report of a search; throws an error to be shown. */
function search({ pwp, time_limit: wanted, planner, max_states: states }) {
  if (pwp.trim().split(/\s+/).length > MAX_CELLS) {
    throw new Error(`the puzzle has more than ${MAX_CELLS.toLocaleString("en")} cells`);
  }
  const puzzle = parsePwp(pwp);
  if (!puzzle.goals) throw new Error("the puzzle has no goals, so there is nothing to solve");
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const limits = { seconds: Math.min(wanted, MAX_SECONDS), bytes: MEMORY_BYTES, states: Infinity };
  const found = planners.solve(puzzle, planner, { ...limits, states: states ?? Infinity });
  let plan = found.status === "solved" ? found.plan : null;
  const left = Math.min(SHORTEN_SECONDS, limits.seconds - seconds());
  if (plan && left > 0 && planner === "default") {
    ({ plan } = planners.shorten(puzzle, plan, { ...limits, seconds: left }));
  }
  if (plan !== null && !replayPlan(puzzle, parsePlan(plan)).solved) {
    throw new Error("the planner returned a plan that does not solve the puzzle");
  }
  return { type: "result", status: found.status, plan, seconds: seconds(), states: found.states };
}

addEventListener("message", async ({ data: request }) => {
  const fail = (message) => postMessage({ type: "error", message });
  try {
    planners ??= await loadPlanners((report) => postMessage(report));
  } catch (error) {
    fail(`the planner of this page cannot be loaded (${error.message}): are you offline?`);
    return;
  }
  postMessage({ type: "ready" });
  try {
    postMessage(search(request));
  } catch (error) {
    fail(error.message);
  }
});
