/** QR codes (ISO/IEC 18004) of texts: bytes, with the lowest level of error correction. */

/** The bytes for error correction in a block, and the number of blocks, of versions 1 to 40. */
const CORRECTION =
  "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28".split(" ").map(Number);
const BLOCKS =
  "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25"
    .split(" ")
    .map(Number);
const MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Returns the rows of a text's code, in which 1 is dark; throws an error if the text is too long. */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  let version = 1;
  const lengthBits = () => (version < 10 ? 8 : 16);
  const room = () => 8 * (bytesOf(version) - correctionOf(version) * BLOCKS[version - 1]);
  while (4 + lengthBits() + 8 * bytes.length > room()) {
    if (++version > BLOCKS.length) throw new Error("the link is too long for a QR code");
  }
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, lengthBits())];
  bits.push(...bytes.flatMap((byte) => bitsOf(byte, 8)));
  bits.push(...Array(Math.min(4, room() - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < room(); pad ^= 0xec ^ 0x11) bits.push(...bitsOf(pad, 8));
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  const drawn = MASKS.map((_, mask) => draw(version, interleaved(data, version), mask));
  return drawn.reduce((best, one) => (uniform(one) < uniform(best) ? one : best));
}

const correctionOf = (version) => CORRECTION[version - 1] ?? 30;
const bitsOf = (number, count) => Array.from({ length: count }, (_, i) => (number >> (count - 1 - i)) & 1);

/** Returns how many bytes a version has, those for error correction included. */
function bytesOf(version) {
  let bits = (16 * version + 128) * version + 64;
  const marks = Math.floor(version / 7) + 2;
  if (version > 1) bits -= (25 * marks - 10) * marks - 55;
  if (version > 6) bits -= 36;
  return bits >> 3;
}

/** Returns the data in blocks with their correction, byte by byte of all blocks in turn. */
function interleaved(data, version) {
  const count = BLOCKS[version - 1];
  const extra = correctionOf(version);
  const short = Math.floor(data.length / count);
  const blocks = Array.from({ length: count }, (_, i) => {
    const from = i * short + Math.max(0, i - (count - (data.length % count)));
    const isLong = i >= count - (data.length % count);
    return data.slice(from, from + short + (isLong ? 1 : 0));
  });
  const corrections = blocks.map((block) => remainder(block, extra));
  const inTurn = (lists, length) =>
    Array.from({ length }, (_, i) => lists.map((list) => list[i])).flat();
  const all = [...inTurn(blocks, short + 1), ...inTurn(corrections, extra)];
  return all.filter((byte) => byte !== undefined);
}

/** Multiplies in the field of 256 elements. */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** Returns the correction of Reed and Solomon. */
function remainder(block, degree) {
  const divisor = [...Array(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    for (let j = 0; j < degree; j++) divisor[j] = times(divisor[j], root) ^ (divisor[j + 1] ?? 0);
  }
  const rest = Array(degree).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((each, i) => (rest[i] ^= times(each, factor)));
  }
  return rest;
}

/** Returns the rows of a code with a mask. */
function draw(version, data, mask) {
  const size = 4 * version + 17;
  const rows = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, isDark) => {
    if (rows[y]?.[x] !== undefined) rows[y][x] = Number(isDark);
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const square = (centreX, centreY, reach, isDark) => {
    for (let dx = -reach; dx <= reach; dx++) {
      for (let dy = -reach; dy <= reach; dy++) {
        set(centreX + dx, centreY + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };
  const places = marksOf(version, size);
  for (const x of places) {
    for (const y of places) {
      const isCorner = [`6,6`, `6,${size - 7}`, `${size - 7},6`].includes(`${x},${y}`);
      if (!isCorner) square(x, y, 2, (far) => far !== 1);
    }
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    square(x, y, 4, (far) => far !== 2 && far !== 4);
  }
  drawFormat(size, set, mask);
  if (version > 6) drawVersion(version, size, set);
  const bits = data.flatMap((byte) => bitsOf(byte, 8));
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = (right + 1) & 2 ? step : size - 1 - step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] === null) rows[y][x] = (bits[at++] ?? 0) ^ Number(MASKS[mask](x, y) === 0);
      }
    }
  }
  return rows;
}

/** Returns where the marks of alignment are, in both directions. */
function marksOf(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((size - 13) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - i * step)];
}

function drawFormat(size, set, mask) {
  const data = (1 << 3) | mask;
  let rest = data;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const bit = (bits >> i) & 1;
    if (i < 8) set(8, i < 6 ? i : i + 1, bit);
    else set(i === 8 ? 7 : 14 - i, 8, bit);
    if (i < 8) set(size - 1 - i, 8, bit);
    else set(8, size - 15 + i, bit);
  }
  set(8, size - 8, 1);
}

function drawVersion(version, size, set) {
  let rest = version;
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let i = 0; i < 18; i++) {
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
    set(a, b, (bits >> i) & 1);
    set(b, a, (bits >> i) & 1);
  }
}

/** Returns how many squares of four are of one colour: readers like few of them. */
function uniform(rows) {
  const isSame = (x, y) =>
    rows[y][x] === rows[y][x - 1] && rows[y][x] === rows[y - 1][x] && rows[y][x] === rows[y - 1][x - 1];
  let count = 0;
  for (let y = 1; y < rows.length; y++) {
    for (let x = 1; x < rows.length; x++) count += isSame(x, y) ? 1 : 0;
  }
  return count;
}
