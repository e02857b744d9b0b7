/**
 * A game on the page: its board, its controls, and a log of all that happens.
 *
 * The views Play and Study are made from it. They put its `parts` together, call `listen` once these
 * are built, and extend `refresh`.
 */

import { describeMove, describePositions } from "../model/descriptions.js";
import { DELTAS, LETTERS, objectAt, pushObject, pushTo, walkTo } from "../model/dynamics.js";
import { Board } from "./board.js";
import { announce, button, enable, fill, h, repeating } from "./dom.js";
import { listenToKeys, listenToPointer, movePad } from "./game-controls.js";
import { HintPanel } from "./hint-panel.js";
import { Zoom } from "./zoom.js";

const WALK_MS = 70;
/** How long what appears under a tapping finger is dead to it. */
const DEAD_MS = 500;

/** What a player may use; `free` are links, warnings and longer searches. */
const ALL_TOOLS = { undo: true, reset: true, hints: true, solution: true, free: true };

/**
 * What happened in a game: the letter of a move, who acted, which help is shown, and the number of
 * moves and the state after it.
 *
 * @typedef {{kind: string, action: ?string, actor: import("../model/game.js").Actor,
 *   shown: ?string, step: number, state: import("../model/puzzle.js").State}} Happening
 */
export class GameView {
  entry; game; log; tools; puzzle;
  #ending = new AbortController();
  #walk = 0;
  #dragged = null;
  #isAway = false;

  /**
   * @param {Partial<import("../model/links.js").Entry>} entry
   * @param {import("../model/game.js").PlayedGame} game
   * @param {{site: Object, log: (happening: Happening) => void, tools?: typeof ALL_TOOLS}} options
   */
  constructor(entry, game, { site, log, tools = ALL_TOOLS }) {
    Object.assign(this, { entry, game, log, tools, puzzle: game.puzzle });
    this.board = new Board(game.puzzle);
    this.counters = h("dl", { class: "counters" });
    this.banner = h("div", { class: "banner" });
    const tool = (name, text, keys) =>
      repeating(button({ icon: name, text, keys, kind: name }, () => this[name]()));
    this.undoButton = tool("undo", "Undo", "Z");
    this.redoButton = tool("redo", "Redo", "Y");
    this.resetButton = tool("reset", "Reset", "R");
    this.surface = h("div", {
      class: "surface",
      role: "application",
      tabindex: "0",
      "aria-label": `Board of ${entry.name}. Arrow keys move, P says where everything is.`,
      data: { autofocus: "" },
    }, this.board.element);
    this.zoom = new Zoom(this.surface, this.board.element);
    this.hints = tools.hints || tools.solution ? new HintPanel(this, site) : null;
  }

  /** Returns the view: what fits on a phone's screen, and what comes below it. */
  parts({ info, how = null, further = null, around = null }) {
    const { surface, counters, zoom, banner, hints } = this;
    const figures = h("div", { class: "figures" }, counters, zoom.element);
    return [
      h("div", { class: "screen" },
        info,
        hints?.answer,
        h("div", { class: "stage" }, surface, how),
        h("div", { class: "side" }, figures, this.#controls(further), banner),
      ),
      h("div", { class: "more" }, hints?.element, around),
    ];
  }

  /** Shows how the game has ended. */
  showBanner(...content) {
    fill(this.banner, content);
    this.banner.classList.add("shown");
    const row = this.banner.querySelector(".row");
    row.inert = this.game.solved;
    setTimeout(() => (row.inert = false), DEAD_MS);
  }

  /** Returns the allowed buttons with further ones, and the arrows. */
  #controls(further) {
    const { undo, reset, hints } = this.tools;
    const hint = { icon: "hint", text: "Hint", keys: "H", kind: "hint" };
    return h("div", { class: "controls" },
      h("div", { class: "row tools", role: "toolbar", "aria-label": "Game" },
        undo && [this.undoButton, this.redoButton],
        reset && this.resetButton,
        hints && this.hints.available && button(hint, () => this.hints.hint()),
        further,
      ),
      movePad((action) => this.move(action)),
    );
  }

  /** Ends when the view is closed. */
  get signal() {
    return this.#ending.signal;
  }

  /** Listens to keys and pointers until the view is closed; `more` handles further commands. */
  listen(more = {}) {
    const { signal } = this;
    const { undo, reset } = this.tools;
    const handlers = {
      move: (action) => this.move(action),
      undo: undo && (() => this.undo()),
      redo: undo && (() => this.redo()),
      reset: reset && (() => this.reset()),
      hint: this.tools.hints && (() => this.hints.hint()),
      zoom: (direction) => this.zoom.step(direction),
      describe: () => announce(describePositions(this.puzzle, this.game.state)),
      ...more,
      advance: () => this.game.solved && more.next?.(),
    };
    listenToKeys(handlers, signal);
    const onTap = (event) => this.walk(this.board.cellAt(event));
    const onGrab = (event) => this.#grab(event);
    listenToPointer(this.surface, { onMove: handlers.move, onTap, onGrab }, signal);
    const onLeave = () => {
      this.record("leave");
      this.#isAway = true; // which goes without saying
    };
    addEventListener("pagehide", onLeave, { signal });
    for (const type of ["blur", "focus"]) addEventListener(type, () => this.#look(), { signal });
    document.addEventListener("visibilitychange", () => this.#look(), { signal });
  }

  /** Logs the start, and the moves to the position if the game is resumed from one. */
  begin() {
    const { plan, actors, history } = this.game;
    history.states.forEach((state, step) => {
      const made = step ? { kind: "redo", action: plan[step - 1], actor: actors[step - 1] } : {};
      const start = { kind: "start", action: null, actor: "player", shown: null };
      this.log({ ...start, ...made, step, state });
    });
    this.watch();
  }

  /** Begins to log when the player turns away, and to warn. */
  watch() {
    this.#look();
    this.hints?.warn();
  }

  close() {
    this.stopWalk();
    this.hints?.cancel();
    this.#ending.abort();
  }

  /** Logs what happened, with the position it led to. */
  record(kind, { action = null, actor = "player" } = {}) {
    const { step, state } = this.game;
    this.log({ kind, action, actor, shown: this.hints?.shown ?? null, step, state });
  }

  /** Logs when the player turns to another window or tab, and comes back. */
  #look() {
    const isAway = document.hidden || !document.hasFocus();
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.record(isAway ? "blur" : "focus");
  }

  /** Moves the agent, unless it is blocked; a solved game waits for another command. */
  move(action, { isWalking = false, isPlaying = false, actor = null } = {}) {
    if (!isWalking || this.isStopped) this.stopWalk();
    const { puzzle, game } = this;
    if (game.solved || this.isStopped) return null;
    const before = game.state;
    actor ??= this.hints?.suggests(action) ? "hint" : "player";
    const moving = game.move(action, actor);
    this.board.face(action);
    announce(describeMove(puzzle, before, game.state, action, moving));
    const made = { action: LETTERS[action], actor };
    if (moving) return this.#made("move", { ...made, isPlaying });
    this.board.bump(action);
    return this.record("move", made);
  }

  /** Whether the game takes no more commands. */
  get isStopped() {
    return false;
  }

  undo() {
    this.stopWalk();
    if (this.isStopped || !this.game.undo()) return;
    this.#made("undo");
    announce(`Undone, move ${this.game.step}.`);
  }

  redo() {
    this.stopWalk();
    const { game } = this;
    if (this.isStopped || !game.redo()) return;
    announce(`Redone, move ${game.step}.`);
    this.#made("redo", { action: LETTERS[game.lastAction], actor: game.actors.at(-1) });
  }

  reset() {
    this.stopWalk();
    if (this.isStopped || !this.game.reset()) return;
    this.#made("reset");
    announce("Back at the start, move 0.");
  }

  /** Undoes moves until a step: the page does, not the player. */
  backTo(step) {
    this.stopWalk();
    while (this.game.step > step && this.game.undo()) this.record("undo", { actor: "machine" });
    this.refresh();
    this.hints?.warn();
  }

  /** What follows when the game is solved. */
  solved() {}

  /** Shows and logs what a command did, and what follows from it. */
  #made(kind, { isPlaying = false, action = null, actor = "player" } = {}) {
    this.refresh({ isPlaying });
    this.record(kind, { action, actor });
    this.hints?.warn();
    if (!this.game.solved || !action) return;
    this.record("solved", { actor });
    this.solved();
  }

  /** Walks to a cell without pushing anything, or pushes the adjacent object on it. */
  walk(cell) {
    this.surface.focus({ preventScroll: true });
    const { puzzle, game } = this;
    if (game.solved) return;
    const push = pushTo(puzzle, game.state, cell);
    const actions = push === null ? walkTo(puzzle, game.state, cell) : [push];
    if (actions) {
      this.run(actions, WALK_MS);
    } else {
      this.board.refuse(cell);
      announce("There is no free way to this cell.");
    }
  }

  /** Makes moves one after the other, until another command stops it. */
  run(actions, pause, actor) {
    this.stopWalk();
    const [action, ...rest] = actions;
    if (action === undefined) return;
    const isPlaying = rest.length > 0;
    this.move(action, { isWalking: true, isPlaying, actor });
    const goOn = () => (isPlaying ? this.run(rest, pause, actor) : this.#pull());
    this.#walk = setTimeout(goOn, pause);
  }

  /** Takes the object under a pointer; returns what to call while it is dragged, and at the end. */
  #grab(event) {
    const { puzzle, game, board } = this;
    const cell = board.cellAt(event);
    const index = objectAt(puzzle, game.state, cell);
    if (!index) return null;
    const [x, y] = game.state[index];
    return (to) => {
      const isBusy = this.#dragged !== null;
      const [toX, toY] = to ? board.cellAt(to) : [];
      this.#dragged = to && { index, wanted: [x + toX - cell[0], y + toY - cell[1]] };
      if (!isBusy) this.#pull();
    };
  }

  /** Walks to the dragged object, and pushes it one cell towards the pointer where the rules allow it. */
  #pull() {
    if (!this.#dragged || this.game.solved) return;
    const { index, wanted } = this.#dragged;
    const { state } = this.game;
    const lack = [0, 1].map((axis) => wanted[axis] - state[index][axis]);
    const far = (way) => way[0] * lack[0] + way[1] * lack[1];
    const ways = [0, 1, 2, 3].filter((action) => far(DELTAS[action]) > 0);
    ways.sort((a, b) => far(DELTAS[b]) - far(DELTAS[a]));
    for (const action of ways) {
      const actions = pushObject(this.puzzle, state, index, action);
      if (actions) {
        this.run(actions, WALK_MS);
        return;
      }
    }
    this.#dragged = null;
  }

  stopWalk() {
    clearTimeout(this.#walk);
  }

  /** Shows the position. */
  refresh({ isPlaying = false } = {}) {
    const { board, game } = this;
    board.show(game.state);
    this.zoom.follow(game.state[0]);
    if (game.lastAction !== undefined) board.face(game.lastAction);
    enable(this.undoButton, game.canUndo, this.surface);
    enable(this.resetButton, game.canUndo, this.surface);
    enable(this.redoButton, game.canRedo, this.surface);
    this.hints?.moved({ isPlaying });
  }
}
