# What a protocol is asked for: predictors, outcome, learners and their configurations, checked before
# anything is trained.

# The column of the outcome in what learners are trained on.
outcome_column <- ".outcome"

asked_of_protocol <- function(x, y, data, learners, metric, groups, event_level, cv, moves) {
  metric <- bbc_metric(metric)
  refuse_custom(metric, "bbc_tune()")
  if (!is.null(metric$odds)) {
    abort("`metric`: \"%s\" describes calls; give it to bbc_correct() with the protocol's predictions",
          metric$name)
  }
  described <- inherits(x, c("formula", "recipe"))
  table <- if (!described) x else if (is.null(data)) y else data
  of_rows <- grouping_of(groups, table, if (inherits(x, "formula")) all.vars(x))
  named <- !is.null(of_rows) && !identical(of_rows, groups)
  if (named && !inherits(x, "recipe")) table <- table[setdiff(names(table), groups)]
  design <- if (inherits(x, "formula")) formula_design(x, table)
            else if (described) recipe_design(x, table) else frame_design(table, y)
  refuse_other_order(list(x = design$x, y = if (!described) y, groups = if (!named) groups, cv = cv))
  truth <- outcome_of(design$y, metric)
  twice <- names(design$x)[duplicated(names(design$x))]
  if (length(twice)) abort("`x` has two columns called %s", twice[[1]])
  taken <- intersect(c(outcome_column, ".target"), names(design$x))
  if (length(taken)) abort("`x`: no column may be called %s", taken[[1]])
  if (named && inherits(x, "recipe") && groups %in% recipe_predictors(x)) {
    abort("`groups`: %s is a predictor of the recipe: recipes::update_role() gives it another role", groups)
  }
  if (!described && !is.null(data)) abort("`data` goes with a formula or a recipe: here `x` and `y` are the data")
  if (described && !is.null(data) && !is.null(y)) abort("`y` and `data` are both given: one of them is the data frame")
  levels <- levels_of(design$x)
  design$x <- with_levels(design$x, levels, "x")
  event <- event_of(truth, levels(truth), metric, event_level, metric$target == "binary")
  event <- if (!is.null(event)) levels(truth)[[event]]
  for (name in names(design$x)) {
    if (is_outcome(design$x[[name]], truth)) abort("`x`: column %s is the outcome itself: leave it out", name)
  }
  if (!is.null(of_rows)) of_rows <- per_row(of_rows, "groups", nrow(design$x))
  list(design = design, levels = levels, truth = truth, event = event, metric = metric,
       groups = of_rows, learners = learners_of(learners, levels(truth), event, moves))
}

# Whether a predictor is what is to be predicted.
is_outcome <- function(column, truth) {
  if (inherits(truth, "Surv")) return(identical(unclass(column), unclass(truth)))
  if (is.factor(truth)) return(identical(as.character(column), as.character(truth)))
  is.numeric(column) && isTRUE(all(as.double(column) == truth))
}

# The groups of the rows, which may be a column of the data.
grouping_of <- function(groups, table, used) {
  if (!is.character(groups) || length(groups) != 1) return(groups)
  if (!is.data.frame(table) || !groups %in% names(table)) {
    abort("`groups` must be the name of a column of the data, or a group per row, not %s", groups)
  }
  if (groups %in% used) abort("`groups`: %s is a predictor of the formula", groups)
  table[[groups]]
}

# Learners by name, with functions that give a column for each class, and where the fits are made elsewhere
# (`moves`) take along what they use of the session. A single learner has no name, unless it has no
# hyper-parameters.
learners_of <- function(learners, levels = NULL, event = NULL, moves = FALSE) {
  if (inherits(learners, "bbc_learner")) {
    unnamed <- any(nzchar(learners$labels))
    learners <- stats::setNames(list(learners), if (unnamed) "" else learners$called)
  } else {
    right <- is.list(learners) && length(learners) > 0 &&
      all(vapply(learners, inherits, NA, "bbc_learner"))
    if (!right && is.character(learners) && length(learners) == 1) {
      abort("`learners` is a name: give bbc_learner(\"%s\", ...) with its hyper-parameters", learners)
    }
    if (!right) abort("`learners` must be a bbc_learner() or a named list of these")
    if (is.null(names(learners)) || any(!nzchar(names(learners))) || anyDuplicated(names(learners))) {
      abort("`learners`: every learner needs a name of its own: list(first = ..., second = ...)")
    }
  }
  lapply(learners, function(learner) {
    # A ready learner that gives one number per row means the second level.
    if (!is.null(learner$ready)) {
      learner[c("fit", "predict")] <- tryCatch(
        ready_learner(learner$ready), error = function(e) abort("`fit`: %s", conditionMessage(e))
      )
      if (length(levels) == 2) event <- levels[[2]]
    }
    learner$code <- lapply(learner[c("fit", "predict")], deparse)
    if (moves) {
      for (name in c("fit", "predict")) learner[[name]] <- portable(learner[[name]], name)
    }
    learner$predict <- with_class_columns(learner$predict, levels, event)
    unclass(learner)
  })
}

# Names of configurations, as Python has them.
configuration_names <- function(learners) {
  unlist(Map(function(name, learner) {
    labels <- learner$labels
    if (!nzchar(name)) labels else ifelse(nzchar(labels), sprintf("%s(%s)", name, labels), name)
  }, names(learners), learners), use.names = FALSE)
}

# A data frame with a line per configuration; hyper-parameters that a learner lacks are NA.
configuration_table <- function(learners) {
  each <- unlist(lapply(learners, `[[`, "configurations"), recursive = FALSE, use.names = FALSE)
  called <- ifelse(nzchar(names(learners)), names(learners), vapply(learners, `[[`, "", "called"))
  table <- data.frame(name = configuration_names(learners),
                      learner = rep(unname(called), lengths(lapply(learners, `[[`, "configurations"))))
  for (name in unique(unlist(lapply(each, names)))) {
    values <- lapply(each, function(one) if (is.null(one[[name]])) NA else one[[name]])
    plain <- all(lengths(values) == 1) && all(vapply(values, is.atomic, NA))
    table[[name]] <- if (plain) unlist(values) else I(values)
  }
  table
}

raises_errors <- function(error_score) {
  if (identical(error_score, "raise")) return(TRUE)
  if (!is.numeric(error_score) || length(error_score) != 1 || !is.nan(error_score)) {
    abort('`error_score` must be NaN or "raise"')
  }
  FALSE
}

formula_design <- function(formula, data) {
  if (!is.data.frame(data)) abort("`data` must be a data frame: the variables of the formula")
  if (length(formula) != 3) abort("`x`: the formula needs an outcome on its left side")
  terms <- stats::terms(formula, data = data)
  if (any(attr(terms, "order") > 1)) {
    abort("`x`: the formula has interactions: make them columns of the data, or leave them to `fit`")
  }
  if (!is.null(attr(terms, "offset"))) {
    abort("`x`: the formula has an offset: make it a column of the data, for `fit` to use")
  }
  # Without the variables that the formula takes away, as in `y ~ . - id`.
  used <- attr(terms, "term.labels")
  if (length(used) == 0) abort("`x`: the formula has no predictors")
  special <- grep("^([a-z]+:+)?(strata|cluster|tt|frailty|pspline|ridge)[(]", used, value = TRUE)
  if (length(special)) abort("`x`: the formula has %s: leave it to `fit`", special[[1]])
  plain <- stats::reformulate(used, formula[[2]], env = environment(formula))
  terms <- stats::terms(plain, data = data)
  frame <- stats::model.frame(terms, data, na.action = stats::na.pass)
  list(
    x = frame[-attr(attr(frame, "terms"), "response")], y = stats::model.response(frame),
    formula = stats::formula(terms), terms = stats::delete.response(attr(frame, "terms"))
  )
}

frame_design <- function(x, y) {
  if (is.matrix(x)) x <- as.data.frame(x)
  if (!is.data.frame(x)) {
    abort("`x` must be a data frame, a matrix or a formula, not %s", first_class(x))
  }
  if (nrow(x) == 0 || ncol(x) == 0) abort("`x` has no %s", if (nrow(x) == 0) "rows" else "columns")
  if (is.character(y) && length(y) == 1 && y %in% names(x)) {
    abort("`y` is the name of a column: give a formula, %s ~ ., and the data", y)
  }
  if (NROW(y) != nrow(x)) abort("`y` has %s, `x` has %d", counted(NROW(y), "row"), nrow(x))
  list(x = as.data.frame(x), y = y)
}

# The levels of factors, and of text, which becomes a factor: every fold knows all of them.
levels_of <- function(x) {
  textual <- vapply(x, function(column) is.factor(column) || is.character(column), NA)
  lapply(x[textual], classes_of)
}

with_levels <- function(x, levels, name) {
  for (column in names(levels)) {
    unknown <- setdiff(x[[column]], c(levels[[column]], NA))
    if (length(unknown)) abort("`%s`: column %s has the new level %s", name, column, unknown[[1]])
    if (!identical(levels(x[[column]]), levels[[column]])) {
      x[[column]] <- factor(x[[column]], levels[[column]], ordered = is.ordered(x[[column]]))
    }
  }
  x
}

# Classes as a factor, or numbers, as the metric wants them.
outcome_of <- function(y, metric) {
  if (metric$target == "any" || metric$predicts == "survival") {
    abort("metric \"%s\" is not one that protocols take from R", metric$name)
  }
  if (metric$target == "survival") return(survival_outcome(y, metric))
  if (inherits(y, "Surv")) abort("`y` is a Surv object: only survival metrics take one")
  if (is.list(y) || NCOL(y) != 1) {
    abort("`y` must be a factor, labels or numbers, not a %s", first_class(y))
  }
  y <- plain_values(y, "y")
  refuse_na(y, "y")
  if (metric$target == "real") {
    if (!is.numeric(y)) {
      abort("`y` must be numbers for metric \"%s\", not %s", metric$name, first_class(y))
    }
    if (any(is.infinite(y))) abort("`y` is infinite at %s", place_of(is.infinite(c(y)), "row"))
    check_range(c(y), metric$target_range, "y", metric, "row")
    return(as.double(y))
  }
  if (is.numeric(y)) abort("`y` must be a factor for metric \"%s\": use factor(y)", metric$name)
  y <- droplevels(factor(y, classes_of(y), ordered = is.ordered(y)))
  if (metric$target == "binary" && nlevels(y) != 2) abort_not_two(y, levels(y), metric, "y")
  y
}

# A right-censored outcome; learners get it as it is.
survival_outcome <- function(y, metric) {
  if (!requireNamespace("survival", quietly = TRUE)) {
    abort("metric \"%s\" needs the package survival: install.packages(\"survival\")", metric$name)
  }
  if (!inherits(y, "Surv")) {
    abort("`y` must be survival::Surv(time, event) for metric \"%s\", not %s", metric$name,
          first_class(y))
  }
  survival_truth(y, "y")
  y
}
