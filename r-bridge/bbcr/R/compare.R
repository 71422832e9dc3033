#' Compare families of configurations, each by its own winner
#'
#' The best score of a large family is more optimistic than that of a small one, so apparent scores
#' cannot be compared. Here each replicate selects the best of each family in bag and scores all of
#' them on the same rows out of bag; the mean difference is corrected for selection, whatever the
#' sizes of the families. No model is trained.
#'
#' The estimate is the mean of the replicates' differences. Its standard error is made from the rows of
#' the families' best configurations on all rows: what each row (or group) contributes to their scores,
#' for the AUC its placement by class, for metrics that are not means the jackknife. The models of
#' different folds share training rows, for which the variance is multiplied by 2, with several
#' partitions of K folds by 1 + K / (K - 1), for a single hold-out by 1. How much they matter depends on
#' the learners, and one cross-validation cannot show it. The t-distribution has one degree of freedom
#' less than there are rows or groups, of the rarer class for metrics that compare two classes. Where
#' both best configurations are nearly the same, the replicates may vary more, which counts then.
#'
#' Replicates select on fewer rows than the data have, which underestimates a large family; the p-value
#' is the largest that this allows. Copies of a configuration count once. If no replicate differs, it
#' is 1. p-values are not adjusted for the number of pairs.
#'
#' @param predictions A named list with the predictions of each family, each as [bbc_correct()] takes
#'   them: matrices, arrays, lists of them (repeats), tables, caret models, `cv.glmnet()` fits, results
#'   of mlr3 or lists of such models; or, with `by`, one of these. What [bbc_correct()] returned brings its
#'   data, metric, method, rule and other options, not its draws; options that differ between such fits
#'   are said in the call. Where tools chose by the mean over folds, replicates do, and their winners
#'   are scored on all rows together, as by [bbc_correct()]. All must be of the same rows
#'   and folds: with caret and glmnet give `trainControl(index = )` and `foldid` the same folds.
#' @param metric As in [bbc_correct()]: it selects each family's winner.
#' @param secondary Further metrics by which the same winners are compared.
#' @param truth,groups,stratified_by,stratify_bootstrap,class_counts,sample_weight,event_level,missing,pooling,n_bootstraps,resamples,on_undefined,dynamic_search,size_correction,seed,n_threads
#'   As in [bbc_correct()]. Models that know their truth keep it; the others take `truth`. Where models
#'   have other events, as a factor's first level in caret and its second in glmnet, say by
#'   `event_level` which it is.
#' @param by The family of each configuration, to split one set of predictions.
#' @param reference Name of a family: compare only with it. By default all pairs are compared.
#' @param method `"bbc"` draws rows (or groups), `"bbc-two-level"` folds, and rows within them; standard
#'   errors are then those of the replicates, which are wider.
#' @param folds As in [bbc_correct()], the same for all families.
#' @param block_length As in [bbc_correct()], for rows in order of time; `"auto"` is the longest that a
#'   family needs.
#' @param selection As in [bbc_correct()], but for [bbc_one_standard_error()].
#' @param confidence_level Level of the intervals of estimates and differences.
#' @param alternative Of the p-values, and the side of all intervals. For differences `"greater"`
#'   means that the first family is better, whatever the direction of the metric.
#' @param estimate Name of the column of predictions of long tables, see [bbc_tables].
#' @param ... No other arguments.
#' @return An object of class `bbc_comparison`, a list with `estimates` (a `bbc_estimate` per family,
#'   which equals that of [bbc_correct()] with the same seed), `differences` (a data frame with a row
#'   per pair: `first`, `second`, `estimate`, `low`, `high`, `standard_error`, `degrees_of_freedom`,
#'   `p_value`, `first_better` and `second_better`, the shares of the replicates in which one scores
#'   better), `replicates` (a matrix, a column per pair), `infeasible` (why there are no intervals)
#'   and more. Positive differences favour the family named first. `secondary` is a named list of such comparisons by other
#'   metrics.
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithm 5.
#'
#' P. Bayle, A. Bayle, L. Janson, L. Mackey (2020). Cross-validation confidence intervals for test
#' error. *NeurIPS* 33.
#' @examples
#' set.seed(1)
#' truth <- rbinom(100, 1, 0.5)
#' guesses <- function(n) matrix(rbinom(100 * n, 1, 0.5), 100)
#' bbc_compare(list(tuned = guesses(60), default = guesses(1)), truth, "accuracy",
#'             reference = "default", seed = 1, n_threads = 2)
#' @export
bbc_compare <- function(predictions, truth, metric, secondary = NULL, by = NULL,
                        reference = NULL, method = "bbc", folds = NULL, groups = NULL,
                        stratified_by = NULL, block_length = NULL, stratify_bootstrap = FALSE,
                        class_counts = "sampled", sample_weight = NULL,
                        event_level = NULL, missing = "raise", pooling = "pooled", selection = "best",
                        n_bootstraps = NULL, resamples = NULL, confidence_level = 0.95,
                        alternative = "two-sided", on_undefined = "redraw", dynamic_search = FALSE,
                        size_correction = TRUE, estimate = NULL, seed = NULL, n_threads = NULL, ...) {
  no_more_arguments(...)
  if (has_fits(predictions)) {
    given <- lapply(as.list(match.call())[-1], eval, parent.frame())
    return(with_call(do.call(bbc_compare, with_fits(given), quote = TRUE)))
  }
  if (missing(metric)) abort_no_metric()
  method <- choice(method, "method", c("bbc", "bbc-two-level"))
  metric <- bbc_metric(selecting_metric(metric))
  others <- secondary_metrics(secondary, metric)
  if (length(others)) refuse_secondary(predictions, missing = missing, selection = selection)
  said <- if (!missing(pooling)) pooling
  options <- checked_options(metric, method, pooling, stratify_bootstrap, n_bootstraps,
                             confidence_level, alternative, on_undefined, seed, selection,
                             dynamic_search, size_correction, class_counts = class_counts)
  if (!is.null(options$selection$complexity)) {
    abort("`selection` ranks the configurations of one search by complexity, not of families")
  }
  threads <- threads_of(n_threads)
  truth <- if (!missing(truth)) truth
  given_by <- function(options) {
    if (is.null(by)) return(named_families(predictions))
    split_families(predictions, truth, by, options, estimate, folds, event_level)
  }
  problems_of <- function(given, options, block_length) {
    known <- vapply(given, knows_truth, NA)
    if (!is.null(truth) && all(known)) abort("`truth` is known by these models: leave it out")
    lapply(stats::setNames(nm = names(given)), function(name) {
      as_element(name, family_problem(given[[name]], if (!known[[name]]) truth, options, estimate,
                                      folds, groups, sample_weight, event_level, missing,
                                      block_length = block_length, threads = threads,
                                      stratified_by = stratified_by))
    })
  }
  given <- given_by(options)
  own_rule <- list(method = method, missing = missing, sample_weight = sample_weight,
                   pooling = said, selection = if (!missing(selection)) selection)
  if (is.character(block_length)) {
    # Of configurations that `by` splits, that of all; of a list, the longest.
    whole <- if (is.null(by)) given else list(predictions = predictions)
    block_length <- max(vapply(problems_of(whole, options, block_length), `[[`, 0, "block_length"))
  }
  problems <- problems_of(given, options, block_length)
  for (problem in problems) warn_of_said(problem)
  for (name in names(problems)[-1]) check_same_family(problems, name)
  pairs <- family_pairs(names(problems), reference)
  if (is.null(said)) options$pooling <- pooling_of_families(problems)
  of_means <- are_by_means(problems, metric, own_rule)
  selecting <- if (of_means) replace(options, "pooling", "fold") else options
  if (of_means) problems <- problems_of(given_by(selecting), selecting, block_length)
  corrections <- lapply(problems, function(problem) {
    if (derives(options$selection)) check_choice(options$selection, problem)
    plan <- kernel_options(problem, selecting, resamples)
    check_class_counts(problem, selecting, plan)
    scored <- list(problem = problem, options = selecting, plan = plan)
    selecting$dynamic_search <- options$dynamic_search || isTRUE(problem$dynamic_search)
    e <- new_estimate(corrected(problem, selecting, plan, threads), problem, selecting, plan)
    e$design[names(problem$known_design)] <- problem$known_design
    list(decided = with_deployed(as_settled(e, problem), problem$claim),
         selecting = scored, threads = threads)
  })
  n_distinct <- vapply(problems, function(problem) kernel_n_distinct(problem$predictions), 0)
  compared <- function(estimates, problems, options) {
    new_comparison(estimates, pairs, problems, n_distinct, options, reference, threads)
  }
  by_other <- function(other, scored_by = reported) {
    own <- options_by(other, options, corrections[[1]]$decided$seed)
    read <- problems_of(given_by(own), own, block_length)
    if (is.null(said)) own$pooling <- pooling_of_families(read)
    scored <- lapply(read, function(problem) {
      list(problem = problem, options = own, plan = kernel_options(problem, own, resamples))
    })
    # Whether a metric is defined depends on the truth, so it is for all families or for none.
    compared(Map(scored_by, scored, corrections), read, own)
  }
  found <- if (of_means) by_other(metric, scored_together)
           else compared(lapply(corrections, `[[`, "decided"), problems, options)
  if (of_means) found$notes <- c(found$notes, chosen_by_means)
  if (length(others)) found$secondary <- lapply(others, by_other)
  with_call(found)
}

chosen_by_means <-
  "winners are chosen by the mean over folds, as the tools chose them, and scored on all rows together"

# Whether bbc_correct() corrects the choice of each family as one by means over folds, which families that
# were chosen by no tool follow. Families with other rules have to be told one.
are_by_means <- function(problems, metric, asked) {
  rules <- lapply(problems, function(problem) {
    claim <- problem$rule_of
    if (!length(claim)) return(NULL)
    if (!is_own_choice(claim, metric, asked)) return("pooled")
    if (claim$chosen_by == "best") claim$rule else claim$chosen_by
  })
  rules <- unlist(rules)
  if (any(lengths(asked[c("pooling", "selection")]))) return(FALSE)
  odd <- rules[!rules %in% c("pooled", "fold")]
  if (length(odd)) {
    abort(paste("`selection`: family %s was chosen by %s, which is not for comparisons; selection = \"best\"",
                "compares the best of each"), names(odd)[[1]], odd[[1]])
  }
  unlike <- rules[rules != rules[1]]
  if (length(unlike)) refuse_other_means(c(rules[1], unlike[1]) == "fold", c(names(rules)[1], names(unlike)[1]))
  length(rules) > 0 && rules[[1]] == "fold"
}

# How the metric of families is pooled: as what made them pools it, if they agree.
pooling_of_families <- function(problems) {
  each <- vapply(problems, `[[`, "", "pooling")
  if (length(unique(each)) > 1) refuse_other_means(each == "fold", names(each))
  each[[1]]
}

refuse_other_means <- function(of_means, names) {
  abort(paste("`pooling`: the winner of family %s is chosen by the mean over folds, that of %s on all rows",
              "together; pooling = \"pooled\" or \"fold\" says it for all"),
        names[of_means][[1]], names[!of_means][[1]])
}

# Whether families are corrections, or some are.
has_fits <- function(families) {
  inherits(families, "bbc_estimate") ||
    identical(class(families), "list") && any(vapply(families, inherits, NA, "bbc_estimate"))
}

# The arguments of a comparison of fits: their data, and of their options those that are not said in
# the call and are the same in all. Their draws are their own.
with_fits <- function(given) {
  is_one <- inherits(given$predictions, "bbc_estimate")
  if (is_one && is.null(given$by)) {
    abort(paste("`predictions` is one correction: give a named list of two or more, or `by`, the family of",
                "each configuration"))
  }
  families <- if (is_one) list(predictions = given$predictions) else named_families(given$predictions)
  are_fits <- vapply(families, inherits, NA, "bbc_estimate")
  asked <- lapply(stats::setNames(nm = names(families)[are_fits]), function(name) {
    kept_by(families[[name]], if (is_one) "bbc_compare()" else paste("family", name))
  })
  of_means <- vapply(families[are_fits], function(fit) isTRUE(attr(fit, "by_means")), NA)
  if (length(unique(of_means)) > 1 && !any(c("pooling", "selection") %in% names(given))) {
    refuse_other_means(of_means, names(of_means))
  }
  given$predictions <- replace(families, are_fits, lapply(asked, data_of))
  if (is_one) given$predictions <- given$predictions[[1]]
  brought <- lapply(names(asked), function(name) {
    c(asked[[name]]["metric"], method = families[[name]]$method,
      asked[[name]]$options[setdiff(names(asked[[name]]$options), "method")])
  })
  unlike <- c("truth", "secondary", "by", "reference", design_of_data, "seed", "n_threads",
              "n_bootstraps", "resamples")
  for (option in setdiff(names(formals(bbc_compare)), c("predictions", unlike, "..."))) {
    if (option == "metric" && !is.null(given$metric)) given$metric <- one_metric(given$metric)
    own <- lapply(brought, function(options) {
      if (is.null(options[[option]])) formals(bbc_compare)[[option]] else options[[option]]
    })
    if (option %in% names(given) && option != "metric") next
    # What no fit was told is settled as without fits.
    if (all(vapply(brought, function(options) is.null(options[[option]]), NA))) next
    if (option %in% names(given)) own <- c(list(given[[option]]), own)
    same <- all(vapply(own, identical, NA, own[[1]]))
    if (!same && option == "metric") {
      abort("`metric` selects the winners of all families, and is not that of every fit")
    }
    if (!same) abort("`%s` differs between the fits: say it in the call, for all families", option)
    given[option] <- own[1]
  }
  given
}

design_of_data <- c("folds", "groups", "stratified_by", "sample_weight", "event_level")

# The data of a correction.
data_of <- function(asked) {
  data <- asked$predictions
  if (!inherits(data, "bbc_data")) {
    data <- structure(list(predictions = data, truth = asked$truth), class = "bbc_data")
  }
  own <- asked$options[intersect(names(asked$options), c(design_of_data, "names"))]
  structure(utils::modifyList(unclass(data), own), class = "bbc_data")
}

# The families of a named list.
named_families <- function(predictions) {
  if (identical(class(predictions), "list") && is.null(names(predictions))) {
    abort("`predictions` must be a named list, and this one has no names: list(tuned = ..., default = ...)")
  }
  if (!is.list(predictions) || is.data.frame(predictions) || inherits(predictions, fitted_classes)) {
    abort(paste("`predictions` must be a named list, of the predictions of each family, not %s;",
                "`by` splits the configurations of one set"), first_class(predictions))
  }
  labels <- names(predictions)
  if (any(is.na(labels) | !nzchar(labels))) abort("`predictions` has a family without a name")
  if (anyDuplicated(labels)) {
    abort("`predictions` has two families named %s", labels[[anyDuplicated(labels)]])
  }
  if (length(labels) < 2) {
    abort("`predictions` has %s, but a comparison needs two",
          counted(length(labels), "family", "families"))
  }
  predictions
}

# Whether a family brings its truth.
knows_truth <- function(predictions) {
  if (inherits(predictions, "bbc_data")) {
    return(!is.null(predictions$truth) || knows_truth(predictions$predictions))
  }
  if (inherits(predictions, fitted_classes)) return(!inherits(predictions, need_truth))
  identical(class(predictions), "list") && length(predictions) > 0 &&
    all(vapply(predictions, knows_truth, NA))
}

# The families inside one set of predictions, in order of their first configurations.
split_families <- function(predictions, truth, families, options, estimate, folds, event_level) {
  given <- unpacked(predictions, truth, options$metric, estimate, folds, event_level, NULL)
  arrays <- per_repeat(given$predictions)
  n <- dim(arrays[[1]])[[2]]
  families <- as.character(families)
  if (anyNA(families) || any(!nzchar(families))) abort("`by` has a family without a name")
  if (length(families) == 1 && n > 1) {
    abort("`by` must give the family of each of the %d configurations, such as its hyper-parameter, not %s", n,
          shown(families))
  }
  if (length(families) != n) {
    abort("`by` has %s for %s", counted(length(families), "entry", "entries"),
          counted(n, "configuration"))
  }
  if (length(unique(families)) < 2) abort("`by` has one family, but a comparison needs two")
  labels <- if (is.null(given$names)) colnames(arrays[[1]]) else given$names
  part <- function(name) {
    own <- families == name
    given$predictions <- in_time_order(of_some(arrays, own), are_in_time_order(given$predictions))
    given["names"] <- list(labels[own])
    given$claim_of_all <- given$claim
    given["claim"] <- list(NULL)
    structure(given, class = "bbc_unpacked")
  }
  sapply(unique(families), part, simplify = FALSE)
}

# What was unpacked before it was split.
reading.bbc_unpacked <- function(predictions, truth, metric, estimate, folds, event_level,
                                  names) {
  unclass(predictions)
}

family_problem <- function(predictions, truth, options, estimate, folds, groups, sample_weight,
                           event_level, missing, names = NULL, block_length = NULL, threads = 0L,
                           stratified_by = NULL) {
  source <- if (inherits(predictions, "bbc_data")) predictions$predictions else predictions
  dropped <- if (inherits(source, "bbc_protocol")) !is.na(source$configurations$dropped)
  if (any(dropped) && missing == "raise") {
    abort(paste("`predictions`: the protocol dropped %d of %d configurations on the way, which a comparison",
                "does not take; tune with protocol = \"BBC\""), sum(dropped), length(dropped))
  }
  given <- unpacked(predictions, truth, options$metric, estimate, folds, event_level, names)
  problem <- problem_of(given, options, groups, sample_weight, missing, block_length = block_length,
                        threads = threads, stratified_by = stratified_by)
  problem$said <- c(given$note, if (is.null(sample_weight)) given$unweighted)
  problem$dynamic_search <- given$dynamic_search
  problem$pooling <- pooling_of(given, options$metric)
  problem$known_design <- given$design
  problem[c("differs", "checked", "lost", "claim")] <- given[c("differs", "checked", "lost", "claim")]
  problem$rule_of <- if (is.null(given$claim)) given$claim_of_all else given$claim
  problem$row_names <- if (is.null(given$row_ids) && is.null(given$row_names)) {
    row_names_of(per_repeat(given$predictions)[[1]])
  } else {
    given$row_names
  }
  problem
}

# What the objects that were unpacked say against themselves.
warn_of_said <- function(problem) for (note in problem$said) warning(note, call. = FALSE)

# Refuses families whose replicates would not draw the same rows.
check_same_family <- function(problems, name) {
  ours <- problems[[1]]
  theirs <- problems[[name]]
  refuse <- function(what) {
    abort(paste("`predictions`: family %s has %s family %s; families are compared on the same",
                "rows, folds, groups and weights"), name, what, names(problems)[[1]])
  }
  if (ours$n_rows != theirs$n_rows || !identical(ours$left_out_rows, theirs$left_out_rows)) {
    refuse("predictions of other rows than")
  }
  both <- paste0("predictions$", c(names(problems)[[1]], name))
  refuse_other_order(stats::setNames(list(named_rows(ours), named_rows(theirs)), both))
  if (!identical(ours$truth$event, theirs$truth$event)) {
    abort("`event_level`: the event is %s in family %s, and %s in family %s; say which it is",
          ours$truth$event, names(problems)[[1]], theirs$truth$event, name)
  }
  parts <- c("codes", "values", "status")
  if (!identical(ours$truth[parts], theirs$truth[parts])) refuse("another truth than")
  for (part in c("folds", "groups", "stratified_by", "weights")) {
    if (identical(ours[[part]], theirs[[part]])) next
    refuse(if (is.null(theirs[[part]])) paste0("no ", part, ", unlike")
           else paste("other", part, "than"))
  }
  if (ours$n_repeats != theirs$n_repeats) refuse("another number of repeats than")
}

fewest_folds <- function(problem) {
  if (is.null(problem$folds)) 0 else min(apply(problem$folds, 2, max)) + 1
}

# Families or subgroups that are compared in pairs, of which there are then 19,900.
most_compared <- 200

all_pairs <- function(labels, name) {
  if (length(labels) > most_compared) {
    abort(paste("`%s` has %d labels, at most %d can be compared in pairs; compare them with one,",
                "`reference`"), name, length(labels), most_compared)
  }
  utils::combn(labels, 2)
}

# Pairs of names; the reference is always second.
family_pairs <- function(labels, reference) {
  if (is.null(reference)) return(all_pairs(labels, "by"))
  if (!is.character(reference) || length(reference) != 1 || !reference %in% labels) {
    abort("`reference` must be one of the families (%s), not %s", shown(labels), shown(reference))
  }
  rbind(setdiff(labels, reference), reference, deparse.level = 0)
}

# What replicates draw, as many rows, groups or folds as there are.
draws_of <- function(problem, options) {
  two_level <- options$method == "bbc-two-level"
  n_units <- as.double(n_units_of(problem))
  list(n_drawn = if (two_level) as.double(fewest_folds(problem)) else n_units, n_units = n_units,
       n_repeats = as.double(if (two_level) problem$n_repeats else 1), of_folds = two_level,
       overlap = if (two_level) 0 else training_overlap(problem))
}

# What training rows that the folds share add to the variance of rows, as a multiple of it.
training_overlap <- function(problem) {
  kernel_training_overlap(as.double(fewest_folds(problem)), as.integer(problem$n_repeats))
}

# What the rows contribute to the score of a configuration, counted among those that stay; NULL where
# folds or choices are drawn. `units`: other units than rows or groups, counted from 0.
influence_of <- function(problem, options, winner, threads, units = NULL, n_units = 0) {
  if (options$method != "bbc" || derives(options$selection)) return(NULL)
  found <- if (!is.null(options$metric$score)) {
    influence_by_function(problem, options, winner, units)
  } else {
    plan <- kernel_options(problem, replace(options, "stratify_bootstrap", FALSE))
    if (!is.null(units)) plan$units <- as.integer(units)
    checked(kernel_influence(kernel_target(problem$truth), problem$predictions, plan,
                             as.integer(winner), threads), problem)
  }
  if (length(found$values)) {
    found$values <- c(found$values, numeric(max(0, n_units - length(found$values))))
  }
  found
}

# The jackknife of a function of R, as in the kernel.
influence_by_function <- function(problem, options, winner, units) {
  most <- 500  # calls
  if (is.null(units)) units <- problem$groups
  if (is.null(units)) units <- seq_len(problem$truth$n_rows) - 1L
  there <- sort(unique(units))
  n <- length(there)
  step <- ceiling(n / most)
  score <- row_scorer(problem, options$metric)
  whole <- score(winner, seq_along(units), "on all rows")
  values <- numeric(max(units) + 1)
  for (unit in there[seq(1, n, by = step)]) {
    without <- score(winner, which(units != unit), "without some rows")
    values[[unit + 1]] <- (whole - without) * sqrt(step * (n - 1) / n)
  }
  list(values = values, n_effective = as.double(n),
       infeasible = if (n < 2) "too few rows or groups tell the error of the score" else "")
}

# The kernel's differences between pairs of families, whose replicates are a list. Of families of
# so many configurations the p-values allow for their number; 1 is no allowance. `hidden` is the standard
# error of each pair that replicates do not show.
kernel_differences_of <- function(replicates, n_configurations, first, second, draws, options,
                                  influences = vector("list", length(replicates)),
                                  hidden = numeric(length(first))) {
  metric <- options$metric
  limits <- metric_limits(metric, Inf)
  raw <- checked(kernel_differences(
    replicates, as.double(n_configurations), influences, as.integer(first), as.integer(second),
    as.double(hidden), c(draws, list(greater_is_better = metric$greater_is_better,
                  confidence_level = options$confidence_level, alternative = options$alternative,
                  lowest = limits[[1]], highest = limits[[2]]))
  ))
  lapply(raw, function(x) if (is.double(x)) replace(x, is.nan(x), NA) else x)
}

shared_training <- paste(
  "the models of different folds share training rows; standard errors allow for it by a rule of",
  "thumb, because one cross-validation cannot show how much it matters"
)

# What the rows contribute to the score of the best by the shares of their classes; nothing where rows are drawn.
# `e` is the estimate, `winner` a number among the configurations that stay.
class_shares_of <- function(problem, winner, options, e) {
  if (options$method == "bbc") return(numeric())
  if (derives(options$selection)) {
    output <- chosen_output(list(problem = problem, options = options), e, winner)
    problem <- output$problem
    options <- output$options
    winner <- 1
  }
  checked(kernel_class_contributions(kernel_target(problem$truth), problem$predictions,
                                     kernel_options(problem, options), as.integer(winner)), problem)
}

# The standard error of each pair's difference that draws hide.
hidden_in_pairs <- function(shares, first, second, problem, options) {
  if (!any(lengths(shares))) return(numeric(length(first)))
  plan <- kernel_options(problem, options)
  mapply(function(a, b) kernel_hidden_by_draws(shares[[a]], shares[[b]], plan), first, second)
}

new_comparison <- function(estimates, pairs, problems, n_distinct, options, reference, threads) {
  draws <- draws_of(problems[[1]], options)
  metric <- options$metric
  first <- match(pairs[1, ], names(estimates))
  second <- match(pairs[2, ], names(estimates))
  plan <- estimates[[1]]
  winners <- Map(function(e, problem) {
    kept <- problem$kept_configurations
    if (is.null(kept)) e$winner else match(e$winner, kept)
  }, estimates, problems)
  shares <- Map(class_shares_of, problems, winners, list(options), estimates)
  raw <- kernel_differences_of(
    lapply(estimates, `[[`, "replicates"), n_distinct, first, second, draws, options,
    Map(influence_of, problems, list(options), winners, threads),
    hidden_in_pairs(shares, first, second, problems[[1]], options)
  )
  infeasible <- unique(raw$infeasible[nzchar(raw$infeasible)])
  if (length(infeasible) == 0) infeasible <- NULL
  numbers <- raw[names(raw) != "infeasible"]
  replicates <- Map(function(a, b) {
    difference <- estimates[[a]]$replicates - estimates[[b]]$replicates
    if (metric$greater_is_better) difference else 0 - difference
  }, first, second)
  labels <- paste(pairs[1, ], "-", pairs[2, ])
  new_result(list(
    estimates = estimates,
    differences = data.frame(first = pairs[1, ], second = pairs[2, ], numbers),
    replicates = matrix(unlist(replicates), ncol = length(first), dimnames = list(NULL, labels)),
    reference = reference, infeasible = infeasible, metric = metric$name,
    greater_is_better = metric$greater_is_better, method = options$method,
    pooling = options$pooling, confidence_level = options$confidence_level,
    alternative = options$alternative, n_bootstraps = plan$n_bootstraps, seed = plan$seed,
    version = kernel_version(),
    notes = if (draws$overlap > 0) shared_training
  ), "bbc_comparison")
}
