/** The view Play: a puzzle to solve. */

import { describeTag } from "../model/descriptions.js";
import { saveGame, startGame } from "../model/game.js";
import { addressOf } from "../model/links.js";
import { parOf } from "../model/plans.js";
import { isNewcomer, rememberPlayed } from "../model/progress.js";
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
  const view = new Play(found, route.query, context);
  const [begin, close] = [() => view.begin(), () => view.close()];
  return { element: view.element, title: found.entry.name, begin, close };
}

class Play extends GameView {
  constructor({ entry, puzzle, previous, next }, query, { site, recorder }) {
    const log = (happening) => recorder.record(entry, happening);
    super(entry, startGame(puzzle, entry, query), { site, log });
    Object.assign(this, { previous, next });
    this.par = parOf(puzzle, entry);
    this.#build();
    this.listen({ next: () => next && go(addressOf("play", next)) });
    this.refresh({ isOpening: true });
  }

  #build() {
    const { entry } = this;
    this.banner = h("div", { class: "banner" });
    this.editLink = h("a", { class: "button" }, "Edit");
    this.watchLink = h("a", { class: "button" });
    const copy = { icon: "link", text: "Link", label: "Copy a link to this position" };
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
      h(
        "div",
        { class: "side" },
        this.banner,
        this.zoom.element,
        this.controls(button(copy, () => this.#copyLink())),
      ),
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
  refresh({ isPlaying, isOpening } = {}) {
    super.refresh({ isPlaying });
    const { game, entry } = this;
    if (game.solved && isOpening) {
      this.#showSolved();
    } else if (!game.solved) {
      this.banner.classList.remove("shown");
      fill(this.banner);
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

  async #copyLink() {
    const { game, entry } = this;
    const hash = addressOf("play", entry, { plan: game.plan, step: game.plan && game.step });
    await copyAddress(hash);
  }
}
