# Calibration of risks at a time.
skip_if_not_installed("survival")
set.seed(8)
x <- rnorm(150)
event <- rexp(150, exp(x))
censored <- rexp(150, 0.3)
truth <- survival::Surv(pmin(event, censored), event <= censored)
surviving <- exp(-exp(1.5 * x + matrix(rnorm(600, sd = 0.3), 150)))
at_one <- bbc_metric("survival_brier_score", time = 1)
calibrated <- function(predictions = surviving, metric = at_one, ..., time = 1, n_bootstraps = 60) {
  suppressWarnings(ask(bbc_survival_calibration, predictions, truth, metric, time = time, ...,
                            n_bootstraps = n_bootstraps, seed = 1))
}
found <- calibrated()
risks <- 1 - surviving[, found$performance$winner]
value <- function(name) found$quantities$apparent[found$quantities$quantity == name]
# Each row's pseudo-value, by survival's own Kaplan-Meier.
risk_of <- function(rows) 1 - summary(survival::survfit(truth[rows] ~ 1), times = 1)$surv
pseudo <- vapply(1:150, function(i) 150 * risk_of(1:150) - 149 * risk_of(-i), 0)

test_that("intercept and slope solve the equations of pseudo-values, and groups are Kaplan-Meier's", {
  z <- log(-log(1 - risks))
  slope <- value("calibration slope")
  hazard <- exp(value("intercept beside the slope") + slope * z)
  left <- (pseudo - (1 - exp(-hazard))) * hazard * exp(-hazard)
  uncertain <- risks > 0 & risks < 1
  for (own in list(1, z)) expect_lt(abs(sum((left * own)[uncertain])), 1e-6)
  expect_equal(value("observed / expected"), mean(pseudo) / mean(risks))
  expect_equal(sum(found$groups$n_rows), 150)
  lowest <- which(risks <= quantile(risks, 0.2))
  expect_equal(unlist(found$groups[1, ], use.names = FALSE),
               c(length(lowest), mean(risks[lowest]), risk_of(lowest)))
  expect_identical(found$performance, suppressWarnings(
    bbc_correct(surviving, truth, at_one, n_bootstraps = 60, seed = 1)
  ))
})

test_that("one of several times is read, and repeats are averaged", {
  both <- array(c(surviving, surviving^2), c(150, 4, 2))
  several <- calibrated(both, bbc_metric("integrated_brier_score", times = 1:2))
  risks <- 1 - surviving[, several$performance$winner]
  expect_equal(several$quantities$apparent[[4]], mean(pseudo) / mean(risks))
  expect_equal(calibrated(list(surviving, surviving))$groups, found$groups)
  expect_identical(calibrated(n_groups = 2)$groups$n_rows, c(75L, 75L))
})

test_that("other times and other metrics are refused", {
  expect_refused(calibrated(time = 2), "`time` must be one that `metric` reads [(]1[)], not 2")
  expect_refused(calibrated(metric = "concordance_index"), "must read survival probabilities")
  expect_refused(calibrated(n_groups = 1), "`n_groups` must be at least 2")
  expect_refused(bbc_survival_calibration(bbc_correct(surviving, truth, at_one)), "`time` is missing")
})

test_that("bbc_clinical() is the performance and the calibration at each time", {
  at <- c(0.5, 1)
  curves <- array(c(surviving^0.5, surviving), c(150, 4, 2))
  metric <- bbc_metric("integrated_brier_score", times = at)
  fit <- suppressWarnings(bbc_correct(curves, truth, metric, n_bootstraps = 60, seed = 1))
  found <- suppressWarnings(bbc_clinical(fit, times = at))
  expect_s3_class(found, "bbc_survival_performance")
  expect_identical(found$performance, fit)
  expect_identical(found$n_events, sum(event <= censored))
  for (i in 1:2) {
    own <- suppressWarnings(bbc_survival_calibration(fit, at[[i]]))
    expect_identical(found$calibrations[[i]], own)
  }
  frame <- as.data.frame(found)
  expect_identical(names(frame), c("quantity", "time", "x", "estimate", "low", "high", "apparent",
                                   "n_undefined"))
  expect_identical(sum(is.na(frame$x)), 9L)
  expect_identical(tidy(found)$estimate, frame$estimate[1:9])
  expect_identical(glance(found)$n_events, found$n_events)
  expect_output(print(found), "performance of the winner by integrated_brier_score.*calibration slope at 0.5")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(found), "ggplot")
  expect_refused(bbc_clinical(fit), "`times` is missing")
  expect_refused(bbc_clinical(fit, times = c(1, 0.5)), "`times` must ascend")
  expect_refused(bbc_clinical(fit, times = 0), "`times` must be times above 0")
  expect_refused(bbc_clinical(fit, times = 0.7), "`time` must be one that `metric` reads")
  two <- bbc_correct(plogis(matrix(rnorm(160), 40)), rep(0:1, 20), "log_loss", seed = 1)
  expect_refused(bbc_clinical(two, times = 1), "`times` are of survival, but metric .log_loss. is not")
})
