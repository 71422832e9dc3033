# What limits the validity of a result: facts of data, draws, predictions and result, of which
# inst/sentences.toml says which show something.

# Findings that call for another analysis are warned of as well.
is_warned <- function(codes) {
  vapply(codes, function(code) texts()$findings[[code]]$level == "warning", NA, USE.NAMES = FALSE)
}

finding <- function(code, detail) {
  own <- texts()$findings[[code]]
  data.frame(code = code, title = own$title, detail = detail, advice = own$advice)
}

no_findings <- data.frame(code = character(), title = character(), detail = character(),
                          advice = character())

# Those that summaries and pages show: the others limit nothing.
told_findings <- function(findings) {
  findings[vapply(findings$code, function(code) {
    !identical(texts()$findings[[code]]$level, "record")
  }, NA, USE.NAMES = FALSE), ]
}

finding_text <- function(findings) {
  findings <- told_findings(findings)
  sprintf("%s %s: %s; %s", findings$code, findings$title, findings$detail, findings$advice)
}

# All of these, in the order of their codes, the first of each.
all_findings <- function(...) {
  found <- rbind(...)
  if (is.null(found)) return(no_findings)
  found <- found[order(found$code), ]
  found <- found[!duplicated(found$code), ]
  rownames(found) <- NULL
  found
}

warn_of <- function(findings) {
  for (text in finding_text(findings[is_warned(findings$code), ])) {
    warning(text, call. = FALSE)
  }
}

# What truth, groups and folds show.
findings_of_data <- function(problem, metric) {
  truth <- problem$truth
  survival <- !is.null(truth$status)
  rows <- checked(kernel_row_facts(plain_target(truth), as.integer(problem$folds),
                                   as.integer(problem$groups), problem$weights))
  torn <- !is.null(problem$groups) && !is.null(problem$folds)
  found_by("data", c(list(
    n_units = rows$n_units, units = name_of_units(problem), survival = survival,
    time_ordered = problem$time_ordered, block_groups = are_blocks(problem$groups),
    needs_classes = nzchar(computation_facts(metric)$needs_classes) || survival ||
      (metric$kernel == "recall" && metric$average == "binary"),
    skewed = computation_facts(metric)$skewed,
    n_split_groups = if (torn) rows$n_split_units, n_groups = if (torn) max(problem$groups) + 1,
    folds_tell_truth = rows$folds_tell_truth,
    groups_tell_truth = rows$units_tell_truth && is.null(problem$block_length),
    n_truth_folds = if (!is.null(problem$folds)) max(problem$folds[, 1]) + 1
  ), class_sizes(truth, metric, rows$n_units_of_class)))
}

# What the limits rest on beside the replicates: the number of events, or tails of errors.
findings_of_limits <- function(raw, interval, errors) {
  if (is.null(interval) || interval$calibrated) return(NULL)
  found_by("limits", list(
    limits_count_events = isTRUE(raw$few_events), replicates_low = raw$replicates_low,
    replicates_high = raw$replicates_high, decimals = decimals(errors, interval), kurtosis = given_number(raw$kurtosis),
    alike_errors = isTRUE(raw$alike_errors)
  ))
}

# What rows that vote for themselves are called.
name_of_units <- function(problem) {
  units <- if (!is.null(problem$block_length)) "independent stretches of rows"
           else if (is.null(problem$groups)) "rows" else "groups"
  if (is.null(problem$weights)) units else paste("effective", units)
}

# The class with the fewest rows or groups, and the one whose rows the metric counts.
class_sizes <- function(truth, metric, sizes) {
  none <- list(n_of_rarest = NULL, rarest = NULL, n_of_counted = NULL, counted = NULL)
  if (!is.null(truth$status)) none["n_of_rarest"] <- sizes[[2]]
  if (is.null(truth$codes)) return(none)
  of_event <- metric$kernel == "average_precision" ||
    (metric$average == "binary" && metric$kernel %in% c("f_beta", "jaccard"))
  rarest <- which.min(sizes)
  counted <- if (of_event) 2 else rarest
  label <- function(class) as.character(truth$classes[[class]])
  list(n_of_rarest = sizes[[rarest]], rarest = label(rarest), n_of_counted = sizes[[counted]],
       counted = label(counted))
}

# Whether a fold counts 0 if no row is called the event, though it has rows of both classes: metrics that are
# defined without a class of the truth are those that count 0 instead.
counts_calls <- function(metric) {
  facts <- computation_facts(metric)
  facts$form == "confusion" && metric$average %in% c("", "binary") &&
    metric$kernel != "negative_predictive_value" && facts$needs_classes %in% c("", "two")
}

# What folds show where a mean of their own scores is the metric.
findings_of_folds <- function(problem, options, winner) {
  metric <- options$metric
  truth <- problem$truth
  of_folds <- options$method %in% c("bbc-f", "tt") || identical(options$pooling, "fold")
  if (!of_folds || is.null(problem$folds) || is.null(truth$codes) || truth$n_classes != 2) return(NULL)
  counts <- function(counted) {
    unlist(lapply(seq_along(counted), function(i) tapply(counted[[i]], problem$folds[, i], sum)))
  }
  facts <- list(metric = metric$name, events_per_fold = NULL, n_silent_folds = NULL,
                silent_share = NULL, n_tested_folds = NULL)
  if (metric$kernel == "average_precision") {
    facts$events_per_fold <- mean(counts(rep(list(truth$codes == 1), ncol(problem$folds))))
  } else if (counts_calls(metric) && !is.null(problem$predictions) && !derives(options$selection)) {
    event <- label_values(truth)[[2]]
    calls <- counts(lapply(problem$predictions, function(own) own[, winner] == event))
    facts$n_silent_folds <- sum(calls == 0)
    facts$n_tested_folds <- length(calls)
    facts$silent_share <- mean(calls == 0)
  }
  found_by("fold_events", facts)
}

# What the replicates show. A draw of all folds is common and harmless: it says nothing about the
# metric.
findings_of_draws <- function(raw, metric, plan, unit) {
  if (is.null(plan) || unit == "fold") return(NULL)
  found_by("draws", list(
    redrawn_share = raw$n_redrawn / plan$n_bootstraps - redraws_for_all_folds(plan$drawn_folds),
    n_redrawn = raw$n_redrawn, n_bootstraps = plan$n_bootstraps, metric = metric$name
  ))
}

# What the predictions of the winner show; `winner` counts the configurations that stay, and `place` all.
findings_of_winner <- function(problem, metric, winner, place = winner) {
  predictions <- problem$predictions
  if (is.null(predictions)) return(NULL)
  found_by("winner", c(
    list(n_rows = problem$truth$n_rows, winner_name = name_of(problem$names, place)),
    from_truth(problem, metric, winner, predictions),
    dominating_row(problem, metric, winner, predictions),
    worse_than_chance(problem, metric, winner, predictions),
    worse_than_curve(problem, metric, winner, predictions)
  ))
}

# Whether the winner's loss is above all that of one row.
dominating_row <- function(problem, metric, winner, predictions) {
  unknown <- list(row_share = NULL, row_dominates = NULL)
  if (!is.null(metric$score)) return(unknown)
  found <- kernel_largest_share(kernel_target(problem$truth), of_some(predictions, winner), metric,
                                problem$weights)
  # Squares may overflow, though R2 itself does not.
  if (inherits(found, "bbc_failure")) return(unknown)
  list(row_share = found$share, row_dominates = found$dominates)
}

# Whether the winner ranks the rows of one fold worse than chance, or by other metrics runs against the
# truth: then the scores may be those of the other class.
worse_than_chance <- function(problem, metric, winner, predictions) {
  other <- list(runs_against = NULL, correlation = NULL)
  unknown <- list(ranks_worse_than_chance = NULL, in_folds = NULL, auc = NULL)
  if (computation_facts(metric)$form != "ranking" || metric$predicts != "score") {
    return(c(unknown, association(problem, metric, winner, predictions)))
  }
  unknown <- c(unknown, other)
  found <- kernel_ranking(kernel_target(problem$truth), of_some(predictions, winner),
                          as.integer(problem$folds))
  if (inherits(found, "bbc_failure")) return(unknown)
  c(list(ranks_worse_than_chance = found$worse_than_chance, in_folds = !is.null(problem$folds),
         auc = found$auc), other)
}

# Whether one survival curve for all rows predicts better than the winner, whose predictions are losses.
worse_than_curve <- function(problem, metric, winner, predictions) {
  if (metric$censoring != "brier") {
    return(list(worse_than_curve = NULL, score = NULL, curve_score = NULL))
  }
  brier <- problem$truth$brier
  found <- checked(kernel_against_curve(of_some(predictions, winner), brier$values, brier$weights, metric$times,
                                        problem$weights, as.integer(problem$groups)))
  list(worse_than_curve = found$worse, score = found$score, curve_score = found$curve_score)
}

# What the numbers themselves show.
findings_of_result <- function(x, metric) {
  limits <- metric_limits(metric, Inf)
  interval <- x$confidence_interval
  width <- if (!is.null(interval)) interval$high - interval$low
  derived <- !is.null(x$weights) || !is.null(x$threshold)
  found_by("result", list(
    method = x$method, n_configurations = x$n_configurations, n_folds = x$n_folds,
    limit_error_share = limit_error_share(x, width),
    n_needed = replicates_needed(x, width), nothing_selected = is.null(x$threshold) &&
      x$n_configurations - length(x$left_out_configurations) == 1,
    winner_share = if (is.null(x$weights)) x$selection_frequency[x$winner],
    single_hold_out = !is.null(x$model_luck) && is.null(x$model_luck$p_value) &&
      x$n_folds == 1 && !derived,
    estimate = x$estimate, lowest = limits[[1]], highest = limits[[2]],
    effective_sample_size = NULL, undefined_fold_share = x$undefined_fold_share, width = width,
    width_share = if (!is.null(width)) width / (limits[[2]] - limits[[1]]),
    at_best = !is.null(width) && interval$low == limits[[if (metric$greater_is_better) 2 else 1]]
  ))
}

# The error of the limit that varies more between seeds, where the interval has a width.
limit_error_share <- function(x, width) {
  errors <- x$monte_carlo_error[c("low", "high")]
  errors <- errors[!is.na(errors) & errors > 0]
  if (length(errors) == 0 || is.null(width) || !(width > 0 && width < Inf)) return(NULL)
  max(errors) / width
}

# Replicates of which it would be a fiftieth of the width.
replicates_needed <- function(x, width) {
  share <- limit_error_share(x, width)
  if (!is.null(share)) ceiling(x$n_bootstraps * (50 * share)^2)
}

# What to say of an AUC or C-index below one half, which the wrong event gives: no finding, for a
# useless search has it as well.
below_half_note <- function(metric, truth, apparent) {
  ranked <- startsWith(metric$kernel, "roc_auc") || metric$kernel == "concordance_index"
  if (!ranked || apparent >= 0.5) return(character())
  unless <- if (metric$target == "survival") "unless a higher prediction means a later event"
    else if (is.null(truth$event)) "unless the scores are in another order than the classes"
    else sprintf("unless a higher score means another event than \"%s\" (see `event_level`)", truth$event)
  sprintf("no configuration has a %s of 0.5 or more (the best has %s): they rank worse than chance, %s", metric$name,
          written("%.3g", apparent), unless)
}
