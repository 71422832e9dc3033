"use strict";
// The sentences of a report, as bbc.report writes them.

function intervalText(e) {
  const interval = e.confidence_interval;
  if (!interval) return "";
  const level = `${general(100 * interval.confidence_level)} %`;
  return `${level} CI ${rounded(interval.low)} to ${rounded(interval.high)}`;
}

/** What readers call the metric. */
function title(e) {
  return METRIC.get(e.metric).title;
}

function headline(e) {
  const interval = intervalText(e);
  const model = e.n_configurations > 1 ? "tuned model" : "model";
  const tail = interval ? ` (${interval})` : "";
  return `The expected ${title(e)} of the ${model} on new rows is ${rounded(e.estimate)}${tail}.`;
}

function uncorrected(e) {
  const optimism = optimismOf(e);
  const direction = optimism >= 0 ? "optimistic" : "pessimistic";
  return (
    `The apparent score of the selected configuration, ${rounded(e.apparent)}, is ` +
    `estimated to be ${direction} by ${rounded(Math.abs(optimism))}.`
  );
}

/** Apparent minus corrected, signed so that positive means too good. */
function optimismOf(e) {
  return e.greater_is_better ? e.apparent - e.estimate : e.estimate - e.apparent;
}

/** What a replicate draws. */
function drawn(e) {
  return e.method === "bbc-two-level" ? "folds, and within them rows" : "rows";
}

function scheme(e) {
  const folds = e.n_folds ? `${e.n_folds}-fold cross-validation` : "held-out predictions";
  return `${folds} on ${e.n_rows} rows`;
}

/** A paragraph to paste into a paper. */
function methods(e) {
  const twoLevel = e.method === "bbc-two-level";
  const compared =
    e.n_configurations > 1
      ? `${e.n_configurations} configurations were compared by ${scheme(e)}; ` +
        `one was selected by ${title(e)}.`
      : `One configuration was evaluated by ${scheme(e)}.`;
  const interval = intervalText(e);
  return (
    `${compared} Its performance was corrected for this selection by ` +
    `${twoLevel ? "two-level BBC" : "BBC"} with ${e.replicates.length} bootstrap replicates of ` +
    `${drawn(e)} (seed ${e.seed}; bbc ${e.version}), which repeats the selection in every ` +
    `replicate and scores the selected configuration on the ${twoLevel ? "folds" : "rows"} out of ` +
    `bag [1]. The estimate is ${rounded(e.estimate)}${interval ? ` (${interval})` : ""}.`
  );
}

/** Pairs of label and text, as bbc's summary has them. */
function facts(e) {
  const interval = e.confidence_interval;
  const limits = interval && `[${general(interval.low)}, ${general(interval.high)}]`;
  const data = [counted(e.n_rows, "row"), counted(e.n_configurations, "configuration")];
  if (e.n_folds) data.push(counted(e.n_folds, "fold"));
  const rows = [
    ["estimate", general(e.estimate)],
    ["interval", interval ? `${limits} (${general(100 * interval.confidence_level)} %)` : "none"],
    ["apparent", `${general(e.apparent)} (optimism ${general(optimismOf(e))})`],
    ["winner", e.winner_name],
    ["replicates", `${e.replicates.length} of ${drawn(e)}, ${e.n_redrawn} redrawn`],
    ["data", data.join(", ")],
  ];
  if (e.left_out_rows.length) rows.push(["left out", counted(e.left_out_rows.length, "row")]);
  if (e.pos_label !== null) rows.push(["positive class", String(e.pos_label)]);
  return [...rows, ["seed", `${e.seed} (bbc ${e.version})`]];
}
