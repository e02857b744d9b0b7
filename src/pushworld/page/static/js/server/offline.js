/** Saves a copy of the site, once it is shown, for use without a network: see `service-worker.js`. */
export function keepForOffline() {
  if (navigator.connection?.saveData) return;
  // Browsers refuse it at addresses that are not secure, and some in private windows.
  navigator.serviceWorker?.register("service-worker.js").catch(() => {});
}
