"use strict";
// From columns and choices to the kernel's arrays, or one refusal in words.

/** The different labels of a column, sorted: numbers by value, text by code point. */
function classesOf(column) {
  const found = [...new Set(column.values)];
  return column.kind === "text" ? found.sort() : found.sort((a, b) => a - b);
}

/** Whether all numbers of a column are whole. */
function isWhole(column) {
  return column.kind !== "text" && column.values.every(Number.isInteger);
}

/** The kinds of truth ("binary", "classes", "real") that a column may be. */
function kindsOfTruth(column) {
  if (column.missing >= 0) return [];
  const n = new Set(column.values).size;
  if (column.kind === "text") return n === 2 ? ["binary", "classes"] : ["classes"];
  const kinds = ["real"];
  if (n === 2) kinds.unshift("binary", "classes");
  else if (isWhole(column)) kinds.push("classes");
  return kinds;
}

/** The metric to begin with. */
function firstMetric(columns, truth, configurations) {
  const kinds = kindsOfTruth(columns[truth]);
  const labels = new Set(columns[truth].values);
  const areLabels = configurations.every((place) =>
    columns[place].values.every((v) => labels.has(v)),
  );
  const few = labels.size <= 20 || columns[truth].kind === "text";
  if (areLabels && few && kinds.includes("classes")) return "accuracy";
  return kinds.includes("binary") && columns[configurations[0]]?.kind !== "text" ? "roc_auc" : "r2";
}

/** “row 3 of column “a””; rows are counted from 1, below the header. */
function placeOf(column, row) {
  return `in data row ${row + 1} of column “${column.name}”`;
}

function refuseRange(column, allowed, metric) {
  if (allowed === "(-inf, inf)") return;
  const [low, high] = allowed
    .slice(1, -1)
    .split(", ")
    .map((end) => (end === "inf" ? Infinity : Number(end)));
  const within = (v) => (allowed[0] === "(" ? v > low : v >= low) && v <= high;
  const row = column.values.findIndex((value) => !within(value));
  if (row < 0) return;
  const found = general(column.values[row]);
  throw new Refusal(
    `${metric.name} needs numbers in ${allowed}; there is ${found} ${placeOf(column, row)}.`,
  );
}

/** The truth as the kernel reads it. */
function targetOf(column, metric, positive) {
  if (column.missing >= 0) {
    const word = column.cells[column.missing];
    const class_ = word === "" ? "" : `: if ${word} is a class, give it another name`;
    throw new Refusal(`The truth is missing ${placeOf(column, column.missing)}${class_}.`);
  }
  if (metric.target === "real") return realTarget(column, metric);
  const infinite = column.values.findIndex((value) => Math.abs(value) === Infinity);
  if (infinite >= 0) throw new Refusal(`The truth is infinite ${placeOf(column, infinite)}.`);
  const classes = classesOf(column);
  if (classes.length > 2 && column.kind === "real" && !isWhole(column)) {
    throw new Refusal(
      `The truth has ${classes.length} different real numbers, ${metric.name} needs classes.`,
    );
  }
  const shown = shortened(classes);
  if (metric.target === "binary" && classes.length !== 2) {
    const found = classes.length === 1 ? "one class" : `${classes.length} classes`;
    throw new Refusal(`The truth has ${found} (${shown}), ${metric.name} needs two.`);
  }
  if (metric.needs_classes && classes.length < 2) {
    throw new Refusal(`The truth has rows of class ${shown} only: ${metric.name} is undefined.`);
  }
  if (metric.target === "binary" && column.kind === "text" && !classes.includes(positive)) {
    const sizes = classes.map((label) => {
      const count = column.values.filter((value) => value === label).length;
      return `${label} (${counted(count, "row")})`;
    });
    throw new Refusal(
      `Choose the positive class, as ${metric.name} has one and the truth is text: its classes ` +
        `are ${sizes.join(" and ")}.`,
    );
  }
  if (classes.length === 2 && String(classes[0]) === positive && metric.target === "binary") {
    classes.reverse();
  }
  const code = new Map(classes.map((label, index) => [label, index]));
  return { classes, codes: Int32Array.from(column.values, (value) => code.get(value)) };
}

function realTarget(column, metric) {
  if (column.kind === "text") {
    throw new Refusal(
      `The truth must be numbers for ${metric.name}, and “${column.name}” is text.`,
    );
  }
  const infinite = column.values.findIndex((value) => !Number.isFinite(value));
  if (infinite >= 0) throw new Refusal(`The truth is infinite ${placeOf(column, infinite)}.`);
  refuseRange(column, metric.target_range, metric);
  return { classes: [], codes: null, values: column.values };
}

/** Predicted labels as codes of the truth's classes. */
function labelsOf(columns, target) {
  const text = typeof target.classes[0] === "string";
  const code = new Map(target.classes.map((label, index) => [label, index]));
  const codes = new Int32Array(columns.length * columns[0].values.length);
  let next = 0;
  for (const column of columns) {
    if ((column.kind === "text") !== text) {
      const [here, there] = text ? ["numbers", "text"] : ["text", "numbers"];
      throw new Refusal(
        `The labels in “${column.name}” are ${here}, those of the truth are ${there}: ` +
          "give the same labels.",
      );
    }
    column.values.forEach((value, row) => {
      const found = code.get(value);
      if (found === undefined) refuseLabel(column, row, target);
      codes[next++] = found;
    });
  }
  return codes;
}

function refuseLabel(column, row, target) {
  const value = column.values[row];
  const advice =
    typeof value === "number" && !Number.isInteger(value)
      ? " The metric takes labels and these look like scores: choose a metric of scores, " +
        "such as roc_auc."
      : "";
  const shown = [...target.classes].slice(0, 10).join(", ");
  throw new Refusal(
    `There is the label ${value} ${placeOf(column, row)}, which the truth does not have ` +
      `(${shown}).${advice}`,
  );
}

/** Predicted numbers, column after column. */
function scoresOf(columns, metric) {
  const n = columns[0].values.length;
  const scores = new Float64Array(columns.length * n);
  columns.forEach((column, place) => {
    if (column.kind === "text") {
      throw new Refusal(`${metric.name} needs numbers, and column “${column.name}” is text.`);
    }
    const allowed = /probab/.test(metric.predicts) ? "[0, 1]" : metric.prediction_range;
    refuseRange(column, allowed, metric);
    scores.set(column.values, place * n);
  });
  return scores;
}

/** Refuses what no column of predictions is. */
function refuseColumns(columns, truth, metric, guess) {
  if (columns.length === 0) {
    throw new Refusal("No column is left that could be a configuration.");
  }
  const odd = [truth, ...columns].find((column) => column.problem);
  if (odd) throw new Refusal(`Column ${odd.problem}.`);
  const ranks = new Set(metric.family === "ranking" ? [] : guess.ranks);
  const rank = columns.find((column) => ranks.has(column.name));
  if (rank) {
    throw new Refusal(
      `Column “${rank.name}” seems to describe the rows (${numbering(rank)}), not to be a ` +
        "configuration: leave it out.",
    );
  }
  const text = columns.find((column) => column.kind === "text");
  if (text && columns.some((column) => column.kind !== "text")) {
    throw new Refusal(`Column “${text.name}” is text and others are numbers: leave it out.`);
  }
  for (const column of columns) {
    const infinite =
      column.kind === "text" ? -1 : column.values.findIndex((v) => Math.abs(v) === Infinity);
    if (infinite >= 0)
      throw new Refusal(`The prediction is infinite ${placeOf(column, infinite)}.`);
  }
  const real = truth.kind !== "text" && !isWhole(truth);
  const copy =
    real && columns.find((column) => column.values.every((v, row) => v === truth.values[row]));
  if (copy) throw new Refusal(`Column “${copy.name}” is the truth itself: leave it out.`);
  if (columns.length === 2 && areComplements(...columns)) {
    throw new Refusal(
      `Columns “${columns[0].name}” and “${columns[1].name}” sum to one in every row, ` +
        "as the probabilities " +
        "of one model's two classes do: leave out that of the negative class.",
    );
  }
}

/** Whether there are numbers that are not whole. */
function isReal({ kind, values }) {
  const among = (value) => Number.isFinite(value) && !Number.isInteger(value);
  return kind !== "text" && values.some(among);
}

/** Which cells are equal, as numbers in order of the first. */
function codesOf(cells) {
  const number = new Map();
  const codes = cells.map((cell) => {
    if (!number.has(cell)) number.set(cell, number.size);
    return number.get(cell);
  });
  return { codes, n: number.size };
}

function pairsOf(one, other) {
  return new Set(one.codes.map((code, row) => code * other.n + other.codes[row])).size;
}

/** Refuses a table with a line per prediction; see refuse_lines in Python. */
function refuseLines(columns, choices, used) {
  const scores = used.filter(isReal);
  const n = columns[choices.truth].cells.length;
  const sums = (row) => scores.reduce((sum, { values }) => sum + values[row], 0);
  const ofClasses =
    scores.length > 1 && scores[0].values.every((_, row) => Math.abs(sums(row) - 1) <= 1e-6);
  if (scores.length !== 1 && !ofClasses) return;
  const truth = codesOf(columns[choices.truth].cells);
  const known = new Set([columns[choices.truth], columns[choices.folds], ...scores]);
  const keys = columns
    .filter((column) => !known.has(column))
    .map((column) => ({ ...codesOf(column.cells), name: column.name, kind: column.kind }))
    .filter((key) => key.n > 1);
  for (const row of keys) {
    if (n <= RULES.linesPerRow * row.n || pairsOf(row, truth) > row.n) continue;
    for (const other of keys) {
      if (row.n * other.n < RULES.pairs * n) continue;
      const isKey = other.n < row.n || pairsOf(other, truth) > other.n;
      if (other === row || !isKey || pairsOf(row, other) < RULES.pairs * n) continue;
      throw new Refusal(
        `It has a line per prediction, of each “${row.name}” by each “${other.name}”; ` +
          "this page reads a row per row of the data. In Python bbc.Predictions.from_long reads it, " +
          `with row="${row.name}" and configuration="${other.name}".`,
      );
    }
  }
  const blocks = keys.find((key) => isBlocks(key, truth, n));
  if (blocks) {
    throw new Refusal(
      `The table has a line per prediction of ${blocks.n} configurations (“${blocks.name}”), and ` +
        "no column says of which row: add one, and read it by bbc.Predictions.from_long in Python.",
    );
  }
}

/** Whether a column of text parts the rows into equal blocks, each with the same truth. */
function isBlocks({ kind, codes, n: nBlocks }, truth, n) {
  if (kind !== "text" || nBlocks > n / 2) return false;
  const own = Array.from({ length: nBlocks }, () => []);
  codes.forEach((code, row) => own[code].push(truth.codes[row]));
  const first = own[0].join();
  return own.every((block) => block.length === own[0].length && block.join() === first);
}

function areComplements(first, second) {
  if (first.kind !== "real" && second.kind !== "real") return false;
  const both = [...first.values].map((value, row) => [value, second.values[row]]);
  const known = both.filter(([a]) => !Number.isNaN(a));
  return (
    both.every(([a, b]) => Number.isNaN(a) === Number.isNaN(b)) &&
    known.every(([a, b]) => a >= 0 && b >= 0 && Math.abs(a + b - 1) <= 2 ** -26) &&
    known.some(([a]) => a !== 0 && a !== 1)
  );
}

/** Rows that some configuration predicted; a row that only some predicted is refused. */
function predictedRows(columns) {
  if (columns.every((column) => column.missing < 0)) return null;
  const n = columns[0].values.length;
  const rows = [];
  for (let row = 0; row < n; row += 1) {
    const without = columns.filter((column) => MISSING.has(column.cells[row]));
    if (without.length === 0) rows.push(row);
    else if (without.length < columns.length) {
      throw new Refusal(
        `The prediction is missing ${placeOf(without[0], row)}; other predictions of ` +
          "that row are there: leave out such columns, or such rows of the file.",
      );
    }
  }
  if (rows.length === 0) throw new Refusal("The predictions are missing in every row.");
  return rows;
}

function taken(column, rows) {
  const cells = rows.map((row) => column.cells[row]);
  const values = rows.map((row) => column.values[row]);
  const missing = cells.findIndex((cell) => MISSING.has(cell));
  return {
    ...column,
    cells,
    missing,
    values: column.kind === "text" ? values : Float64Array.from(values),
  };
}

/** Folds as numbers in order of the first row. */
function foldsOf(column) {
  const empty = column.cells.indexOf(""); // NA is a name
  if (empty >= 0) throw new Refusal(`The fold is missing ${placeOf(column, empty)}.`);
  const number = new Map();
  const codes = Int32Array.from(column.cells, (cell) => {
    if (!number.has(cell)) number.set(cell, number.size);
    return number.get(cell);
  });
  if (number.size < 2) throw new Refusal(`Column “${column.name}” has one fold: it needs two.`);
  return { codes, n: number.size };
}

/** Everything that the kernel reads. */
function problemOf(columns, choices, metric, guess) {
  const truthColumn = columns[choices.truth];
  let used = choices.configurations.map((place) => columns[place]);
  if (choices.truth === choices.folds) throw new Refusal("Truth and folds are the same column.");
  if (choices.method === "bbc-two-level" && choices.folds < 0) {
    throw new Refusal("Two-level BBC draws folds: choose the column that holds them.");
  }
  refuseLines(columns, choices, used);
  refuseColumns(used, truthColumn, metric, guess);
  const target = targetOf(truthColumn, metric, choices.positive);
  const rows = predictedRows(used);
  const take = (column) => (rows ? taken(column, rows) : column);
  used = used.map(take);
  if (rows && target.codes) target.codes = Int32Array.from(rows, (row) => target.codes[row]);
  else if (rows) target.values = Float64Array.from(rows, (row) => target.values[row]);
  const labels = metric.predicts === "labels";
  if (metric.predicts === "class_probabilities" && target.classes.length > 2) {
    throw new Refusal(
      `${metric.name} of ${target.classes.length} classes needs a column for each class, ` +
        "which this page does not take: bbc.correct in Python does.",
    );
  }
  const kept = new Set(rows);
  return {
    ...choices,
    metric,
    target,
    columns: used,
    predictions: labels ? labelsOf(used, target) : scoresOf(used, metric),
    folds: choices.folds < 0 ? null : foldsOf(take(columns[choices.folds])),
    nRows: used[0].values.length,
    nGiven: truthColumn.values.length,
    truthColumn,
    leftOut: rows ? truthColumn.cells.map((_, row) => row).filter((row) => !kept.has(row)) : [],
  };
}

/** What was taken as what, as the command line says it. */
function takenText(problem, choices, columns, table) {
  const { metric, target, truthColumn, folds, columns: used } = problem;
  let truth = `Truth ${truthColumn.name}`;
  if (metric.target === "binary") {
    const positive = target.classes[1];
    const count = truthColumn.values.filter((value) => value === positive).length;
    truth += `, positive class ${positive} (${count} of ${counted(problem.nGiven, "row")})`;
  }
  const said = [truth];
  if (folds) said.push(`folds ${columns[choices.folds].name} (${folds.n})`);
  const names = used.map((column) => column.name);
  const shown = names.length > 8 ? [...names.slice(0, 7), "...", names.at(-1)] : names;
  said.push(`${counted(names.length, "configuration")} (${shown.join(", ")})`);
  const known = new Set(table.ranks);
  const ranks = names.filter((name) => known.has(name));
  if (ranks.length) said.push(`taken as ranks ${ranks.join(", ")}`);
  const taken = new Set([choices.truth, choices.folds, ...choices.configurations]);
  const left = columns.filter((_, place) => !taken.has(place)).map((column) => column.name);
  if (left.length) said.push(`left out ${left.join(", ")}`);
  if (table.decimal) said.push(`decimal ${table.decimal === "," ? "comma" : "point"}`);
  return `${said.join("; ")}.`;
}
