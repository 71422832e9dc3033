# Searches of xgboost and SuperLearner, and objects that know no predictions of a search.

#' Correct the choice among models of xgboost's or SuperLearner's cross-validation
#'
#' `xgb.cv(prediction = TRUE)` keeps the predictions of one configuration: a named list of such results,
#' one for each setting and all with the same `folds`, is a search (see [bbc_correct.list()]).
#' `SuperLearner()` keeps those of each of its learners, `Z`: the correction is for choosing the best
#' of them, the discrete super learner. Its weighted ensemble is chosen by a rule of its own, for which
#' `SuperLearner::CV.SuperLearner()` is made.
#'
#' Of SuperLearner's methods that minimise squared errors (`"method.NNLS"`, its default, `"method.NNLS2"`
#' and `"method.CC_LS"`) the `cvRisk` of each learner is computed again from `truth`, unless it has
#' `obsWeights`: rows in another order are refused, and `metric` is by default this one.
#'
#' Where `early_stopping_rounds` chose the number of rounds, the held-out rows were scored for that,
#' which no replicate repeats: a warning and a note say so.
#'
#' @param predictions What `xgboost::xgb.cv(prediction = TRUE)` or `SuperLearner::SuperLearner()`
#'   returned.
#' @param truth The outcome, in the order of the rows: neither keeps it. For two classes the
#'   predictions are those of the label 1, which must be the event; for more classes the labels 0, 1,
#'   ... of xgboost are its levels.
#' @param metric,event_level As in [bbc_correct()].
#' @param ... Other arguments of [bbc_correct()].
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examples
#' # As xgb.cv() returns it: predictions of all rows, and the rows of each fold.
#' set.seed(1)
#' truth <- rbinom(60, 1, 0.5)
#' folds <- split(1:60, rep(1:5, 12))
#' cross_validated <- function(sd) {
#'   structure(list(pred = plogis(truth + rnorm(60, sd = sd)), folds = folds, niter = 20),
#'             class = "xgb.cv.synchronous")
#' }
#' bbc_correct(list(deep = cross_validated(1), shallow = cross_validated(2)), truth, "roc_auc",
#'             n_threads = 2)
#' @name bbc_fitted_searches
NULL

#' @rdname bbc_fitted_searches
#' @export
bbc_correct.xgb.cv.synchronous <- function(predictions, truth, metric, event_level = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, ...)
}

#' @rdname bbc_fitted_searches
#' @export
bbc_correct.xgb.cv <- bbc_correct.xgb.cv.synchronous

#' @rdname bbc_fitted_searches
#' @export
bbc_correct.SuperLearner <- bbc_correct.xgb.cv.synchronous

reading.xgb.cv.synchronous <- function(predictions, truth, metric, estimate, folds, event_level,
                                        names) {
  fit <- predictions
  out <- if (is.null(fit$pred)) fit$cv_predict$pred else fit$pred
  if (is.null(out)) abort("`predictions`: xgb.cv() kept no predictions; use prediction = TRUE")
  refuse_unknown_truth(truth, "xgb.cv()", NROW(out))
  if (!identical(metric$predicts, "labels")) refuse_label_0(truth, event_level, "xgb.cv()")
  own <- if (is.null(folds)) folds_of_rows(fit$folds, NROW(out)) else folds
  array <- if (is.matrix(out) && ncol(out) > 1) array(out, c(nrow(out), 1, ncol(out)))
           else matrix(as.double(out))
  best <- if (is.null(fit$best_iteration)) fit$early_stop$best_iteration else fit$best_iteration
  list(
    predictions = array, truth = truth, folds = own, event_level = event_level, names = names,
    note = if (!is.null(best)) {
      paste("early stopping chose the number of rounds by the rows that are scored, which the",
            "correction does not repeat")
    }
  )
}

reading.xgb.cv <- reading.xgb.cv.synchronous

# The fold of each row, of the rows of each fold.
folds_of_rows <- function(folds, n_rows) {
  rows <- unlist(folds, use.names = FALSE)
  if (length(rows) != n_rows || anyDuplicated(rows)) {
    abort("`predictions`: its folds do not hold every row once, so some have no prediction")
  }
  rep(seq_along(folds), lengths(folds))[order(rows)]
}

reading.SuperLearner <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  fit <- predictions
  refuse_unknown_truth(truth, "SuperLearner()", nrow(fit$Z))
  if (!identical(metric$predicts, "labels")) refuse_label_0(truth, event_level, "SuperLearner()")
  labels <- as.character(fit$libraryNames)
  failed <- colSums(is.na(fit$Z)) > 0 | fit$errorsInCVLibrary %in% TRUE
  y <- super_outcome(fit, truth, event_level)
  squares <- if (!is.null(y)) function(event) colMeans((fit$Z[, !failed, drop = FALSE] - y)^2)
  metric <- if (!is.null(y)) bbc_metric(if (all(y %in% 0:1)) "brier_score" else "mean_squared_error")
  claim <- as_claim(
    "SuperLearner", list(as_said("cvRisk", data.frame(
      configuration = labels, value = as.double(fit$cvRisk)
    )[!failed, ], metric, squares, rises = FALSE)), "cvRisk", rule = if (is.null(y)) NA else "pooled",
    deploys = "discrete super learner",
    lost = if (any(failed)) data.frame(configuration = labels[failed], fold = "", reason = "")
  )
  list(claim = claim, read = function(...) NULL, given = function(event_level) list(
    predictions = fit$Z[, !failed, drop = FALSE], truth = truth, event_level = event_level,
    folds = if (is.null(folds)) folds_of_rows(fit$validRows, nrow(fit$Z)) else folds,
    names = if (is.null(names)) labels[!failed] else names, configurations = labels[!failed]
  ))
}

# The numbers of which cvRisk is the mean of the squared errors; NULL where it is another risk, or has
# weights, which are not kept, or the event is not known.
super_outcome <- function(fit, truth, event_level) {
  method <- if (is.null(fit$call$method)) "method.NNLS" else fit$call$method
  squares <- c("method.NNLS", "method.NNLS2", "method.CC_LS")
  if (is.null(fit$call) || !is.null(fit$call$obsWeights) || !is.character(method) ||
        !method %in% squares) return(NULL)
  if (is.numeric(truth) || is.logical(truth)) return(as.double(truth))
  event <- event_named(event_level, truth)
  if (!is.null(event)) as.double(as.character(truth) == event)
}

refuse_unknown_truth <- function(truth, by, n_rows) {
  if (is.null(truth)) abort("`truth` is needed: %s keeps no outcome", by)
  if (NROW(truth) != n_rows) {
    abort("`truth` has %s, the predictions %d", counted(NROW(truth), "row"), n_rows)
  }
}

# Their numbers are of the label 1, which a truth of other labels does not tell.
refuse_label_0 <- function(truth, event_level, by) {
  if (is.null(event_level) || !is.atomic(truth) || !all(truth %in% 0:1)) return(invisible())
  event <- as.character(event_named(event_level, truth))
  if (!event %in% c("0", "FALSE")) return(invisible())
  abort("`event_level` is \"%s\", but %s gives the probability of the label 1, which is the event \"%s\"",
        event, by, if (event == "0") "1" else "TRUE")
}

# Why other objects cannot be read, and what to do.
unread_objects <- c(
  gbm = paste("gbm keeps no predictions of held-out rows: `cv.fitted` is of one configuration, and out",
              "of bag improvements are no predictions; cross-validate the grid with bbc_tune()"),
  rfsrc = paste("predictions out of bag are of one forest each, whose trees hold out other rows than",
                "those of another: cross-validate the grid with bbc_tune()"),
  CVBooster = paste("lgb.cv() keeps no predictions: predict the rows of each of its `folds` by the",
                    "booster of that fold, and give the matrix of all settings"),
  lgb.CVBooster = paste("lgb.cv() keeps no predictions: predict the rows of each of its `folds` by the",
                        "booster of that fold, and give the matrix of all settings"),
  sbf = paste("it filters in each fold and chooses among nothing, so its resampled performance needs",
              "no correction"),
  confusionMatrix = "it has counts, and corrections need predictions of rows: give the train() object",
  CV.SuperLearner = "its outer folds estimate the super learner without selection on the same rows",
  "function" = "give the predictions themselves, a matrix with a column per configuration"
)

refuse_unread <- function(predictions) {
  found <- intersect(class(predictions), names(unread_objects))
  if (length(found)) {
    abort("`predictions`: an object of class %s is not taken: %s", found[[1]],
          unread_objects[[found[[1]]]])
  }
}
