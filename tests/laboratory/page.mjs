// Steps and reads puzzles as the page does. Each line of the input is a JSON array [PWP, ACTIONS, FRESH]:
// the actions as numbers, and for each whether the puzzle begins anew before it. The answer has the states
// after the actions and the achieved goals. A line [TEXT] is only read and written again.

import { createInterface } from "node:readline";

const model = new URL("../../src/pushworld/page/static/js/model/", import.meta.url);
const { achievedGoals, moved, movedBy } = await import(new URL("dynamics.js", model));
const { initialState } = await import(new URL("puzzle.js", model));
const { formatPwp, parsePwp } = await import(new URL("pwp.js", model));

function walk(text, actions, fresh) {
  const puzzle = parsePwp(text);
  let state = initialState(puzzle);
  const states = [];
  const achieved = [];
  actions.forEach((action, index) => {
    if (fresh[index]) state = initialState(puzzle);
    const moving = movedBy(puzzle, state, action);
    if (moving) state = moved(state, moving, action);
    states.push(state);
    achieved.push(achievedGoals(puzzle, state));
  });
  return { states, achieved };
}

function read(text) {
  try {
    return { text: formatPwp(parsePwp(text)) };
  } catch (error) {
    const { problem, line = null, column = null } = error;
    return { problem, line, column };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const answer = request.length === 1 ? read(...request) : walk(...request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
