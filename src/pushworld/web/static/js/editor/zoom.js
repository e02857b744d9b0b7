/** Zooming into a drawing with buttons, keys, the wheel and two fingers. */

import { announce, button, h } from "../views/dom.js";

const STEP = 2;

/** The largest width of a cell in pixels; board.css has the same number. */
const LARGEST_CELL = 68;

export class Zoom {
  #fingers = new Map();

  /**
   * @param {HTMLElement} surface scrolls if the picture is larger
   * @param {SVGSVGElement} picture
   * @param {() => void} onPinch called when a second finger touches the surface
   */
  constructor(surface, picture, onPinch) {
    Object.assign(this, { surface, picture, onPinch });
    const control = (looks, keys, action) =>
      button({ ...looks, "aria-keyshortcuts": keys }, action);
    this.out = control({ icon: "minus", label: "Zoom out" }, "-", () => this.step(-1));
    this.fit = control({ text: "Fit", label: "Show all of the drawing" }, "0", () => this.reset());
    this.in = control({ icon: "plus", label: "Zoom in" }, "Plus", () => this.step(1));
    this.element = h("div", { class: "row zoom", role: "group", "aria-label": "Zoom" });
    this.element.append(this.out, this.fit, this.in);
    this.#listen();
    new ResizeObserver(() => this.#refresh()).observe(picture);
  }

  #listen() {
    const listen = (type, listener, options) =>
      this.surface.addEventListener(type, listener, options);
    listen("wheel", (event) => this.#turn(event), { passive: false });
    listen("pointerdown", (event) => this.#touch(event));
    listen("pointermove", (event) => this.#pinch(event));
    for (const type of ["pointerup", "pointercancel"]) {
      listen(type, (event) => this.#fingers.delete(event.pointerId));
    }
  }

  /** Makes cells larger (1) or smaller (-1) by one step. */
  step(direction) {
    this.#by(STEP ** direction);
    announce(`Cells are ${Math.round(this.#cell)} pixels wide.`);
  }

  /** Shows the whole drawing. */
  reset() {
    this.#resize(0);
    announce("All of the drawing is shown.");
  }

  /** Scrolls the drawing by a number of pixels. */
  pan(dx, dy) {
    this.surface.scrollBy(dx, dy);
  }

  /** The current width of a cell in pixels. */
  get #cell() {
    return this.picture.getScreenCTM().a;
  }

  /** Scales cells by a factor around a point of the screen, which stays where it is. */
  #by(factor, [x, y] = this.#middle()) {
    const matrix = this.picture.getScreenCTM();
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    this.#resize(matrix.a * factor);
    const now = point.matrixTransform(this.picture.getScreenCTM());
    this.pan(now.x - x, now.y - y);
  }

  #middle() {
    const { left, top, width, height } = this.surface.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }

  /** Sets the width of a cell; the drawing never becomes smaller than its surface. */
  #resize(cell) {
    const { surface, picture } = this;
    const isZoomed = cell > this.#leastCell() * 1.05;
    // Otherwise Safari paints the drawing at its old place.
    if (!isZoomed) surface.scrollTo(0, 0);
    surface.classList.toggle("zoomed", isZoomed);
    if (isZoomed) picture.style.setProperty("--cell", `${Math.min(cell, LARGEST_CELL)}px`);
    else picture.style.removeProperty("--cell");
    this.#refresh();
  }

  /** Returns the width of a cell in pixels at which the whole drawing is visible. */
  #leastCell() {
    const { width, height } = this.picture.viewBox.baseVal;
    const mostHeight = Number.parseFloat(getComputedStyle(this.surface).maxHeight);
    return Math.min(this.surface.clientWidth / width, mostHeight / height, LARGEST_CELL);
  }

  #refresh() {
    const isWhole = !this.surface.classList.contains("zoomed");
    const isLargest = this.#cell > LARGEST_CELL * 0.95;
    this.out.disabled = this.fit.disabled = isWhole;
    this.in.disabled = isLargest;
    this.element.hidden = isWhole && isLargest;
  }

  /** Zooms by the wheel with Ctrl; browsers report a pinch on a touchpad the same way. */
  #turn(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const factor = Math.exp(-event.deltaY / 200);
    this.#by(Math.max(1 / STEP, Math.min(factor, STEP)), [event.clientX, event.clientY]);
  }

  #touch(event) {
    if (event.pointerType !== "touch") return;
    if (event.isPrimary) this.#fingers.clear();
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.#fingers.size === 2) this.onPinch();
  }

  #pinch(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    const before = [...this.#fingers.values()];
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (before.length !== 2) return;
    const after = [...this.#fingers.values()];
    const [from, to] = [before, after].map(([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    const [was, is] = [before, after].map(([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]));
    this.#by(is / Math.max(was, 1), from);
    this.pan(from[0] - to[0], from[1] - to[1]);
  }
}
