# What the kernel knows of every name, asked for once.
kernel_facts <- function() {
  if (is.null(loaded$facts)) loaded$facts <- as.data.frame(checked(kernel_metric_table()))
  loaded$facts
}

# What it knows of a metric's computation.
computation_facts <- function(metric) {
  facts <- kernel_facts()
  own <- facts$kernel == metric$kernel
  same <- own & facts$average == metric$average
  facts[which(if (any(same)) same else own)[[1]], ]
}

# What the kernel is told of metrics, one line for each.
facts_of_calls <- function(lines) {
  facts <- kernel_facts()[lines, c(
    "name", "family", "target", "predicts", "kernel", "average", "beta", "alpha", "sign",
    "target_range", "prediction_range", "censoring"
  )]
  rownames(facts) <- NULL
  facts
}

metric_table <- function() facts_of_calls(!needs_times())

# Metrics that have no meaning without their times.
timed_metrics <- function() facts_of_calls(needs_times())
needs_times <- function() kernel_facts()$parameters %in% c("time", "times")

# A function of R's as a line of the table.
custom_row <- function(name, target, predicts) {
  row <- metric_table()[match("row_loss", metric_table()$name), ]
  row[c("name", "family", "target", "predicts")] <- list(name, "callable", target, predicts)
  row
}

#' Metrics that have a name
#'
#' @param ... No arguments.
#' @return `bbc_metrics()`: a data frame with one line per metric: its `name`, its `family`
#'   ("additive" metrics are functions of sums over rows, "ranking" metrics of the order of the
#'   scores), `greater_is_better`, and what `truth` (`target`) and predictions (`predicts`) must
#'   be. `row_loss` and `row_score` take predictions that are losses or scores per row already.
#' @seealso [bbc_metric()] for metrics with parameters.
#' @examples
#' metrics <- bbc_metrics()
#' metrics[metrics$target == "survival", ]
#' @export
bbc_metrics <- function(...) {
  no_more_arguments(...)
  table <- kernel_facts()[!needs_times(), ]
  table <- table[order(table$name, method = "radix"), ]
  rownames(table) <- NULL
  table[c("name", "family", "greater_is_better", "target", "predicts")]
}

#' A metric by name, with its parameters
#'
#' @param name A name of [bbc_metrics()], or one of yardstick's, see below; or yardstick's function
#'   itself, such as `yardstick::rmse`.
#' @param beta Weight of recall in `f_beta`.
#' @param alpha Quantile of `pinball_loss`.
#' @param tau Of `uno_concordance`: only events before this time count; all do by default.
#' @param time Time of `cumulative_dynamic_auc` and `survival_brier_score`.
#' @param times Ascending times of `integrated_brier_score`.
#' @param threshold Of `net_benefit`: the risk above which one would treat, between 0 and 1.
#' @param ... No other arguments.
#' @details
#' `uno_concordance` is Harrell's index without its dependence on the censoring (Uno et al. 2011),
#' `cumulative_dynamic_auc` the area under the ROC curve of an event by a stated time (Hung and
#' Chiang 2010); both take risks. `survival_brier_score` and `integrated_brier_score` (Graf et al.
#' 1999) take probabilities of surviving the time, in a matrix, or each of the times, in an array
#' (row, configuration, time). Rows are weighted for censoring, by Kaplan-Meier on all rows.
#'
#' `net_benefit` takes labels of two classes: true positives less false positives, per row, where a
#' false positive weighs as the odds of `threshold` (Vickers and Elkin 2006). The labels may come from
#' another cut-off, such as the one that [bbc_best_threshold()] chooses; [bbc_decision_curve()] cuts
#' risks at the thresholds themselves. It is not in the table of [bbc_metrics()].
#'
#' @section Names of yardstick:
#' These have the same value as in yardstick, with its default options:
#' * numbers: `rmse`, `mse`, `mae`, `rsq` (the squared correlation), `rsq_trad`, `mape`, `smape` (both
#'   in per cent), `huber_loss`, `huber_loss_pseudo` (with `delta = 1`: for another, divide truth and
#'   predictions by it, and multiply the loss by its square), `ccc`, `rpd`, `rpiq`, `rmse_relative`, `poisson_log_loss`;
#' * classes: `kap`, `sens`, `spec`, `ppv`, `npv`, `f_meas`, `j_index`, `roc_dist`,
#'   `detection_prevalence`, and of two classes `bal_accuracy`;
#' * probabilities: `mn_log_loss`, `ranked_prob_score`, `roc_aunu`, `roc_aunp`, `pr_auc` (of two
#'   classes; its curve is interpolated linearly, which `average_precision` is not), and of two
#'   classes `brier_class`;
#' * times: `concordance_survival`.
#'
#' `ccc`, `rpd`, `rpiq`, `rmse_relative`, `poisson_log_loss`, `pr_auc` and `detection_prevalence` are
#' functions of R, with the limits of a [bbc_custom_metric()]. Where a truth is 0, `mape` is large
#' instead of infinite, and `smape` is 0 if the prediction is 0 as well.
#' All other metrics of yardstick are refused with the reason and what to use instead: `mpe` and
#' `msd`, whose best value is 0, cannot select, for example; `brier_survival`,
#' `brier_survival_integrated` and `roc_auc_survival` weigh rows for censoring otherwise.
#'
#' @section Names of other packages:
#' Those of caret, MLmetrics, ModelMetrics, pROC, mlr3, glmnet, xgboost and scikit-learn's functions are
#' answered with the name of the same definition here, or with why there is none. Some definitions differ
#' though names are alike; the event is the first level in caret and MLmetrics, so give `event_level`.
#'
#' | elsewhere | here |
#' |---|---|
#' | caret's `Rsquared` and yardstick's `rsq` | `squared_pearson`, a squared correlation |
#' | MLmetrics' `R2_Score`, mlr3's `regr.rsq` | `r2` |
#' | `ROC` of caret's `twoClassSummary()`, pROC's `auc()`, `classif.auc` | `roc_auc` |
#' | `AUC` of caret's `multiClassSummary()`, `classif.mauc_aunu` | `roc_auc_ovr` |
#' | pROC's `multiclass.roc()` of class probabilities, `classif.mauc_au1u` | `roc_auc_ovo` |
#' | `AUC` of caret's `prSummary()`, `prAUC`, `classif.prauc`, `aucpr` | none: the curve is interpolated otherwise than in `pr_auc` and `average_precision` |
#' | caret's `F`, MLmetrics' `F1_Score` | `f1` |
#' | caret's `Mean_F1`, `Mean_Recall`, `Mean_Precision` | `f1_macro`, `recall_macro`, `precision_macro` |
#' | `classif.ce`, glmnet's `class`, xgboost's `error` | `zero_one_loss` |
#' | glmnet's `deviance` of classes | twice `log_loss` |
#' | MLmetrics' and xgboost's `MAPE`, `regr.mape` | `mean_absolute_percentage_error`; yardstick's `mape` is per cent |
#' | `Gini` of two classes | `2 * roc_auc - 1` |
#' @return A metric that [bbc_correct()] takes in place of a name.
#' @examples
#' bbc_metric("f_beta", beta = 2)
#' bbc_metric("survival_brier_score", time = 365)
#' bbc_metric("rmse")
#' bbc_metric("net_benefit", threshold = 0.2)
#' @export
bbc_metric <- function(name, beta = NULL, alpha = NULL, tau = NULL, time = NULL, times = NULL,
                       threshold = NULL, ...) {
  no_more_arguments(...)
  if (inherits(name, "bbc_metric")) return(name)
  name <- metric_name(name)
  if (name == "net_benefit") return(net_benefit(threshold))
  if (!is.null(threshold)) {
    abort("metric \"%s\" has no parameter `threshold`; bbc_per_1000(fit, threshold) counts calls at a cut-off", name)
  }
  known <- bbc_name(name)
  if (is.null(known) && !is.null(of_yardstick <- yardstick_function(name))) return(of_yardstick)
  table <- rbind(metric_table(), timed_metrics())
  metric <- lapply(table, `[`, match(known, table$name))
  if (is.null(known)) {
    reason <- reason_elsewhere(name)
    if (!is.null(reason)) abort("`metric`: \"%s\" is not taken: %s", name, reason)
    close <- close_metrics(name)
    abort("`metric`: unknown name \"%s\"%s (bbc_metrics() lists all)", name, offered(close))
  }
  given <- list(beta = beta, alpha = alpha)
  takes <- c(beta = metric$kernel == "f_beta", alpha = metric$kernel == "pinball_loss")
  for (parameter in names(given)) {
    value <- given[[parameter]]
    if (is.null(value)) next
    if (!takes[[parameter]]) abort("metric \"%s\" has no parameter `%s`", name, parameter)
    if (!is.numeric(value) || length(value) != 1 || !is.finite(value) || value < 0) {
      abort("`%s` must be a number of at least 0", parameter)
    }
    metric[[parameter]] <- as.double(value)
    # Not format(), which depends on options().
    metric$name <- sprintf("%s(%s=%s)", metric$name, parameter, deparse(metric[[parameter]]))
  }
  metric <- with_times(metric, list(tau = tau, time = time, times = times))
  if (name %in% kernel_facts()$yardstick_of_two) metric$of_two_classes <- name
  structure(c(metric, checked(kernel_metric(metric))), class = "bbc_metric")
}

# The net benefit of calls, whatever cut-off made them: the kernel gets what each call gains.
net_benefit <- function(threshold) {
  if (is.null(threshold)) {
    abort("metric \"net_benefit\" needs `threshold`: bbc_metric(\"net_benefit\", threshold = ...)")
  }
  if (!is.numeric(threshold) || length(threshold) != 1 || is.na(threshold) || threshold <= 0 ||
        threshold >= 1) {
    abort("`threshold` must be a number between 0 and 1")
  }
  threshold <- as.double(threshold)
  metric <- as.list(metric_table()[match("row_score", metric_table()$name), ])
  metric[c("target", "predicts")] <- c("binary", "labels")
  metric$name <- sprintf("net_benefit(threshold=%s)", deparse(threshold))
  metric$odds <- threshold / (1 - threshold)
  structure(c(metric, checked(kernel_metric(metric))), class = "bbc_metric")
}

# The metric with the times that it needs, refusing those that it does not take.
with_times <- function(metric, given) {
  takes <- switch(metric$censoring, uno = "tau", dynamic_auc = "time",
                  brier = if (metric$name == "integrated_brier_score") "times" else "time", "")
  for (parameter in names(Filter(Negate(is.null), given))) {
    if (parameter != takes) abort("metric \"%s\" has no parameter `%s`", metric$name, parameter)
  }
  if (!nzchar(takes)) return(metric)
  value <- given[[takes]]
  if (is.null(value)) {
    if (takes != "tau") {
      abort("metric \"%s\" needs `%s`: bbc_metric(\"%s\", %s = ...)", metric$name, takes,
            metric$name, takes)
    }
    metric$times <- Inf
    return(metric)
  }
  metric$times <- times_of(value, takes)
  metric$name <- sprintf("%s(%s=%s)", metric$name, takes, deparse1(metric$times))
  metric
}

# Names of yardstick whose values are the same, the last ones for two classes only.
yardstick_names <- function() {
  facts <- kernel_facts()
  names <- c(facts$yardstick, facts$yardstick_of_two)
  stats::setNames(c(facts$name, facts$name), names)[nzchar(names)]
}

# The name in the table of metrics; NULL if there is none.
bbc_name <- function(name) {
  if (name %in% kernel_facts()$name) return(name)
  if (name %in% names(yardstick_names())) yardstick_names()[[name]]
}

# What yardstick, caret, mlr3 and others call metrics that are in the table; the same as in Python.
other_names <- function() {
  others <- strsplit(kernel_facts()$others, " ")
  split(rep(kernel_facts()$name, lengths(others)), unlist(others))
}

# At most three names of the table that an unknown one may stand for: what others call so, else
# those at the least relative distance, if that is small.
close_metrics <- function(name) {
  plain <- sub("^surv[.]", "", plain_name(name))
  if (plain %in% metric_table()$name) return(plain)
  if (plain %in% names(same_elsewhere)) return(same_elsewhere[[plain]])
  others <- other_names()[[plain]]
  # Only mlr3's regr.rsq is R2: elsewhere "rsq" and "Rsquared" are the squared correlation.
  if (!startsWith(lower(name), "regr.") && "squared_pearson" %in% others) return("squared_pearson")
  if (!is.null(others)) return(others)
  close_names(plain, metric_table()$name)
}

# At most three of the names that differ little from another one.
close_names <- function(name, known) {
  if (length(known) == 0) return(character())
  distance <- drop(utils::adist(name, known)) / pmax(nchar(name), nchar(known))
  close <- order(distance)
  utils::head(known[close[distance[close] < 0.4]], 3)
}

metric_name <- function(metric) {
  if (inherits(metric, "bbc_metric")) return(metric$name)
  if (is.function(metric) && inherits(metric, "metric")) return(yardstick_name(metric))
  if (!is.character(metric) || length(metric) != 1 || is.na(metric) || !nzchar(metric)) {
    abort("`metric` must be one name, see bbc_metrics()")
  }
  metric
}

# What a metric of yardstick is called: the name of its generic. Those with options set have none.
yardstick_name <- function(metric) {
  code <- paste(deparse(body(metric)), collapse = " ")
  if (!grepl("UseMethod(", code, fixed = TRUE)) {
    abort("`metric`: a metric of yardstick with options is not taken; use bbc_metric()")
  }
  sub('.*UseMethod[(]"([^"]+)".*', "\\1", code)
}

#' @export
print.bbc_metric <- function(x, ...) {
  cat(sprintf("<metric %s: %s is better; truth: %s; predictions: %s>\n", x$name,
              if (x$greater_is_better) "higher" else "lower", x$target, x$predicts))
  invisible(x)
}

is_unknown <- function(limits) all(is.infinite(limits))

# Smallest and largest possible value, which may depend on the number of classes.
metric_limits <- function(metric, n_classes) {
  if (!is.null(metric$score)) return(c(metric$lowest, metric$highest))
  if (!is.null(metric$odds)) return(c(-metric$odds, 1))
  if (metric$censoring == "brier") return(c(0, Inf)) # of losses that are computed beforehand
  checked(kernel_limits(metric, as.double(n_classes)))
}
