/** What the hand of the editor can take: the tools, the object to work on, and the size. */

import { announce, button, fill, h, icon, select } from "./dom.js";
import { MAX_DRAWN_SIDE } from "./drawing.js";
import { TOOLS } from "./tools.js";

const SIDES = ["left", "right", "top", "bottom"];

/** The tools, and the choice of the object that those for objects and goals work on. */
export class Toolbox {
  /**
   * @param {import("./tools.js").Hand} hand
   * @param {import("./drawing.js").Drawing} drawing
   * @param {() => void} onChange called when something else is in the hand
   */
  constructor(hand, drawing, onChange) {
    Object.assign(this, { hand, drawing, onChange });
    this.radios = TOOLS.map(([value]) => {
      const checked = value === hand.tool;
      const radio = h("input", { type: "radio", name: "tool", value, class: "unseen", checked });
      radio.addEventListener("change", () => this.take(value));
      return radio;
    });
    const legend = h("legend", { class: "unseen" }, "Tool");
    const tools = TOOLS.map(([value, text], i) => this.#tool(value, text, i));
    this.objectBox = h("div", { class: "row" });
    this.element = h(
      "div",
      { class: "toolbox" },
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

  /** Takes a tool into the hand. */
  take(tool) {
    this.hand.tool = tool;
    for (const radio of this.radios) radio.checked = radio.value === tool;
    this.onChange();
  }

  /** Offers the objects of the drawing, where the tool works on one. */
  refresh() {
    const { hand, drawing, objectBox } = this;
    const known = drawing.movables();
    if (hand.tool === "goal" && known.length) {
      if (!known.includes(hand.movable)) hand.movable = known[0];
      this.#offer(known);
    } else if (hand.tool === "goal") {
      fill(objectBox, h("span", { class: "quiet" }, "Draw an object first."));
    } else if (hand.tool === "object") {
      this.#offer(known.includes(hand.movable) ? known : [...known, hand.movable]);
      const another = { icon: "plus", text: "New object" };
      this.objectBox.append(button(another, () => this.#choose(drawing.newMovable(), "button")));
    } else {
      fill(objectBox);
    }
  }

  #offer(names) {
    const options = names.map((name) => [name, `Object ${name.slice(1)}`]);
    const choose = (name) => this.#choose(name, "select");
    fill(this.objectBox, select("Object to draw", options, this.hand.movable, choose));
  }

  #choose(movable, focus) {
    this.hand.movable = movable;
    this.onChange();
    this.objectBox.querySelector(focus)?.focus();
  }
}

/** Fields and buttons for the size of a drawing. */
export class SizeBox {
  /**
   * @param {import("./drawing.js").Drawing} drawing
   * @param {() => void} onChange
   */
  constructor(drawing, onChange) {
    Object.assign(this, { drawing, onChange });
    this.columns = this.#field("Columns", (wanted) => ({ right: wanted - drawing.columns }));
    this.rows = this.#field("Rows", (wanted) => ({ bottom: wanted - drawing.rows }));
    this.element = h(
      "div",
      { class: "sizes" },
      h("label", { class: "row" }, h("span", {}, "Columns"), this.columns),
      h("label", { class: "row" }, h("span", {}, "Rows"), this.rows),
      SIDES.map((side) => this.#side(side)),
    );
    this.refresh();
  }

  /** Shows the size that the drawing has. */
  refresh() {
    this.columns.value = this.drawing.columns;
    this.rows.value = this.drawing.rows;
  }

  /** Returns a field for a number of lines; `changeTo(number)` says what to add where. */
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
    return h(
      "div",
      { class: "row", role: "group", "aria-label": side },
      h("span", {}, side),
      resizer("−", `Take a line away from the ${side}`, -1),
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
