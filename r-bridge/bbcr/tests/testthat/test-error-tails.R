# Limits of squared errors with long tails; their bits are compared with Python's in r-bridge/python.

n <- 80
set.seed(4)
truth <- stats::rnorm(n)
predictions <- truth + stats::rt(n, 3) + 0.3 * matrix(stats::rnorm(3 * n), n)
of <- function(...) bbc_correct(predictions, truth, ..., n_bootstraps = 400, seed = 1)

test_that("other levels and sides ask the same draws", {
  for (metric in c("mean_squared_error", "root_mean_squared_error", "r2")) {
    for (alternative in c("two-sided", "greater", "less")) {
      one <- of(metric, alternative = alternative)
      other <- of(metric, alternative = alternative, confidence_level = 0.8)
      expect_identical(unname(confint(one, level = 0.8)), unname(confint(other)))
    }
  }
})

test_that("the limit of large errors is farther than that of the replicates", {
  e <- of("mean_squared_error")
  expect_gt(e$confidence_interval$high, sort(e$replicates)[[390]])
  expect_identical(e$confidence_interval$low, sort(e$replicates)[[10]])
  e <- of("r2")
  expect_lt(e$confidence_interval$low, sort(e$replicates)[[10]])
  e <- of("mean_absolute_error")
  expect_identical(e$confidence_interval$high, sort(e$replicates)[[390]])
})

test_that("BBC013 says where tails are long, BBC034 where errors repeat", {
  errors <- ifelse(seq_len(n) %% 9 == 0, 3.6, 0.7) * seq(0.85, 1, length.out = n)
  e <- bbc_correct(cbind(truth + errors, truth - errors), truth, "r2", seed = 1)
  squares <- errors^2
  kurtosis <- mean(squares^2) / mean(squares)^2
  expect_gt(kurtosis, 3 + 3 * sqrt(24 / n))
  expect_match(e$findings$detail[e$findings$code == "BBC013"],
               sprintf("long tails (kurtosis %.3g, normal errors: 3)", kurtosis), fixed = TRUE)
  two <- ifelse(seq_len(n) %% 20 == 0, 3, 1)
  e <- bbc_correct(cbind(seq_len(n) + two, seq_len(n) - two), seq_len(n), "mean_squared_error",
                   seed = 1)
  expect_true("BBC034" %in% e$findings$code)
})
