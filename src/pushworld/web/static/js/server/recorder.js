/**
 * Records games, only if the site asks for it and the player has agreed.
 *
 * Events stay in the browser's storage until the server has acknowledged them, so that neither a
 * lost connection nor a closed page loses any. The server ignores those that it already has.
 */

import { namesStartingWith, read, write } from "../model/storage.js";

const WAITING = "traces.";
const MAX_BATCH = 200;
const RETRY_SECONDS = 5;

/** Returns a random name for a session; it contains nothing about the player. */
function newSession() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Recorder {
  #session = newSession();
  #sequence = 0;
  #sending = false;
  #retry = 0;
  #started = null;

  /** @param {boolean} enabled whether the site records at all */
  constructor(enabled) {
    this.enabled = enabled;
    if (this.agreed) this.#send();
  }

  /** Whether the player has agreed, refused (false) or not answered yet (null). */
  get answer() {
    return read("consent", null);
  }

  get agreed() {
    return this.enabled && this.answer === true;
  }

  /** Stores the player's answer; a refusal also deletes the events that are not sent yet. */
  decide(agreed) {
    write("consent", agreed);
    if (!agreed) for (const name of namesStartingWith(WAITING)) write(name, null);
  }

  /**
   * Records an event, unless its game was started before the player agreed.
   *
   * @param {import("../model/links.js").Entry} entry puzzles from links are not recorded
   * @param {"start"|"move"|"undo"|"redo"|"reset"|"hint"|"solved"|"leave"} kind
   * @param {number} step the number of moves made after the event
   * @param {?string} action the letter of a move
   * @param {?import("../model/game.js").Actor} actor who made the move
   */
  record(entry, kind, step, action = null, actor = null) {
    if (!this.agreed || !entry.key) return;
    if (kind === "start") this.#started = entry.key;
    if (this.#started !== entry.key) return;
    if (kind === "leave") this.#started = null;
    const name = WAITING + this.#session;
    const event = {
      sequence: this.#sequence++,
      puzzle: entry.key,
      digest: entry.digest,
      time_ms: Date.now(),
      kind,
      action,
      actor,
      step,
    };
    write(name, [...read(name, []), event]);
    this.#send();
  }

  /** Sends all waiting events, those of this session and of earlier ones. */
  async #send() {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#retry);
    try {
      for (let name; this.agreed && (name = namesStartingWith(WAITING)[0]);) {
        await this.#sendBatch(name);
      }
    } catch {
      this.#retry = setTimeout(() => this.#send(), RETRY_SECONDS * 1000);
    } finally {
      this.#sending = false;
    }
  }

  async #sendBatch(name) {
    const events = read(name, []).slice(0, MAX_BATCH);
    const response = await fetch("api/traces", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ session: name.slice(WAITING.length), events }),
      keepalive: true,
    });
    if (response.status >= 500 || response.status === 429) throw new Error("try again later");
    // Events that the server refuses are dropped too: they would block all that follow.
    const last = events.at(-1)?.sequence ?? -1;
    const left = read(name, []).filter((event) => event.sequence > last);
    write(name, left.length ? left : null);
  }
}
