#' Find the configurations that could be the best
#'
#' The winner of a search has the best score on these rows; on other rows another configuration
#' might have it. Configurations are eliminated as long as a test rejects that those that are left
#' perform equally well. The set that is left contains the best configuration with probability
#' `confidence_level` or more. A large set means that the data cannot tell.
#'
#' The fitted models are taken as given: the result is about their performance on new rows, not
#' about models that would be trained on other rows or with other seeds. With `folds`, finding
#' BBC011 says whether that matters. `selection_frequency` of [bbc_correct()] is no probability of
#' being the best.
#'
#' Configurations are compared with all others, so time grows with the square of their number: 10,000
#' take minutes. There may be 100,000.
#'
#' @param fit What [bbc_correct()] returned, with method `"bbc"`, `selection = "best"` and draws of its
#'   own (no `resamples`).
#' @param test `"mcs"`, the model confidence set with the statistic T_max, from the scores of all
#'   configurations on the replicates of the correction, which takes any metric; or `"argmin"`,
#'   which tests each configuration against a weighted mean of the others, without replicates, for
#'   the AUC and metrics that are means over rows, without groups, weights or pooling by fold.
#' @param ... No other arguments.
#' @return An object of class `bbc_possible_winners`, a list with `p_values` and `possible` (per
#'   configuration), `scores`, `winner`, `winner_name`, `tuning` (for `"argmin"`, the factor by which
#'   the competitors of each configuration are weighted), `model_luck`, `findings` and more.
#'   `as.data.frame()` has one row per configuration, with `NA` and `FALSE` for those that were
#'   left out.
#' @references
#' P. R. Hansen, A. Lunde, J. M. Nason (2011). The model confidence set. *Econometrica* 79, 453-497.
#'
#' T. Zhang, H. Lee, J. Lei (2024). Winners with confidence: discrete argmin inference with an
#' application to model selection. arXiv:2408.02060.
#' @examples
#' set.seed(1)
#' truth <- rnorm(100)
#' predictions <- cbind(good = truth + 0.5 * rnorm(100), fair = truth + 0.55 * rnorm(100),
#'                      bad = rnorm(100))
#' fit <- bbc_correct(predictions, truth, "mean_squared_error", seed = 1, n_threads = 2)
#' bbc_possible_winners(fit)
#' @export
bbc_possible_winners <- function(fit, ...) UseMethod("bbc_possible_winners")

#' @export
bbc_possible_winners.default <- function(fit, ...) refuse_unfitted(fit, "bbc_possible_winners")

#' @rdname bbc_possible_winners
#' @export
bbc_possible_winners.bbc_estimate <- function(fit, test = "mcs", ...) {
  no_more_arguments(...)
  test <- choice(test, "test", c("mcs", "argmin"))
  with_call(possible_winners_of(winners_of(fit, "bbc_possible_winners"), test))
}

possible_winners_of <- function(correction, test) {
  options <- correction$selecting$options
  problem <- correction$selecting$problem
  plan <- replace(correction$selecting$plan, "alternative", "greater")
  refuse_custom(options$metric, "bbc_possible_winners()")
  target <- kernel_target(problem$truth)
  drawn <- test == "mcs"
  if (!drawn) {
    if (!is.null(problem$block_length)) abort('`block_length` is not taken by `test = "argmin"`')
    if (!is.null(problem$groups)) abort('`groups` are not taken by `test = "argmin"`')
    refuse_design(options, problem, '`test = "argmin"`')
  }
  raw <- checked(if (drawn) {
    kernel_model_confidence_set(target, problem$predictions, plan, correction$threads)
  } else {
    kernel_discrete_argmin(target, problem$predictions, plan, correction$threads)
  }, problem)
  score <- raw$scores[[raw$winner]]
  half <- stats::qnorm(0.975) * raw$standard_error
  interval <- list(low = score - half, high = score + half, alternative = "two-sided")
  luck <- model_luck(problem, plan, correction$threads, winner_places(correction)$replicates)
  found <- findings_of_given_models(problem, options, plan, raw$winner, luck, score, interval,
                                    if (drawn) findings_of_draws(raw, options$metric, plan, "row"))
  new_possible_winners(raw, test, luck, found, problem, options, plan)
}

# In the caller's numbering of configurations.
new_possible_winners <- function(raw, test, luck, found, problem, options, plan) {
  kept <- problem$kept_configurations
  of_all <- function(values, absent) {
    if (is.null(kept)) values else replace(rep(absent, problem$n_configurations), kept, values)
  }
  drawn <- test == "mcs"
  winner <- if (is.null(kept)) raw$winner else kept[[raw$winner]]
  new_result(list(
    p_values = of_all(raw$p_values, NA_real_), possible = of_all(raw$possible, FALSE),
    scores = of_all(raw$scores, NA_real_), winner = winner,
    winner_name = name_of(problem$names, winner),
    tuning = of_all(if (drawn) numeric(length(raw$scores)) else raw$tuning, 0),
    metric = options$metric$name, greater_is_better = options$metric$greater_is_better,
    method = test, pooling = options$pooling, confidence_level = options$confidence_level,
    n_rows = problem$n_rows, n_configurations = problem$n_configurations,
    n_repeats = problem$n_repeats, n_bootstraps = if (drawn) plan$n_bootstraps else 0,
    n_redrawn = if (drawn) raw$n_redrawn else 0,
    unit = units_of(problem, options)$unit, seed = if (drawn) plan$seed, names = problem$names,
    event = problem$truth$event, version = kernel_version(), model_luck = luck, findings = found
  ), "bbc_possible_winners")
}

# What inference from single rows does not take.
refuse_design <- function(options, problem, by) {
  if (!is.null(problem$weights)) abort("`sample_weight` is not taken by %s", by)
  if (options$stratify_bootstrap) {
    abort("`stratify_bootstrap = TRUE` has no effect: %s draws nothing", by)
  }
  if (options$pooling == "fold") {
    abort(paste('`pooling = "fold"` is how the winner was selected, as by the tool, and is not taken by %s; for that,',
                'correct with pooling = "pooled"'), by)
  }
}

# Findings of inference that takes the fitted models as given, of which it warns.
findings_of_given_models <- function(problem, options, plan, winner, luck, score, interval, of_draws) {
  found <- all_findings(rbind(
    findings_of_origin(design_of(problem, options, plan)), of_draws,
    findings_of_data(problem, options$metric),
    findings_of_winner(problem, options$metric, winner),
    findings_of_luck(luck, score, interval, "bbc")
  ))
  warn_of(found)
  found
}

show_result.bbc_possible_winners <- function(x) {
  cat_parts(sprintf("%d of %s could be the best (%s), by %s%s, method %s", sum(x$possible),
                    counted(x$n_configurations, "configuration"), percent(x$confidence_level),
                    x$metric, if (x$pooling == "fold") ", mean of folds" else "", x$method))
  shown <- frame_of(x)
  shown <- shown[order(if (x$greater_is_better) -shown$score else shown$score), ]
  print(utils::head(shown[shown$possible, c("name", "score", "p_value")], 10),
        digits = shown_digits(4))
  if (sum(x$possible) > 10) cat_parts(sprintf("and %d more, see as.data.frame()", sum(x$possible) - 10L))
  cat_parts(named("winner", x$winner_name), if (!is.null(x$seed)) seed_text(x))
  if (!is.null(x$findings)) for (text in finding_text(x$findings)) cat_parts(text)
}

frame_of.bbc_possible_winners <- function(x) {
  data.frame(configurations_in(x$names, length(x$p_values)), score = x$scores,
             p_value = x$p_values, possible = x$possible)
}

tidy_of.bbc_possible_winners <- function(x) {
  data.frame(term = frame_of(x)$name, estimate = x$scores, p.value = x$p_values,
             possible = x$possible)
}

#' Estimate the performance of the configuration that was selected
#'
#' [bbc_correct()] estimates the expected performance of *selecting and training*; this is about the
#' configuration that happens to have won here: how well do its fitted models predict new rows,
#' given that it was selected for its score on these? Scores are taken as normal on a scale, the
#' logit of bounded ones or the logarithm of losses, truncated to where the winner is the best; and
#' the performance as lying in a simultaneous interval of all configurations, at a tenth of the error
#' probability (the "hybrid" interval). The interval is within that one. There is no "conditional"
#' interval, which does without the simultaneous one: its limits run away where another configuration
#' scores almost as well, and cut to the simultaneous limits it differs from the hybrid by 1 to 3 %.
#' Fewer than ten rows or groups, or ten of either class for the AUC, have no interval.
#'
#' @param fit What [bbc_correct()] returned, by the AUC or a metric that is a mean over rows, with method
#'   `"bbc"` and `selection = "best"`, without weights, strata, pooling by fold and `resamples`.
#' @param ... No other arguments.
#' @return An object of class `bbc_estimate`, whose `estimate` is median-unbiased; without an
#'   interval, `infeasible` says why.
#' @references
#' I. Andrews, T. Kitagawa, A. McCloskey (2024). Inference on winners. *Quarterly Journal of
#' Economics* 139, 305-358.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' guesses <- matrix(rbinom(800, 1, 0.5), 80)
#' fit <- bbc_correct(guesses, truth, "accuracy", seed = 1, n_threads = 2)
#' bbc_winner_interval(fit)
#' @export
bbc_winner_interval <- function(fit, ...) UseMethod("bbc_winner_interval")

#' @export
bbc_winner_interval.default <- function(fit, ...) refuse_unfitted(fit, "bbc_winner_interval")

#' @rdname bbc_winner_interval
#' @export
bbc_winner_interval.bbc_estimate <- function(fit, ...) {
  no_more_arguments(...)
  with_call(winner_interval_of(winners_of(fit, "bbc_winner_interval")))
}

winner_interval_of <- function(correction) {
  options <- correction$selecting$options
  problem <- correction$selecting$problem
  plan <- correction$selecting$plan
  refuse_custom(options$metric, "bbc_winner_interval()")
  refuse_design(options, problem, "bbc_winner_interval()")
  raw <- checked(kernel_winner_interval(kernel_target(problem$truth), problem$predictions, plan,
                                        correction$threads), problem)
  if (nzchar(raw$warning)) warning(raw$warning, call. = FALSE)
  raw$model_luck <- model_luck(problem, plan, correction$threads, winner_places(correction)$replicates)
  sign <- if (options$metric$greater_is_better) 1 else -1
  if (!nzchar(raw$infeasible)) raw["infeasible"] <- NULL
  raw <- c(raw, list(optimism = sign * (raw$apparent - raw$estimate), n_redrawn = 0,
                     replicate_winners = integer()))
  result <- new_estimate(raw, problem, options, plan)
  result$method <- "hybrid"
  result["selection_frequency"] <- list(NULL)
  if (nzchar(raw$warning)) result$notes <- c(result$notes, raw$warning)
  result
}
