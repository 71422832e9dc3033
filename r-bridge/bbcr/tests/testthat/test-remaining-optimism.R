# What a correction leaves of the optimism.

i <- 0:59
scores <- sapply(0:11, function(j) ((i * i + 3 * i * j + 5 * j) %% 17) / 17 + 0.3 * (i %% 2))
truth <- i %% 2
folds <- i %/% 2 %% 5
corrected <- function(predictions = scores, y = truth, metric = "roc_auc", ..., seed = 7) {
  suppressWarnings(bbc_correct(predictions, y, metric, ..., n_bootstraps = 1000, seed = seed))
}
numbers <- function(found) {
  interval <- found$confidence_interval
  c(found$kappa, found$kappa_sd, found$in_bag_optimism, found$further_optimism, found$coupled_estimate,
    interval$low, interval$high)
}

test_that("it has the bits of Python", {
  asked <- function(...) {
    numbers(bbc_remaining_optimism(corrected(..., folds = folds), shift_limits = TRUE))
  }
  expect_identical(asked(), c(
    -0.09107022371755157, 0.45858211655757686, 0.14758185308458427, 0, 0.7334865165513514,
    0.5272727272727272, 0.8846153846153846
  ))
  expect_identical(asked((scores > 0.6) + 0L, metric = "accuracy"), c(
    0.3268843696705903, 0.4878539089678874, 0.11518890144100813, 0.004875961322179977,
    0.6706018039034786, 0.4451240386778201, 0.8284573720111534
  ))
  expect_identical(asked(y = as.numeric(truth), metric = "mean_squared_error"), c(
    0.04151561309772861, 0.5270502447614189, 0.07342324870401035, 0.0006713355535267798,
    0.25361103754473435, 0.17448659055578344, 0.36102099863857506
  ))
})

test_that("the answer is a second number", {
  fit <- corrected((scores > 0.6) + 0L, metric = "accuracy", folds = folds)
  found <- bbc_remaining_optimism(fit)
  expect_null(found$confidence_interval)
  expect_identical(found$estimate$estimate, fit$estimate)
  expect_identical(found$coupled_estimate, fit$estimate - found$further_optimism)
  expect_output(print(found), "of which about 0.005 more is likely optimism")
  tidied <- as.data.frame(tidy(found))
  expect_identical(tidied$term, c("corrected", "coupled"))
  expect_identical(tidied$conf.low, c(fit$confidence_interval$low, NA))
  expect_identical(as.data.frame(found)$kappa, found$kappa)
  expect_identical(numbers(bbc_remaining_optimism(corrected(
    (scores > 0.6) + 0L, metric = "accuracy", folds = folds, n_threads = 3
  ))), numbers(found))
})

test_that("much of it is a finding", {
  set.seed(1)
  own <- sapply(1:50, function(j) {
    x <- matrix(rnorm(180), 60)
    ave(seq_along(truth), folds, FUN = function(test) {
      x[test, ] %*% colSums(x[-test, ] * (2 * truth[-test] - 1))
    })
  })
  found <- bbc_remaining_optimism(corrected(own, folds = folds))
  interval <- found$estimate$confidence_interval
  share <- found$further_optimism / (interval$high - interval$low)
  expect_gt(found$kappa, 2 * found$kappa_sd)
  expect_identical(share > 0.1, "BBC028" %in% found$findings$code)
})

test_that("what was not studied is refused", {
  refused <- function(message, ...) {
    options <- utils::modifyList(list(folds = folds), list(...), keep.null = TRUE)
    expect_refused(bbc_remaining_optimism(do.call(corrected, options)), message)
  }
  refused("`folds`.*must be known", folds = NULL)
  refused("`folds`.*there are 3, and 4 are needed", folds = folds %% 3)
  refused("`metric`.*must be the AUC of two classes", metric = "average_precision")
  refused("`predictions`.*have 9 configurations", predictions = scores[, 1:9])
  refused("`truth`.*has a class of 9 rows", y = as.numeric(i < 9))
  refused("`groups` were not studied", groups = i %/% 2)
  refused("`sample_weight` is not taken", sample_weight = i + 1)
  refused("`stratify_bootstrap = TRUE` was not studied", stratify_bootstrap = TRUE)
  refused('`pooling = "fold"` is how', pooling = "fold")
  refused('`method = "bbc-two-level"` of the correction is not for', method = "bbc-two-level")
  refused('`alternative = "less"` of the correction is not for', alternative = "less")
  holed <- replace(scores, 3, NA)
  refused("some rows or configurations were left out", predictions = holed,
          missing = "drop-configurations")
  expect_refused(bbc_remaining_optimism(scores), "`fit` must be what bbc_correct\\(\\) returns")
  fit <- corrected(folds = folds)
  expect_refused(bbc_remaining_optimism(bbc_record(fit)), "needs predictions of rows")
  expect_refused(bbc_remaining_optimism(fit, shift_limits = 2), "shift_limits")
})
