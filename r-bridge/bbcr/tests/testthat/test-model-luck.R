set.seed(1)
n <- 200
truth <- rep(0:1, n / 2)
folds <- rep(1:5, each = 2, length.out = n)
skill <- matrix(stats::rnorm(5 * 40, 0.75, 0.1), 5)[folds, ]
lucky <- ifelse(stats::runif(n * 40) < skill, truth, 1 - truth)
quietly <- function(code) suppressWarnings(code)
luck_codes <- function(e) e$findings$detail[e$findings$code == "BBC011"]

test_that("luck of fitted models is found, and said in a warning", {
  expect_warning(
    e <- bbc_correct(lucky, truth, "accuracy", folds = folds, seed = 1), "^BBC011 fitted models"
  )
  luck <- e$model_luck
  expect_named(luck, c("p_value", "predicted_bias", "luck_variance", "row_variance",
                       "n_permutations", "untestable"))
  expect_identical(c(luck$p_value, luck$n_permutations), c(0.01, 99))
  expect_gt(luck$predicted_bias, 0.02)
  expect_identical(luck_codes(e), sprintf(
    "the estimate is predicted to be too good by %.2g (p = %.2g)", luck$predicted_bias, luck$p_value
  ))
  one <- quietly(bbc_correct(lucky, truth, "accuracy", folds = folds, seed = 1, n_threads = 1))
  expect_identical(one, e)
  by_rule <- function(scores, counts) which.max(scores)
  of_50 <- function(...) quietly(bbc_correct(lucky, truth, "accuracy", folds = folds, seed = 1,
                                             n_bootstraps = 50, ...))$model_luck
  expect_identical(of_50(selection = by_rule), of_50())
})

test_that("what cannot be tested says why, and what draws folds has no finding", {
  correct <- function(...) quietly(bbc_correct(lucky, truth, "accuracy", seed = 1, ...))
  expect_null(correct()$model_luck)
  expect_null(correct(method = "bbc-f", folds = folds)$model_luck)
  two_level <- correct(method = "bbc-two-level", folds = folds)
  expect_null(two_level$model_luck)
  expect_identical(luck_codes(two_level), character())
  single <- quietly(bbc_correct(lucky[, 1, drop = FALSE], truth, "accuracy", folds = folds))
  expect_identical(single$model_luck, list(n_permutations = 0L, untestable = "a single configuration"))
})

test_that("a single hold-out cannot tell, and needs rows that it left out", {
  held_out <- lucky
  held_out[101:200, ] <- NA
  e <- quietly(bbc_correct(held_out, truth, "accuracy", folds = rep(1, n), seed = 1))
  expect_match(luck_codes(e), "^one hold-out has one fitted model per configuration")
  expect_refused(bbc_correct(lucky, truth, "accuracy", folds = rep(1, n)), "`folds` has one value")
})

test_that("a row that dominates the winner's loss", {
  y <- stats::rnorm(n)
  predictions <- y + matrix(stats::rnorm(n * 3), n)
  predictions[7, ] <- predictions[7, ] + 30
  e <- bbc_correct(predictions, y, "mean_squared_error", seed = 1)
  errors <- (predictions[, e$winner] - y)^2
  expect_identical(e$findings$detail[e$findings$code == "BBC013"], sprintf(
    "%.3g %% of the winner's loss is that of one row of 200", 100 * max(errors) / sum(errors)
  ))
  weights <- replace(rep(1, n), 7, 1e-6)
  e <- bbc_correct(predictions, y, "mean_squared_error", sample_weight = weights, seed = 1)
  expect_false("BBC013" %in% e$findings$code)
  expect_false("BBC013" %in% bbc_correct(predictions, y, "spearman", seed = 1)$findings$code)
})
