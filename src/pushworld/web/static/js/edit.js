/** Edit: draw a puzzle, try it, let the planner judge it, and give it to others. */

import { Canvas } from "./canvas.js";
import { addressOf, loadPuzzle, makeEntry, pack } from "./catalogue.js";
import { announce, button, chooseFile, count, download, fileName, h } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Judge } from "./judge.js";
import { initialState } from "./model.js";
import { picturePng, pictureSvg } from "./picture.js";
import { decodeText, parsePwp } from "./pwp.js";
import { copyAddress, go } from "./router.js";
import { read, write } from "./store.js";
import { Toolbox, sizeButtons } from "./toolbox.js";
import { Hand, TOOLS } from "./tools.js";

const NAME = "My puzzle";
const EXAMPLE = ".  .  .  .   .  .  .\n.  A  .  M1  .  G1 .\n.  .  .  .   .  .  .\n";

/** Opens the puzzle of the route, or what was drawn last. */
export async function openEdit(route, { site }) {
  const isNamed = route.parts.length > 0 || route.query.has("puzzle");
  const { name, pwp } = isNamed ? (await loadPuzzle(route)).entry : draft();
  const view = new Edit(name, Drawing.fromText(pwp), site);
  return { element: view.element, title: `Edit ${name}`, close: () => view.close() };
}

function draft() {
  try {
    const { name, pwp } = read("draft", {});
    parsePwp(pwp);
    return { name: String(name), pwp };
  } catch {
    return { name: NAME, pwp: EXAMPLE };
  }
}

class Edit {
  #ending = new AbortController();

  constructor(name, drawing, site) {
    this.drawing = drawing;
    this.hand = new Hand(drawing, () => this.#refresh());
    this.hand.movable = drawing.movables()[0] ?? "M1";
    this.toolbox = new Toolbox(this.hand, drawing, () => this.#refresh());
    this.canvas = new Canvas(drawing, this.hand);
    this.judge = new Judge(site, (plan) => this.#goTo("watch", { plan }));
    this.#buildControls(name);
    this.element = h("section", { class: "edit" }, this.#parts());
    const { signal } = this.#ending;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    this.#refresh();
  }

  close() {
    this.judge.cancel();
    this.#ending.abort();
  }

  #buildControls(name) {
    const historyButton = (icon, label, keys) =>
      button({ icon, label, keys }, () => this.#history(icon));
    this.undoButton = historyButton("undo", "Undo", "Z");
    this.redoButton = historyButton("redo", "Redo", "Y");
    this.name = h("input", { "aria-label": "Name of the puzzle", maxlength: 80 });
    this.name.value = name;
    this.name.addEventListener("input", () => this.#keepDraft());
    this.message = h("p", { class: "message", role: "status" });
    this.text = h("textarea", { rows: 8, spellcheck: "false", wrap: "off" });
    this.text.setAttribute("aria-label", "Puzzle as text");
    this.text.addEventListener("input", () => this.#readText());
    const play = { icon: "play", text: "Test play", kind: "primary" };
    this.tryButton = button(play, () => this.#goTo("play"));
    const exportButton = (text, kind) =>
      button({ icon: "download", text }, () => this.#export(kind));
    this.shareButtons = [
      exportButton(".pwp", "pwp"),
      exportButton("PNG", "png"),
      exportButton("SVG", "svg"),
      button({ icon: "link", text: "Copy link" }, () => this.#copyLink()),
    ];
  }

  #parts() {
    const newButton = button({ text: "New" }, () => this.#startAnew());
    const open = { icon: "upload", text: "Open a .pwp file" };
    const openButton = button(open, () => this.#import());
    return [
      h(
        "header",
        { class: "heading" },
        h("h1", { class: "unseen" }, "Edit a puzzle"),
        this.name,
        h("div", { class: "row" }, this.undoButton, this.redoButton, newButton, this.tryButton),
      ),
      this.toolbox.element,
      h("div", { class: "stage" }, this.canvas.element, this.message),
      h(
        "div",
        { class: "panels" },
        panel(
          "Size",
          sizeButtons(this.drawing, () => this.#refresh()),
        ),
        panel("Is it solvable, and how hard?", this.judge.element),
        panel("Share", h("div", { class: "row" }, this.shareButtons)),
        panel("Text", this.text, h("div", { class: "row" }, openButton)),
      ),
    ];
  }

  #history(direction) {
    this.drawing[direction]();
    this.#refresh();
    announce(direction === "undo" ? "Undone" : "Redone");
  }

  #onKey(event) {
    if (event.target.closest("input:not([type=radio]), textarea, select, dialog")) return;
    const key = event.key.toLowerCase();
    const tool = TOOLS[Number(key) - 1];
    if (key === "z") this.#history(event.shiftKey ? "redo" : "undo");
    else if (key === "y") this.#history("redo");
    else if (tool && !event.ctrlKey && !event.metaKey) this.toolbox.take(tool[0]);
    else return;
    event.preventDefault();
  }

  /** Shows the drawing, its text (unless that is being written) and what the parser says. */
  #refresh({ keepText = false } = {}) {
    const { drawing } = this;
    if (!keepText) this.text.value = drawing.text;
    let error = null;
    this.puzzle = null;
    try {
      this.puzzle = parsePwp(drawing.text);
    } catch (found) {
      error = found;
    }
    this.toolbox.refresh();
    this.canvas.show(this.hand.movable, error?.cell);
    this.#say(error);
    this.undoButton.disabled = !drawing.canUndo;
    this.redoButton.disabled = !drawing.canRedo;
    for (const one of [this.tryButton, ...this.shareButtons]) one.disabled = !this.puzzle;
    this.judge.change(this.puzzle);
    this.#keepDraft();
  }

  #say(error) {
    this.message.classList.toggle("bad", error !== null);
    this.message.textContent = error ? error.message : this.#summary();
  }

  #summary() {
    const { goals, objects } = this.puzzle;
    const size = `${this.drawing.columns} × ${this.drawing.rows} cells`;
    const end = goals ? count(goals, "goal") : "no goals yet, so it cannot be solved";
    return `Valid: ${size}, ${count(objects.length - 1, "object")}, ${end}.`;
  }

  #readText() {
    try {
      this.drawing.replaceBy(this.text.value);
      this.text.removeAttribute("aria-invalid");
      this.#refresh({ keepText: true });
    } catch (error) {
      this.text.setAttribute("aria-invalid", "true");
      this.#say(error);
    }
  }

  #startAnew() {
    this.drawing.replaceBy(EXAMPLE);
    this.name.value = NAME;
    this.#refresh();
    announce("A new puzzle. Undo brings the old one back.");
  }

  async #import() {
    const { name, bytes } = await chooseFile(".pwp,.txt,text/plain");
    try {
      this.drawing.replaceBy(decodeText(bytes));
      this.name.value = name.replace(/\.[^.]*$/, "");
      this.#refresh();
      announce(`${name} is open.`);
    } catch (error) {
      this.#say(new Error(`${name}: ${error.message}`));
    }
  }

  async #export(kind) {
    const { puzzle } = this;
    const state = initialState(puzzle);
    const contents = {
      pwp: () => new Blob([this.drawing.text], { type: "text/plain" }),
      svg: () => new Blob([pictureSvg(puzzle, state)], { type: "image/svg+xml" }),
      png: () => picturePng(puzzle, state),
    };
    download(fileName(this.name.value, kind), await contents[kind]());
  }

  async #address(view, query = {}) {
    const { text } = this.drawing;
    const entry = makeEntry(this.name.value || NAME, text, await pack(text));
    return addressOf(view, entry, query);
  }

  async #copyLink() {
    await copyAddress(await this.#address("play"));
  }

  async #goTo(view, query) {
    go(await this.#address(view, query));
  }

  /** Keeps what is drawn for the next visit, unless it is not a puzzle just now. */
  #keepDraft() {
    if (this.puzzle) write("draft", { name: this.name.value, pwp: this.drawing.text });
  }
}

function panel(title, ...content) {
  return h("section", { class: "panel" }, h("h2", {}, title), content);
}
