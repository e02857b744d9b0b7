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

/** What to know of a link that nobody else can open. */
export const ONLY_HERE =
  "It works on this computer only. For a class, start “pushworld play” with --host 0.0.0.0; for the " +
  "world, export the site and give its address, --public-url.";

/** Returns whether an address leads to the computer on which it is opened. */
export const isLocal = (address) => /^(localhost|127\..*|\[::1\])$/.test(new URL(address).hostname);

/** Resolves to the full address of a view as others can open it, if there is one. */
export async function sharedAddress(hash) {
  const { public_url: known, network_url: near } = await loadSite();
  const here = (isLocal(location.href) && near) || location.href;
  return new URL(await hash, known ?? here).href;
}

/**
 * Copies the full address of a view to the clipboard.
 *
 * @param {string|Promise<string>} hash
 */
export async function copyAddress(hash) {
  const address = sharedAddress(hash);
  await copyText(address, address.then((found) => `The link is copied. ${isLocal(found) ? ONLY_HERE : ""}`));
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
