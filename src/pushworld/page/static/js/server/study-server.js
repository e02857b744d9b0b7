/**
 * The server of a study: where the participant is, and what happened in the page.
 *
 * `pushworld/web/studies/messages.py` explains the messages. Each request may be sent again, so all
 * are repeated until the server answers.
 *
 * @typedef {{stage: string, token: ?string, done: number, total: number, received: number}} Now
 */

import { read, write } from "../model/storage.js";
import { Outbox, TryLater, pause, post } from "./outbox.js";
import { formatState, now, randomName } from "./recorder.js";
import { searchAs } from "./solver.js";

/** A request that the server refuses; its code says why. */
class Refusal extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

export class StudyServer {
  keyName; onTrouble; onStored; onRefusal;
  #token = null;
  #next = 0;
  #outbox = new Outbox("study.events.", "number", (token, events) => this.#send(token, events));

  /**
   * @param {string} person whose key of this browser to use
   * @param {{onTrouble: (text: ?string) => void, onStored: (stored: Object) => void,
   *   onRefusal: (refusal: Refusal) => void}} handlers called when the server cannot be used and
   *   when it can again, and with its answers to events of this visit
   */
  constructor(person, handlers) {
    Object.assign(this, { keyName: `study.key.${person}`, ...handlers });
    // What the last page could not send is sent before a new visit makes its token worthless.
    this.earlier = this.#outbox.flush();
  }

  /** Resolves to where the participant is. @returns {Promise<Now>} */
  async enter(parameters) {
    await this.earlier;
    return this.#move("enter", { parameters, key: this.#key() });
  }

  /** Sends the answer to the consent text. */
  consent(parameters, agreed) {
    return this.#move("consent", { parameters, key: this.#key(), agreed });
  }

  /** Says that the instructions are read. */
  instructed() {
    return this.#move("continue", { token: this.#token, stage: "instructions" });
  }

  /** Sends the answers to questions. */
  answer(trial, answers) {
    return this.#move("answers", { token: this.#token, trial, answers });
  }

  /** Deletes all that the server and this browser have of the participant. */
  async withdraw() {
    this.#outbox.dropAll();
    const left = await this.#move("withdraw", { token: this.#token });
    this.#outbox.dropAll();
    write(this.keyName, null);
    return left;
  }

  /** Keeps what happened in the game of a trial until the server has it. */
  record(trial, happening) {
    const state = formatState(happening.state);
    const event = { ...happening, state, number: this.#next++, trial, time_ms: now() };
    this.#outbox.add(this.#token, event);
    if (event.kind === "leave") this.#hurry();
  }

  /** Sends what waits at once, even if it is being sent, since the page is about to close. */
  #hurry() {
    const token = this.#token;
    post("api/study/events", { token, events: this.#outbox.waiting(token) }).catch(() => {});
  }

  /** Asks whether a limit is reached; the answer goes to `onStored`. */
  async check() {
    await this.#outbox.flush();
    const token = this.#token;
    try {
      this.#heard(token, await this.#ask("events", { token, events: [] }));
    } catch (refusal) {
      this.onRefusal(refusal);
    }
  }

  #key() {
    const key = read(this.keyName, null) ?? randomName();
    write(this.keyName, key);
    return key;
  }

  /** Resolves to where the participant is after a request. */
  async #move(path, body) {
    const answer = await this.#ask(path, body);
    this.#arrive(answer);
    return answer;
  }

  #arrive({ token, received }) {
    if (token !== this.#token) this.#next = received;
    this.#token = token;
    searchAs(token);
  }

  async #ask(path, body) {
    for (;;) {
      try {
        return await this.#attempt(path, body);
      } catch (error) {
        if (!(error instanceof TryLater)) throw error;
        await pause();
      }
    }
  }

  async #attempt(path, body) {
    try {
      const response = await post(`api/study/${path}`, body);
      this.onTrouble(null);
      const answer = await response.json().catch(() => ({ message: "The answer is damaged." }));
      if (!response.ok) throw new Refusal(answer);
      return answer;
    } catch (error) {
      if (error instanceof TryLater) this.onTrouble(error.message);
      throw error;
    }
  }

  async #send(token, events) {
    try {
      return this.#heard(token, await this.#attempt("events", { token, events }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (token === this.#token) this.onRefusal(error);
      return Infinity;
    }
  }

  /** Takes note of an answer to events; returns the number of the first one that has to be sent. */
  #heard(token, stored) {
    const { received, refused, now: then } = stored;
    if (refused) this.#outbox.drop(token);
    if (token === this.#token) {
      if (refused) this.#next = received;
      if (then) this.#arrive(then);
      this.onStored(stored);
    }
    return refused ? 0 : received;
  }
}
