/** Pictures to download: the SVG document that `pushworld render` writes, and its PNG. */

import { slug } from "../model/links.js";
import { sharpPath } from "../model/outlines.js";
import { AGENT_WALL, WALL, cellsAt, cellsWith, kindOf } from "../model/puzzle.js";

/** The benchmark's colours: fill and border of each kind of object. @type {Object<string, any>} */
const COLOURS = {
  background: "#FFFFFF",
  agentWall: ["#FAC71E", "#7D640F"],
  wall: ["#0A0A0A", "#050505"],
  agent: ["#00DC00", "#006E00"],
  movable: ["#469BFF", "#23487F"],
  target: ["#DC0000", "#6E0000"],
  goal: ["none", "#B90000"],
};

// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Returns a picture of a state as an SVG document. */
export function pictureSvg(puzzle, state, pixelsPerCell = 20, border = 2) {
  const path = (cells, [fill, stroke], title) => {
    const data = sharpPath(cells, pixelsPerCell, border / 2);
    const start = `<path fill="${fill}" stroke="${stroke}" d="${data}"`;
    return title ? `${start}><title>${escaped(title)}</title></path>` : `${start}/>`;
  };
  const [width, height] = [puzzle.width * pixelsPerCell, puzzle.height * pixelsPerCell];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" stroke-width="${border}" shape-rendering="crispEdges">`,
    `<path fill="${COLOURS.background}" stroke="none" d="M0 0h${width}v${height}h-${width}z"/>`,
  ];
  const agentWalls = cellsWith(puzzle, AGENT_WALL);
  if (agentWalls.length) parts.push(path(agentWalls, COLOURS.agentWall));
  parts.push(path(cellsWith(puzzle, WALL), COLOURS.wall));
  puzzle.objects.forEach((thing, i) => {
    parts.push(path(cellsAt(thing, state[i]), COLOURS[kindOf(thing)], thing.name));
  });
  for (const thing of puzzle.objects) {
    if (thing.goal) {
      parts.push(path(cellsAt(thing, thing.goal), COLOURS.goal, `goal of ${thing.name}`));
    }
  }
  return [...parts, "</svg>\n"].join("\n");
}

/** Resolves to the picture as a PNG blob. */
export async function picturePng(puzzle, state, pixelsPerCell = 40) {
  const svg = pictureSvg(puzzle, state, pixelsPerCell, Math.max(1, pixelsPerCell / 10));
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = puzzle.width * pixelsPerCell;
    canvas.height = puzzle.height * pixelsPerCell;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Returns a file name that every system accepts. */
export function fileName(name, suffix) {
  return `${slug(name).slice(0, 60) || "puzzle"}.${suffix}`;
}

/** Escapes XML's special characters, and replaces characters that XML does not allow. */
function escaped(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text
    .replace(/[&<>]/g, (character) => entities[character])
    .replace(NOT_XML, "\ufffd");
}
