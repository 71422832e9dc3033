# Recipes as the predictors of a protocol: trained in each fold, on the rows that the learner trains
# on, as if they were part of it.

# What a recipe says of its data: predictors (columns of any role but the outcome) and outcome.
recipe_design <- function(recipe, data) {
  if (!requireNamespace("recipes", quietly = TRUE)) {
    abort("`x`: a recipe needs the package recipes: install.packages(\"recipes\")")
  }
  if (!is.data.frame(data)) abort("`data` must be a data frame: the variables of the recipe")
  if (length(marked_in_steps(recipe$steps))) {
    abort("`x`: the recipe has arguments marked tune(): give it in a workflow, to bbc_learner()")
  }
  outcome <- recipe_outcome(recipe, "x")
  for (step in recipe$steps) {
    moves <- intersect(class(step), c("step_arrange", "step_shuffle", "step_sample"))
    if (length(moves) && !isTRUE(step$skip)) {
      abort("`x`: %s() with skip = FALSE would change which row a prediction is of: give it skip = TRUE",
            moves[[1]])
    }
  }
  columns <- setdiff(recipe$var_info$variable, outcome)
  lacking <- setdiff(c(columns, outcome), names(data))
  if (length(lacking)) abort("`data` has no column %s, which the recipe uses", lacking[[1]])
  data <- as.data.frame(data)
  list(x = data[columns], y = data[[outcome]], around = around_recipe(recipe, outcome),
       steps = c(in_text(recipe$steps), in_text(as.list(recipe$var_info))))
}

# The columns that are predictors before any step.
recipe_predictors <- function(recipe) recipe$var_info$variable[recipe$var_info$role %in% "predictor"]

# What a store compares of a recipe or model: its text, without environments and the names that recipes
# draw for their steps.
in_text <- function(object) {
  without_ids <- function(part) {
    if (!is.list(part)) return(part)
    lapply(unclass(part)[setdiff(seq_along(part), which(names(part) == "id"))], without_ids)
  }
  deparse(without_ids(object), control = c("keepNA", "keepInteger", "niceNames", "showAttributes", "digits17"))
}

recipe_outcome <- function(recipe, name) {
  info <- recipe$var_info
  if ("case_weights" %in% info$role) {
    abort("`%s`: case weights of a recipe are not taken", name)
  }
  found <- info$variable[info$role %in% "outcome"]
  if (length(found) != 1) {
    abort("`%s`: the recipe needs one outcome, it has %s", name,
          if (length(found)) shown(found) else "none")
  }
  found
}

# A function that gives the functions of a learner others, which train the recipe first.
around_recipe <- function(recipe, outcome) {
  function(fit, predict) {
    prepared <- fit_after_recipe(recipe, outcome, fit, standing_alone(check_outcome))
    list(fit = portable(prepared, "fit"),
         predict = portable(predict_after_recipe(predict), "predict"))
  }
}

# A function that works in a process without this package: it sees the values that it was made with
# and R's global environment.
standing_alone <- function(f) {
  own <- environment(f)
  environment(f) <- if (identical(own, topenv())) globalenv()
                    else list2env(as.list(own), parent = globalenv())
  f
}

fit_after_recipe <- function(recipe, outcome, fit, check_outcome) {
  standing_alone(function(x, y, ...) {
    x[[outcome]] <- y
    trained <- recipes::prep(recipe, x, fresh = TRUE)
    rows <- as.data.frame(recipes::bake(trained, NULL))
    check_outcome(rows[[outcome]], y, "recipe")
    predictors <- as.data.frame(recipes::bake(trained, NULL, recipes::all_predictors()))
    list(recipe = trained, model = fit(predictors, rows[[outcome]], ...))
  })
}

predict_after_recipe <- function(predict) {
  standing_alone(function(model, newx) {
    newx <- recipes::bake(model$recipe, newx, recipes::all_predictors())
    predict(model$model, as.data.frame(newx))
  })
}

# Steps may leave rows out or repeat them, but predictions are compared with the outcome as it was.
check_outcome <- function(given, y, what) {
  same <- if (inherits(y, "Surv")) paste(given) %in% paste(y)
          else if (is.numeric(y)) given %in% y else as.character(given) %in% as.character(y)
  if (is.null(given) || !all(same)) {
    stop("the ", what, " changes the outcome, which predictions are compared with: change it before",
         call. = FALSE)
  }
  if (is.factor(y) && is.factor(given) && !identical(levels(given), levels(y))) {
    stop("the ", what, " changes the levels of the outcome or their order: change them before", call. = FALSE)
  }
}

# Of a list of arguments those marked tune(), as the name by which each is known.
marked <- function(arguments) {
  known <- lapply(stats::setNames(nm = names(arguments)), function(name) {
    value <- arguments[[name]]
    if (inherits(value, "quosure")) value <- unclass(value)[[2]]
    if (!is.call(value) || !grepl("^([a-z]+::)?tune$", deparse1(value[[1]]))) return(NULL)
    if (length(value) > 1 && nzchar(value[[2]])) value[[2]] else name
  })
  unlist(known)
}

marked_in_steps <- function(steps) unname(unlist(lapply(steps, marked)))
