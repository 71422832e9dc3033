#' Questions about the winners of a correction
#'
#' What [bbc_correct()] returns is asked about its winners; no model is trained and nothing is corrected
#' anew. Every answer is about the draws and the winners of that correction and has its confidence level.
#' A question that cannot follow an option of the correction refuses it.
#'
#' | question | function |
#' |---|---|
#' | another score | [bbc_score()] |
#' | calibration, net benefit, ROC and precision-recall curve | [bbc_calibration()], [bbc_decision_curve()], [bbc_roc_curve()], [bbc_precision_recall_curve()] |
#' | right and wrong calls in 1000 rows | [bbc_per_1000()] |
#' | calibration of risks at a time | [bbc_survival_calibration()] |
#' | all of a clinical paper | [bbc_clinical()] |
#' | subgroups | [bbc_subgroups()] |
#' | when to stop tuning | [bbc_tuning_path()] |
#' | which configurations could be the best | [bbc_possible_winners()] |
#' | how good the one is that won | [bbc_winner_interval()] |
#' | how much optimism is likely left | [bbc_remaining_optimism()] |
#'
#' [Records][bbc_record] keep no rows to be asked about.
#'
#' `bbc_score()` is the performance of the same winners by another metric, on the same rows out of bag.
#' A replicate for which it is undefined is left out and counted in `n_undefined`: redrawing it would
#' change the winners. Its interval is of order statistics.
#'
#' @param fit What [bbc_correct()] returned.
#' @param metric A metric, as in [bbc_correct()].
#' @param ... No other arguments.
#' @return A `bbc_estimate`, see [bbc_correct()], with `decided_by`, the name of the metric that selected.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' risks <- plogis(truth + matrix(rnorm(80 * 20), 80))
#' fit <- bbc_correct(risks, truth, "roc_auc", n_threads = 2)
#' bbc_score(fit, "brier_score")
#' @aliases bbc_questions
#' @export
bbc_score <- function(fit, ...) UseMethod("bbc_score")

#' @export
bbc_score.default <- function(fit, ...) refuse_unfitted(fit, "bbc_score")

#' @rdname bbc_score
#' @export
bbc_score.bbc_estimate <- function(fit, metric, ...) {
  no_more_arguments(...)
  if (missing(metric)) abort_no_metric()
  metric <- one_metric(metric)
  correction <- winners_of(fit, "bbc_score")
  if (identical(metric, correction$metric)) return(bbc_record(fit))
  with_call(reported(correction$scored(metric), correction))
}
