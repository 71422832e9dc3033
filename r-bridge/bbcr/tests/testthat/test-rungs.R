# What a search leaves that dropped configurations on the way; the bits are compared in test-bits.R.
truth <- rep(0:1, 30)
set.seed(1)
labels <- matrix(rbinom(60 * 8, 1, 0.5), 60)
labels[21:60, 1:4] <- NA
labels[41:60, 5:6] <- NA

by_rungs <- function(..., metric = "accuracy", missing = "rungs") {
  bbc_correct(labels, truth, metric, missing = missing, n_bootstraps = 100, seed = 1, ...)
}

test_that("rungs are found, or given", {
  found <- by_rungs()
  expect_equal(found$notes, "3 rungs, which score 60 of 60 rows")
  expect_true(found$winner %in% 7:8)
  given <- by_rungs(rungs = rep(5:7, each = 20))
  expect_identical(given$replicates, found$replicates)
  expect_equal(by_rungs(rungs = bbc_rungs(burn = 0.4))$notes, "3 rungs, which score 40 of 60 rows")
  last <- by_rungs(rungs = bbc_rungs(choose_only = 1:2))
  expect_equal(last$notes, "3 rungs, which score 20 of 60 rows")
  named <- by_rungs(rungs = bbc_rungs(rep(5:7, each = 20), choose_only = 5:6))
  expect_identical(named$replicates, last$replicates)
  grouped <- by_rungs(groups = rep(1:30, 2))
  expect_equal(grouped$notes, "3 rungs, which score 30 of 60 rows")
})

test_that("rows that nothing predicted are left out", {
  labels[56:60, ] <- NA
  e <- bbc_correct(labels, truth, "accuracy", missing = "rungs", n_bootstraps = 100, seed = 1)
  expect_equal(e$left_out_rows, 56:60)
  expect_equal(e$notes, "3 rungs, which score 55 of 55 rows")
})

test_that("of repeats a row scores at the rung that saw it first", {
  whole <- matrix(rep(c(0, 1, 1, 0), 120), 60)
  whole[, 1:6] <- NA
  both <- list(labels, whole)
  correct <- function(...) {
    bbc_correct(both, truth, "accuracy", missing = "rungs", n_bootstraps = 100, seed = 1, ...)
  }
  found <- correct()
  expect_equal(found$notes, "3 rungs, which score 80 of 120 rows of 2 repeats")
  expect_equal(c(found$unit, found$n_rows, found$n_repeats), c("row", 60, 2))
  given <- correct(rungs = cbind(rep(1:3, each = 20), 3))
  expect_identical(given$replicates, found$replicates)
  expect_equal(correct(rungs = bbc_rungs(burn = 0.4))$notes,
               "3 rungs, which score 60 of 120 rows of 2 repeats")
  # As the same rows of one repeat, which are drawn together.
  stacked <- bbc_correct(rbind(labels, whole), rep(truth, 2), "accuracy", missing = "rungs",
                         groups = rep(1:60, 2), n_bootstraps = 100, seed = 1,
                         rungs = bbc_rungs(burn = 0.1))
  expect_identical(found$replicates, stacked$replicates)
  expect_identical(found$apparent, stacked$apparent)
  right <- colMeans(rbind(labels, whole)[, 7:8] == rep(truth, 2))
  expect_equal(found$apparent, max(right))
})

test_that("what rungs cannot score is refused", {
  expect_refused(by_rungs(rungs = 1:59), "`rungs` has 59 numbers")
  expect_refused(by_rungs(rungs = rep(1:2, each = 30)), "at row 1, other row 21, configuration 1")
  expect_refused(by_rungs(rungs = bbc_rungs(choose_only = 4)), "choose_only.*at rung 4")
  expect_refused(by_rungs(rungs = bbc_rungs(rep(1:3, 20), choose_only = 9)), "names rung 9")
  expect_refused(by_rungs(missing = "raise", rungs = 1:60), 'rungs. is for .missing = "rungs"')
  expect_refused(by_rungs(missing = "raise", pooling = "rung"), 'is of .missing = "rungs". only')
  expect_refused(by_rungs(missing = "raise"), 'with missing = "rungs"')
  expect_refused(by_rungs(selection = bbc_top_k(2)), "each rung has its own best")
  expect_refused(by_rungs(pooling = "fold", folds = rep(1:6, 10)), "rungs are scored together")
  expect_refused(by_rungs(method = "bbc-f", folds = rep(1:6, 10)), "does not draw rows")
  expect_refused(by_rungs(metric = "roc_auc"), 'give pooling = "rung"')
  expect_refused(by_rungs(metric = "average_precision"), "rung by rung takes")
  expect_refused(by_rungs(secondary = "f1"), 'not for `missing = "rungs"`, which takes one metric')
  expect_refused(bbc_rungs(burn = 2), "`burn` must be one number from 0 to 1")
  expect_refused(bbc_rungs("a"), "must be whole numbers of rungs")
  expect_refused(bbc_correct(list(labels, labels), truth, "accuracy", missing = "rungs",
                             rungs = rep(1:3, each = 20)),
                 "`rungs` has 60 numbers, `predictions` has 60 in each of 2 repeats")
})

test_that("rungs print", {
  expect_output(print(bbc_rungs()), "<rungs: found from missing predictions>", fixed = TRUE)
  expect_output(print(bbc_rungs(c(1, 1, 2))), "<rungs: 2 rungs>", fixed = TRUE)
  expect_output(print(by_rungs(metric = "zero_one_loss")), "zero_one_loss of the winner")
})
