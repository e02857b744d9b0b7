/** The controls of a game: keys, pointer, swipes and buttons. */

import { button, h } from "./dom.js";
import { ZOOM_KEYS } from "./zoom.js";

const KEYS = {
  ArrowLeft: ["move", 0],
  ArrowRight: ["move", 1],
  ArrowUp: ["move", 2],
  ArrowDown: ["move", 3],
  a: ["move", 0],
  d: ["move", 1],
  w: ["move", 2],
  s: ["move", 3],
  z: ["undo"],
  u: ["undo"],
  y: ["redo"],
  r: ["reset"],
  n: ["next"],
  h: ["hint"],
  p: ["describe"],
};
for (const [key, direction] of Object.entries(ZOOM_KEYS)) KEYS[key] = ["zoom", direction];

/** Where keys are for writing and choosing. */
const FIELDS = "input:not([type=checkbox]), textarea, select, dialog, [contenteditable]";

/** The commands that a held key repeats. */
const REPEATED = new Set(["move", "undo", "redo"]);

/** How far a finger moves, in pixels, until its tap is a swipe. */
const SWIPE = 26;

/**
 * Calls the handlers of commands when their keys are pressed outside of fields and dialogs.
 *
 * @param {Object<string, (argument?: number) => void>} handlers by the commands named above
 * @param {AbortSignal} signal removes the listener
 */
export function listenToKeys(handlers, signal) {
  document.addEventListener(
    "keydown",
    (event) => {
      const [command, argument] = commandOf(event) ?? [];
      if (!handlers[command]) return;
      event.preventDefault();
      if (!event.repeat || REPEATED.has(command)) handlers[command](argument);
    },
    { signal },
  );
}

/** Returns the command of a key, with its argument, or null. */
function commandOf(event) {
  if (event.defaultPrevented || event.altKey) return null;
  if (event.target.closest?.(FIELDS)) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return [event.shiftKey ? "redo" : "undo"];
    return key === "y" ? ["redo"] : null;
  }
  return KEYS[key] ?? null;
}

/**
 * Calls `onMove(action)` once for a swipe over an element, however long it is, and `onTap(event)`
 * for a click or tap; a second finger means neither.
 */
export function listenToPointer(element, { onMove, onTap }, signal) {
  let start = null;
  const listen = (type, listener) => element.addEventListener(type, listener, { signal });
  document.addEventListener("pointerdown", () => (start = null), { signal, capture: true });
  listen("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    start = [event.clientX, event.clientY];
    element.setPointerCapture(event.pointerId);
  });
  listen("pointermove", (event) => {
    if (!start || event.pointerType === "mouse") return;
    const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SWIPE) return;
    start = null;
    onMove(Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? 0 : 1) : dy < 0 ? 2 : 3);
  });
  listen("pointerup", (event) => {
    if (start) onTap(event);
    start = null;
  });
  listen("pointercancel", () => (start = null));
}

/** Returns a line for beginners on how to move. */
export function howToMove() {
  const byKeys = "Move with the arrow keys, or click where to go and what to push.";
  const byTouch = "Swipe to move, or use the arrows below.";
  return h(
    "p",
    { class: "how quiet" },
    h("span", { class: "for-keys" }, byKeys),
    h("span", { class: "for-touch" }, byTouch),
  );
}

/** Returns four buttons to move, for touch screens. */
export function movePad(onMove) {
  const names = ["left", "right", "up", "down"];
  const buttons = names.map((name, action) =>
    button({ icon: name, label: `Move ${name}`, kind: name }, () => onMove(action)),
  );
  return h("div", { class: "pad" }, buttons[2], buttons[0], buttons[3], buttons[1]);
}
