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
#' @param predictions,truth,metric,groups,block_length,stratify_bootstrap,sample_weight,event_level,missing,pooling,n_bootstraps,resamples,confidence_level,on_undefined,names,dynamic_search,size_correction,seed,n_threads
#'   As in [bbc_correct()].
#' @param method,folds As in [bbc_compare()].
#' @param estimate Name of the column of predictions of a long table, see [bbc_tables].
#' @return An object of class `bbc_tuning_path`, a list with `path` (a data frame with a row per
#'   point: `n_configurations`, `estimate`, `low`, `high`, `apparent`, `winner`, and `fall`, how much
#'   worse the best of all is), `falls` (the differences, as in [bbc_compare()]), `estimate` (the
#'   `bbc_estimate` of all configurations), `best` (the number of configurations with the best
#'   corrected estimate), `overtuned` and `findings`.
#' @references
#' G. C. Cawley, N. L. C. Talbot (2010). On over-fitting in model selection and subsequent selection
#' bias in performance evaluation. *Journal of Machine Learning Research* 11, 2079-2107.
#' @examples
#' set.seed(1)
#' truth <- rbinom(100, 1, 0.5)
#' guesses <- matrix(rbinom(6400, 1, 0.5), 100)
#' path <- bbc_tuning_path(guesses, truth, "accuracy", seed = 1, n_threads = 2)
#' path
#' plot(path)
#' @export
bbc_tuning_path <- function(predictions, truth, metric, method = "auto", folds = NULL,
                            groups = NULL, block_length = NULL, stratify_bootstrap = FALSE, sample_weight = NULL,
                            event_level = NULL, missing = "raise", pooling = "pooled",
                            n_bootstraps = 1000, resamples = NULL, confidence_level = 0.95,
                            on_undefined = "redraw", names = NULL, dynamic_search = FALSE,
                            size_correction = TRUE, estimate = NULL, seed = NULL, n_threads = NULL) {
  if (missing(metric)) abort_no_metric()
  method <- choice(method, "method", c("auto", "bbc", "bbc-two-level"))
  options <- checked_options(metric, if (method == "auto") "bbc" else method, pooling,
                             stratify_bootstrap, n_bootstraps, confidence_level, "two-sided",
                             on_undefined, seed, "best", dynamic_search, size_correction)
  refuse_custom(options$metric, "bbc_tuning_path()")
  threads <- threads_of(n_threads)
  problem <- family_problem(predictions, if (!missing(truth)) truth, options, estimate, folds,
                            groups, sample_weight, event_level, missing, names, block_length, threads)
  warn_of_said(problem)
  if (method == "auto" && is.null(resamples) && fewest_folds(problem) >= 4) {
    options$method <- "bbc-two-level"
  }
  plan <- kernel_options(problem, options, resamples)
  n <- dim(problem$predictions[[1]])[[2]]
  points <- unique(c(2^seq(0, floor(log2(n))), n))
  raw <- checked(kernel_tuning_path(kernel_target(problem$truth), problem$predictions, plan,
                                    as.integer(points), threads), problem)
  with_call(new_path(raw, points, problem, options, plan))
}

new_path <- function(raw, points, problem, options, plan) {
  last <- length(raw)
  whole <- raw[[last]]
  if (options$method == "bbc") {
    whole$model_luck <- untested_luck(problem, "predictions that come in blocks")
  }
  options$dynamic_search <- options$dynamic_search || isTRUE(problem$dynamic_search)
  e <- as_settled(new_estimate(whole, problem, options, plan), problem)
  of_each <- function(name) vapply(raw, function(own) as.double(own[[name]]), 0)
  feasible <- !is.null(e$confidence_interval)
  kept <- problem$kept_configurations
  given <- if (is.null(kept)) points else c(kept[points[-last]], problem$n_configurations)
  tested <- options
  tested$confidence_level <- 0.9
  tested$alternative <- "greater"
  # The winners of both are often the same, so only the replicates tell; models are as they are.
  draws <- replace(draws_of(problem, tested), "overlap", 0)
  falls <- kernel_differences_of(lapply(raw, `[[`, "replicates"), rep(1, last),
                                 seq_len(last - 1), rep(last, last - 1), draws, tested)
  falls <- data.frame(falls[names(falls) != "infeasible"])
  winners <- as.integer(of_each("winner"))
  path <- data.frame(
    n_configurations = as.integer(given), estimate = of_each("estimate"),
    low = if (feasible) of_each("low") else NA_real_,
    high = if (feasible) of_each("high") else NA_real_, apparent = of_each("apparent"),
    winner = if (is.null(kept)) winners else kept[winners], fall = c(falls$estimate, 0)
  )
  sign <- if (e$greater_is_better) 1 else -1
  peak <- which.max(sign * path$estimate)
  rise <- sign * (path$apparent[[last]] - path$apparent[[peak]])
  found <- if (peak < last) found_by("path", list(
    n_at_peak = path$n_configurations[[peak]], n_configurations = path$n_configurations[[last]],
    fall = falls$estimate[[peak]], fall_low = falls$low[[peak]], apparent_rise = rise
  ))
  new_result(list(
    path = path, falls = falls, estimate = e, best = path$n_configurations[[peak]],
    overtuned = !is.null(found), findings = all_findings(e$findings, found)
  ), "bbc_tuning_path")
}

show_result.bbc_tuning_path <- function(x) {
  e <- x$estimate
  cat_parts(sprintf("%s of the best of t (%s is better), method %s, %s", e$metric,
                    if (e$greater_is_better) "higher" else "lower", e$method,
                    if (e$pooling == "fold") "mean of folds" else e$pooling))
  print(stats::setNames(x$path[1:6], c("t", names(x$path)[2:6])), digits = shown_digits(4), row.names = FALSE)
  for (text in finding_text(x$findings)) cat(strwrap(text, 80, exdent = 2), sep = "\n")
  cat_parts(seed_text(e))
}

frame_of.bbc_tuning_path <- function(x) x$path

tidy_of.bbc_tuning_path <- function(x) {
  data.frame(term = x$path$n_configurations, estimate = x$path$estimate, conf.low = x$path$low,
             conf.high = x$path$high)
}

glance_of.bbc_tuning_path <- function(x) glance_of(x$estimate)
