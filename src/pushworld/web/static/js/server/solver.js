/**
 * The planner on the server.
 *
 * @typedef {{type: "queued", position: number}
 *   | {type: "progress", seconds: number, states: number, rate: number, best: ?number,
 *      memory_bytes: number}
 *   | {type: "result", status: string, plan: ?string, seconds: number, states: number}
 *   | {type: "error", message: string}} Report
 */

/**
 * Resolves to the result of a search from a puzzle's start, or throws an error to be shown.
 *
 * @param {string} pwp
 * @param {number} timeLimit in seconds
 * @param {(report: Report) => void} onReport called for each report but the last
 * @param {AbortSignal} signal cancels the search
 * @param {{planner?: string}} [options] the name of one of `site.planners`; only the plans of the
 *   default planner are shortened
 */
export async function solve(pwp, timeLimit, onReport, signal, { planner = "default" } = {}) {
  const response = await connected(
    fetch("api/solve", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pwp, time_limit: timeLimit, planner }),
      signal,
    }),
  );
  if (!response.ok) throw new Error(await messageOf(response));
  for await (const report of linesOf(response.body)) {
    if (report.type === "error") throw new Error(report.message);
    if (report.type === "result") return report;
    onReport(report);
  }
  throw new Error("The server ended the search without a result. Try again.");
}

/** Resolves to the answer; replaces the browser's own message about a lost connection. */
function connected(answer) {
  return answer.catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("The server cannot be reached: is pushworld play still running?");
  });
}

async function messageOf(response) {
  try {
    const { message } = await response.json();
    if (typeof message === "string") return message;
  } catch {
    // The answer is not the server's own: perhaps a proxy's.
  }
  return `The server answered with status ${response.status}.`;
}

/** Yields the JSON lines of a stream as they arrive. */
async function* linesOf(stream) {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = "";
  const next = () => connected(reader.read());
  for (let part = await next(); !part.done; part = await next()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
  }
  if (rest.trim()) yield JSON.parse(rest);
}
