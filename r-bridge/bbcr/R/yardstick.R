# What yardstick has beyond the kernel's table.

# Metrics of all rows of a sample, by yardstick's definitions: variances divide by n - 1.
yardstick_functions <- local({
  rmse <- function(truth, prediction) sqrt(mean((truth - prediction)^2))
  list(
    ccc = list(limits = c(-1, 1), score = function(truth, prediction) {
      2 * stats::cov(truth, prediction) /
        (stats::var(truth) + stats::var(prediction) + (mean(truth) - mean(prediction))^2)
    }),
    rpd = list(limits = c(0, Inf), score = function(truth, prediction) {
      stats::sd(truth) / rmse(truth, prediction)
    }),
    rpiq = list(limits = c(0, Inf), score = function(truth, prediction) {
      stats::IQR(truth) / rmse(truth, prediction)
    }),
    rmse_relative = list(greater = FALSE, limits = c(0, Inf), score = function(truth, prediction) {
      rmse(truth, prediction) / diff(range(truth))
    }),
    poisson_log_loss = list(greater = FALSE, limits = c(0, Inf), score = function(truth, prediction) {
      -mean(stats::dpois(truth, prediction, log = TRUE))
    }),
    pr_auc = list(predicts = "probability", limits = c(0, 1), score = function(truth, prediction) {
      order <- order(-prediction, method = "radix")
      right <- cumsum((truth == levels(truth)[[2]])[order])
      # Rows with equal predictions are called together, and the curve begins at a precision of 1.
      last <- which(!duplicated(prediction[order], fromLast = TRUE))
      recall <- c(0, right[last] / right[[length(right)]])
      precision <- c(1, right[last] / last)
      n <- length(recall)
      sum(diff(recall) * (precision[-1] + precision[-n]) / 2)
    }),
    detection_prevalence = list(
      predicts = "labels", limits = c(0, 1), score = function(truth, prediction) {
        mean(prediction == levels(truth)[[2]])
      }
    )
  )
})

# Such a metric; NULL if there is none of this name.
yardstick_function <- function(name) {
  own <- yardstick_functions[[name]]
  if (is.null(own)) return(NULL)
  predicts <- if (is.null(own$predicts)) "value" else own$predicts
  metric <- bbc_custom_metric(own$score, name, !isFALSE(own$greater), predicts, own$limits)
  if (predicts == "labels") metric$target <- "binary" # of two classes one is the event
  metric
}

# Why the others are not here, and what to do instead.
yardstick_reasons <- c(
  mpe = "its best value is 0, between bad ones, so it cannot select: mape_percent",
  msd = "its best value is 0, between bad ones, so it cannot select: mean_absolute_error",
  mase = paste("mean_absolute_error, divided by the error of the naive forecast: divide estimate and",
               "limits by it"),
  iic = paste("it depends on which rows have positive errors, and is undefined in samples where all",
              "have the same sign: squared_pearson"),
  gain_capture = "of two classes it is 2 roc_auc - 1: roc_auc",
  miss_rate = "1 - sensitivity: sensitivity",
  fall_out = "1 - specificity: specificity",
  classification_cost = paste("it needs your costs: give the cost of each row as predictions, and",
                              "metric \"row_loss\""),
  weighted_interval_score = paste("it needs several quantiles per row: pinball_loss for each, or the",
                                  "score of each row as predictions, and metric \"row_loss\""),
  brier_survival = paste("yardstick weighs rows by a model of censoring per training set, and bbcr by",
                         "Kaplan-Meier on all rows: bbc_metric(\"survival_brier_score\", time = ...)"),
  brier_survival_integrated = paste("yardstick weighs rows by a model of censoring per training set,",
    "and bbcr by Kaplan-Meier on all rows: bbc_metric(\"integrated_brier_score\", times = ...)"),
  roc_auc_survival = paste("yardstick weighs rows by a model of censoring per training set, and bbcr",
    "by Kaplan-Meier on all rows: bbc_metric(\"cumulative_dynamic_auc\", time = ...)"),
  royston_survival = paste("it assumes normal risks and is fitted by a Cox model in each sample:",
                           "concordance_index or uno_concordance"),
  demographic_parity = "it compares groups: bbc_subgroups()",
  equal_opportunity = "it compares groups: bbc_subgroups()",
  equalized_odds = "it compares groups: bbc_subgroups()",
  roc_curve = "a curve: bbc_roc_curve()",
  pr_curve = "a curve: bbc_precision_recall_curve()",
  gain_curve = "a curve: bbc_roc_curve()",
  lift_curve = "a curve: bbc_roc_curve()",
  roc_curve_survival = "a curve: bbc_metric(\"cumulative_dynamic_auc\", time = ...) at your times",
  conf_mat = "a table: accuracy, kappa and others are computed from it"
)
