test_that("every metric of the table is one of the kernel's", {
  table <- bbc_metrics()
  expect_gt(nrow(table), 60)
  expect_false(any(duplicated(table$name)))
  expect_equal(table$greater_is_better[match(c("accuracy", "log_loss", "neg_log_loss"), table$name)],
               c(TRUE, FALSE, TRUE))
})

test_that("parameters change the metric and its name", {
  expect_equal(bbc_metric("f_beta", beta = 2)$name, "f_beta(beta=2)")
  expect_output(print(bbc_metric("pinball_loss", alpha = 0.9)), "lower is better")
  expect_refused(bbc_metric("accuracy", beta = 2), "no parameter `beta`")
  expect_refused(bbc_metric("f_beta", beta = -1), "`beta` must be")
  expect_refused(bbc_metric(1), "must be one name")
})

test_that("every metric gives a number on data that suit it", {
  set.seed(4)
  n <- 60
  two <- rbinom(n, 1, 0.5)
  three <- rep(1:3, length.out = n)
  positive <- rexp(n) + 0.1
  scores <- array(rexp(n * 4 * 3), c(n, 4, 3))
  scores <- scores / c(rowSums(scores, dims = 2))
  truth_of <- list(binary = two, classes = three, real = positive, any = NULL,
                   survival = structure(cbind(time = positive, status = two), class = "Surv",
                                        type = "right"))
  for (name in bbc_metrics()$name) {
    metric <- bbc_metric(name)
    truth <- truth_of[[metric$target]]
    predictions <- switch(metric$predicts,
      labels = matrix(sample(unique(truth), n * 4, TRUE), n),
      class_scores = , class_probabilities = scores,
      matrix(runif(n * 4, 0.01, 1), n)
    )
    e <- bbc_correct(predictions, truth, metric, n_bootstraps = 100, seed = 1)
    expect_true(is.finite(e$estimate), label = name)
    expect_equal(e$optimism >= 0, (e$apparent >= e$estimate) == e$greater_is_better, label = name)
  }
})

test_that("the name of a metric does not depend on options", {
  old <- options(OutDec = ",", digits = 3)
  on.exit(options(old))
  expect_equal(bbc_metric("f_beta", beta = 1.2345)$name, "f_beta(beta=1.2345)")
  expect_equal(bbc_metric("f_beta", beta = 2L)$name, "f_beta(beta=2)")
})

test_that("an unknown name is answered with what it may mean, or with nothing", {
  meant <- c(
    MSE = "mean_squared_error", RMSE = "root_mean_squared_error", auc = "roc_auc",
    ROC = "roc_auc", Accuracy = "accuracy", logloss = "log_loss", phi = "mcc", MCC = "mcc",
    tpr = "sensitivity", fbeta = "f_beta", Rsquared = "squared_pearson", regr.rsq = "r2 or squared_pearson",
    classif.bacc = "balanced_accuracy", regr.mae = "mean_absolute_error"
  )
  for (name in names(meant)) {
    expect_refused(bbc_metric(name), sprintf("\"%s\"; did you mean %s\\?", name, meant[[name]]))
  }
  expect_refused(bbc_metric("mean_squared_eror"), "did you mean mean_squared_error or ")
  for (name in c("xyz", "banana", "profit")) {
    expect_refused(bbc_metric(name), sprintf("unknown name \"%s\" [(]bbc_metrics", name))
  }
})

test_that("every other name stands for names of the table, and is none itself", {
  expect_true(all(unlist(bbcr:::other_names()) %in% bbc_metrics()$name))
  expect_false(any(names(bbcr:::other_names()) %in% bbc_metrics()$name))
  expect_false(any(duplicated(names(bbcr:::other_names()))))
})

test_that("yardstick's names stand for metrics of the same value", {
  for (name in names(bbcr:::yardstick_names())) {
    expect_identical(bbc_metric(name)$name, bbcr:::yardstick_names()[[name]])
  }
  truth <- c(1, 2, 3, 5)
  predictions <- matrix(c(1.5, 2, 2, 6), 4)
  value <- function(metric) {
    e <- suppressWarnings(bbc_correct(predictions, truth, metric, seed = 1, n_bootstraps = 40))
    e$apparent
  }
  error <- truth - predictions[, 1]
  expect_equal(value("rmse"), sqrt(mean(error^2)))
  expect_equal(value("mae"), mean(abs(error)))
  expect_equal(value("rsq"), stats::cor(truth, predictions[, 1])^2)
  expect_equal(value("rsq_trad"), 1 - sum(error^2) / sum((truth - mean(truth))^2))
  expect_equal(value("mse"), mean(error^2))
  data <- binary_data()
  for (pair in list(c("bal_accuracy", "balanced_accuracy"), c("sens", "sensitivity"))) {
    e <- lapply(pair, function(metric) bbc_correct(data$labels, data$truth, metric, seed = 1))
    expect_identical(e[[1]], e[[2]])
  }
  three <- matrix(rep(1:3, 20), 60)
  expect_refused(bbc_correct(three, three[, 1], "bal_accuracy"),
                 "bal_accuracy of 3 classes is another average; \"balanced_accuracy\"")
})

test_that("yardstick's metrics of several classes have the values of their definitions", {
  set.seed(1)
  truth <- factor(sample(c("a", "b", "c"), 90, TRUE, c(0.5, 0.3, 0.2)), ordered = TRUE)
  shares <- matrix(rexp(270), 90) + diag(3)[as.integer(truth), ]
  shares <- shares / rowSums(shares)
  value <- function(metric) {
    suppressWarnings(bbc_correct(array(shares, c(90, 1, 3)), truth, metric, seed = 1,
                                 n_bootstraps = 40))$apparent
  }
  auc <- function(event, score) {
    above <- outer(score[event], score[!event], ">") + outer(score[event], score[!event], "==") / 2
    mean(above)
  }
  one_vs_rest <- vapply(1:3, function(k) auc(as.integer(truth) == k, shares[, k]), 0)
  expect_equal(value("roc_aunu"), mean(one_vs_rest))
  expect_equal(value("roc_aunp"), sum(one_vs_rest * table(truth)) / 90)
  steps <- function(p) cbind(p[, 1], p[, 1] + p[, 2])
  apart <- steps(diag(3)[as.integer(truth), ]) - steps(shares)
  expect_equal(value("ranked_prob_score"), mean(rowSums(apart^2)) / 2)
  data <- binary_data()
  event <- data$truth == 1
  right <- colMeans(data$labels[event, ] == 1)
  e <- suppressWarnings(bbc_correct(data$labels, data$truth, "roc_dist", seed = 1))
  expect_equal(e$apparent, min(sqrt((1 - right)^2 + colMeans(data$labels[!event, ])^2)))
})

test_that("metrics of two classes offer others for more, which exist", {
  known <- bbc_metrics()
  truth <- factor(rep(c("a", "b", "c"), 10))
  for (name in known$name[known$target == "binary"]) {
    refused <- tryCatch(bbc_correct(matrix(1, 30, 2), truth, name), error = conditionMessage)
    expect_match(refused, "for more classes use ", fixed = TRUE, info = name)
    offered <- strsplit(sub(".*for more classes use ", "", refused), " or ")[[1]]
    expect_true(all(offered %in% known$name), info = refused)
  }
})

# All that yardstick 1.3 exports as a metric or a curve.
all_of_yardstick <- strsplit(paste(
  "accuracy average_precision bal_accuracy brier_class brier_survival brier_survival_integrated ccc",
  "classification_cost concordance_survival conf_mat demographic_parity detection_prevalence",
  "equal_opportunity equalized_odds f_meas fall_out gain_capture gain_curve huber_loss",
  "huber_loss_pseudo iic j_index kap lift_curve mae mape mase mcc miss_rate mn_log_loss mpe msd npv",
  "poisson_log_loss ppv pr_auc pr_curve precision ranked_prob_score recall rmse rmse_relative",
  "roc_auc roc_auc_survival roc_aunp roc_aunu roc_curve roc_curve_survival royston_survival rpd",
  "rpiq rsq rsq_trad sens sensitivity smape spec specificity weighted_interval_score"
), " ")[[1]]

test_that("every metric of yardstick is taken, or refused with the reason", {
  for (name in all_of_yardstick) {
    said <- tryCatch(bbc_metric(name), bbc_error = conditionMessage)
    if (is.character(said)) {
      expect_match(said, sprintf("^`metric`: \"%s\" is not taken: ", name))
      expect_true(name %in% names(bbcr:::yardstick_reasons))
    } else {
      expect_false(name %in% names(bbcr:::yardstick_reasons), label = name)
    }
  }
  expect_true(all(names(bbcr:::yardstick_reasons) %in% all_of_yardstick))
})

test_that("metrics of yardstick have the values of their definitions", {
  set.seed(2)
  truth <- rpois(40, 4) + 1
  predictions <- matrix(truth + rnorm(40), 40)
  predictions[predictions < 0.5] <- 0.5
  p <- predictions[, 1]
  value <- function(metric, predictions, truth, ...) {
    suppressWarnings(bbc_correct(predictions, truth, metric, seed = 1, n_bootstraps = 40, ...))$apparent
  }
  real <- function(metric) value(metric, predictions, truth)
  error <- abs(truth - p)
  rmse <- sqrt(mean(error^2))
  expect_equal(real("mape"), 100 * mean(error / truth))
  expect_equal(real("smape"), 100 * mean(error / ((truth + p) / 2)))
  expect_equal(real("huber_loss"), mean(ifelse(error <= 1, error^2 / 2, error - 0.5)))
  expect_equal(real("huber_loss_pseudo"), mean(sqrt(1 + error^2) - 1))
  expect_equal(real("rpd"), sd(truth) / rmse)
  expect_equal(real("rpiq"), unname(diff(quantile(truth, c(0.25, 0.75)))) / rmse)
  expect_equal(real("rmse_relative"), rmse / (max(truth) - min(truth)))
  expect_equal(real("poisson_log_loss"), -mean(truth * log(p) - p - lgamma(truth + 1)))
  n <- 40
  covariance <- sum((truth - mean(truth)) * (p - mean(p))) / (n - 1)
  expect_equal(real("ccc"), 2 * covariance / (var(truth) + var(p) + (mean(truth) - mean(p))^2))
  ill <- rep(c(TRUE, FALSE, FALSE), 20)
  y <- factor(ifelse(ill, "ill", "well"))
  called <- ifelse(runif(60) < 0.3, !ill, ill)
  labels <- matrix(ifelse(called, "ill", "well"), 60)
  of_labels <- function(metric) value(metric, labels, y, event_level = "ill")
  expect_equal(of_labels("npv"), sum(!called & !ill) / sum(!called))
  expect_equal(of_labels("j_index"), sum(called & ill) / sum(ill) - sum(called & !ill) / sum(!ill))
  expect_equal(of_labels("detection_prevalence"), mean(called))
  score <- round(plogis(ill + rnorm(60)), 1)
  cuts <- sort(unique(score), decreasing = TRUE)
  recall <- c(0, vapply(cuts, function(cut) sum(ill & score >= cut) / sum(ill), 0))
  precision <- c(1, vapply(cuts, function(cut) mean(ill[score >= cut]), 0))
  area <- 0
  for (i in seq_along(cuts)) {
    area <- area + (recall[[i + 1]] - recall[[i]]) * (precision[[i]] + precision[[i + 1]]) / 2
  }
  expect_equal(value("pr_auc", matrix(score), y, event_level = "ill"), area)
  expect_equal(value("pr_auc", matrix(1 - score), y, event_level = "well"),
               value("pr_auc", matrix(1 - score), factor(!ill), event_level = "TRUE"))
})

# Functions as yardstick makes them.
of_yardstick <- function(name) {
  generic <- eval(call("function", as.pairlist(alist(data = , ... = )),
                       call("{", call("UseMethod", name))))
  structure(generic, class = c("numeric_metric", "metric", "function"), direction = "minimize")
}

test_that("functions and sets of yardstick are known by their names", {
  truth <- sin(1:40)
  predictions <- truth + matrix(cos(1:80), 40)
  by_name <- function(metric, ...) bbc_correct(predictions, truth, metric, seed = 1, ...)
  expect_identical(by_name(of_yardstick("rmse")), by_name("rmse"))
  set <- structure(function(data, ...) NULL, class = c("numeric_metric_set", "metric_set", "function"),
                   metrics = list(rmse = of_yardstick("rmse"), rsq = of_yardstick("rsq")))
  expect_identical(by_name("mae", secondary = set), by_name("mae", secondary = c("rmse", "rsq")))
  tweaked <- structure(function(...) 1, class = c("class_metric", "metric", "function"))
  expect_refused(by_name(tweaked), "a metric of yardstick with options is not taken")
  expect_identical(by_name(of_yardstick("ccc")), by_name("ccc"))
  expect_refused(by_name(of_yardstick("mpe")), "\"mpe\" is not taken: its best value is 0")
  skip_if_not_installed("yardstick")
  expect_identical(by_name(yardstick::rmse), by_name("rmse"))
  expect_identical(by_name(yardstick::metric_set(yardstick::rmse, yardstick::rsq)),
                   by_name(c("rmse", "rsq")))
  expect_equal(by_name(yardstick::rmse)$apparent,
               min(apply(predictions, 2, function(own) yardstick::rmse_vec(truth, own))))
})
