#' A learner, with the hyper-parameters that compete
#'
#' Every combination of the hyper-parameters is one configuration of [bbc_tune()].
#'
#' @param fit The name of a ready learner (`"glm"`, `"coxph"`, `"glmnet"`, `"ranger"`,
#'   `"randomForest"`, `"svm"`, or `"caret"` with caret's `method`), or a function `(x, y, ...)` that
#'   returns a model: `x` is a data frame with the predictors as they were given, `y` a factor, numbers or a
#'   `survival::Surv`, and `...` the hyper-parameters. `"coxph"`, `"glmnet"` and `"ranger"` take a
#'   `Surv`. Or a model of parsnip, or a workflow, whose outcome is then a column of that name and
#'   whose preprocessing is trained in each fold; the outcome itself must stay as it is.
#' @param ... Hyper-parameters by name: vectors or lists of the values to try. A name that `fit` or
#'   the package's own function does not take is refused here. Of parsnip's models and workflows these
#'   are the arguments marked `tune()`, all of them.
#' @param predict A function `(model, newx)` that returns labels, numbers, or a matrix of class
#'   probabilities with the classes as column names. For two classes one number per row is the
#'   probability of the event, which `event_level` then has to name for every metric, or of the class
#'   whose name its column has. For a `Surv` it
#'   returns risks, higher where the event comes earlier. Ready learners have their own.
#' @param grid A data frame with a row per configuration, such as caret's `tuneGrid`, in place of
#'   `...`.
#' @return An object of class `bbc_learner`.
#' @examples
#' bbc_learner("ranger", mtry = c(2, 4), min.node.size = c(1, 10))
#' bbc_learner(
#'   function(x, y, degree) lm(y ~ poly(speed, degree), cbind(x, y = y)),
#'   degree = 1:3,
#'   predict = function(model, newx) predict(model, newx)
#' )
#' bbc_learner("caret", grid = data.frame(method = "knn", k = c(1, 5, 9)))
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' forest <- parsnip::rand_forest("regression", engine = "ranger", mtry = parsnip::tune())
#' bbc_learner(forest, mtry = 1:3)
#' @export
bbc_learner <- function(fit, ..., predict = NULL, grid = NULL) {
  values <- list(...)
  named <- length(values) == 0 || (!is.null(names(values)) && all(nzchar(names(values))))
  if (!named) abort("every hyper-parameter needs a name, as in bbc_learner(\"ranger\", mtry = 2)")
  if (!is.null(grid)) {
    if (length(values)) abort("`grid` has the hyper-parameters: leave out `%s`", names(values)[[1]])
    if (!is.data.frame(grid)) abort("`grid` must be a data frame, not %s", first_class(grid))
    if (nrow(grid) == 0) abort("`grid` has no rows")
    values <- as.list(grid)
  }
  reserved <- intersect(names(values), c("x", "y", "data", "task", "random_state"))
  if (length(reserved)) abort("`%s` cannot be the name of a hyper-parameter", reserved[[1]])
  empty <- lengths(values) == 0
  if (any(empty)) abort("`%s` has no values to try", names(values)[empty][[1]])
  values <- lapply(values, function(column) as.list(if (is.factor(column)) as.character(column) else column))
  texts <- lapply(values, value_texts)
  # In the order of scikit-learn's grids, whose names are sorted: the last one varies fastest.
  sorted <- order(as.character(names(values)), method = "radix")
  at <- if (is.null(grid)) {
    combinations(lengths(values)[sorted])
  } else matrix(seq_len(nrow(grid)), nrow(grid), length(values))
  configurations <- lapply(seq_len(nrow(at)), function(i) {
    Map(function(column, place) column[[place]], values[sorted], at[i, ])
  })
  shown <- lapply(seq_len(nrow(at)), function(i) {
    as.list(unlist(Map(function(column, place) column[[place]], texts[sorted], at[i, ])))
  })
  labels <- vapply(shown, function(own) paste(sprintf("%s=%s", names(own), own), collapse = ", "), "")
  if (anyDuplicated(labels) && anyDuplicated(configurations)) {
    abort("`%s` has the configuration %s twice", if (is.null(grid)) "..." else "grid",
          labels[duplicated(labels)][[1]])
  }
  structure(c(learner_functions(fit, predict, values), list(
    configurations = configurations, shown = shown, labels = labels
  )), class = "bbc_learner")
}

# A matrix with a row per combination of values: their places. Without hyper-parameters there is one.
combinations <- function(counts) {
  if (length(counts) == 0) return(matrix(0L, 1, 0))
  at <- rev(expand.grid(rev(lapply(counts, seq_len)), KEEP.OUT.ATTRS = FALSE))
  unname(as.matrix(at))
}

# What trains and predicts, checked; `called` is the name of a learner that is given none.
learner_functions <- function(fit, predict, grid) {
  if (is_tidymodel(fit)) {
    if (!is.null(predict)) abort("`predict` is that of the model: leave it out")
    own <- tidymodel_learner(fit)
    check_marked(names(grid), own$marked)
    return(own[c("fit", "predict", "called", "model")])
  }
  if (is.character(fit) && length(fit) == 1) {
    if (!is.null(predict)) abort("`predict` is that of the ready learner: leave it out")
    check_ready(fit, grid)
    return(list(ready = fit, called = fit))
  }
  if (!is.function(fit)) {
    abort("`fit` must be a function (x, y, ...), a name, or a model of parsnip or workflows")
  }
  if (!is.function(predict)) abort("`predict` must be a function (model, newx)")
  for (name in c("fit", "predict")) check_two_arguments(get(name), name)
  known <- formal_names(fit)
  if (!"..." %in% known) check_known(names(grid), known[-(1:2)], "`fit`")
  list(fit = fit, predict = predict, called = "own")
}

# The hyper-parameters of a model are its arguments marked tune(), all of them.
check_marked <- function(names, marked) {
  other <- setdiff(names, marked)
  if (length(other)) {
    abort("`%s` is not marked tune() in the model%s", other[[1]],
          if (length(marked)) paste0("; ", shown(marked), " are") else "")
  }
  lacking <- setdiff(marked, names)
  if (length(lacking)) {
    abort("`%s` is marked tune() in the model: give its values, as in bbc_learner(fit, %s = )",
          lacking[[1]], lacking[[1]])
  }
}

formal_names <- function(f) names(formals(args(f)))

# Refuses arguments that the function behind a ready learner does not take, where its package is
# installed; where it is not, the protocol says so.
check_ready <- function(name, grid) {
  own <- ready[[name]]
  if (is.null(own)) {
    abort("`fit`: no ready learner is called \"%s\"; there are %s", name, toString(names(ready)))
  }
  installed <- requireNamespace(own$package, quietly = TRUE)
  if (installed && name != "caret") check_arguments(own, grid)
  lacking <- setdiff(own$needs, names(grid))
  if (length(lacking)) abort("`%s` is needed by the learner \"%s\"", lacking[[1]], name)
  if (installed && name == "caret") check_caret(grid)
}

# The arguments of the package's functions, but those that the learner sets itself.
check_arguments <- function(own, grid) {
  known <- unlist(lapply(own$functions, function(one) {
    formal_names(utils::getFromNamespace(one, own$package))
  }))
  called <- sprintf("%s::%s()", own$package, sub("[.]default$", "", own$functions[[1]]))
  check_known(names(grid), setdiff(known, c("...", own$sets)), called)
}

# caret's learners take the tuning parameters of their method, all of them.
check_caret <- function(grid) {
  for (method in as.list(grid$method)) {
    found <- if (is.character(method) && length(method) == 1) {
      caret::getModelInfo(method, regex = FALSE)
    }
    if (is.null(found[[1]])) abort("`method`: caret has no method \"%s\"", format(method))
    known <- setdiff(as.character(found[[1]]$parameters$parameter), "parameter")
    given <- setdiff(names(grid), "method")
    check_known(given, known, sprintf("caret's method \"%s\"", method))
    lacking <- setdiff(known, given)
    if (length(lacking)) {
      abort("`%s` is needed by caret's method \"%s\", which has %s", lacking[[1]], method,
            toString(known))
    }
  }
}

check_known <- function(names, known, where) {
  unknown <- setdiff(names, known)
  if (length(unknown) == 0) return(invisible())
  near <- close_names(unknown[[1]], known)
  abort("`%s` is no hyper-parameter of %s%s", unknown[[1]], where,
        if (length(near)) sprintf("; did you mean %s?", paste(near, collapse = " or "))
        else if (length(known)) sprintf(", which has %s", shown(known)) else "")
}

check_two_arguments <- function(f, name) {
  known <- formal_names(f)
  if (is.null(known) || length(known) >= 2 || "..." %in% known) return(invisible())
  abort("`%s` must be a function of %s", name,
        if (name == "fit") "(x, y, ...)" else "(model, newx)")
}

# How names of configurations show the values of a hyper-parameter.
value_texts <- function(values) {
  if (all(vapply(values, function(value) is.numeric(value) && length(value) == 1, NA))) {
    return(vapply(values, parameter_text, "", unlist(values)))
  }
  vapply(values, function(value) {
    if (is.numeric(value) && length(value) == 1) parameter_text(value)
    else paste(trimws(deparse(value)), collapse = " ")
  }, "")
}

#' @export
print.bbc_learner <- function(x, ...) {
  name <- if (x$called == "own") "own functions" else x$called
  cat(sprintf("<learner %s: %s>\n", name, counted(length(x$configurations), "configuration")))
  for (parameter in names(x$shown[[1]])) {
    values <- unique(vapply(x$shown, `[[`, "", parameter))
    cat("  ", parameter, ": ", paste(values, collapse = ", "), "\n", sep = "")
  }
  invisible(x)
}

# What predicts, with a column for each of two classes where it gives one number per row: that is the
# probability of the event, or of the class whose name the column has.
with_class_columns <- function(predict, levels, event) {
  if (length(levels) != 2) return(predict)
  unnamed <- unnamed_event
  class_of_column <- standing_alone(class_of_column)
  standing_alone(function(model, newx) {
    out <- predict(model, newx)
    name <- colnames(out)
    if (is.data.frame(out) && length(out) == 1) out <- out[[1]]
    if (is.factor(out) || is.character(out) || NCOL(out) != 1) return(out)
    named <- class_of_column(name, levels)
    class <- if (is.null(named)) event else named
    if (is.null(class)) stop("predict ", unnamed, call. = FALSE)
    share <- as.vector(unlist(out))
    share <- if (class == levels[[2]]) cbind(1 - share, share) else cbind(share, 1 - share)
    dimnames(share) <- list(NULL, levels)
    share
  })
}

unnamed_event <- paste(
  "gave one number per row, which is the probability of the event: say by `event_level` which of the",
  "two classes that is"
)

# A function that works in a fresh R process: objects of the global environment that it uses go
# with it, and packages that are attached here are attached there. R's messages call it `name`.
portable <- function(f, name) {
  packages <- setdiff(rev(.packages()), c("base", "methods", "datasets", "bbcr"))
  used <- new.env(parent = globalenv())
  collect_globals(f, used)
  own <- rehomed(f, used)
  for (global in ls(used)) {
    if (is.function(used[[global]])) assign(global, rehomed(used[[global]], used), envir = used)
  }
  outer <- eval(substitute(function(...) {
    for (package in setdiff(packages, .packages())) {
      suppressPackageStartupMessages(library(package, character.only = TRUE))
    }
    own(...)
  }, list(own = as.name(name))))
  environment(outer) <- list2env(
    stats::setNames(list(own, packages), c(name, "packages")), parent = baseenv()
  )
  outer
}

# Functions of the session see `used` first; those of packages and closures keep what they have.
rehomed <- function(f, used) {
  if (identical(environment(f), globalenv())) environment(f) <- used
  f
}

collect_globals <- function(f, used) {
  if (is.primitive(f) || !identical(environment(f), globalenv())) return(invisible())
  for (name in codetools::findGlobals(f)) {
    if (exists(name, envir = globalenv(), inherits = FALSE) &&
          !exists(name, envir = used, inherits = FALSE)) {
      value <- get(name, envir = globalenv())
      assign(name, value, envir = used)
      if (is.function(value)) collect_globals(value, used)
    }
  }
}
