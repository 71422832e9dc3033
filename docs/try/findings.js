"use strict";
// What limits a result: the facts of data, draws, predictions and result that one table can show.

/** Findings about data, draws and the winner's predictions. */
function dataFindings(problem, answer) {
  const { luck } = answer;
  const found = [
    ...drawFindings(problem, answer),
    ...(luck === null
      ? []
      : foundBy("luck", {
          luck_matters: luck.matters,
          luck_bias: luck.predicted_bias,
          luck_p: luck.p_value,
        })),
    ...rowFindings(problem),
    ...winnerFindings(problem, answer),
  ];
  const codes = new Set(found.map(([code]) => code));
  return [...found, ...limitFindings(answer).filter(([code]) => !codes.has(code))];
}

/** What the limits rest on beside the replicates: the number of events, or tails of errors. */
function limitFindings(answer) {
  const { few_events, replicates_low, replicates_high, kurtosis, alike_errors } = answer;
  return foundBy("limits", {
    limits_count_events: few_events,
    replicates_low,
    replicates_high,
    decimals: decimals(answer.monte_carlo_error, answer),
    kurtosis,
    alike_errors,
  });
}

function drawFindings({ metric, folds, method, nBootstraps }, { n_redrawn }) {
  let harmless = 0; // a draw of all folds does not depend on the metric
  if (method === "bbc-two-level") {
    let ofAll = 1;
    for (let fold = 1; fold <= folds.n; fold += 1) ofAll *= fold / folds.n;
    harmless = ofAll / (1 - ofAll);
  }
  return foundBy("draws", {
    redrawn_share: n_redrawn / nBootstraps - harmless,
    n_redrawn,
    n_bootstraps: nBootstraps,
    metric: metric.name,
  });
}

function rowFindings({ metric, target, nRows }) {
  return foundBy("data", {
    n_units: nRows,
    units: "rows",
    survival: false,
    needs_classes: metric.needs_classes,
    skewed: metric.skewed,
    ...classSizes(metric, target),
  });
}

/** The class with the fewest rows, and the one whose rows the metric counts. */
function classSizes(metric, { codes, classes }) {
  if (!codes) return {};
  const sizes = classes.map(() => 0);
  for (const code of codes) sizes[code] += 1;
  const positiveOnly = metric.kernel === "average_precision" || metric.average === "binary";
  const rarest = sizes.indexOf(sizes.reduce((least, size) => Math.min(least, size)));
  const counts = metric.skewed && positiveOnly ? 1 : rarest;
  return {
    n_of_rarest: sizes[rarest],
    rarest: classes[rarest],
    n_of_counted: sizes[counts],
    counted: classes[counts],
  };
}

function winnerFindings({ metric, nRows, folds }, answer) {
  const ofLoss = metric.unbounded && metric.family === "additive";
  const ranks = metric.family === "ranking" && metric.predicts === "score";
  return foundBy("winner", {
    n_rows: nRows,
    row_share: answer.row_share,
    row_dominates: ofLoss && answer.row_dominates,
    ranks_labels: answer.ranks_labels,
    ranks_worse_than_chance: ranks && answer.ranks_worse_than_chance,
    in_folds: Boolean(folds),
    auc: answer.auc,
    equals_truth: answer.equals_truth,
  });
}

/** Facts of the limit that varies more between seeds, where its interval has a width. */
function limitError({ monte_carlo_error: { low, high }, replicates }, width) {
  const error = Math.max(low ?? 0, high ?? 0);
  if (!(error > 0 && width > 0 && width < Infinity)) return {};
  const share = error / width;
  return { limit_error_share: share, n_needed: Math.ceil(replicates.length * (50 * share) ** 2) };
}

/** Findings from the numbers of a result. */
function derivedFindings(e) {
  const { confidence_interval: interval } = e;
  const [lowest, highest] = e.metric_range.map(Number);
  const width = interval && interval.high - interval.low;
  return foundBy("result", {
    method: e.method,
    n_configurations: e.n_configurations,
    nothing_selected: e.n_configurations === 1,
    n_folds: e.n_folds,
    winner_share:
      e.replicate_winners.filter((one) => one === e.winner).length / e.replicates.length,
    ...limitError(e, width),
    ...(interval && {
      width,
      width_share: width / (highest - lowest),
      at_best: interval.low === (e.greater_is_better ? highest : lowest),
    }),
  });
}

/** All findings of a result, in the order of their codes. */
function findingsOf(e) {
  const own = e.data_findings.map(({ code, detail }) => [code, detail]);
  return [...own, ...derivedFindings(e)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
