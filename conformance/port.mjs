/**
 * The page's own JavaScript as a port: python check.py node port.mjs
 */

import { createInterface } from "node:readline";

const model = new URL("../src/pushworld/page/static/js/model/", import.meta.url);
const { LETTERS, isHome, isSolved, moved, movedBy } = await import(new URL("dynamics.js", model));
const { initialState } = await import(new URL("puzzle.js", model));
const { parsePwp } = await import(new URL("pwp.js", model));

function answer({ puzzle: text, actions }) {
  let puzzle;
  try {
    puzzle = parsePwp(text);
  } catch {
    return { refused: true };
  }
  const names = puzzle.objects.map((thing) => thing.name.toUpperCase());
  const states = [initialState(puzzle)];
  for (const letter of actions) {
    const action = LETTERS.indexOf(letter);
    const state = states.at(-1);
    states.push(moved(state, movedBy(puzzle, state, action) ?? [], action));
  }
  return {
    states: states.map((state) => Object.fromEntries(names.map((name, index) => [name, state[index]]))),
    achieved: states.map((state) => names.filter((_, index) => isHome(puzzle, state, index)).sort()),
    solved: isSolved(puzzle, states.at(-1)),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
