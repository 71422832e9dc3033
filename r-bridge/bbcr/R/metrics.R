# One line of the table of metrics.
metric_row <- function(name, target, predicts, kernel = name, average = "binary",
                       family = "additive", sign = 1, target_range = "(-Inf, Inf)",
                       prediction_range = "(-Inf, Inf)", censoring = "") {
  data.frame(
    name = name, family = family, target = target, predicts = predicts, kernel = kernel,
    average = average, beta = 1, alpha = 0.5, sign = sign, target_range = target_range,
    prediction_range = prediction_range, censoring = censoring
  )
}

averaged_rows <- function(name, kernel) {
  averages <- c("macro", "micro", "weighted")
  rbind(
    metric_row(name, "binary", "labels", kernel),
    metric_row(paste0(name, "_", averages), "classes", "labels", kernel, averages)
  )
}

# Made once, when the package is built.
metric_table <- local({
  class_ranking <- function(name, kernel = name, average = "macro") {
    metric_row(name, "classes", "class_scores", kernel, average, family = "ranking")
  }
  by_prevalence <- c("macro", "weighted")
  positive <- c("(-1, Inf)", "[0, Inf)", "(0, Inf)")
  logs <- c("mean_squared_log_error", "root_mean_squared_log_error")
  table <- rbind(
    metric_row(c("accuracy", "balanced_accuracy"), "classes", "labels"),
    averaged_rows("precision", "precision"),
    averaged_rows("recall", "recall"),
    averaged_rows("f1", "f_beta"),
    averaged_rows("f_beta", "f_beta"),
    averaged_rows("jaccard", "jaccard"),
    metric_row("sensitivity", "binary", "labels", "recall"),
    metric_row("specificity", "binary", "labels"),
    metric_row(c("mcc", "matthews_corrcoef"), "classes", "labels", "mcc"),
    metric_row("kappa", "classes", "labels"),
    metric_row(c("r2", "explained_variance", "squared_pearson"), "real", "value"),
    metric_row("spearman", "real", "value", family = "ranking"),
    metric_row(c("roc_auc", "average_precision"), "binary", "score", family = "ranking"),
    class_ranking(c("roc_auc_ovr", "roc_auc_ovr_weighted"), "roc_auc_ovr", by_prevalence),
    class_ranking(c("roc_auc_ovo", "roc_auc_ovo_weighted"), "roc_auc_ovo", by_prevalence),
    class_ranking("roc_auc_ovo_pairs"),
    metric_row(c("concordance_index", "uno_concordance"), "survival", "risk", "concordance_index",
               family = "ranking", censoring = c("", "uno")),
    metric_row(c("zero_one_loss", "ordinal_mean_absolute_error"), "classes", "labels"),
    metric_row("euclidean_distance_to_corner", "binary", "labels", "distance_to_corner"),
    metric_row(c("log_loss", "brier_score", "ranked_probability_score"), "classes",
               "class_probabilities"),
    metric_row("binomial_deviance", "binary", "probability"),
    metric_row(
      c("mean_squared_error", "root_mean_squared_error", "mean_absolute_error",
        "mean_absolute_percentage_error", "pinball_loss"),
      "real", "value"
    ),
    metric_row(logs, "real", "value", target_range = positive[[1]],
               prediction_range = positive[[1]]),
    metric_row("poisson_deviance", "real", "value", target_range = positive[[2]],
               prediction_range = positive[[3]]),
    metric_row("gamma_deviance", "real", "value", target_range = positive[[3]],
               prediction_range = positive[[3]]),
    metric_row(c("row_loss", "row_score"), "any", "losses")
  )
  negated <- c(
    "log_loss", "brier_score", "mean_squared_error", "root_mean_squared_error",
    "mean_absolute_error", "mean_absolute_percentage_error", logs, "poisson_deviance", "gamma_deviance"
  )
  losses <- table[match(negated, table$name), ]
  losses$name <- sub("_(poisson|gamma)_", "_mean_\\1_", paste0("neg_", losses$name))
  losses$sign <- -1
  table <- rbind(table, losses)
  rownames(table) <- NULL
  table
})

# Metrics that have no meaning without their times.
timed_metrics <- rbind(
  metric_row("cumulative_dynamic_auc", "survival", "risk", "concordance_index",
             family = "ranking", censoring = "dynamic_auc"),
  metric_row(c("survival_brier_score", "integrated_brier_score"), "survival", "survival",
             "row_loss", prediction_range = "[0, 1]", censoring = "brier")
)

#' Metrics that have a name
#'
#' @return `bbc_metrics()`: a data frame with one line per metric: its `name`, its `family`
#'   ("additive" metrics are functions of sums over rows, "ranking" metrics of the order of the
#'   scores), `greater_is_better`, and what `truth` (`target`) and predictions (`predicts`) must
#'   be. `row_loss` and `row_score` take predictions that are losses or scores per row already.
#' @seealso [bbc_metric()] for metrics with parameters.
#' @examples
#' metrics <- bbc_metrics()
#' metrics[metrics$target == "survival", ]
#' @export
bbc_metrics <- function() {
  table <- metric_table
  table$greater_is_better <- vapply(table$name, function(name) {
    bbc_metric(name)$greater_is_better
  }, NA)
  table <- table[order(table$name, method = "radix"), ]
  rownames(table) <- NULL
  table[c("name", "family", "greater_is_better", "target", "predicts")]
}

#' A metric by name, with its parameters
#'
#' @param name A name of [bbc_metrics()], or one of yardstick's whose value is the same: `rmse`, `mse`,
#'   `mae`, `rsq` (the squared correlation), `rsq_trad`, `mn_log_loss`, `ranked_prob_score`, `kap`,
#'   `sens`, `spec`, `ppv`, `f_meas`, `roc_dist`, `roc_aunu`, `roc_aunp`, `concordance_survival`, and
#'   of two classes `bal_accuracy` and `brier_class`; or yardstick's function itself, such as
#'   `yardstick::rmse`.
#' @param beta Weight of recall in `f_beta`.
#' @param alpha Quantile of `pinball_loss`.
#' @param tau Of `uno_concordance`: only events before this time count; all do by default.
#' @param time Time of `cumulative_dynamic_auc` and `survival_brier_score`.
#' @param times Ascending times of `integrated_brier_score`.
#' @details
#' `uno_concordance` is Harrell's index without its dependence on the censoring (Uno et al. 2011),
#' `cumulative_dynamic_auc` the area under the ROC curve of an event by a stated time (Hung and
#' Chiang 2010); both take risks. `survival_brier_score` and `integrated_brier_score` (Graf et al.
#' 1999) take probabilities of surviving the time, in a matrix, or each of the times, in an array
#' (row, configuration, time). Rows are weighted for censoring, by Kaplan-Meier on all rows.
#' @return A metric that [bbc_correct()] takes in place of a name.
#' @examples
#' bbc_metric("f_beta", beta = 2)
#' bbc_metric("survival_brier_score", time = 365)
#' bbc_metric("rmse")
#' @export
bbc_metric <- function(name, beta = NULL, alpha = NULL, tau = NULL, time = NULL, times = NULL) {
  if (inherits(name, "bbc_metric")) return(name)
  name <- metric_name(name)
  known <- bbc_name(name)
  table <- rbind(metric_table, timed_metrics)
  metric <- lapply(table, `[`, match(known, table$name))
  if (is.null(known)) {
    close <- close_metrics(name)
    offer <- if (length(close)) sprintf("; did you mean %s?", paste(close, collapse = " or ")) else ""
    abort("`metric`: unknown name \"%s\"%s (bbc_metrics() lists all)", name, offer)
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
  if (name %in% of_two_classes) metric$of_two_classes <- name
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

# Names of yardstick whose values are the same.
yardstick_names <- c(
  rmse = "root_mean_squared_error", mse = "mean_squared_error", mae = "mean_absolute_error",
  rsq = "squared_pearson", rsq_trad = "r2", mn_log_loss = "log_loss",
  brier_class = "brier_score", ranked_prob_score = "ranked_probability_score", kap = "kappa",
  bal_accuracy = "balanced_accuracy", sens = "sensitivity", spec = "specificity",
  ppv = "precision", f_meas = "f1", roc_dist = "euclidean_distance_to_corner",
  roc_aunu = "roc_auc_ovr", roc_aunp = "roc_auc_ovr_weighted",
  concordance_survival = "concordance_index"
)

# Those that yardstick averages in another way if there are more classes.
of_two_classes <- c("bal_accuracy", "brier_class")

# The name in the table of metrics; NULL if there is none.
bbc_name <- function(name) {
  if (name %in% c(metric_table$name, timed_metrics$name)) return(name)
  if (name %in% names(yardstick_names)) yardstick_names[[name]]
}

# What yardstick, caret, mlr3 and others call metrics that are in the table; the same as in Python.
other_names <- list(
  rmse = "root_mean_squared_error", mse = "mean_squared_error", mae = "mean_absolute_error",
  mape = "mean_absolute_percentage_error", rmsle = "root_mean_squared_log_error",
  msle = "mean_squared_log_error", rsq = c("r2", "squared_pearson"),
  rsquared = c("r2", "squared_pearson"), rsq_trad = "r2", srho = "spearman", rho = "spearman",
  pinball = "pinball_loss", auc = "roc_auc", auroc = "roc_auc", roc = "roc_auc",
  prauc = "average_precision", pr_auc = "average_precision", auprc = "average_precision",
  ap = "average_precision", logloss = "log_loss", mn_log_loss = "log_loss",
  cross_entropy = "log_loss", brier = "brier_score", brier_class = "brier_score",
  bbrier = "brier_score", mbrier = "brier_score", rps = "ranked_probability_score",
  ranked_prob_score = "ranked_probability_score", acc = "accuracy", ce = "zero_one_loss",
  error_rate = "zero_one_loss", misclassification = "zero_one_loss", bacc = "balanced_accuracy",
  bal_accuracy = "balanced_accuracy", kap = "kappa", cohen_kappa = "kappa", phi = "mcc",
  sens = "sensitivity", tpr = "sensitivity", spec = "specificity", tnr = "specificity",
  ppv = "precision", f_meas = c("f1", "f_beta"), fbeta = "f_beta", f1_score = "f1",
  cindex = "concordance_index", c_index = "concordance_index",
  concordance_survival = "concordance_index", uno = "uno_concordance", uno_c = "uno_concordance",
  concordance_index_ipcw = "uno_concordance"
)

# At most three names of the table that an unknown one may stand for: what others call so, else
# those at the least relative distance, if that is small.
close_metrics <- function(name) {
  plain <- sub("^(classif|regr|surv)[.]", "", lower(name))
  if (plain %in% metric_table$name) return(plain)
  if (!is.null(other_names[[plain]])) return(other_names[[plain]])
  close_names(plain, metric_table$name)
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

# Smallest and largest possible value, which may depend on the number of classes.
metric_limits <- function(metric, n_classes) {
  if (!is.null(metric$score)) return(c(metric$lowest, metric$highest))
  if (metric$censoring == "brier") return(c(0, Inf)) # of losses that are computed beforehand
  checked(kernel_limits(metric, as.double(n_classes)))
}
