// Puts the page together from its data.
const open = makePlayer(data);
// Agents and people come last and have no times, so the charts leave them out.
const timed = {...data, planners: data.planners.filter(planner => planner.timed)};

const levels = [...new Set(data.puzzles.map(puzzle => puzzle.level))];
const rowsOf = level => data.puzzles.map((_, row) => row).filter(row => level === "" || data.puzzles[row].level === level);
const solves = run => run !== null && run.status === "solved";

function scores() {
  const count = (p, test) => data.runs.filter(runs => test(runs[p])).length;
  const ranked = data.planners.map((planner, p) => ({planner, p, solved: count(p, solves), total: count(p, run => run !== null)}));
  byId("scores").append(...ranked.sort((a, b) => b.solved - a.solved).map(({planner, p, solved, total}) =>
    scoreCard(planner.label, String(solved), ` of ${total}, ${(100 * solved / total).toFixed(1)} %`, solved / total, colour(p))));
}

function levelChoice(select, changed) {
  select.append(new Option("all", ""), ...levels.map(level => new Option(level, level)));
  select.addEventListener("change", changed);
}

// A chart is drawn as wide as its place, so that its letters have their size on every screen.
const widthOf = (id, most) => Math.min(most, byId(id).clientWidth);

function showFigure() {
  if (!timed.planners.length) return;
  const rows = rowsOf(byId("figure-level").value);
  byId("figure").replaceChildren(solvedCurve(timed, rows, tip, widthOf("figure", 1000)));
}

function showScatter() {
  if (!timed.planners.length) return;
  const [across, up] = ["scatter-x", "scatter-y"].map(id => Number(byId(id).value));
  byId("scatter").replaceChildren(scatter(timed, across, up, tip, open, widthOf("scatter", 620)));
}

let order = {column: -1, ascending: true};

// The figure of a run that the table shows; people have no times, so their lengths stand there.
function figureOf(run, p) {
  const chosen = byId("times-figure").value;
  if (chosen === "seconds") return data.planners[p].timed ? [run.seconds, written(run.seconds)] : [run.length, `${run.length} moves`];
  const number = run[chosen];
  return [number ?? Infinity, number === undefined || number === null ? "–" : number.toLocaleString("en")];
}

function sortValue(row, column) {
  if (column === -1) return row;
  const run = data.runs[row][column];
  return run === null ? Infinity : solves(run) ? figureOf(run, column)[0] : Number.MAX_VALUE;
}

function cell(row, p, best) {
  const run = data.runs[row][p];
  if (run === null) return element("td", {}, element("span", {}, "–"));
  if (!solves(run)) {
    const limit = ["time-limit", "memory-limit", "state-limit", "unsolvable"].includes(run.status);
    return element("td", {}, element("span", {className: limit ? "" : "bad", title: run.message ?? ""}, run.status));
  }
  const [value, shown] = figureOf(run, p);
  const told = `${run.length} moves` + (run.plan ? `, ${run.pushes} pushes` : "") + (run.states ? `, ${run.states.toLocaleString("en")} states` : "")
    + (data.planners[p].timed ? `, ${(run.memory / 1e6).toFixed(0)} MB, ${run.cpu} s of CPU` : "");
  const attributes = {title: told, className: value === best ? "best" : "", disabled: run.plan === undefined || !data.puzzles[row].pwp};
  return element("td", {}, action(shown, attributes, () => open(row, p)));
}

function showTimes() {
  const wanted = byId("times-filter").value.trim().toLowerCase();
  const rows = rowsOf(byId("times-level").value).filter(row => data.puzzles[row].name.toLowerCase().includes(wanted));
  rows.sort((a, b) => (sortValue(a, order.column) - sortValue(b, order.column)) * (order.ascending ? 1 : -1));
  const heading = (name, column) => {
    const active = order.column === column;
    const button = action(active ? `${name} ${order.ascending ? "↑" : "↓"}` : name, {}, () => {
      order = {column, ascending: active ? !order.ascending : true};
      showTimes();
    });
    button.setAttribute("aria-pressed", active);
    return element("th", {scope: "col"}, button);
  };
  const head = element("tr", {}, heading("puzzle", -1), element("th", {scope: "col"}, "level"), ...data.planners.map((planner, p) => heading(planner.label, p)));
  head.children[1].style.textAlign = "left";
  const comparable = p => data.planners[p].timed || byId("times-figure").value === "length";
  const lines = rows.map(row => {
    const shown = data.runs[row].map((run, p) => [run, p]).filter(([run, p]) => run !== null && solves(run) && comparable(p));
    const best = data.planners.filter((_, p) => comparable(p)).length > 1 ? Math.min(...shown.map(([run, p]) => figureOf(run, p)[0])) : NaN;
    return element("tr", {}, element("th", {scope: "row"}, data.puzzles[row].name), element("td", {}, data.puzzles[row].level),
      ...data.planners.map((_, p) => cell(row, p, comparable(p) ? best : NaN)));
  });
  byId("times").replaceChildren(element("thead", {}, head), element("tbody", {}, ...lines));
}

scores();
levelChoice(byId("figure-level"), showFigure);
levelChoice(byId("times-level"), showTimes);
byId("times-filter").addEventListener("input", showTimes);
byId("times-figure").addEventListener("change", showTimes);
for (const [id, chosen] of [["scatter-x", 0], ["scatter-y", Math.min(1, timed.planners.length - 1)]]) {
  byId(id).append(...timed.planners.map((planner, p) => new Option(planner.label, p, false, p === chosen)));
  byId(id).addEventListener("change", showScatter);
}
for (const id of ["figure", "scatter"]) byId(id).closest("section").hidden = !timed.planners.length;
let drawnAt = 0;
new ResizeObserver(() => {
  if (drawnAt === innerWidth) return;
  drawnAt = innerWidth;
  showFigure();
  showScatter();
}).observe(document.body);
showTimes();
