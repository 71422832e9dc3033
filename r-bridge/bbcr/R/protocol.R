# A fitted protocol, wherever it ran; `winner` counts all configurations.
protocol_result <- function(asked, estimate, winner, predictions, folds, model, predict, n_models_trained,
                            dropped = NULL, outer = NULL) {
  table <- configuration_table(asked$learners)
  table$dropped <- dropped
  design <- asked$design
  new_result(list(
    protocol = asked$protocol, performance = estimate, winner = estimate$winner_name, model = model,
    predictions = if (length(predictions) == 1) predictions[[1]] else predictions,
    truth = asked$truth, folds = drop(folds), groups = asked$groups, configurations = table,
    n_models_trained = n_models_trained, learner = table$learner[[winner]],
    predict_function = predict, formula = design$formula, terms = design$terms,
    columns = names(design$x), levels = asked$levels, metric = asked$metric, seed = asked$seed,
    outer = outer, pooling = asked$pooling
  ), "bbc_protocol")
}

#' Methods for fitted protocols
#'
#' Beside these, fitted protocols have the [methods of results][bbc_results], which are those of their
#' performance; `update()` runs the protocol again with other arguments (see [bbc_update]).
#'
#' @param object,x What [bbc_tune()] returned.
#' @param newdata A data frame with the predictors.
#' @param type `"class"` or `"prob"` for classes; ignored for numbers.
#' @param ... Other arguments of [bbc_correct()]; the other methods take none.
#' @return `predict()`: a factor, a matrix of probabilities with a column per class, or numbers;
#'   `augment()`: `newdata` with the columns `.pred`, or `.pred_class` and `.pred_<class>`, a tibble
#'   if tibble is installed.
#' @examples
#' fit <- bbc_tune(dist ~ speed, cars, bbc_learner("glm"), "r2", cv = 5, seed = 1, n_threads = 2)
#' predict(fit, data.frame(speed = c(10, 20)))
#' bbc_score(bbc_correct(fit, seed = 1, n_threads = 2), "mean_absolute_error")
#' @name bbc_protocol
NULL

#' @rdname bbc_protocol
#' @export
predict.bbc_protocol <- function(object, newdata, type = c("class", "prob"), ...) {
  no_more_arguments(...)
  if (missing(newdata)) abort("`newdata` is missing: a data frame with the predictors")
  type <- match.arg(type)
  given <- if (is.null(object$terms)) as.data.frame(newdata) else stats::model.frame(
    object$terms, newdata, na.action = stats::na.pass
  )
  lacking <- setdiff(object$columns, names(given))
  if (length(lacking)) abort("`newdata` has no column %s", lacking[[1]])
  given <- with_levels(given[object$columns], object$levels, "newdata")
  out <- object$predict_function(object$model, given)
  levels <- levels(object$truth)
  if (is.null(levels)) return(as.double(unlist(out)))
  if (is.factor(out) || is.character(out)) {
    if (type == "prob") abort("`type`: this learner predicts no probabilities")
    return(factor(out, levels))
  }
  out <- probabilities_of(out, levels)
  if (type == "prob") out else factor(levels[max.col(out, "first")], levels)
}

# A ready learner that gives one number per row means the second level; see with_class_columns() of others.
probabilities_of <- function(out, levels) {
  if (NCOL(out) == 1) out <- cbind(1 - as.vector(out), as.vector(out))
  else out <- as.matrix(out)[, levels, drop = FALSE]
  dimnames(out) <- list(NULL, levels)
  out
}

show_result.bbc_protocol <- function(x) {
  cat(sprintf("%s of %s, %s trained\n", x$protocol,
              counted(nrow(x$configurations), "configuration"),
              counted(x$n_models_trained, "model")))
  print(x$performance)
}

#' @export
summary.bbc_protocol <- function(object, ...) summary(object$performance)

ends_of.bbc_protocol <- function(x, level) ends_of(x$performance, level)

frame_of.bbc_protocol <- function(x) {
  data.frame(protocol = x$protocol, frame_of(x$performance), n_models_trained = x$n_models_trained)
}

tidy_of.bbc_protocol <- function(x) tidy_of(x$performance)

glance_of.bbc_protocol <- function(x) {
  data.frame(protocol = x$protocol, glance_of(x$performance),
             n_models_trained = x$n_models_trained)
}

picture.bbc_protocol <- function(x, ...) picture(x$performance, ...)

#' @rdname bbc_protocol
#' @export
augment.bbc_protocol <- function(x, newdata, ...) {
  if (missing(newdata)) abort("`newdata` is missing: a data frame with the predictors")
  out <- as.data.frame(newdata)
  if (is.null(levels(x$truth))) {
    out$.pred <- predict.bbc_protocol(x, newdata)
    return(tidied(out))
  }
  out$.pred_class <- predict.bbc_protocol(x, newdata)
  shares <- tryCatch(predict.bbc_protocol(x, newdata, type = "prob"), bbc_error = function(e) NULL)
  for (level in colnames(shares)) out[[paste0(".pred_", level)]] <- shares[, level]
  tidied(out)
}
