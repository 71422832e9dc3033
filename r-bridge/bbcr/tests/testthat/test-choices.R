data <- binary_data()
scores <- data$scores
chosen <- function(metric, rule, ...) {
  bbc_correct(scores, data$truth, metric, selection = rule, n_bootstraps = 100, seed = 1, ...)
}

test_that("a cut-off labels the rows out of bag", {
  e <- chosen("f1", bbc_best_threshold())
  expect_length(e$replicate_thresholds, 100)
  called <- scores[, e$winner] > e$threshold
  hits <- sum(called & data$truth == 1)
  expect_equal(e$apparent, 2 * hits / (sum(called) + sum(data$truth)))
  expect_match(paste(capture.output(summary(e)), collapse = "\n"), "threshold")
  expect_null(e$weights)
})

test_that("an ensemble of one is the best configuration", {
  best <- chosen("roc_auc", "best")
  for (rule in list(bbc_top_k(1), bbc_greedy_ensemble(1))) {
    e <- chosen("roc_auc", rule)
    expect_identical(e$replicates, best$replicates)
    expect_equal(e$selection_frequency, best$selection_frequency)
  }
})

test_that("ensembles have weights, and no findings of a single winner", {
  e <- chosen("roc_auc", bbc_greedy_ensemble(8))
  expect_equal(sum(e$weights), 1)
  expect_equal(e$winner, which.max(e$weights))
  expect_false("BBC003" %in% e$findings$code)
  expect_match(paste(capture.output(summary(e)), collapse = "\n"), "taking part")
  with_hole <- scores
  with_hole[3, 2] <- NA
  e <- bbc_correct(with_hole, data$truth, "roc_auc", selection = bbc_top_k(11), seed = 1,
                   missing = "drop-configurations", n_bootstraps = 50)
  expect_equal(e$weights[[2]], 0)
  expect_length(e$weights, 12)
})

test_that("rules print themselves", {
  expect_output(print(bbc_top_k(3)), "<bbc_top_k(3)>", fixed = TRUE)
  expect_output(print(bbc_best_threshold()), "<bbc_best_threshold()>", fixed = TRUE)
})

test_that("what cannot be chosen so is refused", {
  expect_refused(bbc_top_k(0), "`k`")
  expect_refused(bbc_greedy_ensemble(1.5), "`n_rounds`")
  expect_refused(chosen("roc_auc", bbc_top_k(13)), "top_k averages 13 of 12 configurations")
  expect_refused(chosen("roc_auc", bbc_best_threshold()), "makes labels of scores")
  expect_refused(chosen("roc_auc", bbc_top_k(2), method = "bbc-f", folds = rep(1:5, 16)),
                 "needs predictions of rows")
  expect_refused(bbc_correct(data$labels, data$truth, "f1", selection = bbc_best_threshold()),
                 "are labels")
  expect_refused(bbc_dominated(scores, data$truth, "roc_auc", selection = bbc_top_k(2)),
                 "selects no configuration")
})
