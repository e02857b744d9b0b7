// Plays plans on the board of the page. Small letters take a move back.

// Returns a function that opens a run. `watch.opened(row, planner, show)` hears of it, `watch.shown(position)` of each move.
function makePlayer(data, watch = {}) {
  const part = name => document.getElementById(`player-${name}`);
  const dialog = document.getElementById("player");
  let run, states, board;

  // A run may say which objects each move moves: people and models undo, and try what has no effect.
  function statesOf(puzzle, {plan, moves}) {
    const found = [drawing.initialState(puzzle)];
    Array.from(plan).forEach((letter, index) => {
      const [action, back] = ["LRUD".indexOf(letter), "RLDU".indexOf(letter.toUpperCase())], now = found[index];
      const moving = moves ? moves[index] : drawing.movedBy(puzzle, now, action) ?? [];
      found.push(drawing.moved(now, moving, action < 0 ? back : action));
    });
    return found;
  }

  function show(position) {
    board.show(states[position]);
    if (position) board.face("LRUD".indexOf(run.plan[position - 1].toUpperCase()));
    part("position").value = position;
    part("state").textContent = `${position} of ${run.plan.length} moves, ${run.pushes} ${run.pushes === 1 ? "push" : "pushes"}`;
    const mark = document.createElement("b");
    mark.textContent = run.plan.slice(position - 1, position);
    part("plan").replaceChildren(run.plan.slice(0, Math.max(0, position - 1)), mark, run.plan.slice(position));
    watch.shown?.(position);
  }

  const player = new drawing.Player({
    show,
    length: () => states.length - 1,
    rate: () => Number(part("speed").value),
    onToggle: isPlaying => { part("play").textContent = isPlaying ? "Pause" : "Play"; },
  });
  const go = position => { player.stop(); player.go(position); };

  function open(row, planner) {
    player.stop();
    const {pwp, name, level} = data.puzzles[row];
    const playable = data.planners.map((_, p) => p).filter(p => data.runs[row][p]?.plan !== undefined);
    if (!pwp || !playable.length) return;
    if (!playable.includes(planner)) planner = playable[0];
    run = data.runs[row][planner];
    part("title").textContent = `${name} (${level})`;
    part("planner").replaceChildren(...playable.map(p => new Option(`${data.planners[p].label} (${data.runs[row][p].plan.length})`, p, false, p === planner)));
    part("planner").onchange = event => open(row, Number(event.target.value));
    board = new drawing.Board(drawing.parsePwp(pwp));
    board.element.setAttribute("role", "img");
    board.element.setAttribute("aria-label", "The puzzle");
    part("world").replaceChildren(board.element);
    states = statesOf(board.puzzle, run);
    part("position").max = states.length - 1;
    watch.opened?.(row, planner, go);
    go(0);
    if (!dialog.open) dialog.showModal();
    part("play").focus();
  }

  part("play").addEventListener("click", () => player.toggle());
  part("back").addEventListener("click", () => go(player.step - 1));
  part("forward").addEventListener("click", () => go(player.step + 1));
  part("position").addEventListener("input", event => go(Number(event.target.value)));
  part("speed").addEventListener("change", () => player.isPlaying && player.play());
  part("palette").addEventListener("change", event => { dialog.dataset.palette = event.target.checked ? "safe" : ""; });
  part("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => player.stop());
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", event => {
    if (event.target.matches("select, input")) return;
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!by) return;
    go(player.step + by);
    event.preventDefault();
  });
  return open;
}
