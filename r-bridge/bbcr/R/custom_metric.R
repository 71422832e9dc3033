#' A metric that is a function
#'
#' For [bbc_correct()] with method `"bbc"`. The replicates are the kernel's, but every score is
#' computed in R: a thousand replicates of a hundred configurations are a hundred thousand calls. A
#' metric that is a mean over rows is as fast as all others if its losses are given as predictions,
#' with metric `"row_loss"`.
#'
#' @param score A `function(truth, prediction)` that returns one number. It gets the truth and one
#'   configuration's predictions of some rows, a row that was drawn twice two times: numbers for
#'   `predicts = "value"`; factors for `"labels"`; for `"probability"` a factor, whose second level is
#'   the event, and numbers; for `"class_probabilities"` a factor and a matrix with a column per class.
#' @param name What the result calls it.
#' @param greater_is_better Whether more is better.
#' @param predicts What it reads: `"value"`, `"labels"`, `"probability"` or `"class_probabilities"`.
#' @param limits The smallest and the largest possible value, which limits of intervals never pass.
#'   Unless one of them is given the range is not known: replicates keep their size bias, and the
#'   open end of a one-sided interval is the last replicate.
#' @param ... No other arguments.
#' @return A metric that [bbc_correct()] takes.
#' @examples
#' set.seed(1)
#' truth <- rnorm(40)
#' predictions <- sapply(1:3, function(i) truth + rnorm(40))
#' median_error <- bbc_custom_metric(function(truth, prediction) median(abs(truth - prediction)),
#'                                   "median_absolute_error", greater_is_better = FALSE,
#'                                   limits = c(0, Inf))
#' bbc_correct(predictions, truth, median_error, n_bootstraps = 200, seed = 1, n_threads = 2)
#' @export
bbc_custom_metric <- function(score, name, greater_is_better = TRUE, predicts = "value",
                              limits = c(-Inf, Inf), ...) {
  no_more_arguments(...)
  if (!is.function(score)) abort("`score` must be a function, not %s", first_class(score))
  if (!is.character(name) || length(name) != 1 || is.na(name) || !nzchar(name)) {
    abort("`name` must be one name")
  }
  if (!is.null(bbc_name(name))) abort("`name`: \"%s\" is another metric", name)
  if (!is.numeric(limits) || length(limits) != 2 || anyNA(limits) || limits[[1]] >= limits[[2]]) {
    abort("`limits` must be two numbers, the smaller first")
  }
  predicts <- choice(predicts, "predicts", c("value", "labels", "probability",
                                             "class_probabilities"))
  target <- c(value = "real", labels = "classes", probability = "binary",
              class_probabilities = "classes")[[predicts]]
  metric <- as.list(custom_row(name, target, predicts))
  structure(c(metric, list(
    greater_is_better = flag(greater_is_better, "greater_is_better"), lowest = limits[[1]],
    highest = limits[[2]], score = score
  )), class = "bbc_metric")
}

refuse_custom <- function(metric, by) {
  if (!is.null(metric$score)) {
    abort("`metric`: \"%s\" is a function, which %s does not take", metric$name, by)
  }
}

refuse_custom_design <- function(problem, options) {
  metric <- options$metric
  if (options$method != "bbc") refuse_custom(metric, sprintf('method = "%s"', options$method))
  if (options$pooling != "pooled") refuse_custom(metric, 'pooling = "fold"')
  if (!is.null(problem$weights)) refuse_custom(metric, "`sample_weight`")
}

# A correction whose scores a function of R computes; keys as those of kernel_correct().
corrected_by_function <- function(problem, options, plan, threads) {
  metric <- options$metric
  refuse_custom_design(problem, options)
  if (!is.null(options$selection)) refuse_custom(metric, "a rule of `selection`")
  score <- row_scorer(problem, metric)
  columns <- seq_len(dim(problem$predictions[[1]])[[2]])
  best <- if (metric$greater_is_better) which.max else which.min
  n_rows <- problem$truth$n_rows
  on_all_rows <- vapply(columns, score, 0, seq_len(n_rows), "on all rows")
  found <- by_replicate(problem, plan, threads, function(b, counts) {
    drawn <- rep(seq_len(n_rows), counts)
    winner <- best(vapply(columns, score, 0, drawn, sprintf("in the bag of replicate %d", b)))
    c(winner, score(winner, which(counts == 0), sprintf("out of the bag of replicate %d", b)))
  })
  size_bias <- NULL
  if (loses_shifts(options)) {
    lost <- without_shifts(found[2, ], found[1, ], score, seq_len(n_rows), problem, plan, threads)
    found[2, ] <- lost$replicates
    size_bias <- lost$size_bias
  }
  limits <- metric_limits(metric, problem$truth$n_classes)
  apparent <- on_all_rows[[best(on_all_rows)]]
  told <- list(replicates = found[2, ], apparent = apparent)
  moments <- moments_of(told, n_kept(problem), plan)
  estimate <- moments$estimate
  ends <- checked(kernel_corrected_limits(found[2, ], estimate, numeric(), plan$confidence_level,
                                plan$alternative, limits[[1]], limits[[2]]))
  raw <- list(
    estimate = estimate, low = ends$low, high = ends$high,
    monte_carlo_error = ends$monte_carlo_error, size_bias = size_bias,
    winner = best(on_all_rows), apparent = apparent,
    replicates = found[2, ], replicate_winners = as.integer(found[1, ]), n_redrawn = 0,
    replicate_sd = moments$replicate_sd, undefined_fold_share = 0
  )
  raw$optimism <- optimism_of(raw, metric)
  raw$model_luck <- untested_luck(problem, "a metric that is a function")
  raw
}

# A shift may carry a replicate anywhere where nobody said how far a function goes.
loses_shifts <- function(options) {
  options$size_correction && !is_unknown(metric_limits(options$metric, Inf))
}

# Scores without the shifts of their winners: what these score out of bag on average beyond their
# score on all rows. Scores are NaN where they are undefined.
without_shifts <- function(scores, winners, score, all_rows, problem, plan, threads,
                           rows = NULL) {
  chosen <- sort(unique(as.integer(winners)))
  out_of_bag <- by_replicate(problem, plan, threads, function(b, counts) {
    out <- which((if (is.null(rows)) counts else counts[rows]) == 0)
    vapply(chosen, function(index) {
      if (length(out) == 0) return(NaN)
      score(index, out, sprintf("out of the bag of replicate %d", b))
    }, 0)
  }, n_values = length(chosen))
  means <- rowMeans(matrix(out_of_bag, length(chosen)), na.rm = TRUE)
  on_all_rows <- vapply(chosen, score, 0, all_rows, "on all rows")
  shifts <- (means - on_all_rows)[match(winners, chosen)]
  list(replicates = scores - shifts, size_bias = mean(shifts[!is.nan(scores)]))
}

# `compute(b, counts)` of every replicate, a column each.
by_replicate <- function(problem, plan, threads, compute, n_values = 2) {
  target <- draw_target(problem, plan$metric)
  n_rows <- problem$truth$n_rows
  at_once <- max(1, 2^22 %/% n_rows)
  starts <- seq(0, plan$n_bootstraps - 1, by = at_once)
  do.call(cbind, lapply(starts, function(first) {
    n <- min(at_once, plan$n_bootstraps - first)
    counts <- matrix(checked(kernel_scoring_counts(target, plan, first, n, threads)), n_rows)
    vapply(seq_len(n), function(i) compute(first + i, counts[, i]), numeric(n_values))
  }))
}

# The truth for which replicates are drawn: every draw suits a function.
draw_target <- function(problem, metric) {
  if (is.null(metric$score)) kernel_target(problem$truth)
  else list(values = numeric(problem$truth$n_rows))
}

# A function of configuration and rows: the mean over repeats of the user's score.
row_scorer <- function(problem, metric) {
  truth <- users_truth(problem$truth)
  columns <- lapply(problem$predictions, users_predictions, problem$truth, metric)
  function(configuration, rows, where) {
    mean(vapply(columns, function(column) {
      prediction <- column(configuration)
      value <- metric$score(truth[rows], if (is.matrix(prediction)) prediction[rows, , drop = FALSE]
                            else prediction[rows])
      if (!is.numeric(value) || length(value) != 1 || !is.finite(value)) {
        abort("`metric`: \"%s\" is %s %s, not one finite number", metric$name,
              paste(format(value), collapse = " "), where)
      }
      as.double(value)
    }, 0))
  }
}

users_truth <- function(truth) {
  if (is.null(truth$codes)) truth$values
  else factor(truth$classes[truth$codes + 1], truth$classes)
}

# A function of the configuration that gives its predictions as the user's function reads them.
users_predictions <- function(array, truth, metric) {
  if (metric$predicts == "labels") {
    values <- label_values(truth)
    return(function(j) factor(truth$classes[match(array[, j], values)], truth$classes))
  }
  if (length(dim(array)) == 2 && metric$predicts == "class_probabilities") {
    return(function(j) matrix(c(1 - array[, j], array[, j]), ncol = 2,
                              dimnames = list(NULL, truth$classes)))
  }
  if (length(dim(array)) == 2) return(function(j) array[, j])
  function(j) matrix(array[, j, ], dim(array)[[1]], dimnames = list(NULL, truth$classes))
}

# What kernel_score_winners() gives, of winners that another metric chose.
scored_by_function <- function(scored, selecting, winners, threads, rows = NULL) {
  refuse_custom_design(scored$problem, scored$options)
  score <- row_scorer(scored$problem, scored$options$metric)
  found <- by_replicate(selecting$problem, selecting$plan, threads, function(b, counts) {
    out <- which((if (is.null(rows)) counts else counts[rows]) == 0)
    winner <- winners$replicates[[b]]
    c(winner, if (length(out) == 0) NaN
              else score(winner, out, sprintf("out of the bag of replicate %d", b)))
  })
  every_row <- seq_len(scored$problem$truth$n_rows)
  lost <- list(replicates = found[2, ], size_bias = NULL)
  if (loses_shifts(scored$options)) {
    lost <- without_shifts(found[2, ], winners$replicates, score, every_row, selecting$problem,
                           selecting$plan, threads, rows)
  }
  found[2, ] <- lost$replicates
  defined <- which(!is.nan(found[2, ]))
  list(
    size_bias = lost$size_bias,
    replicates = found[2, defined], defined = defined,
    apparent = score(winners$all_rows, seq_len(scored$problem$truth$n_rows), "on all rows"),
    undefined_fold_share = 0
  )
}
