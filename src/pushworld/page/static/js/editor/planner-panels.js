/** What the planner says about the puzzle that is being drawn, and how the server can change it. */

import { describeLength } from "../model/descriptions.js";
import { parsePlan, replayPlan } from "../model/plans.js";
import { formatPwp } from "../model/pwp.js";
import { revise } from "../server/solver.js";
import { button, field, h, select } from "../views/dom.js";
import { NO_SOLVER, SearchPanel, describeFailure, describeSearch } from "../views/search-panel.js";

const LIMITS = [["10", "10 s"], ["60", "1 min"], ["300", "5 min"]];

/** The effort by the number of states, up to each bound; above the last one it is very hard. */
const EFFORTS = [[100, "Very easy"], [2_000, "Easy"], [50_000, "Medium"], [1_000_000, "Hard"]];

const REVISION_SECONDS = 60;

/** Each change with its button, what is said meanwhile, and what if there is no better drawing. */
const CHANGES = [
  ["harder", "Make it harder", "Making it harder", "No harder puzzle was found."],
  ["tool", "Make it need a tool", "Looking for a tool", "No puzzle that needs a tool was found."],
  ["tidy", "Tidy", "Tidying it", "Everything in it is needed."],
];

const NO_SERVER =
  "Changes need a server, and this is a static site. " +
  "Run “pushworld play” on your computer to have one.";

/** A panel about the puzzle, with buttons that need a valid one with goals. */
class PuzzlePanel {
  search = new SearchPanel();
  puzzle = null;
  text = "";
  buttons = [];

  /** Sets the puzzle, null while the drawing is invalid; discards the result for an earlier one. */
  change(puzzle) {
    const text = puzzle ? formatPwp(puzzle) : "";
    if (text === this.text) return;
    Object.assign(this, { puzzle, text });
    for (const one of this.buttons) one.disabled = !puzzle?.goals;
    this.search.clear();
  }

  cancel() {
    this.search.cancel();
  }
}

/** Asks the planner whether the puzzle is solvable, and how hard it is. */
export class SolvabilityPanel extends PuzzlePanel {
  /** @param {(plan: string) => void} onWatch shows a plan */
  constructor(site, onWatch) {
    super();
    this.onWatch = onWatch;
    this.buttons = [button({ icon: "solve", text: "Ask the planner" }, () => this.#ask())];
    this.limit = select("Search for at most", LIMITS, "60", () => {});
    const parts = [h("div", { class: "row" }, this.buttons, field("up to", this.limit)), this.search.element];
    this.element = h("div", {}, site.solver ? parts : h("p", { class: "quiet" }, NO_SOLVER));
  }

  async #ask() {
    const result = await this.search.search(this.text, Number(this.limit.value));
    if (result === null) return;
    if (result.plan) this.#showSolvable(result);
    else if (result.status !== "unsolvable") this.search.say(describeFailure(result));
    else this.search.say(`It is proved to be unsolvable (${describeSearch(result)}).`);
  }

  #showSolvable(result) {
    const { plan, states } = result;
    const { pushes } = replayPlan(this.puzzle, parsePlan(plan));
    const effort = EFFORTS.find(([most]) => states <= most)?.[1] ?? "Very hard";
    this.search.say(
      `Solvable in ${describeLength(plan.length, pushes.at(-1))}. ` +
        `${effort} for the planner: ${describeSearch(result)}.`,
      [button({ icon: "watch", text: "Watch" }, () => this.onWatch(plan))],
    );
  }
}

/** Asks the server to change the puzzle. */
export class RevisionPanel extends PuzzlePanel {
  onRevised; onUndo;

  /**
   * @param {(pwp: string) => void} onRevised replaces the drawing
   * @param {() => void} onUndo brings the old one back
   */
  constructor(site, onRevised, onUndo) {
    super();
    Object.assign(this, { onRevised, onUndo });
    this.buttons = CHANGES.map((change) => button({ text: change[1] }, () => this.#revise(...change)));
    const about = "The server tries many changes, for a minute at most. Undo brings your drawing back.";
    const row = h("div", { class: "row" }, this.buttons);
    const parts = [row, h("p", { class: "quiet" }, about), this.search.element];
    this.element = h("div", {}, site.server ? parts : h("p", { class: "quiet" }, NO_SERVER));
  }

  async #revise(change, _, text, nothing) {
    const ask = (onReport, signal) => revise(this.text, change, REVISION_SECONDS, onReport, signal);
    const result = await this.search.follow(text, ask);
    if (result === null) return;
    if (!result.pwp) {
      this.search.say(nothing);
      return;
    }
    this.onRevised(result.pwp);
    this.search.say(`Done: ${result.note}.`, [button({ icon: "undo", text: "Undo" }, this.onUndo)]);
  }
}
