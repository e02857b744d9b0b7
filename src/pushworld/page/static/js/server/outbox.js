/**
 * Events that wait in the browser's storage until the server has acknowledged them, so that neither
 * a lost connection nor a closed page loses any. The server ignores those that it already has.
 */

import { namesStartingWith, read, write } from "../model/storage.js";

const MAX_BATCH = 200;
const RETRY_SECONDS = 3;
/** The largest request that may outlive its page: browsers refuse more than 64 KiB of them. */
const MAX_KEPT_ALIVE = 30_000;

/** The server cannot be reached, or cannot store anything now: the same request may succeed later. */
export class TryLater extends Error {}

/** Resolves to the answer to a request with JSON, or throws `TryLater`. */
export async function post(path, body) {
  const text = JSON.stringify(body);
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: text,
    keepalive: text.length < MAX_KEPT_ALIVE,
  };
  const response = await fetch(path, request).catch(() => {
    throw new TryLater("The server cannot be reached.");
  });
  const isBusy = response.status >= 500 || response.status === 429;
  if (isBusy) throw new TryLater("The server cannot store anything at the moment.");
  return response;
}

/** Resolves after a while, or as soon as there is a connection again. */
export function pause() {
  return new Promise((resolve) => {
    setTimeout(resolve, RETRY_SECONDS * 1000);
    addEventListener("online", resolve, { once: true });
  });
}

export class Outbox {
  prefix; counter; send;
  #sending = null;

  /**
   * @param {string} prefix of the names in the browser's storage
   * @param {string} counter the key that counts the events of a sender
   * @param {(sender: string, events: Object[]) => Promise<number>} send resolves to the number of
   *   the first event that has yet to be sent; if it throws `TryLater`, all are sent again after a
   *   while
   */
  constructor(prefix, counter, send) {
    Object.assign(this, { prefix, counter, send });
  }

  /** Returns the events of a sender that wait. */
  waiting(sender) {
    return read(this.prefix + sender, []);
  }

  /** Adds an event of a sender, and sends it. */
  add(sender, event) {
    write(this.prefix + sender, [...this.waiting(sender), event]);
    this.flush();
  }

  /** Forgets the events of a sender. */
  drop(sender) {
    write(this.prefix + sender, null);
  }

  /** Forgets the events of all senders. */
  dropAll() {
    for (const name of namesStartingWith(this.prefix)) write(name, null);
  }

  /** Resolves when all events are sent, also those of earlier visits. */
  flush() {
    this.#sending ??= this.#run();
    return this.#sending;
  }

  async #run() {
    await null; // so that the promise is known before it is forgotten
    for (let name; (name = namesStartingWith(this.prefix)[0]);) {
      const sender = name.slice(this.prefix.length);
      try {
        const next = await this.send(sender, this.waiting(sender).slice(0, MAX_BATCH));
        const left = this.waiting(sender).filter((event) => event[this.counter] >= next);
        write(name, left.length ? left : null);
      } catch (error) {
        if (!(error instanceof TryLater)) throw error;
        await pause();
      }
    }
    this.#sending = null;
  }
}
