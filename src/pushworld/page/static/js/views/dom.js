/** Elements made from data; texts never become markup. */

import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/** How long something is held until it repeats, and how often it does. */
export const HOLD_MS = 350;
const REPEAT_MS = 140;

/**
 * Returns a new element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Object} [attributes] values as attributes; true is an empty one, and false, null and
 *   undefined are left out; `on` holds listeners by event, `data` the data attributes
 * @param {...(Node|string|number|null|false|Array)} children strings become text nodes
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Returns a new SVG element. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, { on = {}, data = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  Object.assign(element.dataset, data);
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  return fill(element, ...children);
}

/** Returns an icon, hidden from screen readers. */
export function icon(name) {
  const paths = ICONS[name].map((d) => s("path", { d }));
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, paths);
}

/**
 * Returns a button with an icon, a text or both.
 *
 * @param {{icon?: string, text?: string, label?: string, keys?: string, kind?: string,
 *   [attribute: string]: any}} looks
 *   `label` names a button without a text; `keys` are its shortcuts as aria-keyshortcuts has them;
 *   one of the kind `shrinks` loses its text on small screens
 * @param {() => void} [action]
 */
export function button({ icon: name, text, label, keys, kind = "", ...attributes }, action) {
  const shortcut = keys ? ` (${keys.split(" ")[0]})` : "";
  return h("button", {
    type: "button",
    class: `button ${kind} ${text ? "" : "icon-only"}`.trim(),
    "aria-label": text ? null : label,
    title: (label ?? text) + shortcut,
    "aria-keyshortcuts": keys,
    on: { click: action },
    ...attributes,
  }, name && icon(name), text && h("span", {}, text));
}

/** Returns a select with the given values and texts. */
export function select(label, options, value, onChange) {
  const items = options.map(([key, text]) => h("option", { value: key }, text));
  const element = h("select", { "aria-label": label, on: { change: () => onChange(element.value) } }, items);
  element.value = value;
  return element;
}

/** Returns a field with its name in front of it. */
export function field(name, control) {
  return h("label", { class: "field quiet" }, h("span", {}, name), control);
}

/** Returns a checkbox with its text. */
export function checkbox(text, checked, onChange) {
  const box = h("input", { type: "checkbox", checked, on: { change: () => onChange(box.checked) } });
  return h("label", { class: "option" }, box, text);
}

/** Enables or disables a button. Its focus goes to another element: it would fall to the page's body. */
export function enable(element, isEnabled, other) {
  if (!isEnabled && element === document.activeElement) other.focus({ preventScroll: true });
  element.disabled = !isEnabled;
}

/** Calls an action again and again after a while; returns a function that ends this. */
export function repeated(action) {
  let timer = setTimeout(function again() {
    action();
    timer = setTimeout(again, REPEAT_MS);
  }, HOLD_MS);
  return () => clearTimeout(timer);
}

/** Lets a button that is held down repeat its click; letting go is then no click of its own. */
export function repeating(element) {
  let end = () => {};
  let hasRepeated = false;
  element.addEventListener("pointerdown", () => {
    hasRepeated = false;
    end();
    end = repeated(() => {
      hasRepeated = true;
      element.click();
    });
  });
  for (const type of ["pointerup", "pointerleave", "pointercancel"]) {
    element.addEventListener(type, () => end());
  }
  const onClick = (event) => event.isTrusted && hasRepeated && event.stopImmediatePropagation();
  element.addEventListener("click", onClick, { capture: true });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  return element;
}

/** Replaces the content of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(2).filter((child) => child != null && child !== false));
  return element;
}

/** Announces a text to screen readers. */
export function announce(text) {
  const region = document.getElementById("announcer");
  // Screen readers announce a repeated text only if it differs.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Returns whether the user has asked the system for less motion. */
export function prefersLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Shows a message for a few seconds. */
export function toast(text) {
  const region = document.getElementById("toasts");
  const message = h("p", { class: "toast" }, text);
  region.append(message);
  setTimeout(() => message.remove(), Math.max(4000, text.length * 70));
}

/** Downloads a blob as a file. */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Opens a file dialog, and resolves to the name and bytes of the chosen file. */
export function chooseFile(accept) {
  return new Promise((resolve) => {
    const input = h("input", { type: "file", accept });
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (file) resolve({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
    });
    input.click();
  });
}
