set.seed(1)
real <- rnorm(40)
predictions <- sapply(1:4, function(i) real + rnorm(40))
data <- binary_data(50, 4)
truth <- factor(data$truth, labels = c("well", "ill"))
scores <- stats::plogis(data$scores)
custom <- function(score, better = FALSE, predicts = "value", ...) {
  bbc_custom_metric(score, "own", better, predicts, ...)
}
same_numbers <- function(own, named) {
  for (part in c("estimate", "apparent", "winner", "replicates", "replicate_winners",
                 "confidence_interval", "optimism", "replicate_sd", "n_rows", "event")) {
    expect_equal(own[[part]], named[[part]])
  }
}
# Only the kernel knows which metrics are means, so functions are compared without shifts.
once <- function(...) {
  suppressWarnings(bbc_correct(..., size_correction = FALSE, n_bootstraps = 100, seed = 1))
}

test_that("a function gives what the kernel's metric of that name gives", {
  mae <- custom(function(truth, prediction) mean(abs(truth - prediction)), limits = c(0, Inf))
  same_numbers(once(predictions, real, mae), once(predictions, real, "mae"))
  repeats <- list(predictions, predictions[, 4:1])
  same_numbers(once(repeats, real, mae), once(repeats, real, "mae"))
  same_numbers(once(predictions, real, mae, groups = rep(1:20, 2)),
               once(predictions, real, "mae", groups = rep(1:20, 2)))
  hit <- custom(function(truth, prediction) mean(truth == prediction), TRUE, "labels", c(0, 1))
  labels <- matrix(levels(truth)[data$labels[1:50, 1:4] + 1], 50)
  same_numbers(once(labels, truth, hit), once(labels, truth, "accuracy"))
  same_numbers(once(data$labels[1:50, 1:4], data$truth, hit),
               once(data$labels[1:50, 1:4], data$truth, "accuracy"))
  brier <- custom(function(truth, prediction) {
    mean((prediction - (truth == levels(truth)[[2]]))^2)
  }, FALSE, "probability", limits = c(0, 1))
  for (event in levels(truth)) {
    same_numbers(once(scores, truth, brier, event_level = event),
                 once(scores, truth, "brier_score", event_level = event))
  }
  three <- factor(rep(c("a", "b", "c"), 14)[1:40])
  odds <- array(rexp(480), c(40, 4, 3))
  shares <- odds / as.vector(rowSums(odds, dims = 2))
  loss <- custom(function(truth, prediction) {
    mean(-log(prediction[cbind(seq_along(truth), as.integer(truth))]))
  }, FALSE, "class_probabilities", limits = c(0, Inf))
  same_numbers(once(shares, three, loss), once(shares, three, "log_loss"))
})

test_that("nothing leaves a range that nobody gave", {
  root <- function(truth, prediction) sqrt(mean((truth - prediction)^2))
  for (alternative in c("less", "greater")) {
    correct <- function(metric, ...) {
      suppressWarnings(bbc_correct(predictions, real, metric, n_bootstraps = 100, seed = 1,
                                   alternative = alternative, ...))
    }
    unknown <- correct(custom(root))
    known <- correct(custom(root, limits = c(0, Inf)))
    published <- correct(custom(root, limits = c(0, Inf)), size_correction = FALSE)
    expect_null(unknown$size_bias)
    expect_false(known$size_bias == 0)
    expect_equal(unknown$replicates, published$replicates)
    ends <- range(unknown$replicates)
    for (level in c(0.95, 0.8)) {
      interval <- confint(unknown, level = level)
      expect_true(all(interval >= ends[[1]] & interval <= ends[[2]]))
      expect_true(ends[[if (alternative == "less") 1 else 2]] %in% interval)
    }
    expect_equal(known$confidence_interval[[if (alternative == "less") "low" else "high"]],
                 if (alternative == "less") 0 else Inf)
  }
})

test_that("a function may decide, and may be reported", {
  mae <- custom(function(truth, prediction) mean(abs(truth - prediction)), limits = c(0, Inf))
  e <- once(predictions, real, "mean_squared_error", secondary = list(mae))$secondary
  named <- once(predictions, real, "mean_squared_error", secondary = "mean_absolute_error")$secondary
  same_numbers(e$own, named$mean_absolute_error)
  e <- once(predictions, real, mae, secondary = "mean_squared_error")$secondary
  named <- once(predictions, real, "mean_absolute_error", secondary = "mean_squared_error")$secondary
  same_numbers(e$mean_squared_error, named$mean_squared_error)
  brier <- custom(function(truth, prediction) {
    mean((prediction - (truth == "ill"))^2)
  }, FALSE, "probability", limits = c(0, 1))
  for (both in list(list(brier, "brier_score"), list("brier_score", brier))) {
    e <- once(scores, truth, both[[1]], secondary = both[2], event_level = "ill")
    same_numbers(replace(e, "secondary", NULL), e$secondary[[1]])
  }
})

test_that("what a function cannot do is refused", {
  mae <- custom(function(truth, prediction) mean(abs(truth - prediction)))
  expect_refused(bbc_custom_metric("mae", "own"), "`score` must be a function")
  expect_refused(bbc_custom_metric(mean, "mae"), "another metric")
  expect_refused(bbc_custom_metric(mean, "survival_brier_score"), "another metric")
  expect_refused(custom(mean, limits = c(1, 0)), "`limits` must be two numbers")
  expect_refused(once(predictions, real, custom(function(truth, prediction) NA)),
                 "`metric`: \"own\" is NA on all rows, not one finite number")
  folds <- rep(1:4, 10)
  for (method in c("bbc-f", "bbc-two-level")) {
    expect_refused(once(predictions, real, mae, method = method, folds = folds),
                   "is a function, which method = .* does not take")
  }
  expect_refused(once(predictions, real, mae, pooling = "fold", folds = folds), "pooling")
  expect_refused(once(predictions, real, mae, sample_weight = folds), "`sample_weight`")
  expect_refused(once(predictions, real, mae, folds = folds, selection = bbc_one_standard_error(1:4)),
                 "a rule of `selection`")
  expect_refused(bbc_tt(predictions, real, mae, folds), "bbc_tt\\(\\) does not take")
  fit <- once(predictions, real, mae)
  expect_refused(bbc_possible_winners(fit), "bbc_possible_winners\\(\\)")
  expect_refused(bbc_winner_interval(fit), "bbc_winner_interval\\(\\)")
  expect_refused(bbc_tuning_path(fit), "bbc_tuning_path\\(\\)")
})
