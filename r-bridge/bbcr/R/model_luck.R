# Whether the fitted models of a configuration differ by luck.

# The kernel's test of those that some replicate chose, or of all; NULL where folds are not known.
model_luck <- function(problem, plan, threads, winners = integer()) {
  if (is.null(problem$folds)) return(NULL)
  luck <- checked(kernel_model_luck(kernel_target(problem$truth), problem$predictions, plan,
                                    problem$folds, as.integer(winners), threads), problem)
  if (nzchar(luck$untestable)) untested_luck(problem, luck$untestable) else luck
}

# The same where there can be no test.
untested_luck <- function(problem, why) {
  if (!is.null(problem$folds)) list(n_permutations = 0L, untestable = why)
}

# Luck that is likely and matters, of which only method "bbc" takes no account.
findings_of_luck <- function(luck, estimate, interval, method) {
  if (method != "bbc" || is.null(interval) || is.null(luck$p_value)) return(NULL)
  matters <- kernel_luck_matters(luck$p_value, luck$predicted_bias, estimate, interval$low,
                                 interval$high, interval$alternative)
  found_by("luck", list(luck_matters = matters, luck_bias = luck$predicted_bias,
                        luck_p = luck$p_value))
}

# Whether the interval allows for luck, which must then be known.
is_calibrated <- function(options) identical(options$interval, "calibrated")

interval_kinds <- c("order-statistics", "calibrated")

check_calibrated <- function(method, selection) {
  if (method != "bbc-two-level") {
    abort('`interval = "calibrated"` is one of `method = "bbc-two-level"` only')
  }
  if (derives(selection)) {
    abort('`interval = "calibrated"` is for the selection of one configuration, not for %s',
          rule_text(selection))
  }
}

# What the kernel needs for a calibrated interval, beside the numbers of the estimate.
spread_of <- function(raw, problem) {
  list(replicate_sd = raw$replicate_sd, n_folds = as.double(fewest_folds(problem)),
       luck_variance = raw$model_luck$luck_variance,
       overlap = training_overlap(problem), untestable = raw$model_luck$untestable)
}

# Ends of a calibrated interval, or `infeasible`, why it has none.
calibrated_ends <- function(estimate, spread, rates, confidence_level, alternative, limits) {
  if (isTRUE(nzchar(spread$untestable))) {
    return(list(infeasible = paste("a calibrated interval needs the variance of model luck:",
                                   spread$untestable)))
  }
  checked(kernel_calibrated_limits(estimate, spread, as.double(rates), confidence_level, alternative,
                                   limits))
}
