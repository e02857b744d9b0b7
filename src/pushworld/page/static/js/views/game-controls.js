/** The controls of a game: keys, pointer, swipes and buttons. */

import { HOLD_MS, button, h, repeated, repeating } from "./dom.js";
import { ZOOM_KEYS } from "./zoom.js";

const KEYS = {
  z: ["undo"],
  u: ["undo"],
  y: ["redo"],
  r: ["reset"],
  n: ["next"],
  h: ["hint"],
  p: ["describe"],
  Enter: ["advance"],
};
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "a", "d", "w", "s"];
MOVES.forEach((key, i) => (KEYS[key] = ["move", i % 4]));
for (const [key, direction] of Object.entries(ZOOM_KEYS)) KEYS[key] = ["zoom", direction];

/** Where keys are for writing and choosing. */
const FIELDS = "input:not([type=checkbox]), textarea, select, dialog, [contenteditable]";

/** The commands that a held key repeats. */
const REPEATED = new Set(["move", "undo", "redo"]);

/** How far a finger moves, in pixels, until its tap is a swipe. */
const SWIPE = 26;
/** How far a finger that rests may move. */
const REST = 8;

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
  if (event.key === "Enter" && event.target.closest?.("button, a")) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return [event.shiftKey ? "redo" : "undo"];
    return key === "y" ? ["redo"] : null;
  }
  return KEYS[key] ?? null;
}

/**
 * Calls `onMove(action)` for a swipe over an element, once however long it is, and again while the
 * finger stays down; `onTap(event)` for a click or tap. `onGrab(event)` returns what to call while
 * the thing under the pointer is dragged, by a mouse or by a finger that has rested on it, or null.
 * A second finger means none of these.
 */
export function listenToPointer(element, { onMove, onTap, onGrab }, signal) {
  let start = null;
  let drag = null;
  let timer = 0;
  let endRepeat = () => {};
  let held = null;
  const listen = (type, listener) => element.addEventListener(type, listener, { signal });
  const end = () => {
    drag?.(null);
    clearTimeout(timer);
    endRepeat();
    start = drag = held = null;
  };
  const far = (event, from) =>
    Math.max(Math.abs(event.clientX - from.clientX), Math.abs(event.clientY - from.clientY));
  const hold = (action, at) => {
    endRepeat();
    held = { action, at };
    endRepeat = repeated(() => onMove(action));
  };
  document.addEventListener("pointerdown", end, { signal, capture: true });
  listen("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    start = event;
    if (event.pointerType !== "mouse") timer = setTimeout(() => (drag = onGrab(event)), HOLD_MS);
    element.setPointerCapture(event.pointerId);
  });
  listen("pointermove", (event) => {
    if (held && far(event, held.at) > REST) hold(held.action, event);
    if (drag) drag(event);
    if (!start || drag || far(event, start) < SWIPE) return;
    if (event.pointerType === "mouse") {
      drag = onGrab(start);
      return;
    }
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
    const action = Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? 0 : 1) : dy < 0 ? 2 : 3;
    end();
    onMove(action);
    hold(action, event);
  });
  listen("pointerup", (event) => {
    const isTap = start && !drag;
    end();
    if (isTap) onTap(event);
  });
  listen("pointercancel", end);
}

/** Returns a line for beginners on how to move. */
export function howToMove() {
  return h("p", { class: "how quiet" },
    h("span", { class: "for-keys" }, "Move with the arrow keys, or click where to go and what to push."),
    h("span", { class: "for-touch" }, "Swipe to move, or use the arrows."),
  );
}

/** Returns four buttons to move, for touch screens. */
export function movePad(onMove) {
  const names = ["left", "right", "up", "down"];
  const buttons = names.map((name, action) =>
    repeating(button({ icon: name, label: `Move ${name}`, kind: name }, () => onMove(action))),
  );
  return h("div", { class: "pad" }, buttons[2], buttons[0], buttons[3], buttons[1]);
}
