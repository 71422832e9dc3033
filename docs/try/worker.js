"use strict";
// Runs beside the page, so that it never freezes: reads the table, calls the kernel.

let kernel = null;
let columns = null;
let table = null; // how they were read, and what they seem to be

/** The kernel, packed by gzip; its library asks the system for a clock, which is all it gets. */
async function instantiated(packed) {
  const clock = (_id, _precision, place) => {
    const view = new DataView(kernel.memory.buffer);
    view.setBigUint64(place, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  };
  const refused = () => 52; // WASI's "not supported"
  const page = { progress: (done) => postMessage({ progress: done }) };
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const module = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  const imports = { page };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] ??= name === "clock_time_get" ? clock : refused;
  }
  const instance = await WebAssembly.instantiate(module, imports);
  kernel = instance.exports;
  kernel._initialize?.();
}

function textAt(place) {
  const bytes = new Uint8Array(kernel.memory.buffer, place);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

/** Calls the kernel with arrays in its memory, which is given back afterwards. */
function withArrays(arrays, call) {
  const places = arrays.map((array) => {
    if (array === null) return 0;
    const place = kernel.malloc(Math.max(1, array.byteLength));
    if (!place) throw new Refusal("The table is too large for the memory of this page.");
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(kernel.memory.buffer, place, array.byteLength).set(bytes);
    return place;
  });
  try {
    return call(places);
  } finally {
    places.filter((place) => place).forEach((place) => kernel.free(place));
  }
}

/** The kernel's words for what it refuses, with the page's names. */
function inWords(message) {
  const said = message.replace("target: ", "The truth: ").replace("predictions: ", "Predictions: ");
  return `${said.replace("confidence_level: ", "Confidence level: ")}.`;
}

function zeroEnded(text) {
  return new TextEncoder().encode(`${text}\0`);
}

/** The kernel's answer to a problem. */
function asked(problem) {
  const { metric, target, predictions, folds, nRows, nBootstraps } = problem;
  const names = target.classes.map((label) => String(label).replaceAll("\n", " ")).join("\n");
  const arrays = [zeroEnded(metric.kernel), zeroEnded(metric.average), zeroEnded(names)];
  arrays.push(target.codes, target.codes ? null : target.values, predictions, folds && folds.codes);
  return withArrays(arrays, ([name, average, labels, codes, values, matrix, parts]) => {
    const found = kernel.correct(
      ...[name, average, metric.beta, nRows, problem.columns.length, target.classes.length],
      ...[labels, codes, values, Number(metric.predicts === "labels"), matrix, parts],
      ...[Number(problem.method === "bbc-two-level"), problem.seed, nBootstraps],
      problem.confidenceLevel,
    );
    const text = textAt(kernel.answer_text());
    if (!found) throw new Refusal(inWords(text));
    const answer = JSON.parse(text);
    return { ...answer, luck: answer.luck.untestable === "not wanted" ? null : answer.luck };
  });
}

/** The document that PerformanceEstimate.to_json writes in Python. */
function documentOf(problem, answer) {
  const { metric, target, columns: used, folds } = problem;
  const luck = answer.luck && { ...answer.luck };
  if (luck) delete luck.matters;
  const { low, high } = answer;
  const interval = { low, high, confidence_level: problem.confidenceLevel };
  return {
    type: "bbc.PerformanceEstimate",
    schema: 3,
    estimate: answer.estimate,
    metric: metric.name,
    method: problem.method,
    greater_is_better: metric.greater_is_better,
    n_rows: problem.nGiven,
    n_configurations: used.length,
    winner: answer.winner,
    winner_name: used[answer.winner].name,
    apparent: answer.apparent,
    confidence_interval: { ...interval, alternative: "two-sided", calibrated: false },
    replicate_sd: answer.replicate_sd,
    replicates: answer.replicates,
    replicate_winners: answer.replicate_winners,
    n_redrawn: answer.n_redrawn,
    decided_by: "",
    n_undefined: 0,
    pooling: "pooled",
    unit: "row",
    n_folds: folds ? folds.n : 0,
    n_repeats: 1,
    seed: problem.seed,
    version: textAt(kernel.kernel_version()),
    names: used.map((column) => column.name),
    pos_label: metric.target === "binary" ? target.classes[1] : null,
    left_out_rows: problem.leftOut,
    left_out_configurations: [],
    undefined_fold_share: null,
    effective_sample_size: null,
    infeasible: null,
    notes: [],
    model_luck: luck,
    data_findings: dataFindings(problem, answer).map(([code, detail]) => ({ code, detail })),
    metric_range: metric.range,
    threshold: null,
    replicate_thresholds: null,
    weights: null,
    membership_frequency: null,
    design: designOf(problem),
    size_bias: answer.size_bias,
    monte_carlo_error: answer.monte_carlo_error,
    deployed: null,
    secondary: {},
  };
}

/** bbc.results.Design of the columns of a table: nothing is known of the training. */
function designOf({ target: { codes, classes }, nRows }) {
  const sizes = classes.map(() => 0);
  for (const code of codes ?? []) sizes[code] += 1;
  return {
    training: "unknown",
    splitter: "",
    stratified: null,
    grouped: null,
    time_ordered: null,
    dynamic_search: null,
    n_failed: null,
    dropped_after: null,
    n_rows_scored: nRows,
    n_groups: null,
    n_groups_with_event: null,
    n_events: classes.length === 2 ? sizes[1] : null,
    class_counts: classes.map((label, code) => [label, sizes[code]]),
    stratified_draws: false,
    weighted: false,
    block_draws: false,
    selection: "best",
    interval: "order-statistics",
    block_length: null,
  };
}

/** What the page shows of the columns. */
function described() {
  return columns.map((column) => {
    const classes = column.missing < 0 && (column.kind === "text" || isWhole(column));
    const labels = classes ? classesOf(column) : [];
    return {
      name: column.name,
      kind: column.kind,
      kinds: kindsOfTruth(column),
      classes: labels.length === 2 ? labels.map(String) : [],
    };
  });
}

const TASKS = {
  start: ({ bytes }) => instantiated(bytes).then(() => ({})),
  read: ({ bytes, how }) => {
    const found = tableOf(decoded(bytes), how);
    columns = found.columns;
    table = { ...found, ...guessed(columns) };
    table.ranks = table.ranks.map((place) => columns[place].name);
    const wide = [0xfe, 0xff].includes(new Uint8Array(bytes)[0]); // UTF-16
    return { ...table, wide, columns: described(), nRows: columns[0].cells.length };
  },
  first: ({ truth, configurations }) => ({ metric: firstMetric(columns, truth, configurations) }),
  correct: ({ choices, metric }) => {
    const problem = problemOf(columns, choices, metric, table);
    const taken = takenText(problem, choices, columns, table);
    const start = performance.now();
    const answer = asked(problem);
    const milliseconds = performance.now() - start;
    return { document: documentOf(problem, answer), taken, milliseconds };
  },
};

onmessage = async ({ data }) => {
  try {
    postMessage({ id: data.id, result: await TASKS[data.task](data) });
  } catch (error) {
    const message =
      error instanceof Refusal ? error.message : `The kernel failed: ${error.message}`;
    postMessage({ id: data.id, refusal: message });
  }
};
