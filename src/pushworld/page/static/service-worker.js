/**
 * Keeps a copy of an exported site for use without a network, its puzzles and its planner included.
 * With a network everything comes from there: the copy never hides a newer site.
 */

/** The files of the site and a hash of them; the export writes them here. */
const SITE = { version: "", files: [] };

/** Hosts that say nothing about caching would leave it to the browser's guess. */
const REVALIDATE = { cache: "no-cache" };

const OURS = `pushworld ${registration.scope} `;
const CACHE = OURS + SITE.version;

async function save() {
  const cache = await caches.open(CACHE);
  await cache.addAll(SITE.files.map((file) => new Request(file, REVALIDATE)));
  await skipWaiting();
}

async function replaceOlder() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
  await clients.claim();
}

/** Resolves to the answer of the network or, where there is none, to the copy. */
async function answer(request) {
  try {
    return await fetch(request, REVALIDATE);
  } catch (error) {
    const cache = await caches.open(CACHE);
    const copy = await cache.match(request, { ignoreSearch: true });
    if (copy) return copy;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(save()));
addEventListener("activate", (event) => event.waitUntil(replaceOlder()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});
