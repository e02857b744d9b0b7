// Puts the page together from its data. Whatever a model wrote becomes a text node, never HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const percent = share => `${(100 * share).toFixed(1)} %`;
const figureOf = (planner, step) => data.figures.find(each => each.contestant === planner.label && each.difficulty === step);
const isBaseline = planner => planner.kind === "baseline";
// Models have colours, baselines recede: they are grey and differ by their dashes.
const shade = p => isBaseline(data.planners[p]) ? "var(--soft)" : colour(p);
const dashes = p => isBaseline(data.planners[p]) ? ["5 4", "2 3", "9 4", "9 3 2 3", "1 3", "14 4"][data.planners.slice(0, p).filter(isBaseline).length % 6] : "";

function scores() {
  byId("scores").append(...data.planners.map((planner, p) => {
    const {solved, solved_of: total, solved_low: low, solved_high: high} = figureOf(planner, "all");
    const fill = element("div"), range = element("i");
    fill.style.cssText = `width:${100 * solved / total}%;background:${shade(p)}`;
    range.style.cssText = `left:${100 * low}%;width:${100 * (high - low)}%`;
    return element("div", {className: "score"},
      ...isBaseline(planner) ? [element("span", {className: "kind"}, "baseline")] : [],
      element("div", {className: "name"}, planner.label),
      element("div", {className: "count"}, percent(solved / total),
        element("small", {}, ` ${solved} of ${total}`)),
      element("div", {className: "track", title: `95 % interval: ${percent(low)} to ${percent(high)}`}, fill, range));
  }));
}

function solvedBySteps() {
  const width = 1000, height = 400, left = 60, top = 16, bottom = 50;
  const right = 40 + 8 * Math.max(...data.planners.map(planner => planner.label.length));
  const x = index => left + 30 + (width - right - left - 60) * index / Math.max(1, data.steps.length - 1);
  const y = share => height - bottom - (height - bottom - top) * share;
  const chart = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": "Share of tasks solved by difficulty step; the table below holds the figures"});
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    chart.append(svg("line", {class: "grid", x1: left, x2: width - right, y1: y(share), y2: y(share)}),
      svg("text", {x: left - 8, y: y(share) + 4, "text-anchor": "end"}, `${100 * share} %`));
  }
  data.steps.forEach((step, index) => chart.append(svg("text", {x: x(index), y: height - bottom + 22, "text-anchor": "middle"}, step)));
  chart.append(svg("line", {class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
    svg("text", {x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle"}, "difficulty step"));
  const lines = data.planners.map(planner => data.steps.map((step, index) => ({index, figure: figureOf(planner, step)})).filter(each => each.figure));
  const ends = lines.map(line => line.length ? y(line.at(-1).figure.solved / line.at(-1).figure.solved_of) : height);
  const places = spread(ends, 18, top + 6, height - bottom - 4);
  data.planners.forEach((planner, p) => {
    const shift = (p - (data.planners.length - 1) / 2) * Math.min(7, 60 / data.planners.length);
    const points = lines[p].map(({index, figure}) => ({at: x(index) + shift, value: figure.solved / figure.solved_of, figure, step: data.steps[index]}));
    if (!points.length) return;
    chart.append(svg("path", {class: "curve", stroke: shade(p), "stroke-dasharray": dashes(p),
      d: points.map(({at, value}, index) => `${index ? "L" : "M"}${at.toFixed(1)} ${y(value).toFixed(1)}`).join("")}));
    for (const {at, value, figure, step} of points) {
      if (!isBaseline(planner)) chart.append(svg("line", {class: "whisker", stroke: shade(p), x1: at, x2: at, y1: y(figure.solved_low), y2: y(figure.solved_high)}));
      const point = svg("circle", {cx: at, cy: y(value), r: 4.5, fill: shade(p)});
      point.addEventListener("pointermove", event => tip.show(event,
        `${planner.label}, step ${step}\n${figure.solved} of ${figure.solved_of}: ${percent(value)} (${percent(figure.solved_low)} to ${percent(figure.solved_high)})`));
      point.addEventListener("pointerleave", tip.hide);
      chart.append(point);
    }
    chart.append(svg("path", {class: "curve", d: `M${points.at(-1).at + 6} ${ends[p]}L${width - right + 8} ${places[p]}`, stroke: shade(p), style: "stroke-width:1"}),
      svg("text", {class: "label", x: width - right + 12, y: places[p] + 4, style: `fill:${shade(p)}`}, planner.label));
  });
  return chart;
}

const STATUSES = {"": "everything", solved: "solved", open: "not solved", unsolvable: "proved unsolvable", illegal: "illegal", cut: "cut off or refused", none: "no answer"};

function kindOf(run) {
  if (run === null || ["no answer", "unfinished"].includes(run.status)) return "none";
  if (["cut off", "refused"].includes(run.status)) return "cut";
  return run.status;
}

function shown(run) {
  if (run.right !== null && ["solved", "open"].includes(run.status)) return run.status === "solved" ? "✓" : "✗";
  if (run.status === "solved") return String(run.count);
  if (["illegal", "cut off", "refused"].includes(run.status)) return run.status;
  if (run.status === "no answer") return "–";
  if (run.status === "unfinished") return "…";
  return `${run.goals[0]}/${run.goals[1]}${run.status === "unsolvable" ? " ✕" : ""}`;
}

function verdict(run) {
  const parts = [];
  if (run.right !== null) parts.push(run.status === "solved" ? "Right." : `Not right: the answer is ${run.right}.`);
  else if (run.status === "solved") parts.push(`Solved with ${run.count} moves.`);
  else if (run.status === "no answer") parts.push("No answer.");
  else if (["cut off", "refused"].includes(run.status)) parts.push(`The answer was ${run.status}.`);
  else parts.push(`Not solved: ${run.goals[0]} of ${run.goals[1]} goals reached.`);
  if (run.dead) parts.push(`Proved unsolvable after move ${run.dead}.`);
  if (run.illegal) parts.push(`${run.illegal} illegal ${run.illegal === 1 ? "answer" : "answers"}.`);
  if (run.stopped) parts.push(`Stopped after ${run.stopped}.`);
  if (run.wasted) parts.push(`${run.wasted} moves wasted.`);
  parts.push(`Reward ${run.reward}.`);
  if (run.tokens) parts.push(`${run.tokens.toLocaleString("en")} tokens.`);
  return parts.join(" ");
}

function cell(row, p, best) {
  const run = data.runs[row][p];
  if (run === null) return element("td", {}, "");
  const kind = kindOf(run);
  const button = element("button", {className: `${kind}${run.status === "solved" && run.count <= best ? " best" : ""}`, title: verdict(run)}, shown(run));
  button.addEventListener("click", () => open(row, p));
  return element("td", {}, button);
}

function showTasks() {
  const wanted = byId("tasks-filter").value.trim().toLowerCase();
  const step = byId("tasks-step").value, status = byId("tasks-status").value;
  const rows = data.puzzles.map((_, row) => row).filter(row => {
    const {name, step: own} = data.puzzles[row];
    return name.toLowerCase().includes(wanted) && (step === "" || own === step)
      && (status === "" || data.runs[row].some(run => run !== null && kindOf(run) === status));
  });
  const headings = ["task", "step", "best", ...data.planners.map(planner => planner.label)];
  const lines = rows.map(row => {
    const {name, step: own, best, shortest} = data.puzzles[row];
    return element("tr", {}, element("th", {scope: "row"}, name), element("td", {}, own),
      element("td", {title: shortest ? "the shortest plan" : "the best plan known"}, best === null ? "–" : String(best)),
      ...data.planners.map((_, p) => cell(row, p, best)));
  });
  byId("tasks").replaceChildren(
    element("thead", {}, element("tr", {}, ...headings.map(name => element("th", {scope: "col"}, name)))),
    element("tbody", {}, ...lines));
}

let turns = [];

function folded(title, text) {
  return element("details", {}, element("summary", {}, title), element("pre", {}, text));
}

function turnOf(part, index, show) {
  const [first, last] = part.span;
  const bar = element("div", {className: "bar"}, element("b", {}, part.answer === null ? "No answer" : `Answer ${index + 1}`));
  if (last > first) {
    const jump = element("button", {}, last - first === 1 ? `move ${last}` : `moves ${first + 1} to ${last}`);
    jump.addEventListener("click", () => show(last));
    bar.append(jump);
  } else if (part.answer !== null) bar.append(element("span", {className: "flag"}, "no moves"));
  if (part.finish && !["stop", "none"].includes(part.finish)) bar.append(element("span", {className: "flag"}, part.finish));
  const sent = data.texts[part.sent];
  const box = element("div", {className: "turn"},
    index ? element("p", {}, sent.split("\n").slice(0, 2).join("\n")) : folded("The prompt", sent),
    bar, ...part.thought ? [folded("Reasoning", part.thought)] : [],
    ...part.answer === null ? [] : [element("pre", {}, part.answer || "(empty)")]);
  return {box, first, last};
}

function opened(row, planner, show) {
  const run = data.runs[row][planner];
  turns = run.talk.map((part, index) => turnOf(part, index, show));
  byId("verdict").replaceChildren(verdict(run));
  if (run.dead && run.plan === run.plan.toUpperCase()) {
    const jump = element("button", {}, `Show move ${run.dead}`);
    jump.addEventListener("click", () => show(run.dead));
    byId("verdict").append(" ", jump);
  }
  const failed = run.error ? [element("div", {className: "turn"}, element("span", {className: "flag"}, "no answer"), ` ${run.error}`)] : [];
  byId("talk").replaceChildren(...turns.map(turn => turn.box), ...failed);
  byId("talk").scrollTop = 0;
}

function moved(position) {
  for (const {box, first, last} of turns) {
    const now = turns.length > 1 && position > first && position <= last;
    if (now && !box.classList.contains("now") && matchMedia("(min-width: 801px)").matches) box.scrollIntoView({block: "nearest"});
    box.classList.toggle("now", now);
  }
}

const open = makePlayer(data, {opened, shown: moved});
scores();
if (data.steps.length > 1) byId("figure").append(solvedBySteps());
else byId("figure-section").hidden = true;
byId("tasks-step").append(new Option("all", ""), ...data.steps.map(step => new Option(step, step)));
byId("tasks-status").append(...Object.entries(STATUSES).map(([value, name]) => new Option(name, value)));
for (const id of ["tasks-step", "tasks-status"]) byId(id).addEventListener("change", showTasks);
byId("tasks-filter").addEventListener("input", showTasks);
showTasks();
