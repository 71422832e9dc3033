#' All that a clinical paper reports about the winner
#'
#' Discrimination, calibration and net benefit of the selected configuration from one correction:
#' replicates and winners are those of [bbc_correct()]. [bbc_report()] writes the result as a page.
#'
#' @param predictions,truth,metric,n_bins,thresholds As in [bbc_calibration()] and
#'   [bbc_decision_curve()]; `predictions` are probabilities of the event.
#' @param secondary Metrics that are reported beside the one that selects.
#' @param ... Other arguments of [bbc_correct()], as in [bbc_calibration()].
#' @return An object of class `bbc_clinical_performance`, a list with `performances` (a
#'   [bbc_estimates], whose first metric selects), `calibration`, `decision_curve`, `roc_curve` and
#'   `precision_recall_curve` (each as the function of that name gives it) and `n_events`.
#'   `as.data.frame()` has a row per metric, number of the calibration and point of a curve;
#'   `plot()` draws the four curves.
#' @references
#' G. S. Collins et al. (2024). TRIPOD+AI statement: updated guidance for reporting clinical
#' prediction models that use regression or machine learning methods. *BMJ* 385, e078378.
#' @examples
#' set.seed(1)
#' logit <- rnorm(100)
#' truth <- rbinom(100, 1, plogis(logit))
#' risks <- plogis(2 * logit + matrix(rnorm(1000, sd = 0.5), 100))
#' found <- bbc_clinical_performance(risks, truth, "log_loss", seed = 1, n_threads = 2)
#' found
#' head(as.data.frame(found))
#' @export
bbc_clinical_performance <- function(predictions, truth, metric,
                                     secondary = c("roc_auc", "average_precision", "brier_score"),
                                     n_bins = 10, thresholds = NULL, ...) {
  if (missing(metric)) abort_no_metric(if (!missing(truth)) truth)
  n_bins <- bin_count(n_bins)
  at <- checked_thresholds(thresholds)
  others <- secondary_metrics(secondary)
  correction <- described_correction(predictions, if (!missing(truth)) truth, metric, ...)
  deciding <- correction$decided$metric
  others <- others[vapply(others, `[[`, "", "name") != deciding]
  calibration <- calibration_of(correction, n_bins)
  decided <- stats::setNames(list(correction$decided), deciding)
  performances <- c(decided, lapply(others, function(one) {
    reported(correction$scored(one), correction)
  }))
  with_call(new_result(list(
    performances = estimates_of(performances, deciding),
    calibration = calibration, decision_curve = decision_curve_of(correction, at),
    roc_curve = roc_curve_of(correction),
    precision_recall_curve = precision_recall_curve_of(correction),
    n_events = sum(calibration$counts$events) / correction$decided$n_repeats
  ), "bbc_clinical_performance"))
}

secondary_metrics <- function(secondary) {
  if (length(secondary) == 0) return(NULL)
  if (inherits(secondary, "bbc_metric")) secondary <- list(secondary)
  tryCatch(named_metrics(secondary), bbc_error = function(error) {
    error$message <- sub("`metric`", "`secondary`", error$message, fixed = TRUE)
    stop(error)
  })
}

number_columns <- c("quantity", "estimate", "low", "high", "apparent", "n_undefined")

metric_numbers <- function(performances) {
  do.call(rbind, lapply(unname(performances), function(e) {
    interval <- e$confidence_interval
    data.frame(quantity = e$metric, estimate = e$estimate, low = or_na(interval$low),
               high = or_na(interval$high), apparent = e$apparent, n_undefined = undefined_in(e))
  }))
}

# Numbers of metrics, then those of the calibration that are none of them.
shown_numbers <- function(x) {
  of_metrics <- metric_numbers(x$performances)
  names <- lower(gsub("_", " ", of_metrics$quantity))
  numbers <- x$calibration$quantities
  rbind(of_metrics, numbers[!lower(numbers$quantity) %in% names, number_columns])
}

show_result.bbc_clinical_performance <- function(x) {
  e <- x$performances[[1]]
  cat_parts(paste("performance of the winner by", e$metric), paste("method", e$method),
            counted(e$n_rows, "row"), counted(x$n_events, "event"))
  shown <- shown_numbers(x)
  shown[2:5] <- lapply(shown[2:5], round, shown_digits(4))
  print(shown, row.names = FALSE)
  print_remarks(x$calibration)
}

frame_of.bbc_clinical_performance <- function(x) {
  numbers <- rbind(metric_numbers(x$performances), x$calibration$quantities[number_columns])
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

tidy_of.bbc_clinical_performance <- function(x) tidy_numbers(shown_numbers(x))

glance_of.bbc_clinical_performance <- function(x) {
  data.frame(glance_of(x$performances[[1]]), n_events = x$n_events)
}

clinical_parts <- c("calibration", "decision_curve", "roc_curve", "precision_recall_curve")

draw.bbc_clinical_performance <- function(x, ...) {
  kept <- graphics::par(mfrow = c(2, 2))
  on.exit(graphics::par(kept))
  for (part in x[clinical_parts]) draw(part, ...)
}
