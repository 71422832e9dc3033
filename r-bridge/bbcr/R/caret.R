#' Correct a tuned caret model
#'
#' Takes the held-out predictions that `caret::train()` kept. Nothing is trained again. The
#' configurations are the lines of `model$results`.
#'
#' What caret chose is corrected: `finalModel`, the best mean of its own metric over resamples, or the
#' simplest within one standard error (`selectionFunction = "oneSE"`). Replicates choose so, and score the
#' winner on all rows together. A rule that they cannot repeat, such as `"tolerance"`, is refused: give
#' `selection`. Another `metric`, `pooling` or `selection` asks for another choice. Where that is another
#' configuration than `finalModel`, the first line of the result and finding BBC024 say what caret deploys,
#' with its score and how often replicates chose it.
#'
#' All scores that caret recorded are computed again from the predictions, those whose metric is not of
#' [bbc_metrics()] by the model's own summary function, and the result says which (`checked_scores`) and
#' which were not. Where one comes out otherwise, as of an edited table, that is an error;
#' with `options(bbcr.check = "note")` it is a warning and finding BBC022. Fits without predictions and
#' scores that are missing are finding BBC026.
#'
#' Give the model itself: `model$pred`, `model$results` and `model$resample` are parts of it, and refused.
#'
#' Folds of one's own are given by `index` of `trainControl()`, which holds the rows to *train* on:
#' `caret::createFolds(y, 10, returnTrain = TRUE)`. Held-out rows in its place, as `createFolds(y, 10)`
#' gives them, train each model on one fold and are refused.
#'
#' Folds of `caret::groupKFold()` keep groups together, which caret does not keep: give `groups =`, so that
#' replicates draw groups as well.
#'
#' `"adaptive_cv"` dropped configurations on the way; with `missing = "rungs"` each fold is scored only
#' by those that it still had.
#'
#' A model that kept no predictions, but scores of all folds (`returnResamp = "all"`), is corrected from these,
#' by draws of folds: see [bbc_fold_scores].
#'
#' What `caret::rfe()` returned, made with `rfeControl(method = "cv", saveDetails = TRUE)` or
#' `"repeatedcv"`, is a search among numbers of variables; those of each number are chosen in each fold.
#'
#' @param predictions What `caret::train()` returned, made with `trainControl(method = "cv")` (or
#'   `"repeatedcv"`, `"LOOCV"`, `"timeslice"` whose slices test no row twice, or `"adaptive_cv"` with
#'   `missing = "rungs"`),
#'   `savePredictions = "all"` and, for metrics that read probabilities, `classProbs = TRUE`.
#' @param truth Not given: the model knows it.
#' @param metric,folds,names As in [bbc_correct()]; by default what the model says, which is the metric
#'   that it was tuned for.
#' @param event_level The event; the first level by default, as in caret.
#' @param ... Other arguments of [bbc_correct()]. With `selection = bbc_best_threshold()` the
#'   probabilities of the event are read, not the classes.
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' set.seed(1)
#' control <- caret::trainControl("cv", 5, savePredictions = "all", classProbs = TRUE)
#' two <- droplevels(iris[iris$Species != "setosa", ])
#' model <- caret::train(Species ~ Sepal.Width, two, "knn", trControl = control,
#'                       tuneGrid = data.frame(k = c(1, 3, 5, 7, 9)))
#' bbc_correct(model, metric = "roc_auc", n_threads = 2)
#' @export
bbc_correct.train <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                              names = NULL, ...) {
  if (keeps_scores_only(predictions)) {
    refuse_of_rows(list(event_level = event_level, folds = folds))
    return(correct_train_scores(predictions, metric, names = names, ...))
  }
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

#' @rdname bbc_correct.train
#' @export
bbc_correct.rfe <- bbc_correct.train

reading.train <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  if (!is.null(truth)) abort("`truth` is known by a caret model: leave it out")
  if (!is.null(estimate)) abort("`estimate` is known for a caret model: leave it out")
  check_train(predictions)
  list(
    claim = train_claim(predictions),
    given = function(event_level) read_train(predictions, metric, folds, event_level, names),
    read = function(metric, event_level) read_train(predictions, metric, NULL, event_level, NULL)
  )
}

read_train <- function(predictions, metric, folds, event_level, names) {
  table <- plain_columns(predictions$pred)
  # Where a fit of numbers failed, caret keeps the others as text.
  if (is.numeric(table$obs) && is.character(table$pred)) table$pred <- as.double(table$pred)
  order <- match(train_configurations(predictions, table),
                 train_configurations(predictions, predictions$results))
  table <- table[order(order), ]
  classes <- if (is.factor(table$obs)) levels(table$obs)
  if (is.null(event_level) && length(classes) == 2 && event_needed(metric, 2)) {
    event_level <- "first"
  }
  event_level <- event_named(event_level, table$obs)
  cells <- train_cells(predictions, table)
  long <- unfolded(table[caret_columns(table, metric, classes, event_level)],
                   c(list(row = table$rowIndex), cells))
  of_lines(
    long, folds, names,
    predictions = in_time_order(long$predictions, train_time_ordered(predictions)),
    truth = long$per_row(table$obs, "obs"), event_level = event_level,
    row_names = train_row_names(predictions, long$rows), from_table = c("predictions", "truth"),
    hyperparameters = table[match(long$configurations, cells$configuration),
                            base::names(predictions$bestTune), drop = FALSE],
    dynamic_search = is_adaptive(predictions), dropped_only = is_adaptive(predictions),
    unweighted = if (length(unique(table$weights)) > 1) {
      "train() was given `weights`, which caret's scores leave out: `sample_weight` takes them"
    }
  )
}

reading.rfe <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  fit <- predictions
  if (!fit$control$method %in% c("cv", "repeatedcv")) {
    abort(paste("`predictions`: resampling \"%s\" of rfe() does not keep a prediction of every row;",
                "use rfeControl(method = \"cv\") or \"repeatedcv\""), fit$control$method)
  }
  if (is.null(fit$pred)) {
    abort("`predictions`: rfe() kept no predictions; use rfeControl(saveDetails = TRUE)")
  }
  # As train() would have kept the same search.
  control <- fit$control
  control[c("savePredictions", "summaryFunction")] <- list("all", control$functions$summary)
  control$selectionFunction <- if (identical(control$functions$selectSize, caret::pickSizeBest)) {
    "best"
  } else {
    "its selectSize"
  }
  as_trained <- list(control = control, pred = fit$pred, results = fit$results, metric = fit$metric,
                     resample = fit$resample, bestTune = data.frame(Variables = fit$optsize))
  found <- reading.train(as_trained, truth, metric, estimate, folds, event_level, names)
  found$claim$deploys <- "rfe() fit"
  found
}

# What caret says: the scores of its summary function, by fold if it kept these of all configurations,
# and finalModel. Of its own functions most metrics are known; others the function computes again.
train_claim <- function(model) {
  of_caret <- environmentName(environment(model$control$summaryFunction)) == "caret"
  table <- if (is.data.frame(model$results)) model$results
  by_fold <- identical(model$control$returnResamp, "all") && is.data.frame(model$resample)
  if (by_fold) table <- model$resample
  known <- base::names(caret_metrics)
  cells <- if (!is.null(table)) train_cells(model, table)
  recorded <- recorded_scores(model, table)
  again <- summarizer(model, if (by_fold) cells else cells["configuration"])
  said <- lapply(c(intersect(known, recorded), setdiff(recorded, known)), function(called) {
    own <- data.frame(configuration = cells$configuration, value = as.double(table[[called]]))
    if (by_fold) own[c("fold", "rep")] <- cells[c("fold", "rep")]
    metric <- if (of_caret && called %in% known) bbc_metric(caret_metric(called))
    chose <- called == model$metric && !is.null(model$maximize)
    as_said(called, own, metric, compute = if (is.null(metric)) function(event) again(called),
            rises = if (chose) model$maximize else metric$greater_is_better)
  })
  rule <- model$control$selectionFunction
  sorted <- model$modelInfo$sort
  ordered <- identical(rule, "oneSE") && is.function(sorted)
  as_claim(
    "caret", said, model$metric, if (model$control$method == "LOOCV") "pooled" else "fold",
    chosen = train_configurations(model, model$bestTune),
    chosen_by = if (!is.character(rule)) "a function" else if (ordered) "one-se" else rule,
    simplest = if (ordered) train_configurations(model, sorted(model$results)),
    deploys = "caret model"
  )
}

# The columns of scores: neither hyper-parameters nor standard deviations.
recorded_scores <- function(model, table) {
  columns <- setdiff(names(table), c(names(model$bestTune), "Resample"))
  columns <- columns[vapply(columns, function(name) is.numeric(table[[name]]), NA)]
  columns[!(endsWith(columns, "SD") & sub("SD$", "", columns) %in% columns)]
}

# The configurations of a table of the model, such as "k=5".
train_configurations <- function(model, table) {
  parameters <- names(model$bestTune)
  do.call(paste, c(Map(function(name, value) {
    paste0(name, "=", parameter_text(value, model$results[[name]]))
  }, parameters, table[parameters]), sep = ", "))
}

# The names of the training rows; NULL if the data had none.
train_row_names <- function(model, rows) {
  data <- model$trainingData
  if (is.data.frame(data)) row_names_of(data)[rows]
}

# Configuration, fold and repeat of each line, of resamples such as "Fold3.Rep1".
train_cells <- function(model, table) {
  resample <- if (!is.null(table$Resample)) as.character(table$Resample)
  list(configuration = train_configurations(model, table),
       fold = if (!is.null(resample)) sub("[.]Rep[0-9]+$", "", resample),
       rep = if (!is.null(resample)) sub("^.*?([.]Rep[0-9]+)?$", "\\1", resample, perl = TRUE))
}

check_train <- function(model) {
  check_resampling(model, "predictions", adaptive = TRUE)
  check_index(model$control)
  if (is.null(model$pred) || !identical(as.character(model$control$savePredictions), "all")) {
    abort(paste("`predictions`: the model kept no predictions of all configurations; train it with",
                "trainControl(savePredictions = \"all\"), or returnResamp = \"all\" for scores of folds"))
  }
}

# createFolds() gives held-out rows, unless told otherwise: as `index` each model is trained on one fold.
check_index <- function(control) {
  index <- control$index
  if (!control$method %in% c("cv", "repeatedcv", "adaptive_cv") || length(index) < 3) return(invisible())
  rows <- unlist(index)
  if (anyDuplicated(rows)) return(invisible())
  abort(paste("`predictions`: `index` of trainControl() holds training rows, but here each row is in one",
              "fold of it, so every model was trained on one fold: use createFolds(returnTrain = TRUE),",
              "or pass held-out rows as `indexOut` beside it"))
}

caret_columns <- function(table, metric, classes, event_level) {
  wanted <- if (reads_classes(metric)) classes_read(classes, metric, event_level) else "pred"
  if (!all(wanted %in% names(table))) {
    abort(paste("`predictions`: metric \"%s\" reads class probabilities; use",
                "trainControl(classProbs = TRUE), or for rfe() `functions` whose `pred` gives them"),
          metric$name)
  }
  if (length(wanted)) wanted else "pred"
}

train_time_ordered <- function(model) {
  is_time_ordered(model$control$index, model$control$indexOut)
}

check_resampling <- function(model, name, adaptive = FALSE) {
  method <- model$control$method
  if (method %in% c("cv", "repeatedcv", "LOOCV", "timeslice") || (adaptive && is_adaptive(model))) {
    return(invisible())
  }
  why <- if (is_adaptive(model)) "stops configurations early"
         else "does not predict every row exactly once per repeat"
  abort(paste("`%s`: resampling \"%s\" %s; use trainControl(\"cv\") or",
              "trainControl(\"repeatedcv\")"), name, method, why)
}

# Whether folds were used one after the other, with fewer and fewer configurations.
is_adaptive <- function(model) identical(model$control$method, "adaptive_cv")
