/** How a game stands: counters with par, and when it is solved a banner and confetti. */

import { describeLength, describePar } from "../model/descriptions.js";
import { achievedGoals } from "../model/dynamics.js";
import { countSolution } from "../model/game.js";
import { addressOf } from "../model/links.js";
import { progressOf, starsOf } from "../model/progress.js";
import { button, h, icon, prefersLessMotion } from "./dom.js";
import { go } from "./navigation.js";

const COLOURS = ["agent", "target", "movable", "agent-wall"];

/** Returns the counters of a game, with par if it is known. */
export function counters(game, entry, par) {
  const best = entry.key && progressOf(entry.key).best;
  const title = "Par: the shortest solution known";
  const known = (value) => value != null && h("dd", { class: "par", title }, `par ${value}`);
  return [
    counter("Moves", game.step, known(par?.moves)),
    counter("Pushes", game.pushes, known(par?.pushes)),
    goalCounter(game),
    counter("Best", best ? best.moves : "–"),
  ];
}

/** Returns one number with its name, and a note below it. */
export function counter(name, value, note) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value), note);
}

/** Returns how many goals hold. */
export function goalCounter({ puzzle, state }) {
  return counter("Goals", `${achievedGoals(puzzle, state)}/${puzzle.goals}`);
}

const STARS = ["solved", "par in moves", "par in pushes"];

/** Returns the stars of a puzzle as a picture with a text. */
export function starRow(progress, par) {
  const stars = starsOf(progress, par);
  const has = STARS.filter((_, i) => stars[i]).join(", ") || "none";
  const title = `Stars: ${has}`;
  return h("span", { class: "stars", role: "img", "aria-label": title, title },
    stars.map((isLit) => h("i", { class: isLit ? "lit" : null }, "★")),
  );
}

const TITLES = { own: "Solved!", help: "Solved with help", none: "Solved for you" };

/** Counts the solution; returns the text to announce and the banner. */
export function solvedMessage(game, { entry, next, par, onAgain, onShare }) {
  const best = countSolution(game, entry);
  const lengths = describeLength(game.step, game.pushes);
  const compared = game.step < best?.moves ? ", your best" : `; your best has ${best?.moves}`;
  const comparison = best && game.credit === "own" && compared;
  const known = par ? describePar(game.step, par) : "";
  const replay = addressOf("watch", entry, { plan: game.plan, play: 1 });
  const onward = next?.set === entry.set ? "Next puzzle" : `On to ${next?.setTitle}`;
  const again = game.credit === "own" ? "Again" : "Try it alone";
  const title = TITLES[game.credit];
  const content = [
    h("strong", {}, title),
    game.credit === "own" && entry.key && starRow(progressOf(entry.key), par),
    h("span", {}, lengths, comparison),
    known && h("span", { class: "known" }, known),
    h("span", { class: "row" },
      button({ icon: "reset", text: again, keys: "R" }, onAgain),
      h("a", { class: "button", href: replay }, icon("watch"), "Replay"),
      button({ icon: "link", text: "Share", label: "Copy a link to this solution" }, onShare),
      next
        ? button({ icon: "next", text: onward, kind: "primary", keys: "N" }, () =>
            go(addressOf("play", next)),
          )
        : h("a", { class: "button primary", href: "#/" }, "To the puzzles"),
    ),
  ];
  return { text: `${title.replace(/\w$/, "$&.")} ${lengths}. ${known} ${entry.idea ?? ""}`.trim(), content };
}

/** Shows confetti over an element, unless the user prefers reduced motion. */
export function celebrate(over) {
  if (prefersLessMotion()) return;
  const layer = h("div", { class: "confetti", "aria-hidden": "true" });
  document.body.append(layer);
  const { left, top, width, height } = over.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const flights = Array.from({ length: 70 }, (_, i) => {
    const piece = h("i", { class: COLOURS[i % COLOURS.length] });
    layer.append(piece);
    const [side, speed] = [Math.random() - 0.5, 120 + Math.random() * 260];
    const [across, up] = [Math.sin(side * 2.2) * speed, Math.cos(side * 2.2) * speed];
    const at = (far, down, turns) =>
      `translate(${x + across * far}px, ${y - up + down}px) rotate(${side * turns}deg)`;
    const flight = [
      { transform: at(0, up, 0), opacity: 1 },
      { transform: at(1, 0, 450), opacity: 1, offset: 0.4, easing: "ease-in" },
      { transform: at(1.3, 420, 900), opacity: 0 },
    ];
    const duration = 1300 + Math.random() * 700;
    return piece.animate(flight, { duration, easing: "cubic-bezier(.1, .7, .3, 1)", fill: "forwards" });
  });
  Promise.allSettled(flights.map((flight) => flight.finished)).then(() => layer.remove());
}
