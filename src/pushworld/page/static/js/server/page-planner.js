/** The planner in the page: a worker, which is started when the first search is asked for. */

/** A search that has not ended this long after its time limit is ended. */
const GRACE_SECONDS = 2;
/** A worker is not reused after a longer search: its memory would stay with the page. */
const REUSE_SECONDS = 1;

/** A worker that has loaded the planner and is not searching, if there is one. */
let idle = null;

/**
 * Resolves to the last report of a search.
 *
 * @param {import("./solver.js").SearchRequest} request
 * @param {(report: import("./solver.js").Report) => void} onReport called for each other report
 * @param {AbortSignal} signal ends the worker, and so the search, at once
 * @returns {Promise<import("./solver.js").Report>}
 */
export function askPage(request, onReport, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const address = new URL("js/server/planner-worker.js", document.baseURI);
    const worker = idle ?? new Worker(address, { type: "module" });
    idle = null;
    let timer = 0;
    const end = (settle, value, reuse = false) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      if (reuse && !idle) idle = worker;
      else worker.terminate();
      settle(value);
    };
    const cancel = () => end(reject, signal.reason);
    signal.addEventListener("abort", cancel);
    const { time_limit: seconds } = request;
    const late = { type: "result", status: "time-limit", plan: null, seconds, states: 0 };
    worker.onmessage = ({ data: report }) => {
      if (report.type === "ready") {
        timer = setTimeout(() => end(resolve, late), (seconds + GRACE_SECONDS) * 1000);
      } else if (report.type === "result" || report.type === "error") {
        end(resolve, report, report.type === "result" && report.seconds < REUSE_SECONDS);
      } else {
        onReport(report);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(reject, new Error("The planner of this page cannot be loaded: are you offline?"));
    };
    worker.postMessage(request);
  });
}
