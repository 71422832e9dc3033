# Where predictions come from, as tables and fitted models tell.

# Whether the search of a table of tidymodels chose configurations depending on scores: those of
# tune_bayes() and tune_sim_anneal() number their iterations, races drop configurations.
is_dynamic <- function(table) {
  inherits(table, "tune_race") || isTRUE(any(table_iterations(table) > 0))
}

# Whether all that it did by scores was to drop configurations.
only_drops <- function(table) {
  if (!inherits(table, "workflow_set")) return(inherits(table, "tune_race"))
  all(vapply(table[["result"]], function(own) inherits(own, "tune_race") || !is_dynamic(own), NA))
}

# A workflow set holds the tables of its workflows.
table_iterations <- function(table) {
  if (!inherits(table, "workflow_set")) {
    found <- table[[".iter"]]
    return(if (is.null(found)) 0 else found)
  }
  unlist(lapply(table[["result"]], function(own) if (is_dynamic(own)) 1 else 0))
}

# Whether there are several splits, each of which tests rows after all that it trains on.
is_time_ordered <- function(train, test) {
  length(train) > 1 && all(mapply(function(before, after) max(before) < min(after), train, test))
}

# What rsample calls the splits of rolling_origin(), sliding_window() and the like.
are_slices <- function(folds) {
  length(unique(folds)) > 1 && all(grepl("^Slice[0-9]+$", folds))
}

# The mark of predictions whose splits test rows after all that they train on; it stays with the predictions,
# since every function that makes a problem of them has to know.
in_time_order <- function(predictions, yes) {
  attr(predictions, "time_ordered") <- if (isTRUE(yes)) TRUE
  predictions
}

are_in_time_order <- function(predictions) isTRUE(attr(predictions, "time_ordered"))

findings_of_origin <- function(design) {
  # Decision values of several folds are refused here.
  found_by("origin", list(
    dynamic_search = isTRUE(design$dynamic_search), n_stopped = NULL,
    time_ordered = isTRUE(design$time_ordered), block_draws = design$block_draws, first_mixed = NULL,
    n_mixed = NULL, n_more_mixed = NULL
  ))
}

# Of a search of which only scores of folds are known.
findings_of_search <- function(n_searched = NULL, time_ordered_folds = FALSE) {
  found_by("search", list(n_trials = NULL, n_last_halving = NULL, n_searched = n_searched,
                          time_ordered_folds = time_ordered_folds))
}

# A result with findings that only its caller knows.
with_findings <- function(result, found) {
  if (is.null(found)) return(result)
  warn_of(found)
  result$findings <- all_findings(result$findings, found)
  result
}
