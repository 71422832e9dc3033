# Predictions that run against the truth, or that come from it.

# How the winner's predictions come from the truth; nothing where the kernel cannot compare the two.
from_truth <- function(problem, metric, winner, predictions) {
  truth <- problem$truth
  none <- list(equals_truth = FALSE, ranks_labels = FALSE, as_function = NULL)
  if (!is.null(truth$status) || metric$target == "any") return(none)
  found <- kernel_from_truth(compared_truth(truth), of_some(predictions, winner), metric)
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
  found <- kernel_association(compared_truth(truth), of_some(predictions, winner), metric,
                              as.integer(problem$folds), as.integer(problem$groups))
  if (inherits(found, "bbc_failure")) return(none)
  list(runs_against = found$runs_against, correlation = found$correlation)
}

# The truth itself, also where the metric weights its rows.
compared_truth <- function(truth) {
  if (!is.null(truth$observed)) truth$status <- truth$observed
  plain_target(truth)
}
plain_target <- function(truth) {
  if (is.null(truth$codes) && !is.numeric(truth$values)) truth$values <- numeric(truth$n_rows)
  truth$values <- as.double(truth$values)
  kernel_target(truth[setdiff(names(truth), c("odds", "pair_weights"))])
}

# The predictions of some configurations in each repeat.
of_some <- function(predictions, configurations) {
  lapply(predictions, kept_cells, list(rows = TRUE, configurations = configurations))
}
