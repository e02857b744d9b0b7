/** A lane of the view Watch: one plan with its board, its text and its effects. */

import { count, describeLength, sentence } from "../model/descriptions.js";
import { addressOf } from "../model/links.js";
import { formatPlan, parsePlan, replayPlan } from "../model/plans.js";
import { formatPwp } from "../model/pwp.js";
import { Board } from "./board.js";
import { button, field, fill, h, icon, select } from "./dom.js";
import { SearchPanel, describeFailure, describeSearch } from "./search-panel.js";
import { Zoom } from "./zoom.js";

const SEARCH_SECONDS = 60;
/** On a large screen, a cell of this width can be seen, though not hit. */
const SEEN_CELL = 12;
const LARGE = "(min-width: 37.5em)";
/** How many moves the tape shows before and after the last one made. */
const TAPE_REACH = 24;

export class PlanLane {
  puzzle; entry; name; onChange;
  #search = new SearchPanel();

  /**
   * @param {import("../model/puzzle.js").Puzzle} puzzle
   * @param {import("../model/links.js").Entry} entry
   * @param {string} name "A" or "B"
   * @param {{site: Object, onChange: () => void, onRemove?: () => void}} options
   */
  constructor(puzzle, entry, name, { site, onChange, onRemove }) {
    Object.assign(this, { puzzle, entry, name, onChange });
    const mayAsk = site.solver === true && puzzle.goals > 0;
    this.invitation = `Type or paste a plan${mayAsk ? ", or let a planner solve it" : ""}.`;
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
    this.tape = h("p", { class: "tape", "aria-hidden": "true" });
    const find = { icon: "solve", text: "Solve", label: `Let the planner find plan ${name}` };
    const planners = site.planners.map((each) => [each.name, each.name]);
    this.planners = site.planners;
    this.planner = select(`Planner of plan ${name}`, planners, planners[0]?.[0], () => this.#tell());
    this.about = h("p", { class: "quiet" });
    this.playLink = h("a", { class: "button" }, icon("play"), "Play from here");
    const human = { text: `human: ${count(entry.human?.length ?? 0, "move")}` };
    const label = { role: "group", "aria-label": `Board of plan ${name}` };
    const surface = h("div", { class: "surface", ...label }, this.board.element);
    const zoomed = matchMedia(LARGE).matches ? { smallest: SEEN_CELL } : {};
    this.zoom = new Zoom(surface, this.board.element, zoomed);
    /** The board, and what belongs beside or below it. */
    this.element = h("div", { class: "lane" },
      surface,
      h("div", { class: "lane-head" }, this.counters, this.zoom.element),
      this.tape,
    );
    this.panel = h("section", { class: "lane-panel", "aria-label": `Plan ${name}` },
      h("div", { class: "row" },
        h("strong", { "aria-hidden": "true" }, name),
        mayAsk && [button(find, () => this.#findPlan()), planners.length > 1 && field("by", this.planner)],
        entry.human && button(human, () => this.setPlan(entry.human)),
        this.playLink,
      ),
      mayAsk && planners.length > 1 && this.about,
      this.#search.element,
      h("div", { class: "lane-plan" },
        this.text,
        onRemove && button({ icon: "close", label: `Remove plan ${name}` }, onRemove),
      ),
      this.verdict,
    );
    this.replay = replayPlan(puzzle, []);
    this.#tell();
  }

  /** Says what the chosen planner does. */
  #tell() {
    const chosen = this.planners.find((each) => each.name === this.planner.value);
    this.about.textContent = sentence(`${chosen?.description}.`);
  }

  get plan() {
    return formatPlan(this.replay.actions);
  }

  get length() {
    return this.replay.actions.length;
  }

  /** Sets the text of the plan; if it is not a plan, shows why. */
  setPlan(text) {
    this.text.value = text;
    this.#read();
  }

  /** Asks the chosen planner for a plan. */
  async #findPlan() {
    const planner = this.planner.value;
    const options = { planner, text: `Searching (${planner})` };
    const result = await this.#search.search(formatPwp(this.puzzle), SEARCH_SECONDS, options);
    if (result === null) return;
    if (result.plan === null) return this.#search.say(describeFailure(result));
    this.#search.say(`The planner ${planner} found this plan: ${describeSearch(result)}.`);
    this.setPlan(result.plan);
  }

  /** Cancels the current search, and removes the lane. */
  close() {
    this.#search.cancel();
    this.element.remove();
    this.panel.remove();
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
    const lengths = describeLength(this.length, pushes.at(-1));
    const parts = [solved ? `Solves the puzzle in ${lengths}` : lengths];
    if (!solved) parts.push(`ends with ${achieved.at(-1)} of ${count(this.puzzle.goals, "goal")}`);
    if (withoutEffect) parts.push(`${count(withoutEffect, "move")} without effect`);
    this.verdict.className = `verdict ${solved ? "good" : ""}`;
    this.verdict.textContent = this.length ? `${parts.join("; ")}.` : this.invitation;
  }

  /** Shows the state after a number of moves, or after the last move of a shorter plan. */
  show(step) {
    const at = Math.min(step, this.length);
    const { states, pushes, achieved, actions } = this.replay;
    this.board.show(states[at]);
    this.zoom.follow(states[at][0]);
    if (at > 0) this.board.face(actions[at - 1]);
    const text = `Plan ${this.name}: move ${at} of ${this.length}`;
    fill(
      this.counters,
      h("strong", {}, this.name),
      ` ${describeLength(at, pushes[at])}`,
      ` · goals ${achieved[at]}/${this.puzzle.goals}`,
    );
    this.board.element.setAttribute("aria-label", text);
    this.playLink.href = addressOf("play", this.entry, { plan: this.plan, step: this.plan && at });
    this.#showTape(at);
  }

  /** Shows the moves around the last one made; marks pushes. */
  #showTape(at) {
    const { actions, pushes } = this.replay;
    const [from, to] = [Math.max(0, at - TAPE_REACH), Math.min(this.length, at + TAPE_REACH)];
    const letters = formatPlan(actions.slice(from, to));
    const moves = Array.from(letters, (letter, i) => {
      const move = from + i + 1;
      const isPush = pushes[move] > pushes[move - 1];
      return h("span", { class: `${move === at ? "now" : ""} ${isPush ? "push" : ""}`.trim() }, letter);
    });
    const split = at - from;
    fill(this.tape, h("span", {}, moves.slice(0, split)), h("span", {}, moves.slice(split)));
  }
}
