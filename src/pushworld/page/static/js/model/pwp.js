/**
 * The `.pwp` text format: one row of cells a line, ids of one cell joined by `+`.
 *
 * Reads, writes and refuses what `pushworld.puzzle.pwp` does, with the same messages and places.
 */

import {
  AGENT_WALL,
  MAX_SIDE,
  PuzzleError,
  WALL,
  cellsAt,
  cellsWith,
  checkSize,
  cornerAndShape,
  makePuzzle,
} from "./puzzle.js";

const EMPTY = ".";
const MAX_ID_LENGTH = 100;
const MAX_BYTES = 32 * 1024 * 1024;

// Python's white space, which is not quite that of JavaScript's \s.
const SPACE = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const TOKEN = new RegExp(`[^${SPACE}]+`, "g");
const ONE_SPACE = new RegExp(`[${SPACE}]`);

/**
 * Returns the puzzle written in the text, or throws a PuzzleError with line and column.
 *
 * @param {string} text
 * @param {string} [name]
 * @returns {import("./puzzle.js").Puzzle}
 */
export function parsePwp(text, name = "") {
  const places = new Map();
  try {
    const { cells, width, height } = readCells(text, places);
    return build(cells, width, height, name);
  } catch (error) {
    if (!(error instanceof PuzzleError) || error.line !== undefined || !error.cell) throw error;
    const { problem, cell } = error;
    const column = columnOf(...places.get(key(cell)));
    throw new PuzzleError(problem, { line: cell[1], column, cell });
  }
}

/** Returns the text in the bytes of a file, or throws a PuzzleError. */
export function decodeText(bytes) {
  if (bytes.length > MAX_BYTES) {
    throw new PuzzleError(`the file is larger than ${MAX_BYTES >> 20} MiB`);
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = marked ? bytes.subarray(3) : bytes;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  const encoder = new TextEncoder();
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) {
    const start = encoder.encode(text.slice(0, at)).length;
    const written = [0xef, 0xbf, 0xbd].every((byte, i) => content[start + i] === byte);
    if (!written) throw new PuzzleError(`the file is not UTF-8 text (byte ${start + 1})`);
  }
  return text;
}

/** Returns the text of a puzzle: columns aligned, agent and movables before goals in a cell. */
export function formatPwp(puzzle) {
  const list = (length, make) => Array.from({ length }, make);
  const rows = list(puzzle.height - 2, () => list(puzzle.width - 2, () => []));
  for (const [id, cells] of layersOf(puzzle)) {
    for (const [x, y] of cells) rows[y - 1]?.[x - 1]?.push(id);
  }
  return formatRows(rows);
}

/** Returns the cells of each id of a puzzle, those of its border included. */
export function layersOf(puzzle) {
  const goals = puzzle.objects.filter((thing) => thing.goal);
  return [
    ["W", cellsWith(puzzle, WALL)],
    ["AW", cellsWith(puzzle, AGENT_WALL)],
    ...puzzle.objects.map((thing) => [thing.name, cellsAt(thing, thing.start)]),
    ...goals.map((thing) => ["G" + thing.name.slice(1), cellsAt(thing, thing.goal)]),
  ];
}

/**
 * Returns rows of cells as text with aligned columns.
 *
 * @param {string[][][]} rows the ids of each cell of each row
 */
export function formatRows(rows) {
  const texts = rows.map((row) => row.map((ids) => ids.join("+") || EMPTY));
  const widths = texts[0].map((_, x) => Math.max(...texts.map((row) => lengthOf(row[x]))));
  const pad = (cell, x) => cell + " ".repeat(widths[x] - lengthOf(cell));
  return texts.map((row) => row.map(pad).join("  ").replace(/ +$/, "") + "\n").join("");
}

/** Returns the text without white space at its end; an expression for that takes quadratic time. */
function trimmed(text) {
  let end = text.length;
  while (end > 0 && ONE_SPACE.test(text[end - 1])) end--;
  return text.slice(0, end);
}

/** Returns the cells of each id, each in the spelling that it has first, and the world's size. */
function readCells(text, places) {
  const lines = trimmed(text).split(/\r\n?|\n/);
  if (lines.length === 1 && lines[0] === "") {
    throw new PuzzleError("the puzzle is empty: write rows of cells such as '.  A  M1  G1'");
  }
  if (lines.length > MAX_SIDE - 2) {
    throw new PuzzleError(`there are ${lines.length} rows; at most ${MAX_SIDE - 2} are allowed`);
  }
  const cells = new Map();
  const spelling = new Map();
  let columns;
  lines.forEach((line, row) => {
    const y = row + 1;
    const tokens = [...line.matchAll(TOKEN)];
    if (columns === undefined) {
      columns = tokens.length;
      if (columns > MAX_SIDE - 2) checkSize(columns + 2, lines.length + 2);
    }
    if (tokens.length !== columns) {
      const end = tokens.length > columns ? tokens[columns].index : trimmed(line).length;
      throw new PuzzleError(
        `this row has ${tokens.length} cells where the first has ${columns}: ` +
          "all rows need the same number",
        { line: y, column: columnOf(line, end) },
      );
    }
    tokens.forEach((token, i) => {
      const cell = /** @type {[number, number]} */ ([i + 1, y]);
      places.set(key(cell), [line, token.index]);
      if (token[0] === EMPTY) return;
      for (const written of token[0].split("+")) {
        const upper = written.toUpperCase();
        if (!spelling.has(upper)) spelling.set(upper, capitalized(written));
        addCell(spelling.get(upper), cell, cells);
      }
    });
  });
  return { cells, width: columns + 2, height: lines.length + 2 };
}

function addCell(id, cell, cells) {
  if (lengthOf(id) > MAX_ID_LENGTH) {
    throw new PuzzleError(`an id has more than ${MAX_ID_LENGTH} characters`, { cell });
  }
  if (!/^(A|W|AW|[MG].+)$/i.test(id)) {
    throw new PuzzleError(
      `unknown id ${quoted(id)}: a cell is '.' or A, W, AW, M<k>, G<k> joined by '+'`,
      { cell },
    );
  }
  if (!cells.has(id)) cells.set(id, []);
  const known = cells.get(id);
  if (known.length && key(known.at(-1)) === key(cell)) {
    throw new PuzzleError(`${id} stands twice in one cell`, { cell });
  }
  known.push(cell);
}

function build(cells, width, height, name) {
  const byId = new Map([...cells].map(([id, where]) => [id.toUpperCase(), where]));
  if (!byId.has("A")) throw new PuzzleError("there is no agent: mark its cells with A");
  const goals = new Map();
  for (const [id, where] of cells) {
    if (id[0] !== "G") continue;
    const owner = "M" + id.slice(1);
    const object = byId.get(owner.toUpperCase());
    const place = { cell: where[0] };
    if (!object) throw new PuzzleError(`${id} is a goal without its object ${owner}`, place);
    const { corner, shape } = cornerAndShape(where);
    if (String(shape) !== String(cornerAndShape(object).shape)) {
      throw new PuzzleError(`the shape of the goal ${id} differs from that of ${owner}`, place);
    }
    goals.set(owner.toUpperCase(), corner);
  }
  const thing = (id, where) => {
    const { corner, shape } = cornerAndShape(where);
    return { name: id, shape, start: corner, goal: goals.get(id.toUpperCase()) ?? null };
  };
  return makePuzzle({
    width,
    height,
    agent: thing("A", byId.get("A")),
    movables: [...cells].filter(([id]) => id[0] === "M").map(([id, where]) => thing(id, where)),
    walls: byId.get("W") ?? [],
    agentWalls: byId.get("AW") ?? [],
    name,
  });
}

const key = ([x, y]) => y * 65536 + x;

/** The number of characters, where `length` would count halves of surrogate pairs. */
const lengthOf = (text) => Array.from(text).length;

const columnOf = (line, index) => lengthOf(line.slice(0, index)) + 1;

function capitalized(text) {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("");
}

/** Returns the text in quotes as Python shows it, so that invisible characters can be seen. */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = Array.from(text, (character) => {
    if (character === quote || character === "\\") return "\\" + character;
    if (character === " " || !/[\p{C}\p{Z}]/u.test(character)) return character;
    const code = character.codePointAt(0);
    const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
    return "\\" + letter + code.toString(16).padStart(digits, "0");
  });
  return quote + shown.join("") + quote;
}
