/** The view Edit: draw a puzzle, test it, ask the planner about it, and share it. */

import { count } from "../model/descriptions.js";
import { addressOf, fileName, makeEntry, pack } from "../model/links.js";
import { decodeText, parsePwp } from "../model/pwp.js";
import { loadPuzzle } from "../server/catalogue.js";
import { randomName } from "../server/recorder.js";
import { announce, button, chooseFile, download, fill, h } from "../views/dom.js";
import { copyAddress, go } from "../views/navigation.js";
import { Picture } from "../views/picture.js";
import { ZOOM_KEYS } from "../views/zoom.js";
import { DrawingBoard } from "./drawing-board.js";
import { Drawing } from "./drawing.js";
import { Pen, TOOLS } from "./pen.js";
import { deleteDrawing, saveDrawing, savedDrawings } from "./saved-drawings.js";
import { RevisionPanel, SolvabilityPanel } from "./planner-panels.js";
import { SizePanel, ToolPanel } from "./tool-panels.js";

const NAME = "My puzzle";
const PICTURE_CELL = 40;
const EXAMPLE = ".  .  .  .   .  .  .\n.  A  .  M1  .  G1 .\n.  .  .  .   .  .  .\n";

/** The value of the query's `drawing` that asks for a new drawing. */
const FRESH = "new";

/** Opens the puzzle or the drawing that the route names, or the last drawing. */
export async function openEditor(route, { site }) {
  const isNamed = route.parts.length > 0 || route.query.has("puzzle");
  const start = isNamed
    ? savedDrawingOf((await loadPuzzle(route)).entry)
    : savedOrNew(route.query.get("drawing"));
  return new Editor(start, site);
}

/** Returns the saved drawing with the entry's name and text, else the entry. */
function savedDrawingOf(entry) {
  const isSame = ({ name, pwp }) => name === entry.name && pwp === entry.pwp;
  return (!entry.set && savedDrawings().find(isSame)) || entry;
}

/** Returns the saved drawing with an id; without an id the last one, or the example. */
function savedOrNew(id) {
  const all = savedDrawings();
  const found = all.find((one) => (id === null ? isPuzzle(one.pwp) : one.id === id));
  if (id !== null && id !== FRESH && !found) {
    throw new Error("this drawing is not saved in this browser any more");
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

class Editor {
  drawing; title;
  #ending = new AbortController();

  /** The id of the saved drawing; null for a puzzle of a set or a link until it is changed. */
  #id;
  #unchanged;

  constructor({ id, set, name, pwp }, site) {
    const drawing = Drawing.fromText(pwp);
    Object.assign(this, { drawing, title: `Edit ${name}` });
    this.#id = set ? null : id;
    this.#unchanged = [name, drawing.text].join("\n");
    this.pen = new Pen(drawing, () => this.#refresh());
    this.pen.movable = drawing.movables()[0] ?? "M1";
    this.tools = new ToolPanel(this.pen, drawing, () => this.#refresh());
    this.size = new SizePanel(drawing, () => this.#refresh());
    this.board = new DrawingBoard(drawing, this.pen);
    this.solvability = new SolvabilityPanel(site, (plan) => this.#goTo("watch", { plan }));
    const replace = (text) => {
      drawing.replaceBy(text);
      this.#refresh();
    };
    this.revision = new RevisionPanel(site, replace, () => this.#history("undo"));
    this.#buildControls(name);
    this.element = h("section", { class: "edit" }, this.#parts());
    const { signal } = this.#ending;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    this.#refresh();
  }

  close() {
    this.solvability.cancel();
    this.revision.cancel();
    this.#ending.abort();
  }

  #buildControls(name) {
    const historyButton = (icon, text, keys) =>
      button({ icon, text, keys, kind: "shrinks" }, () => this.#history(icon));
    this.undoButton = historyButton("undo", "Undo", "Z");
    this.redoButton = historyButton("redo", "Redo", "Y");
    this.name = h("input", { "aria-label": "Name of the puzzle", maxlength: 80 });
    this.name.value = name;
    this.name.addEventListener("input", () => this.#save());
    this.message = h("p", { class: "message", role: "status" });
    this.savedList = h("ul", { class: "kept" });
    this.text = h("textarea", { rows: 8, spellcheck: "false", wrap: "off" });
    this.text.setAttribute("aria-label", "Puzzle as text");
    this.text.addEventListener("input", () => this.#readText());
    const play = { icon: "play", text: "Test play", kind: "primary" };
    this.tryButton = button(play, () => this.#goTo("play"));
    const exportButton = (text, kind) => button({ icon: "download", text }, () => this.#export(kind));
    this.shareButtons = [
      exportButton(".pwp", "pwp"),
      exportButton("PNG", "png"),
      exportButton("SVG", "svg"),
      button({ icon: "link", text: "Copy link" }, () => copyAddress(this.#address("play"))),
    ];
  }

  #parts() {
    const newButton = button({ text: "New" }, () => go(addressOfDrawing(FRESH)));
    const openButton = button({ icon: "upload", text: "Open a .pwp file" }, () => this.#import());
    return [
      h("header", { class: "row heading" },
        h("h1", { class: "unseen" }, "Edit a puzzle"),
        this.name,
        h("div", { class: "row" }, this.undoButton, this.redoButton, newButton, this.tryButton),
      ),
      this.tools.element,
      h("div", { class: "stage" },
        this.board.element,
        h("div", { class: "below" }, this.message, this.board.zoom.element),
      ),
      h("div", { class: "panels" },
        panel("Size", this.size.element),
        panel("Is it solvable, and how hard?", this.solvability.element),
        panel("Let the computer change it", this.revision.element),
        panel("Share", h("div", { class: "row" }, this.shareButtons)),
        panel("Text", this.text, h("div", { class: "row" }, openButton)),
        panel("Your drawings", this.savedList),
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
    else if (event.ctrlKey || event.metaKey) return;
    else if (tool) this.tools.use(tool[0]);
    else if (key in ZOOM_KEYS) this.board.zoom.step(ZOOM_KEYS[key]);
    else return;
    event.preventDefault();
  }

  /** Shows the drawing, its text (unless the user is typing it) and the parser's message. */
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
    this.tools.refresh();
    this.size.refresh();
    this.board.show(this.pen.movable, error?.cell);
    this.#say(error);
    this.undoButton.disabled = !drawing.canUndo;
    this.redoButton.disabled = !drawing.canRedo;
    for (const one of [this.tryButton, ...this.shareButtons]) one.disabled = !this.puzzle;
    this.solvability.change(this.puzzle);
    this.revision.change(this.puzzle);
    this.#save();
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
    const picture = new Picture(this.puzzle, PICTURE_CELL);
    const contents = {
      pwp: () => new Blob([this.drawing.text], { type: "text/plain" }),
      svg: () => new Blob([picture.svg], { type: "image/svg+xml" }),
      png: () => picture.png(),
    };
    download(fileName(this.name.value, kind), await contents[kind]());
    picture.close();
  }

  async #address(view, query = {}) {
    const { text } = this.drawing;
    const entry = makeEntry(this.name.value || NAME, text, await pack(text));
    return addressOf(view, entry, query);
  }

  async #goTo(view, query) {
    go(await this.#address(view, query));
  }

  /** Saves the drawing in this browser if it is a valid puzzle. */
  #save() {
    const [name, pwp] = [this.name.value || NAME, this.drawing.text];
    const isChanged = [name, pwp].join("\n") !== this.#unchanged;
    if (this.puzzle && (isChanged || this.#id)) {
      if (!this.#id) {
        this.#id = randomName();
        // At once, not when changes pause: a reload and the way back from a test must lead here.
        history.replaceState(null, "", addressOfDrawing(this.#id));
      }
      saveDrawing({ id: this.#id, name, pwp });
    }
    this.#showSaved();
  }

  #showSaved() {
    const row = ({ id, name }) => {
      const isThis = id === this.#id;
      return h("li", {},
        h("a", { href: addressOfDrawing(id), "aria-current": isThis ? "true" : null }, name),
        !isThis && button({ icon: "close", label: `Forget ${name}` }, () => this.#forget(id, name)),
      );
    };
    const none = h("li", { class: "quiet" }, "What you change is kept here, in this browser.");
    const saved = savedDrawings();
    fill(this.savedList, saved.length ? saved.map(row) : none);
  }

  #forget(id, name) {
    if (!confirm(`Forget the drawing “${name}”?`)) return;
    deleteDrawing(id);
    this.#showSaved();
    announce(`${name} is forgotten.`);
  }
}

function panel(title, ...content) {
  return h("section", { class: "panel" }, h("h2", {}, title), content);
}
