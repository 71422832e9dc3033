# Truth and predictions as the kernel reads them where a metric is computed for each row before.
# `problem` has truth, predictions and weights.
by_row <- function(problem, metric) {
  if (nzchar(metric$censoring)) return(weighted_for_censoring(problem, metric))
  problem$truth$odds <- metric$odds
  problem$predictions <- losses_of(problem$predictions, problem$truth, metric)
  problem
}

# The same for metrics that weigh rows for censoring.
weighted_for_censoring <- function(problem, metric) {
  check_times(problem$truth, metric)
  target <- kernel_target(problem$truth)
  problem$truth$observed <- problem$truth$status
  if (metric$censoring == "brier") {
    weights <- checked(kernel_brier_weights(target, problem$weights, metric$times))
    problem$truth$brier <- list(values = problem$truth$values, weights = weights)
    problem$truth[c("values", "status")] <- list(numeric(problem$truth$n_rows), NULL)
  } else {
    weighted <- checked(kernel_weighted_survival(target, problem$weights,
                                                 metric$censoring == "uno", metric$times))
    problem$truth[names(weighted)] <- weighted
  }
  problem$predictions <- losses_of(problem$predictions, problem$truth, metric)
  problem
}

# Survival probabilities as losses per row, labels as benefits; other predictions as they are.
losses_of <- function(arrays, truth, metric) {
  if (is.null(arrays)) return(NULL)
  if (!is.null(metric$odds) && metric$predicts == "labels") return(benefits_of(arrays, truth, metric))
  if (metric$censoring != "brier") return(arrays)
  checked(kernel_brier_losses(truth$brier$values, truth$brier$weights, metric$times, arrays))
}

# What each call gains: 1 if it is true, less the odds if it is not.
benefits_of <- function(arrays, truth, metric) {
  gains <- ifelse(truth$codes == 1, 1, -metric$odds)
  event <- label_values(truth)[[2]]
  lapply(arrays, function(array) array(ifelse(array == event, gains, 0), dim(array)))
}

# Refuses times that the rows were not followed up to, and those without an event before.
check_times <- function(truth, metric) {
  undefined <- function(format, ...) abort(format, ..., class = "bbc_undefined_metric")
  event <- truth$status == 1L
  time <- truth$values
  last <- max(time)
  if (metric$censoring == "uno") {
    tau <- metric$times
    if (is.finite(tau) && tau > last) {
      abort("`tau` must be at most %s, the last time of `truth`, not %s", format(last),
            format(tau))
    }
    if (!any(event[time < tau])) {
      undefined("`truth` has no event%s: metric \"%s\" is undefined",
                if (is.finite(tau)) paste(" before", format(tau)) else "", metric$name)
    }
    return(invisible())
  }
  latest <- metric$times[[length(metric$times)]]
  if (latest >= last) {
    undefined("`%s` must be before %s, the last time of `truth`, not %s: no row is followed beyond",
              if (length(metric$times) > 1) "times" else "time", format(last), format(latest))
  }
  if (!any(event)) undefined("`truth` has no event: metric \"%s\" is undefined", metric$name)
  if (metric$censoring == "dynamic_auc" && !any(event[time <= latest])) {
    undefined("`truth` has no event by %s: metric \"%s\" is undefined", format(latest),
              metric$name)
  }
}

# Refuses survival probabilities that are not one per time.
check_probabilities <- function(shape, metric) {
  several <- length(metric$times) > 1
  expected <- if (several) length(metric$times)
  if (identical(as.integer(shape[-(1:2)]), as.integer(expected))) return(invisible())
  abort(paste("`predictions` must have shape (row, configuration%s) for metric \"%s\": survival",
              "probabilities at %s"),
        if (several) sprintf(", %d", expected) else "", metric$name,
        shown(format(metric$times, trim = TRUE)))
}

# The times that a metric is given, as increasing numbers above 0.
times_of <- function(value, name) {
  several <- name == "times"
  if (!is.numeric(value) || anyNA(value) || any(value <= 0) ||
        (!several && length(value) != 1) || (several && any(!is.finite(value)))) {
    abort("`%s` must be %s above 0", name, if (several) "times" else "a time")
  }
  if (several && (length(value) < 2 || is.unsorted(value, strictly = TRUE))) {
    abort("`times` must be at least two times that ascend; for one use survival_brier_score")
  }
  as.double(value)
}
