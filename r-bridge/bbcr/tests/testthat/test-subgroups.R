data <- binary_data(n = 120, n_configurations = 5)
by <- rep(c("b", "a", "b"), 40)
folds <- rep(1:6, 20)
quietly <- suppressWarnings
divided <- function(..., predictions = data$scores, truth = data$truth, metric = "roc_auc",
                    labels = by) {
  quietly(ask(bbc_subgroups, predictions, truth, metric, by = labels, n_bootstraps = 200, seed = 1,
                   ...))
}

test_that("all rows are corrected as without subgroups", {
  found <- divided()
  expect_s3_class(found, "bbc_subgroups")
  expect_identical(found$overall, quietly(bbc_correct(data$scores, data$truth, "roc_auc",
                                                      n_bootstraps = 200, seed = 1)))
  expect_identical(found$groups$subgroup, c("a", "b"))
  expect_identical(found$groups$n_rows, c(40L, 80L))
  expect_identical(found$groups$n_1, c(sum(data$truth[by == "a"]), sum(data$truth[by == "b"])))
  expect_identical(found$estimates$a$n_rows, 40L)
  expect_null(found$estimates$a$decided_by)
  expect_identical(found$estimates$a$winner, found$overall$winner)
})

test_that("a mean over rows is that of its subgroups", {
  set.seed(2)
  resamples <- matrix(sample.int(120, 50 * 120, TRUE), 50)
  fit <- quietly(bbc_correct(data$labels, data$truth, "accuracy", resamples = resamples))
  found <- quietly(bbc_subgroups(fit, by))
  share <- apply(resamples, 1, function(drawn) {
    out <- setdiff(seq_len(120), drawn)
    mean(by[out] == "a")
  })
  of <- found$estimates
  expect_equal(found$overall$replicates, share * of$a$replicates + (1 - share) * of$b$replicates)
  expect_equal(of$a$apparent, mean((data$labels[, of$a$winner] == data$truth)[by == "a"]))
})

test_that("differences are those of the replicates, the reference second", {
  found <- divided()
  replicates <- found$estimates$a$replicates - found$estimates$b$replicates
  expect_equal(found$differences$estimate, mean(replicates))
  expect_equal(found$differences$degrees_of_freedom, min(table(by, data$truth)) - 1)
  loss <- divided(predictions = plogis(data$scores), metric = "brier_score")
  expect_equal(loss$differences$degrees_of_freedom, min(table(by)) - 1)
  expect_equal(loss$differences$estimate,
               -mean(loss$estimates$a$replicates - loss$estimates$b$replicates))
  three <- divided(labels = rep(3:1, 40), metric = "brier_score",
                   predictions = plogis(data$scores), reference = 2)
  expect_identical(three$groups$subgroup, c("1", "2", "3"))
  expect_identical(three$differences$first, c("1", "3"))
  expect_identical(three$differences$second, c("2", "2"))
  expect_identical(three$reference, "2")
})

test_that("another metric is read of the same winner", {
  fit <- quietly(bbc_correct(plogis(data$scores), data$truth, "roc_auc", n_bootstraps = 200, seed = 1,
                             secondary = "brier_score"))
  found <- quietly(bbc_subgroups(fit, by, metric = "brier_score"))
  expect_identical(found$estimates$a$decided_by, "roc_auc")
  expect_identical(found$overall, fit$secondary$brier_score)
  expect_identical(found$estimates$a$replicate_winners, fit$replicate_winners)
  expect_null(quietly(bbc_subgroups(fit, by))$overall$decided_by)
})

test_that("an R function agrees with the kernel", {
  own <- bbc_custom_metric(function(y, p) mean(y == p), "own", predicts = "labels",
                           limits = c(0, 1))
  # What fewer rows do to a function is not known in advance: it is measured, as noise for a mean.
  by_function <- divided(predictions = data$labels, metric = own, size_correction = FALSE)
  by_kernel <- divided(predictions = data$labels, metric = "accuracy")
  for (name in c("a", "b")) {
    expect_equal(by_function$estimates[[name]]$replicates, by_kernel$estimates[[name]]$replicates)
  }
})

test_that("a subgroup that is too small says so", {
  small <- function(labels, reason, ...) {
    found <- divided(labels = labels, ...)
    expect_match(found$groups$too_small[found$groups$subgroup == "small"], reason)
    expect_true(is.na(found$groups$too_small[found$groups$subgroup == "large"]))
    expect_identical(names(found$estimates), "large")
    expect_identical(nrow(found$differences), 0L)
    expect_output(print(found), "too small: small: ")
    expect_true(is.na(coef(found)[["small"]]))
  }
  of <- function(rows) ifelse(seq_len(120) %in% rows, "small", "large")
  small(of(7), "it has one row")
  small(of(head(which(data$truth == 1), 9)), "no row of class 0: metric .roc_auc. is undefined")
  events <- which(data$truth == 1)
  small(of(c(events[1:2], which(data$truth == 0)[1:20])), "undefined in [0-9]+ of 200 replicates")
  small(of(1:10), "its rows are of one group", groups = (seq_len(120) - 1) %/% 10)
  small(of(which(folds == 2)), "its rows are in one fold", folds = folds, method = "bbc-two-level")
  small(of(1:30), "its rows have no weight", sample_weight = as.double(seq_len(120) > 30))
  holes <- data$scores
  holes[1:30, ] <- NA
  small(of(1:30), "no configuration predicted its rows", predictions = holes)
})

test_that("classes, events and rows that stay are counted", {
  holes <- data$scores
  holes[1:12, ] <- NA
  found <- divided(predictions = holes)
  expect_identical(sum(found$groups$n_rows), 108L)
  alone <- divided(predictions = holes[-(1:12), ], truth = data$truth[-(1:12)],
                   labels = by[-(1:12)])
  expect_identical(lapply(found$estimates, `[[`, "replicates"),
                   lapply(alone$estimates, `[[`, "replicates"))
  real <- divided(truth = data$scores[, 1] + 1, metric = "r2")
  expect_identical(names(real$groups), c("subgroup", "n_rows", "too_small"))
  skip_if_not_installed("survival")
  set.seed(4)
  time <- survival::Surv(rexp(120), rep(c(TRUE, TRUE, FALSE), 40))
  found <- divided(truth = time, metric = "concordance_index")
  expect_identical(found$groups$n_events, c(40L, 40L))
  expect_identical(found$groups$n_censored, c(0L, 40L))
  brier <- bbc_metric("survival_brier_score", time = 0.5)
  found <- divided(truth = time, metric = brier, predictions = plogis(data$scores))
  expect_identical(found$groups$n_censored, c(0L, 40L))
})

test_that("metrics that weigh rows for censoring have the numbers of Python", {
  i <- 0:59
  time <- cbind(time = (i * 7) %% 23 / 4 + 0.25, status = as.double((i * 5) %% 7 > 1))
  time <- structure(time, class = "Surv", type = "right")
  risks <- sapply(0:4, function(j) (i * i + 3 * i * j + 5 * j) %% 17 / 10 - time[, 1] / 3)
  of_metric <- function(metric, predictions) {
    fit <- quietly(bbc_correct(predictions, time, metric, n_bootstraps = 100, seed = 5,
                               sample_weight = 1 + i %% 2))
    found <- quietly(bbc_subgroups(fit, by = ifelse(i %% 3 == 0, "a", "b")))
    expect_identical(found$groups$n_events, c(14L, 28L))
    expect_identical(found$groups$n_censored, c(6L, 12L))
    found
  }
  uno <- of_metric(bbc_metric("uno_concordance", tau = 4), risks)
  expect_identical(unname(coef(uno)), c(0.7487844749556423, 0.8163268826745625))
  expect_identical(uno$differences$estimate, -0.06758859017823354)
  brier <- of_metric(bbc_metric("survival_brier_score", time = 2), 1 / (1 + exp(risks)))
  expect_equal(unname(coef(brier)), c(0.18310117867609832, 0.15841844027447644),
               tolerance = 1e-14)
  auc <- of_metric(bbc_metric("cumulative_dynamic_auc", time = 2), risks)
  expect_match(auc$groups$too_small[[1]], "undefined in 26 of 100 replicates")
  expect_identical(coef(auc)[["b"]], 0.9048884910189199)
})

test_that("factors keep the order of their levels", {
  found <- divided(labels = factor(by, levels = c("b", "a", "none")))
  expect_identical(found$groups$subgroup, c("b", "a"))
})

test_that("differences of two-level draws of few folds have no interval", {
  found <- divided(folds = rep(1:3, 40), method = "bbc-two-level", labels = rep(c("a", "b"), 60))
  expect_null(found$estimates$a$infeasible)
  expect_true(is.na(found$differences$p_value))
  expect_match(found$differences$infeasible, "at least 4 folds")
  expect_length(found$notes, 0)
})

test_that("two numbers among few rows are no classes, since all rows have more", {
  rows <- seq_len(120)
  truth <- ifelse(by == "a", (rows %/% 3) %% 2, rows %% 7)
  predictions <- 5 * ((rows %/% 3) %% 2) + matrix(stats::runif(360), 120)
  limits <- lapply(list(truth, truth + 1e-9 * (rows == 2)), function(truth) {
    found <- divided(predictions = predictions, truth = truth, metric = "root_mean_squared_error",
                     folds = rep(1:6, each = 20), method = "bbc-two-level")
    unlist(found$estimates$a$confidence_interval[c("low", "high")])
  })
  expect_equal(limits[[1]], limits[[2]], tolerance = 1e-6)
})

test_that("objects are taken too", {
  data <- bbc_data(data$scores, data$truth, folds = folds)
  found <- quietly(ask(bbc_subgroups, data, metric = "roc_auc", by = by, seed = 1,
                            n_bootstraps = 200))
  expect_identical(coef(found), coef(divided()))
})

test_that("results have the usual methods", {
  found <- divided(labels = rep(c("a", "b", "c"), 40), confidence_level = 0.9)
  expect_output(print(found), "roc_auc of one winner in 3 subgroups [(]higher is better[)]")
  expect_output(print(found), "all rows +120")
  frame <- as.data.frame(found)
  expect_identical(frame$estimate, unname(coef(found)))
  expect_identical(unname(confint(found)[, 1]), frame$low)
  expect_identical(colnames(confint(found, "a", level = 0.8)), c("10 %", "90 %"))
  expect_identical(tidy(found)$n, rep(40L, 3))
  expect_identical(glance(found)$n_subgroups, 3L)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(found)))
})

test_that("a finding of the design warns once", {
  warned <- capture_warnings(ask(bbc_subgroups, data$scores, data$truth, "roc_auc", by = by,
                                      groups = (seq_len(120) - 1) %/% 3, folds = folds,
                                      seed = 1, n_bootstraps = 100))
  expect_identical(substr(warned, 1, 6), "BBC010")
})

test_that("what cannot be divided is refused", {
  refused <- function(pattern, ...) expect_refused(divided(...), pattern)
  fit <- quietly(bbc_correct(data$scores, data$truth, "roc_auc", n_bootstraps = 50, seed = 1))
  expect_refused(bbc_subgroups(fit), "`by` is missing")
  expect_refused(bbc_subgroups(fit, by, metric = c("roc_auc", "mcc")), "`metric` must be one")
  expect_refused(bbc_subgroups(fit, by, n_draws = 2), "unknown argument `n_draws`")
  refused("`by` has one label [(]0[)]", labels = rep(0, 120))
  refused("`by` has 119 rows, `predictions` has 120", labels = by[-1])
  refused("`by` has 120 different real numbers; cut them", labels = data$scores[, 1])
  refused("`by` is NA at row 3", labels = replace(by, 3, NA))
  refused("`by` must be a vector", labels = list(by))
  refused("`reference` must be one of the subgroups [(]a, b[)]", reference = "none")
  named <- stats::setNames(data$truth, paste("row", 1:120))
  refused("`by`: row 1 is row 120", truth = named, labels = stats::setNames(by, rev(names(named))))
})
