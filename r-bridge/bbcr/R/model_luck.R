# Whether the fitted models of a configuration differ by luck.

# The kernel's test; NULL where folds are not known.
model_luck <- function(problem, plan, threads) {
  if (is.null(problem$folds)) return(NULL)
  luck <- checked(kernel_model_luck(kernel_target(problem$truth), problem$predictions, plan,
                                    problem$folds, threads), problem)
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
