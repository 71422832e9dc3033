#' Correct the best of the first 1, 2, 4, ... configurations
#'
#' Shows when tuning stopped paying: the apparent curve can only rise, the corrected one need not.
#' Configurations are taken in the order of the columns, that of the search. All points share their
#' draws and one pass over the predictions.
#'
#' Where the corrected curve falls from its best point to its end while the apparent one rises, the
#' result has finding BBC019. Falls are tested by lower bounds at a nominal 90 %, which in simulations
#' of flat and rising curves speak in less than 5 %, because the standard errors are too large where
#' winners vary.
#'
#' Where fitted models vary, the curve of method `"bbc"` rises although nothing improves; that of
#' `"bbc-two-level"` does not.
#'
#' Of a search that dropped configurations on the way (`missing = "rungs"`), each point is the correction rung
#' by rung of the first t, if one of these was carried to the end, and the picture marks those that were stopped.
#' The order must be that in which they were tried, so that the first t were dropped by what they scored
#' themselves; BBC019 is not said of such searches, of which it was not simulated.
#'
#' @param fit What [bbc_correct()] returned, with method `"bbc"` or `"bbc-two-level"` and
#'   `selection = "best"`.
#' @param metric Another metric than the one that selects the best of each t. A replicate in which it is
#'   undefined for the winner of some t is left out. Not for `missing = "rungs"`.
#' @param ... No other arguments.
#' @return An object of class `bbc_tuning_path`, a list with `path` (a data frame with a row per
#'   point: `n_configurations`, `estimate`, `low`, `high`, `apparent`, `winner`, and `fall`, how much
#'   worse the best of all is), `falls` (the differences, as in [bbc_compare()]), `estimate` (the
#'   record of all configurations), `best` (the number of configurations with the best
#'   corrected estimate), `overtuned`, `stopped` (the configurations that the search stopped early, where the
#'   predictions show it) and `findings`.
#' @references
#' G. C. Cawley, N. L. C. Talbot (2010). On over-fitting in model selection and subsequent selection
#' bias in performance evaluation. *Journal of Machine Learning Research* 11, 2079-2107.
#' @examples
#' set.seed(1)
#' truth <- rbinom(100, 1, 0.5)
#' guesses <- matrix(rbinom(6400, 1, 0.5), 100)
#' fit <- bbc_correct(guesses, truth, "accuracy", seed = 1, n_threads = 2)
#' path <- bbc_tuning_path(fit)
#' path
#' plot(path)
#' @export
bbc_tuning_path <- function(fit, ...) UseMethod("bbc_tuning_path")

#' @export
bbc_tuning_path.default <- function(fit, ...) refuse_unfitted(fit, "bbc_tuning_path")

#' @rdname bbc_tuning_path
#' @export
bbc_tuning_path.bbc_estimate <- function(fit, metric = NULL, ...) {
  no_more_arguments(...)
  correction <- winners_of(fit, "bbc_tuning_path")
  refuse_custom(correction$metric, "bbc_tuning_path()")
  with_call(path_of(correction, metric))
}

path_of <- function(correction, metric) {
  selecting <- correction$selecting
  problem <- selecting$problem
  n <- n_kept(problem)
  points <- unique(c(2^seq(0, floor(log2(n))), n))
  if (!is.null(problem$rungs)) {
    if (!is.null(metric)) abort('`metric` is not for `missing = "rungs"`: each rung has its own winners')
    points <- points[points >= which(are_complete(problem))[[1]]]
    raw <- lapply(points, function(t) corrected_first(selecting, t, correction$threads))
    return(new_path(raw, points, selecting, correction$decided))
  }
  raw <- checked(kernel_tuning_path(kernel_target(problem$truth), problem$predictions, selecting$plan,
                                    as.integer(points), correction$threads), problem)
  is_own <- is.null(metric) || identical(one_metric(metric), correction$metric)
  if (is_own && !correction$by_means) return(new_path(raw, points, selecting, correction$decided))
  scored <- correction$scored(if (is_own) correction$metric else one_metric(metric))
  found <- path_by(scored, raw, points, correction)
  overall <- if (is_own) correction$decided else reported(scored, correction, found$among)
  new_path(found$raw, points, scored, overall)
}

# Which configurations predicted all rows that any did.
are_complete <- function(problem) {
  predicted <- problem$rungs$predicted
  colSums(predicted[rowSums(predicted) > 0, , drop = FALSE] == 0) == 0
}

# The numbers of the correction rung by rung of the first t.
corrected_first <- function(selecting, t, threads) {
  problem <- selecting$problem
  first <- seq_len(t)
  problem$predictions <- lapply(problem$predictions, function(array) {
    if (length(dim(array)) == 3) array[, first, , drop = FALSE] else array[, first, drop = FALSE]
  })
  problem$rungs$predicted <- problem$rungs$predicted[, first, drop = FALSE]
  corrected(problem, selecting$options, replace(selecting$plan, "rungs", list(problem$rungs)), threads)
}

# The same winners' numbers by another metric, of the replicates in which it is defined for all of them.
path_by <- function(scored, raw, points, correction) {
  refuse_other_cells(scored, correction)
  found <- lapply(raw, function(own) {
    correction$decided[c("winner", "replicate_winners")] <- own[c("winner", "replicate_winners")]
    # In the numbering of the configurations that stay.
    correction$selecting$problem["kept_configurations"] <- list(NULL)
    winner_scores(scored, correction)
  })
  among <- Reduce(intersect, lapply(found, `[[`, "defined"))
  raw <- Map(function(own, first, n) {
    own <- among_replicates(own, among)
    own$estimate <- moments_of(own, n, scored$plan)$estimate
    own$infeasible <- first$infeasible
    with_limits(own, scored$problem, scored$options)
  }, found, raw, points)
  list(raw = raw, among = among)
}

new_path <- function(raw, points, scored, estimate) {
  last <- length(raw)
  problem <- scored$problem
  options <- scored$options
  of_each <- function(name) vapply(raw, function(own) as.double(own[[name]]), 0)
  ends_of_each <- lapply(raw, function(own) {
    if (!is.null(own$infeasible)) return(list(low = NA_real_, high = NA_real_))
    with_open_end(list(low = own$low, high = own$high, alternative = options$alternative),
                  estimate$limits, own$replicates)
  })
  kept <- problem$kept_configurations
  given <- if (is.null(kept)) points else c(kept[points[-last]], problem$n_configurations)
  tested <- options
  tested$confidence_level <- 0.9
  tested$alternative <- "greater"
  # The winners of both are often the same, so only the replicates tell; models are as they are.
  draws <- replace(draws_of(problem, tested), "overlap", 0)
  winners <- as.integer(of_each("winner"))
  shares <- lapply(winners, function(winner) class_shares_of(problem, winner, options, NULL))
  first <- seq_len(last - 1)
  second <- rep(last, last - 1)
  falls <- kernel_differences_of(lapply(raw, `[[`, "replicates"), rep(1, last), first, second, draws, tested,
                                 hidden = hidden_in_pairs(shares, first, second, problem, options))
  falls <- data.frame(falls[names(falls) != "infeasible"])
  path <- data.frame(
    n_configurations = as.integer(given), estimate = of_each("estimate"),
    low = vapply(ends_of_each, `[[`, 0, "low"), high = vapply(ends_of_each, `[[`, 0, "high"),
    apparent = of_each("apparent"),
    winner = if (is.null(kept)) winners else kept[winners], fall = c(falls$estimate, 0)
  )
  sign <- if (estimate$greater_is_better) 1 else -1
  peak <- which.max(sign * path$estimate)
  rise <- sign * (path$apparent[[last]] - path$apparent[[peak]])
  # Of searches that dropped configurations it was not simulated.
  found <- if (peak < last && is.null(problem$rungs)) found_by("path", list(
    n_at_peak = path$n_configurations[[peak]], n_configurations = path$n_configurations[[last]],
    fall = falls$estimate[[peak]], fall_low = falls$low[[peak]], apparent_rise = rise
  ))
  new_result(list(
    path = path, falls = falls, estimate = estimate, best = path$n_configurations[[peak]],
    overtuned = !is.null(found), stopped = stopped_of(problem), findings = all_findings(estimate$findings, found)
  ), "bbc_tuning_path")
}

# The configurations that the search stopped early, where the predictions show it.
stopped_of <- function(problem) {
  if (is.null(problem$rungs)) return(integer())
  stopped <- which(!are_complete(problem))
  kept <- problem$kept_configurations
  if (is.null(kept)) stopped else kept[stopped]
}

show_result.bbc_tuning_path <- function(x) {
  e <- x$estimate
  cat_parts(sprintf("%s of the best of t (%s is better), method %s, %s", e$metric,
                    if (e$greater_is_better) "higher" else "lower", e$method,
                    if (e$pooling == "fold") "mean of folds" else e$pooling))
  if (length(x$stopped)) {
    cat_parts(sprintf("%d of %d stopped early", length(x$stopped), max(x$path$n_configurations)))
  }
  path <- stats::setNames(x$path[1:6], c("t", names(x$path)[2:6]))
  print(with_decimals(path, rep(list(e), nrow(path))), row.names = FALSE)
  for (text in finding_text(x$findings)) cat(strwrap(text, 80, exdent = 2), sep = "\n")
  cat_parts(seed_text(e))
  cat_skipped(e)
}

frame_of.bbc_tuning_path <- function(x) x$path

tidy_of.bbc_tuning_path <- function(x) {
  data.frame(term = x$path$n_configurations, estimate = x$path$estimate, conf.low = x$path$low,
             conf.high = x$path$high)
}

glance_of.bbc_tuning_path <- function(x) glance_of(x$estimate)
