/** The address bar, the history, and links to copy. */

import { loadSite } from "../server/catalogue.js";
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

/** Opens an address, anew if it is open already. */
export function go(hash) {
  if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = hash;
}

const ONLY_HERE =
  "The link is copied. It works on this computer only: to share links, export the site and start " +
  "“pushworld play” with its address, --public-url.";

/**
 * Copies the full address of a view to the clipboard: on the public site, if there is one.
 *
 * @param {string|Promise<string>} hash
 */
export async function copyAddress(hash) {
  const address = Promise.all([hash, loadSite()]).then(
    ([found, site]) => new URL(found, site.public_url ?? location.href),
  );
  const isLocal = address.then(({ hostname }) => /^(localhost|127\..*|\[::1\])$/.test(hostname));
  const said = isLocal.then((only) => (only ? ONLY_HERE : "The link is copied."));
  await copyText(address.then(({ href }) => href), said);
}

/**
 * Copies a text to the clipboard, and says so; where that is forbidden, shows it.
 *
 * @param {string|Promise<string>} text
 * @param {string|Promise<string>} said
 */
export async function copyText(text, said) {
  try {
    // Safari allows copying only while it handles the click, but accepts a promise.
    const copied = Promise.resolve(text).then((found) => new Blob([found], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": copied })]);
    toast(await said);
  } catch {
    prompt("Copy this:", await text);
  }
}
