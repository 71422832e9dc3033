# BBC020 for every metric, BBC029 and BBC031: predictions that run against the truth within folds, those
# that are the truth in disguise, and folds that were made from it.
n <- 90
folds <- (seq_len(n) - 1) %% 5
codes <- function(predictions, truth, metric, ...) {
  given <- utils::modifyList(list(folds = folds, n_bootstraps = 60, seed = 1), list(...))
  suppressWarnings(do.call(bbc_correct, c(list(predictions, truth, metric), given)))$findings$code
}

test_that("predictions that are turned round are found, by every metric", {
  set.seed(1)
  signal <- rnorm(n)
  class <- findInterval(signal, c(-0.5, 0.5))
  shares <- diag(3)[class + 1, ] * 0.5 + 0.5 / 3
  as_array <- function(own) array(own, c(n, 1, 3))
  event <- as.integer(signal > 0)
  p <- stats::plogis(signal)
  cases <- list(
    list(signal + 0.3, signal, 1 - signal, "r2"),
    list(signal^3, signal, -signal, "squared_pearson"),
    list(class, class, (class + 1) %% 3, "accuracy"),
    list(class, as_array(shares), as_array(shares[, c(2, 3, 1)]), "log_loss"),
    list(event, 1 * (p > 0.5), 1 * (p <= 0.5), "f1"),
    list(event, p, 1 - p, "brier_score")
  )
  if (requireNamespace("survival", quietly = TRUE)) {
    time <- exp(-signal + 0.3 * rnorm(n))
    cases <- c(cases, list(list(survival::Surv(pmin(time, 2), time < 2), signal, -signal,
                                "concordance_index")))
  }
  column <- function(own) if (is.null(dim(own))) matrix(own) else own
  for (case in cases) {
    expect_false("BBC020" %in% codes(column(case[[2]]), case[[1]], case[[4]]))
    turned <- column(case[[3]])
    expect_true("BBC020" %in% codes(turned, case[[1]], case[[4]]))
    expect_false("BBC020" %in% codes(turned, case[[1]], case[[4]], folds = seq_len(n)))
    expect_false("BBC020" %in% codes(turned, case[[1]], case[[4]], folds = NULL))
  }
  expect_warning(bbc_correct(matrix(1 - signal), signal + 0.3, "r2", folds = folds, seed = 1),
                 "BBC020 .* within folds its predictions correlate with the truth by -1")
})

test_that("the mean of the training rows is no wrong way, and groups count as one row each", {
  for (k in c(5, 10, 45)) {
    set.seed(k)
    y <- rnorm(n)
    own <- (seq_len(n) - 1) %% k
    means <- vapply(own, function(fold) mean(y[own != fold]), 0)
    expect_lt(cor(means, y), -0.05)
    expect_false("BBC020" %in% codes(matrix(means), y, "r2", folds = own))
  }
  set.seed(4)
  of_patient <- function(values) rep(values, each = 30)
  y <- of_patient(rnorm(10))
  p <- matrix(of_patient(rnorm(10)) - y)
  patients <- of_patient(1:10)
  halves <- of_patient(rep(0:1, 5))
  expect_true("BBC020" %in% codes(p, y, "r2", folds = halves))
  expect_false("BBC020" %in% codes(p, y, "r2", folds = halves, groups = patients))
})

test_that("the truth in disguise is found", {
  set.seed(3)
  number <- rnorm(n)
  event <- as.integer(number > 0)
  cases <- list(
    list("squared_pearson", number, 2.54 * number + 7), list("squared_pearson", number, 1 - number),
    list("spearman", number, exp(number)), list("roc_auc", event, ifelse(event == 1, 0.7, 0.2)),
    list("average_precision", event, ifelse(event == 1, 3, -4)),
    list("mean_squared_error", number, number + 1e-12 * rnorm(n)),
    list("brier_score", event, abs(event - 1e-12)), list("r2", number, number * (1 + 1e-13))
  )
  for (case in cases) {
    found <- codes(cbind(noise = runif(n, 0.2, 0.8), leak = case[[3]]), case[[2]], case[[1]])
    expect_true("BBC029" %in% found)
    expect_false("BBC017" %in% found)
    nearly <- case[[3]] + 0.05 * stats::sd(case[[3]]) * rnorm(n)
    if (case[[1]] == "brier_score") nearly <- pmin(pmax(nearly, 0), 1)
    expect_false("BBC029" %in% codes(matrix(nearly), case[[2]], case[[1]]))
  }
  expect_warning(bbc_correct(cbind(a = rnorm(n), b = 3 * number), number, "squared_pearson", seed = 1),
                 "BBC029 .*: the predictions of b are the truth, shifted or in other units")
  itself <- codes(matrix(number), number, "r2")
  expect_true("BBC017" %in% itself)
  expect_false("BBC029" %in% itself)
})

test_that("noise hides no copy of the classes, and sure models of separable ones are none", {
  set.seed(4)
  event <- rep(0:1, length.out = n)
  hidden <- abs(event - runif(n, 0, 1e-12))
  expect_true("BBC029" %in% codes(cbind(runif(n), hidden), event, "roc_auc"))
  sure <- abs(event - 10^-runif(n, 10, 60))
  expect_false("BBC029" %in% codes(cbind(runif(n), sure), event, "brier_score"))
})

test_that("folds and groups that are the truth are found", {
  set.seed(5)
  y <- rep(0:2, each = 30)
  guesses <- matrix(sample(0:2, 2 * n, TRUE), n)
  expect_true("BBC031" %in% codes(guesses, y, "accuracy", folds = y))
  expect_true("BBC031" %in% codes(guesses, y, "accuracy", folds = 2 * y + seq_len(n) %% 2))
  for (other in list(NULL, seq_len(n), folds)) {
    expect_false("BBC031" %in% codes(guesses, y, "accuracy", folds = other))
  }
  two <- rep(0:1, each = 45)
  guesses <- matrix(sample(0:1, 2 * n, TRUE), n)
  expect_true("BBC031" %in% codes(guesses, two, "accuracy", folds = NULL, groups = two))
  expect_false("BBC031" %in% codes(guesses, two, "accuracy", folds = NULL,
                                   groups = rep(1:18, each = 5)))
})

test_that("the numbers are Python's", {
  i <- 0:59
  y <- sin(i)
  p <- cos(0.7 * i) - 2 * y
  problem <- list(folds = matrix(as.integer(i %% 6)), truth = list(values = y, n_classes = 0L))
  metric <- bbc_metric("r2")
  found <- association(problem, metric, 1, list(matrix(p)))
  expect_equal(found$correlation, -0.7717171717171717, tolerance = 1e-12)
  expect_true(found$runs_against)
  problem$groups <- as.integer(i %/% 12)
  grouped <- association(problem, metric, 1, list(matrix(p)))
  expect_equal(grouped$correlation, -0.8333333333333334, tolerance = 1e-12)
})
