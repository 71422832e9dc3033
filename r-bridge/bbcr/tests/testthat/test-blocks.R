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
  for (method in c("bbc", "bbc-two-level")) {
    lines <- capture.output(print(summary(by_blocks(5, method = method, folds = rep(1:5, each = 24)))))
    expect_lte(max(nchar(lines)), 80)
    expect_match(gsub(" +", " ", paste(lines, collapse = " ")), "(not a standard error) data 24 blocks",
                 fixed = TRUE)
  }
  expect_refused(by_blocks(5, groups = 1:120), "give `groups` or `block_length`")
  expect_refused(by_blocks(5, method = "bbc-f", folds = rep(1:4, 30)), "draws of rows")
  metric <- bbc_custom_metric(function(truth, estimate) mean(abs(truth - estimate)), "mine", FALSE)
  expect_refused(by_blocks("auto", metric = metric), "give a number of rows")
})

test_that("every function that draws rows draws blocks", {
  mae <- "mean_absolute_error"
  by <- rep(c("early", "late"), each = 60)
  halves <- list(a = predictions[, 1:2], b = predictions[, 3:4])
  grouped <- (0:119) %/% 7
  corrected <- function(...) bbc_correct(predictions, truth, mae, n_bootstraps = 50, seed = 1, ...)
  drawn <- list(
    function(...) bbc_compare(halves, truth, mae, n_bootstraps = 50, seed = 1, ...)$differences,
    function(...) bbc_tuning_path(corrected(...))$path,
    function(...) bbc_subgroups(corrected(...), by)$differences,
    function(...) bbc_possible_winners(corrected(...))$p_values,
    function(...) bbc_winner_interval(corrected(...))$confidence_interval
  )
  for (one in drawn) {
    expect_identical(suppressWarnings(one(block_length = 7)), suppressWarnings(one(groups = grouped)))
    expect_refused(suppressWarnings(one(block_length = 7, groups = grouped)), "give `groups` or")
  }
  ill <- as.integer(truth > 0)
  risks <- stats::plogis(predictions)
  describe <- function(...) {
    fit <- bbc_correct(risks, ill, "log_loss", n_bootstraps = 50, seed = 1, ...)
    bbc_calibration(fit)$quantities
  }
  expect_identical(suppressWarnings(describe(block_length = 7)),
                   suppressWarnings(describe(groups = grouped)))
  expect_refused(suppressWarnings(bbc_possible_winners(corrected(block_length = 7), "argmin")),
                 "`block_length` is not taken by")
})

test_that("of families the longest blocks count, and of a table that is split those of all", {
  length_of <- function(...) {
    e <- suppressWarnings(bbc_compare(..., block_length = "auto", n_bootstraps = 40, seed = 1))$estimates[[1]]
    as.integer(sub(".* ", "", e$notes[grepl("blocks of", e$notes)]))
  }
  loose <- truth + matrix(rnorm(240), 120)
  alone <- function(p) {
    e <- suppressWarnings(bbc_correct(p, truth, "mean_absolute_error", block_length = "auto",
                                      n_bootstraps = 40, seed = 1))
    as.integer(sub(".* ", "", e$notes[grepl("blocks of", e$notes)]))
  }
  expect_lt(alone(loose), alone(predictions))
  expect_identical(length_of(list(loose = loose, tied = predictions), truth, "mean_absolute_error"),
                   alone(predictions))
  expect_identical(length_of(cbind(loose, predictions), truth, "mean_absolute_error",
                             by = rep(c("loose", "tied"), c(2, 4))),
                   alone(cbind(loose, predictions)))
})
