#' Correct the performance of the winner in subgroups of rows
#'
#' One configuration serves all rows, so each replicate selects one on all rows in bag, as
#' [bbc_correct()] does; its out-of-bag rows are then scored subgroup by subgroup. No model is
#' trained, and nothing is selected within a subgroup.
#'
#' A difference between two subgroups is the mean over the replicates of the difference between
#' their out-of-bag scores. Its standard error is that of the winner's scores on the rows of both, as in
#' [bbc_compare()], but without an addition for the training rows that folds share: the same models
#' predict both subgroups. It has one degree of freedom less than the smaller subgroup has rows or
#' groups (of its rarer class, for metrics that compare two classes). Where folds are drawn, the standard
#' error is made from the replicates, and from what the folds hide of the shares of the classes in either
#' subgroup. p-values are not adjusted for the number of subgroups, and the absence of a significant
#' difference is no evidence of equal performance.
#'
#' @param fit What [bbc_correct()] returned, with method `"bbc"` or `"bbc-two-level"` and without cut-offs
#'   and ensembles, which select no configuration.
#' @param by The subgroup of each row: a factor or labels, at least two. Cut numbers such as ages
#'   into classes first, see [cut()]. Of a long table, in the order of the rows' numbers.
#' @param reference Label of a subgroup: compare the others only with it. By default all pairs are
#'   compared.
#' @param metric Another metric than the one that selects.
#' @param ... No other arguments.
#' @return An object of class `bbc_subgroups`, a list with `overall` (the record of the
#'   correction), `groups` (a data frame with a row per subgroup, in the order of the labels:
#'   `subgroup`, `n_rows`, the rows of each class as `n_<class>`, of survival truths `n_events` and
#'   `n_censored`, and `too_small`, why there is no estimate), `estimates` (a `bbc_estimate` for
#'   each other subgroup; `n_undefined` counts replicates without a score), `differences` (a data
#'   frame as in [bbc_compare()], with `infeasible`, why there is no interval; positive values
#'   favour the subgroup named first), `reference` and `notes`. A subgroup for which the metric is undefined, or undefined in more than a tenth of the
#'   replicates, is too small. See [bbc_results] for its methods.
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithm 5.
#'
#' G. S. Collins et al. (2024). TRIPOD+AI statement: updated guidance for reporting clinical
#' prediction models that use regression or machine learning methods. *BMJ* 385, e078378.
#' @examples
#' # Right in 60 % of the younger and in 80 % of the older rows.
#' set.seed(1)
#' age <- rep(c("younger", "older"), 100)
#' truth <- rbinom(200, 1, 0.5)
#' right <- matrix(runif(200 * 20), 200) < ifelse(age == "older", 0.8, 0.6)
#' labels <- ifelse(right, truth, 1 - truth)
#' fit <- bbc_correct(labels, truth, "accuracy", seed = 1, n_threads = 2)
#' found <- bbc_subgroups(fit, by = age)
#' found
#' confint(found)
#' plot(found)
#' @export
bbc_subgroups <- function(fit, ...) UseMethod("bbc_subgroups")

#' @export
bbc_subgroups.default <- function(fit, ...) refuse_unfitted(fit, "bbc_subgroups")

#' @rdname bbc_subgroups
#' @export
bbc_subgroups.bbc_estimate <- function(fit, by, reference = NULL, metric = NULL, ...) {
  no_more_arguments(...)
  if (missing(by)) abort("`by` is missing: it says which subgroup each row is of")
  correction <- winners_of(fit, "bbc_subgroups")
  refuse_other_order(list(truth = attr(fit, "asked")$truth, by = by))
  labels <- subgroup_labels(by)
  pairs <- subgroup_pairs(labels$names, reference)
  divided <- divided_rows(labels, correction$selecting$problem)
  with_call(subgroups_by(read_by(metric, correction), correction, divided, pairs, reference))
}

most_undefined <- 0.1  # of the replicates: more, and those that are defined are no fair sample

# The subgroup of each row as a code, and the labels in their order.
subgroup_labels <- function(by) {
  if (!is.atomic(by) || length(dim(by)) > 1) {
    abort("`by` must be a vector or factor, not %s", first_class(by))
  }
  refuse_na(by, "by")
  found <- classes_of(if (is.factor(by)) droplevels(by) else as.vector(by))
  if (length(found) < 2) {
    abort("`by` has %s: subgroups need two",
          if (length(found)) sprintf("one label (%s)", found) else "no rows")
  }
  if (is.numeric(found) && any(found != floor(found))) {
    abort("`by` has %d different real numbers; cut them into classes, as with cut()",
          length(found))
  }
  list(codes = match(if (is.factor(by)) as.character(by) else by, found),
       names = as.character(found))
}

subgroup_pairs <- function(names, reference) {
  if (is.null(reference)) return(all_pairs(names, "by"))
  if (length(reference) != 1 || !as.character(reference) %in% names) {
    abort("`reference` must be one of the subgroups (%s), not %s", shown(names),
          shown(as.character(reference)))
  }
  rbind(setdiff(names, as.character(reference)), as.character(reference), deparse.level = 0)
}

# The rows of each subgroup, among those that stay.
divided_rows <- function(labels, problem) {
  n <- length(labels$codes)
  if (n != problem$n_rows) {
    abort("`by` has %s, `predictions` has %d", counted(n, "row"), problem$n_rows)
  }
  left <- problem$left_out_rows
  codes <- if (length(left)) labels$codes[-left] else labels$codes
  rows <- lapply(seq_along(labels$names), function(code) which(codes == code))
  stats::setNames(rows, labels$names)
}

# The subgroups by the metric that selects or another one.
subgroups_by <- function(read, correction, divided, pairs, reference) {
  scored <- read$scored
  refuse_other_cells(scored, correction)
  found <- lapply(divided, function(rows) in_subgroup(scored, correction, rows))
  estimates <- lapply(found, `[[`, "estimate")
  small <- lapply(found, `[[`, "too_small")
  compared <- pairs[, apply(pairs, 2, function(pair) all(lengths(estimates[pair]) > 0)),
                    drop = FALSE]
  groups <- data.frame(subgroup = names(divided), n_rows = unname(lengths(divided)))
  counts <- do.call(rbind, lapply(found, function(own) subgroup_counts(own$scored$problem$truth)))
  groups[names(counts)] <- counts
  groups$too_small <- vapply(small, function(why) as.character(or_na(why)), "", USE.NAMES = FALSE)
  new_result(list(
    overall = read$overall, groups = groups, estimates = estimates[lengths(estimates) > 0],
    differences = subgroup_differences(found, compared, scored),
    reference = if (!is.null(reference)) as.character(reference),
    notes = character()
  ), "bbc_subgroups")
}

# The winners' scores on the rows of a subgroup, or why it has none.
in_subgroup <- function(scored, correction, rows) {
  part <- of_rows(scored, rows)
  decided <- correction$decided
  n_bootstraps <- length(decided$replicates)
  reason <- too_small(part)
  scores <- if (is.null(reason)) {
    tryCatch(winner_scores(part, correction, rows), bbc_undefined_metric = function(error) {
      reason <<- why_undefined(part, error)
      NULL
    })
  }
  n_undefined <- n_bootstraps - length(scores$replicates)
  if (!is.null(scores) && n_undefined > most_undefined * n_bootstraps) {
    reason <- sprintf("\"%s\" is undefined in %d of %d replicates", part$options$metric$name,
                      n_undefined, n_bootstraps)
  }
  if (!is.null(reason)) return(list(scored = part, too_small = reason))
  # What the winner's predictions and the design show is known from all rows.
  blind <- part
  blind$problem["predictions"] <- list(NULL)
  estimate <- estimate_of_winners(scores, blind, decided, n_kept(part$problem))
  if (part$options$metric$name != decided$metric) estimate$decided_by <- decided$metric
  groups <- scored$problem$groups
  influence <- influence_of(
    part$problem, part$options, winner_places(correction)$all_rows, correction$threads,
    if (is.null(groups)) rows - 1L else groups[rows], n_units_of(scored$problem)
  )
  list(scored = part, scores = scores, estimate = estimate, influence = influence,
       shares = shares_in_subgroup(scored$problem, part, rows, winner_places(correction)$all_rows))
}

# What all rows contribute to the winner's score on some by the shares of their classes. Rows of the same class
# in different subgroups are of different classes of the difference.
shares_in_subgroup <- function(whole, part, rows, winner) {
  own <- class_shares_of(part$problem, winner, part$options, NULL)
  if (length(own)) replace(numeric(whole$truth$n_rows), rows, own) else own
}

# In words, why the metric is undefined on all rows of a subgroup.
why_undefined <- function(part, error) {
  truth <- part$problem$truth
  lacking <- if (!is.null(truth$codes)) which(tabulate(truth$codes + 1, truth$n_classes) == 0)
  if (length(lacking) == 0) return(sub("^`truth`:? ", "", conditionMessage(error)))
  sprintf("no row of class %s: metric \"%s\" is undefined", truth$classes[[lacking[[1]]]],
          part$options$metric$name)
}

# Data and plan of some rows alone, with folds and groups numbered anew.
of_rows <- function(scored, rows) {
  problem <- scored$problem
  options <- scored$options
  there <- seq_len(problem$truth$n_rows) %in% rows
  anew <- function(codes) codes_by_first_row(codes[rows])
  problem$truth <- kept_truth(problem$truth, there)
  problem$predictions <- lapply(problem$predictions, kept_cells, list(rows = there, configurations = TRUE))
  if (!is.null(problem$groups)) problem$groups <- anew(problem$groups)
  if (!is.null(problem$folds)) {
    folds <- problem$folds
    problem$fold_labels <- lapply(seq_len(ncol(folds)), function(i) {
      problem$fold_labels[[i]][unique(folds[rows, i]) + 1]
    })
    problem$folds <- matrix(apply(folds, 2, anew), ncol = ncol(folds))
  }
  problem$weights <- problem$weights[rows]
  problem$stratified_by <- problem$stratified_by[rows]
  problem$n_rows <- length(rows)
  problem$left_out_rows <- integer()
  options$stratify_bootstrap <- FALSE
  options$n_bootstraps <- scored$plan$n_bootstraps
  list(problem = problem, options = options, plan = kernel_options(problem, options))
}

# Why no metric can be corrected on these rows; NULL if one can.
too_small <- function(part) {
  problem <- part$problem
  if (problem$n_rows == 0) return("no configuration predicted its rows")
  if (n_units_of(problem) < 2) {
    return(if (is.null(problem$groups)) "it has one row" else "its rows are of one group")
  }
  if (!is.null(problem$weights) && all(problem$weights == 0)) return("its rows have no weight")
  if (part$options$method == "bbc-two-level" && fewest_folds(problem) < 2) {
    "its rows are in one fold, and folds are drawn"
  }
}

n_units_of <- function(problem) {
  if (is.null(problem$groups)) problem$truth$n_rows else max(problem$groups) + 1L
}

# Rows of each class, or events and censored rows, as columns.
subgroup_counts <- function(truth) {
  events <- if (is.null(truth$observed)) truth$status else truth$observed
  if (!is.null(events)) {
    return(data.frame(n_events = sum(events == 1), n_censored = sum(events != 1)))
  }
  if (is.null(truth$codes)) return(NULL)
  counts <- as.list(tabulate(truth$codes + 1, truth$n_classes))
  data.frame(stats::setNames(counts, paste0("n_", truth$classes)), check.names = FALSE)
}

# Of each pair on the replicates in which both have a score.
subgroup_differences <- function(found, pairs, scored) {
  rows <- lapply(seq_len(ncol(pairs)), function(i) {
    sides <- found[pairs[, i]]
    both <- intersect(sides[[1]]$scores$defined, sides[[2]]$scores$defined)
    replicates <- lapply(sides, function(side) {
      side$scores$replicates[match(both, side$scores$defined)]
    })
    draws <- draws_of(scored$problem, scored$options)
    problems <- lapply(sides, function(side) side$scored$problem)
    draws$n_units <- as.double(min(vapply(problems, n_units_of, 0L)))
    if (draws$of_folds) draws$n_drawn <- min(vapply(problems, fewest_folds, 0))
    draws$overlap <- 0
    numbers <- kernel_differences_of(unname(replicates), c(1, 1), 1, 2, draws, scored$options,
                                     lapply(unname(sides), `[[`, "influence"),
                                     hidden_in_pairs(lapply(unname(sides), `[[`, "shares"), 1, 2,
                                                     scored$problem, scored$options))
    infeasible <- if (nzchar(numbers$infeasible)) numbers$infeasible else NA_character_
    data.frame(first = pairs[1, i], second = pairs[2, i],
               replace(numbers, "infeasible", infeasible))
  })
  rbind(no_differences, do.call(rbind, rows))
}

no_differences <- data.frame(
  first = character(), second = character(), estimate = double(), low = double(), high = double(),
  standard_error = double(), degrees_of_freedom = double(), p_value = double(),
  first_better = double(), second_better = double(), infeasible = character()
)
