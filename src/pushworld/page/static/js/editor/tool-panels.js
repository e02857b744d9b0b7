/** The editor's panels for the tool, the object that it draws, and the size of the drawing. */

import { announce, button, fill, h, icon, select } from "../views/dom.js";
import { MAX_DRAWN_SIDE } from "./drawing.js";
import { TOOLS } from "./pen.js";

const SIDES = ["left", "right", "top", "bottom"];

/** The choice of the tool, and of the object that the tools Object and Goal draw. */
export class ToolPanel {
  pen; drawing; onChange;

  /**
   * @param {import("./pen.js").Pen} pen
   * @param {import("./drawing.js").Drawing} drawing
   * @param {() => void} onChange called when the tool or the object has changed
   */
  constructor(pen, drawing, onChange) {
    Object.assign(this, { pen, drawing, onChange });
    this.radios = TOOLS.map(([value]) => {
      const checked = value === pen.tool;
      const radio = h("input", { type: "radio", name: "tool", value, class: "unseen", checked });
      radio.addEventListener("change", () => this.use(value));
      return radio;
    });
    const legend = h("legend", { class: "unseen" }, "Tool");
    const tools = TOOLS.map(([value, text], i) => this.#tool(value, text, i));
    this.objectBox = h("div", { class: "row" });
    this.element = h("div", { class: "row toolbox" },
      h("fieldset", { class: "tools-set" }, legend, tools),
      this.objectBox,
    );
  }

  #tool(value, text, index) {
    const hasIcon = value === "move" || value === "erase";
    const picture = hasIcon ? icon(value) : h("i", { class: `swatch ${value}` });
    const attributes = { class: "tool", title: `${text} (${index + 1})` };
    return h("label", attributes, this.radios[index], picture, h("span", {}, text));
  }

  /** Selects a tool. */
  use(tool) {
    this.pen.tool = tool;
    for (const radio of this.radios) radio.checked = radio.value === tool;
    this.onChange();
  }

  /** Lists the objects of the drawing if the tool needs one. */
  refresh() {
    const { pen, drawing, objectBox } = this;
    const known = drawing.movables();
    if (pen.tool === "goal" && known.length) {
      if (!known.includes(pen.movable)) pen.movable = known[0];
      this.#offer(known);
    } else if (pen.tool === "goal") {
      fill(objectBox, h("span", { class: "quiet" }, "Draw an object first."));
    } else if (pen.tool === "object") {
      this.#offer(known.includes(pen.movable) ? known : [...known, pen.movable]);
      const another = { icon: "plus", text: "New object" };
      this.objectBox.append(button(another, () => this.#choose(drawing.newMovable(), "button")));
    } else {
      fill(objectBox);
    }
  }

  #offer(names) {
    const options = names.map((name) => [name, `Object ${name.slice(1)}`]);
    const choose = (name) => this.#choose(name, "select");
    fill(this.objectBox, select("Object to draw", options, this.pen.movable, choose));
  }

  #choose(movable, focus) {
    this.pen.choose(movable, true);
    this.onChange();
    this.objectBox.querySelector(focus)?.focus();
  }
}

/** Fields and buttons for the size of a drawing. */
export class SizePanel {
  drawing; onChange;

  /**
   * @param {import("./drawing.js").Drawing} drawing
   * @param {() => void} onChange
   */
  constructor(drawing, onChange) {
    Object.assign(this, { drawing, onChange });
    this.columns = this.#field("Columns", (wanted) => ({ right: wanted - drawing.columns }));
    this.rows = this.#field("Rows", (wanted) => ({ bottom: wanted - drawing.rows }));
    this.element = h("div", { class: "sizes" },
      h("label", { class: "row" }, h("span", {}, "Columns"), this.columns),
      h("label", { class: "row" }, h("span", {}, "Rows"), this.rows),
      SIDES.map((side) => this.#side(side)),
    );
    this.refresh();
  }

  /** Shows the current size of the drawing. */
  refresh() {
    this.columns.value = this.drawing.columns;
    this.rows.value = this.drawing.rows;
  }

  /** Returns a field for a number of lines; `changeTo(number)` returns what to add on each side. */
  #field(name, changeTo) {
    const change = () => {
      if (input.value && input.checkValidity()) this.#resize(changeTo(Number(input.value)));
      else this.refresh();
    };
    const limits = { min: 1, max: MAX_DRAWN_SIDE, step: 1 };
    const input = h("input", { type: "number", "aria-label": name, ...limits, on: { change } });
    return input;
  }

  #side(side) {
    const resizer = (text, label, by) =>
      button({ text, label, "aria-label": label }, () => this.#resize({ [side]: by }));
    return h("div", { class: "row", role: "group", "aria-label": side },
      h("span", {}, side),
      resizer("−", `Remove a line from the ${side}`, -1),
      resizer("+", `Add a line to the ${side}`, 1),
    );
  }

  #resize(lines) {
    const { drawing } = this;
    drawing.begin();
    drawing.resize(lines);
    drawing.end();
    this.onChange();
    announce(`${drawing.columns} columns, ${drawing.rows} rows`);
  }
}
