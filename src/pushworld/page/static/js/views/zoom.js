/** Zooming into a board with buttons, keys, the wheel and two fingers. */

import { announce, button, enable, h, prefersLessMotion } from "./dom.js";

const STEP = 2;

/** The width of a cell in pixels up to which one can zoom. */
const LARGEST_CELL = 68;

/** Below this width nothing can be hit: the buttons appear, and a game opens with larger cells. */
const SMALL_CELL = 16;
const OPENED_CELL = 24;

/** How many cells remain visible around the one that is followed. */
const AROUND = 3;

/** The keys that zoom, and what `step` does for them. */
export const ZOOM_KEYS = { "+": 1, "=": 1, "-": -1, 0: 0 };

export class Zoom {
  surface; picture; onPinch; smallest;
  #fingers = new Map();
  #followed = null;
  #gliding = 0;

  /**
   * @param {HTMLElement} surface scrolls if the picture is larger
   * @param {SVGSVGElement} picture
   * @param {{onPinch?: () => void, smallest?: number}} [options] what is called when a second finger
   *   touches the surface, and the width of a cell up to which all is shown at first
   */
  constructor(surface, picture, { onPinch, smallest = SMALL_CELL } = {}) {
    Object.assign(this, { surface, picture, onPinch, smallest });
    const control = (looks, keys, action) => button({ ...looks, "aria-keyshortcuts": keys }, action);
    this.out = control({ icon: "minus", label: "Zoom out" }, "-", () => this.step(-1));
    this.fit = control({ text: "Fit", label: "Show all" }, "0", () => this.step(0));
    this.in = control({ icon: "plus", label: "Zoom in" }, "Plus", () => this.step(1));
    const group = { class: "row zoom", role: "group", "aria-label": "Zoom" };
    this.element = h("div", group, this.out, this.fit, this.in);
    this.#listen();
    let isOpen = false;
    new ResizeObserver(() => {
      if (!isOpen && this.#followed && this.#cell < this.smallest) {
        this.#resize(OPENED_CELL);
        this.follow(this.#followed);
      }
      isOpen = true;
      this.#refresh();
    }).observe(picture);
  }

  #listen() {
    const listen = (type, listener, options) => this.surface.addEventListener(type, listener, options);
    listen("wheel", (event) => this.#turn(event), { passive: false });
    // Where one finger scrolls, the browser would scroll by two fingers too.
    const onTouch = (event) => this.#fingers.size > 1 && event.preventDefault();
    listen("touchmove", onTouch, { passive: false });
    listen("pointerdown", (event) => this.#touch(event));
    listen("pointermove", (event) => this.#pinch(event));
    for (const type of ["pointerup", "pointercancel"]) {
      listen(type, (event) => this.#fingers.delete(event.pointerId));
    }
  }

  /** Makes cells larger (1) or smaller (-1) by one step, or shows the whole picture (0). */
  step(direction) {
    if (direction) this.#by(STEP ** direction);
    else this.#resize(0);
    if (this.#followed) this.follow(this.#followed);
    const cells = `Cells are ${Math.round(this.#cell)} pixels wide.`;
    announce(this.#isZoomed ? cells : "Everything is shown.");
  }

  /** Keeps a cell in sight, with some cells around it. */
  follow(cell) {
    this.#followed = cell;
    cancelAnimationFrame(this.#gliding);
    if (this.#isZoomed) this.#glide(prefersLessMotion() ? 1 : 0.25);
  }

  /** Scrolls a part of the way to the followed cell, and the rest in the next frames. */
  #glide(part) {
    const { a, e, f } = this.picture.getScreenCTM();
    const { left, top, width, height } = this.surface.getBoundingClientRect();
    const lack = (place, size) => {
      const around = Math.min(AROUND * a, size / 2 - a);
      const pixels = Math.min(0, place - around) + Math.max(0, place + a + around - size);
      return Math.sign(pixels) * Math.ceil(Math.abs(pixels * part));
    };
    const [x, y] = this.#followed;
    const { scrollLeft, scrollTop } = this.surface;
    this.surface.scrollBy(lack(e + x * a - left, width), lack(f + y * a - top, height));
    const hasMoved = this.surface.scrollLeft !== scrollLeft || this.surface.scrollTop !== scrollTop;
    if (hasMoved) this.#gliding = requestAnimationFrame(() => this.#glide(part));
  }

  get #isZoomed() {
    return this.surface.classList.contains("zoomed");
  }

  /** The current width of a cell in pixels. */
  get #cell() {
    return this.picture.getScreenCTM().a;
  }

  /** Scales cells by a factor around a place of the screen, which stays where it is; by default the middle. */
  #by(factor, place = null) {
    const { left, top, width, height } = this.surface.getBoundingClientRect();
    const [x, y] = place ?? [left + width / 2, top + height / 2];
    const matrix = this.picture.getScreenCTM();
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    this.#resize(matrix.a * factor);
    const now = point.matrixTransform(this.picture.getScreenCTM());
    this.surface.scrollBy(now.x - x, now.y - y);
  }

  /** Sets the width of a cell; the picture never becomes smaller than its surface. */
  #resize(wanted) {
    const { surface, picture } = this;
    const cell = Math.min(wanted, LARGEST_CELL);
    const isZoomed = cell > this.#leastCell() * 1.05;
    // Otherwise Safari paints the picture at its old place.
    if (!isZoomed) surface.scrollTo(0, 0);
    surface.classList.toggle("zoomed", isZoomed);
    if (isZoomed) surface.tabIndex = 0; // so that keys can scroll it
    picture.style.setProperty("--cell", isZoomed ? `${cell}px` : "");
    this.#refresh();
  }

  /** Returns the width of a cell in pixels at which the whole picture is visible. */
  #leastCell() {
    const { width, height } = this.picture.viewBox.baseVal;
    return Math.min(this.surface.clientWidth / width, this.surface.clientHeight / height);
  }

  #refresh() {
    const isWhole = !this.#isZoomed;
    const isLargest = this.#cell > LARGEST_CELL * 0.95;
    enable(this.out, !isWhole, this.surface);
    enable(this.fit, !isWhole, this.surface);
    enable(this.in, !isLargest, this.surface);
    this.element.hidden = isWhole && this.#cell >= SMALL_CELL;
  }

  /** Zooms by the wheel with Ctrl; browsers report a pinch on a touchpad the same way. */
  #turn(event) {
    const isPageZoom = this.out.disabled && this.in.disabled;
    if (!event.ctrlKey || isPageZoom) return;
    event.preventDefault();
    const factor = Math.exp(-event.deltaY / 200);
    this.#by(Math.max(1 / STEP, Math.min(factor, STEP)), [event.clientX, event.clientY]);
  }

  #touch(event) {
    if (event.pointerType !== "touch" || visualViewport.scale > 1) return;
    if (event.isPrimary) this.#fingers.clear();
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.#fingers.size === 2) this.onPinch?.();
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
    this.surface.scrollBy(from[0] - to[0], from[1] - to[1]);
  }
}
