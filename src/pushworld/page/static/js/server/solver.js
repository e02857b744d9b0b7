/**
 * The planner, on the server or in the page. Both take the same requests and send the same reports,
 * so who asks need not know which one answers. `site.solver` says whether there is one at all, and
 * `site.planners` which planners can be asked for.
 *
 * @typedef {{pwp: string, time_limit: number, planner: string, max_states: ?number,
 *   token: ?string}} SearchRequest
 * @typedef {{type: "queued"|"progress"|"result"|"error", position?: number, seconds?: number,
 *   states?: number, rate?: number, best?: ?number, memory_bytes?: number, status?: string,
 *   plan?: ?string, message?: string, text?: string, pwp?: ?string, note?: string}} Report  the place
 *   in the queue, the progress, the result of a search or a revision, or what went wrong
 */

import { loadSite } from "./catalogue.js";
import { askPage } from "./page-planner.js";
import { askServer } from "./server-planner.js";

let token = null;

/** Searches on behalf of a participant of a study, whom the token names. */
export function searchAs(participant) {
  token = participant;
}

/**
 * Resolves to the result of a search from a puzzle's start, or throws an error to be shown.
 *
 * @param {string} pwp
 * @param {number} timeLimit in seconds
 * @param {(report: Report) => void} onReport called for each report but the last
 * @param {AbortSignal} signal cancels the search at once
 * @param {{planner?: string, maxStates?: ?number}} [options] the name of one of `site.planners`,
 *   and the number of states after which the search ends; only the plans of the default planner
 *   are shortened
 */
export async function solve(
  pwp,
  timeLimit,
  onReport,
  signal,
  { planner = "default", maxStates = null } = {},
) {
  const request = { pwp, time_limit: timeLimit, planner, max_states: maxStates, token };
  const site = await loadSite();
  const mayAskPage = site.page_planner && planner === "default" && token === null;
  const last = await (site.server ? askServer : askPage)(request, onReport, signal).catch((error) => {
    // The server's queue is full.
    if (error.status === 503 && mayAskPage) return askPage(request, onReport, signal);
    throw error;
  });
  if (last.type === "error") throw new Error(last.message);
  return last;
}

/**
 * Resolves to a revised puzzle, or throws an error to be shown. Only a server can revise.
 *
 * @param {string} pwp
 * @param {"harder" | "tool" | "tidy"} change
 * @param {number} timeLimit in seconds
 * @param {(report: Report) => void} onReport
 * @param {AbortSignal} signal cancels the search at once
 * @returns {Promise<Report>} no `pwp` if nothing better was
 *   found
 */
export async function revise(pwp, change, timeLimit, onReport, signal) {
  const request = { pwp, change, time_limit: timeLimit };
  const last = await askServer(request, onReport, signal, "api/revise");
  if (last.type === "error") throw new Error(last.message);
  return last;
}
