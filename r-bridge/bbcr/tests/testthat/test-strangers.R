# What comes from others, as names in files do, commands no terminal and runs no code.

truth <- rep(0:1, 20)
set.seed(1)
predictions <- matrix(rnorm(120), 40)

test_that("control characters of names are escaped", {
  colnames(predictions) <- paste0(c("a\033]0;title\a", "b\u009b31m", "plain"), 1:3)
  e <- bbc_correct(predictions, truth, "roc_auc", seed = 1, n_threads = 2)
  for (show in list(print, function(x) print(summary(x)))) {
    shown <- capture.output(show(e))
    expect_false(any(grepl("[\u001b\u0007\u009b]", shown)))
  }
  expect_true(any(grepl("\\x1b]0;title\\x07", capture.output(print(summary(e))), fixed = TRUE)))
  expect_identical(printable(c("a\nb", "\u00e4 \\", "\t")), c("a\nb", "\u00e4 \\", "\t"))
})

test_that("printing a result evaluates nothing that it holds", {
  e <- bbc_correct(predictions, truth, "roc_auc", seed = 1, n_threads = 2)
  touched <- 0
  touch <- function(...) touched <<- touched + 1
  doors <- list(print, summary, as.data.frame, tidy, glance, confint, coef, format)
  for (field in some_of(names(e), 4)) {
    for (value in list(quote(touch()), expression(touch()), touch, list(quote(touch())))) {
      crafted <- unclass(e)
      crafted[[field]] <- value
      class(crafted) <- class(e)
      for (door in doors) suppressWarnings(try(capture.output(door(crafted)), silent = TRUE))
    }
  }
  expect_identical(touched, 0)
})

test_that("counts have the limits of the kernel", {
  of <- function(...) bbc_correct(predictions, truth, "roc_auc", ...)
  expect_error(of(n_bootstraps = 2^32), "`n_bootstraps` must be at most 4294967295, not 4294967296")
  expect_error(of(n_threads = 2^31), "`n_threads` must be at most 32768")
  expect_error(bbc_greedy_ensemble(1e18), "`n_rounds` must be at most 1000000")
  expect_error(bbc_top_k(2^31), "`k` must be at most 2147483647")
  fit <- suppressWarnings(bbc_correct(plogis(predictions), truth, "log_loss", seed = 1, n_bootstraps = 20,
                                      confidence_level = 0.5))
  expect_error(bbc_calibration(fit, n_bins = 10001),
               "`n_bins` must be at most 10000")
})

test_that("pairs of subgroups have a limit", {
  truth <- rep(0:1, 402)
  by <- rep(1:201, each = 4)
  fit <- suppressWarnings(bbc_correct(matrix(rnorm(804)), truth, "roc_auc", seed = 1))
  expect_error(bbc_subgroups(fit, by),
               "`by` has 201 labels, at most 200 can be compared in pairs")
})

test_that("a colleague's data frame has its truth in a column", {
  set.seed(1)
  table <- data.frame(glm = runif(60), rf = runif(60), died = rep(0:1, 30))
  once <- function(...) suppressWarnings(bbc_correct(..., seed = 1, n_threads = 2))
  expected <- once(table[1:2], table$died, "roc_auc")
  named <- once(table, "died", "roc_auc")
  expect_identical(named$replicates, expected$replicates)
  expect_identical(suppressWarnings(bbc_score(named, "brier_score"))$estimate,
                   suppressWarnings(bbc_score(expected, "brier_score"))$estimate)
  names(table)[[3]] <- "truth"
  expect_identical(once(table, metric = "roc_auc")$replicates, expected$replicates)
  expect_refused(once(table, "outcome", "roc_auc"), "`truth`: the table has no column outcome .it has glm, rf, truth")
  expect_refused(once(table, metric = "accuracy"), "has the label 0.* these are scores: give labels, such as ifelse")
})

test_that("what strangers type is answered", {
  expect_refused(bbc_metric("C-index"), "did you mean concordance_index")
  expect_refused(bbc_metric("sensitivity", threshold = 0.3), "bbc_per_1000\\(fit, threshold\\) counts calls")
  fit <- bbc_tune(dist ~ speed, cars, bbc_learner("glm"), "r2", protocol = "CVT", cv = 5, seed = 1)
  expect_output(print(fit), "(not corrected)", fixed = TRUE)
  time <- survival::Surv(1:20, rep(1:0, 10))
  expect_refused(bbc_correct(matrix(runif(40), 20), time, "log_loss"), "bbc_survival_calibration\\(\\) is its")
})
