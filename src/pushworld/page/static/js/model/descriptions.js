/** Texts about states, moves and plans, for display and for screen readers. */

import { isHome } from "./dynamics.js";
import { firstPushed, replayPlan } from "./plans.js";

const DIRECTIONS = ["left", "right", "up", "down"];

/** What the game is, in one breath. */
export const RULES =
  "Walk into an object to push it; it pushes what is in its way, and nothing can be pulled. " +
  "Bring every object that has an outline onto its outline.";

/** The tags in plain words, and what they mean. */
const TAGS = {
  "path-planning": ["find a way", "An object needs a way between the walls that its shape fits."],
  "manipulation-planning": ["from the right side", "Get to the right side of an object before you push it."],
  "movable-obstacle": ["clear the way", "Something has to be pushed out of the way first."],
  "tool-use": ["use a tool", "Push one object with another."],
  assembly: ["build a tool", "Put objects together, and push with them."],
  "multiple-goals": ["several goals", "Several objects have an outline."],
  "agent-walls": ["agent walls", "Some cells stop you, but not what you push."],
  "irreversible-choice": ["no way back", "A push that looks right cannot be taken back."],
  sandbox: ["sandbox", "Nothing has an outline: there is nothing to solve."],
};

/** Returns a tag in plain words, and what it means if that is known. */
export function describeTag(tag) {
  return TAGS[tag] ?? [tag.replaceAll("-", " "), ""];
}

/** Returns a level of difficulty as a word. */
export function describeLevel(level) {
  return ["Easy", "Medium", "Hard", "Very hard"][level - 1] ?? `Difficulty ${level}`;
}

/** Returns the name of what an id stands for: "object 2" for M2. */
export function nameOf(id) {
  const kinds = { A: "agent", W: "wall", AW: "agent wall" };
  return kinds[id.toUpperCase()] ?? `${id[0] === "M" ? "object" : "goal"} ${id.slice(1)}`;
}

/** Returns what a move did: "Right, pushes object 1; object 1 on its goal, 1 of 2." */
export function describeMove(puzzle, before, after, action, moving) {
  if (!moving) return `${sentence(DIRECTIONS[action])} is blocked.`;
  const parts = [sentence(DIRECTIONS[action])];
  const namesOf = (indices) => indices.map((index) => nameOf(puzzle.objects[index].name)).join(", ");
  if (moving.length > 1) parts.push(`, pushes ${namesOf(moving.slice(1))}`);
  const homes = (state) => state.flatMap((_, i) => (isHome(puzzle, state, i) ? [i] : []));
  const [had, has] = [homes(before), homes(after)];
  const gained = has.filter((index) => !had.includes(index));
  const lost = had.filter((index) => !has.includes(index));
  if (gained.length) parts.push(`; ${namesOf(gained)} on its goal`);
  if (lost.length) parts.push(`; ${namesOf(lost)} off its goal`);
  if (gained.length || lost.length) parts.push(`, ${has.length} of ${puzzle.goals}`);
  return parts.join("") + ".";
}

/** Returns where all objects are, and where their goals are. */
export function describePositions(puzzle, state) {
  const sentences = puzzle.objects.map((thing, index) => {
    const [x, y] = state[index];
    const place = `at column ${x}, row ${y}`;
    if (index === 0) return `You are ${place}.`;
    const name = sentence(nameOf(thing.name));
    if (!thing.goal) return `${name} ${place}.`;
    const way = describeWay(thing.goal[0] - x, thing.goal[1] - y);
    return `${name} ${place}, ${way ? `its goal is ${way}` : "on its goal"}.`;
  });
  return sentences.join(" ");
}

/** Returns a distance in words: "2 to the right and 1 up"; nothing for no distance. */
function describeWay(dx, dy) {
  const parts = [];
  if (dx) parts.push(`${Math.abs(dx)} ${dx < 0 ? "to the left" : "to the right"}`);
  if (dy) parts.push(`${Math.abs(dy)} ${dy < 0 ? "up" : "down"}`);
  return parts.join(" and ");
}

/**
 * Returns a few actions as an instruction: "Walk ←×2 ↑, then push →."
 *
 * @param {(actions: number[]) => string} format how actions are written
 */
function describeActions(puzzle, state, actions, format) {
  const { pushes } = replayPlan(puzzle, actions, state);
  const first = actions.findIndex((_, i) => pushes[i + 1] > pushes[i]);
  if (first < 0) return `Walk ${format(actions)}.`;
  const push = `push ${format(actions.slice(first))}`;
  return first ? `Walk ${format(actions.slice(0, first))}, then ${push}.` : `${sentence(push)}.`;
}

/**
 * Returns the text of a hint: where to look (degree 0), what to do (1) or how (2).
 *
 * @param {boolean} isSpoken whether it is for somebody who does not see the marks on the board
 */
export function describeHint(puzzle, state, actions, degree, isSpoken) {
  const index = firstPushed(puzzle, state, actions);
  if (degree === 2 || index === null) {
    return describeActions(puzzle, state, actions, isSpoken ? inWords : inArrows);
  }
  if (!isSpoken) return ["Look at the marked object.", "Push it onto the dashed outline."][degree];
  const name = nameOf(puzzle.objects[index].name);
  const [[x, y], [toX, toY]] = [state, replayPlan(puzzle, actions, state).states.at(-1)].map(
    (one) => one[index],
  );
  if (degree === 0) return `Look at ${name}, at column ${x}, row ${y}.`;
  return `Push ${name} ${describeWay(toX - x, toY - y)}.`;
}

/** Returns actions as arrows: "↑ ←×4". */
function inArrows(actions) {
  const one = ([action, times]) => "←→↑↓"[action] + (times > 1 ? `×${times}` : "");
  return runsOf(actions).map(one).join(" ");
}

/** Returns actions as words: "up, left 4 times". */
function inWords(actions) {
  const one = ([action, times]) => DIRECTIONS[action] + (times > 1 ? ` ${times} times` : "");
  return runsOf(actions).map(one).join(", ");
}

/** Returns the actions as runs: pairs of an action and how often it is repeated. */
function runsOf(actions) {
  const runs = [];
  for (const action of actions) {
    if (runs.at(-1)?.[0] === action) runs.at(-1)[1]++;
    else runs.push([action, 1]);
  }
  return runs;
}

/** Returns the length of a plan: "24 moves, 9 pushes". */
export function describeLength(moves, pushes) {
  return `${count(moves, "move")}, ${count(pushes, "push").replace(/pushs$/, "pushes")}`;
}

/** Returns how the length of a solution compares with par, the shortest one known. */
export function describePar(moves, par) {
  const lengths = describeLength(par.moves, par.pushes);
  if (moves < par.moves) return `Better than par, which is ${lengths}.`;
  return moves === par.moves ? "That is par: no shorter solution is known." : `Par is ${lengths}.`;
}

/** Returns "1 move", "2 moves". */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Returns a text with a capital first letter. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
