data <- binary_data(n_configurations = 11)
path_of <- function(...) {
  ask(bbc_tuning_path, data$scores, data$truth, "roc_auc", n_bootstraps = 200, seed = 1, ...)
}

test_that("every point is a correction", {
  path <- path_of()
  expect_identical(path$path$n_configurations, c(1L, 2L, 4L, 8L, 11L))
  for (i in seq_len(nrow(path$path))) {
    own <- path$path[i, ]
    e <- bbc_correct(data$scores[, seq_len(own$n_configurations), drop = FALSE], data$truth,
                     "roc_auc", n_bootstraps = 200, seed = 1)
    expect_identical(c(own$estimate, own$low, own$high, own$apparent),
                     c(e$estimate, e$confidence_interval$low, e$confidence_interval$high,
                       e$apparent))
    expect_identical(own$winner, e$winner)
  }
  expect_identical(path$estimate$estimate, path$path$estimate[[5]])
  expect_identical(path$best, path$path$n_configurations[[which.max(path$path$estimate)]])
  expect_identical(path$path$fall[[5]], 0)
})

test_that("falls are the differences of bbc_compare(), without its allowance", {
  path <- path_of(folds = rep(1:5, 16), method = "bbc-two-level")
  expect_identical(path$estimate$method, "bbc-two-level")
  both <- bbc_compare(list(four = data$scores[, 1:4], all = data$scores), data$truth, "roc_auc",
                      method = "bbc-two-level", folds = rep(1:5, 16), n_bootstraps = 200, seed = 1)
  expect_identical(path$falls$estimate[[3]], both$differences$estimate)
  expect_identical(path$falls$standard_error[[3]], both$differences$standard_error)
})

test_that("falls hold what drawn folds hide of the shares of the classes", {
  set.seed(5)
  truth <- rep(0:1, c(60, 20))
  folds <- rep(1:5, 16)
  # The second configuration is better, in the smaller class alone.
  scores <- cbind(plogis(rnorm(80, 2 * truth - 2)), plogis(rnorm(80, 3 * truth - 1)))
  of <- function(question, ..., counts) {
    ask(question, ..., truth, "brier_score", folds = folds, method = "bbc-two-level", n_bootstraps = 200,
        seed = 1, class_counts = counts)
  }
  errors <- vapply(c("sampled", "fixed"), function(counts) {
    both <- bbc_compare(list(first = scores[, 1, drop = FALSE], all = scores), truth, "brier_score",
                        folds = folds, method = "bbc-two-level", n_bootstraps = 200, seed = 1,
                        class_counts = counts)
    fall <- of(bbc_tuning_path, scores, counts = counts)$falls
    expect_identical(fall$standard_error[[1]], both$differences$standard_error)
    fall$standard_error[[1]]
  }, 0)
  expect_gt(errors[["sampled"]], 1.01 * errors[["fixed"]])
})

test_that("a search that was too long is found", {
  set.seed(4)
  folds <- rep(1:10, 40)
  fitted <- matrix(0.65 + 0.2 * rnorm(1200), 10)
  fitted[, 1:2] <- 0.75
  truth <- rbinom(400, 1, 0.5)
  right <- matrix(runif(48000), 400) < fitted[folds, ]
  predictions <- ifelse(right, truth, 1 - truth)
  path <- suppressWarnings(ask(bbc_tuning_path, predictions, truth, "accuracy", folds = folds, seed = 1,
                                    method = "bbc-two-level"))
  expect_identical(path$overtuned, "BBC019" %in% path$findings$code)
  expect_lt(path$best, 120)
  expect_output(print(path), "accuracy of the best of t")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(path), path)
  expect_identical(as.data.frame(path), path$path)
})

test_that("configurations that are left out keep their numbers", {
  holed <- data$scores
  holed[3, 2] <- NA
  path <- ask(bbc_tuning_path, holed, data$truth, "roc_auc", missing = "drop-configurations",
                   n_bootstraps = 50, seed = 1)
  expect_identical(path$path$n_configurations, c(1L, 3L, 5L, 9L, 11L))
  expect_false(2 %in% path$path$winner)
  one <- ask(bbc_tuning_path, holed[, 1, drop = FALSE], data$truth, "roc_auc", n_bootstraps = 50,
                  seed = 1)
  expect_identical(nrow(one$path), 1L)
})

test_that("another metric is of the same winners, on the replicates in which it is defined for all", {
  scores <- plogis(data$scores)
  rare <- replace(integer(80), 1:3, 1L)
  fit <- suppressWarnings(bbc_correct(scores, rare, "brier_score", n_bootstraps = 200, seed = 1))
  path <- suppressWarnings(bbc_tuning_path(fit, metric = "roc_auc"))
  expect_identical(path$path$winner, suppressWarnings(bbc_tuning_path(fit))$path$winner)
  expect_gt(path$estimate$n_undefined, 5)
  expect_identical(path$estimate$decided_by, "brier_score")
  expect_identical(path$estimate$estimate, path$path$estimate[[5]])
  for (i in 1:4) {
    first <- suppressWarnings(bbc_correct(scores[, seq_len(path$path$n_configurations[[i]]), drop = FALSE],
                                          rare, "brier_score", n_bootstraps = 200, seed = 1))
    own <- suppressWarnings(bbc_score(first, "roc_auc"))
    expect_equal(path$path$estimate[[i]], own$estimate)
    expect_identical(path$path$apparent[[i]], own$apparent)
  }
})

test_that("the path of a search that stopped configurations is that of its first ones", {
  scores <- data$scores
  n <- nrow(scores)
  stopped <- c(1L, 4L, 5L, 9L)
  for (one in stopped) scores[seq_len(n) > n / 4 * (1 + one %% 3), one] <- NA
  of <- function(scores) {
    suppressWarnings(bbc_correct(scores, data$truth, "log_loss", missing = "rungs", n_bootstraps = 200, seed = 1))
  }
  fit <- of(plogis(scores))
  path <- bbc_tuning_path(fit)
  expect_identical(path$stopped, stopped)
  expect_identical(path$path$n_configurations, c(2L, 4L, 8L, 11L))  # the first was not carried to the end
  for (i in seq_len(nrow(path$path))) {
    own <- path$path[i, ]
    e <- of(plogis(scores[, seq_len(own$n_configurations), drop = FALSE]))
    expect_identical(unlist(own[c("estimate", "low", "high", "apparent", "winner")], use.names = FALSE),
                     c(e$estimate, e$confidence_interval$low, e$confidence_interval$high, e$apparent, e$winner))
  }
  expect_identical(path$estimate$estimate, fit$estimate)
  expect_output(print(path), "4 of 11 stopped early")
  panel <- bbcr:::picture(path)$panels[[1]]
  layers <- panel$layers
  expect_identical(panel$x$ticks, c(2, 4, 8, 11))
  expect_identical(bbcr:::apart(c(1L, 64L, 32L, 70L)), c(1, 32, 70))
  marks <- Filter(function(one) one$kind == "segment" && !is.null(one$data$what), layers)
  expect_identical(marks[[1]]$data$x, stopped)
  expect_identical(unique(marks[[1]]$data$what), "stopped early (4)")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(path), path)
  expect_error(bbc_tuning_path(fit, "roc_auc"), "`metric` is not for `missing = \"rungs\"`", fixed = TRUE)
})
