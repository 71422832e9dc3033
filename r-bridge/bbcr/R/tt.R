#' Correct the winner's performance by the distance from each fold's best
#'
#' The method of Tibshirani and Tibshirani. The winner has the best mean over folds. How much better
#' the best configuration of each fold is, on average, estimates how much too good the winner's own
#' mean is. There is no interval, and no random number.
#'
#' @param predictions,truth,metric,sample_weight,event_level,names,n_threads As in [bbc_correct()];
#'   the metric must be defined on each fold's rows.
#' @param folds The fold in which each row was held out: a vector, or a matrix or list with one
#'   column or element per repeat. Tables and caret models bring their own.
#' @param estimate Name of the column of predictions of a long table, see [bbc_tables].
#' @param ... No other arguments.
#' @return A [bbc_estimate] without interval and replicates. The estimate is never clipped to the
#'   metric's range. You are warned if a fold has a single row, where the correction is far too
#'   large.
#' @references
#' R. J. Tibshirani, R. Tibshirani (2009). A bias correction for the minimum error rate in
#' cross-validation. *Annals of Applied Statistics* 3, 822-829.
#'
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithm 4.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' predictions <- matrix(rbinom(80 * 50, 1, 0.5), 80)
#' bbc_tt(predictions, truth, metric = "accuracy", folds = rep(1:10, 8))
#' @export
bbc_tt <- function(predictions, truth, metric, folds = NULL, sample_weight = NULL,
                   event_level = NULL, names = NULL, estimate = NULL, n_threads = NULL, ...) {
  no_more_arguments(...)
  if (missing(metric)) abort_no_metric()
  options <- list(metric = bbc_metric(metric), method = "tt")
  refuse_custom(options$metric, "bbc_tt()")
  threads <- threads_of(n_threads)
  given <- unpacked(predictions, if (!missing(truth)) truth, options$metric, estimate, folds,
                    event_level, names)
  options$dynamic_search <- isTRUE(given$dynamic_search)
  given["groups"] <- list(NULL)  # nothing is drawn
  problem <- problem_of(given, options, NULL, sample_weight, folds_needed_by = "bbc_tt()")
  e <- tt_estimate(problem, options, threads)
  with_call(with_deployed(as_settled(e, given), given$claim))
}

tt_estimate <- function(problem, options, threads) {
  raw <- checked(kernel_tt(fold_scores(problem, options$metric, threads),
                           options$metric$greater_is_better))
  raw$optimism <- optimism_of(raw, options$metric)
  alone <- any(apply(problem$folds, 2, function(own) min(tabulate(own + 1L))) == 1)
  new_estimate(raw, problem, options, found = found_by("small_folds", list(single_row_fold = alone)))
}
