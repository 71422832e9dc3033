#' Lower confidence bounds for the AUC of a selected configuration
#'
#' `"bbc"`, `"bbc-two-level"` and `"bbc-f"` use all rows. `"delong"`, `"hanley-mcneil"`, `"bt"`
#' (bootstrap tilting) and `"mabt"` (multiplicity-adjusted bootstrap tilting) split the rows at
#' random into three quarters to select on, by mean fold AUC, and one quarter to evaluate the
#' selected configuration on; the split is redrawn until every part has both classes. Such a bound
#' depends on its split: another seed gives another one, from as few rows. `"nb"`
#' resamples the winner's fold scores as if it had not been selected: the baseline that fails.
#'
#' @param predictions Out-of-sample scores, one repeat; higher means the event. As in
#'   [bbc_correct()], long tables and caret models included.
#' @param truth,event_level,names,seed,n_threads As in [bbc_correct()]; two classes.
#' @param folds The fold in which each row was held out; tables and caret models bring their own.
#'   Only method `"bbc"` does without.
#' @param method How the bound is computed, see the details.
#' @param rule `"best"` selects the best configuration on the learn rows; `"top10%"` the best on the
#'   evaluation rows among those at or above the 90 % quantile on the learn rows, and corrects
#'   `"delong"` and `"bt"` for that by \enc{Šidák}{Sidak}'s formula. By default `"top10%"` for
#'   `"mabt"` and `"best"` for the others.
#' @param variant `"published"` takes the formulas behind published tables instead of the right
#'   ones.
#' @param n_bootstraps Number of replicates; by default 2000 for `"bt"` and `"mabt"` and 5000
#'   otherwise.
#' @param confidence_level Level of the bound.
#' @param estimate Name of the column of predictions of a long table, see [bbc_tables].
#' @param ... No other arguments.
#' @return An object of class `bbc_bound`, a list with `estimate`, `low`,
#'   `confidence_interval`, `feasible`, `infeasible` (why there is no bound, or `NULL`), `winner`,
#'   `winner_name`, `candidates` (the configurations that competed on the evaluation rows),
#'   `evaluation_rows`, `effective_sample_size` (of the importance weights, for tilting) and more. See
#'   [bbc_results] for its methods.
#' @references
#' K. Paraschakis et al. (2024). Confidence interval estimation of predictive performance in the
#' context of AutoML. *AutoML*: section 4 and Table 2.
#' @examples
#' set.seed(1)
#' truth <- rep(0:1, 100)
#' folds <- rep(1:5, each = 2, length.out = 200)
#' predictions <- truth + matrix(rnorm(200 * 30), 200)
#' bbc_bound(predictions, truth, seed = 1, n_threads = 2)
#' bbc_bound(predictions, truth, folds, method = "mabt", seed = 1, n_threads = 2)
#' @export
bbc_bound <- function(predictions, truth, folds = NULL, method = "bbc", rule = NULL,
                      variant = "standard", n_bootstraps = NULL, confidence_level = 0.95,
                      event_level = NULL, names = NULL, estimate = NULL, seed = NULL,
                      n_threads = NULL, ...) {
  no_more_arguments(...)
  how <- checked_bound(method, rule)
  options <- bound_options(variant, confidence_level, seed, n_threads)
  if (!is.null(n_bootstraps)) {
    options$n_bootstraps <- enough_replicates(n_bootstraps, options$confidence_level)
  }
  problem <- bound_problem(predictions, if (!missing(truth)) truth, folds, how$method, estimate,
                           event_level, names)
  bound <- if (how$method %in% on_all_rows) bound_on_all_rows(problem, how, options)
           else bound_on_part(problem, how, options)
  with_call(with_deployed(bound, problem$claim))
}

on_all_rows <- c("bbc", "bbc-two-level", "bbc-f")

# The method and the rule that goes with it.
checked_bound <- function(method, rule) {
  method <- choice(method, "method", c(on_all_rows, "delong", "hanley-mcneil", "bt", "mabt", "nb"))
  if (method %in% on_all_rows) {
    if (!is.null(rule)) {
      abort("`rule`: method \"%s\" selects on all rows, so it takes no rule", method)
    }
    rule <- "all rows"
  } else if (is.null(rule)) {
    rule <- if (method == "mabt") "top10%" else "best"
  } else {
    rule <- choice(rule, "rule", if (method == "nb") "best" else c("best", "top10%"))
  }
  list(method = method, rule = rule)
}

bound_options <- function(variant, confidence_level, seed, n_threads) {
  list(
    published = choice(variant, "variant", c("standard", "published")) == "published",
    confidence_level = check_level(confidence_level), n_bootstraps = NULL, seed = seed_of(seed),
    threads = threads_of(n_threads)
  )
}

# Replicates of which the order statistic of a lower bound exists.
enough_replicates <- function(n_bootstraps, level) {
  n_bootstraps <- whole_number(n_bootstraps, "n_bootstraps", 1)
  checked(kernel_enough_replicates(n_bootstraps, level, "greater"))
  n_bootstraps
}

bound_problem <- function(predictions, truth, folds, method, estimate, event_level, names) {
  options <- list(metric = bbc_metric("roc_auc"), method = "bound")
  given <- without_design(
    unpacked(predictions, truth, options$metric, estimate, folds, event_level, names),
    c("groups", "sample_weight"), "a bound"
  )
  problem <- problem_of(given, options, folds_needed_by =
    if (method == "bbc") "" else sprintf('`method = "%s"`', method))
  if (problem$n_repeats != 1) {
    abort(paste("`predictions` has %d repeats, and a bound takes one: give one of them, or all to",
                "bbc_correct()"), problem$n_repeats)
  }
  problem$claim <- given$claim
  problem
}

# A bound from the rows that were not used to select.
bound_on_part <- function(problem, how, options) {
  n_bootstraps <- options$n_bootstraps
  raw <- checked(kernel_bound(
    problem$truth$codes, problem$predictions[[1]], problem$folds, problem$fold_labels[[1]],
    list(method = how$method, top_decile = how$rule == "top10%", published = options$published,
         confidence_level = options$confidence_level,
         n_bootstraps = if (is.null(n_bootstraps)) 0 else n_bootstraps, seed = options$seed),
    options$threads
  ), problem)
  notes <- if (nzchar(raw$warning)) sprintf("%s: %s", how$method, raw$warning)
  for (note in notes) warning(note, call. = FALSE)
  rows <- raw$evaluation_rows
  if (length(problem$left_out_rows)) {
    rows <- setdiff(seq_len(problem$n_rows), problem$left_out_rows)[rows]
  }
  new_bound(
    problem, how, options, estimate = if (raw$selected) raw$estimate,
    limits = if (raw$feasible) c(raw$low, raw$high), infeasible = if (!raw$feasible) raw$reason,
    winner = if (raw$selected) raw$winner, candidates = raw$candidates, evaluation_rows = rows,
    n_splits = raw$n_splits, n_bootstraps = raw$n_bootstraps,
    effective_sample_size = if (raw$effective_sample_size > 0) raw$effective_sample_size,
    notes = notes
  )
}

# A correction; a truth on which it is undefined, or too few folds, make the bound infeasible.
bound_on_all_rows <- function(problem, how, options) {
  own <- checked_options("roc_auc", how$method, n_bootstraps = options$n_bootstraps,
                         confidence_level = options$confidence_level, alternative = "greater",
                         seed = options$seed)
  plan <- kernel_options(problem, own)
  e <- tryCatch(new_estimate(corrected(problem, own, plan, options$threads), problem, own, plan),
                bbc_undefined_metric = conditionMessage)
  if (is.character(e)) return(new_bound(problem, how, options, infeasible = e))
  new_bound(problem, how, options, estimate = e$estimate, infeasible = e$infeasible,
            limits = unlist(e$confidence_interval[c("low", "high")], use.names = FALSE),
            winner = e$winner, n_bootstraps = e$n_bootstraps,
            notes = c(finding_text(e$findings[is_warned(e$findings$code), ]), e$notes))
}

new_bound <- function(problem, how, options, estimate = NULL, limits = NULL, infeasible = NULL,
                      winner = NULL, candidates = integer(), evaluation_rows = integer(),
                      n_splits = 0, n_bootstraps = 0, effective_sample_size = NULL,
                      notes = character()) {
  interval <- if (!is.null(limits)) {
    list(low = limits[[1]], high = limits[[2]], confidence_level = options$confidence_level,
         alternative = "greater")
  }
  new_result(list(
    method = how$method, rule = how$rule, estimate = estimate, low = interval$low,
    confidence_interval = interval, feasible = !is.null(interval), infeasible = infeasible,
    winner = winner, winner_name = if (is.null(winner)) "" else name_of(problem$names, winner),
    candidates = candidates, evaluation_rows = evaluation_rows, n_splits = n_splits,
    n_rows = problem$n_rows, n_configurations = problem$n_configurations,
    n_bootstraps = n_bootstraps, effective_sample_size = effective_sample_size,
    event = problem$truth$event, seed = options$seed, version = kernel_version(),
    findings = all_findings(found_by("bound", list(effective_sample_size = effective_sample_size))),
    notes = notes
  ), "bbc_bound")
}
