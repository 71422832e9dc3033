# Models of parsnip and workflows as learners. Their methods are reached by generics of the packages
# generics and stats.

is_tidymodel <- function(fit) inherits(fit, c("model_spec", "workflow"))

# The functions of a learner, and the arguments marked tune() that its hyper-parameters stand for.
tidymodel_learner <- function(model) {
  flow <- inherits(model, "workflow")
  spec <- if (flow) model$fit$actions$model$spec else model
  if (is.null(spec)) abort("`fit`: the workflow has no model, see workflows::add_model()")
  if (!spec$mode %in% c("classification", "regression")) {
    abort("`fit`: the mode of the model must be classification or regression, not %s", spec$mode)
  }
  of_spec <- c(marked(spec$args), marked(spec$eng_args))
  of_steps <- lapply(model$pre$actions$recipe$recipe$steps, marked)
  list(
    fit = if (flow) {
      fit_workflow(model, workflow_outcome(model), of_spec, of_steps, standing_alone(with_values),
                   standing_alone(check_outcome))
    } else {
      fit_spec(model, of_spec, standing_alone(with_values))
    },
    predict = predict_tidymodel(if (flow) "workflows" else "parsnip"),
    marked = unique(unname(c(of_spec, unlist(of_steps)))), called = class(spec)[[1]],
    model = c(class(spec), in_text(model))
  )
}

# The column of the outcome, which the workflow's data must have.
workflow_outcome <- function(flow) {
  actions <- flow$pre$actions
  if (!is.null(actions$case_weights)) abort("`fit`: case weights of a workflow are not taken")
  if (length(flow$post$actions)) abort("`fit`: a workflow that changes predictions is not taken")
  if (!is.null(actions$recipe)) return(recipe_outcome(actions$recipe$recipe, "fit"))
  found <- if (!is.null(actions$formula)) {
    formula <- actions$formula$formula
    if (length(formula) == 3) formula[[2]]
  } else if (!is.null(actions$variables)) {
    unclass(actions$variables$variables$outcomes)[[2]]
  } else {
    abort("`fit`: the workflow has no recipe, formula or variables")
  }
  if (!is.name(found) && !is.character(found)) {
    abort("`fit`: the outcome of the workflow must be one column as it is, not %s",
          if (is.null(found)) "none" else deparse1(found))
  }
  as.character(found)
}

# The model with values in the place of tune().
with_values <- function(spec, marked, values) {
  if (length(marked) == 0) return(spec)
  do.call(stats::update, c(list(spec), stats::setNames(values[marked], names(marked))))
}

fit_spec <- function(spec, marked, with_values, package = "parsnip") {
  standing_alone(function(x, y, ...) {
    loadNamespace(package)
    x$.outcome <- y
    generics::fit(with_values(spec, marked, list(...)), .outcome ~ ., data = x)
  })
}

fit_workflow <- function(flow, outcome, of_spec, of_steps, with_values, check_outcome,
                         package = "workflows") {
  standing_alone(function(x, y, ...) {
    loadNamespace(package)
    values <- list(...)
    if (outcome %in% names(x)) {
      stop("the workflow's outcome ", outcome, " is among the predictors", call. = FALSE)
    }
    x[[outcome]] <- y
    flow$fit$actions$model$spec <- with_values(flow$fit$actions$model$spec, of_spec, values)
    for (i in seq_along(of_steps)) {
      marked <- of_steps[[i]]
      for (name in names(marked)) {
        flow$pre$actions$recipe$recipe$steps[[i]][name] <- values[marked[[name]]]
      }
    }
    fitted <- generics::fit(flow, x)
    check_outcome(fitted$pre$mold$outcomes[[1]], y, "workflow")
    fitted
  })
}

# Probabilities where the engine has them, labels otherwise, or numbers.
predict_tidymodel <- function(package) {
  standing_alone(function(model, newx) {
    loadNamespace(package)
    spec <- if (inherits(model, "workflow")) model$fit$fit$spec else model$spec
    if (spec$mode == "regression") return(stats::predict(model, newx)$.pred)
    shares <- tryCatch(stats::predict(model, newx, type = "prob"), error = function(e) NULL)
    if (is.null(shares)) return(stats::predict(model, newx, type = "class")$.pred_class)
    names(shares) <- sub("^[.]pred_", "", names(shares))
    as.matrix(shares)
  })
}
