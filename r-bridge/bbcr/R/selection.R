#' Select the least complex configuration within one standard error of the best
#'
#' For the argument `selection` of [bbc_correct()]. The standard error is that
#' of the best configuration's fold scores on all rows; it is the same in all replicates. Needs
#' `folds`. Equally complex configurations are decided by score, then by number.
#'
#' @param complexity One number per configuration, larger for more complex; only their order counts.
#'   For [bbc_correct()] of what tidymodels, caret or mlr3 tuned, or of a table with columns of
#'   hyper-parameters, it may be a formula of these: `~ -penalty`, where a larger penalty is less
#'   complex.
#' @param ... No other arguments.
#' @return A selection rule.
#' @references
#' L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). *Classification and Regression Trees*,
#' section 3.4.3.
#' @examples
#' set.seed(1)
#' truth <- rnorm(60)
#' predictions <- sapply(1:5, function(degree) truth + rnorm(60))
#' e <- bbc_correct(predictions, truth, "mean_squared_error", folds = rep(1:6, 10),
#'                  selection = bbc_one_standard_error(1:5), n_threads = 2)
#' e$winner
#' @export
bbc_one_standard_error <- function(complexity, ...) {
  no_more_arguments(...)
  if (missing(complexity)) {
    abort("`complexity` is missing: one number per configuration, larger for more complex")
  }
  if (inherits(complexity, "formula")) {
    if (length(complexity) != 2) abort("`complexity` must be a formula of one side, such as ~ -penalty")
    return(structure(list(complexity = complexity), class = "bbc_selection"))
  }
  if (!is.numeric(complexity) || length(dim(complexity)) > 1 || length(complexity) == 0) {
    abort("`complexity` must be numbers, one per configuration, or a formula, not %s",
          first_class(complexity))
  }
  if (any(!is.finite(complexity))) {
    abort("`complexity` is not finite at %s", place_of(!is.finite(complexity), "configuration"))
  }
  structure(list(complexity = as.double(complexity)), class = "bbc_selection")
}

#' Choose a cut-off or an ensemble instead of one configuration
#'
#' For the argument `selection` of [bbc_correct()], with methods `"bbc"` and `"bbc-two-level"`. What
#' is chosen is made anew in every replicate and scored out of bag.
#'
#' `bbc_best_threshold()` chooses a configuration and the cut-off that makes labels of its scores,
#' for two classes and a metric of labels such as `"f1"`; a row is called an event if its score is
#' above the cut-off. Cut-offs are -Inf, the midpoints between distinct in-bag scores, and Inf; of
#' several best ones the middle of the first consecutive run is taken. The result has `threshold` and
#' `replicate_thresholds`. `metric` chooses so; `secondary` metrics of labels, such as
#' sensitivity, predictive values and `bbc_metric("net_benefit", threshold = )`, are read at the same
#' cut-offs, and metrics of scores of the same winners.
#'
#' `bbc_greedy_ensemble()` begins with the best configuration and in each round adds the one that
#' improves the average of predictions most, with replacement. `bbc_top_k()` averages the `k` best.
#' Labels vote, with ties for the first class. The result has the `weights` of the ensemble, `winner`
#' is the configuration with the largest weight, and `selection_frequency` the share of replicates in
#' which a configuration takes part. Ties go to the lowest number.
#'
#' @param n_rounds Number of members, the first included; one that is added twice counts twice.
#' @param k Number of configurations that are averaged.
#' @param ... No other arguments.
#' @return A selection rule.
#' @references
#' R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes (2004). Ensemble selection from libraries of
#' models. *ICML*.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.4)
#' scores <- sapply(1:10, function(i) 0.3 * truth + 0.7 * runif(80))
#' e <- bbc_correct(scores, truth, "f1", selection = bbc_best_threshold(), n_threads = 2)
#' e$threshold
#' bbc_correct(scores, truth, "youden_index", secondary = c("sensitivity", "roc_auc"),
#'             selection = bbc_best_threshold(), n_threads = 2)
#' e <- bbc_correct(scores, truth, "brier_score", selection = bbc_greedy_ensemble(),
#'                  n_threads = 2)
#' e$weights
#' @name bbc_choices
NULL

#' @rdname bbc_choices
#' @export
bbc_best_threshold <- function(...) {
  no_more_arguments(...)
  structure(list(rule = "best_threshold", size = 0), class = "bbc_selection")
}

#' @rdname bbc_choices
#' @export
bbc_greedy_ensemble <- function(n_rounds = 25, ...) {
  no_more_arguments(...)
  structure(list(rule = "greedy_ensemble", size = whole_number(n_rounds, "n_rounds", 1)),
            class = "bbc_selection")
}

#' @rdname bbc_choices
#' @export
bbc_top_k <- function(k, ...) {
  no_more_arguments(...)
  structure(list(rule = "top_k", size = whole_number(k, "k", 1)), class = "bbc_selection")
}

#' @export
print.bbc_selection <- function(x, ...) {
  text <- if (derives(x)) rule_text(x) else if (inherits(x$complexity, "formula")) {
    sprintf("one standard error rule by %s", deparse1(x$complexity[[2]]))
  } else {
    sprintf("one standard error rule for %s", counted(length(x$complexity), "configuration"))
  }
  cat(sprintf("<%s>\n", text))
  invisible(x)
}

# Whether a rule chooses a cut-off or an ensemble.
derives <- function(selection) !is.null(selection$rule)
cuts <- function(selection) identical(selection$rule, "best_threshold")

rule_text <- function(selection) {
  if (!is.null(selection$rungs)) return('missing = "rungs"')
  size <- if (cuts(selection)) "" else sprintf("%.0f", selection$size)
  sprintf("bbc_%s(%s)", selection$rule, size)
}

# The metric of arguments, as their rule uses it: it says which columns of a table are read.
metric_read <- function(metric, method = "bbc", selection = "best", ...) {
  method <- choice(method, "method", c("bbc", "bbc-two-level", "bbc-f"))
  metric_for(bbc_metric(metric), selection_of(selection), method)
}

# The metric as the rule uses it: with a cut-off, one of labels reads scores.
metric_for <- function(metric, selection, method) {
  if (!derives(selection)) return(metric)
  text <- rule_text(selection)
  if (method == "bbc-f" && is.null(selection$rungs)) {
    abort('`selection`: %s needs predictions of rows: method "bbc" or "bbc-two-level"', text)
  }
  if (metric$kernel %in% c("row_loss", "row_score") && is.null(metric$odds)) {
    abort("`selection`: %s cannot average losses of rows: name the metric", text)
  }
  if (!cuts(selection)) return(metric)
  if (!computation_facts(metric)$form %in% c("zero_one", "confusion")) {
    abort("`selection`: %s makes labels of scores, but metric \"%s\" %s", text, metric$name,
          if (is.null(metric$odds)) paste("takes", metric$predicts) else "only describes them")
  }
  of_scores(metric)
}

# A metric of labels that are made of scores.
of_scores <- function(metric) {
  metric$predicts <- "score"
  metric$target <- "binary"
  metric
}

# Options of a metric that describes what a rule chose: of labels it is read at the cut-offs.
read_at_cut_offs <- function(options, selection) {
  if (!inherits(selection, "bbc_selection") || !cuts(selection)) return(options)
  if (options$metric$predicts != "labels") return(options)
  options$selection <- selection
  options$metric <- of_scores(options$metric)
  options
}

# Refuses labels where scores are cut, and more configurations than there are.
check_choice <- function(selection, problem) {
  n <- dim(problem$predictions[[1]])[[2]]
  if (selection$rule == "top_k" && selection$size > n) {
    abort("`selection`: top_k averages %.0f of %s", selection$size, counted(n, "configuration"))
  }
  labels <- label_values(problem$truth)
  if (cuts(selection) && all(unlist(problem$predictions) %in% labels)) {
    abort("`predictions` are labels, but bbc_best_threshold() makes labels of scores")
  }
}

# NULL stands for the best score; a function is kept as `choose`.
selection_of <- function(selection) {
  if (identical(selection, "best")) return(NULL)
  if (is.function(selection)) return(list(choose = selection))
  if (!inherits(selection, "bbc_selection")) {
    abort(paste("`selection` must be \"best\", bbc_one_standard_error(complexity),",
                "bbc_best_threshold(), bbc_greedy_ensemble(), bbc_top_k(k) or a function, not %s"),
          if (is.character(selection)) shown(selection) else first_class(selection))
  }
  selection
}

# A rule whose complexity is a formula, with its values of the hyper-parameters, a data frame with a
# line per configuration.
with_complexity <- function(selection, hyperparameters) {
  formula <- if (inherits(selection, "bbc_selection")) selection$complexity
  if (!inherits(formula, "formula") || is.null(hyperparameters)) return(selection)
  values <- tryCatch(eval(formula[[2]], hyperparameters, environment(formula)), error = function(e) {
    abort("`complexity`: %s; the hyper-parameters are %s", conditionMessage(e),
          shown(base::names(hyperparameters)))
  })
  if (length(values) != nrow(hyperparameters)) {
    abort("`complexity` has %s for %s", counted(length(values), "value"),
          counted(nrow(hyperparameters), "configuration"))
  }
  bbc_one_standard_error(values)
}

# The complexities of the configurations that stay; NULL for other rules.
complexity_of <- function(selection, problem) {
  if (is.null(selection$complexity)) return(NULL)
  if (inherits(selection$complexity, "formula")) {
    abort(paste("`selection`: there are no hyper-parameters for the formula %s here; give one number",
                "per configuration"), deparse1(selection$complexity))
  }
  if (length(selection$complexity) != problem$n_configurations) {
    abort("`selection`: complexity has %s for %s", counted(length(selection$complexity), "number"),
          counted(problem$n_configurations, "configuration"))
  }
  kept <- problem$kept_configurations
  if (is.null(kept)) selection$complexity else selection$complexity[kept]
}

# The user's function, what it returns checked.
chosen_by <- function(options, problem) {
  choose <- options$selection$choose
  n_configurations <- dim(problem$predictions[[1]])[[2]]
  function(scores, counts) {
    index <- choose(scores, counts)
    if (!is.numeric(index) || length(index) != 1 || is.na(index) || index != floor(index)) {
      abort("`selection`: the function must return the number of a configuration, not %s",
            paste(format(index), collapse = " "))
    }
    if (index < 1 || index > n_configurations) {
      abort("`selection`: the function returned %.0f, there are %d configurations", index,
            n_configurations)
    }
    as.integer(index)
  }
}

# The difference of the two numbers that are shown, as everywhere.
optimism_of <- function(raw, metric) {
  difference <- raw$apparent - raw$estimate
  if (metric$greater_is_better) difference else 0 - difference
}
