/** Outlines of sets of cells: their corners, moved inwards, and as data of SVG paths. */

const DIRECTIONS = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/**
 * Returns the closed outlines of a set of cells, each as the list of its corners.
 *
 * Each has the cells on its right side: it runs clockwise around
 * them, counter-clockwise around holes. Cells that touch only at a corner have separate outlines.
 *
 * @param {Iterable<[number, number]>} cells
 * @returns {[number, number][][]}
 */
function outlines(cells) {
  const members = new Set(Array.from(cells, cellKey));
  const edges = new Map();
  for (const key of [...members].sort((a, b) => a - b)) {
    const [x, y] = [key % SPAN, Math.floor(key / SPAN)];
    const corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
    /** @type {[number, number][]} */
    const beyond = [[x, y - 1], [x + 1, y], [x, y + 1], [x - 1, y]];
    corners.forEach((corner, side) => {
      if (!members.has(cellKey(beyond[side]))) edges.set(edgeKey(corner, side), [corner, side]);
    });
  }
  const unvisited = new Map(edges);
  const loops = [];
  while (unvisited.size) {
    let [corner, side] = unvisited.values().next().value;
    const loop = [];
    while (unvisited.delete(edgeKey(corner, side))) {
      const [dx, dy] = DIRECTIONS[side];
      const end = [corner[0] + dx, corner[1] + dy];
      // The rightmost turn follows the same cells.
      const next = [1, 0, 3].map((t) => (side + t) % 4).find((s) => edges.has(edgeKey(end, s)));
      if (next !== side) loop.push(end);
      [corner, side] = [end, next];
    }
    loops.push(loop);
  }
  return loops;
}

const SPAN = 4096;
const cellKey = ([x, y]) => y * SPAN + x;
const edgeKey = (corner, side) => cellKey(corner) * 4 + side;

/** Returns an outline moved inwards by a distance. */
function inset(outline, distance) {
  return outline.map(([x, y], i) => {
    const before = outline.at(i - 1);
    const after = outline[(i + 1) % outline.length];
    const [inX, inY] = [Math.sign(x - before[0]), Math.sign(y - before[1])];
    const [outX, outY] = [Math.sign(after[0] - x), Math.sign(after[1] - y)];
    return [x - distance * (inY + outY), y + distance * (inX + outX)];
  });
}

/** Returns the outlines of cells, moved inwards, with rounded corners, as the data of an SVG path. */
export function roundPath(cells, distance, radius) {
  const parts = outlines(cells).map((outline) => {
    const corners = inset(outline, distance);
    const turns = corners.map((corner, i) => {
      const from = towards(corner, corners.at(i - 1), radius);
      const to = towards(corner, corners[(i + 1) % corners.length], radius);
      return `${from}Q${show(corner)} ${to}`;
    });
    return `M${turns.join("L")}z`;
  });
  return parts.join("");
}

/** Returns the point at a distance from a corner towards another. */
function towards([x, y], [toX, toY], distance) {
  return show([x + Math.sign(toX - x) * distance, y + Math.sign(toY - y) * distance]);
}

const rounded = (number) => Math.round(number * 1000) / 1000;
const show = ([x, y]) => `${rounded(x)} ${rounded(y)}`;

/**
 * Returns pairs of cells that tie the separate parts of a set of cells together: the fewest and
 * shortest ones.
 *
 * @param {[number, number][]} cells
 * @returns {[[number, number], [number, number]][]}
 */
export function tiesBetween(cells) {
  const ties = [];
  const distance = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
  const nearer = (one, other) => (other.far < one.far ? other : one);
  let rest = cells.slice(1).map((cell) => ({ cell, to: cells[0], far: distance(cell, cells[0]) }));
  while (rest.length) {
    const { cell, to, far } = rest.reduce(nearer);
    if (far > 1) ties.push([to, cell]);
    rest = rest
      .filter((one) => one.cell !== cell)
      .map((one) => nearer(one, { cell: one.cell, to: cell, far: distance(one.cell, cell) }));
  }
  return ties;
}
