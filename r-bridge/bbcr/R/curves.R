#' Calibration, net benefit and curves of the winner
#'
#' What a paper on a prediction model reports beside one score, corrected for the selection: the
#' draws and the winners are those of the correction, and the calibration, the net benefit or the
#' curve of each replicate's winner is computed on the rows that the replicate left out of bag. The
#' truth has two classes, or one of several is set against the others; all rows are pooled. Intervals and
#' bands are two-sided, so a correction with another `alternative` is refused, and so is one whose
#' `selection` or `missing = "rungs"` makes predictions of its own.
#'
#' *Calibration.* Calibration in the large is the intercept a of logit P(event) = a + logit(risk), 0
#' if risks are right on average; the slope is the b of logit P(event) = a + b logit(risk), below 1
#' if risks are too extreme. Apparent values are of maximum likelihood, as in [stats::glm()]; those
#' of the replicates are Firth's, because maximum likelihood exaggerates a slope on few rows.
#' Replicates in which a cut-off separates the classes have no slope: they are counted in
#' `n_undefined`. Risks of exactly 0 or 1 have no logit and are left out of these three numbers.
#' Brier score = reliability - resolution + uncertainty + within bins. These parts, the calibration
#' error, observed over expected events and the standardised net benefit depend on the number of rows:
#' replicates lose what this alone does to their winner (`size_correction` of [bbc_correct()]). The curve is a local linear
#' regression of the truth on the risk, where at least half of the replicates have one.
#'
#' *Net benefit* at a threshold t, per row: true positives less t / (1 - t) false positives, where
#' rows with a risk of at least t are treated. Treating none has 0. Nothing is
#' fitted to treat all: it is drawn as it is on all rows.
#'
#' *ROC curve.* Sensitivities at a specificity, and the reverse, and partial areas are computed in
#' each replicate, not read off the mean curve. Partial areas are standardised as by McClish, 0.5
#' for guesses and 1 for the largest possible area, as with `partial.auc.correct` in pROC.
#'
#' *Bands.* `low` and `high` are order statistics of the replicates at one point;
#' `simultaneous_low` and `simultaneous_high` hold whole curves of the replicates.
#'
#' @param fit What [bbc_correct()] returned; for calibration and net benefit of probabilities of the
#'   event, for the curves of any scores that are higher for the event. Where a model or table has labels
#'   as well, the metric that selected may have read these. For risks select by a metric that reads
#'   probabilities, such as `"log_loss"`: the AUC does not see calibration.
#' @param n_bins Number of bins for the decomposition of the Brier score and the calibration error,
#'   of equal numbers of rows.
#' @param thresholds Ascending threshold probabilities between 0 and 1; by default 0.01, 0.02, ...,
#'   0.99.
#' @param specificity,sensitivity Values at which the sensitivity, or the specificity, is reported.
#' @param partial Ranges whose partial areas under the curve are reported, such as
#'   `list(specificity = c(0.8, 1))`; or of `sensitivity`, or both.
#' @param standardized Whether partial areas are standardised.
#' @param of_class Of a truth of more than two classes, the one that is set against all others; its
#'   probabilities or scores are read from the array of those of all classes, by which the correction
#'   selected.
#' @param ... No other arguments: how the performance was corrected, [bbc_correct()] was told.
#' @return An object of class `bbc_curve`, a list with `performance` (the [record][bbc_record] of the
#'   correction), `quantities` (a data frame with a row per number: `quantity`, `estimate`,
#'   `low`, `high`, `apparent`, `ideal` and `n_undefined`, the replicates that are left out),
#'   `curve` (a data frame with a row per point: `x`, for net benefit `curve` and `threshold` in its
#'   place, then `estimate`, `low`, `high`, `simultaneous_low`, `simultaneous_high`, `apparent` and
#'   `n_undefined`), `of_class`, `confidence_level`, `findings` (those of the correction and BBC035, where
#'   draws keep the shares of the classes) and `notes`; of calibration also `n_bins`, `share_certain`
#'   (of risks that are exactly 0 or 1) and `counts`, how many events and others have risks of 0 to
#'   0.02, 0.02 to 0.04 and so on; of curves `prevalence`, the precision of guesses. Limits are `NA`
#'   where there is no interval. See [bbc_results] for its methods.
#' @references
#' B. Van Calster et al. (2016). A calibration hierarchy for risk models was defined: from utopia to
#' empirical data. *Journal of Clinical Epidemiology* 74, 167-176.
#'
#' D. Firth (1993). Bias reduction of maximum likelihood estimates. *Biometrika* 80, 27-38.
#'
#' A. J. Vickers, E. B. Elkin (2006). Decision curve analysis: a novel method for evaluating
#' prediction models. *Medical Decision Making* 26, 565-574.
#'
#' D. K. McClish (1989). Analyzing a portion of the ROC curve. *Medical Decision Making* 9, 190-195.
#'
#' J. Davis, M. Goadrich (2006). The relationship between precision-recall and ROC curves.
#' *International Conference on Machine Learning*.
#' @examples
#' # Risks that are twice as extreme as they should be, on the scale of logits.
#' set.seed(1)
#' logit <- rnorm(150)
#' truth <- rbinom(150, 1, plogis(logit))
#' risks <- plogis(2 * logit + matrix(rnorm(1500, sd = 0.5), 150))
#' fit <- bbc_correct(risks, truth, "log_loss", seed = 1, n_threads = 2)
#' bbc_calibration(fit)
#' bbc_decision_curve(fit, thresholds = 1:9 / 10)
#' roc <- bbc_roc_curve(fit, specificity = 0.9, partial = list(specificity = c(0.8, 1)))
#' roc$quantities
#' bbc_precision_recall_curve(fit)
#' @name bbc_curves
NULL

#' @rdname bbc_curves
#' @export
bbc_calibration <- function(fit, ...) UseMethod("bbc_calibration")

#' @export
bbc_calibration.default <- function(fit, ...) refuse_unfitted(fit, "bbc_calibration")

#' @rdname bbc_curves
#' @export
bbc_calibration.bbc_estimate <- function(fit, n_bins = 10, of_class = NULL, ...) {
  no_more_arguments(...)
  n_bins <- bin_count(n_bins)
  correction <- against_others(winners_of(fit, "bbc_calibration"), of_class)
  with_call(calibration_of(correction, n_bins))
}

bin_count <- function(n_bins) whole_number(n_bins, "n_bins", 1)

calibration_of <- function(correction, n_bins) {
  winner <- read_as(correction, "calibration")
  risks <- winners_predictions(winner)
  grid <- calibration_grid(risks$values)
  found <- winner_statistics(winner, list(kind = "calibration", n_bins = as.integer(n_bins),
                                          x = grid))
  new_calibration("bbc_calibration", winner, grid, found, calibration_numbers, calibration_values,
                  calibration_notes, n_bins = n_bins, counts = risk_counts(risks))
}

# `numbers` say which of the kernel's `values` are shown.
new_calibration <- function(class, winner, grid, found, numbers, values, notes_of, ...) {
  of_numbers <- match(numbers$value, values)
  quantities <- quantities_of(
    winner, numbers$quantity, found$apparent[match(numbers$likelihood, values)],
    found$replicates[of_numbers, , drop = FALSE], found$ranges[of_numbers], numbers$ideal
  )
  certain <- found$apparent[[match("share_certain", values)]]
  n_undefined <- quantities$n_undefined[quantities$quantity == "calibration slope"]
  fields <- append(list(...), list(share_certain = certain), 1)
  do.call(new_clinical, c(list(
    class, winner, quantities, smooth_curve_of(winner, grid, found, length(values)),
    notes = notes_of(certain, n_undefined, ncol(found$replicates))
  ), fields))
}

# The curve behind `n` other values, where most replicates define it.
smooth_curve_of <- function(winner, grid, found, n) {
  apparent <- found$apparent[-seq_len(n)]
  replicates <- found$replicates[-seq_len(n), , drop = FALSE]
  drawn <- 2 * rowSums(is.nan(replicates)) <= ncol(replicates) & !is.nan(apparent)
  curve_of(winner, list(x = grid[drawn]), apparent[drawn], replicates[drawn, , drop = FALSE],
           found$ranges[-seq_len(n)][drawn])
}

#' @rdname bbc_curves
#' @export
bbc_decision_curve <- function(fit, ...) UseMethod("bbc_decision_curve")

#' @export
bbc_decision_curve.default <- function(fit, ...) refuse_unfitted(fit, "bbc_decision_curve")

#' @rdname bbc_curves
#' @export
bbc_decision_curve.bbc_estimate <- function(fit, thresholds = NULL, of_class = NULL, ...) {
  no_more_arguments(...)
  at <- checked_thresholds(thresholds)
  correction <- against_others(winners_of(fit, "bbc_decision_curve"), of_class)
  with_call(decision_curve_of(correction, at))
}

decision_curve_of <- function(correction, at) {
  winner <- read_as(correction, "calibration")
  found <- winner_statistics(winner, list(kind = "net_benefit", x = at))
  curves <- lapply(seq_along(decision_curves), function(i) {
    values <- (i - 1) * length(at) + seq_along(at)
    curve_of(winner, list(curve = decision_curves[[i]], threshold = at), found$apparent[values],
             found$replicates[values, , drop = FALSE], found$ranges[values], found$rates[values])
  })
  new_clinical("bbc_decision_curve", winner, NULL, do.call(rbind, curves))
}

#' @rdname bbc_curves
#' @export
bbc_roc_curve <- function(fit, ...) UseMethod("bbc_roc_curve")

#' @export
bbc_roc_curve.default <- function(fit, ...) refuse_unfitted(fit, "bbc_roc_curve")

#' @rdname bbc_curves
#' @export
bbc_roc_curve.bbc_estimate <- function(fit, specificity = NULL, sensitivity = NULL, partial = NULL,
                                       standardized = TRUE, of_class = NULL, ...) {
  no_more_arguments(...)
  specificity <- shares_of(specificity, "specificity")
  sensitivity <- shares_of(sensitivity, "sensitivity")
  ranges <- partial_ranges(partial)
  standardized <- flag(standardized, "standardized")
  correction <- against_others(winners_of(fit, "bbc_roc_curve"), of_class)
  with_call(roc_curve_of(correction, specificity, sensitivity, ranges, standardized))
}

roc_curve_of <- function(correction, specificity = double(), sensitivity = double(),
                         ranges = list(), standardized = TRUE) {
  winner <- read_as(correction, "curve")
  found <- winner_statistics(winner, list(
    kind = "roc", x = c(rates, 1 - specificity), sensitivities = sensitivity,
    specificity_range = ranges$specificity, sensitivity_range = ranges$sensitivity
  ))
  ranges <- ranges[lengths(ranges) > 0]
  points <- seq_along(rates)
  n_values <- length(specificity) + length(sensitivity)
  # Of each range the area, and the same standardised.
  areas <- length(rates) + n_values + 2 * seq_along(ranges) - if (standardized) 0 else 1
  values <- c(length(rates) + seq_len(n_values), areas)
  titles <- c(
    sprintf("sensitivity at specificity %g", specificity),
    sprintf("specificity at sensitivity %g", sensitivity),
    sprintf("partial AUC, %s %g to %g", names(ranges), vapply(ranges, `[[`, 0, 1),
            vapply(ranges, `[[`, 0, 2))
  )
  quantities <- if (length(values)) {
    quantities_of(winner, titles, found$apparent[values], found$replicates[values, , drop = FALSE],
                  found$ranges[values], rates = found$rates[values])
  }
  curve <- curve_of(winner, list(x = rates), found$apparent[points],
                    found$replicates[points, , drop = FALSE], found$ranges[points],
                    found$rates[points])
  new_clinical("bbc_roc_curve", winner, quantities, curve, prevalence = prevalence_of(winner),
               of_rates = TRUE)
}

#' @rdname bbc_curves
#' @export
bbc_precision_recall_curve <- function(fit, ...) UseMethod("bbc_precision_recall_curve")

#' @export
bbc_precision_recall_curve.default <- function(fit, ...) refuse_unfitted(fit, "bbc_precision_recall_curve")

#' @rdname bbc_curves
#' @export
bbc_precision_recall_curve.bbc_estimate <- function(fit, of_class = NULL, ...) {
  no_more_arguments(...)
  correction <- against_others(winners_of(fit, "bbc_precision_recall_curve"), of_class)
  with_call(precision_recall_curve_of(correction))
}

precision_recall_curve_of <- function(correction) {
  winner <- read_as(correction, "curve")
  recalls <- rates[-1]
  found <- winner_statistics(winner, list(kind = "precision_recall", x = recalls))
  curve <- curve_of(winner, list(x = recalls), found$apparent, found$replicates,
                    found$ranges, found$rates)
  new_clinical("bbc_precision_recall_curve", winner, NULL, curve,
               prevalence = prevalence_of(winner))
}

decision_curves <- c("net_benefit", "treat_all", "over_treat_all", "standardized")

# As numpy.linspace(0, 1, 101): not seq(0, 100) / 100, which differs in last bits.
rates <- c(seq(0, 99) * 0.01, 1)

# In the kernel's order.
calibration_values <- c(
  "slope", "slope_intercept", "intercept", "reduced_slope", "reduced_slope_intercept",
  "reduced_intercept", "brier_score", "reliability", "resolution", "uncertainty", "within_bins",
  "calibration_error", "observed_expected", "share_certain"
)

# What is shown: replicates of `value`, and the apparent `likelihood`.
calibration_numbers <- local({
  one <- function(quantity, value, ideal = NA_real_, likelihood = value) {
    data.frame(quantity = quantity, value = value, ideal = ideal, likelihood = likelihood)
  }
  rbind(
    one("calibration in the large", "reduced_intercept", 0, "intercept"),
    one("calibration slope", "reduced_slope", 1, "slope"),
    one("intercept beside the slope", "reduced_slope_intercept", 0, "slope_intercept"),
    one("observed / expected", "observed_expected", 1),
    one("Brier score", "brier_score"),
    one("reliability", "reliability", 0),
    one("resolution", "resolution"),
    one("uncertainty", "uncertainty"),
    one("within bins", "within_bins"),
    one("calibration error", "calibration_error", 0)
  )
})

# 51 points, as of numpy.linspace().
calibration_grid <- function(risks) {
  ends <- range(risks)
  unique(c(seq(0, 49) * ((ends[[2]] - ends[[1]]) / 50) + ends[[1]], ends[[2]]))
}

# How many events and others have risks in each fiftieth of [0, 1].
risk_counts <- function(risks) {
  edges <- seq(0, 49) * 0.02
  place <- findInterval(risks$values, edges)
  data.frame(low = edges, events = tabulate(place[risks$codes == 1], 50),
             others = tabulate(place[risks$codes == 0], 50))
}

many_undefined <- 0.02  # of the replicates

calibration_notes <- function(certain, n, n_bootstraps) {
  separated <- sprintf(paste("the slope is undefined in %.0f of %.0f replicates, in which a",
                             "cut-off separates the classes"), n, n_bootstraps)
  selected <- n > many_undefined * n_bootstraps && n < n_bootstraps
  c(
    if (certain > 0) sprintf(paste("%.3g %% of the winner's probabilities are exactly 0 or 1;",
                                   "intercept and slope leave them out"), 100 * certain),
    if (n > 0) paste0(separated, if (selected) "; the others are those with smaller slopes")
  )
}

checked_thresholds <- function(thresholds) {
  if (is.null(thresholds)) return(seq_len(99) / 100)
  if (!is.numeric(thresholds) || length(thresholds) == 0 || anyNA(thresholds)) {
    abort("`thresholds` must be numbers between 0 and 1")
  }
  refuse_outside(thresholds, "thresholds")
  if (is.unsorted(thresholds, strictly = TRUE)) abort("`thresholds` must ascend")
  as.double(thresholds)
}

refuse_outside <- function(thresholds, name) {
  outside <- is.na(thresholds) | thresholds <= 0 | thresholds >= 1
  if (!any(outside)) return(invisible())
  first <- thresholds[outside][[1]]
  hint <- if (isTRUE(first > 1 && first < 100)) sprintf("; write %g %% as %g", first, first / 100) else ""
  abort("`%s` must be between 0 and 1, not %g%s", name, first, hint)
}

shares_of <- function(values, name) {
  vapply(values, share, 0, name, USE.NAMES = FALSE)
}

# The ranges of partial areas, within [0, 1], by the axis that they are of.
partial_ranges <- function(partial) {
  axes <- c("specificity", "sensitivity")
  if (is.null(partial)) return(list())
  if (!is.list(partial) || is.null(names(partial)) || anyDuplicated(names(partial)) ||
        !all(names(partial) %in% axes)) {
    abort("`partial` must be a list of ranges, list(specificity = c(low, high)) or of sensitivity")
  }
  lapply(partial[intersect(axes, names(partial))], function(values) {
    if (!is.numeric(values) || length(values) != 2 || anyNA(values)) {
      abort("`partial` must have two numbers, c(low, high), for each range")
    }
    if (values[[1]] < 0 || values[[1]] >= values[[2]] || values[[2]] > 1) {
      abort("`partial` must have ranges within 0 and 1, not c(%g, %g)", values[[1]], values[[2]])
    }
    as.double(values)
  })
}
