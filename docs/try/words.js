"use strict";
// The facts of a report, of which the package's sentences speak.

/** What readers call the metric. */
function title(e) {
  return METRIC.get(e.metric).title;
}

/** What sentences name, of a result. */
function factsOf(e) {
  const interval = e.confidence_interval;
  const { interval: interval_by, selection: rule, n_rows_scored: scored, ...design } = e.design;
  return {
    ...design,
    package: "bbc",
    version: e.version,
    title: title(e),
    selecting_title: title(e),
    decided_by: e.decided_by,
    estimate: e.estimate,
    apparent: e.apparent,
    decimals: decimalsOf(e),
    optimism: optimismOf(e),
    optimism_size: Math.abs(optimismOf(e)),
    method: e.method,
    pooling: e.pooling,
    unit: e.unit,
    seed: e.seed,
    n_bootstraps: e.replicates.length,
    threshold: null,
    n_members: 0,
    n_configurations: e.n_configurations,
    n_rows: e.n_rows,
    n_scored: scored,
    n_others: e.n_rows - scored,
    n_folds: e.n_folds,
    n_repeats: e.n_repeats,
    n_dropped: 0,
    n_failed: 0,
    n_incomplete: 0,
    rule,
    interval_by,
    ...(interval && {
      level: 100 * interval.confidence_level,
      low: interval.low,
      high: interval.high,
      alternative: interval.alternative,
    }),
  };
}

const headline = (e) => say("headline", factsOf(e));
const uncorrected = (e) => say("uncorrected", factsOf(e));
const methods = (e) => say("methods", factsOf(e));

/** Apparent minus corrected, signed so that positive means too good. */
function optimismOf(e) {
  return e.greater_is_better ? e.apparent - e.estimate : e.estimate - e.apparent;
}

/** Pairs of label and text, as bbc's summary has them. */
function facts(e) {
  const interval = e.confidence_interval;
  const drawn = say("drawn", factsOf(e)).replace(/,$/, "");
  const text = (value) => shown(value, decimalsOf(e));
  const limits = interval && `[${text(interval.low)}, ${text(interval.high)}]`;
  const data = [counted(e.n_rows, "row"), counted(e.n_configurations, "configuration")];
  if (e.n_folds) data.push(counted(e.n_folds, "fold"));
  const rows = [
    ["estimate", text(e.estimate)],
    ["interval", interval ? `${limits} (${general(100 * interval.confidence_level)} %)` : "none"],
    ["apparent", `${text(e.apparent)} (optimism ${text(optimismOf(e))})`],
    ...(e.size_bias === null
      ? []
      : [["size bias", `${text(e.size_bias)} (taken from the replicates)`]]),
    ["winner", e.winner_name],
    ["replicates", `${e.replicates.length} of ${drawn}, ${e.n_redrawn} redrawn`],
    ["data", data.join(", ")],
  ];
  if (e.left_out_rows.length) rows.push(["left out", counted(e.left_out_rows.length, "row")]);
  if (e.pos_label !== null) rows.push(["positive class", String(e.pos_label)]);
  return [...rows, ["seed", `${e.seed} (bbc ${e.version})`]];
}
