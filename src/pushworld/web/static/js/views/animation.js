/** Plans as animated GIF files: a palette of a few colours, compressed as the format wants it. */

import { cellsAt, cellsWith, kindOf, AGENT_WALL, WALL } from "../model/puzzle.js";

const CELL = 20;
const GAP = 12;
const END_SECONDS = 2;
/** Bits of a colour's number; the colours are those of the benchmark's pictures. */
const BITS = 3;
const PALETTE = ["FFFFFF", "0A0A0A", "FAC71E", "00DC00", "469BFF", "DC0000", "B90000", "30353D"];
const NUMBERS = { floor: 0, wall: 1, agentWall: 2, agent: 3, movable: 4, target: 5, goal: 6, line: 7 };

/**
 * Returns an animation of one or several plans side by side.
 *
 * @param {import("../model/puzzle.js").Puzzle} puzzle
 * @param {import("../model/puzzle.js").State[][]} plans the states of each; a shorter one waits
 * @param {number} rate states a second
 */
export function planGif(puzzle, plans, rate) {
  const side = puzzle.width * CELL + GAP;
  const [width, height] = [plans.length * side - GAP, puzzle.height * CELL];
  const length = Math.max(...plans.map((states) => states.length));
  const word = (number) => [number & 255, number >> 8];
  const parts = [
    ...[..."GIF89a"].map((letter) => letter.charCodeAt(0)),
    ...word(width),
    ...word(height),
    ...[0xf0 | (BITS - 1), 0, 0],
    ...PALETTE.flatMap((hex) => hex.match(/../g).map((pair) => Number.parseInt(pair, 16))),
    ...[0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0],
  ];
  const bytes = [Uint8Array.from(parts)];
  for (let step = 0; step < length; step++) {
    const pixels = new Uint8Array(width * height);
    plans.forEach((states, i) => {
      paint(pixels, width, i * side, puzzle, states[Math.min(step, states.length - 1)]);
    });
    const pause = Math.round(100 / rate) + (step === length - 1 ? 100 * END_SECONDS : 0);
    bytes.push(Uint8Array.from([0x21, 0xf9, 4, 0, ...word(pause), 0, 0]));
    bytes.push(Uint8Array.from([0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, BITS]));
    bytes.push(...blocks(compressed(pixels)), Uint8Array.of(0));
  }
  return new Blob([...bytes, Uint8Array.of(0x3b)], { type: "image/gif" });
}

/** Paints a state into the pixels of a picture. */
function paint(pixels, width, left, puzzle, state) {
  const box = (x, y, w, h, colour) => {
    for (let row = y; row < y + h; row++) {
      pixels.fill(colour, row * width + left + x, row * width + left + x + w);
    }
  };
  const shape = (cells, colour, line) => {
    const members = new Set(cells.map(String));
    const has = (x, y) => members.has(`${x},${y}`);
    for (const [x, y] of cells) {
      const [px, py] = [x * CELL, y * CELL];
      if (colour !== null) box(px, py, CELL, CELL, colour);
      if (line === null) continue;
      if (!has(x, y - 1)) box(px, py, CELL, 2, line);
      if (!has(x, y + 1)) box(px, py + CELL - 2, CELL, 2, line);
      if (!has(x - 1, y)) box(px, py, 2, CELL, line);
      if (!has(x + 1, y)) box(px + CELL - 2, py, 2, CELL, line);
    }
  };
  box(0, 0, puzzle.width * CELL, puzzle.height * CELL, NUMBERS.floor);
  shape(cellsWith(puzzle, AGENT_WALL), NUMBERS.agentWall, null);
  shape(cellsWith(puzzle, WALL), NUMBERS.wall, null);
  puzzle.objects.forEach((thing, i) => {
    shape(cellsAt(thing, state[i]), NUMBERS[kindOf(thing)], NUMBERS.line);
  });
  for (const thing of puzzle.objects) {
    if (thing.goal) shape(cellsAt(thing, thing.goal), null, NUMBERS.goal);
  }
}

/** Returns pixels compressed by the method of Lempel, Ziv and Welch. */
function compressed(pixels) {
  const clear = 1 << BITS;
  const bytes = [];
  let [held, heldBits, bits, table, next] = [0, 0, 0, null, 0];
  const write = (code) => {
    held |= code << heldBits;
    for (heldBits += bits; heldBits >= 8; heldBits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  const restart = () => {
    [table, next] = [new Map(), clear + 2];
    bits = BITS + 1;
  };
  restart();
  write(clear);
  let prefix = pixels[0];
  for (const pixel of pixels.subarray(1)) {
    const key = (prefix << BITS) | pixel;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    table.set(key, next);
    if (next === 1 << bits) bits++;
    if (next++ === 4095) {
      write(clear);
      restart();
    }
    prefix = pixel;
  }
  write(prefix);
  write(clear + 1);
  if (heldBits) bytes.push(held & 255);
  return Uint8Array.from(bytes);
}

/** Returns data in blocks, each with its length in front. */
function blocks(data) {
  const found = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    found.push(Uint8Array.of(part.length), part);
  }
  return found;
}
