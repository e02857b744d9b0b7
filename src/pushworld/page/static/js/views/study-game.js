/** A puzzle of a study: only the tools that the study allows, and the limits that it sets. */

import { describeLength } from "../model/descriptions.js";
import { resumedGame } from "../model/game.js";
import { parsePwp } from "../model/pwp.js";
import { ask } from "./dialogs.js";
import { announce, button, fill, h } from "./dom.js";
import { howToMove } from "./game-controls.js";
import { GameView } from "./game-view.js";
import { counter, goalCounter } from "./score.js";

const TICK_MS = 250;
/** When the remaining time is announced, in seconds. */
const ANNOUNCED = [60, 10];

/** What is still logged when a puzzle is over. */
const BYSTANDERS = ["blur", "focus", "leave"];

/** How a puzzle ended, in words. */
export const ENDS = {
  solved: "Solved!",
  "gave-up": "You gave up this puzzle.",
  "time-limit": "The time for this puzzle is over.",
  "move-limit": "You have used all moves of this puzzle.",
};

export class StudyGame extends GameView {
  trial; rules; server; onEnd; started; moves; step;
  #clock = 0;
  #outcome = null;

  /**
   * @param {Object} place the puzzle and the position in it, as `PuzzleNow` in
   *   `pushworld/web/studies/messages.py` has them
   * @param {{site: Object, total: number, server: import("../server/study-server.js").StudyServer,
   *   onEnd: () => void}} options `onEnd` is called when the participant has seen how it ended
   */
  constructor(place, { site, total, server, onEnd }) {
    const { trial, title, pwp, rules } = place;
    const name = title ?? `Puzzle ${trial + 1}`;
    const game = resumedGame(parsePwp(pwp, name), place);
    // The server itself says what is solved.
    const log = (happening) => happening.kind !== "solved" && server.record(trial, happening);
    super({ name }, game, { site, log, tools: rules });
    const { started, moves } = place;
    Object.assign(this, { trial, rules, server, onEnd, started, moves, step: game.step });
    this.#synchronize(place);
    this.giveUpButton = rules.give_up ? button({ text: "Give up", kind: "next" }, () => this.#giveUp()) : null;
    this.#offerToGiveUp();
    const info = h("header", { class: "info" },
      h("p", {}, `Puzzle ${trial + 1} of ${total}`),
      h("h1", { class: title ? null : "unseen" }, name),
    );
    const how = trial === 0 && howToMove();
    this.element = h("section", { class: "play", data: { trial } }, this.parts({ info, how, further: this.giveUpButton }));
    this.listen({
      next: () => this.#isOver && this.onEnd(),
      hint: rules.hints && (() => !this.isStopped && this.hints.hint()),
    });
    this.refresh();
  }

  /** Logs that the puzzle is shown for the first time; its time begins. */
  begin() {
    if (!this.started) this.record("start");
    this.watch();
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  close() {
    clearInterval(this.#clock);
    this.#outcome ??= "closed";
    super.close();
  }

  get #isOver() {
    return this.#outcome !== null;
  }

  /** Whether the game waits for the server to say that it is over, or is over. */
  get isStopped() {
    const { move_limit: most } = this.rules;
    const isAtLimit = performance.now() >= this.endsAt || (most !== null && this.moves >= most);
    return this.#isOver || isAtLimit;
  }

  /** Takes over the server's clock. */
  #synchronize({ elapsed_ms: elapsed, remaining_ms: remaining }) {
    const here = performance.now();
    if (elapsed != null) this.startedAt = here - elapsed;
    this.endsAt = remaining == null ? Infinity : here + remaining;
  }

  /** Takes note of the server's answer to events. */
  stored({ outcome, remaining_ms }) {
    const elapsed_ms = this.started ? null : 0; // at least: the server has just stored the start
    this.started = true;
    if (outcome) this.#end(outcome);
    else this.#synchronize({ elapsed_ms, remaining_ms });
  }

  get #seconds() {
    return Math.max(0, Math.ceil((this.endsAt - performance.now()) / 1000));
  }

  record(kind, made) {
    if (this.#isOver && !BYSTANDERS.includes(kind)) return;
    const hasMoved = (kind === "move" && this.game.step !== this.step) || kind === "redo";
    this.step = this.game.step;
    if (hasMoved) this.moves++;
    super.record(kind, made);
    this.#showCounters();
  }

  refresh(options) {
    super.refresh(options);
    this.#showCounters();
  }

  solved() {
    this.#end("solved");
  }

  #tick() {
    this.#showCounters();
    if (this.#isOver) return;
    this.#offerToGiveUp();
    const seconds = this.#seconds;
    if (seconds < this.announced && ANNOUNCED.includes(seconds)) {
      announce(`${seconds} seconds left.`);
    }
    this.announced = seconds;
    if (seconds === 0 && !this.isAsking) {
      this.isAsking = true;
      this.server.check().finally(() => (this.isAsking = false));
    }
  }

  #offerToGiveUp() {
    const { giveUpButton: offer, rules, startedAt } = this;
    if (!offer) return;
    const wait = Math.ceil(rules.give_up_after - (performance.now() - startedAt) / 1000);
    const text = wait > 0 ? `Give up (in ${clock(wait)})` : "Give up";
    // What a finger is on must not be replaced: its click would be lost.
    if (offer.textContent === text) return;
    fill(offer, h("span", {}, text));
    offer.disabled = wait > 0;
  }

  #showCounters() {
    const { move_limit: most, time_limit: limit } = this.rules;
    const seconds = this.#isOver ? this.announced : this.#seconds;
    fill(
      this.counters,
      counter("Moves", this.game.step),
      goalCounter(this.game),
      most !== null && counter("Moves left", Math.max(0, most - this.moves)),
      limit !== null && counter("Time left", clock(seconds)),
    );
  }

  #giveUp() {
    const text = "You cannot come back to this puzzle.";
    ask("Give up this puzzle?", text, ["Cancel", "Give up"], (isSure) => {
      if (!isSure || this.#isOver) return;
      this.record("give-up");
      this.#end("gave-up");
    });
  }

  /** Shows how the puzzle ended; `onEnd` is called next. */
  #end(outcome) {
    if (this.#outcome === outcome) return;
    this.#outcome = outcome;
    this.stopWalk();
    this.hints?.cancel();
    this.hints?.element.remove();
    this.hints?.answer.remove();
    this.board.showHint(null);
    const text = ENDS[outcome];
    const lengths = outcome === "solved" && describeLength(this.game.step, this.game.pushes);
    const proceed = button({ icon: "next", text: "Continue", kind: "primary" }, () => this.onEnd());
    this.showBanner(
      h("strong", {}, text),
      lengths && h("span", {}, lengths),
      h("span", { class: "row" }, proceed),
    );
    this.banner.classList.toggle("neutral", outcome !== "solved");
    this.giveUpButton?.remove();
    for (const each of [this.undoButton, this.redoButton, this.resetButton]) each.disabled = true;
    announce(`${text} ${lengths || ""}`.trim());
    if (outcome !== "solved") proceed.focus();
  }
}

/** Returns seconds as minutes and seconds: "1:05". */
function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
