/** Boards as files: what the style sheet says stands in the picture itself, so that it looks the same anywhere. */

import { Board } from "./board.js";
import { h, s } from "./dom.js";

/** What the style sheet says about shapes, and what holds where it says nothing. */
const SHAPE = {
  fill: "rgb(0, 0, 0)",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  opacity: "1",
  transform: "none",
};
const TEXT = ["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];

/** A board that is drawn into files. */
export class Picture {
  #place = h("div", { class: "unseen still" });

  /**
   * @param {import("../model/puzzle.js").Puzzle} puzzle
   * @param {number} cell the width of a cell in pixels
   */
  constructor(puzzle, cell) {
    this.board = new Board(puzzle);
    this.width = (puzzle.width - 1) * cell;
    this.height = (puzzle.height - 1) * cell;
    this.#place.append(this.board.element);
    document.body.append(this.#place); // only there does it have a style
  }

  close() {
    this.#place.remove();
  }

  /** The picture as an SVG document. */
  get svg() {
    const { width, height, board: { element } } = this;
    const [viewBox, { x, y }] = [element.getAttribute("viewBox"), element.viewBox.baseVal];
    const fill = getComputedStyle(element).backgroundColor;
    const parts = [document.querySelector(".definitions defs"), ...element.children].map(plain);
    const wall = s("rect", { x, y, width: "100%", height: "100%", fill });
    const picture = s("svg", { width, height, viewBox }, wall, parts);
    return new XMLSerializer().serializeToString(picture);
  }

  /** Resolves to the picture as an image. */
  async image() {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(this.svg)}`;
    await image.decode();
    return image;
  }

  /** Resolves to the picture as a PNG blob. */
  async png() {
    const canvas = h("canvas", { width: this.width, height: this.height });
    canvas.getContext("2d").drawImage(await this.image(), 0, 0);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }
}

/** Returns a copy of an element with its style as attributes, or null if it is not shown. */
function plain(element) {
  const style = getComputedStyle(element);
  if (style.display === "none" && !element.closest("defs")) return null;
  const attributes = {};
  for (const { name, value } of element.attributes) {
    if (!/^(class|style|data-.*)$/.test(name)) attributes[name] = value;
  }
  const names = element.localName === "text" ? [...Object.keys(SHAPE), ...TEXT] : Object.keys(SHAPE);
  for (const name of names) {
    const value = style.getPropertyValue(name);
    if (value !== SHAPE[name]) attributes[name] = value;
  }
  const text = element.localName === "text" && element.textContent;
  return s(element.localName, attributes, text || [...element.children].map(plain));
}
