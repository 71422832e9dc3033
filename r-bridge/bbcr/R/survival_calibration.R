#' Calibration of the winner's risks at a time
#'
#' Risks are probabilities of an event by the time, 1 - S(time). Draws and winners are those of
#' the correction, and the calibration of each replicate's winner is computed on the rows that the
#' replicate left out of bag.
#'
#' Whether a row that was censored before the time had the event is unknown. In its place stands the
#' pseudo-value of each row: with F the Kaplan-Meier estimate of the risk of all n rows and F' that
#' without the row, n F - (n - 1) F'. Given the inputs its mean is the risk, if censoring does not
#' depend on them; without censoring it is 0 or 1. They are computed once, on all rows. Calibration in
#' the large is the a of cloglog P(event) = a + cloglog(risk), where cloglog(p) = log(-log(1 - p)): 0 if
#' risks are right on average, and exp(a) is the ratio of the cumulative hazards, observed to
#' predicted. The slope is the b of cloglog P(event) = a + b cloglog(risk), below 1 if risks are too
#' extreme. Both solve the estimating equations of pseudo-values; risks of exactly 0 or 1 are left
#' out. The curve is a local linear regression, as that of [bbc_calibration()].
#'
#' @param fit What [bbc_correct()] returned, by `survival_brier_score` of `time`, or by
#'   `integrated_brier_score` of several times with `time` among them: predictions are probabilities of
#'   surviving, see [bbc_metric()].
#' @param time The time.
#' @param n_groups Number of groups of equal size, by the winner's risk, whose observed risk is
#'   Kaplan-Meier's.
#' @param ... No other arguments.
#' @return An object of class `bbc_survival_calibration`, a [bbc_calibration()] with `time` and `groups`,
#'   a data frame with a row per group: `n_rows`, the mean `risk`, and the `observed` one. Groups are
#'   apparent, as the winner was selected on these rows.
#' @references
#' P. K. Andersen, J. P. Klein, S. Rosthoj (2003). Generalised linear models for correlated
#' pseudo-observations, with applications to multi-state models. *Biometrika* 90, 15-27.
#'
#' D. J. McLernon et al. (2023). Assessing performance and clinical usefulness in prediction models
#' with survival outcomes. *Annals of Internal Medicine* 176, 105-114.
#' @examplesIf requireNamespace("survival", quietly = TRUE)
#' # Curves that are twice as extreme as they should be.
#' set.seed(1)
#' x <- rnorm(200)
#' event <- rexp(200, exp(x))
#' censored <- rexp(200, 0.3)
#' truth <- survival::Surv(pmin(event, censored), event <= censored)
#' surviving <- exp(-exp(2 * x + matrix(rnorm(1000, sd = 0.1), 200)))
#' fit <- bbc_correct(surviving, truth, bbc_metric("survival_brier_score", time = 1),
#'                    n_bootstraps = 200, seed = 1, n_threads = 2)
#' bbc_survival_calibration(fit, time = 1)
#' @export
bbc_survival_calibration <- function(fit, ...) UseMethod("bbc_survival_calibration")

#' @export
bbc_survival_calibration.default <- function(fit, ...) refuse_unfitted(fit, "bbc_survival_calibration")

#' @rdname bbc_survival_calibration
#' @export
bbc_survival_calibration.bbc_estimate <- function(fit, time, n_groups = 5, ...) {
  no_more_arguments(...)
  if (missing(time)) abort("`time` is missing: it says of when risks are")
  time <- times_of(time, "time")
  n_groups <- whole_number(n_groups, "n_groups", 2)
  with_call(survival_calibration_of(winners_of(fit, "bbc_survival_calibration"), time, n_groups))
}

survival_calibration_of <- function(correction, time, n_groups) {
  read <- correction$selecting$options$metric
  if (read$censoring != "brier") {
    abort("`metric` must read survival probabilities, as survival_brier_score does, not %s",
          read$name)
  }
  place <- match(time, read$times)
  if (is.na(place)) {
    abort("`time` must be one that `metric` reads (%s), not %s", shown(format(read$times, trim = TRUE)),
          format(time))
  }
  # As they were given, not as losses.
  read$censoring <- ""
  scored <- correction$scored(read)
  refuse_other_cells(scored, correction)
  survival <- kernel_target(scored$problem$truth)
  weights <- scored$problem$weights
  outcomes <- checked(kernel_pseudo_risks(survival, weights, time, correction$threads))
  # Numbers to be predicted, which the kernel takes as those of any regression.
  scored$problem$truth <- list(values = outcomes, n_rows = length(outcomes), n_classes = 0L)
  scored$problem$predictions <- lapply(scored$problem$predictions, function(array) {
    1 - one_output(array, place)
  })
  scored$plan$metric <- bbc_metric("mean_squared_error")
  winner <- c(correction, list(problem = scored$problem, plan = pooled_plan(scored)))
  column <- winner_places(winner)$all_rows
  risks <- vapply(scored$problem$predictions, function(array) array[, column], outcomes)
  grid <- calibration_grid(risks)
  found <- winner_statistics(winner, list(kind = "survival_calibration", x = grid))
  new_calibration(c("bbc_survival_calibration", "bbc_calibration"), winner, grid, found,
                  survival_numbers, survival_values, survival_notes, time = time,
                  groups = groups_by_risk(rowMeans(risks), n_groups, survival, weights, time))
}

# In the kernel's order.
survival_values <- c("slope", "slope_intercept", "intercept", "observed_expected", "share_certain")

survival_numbers <- data.frame(
  quantity = c("calibration in the large", "calibration slope", "intercept beside the slope",
               "observed / expected"),
  value = c("intercept", "slope", "slope_intercept", "observed_expected"), ideal = c(0, 1, 0, 1),
  likelihood = c("intercept", "slope", "slope_intercept", "observed_expected")
)

# Groups of about equal size in order of risk; equal risks stay together.
groups_by_risk <- function(risks, n_groups, survival, weights, time) {
  edges <- unique(stats::quantile(risks, seq_len(n_groups - 1) / n_groups, names = FALSE))
  groups <- unname(split(seq_along(risks), findInterval(risks, edges, left.open = TRUE)))
  observed <- vapply(groups, function(rows) {
    own <- list(values = survival$values[rows], events = survival$events[rows])
    checked(kernel_observed_risk(own, weights[rows], time))
  }, 0)
  data.frame(n_rows = lengths(groups), observed = observed,
             risk = vapply(groups, function(rows) mean(risks[rows]), 0))[c("n_rows", "risk", "observed")]
}

survival_notes <- function(certain, n, n_bootstraps) {
  c(
    if (certain > 0) sprintf(paste("%.3g %% of the winner's risks are exactly 0 or 1; intercept and",
                                   "slope leave them out"), 100 * certain),
    if (n > 0) sprintf(paste("the slope is undefined in %.0f of %.0f replicates, whose rows have too",
                             "few events or equal risks"), n, n_bootstraps)
  )
}
