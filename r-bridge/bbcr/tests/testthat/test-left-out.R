# What means skip is told with its count: in print(), summary(), glance(), as.data.frame() and the pages.

n <- 60
y <- rep(0:1, n / 2)
y[1:12] <- 0
folds <- rep(1:6, each = 10)
set.seed(1)
risks <- stats::plogis(matrix(stats::rnorm(4 * n), n) + y)
holes <- risks
holes[4:5, ] <- NA
quietly <- suppressWarnings
correct <- function(predictions = holes, metric = "roc_auc", ...) {
  quietly(bbc_correct(predictions, y, metric, folds = folds, seed = 1, n_bootstraps = 200, ...))
}
said <- function(code) paste(utils::capture.output(print(code)), collapse = " ")

test_that("rows and folds that a mean of folds skips are told everywhere", {
  fit <- correct(pooling = "fold")
  # The first fold has one class.
  expect_identical(fit$undefined_folds, 1L)
  expect_match(said(fit), "left out: 2 of 60 rows; 1 of 6 folds, where the metric is undefined; [0-9.]+ % of")
  expect_match(said(summary(fit)), "undefined +[0-9.]+ % of the replicates' folds; 1 of 6 folds, where the metric")
  expect_match(said(summary(fit)), "58 of 60 rows.*left out +2 rows")
  line <- as.data.frame(glance(fit))
  expect_identical(unlist(line[c("n_left_out_rows", "n_left_out_configurations", "n_undefined")]),
                   c(n_left_out_rows = 2, n_left_out_configurations = 0, n_undefined = 0))
  expect_identical(line$undefined_fold_share, fit$undefined_fold_share)
  table <- as.data.frame(fit)
  expect_identical(table[names(line)], line)
})

test_that("configurations and replicates without a score are told", {
  lost <- risks
  lost[7, 2] <- NA
  fit <- correct(lost, missing = "drop-configurations")
  expect_match(said(fit), "left out: 1 of 4 configurations")
  expect_identical(glance(fit)$n_left_out_configurations, 1L)
  few <- quietly(bbc_correct(risks, as.integer(seq_len(n) %in% c(14, 20)), "brier_score", seed = 1,
                             n_bootstraps = 200))
  score <- quietly(bbc_score(few, "roc_auc"))
  expect_gt(score$n_undefined, 0)
  expect_match(said(score), sprintf("left out: %d of 200 replicates without a score", score$n_undefined))
  expect_identical(as.integer(glance(score)$n_undefined), as.integer(score$n_undefined))
  both <- quietly(bbc_correct(risks, as.integer(seq_len(n) %in% c(14, 20)), "brier_score", seed = 1,
                              n_bootstraps = 200, secondary = "roc_auc"))
  expect_match(said(both), sprintf("left out: %d of 200 replicates without a roc_auc", score$n_undefined))
})

test_that("nothing is said where nothing is left out", {
  fit <- correct(risks)
  expect_no_match(said(fit), "left out")
  expect_null(fit$undefined_folds)
  expect_true(is.na(glance(fit)$undefined_fold_share))
})

test_that("answers to questions, comparisons and pages tell it, too", {
  fit <- correct(metric = "brier_score")
  for (answer in list(
    bbc_calibration(fit), bbc_decision_curve(fit), bbc_roc_curve(fit), bbc_clinical(fit), bbc_tuning_path(fit),
    bbc_subgroups(fit, rep(c("a", "b"), n / 2)),
    bbc_compare(list(a = holes[, 1:2], b = holes[, 3:4]), y, "brier_score", n_bootstraps = 200, seed = 1)
  )) {
    expect_match(said(answer), "left out: 2 of 60 rows", label = class(answer)[[1]])
  }
  card <- tempfile(fileext = ".md")
  page <- tempfile(fileext = ".html")
  on.exit(unlink(c(card, page)))
  bbc_report(fit, card)
  expect_match(paste(readLines(card), collapse = " "), "left out: 2 of 60 rows")
  skip_if_not(capabilities("png"))
  bbc_report(quietly(bbc_clinical(fit)), page)
  expect_match(paste(readLines(page), collapse = " "), "left out: 2 of 60 rows")
})

test_that("a cut-off that is scored by folds has its counts, too", {
  set.seed(4)
  truth <- rep(c(1, 0, 0, 0), 15)
  scores <- matrix(stats::runif(180), 60) + truth / 3
  fit <- suppressWarnings(bbc_correct(scores, truth, "sensitivity", selection = bbc_best_threshold(), pooling = "fold",
                                      folds = c(rep(1:5, 9), rep(6:8, 5)), secondary = "roc_auc", n_bootstraps = 100,
                                      seed = 1))
  expect_true(is.finite(fit$undefined_folds))
  expect_gt(fit$undefined_fold_share, 0)
})
