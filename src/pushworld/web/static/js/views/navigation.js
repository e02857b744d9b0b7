/** The address bar, the history, and links to copy. */

import { toast } from "./dom.js";

const QUIET_MS = 200;
let pending = 0;

/**
 * Replaces the address as soon as changes pause, since browsers refuse too many in a row. Neither
 * adds to the history nor reopens the view.
 */
export function replaceAddress(hash) {
  const from = location.hash;
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (location.hash === from && from !== hash) history.replaceState(null, "", hash);
  }, QUIET_MS);
}

/** Opens an address. */
export function go(hash) {
  location.hash = hash;
}

/**
 * Copies the full address of a view to the clipboard.
 *
 * @param {string|Promise<string>} hash
 */
export async function copyAddress(hash) {
  const address = Promise.resolve(hash).then((found) => new URL(found, location.href).href);
  try {
    // Safari allows copying only while it handles the click, but accepts a promise.
    const text = address.then((found) => new Blob([found], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    toast("The link is copied.");
  } catch {
    prompt("Copy this link:", await address);
  }
}
