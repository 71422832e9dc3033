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
