# What bbc_correct() returns: a record, and the data that questions read.
data <- binary_data()
fit <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)

test_that("the record is the result without the data", {
  record <- bbc_record(fit)
  expect_null(attr(record, "asked"))
  expect_identical(class(record), class(fit))
  expect_identical(unclass(record), `attr<-`(unclass(fit), "asked", NULL))
  expect_identical(capture.output(print(record)), capture.output(print(fit)))
  expect_identical(capture.output(print(summary(record))), capture.output(print(summary(fit))))
  expect_identical(bbc_record(record), record)
  size <- function(x) length(serialize(x, NULL))
  expect_lt(size(record), size(fit) - 0.9 * size(data$scores))
  path <- tempfile(fileext = ".rds")
  on.exit(unlink(path))
  saveRDS(record, path)
  expect_identical(readRDS(path), record)
  saveRDS(fit, path)
  expect_identical(bbc_score(readRDS(path), "average_precision"), bbc_score(fit, "average_precision"))
  expect_refused(bbc_record(data$scores), "`fit` must be what bbc_correct\\(\\) returns, not matrix")
})

test_that("the data are held once, and never printed", {
  expect_identical(attr(fit, "asked")$predictions, data$scores)
  held <- length(serialize(attr(fit, "asked"), NULL))
  expect_lt(held, 1.3 * length(serialize(list(data$scores, data$truth), NULL)))
  for (shown in list(capture.output(str(fit)), capture.output(print(fit)),
                     capture.output(print(unclass(fit)$estimate)), capture.output(attr(fit, "asked")))) {
    expect_false(any(grepl(substr(format(data$scores[1, 1], digits = 3), 1, 4), shown, fixed = TRUE)))
  }
  expect_output(str(fit), "<the data of a correction>", fixed = TRUE)
  expect_output(print(attr(fit, "asked")), "<the data of a correction>", fixed = TRUE)
})

test_that("answers hold no data", {
  with_folds <- bbc_correct(data$scores, data$truth, "roc_auc", folds = rep(1:5, 16), seed = 1)
  answers <- list(bbc_score(fit, "average_precision"), bbc_roc_curve(fit), bbc_tuning_path(fit),
                  bbc_subgroups(fit, rep(1:2, 40)), bbc_possible_winners(fit), bbc_winner_interval(fit),
                  bbc_remaining_optimism(with_folds))
  asked <- function(part) {
    if (!is.list(part)) return(FALSE)
    !is.null(attr(part, "asked")) || any(vapply(unclass(part), asked, NA))
  }
  expect_true(asked(list(fit)))
  for (answer in answers) expect_false(asked(answer))
})

test_that("the data are those of the call, whatever becomes of its objects", {
  correct <- function() {
    scores <- data$scores
    correction <- bbc_correct(scores, data$truth, "roc_auc", "bbc", seed = 1)
    scores[] <- 0
    correction
  }
  expect_identical(bbc_roc_curve(correct()), bbc_roc_curve(fit))
})

test_that("every source is asked like the arrays that it holds", {
  table <- data.frame(row = rep(1:80, 12), configuration = rep(1:12, each = 80),
                      truth = data$truth, estimate = c(data$scores))
  wide <- as.data.frame(data$scores)
  names <- colnames(wide)
  sources <- list(
    bbc_correct(table, metric = "roc_auc", seed = 1), bbc_correct(wide, data$truth, "roc_auc", seed = 1),
    bbc_correct(bbc_data(data$scores, data$truth), metric = "roc_auc", seed = 1),
    bbc_correct(list(data$scores), data$truth, "roc_auc", seed = 1)
  )
  for (one in sources) {
    expect_identical(bbc_score(one, "average_precision")$replicates,
                     bbc_score(fit, "average_precision")$replicates)
    expect_identical(bbc_tuning_path(one)$path, bbc_tuning_path(fit)$path)
    expect_identical(bbc_possible_winners(one)$p_values, bbc_possible_winners(fit)$p_values)
  }
})

test_that("what keeps no rows says so", {
  not_kept <- function(x, why) {
    expect_refused(bbc_calibration(x), paste0("bbc_calibration\\(\\) needs predictions of rows: ", why),
                   class = "bbc_not_kept")
  }
  not_kept(bbc_record(fit), "a record holds none")
  not_kept(bbc_tt(data$scores, data$truth, "roc_auc", rep(1:5, 16)), "method .tt. draws no replicates")
})

test_that("a question that cannot follow a cut-off says how to correct without", {
  set.seed(1)
  truth <- rep(0:1, 40)
  fit <- bbc_correct(matrix(runif(160) + truth / 2, 80) / 2, truth, "balanced_accuracy",
                     selection = bbc_best_threshold(), n_bootstraps = 200, seed = 1)
  expect_refused(bbc_calibration(fit), 'as of update\\(fit, selection = "best"\\)')
  expect_refused(bbc_winner_interval(fit), "update")
  # A metric of labels cannot read probabilities without a cut-off.
  expect_s3_class(bbc_calibration(update(fit, metric = "roc_auc", selection = "best")), "bbc_calibration")
})
