/** Plans as animated GIF files, drawn as the boards of the page. */

import { h } from "./dom.js";
import { Picture } from "./picture.js";

const WIDTH = 640;
const LARGEST_CELL = 32;
const GAP = 12;
const END_SECONDS = 2;
/** Bits of a colour's number; the last number stands for what does not change. */
const BITS = 8;
const SAME = (1 << BITS) - 1;

/**
 * Resolves to an animation of one or several plans side by side.
 *
 * @param {import("../model/puzzle.js").Puzzle} puzzle
 * @param {import("../model/plans.js").Replay[]} replays a shorter one waits at its end
 * @param {number} rate states a second
 */
export async function planGif(puzzle, replays, rate) {
  const wide = Math.floor((WIDTH / replays.length - GAP) / puzzle.width);
  const cell = Math.max(8, Math.min(wide, LARGEST_CELL));
  const pictures = replays.map(() => new Picture(puzzle, cell));
  const [{ width: boardWidth, height }] = pictures;
  const width = replays.length * (boardWidth + GAP) - GAP;
  const canvas = h("canvas", { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  context.fillRect(0, 0, width, height);
  const palette = new Palette();
  const frames = [];
  const length = Math.max(...replays.map(({ states }) => states.length));
  let before = null;
  for (let step = 0; step < length; step++) {
    for (const [i, { states, actions }] of replays.entries()) {
      if (step >= states.length) continue;
      pictures[i].board.show(states[step]);
      if (step) pictures[i].board.face(actions[step - 1]);
      context.drawImage(await pictures[i].image(), i * (boardWidth + GAP), 0);
    }
    const pixels = palette.numbersOf(context.getImageData(0, 0, width, height).data);
    const changed = before ? pixels.map((pixel, at) => (pixel === before[at] ? SAME : pixel)) : pixels;
    before = pixels;
    const isNew = (pixel) => pixel !== SAME;
    const [top, last] = [changed.findIndex(isNew), changed.findLastIndex(isNew)].map((at) =>
      Math.floor(Math.max(at, 0) / width),
    );
    const pause = Math.round(100 / rate) + (step === length - 1 ? 100 * END_SECONDS : 0);
    frames.push(Uint8Array.from([0x21, 0xf9, 4, 5, ...word(pause), SAME, 0]));
    const place = [0, 0, ...word(top), ...word(width), ...word(last - top + 1)];
    frames.push(Uint8Array.from([0x2c, ...place, 0, BITS]));
    frames.push(...blocks(compressed(changed.subarray(top * width, (last + 1) * width))), Uint8Array.of(0));
  }
  for (const picture of pictures) picture.close();
  const head = [...codes("GIF89a"), ...word(width), ...word(height), 0xf0 | (BITS - 1), 0, 0];
  const loop = [0x21, 0xff, 11, ...codes("NETSCAPE2.0"), 3, 1, 0, 0, 0];
  const bytes = Uint8Array.from([...head, ...palette.bytes, ...loop]);
  return new Blob([bytes, ...frames, Uint8Array.of(0x3b)], { type: "image/gif" });
}

const word = (number) => [number & 255, number >> 8];
const codes = (text) => [...text].map((letter) => letter.charCodeAt(0));

/** The colours that the first picture has most often, in 6 bits a part; for others the nearest of these. */
class Palette {
  #numbers = new Int16Array(1 << 18).fill(-1);
  #colours = [];

  /** Returns the colour's number of each pixel, given as four bytes. */
  numbersOf(bytes) {
    const keys = new Uint32Array(bytes.length / 4).map((_, i) => {
      const [red, green, blue] = [bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2]];
      return ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
    });
    if (!this.#colours.length) this.#choose(keys);
    return Uint8Array.from(keys, (key) => {
      if (this.#numbers[key] < 0) this.#numbers[key] = this.#nearest(colourOf(key));
      return this.#numbers[key];
    });
  }

  #choose(keys) {
    const counts = new Map();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const often = [...counts].sort((a, b) => b[1] - a[1]).slice(0, SAME);
    this.#colours = often.map(([key]) => colourOf(key));
  }

  #nearest(wanted) {
    const far = (colour) => colour.reduce((sum, value, i) => sum + (value - wanted[i]) ** 2, 0);
    const distances = this.#colours.map(far);
    return distances.indexOf(Math.min(...distances));
  }

  /** The colours as the file has them. */
  get bytes() {
    const all = this.#colours.flat();
    return [...all, ...Array(3 * (SAME + 1) - all.length).fill(0)];
  }
}

const colourOf = (key) => [key >> 12, (key >> 6) & 63, key & 63].map((part) => (part << 2) | (part >> 4));

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
