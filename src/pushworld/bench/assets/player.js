// Plays plans: the page knows which objects each action moves, so it needs no rules of its own.
// Small letters take a move back.
const DIRECTIONS = {L: [-1, 0], R: [1, 0], U: [0, -1], D: [0, 1], l: [1, 0], r: [-1, 0], u: [0, 1], d: [0, -1]};
const CELL = 20;

// Returns a function that opens a run. `watch.opened(row, planner, show)` hears of it, `watch.shown(position)` of each action.
function makePlayer(data, watch = {}) {
  const part = name => document.getElementById(`player-${name}`);
  const dialog = document.getElementById("player");
  let run, states, position = 0, timer = null, groups = [];

  function draw(picture) {
    const world = svg("svg", {viewBox: `0 0 ${picture.width} ${picture.height}`, "stroke-width": 2, role: "img", "aria-label": "The puzzle"});
    world.append(svg("rect", {width: picture.width, height: picture.height, fill: "#fff"}));
    for (const [d, fill, stroke] of picture.walls) world.append(svg("path", {d, fill, stroke}));
    groups = picture.objects.map(([d, fill, stroke]) => {
      const group = svg("g");
      group.append(svg("path", {d, fill, stroke}));
      world.append(group);
      return group;
    });
    for (const [d, stroke] of picture.goals) world.append(svg("path", {d, stroke, fill: "none"}));
    part("world").replaceChildren(world);
  }

  function statesOf(picture, moves, plan) {
    const found = [picture.objects.map(each => [each[3], each[4]])];
    moves.forEach((moved, index) => {
      const next = found[index].slice(), [dx, dy] = DIRECTIONS[plan[index]];
      for (const each of moved) next[each] = [next[each][0] + dx, next[each][1] + dy];
      found.push(next);
    });
    return found;
  }

  function show(next) {
    position = Math.max(0, Math.min(next, states.length - 1));
    states[position].forEach(([x, y], index) => { groups[index].style.transform = `translate(${x * CELL}px, ${y * CELL}px)`; });
    part("position").value = position;
    part("state").textContent = `${position} of ${run.plan.length} actions, ${run.pushes} pushes`;
    const mark = document.createElement("b");
    mark.textContent = run.plan.slice(position - 1, position);
    part("plan").replaceChildren(run.plan.slice(0, Math.max(0, position - 1)), mark, run.plan.slice(position));
    watch.shown?.(position);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    part("play").textContent = "Play";
  }

  function play() {
    if (timer !== null) return stop();
    if (position === states.length - 1) show(0);
    part("play").textContent = "Pause";
    timer = setInterval(() => {
      show(position + 1);
      if (position === states.length - 1) stop();
    }, 1000 / Number(part("speed").value));
  }

  function open(row, planner) {
    stop();
    const {picture, name, level} = data.puzzles[row];
    const playable = data.planners.map((_, p) => p).filter(p => data.runs[row][p]?.moves);
    if (!picture || !playable.length) return;
    if (!playable.includes(planner)) planner = playable[0];
    run = data.runs[row][planner];
    part("title").textContent = `${name} (${level})`;
    part("planner").replaceChildren(...playable.map(p => new Option(`${data.planners[p].label} (${data.runs[row][p].plan.length})`, p, false, p === planner)));
    part("planner").onchange = event => open(row, Number(event.target.value));
    draw(picture);
    states = statesOf(picture, run.moves, run.plan);
    part("position").max = states.length - 1;
    watch.opened?.(row, planner, next => { stop(); show(next); });
    show(0);
    if (!dialog.open) dialog.showModal();
    part("play").focus();
  }

  part("play").addEventListener("click", play);
  part("back").addEventListener("click", () => { stop(); show(position - 1); });
  part("forward").addEventListener("click", () => { stop(); show(position + 1); });
  part("position").addEventListener("input", event => { stop(); show(Number(event.target.value)); });
  part("speed").addEventListener("change", () => { if (timer !== null) { stop(); play(); } });
  part("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", stop);
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", event => {
    if (event.target.matches("select, input")) return;
    if (event.key === "ArrowLeft") { stop(); show(position - 1); event.preventDefault(); }
    if (event.key === "ArrowRight") { stop(); show(position + 1); event.preventDefault(); }
  });
  return open;
}
