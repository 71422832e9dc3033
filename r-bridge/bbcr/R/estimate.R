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
  unit <- if (is.null(plan)) "row" else units_of(problem, options)$unit
  spread <- if (is_calibrated(options)) spread_of(raw, problem)
  if (!is.null(spread)) {
    ends <- calibrated_ends(raw$estimate, spread, raw$rates, plan$confidence_level,
                            plan$alternative, limits)
    ends$monte_carlo_error <- c(raw$monte_carlo_error[[1]], NA, NA) # are not limits of replicates
    raw <- replace(raw, names(ends), ends)
  }
  infeasible <- raw$infeasible
  interval <- if (!is.null(plan) && is.null(infeasible)) with_open_end(list(
    low = raw$low, high = raw$high, confidence_level = plan$confidence_level,
    alternative = plan$alternative, calibrated = is_calibrated(options)
  ), limits, raw$replicates)
  errors <- monte_carlo_error(raw, plan, infeasible)
  design <- if (problem$n_rows > 0) design_of(problem, options, plan) else unknown_design(options)
  found <- rbind(
    found, if (problem$n_rows > 0) findings_of_origin(design),
    findings_of_draws(raw, metric, plan, unit),
    findings_of_luck(raw$model_luck, raw$estimate, interval, options$method),
    if (problem$n_rows > 0) findings_of_data(problem, metric),
    findings_of_choice(problem, options, raw$winner),
    if (problem$n_rows > 0) findings_of_folds(problem, options, raw$winner),
    findings_of_limits(raw, interval, errors)
  )
  warn_of(all_findings(found))
  notes <- if (is.null(options$selection)) below_half_note(metric, problem$truth, raw$apparent)
  for (note in notes) warning(note, call. = FALSE)
  notes <- c(notes, note_of_blocks(problem), note_of_rungs(raw, problem),
             note_of_shares(problem, options, plan))
  winner <- given_index(raw$winner)
  replicate_winners <- given_index(raw$replicate_winners)
  result <- new_result(list(
    estimate = raw$estimate,
    confidence_interval = interval,
    infeasible = infeasible, replicate_sd = raw$replicate_sd, apparent = raw$apparent,
    optimism = raw$optimism, monte_carlo_error = errors,
    size_bias = given_number(raw$size_bias),
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
    pooling = if (options$method %in% c("bbc-f", "tt")) "fold" else options$pooling,
    unit = unit, n_rows = problem$n_rows, n_configurations = problem$n_configurations,
    n_folds = if (is.null(problem$folds)) 0L else max(problem$folds[, 1]) + 1L,
    n_repeats = problem$n_repeats, names = problem$names, event = problem$truth$event,
    seed = plan$seed, version = kernel_version(), left_out_rows = problem$left_out_rows,
    left_out_configurations = problem$left_out_configurations,
    undefined_fold_share = if (!is.null(plan$folds)) raw$undefined_fold_share,
    undefined_folds = undefined_folds_of(raw, problem, plan, metric),
    model_luck = raw$model_luck, threshold = raw$threshold,
    replicate_thresholds = raw$replicate_thresholds, weights = of_all(raw$weights),
    design = design,
    findings = NULL, notes = as.character(notes)
  ), "bbc_estimate")
  attr(result, "rates") <- raw$rates
  attr(result, "spread") <- spread
  result$findings <- all_findings(found, findings_of_result(result, metric))
  result
}

# In how many folds of the data a mean of folds has no score of the winner; NULL where folds are not averaged.
undefined_folds_of <- function(raw, problem, plan, metric) {
  if (is.null(plan$folds) || is.null(problem$predictions) || !isTRUE(raw$undefined_fold_share > 0)) return(NULL)
  if (!is.null(raw$weights)) return(NULL) # an ensemble has predictions of its own
  problem$predictions <- of_some(problem$predictions, raw$winner)
  if (!is.null(raw$threshold)) {
    labels <- as.integer(label_values(problem$truth))
    problem$predictions <- lapply(problem$predictions, function(own) {
      array(labels[1L + (own > raw$threshold)], dim(own))
    })
  }
  problem$n_configurations <- 1L
  sum(vapply(seq_len(problem$n_repeats), function(i) {
    sum(is.nan(scores_of_repeat(problem, metric, i, NULL)$scores))
  }, 0L))
}

# By how much estimate and limits vary between seeds; NA where there is no limit, or too few replicates tell.
monte_carlo_error <- function(raw, plan, infeasible) {
  if (is.null(plan) || length(raw$replicates) == 0) return(NULL)
  errors <- raw$monte_carlo_error
  if (!is.null(infeasible) || is.null(errors)) {
    errors <- c(raw$replicate_sd / sqrt(length(raw$replicates)), NA, NA)
  }
  named_errors(errors)
}

named_errors <- function(errors) {
  errors[is.nan(errors)] <- NA
  stats::setNames(errors, c("estimate", "low", "high"))
}

# The open end of a one-sided interval is a limit of the metric; where none is known, the last
# replicate.
with_open_end <- function(interval, limits, replicates) {
  if (is_unknown(limits)) limits <- range(replicates, na.rm = TRUE)
  if (interval$alternative == "less") interval$low <- limits[[1]]
  if (interval$alternative == "greater") interval$high <- limits[[2]]
  interval
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

ends_of.bbc_estimate <- function(x, level) {
  if (is.null(x$secondary)) return(ends_of_metric(x, level))
  # The limits of each metric; none where only too few replicates are left of it.
  every <- every_metric(x)
  ends <- lapply(every, function(e) {
    if (is.null(e$confidence_interval)) c(NA_real_, NA_real_) else ends_of_metric(e, level)
  })
  first <- ends_of_metric(every[[1]], level)
  matrix(unlist(ends), length(ends), byrow = TRUE, dimnames = list(names(every), colnames(first)))
}

ends_of_metric <- function(x, level) {
  interval <- x$confidence_interval
  if (is.null(interval)) {
    abort("there is no interval: %s", if (is.null(x$infeasible)) {
      sprintf("method \"%s\" gives none", x$method)
    } else x$infeasible)
  }
  if (!is.null(level) && !identical(level, interval$confidence_level)) {
    if (length(x$replicates) == 0) refuse_other_level(level, interval$confidence_level)
    level <- check_level(level)
    interval <- replace(interval, "confidence_level", level)
    ends <- if (isTRUE(interval$calibrated)) {
      if (is.null(attr(x, "spread"))) {
        abort("`level`: a protocol's calibrated interval has the level that it was given")
      }
      calibrated_ends(x$estimate, attr(x, "spread"), attr(x, "rates"), level, interval$alternative,
                      x$limits)
    } else {
      checked(kernel_corrected_limits(x$replicates, x$estimate, as.double(attr(x, "rates")), level,
                                      interval$alternative, x$limits[[1]], x$limits[[2]]))
    }
    interval[c("low", "high")] <- ends[c("low", "high")]
    interval <- with_open_end(interval, x$limits, x$replicates)
  }
  matrix(c(interval$low, interval$high), 1, dimnames = list(
    x$metric, tail_names(interval$alternative, interval$confidence_level)
  ))
}

frame_of.bbc_estimate <- function(x) {
  if (!is.null(x$secondary)) {
    return(replace(of_every_metric(x, frame_of), "metric", list(names(every_metric(x)))))
  }
  interval <- x$confidence_interval
  data.frame(
    metric = x$metric, method = x$method, pooling = x$pooling, estimate = x$estimate,
    low = or_na(interval$low), high = or_na(interval$high),
    confidence_level = or_na(interval$confidence_level),
    alternative = or_na(interval$alternative), apparent = x$apparent, optimism = x$optimism,
    size_bias = or_na(x$size_bias), winner = x$winner, winner_name = x$winner_name,
    replicate_sd = or_na(x$replicate_sd), n_bootstraps = x$n_bootstraps, n_redrawn = x$n_redrawn,
    n_rows = x$n_rows, n_left_out_rows = length(x$left_out_rows),
    n_configurations = x$n_configurations,
    n_left_out_configurations = length(x$left_out_configurations), n_folds = x$n_folds,
    n_repeats = x$n_repeats, undefined_fold_share = or_na(x$undefined_fold_share),
    n_undefined = undefined_in(x), seed = or_na(x$seed), version = x$version
  )
}

tidy_of.bbc_estimate <- function(x) {
  if (!is.null(x$secondary)) {
    return(replace(of_every_metric(x, tidy_of), "term", list(names(every_metric(x)))))
  }
  interval <- x$confidence_interval
  data.frame(term = x$metric, estimate = x$estimate, conf.low = or_na(interval$low),
             conf.high = or_na(interval$high))
}

glance_of.bbc_estimate <- function(x) {
  frame_of(x)[1, c(
    "metric", "method", "pooling", "estimate", "apparent", "optimism", "winner_name", "n_rows",
    "n_left_out_rows", "n_configurations", "n_left_out_configurations", "undefined_fold_share",
    "n_bootstraps", "n_redrawn", "n_undefined", "seed"
  )]
}
