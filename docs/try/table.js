"use strict";
// A table of predictions: the cells of a file, the columns' values, and what each seems to be.

class Refusal extends Error {}

// RULES, the words that name columns, come from Python when the page is built; what is said of both is
// in docs/howto_table.md.
const MISSING = new Set(RULES.missing);
const INTEGER = /^\s*[+-]?\d+\s*$/;
// A number with at most one mark; its group is the mark.
const NUMBER = /^\s*[+-]?(?:\d+(?:([.,])\d*)?|([.,])\d+)(?:[eE][+-]?\d+)?\s*$/;
const INFINITE = /^\s*([+-]?)(inf|infinity)\s*$/i;
const GROUPED = new RegExp(
  "^\\s*[+-]?\\d{1,3}(?:(?:[ '\\u2019\\u00a0\\u202f]\\d{3})+(?:[.,]\\d+)?|(?:\\.\\d{3})+,\\d+|" +
    "(?:,\\d{3})+\\.\\d+|(?:\\.\\d{3}){2,}|(?:,\\d{3}){2,})\\s*$",
);
const EITHER = /^\s*[+-]?[1-9]\d{0,2}[.,]\d{3}\s*$/; // three decimals, or thousands
const PERCENT = new RegExp(`^(?:${RULES.percent})$`);
const INDEX = new RegExp(`^(?:${RULES.index})$`, "i"); // what pandas calls an index
const FOLD_SCORES = new RegExp(RULES.foldScores, "i");
const FOLD_WORDS = new Set(["fold", "folds"]);
const TRUTH_WORDS = new Set(RULES.truth);
const IDENTIFIER_WORDS = new Set(RULES.identifier);

/** The text of a file's bytes. */
function decoded(bytes) {
  const start = new Uint8Array(bytes.slice(0, 4));
  if (start[0] === 0x50 && start[1] === 0x4b) {
    throw new Refusal("This is a spreadsheet or an archive, not a table of text: save it as CSV.");
  }
  const little = start[0] === 0xff && start[1] === 0xfe;
  const big = start[0] === 0xfe && start[1] === 0xff;
  const encoding = little ? "utf-16le" : big ? "utf-16be" : "utf-8";
  let text = "";
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("This is not a table of text in UTF-8: save it as CSV (UTF-8).");
  }
  if (text.includes("\0")) throw new Refusal("This is not a table of text: it has a NUL character.");
  return text;
}

/** The separator: that by which the first two lines have as many cells, and more than one. */
function separatorOf(text) {
  const start = text.slice(0, 1e6).replace(/"[^"]*"/g, "");
  const [first = "", second = first] = start.split(/[\r\n]+/).filter((line) => line !== "");
  const count = (line, one) => line.split(one).length;
  const able = [",", ";", "\t", "|"].filter((one) => count(first, one) > 1);
  return able.find((one) => count(first, one) === count(second, one)) ?? able[0] ?? ",";
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

/**
 * The columns of a text, in order (name, cells and values), and how the text was read.
 *
 * `header` ("yes", "no" or "") says whether the first line names the columns, `decimal` the mark.
 */
function tableOf(text, { header: first = "", decimal: given = "" } = {}) {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  refuseMark(body);
  const separator = separatorOf(body);
  const lines = cellsOf(body, separator);
  if (lines.length === 0) throw new Refusal("The table is empty.");
  const header = first === "no" ? lines[0].map((_, place) => String(place)) : lines[0];
  const rows = first === "no" ? lines : lines.slice(1);
  if (rows.length === 0)
    throw new Refusal("The table has no rows: its first line names the columns.");
  const wrong = rows.findIndex((row) => row.length !== header.length);
  if (wrong >= 0) {
    const found = counted(rows[wrong].length, "cell");
    throw new Refusal(`Data row ${wrong + 1} has ${found}, the header has ${header.length}.`);
  }
  if (first !== "no") refuseHeaderAgain(header, rows);
  let places = header.map((name, place) => ({ name, place }));
  const last = header.length - 1;
  if (header[last] === "" && rows.every((row) => row[last] === "")) places.pop(); // lines end in one
  refuseHeader(
    places.map((column) => column.name),
    first,
  );
  places = places.filter(({ name }) => name !== ""); // R and pandas write row names under none
  if (places.length === 0) throw new Refusal("The table has no column with a name.");
  const scans = places.map(({ name, place }) =>
    scanned(
      name,
      rows.map((row) => row[place]),
    ),
  );
  const decimal = decimalOf(scans, given);
  return { columns: scans.map((one) => withMark(one, decimal)), separator, decimal };
}

/** Refuses what is left of files that were joined: a mark of the byte order, the first line again. */
function refuseMark(body) {
  const at = body.indexOf("\ufeff");
  if (at < 0) return;
  const line = body.slice(0, at).split(/\r\n|\r|\n/).length;
  throw new Refusal(
    `Line ${line} has a byte order mark, as when two files are joined: join them without it, and ` +
      "without the second header.",
  );
}

function refuseHeaderAgain(header, rows) {
  const again = rows.findIndex((row) => row.every((cell, place) => cell === header[place]));
  if (again < 0) return;
  throw new Refusal(
    `Data row ${again + 1} repeats the header, as when two files are joined: leave that line out.`,
  );
}

/** Refuses a first line that seems to be a row: it has numbers, or a name twice. */
function refuseHeader(names, first) {
  const numbers = first === "" ? names.filter((name) => NUMBER.test(name)) : [];
  if (numbers.some((name, place) => name !== String(place))) {
    throw new Refusal(
      `The first line has numbers (${shortened(numbers)}), as if it were a row: ` +
        "choose under “How the file is read” whether it names the columns.",
    );
  }
  const seen = new Set();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) {
    const more = first === "" ? ", or, if the first line is a row, choose so under “How the file is read”" : "";
    throw new Refusal(`The table has two columns “${twice}”: rename one${more}.`);
  }
}

function shortened(texts) {
  return `${texts.slice(0, 10).join(", ")}${texts.length > 10 ? ", ..." : ""}`;
}

/** A column, and what its cells say of the decimal mark: see Cells in Python. */
function scanned(name, cells) {
  const column = { name, cells, missing: cells.findIndex((cell) => MISSING.has(cell)), mark: "" };
  if (cells.every((cell) => INTEGER.test(cell))) return column;
  const problem = percentages(name, cells);
  if (problem) return { ...column, problem };
  const found = { grouped: [], ",": [], ".": [], "": [] };
  for (const cell of cells) {
    if (MISSING.has(cell)) continue;
    const number = NUMBER.exec(cell);
    if (number) found[number[1] ?? number[2] ?? ""].push(cell);
    else if (GROUPED.test(cell)) found.grouped.push(cell);
    else if (!INFINITE.test(cell)) return column;
  }
  const marks = [",", "."].filter((mark) => found[mark].length);
  const odd = ["grouped", ...marks].map((kind) => found[kind][0]).filter((cell) => cell);
  if (found.grouped.length || marks.length > 1) return { ...column, odd };
  const [mark] = marks;
  if (!mark) return column;
  const certain = found[mark].find((cell) => !EITHER.test(cell));
  const proven = certain !== undefined;
  // Points in all rows are taken for decimal points, unless another column has such numbers.
  const open = !proven && (mark === "," || found[mark].length < cells.length);
  return { ...column, mark, example: certain ?? found[mark][0], proven, open };
}

/** What is wrong with a column whose cells all end in %; empty if they do not. */
function percentages(name, cells) {
  const row = cells.findIndex((cell) => !MISSING.has(cell));
  if (!cells.every((cell) => MISSING.has(cell) || PERCENT.test(cell)) || row < 0) return "";
  const number = Number(cells[row].replace("%", "").replace(",", ".")) / 100;
  return (
    `“${name}” has cells that all end in %, such as ${cells[row]} in data row ${row + 1}: ` +
    `write ${general(number, 15)}`
  );
}

/** The decimal mark of a file; columns that have another say so as their problem. */
function decimalOf(columns, given) {
  const marked = {};
  for (const column of columns) {
    const { name, mark, example, odd } = column;
    if (odd) {
      column.problem =
        `“${name}” has numbers such as ${odd.join(" and ")}: thousands separators or mixed ` +
        "decimal marks; write its numbers without separators, and with one decimal mark";
    } else if (given && mark && mark !== given) {
      column.problem =
        `“${name}” has numbers such as ${example}, where the decimal mark is '${given}': write ` +
        "it so, without thousands separators";
    } else if (mark) {
      const known = marked[mark];
      const doubts = column.open && !known?.open;
      if (!known || (!known.proven && (column.proven || doubts))) marked[mark] = column;
    }
  }
  const [one, other] = Object.values(marked);
  if (other) {
    throw new Refusal(
      `Columns “${one.name}” and “${other.name}” have different decimal marks ` +
        `(${one.example}, ${other.example}), or one of them has thousands separators: write the ` +
        "file with one mark, and without separators.",
    );
  }
  if (one && !given && one.open) {
    throw new Refusal(
      `Column “${one.name}” has numbers such as ${one.example}, with a thousands separator or ` +
        "three decimals: write it without separators, or choose the decimal mark under “How the " +
        "file is read”.",
    );
  }
  return one ? one.mark : "";
}

/** Integers if all are, else numbers with NaN for gaps, else text with null for gaps. */
function withMark(column, decimal) {
  const { cells } = column;
  const whole = cells.every((cell) => INTEGER.test(cell));
  if (whole && cells.every((cell) => Number.isSafeInteger(Number(cell)))) {
    return { ...column, kind: "integer", values: Float64Array.from(cells, Number) };
  }
  const numbers = new Float64Array(cells.length);
  const isNumber =
    !whole &&
    !column.problem &&
    cells.every((cell, row) => {
      numbers[row] = numberOf(cell, decimal);
      return !Number.isNaN(numbers[row]) || MISSING.has(cell);
    });
  if (isNumber) return { ...column, kind: "real", values: numbers };
  return {
    ...column,
    kind: "text",
    values: cells.map((cell) => (MISSING.has(cell) ? null : cell)),
  };
}

function numberOf(cell, decimal) {
  if (MISSING.has(cell)) return NaN;
  if (NUMBER.test(cell)) return Number(decimal === "," ? cell.replace(",", ".") : cell);
  const infinite = INFINITE.exec(cell);
  return infinite ? (infinite[1] === "-" ? -Infinity : Infinity) : NaN;
}

/** Whether a column is 0, 1, 2, ... or 1, 2, 3, ...; two rows prove nothing. */
function counts({ kind, values }) {
  if (kind === "text" || values.length < 3 || (values[0] !== 0 && values[0] !== 1)) return false;
  return values.every((value, row) => value === values[0] + row);
}

/** In what way a column numbers the rows; empty if it does not. */
function numbering(column) {
  const { kind, values } = column;
  const n = values.length;
  if (counts(column)) return `it numbers them from ${values[0]} on`;
  if (n < RULES.fewestIdentified || column.missing >= 0) return "";
  if (kind !== "text" && !values.every(Number.isInteger)) return "";
  if (new Set(values).size < n) return "";
  const plain = [...values];
  const shownAs = (value) => (kind === "text" ? value : general(value, 15));
  const rises = (array) => array.every((value, row) => row === 0 || value > array[row - 1]);
  if (rises(plain) || rises([...plain].reverse()))
    return `it numbers them in order, from ${shownAs(plain[0])} to ${shownAs(plain[n - 1])}`;
  if (kind === "text") return "";
  const sorted = plain.sort((a, b) => a - b);
  if (sorted[n - 1] - sorted[0] !== n - 1) return "";
  return `it numbers them without a gap, from ${shownAs(sorted[0])} to ${shownAs(sorted[n - 1])}`;
}

/** Whether a column that numbers the rows is 1 to n, but not in order: ranks. */
function areRanks({ kind, values }) {
  if (kind === "text") return false;
  const n = values.length;
  const inOrder = values.every((value, row) => value === row + 1);
  const reversed = values.every((value, row) => value === n - row);
  return !inOrder && !reversed && values.every((value) => value >= 1 && value <= n);
}

/** The words of a name, such as “patient” and “id” of patientID, Patient.Id and patient-id. */
function wordsOf(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").split(/[ _.-]+/);
  return words.filter((word) => word).map((word) => word.toLowerCase());
}

/** The design's or the truth's word that a name is. */
function roleOf(name) {
  const written = name.trim().toLowerCase();
  const word = wordsOf(name).join("_");
  if (TRUTH_WORDS.has(written) || TRUTH_WORDS.has(word)) return "truth";
  return [written, word].some((one) => Object.hasOwn(RULES.design, one)) ? "design" : "";
}

function identifies(name) {
  const words = wordsOf(name);
  return words.length > 1 && IDENTIFIER_WORDS.has(words.at(-1));
}

/** The score of columns such as fold1 and split0_test_auc; empty of others. */
function scoreOfFold(name) {
  if (!FOLD_SCORES.test(name) || name.includes("train")) return null;
  return name.replace(FOLD_SCORES, "");
}

/** Which columns hold scores of folds by their names: of one score twice, and nearly all. */
function foldScores(columns) {
  const scores = columns.map(({ name }) => scoreOfFold(name));
  const sizes = new Map();
  for (const score of scores) sizes.set(score, (sizes.get(score) ?? 0) + 1);
  const found = scores.map((score) => score !== null && sizes.get(score) > 1);
  const others = found.filter((one) => !one).length;
  const search = columns.some(({ name }, place) => found[place] && /^split\d+_test_/.test(name));
  return others <= RULES.besideFolds || search ? found : found.fill(false);
}

/** What the columns seem to be: places of truth and folds, and why others are no configurations. */
function guessed(columns) {
  const roles = columns.map((column) => roleOf(column.name));
  const numbers = columns.map(numbering);
  const named = roles.indexOf("truth");
  const first = columns.findIndex(
    (one, place) => !roles[place] && !counts(one) && !identifies(one.name),
  );
  const truth = Math.max(0, named < 0 ? first : named);
  const folds = columns.findIndex(
    ({ name }, place) => FOLD_WORDS.has(name.trim().toLowerCase()) && place !== truth,
  );
  const rest = columns.filter((_, place) => place !== truth && place !== folds);
  const numeric = rest.some((column) => column.kind !== "text");
  const real = rest.some(({ kind, values }) =>
    kind !== "text" && values.some((value) => Number.isFinite(value) && !Number.isInteger(value)),
  );
  const all = rest.every((column) => identifies(column.name));
  const ofFolds = foldScores(columns);
  const left = {};
  const ranks = [];
  columns.forEach((column, place) => {
    const why = numbers[place];
    if (roles[place] === "truth") left[place] = "it seems to be the truth (by its name)";
    else if (roles[place] || (identifies(column.name) && !all) || INDEX.test(column.name.trim()))
      left[place] = "it seems to describe the rows (by its name)";
    else if (ofFolds[place])
      left[place] =
        "columns such as this hold scores of folds by their names, and no predictions: " +
        "bbc.correct in Python takes cv_results_, bbc.FoldScores others";
    else if (column.problem) left[place] = column.problem;
    else if (why && (real || counts(column))) {
      if (areRanks(column)) ranks.push(place);
      else left[place] = `it seems to describe the rows (${why})`;
    } else if (numeric && column.kind === "text")
      left[place] = "it is text and others are numbers";
  });
  return { truth, folds, left, ranks };
}
