# Codes 0, 1, ... in order of first row.
codes_by_first_row <- function(values) match(values, unique(values)) - 1L

per_row <- function(value, name, n_rows) {
  if (!is.atomic(value) || length(dim(value)) > 1) abort("`%s` must be a vector", name)
  if (inherits(value, "integer64")) value <- from_integer64(value, name)
  if (length(value) != n_rows) {
    abort("`%s` has %s, the data have %d%s", name, counted(length(value), "row"), n_rows,
          if (is.character(value) && length(value) == 1) sprintf("; give the column itself, as data$%s", value) else "")
  }
  if (anyNA(value)) abort("`%s` is NA at %s", name, place_of(is.na(value), "row"))
  refuse_empty(value, name)
  value
}

# The partition of each repeat.
fold_columns <- function(folds, n_rows, n_repeats, argument = "folds") {
  splits <- partitions_of(folds, n_rows)
  columns <- if (!is.null(splits)) {
    splits
  } else if (is.data.frame(folds) || (is.list(folds) && !is.factor(folds))) {
    as.list(folds)
  } else if (length(dim(folds)) == 2) {
    lapply(seq_len(ncol(folds)), function(i) folds[, i])
  } else {
    list(folds)
  }
  if (length(columns) != n_repeats) {
    if (argument == "cv") {
      abort("`cv` has %s, but %d are needed", counted(length(columns), "partition"), n_repeats)
    }
    abort("`folds` has %s, `predictions` has %d: each repeat needs its own partition",
          counted(length(columns), "repeat"), n_repeats)
  }
  lapply(columns, per_row, argument, n_rows)
}

# Matrix (row, repeat) of the codes of the folds. A fold of all rows divides nothing; one of some
# rows is a hold-out.
fold_codes <- function(columns, of_all_rows = TRUE, argument = "folds") {
  codes <- vapply(seq_along(columns), function(i) {
    own <- codes_by_first_row(columns[[i]])
    if (of_all_rows && max(own) < 1) abort("`%s` has one value in repeat %d: needs two folds", argument, i)
    own
  }, integer(length(columns[[1]])))
  matrix(codes, ncol = length(columns))
}

group_codes <- function(groups, n_rows) {
  if (is.null(groups)) return(NULL)
  codes <- codes_by_first_row(per_row(groups, "groups", n_rows))
  if (max(codes) < 1) abort("`groups` has one group: nothing would be out of bag")
  codes
}

# Codes of the labels within which folds were drawn.
label_codes_of_folds <- function(labels, n_rows) {
  if (is.null(labels)) return(NULL)
  labels <- per_row(labels, "stratified_by", n_rows)
  codes <- codes_by_first_row(labels)
  if (max(codes) < 1) abort("`stratified_by` has one label, within which all rows are")
  if (is.double(labels) && any(labels != floor(labels))) {
    abort("`stratified_by` has %d different real numbers: give the bins within which folds were drawn",
          max(codes) + 1L)
  }
  codes
}

# Codes of the classes within which folds were drawn; NULL if there are none.
drawn_classes <- function(problem) {
  if (is.null(problem$stratified_by)) class_codes(problem$truth) else problem$stratified_by
}

# Whether draws may keep the shares of classes, so that limits add how these vary.
keeps_shares <- function(options, plan) {
  options$method != "bbc" || (!is.null(plan$strata) && is.null(plan$resamples))
}

# Refuses that counts of classes are fixed where limits do not depend on it.
check_class_counts <- function(problem, options, plan) {
  if (!plan$fixed_class_counts) return(invisible())
  if (!keeps_shares(options, plan)) {
    abort(paste("`class_counts = \"fixed\"` has no effect where rows are drawn freely;",
                "`stratify_bootstrap = TRUE` draws within the classes"))
  }
  if (is.null(drawn_classes(problem))) {
    abort(paste("`class_counts = \"fixed\"` needs classes, `truth` has none: say them by",
                "`stratified_by`"))
  }
}

# What limits hold of the shares of classes, where that is not what data alone would say.
note_of_shares <- function(problem, options, plan) {
  if (is.null(plan)) return(NULL)
  keeps <- keeps_shares(options, plan)
  if (keeps && plan$fixed_class_counts) {
    "the counts of the classes are fixed by the design, and limits hold them so"
  } else if (!keeps && !is.null(problem$stratified_by)) {
    "rows are drawn freely, so that stratified_by is not read"
  }
}

stratum_codes <- function(problem) {
  classes <- drawn_classes(problem)
  groups <- problem$groups
  if (is.null(classes)) {
    abort("`stratify_bootstrap` needs classes, `truth` has none for this metric")
  }
  strata <- codes_by_first_row(classes)
  if (!is.null(groups)) {
    spanning <- strata != strata[match(groups, groups)]
    if (any(spanning)) {
      abort("`groups`: the group of %s spans classes; `stratify_bootstrap` needs groups within one",
            place_of(spanning, "row"))
    }
  }
  strata
}

row_weights_of <- function(weights, n_rows) {
  if (is.null(weights)) return(NULL)
  weights <- per_row(weights, "sample_weight", n_rows)
  if (!is.numeric(weights)) abort("`sample_weight` must be numbers")
  if (any(!is.finite(weights))) {
    abort("`sample_weight` is infinite at %s", place_of(!is.finite(weights), "row"))
  }
  if (any(weights < 0)) {
    abort("`sample_weight` is negative at %s", place_of(weights < 0, "row"))
  }
  if (all(weights == 0)) abort("`sample_weight` is zero in every row")
  as.double(weights)
}

# Given draws, one row per replicate, of units numbered from 1; the kernel's count from 0.
resample_codes <- function(resamples, n_units) {
  if (is.null(resamples)) return(NULL)
  if (!is.matrix(resamples) || ncol(resamples) != n_units || nrow(resamples) == 0) {
    abort("`resamples` must be a matrix with a row per replicate and %s",
          counted(n_units, "column"))
  }
  if (!is.numeric(resamples) || anyNA(resamples) || any(resamples != floor(resamples))) {
    abort("`resamples` must be whole numbers")
  }
  outside <- resamples < 1 | resamples > n_units
  if (any(outside)) {
    abort("`resamples` must be between 1 and %d, got %s at %s", n_units,
          format(resamples[outside][[1]]), place_of(outside, c("replicate", "draw")))
  }
  list(codes = as.integer(t(resamples)) - 1L, n_bootstraps = nrow(resamples))
}
