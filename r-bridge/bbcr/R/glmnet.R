#' Correct a penalised regression tuned by glmnet
#'
#' Takes the prevalidated fits that `cv.glmnet(keep = TRUE)` keeps; each `lambda` is a
#' configuration, and of a relaxed fit (`relax = TRUE`) each `lambda` with each `gamma`. Nothing is
#' fitted again.
#'
#' glmnet keeps neither the outcome nor, often, the names of the rows. The measure of the fit is
#' therefore computed again from `truth`, and rows in another order are refused. (This is not
#' possible with `weights` and for the partial likelihood of Cox models.)
#'
#' The winner is the `lambda` that is best by `metric` on all rows. With `selection = "lambda.1se"`
#' it is the largest `lambda` (and with it the largest `gamma`) within one standard error of it, as
#' `lambda.1se` is. Where glmnet
#' chose another one by its own measure, a warning and a note say so.
#'
#' @param predictions What `glmnet::cv.glmnet(..., keep = TRUE)` returned, of family gaussian,
#'   binomial, multinomial, poisson or cox, or a family with one linear predictor. For metrics of
#'   classes and numbers its linear predictors are put on the scale of the response; for
#'   `"concordance_index"` they are the risks.
#' @param truth The outcome `y` of the fit, in the order of its rows; a factor or 0 and 1, for
#'   Cox models `survival::Surv()` or glmnet's matrix with the columns `time` and `status`.
#' @param metric,names As in [bbc_correct()].
#' @param event_level The event; by default the second class, as in glmnet.
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
  if (missing(metric)) abort_no_metric(if (!missing(truth)) truth)
  own <- if (identical(selection, "lambda.1se")) "1se"
         else if (identical(selection, "lambda.min") || identical(selection, "best")) "min"
  if (identical(own, "1se")) {
    selection <- bbc_one_standard_error(seq_len(nrow(glmnet_path(predictions))))
  }
  if (identical(own, "min")) selection <- "best"
  given <- unpacked(predictions, if (!missing(truth)) truth,
                    metric_read(metric, selection = selection, ...), NULL, folds, event_level, names)
  given["own"] <- list(if (!is.null(own)) glmnet_choice(predictions, own))
  correct_unpacked(given, metric, selection = selection, ...)
}

unpacked.cv.glmnet <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  model <- predictions
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  family <- glmnet_family(model)
  if (is.null(truth) && metric$target != "any") {
    abort("`truth` is needed: cv.glmnet() keeps no outcome; give the `y` that it was fitted to")
  }
  path <- glmnet_path(model)
  link <- glmnet_link(model, path)
  if (family == "coxnet") truth <- as_surv(truth)
  n_rows <- NROW(truth)
  if (n_rows != dim(link)[[1]]) {
    abort("`truth` has %s, the model %d", counted(n_rows, "row"), dim(link)[[1]])
  }
  rows <- rownames(link)
  refuse_other_order(list(predictions = if (!is.null(rows)) stats::setNames(seq_along(rows), rows),
                          truth = truth))
  response <- glmnet_response(model, link, family)
  check_glmnet_rows(model, path, truth, response, family)
  if (is.null(names)) names <- path$name
  if (family == "lognet" && is.null(event_level) && event_needed(metric, 2)) {
    event_level <- glmnet_classes(model)[[2]]
  }
  list(
    predictions = glmnet_predictions(model, response, family, metric, truth, event_level),
    truth = truth, folds = if (is.null(folds)) model$foldid else folds, event_level = event_level,
    names = names, row_names = rows, own = glmnet_choice(model, "min")
  )
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

glmnet_choice <- function(model, which) {
  path <- glmnet_path(model)
  index <- if (is_relaxed(model)) model$relaxed$index[which, ] else c(model$index[which, 1], 1)
  winner <- base::which(path$index == index[[1]] & path$part == index[[2]])
  list(winner = winner, name = path$name[[winner]],
       what = paste0("cv.glmnet's ", if (is_relaxed(model)) "relaxed ", "lambda.", which),
       how = model$name[[1]], rule = if (which == "min") "best" else "lambda.1se")
}

glmnet_classes <- function(model) as.character(model$glmnet.fit$classnames)

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

# What the metric reads.
glmnet_predictions <- function(model, response, family, metric, truth, event_level) {
  if (!family %in% c("lognet", "multnet")) return(response)
  classes <- glmnet_classes(model)
  if (family == "lognet" && length(dim(response)) == 2 && metric$predicts != "labels") {
    is_second <- is.null(event_level) || !identical(as.character(event_level), classes[[1]]) &&
      !identical(event_level, "first")
    return(if (is_second) response else 1 - response)
  }
  if (metric$predicts != "labels") return(response)
  best <- if (family == "lognet") 1L + (response > 0.5)
          else apply(response, 1:2, function(own) if (anyNA(own)) NA_integer_ else which.max(own))
  labels <- if (is.factor(truth) || is.character(truth)) classes
            else if (is.logical(truth)) as.logical(classes) else as.numeric(classes)
  matrix(labels[best], nrow(best))
}

# Refuses a truth from which the fit's own measure comes out otherwise: rows in another order, or
# another outcome.
check_glmnet_rows <- function(model, path, truth, response, family) {
  if (!is.null(model$call$weights) || !is.null(model$call$offset)) return(invisible())
  index <- glmnet_choice(model, "min")$winner
  at_best <- if (family == "multnet") response[, index, ] else response[, index]
  values <- glmnet_measure(model, truth, at_best, family)
  if (is.null(values) || anyNA(values)) return(invisible())
  expected <- path$cvm[[index]]
  if (abs(values - expected) <= 1e-6 * max(1, abs(expected))) return(invisible())
  abort(paste("`truth`: its %s at lambda.min is %s, but that of the fit is %s: these are other rows",
              "than those of the fit, or in another order"),
        model$name[[1]], number(values), number(expected))
}

# cv.glmnet's own measure on all rows; NULL where it cannot be told.
glmnet_measure <- function(model, truth, predicted, family) {
  measure <- base::names(model$name)
  if (family %in% c("lognet", "multnet")) {
    return(class_measure(measure, truth, predicted, glmnet_classes(model), model$foldid))
  }
  if (!family %in% c("elnet", "fishnet") || !is.numeric(truth)) return(NULL)
  truth <- as.vector(truth)
  deviance <- if (family == "elnet") (truth - predicted)^2 else {
    saturated <- ifelse(truth > 0, truth * log(truth), 0) - truth
    2 * (saturated - truth * log(predicted) + predicted)
  }
  switch(measure, mse = mean((truth - predicted)^2), mae = mean(abs(truth - predicted)),
         deviance = mean(deviance), NULL)
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
