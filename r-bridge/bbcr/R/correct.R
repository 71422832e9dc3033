#' Correct the winner's performance for having been selected
#'
#' The choice of the best configuration is repeated on bootstrap replicates of the out-of-sample
#' predictions, and each replicate's winner is scored on the rows that the replicate did not draw.
#' No model is trained.
#'
#' @param predictions Out-of-sample predictions: a matrix or data frame with a row per row of the
#'   data and a column per configuration; an array (row, configuration, class) of class scores in
#'   the order of the classes of `truth`, or as the names on the last axis say (`.pred_high` is the
#'   class high); a list of these, one per repeat, with the same columns and without names, or with
#'   such as `Rep1`; a
#'   long table or what tidymodels' tuning returns (see [bbc_tables]); a caret model (see
#'   [bbc_correct.train()]), a [cv.glmnet()][bbc_correct.cv.glmnet] fit, results of mlr3 (see
#'   [bbc_mlr3]), or a named [list of models][bbc_correct.list]; or a [bbc_data()]. Scores by fold, where tuning kept nothing else, are
#'   taken as [bbc_fold_scores] says. `NA` is a hole. Two columns that are the
#'   probabilities of one model's two classes are refused: pass that of the event.
#' @param truth The truth, one entry per row: a factor or labels, numbers, or `survival::Surv()`
#'   for the concordance index (whose predictions are risks: higher means earlier). Rows are paired
#'   by their place; `predictions`, `folds` and the like are refused if their rows have the same
#'   names as those of `truth` in another order, or some of these names and others.
#' @param metric What is estimated, and by which configurations are selected: a name of [bbc_metrics()], a
#'   [bbc_metric()] or a [bbc_custom_metric()]. Required, but for fitted objects that tell by which metric
#'   they chose.
#' @param ... For methods, which pass it on: the arguments that follow, and `secondary`, further metrics (a
#'   vector of names, a list, or yardstick's `metric_set()`) that are reported for the same winners, as by
#'   [bbc_score()]. The default method takes no others.
#' @param method What a replicate draws. `"bbc"`: rows (or groups). `"bbc-two-level"`: folds and, for
#'   each fold drawn, rows (or groups) within it; the winner is scored on all rows of the folds that
#'   were not drawn, so that the estimate remains honest where the fitted models of a configuration
#'   vary. `"bbc-f"`: folds, of whose scores the metric is the mean. The last two need two folds, and
#'   four for an interval.
#' @param folds The fold in which each row was held out: a vector, or a matrix or list with one
#'   column or element per repeat; or the row numbers of each fold, as caret's `createFolds()` and
#'   `createMultiFolds()` give them, or rsample's `vfold_cv()`. Needed by `method = "bbc-two-level"` and `"bbc-f"`, by
#'   `pooling = "fold"` and by [bbc_one_standard_error()]; method `"bbc"` then also tests whether
#'   fitted models differ by luck (`model_luck`, finding BBC011).
#' @param groups Rows of a group are drawn together; by default those of rsample's
#'   `group_vfold_cv()`, where `folds` are such.
#' @param stratified_by The labels within which folds were drawn, one per row, where these are not the
#'   classes of `truth`: the bins of a regression's truth, say. Limits read them where folds are drawn, and
#'   `stratify_bootstrap` draws rows within them.
#' @param stratify_bootstrap Whether to draw within the classes of `truth` or, if given, the labels of
#'   `stratified_by`.
#' @param class_counts Where draws of folds or within classes keep the shares of the classes: `"sampled"`
#'   if these are a sample's, so that limits hold how they vary between samples, or `"fixed"` if the design
#'   fixed them, as in a case-control study.
#' @param sample_weight Weights that multiply the counts of the replicates.
#' @param event_level The event (positive class) of two: a label, or `"first"` or `"second"`,
#'   which are levels of `truth` whatever order a model or a table has.
#'   Required where the metric knows an event, but for 0 and 1 (the event is 1) and logical values
#'   (`TRUE`): the first level of a factor is the event in yardstick and caret, the second in pROC
#'   and glm. You are warned if no configuration has an AUC of 0.5 or more.
#' @param missing What to do about predictions that only some configurations lack: `"raise"`,
#'   `"drop-rows"`, `"drop-configurations"` or `"rungs"`. Rows that no configuration predicted are
#'   always left out and reported. `"rungs"` is for searches that dropped configurations on the way,
#'   such as races and successive halving: each row is scored once, by the configuration that is best
#'   in bag, on rows predicted so far, among those that were alive when the row was first predicted.
#'   The search's own rule need not be known, if every prediction made before a decision was kept, and
#'   all configurations took the folds in one order. It takes one metric: a mean over rows, a
#'   confusion metric, or with `pooling = "rung"` the AUC of two classes or the concordance index.
#' @param rungs For `missing = "rungs"`: the number of the rung at which each row was predicted, or
#'   [bbc_rungs()]; by default found from the missing predictions.
#' @param block_length For rows in order of time: draw blocks of so many neighbouring rows in the place
#'   of rows, because neighbours that err alike are no independent draws. `"auto"` is three times the
#'   median, over 15 configurations, of the length of Politis and White (2004, corrected 2009) for their
#'   rows, at least the cube root of the number of rows and at most an eighth of it; for metrics of
#'   labels or numbers that are not means over rows, of their errors. Not beside `groups`.
#' @param pooling `"pooled"`: the metric of all rows together; `"fold"`: the mean of the folds'
#'   metrics. They are different quantities, above all for ranking metrics. `"rung"` counts the pairs
#'   of a ranking metric within rungs.
#' @param selection `"best"`, [bbc_one_standard_error()], [bbc_best_threshold()],
#'   [bbc_greedy_ensemble()], [bbc_top_k()], or a `function(scores, counts)` that
#'   returns the number of the winner, given the scores of all configurations and how often each row
#'   (fold, for `"bbc-f"`) was drawn.
#' @param n_bootstraps Number of replicates. By default 5000, whose limits vary between seeds by about one per
#'   cent of the interval's width, and 1000 for metrics that are R functions and for ensembles, which take longer.
#' @param resamples A matrix with one row per replicate of drawn units, numbered from 1, instead of
#'   random ones; not for `method = "bbc-two-level"`.
#' @param interval `"order-statistics"` of the replicates, or `"calibrated"` for method
#'   `"bbc-two-level"`: a normal interval from the variance of the replicates, less the part due to
#'   scoring on few folds, plus what training rows that folds share add and the variance of the final
#'   model's luck. Where fitted models vary by chance it is longer, and covers the performance of the
#'   final model, too. Secondary metrics have order statistics.
#' @param confidence_level Level of the interval.
#' @param alternative `"two-sided"`, `"greater"` (a lower bound only) or `"less"` (an upper bound
#'   only). For a loss the cautious side is `"less"`.
#' @param on_undefined `"redraw"` or `"raise"`: what to do about a replicate that leaves the metric
#'   undefined.
#' @param names Names of the configurations; by default those of the columns. Columns that number the
#'   rows, or are called like something else (id, row, fold, group, weight, y, target, label, truth,
#'   outcome, ...), are configurations only if `names` lists them.
#' @param dynamic_search Whether configurations were chosen depending on the scores of others, as
#'   by Bayesian optimisation or irace, or by a race that `missing = "rungs"` does not score: the result
#'   then carries finding BBC007.
#' @param size_correction Whether to keep what the number of rows does to a metric apart from selection. The rows
#'   out of bag are 37 percent of all. Means over rows and AUC are the same on fewer rows in expectation,
#'   other metrics are not: R2 is divided by the variance of the truth over all rows, and replicates of
#'   other such metrics lose the mean difference between their winner's scores out of bag and on all rows
#'   (`size_bias`). `FALSE` is Algorithm 5 as it was published, which counts it as optimism.
#' @param greater_is_better Of scores of folds (see [bbc_fold_scores]): whether larger ones are better, where
#'   `metric` is no name of [bbc_metrics()].
#' @param y Of scores of folds (see [bbc_fold_scores]): the truth of the rows that were scored.
#' @param seed Seed of the replicates, 0 to 2^53 - 1. `NULL` draws it from R's generator, so
#'   [set.seed()] makes it reproducible. The same seed gives the same bits in Python.
#' @param n_threads Threads; by default `options(bbcr.threads = )` or the environment variable
#'   `BBCR_THREADS`, else all cores, but one in a forked process (`parallel::mclapply()`). The result
#'   does not depend on it.
#'
#' @return An object of class `bbc_estimate`, a list with `estimate`, `confidence_interval` (`$low`,
#'   `$high`), `replicate_sd` (which is *not* a standard error of the estimate), `monte_carlo_error` (how much
#'   `estimate`, `low` and `high` vary between seeds; `NA` where that is not known), `apparent` (the
#'   winner's uncorrected score), `optimism`, `size_bias` (what the replicates lost because they score
#'   fewer rows; `NULL` for means over rows, AUC and R2), `winner` (number of a column), `winner_name`,
#'   `selection_frequency`, `secondary` (where such metrics were asked for: a named list of
#'   `bbc_estimate`, each with `decided_by`, the metric that selected), `threshold` and `weights` (of rules that choose such), `replicates`,
#'   `replicate_winners`, `n_redrawn`, `left_out_rows` and `left_out_configurations` (their numbers),
#'   `undefined_folds` and `undefined_fold_share` (how many folds of the data and which share of the
#'   replicates' folds a mean of folds has no score of), `event`, `seed`, `call` (see [update()][bbc_update]),
#'   `checked_scores` and `deployed` of fitted objects (how each of the tool's scores compares with that of
#'   the predictions; and the configuration that the tool deploys, with its `score`, how often replicates
#'   chose it, `frequency`, and whether it `is_corrected`),
#'   `findings` (a data frame: what makes the number less trustworthy, each with the `code` and
#'   `title` that Python gives it, the `detail` and `advice`), `notes` (other remarks) and more;
#'   without an interval `infeasible` says why. Where folds are known, `model_luck` of method
#'   `"bbc"` is the test whether a configuration's fitted models differ by more than their rows do:
#'   `p_value`, `predicted_bias` (what luck adds to the estimate), `luck_variance` and
#'   `row_variance` of the score on one fold, `n_permutations`, and `untestable`, which says why
#'   there was no test. `summary()` shows them. It has methods for `print()`, `summary()`,
#'   `confint()`, `coef()`, `plot()`, `as.data.frame()`, `ggplot2::autoplot()`, `generics::tidy()`
#'   and `generics::glance()`. It also holds what it was given, and answers [questions][bbc_questions]
#'   about the same winners; [bbc_record()] drops that before [saveRDS()].
#'
#' @section The width of the interval:
#' Its limits are order statistics of the replicates, and each replicate scores its winner on the rows
#' that it did not draw, which are 37 % of all. They scatter more than a score of all rows: for a single
#' configuration the interval is about 1.3 times as wide as one of that configuration alone, such as
#' DeLong's for the AUC. With several configurations it also holds what the choice adds.
#'
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithm 5; intervals: section 3.1; repeats: section 3.2.
#'
#' K. Paraschakis et al. (2024). Confidence interval estimation of predictive performance in the
#' context of AutoML. *AutoML*: Algorithm 1 (BBC-F).
#'
#' @examples
#' # Fifty useless configurations: the best looks good, the corrected estimate does not.
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' predictions <- matrix(rbinom(80 * 50, 1, 0.5), 80)
#' e <- bbc_correct(predictions, truth, metric = "accuracy", n_threads = 2)
#' e
#' confint(e)
#' bbc_correct(predictions, truth, metric = "accuracy", secondary = c("kappa", "f1"), n_threads = 2)
#' @export
bbc_correct <- function(predictions, truth, metric, ...) {
  if (from_outside(parent.frame())) {
    return(with_call(fitted_correction(predictions, truth, metric, ...),
                     method_for("bbc_correct", predictions)))
  }
  UseMethod("bbc_correct")
}

#' @rdname bbc_correct
#' @export
bbc_correct.default <- function(predictions, truth, metric, method = "bbc", folds = NULL,
                                groups = NULL, stratified_by = NULL, stratify_bootstrap = FALSE,
                                class_counts = "sampled", sample_weight = NULL,
                                event_level = NULL, missing = "raise", rungs = NULL,
                                block_length = NULL,
                                pooling = "pooled", selection = "best", n_bootstraps = NULL, resamples = NULL,
                                interval = "order-statistics", confidence_level = 0.95,
                                alternative = "two-sided", on_undefined = "redraw", names = NULL,
                                dynamic_search = FALSE, size_correction = TRUE,
                                greater_is_better = NULL, y = NULL, seed = NULL, n_threads = NULL, ...) {
  refuse_unread(predictions)
  no_more_arguments(...)
  if (missing(metric)) abort_no_metric(if (!missing(truth)) truth)
  of_scores <- missing(truth) && identical(method, "bbc-f") && (is.null(folds) || !is.null(y))
  if (of_scores) {
    refuse_of_rows(list(
      stratified_by = stratified_by, stratify_bootstrap = stratify_bootstrap, class_counts = class_counts,
      sample_weight = sample_weight, missing = missing, rungs = rungs, block_length = block_length,
      pooling = pooling, resamples = resamples, interval = interval, on_undefined = on_undefined,
      size_correction = size_correction
    ))
    return(correct_scores(predictions, metric, greater_is_better, names, method, n_bootstraps,
                          confidence_level, alternative, selection, seed, n_threads, dynamic_search,
                          y = y, groups = groups, folds = folds, event_level = event_level))
  }
  if (!is.null(y)) abort("`y` is for scores of folds: the truth of predictions is `truth`")
  if (!is.null(greater_is_better)) {
    abort("`greater_is_better` is for scores of folds, not for predictions of rows")
  }
  selection <- selection_by_rungs(selection, missing, rungs)
  options <- checked_options(metric, method, pooling, stratify_bootstrap, n_bootstraps,
                             confidence_level, alternative, on_undefined, seed, selection,
                             dynamic_search, size_correction, interval, class_counts)
  threads <- threads_of(n_threads)
  given <- if (!missing(truth)) truth
  problem_with <- function(groups) {
    make_problem(predictions, given, options, folds, groups, sample_weight, event_level, missing,
                 names, stratified_by = stratified_by)
  }
  problem <- in_blocks(block_length, options, groups, problem_with,
                       dim(per_repeat(predictions)[[1]])[[1]], threads)
  if (derives(options$selection)) check_choice(options$selection, problem)
  plan <- kernel_options(problem, options, resamples)
  check_class_counts(problem, options, plan)
  new_estimate(corrected(problem, options, plan, threads), problem, options, plan)
}

# The kernel's numbers.
corrected <- function(problem, options, plan, threads) {
  if (!is.null(options$metric$score)) {
    return(corrected_by_function(problem, options, plan, threads))
  }
  if (options$method == "bbc-f") {
    return(corrected_by_folds(problem, options, plan, threads))
  }
  target <- kernel_target(problem$truth)
  raw <- if (!is.null(problem$rungs) && problem$n_repeats > 1) {
    cells <- in_one_repeat(problem, plan)
    checked(kernel_correct(kernel_target(cells$truth), cells$predictions, cells$plan, threads), problem)
  } else if (is.function(options$selection$choose)) {
    checked(kernel_correct_by_rule(target, problem$predictions, plan, chosen_by(options, problem),
                                   threads), problem)
  } else {
    checked(kernel_correct(target, problem$predictions, plan, threads), problem)
  }
  # Other estimates allow for luck, and so do order statistics of draws of folds.
  if (options$method == "bbc" || is_calibrated(options)) {
    raw$model_luck <- if (derives(options$selection)) {
      untested_luck(problem, if (is.null(options$selection$rungs)) {
        "predictions that a cut-off or an ensemble derives"
      } else {
        "predictions that only some configurations have"
      })
    } else {
      # The calibrated interval was studied with the luck of all configurations.
      model_luck(problem, plan, threads, if (!is_calibrated(options)) raw$replicate_winners)
    }
  }
  raw
}

# BBC-F of predictions, whose limits hold what draws of folds do not show.
corrected_by_folds <- function(problem, options, plan, threads) {
  if (!is.function(options$selection$choose)) {
    refuse_unequal_folds(problem)
    return(checked(kernel_correct_by_folds(kernel_target(problem$truth), problem$predictions,
                                           plan_of_folds(problem, plan), threads), problem))
  }
  raw <- corrected_folds(fold_scores(problem, options$metric, threads), problem, options, plan,
                         threads)
  raw$rates <- terms_of_folds(problem, plan, raw$winner)
  with_limits(raw, problem, options)
}

# The plan with the folds that are drawn, and what is known of their rows.
plan_of_folds <- function(problem, plan) {
  known <- list(folds = problem$folds, row_weights = problem$weights, units = problem$groups,
                classes = drawn_classes(problem), rotate_repeats = FALSE)
  plan[names(known)] <- known
  plan
}

# What the limits of a configuration rest on where folds are drawn.
terms_of_folds <- function(problem, plan, configuration) {
  checked(kernel_terms_of_folds(kernel_target(problem$truth), problem$predictions,
                                plan_of_folds(problem, plan), configuration), problem)
}

# BBC-F of an array (configuration, fold, repeat); `rows` are those of the scores, where their truth is
# known, and `by_truth` says whether it told anything.
corrected_folds <- function(scores, problem, options, plan, threads, rows = NULL) {
  if (!is.function(options$selection$choose)) {
    told <- c("folds", "units", "classes")
    if (!is.null(rows$target)) plan[told] <- rows[told]
    raw <- checked(kernel_correct_fold_scores(scores, rows$target, plan, threads), problem)
    raw$by_truth <- !is.null(rows$target) && kernel_rows_tell(rows$target, plan)
    return(raw)
  }
  # A fold is a row, and its score a prediction whose mean over rows is the metric.
  shape <- dim(scores)
  plan$metric <- bbc_metric(if (options$metric$greater_is_better) "row_score" else "row_loss")
  repeats <- lapply(seq_len(shape[[3]]), function(i) t(matrix(scores[, , i], shape[[1]])))
  raw <- checked(kernel_correct_by_rule(list(values = numeric(shape[[2]])), repeats, plan,
                                        chosen_by(options, problem), threads), problem)
  raw$rates <- kernel_few_folds_terms(scores[raw$winner, , , drop = FALSE])
  raw$by_truth <- FALSE
  with_limits(raw, problem, options)
}

refuse_unequal_folds <- function(problem) {
  n_folds <- apply(problem$folds, 2, max) + 1L
  other <- which(n_folds != n_folds[[1]])
  if (length(other)) {
    abort("`folds`: repeat 1 has %s, repeat %d has %d: scores of folds need as many in each",
          counted(n_folds[[1]], "fold"), other[[1]], n_folds[[other[[1]]]])
  }
}

# Array (configuration, fold, repeat) of the scores of each fold's own rows.
fold_scores <- function(problem, metric, threads) {
  refuse_unequal_folds(problem)
  checked(kernel_fold_scores(kernel_target(problem$truth), problem$predictions, metric,
                             problem$folds, problem$weights, threads), problem)
}

abort_no_metric <- function(truth = NULL) {
  if (is.character(truth) && length(truth) == 1 && truth %in% metric_table()$name) {
    abort("`metric` is missing: the second argument is `truth`; write metric = \"%s\"", truth)
  }
  abort("`metric` is missing: it says what is estimated, see bbc_metrics()")
}
