#' All that a clinical paper reports about the winner
#'
#' Discrimination, calibration and net benefit of the selected configuration; of survival its performance
#' and the calibration at each of `times`. Draws and winners are those of the correction. [bbc_report()]
#' writes the result of two classes as a page.
#'
#' @param fit What [bbc_correct()] returned, of probabilities of the event, or of surviving.
#' @param times Of survival, where they are needed: ascending times at which calibration is reported, of
#'   those that the metric reads.
#' @param secondary Metrics that are reported beside the one that selects. By default the AUC, average
#'   precision and Brier score; of survival none. `character()` is none.
#' @param thresholds,n_bins,n_groups As in [bbc_decision_curve()], [bbc_calibration()] and
#'   [bbc_survival_calibration()].
#' @param threshold As in [bbc_per_1000()], of risks; 0.5 by default. Not of survival.
#' @param ... No other arguments.
#' @return An object of class `bbc_clinical`, a list with `performance` (the record of the correction, whose
#'   `secondary` are those metrics), `calibration`, `decision_curve`, `roc_curve` and
#'   `precision_recall_curve` (each as the function of that name gives it), `n_events` and
#'   `per_1000`, what [bbc_per_1000()] gives. `as.data.frame()` has a row per metric, number of the calibration,
#'   count in 1000 rows and point of a curve;
#'   `plot()` draws the four curves. Of survival an object of class `bbc_survival_performance`, with
#'   `performance`, `calibrations` (one for each of `times`) and `n_events`.
#' @references
#' G. S. Collins et al. (2024). TRIPOD+AI statement: updated guidance for reporting clinical
#' prediction models that use regression or machine learning methods. *BMJ* 385, e078378.
#' @examples
#' set.seed(1)
#' logit <- rnorm(100)
#' truth <- rbinom(100, 1, plogis(logit))
#' risks <- plogis(2 * logit + matrix(rnorm(1000, sd = 0.5), 100))
#' found <- bbc_clinical(bbc_correct(risks, truth, "log_loss", seed = 1, n_threads = 2))
#' found
#' head(as.data.frame(found))
#' @export
bbc_clinical <- function(fit, ...) UseMethod("bbc_clinical")

#' @export
bbc_clinical.default <- function(fit, ...) refuse_unfitted(fit, "bbc_clinical")

#' @rdname bbc_clinical
#' @export
bbc_clinical.bbc_estimate <- function(fit, times = NULL, secondary = NULL, thresholds = NULL,
                                      n_bins = 10, n_groups = 5, threshold = NULL, ...) {
  no_more_arguments(...)
  n_bins <- bin_count(n_bins)
  n_groups <- whole_number(n_groups, "n_groups", 2)
  at <- checked_thresholds(thresholds)
  threshold <- checked_threshold(threshold)
  if (!is.null(times)) times <- ascending_times(times)
  correction <- winners_of(fit, "bbc_clinical")
  of_survival <- correction$metric$target == "survival"
  if (is.null(secondary) && !of_survival) secondary <- c("roc_auc", "average_precision", "brier_score")
  others <- secondary_metrics(secondary)
  if (of_survival) {
    if (is.null(times)) abort("`times` is missing: it says of when risks are")
    if (!is.null(threshold)) abort("`threshold` is not of survival")
    return(with_call(survival_performance_of(correction, others, times, n_groups)))
  }
  if (!is.null(times)) abort("`times` are of survival, but metric \"%s\" is not", correction$metric$name)
  with_call(clinical_of(correction, others, at, n_bins, if (is.null(threshold)) 0.5 else threshold))
}

ascending_times <- function(times) {
  if (!is.numeric(times) || length(times) == 0 || anyNA(times) || any(times <= 0)) {
    abort("`times` must be times above 0")
  }
  if (is.unsorted(times, strictly = TRUE)) abort("`times` must ascend")
  as.double(times)
}

clinical_of <- function(correction, others, at, n_bins, threshold) {
  calibration <- calibration_of(correction, n_bins)
  new_result(list(
    performance = performance_by(others, correction),
    calibration = calibration, decision_curve = decision_curve_of(correction, at),
    roc_curve = roc_curve_of(correction),
    precision_recall_curve = precision_recall_curve_of(correction),
    n_events = sum(calibration$counts$events) / correction$decided$n_repeats,
    per_1000 = per_1000_of(correction, threshold)
  ), "bbc_clinical")
}

# The record of the correction with further metrics of its winners.
performance_by <- function(others, correction) {
  performance <- correction$decided
  others <- beside(others, correction$metric)
  performance$secondary <- if (length(others)) scores_by(others, correction)
  performance
}

number_columns <- c("quantity", "estimate", "low", "high", "apparent", "n_undefined")

metric_numbers <- function(performance) {
  of_every_metric(performance, function(e) {
    interval <- e$confidence_interval
    data.frame(quantity = e$metric, estimate = e$estimate, low = or_na(interval$low),
               high = or_na(interval$high), apparent = e$apparent, n_undefined = undefined_in(e))
  })
}

# Numbers of metrics, then those of the calibration that are none of them.
shown_numbers <- function(x) {
  of_metrics <- metric_numbers(x$performance)
  names <- lower(gsub("_", " ", of_metrics$quantity))
  numbers <- x$calibration$quantities
  rbind(of_metrics, numbers[!lower(numbers$quantity) %in% names, number_columns])
}

# As text: metrics, which are first, with their decimals, quantities with those of their intervals.
with_digits <- function(numbers, performance) {
  metrics <- every_metric(performance)
  own <- seq_along(metrics)
  rbind(with_decimals(numbers[own, ], metrics), with_digits_of_width(numbers[-own, ], performance$n_bootstraps))
}

show_result.bbc_clinical <- function(x) {
  show_performance(x, shown_numbers(x))
  cat(calls_title(x$per_1000), "\n", sep = "")
  print(counted_rows(x$per_1000$quantities), row.names = FALSE)
  print_remarks(x$calibration)
}

show_performance <- function(x, numbers) {
  e <- x$performance
  cat_parts(paste("performance of the winner by", e$metric), paste("method", e$method),
            counted(e$n_rows, "row"), counted(x$n_events, "event"))
  print(with_digits(numbers, e), row.names = FALSE)
}

frame_of.bbc_clinical <- function(x) {
  counts <- x$per_1000$quantities
  counts$quantity <- paste(counts$quantity, "per 1000")
  numbers <- rbind(metric_numbers(x$performance), x$calibration$quantities[number_columns], counts[number_columns])
  curve <- function(title, points, at) {
    data.frame(quantity = title, x = points[[at]], points[number_columns[-1]])
  }
  of_decision <- function(name) decision_part(x$decision_curve, name)
  rbind(
    data.frame(numbers["quantity"], x = NA_real_, numbers[-1]),
    curve("calibration curve", x$calibration$curve, "x"),
    curve("net benefit", of_decision("net_benefit"), "threshold"),
    curve("net benefit of treating all", of_decision("treat_all"), "threshold"),
    curve("ROC curve", x$roc_curve$curve, "x"),
    curve("precision-recall curve", x$precision_recall_curve$curve, "x")
  )
}

tidy_of.bbc_clinical <- function(x) tidy_numbers(shown_numbers(x))

glance_of.bbc_clinical <- function(x) {
  data.frame(glance_of(x$performance), n_events = x$n_events)
}

clinical_parts <- c("calibration", "decision_curve", "roc_curve", "precision_recall_curve")

# The four curves side by side.
picture.bbc_clinical <- function(x, ...) picture_of_curves(x[clinical_parts])
