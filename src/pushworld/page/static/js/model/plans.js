/** Plans: sequences of actions, written as strings over `LRUD`, and their effects. */

import { LETTERS, achievedGoals, isSolved, moved, movedBy } from "./dynamics.js";
import { initialState } from "./puzzle.js";

/** A text that is not a plan. */
class PlanError extends Error {}

/** Returns the actions of a plan, or throws a PlanError; ignores case and white space. */
export function parsePlan(text) {
  const actions = [];
  Array.from(text).forEach((character, index) => {
    if (/\s/.test(character)) return;
    const action = LETTERS.indexOf(character.toUpperCase());
    if (action < 0) {
      throw new PlanError(
        `'${character}' at position ${index + 1} of the plan is not an action: ` +
          "write a plan with the letters L, R, U and D",
      );
    }
    actions.push(action);
  });
  return actions;
}

/** Returns the plan as a string over `LRUD`. */
export function formatPlan(actions) {
  return actions.map((action) => LETTERS[action]).join("");
}

/**
 * Returns the effects of a plan from a state: all states, and after each action the number of
 * pushes so far and the number of goals that hold.
 *
 * @typedef {{actions: number[], states: import("./puzzle.js").State[], pushes: number[],
 *   achieved: number[], solved: boolean, withoutEffect: number}} Replay
 * @returns {Replay}
 */
export function replayPlan(puzzle, actions, state = initialState(puzzle)) {
  const states = [state];
  const pushes = [0];
  let withoutEffect = 0;
  for (const action of actions) {
    const moving = movedBy(puzzle, states.at(-1), action);
    states.push(moving ? moved(states.at(-1), moving, action) : states.at(-1));
    pushes.push(pushes.at(-1) + (moving?.length > 1 ? 1 : 0));
    if (!moving) withoutEffect++;
  }
  const achieved = states.map((one) => achievedGoals(puzzle, one));
  const solved = isSolved(puzzle, states.at(-1));
  return { actions, states, pushes, achieved, solved, withoutEffect };
}

/** Returns the index of the object that some actions push first, or null. */
export function firstPushed(puzzle, state, actions) {
  const { states, pushes } = replayPlan(puzzle, actions, state);
  const first = pushes.indexOf(1) - 1;
  return first < 0 ? null : movedBy(puzzle, states[first], actions[first])[1];
}

/** Returns the moves and pushes of the shortest plan known for a puzzle, or null. */
export function parOf(puzzle, entry) {
  if (!entry.plan) return null;
  const { actions, pushes } = replayPlan(puzzle, parsePlan(entry.plan));
  return { moves: actions.length, pushes: pushes.at(-1) };
}

/**
 * Returns the start of a plan up to the end of its first uninterrupted pushes: the walk to an
 * object, and the pushes that follow without a walk between them.
 */
export function nextPushes(puzzle, state, actions) {
  const { pushes } = replayPlan(puzzle, actions, state);
  const end = actions.findIndex((_, i) => pushes[i] > 0 && pushes[i + 1] === pushes[i]);
  return end < 0 ? actions : actions.slice(0, end);
}
