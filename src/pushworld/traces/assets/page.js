// Puts the page together from its data. Names become text nodes, never HTML.
const percent = share => `${Math.round(100 * share)} %`;
const duration = seconds => seconds < 10 ? `${Number(seconds.toFixed(1))} s` : seconds < 100 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, "0")} min`;
const OUTCOMES = {solved: "solved", "gave-up": "gave up", "time-limit": "time", "move-limit": "moves", unfinished: "left", machine: "machine"};
const widthOf = (id, most) => Math.min(most, byId(id).clientWidth);
const median = values => values.length % 2 ? values[(values.length - 1) / 2] : (values[values.length / 2 - 1] + values[values.length / 2]) / 2;

function axis(chart, [x1, x2], y, text) {
  chart.append(svg("line", {class: "axis", x1, x2, y1: y, y2: y}), svg("text", {x: (x1 + x2) / 2, y: y + 38, "text-anchor": "middle"}, text));
}

// Shares at the left, times at the right; one below the other where the page is narrow.
function ratesAndTimes(width) {
  const narrow = width < 700, line = 30, top = 12, names = narrow ? 0 : Math.min(240, 20 + 8 * Math.max(...data.puzzles.map(puzzle => puzzle.name.length)));
  const rows = data.puzzles.length, each = narrow ? 2 * line : line, panel = rows * each;
  const part = narrow ? width - 24 : (width - names - 60) / 2;
  const left = [names + 12, narrow ? 12 : names + part + 48], tops = [top, narrow ? top + panel + 70 : top];
  const height = tops[1] + panel + 52;
  const chart = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Solve rates and times by puzzle; the table below holds the figures"});
  const share = value => left[0] + part * value;
  const times = data.puzzles.flatMap(puzzle => puzzle.times);
  const low = Math.max(0.5, Math.min(...times, 10) * 0.8), high = Math.max(...times, 20) * 1.25;
  const time = logScale(low, high, left[1], left[1] + part);
  const ticks = [1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600].filter(tick => tick >= low && tick <= high);
  for (const value of [0, 0.25, 0.5, 0.75, 1]) chart.append(svg("line", {class: "grid", x1: share(value), x2: share(value), y1: tops[0], y2: tops[0] + panel}),
    svg("text", {x: share(value), y: tops[0] + panel + 18, "text-anchor": value === 1 && narrow ? "end" : "middle"}, percent(value)));
  ticks.forEach((tick, index) => chart.append(svg("line", {class: "grid", x1: time(tick), x2: time(tick), y1: tops[1], y2: tops[1] + panel}),
    ...narrow && index % 2 ? [] : [svg("text", {x: time(tick), y: tops[1] + panel + 18, "text-anchor": "middle"}, tick < 60 ? `${tick} s` : `${tick / 60} min`)]));
  axis(chart, [left[0], left[0] + part], tops[0] + panel, "people who solved it");
  axis(chart, [left[1], left[1] + part], tops[1] + panel, "active time to solve it");
  data.puzzles.forEach((puzzle, row) => {
    const at = index => tops[index] + row * each + (narrow ? 1.45 : 0.5) * line;
    if (narrow) chart.append(...[0, 1].map(index => svg("text", {class: "name", x: left[index], y: at(index) - 16}, puzzle.name)));
    else chart.append(svg("text", {class: "name", x: names, y: at(0) + 4, "text-anchor": "end"}, puzzle.name));
    const told = `${puzzle.name}\n${puzzle.solved} of ${puzzle.people}: ${percent(puzzle.solved / puzzle.people)} (${percent(puzzle.interval[0])} to ${percent(puzzle.interval[1])})`;
    const dot = svg("circle", {class: "dot", cx: share(puzzle.solved / puzzle.people), cy: at(0), r: 5.5});
    tip.on(dot, told);
    chart.append(svg("line", {class: "whisker", x1: share(puzzle.interval[0]), x2: share(puzzle.interval[1]), y1: at(0), y2: at(0)}), dot);
    for (const seconds of puzzle.times) chart.append(svg("circle", {class: "time", cx: time(seconds), cy: at(1), r: 4.5}));
    if (puzzle.times.length) {
      const middle = median(puzzle.times), mark = svg("line", {class: "median", x1: time(middle), x2: time(middle), y1: at(1) - 9, y2: at(1) + 9});
      tip.on(mark, `${puzzle.name}\nmedian of ${puzzle.times.length}: ${duration(middle)}`);
      chart.append(mark);
    }
  });
  return chart;
}

// Our score against the median time, in which those who did not solve a puzzle took longer than all others.
function scoresAndTimes(width) {
  const shown = data.puzzles.filter(puzzle => puzzle.score !== null), height = 380, left = 64, right = 16, top = 22, bottom = 52;
  const solved = shown.filter(puzzle => puzzle.median !== null).map(puzzle => puzzle.median);
  const low = Math.max(0.5, Math.min(...solved, 30) * 0.7), high = Math.max(...solved, 60) * 1.4;
  const scores = shown.map(puzzle => puzzle.score), span = [Math.min(...scores, 1) - 0.2, Math.max(...scores, 2) + 0.2];
  const x = score => left + (width - left - right) * (score - span[0]) / (span[1] - span[0]);
  const y = logScale(low, high, height - bottom, top + 24);
  const chart = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Difficulty score and median time of each puzzle; the table below holds the rank correlation"});
  for (const tick of [1, 2, 5, 10, 20, 60, 120, 300, 600, 1800].filter(tick => tick >= low && tick <= high)) chart.append(
    svg("line", {class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick)}),
    svg("text", {x: left - 8, y: y(tick) + 4, "text-anchor": "end"}, tick < 60 ? `${tick} s` : `${tick / 60} min`));
  for (let tick = Math.ceil(2 * span[0]) / 2; tick <= span[1]; tick += 0.5) chart.append(svg("text", {x: x(tick), y: height - bottom + 18, "text-anchor": "middle"}, String(tick)));
  axis(chart, [left, width - right], height - bottom, "difficulty score");
  chart.append(svg("line", {class: "dash", x1: left, x2: width - right, y1: top + 10, y2: top + 10}),
    svg("text", {x: left + 4, y: top - 6}, "more than half did not solve it"),
    svg("text", {x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, "median active time"));
  const heights = shown.map(puzzle => puzzle.median === null ? top + 10 : y(puzzle.median));
  const labels = spread(heights, 15, top + 10, height - bottom - 4);
  shown.forEach((puzzle, index) => {
    const at = [x(puzzle.score), heights[index]];
    const point = svg("circle", {class: "point", cx: at[0], cy: at[1], r: 6, style: "fill:var(--p0)"});
    tip.on(point, `${puzzle.name}\nscore ${puzzle.score.toFixed(2)}\n${puzzle.median === null ? "more than half did not solve it" : `median ${duration(puzzle.median)}`}`);
    chart.append(point);
    if (shown.length <= 12) {
      const over = at[0] > (left + width) / 2;
      chart.append(svg("text", {x: at[0] + (over ? -10 : 10), y: labels[index] + 4, "text-anchor": over ? "end" : "start"}, puzzle.name));
    }
  });
  return chart;
}

function verdict(run) {
  const parts = [run.status === "solved" ? `Solved after ${duration(run.seconds)}` : `Not solved (${OUTCOMES[run.status]}) after ${duration(run.seconds)}`];
  parts.push(`${run.count} moves${run.best === null ? "" : `, best plan known ${run.best}`}`);
  if (run.undos) parts.push(`${run.undos} times undo or reset`);
  if (run.helped) parts.push("asked for help");
  if (run.lost) parts.push(`proved unsolvable after move ${run.lost}`);
  if (run.games > 1) parts.push(`last of ${run.games} games`);
  return `${parts.join(". ")}.`;
}

function showGames() {
  const rows = data.puzzles.map((puzzle, row) => element("tr", {}, element("th", {scope: "row"}, puzzle.name), ...data.planners.map((_, p) => {
    const run = data.runs[row][p];
    if (run === null) return element("td", {}, "");
    const kind = run.status === "solved" ? "solved" : run.lost ? "lost" : "open";
    const text = run.status === "solved" ? duration(run.seconds) : OUTCOMES[run.status] + (run.lost ? " ✕" : "");
    const attributes = {className: `${kind}${run.helped ? " helped" : ""}`, title: verdict(run)};
    return element("td", {}, action(text, attributes, () => open(row, p)));
  })));
  fillTable("games", ["puzzle", ...data.planners.map(person => person.label)], rows);
}

let lines = [], marker = null, across = null;

// The length of the best plan known after each move: where it falls the game gets closer to its goal.
function way(run, show) {
  const width = Math.max(280, byId("way").clientWidth), height = 120, left = 34, bottom = 20, top = 8;
  const values = [run.best, ...run.log.map(line => line[6])], known = values.filter(value => value !== null);
  across = index => left + (width - left - 8) * index / Math.max(1, values.length - 1);
  const most = Math.max(1, ...known), y = value => height - bottom - (height - bottom - top) * value / most;
  const chart = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Length of the best plan known after each move"});
  for (const value of [0, most]) chart.append(svg("line", {class: "grid", x1: left, x2: width - 8, y1: y(value), y2: y(value)}), svg("text", {x: left - 6, y: y(value) + 4, "text-anchor": "end"}, String(value)));
  chart.append(svg("text", {x: left, y: height - 4}, "best plan from here, after each move"));
  let path = "", pen = "M";
  values.forEach((value, index) => {
    if (value === null) { pen = "M"; return; }
    path += `${pen}${across(index).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = "L";
  });
  chart.append(svg("path", {class: "curve", d: path, stroke: "var(--p0)"}));
  run.log.forEach((line, index) => { if (line[8] === false) chart.append(svg("line", {class: "dead", x1: across(index + 0.5), x2: across(index + 1.5), y1: y(0), y2: y(0)})); });
  marker = svg("line", {class: "here", y1: top, y2: height - bottom});
  chart.append(marker);
  chart.addEventListener("click", event => {
    const box = chart.getBoundingClientRect(), at = (event.clientX - box.left) * width / box.width;
    const index = Math.round((at - left) / (width - left - 8) * (values.length - 1));
    show(index <= 0 ? 0 : run.log[Math.min(index, run.log.length) - 1][0]);
  });
  return chart;
}

function opened(row, p, show) {
  const run = data.runs[row][p];
  byId("verdict").textContent = verdict(run);
  let before = run.best;
  lines = run.log.map(([position, kind, action, actor, at, think, best, shortest, solvable], index) => {
    const what = kind === "move" ? action : kind === "undo" || kind === "reset" ? kind : `${kind} ${action}`;
    const who = actor === null || actor === "player" ? "" : ` (${actor})`;
    const worse = best !== null && before !== null && best > before;
    const judged = solvable === false ? "cannot be solved" : best === null ? "?" : `${best}${shortest ? "" : " *"}`;
    const box = element("tr", {}, element("td", {}, String(index + 1)), element("td", {}, what, element("i", {}, who)), element("td", {}, at.toFixed(1)),
      element("td", {}, think.toFixed(1)), element("td", {className: solvable === false ? "lost" : worse ? "worse" : ""}, judged));
    box.addEventListener("click", () => show(position));
    before = best;
    return {box, position};
  });
  fillTable("log", ["move", "what", "at (s)", "think (s)", "best plan"], lines.map(line => line.box));
  byId("log-box").scrollTop = 0;
  byId("way").replaceChildren(way(run, show));
  requestAnimationFrame(() => byId("way").replaceChildren(way(run, show)));
}

function moved(position) {
  const now = position === 0 ? -1 : lines.findIndex(line => line.position >= position);
  lines.forEach(({box}, index) => {
    // Only the list scrolls: on a phone the board must stay where it is.
    if (index === now) byId("log-box").scrollTop = box.offsetTop - byId("log-box").clientHeight / 2;
    box.classList.toggle("now", index === now);
  });
  for (const name of ["x1", "x2"]) marker?.setAttribute(name, across(now + 1));
}

byId("player-speed").value = "4";  // people's games are watched slowly
const open = makePlayer(data, {opened, shown: moved});
showGames();
let drawnAt = 0;
new ResizeObserver(() => {
  if (drawnAt === innerWidth) return;
  drawnAt = innerWidth;
  byId("figure").replaceChildren(ratesAndTimes(widthOf("figure", 1180)));
  byId("scatter").replaceChildren(data.puzzles.some(puzzle => puzzle.score !== null) ? scoresAndTimes(widthOf("scatter", 640)) : "");
}).observe(document.body);
