"use strict";
// What limits a result, by the rules of bbc's Python package: those that one table can show.

const SKEWED = ["average_precision", "f_beta", "jaccard", "mcc", "kappa", "balanced_accuracy"];
const RANKS_TWO = ["roc_auc", "average_precision"];
const FEW_UNITS = 20;
const FEW_OF_A_CLASS = 10;
const MANY_REDRAWN = 0.1;
const FEW_FOLDS = 5;

/** Findings about data, draws and the winner's predictions. */
function dataFindings(problem, answer) {
  const found = drawFindings(problem, answer);
  const { luck } = answer;
  if (luck && luck.matters) {
    const bias = `the estimate is predicted to be too good by ${general(luck.predicted_bias, 2)}`;
    found.push(["BBC011", `${bias} (p = ${general(luck.p_value, 2)})`]);
  }
  return [
    ...found,
    ...rowFindings(problem),
    ...winnerFindings(problem, answer),
    ...limitFindings(answer),
  ];
}

/** Whether the limits rest on the number of events rather than on the replicates. */
function limitFindings({ few_events: few, infeasible, ...limits }) {
  if (!few || infeasible) return [];
  const { replicates_low: low, replicates_high: high } = limits;
  return [["BBC021", `the replicates alone give [${general(low, 3)}, ${general(high, 3)}]`]];
}

function drawFindings({ metric, folds, method, nBootstraps }, { n_redrawn: nRedrawn }) {
  let harmless = 0; // a draw of all folds does not depend on the metric
  if (method === "bbc-two-level") {
    let ofAll = 1;
    for (let fold = 1; fold <= folds.n; fold += 1) ofAll *= fold / folds.n;
    harmless = ofAll / (1 - ofAll);
  }
  if (nRedrawn <= (MANY_REDRAWN + harmless) * nBootstraps) return [];
  const draws = `${nRedrawn} draws for ${nBootstraps} replicates`;
  return [["BBC006", `${draws} left '${metric.name}' undefined`]];
}

function rowFindings({ metric, target, nRows }) {
  const few = nRows < FEW_UNITS;
  const found = few ? [["BBC002", `${nRows} rows`]] : [];
  if (SKEWED.includes(metric.kernel)) {
    const positiveOnly = metric.kernel === "average_precision" || metric.average === "binary";
    const scarce = scarceClass(target, positiveOnly);
    if (scarce) return [...found, ["BBC014", scarce]];
  }
  const scarce = metric.needs_classes && !few ? scarceClass(target, false) : "";
  return scarce ? [...found, ["BBC002", scarce]] : found;
}

/** The class with the fewest rows, in words; empty if it has enough. */
function scarceClass({ codes, classes }, positiveOnly) {
  const sizes = classes.map(() => 0);
  for (const code of codes ?? []) sizes[code] += 1;
  const rarest = positiveOnly ? 1 : sizes.indexOf(Math.min(...sizes));
  return sizes[rarest] < FEW_OF_A_CLASS ? `${sizes[rarest]} rows of class ${classes[rarest]}` : "";
}

function winnerFindings({ metric, target, columns, nRows, folds }, { winner, share, ranking }) {
  const found = [];
  if (metric.unbounded && metric.family === "additive" && share.dominates) {
    const part = `${general(100 * share.value, 3)} % of the winner's loss`;
    found.push(["BBC013", `${part} is that of one row of ${nRows}`]);
  }
  const { values } = columns[winner];
  if (metric.family === "ranking" && areLabels(values, target)) {
    found.push(["BBC016", "the winner's predictions are labels"]);
  }
  if (RANKS_TWO.includes(metric.kernel) && ranking.worseThanChance) {
    const within = folds ? " within folds" : "";
    found.push(["BBC020", `its AUC${within} is ${general(ranking.auc, 3)}`]);
  }
  if (areTheTruth(values, target, metric)) {
    found.push(["BBC017", `its predictions are the truth in all ${nRows} rows`]);
  }
  return found;
}

function areLabels(values, { codes, classes }) {
  const different = new Set(values);
  if (!codes || different.size < 2) return false;
  const within = (labels) => [...different].every((value) => labels.includes(value));
  return within([0, 1]) || (classes.every(Number.isInteger) && within(classes));
}

function areTheTruth(values, { codes, classes, values: real }, metric) {
  const equals = (expected) => values.every((value, row) => value === expected(row));
  if (!codes) return equals((row) => real[row]);
  const ofLabels = equals((row) => classes[codes[row]]);
  return metric.predicts === "labels" ? ofLabels : ofLabels || equals((row) => codes[row]);
}

/** Findings from the numbers of a result. */
function derivedFindings(e) {
  const found = [];
  const share = e.replicate_winners.filter((one) => one === e.winner).length / e.replicates.length;
  if (e.n_configurations > 1 && share < 0.5) {
    found.push(["BBC003", `chosen in ${general(100 * share, 3)} % of the replicates`]);
  }
  if (e.method === "bbc-two-level" && e.n_folds < FEW_FOLDS) {
    found.push(["BBC015", `${e.n_folds} folds`]);
  }
  if (e.confidence_interval) found.push(...widthFindings(e));
  return found;
}

function widthFindings({ confidence_interval: { low, high }, metric_range: range, ...e }) {
  const [lowest, highest] = range.map(Number);
  const width = high - low;
  if (width === 0) {
    const perfect =
      low === (e.greater_is_better ? highest : lowest) ? ", at the best possible score" : "";
    return [["BBC008", `it has no width${perfect}`]];
  }
  if (!Number.isFinite(highest - lowest) || width < 0.5 * (highest - lowest)) return [];
  const share = general((100 * width) / (highest - lowest), 3);
  return [["BBC008", `it spans ${share} % of the metric's range`]];
}

/** All findings of a result, in the order of their codes. */
function findingsOf(e) {
  const own = e.data_findings.map(({ code, detail }) => [code, detail]);
  return [...own, ...derivedFindings(e)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
