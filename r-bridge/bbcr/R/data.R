#' Predictions, truth and design as one object
#'
#' Holds what an analysis is about, so that nothing has to be repeated from call to call:
#' [bbc_correct()], [bbc_tt()], [bbc_bound()] and the others take it in place of `predictions`.
#' What does not depend on the metric is checked when it is made.
#'
#' @param predictions,truth,folds,groups,stratified_by,sample_weight,event_level,names As in [bbc_correct()].
#'   `predictions` may be anything that [bbc_correct()] takes, such as a caret model, which then
#'   knows `truth` and `folds`.
#' @return An object of class `bbc_data`.
#' @examples
#' set.seed(1)
#' truth <- factor(rbinom(80, 1, 0.5), labels = c("well", "ill"))
#' scores <- sapply(1:10, function(i) (truth == "ill") + rnorm(80))
#' data <- bbc_data(scores, truth, folds = rep(1:8, 10), event_level = "ill")
#' data
#' bbc_correct(data, metric = "roc_auc", n_threads = 2)
#' bbc_tt(data, metric = "roc_auc")
#' @export
bbc_data <- function(predictions, truth = NULL, folds = NULL, groups = NULL,
                     stratified_by = NULL, sample_weight = NULL, event_level = NULL, names = NULL, ...) {
  no_more_arguments(...)
  if (inherits(predictions, "bbc_data")) abort("`predictions` is a bbc_data already")
  if (is_plain(predictions)) {
    arrays <- per_repeat(predictions)
    shape <- dim(arrays[[1]])
    if (is.null(truth)) abort("`truth` is missing")
    if (NROW(truth) != shape[[1]]) {
      abort("`truth` has %s, `predictions` has %d", counted(NROW(truth), "row"), shape[[1]])
    }
    refuse_other_order(list(truth = truth, predictions = predictions, folds = folds,
                            groups = groups, stratified_by = stratified_by,
                            sample_weight = sample_weight))
    if (!is.null(folds)) fold_codes(fold_columns(folds, shape[[1]], length(arrays)), FALSE)
    group_codes(groups, shape[[1]])
    label_codes_of_folds(stratified_by, shape[[1]])
    row_weights_of(sample_weight, shape[[1]])
    names_of(names, shape[[2]])
  }
  structure(list(
    predictions = predictions, truth = truth, folds = folds, groups = groups,
    stratified_by = stratified_by, sample_weight = sample_weight, event_level = event_level,
    names = names
  ), class = "bbc_data")
}

# Whether these are arrays, which every metric reads as they are.
is_plain <- function(predictions) {
  if (is.data.frame(predictions)) return(table_kind(unnested(predictions)) == "wide")
  !inherits(predictions, fitted_classes) &&
    !(is.list(predictions) && any(vapply(predictions, inherits, NA, fitted_classes)))
}

#' @rdname bbc_data
#' @param x As in [print()].
#' @param ... No other arguments; `print()` ignores them.
#' @export
print.bbc_data <- function(x, ...) {
  plain <- is_plain(x$predictions)
  arrays <- if (plain) per_repeat(x$predictions)
  shape <- dim(arrays[[1]])
  parts <- c(
    if (plain) c("bbc_data", counted(shape[[1]], "row"), counted(shape[[2]], "configuration"))
    else paste("bbc_data of", shown(vapply(held(x$predictions), first_class, ""))),
    if (length(arrays) > 1) counted(length(arrays), "repeat"),
    if (!is.null(x$folds)) "folds", if (!is.null(x$groups)) "groups",
    if (!is.null(x$stratified_by)) "stratified by labels", if (!is.null(x$sample_weight)) "weights",
    if (!is.null(x$event_level)) paste("event", x$event_level)
  )
  cat(sprintf("<%s>\n", paste(parts, collapse = ", ")))
  invisible(x)
}

# The objects that a list of models holds, or the one that it is.
held <- function(predictions) {
  if (identical(class(predictions), "list")) predictions else list(predictions)
}

#' @rdname bbc_data
#' @param metric As in [bbc_correct()].
#' @export
bbc_correct.bbc_data <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                 names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

reading.bbc_data <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  for (argument in c("truth", "folds", "event_level", "names")) {
    if (!is.null(get(argument, inherits = FALSE)) && !is.null(predictions[[argument]])) {
      abort("`%s` is in the bbc_data: leave it out", argument)
    }
  }
  own <- function(given, kept) if (is.null(given)) kept else given
  classed <- !metric$target %in% c("real", "survival", "any")
  given <- unpacked(
    predictions$predictions, own(truth, predictions$truth), metric, estimate,
    own(folds, predictions$folds), own(event_level, if (classed) predictions$event_level),
    own(names, predictions$names)
  )
  for (name in c("groups", "stratified_by", "sample_weight")) {
    given[[name]] <- of_design(given, name, predictions[[name]])
  }
  given
}

# An argument of the call, or what the object says of it.
of_design <- function(given, name, value) {
  if (is.null(given[[name]])) return(value)
  same <- is.atomic(value) && if (name %in% c("groups", "stratified_by")) {
    identical(codes_by_first_row(value), codes_by_first_row(given[[name]]))
  } else {
    identical(as.vector(value), as.vector(given[[name]]))
  }
  if (!is.null(value) && !same) {
    abort("`%s`: the object has others already, leave it out", name)
  }
  given[[name]]
}

# Refuses what a function does not take.
without_design <- function(given, names, by) {
  for (name in names) if (!is.null(given[[name]])) abort("`%s` is not taken by %s", name, by)
  given
}

# What a protocol of R found is predictions with their truth and folds.
#' @rdname bbc_protocol
#' @param predictions What [bbc_tune()] returned.
#' @param truth Not given.
#' @param metric,event_level,folds,names As in [bbc_correct()].
#' @export
bbc_correct.bbc_protocol <- bbc_correct.bbc_data

reading.bbc_protocol <- function(predictions, truth, metric, estimate, folds, event_level,
                                  names) {
  if (!is.null(truth)) abort("`truth` is known by a protocol: leave it out")
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  classed <- is.factor(predictions$truth) && event_needed(metric, 2)
  if (is.null(event_level) && classed) event_level <- predictions$performance$event
  tried <- predictions$configurations$name
  arrays <- lapply(per_repeat(predictions$predictions), of_all_configurations, tried)
  given <- unpacked(arrays, predictions$truth, metric, NULL,
                    if (is.null(folds)) predictions$folds else folds, event_level, names)
  given$groups <- predictions$groups
  given$pooling <- predictions$pooling
  given$incomplete <- length(tried) > dim(per_repeat(predictions$predictions)[[1]])[[2]]
  known <- c("training", "stratified", "grouped", "time_ordered", "n_failed", "dropped_after")
  given$design <- predictions$performance$design[known]
  # What it deploys, if another metric or rule chooses another.
  own <- predictions$performance
  given$claim <- as_claim("bbc_tune()", list(as_said(
    own$metric, data.frame(configuration = own$winner_name, value = own$apparent), predictions$metric
  )), own$metric, chosen = own$winner_name, deploys = "protocol")
  given$claim$configurations <- as.character(tried)
  given$claim[c("is_checked", "has_event")] <- FALSE
  given
}

# Predictions with a column for each configuration that was tried, empty where it was dropped or failed.
of_all_configurations <- function(array, tried) {
  shape <- dim(array)
  if (shape[[2]] == length(tried)) return(array)
  shape[[2]] <- length(tried)
  all <- array(array[NA_integer_], shape, c(list(NULL, tried), dimnames(array)[-(1:2)]))
  kept <- match(colnames(array), tried)
  if (length(shape) == 3) all[, kept, ] <- array else all[, kept] <- array
  all
}
