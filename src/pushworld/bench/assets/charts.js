// Charts as SVG: solved puzzles against time, and two planners against each other.
const SVG = "http://www.w3.org/2000/svg";
const DASHES = ["", "9 4", "3 3", "12 4 3 4", "", "2 2", "9 4 2 4 2 4", "6 2"];
const colour = index => `var(--p${index % 8})`;

function svg(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Returns the card of one planner's score, with a bar that shows a share.
function scoreCard(name, count, told, share, shade) {
  const fill = element("div");
  fill.style.cssText = `width:${100 * share}%;background:${shade}`;
  return element("div", {className: "score"},
    element("div", {className: "name"}, name),
    element("div", {className: "count"}, count, element("small", {}, told)),
    element("div", {className: "track"}, fill));
}

const written = seconds =>
  seconds < 0.001 ? "<0.001" : String(Number(seconds.toPrecision(seconds < 1 ? 2 : 3)));
const logScale = (low, high, from, to) => value =>
  from + (to - from) * Math.log(Math.max(value, low) / low) / Math.log(high / low);

function decades(low, high) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * 1.0001; power++) ticks.push(10 ** power);
  return ticks;
}

function niceSteps(most, count) {
  const rough = most / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find(each => each * power >= rough) * power);
  return Array.from({length: Math.floor(most / step) + 1}, (_, index) => index * step);
}

// Returns the values moved apart so that labels do not touch, in the same order.
function spread(values, gap, lowest, highest) {
  const order = values.map((_, index) => index).sort((a, b) => values[a] - values[b] || a - b);
  const placed = [...values];
  for (let round = 0; round < 100; round++) {
    order.forEach((index, k) => {
      if (k > 0) {
        const lack = gap - (placed[index] - placed[order[k - 1]]);
        if (lack > 0) { placed[index] += lack / 2; placed[order[k - 1]] -= lack / 2; }
      }
      placed[index] = Math.min(highest, Math.max(lowest, placed[index]));
    });
  }
  return placed;
}

// Where there is no room for the planners' names beside the curves, they stand below.
function solvedCurve(data, rows, tip, width) {
  const named = 44 + 8 * Math.max(...data.planners.map(planner => planner.label.length + 5));
  const isNarrow = width < 2.5 * named;
  const left = 56, right = isNarrow ? 12 : named, top = 16, line = 20;
  const bottom = 52 + (isNarrow ? 8 + line * data.planners.length : 0), height = 388 + bottom;
  const end = Math.max(...data.planners.map(planner => planner.limit));
  const times = data.planners.map((_, p) => rows.map(r => data.runs[r][p])
    .filter(run => run && run.status === "solved").map(run => run.seconds).sort((a, b) => a - b));
  const first = Math.min(end / 10, ...times.flat());
  const start = Math.max(0.001, first * 0.7);
  const x = logScale(start, end, left, width - right);
  const most = Math.max(1, rows.length);
  const y = count => height - bottom - (height - bottom - top) * count / (most * 1.04);
  const chart = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": "Puzzles solved against planning time: " + data.planners.map((planner, p) => `${planner.label} ${times[p].length}`).join(", ")});
  for (const tick of decades(start, end)) {
    chart.append(svg("line", {class: "grid", x1: x(tick), x2: x(tick), y1: top, y2: height - bottom}),
      svg("text", {x: x(tick), y: height - bottom + 20, "text-anchor": "middle"}, String(tick)));
  }
  for (const tick of niceSteps(most, 6)) {
    chart.append(svg("line", {class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick)}),
      svg("text", {x: left - 8, y: y(tick) + 4, "text-anchor": "end"}, String(tick)));
  }
  chart.append(svg("line", {class: "dash", x1: left, x2: width - right, y1: y(most), y2: y(most)}),
    svg("text", {x: left + 8, y: y(most) + 16}, `all ${most} puzzles`),
    svg("line", {class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
    svg("text", {x: (left + width - right) / 2, y: height - bottom + 42, "text-anchor": "middle"}, "planning time (seconds)"),
    svg("text", {x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, "puzzles solved"));
  const ends = times.map(each => y(each.length));
  const places = spread(ends, 19, top + 6, height - bottom - 6);
  data.planners.forEach((planner, p) => {
    let curve = `M${x(start)} ${y(0)}`;
    times[p].forEach((seconds, index) => { curve += `H${x(seconds).toFixed(1)}V${y(index + 1).toFixed(1)}`; });
    curve += `H${x(planner.limit).toFixed(1)}`;
    const drawn = {class: p ? "curve" : "curve first", stroke: colour(p), "stroke-dasharray": DASHES[p % 8]};
    const below = height - line * (data.planners.length - p) + 6;
    const sign = isNarrow
      ? svg("path", {...drawn, d: `M${left - 40} ${below}h32`})
      : svg("path", {class: "curve", d: `M${x(planner.limit) + 2} ${ends[p]}L${width - right + 12} ${places[p]}`, stroke: colour(p), style: "stroke-width:1"});
    const [labelX, labelY] = isNarrow ? [left, below + 4] : [width - right + 16, places[p] + 4];
    chart.append(svg("path", {...drawn, d: curve}), sign,
      svg("text", {class: "label", x: labelX, y: labelY, style: `fill:${colour(p)}`}, `${planner.label}  ${times[p].length}`));
  });
  const cross = svg("line", {class: "cross", y1: top, y2: height - bottom, visibility: "hidden"});
  chart.append(cross);
  chart.addEventListener("pointermove", event => {
    const box = chart.getBoundingClientRect();
    const at = (event.clientX - box.left) * width / box.width;
    if (at < left || at > width - right) { cross.setAttribute("visibility", "hidden"); tip.hide(); return; }
    const seconds = start * (end / start) ** ((at - left) / (width - right - left));
    cross.setAttribute("x1", at); cross.setAttribute("x2", at); cross.setAttribute("visibility", "visible");
    tip.show(event, `within ${written(seconds)} s\n` + data.planners.map((planner, p) =>
      `${planner.label}: ${times[p].filter(each => each <= seconds).length}`).join("\n"));
  });
  chart.addEventListener("pointerleave", () => { cross.setAttribute("visibility", "hidden"); tip.hide(); });
  return chart;
}

function scatter(data, across, up, tip, open, size) {
  const left = 62, right = 46, top = 30, bottom = 56;
  const limits = [data.planners[across].limit, data.planners[up].limit];
  const pairs = data.runs.map((runs, row) => ({row, runs: [runs[across], runs[up]]})).filter(each => each.runs[0] && each.runs[1]);
  const solved = run => run.status === "solved";
  const all = pairs.flatMap(each => each.runs.filter(solved).map(run => run.seconds));
  const start = Math.max(0.001, Math.min(Math.max(...limits) / 10, ...all) * 0.8), end = Math.max(...limits);
  const x = logScale(start, end, left, size - right - 24), y = logScale(start, end, size - bottom, top + 24);
  const chart = svg("svg", {viewBox: `0 0 ${size} ${size}`, role: "img",
    "aria-label": `Seconds of ${data.planners[across].label} and ${data.planners[up].label} on each puzzle`});
  for (const tick of decades(start, end)) {
    chart.append(svg("line", {class: "grid", x1: x(tick), x2: x(tick), y1: top, y2: size - bottom}),
      svg("line", {class: "grid", x1: left, x2: size - right, y1: y(tick), y2: y(tick)}),
      svg("text", {x: x(tick), y: size - bottom + 18, "text-anchor": "middle"}, String(tick)),
      svg("text", {x: left - 8, y: y(tick) + 4, "text-anchor": "end"}, String(tick)));
  }
  chart.append(svg("line", {class: "axis", x1: x(start), y1: y(start), x2: x(end), y2: y(end)}),
    svg("line", {class: "dash", x1: x(end) + 12, x2: x(end) + 12, y1: top, y2: size - bottom}),
    svg("line", {class: "dash", x1: left, x2: size - right, y1: y(end) - 12, y2: y(end) - 12}),
    svg("text", {x: size - right + 4, y: y(end) - 14}, "not"), svg("text", {x: size - right + 4, y: y(end)}, "solved"),
    svg("text", {x: (left + size - right) / 2, y: size - 12, "text-anchor": "middle"}, `${data.planners[across].label} (seconds)`),
    svg("text", {x: 14, y: (top + size - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + size - bottom) / 2})`}, `${data.planners[up].label} (seconds)`));
  const count = test => pairs.filter(test).length;
  const faster = (a, b) => each => solved(each.runs[a]) && (!solved(each.runs[b]) || each.runs[a].seconds < each.runs[b].seconds);
  chart.append(svg("text", {x: left + 8, y: top - 10, class: "label", style: `fill:${colour(across)}`}, `${data.planners[across].label} faster: ${count(faster(0, 1))}`),
    svg("text", {x: size - right, y: size - bottom - 10, "text-anchor": "end", class: "label", style: `fill:${colour(up)}`}, `${data.planners[up].label} faster: ${count(faster(1, 0))}`));
  for (const {row, runs} of pairs) {
    const at = [solved(runs[0]) ? x(runs[0].seconds) : x(end) + 24, solved(runs[1]) ? y(runs[1].seconds) : y(end) - 24];
    const winner = faster(0, 1)({runs}) ? across : up;
    const point = svg("circle", {class: "point", cx: at[0], cy: at[1], r: 5, style: `fill:${runs.some(solved) ? colour(winner) : "var(--soft)"}`});
    const told = (planner, run) => `${data.planners[planner].label}: ${solved(run) ? written(run.seconds) + " s" : run.status}`;
    tip.on(point, `${data.puzzles[row].name}\n${told(across, runs[0])}\n${told(up, runs[1])}`);
    point.addEventListener("click", () => open(row, solved(runs[0]) ? across : up));
    chart.append(point);
  }
  return chart;
}
