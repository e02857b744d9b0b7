/** What the hand of the editor can take: the tools, the object to work on, and the size. */

import { announce, button, fill, h, icon, select } from "./dom.js";
import { TOOLS } from "./tools.js";

const NEW = "new";
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
    this.objectBox = h("span", {});
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
      this.#offer(known.map((name) => [name, name]));
    } else if (hand.tool === "goal") {
      fill(objectBox, h("span", { class: "quiet" }, "Draw an object first."));
    } else if (hand.tool === "object") {
      const names = known.includes(hand.movable) ? known : [...known, hand.movable];
      this.#offer([...names.map((name) => [name, name]), [NEW, "New object"]]);
    } else {
      fill(objectBox);
    }
  }

  #offer(options) {
    const choose = (value) => {
      this.hand.movable = value === NEW ? this.drawing.newMovable() : value;
      this.onChange();
      this.objectBox.querySelector("select").focus();
    };
    fill(this.objectBox, select("Object to draw", options, this.hand.movable, choose));
  }
}

/** Returns buttons that add lines to a drawing and take them away. */
export function sizeButtons(drawing, onChange) {
  const resize = (side, by) => {
    drawing.begin();
    drawing.resize({ [side]: by });
    drawing.end();
    onChange();
    announce(`${drawing.columns} columns, ${drawing.rows} rows`);
  };
  const resizer = (side, text, label, by) =>
    button({ text, label, "aria-label": label }, () => resize(side, by));
  const row = (side) =>
    h(
      "div",
      { class: "row", role: "group", "aria-label": side },
      h("span", {}, side),
      resizer(side, "−", `Take a line away from the ${side}`, -1),
      resizer(side, "+", `Add a line to the ${side}`, 1),
    );
  return h("div", { class: "sizes" }, SIDES.map(row));
}
