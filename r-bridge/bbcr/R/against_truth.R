# Predictions that run against the truth, or that come from it, and folds that were made from it.

# How the winner's predictions come from the truth; nothing where the kernel cannot compare the two.
from_truth <- function(problem, metric, winner, predictions) {
  truth <- problem$truth
  none <- list(equals_truth = FALSE, ranks_labels = FALSE, as_function = NULL)
  if (!is.null(truth$status) || metric$target == "any") return(none)
  found <- kernel_from_truth(compared_truth(truth), of_one(predictions, winner), metric)
  if (inherits(found, "bbc_failure")) return(none)
  told <- !found$equal && nzchar(found$up_to) && metric$predicts != "labels"
  list(equals_truth = found$equal, ranks_labels = found$ranks_labels,
       as_function = if (told) found$up_to)
}

# Whether the winner's predictions run against the truth within folds, by more than chance explains, and
# their correlation.
association <- function(problem, metric, winner, predictions) {
  none <- list(runs_against = FALSE, correlation = 0)
  truth <- problem$truth
  unlike <- !is.null(metric$score) || !is.null(truth$odds) || metric$target == "any" ||
    (!is.null(truth$status) && metric$predicts != "risk")
  if (is.null(problem$folds) || unlike) return(none)
  found <- kernel_association(compared_truth(truth), of_one(predictions, winner), metric,
                              as.integer(problem$folds), as.integer(problem$groups))
  if (inherits(found, "bbc_failure")) return(none)
  list(runs_against = found$runs_against, correlation = found$correlation)
}

# The truth itself, also where the metric weights its rows.
compared_truth <- function(truth) {
  if (!is.null(truth$observed)) truth$status <- truth$observed
  kernel_target(truth[setdiff(names(truth), c("odds", "pair_weights"))])
}

# The predictions of one configuration in each repeat.
of_one <- function(predictions, winner) {
  lapply(predictions, function(array) {
    if (length(dim(array)) == 3) array[, winner, , drop = FALSE] else array[, winner, drop = FALSE]
  })
}

# Whether each fold has one value of the truth, or each group, if there are as few.
determined_truth <- function(problem) {
  truth <- problem$truth
  values <- if (!is.null(truth$codes)) truth$codes else if (is.null(truth$status)) truth$values
  facts <- list(folds_tell_truth = FALSE, groups_tell_truth = FALSE, n_truth_folds = NULL)
  if (is.null(values)) return(facts)
  if (!is.null(problem$folds)) {
    facts$folds_tell_truth <- parts_tell(problem$folds[, 1], values)
    facts["n_truth_folds"] <- list(max(problem$folds[, 1]) + 1)
  }
  if (!is.null(problem$groups) && !is.null(truth$codes) && is.null(problem$block_length)) {
    few <- max(problem$groups) + 1 <= truth$n_classes
    facts$groups_tell_truth <- few && parts_tell(problem$groups, values)
  }
  facts
}

# Of fewer than ten rows beyond one of each part, one value in each may be chance.
parts_tell <- function(parts, values) {
  n_parts <- max(parts) + 1
  if (n_parts < 2 || length(values) - n_parts < 10) return(FALSE)
  first <- values[match(parts, parts)]
  all(values == first) && any(first != first[[1]])
}
