/**
 * Addresses within the page, `#/view/part/part?key=value`, and puzzles inside links.
 *
 * @typedef {{view: string, parts: string[], query: URLSearchParams}} Route
 * @typedef {{id: ?string, set: ?string, key: ?string, name: string, description: string,
 *   idea?: string, tags: string[], pwp: string, digest?: string, packed?: string, level?: ?number, rank?: number,
 *   setTitle?: string, plan?: ?string, human?: ?string, list?: Object<string, string>}} Entry  a puzzle
 *   as the page lists it, with its rank by difficulty, the shortest plan known, a person's plan, and the
 *   list that it was opened from as its addresses have it; one from a link has no set, id and key
 */

const MAX_PACKED_TEXT = 1024 * 1024;

/** Returns the route in the fragment of an address. @returns {Route} */
export function parseRoute(hash) {
  const [path, ...rest] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decoded);
  return { view: view || "gallery", parts, query: new URLSearchParams(rest.join("?")) };
}

/** Returns the entry of a puzzle that is in no set. @returns {Entry} */
export function makeEntry(name, pwp, packed) {
  return { id: null, set: null, key: null, name, description: "", tags: [], pwp, packed };
}

/** Returns the address of a view of a puzzle, as a fragment. */
export function addressOf(view, entry, query = {}) {
  const parameters = new URLSearchParams();
  if (!entry.set) {
    parameters.set("name", entry.name);
    parameters.set("puzzle", entry.packed);
  }
  for (const [key, value] of Object.entries({ ...entry.list, ...query })) {
    if (value !== "" && value != null) parameters.set(key, value);
  }
  const path = entry.set ? [entry.set, entry.id].map(encodeURIComponent).join("/") : "";
  const search = parameters.size ? `?${parameters}` : "";
  return `#/${view}${path && "/"}${path}${search}`;
}

/** Resolves to a text packed for a link: compressed, in URL-safe base64. */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Resolves to the text packed in a link, or throws an error to be shown. */
export async function unpack(packed) {
  try {
    const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await readBounded(stream);
  } catch {
    throw new Error("the puzzle in this link is damaged: ask for the link again");
  }
}

/** Resolves to the text of a stream, up to a limit: a small link must not fill the memory. */
async function readBounded(stream) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_PACKED_TEXT) {
      await reader.cancel();
      throw new Error("too large");
    }
  }
  return text + decoder.decode();
}

/** Returns a file name that every system accepts: lower-case letters and digits, joined by hyphens. */
export function fileName(name, suffix) {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["puzzle"];
  return `${words.join("-").slice(0, 60)}.${suffix}`;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
