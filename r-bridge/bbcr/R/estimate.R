# The kernel's numbers as a result, in the caller's numbering of configurations. Without a plan
# nothing was drawn. `found` are findings that are known already.
new_estimate <- function(raw, problem, options, plan = NULL, found = NULL) {
  metric <- options$metric
  limits <- metric_limits(metric, problem$truth$n_classes)
  kept <- problem$kept_configurations
  given_index <- function(index) if (is.null(kept) || is.null(index)) index else kept[index]
  # 0 for configurations that were dropped.
  of_all <- function(shares) {
    if (is.null(shares) || is.null(kept)) return(shares)
    replace(numeric(problem$n_configurations), kept, shares)
  }
  unit <- if (!is.null(plan)) units_of(problem, options)$unit
  spread <- if (is_calibrated(options)) spread_of(raw, problem)
  if (!is.null(spread)) {
    ends <- calibrated_ends(raw$estimate, spread, plan$confidence_level, plan$alternative, limits)
    raw <- replace(raw, names(ends), ends)
  }
  infeasible <- if (isTRUE(nzchar(raw$infeasible))) raw$infeasible
  interval <- if (!is.null(plan) && is.null(infeasible)) list(
    low = if (plan$alternative == "less") limits[[1]] else raw$low,
    high = if (plan$alternative == "greater") limits[[2]] else raw$high,
    confidence_level = plan$confidence_level, alternative = plan$alternative,
    calibrated = is_calibrated(options)
  )
  design <- if (problem$n_rows > 0) design_of(problem, options, plan) else unknown_design(options)
  found <- rbind(
    found, if (problem$n_rows > 0) findings_of_origin(design), findings_of_draws(raw, metric, plan, unit), findings_of_limits(raw, interval),
    findings_of_luck(raw$model_luck, raw$estimate, interval, options$method),
    if (problem$n_rows > 0) findings_of_data(problem, metric),
    if (!derives(options$selection)) findings_of_winner(problem, metric, raw$winner)
  )
  warn_of(all_findings(found))
  notes <- if (is.null(options$selection)) below_half_note(metric, problem$truth, raw$apparent)
  for (note in notes) warning(note, call. = FALSE)
  winner <- given_index(raw$winner)
  replicate_winners <- given_index(raw$replicate_winners)
  result <- structure(list(
    estimate = raw$estimate,
    confidence_interval = interval,
    infeasible = infeasible, replicate_sd = raw$replicate_sd, apparent = raw$apparent,
    optimism = raw$optimism, size_bias = given_number(raw$size_bias),
    winner = winner, winner_name = name_of(problem$names, winner),
    selection_frequency = if (!is.null(raw$weights)) {
      of_all(raw$selection_frequency)
    } else if (!is.null(plan)) {
      tabulate(replicate_winners, problem$n_configurations) / length(replicate_winners)
    },
    replicates = raw$replicates, replicate_winners = replicate_winners,
    n_bootstraps = length(raw$replicates), n_redrawn = if (is.null(plan)) 0 else raw$n_redrawn,
    metric = metric$name, greater_is_better = metric$greater_is_better, limits = limits,
    method = options$method,
    pooling = if (options$method %in% c("bbc", "bbc-two-level")) options$pooling else "fold",
    unit = unit, n_rows = problem$n_rows, n_configurations = problem$n_configurations,
    n_folds = if (is.null(problem$folds)) 0L else max(problem$folds[, 1]) + 1L,
    n_repeats = problem$n_repeats, names = problem$names, event = problem$truth$event,
    seed = plan$seed, version = kernel_version(), left_out_rows = problem$left_out_rows,
    left_out_configurations = problem$left_out_configurations,
    undefined_fold_share = if (!is.null(plan$folds)) raw$undefined_fold_share,
    model_luck = raw$model_luck, threshold = raw$threshold,
    replicate_thresholds = raw$replicate_thresholds, weights = of_all(raw$weights),
    design = design,
    findings = NULL, notes = as.character(notes)
  ), class = "bbc_estimate")
  attr(result, "rates") <- raw$rates
  attr(result, "spread") <- spread
  result$findings <- all_findings(found, findings_of_result(result, metric))
  result
}

# NULL where nothing was taken.
given_number <- function(value) if (!is.null(value) && !is.na(value)) value

name_of <- function(names, index) {
  if (is.null(names)) paste("configuration", index) else names[[index]]
}

# Expected redraws per replicate because no fold is left out: K!/K^K of the draws.
redraws_for_all_folds <- function(drawn_folds) {
  if (is.null(drawn_folds)) return(0)
  n_folds <- apply(drawn_folds, 2, max) + 1
  of_all <- exp(lfactorial(n_folds) - n_folds * log(n_folds))
  mean(of_all / (1 - of_all))
}

#' Methods for results
#'
#' @param object,x A result of [bbc_correct()] or [bbc_tt()].
#' @param parm Ignored: there is one estimate.
#' @param level Level of the interval; another one than that of `object` is read off the
#'   replicates.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Ignored.
#' @return `confint()`: a matrix with the ends of the interval; `coef()`: the estimate, named by
#'   the metric; `as.data.frame()`: one row with the numbers; `tidy()` and `glance()`: tables
#'   with the columns that broom users expect, tibbles if tibble is installed.
#'   [update()][bbc_update] computes the result again with other arguments.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' e <- bbc_correct(matrix(rbinom(800, 1, 0.5), 80), truth, "accuracy", n_threads = 2)
#' confint(e, level = 0.9)
#' coef(e)
#' summary(e)
#' as.data.frame(e)
#' @name bbc_estimate
NULL

#' @rdname bbc_estimate
#' @export
confint.bbc_estimate <- function(object, parm, level = object$confidence_interval$confidence_level,
                                 ...) {
  interval <- object$confidence_interval
  if (is.null(interval)) {
    abort("there is no interval: %s", if (is.null(object$infeasible)) {
      sprintf("method \"%s\" gives none", object$method)
    } else object$infeasible)
  }
  ends <- c(interval$low, interval$high)
  if (!identical(level, interval$confidence_level)) {
    found <- if (isTRUE(interval$calibrated)) {
      calibrated_ends(object$estimate, attr(object, "spread"), check_level(level),
                      interval$alternative, object$limits)
    } else {
      checked(kernel_corrected_limits(object$replicates, object$estimate,
                                      as.double(attr(object, "rates")), check_level(level),
                                      interval$alternative, object$limits[[1]],
                                      object$limits[[2]]))
    }
    ends <- c(found$low, found$high)
  }
  matrix(ends, 1, dimnames = list(object$metric, tail_names(interval$alternative, level)))
}

tail_names <- function(alternative, level) {
  tails <- switch(alternative,
    "two-sided" = c((1 - level) / 2, (1 + level) / 2), greater = c(1 - level, 1), less = c(0, level)
  )
  paste(format(100 * tails, trim = TRUE), "%")
}

# NULL as a cell of a table.
or_na <- function(value) if (is.null(value)) NA else value

#' @rdname bbc_estimate
#' @export
coef.bbc_estimate <- function(object, ...) {
  stats::setNames(object$estimate, object$metric)
}

#' @rdname bbc_estimate
#' @export
as.data.frame.bbc_estimate <- function(x, row.names = NULL, optional = FALSE, ...) {
  interval <- x$confidence_interval
  data.frame(
    metric = x$metric, method = x$method, pooling = x$pooling, estimate = x$estimate,
    low = or_na(interval$low), high = or_na(interval$high),
    confidence_level = or_na(interval$confidence_level),
    alternative = or_na(interval$alternative), apparent = x$apparent, optimism = x$optimism,
    size_bias = or_na(x$size_bias), winner = x$winner, winner_name = x$winner_name, replicate_sd = or_na(x$replicate_sd),
    n_bootstraps = x$n_bootstraps, n_redrawn = x$n_redrawn, n_rows = x$n_rows,
    n_configurations = x$n_configurations, n_folds = x$n_folds, n_repeats = x$n_repeats,
    seed = or_na(x$seed), version = x$version, row.names = row.names
  )
}

#' @rdname bbc_estimate
#' @export
tidy.bbc_estimate <- function(x, ...) {
  interval <- x$confidence_interval
  tidied(term = x$metric, estimate = x$estimate, conf.low = or_na(interval$low),
         conf.high = or_na(interval$high))
}

#' @rdname bbc_estimate
#' @export
glance.bbc_estimate <- function(x, ...) {
  tidied(as.data.frame(x)[c(
    "metric", "method", "pooling", "estimate", "apparent", "optimism", "winner_name", "n_rows",
    "n_configurations", "n_bootstraps", "n_redrawn", "seed"
  )])
}

# What tidy() and glance() return, a tibble as broom's do wherever there are tibbles.
tidied <- function(...) as_tibble_if_there(data.frame(...))

as_tibble_if_there <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}
