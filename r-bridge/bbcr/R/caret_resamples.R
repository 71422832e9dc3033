#' Correct the choice among models compared by caret's `resamples()`
#'
#' `caret::resamples()` keeps the scores of each model's chosen configuration in each fold. The
#' correction is for choosing among the models only, not for the tuning of each of them, and a note
#' says so: [bbc_correct()] of the list of the models corrects both.
#'
#' @param predictions What `caret::resamples()` returned, of models trained by `"cv"` or `"repeatedcv"`.
#' @param truth Not given: scores need none.
#' @param metric A metric that `predictions` holds, by caret's name (`"ROC"`) or that of [bbc_metrics()]
#'   (`"roc_auc"`).
#' @param greater_is_better,names As in [bbc_correct()].
#' @param ... Other arguments of [bbc_correct()] that scores of folds take, see [bbc_fold_scores].
#' @return A `bbc_estimate` with method `"bbc-f"`.
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' folds <- caret::createFolds(cars$dist, 5, returnTrain = TRUE)
#' control <- caret::trainControl("cv", index = folds)
#' models <- list(line = caret::train(dist ~ speed, cars, "lm", trControl = control),
#'                near = caret::train(dist ~ speed, cars, "knn", trControl = control))
#' bbc_correct(caret::resamples(models), metric = "rmse", seed = 1, n_threads = 2)
#' @export
bbc_correct.resamples <- function(predictions, truth, metric, greater_is_better = NULL, names = NULL,
                                  ...) {
  if (missing(metric)) abort_no_metric(if (!missing(truth)) truth)
  if (!missing(truth)) refuse_of_rows(list(truth = truth))
  found <- strsplit(base::names(predictions$values)[-1], "~", fixed = TRUE)
  columns <- data.frame(model = vapply(found, `[[`, "", 1), metric = vapply(found, `[[`, "", 2))
  wanted <- resamples_metric(metric, unique(columns$metric))
  models <- columns$model[columns$metric == wanted]
  scores <- as.matrix(predictions$values[paste(models, wanted, sep = "~")])
  labels <- as.character(predictions$values$Resample)
  repeats <- sub("^.*?([.]Rep[0-9]+)?$", "\\1", labels, perl = TRUE)
  if (!all(grepl("^Fold[0-9]+([.]Rep[0-9]+)?$", labels))) refuse_shared_resamples(labels)
  known <- caret_metric(wanted)
  e <- correct_scores(
    lapply(unique(repeats), function(own) unname(scores[repeats == own, , drop = FALSE])),
    if (is.null(known)) wanted else known, greater_is_better = greater_is_better,
    names = if (is.null(names)) models else names, ...
  )
  e$notes <- c(e$notes, paste("the choice among models is corrected, not the tuning of each of",
                              "them: for that give bbc_correct() the list of the models"))
  e
}

# The column's metric that is meant.
resamples_metric <- function(metric, there) {
  name <- metric_name(metric)
  if (name %in% there) return(name)
  place <- which(vapply(there, function(own) identical(caret_metric(own), bbc_name(name)), NA))
  if (length(place) == 0) abort("`predictions` has no metric \"%s\" (it has %s)", name, shown(there))
  there[[place[[1]]]]
}

# What caret's metrics are called here; NULL if they are not of the table.
caret_metric <- function(name) {
  if (name %in% names(caret_metrics)) caret_metrics[[name]] else bbc_name(name)
}

caret_metrics <- c(
  Accuracy = "accuracy", Kappa = "kappa", ROC = "roc_auc", Sens = "sensitivity", Spec = "specificity",
  logLoss = "log_loss", RMSE = "root_mean_squared_error", MAE = "mean_absolute_error",
  Rsquared = "squared_pearson"
)

reading.resamples <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  abort("`predictions`: resamples() keeps scores of folds only: give the list of the models")
}
