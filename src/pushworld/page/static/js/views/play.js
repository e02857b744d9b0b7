/** The view Play: a puzzle to solve. */

import { describeTag } from "../model/descriptions.js";
import { saveGame, startGame } from "../model/game.js";
import { addressOf } from "../model/links.js";
import { parOf } from "../model/plans.js";
import { isNewcomer, progressOf, rememberPlayed } from "../model/progress.js";
import { loadPuzzle } from "../server/catalogue.js";
import { announce, button, fill, h, icon } from "./dom.js";
import { howToMove } from "./game-controls.js";
import { GameView } from "./game-view.js";
import { copyAddress, go } from "./navigation.js";
import { celebrate, counters, solvedMessage } from "./score.js";

/** Opens a puzzle at the position in the route, or where the player left it. */
export async function openPlay(route, context) {
  const found = await loadPuzzle(route);
  rememberPlayed(found.entry);
  return new Play(found, route.query, context);
}

class Play extends GameView {
  previous; next; title;

  constructor({ entry, puzzle, previous, next }, query, { site, recorder }) {
    const log = (happening) => recorder.record(entry, happening);
    super(entry, startGame(puzzle, entry, query), { site, log });
    Object.assign(this, { previous, next, title: entry.name });
    this.par = parOf(puzzle, entry);
    this.#build();
    this.listen({ next: () => next && go(addressOf("play", next)) });
    addEventListener("storage", () => this.#follow(), { signal: this.signal });
    this.refresh({ isOpening: true });
  }

  #build() {
    const { entry, next } = this;
    this.editLink = h("a", { class: "button" }, "Edit");
    this.watchLink = h("a", { class: "button" });
    const share = { icon: "link", text: "Share", label: "Copy a link to what you see", kind: "share" };
    this.lesson = (entry.description || entry.idea) && h("p", { class: "lesson" }, entry.description);
    const info = h("header", { class: "info" },
      this.#wayBack(),
      h("h1", {}, entry.name),
      this.lesson,
      entry.tags.length > 0 &&
        h("p", { class: "tags" }, entry.tags.map((tag) => this.#tag(tag))),
    );
    const around = h("nav", { class: "row around", "aria-label": "Other views and puzzles" },
      this.#step(this.previous, "previous", "Previous"),
      this.watchLink,
      this.editLink,
    );
    const further = [button(share, () => this.#share()), this.#step(next, "next", "Next")];
    const how = isNewcomer() && howToMove();
    const parts = this.parts({ info, how, further, around });
    this.element = h("section", { class: "play" }, parts);
  }

  #wayBack() {
    const { set, setTitle, list } = this.entry;
    if (!set) return null;
    const query = list ? `?${new URLSearchParams(list)}` : "";
    const href = `#/gallery/${list ? "" : encodeURIComponent(set)}${query}`;
    return h("a", { class: "way-back", href, title: setTitle }, icon("left"), h("span", {}, setTitle));
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
    const keys = name === "next" ? "N" : null;
    return button({ icon: name, text, label, keys, kind: name }, () => go(addressOf("play", entry)));
  }

  /** Takes over the game if another tab has gone on with it: what was done last counts. */
  #follow() {
    const { game, entry } = this;
    const isElsewhere = entry.key && (progressOf(entry.key).current ?? "") !== game.plan;
    if (isElsewhere && !game.solved) go(addressOf("play", entry));
  }

  close() {
    super.close();
    this.record("leave");
  }

  solved() {
    announce(this.#showSolved());
    if (this.game.credit !== "none") celebrate(this.surface);
  }

  /** Shows what was achieved and what comes next; returns it as a text. */
  #showSolved() {
    const { game, entry, next } = this;
    const onAgain = () => {
      this.reset();
      this.surface.focus({ preventScroll: true });
    };
    const onShare = () => this.#share();
    const { text, content } = solvedMessage(game, { entry, next, par: this.par, onAgain, onShare });
    this.showBanner(content);
    this.#showLesson();
    this.#showCounters();
    return text;
  }

  /** Shows what the puzzle is about, and once it is solved what it teaches. */
  #showLesson() {
    const { entry, game, lesson } = this;
    if (!lesson) return;
    lesson.textContent = (game.solved && entry.idea) || entry.description;
    lesson.classList.toggle("idea", Boolean(game.solved && entry.idea));
  }

  /** Shows the position and stores it, except on opening: a link must not replace a saved game. */
  refresh({ isPlaying = false, isOpening = false } = {}) {
    super.refresh({ isPlaying });
    const { game, entry } = this;
    if (game.solved && isOpening) {
      this.#showSolved();
    } else if (!game.solved) {
      this.banner.classList.remove("shown");
      fill(this.banner);
      this.#showLesson();
    }
    this.#showCounters();
    this.watchLink.href = addressOf("watch", entry, { plan: game.plan });
    this.watchLink.textContent = game.step ? "My moves" : "Watch";
    this.editLink.href = addressOf("edit", entry);
    if (!isOpening) saveGame(game, entry);
  }

  #showCounters() {
    const { game, entry, par } = this;
    fill(this.counters, counters(game, entry, par));
  }

  /** Copies a link to the solution, or to the position. */
  async #share() {
    const { entry } = this;
    const { solved, plan, step } = this.game;
    await copyAddress(addressOf(solved ? "watch" : "play", entry, { plan, step: solved ? null : plan && step }));
  }
}
