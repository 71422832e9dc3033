"use strict";
// A table of predictions: the cells of a file, the columns' values, and what each seems to be.

class Refusal extends Error {}

const MISSING = new Set(["", "NA", "NaN", "nan", "None", "null", "NULL"]);
const INTEGER = /^\s*[+-]?\d+\s*$/;
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/;
const INFINITE = /^\s*([+-]?)(inf|infinity)\s*$/i;
const DECIMAL_COMMA = /^\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*$/;
const FOLD_WORDS = new Set(["fold", "folds"]);
const DESIGN_WORDS = new Set([
  ...["group", "groups", "weight", "weights", "sample_weight", "id", "row", "row_id", "rowid"],
  ...["row_index", "rowindex", "index", "unnamed: 0", "repeat", "repeats", "fold", "folds"],
]);
const TRUTH_WORDS = new Set([
  ...["y", "y_true", "target", "targets", "label", "labels", "truth", "outcome", "outcomes"],
]);

/** The text of a file's bytes. */
function decoded(bytes) {
  const start = new Uint8Array(bytes.slice(0, 4));
  if (start[0] === 0x50 && start[1] === 0x4b) {
    throw new Refusal("This is a spreadsheet or an archive, not a table of text: save it as CSV.");
  }
  const little = start[0] === 0xff && start[1] === 0xfe;
  const big = start[0] === 0xfe && start[1] === 0xff;
  const encoding = little ? "utf-16le" : big ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("This is not a table of text in UTF-8: save it as CSV (UTF-8).");
  }
}

/** The separator that occurs most often in the first line, outside quotes. */
function separatorOf(text) {
  const line = text
    .slice(0, 1e6)
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]/, 1)[0];
  const count = (one) => line.split(one).length;
  return [",", ";", "\t", "|"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Rows of cells; blank lines are left out. Quoted cells may hold separators and lines. */
function cellsOf(text, separator) {
  if (!text.includes('"')) {
    const lines = text.split(/\r\n|\r|\n/).filter((line) => line !== "");
    return lines.map((line) => line.split(separator));
  }
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quoted(text, at, separator) : bare(text, at, separator);
    row.push(cell);
    at = end + 1;
    if (text[end] === separator) {
      if (at === text.length) row.push("");
      else continue;
    }
    if (text[end] === "\r" && text[at] === "\n") at += 1;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}

function bare(text, start, separator) {
  let end = start;
  while (end < text.length && text[end] !== separator && !"\r\n".includes(text[end])) end += 1;
  return [text.slice(start, end), end];
}

function quoted(text, start, separator) {
  let cell = "";
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0)
      throw new Refusal(`A quotation mark is never closed: ${text.slice(start, start + 30)}`);
    cell += text.slice(at, end);
    if (text[end + 1] !== '"') {
      const [rest, stop] = bare(text, end + 1, separator);
      return [cell + rest, stop];
    }
    cell += '"';
    at = end + 2;
  }
}

/** The columns of a text, in order (name, cells and values), and how the text was read. */
function tableOf(text) {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const separator = separatorOf(body);
  const [header, ...rows] = cellsOf(body, separator);
  if (!header) throw new Refusal("The table is empty.");
  if (rows.length === 0)
    throw new Refusal("The table has no rows: its first line names the columns.");
  const wrong = rows.findIndex((row) => row.length !== header.length);
  if (wrong >= 0) {
    const found = counted(rows[wrong].length, "cell");
    throw new Refusal(`Data row ${wrong + 1} has ${found}, the header has ${header.length}.`);
  }
  const columns = header.map((name, place) => ({ name, place }));
  if (header[0] === "") columns.shift(); // R writes row names under no name
  const names = columns.map((column) => column.name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Refusal(`The table has two columns “${twice}”.`);
  const point = separator === ",";
  const found = columns.map(({ name, place }) => {
    const cells = rows.map((row) => row[place]);
    return parsed(name, cells, point);
  });
  const comma = ({ kind, cells }) => kind === "real" && cells.some((one) => one.includes(","));
  return { columns: found, separator, decimal: found.some(comma) ? "," : "." };
}

/** Integers if all are, else numbers with NaN for gaps, else text with null for gaps. */
function parsed(name, cells, decimalPoint) {
  const column = { name, cells, missing: cells.findIndex((cell) => MISSING.has(cell)) };
  const whole = cells.every((cell) => INTEGER.test(cell));
  if (whole && cells.every((cell) => Number.isSafeInteger(Number(cell)))) {
    return { ...column, kind: "integer", values: Float64Array.from(cells, Number) };
  }
  const numbers = new Float64Array(cells.length);
  const isNumber =
    !whole &&
    cells.every((cell, row) => {
      numbers[row] = numberOf(cell, decimalPoint);
      return !Number.isNaN(numbers[row]) || MISSING.has(cell);
    });
  if (isNumber) return { ...column, kind: "real", values: numbers };
  return {
    ...column,
    kind: "text",
    values: cells.map((cell) => (MISSING.has(cell) ? null : cell)),
  };
}

function numberOf(cell, decimalPoint) {
  if (MISSING.has(cell)) return NaN;
  if (NUMBER.test(cell)) return Number(cell);
  if (!decimalPoint && DECIMAL_COMMA.test(cell)) return Number(cell.replace(",", "."));
  const infinite = INFINITE.exec(cell);
  return infinite ? (infinite[1] === "-" ? -Infinity : Infinity) : NaN;
}

/** Whether a column is 0, 1, 2, ... or 1, 2, 3, ...; two rows prove nothing. */
function counts(column) {
  const { values } = column;
  if (column.kind === "text" || values.length < 3 || (values[0] !== 0 && values[0] !== 1))
    return false;
  return values.every((value, row) => value === values[0] + row);
}

/** What the columns seem to be: places of truth and folds, and why others are no configurations. */
function guessed(columns) {
  const words = columns.map((column) => column.name.trim().toLowerCase());
  const named = words.findIndex((word) => TRUTH_WORDS.has(word));
  const first = columns.findIndex((one, place) => !DESIGN_WORDS.has(words[place]) && !counts(one));
  const truth = Math.max(0, named < 0 ? first : named);
  const folds = words.findIndex((word, place) => FOLD_WORDS.has(word) && place !== truth);
  const rest = columns.filter((_, place) => place !== truth && place !== folds);
  const numeric = rest.some((column) => column.kind !== "text");
  const left = {};
  for (const place of columns.keys()) {
    if (TRUTH_WORDS.has(words[place])) left[place] = "its name is that of a truth";
    else if (DESIGN_WORDS.has(words[place])) left[place] = "its name describes the rows";
    else if (counts(columns[place])) left[place] = "it numbers the rows";
    else if (numeric && columns[place].kind === "text")
      left[place] = "it is text and others are numbers";
  }
  return { truth, folds, left };
}
