/** A moment of joy over a solved puzzle; none for those who prefer less motion. */

import { h } from "./dom.js";

const COLOURS = ["agent", "target", "movable", "agent-wall"];

/** Lets paper fall over an element. */
export function celebrate(over) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const layer = h("div", { class: "confetti", "aria-hidden": "true" });
  over.append(layer);
  const flights = Array.from({ length: 70 }, (_, i) => {
    const piece = h("i", { class: COLOURS[i % COLOURS.length] });
    layer.append(piece);
    const angle = -Math.PI / 2 + (Math.random() - 0.5) * 2.2;
    const speed = 120 + Math.random() * 260;
    const [dx, dy] = [Math.cos(angle) * speed, Math.sin(angle) * speed];
    const spin = (Math.random() - 0.5) * 900;
    return piece.animate(
      [
        { transform: "translate(0, 0) rotate(0)", opacity: 1 },
        {
          transform: `translate(${dx}px, ${dy}px) rotate(${spin / 2}deg)`,
          opacity: 1,
          offset: 0.4,
          easing: "ease-in",
        },
        { transform: `translate(${dx * 1.3}px, ${dy + 420}px) rotate(${spin}deg)`, opacity: 0 },
      ],
      {
        duration: 1300 + Math.random() * 700,
        easing: "cubic-bezier(.1, .7, .3, 1)",
        fill: "forwards",
      },
    );
  });
  Promise.allSettled(flights.map((flight) => flight.finished)).then(() => layer.remove());
}
