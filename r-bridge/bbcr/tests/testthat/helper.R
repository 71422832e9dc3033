# Two cores at most, as for every check of a package.
Sys.setenv("_R_CHECK_LIMIT_CORES_" = "TRUE")

binary_data <- function(n = 80, n_configurations = 12, seed = 1) {
  set.seed(seed)
  truth <- rbinom(n, 1, 0.4)
  list(
    truth = truth,
    labels = matrix(rbinom(n * n_configurations, 1, 0.5), n),
    scores = matrix(rnorm(n * n_configurations), n) + truth
  )
}

# One clear error: of the package's class, with the user's call, naming the argument.
expect_refused <- function(code, pattern, class = "bbc_invalid_argument") {
  condition <- expect_error(code, pattern, class = class)
  expect_false(is.null(conditionCall(condition)))
}

# Blocks cannot show model luck; all else is what the whole shows.
without_luck <- function(result) {
  expect_false(is.null(result$model_luck))
  result["model_luck"] <- list(NULL)
  result
}
