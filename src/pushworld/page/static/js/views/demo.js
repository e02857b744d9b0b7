/** A board that plays a plan by itself, over and over: what the game is, without a word. */

import { parsePlan, replayPlan } from "../model/plans.js";
import { parsePwp } from "../model/pwp.js";
import { Board } from "./board.js";
import { button, fill, h, icon, prefersLessMotion } from "./dom.js";
import { Player } from "./player.js";

const RATE = 2.2;
/** How many steps the end stays. */
const REST = 4;

/** Returns the puzzle that shows best what the game is: one with a plan that uses a tool, or with a plan, or the first. */
export function worthWatching(entries) {
  const planned = entries.filter(({ plan }) => plan);
  return planned.find(({ tags }) => tags.includes("tool-use")) ?? planned[0] ?? entries[0];
}

/** Returns the board of a puzzle with a plan, which plays unless less motion is wanted, and its end. */
export function demo(entry) {
  const puzzle = parsePwp(entry.pwp);
  const { states, actions } = replayPlan(puzzle, parsePlan(entry.plan));
  const board = new Board(puzzle, { thumbnail: true });
  const player = new Player({
    show: (step) => {
      board.show(states[Math.min(step, actions.length)]);
      if (step > 0 && step <= actions.length) board.face(actions[step - 1]);
    },
    length: () => actions.length + REST,
    rate: () => RATE,
    loops: true,
    onToggle: (isPlaying) => {
      fill(toggle, icon(isPlaying ? "pause" : "play"));
      toggle.setAttribute("aria-label", isPlaying ? "Stop the picture" : "Play the picture");
    },
  });
  const toggle = button({ icon: "play", label: "Play the picture", kind: "demo-toggle" }, () => player.toggle());
  if (!prefersLessMotion()) player.play();
  return { element: h("div", { class: "thumbnail demo" }, board.element, toggle), end: () => player.stop() };
}
