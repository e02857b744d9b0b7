/** The planner on the server: a request, answered by a stream of JSON lines. */

/**
 * Resolves to the last report of a search.
 *
 * @param {Object} request
 * @param {(report: import("./solver.js").Report) => void} onReport called for each other report
 * @param {AbortSignal} signal cancels the search
 * @param {string} [path] what to ask the server for
 * @returns {Promise<import("./solver.js").Report>}
 */
export async function askServer(request, onReport, signal, path = "api/solve") {
  const response = await connected(
    fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal,
    }),
  );
  const { ok, status } = response;
  if (!ok) throw Object.assign(new Error(await messageOf(response)), { status });
  for await (const report of linesOf(response.body)) {
    if (report.type === "result" || report.type === "error") return report;
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
