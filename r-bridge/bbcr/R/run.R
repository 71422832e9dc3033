# The column of the outcome in what learners are trained on.
outcome_column <- ".outcome"

run_protocol <- function(protocol, x, y, data, learners, metric, cv, groups, event_level, seed,
                         options) {
  if (missing(metric)) abort_no_metric()
  if (missing(learners)) abort("`learners` is missing: a bbc_learner() or a named list of these")
  metric <- bbc_metric(metric)
  refuse_custom(metric, "a protocol")
  if (!is.null(metric$odds)) {
    abort("`metric`: \"%s\" describes calls; give it to bbc_correct() with the protocol's predictions",
          metric$name)
  }
  described <- inherits(x, c("formula", "recipe"))
  table <- if (is.null(data)) y else data
  design <- if (inherits(x, "formula")) formula_design(x, table)
            else if (described) recipe_design(x, table) else frame_design(x, y)
  refuse_other_order(list(x = design$x, y = if (!described) y, groups = groups, cv = cv))
  truth <- outcome_of(design$y, metric)
  design$levels <- levels_of(design$x)
  design$x <- with_levels(design$x, design$levels, "x")
  frame <- design$x
  frame[[outcome_column]] <- truth
  event <- event_of(truth, levels(truth), metric, event_level, metric$target == "binary")
  options <- checked_protocol_options(options)
  options$random_state <- seed_of(seed)
  if (!is.null(event)) options$pos_label <- levels(truth)[[event]]
  of_folds <- protocol == "BBCF"  # in Python a method of BBC
  if (of_folds) options$method <- "bbc-f"
  raw <- call_python("run", list(
    protocol = if (of_folds) "BBC" else protocol, frame = frame, target = outcome_column,
    metric = base_name(metric), parameters = metric_parameters(metric),
    learners = learners_of(learners, levels(truth), options$pos_label),
    around = design$around, options = options,
    cv = folds_of(cv, nrow(frame), max(1, options$n_repeats) * if (protocol == "CVMCV") 2 else 1),
    groups = if (!is.null(groups)) codes_by_first_row(per_row(groups, "groups", nrow(frame)))
  ))
  new_protocol(protocol, raw, design, truth, metric, options$random_state)
}

# Python checks what the protocol has; here is what R's types would hide from it.
checked_protocol_options <- function(options) {
  if (!all(nzchar(names(options)))) abort("unknown argument without a name")
  called <- c(random_state = "seed", scoring = "metric", pos_label = "event_level")
  for (name in intersect(names(called), names(options))) {
    abort("`%s` is called `%s` in R", name, called[[name]])
  }
  if ("refit" %in% names(options)) {
    abort("`refit` is no choice in R: the winner is always trained on all rows")
  }
  if ("verbose" %in% names(options)) {
    options$verbose <- as.integer(flag(as.logical(options$verbose), "verbose"))
  }
  lowest <- c(n_repeats = 1, n_jobs = -Inf, n_bootstraps = 1, min_predictions = 1)
  for (name in intersect(names(lowest), names(options))) {
    if (is.null(options[[name]])) next
    highest <- min(kernel_limit_of(name), .Machine$integer.max)
    options[[name]] <- as.integer(whole_number(options[[name]], name, lowest[[name]], highest))
  }
  for (name in names(options)) {
    value <- options[[name]]
    if (!is.null(value) && !is.atomic(value)) {
      abort("`%s` cannot be a %s in a protocol called from R", name, first_class(value))
    }
    if (is.atomic(value) && anyNA(value) && !any(is.nan(value))) abort("`%s` is NA", name)
  }
  options
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
  if (NROW(y) != nrow(x)) abort("`y` has %s, `x` has %d", counted(NROW(y), "row"), nrow(x))
  if (outcome_column %in% names(x)) abort("`x`: no column may be called %s", outcome_column)
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

base_name <- function(metric) sub("[(].*", "", metric$name)

metric_parameters <- function(metric) {
  if (!grepl("(", metric$name, fixed = TRUE)) return(list())
  if (metric$censoring == "uno") return(list(tau = metric$times))
  if (metric$censoring == "dynamic_auc") return(list(time = metric$times))
  if (metric$kernel == "f_beta") list(beta = metric$beta) else list(alpha = metric$alpha)
}

learners_of <- function(learners, levels = NULL, event = NULL) {
  if (inherits(learners, "bbc_learner")) {
    learners <- stats::setNames(list(learners), learners$called)
  }
  right <- is.list(learners) && length(learners) > 0 &&
    all(vapply(learners, inherits, NA, "bbc_learner"))
  if (!right) abort("`learners` must be a bbc_learner() or a named list of these")
  if (is.null(names(learners)) || any(!nzchar(names(learners))) || anyDuplicated(names(learners))) {
    abort("`learners`: every learner needs a name of its own")
  }
  lapply(learners, function(learner) {
    own <- portable_learner(learner)
    if (!is.null(own$predict)) own$predict <- by_class(own$predict, levels, event, refuses = TRUE)
    own
  })
}

# A number of folds, or a fold number per row.
folds_of <- function(cv, n_rows, n_partitions) {
  if (length(cv) == 1) return(as.integer(whole_number(cv, "cv", 2)))
  folds <- codes_by_first_row(per_row(cv, "cv", n_rows))
  if (max(folds) < 1) abort("`cv` has one value: needs two folds")
  if (n_partitions > 1) {
    abort("`cv` has the folds of one partition, but %d are needed: give the number of folds",
          n_partitions)
  }
  folds
}
