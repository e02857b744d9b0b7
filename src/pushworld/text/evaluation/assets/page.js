// Puts the page together from its data. Whatever a model wrote becomes a text node, never HTML.
const percent = share => `${(100 * share).toFixed(1)} %`;
// Undefined where nobody was asked.
const figureOf = (planner, step) => data.figures.find(each => each.contestant === planner.label && each.difficulty === step && each.solved_of);
const isBaseline = planner => planner.kind === "baseline";
// Models have colours, baselines recede: they are grey and differ by their dashes.
const shade = p => isBaseline(data.planners[p]) ? "var(--soft)" : colour(p);
const dashes = p => isBaseline(data.planners[p]) ? ["5 4", "2 3", "9 4", "9 3 2 3", "1 3", "14 4"][data.planners.slice(0, p).filter(isBaseline).length % 6] : "";

function scores() {
  byId("scores").append(...data.planners.map((planner, p) => {
    const figure = figureOf(planner, "all");
    if (!figure) return scoreCard(planner.label, "–", "not asked", 0, shade(p));
    const {solved, solved_of: total, solved_low: low, solved_high: high} = figure;
    const card = scoreCard(planner.label, `${percent(solved / total)} `, `${solved} of ${total}`, solved / total, shade(p));
    const range = element("i");
    range.style.cssText = `left:${100 * low}%;width:${100 * (high - low)}%`;
    card.lastChild.append(range);
    card.lastChild.title = `95 % interval: ${percent(low)} to ${percent(high)}`;
    if (isBaseline(planner)) card.prepend(element("span", {className: "kind"}, "baseline"));
    return card;
  }));
}

// Where there is no room for names beside the curves, the scores above tell the colours.
function solvedBySteps(width) {
  const named = 40 + 8 * Math.max(...data.planners.map(planner => planner.label.length));
  const isNarrow = width < 3 * named, left = 50, right = width - (isNarrow ? 4 : named), top = 16, bottom = 350;
  const x = index => left + 30 + (right - left - 60) * index / Math.max(1, data.steps.length - 1);
  const y = share => bottom - (bottom - top) * share;
  const line = (name, x1, y1, x2, y2, more) => svg("line", {class: name, x1, y1, x2, y2, ...more});
  const label = (at, up, anchor, text, more) => svg("text", {x: at, y: up, "text-anchor": anchor, ...more}, text);
  const chart = svg("svg", {viewBox: `0 0 ${width} 400`, role: "img",
    "aria-label": "Share of tasks solved by difficulty step; the table below holds the figures"});
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    chart.append(line("grid", left, y(share), right, y(share)), label(left - 8, y(share) + 4, "end", `${100 * share} %`));
  }
  data.steps.forEach((step, index) => chart.append(label(x(index), bottom + 22, "middle", step)));
  chart.append(line("axis", left, bottom, right, bottom), label((left + right) / 2, 392, "middle", "difficulty step"));
  const curves = data.planners.map((planner, p) => data.steps.flatMap((step, index) => {
    const figure = figureOf(planner, step), shift = (p - (data.planners.length - 1) / 2) * Math.min(7, 60 / data.planners.length);
    return figure ? [{at: x(index) + shift, up: y(figure.solved / figure.solved_of), figure, step}] : [];
  }));
  const places = spread(curves.map(points => points.length ? points.at(-1).up : bottom), 18, top + 6, bottom - 4);
  data.planners.forEach((planner, p) => {
    const points = curves[p], stroke = shade(p);
    if (!points.length) return;
    const {at: end, up: level} = points.at(-1);
    chart.append(svg("path", {class: "curve", stroke, "stroke-dasharray": dashes(p), d: `M${points.map(({at, up}) => `${at.toFixed(1)} ${up.toFixed(1)}`).join("L")}`}));
    for (const {at, up, figure, step} of points) {
      const {solved, solved_of: total, solved_low: low, solved_high: high} = figure;
      if (!isBaseline(planner)) chart.append(line("whisker", at, y(low), at, y(high), {stroke}));
      const point = svg("circle", {cx: at, cy: up, r: 4.5, fill: stroke});
      tip.on(point, `${planner.label}, step ${step}\n${solved} of ${total}: ${percent(solved / total)} (${percent(low)} to ${percent(high)})`);
      chart.append(point);
    }
    if (!isNarrow) chart.append(line("curve", end + 6, level, right + 8, places[p], {stroke, style: "stroke-width:1"}),
      label(right + 12, places[p] + 4, "start", planner.label, {class: "label", style: `fill:${stroke}`}));
  });
  return chart;
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
  if (run.wasted) parts.push(`${run.wasted} moves wasted.`);
  parts.push(`Reward ${run.reward}.`);
  if (run.tokens) parts.push(`${run.tokens.toLocaleString("en")} tokens.`);
  return parts.join(" ");
}

function cell(row, p, best) {
  const run = data.runs[row][p];
  if (run === null) return element("td", {}, "");
  const className = run.status.replace(" ", "-") + (run.status === "solved" && run.count <= best ? " best" : "");
  return element("td", {}, action(shown(run), {className, title: verdict(run)}, () => open(row, p)));
}

function showTasks() {
  const wanted = byId("tasks-filter").value.trim().toLowerCase();
  const step = byId("tasks-step").value, status = byId("tasks-status").value;
  const rows = data.puzzles.map((_, row) => row).filter(row => {
    const {name, step: own} = data.puzzles[row];
    return name.toLowerCase().includes(wanted) && (step === "" || own === step)
      && (status === "" || data.runs[row].some(run => run !== null && run.status === status));
  });
  const headings = ["task", "step", "best", ...data.planners.map(planner => planner.label)];
  const lines = rows.map(row => {
    const {name, step: own, best, shortest} = data.puzzles[row];
    return element("tr", {}, element("th", {scope: "row"}, name), element("td", {}, own),
      element("td", {title: shortest ? "the shortest plan" : "the best plan known"}, best === null ? "–" : String(best)),
      ...data.planners.map((_, p) => cell(row, p, best)));
  });
  fillTable("tasks", headings, lines);
}

let turns = [];

function folded(title, text) {
  return element("details", {}, element("summary", {}, title), element("pre", {}, text));
}

function turnOf(part, index, show) {
  const [first, last] = part.span;
  const bar = element("div", {className: "bar"}, element("b", {}, part.answer === null ? "No answer" : `Answer ${index + 1}`));
  if (last > first) {
    bar.append(action(last - first === 1 ? `move ${last}` : `moves ${first + 1} to ${last}`, {}, () => show(last)));
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
    byId("verdict").append(" ", action(`Show move ${run.dead}`, {}, () => show(run.dead)));
  }
  byId("talk").replaceChildren(...turns.map(turn => turn.box), ...run.error ? [element("div", {className: "turn"}, run.error)] : []);
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
byId("hint").append(`Share of right answers when asked to ${data.asked}, with 95 % confidence intervals.`);
if (data.steps.length > 1) byId("figure").append(solvedBySteps(Math.min(1000, byId("figure").clientWidth)));
else byId("figure-section").hidden = true;
byId("tasks-step").append(new Option("all", ""), ...data.steps.map(step => new Option(step, step)));
const statuses = new Set(data.runs.flat().filter(run => run !== null).map(run => run.status));
byId("tasks-status").append(new Option("everything", ""), ...[...statuses].sort().map(status => new Option(status)));
for (const id of ["tasks-step", "tasks-status", "tasks-filter"]) byId(id).addEventListener("input", showTasks);
showTasks();
