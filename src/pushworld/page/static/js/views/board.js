/** The board: an SVG picture of a puzzle's state. */

import { DELTAS, LETTERS, isHome } from "../model/dynamics.js";
import { AGENT_WALL, WALL, cellsAt, cellsWith, initialState, kindOf } from "../model/puzzle.js";
import {
  floorShapes,
  goalInside,
  goalLine,
  hintOutline,
  label,
  pieceShape,
  wallShapes,
} from "./board-shapes.js";
import { prefersLessMotion, s } from "./dom.js";

/** How much of the border walls the picture leaves out. */
const CUT = 0.5;

/** An SVG picture of a puzzle, updated by `show(state)`. */
export class Board {
  /**
   * @param {import("../model/puzzle.js").Puzzle} puzzle
   * @param {{thumbnail?: boolean}} [options]
   */
  constructor(puzzle, { thumbnail = false } = {}) {
    this.puzzle = puzzle;
    const withLabels = puzzle.goals > 1 && !thumbnail;
    this.pieces = puzzle.objects.map((thing) => {
      const shape = pieceShape(thing.shape, kindOf(thing));
      const text = withLabels && thing.goal && label(thing.shape, thing.name.slice(1), "piece-name");
      return s("g", { class: `piece ${kindOf(thing)}` }, shape, text);
    });
    this.goals = puzzle.objects.map((thing) => thing.goal && this.#goal(thing, withLabels));
    const withGoals = puzzle.objects.filter((thing) => thing.goal);
    this.hint = s("g", { class: "hint-layer" });
    this.element = s(
      "svg",
      { class: "board", viewBox: viewBox(puzzle), "aria-hidden": thumbnail ? "true" : null },
      floorShapes(puzzle),
      wallShapes(cellsWith(puzzle, AGENT_WALL), "agent-wall"),
      wallShapes(cellsWith(puzzle, WALL), "wall"),
      withGoals.map((thing) => goalInside(cellsAt(thing, thing.goal))),
      s("g", { class: "pieces" }, this.pieces),
      this.goals,
      this.hint,
    );
    this.element.style.setProperty("--columns", `${puzzle.width - 2 * CUT}`);
    this.element.style.setProperty("--rows", `${puzzle.height - 2 * CUT}`);
    this.show(initialState(puzzle));
  }

  #goal(thing, withLabels) {
    const cells = cellsAt(thing, thing.goal);
    const text = withLabels && label(cells, thing.name.slice(1), "goal-name");
    return s("g", { class: "goal" }, goalLine(cells), text);
  }

  /** Shows a state; the style sheet animates the pieces. */
  show(state) {
    state.forEach(([x, y], index) => {
      const piece = this.pieces[index];
      if (piece.dataset.x === String(x) && piece.dataset.y === String(y)) return;
      piece.style.transform = `translate(${x}px, ${y}px)`;
      Object.assign(piece.dataset, { x, y });
      const home = isHome(this.puzzle, state, index);
      piece.classList.toggle("home", home);
      this.goals[index]?.classList.toggle("home", home);
    });
  }

  /** Turns the agent's face into the direction of an action. */
  face(action) {
    this.pieces[0].dataset.facing = LETTERS[action];
  }

  /** Shows that an action moves nothing. */
  bump(action) {
    const [dx, dy] = DELTAS[action];
    if (prefersLessMotion()) return;
    const [x, y] = [Number(this.pieces[0].dataset.x), Number(this.pieces[0].dataset.y)];
    const there = `translate(${x + dx * 0.12}px, ${y + dy * 0.12}px)`;
    const here = `translate(${x}px, ${y}px)`;
    this.pieces[0].animate({ transform: [here, there, here] }, { duration: 140 });
  }

  /** Shows that a cell cannot be reached. */
  refuse([x, y]) {
    const mark = s("path", { class: "refused", d: `M${x + 0.25} ${y + 0.25}l.5 .5m0 -.5l-.5 .5` });
    this.element.append(mark);
    mark.animate({ opacity: [1, 1, 0] }, { duration: 700 }).finished.finally(() => mark.remove());
  }

  /**
   * Draws a hint: a mark around the object pushed first; from degree 1, where things go in some
   * states; from degree 2, the agent's path through them, dotted up to its first push. Without a
   * hint, removes it.
   *
   * @param {?{states: import("../model/puzzle.js").State[], first: ?number, degree: number}} hint
   */
  showHint(hint) {
    this.hint.replaceChildren();
    if (!hint) return;
    const { states, first, degree } = hint;
    const around = (index, state, kind) => {
      const cells = cellsAt(this.puzzle.objects[index], state[index]);
      this.hint.append(hintOutline(cells, kind));
    };
    const end = states.at(-1);
    end.forEach((_, index) => {
      const moves = String(end[index]) !== String(states[0][index]);
      if (degree > 0 && index > 0 && moves) around(index, end, "hint-end");
    });
    if (degree === 2) this.#showPath(states);
    else if (first !== null) around(first, states[0], "hint-mark");
  }

  /** Scrolls as little as is needed to make the hint visible. */
  scrollToHint() {
    this.hint.lastElementChild?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #showPath(states) {
    const { shape } = this.puzzle.objects[0];
    const middle = (axis) => (Math.max(...shape.map((cell) => cell[axis])) + 1) / 2;
    const points = states.map(([[x, y]]) => `${x + middle(0)} ${y + middle(1)}`);
    const objectsOf = (state) => String(state.slice(1));
    const pushAt = states.findLastIndex((state) => objectsOf(state) === objectsOf(states[0]));
    const line = (from, to) => `M${points.slice(from, to + 1).join("L")}`;
    this.hint.append(
      s("path", { class: "hint-back", d: line(0, states.length) }),
      s("path", { class: "hint-line walking", d: line(0, pushAt) }),
      s("path", { class: "hint-line", d: line(pushAt, states.length), "marker-end": "url(#arrow)" }),
    );
  }

  /** Returns the cell of the world under a pointer. */
  cellAt(event) {
    return cellUnder(this.element, event);
  }
}

/** Returns the cell of the world under a pointer over a board's picture. @returns {[number, number]} */
export function cellUnder(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  const { x, y } = point.matrixTransform(svg.getScreenCTM().inverse());
  return [Math.floor(x), Math.floor(y)];
}

/** Returns the part of the world that a board shows. */
export function viewBox({ width, height }) {
  return `${CUT} ${CUT} ${width - 2 * CUT} ${height - 2 * CUT}`;
}
