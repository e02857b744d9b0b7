/** Records games, only if the site asks for it and the player has agreed. */

import { read, write } from "../model/storage.js";
import { Outbox, post } from "./outbox.js";

/** Returns 32 random hexadecimal digits; they contain nothing about the player. */
export function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the time in milliseconds since 1970, by a clock that does not jump while a page is open. */
export const now = () => Math.round(performance.timeOrigin + performance.now());

/** Returns a state as records have it: "1,2 3,4". */
export const formatState = (state) => state.map((position) => position.join(",")).join(" ");

export class Recorder {
  #session = randomName();
  #sequence = 0;
  #started = null;
  #outbox = new Outbox("traces.", "sequence", async (session, events) => {
    await post("api/traces", { session, events });
    // Events that the server refuses are dropped too: they would block all that follow.
    return (events.at(-1)?.sequence ?? -1) + 1;
  });

  /** @param {boolean} enabled whether the site records at all */
  constructor(enabled) {
    this.enabled = enabled;
    if (this.agreed) this.#outbox.flush();
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
    if (!agreed) this.#outbox.dropAll();
  }

  /**
   * Records an event, unless its game was started before the player agreed.
   *
   * @param {import("../model/links.js").Entry} entry puzzles from links are not recorded
   * @param {import("../views/game-view.js").Happening} happening
   */
  record(entry, happening) {
    const { kind, state } = happening;
    if (!this.agreed || !entry.key) return;
    if (kind === "start") this.#started = entry.key;
    if (this.#started !== entry.key) return;
    if (kind === "leave") this.#started = null;
    this.#outbox.add(this.#session, {
      sequence: this.#sequence++,
      puzzle: entry.key,
      digest: entry.digest,
      time_ms: now(),
      ...happening,
      state: formatState(state),
    });
  }
}
