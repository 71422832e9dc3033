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
  return e.method === "bbc-two-level" ? "folds, and within them rows," : "rows";
}

function scheme(e) {
  let folds = e.n_folds ? `${e.n_folds}-fold cross-validation` : "held-out predictions";
  if (e.n_folds === 1) folds = "a hold-out";
  const scored = e.design.n_rows_scored;
  const others = scored < e.n_rows ? ` (of ${e.n_rows}; the others have no prediction)` : "";
  return `${folds} on ${counted(scored, "row")}${others}`;
}

/** A paragraph to paste into a paper. */
function methods(e) {
  const twoLevel = e.method === "bbc-two-level";
  const compared =
    e.n_configurations > 1
      ? `${e.n_configurations} configurations were compared by ${scheme(e)}; ` +
        `one was selected by ${title(e)} on all rows together.`
      : `One configuration was evaluated by ${scheme(e)}.`;
  const name = twoLevel
    ? "two-level bootstrap bias correction, which extends BBC [1] to folds,"
    : "bootstrap bias correction (BBC) [1]";
  const interval = intervalText(e);
  const limits =
    "limits are order statistics of the replicates, or those of a score interval where it is wider";
  const found = interval && ` (${interval}; ${limits})`;
  return (
    `${compared} Predictions were supplied; bbc did not see the training. ` +
    `Its performance was corrected for this selection by ${name} with ${e.replicates.length} ` +
    `replicates that draw ${drawn(e)} (seed ${e.seed}; bbc ${e.version}): each repeats the ` +
    `selection, and scores the selected configuration on the ${twoLevel ? "folds" : "rows"} out ` +
    "of bag. The estimate is the expected performance of this procedure, selection and training, " +
    "on samples of this size, rather than that of the one model trained in the end. " +
    `The estimate of ${title(e)} is ${rounded(e.estimate)}${found}.`
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
    ...(e.size_bias === null
      ? []
      : [["size bias", `${general(e.size_bias)} (taken from the replicates)`]]),
    ["winner", e.winner_name],
    ["replicates", `${e.replicates.length} of ${drawn(e).replace(/,$/, "")}, ${e.n_redrawn} redrawn`],
    ["data", data.join(", ")],
  ];
  if (e.left_out_rows.length) rows.push(["left out", counted(e.left_out_rows.length, "row")]);
  if (e.pos_label !== null) rows.push(["positive class", String(e.pos_label)]);
  return [...rows, ["seed", `${e.seed} (bbc ${e.version})`]];
}
