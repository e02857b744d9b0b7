// Puts the page together from its data.
const data = JSON.parse(document.getElementById("data").textContent);
const open = makePlayer(data);

const levels = [...new Set(data.puzzles.map(puzzle => puzzle.level))];
const rowsOf = level => data.puzzles.map((_, row) => row).filter(row => level === "" || data.puzzles[row].level === level);
const solves = run => run !== null && run.status === "solved";

function scores() {
  const total = data.puzzles.length;
  byId("scores").append(...data.planners.map((planner, p) => {
    const solved = data.runs.filter(runs => solves(runs[p])).length;
    const fill = element("div");
    fill.style.cssText = `width:${100 * solved / total}%;background:${colour(p)}`;
    return element("div", {className: "score"},
      element("div", {className: "name"}, planner.label),
      element("div", {className: "count"}, String(solved), element("small", {}, ` of ${total}, ${(100 * solved / total).toFixed(1)} %`)),
      element("div", {className: "track"}, fill));
  }));
}

function levelChoice(select, changed) {
  select.append(new Option("all", ""), ...levels.map(level => new Option(level, level)));
  select.addEventListener("change", changed);
}

function showFigure() {
  byId("figure").replaceChildren(solvedCurve(data, rowsOf(byId("figure-level").value), tip));
}

function showScatter() {
  byId("scatter").replaceChildren(scatter(data, Number(byId("scatter-x").value), Number(byId("scatter-y").value), tip, open));
}

let order = {column: -1, ascending: true};

function sortValue(row, column) {
  if (column === -1) return row;
  const run = data.runs[row][column];
  return run === null ? Infinity : solves(run) ? run.seconds : 1e9;
}

function cell(row, p, best) {
  const run = data.runs[row][p];
  if (run === null) return element("td", {}, element("span", {}, "–"));
  if (!solves(run)) {
    const limit = ["time-limit", "memory-limit", "state-limit", "unsolvable"].includes(run.status);
    return element("td", {}, element("span", {className: limit ? "" : "bad", title: run.message ?? ""}, run.status));
  }
  const told = `${run.plan.length} actions, ${run.pushes} pushes, ${(run.memory / 1e6).toFixed(0)} MB, ${run.cpu} s of CPU`;
  const button = element("button", {title: told, className: run.seconds === best ? "best" : "", disabled: !run.moves}, written(run.seconds));
  button.addEventListener("click", () => open(row, p));
  return element("td", {}, button);
}

function showTimes() {
  const wanted = byId("times-filter").value.trim().toLowerCase();
  const rows = rowsOf(byId("times-level").value).filter(row => data.puzzles[row].name.toLowerCase().includes(wanted));
  rows.sort((a, b) => (sortValue(a, order.column) - sortValue(b, order.column)) * (order.ascending ? 1 : -1));
  const heading = (name, column) => {
    const active = order.column === column;
    const button = element("button", {}, active ? `${name} ${order.ascending ? "↑" : "↓"}` : name);
    button.setAttribute("aria-pressed", active);
    button.addEventListener("click", () => {
      order = {column, ascending: active ? !order.ascending : true};
      showTimes();
    });
    return element("th", {scope: "col"}, button);
  };
  const head = element("tr", {}, heading("puzzle", -1), element("th", {scope: "col"}, "level"), ...data.planners.map((planner, p) => heading(planner.label, p)));
  head.children[1].style.textAlign = "left";
  const lines = rows.map(row => {
    const best = Math.min(...data.runs[row].filter(solves).map(run => run.seconds));
    return element("tr", {}, element("th", {scope: "row"}, data.puzzles[row].name), element("td", {}, data.puzzles[row].level),
      ...data.planners.map((_, p) => cell(row, p, data.planners.length > 1 ? best : NaN)));
  });
  byId("times").replaceChildren(element("thead", {}, head), element("tbody", {}, ...lines));
}

scores();
levelChoice(byId("figure-level"), showFigure);
levelChoice(byId("times-level"), showTimes);
byId("times-filter").addEventListener("input", showTimes);
for (const [id, chosen] of [["scatter-x", 0], ["scatter-y", Math.min(1, data.planners.length - 1)]]) {
  byId(id).append(...data.planners.map((planner, p) => new Option(planner.label, p, false, p === chosen)));
  byId(id).addEventListener("change", showScatter);
}
showFigure();
showScatter();
showTimes();
