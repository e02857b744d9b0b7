/** Edit: draw a puzzle, try it, let the planner judge it, and give it to others. */

import { Canvas } from "./canvas.js";
import { addressOf, loadPuzzle, makeEntry, pack } from "./catalogue.js";
import { announce, button, chooseFile, count, download, fill, fileName, h } from "./dom.js";
import { Drawing } from "./drawing.js";
import { forgetDrawing, keepDrawing, keptDrawings, newDrawingId } from "./drawings.js";
import { Judge } from "./judge.js";
import { initialState } from "./model.js";
import { picturePng, pictureSvg } from "./picture.js";
import { decodeText, parsePwp } from "./pwp.js";
import { copyAddress, go } from "./router.js";
import { SizeBox, Toolbox } from "./toolbox.js";
import { Hand, TOOLS } from "./tools.js";

const NAME = "My puzzle";
const EXAMPLE = ".  .  .  .   .  .  .\n.  A  .  M1  .  G1 .\n.  .  .  .   .  .  .\n";

/** What the query has instead of a drawing's id when a new one is wanted. */
const FRESH = "new";

/** Opens the puzzle or the drawing of the route, or what was drawn last. */
export async function openEdit(route, { site }) {
  const isNamed = route.parts.length > 0 || route.query.has("puzzle");
  const start = isNamed
    ? keptOf((await loadPuzzle(route)).entry)
    : keptOrNew(route.query.get("drawing"));
  const view = new Edit(start, site);
  return { element: view.element, title: `Edit ${start.name}`, close: () => view.close() };
}

/** Returns the drawing that a link was made of, such as one that comes back from its test. */
function keptOf(entry) {
  const isSame = ({ name, pwp }) => name === entry.name && pwp === entry.pwp;
  return (!entry.set && keptDrawings().find(isSame)) || entry;
}

/** Returns the drawing with an id, the last one without, and the example if there is none. */
function keptOrNew(id) {
  const all = keptDrawings();
  const found = all.find((one) => (id === null ? isPuzzle(one.pwp) : one.id === id));
  if (id !== null && id !== FRESH && !found) {
    throw new Error("this browser does not keep a drawing with this address any more");
  }
  return found ?? { id: null, name: NAME, pwp: EXAMPLE };
}

function isPuzzle(pwp) {
  try {
    return Boolean(parsePwp(pwp));
  } catch {
    return false;
  }
}

const addressOfDrawing = (id) => `#/edit?drawing=${encodeURIComponent(id)}`;

class Edit {
  #ending = new AbortController();

  /** The drawing that changes are kept in; puzzles of sets and links get one when changed. */
  #id;
  #unchanged;

  constructor({ id, set, name, pwp }, site) {
    const drawing = Drawing.fromText(pwp);
    this.drawing = drawing;
    this.#id = set ? null : id;
    this.#unchanged = [name, drawing.text].join("\n");
    this.hand = new Hand(drawing, () => this.#refresh());
    this.hand.movable = drawing.movables()[0] ?? "M1";
    this.toolbox = new Toolbox(this.hand, drawing, () => this.#refresh());
    this.sizeBox = new SizeBox(drawing, () => this.#refresh());
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
    this.name.addEventListener("input", () => this.#keep());
    this.message = h("p", { class: "message", role: "status" });
    this.keptList = h("ul", { class: "kept" });
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
    const newButton = button({ text: "New" }, () => go(addressOfDrawing(FRESH)));
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
      h(
        "div",
        { class: "stage" },
        this.canvas.element,
        h("div", { class: "below" }, this.message, this.canvas.zoom.element),
      ),
      h(
        "div",
        { class: "panels" },
        panel("Size", this.sizeBox.element),
        panel("Is it solvable, and how hard?", this.judge.element),
        panel("Share", h("div", { class: "row" }, this.shareButtons)),
        panel("Text", this.text, h("div", { class: "row" }, openButton)),
        panel("Your drawings", this.keptList),
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
    const { zoom } = this.canvas;
    if (key === "z") this.#history(event.shiftKey ? "redo" : "undo");
    else if (key === "y") this.#history("redo");
    else if (event.ctrlKey || event.metaKey) return;
    else if (tool) this.toolbox.take(tool[0]);
    else if (key === "+" || key === "=") zoom.step(1);
    else if (key === "-") zoom.step(-1);
    else if (key === "0") zoom.reset();
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
    this.sizeBox.refresh();
    this.canvas.show(this.hand.movable, error?.cell);
    this.#say(error);
    this.undoButton.disabled = !drawing.canUndo;
    this.redoButton.disabled = !drawing.canRedo;
    for (const one of [this.tryButton, ...this.shareButtons]) one.disabled = !this.puzzle;
    this.judge.change(this.puzzle);
    this.#keep();
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

  async #import() {
    const { name, bytes } = await chooseFile(".pwp,.txt,text/plain");
    try {
      this.drawing.replaceBy(decodeText(bytes));
      this.#id = null;
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
    await copyAddress(this.#address("play"));
  }

  async #goTo(view, query) {
    go(await this.#address(view, query));
  }

  /** Keeps what is drawn in this browser, unless it is not a puzzle just now. */
  #keep() {
    const [name, pwp] = [this.name.value || NAME, this.drawing.text];
    const isChanged = [name, pwp].join("\n") !== this.#unchanged;
    if (this.puzzle && (isChanged || this.#id)) {
      if (!this.#id) {
        this.#id = newDrawingId();
        // Now, not when changes pause: a reload, and the way back from a test, must lead here.
        history.replaceState(null, "", addressOfDrawing(this.#id));
      }
      keepDrawing({ id: this.#id, name, pwp });
    }
    this.#showKept();
  }

  #showKept() {
    const row = ({ id, name }) => {
      const isThis = id === this.#id;
      return h(
        "li",
        {},
        h("a", { href: addressOfDrawing(id), "aria-current": isThis ? "true" : null }, name),
        !isThis && button({ icon: "close", label: `Forget ${name}` }, () => this.#forget(id, name)),
      );
    };
    const none = h("li", { class: "quiet" }, "What you change is kept here, in this browser.");
    const kept = keptDrawings();
    fill(this.keptList, kept.length ? kept.map(row) : none);
  }

  #forget(id, name) {
    if (!confirm(`Forget the drawing “${name}”?`)) return;
    forgetDrawing(id);
    this.#showKept();
    announce(`${name} is forgotten.`);
  }
}

function panel(title, ...content) {
  return h("section", { class: "panel" }, h("h2", {}, title), content);
}
