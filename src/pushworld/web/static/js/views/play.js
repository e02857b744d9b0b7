/** The view Play: a puzzle to solve. */

import { describeMove, describePositions, describeTag } from "../model/descriptions.js";
import { LETTERS, pushTo, walkTo } from "../model/dynamics.js";
import { saveGame, startGame } from "../model/game.js";
import { addressOf } from "../model/links.js";
import { parOf } from "../model/plans.js";
import { isNewcomer, rememberPlayed } from "../model/progress.js";
import { loadPuzzle } from "../server/catalogue.js";
import { Board } from "./board.js";
import { announce, button, fill, h, icon } from "./dom.js";
import { howToMove, listenToKeys, listenToPointer, movePad } from "./game-controls.js";
import { HintPanel } from "./hint-panel.js";
import { copyAddress, go } from "./navigation.js";
import { celebrate, counters, solvedMessage } from "./score.js";
import { Zoom } from "./zoom.js";

const WALK_MS = 70;
const PLAY_MS = 160;

/** Opens a puzzle at the position in the route, or where the player left it. */
export async function openPlay(route, context) {
  const found = await loadPuzzle(route);
  rememberPlayed(found.entry);
  const view = new Play(found, route.query, context);
  const [begin, close] = [() => view.begin(), () => view.close()];
  return { element: view.element, title: found.entry.name, begin, close };
}

class Play {
  #ending = new AbortController();
  #walk = 0;

  constructor({ entry, puzzle, previous, next }, query, { site, recorder }) {
    Object.assign(this, { entry, puzzle, previous, next, recorder });
    this.game = startGame(puzzle, entry, query);
    this.par = parOf(puzzle, entry);
    this.board = new Board(puzzle);
    this.hints = new HintPanel({
      site,
      entry,
      game: this.game,
      onHint: (hint) => this.board.showHint(hint),
      onLook: () => this.board.scrollToHint(),
      onPlay: (actions) => this.#run(actions, PLAY_MS, "machine"),
      onStop: () => {
        this.#stopWalk();
        this.hints.moved();
      },
      onBack: (step) => this.#backTo(step),
      onAsk: () => this.#record("hint"),
      watchAddress: (actions) =>
        addressOf("watch", entry, {
          plan: this.game.plan + actions.map((action) => LETTERS[action]).join(""),
          step: this.game.step,
        }),
    });
    this.#build();
    this.#listen();
    this.#refresh({ isOpening: true });
  }

  #build() {
    const { entry } = this;
    this.counters = h("dl", { class: "counters" });
    this.undoButton = button({ icon: "undo", text: "Undo", keys: "Z" }, () => this.undo());
    this.redoButton = button({ icon: "redo", text: "Redo", keys: "Y" }, () => this.redo());
    this.resetButton = button({ icon: "reset", text: "Reset", keys: "R" }, () => this.reset());
    this.banner = h("div", { class: "banner" });
    this.surface = h(
      "div",
      {
        class: "surface",
        role: "application",
        tabindex: "0",
        "aria-label": `Board of ${entry.name}. Arrow keys move, P says where everything is.`,
        data: { autofocus: "" },
      },
      this.board.element,
    );
    this.zoom = new Zoom(this.surface, this.board.element);
    this.editLink = h("a", { class: "button" }, "Edit");
    this.watchLink = h("a", { class: "button" });
    this.element = h(
      "section",
      { class: "play" },
      h(
        "header",
        { class: "info" },
        this.#wayBack(),
        h("h1", {}, entry.name),
        entry.description && h("p", {}, entry.description),
        entry.tags.length > 0 &&
          h(
            "p",
            { class: "tags" },
            entry.tags.map((tag) => this.#tag(tag)),
          ),
      ),
      h("div", { class: "stage" }, this.surface, isNewcomer() && howToMove()),
      h("div", { class: "side" }, this.banner, this.zoom.element, this.#controls()),
      this.hints.element,
      h(
        "nav",
        { class: "row around", "aria-label": "Other views and puzzles" },
        this.#step(this.previous, "previous", "Previous"),
        this.watchLink,
        this.editLink,
        this.#step(this.next, "next", "Next"),
      ),
    );
  }

  #controls() {
    return h(
      "div",
      { class: "controls" },
      this.counters,
      h(
        "div",
        { class: "row tools", role: "toolbar", "aria-label": "Game" },
        this.undoButton,
        this.redoButton,
        this.resetButton,
        button({ icon: "link", text: "Link", label: "Copy a link to this position" }, () =>
          this.#copyLink(),
        ),
      ),
      movePad((action) => this.move(action)),
    );
  }

  #wayBack() {
    const { set, setTitle } = this.entry;
    if (!set) return null;
    const href = `#/gallery/${encodeURIComponent(set)}`;
    return h("p", {}, h("a", { class: "way-back", href }, icon("left"), setTitle));
  }

  #tag(tag) {
    const [text, title] = describeTag(tag);
    if (!this.entry.set) return h("span", { class: "tag", title }, text);
    const query = new URLSearchParams({ tag });
    const href = `#/gallery/${encodeURIComponent(this.entry.set)}?${query}`;
    return h("a", { class: "tag", href, title }, text);
  }

  #step(entry, name, text) {
    if (!entry) return null;
    const label = `${text}: ${entry.name}`;
    return button({ icon: name, text, label, keys: name === "next" ? "N" : null }, () =>
      go(addressOf("play", entry)),
    );
  }

  #listen() {
    const { signal } = this.#ending;
    const handlers = {
      move: (action) => this.move(action),
      undo: () => this.undo(),
      redo: () => this.redo(),
      reset: () => this.reset(),
      next: () => this.next && go(addressOf("play", this.next)),
      hint: () => this.hints.hint(),
      zoom: (direction) => this.zoom.step(direction),
      describe: () => announce(describePositions(this.puzzle, this.game.state)),
    };
    listenToKeys(handlers, signal);
    const onTap = (event) => this.walk(this.board.cellAt(event));
    listenToPointer(this.surface, { onMove: handlers.move, onTap }, signal);
    const onEnter = (event) =>
      event.key === "Enter" && !event.repeat && this.game.solved && handlers.next();
    this.surface.addEventListener("keydown", onEnter, { signal });
    addEventListener("pagehide", () => this.#record("leave"), { signal });
  }

  close() {
    this.#stopWalk();
    this.hints.cancel();
    this.#ending.abort();
    this.#record("leave");
  }

  /** Moves the agent, unless it is blocked; a solved game waits for another command. */
  move(action, { isWalking, isPlaying, actor } = {}) {
    if (!isWalking) this.#stopWalk();
    const { puzzle, game } = this;
    if (game.solved) return;
    const before = game.state;
    actor ??= this.hints.suggests(action) ? "hint" : "player";
    const moving = game.move(action, actor);
    this.#record("move", LETTERS[action], actor);
    this.board.face(action);
    announce(describeMove(puzzle, before, game.state, action, moving));
    if (!moving) {
      this.board.bump(action);
      return;
    }
    this.#refresh({ isPlaying });
    if (game.solved) this.#solved();
  }

  undo() {
    this.#stopWalk();
    if (this.game.undo()) this.#jumped("undo", "Undone");
  }

  redo() {
    this.#stopWalk();
    const { game } = this;
    if (!game.redo()) return;
    this.#jumped("redo", "Redone", LETTERS[game.lastAction], game.actors.at(-1));
    if (game.solved) this.#solved();
  }

  reset() {
    this.#stopWalk();
    if (this.game.reset()) this.#jumped("reset", "Back at the start");
  }

  #backTo(step) {
    this.#stopWalk();
    while (this.game.step > step && this.game.undo()) this.#record("undo");
    this.#refresh();
  }

  #jumped(kind, text, action, actor) {
    this.#record(kind, action, actor);
    this.#refresh();
    announce(`${text}, move ${this.game.step}.`);
  }

  /** Walks to a cell without pushing anything, or pushes the adjacent object on it. */
  walk(cell) {
    this.surface.focus({ preventScroll: true });
    const { puzzle, game } = this;
    if (game.solved) return;
    const push = pushTo(puzzle, game.state, cell);
    const actions = push === null ? walkTo(puzzle, game.state, cell) : [push];
    if (actions) {
      this.#run(actions, WALK_MS);
    } else {
      this.board.refuse(cell);
      announce("There is no free way to this cell.");
    }
  }

  /** Makes moves one after the other, until another command stops it. */
  #run(actions, pause, actor) {
    this.#stopWalk();
    const [action, ...rest] = actions;
    if (action === undefined) return;
    const isPlaying = rest.length > 0;
    this.move(action, { isWalking: true, isPlaying, actor });
    if (isPlaying) this.#walk = setTimeout(() => this.#run(rest, pause, actor), pause);
  }

  #stopWalk() {
    clearTimeout(this.#walk);
  }

  #solved() {
    this.#record("solved");
    announce(this.#showSolved());
    if (this.game.credit !== "none") celebrate(this.surface);
  }

  /** Shows what was achieved and what comes next; returns it as a text. */
  #showSolved() {
    const { game, entry, next } = this;
    const { text, content } = solvedMessage(game, { entry, next, par: this.par }, () => {
      this.reset();
      this.surface.focus({ preventScroll: true });
    });
    fill(this.banner, content);
    this.banner.classList.add("shown");
    this.#showCounters();
    return text;
  }

  /** Shows the position and stores it, except on opening: a link must not replace a saved game. */
  #refresh({ isPlaying, isOpening } = {}) {
    const { game, entry } = this;
    this.board.show(game.state);
    this.zoom.follow(game.state[0]);
    if (game.lastAction !== undefined) this.board.face(game.lastAction);
    if (game.solved && isOpening) {
      this.#showSolved();
    } else if (!game.solved) {
      this.banner.classList.remove("shown");
      fill(this.banner);
    }
    this.undoButton.disabled = this.resetButton.disabled = !game.canUndo;
    this.redoButton.disabled = !game.canRedo;
    this.#showCounters();
    this.watchLink.href = addressOf("watch", entry, { plan: game.plan });
    this.watchLink.textContent = game.step ? "My moves" : "Watch";
    this.editLink.href = addressOf("edit", entry);
    this.hints.moved({ isPlaying });
    if (!isOpening) saveGame(game, entry);
  }

  #showCounters() {
    const { game, entry, par } = this;
    fill(this.counters, counters(game, entry, par));
  }

  async #copyLink() {
    const { game, entry } = this;
    const hash = addressOf("play", entry, { plan: game.plan, step: game.plan && game.step });
    await copyAddress(hash);
  }

  /** Records the start, and the moves to the position if the game is resumed from one. */
  begin() {
    this.recorder.record(this.entry, "start", 0);
    const { plan, actors } = this.game;
    actors.forEach((actor, i) => {
      this.recorder.record(this.entry, "redo", i + 1, plan[i], actor);
    });
  }

  #record(kind, action, actor) {
    this.recorder.record(this.entry, kind, this.game.step, action, actor);
  }
}
