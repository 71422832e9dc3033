# Predictions that run against the truth, or that come from it, and folds that were made from it. The
# statistics are those of Python's results/_wrong_way.py and _too_good.py.

# Whether the winner's predictions run against the truth within folds, by more than chance explains, and
# their correlation.
#
# Held-out rows are predicted by models that lean away from them: the mean of the training rows is the
# lower, the higher those left out are. Within a fold nothing leans, so predictions and truth less their
# fold's mean are exchangeable if the two are independent: numbers by ranks, classes by indicators. The sum
# of their products has mean 0 and the variance of a permutation within folds (Hoeffding 1951), times
# 1 + K / (K - 1) for K folds that share training rows (Nadeau and Bengio 2003). Groups count as one row
# each. Without folds, and in leave-one-out, there is nothing to test.
association <- function(problem, metric, winner, predictions) {
  none <- list(runs_against = FALSE, correlation = 0)
  if (is.null(problem$folds)) return(none)
  sums <- c(total = 0, deviation = 0, largest = 0)
  for (i in seq_along(predictions)) {
    array <- predictions[[i]]
    column <- if (length(dim(array)) == 3) array[, winner, ] else array[, winner]
    pair <- as_columns(problem$truth, metric, column)
    if (is.null(pair) || anyNA(pair$predicted)) return(none)
    folds <- problem$folds[, i]
    if (!is.null(problem$groups)) {
      of_group <- paste(folds, problem$groups)
      pair <- lapply(pair, function(own) rowsum(own, of_group) / as.vector(table(of_group)))
      folds <- folds[match(rownames(pair[[1]]), of_group)]
    }
    # As in most calls, which this keeps fast: the values so near to chance, or above it.
    if (rough_association(pair, folds) > -1) return(none)
    sums <- sums + product_moments(pair, folds)
  }
  if (!(sums[["deviation"]] > 0) || sums[["total"]] >= 0) return(none)
  list(
    # The normal quantile of the level .001, one-sided, as in the kernel's test of the AUC.
    runs_against = sums[["total"]] / sums[["deviation"]] < -3.090232306167813,
    correlation = if (sums[["largest"]] > 0) sums[["total"]] / sums[["largest"]] else 0
  )
}

# Predictions and truth as columns that rise together where they agree; NULL of other kinds.
as_columns <- function(truth, metric, column) {
  if (!is.null(metric$score) || !is.null(truth$odds) || metric$target == "any") return(NULL)
  is <- function(values, each) outer(as.vector(values), each, "==") + 0
  if (!is.null(truth$codes)) {
    classes <- seq_len(truth$n_classes) - 1
    if (metric$predicts == "labels") {
      return(list(predicted = is(column, label_values(truth)), true = is(truth$codes, classes)))
    }
    predicted <- as.matrix(column)
    return(list(predicted = predicted,
                true = is(truth$codes, if (ncol(predicted) == 1) 1 else classes)))
  }
  if (is.null(truth$status)) {
    return(list(predicted = as.matrix(column), true = as.matrix(as.double(truth$values))))
  }
  if (metric$predicts != "risk") return(NULL)
  event <- if (is.null(truth$observed)) truth$status else truth$observed
  list(predicted = as.matrix(column), true = as.matrix(events_beyond_expected(event, truth$values)))
}

# Martingale residuals without covariates: the event less the hazard until its time.
events_beyond_expected <- function(event, time) {
  times <- sort(unique(time))
  place <- match(time, times)
  n_events <- vapply(split(event, factor(place, seq_along(times))), sum, 0)
  at_risk <- rev(cumsum(rev(tabulate(place, length(times)))))
  event - cumsum(n_events / at_risk)[place]
}

# The sum of products within folds of the values themselves, by its standard deviation.
rough_association <- function(pair, folds) {
  sizes <- tabulate(folds + 1L)
  sizes <- sizes[sizes > 0]
  sum_of <- function(values) as.vector(rowsum(values, folds))
  within <- function(products, one, other) sum_of(products) - sum_of(one) * sum_of(other) / sizes
  found <- vapply(seq_len(ncol(pair$predicted)), function(j) {
    p <- pair$predicted[, j]
    t <- pair$true[, j]
    squares <- within(p * p, p, p) * within(t * t, t, t)
    c(sum(within(p * t, p, t)), sum(squares / pmax(1, sizes - 1)))
  }, c(0, 0))
  if (sum(found[2, ]) > 0) sum(found[1, ]) / sqrt(sum(found[2, ])) else 0
}

# The sum of products within folds, its standard deviation, and the largest that it can be.
product_moments <- function(pair, folds) {
  parts <- Filter(function(rows) length(rows) > 1, split(seq_along(folds), folds))
  found <- vapply(parts, function(rows) {
    p <- centred(pair$predicted[rows, , drop = FALSE])
    t <- centred(pair$true[rows, , drop = FALSE])
    of_p <- crossprod(p)
    of_t <- crossprod(t)
    c(sum(p * t), sum(of_p * of_t) / (length(rows) - 1), sqrt(sum(diag(of_p)) * sum(diag(of_t))))
  }, numeric(3))
  sums <- rowSums(matrix(found, 3))
  k <- length(parts)
  c(total = sums[[1]], deviation = sqrt((if (k > 1) 1 + k / (k - 1) else 1) * sums[[2]]),
    largest = sums[[3]])
}

# Less their mean; by ranks, unless they are indicators.
centred <- function(values) {
  if (!all(values %in% 0:1)) values <- apply(values, 2, rank)
  sweep(values, 2, colMeans(values))
}

# How the predictions of every repeat are the truth up to what the metric ignores, in words; NULL if they
# are not.
as_function_of_truth <- function(columns, truth, metric) {
  values <- if (is.null(truth$codes)) truth$values else truth$codes
  other <- is.null(values) || !is.null(truth$status) || !is.null(truth$odds) ||
    metric$target == "any" || metric$censoring == "brier"
  if (other || metric$predicts == "labels" || truth$n_classes > 2) return(NULL)
  kind <- if (metric$kernel %in% c("roc_auc", "average_precision", "spearman")) "order"
          else if (metric$kernel == "squared_pearson") "line" else "value"
  follows <- switch(kind, order = follows_in_order, line = follows_on_a_line,
                    if (is.null(truth$codes)) follows_nearly else follows_hidden)
  for (column in columns) {
    if (is.matrix(column) || anyNA(column) || !follows(as.double(column), as.double(values))) {
      return(NULL)
    }
  }
  switch(kind, order = "in another scale", line = "shifted or in other units", "up to rounding")
}

# Relative to the spread of the truth: rounding, and what hides a copy.
follows_nearly <- function(predicted, true) {
  all(abs(predicted - true) <= 1e-9 * max(1e-300, diff(range(true))))
}

# Whether classes were made probabilities, which noise of one size may hide. Models that are sure of
# separable classes miss them by amounts of many orders.
follows_hidden <- function(predicted, true) {
  if (!follows_nearly(predicted, true)) return(FALSE)
  missed <- abs(predicted - true)
  missed <- missed[missed > 0]
  length(missed) == 0 || mean(missed < max(missed) / 1000) < 0.1
}

follows_on_a_line <- function(predicted, true, follows = follows_nearly) {
  low <- which.min(true)
  high <- which.max(true)
  rise <- true[[high]] - true[[low]]
  if (!(rise > 0) || predicted[[high]] == predicted[[low]]) return(FALSE)
  slope <- (predicted[[high]] - predicted[[low]]) / rise
  follows(true[[low]] + (predicted - predicted[[low]]) / slope, true)
}

# Whether predictions rise, or fall, with the truth, and are equal where it is, up to noise.
follows_in_order <- function(predicted, true) {
  ends <- predicted[c(which.min(true), which.max(true))]
  if (ends[[1]] != ends[[2]] && setequal(ends, range(predicted))) {
    order <- order(true, method = "radix")
    steps <- diff(predicted[order]) * sign(ends[[2]] - ends[[1]])
    rises <- diff(true[order]) > 0
    if (all(steps[rises] > 0) && all(steps[!rises] == 0)) return(TRUE)
  }
  follows_on_a_line(predicted, true, follows_hidden)
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
