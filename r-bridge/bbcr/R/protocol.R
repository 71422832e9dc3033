# What Python found, as R objects.
new_protocol <- function(protocol, raw, design, truth, metric, seed) {
  levels <- levels(truth)
  columns <- unlist(raw$predicted)
  predictions <- lapply(raw$predictions, function(values) {
    if (length(dim(values)) == 3) {
      values <- values[, , match(levels, raw$classes), drop = FALSE]
      dimnames(values) <- list(NULL, columns, levels)
    } else {
      colnames(values) <- columns
    }
    values
  })
  estimate <- estimate_of(raw$performance, metric, max(length(levels), 2))
  new_result(list(
    protocol = protocol, performance = estimate, winner = estimate$winner_name, model = raw$model,
    predictions = if (length(predictions) == 1) predictions[[1]] else predictions,
    truth = truth, folds = drop(raw$folds), configurations = configurations_of(raw),
    n_models_trained = raw$n_models_trained, learner = raw$learner,
    predict_function = raw$predict, formula = design$formula, terms = design$terms,
    columns = names(design$x), levels = design$levels, seed = seed
  ), "bbc_protocol")
}

estimate_of <- function(raw, metric, n_classes) {
  raw[] <- lapply(raw, function(value) if (is.list(value)) value else drop(value))
  counted_from_0 <- intersect(unlist(raw$indices), names(raw))
  raw[counted_from_0] <- lapply(raw[counted_from_0], function(at) if (!is.null(at)) as.integer(at) + 1L)
  raw$indices <- NULL
  raw$limits <- metric_limits(metric, n_classes)
  raw$metric <- metric$name
  raw$n_bootstraps <- length(raw$replicates)
  if (!is.null(raw$monte_carlo_error)) raw$monte_carlo_error <- named_errors(raw$monte_carlo_error)
  raw$event <- raw$pos_label
  raw$pos_label <- NULL
  raw$findings <- findings_of_python(raw$findings)
  low <- below_half_note(metric, raw, raw$apparent)
  for (note in low) warning(note, call. = FALSE)
  raw$notes <- c(as.character(raw$notes), low)
  interval <- raw$confidence_interval
  if (!is.null(interval)) {
    ends <- c(interval$low, interval$high)
    ends[is.infinite(ends)] <- raw$limits[is.infinite(ends)]
    raw$confidence_interval[c("low", "high")] <- as.list(ends)
  }
  new_result(raw, "bbc_estimate")
}

# The findings of Python, in R's words where R has the kind.
findings_of_python <- function(raw) {
  found <- data.frame(lapply(raw, function(column) as.character(unlist(column))))
  known <- found$code %in% names(texts()$findings)
  found$advice[known] <- vapply(texts()$findings[found$code[known]], `[[`, "", "advice")
  all_findings(found)
}

# One line per configuration; hyperparameters that a learner lacks are NA.
configurations_of <- function(raw) {
  parameters <- unique(unlist(lapply(raw$parameters, names)))
  columns <- lapply(stats::setNames(nm = parameters), function(name) {
    values <- lapply(raw$parameters, function(one) if (is.null(one[[name]])) NA else one[[name]])
    if (all(lengths(values) == 1) && all(vapply(values, is.atomic, NA))) unlist(values)
    else I(values)
  })
  table <- data.frame(name = raw$configurations, learner = raw$learners)
  table[parameters] <- columns
  if (length(raw$dropped)) table$dropped <- ifelse(raw$dropped < 0, NA, raw$dropped + 1L)
  table
}

#' Methods for fitted protocols
#'
#' Beside these, fitted protocols have the [methods of results][bbc_results], which are those of their
#' performance; `update()` runs the protocol again with other arguments (see [bbc_update]).
#'
#' @param object,x A result of [BBCD()] or another protocol.
#' @param newdata A data frame with the predictors.
#' @param type `"class"` or `"prob"` for classes; ignored for numbers.
#' @param ... Ignored.
#' @return `predict()`: a factor, a matrix of probabilities with a column per class, or numbers;
#'   `augment()`: `newdata` with the columns `.pred`, or `.pred_class` and `.pred_<class>`, a tibble
#'   if tibble is installed.
#' @examplesIf is.null(bbcr::bbc_python()$problem)
#' fit <- CVT(dist ~ speed, cars, bbc_learner("glm"), "mean_squared_error", seed = 1)
#' predict(fit, data.frame(speed = c(10, 20)))
#' @name bbc_protocol
NULL

#' @rdname bbc_protocol
#' @export
predict.bbc_protocol <- function(object, newdata, type = c("class", "prob"), ...) {
  type <- match.arg(type)
  given <- if (is.null(object$terms)) as.data.frame(newdata) else stats::model.frame(
    object$terms, newdata, na.action = stats::na.pass
  )
  lacking <- setdiff(object$columns, names(given))
  if (length(lacking)) abort("`newdata` has no column %s", lacking[[1]])
  given <- with_levels(given[object$columns], object$levels, "newdata")
  out <- object$predict_function(object$model, given)
  levels <- levels(object$truth)
  if (is.null(levels)) return(as.vector(out))
  if (is.factor(out) || is.character(out)) {
    if (type == "prob") abort("`type`: this learner predicts no probabilities")
    return(factor(out, levels))
  }
  out <- probabilities_of(out, levels)
  if (type == "prob") out else factor(levels[max.col(out, "first")], levels)
}

# A ready learner that gives one number per row means the second level; see by_class() of others.
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

draw.bbc_protocol <- function(x, ...) draw(x$performance, ...)

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
