# Metrics that weigh rows for censoring.

survival_data <- function(n = 80, seed = 1) {
  set.seed(seed)
  hazard <- rexp(n)
  event_time <- rexp(n, hazard) * 5
  censoring_time <- rexp(n, 1 / 8)
  cells <- cbind(time = pmin(event_time, censoring_time), status = event_time <= censoring_time)
  cells[1, ] <- c(60, 0)
  risk <- log(hazard) + matrix(rnorm(n * 6), n)
  at <- c(2, 4, 6)
  rate <- exp(risk / 2) / 8
  list(truth = structure(cells, class = "Surv", type = "right"), risk = risk, at = at,
       probabilities = array(vapply(at, function(t) exp(-t * rate), rate), c(n, 6, 3)))
}

test_that("parameters are times", {
  expect_equal(bbc_metric("uno_concordance", tau = 5)$name, "uno_concordance(tau=5)")
  expect_equal(bbc_metric("integrated_brier_score", times = 1:3)$name,
               "integrated_brier_score(times=c(1, 2, 3))")
  expect_refused(bbc_metric("cumulative_dynamic_auc"), "needs `time`")
  expect_refused(bbc_metric("concordance_index", tau = 5), "no parameter `tau`")
  expect_refused(bbc_metric("uno_concordance", time = 5), "no parameter `time`")
  expect_refused(bbc_metric("uno_concordance", tau = 0), "`tau` must be a time above 0")
  expect_refused(bbc_metric("integrated_brier_score", times = 3), "at least two times that ascend")
})

test_that("Uno's index is that of survival::concordance", {
  skip_if_not_installed("survival")
  d <- survival_data()
  for (tau in c(Inf, 7.5)) {
    fit <- survival::concordance(d$truth ~ d$risk[, 1], reverse = TRUE, timewt = "n/G2",
                                 ymax = if (is.finite(tau)) tau)
    e <- bbc_correct(d$risk[, 1, drop = FALSE], d$truth, bbc_metric("uno_concordance", tau = tau),
                     n_bootstraps = 40, seed = 1)
    expect_equal(e$apparent, unname(fit$concordance), tolerance = 1e-14)
  }
})

# G(t-) of Kaplan-Meier for the censoring, where no times tie.
before <- function(truth, at) {
  cells <- unclass(truth)
  vapply(at, function(t) {
    gone <- cells[cells[, "status"] == 0 & cells[, "time"] < t, "time"]
    prod(vapply(gone, function(u) 1 - 1 / sum(cells[, "time"] >= u), 0))
  }, 0)
}

test_that("scores at a time follow their definitions", {
  d <- survival_data()
  time <- unclass(d$truth)[, "time"]
  case <- unclass(d$truth)[, "status"] == 1 & time <= 4
  control <- time > 4
  weight <- ifelse(case, 1 / before(d$truth, time), ifelse(control, 1 / before(d$truth, 4), 0))
  right <- outer(d$risk[case, 2], d$risk[control, 2], ">")
  auc <- bbc_correct(d$risk[, 2, drop = FALSE], d$truth,
                     bbc_metric("cumulative_dynamic_auc", time = 4), n_bootstraps = 40, seed = 1)
  expect_equal(auc$apparent, sum(weight[case] * right) / sum(weight[case]) / sum(control),
               tolerance = 1e-13)
  own <- d$probabilities[, 2, 2, drop = TRUE]
  brier <- bbc_correct(matrix(own), d$truth, bbc_metric("survival_brier_score", time = 4),
                       n_bootstraps = 40, seed = 1)
  expect_equal(brier$apparent, mean(weight * (control - own)^2), tolerance = 1e-13)
  by_time <- lapply(1:3, function(k) {
    bbc_correct(d$probabilities[, , k], d$truth,
                bbc_metric("survival_brier_score", time = d$at[[k]]), n_bootstraps = 40, seed = 1,
                selection = function(scores, counts) 3L)$apparent
  })
  integrated <- bbc_correct(d$probabilities, d$truth,
                            bbc_metric("integrated_brier_score", times = d$at), n_bootstraps = 40,
                            seed = 1, selection = function(scores, counts) 3L)
  expect_equal(integrated$apparent, sum(unlist(by_time) * c(1, 2, 1)) / 4, tolerance = 1e-13)
})

test_that("secondary metrics read the same rows", {
  d <- survival_data()
  once <- function(...) {
    suppressWarnings(bbc_correct(d$risk, d$truth, "uno_concordance", n_bootstraps = 100, seed = 1, ...))
  }
  dynamic <- bbc_metric("cumulative_dynamic_auc", time = 4)
  both <- once(secondary = dynamic)
  expect_identical(replace(both, "secondary", NULL), once())
  expect_identical(both$secondary[[1]]$winner, both$winner)
  alone <- suppressWarnings(bbc_correct(d$risk[, both$winner, drop = FALSE], d$truth, dynamic))
  expect_identical(both$secondary[[1]]$apparent, alone$apparent)
})

test_that("times, risks and shapes that do not fit are refused", {
  d <- survival_data()
  score <- function(predictions, ...) {
    bbc_correct(predictions, d$truth, bbc_metric(...), n_bootstraps = 40, seed = 1)
  }
  expect_refused(score(d$risk, "uno_concordance", tau = 61), "`tau` must be at most 60")
  undefined <- "bbc_undefined_metric"
  expect_refused(score(d$risk, "uno_concordance", tau = 1e-9), "no event before 1e-09", undefined)
  expect_refused(score(d$risk, "cumulative_dynamic_auc", time = 60), "`time` must be before 60",
                 undefined)
  expect_refused(score(d$risk, "cumulative_dynamic_auc", time = 1e-9), "no event by 1e-09",
                 undefined)
  expect_refused(score(d$risk, "survival_brier_score", time = 4), "must be in \\[0, 1\\]")
  expect_refused(score(d$risk, "integrated_brier_score", times = d$at),
                 "shape \\(row, configuration, 3\\)")
  expect_refused(score(d$risk, "integrated_brier_score", times = c(2.5, 10)), "at 2.5, 10.0$")
  expect_refused(score(d$probabilities, "survival_brier_score", time = 4),
                 "shape \\(row, configuration\\)")
})

test_that("survival that rises with time is refused", {
  d <- survival_data()
  score <- function(p) {
    bbc_correct(p, d$truth, bbc_metric("integrated_brier_score", times = d$at), n_bootstraps = 40,
                seed = 1)
  }
  expect_refused(score(1 - d$probabilities), "survival rises from .* at time 2 .* row 1, conf.*1 - S")
  expect_refused(score(d$probabilities[, , 3:1]), "times in reverse order")
  rounded <- d$probabilities
  rounded[, , 2] <- pmin(rounded[, , 2], rounded[, , 1])
  rounded[, , 3] <- rounded[, , 2] + 1e-9
  expect_s3_class(score(rounded), "bbc_estimate")
})

test_that("protocols do not rank risks of several folds together, unless one says so", {
  set.seed(2)
  d <- data.frame(x = rnorm(60), z = rnorm(60), status = rbinom(60, 1, 0.8))
  d$time <- rexp(60, exp(2 * d$x))
  # Relative to the training rows, as a Cox model's are.
  relative <- bbc_learner(function(x, y, column) 4 * mean(x[[column]]), column = c("x", "z"),
                          predict = function(model, newx) newx[[1]] - model)
  folds <- rep(1:4, each = 15)
  tuned <- function(...) {
    suppressWarnings(bbc_tune(d[c("x", "z")], survival::Surv(d$time, d$status), relative, "concordance_index",
                              cv = folds, seed = 1, n_threads = 2, ...))
  }
  harrell <- function(risk, rows) {
    pairs <- subset(expand.grid(i = rows, j = rows), d$status[i] == 1 & d$time[j] > d$time[i])
    mean((risk[pairs$i] > risk[pairs$j]) + (risk[pairs$i] == risk[pairs$j]) / 2)
  }
  for (protocol in c("BBC", "BBCD", "CVT")) {
    by_fold <- tuned(protocol = protocol)
    pooled <- tuned(protocol = protocol, pooling = "pooled")
    risk <- as.matrix(by_fold$predictions)[, by_fold$winner]
    apart <- mean(vapply(1:4, function(fold) harrell(risk, which(folds == fold)), 0))
    expect_equal(by_fold$performance$apparent, apart)
    risk <- as.matrix(pooled$predictions)[, pooled$winner]
    expect_equal(pooled$performance$apparent, harrell(risk, 1:60))
    corrected <- lapply(list(by_fold, pooled), bbc_correct, seed = 1, n_threads = 2)
    expect_identical(vapply(corrected, `[[`, "", "pooling"), c("fold", "pooled"))
  }
  whole <- tuned(protocol = "BBC")
  fit <- bbc_correct(whole, seed = 1, n_threads = 2)
  expect_identical(fit$replicates, whole$performance$replicates)
  expect_identical(bbc_score(fit, "concordance_index")$replicates, fit$replicates)
  expect_identical(bbc_score(fit, "uno_concordance")$pooling, "fold")
  expect_identical(bbc_correct(tuned(protocol = "NCV"), seed = 1)$pooling, "fold")
  both <- list(a = whole, b = tuned(protocol = "BBC"))
  expect_identical(bbc_compare(both, metric = "concordance_index", seed = 1)$pooling, "fold")
  both$b <- tuned(protocol = "BBC", pooling = "pooled")
  expect_refused(bbc_compare(both, metric = "concordance_index"), "family a is chosen by the mean over folds, that of b")
  said <- suppressWarnings(bbc_compare(both, metric = "concordance_index", pooling = "fold", seed = 1))
  expect_identical(said$pooling, "fold")
})

test_that("risks are pooled where a fold has no comparable pair", {
  set.seed(3)
  d <- data.frame(x = rnorm(40), time = c(rexp(30), 10 + rexp(10)), status = rep(1:0, c(30, 10)))
  learner <- bbc_learner("coxph", ties = c("efron", "breslow"))
  pooling <- function(cv, metric = "concordance_index") {
    suppressWarnings(bbc_tune(survival::Surv(time, status) ~ x, d, learner, metric, protocol = "BBC", cv = cv,
                              seed = 1, n_threads = 2))$performance$pooling
  }
  expect_identical(pooling(rep(1:4, each = 10)), "pooled")
  expect_identical(pooling(rep(1:4, 10)), "fold")
  expect_identical(pooling(rep(1:4, 10), bbc_metric("cumulative_dynamic_auc", time = 1)), "fold")
  expect_identical(pooling(rep(1:4, each = 10), bbc_metric("cumulative_dynamic_auc", time = 1)), "pooled")
})
