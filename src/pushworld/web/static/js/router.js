/**
 * Addresses within the page: `#/view/part/part?key=value`.
 *
 * @typedef {{view: string, parts: string[], query: URLSearchParams}} Route
 */

import { toast } from "./dom.js";

const QUIET_MS = 200;
let pending = 0;

/** Returns the route that the part of an address behind `#` names. @returns {Route} */
export function parseRoute(hash) {
  const [path, ...rest] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decoded);
  return { view: view || "gallery", parts, query: new URLSearchParams(rest.join("?")) };
}

/**
 * Replaces the address without a new entry in the history and without opening the view again,
 * once changes pause: browsers refuse too many in a row.
 */
export function replaceAddress(hash) {
  const from = location.hash;
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (location.hash === from && from !== hash) history.replaceState(null, "", hash);
  }, QUIET_MS);
}

/** Goes to an address. */
export function go(hash) {
  location.hash = hash;
}

/**
 * Copies the address of a view, and says so.
 *
 * @param {string|Promise<string>} hash
 */
export async function copyAddress(hash) {
  const address = Promise.resolve(hash).then((found) => new URL(found, location.href).href);
  try {
    // Safari lets a page copy only while it handles the click, but takes a promise then.
    const text = address.then((found) => new Blob([found], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    toast("The link is copied.");
  } catch {
    prompt("Copy this link:", await address);
  }
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
