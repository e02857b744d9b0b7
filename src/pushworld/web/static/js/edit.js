/** Edit: draw a puzzle, try it, let the planner judge it, and give it to others. */

import { Canvas } from "./canvas.js";
import { addressOf, loadPuzzle, makeEntry, pack } from "./catalogue.js";
import { announce, button, chooseFile, count, download, fileName, fill, h, icon, select } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Judge } from "./judge.js";
import { initialState } from "./model.js";
import { picturePng, pictureSvg } from "./picture.js";
import { copyAddress } from "./play.js";
import { decodeText, parsePwp } from "./pwp.js";
import { go } from "./router.js";
import { read, write } from "./store.js";
import { Hand, TOOLS } from "./tools.js";

const SIDES = ["left", "right", "top", "bottom"];
const NEW = "new";
const EXAMPLE = ".  .  .  .   .  .  .\n.  A  .  M1  .  G1 .\n.  .  .  .   .  .  .\n";

/** Opens the puzzle of the route, or what was drawn last. */
export async function openEdit(route, { site }) {
  const isNamed = route.parts.length > 0 || route.query.has("puzzle");
  const { entry } = isNamed ? await loadPuzzle(route) : { entry: draft() };
  const view = new Edit(entry, site);
  return { element: view.element, title: `Edit ${entry.name}`, close: () => view.close() };
}

function draft() {
  const { name, pwp } = read("draft", { name: "My puzzle", pwp: EXAMPLE });
  return makeEntry(String(name), String(pwp));
}

class Edit {
  #ending = new AbortController();

  constructor(entry, site) {
    try {
      this.drawing = Drawing.fromText(entry.pwp);
    } catch {
      this.drawing = Drawing.fromText(EXAMPLE);
    }
    this.hand = new Hand(this.drawing, () => this.#refresh());
    this.canvas = new Canvas(this.drawing, this.hand);
    this.judge = new Judge(site, (plan) => this.#goTo("watch", { plan }));
    this.#build(entry);
    this.hand.movable = this.drawing.movables()[0] ?? "M1";
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal: this.#ending.signal });
    this.#refresh({ quiet: true });
  }

  close() {
    this.judge.cancel();
    this.#ending.abort();
  }

  #build(entry) {
    this.name = h("input", { "aria-label": "Name of the puzzle", maxlength: 80, on: { input: () => this.#keepDraft() } });
    this.name.value = entry.name;
    this.message = h("p", { class: "message", role: "status" });
    this.objectBox = h("span", { class: "object-box" });
    this.text = h("textarea", { rows: 8, spellcheck: "false", wrap: "off", "aria-label": "Puzzle as text", on: { input: () => this.#readText() } });
    this.undoButton = button({ icon: "undo", label: "Undo", keys: "Z" }, () => this.#history("undo"));
    this.redoButton = button({ icon: "redo", label: "Redo", keys: "Y" }, () => this.#history("redo"));
    this.tryButton = button({ icon: "play", text: "Test play", kind: "primary" }, () => this.#goTo("play"));
    this.exports = [
      button({ icon: "download", text: ".pwp" }, () => this.#export("pwp")),
      button({ icon: "download", text: "PNG" }, () => this.#export("png")),
      button({ icon: "download", text: "SVG" }, () => this.#export("svg")),
      button({ icon: "link", text: "Copy link" }, async () => copyAddress(await this.#address("play"))),
    ];
    this.element = h(
      "section",
      { class: "edit" },
      h("header", { class: "heading" }, h("h1", { class: "unseen" }, "Edit a puzzle"), this.name,
        h("div", { class: "row" }, this.undoButton, this.redoButton,
          button({ text: "New" }, () => this.#startAnew()), this.tryButton)),
      h("div", { class: "toolbox" }, this.#toolbar(), this.objectBox),
      h("div", { class: "stage" }, this.canvas.element, this.message),
      h("div", { class: "panels" },
        panel("Size", this.#sizes()),
        panel("Is it solvable, and how hard?", this.judge.element),
        panel("Share", h("div", { class: "row" }, this.exports)),
        panel("Text", this.text, h("div", { class: "row" },
          button({ icon: "upload", text: "Open a .pwp file" }, () => this.#import())))),
    );
  }

  #toolbar() {
    this.radios = TOOLS.map(([value, text], index) => {
      const radio = h("input", { type: "radio", name: "tool", value, class: "unseen", checked: value === this.hand.tool });
      radio.addEventListener("change", () => this.#take(value));
      const picture = ["move", "erase"].includes(value) ? icon(value) : h("i", { class: `swatch ${value}` });
      return h("label", { class: "tool", title: `${text} (${index + 1})` }, radio, picture, h("span", {}, text));
    });
    return h("fieldset", { class: "tools-set" }, h("legend", { class: "unseen" }, "Tool"), this.radios);
  }

  #take(tool) {
    this.hand.tool = tool;
    this.radios.forEach((label) => (label.firstChild.checked = label.firstChild.value === tool));
    this.#refresh({ quiet: true });
  }

  #sizes() {
    return h("div", { class: "sizes" }, SIDES.map((side) =>
      h("div", { class: "row", role: "group", "aria-label": side },
        h("span", {}, side),
        button({ text: "−", label: `Take a line away from the ${side}`, "aria-label": `Take a line away from the ${side}` }, () => this.#resize(side, -1)),
        button({ text: "+", label: `Add a line to the ${side}`, "aria-label": `Add a line to the ${side}` }, () => this.#resize(side, 1)))));
  }

  #resize(side, by) {
    this.drawing.begin();
    this.drawing.resize({ [side]: by });
    this.hand.end();
    announce(`${this.drawing.columns} columns, ${this.drawing.rows} rows`);
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
    else if (tool && !event.ctrlKey && !event.metaKey) this.#take(tool[0]);
    else return;
    event.preventDefault();
  }

  /** Shows the drawing, its text and what the parser says. */
  #refresh({ quiet = false, keepText = false } = {}) {
    const { drawing } = this;
    if (!keepText) this.text.value = drawing.text;
    let error = null;
    try {
      this.puzzle = parsePwp(drawing.text);
    } catch (found) {
      error = found;
      this.puzzle = null;
    }
    this.canvas.show(this.hand.movable, error?.cell);
    this.#showObjects();
    this.#say(error);
    this.undoButton.disabled = !drawing.canUndo;
    this.redoButton.disabled = !drawing.canRedo;
    for (const one of [this.tryButton, ...this.exports]) one.disabled = !this.puzzle;
    if (!quiet) this.#keepDraft();
    this.judge.change(this.puzzle);
  }

  #say(error) {
    this.message.classList.toggle("bad", Boolean(error));
    if (error) {
      this.message.textContent = error.message;
      return;
    }
    const { columns, rows } = this.drawing;
    const goals = this.puzzle.goals ? count(this.puzzle.goals, "goal") : "no goals yet, so it cannot be solved";
    this.message.textContent =
      `Valid: ${columns} × ${rows} cells, ${count(this.puzzle.objects.length - 1, "object")}, ${goals}.`;
  }

  /** Lets the visitor choose the object that the tools for objects and goals work on. */
  #showObjects() {
    const { hand, drawing } = this;
    const known = drawing.movables();
    if (hand.tool === "object" || hand.tool === "goal") {
      const names = known.includes(hand.movable) || hand.tool === "goal" ? known : [...known, hand.movable];
      if (hand.tool === "goal" && !known.includes(hand.movable) && known.length) hand.movable = known[0];
      const options = names.map((name) => [name, name]);
      if (hand.tool === "object") options.push([NEW, "New object"]);
      const choose = (value) => {
        hand.movable = value === NEW ? drawing.newMovable() : value;
        this.#refresh({ quiet: true });
        this.objectBox.querySelector("select")?.focus();
      };
      if (!options.length) fill(this.objectBox, h("span", { class: "quiet" }, "Draw an object first."));
      else fill(this.objectBox, select("Object to draw", options, hand.movable, choose));
    } else {
      fill(this.objectBox);
    }
  }

  #readText() {
    try {
      this.drawing.replaceBy(this.text.value);
      this.text.removeAttribute("aria-invalid");
      this.drawing.end();
      this.#refresh({ keepText: true });
    } catch (error) {
      this.text.setAttribute("aria-invalid", "true");
      this.#say(error);
    }
  }

  #startAnew() {
    this.drawing.replaceBy(EXAMPLE);
    this.name.value = "My puzzle";
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
      announce(this.message.textContent);
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
    const entry = makeEntry(this.name.value || "Untitled", this.drawing.text, await pack(this.drawing.text));
    return addressOf(view, entry, query);
  }

  async #goTo(view, query) {
    go(await this.#address(view, query));
  }

  #keepDraft() {
    write("draft", { name: this.name.value, pwp: this.drawing.text });
  }
}

function panel(title, ...content) {
  return h("section", { class: "panel" }, h("h2", {}, title), content);
}
