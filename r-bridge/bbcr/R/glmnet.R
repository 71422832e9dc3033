#' Correct a penalised regression tuned by glmnet
#'
#' Takes the prevalidated fits that `cv.glmnet(keep = TRUE)` keeps; each `lambda` is a
#' configuration, and of a relaxed fit (`relax = TRUE`) each `lambda` with each `gamma`. Nothing is
#' fitted again.
#'
#' glmnet keeps neither the outcome nor, often, the names of the rows. The measure of the fit is
#' therefore computed again from `truth`, and rows in another order, or other classes, are refused.
#' (This is not possible with `weights` and for the partial likelihood of Cox models, whose
#' `type.measure = "C"` is checked.) Nor does glmnet keep `weights`: give them as `sample_weight`; a
#' warning and a note tell where they are missing.
#'
#' The winner is the `lambda` that is best by `metric` on all rows. With `selection = "lambda.1se"`
#' it is the largest `lambda` (and with it the largest `gamma`) within one standard error of it, as
#' `lambda.1se` is. Where glmnet chose another one by its own measure, the first line of the result and
#' finding BBC024 say what it deploys.
#'
#' @param predictions What `glmnet::cv.glmnet(..., keep = TRUE)` returned, of family gaussian,
#'   binomial, multinomial, poisson or cox, or a family with one linear predictor. For metrics of
#'   classes and numbers its linear predictors are put on the scale of the response; for
#'   `"concordance_index"` they are the risks.
#' @param truth The outcome `y` of the fit, in the order of its rows; a factor or 0 and 1, for
#'   Cox models `survival::Surv()` or glmnet's matrix with the columns `time` and `status`.
#' @param metric,names As in [bbc_correct()]; `metric` is by default the measure of the fit, where that
#'   is the mean squared or absolute error, the Poisson deviance or the misclassification error.
#' @param event_level The event; by default the second class, as in glmnet. `"first"` and `"second"`
#'   are levels of `truth`, as everywhere, whatever the order of glmnet's classes.
#' @param folds By default the fit's `foldid`.
#' @param selection `"best"` or `"lambda.min"`, `"lambda.1se"`, or another rule of [bbc_correct()].
#' @param ... Other arguments of [bbc_correct()].
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examplesIf requireNamespace("glmnet", quietly = TRUE)
#' set.seed(1)
#' x <- matrix(rnorm(100 * 20), 100)
#' y <- x[, 1] + rnorm(100)
#' fit <- glmnet::cv.glmnet(x, y, keep = TRUE)
#' bbc_correct(fit, y, "mean_squared_error", n_threads = 2)
#' @export
bbc_correct.cv.glmnet <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                  names = NULL, selection = "best", ...) {
  if (missing(metric)) {
    refuse_other_measure(predictions)
    metric <- metric_of_tool(predictions, if (!missing(truth)) truth)
  }
  own <- if (identical(selection, "lambda.1se")) "1se"
         else if (identical(selection, "lambda.min") || identical(selection, "best")) "min"
  if (identical(own, "1se")) {
    selection <- bbc_one_standard_error(seq_len(nrow(glmnet_path(predictions))))
  }
  if (identical(own, "min")) selection <- "best"
  given <- unpacked(predictions, if (!missing(truth)) truth,
                    metric_read(metric, selection = selection, ...), NULL, folds, event_level, names)
  if (identical(own, "1se")) {
    given$claim$chosen <- glmnet_place(predictions, "1se")$name
    given$claim$deploys <- glmnet_deploys(predictions, "1se")
  }
  if (identical(own, "min")) correct_unpacked(given, metric, ...)
  else correct_unpacked(given, metric, selection = selection, ...)
}

# Refuses to do without `metric` where glmnet's measure is a multiple of ours, or another mean, and says which.
refuse_other_measure <- function(model) {
  near <- c(
    lognet.auc = '"roc_auc" with pooling = "fold" (glmnet weighs folds by their rows)',
    lognet.deviance = '"log_loss" (half of it)', multnet.deviance = '"log_loss" (half of it)',
    lognet.mse = '"brier_score" (half of it)', elnet.deviance = '"mean_squared_error"',
    coxnet.C = '"concordance_index" with pooling = "fold" (glmnet weighs folds by their rows)'
  )
  ours <- near[paste(setdiff(class(model$glmnet.fit), "relaxed")[[1]], base::names(model$name), sep = ".")]
  if (is.na(ours)) return(invisible())
  abort("`metric` is missing: cv.glmnet chose by %s, which is here %s: give that as `metric`",
        model$name[[1]], ours)
}

reading.cv.glmnet <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  model <- predictions
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  family <- glmnet_family(model)
  if (is.null(truth) && !identical(metric$target, "any")) {
    abort("`truth` is needed: cv.glmnet() keeps no outcome; give the `y` that it was fitted to")
  }
  path <- glmnet_path(model)
  link <- glmnet_link(model, path)
  if (family == "coxnet") truth <- as_surv(truth) else refuse_columns(truth)
  truth <- plain_values(truth, "truth")
  classes <- glmnet_classes(model, family, truth)
  n_rows <- NROW(truth)
  if (n_rows != dim(link)[[1]]) {
    abort("`truth` has %s, the model %d", counted(n_rows, "row"), dim(link)[[1]])
  }
  rows <- rownames(link)
  refuse_other_order(list(predictions = if (!is.null(rows)) stats::setNames(seq_along(rows), rows),
                          truth = truth))
  response <- glmnet_response(model, link, family)
  given <- function(event_level) {
    event_level <- event_named(event_level, truth)
    if (length(classes) == 2 && is.null(event_level) && event_needed(metric, 2)) {
      event_level <- classes[[2]]
    }
    list(
      predictions = glmnet_predictions(response, classes, metric, truth, event_level),
      truth = truth, folds = if (is.null(folds)) model$foldid else folds,
      event_level = event_level, names = if (is.null(names)) path$name else names,
      configurations = path$name, row_names = rows,
      pooling = if (family == "coxnet") "auto",
      unweighted = if (!is.null(model$call$weights)) {
        "cv.glmnet() was given `weights`, which it does not keep: give them as `sample_weight`"
      }
    )
  }
  list(claim = glmnet_claim(model, path, family, truth, response, classes), given = given,
       read = function(...) NULL)
}

# What glmnet says: its measure at each lambda, computed from the outcome that is given, and lambda.min.
glmnet_claim <- function(model, path, family, truth, response, classes) {
  measure <- base::names(model$name)
  exact <- c(elnet.mse = "mean_squared_error", elnet.mae = "mean_absolute_error",
             lognet.class = "zero_one_loss", multnet.class = "zero_one_loss",
             fishnet.deviance = "poisson_deviance")
  metric <- exact[paste(family, measure, sep = ".")]
  compute <- function(event) {
    vapply(seq_len(nrow(path)), function(index) {
      at <- if (family == "multnet") response[, index, ] else response[, index]
      value <- if (anyNA(at)) NULL else glmnet_measure(model, truth, at, family, classes)
      if (is.null(value)) NA_real_ else value
    }, 0)
  }
  said <- as_said(
    model$name[[1]], data.frame(configuration = path$name, value = path$cvm),
    if (!is.na(metric)) bbc_metric(metric), compute, rises = measure %in% c("auc", "C"),
    unchecked = if (!is.null(model$call$weights)) "glmnet does not keep `weights`"
  )
  as_claim("cv.glmnet", list(said), said$called, if (is.na(metric)) NA else "pooled",
           glmnet_place(model, "min")$name, deploys = glmnet_deploys(model, "min"))
}

glmnet_deploys <- function(model, which) {
  paste0("cv.glmnet() fit, as ", if (is_relaxed(model)) "relaxed ", "lambda.", which, ",")
}

glmnet_family <- function(model) {
  if (is.null(model$fit.preval)) {
    abort("`predictions`: the fit kept no predictions; use cv.glmnet(keep = TRUE)")
  }
  family <- setdiff(class(model$glmnet.fit), "relaxed")[[1]]
  if (!family %in% c("elnet", "lognet", "multnet", "fishnet", "coxnet", "glmnetfit")) {
    abort("`predictions`: a fit of several outcomes (%s) is not taken", family)
  }
  family
}

is_relaxed <- function(model) inherits(model, "cv.relaxed")

# The configurations, the simplest first, as glmnet prefers them: where each is among the kept fits
# (`part`, of a gamma, and `column`) and among the lambdas that were scored (`index`).
glmnet_path <- function(model) {
  scored <- if (is_relaxed(model)) model$relaxed$statlist else list(model[c("lambda", "cvm")])
  path <- do.call(rbind, lapply(seq_along(scored), function(part) {
    own <- scored[[part]]
    data.frame(lambda = own$lambda, cvm = own$cvm, part = part, index = seq_along(own$lambda),
               column = match(own$lambda, model$glmnet.fit$lambda))
  }))
  path <- path[order(-path$lambda, -path$part), ]
  path$name <- paste0("lambda=", parameter_text(path$lambda))
  if (is_relaxed(model)) {
    path$name <- paste0(path$name, ", gamma=", parameter_text(model$relaxed$gamma)[path$part])
  }
  path
}

# The kept linear predictors of the configurations, on the last axis.
glmnet_link <- function(model, path) {
  parts <- if (is_relaxed(model)) model$fit.preval else list(model$fit.preval)
  simplify2array(Map(function(part, column) {
    if (length(dim(parts[[part]])) == 3) parts[[part]][, , column] else parts[[part]][, column]
  }, path$part, path$column))
}

# The configuration of lambda.min or lambda.1se.
glmnet_place <- function(model, which) {
  path <- glmnet_path(model)
  index <- if (is_relaxed(model)) model$relaxed$index[which, ] else c(model$index[which, 1], 1)
  path[path$index == index[[1]] & path$part == index[[2]], ]
}

# The classes in the order of the fit's probabilities; NULL if it is of numbers. A family object keeps
# none: its event is the second level of the outcome, as in glm().
glmnet_classes <- function(model, family, truth) {
  if (family %in% c("lognet", "multnet")) return(as.character(model$glmnet.fit$classnames))
  of_two <- family == "glmnetfit" && grepl("binomial$", model$glmnet.fit$family$family)
  classes <- if (of_two && is.null(dim(truth))) as.character(classes_of(truth))
  if (length(classes) == 2) classes
}

# glmnet's older form of times and events.
as_surv <- function(truth) {
  if (inherits(truth, "Surv") || !all(c("time", "status") %in% colnames(truth))) return(truth)
  structure(as.matrix(truth)[, c("time", "status")], class = "Surv", type = "right")
}

# Predictions on the scale of the response; of classes as an array (row, configuration, class).
glmnet_response <- function(model, link, family) {
  if (family == "multnet") {
    link <- aperm(link, c(1, 3, 2))
    odds <- exp(link - as.vector(apply(link, 1:2, max)))
    return(odds / as.vector(rowSums(odds, dims = 2)))
  }
  out <- switch(family,
    lognet = stats::plogis(link), fishnet = exp(link),
    glmnetfit = model$glmnet.fit$family$linkinv(link), link
  )
  matrix(as.vector(out), nrow(link))
}

# What the metric reads. Probabilities of two classes, a matrix, are those of the second.
glmnet_predictions <- function(response, classes, metric, truth, event_level) {
  if (is.null(classes)) return(response)
  by_class <- length(dim(response)) == 3
  if (metric$predicts != "labels") {
    if (by_class) return(`dimnames<-`(response, list(dimnames(response)[[1]], NULL, classes)))
    return(if (identical(as.character(event_level), classes[[1]])) 1 - response else response)
  }
  best <- if (!by_class) 1L + (response > 0.5)
          else apply(response, 1:2, function(own) if (anyNA(own)) NA_integer_ else which.max(own))
  labels <- if (is.factor(truth) || is.character(truth)) classes
            else if (is.logical(truth)) as.logical(classes) else as.numeric(classes)
  matrix(labels[best], nrow(best))
}

# cv.glmnet's own measure on all rows; NULL where it cannot be told.
glmnet_measure <- function(model, truth, predicted, family, classes) {
  measure <- base::names(model$name)
  if (family %in% c("lognet", "multnet")) {
    return(class_measure(measure, truth, predicted, classes, model$foldid))
  }
  if (family == "coxnet") {
    return(if (measure == "C") mean_concordance(truth, predicted, model$foldid))
  }
  y <- if (is.numeric(truth)) as.vector(truth)
       else if (length(classes) == 2) as.double(as.character(truth) == classes[[2]])
  if (is.null(y)) return(NULL)
  deviance <- function() switch(family,
    elnet = (y - predicted)^2,
    fishnet = {
      saturated <- ifelse(y > 0, y * log(y), 0) - y
      2 * (saturated - y * log(predicted) + predicted)
    },
    glmnetfit = model$glmnet.fit$family$dev.resids(y, predicted, rep(1, length(y)))
  )
  switch(measure, mse = mean((y - predicted)^2), mae = mean(abs(y - predicted)),
         deviance = mean(deviance()), NULL)
}

# The folds' concordance, weighted by their rows.
mean_concordance <- function(truth, risk, foldid) {
  metric <- bbc_metric("concordance_index")
  problem <- make_problem(matrix(risk), truth, list(metric = metric, method = "tt"), foldid)
  scores <- fold_scores(problem, metric, 1L)[1, , 1]
  known <- !is.nan(scores)
  stats::weighted.mean(scores[known], tabulate(problem$folds[, 1] + 1L)[known])
}

class_measure <- function(measure, truth, predicted, classes, foldid) {
  if (!is.null(dim(truth))) return(NULL)
  own <- match(as.character(truth), classes)
  if (anyNA(own)) {
    abort("`truth` has the class %s, the fit has %s", truth[is.na(own)][[1]], shown(classes))
  }
  by_class <- if (is.null(dim(predicted))) cbind(1 - predicted, predicted) else predicted
  indicator <- diag(length(classes))[own, , drop = FALSE]
  switch(measure,
    mse = mean(rowSums((indicator - by_class)^2)), mae = mean(rowSums(abs(indicator - by_class))),
    deviance = -2 * mean(log(pmin(pmax(rowSums(indicator * by_class), 1e-5), 1 - 1e-5))),
    class = mean(max.col(by_class, "first") != own),
    auc = stats::weighted.mean(vapply(split(seq_along(own), foldid), function(rows) {
      rank_auc(own[rows] == 2, predicted[rows])
    }, 0), tabulate(foldid)),
    NULL
  )
}

rank_auc <- function(event, score) {
  n <- c(sum(event), sum(!event))
  (sum(rank(score)[event]) - n[[1]] * (n[[1]] + 1) / 2) / n[[1]] / n[[2]]
}
