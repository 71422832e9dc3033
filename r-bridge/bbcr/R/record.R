# The record of a result: how its data were split, chosen from and drawn, as far as it is known.
# Sentences say what is written here, and nothing else.

design_of <- function(problem, options, plan) {
  truth <- problem$truth
  groups <- problem$groups
  event <- if (!is.null(truth$status)) truth$status == 1
           else if (!is.null(truth$codes) && truth$n_classes == 2) truth$codes == 1
  counts <- if (!is.null(truth$codes)) {
    Map(list, as.character(unlist(truth$classes)), tabulate(truth$codes + 1L, truth$n_classes))
  }
  weights <- problem$weights
  list(
    training = "unknown", stratified = NULL, grouped = NULL,
    time_ordered = if (problem$time_ordered) TRUE,
    dynamic_search = if (isTRUE(options$dynamic_search)) TRUE, n_failed = NULL,
    dropped_after = NULL, n_rows_scored = truth$n_rows,
    n_groups = if (!is.null(groups)) max(groups) + 1L,
    n_groups_with_event = if (!is.null(groups) && !is.null(event)) length(unique(groups[event])),
    n_events = if (!is.null(event)) sum(event), class_counts = unname(counts),
    stratified_draws = !is.null(plan$strata),
    weighted = !is.null(weights) && any(weights != weights[[1]]),
    block_draws = !is.null(plan) && options$method != "bbc-f" && are_blocks(groups),
    selection = selection_name(options$selection),
    interval = if (is.null(plan)) "" else options$interval, block_length = problem$block_length
  )
}

# Of scores of folds alone nothing is known but what their reader was told.
unknown_design <- function(options) {
  list(training = "reported", dynamic_search = if (isTRUE(options$dynamic_search)) TRUE,
       stratified_draws = FALSE, weighted = FALSE, block_draws = FALSE,
       selection = selection_name(options$selection), interval = "order-statistics")
}

# Whether each group is a block of consecutive rows, and some have several. Codes are in the order of
# first rows, so those of blocks never fall.
are_blocks <- function(groups) {
  !is.null(groups) && max(groups) + 1 < length(groups) && all(diff(groups) >= 0)
}

selection_name <- function(selection) {
  if (is.null(selection) || identical(selection, "best")) return("best")
  if (is.function(selection) || is.function(selection$choose)) return("callable")
  if (derives(selection)) selection$rule else "one_standard_error"
}

# What sentences name, of an estimate. Readers are told of a loss: of a scorer that negates one,
# values change their sign.
facts_of <- function(e) {
  design <- e$design
  interval <- e$confidence_interval
  sign <- if (startsWith(e$metric, "neg_")) -1 else 1
  dropped <- unlist(design$dropped_after)
  n_scored <- design$n_rows_scored
  deployed <- deployed_facts(e)
  ends <- if (!is.null(interval)) sort(sign * c(interval$low, interval$high))
  alternative <- interval$alternative
  if (sign < 0 && !is.null(alternative)) {
    alternative <- switch(alternative, greater = "less", less = "greater", alternative)
  }
  list(
    package = "bbcr", version = e$version, title = metric_title(e$metric),
    selecting_title = metric_title(if (is.null(e$decided_by)) e$metric else e$decided_by),
    decided_by = e$decided_by, estimate = sign * e$estimate,
    apparent = if (!is.null(e$apparent)) sign * e$apparent, optimism = e$optimism,
    optimism_size = if (!is.null(e$optimism)) abs(e$optimism), infeasible = e$infeasible,
    method = e$method, method_capitals = toupper(e$method), naive_bootstrap = FALSE,
    pooling = e$pooling, unit = e$unit, seed = e$seed, n_bootstraps = e$n_bootstraps,
    threshold = e$threshold, n_members = sum(e$weights > 0), winner_name = e$winner_name,
    winner_share = e$selection_frequency[e$winner], n_configurations = e$n_configurations,
    n_rows = e$n_rows, n_scored = n_scored,
    n_others = if (!is.null(n_scored)) e$n_rows - n_scored,
    n_left_out_rows = length(e$left_out_rows), n_folds = e$n_folds, n_repeats = e$n_repeats,
    n_dropped = length(dropped), dropped_first = if (length(dropped)) min(dropped),
    dropped_last = if (length(dropped)) max(dropped),
    n_incomplete = length(e$left_out_configurations) - length(dropped) - sum(design$n_failed),
    class_counts = paste(vapply(design$class_counts, function(pair) {
      say("of_class", list(label = pair[[1]], n_of_class = pair[[2]]))
    }, ""), collapse = ", "),
    rule = design$selection, interval_by = design$interval,
    codes = paste(told_findings(e$findings)$code, collapse = ", "), training = design$training,
    stratified = design$stratified, grouped = design$grouped, time_ordered = design$time_ordered,
    dynamic_search = design$dynamic_search, n_failed = design$n_failed, n_groups = design$n_groups,
    n_groups_with_event = design$n_groups_with_event, n_events = design$n_events,
    stratified_draws = design$stratified_draws, weighted = design$weighted,
    block_draws = design$block_draws, block_length = design$block_length,
    level = if (!is.null(interval)) 100 * interval$confidence_level, low = ends[1], high = ends[2],
    alternative = alternative, deployed_by = deployed$deployed_by,
    deployed_name = deployed$deployed_name, deployed_score = deployed$deployed_score,
    decimals = deployed$decimals, deployed_share = deployed$deployed_share
  )
}
