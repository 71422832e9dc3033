# Rows in order of time; lengths are compared with the oracle in Python.
set.seed(2)
errors <- stats::filter(matrix(rnorm(120 * 4), 120), 0.8, "recursive")
truth <- rnorm(120)
predictions <- truth + matrix(errors, 120)

by_blocks <- function(block_length, ..., metric = "mean_absolute_error") {
  bbc_correct(predictions, truth, metric, block_length = block_length, n_bootstraps = 100, seed = 1, ...)
}

test_that("blocks are groups of neighbours", {
  e <- suppressWarnings(by_blocks(7))
  grouped <- suppressWarnings(bbc_correct(predictions, truth, "mean_absolute_error",
                                          groups = (0:119) %/% 7, n_bootstraps = 100, seed = 1))
  expect_identical(e$replicates, grouped$replicates)
  expect_equal(e$notes, "rows in their order are drawn in blocks of 7")
  expect_true(e$design$time_ordered)
})

test_that("the length is found, by errors where a metric is no mean over rows", {
  found <- suppressWarnings(by_blocks("auto", metric = "mean_squared_error"))
  expect_match(found$notes, "blocks of 1[0-9]$")
  expect_equal(suppressWarnings(by_blocks("auto", metric = "r2"))$notes, found$notes)
})

test_that("what blocks cannot be is refused", {
  expect_refused(by_blocks("long"), 'must be a number of rows or "auto"')
  expect_refused(by_blocks(0), "at least 1")
  expect_refused(by_blocks(120), "makes one block of all 120 rows")
  expect_refused(by_blocks(5, groups = 1:120), "give `groups` or `block_length`")
  expect_refused(by_blocks(5, method = "bbc-f", folds = rep(1:4, 30)), "draws of rows")
  metric <- bbc_custom_metric(function(truth, estimate) mean(abs(truth - estimate)), "mine", FALSE)
  expect_refused(by_blocks("auto", metric = metric), "give a number of rows")
})
