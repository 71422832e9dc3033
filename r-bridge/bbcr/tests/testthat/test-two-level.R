data <- binary_data()
folds <- rep(1:5, 16)
# Folds of the second repeat do not nest in those of the first.
repeats <- list(data$scores, data$scores + rnorm(80))
folds_of_repeats <- cbind(folds, rep(1:4, each = 20))
two_level <- function(..., predictions = data$scores, metric = "roc_auc", own = folds) {
  bbc_correct(predictions, data$truth, metric, method = "bbc-two-level", folds = own, seed = 1, ...)
}

# What a replicate drew, as the selection rule sees it.
drawn <- function(...) {
  seen <- NULL
  rule <- function(scores, counts) {
    seen <<- rbind(seen, counts)
    1
  }
  two_level(selection = rule, n_bootstraps = 60, ...)
  seen[rowSums(seen != 1) > 0, ] # the choice on all rows has each row once
}

test_that("replicates draw folds, rows within them, and leave a fold out", {
  counts <- drawn()
  expect_equal(nrow(counts), 60)
  in_folds <- t(rowsum(t(counts), folds))
  expect_true(all(in_folds %% 16 == 0))
  expect_equal(unique(rowSums(in_folds)), 80)
  expect_true(all(apply(in_folds == 0, 1, any)))
  expect_true(any(in_folds == 32))
})

test_that("the winner is scored on all rows of the folds left out", {
  counts <- drawn(metric = "accuracy", predictions = data$labels)
  right <- data$labels[, 1] == data$truth
  expected <- apply(counts, 1, function(own) {
    mean(right[!folds %in% unique(folds[own > 0])])
  })
  e <- two_level(metric = "accuracy", predictions = data$labels, n_bootstraps = 60,
                 selection = function(scores, counts) 1)
  expect_equal(e$replicates, unname(expected))
})

test_that("groups are drawn within folds, and rows within classes", {
  groups <- rep(1:20, each = 4)
  counts <- drawn(groups = groups)
  for (part in split(seq_len(80), list(groups, folds), drop = TRUE)) {
    expect_true(all(counts[, part] == counts[, part[[1]]]))
  }
  expect_equal(two_level(groups = groups)$unit, "group")

  counts <- drawn(stratify_bootstrap = TRUE)
  in_folds <- t(rowsum(t(counts), folds))
  events <- t(rowsum(t(counts) * data$truth, folds))
  expect_equal(events, in_folds / 16 * rep(tapply(data$truth, folds, sum), each = 60),
               ignore_attr = TRUE)
})

test_that("rules that are functions give the same bits", {
  best <- function(scores, counts) which.max(scores)
  e <- two_level()
  by_rule <- two_level(selection = best)
  expect_identical(by_rule$design$selection, "callable")
  by_rule$design$selection <- "best"
  expect_equal(by_rule, e)
  expect_identical(by_rule$replicates, e$replicates)
  expect_identical(two_level(n_threads = 1), e)
  expect_equal(c(e$method, e$pooling, e$unit), c("bbc-two-level", "pooled", "row"))
  expect_lt(e$confidence_interval$low, e$estimate)
})

test_that("one standard error prefers the simple among equals", {
  rule <- bbc_one_standard_error(12:1)
  e <- two_level(selection = rule)
  expect_equal(e$winner, bbc_correct(data$scores, data$truth, "roc_auc", folds = folds, seed = 1,
                                     selection = rule)$winner)
  expect_gt(mean(e$replicate_winners), mean(two_level()$replicate_winners))
})

test_that("few folds have limits no closer than by Student's t", {
  three <- rep(1:3, length.out = 80)
  e <- two_level(own = three)
  expect_null(e$infeasible)
  expect_true("BBC015" %in% e$findings$code)
  expect_lt(e$confidence_interval$low, e$estimate)
  # The repeat with the fewest folds decides.
  few <- two_level(predictions = repeats, own = cbind(folds, three))$confidence_interval
  many <- two_level(predictions = repeats, own = cbind(folds, folds))$confidence_interval
  expect_gt(few$high - few$low, many$high - many$low)
})

test_that("bounds by two levels are the correction's", {
  bound <- function(own) {
    bbc_bound(data$scores, data$truth, own, "bbc-two-level", seed = 1)
  }
  e <- two_level(alternative = "greater")
  b <- bound(folds)
  expect_identical(c(b$estimate, b$low), c(e$estimate, e$confidence_interval$low))
  b <- bound(rep(1:3, length.out = 80))
  e <- two_level(alternative = "greater", own = rep(1:3, length.out = 80))
  expect_identical(c(b$estimate, b$low), c(e$estimate, e$confidence_interval$low))
  expect_refused(bbc_bound(data$scores, data$truth, method = "bbc-two-level"),
                 "`folds` is needed by `method = \"bbc-two-level\"`")
})

test_that("what two levels cannot do is refused", {
  correct <- function(...) {
    bbc_correct(data$scores, data$truth, "roc_auc", method = "bbc-two-level", ...)
  }
  expect_refused(correct(), "`folds` is needed by `method = \"bbc-two-level\"`")
  expect_refused(correct(folds = rep(1, 80)), "`folds` has one value in repeat 1: needs two folds")
  expect_refused(correct(folds = folds, resamples = matrix(1:80, 1)), "`resamples` are one draw")
  expect_refused(correct(folds = replace(rep("a", 80), data$truth == 1, "b")),
                 "single fold.*never both in bag and out of bag", "bbc_undefined_metric")
})

test_that("a calibrated interval allows for luck; all else stays", {
  lucky <- ifelse(matrix(rbinom(80 * 6, 1, 0.3), 80) == 1, 1 - data$truth, data$truth)
  correct <- function(..., metric = "accuracy") {
    suppressWarnings(two_level(predictions = lucky, metric = metric, ...))
  }
  plain <- correct()
  e <- correct(interval = "calibrated")
  expect_identical(e$replicates, plain$replicates)
  expect_identical(e$estimate, plain$estimate)
  expect_null(plain$model_luck)
  expect_gt(e$model_luck$n_permutations, 0)
  expect_true(e$confidence_interval$calibrated)
  expect_false(plain$confidence_interval$calibrated)
  expect_identical(e$design$interval, "calibrated")
  expect_identical(c(confint(e)), unlist(e$confidence_interval[c("low", "high")], use.names = FALSE))
  # A normal interval: of half the level's quantile half as wide.
  half <- function(level) diff(c(confint(e, level = level))) / 2 / stats::qnorm((1 + level) / 2)
  expect_equal(half(0.5), half(0.9))
  expect_equal(c(confint(e, level = 0.9)),
               c(confint(correct(interval = "calibrated", confidence_level = 0.9))))
  upper <- correct(interval = "calibrated", alternative = "less")
  expect_equal(upper$confidence_interval$low, 0)
  expect_identical(correct(interval = "calibrated", n_threads = 1), e)

  both <- correct(interval = "calibrated", secondary = "balanced_accuracy")
  expect_identical(replace(both, "secondary", NULL), e)
  expect_false(both$secondary$balanced_accuracy$confidence_interval$calibrated)
})

test_that("what says nothing of luck has no calibrated interval", {
  e <- suppressWarnings(two_level(predictions = data$scores[, 1, drop = FALSE],
                                  interval = "calibrated"))
  expect_null(e$confidence_interval)
  expect_identical(e$infeasible,
                   "a calibrated interval needs the variance of model luck: a single configuration")
  three <- suppressWarnings(two_level(own = rep(1:3, length.out = 80), interval = "calibrated"))
  scores <- vapply(1:3, function(k) {
    rows <- seq_len(80) %% 3 == k %% 3
    positive <- data$scores[rows & data$truth == 1, three$winner]
    others <- data$scores[rows & data$truth == 0, three$winner]
    mean(outer(positive, others, ">") + outer(positive, others, "==") / 2)
  }, 0)
  half <- stats::qt(0.975, 2) * sqrt(2 / 3) * stats::sd(scores)
  expect_lte(three$confidence_interval$low, max(0, three$estimate - half) + 1e-12)
  expect_gte(three$confidence_interval$high, min(1, three$estimate + half) - 1e-12)
  correct <- function(method, ...) {
    bbc_correct(data$scores, data$truth, "roc_auc", method, folds, interval = "calibrated", ...)
  }
  for (method in c("bbc", "bbc-f")) expect_refused(correct(method), "`method = \"bbc-two-level\"` only")
  expect_refused(correct("bbc-two-level", selection = bbc_top_k(2)), "not for bbc_top_k")
  expect_refused(two_level(interval = "normal"), "`interval` must be \"order-statistics\" or")
  fit <- suppressWarnings(two_level(interval = "calibrated"))
  expect_refused(bbc_subgroups(fit, rep(1:2, 40)), '`interval = "calibrated"` of the correction is not for')
})
