/** One of the plans that are watched: its board, its text and what it does. */

import { Board } from "./board.js";
import { button, count, fill, h, select } from "./dom.js";
import { formatPlan, parsePlan, replayPlan } from "./plans.js";
import { runsOn } from "./results.js";
import { describeLengths } from "./words.js";

export class Lane {
  /**
   * @param {import("./model.js").Puzzle} puzzle
   * @param {import("./catalogue.js").Entry} entry
   * @param {string} name "A" or "B"
   * @param {{onChange: () => void, onRemove?: () => void}} handlers
   */
  constructor(puzzle, entry, name, { onChange, onRemove }) {
    Object.assign(this, { puzzle, entry, name, onChange });
    this.board = new Board(puzzle);
    this.board.element.setAttribute("role", "img");
    this.text = h("textarea", {
      rows: 2,
      spellcheck: "false",
      autocapitalize: "characters",
      placeholder: "LRUD",
      "aria-label": `Plan ${name}`,
      on: { input: () => this.#read() },
    });
    this.verdict = h("p", { class: "verdict" });
    this.counters = h("p", { class: "lane-step" });
    this.runs = h("div", { class: "lane-runs" });
    this.element = h(
      "section",
      { class: "lane", "aria-label": `Plan ${name}` },
      h("div", { class: "surface" }, this.board.element),
      this.counters,
      h(
        "div",
        { class: "lane-plan" },
        this.text,
        onRemove && button({ icon: "close", label: `Remove plan ${name}` }, onRemove),
      ),
      this.verdict,
      this.runs,
    );
    this.replay = replayPlan(puzzle, []);
    this.offerRuns();
  }

  get plan() {
    return formatPlan(this.replay.actions);
  }

  get length() {
    return this.replay.actions.length;
  }

  /** Takes a plan; a text that is none is shown with what is wrong. */
  setPlan(text) {
    this.text.value = text;
    this.#read();
  }

  #read() {
    try {
      this.replay = replayPlan(this.puzzle, parsePlan(this.text.value));
      this.text.removeAttribute("aria-invalid");
      this.#judge();
    } catch (error) {
      this.text.setAttribute("aria-invalid", "true");
      this.verdict.className = "verdict bad";
      this.verdict.textContent = error.message;
    }
    this.onChange();
  }

  #judge() {
    const { solved, withoutEffect, pushes, achieved } = this.replay;
    const lengths = describeLengths(this.length, pushes.at(-1));
    const parts = [solved ? `Solves the puzzle in ${lengths}` : lengths];
    if (!solved) parts.push(`ends with ${achieved.at(-1)} of ${count(this.puzzle.goals, "goal")}`);
    if (withoutEffect) parts.push(`${count(withoutEffect, "move")} without effect`);
    this.verdict.className = `verdict ${solved ? "good" : ""}`;
    this.verdict.textContent = this.length ? `${parts.join("; ")}.` : "Type or paste a plan.";
  }

  /** Shows the state after a number of moves, or after the last one. */
  show(step) {
    const at = Math.min(step, this.length);
    const { states, pushes, achieved, actions } = this.replay;
    this.board.show(states[at]);
    if (at > 0) this.board.face(actions[at - 1]);
    const text = `Plan ${this.name}: move ${at} of ${this.length}`;
    fill(
      this.counters,
      h("strong", {}, this.name),
      ` ${describeLengths(at, pushes[at])}`,
      ` · goals ${achieved[at]}/${this.puzzle.goals}`,
    );
    this.board.element.setAttribute("aria-label", text);
  }

  /** Offers the plans of the loaded results. */
  offerRuns() {
    const runs = runsOn(this.entry);
    if (!runs.length) return fill(this.runs);
    const options = runs.map(({ planner, plan }, i) => [
      String(i),
      `${planner}: ${count(plan.length, "move")}`,
    ]);
    const choose = (value) => value && this.setPlan(runs[Number(value)].plan);
    return fill(
      this.runs,
      select(
        `Results for plan ${this.name}`,
        [["", "Choose from the results"], ...options],
        "",
        choose,
      ),
    );
  }
}
