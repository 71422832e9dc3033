# What each protocol estimates from the predictions of its loop.

# The run with the options of its tests, once the estimate was computed from predictions that tell the
# truth: wrong arguments and folds that leave the metric undefined are refused before a model is trained.
rehearsed <- function(run) {
  options <- run$options
  rule <- if (is.null(options$selection)) "best" else options$selection
  if (is.function(rule) || derives(selection_of(rule))) {
    abort("`selection`: bbc_tune() selects one configuration, by a rule of the kernel; %s",
          "bbc_correct() of the result takes others")
  }
  if (run$protocol == "BBCD" && identical(options$method, "bbc-f")) {
    abort("`method`: protocol \"BBCD\" draws rows; \"bbc-f\" is a method of \"BBC\"")
  }
  seen <- told_by_truth(run)
  suppressWarnings(estimated(run, seen))
  if (run$protocol == "BBCD") {
    of_tests <- c("pooling", "stratify_bootstrap", "class_counts", "n_bootstraps", "selection")
    given <- options[intersect(of_tests, names(options))]
    if (is.null(given$n_bootstraps)) {
      given$n_bootstraps <- kernel_default_n_bootstraps("dominated", FALSE)
    }
    run$testing <- do.call(checked_options, c(list(run$metric, seed = run$seed), given))
  }
  run
}

# The state of a run whose models predict the truth itself.
told_by_truth <- function(run) {
  array <- empty_predictions(run)
  truth <- run$truth
  values <- if (is.character(array)) as.character(truth)
            else if (inherits(truth, "Surv")) -truth[, "time"]
            else if (is.factor(truth)) ifelse(diag(nlevels(truth))[as.integer(truth), ] == 1, 0.9, 0.1)
            else (truth - min(0, truth) + (if (min(truth) <= 0) mean(abs(truth)) + 1 else 0)) *
              seq(1, 1.01, length.out = length(truth)) # the truth itself would be refused
  if (is.factor(truth) && is.matrix(values)) values <- values / rowSums(values)
  every <- seq_along(run$names)
  array <- placed(array, seq_len(nrow(run$x)), every, rep(list(values), length(every)))
  each <- rep(list(array), ncol(run$folds))
  list(working = every, predictions = each, at_drop = Inf, n_trained = 0, warnings = list(),
       failures = character(length(every)), dropped = NULL, rehearsal = TRUE,
       inner = lapply(seq_along(each), function(r) rep(list(array), max(run$folds[, r]))))
}

# The `estimate`, with the number of models trained for it, and of nested cross-validation the `outer` folds.
estimated <- function(run, state) {
  found <- switch(
    run$protocol,
    BBCD = , BBC = list(estimate = corrected_estimate(run, state)),
    TT = list(estimate = estimate_by_distance(run, state)),
    CVT = list(estimate = do.call(plain_estimate, apparent_estimate(run, state))),
    "CVM-CV" = estimate_in_new_folds(run, state),
    NCV = nested_estimate(run, state)
  )
  if (is.null(found$n_trained)) found$n_trained <- 0
  found$estimate$design <- design_of_run(run, state, found$estimate$design)
  found
}

# The design with what only the loop knows of it.
design_of_run <- function(run, state, design) {
  drawn <- run$draws_folds
  gone <- state$dropped[!is.na(state$dropped)]
  known <- list(
    training = "observed", stratified = if (drawn) is.null(run$groups) && (is.factor(run$truth) || inherits(run$truth, "Surv")),
    grouped = if (drawn) !is.null(run$groups), time_ordered = FALSE, dynamic_search = FALSE,
    n_failed = sum(nzchar(state$failures)), dropped_after = gone
  )
  design[names(known)] <- known
  design
}

# Predictions of the configurations that are left, as bbc_correct() takes them.
named_predictions <- function(run, state) {
  predictions <- lapply(of_some(state$predictions, state$working), function(array) {
    dimnames(array)[2] <- list(run$names[state$working])
    array
  })
  if (length(predictions) == 1) predictions[[1]] else predictions
}

# Those of all configurations, which keep their numbers, without any of those that were dropped or failed.
numbered_predictions <- function(run, arrays, working) {
  gone <- setdiff(seq_along(run$names), working)
  lapply(arrays, function(array) {
    dimnames(array)[2] <- list(run$names)
    if (length(dim(array)) == 3) array[, gone, ] <- NA else array[, gone] <- NA
    array
  })
}

# What becomes of configurations without predictions.
missing_of <- function(run, working) if (length(working) < length(run$names)) "drop-configurations" else "raise"

corrected_estimate <- function(run, state) {
  given <- c(list(
    numbered_predictions(run, state$predictions, state$working), run$truth, run$metric, folds = run$folds,
    groups = run$groups, event_level = run$event, seed = run$seed, missing = missing_of(run, state$working)
  ), run$options)
  e <- do.call(bbc_correct.default, given)
  if (!is.finite(state$at_drop)) return(e)
  with_findings(e, found_by("dropping", list(n_predictions_at_drop = state$at_drop)))
}

# The data of an estimate without replicates: predictions of some rows in their folds.
uncorrected_problem <- function(run, arrays, working, method, folds = run$folds,
                                rows = seq_len(nrow(run$x))) {
  options <- list(metric = run$metric, method = method, pooling = choice(
    if (method == "ncv") "fold" else if (is.null(run$options$pooling)) "pooled" else run$options$pooling,
    "pooling", c("pooled", "fold")
  ))
  every <- seq_along(run$names)
  arrays <- lapply(numbered_predictions(run, arrays, working), cells_of, rows, every)
  groups <- run$groups[rows]
  problem <- make_problem(arrays, run$truth[rows], options, folds = folds[rows, , drop = FALSE],
                          groups = if (length(unique(groups)) > 1) groups, event_level = run$event,
                          missing = missing_of(run, working))
  list(problem = problem, options = options)
}

# Scores (fold, configuration, repeat); of rows that are pooled there is one fold of all.
scores_by_fold <- function(given, threads) {
  problem <- given$problem
  if (given$options$pooling == "pooled") problem$folds[] <- 0L
  aperm(fold_scores(problem, given$options$metric, threads), c(2, 1, 3))
}

# Means over the folds of each repeat, of which some have fewer, and over repeats, summed as the kernel does.
means_of_scores <- function(scores) {
  total <- numeric(dim(scores)[[2]])
  for (r in seq_len(dim(scores)[[3]])) {
    sums <- numeric(dim(scores)[[2]])
    for (fold in seq_len(dim(scores)[[1]])) sums <- sums + scores[fold, , r]
    total <- total + sums / dim(scores)[[1]]
  }
  total / dim(scores)[[3]]
}

best_score <- function(scores, metric) if (metric$greater_is_better) which.max(scores) else which.min(scores)

# An estimate without an interval.
plain_estimate <- function(given, raw) {
  raw$optimism <- optimism_of(raw, given$options$metric)
  new_estimate(raw, given$problem, given$options)
}

apparent_estimate <- function(run, state, method = "cvt") {
  given <- uncorrected_problem(run, state$predictions, state$working, method)
  scores <- means_of_scores(scores_by_fold(given, run$threads))
  best <- best_score(scores, run$metric)
  list(given = given, raw = list(estimate = scores[[best]], apparent = scores[[best]], winner = best))
}

# CVM-CV: the winner's score in partitions that did not select it.
estimate_in_new_folds <- function(run, state) {
  tuned <- apparent_estimate(run, state, "cvm-cv")
  winner <- state$working[[tuned$raw$winner]]
  anew <- run
  anew$folds <- run$new_folds
  if (isTRUE(state$rehearsal)) {
    again <- list(predictions = rep(state$predictions[1], ncol(anew$folds)), n_trained = 0)
  } else {
    anew[c("protocol", "raises")] <- list("CVT", TRUE)
    again <- cross_validated(anew, winner)
  }
  given <- uncorrected_problem(anew, again$predictions, winner, "cvm-cv")
  tuned$raw$estimate <- means_of_scores(scores_by_fold(given, run$threads))[[1]]
  list(estimate = plain_estimate(tuned$given, tuned$raw), n_trained = again$n_trained,
       warnings = again$warnings)
}

# The winner's mean over folds, less its mean distance from the best of each.
estimate_by_distance <- function(run, state) {
  given <- uncorrected_problem(run, state$predictions, state$working, "tt")
  tt_estimate(given$problem, given$options, run$threads)
}

# Nested cross-validation: the mean, over outer folds, of the score of what the inner loop selects.
nested_estimate <- function(run, state) {
  given <- uncorrected_problem(run, state$predictions, state$working, "ncv")
  scores <- scores_by_fold(given, run$threads)
  outer <- places_of_folds(run$folds)
  outer$winner <- NA_integer_
  outer$score <- NA_real_
  for (place in seq_len(nrow(outer))) {
    r <- outer$rep[[place]]
    fold <- outer$fold[[place]]
    own <- run$folds[, r]
    inner <- uncorrected_problem(run, state$inner[[r]][fold], state$working, "ncv", matrix(own),
                                 which(own != fold))
    chosen <- best_score(means_of_scores(scores_by_fold(inner, run$threads)), run$metric)
    outer$winner[[place]] <- chosen
    outer$score[[place]] <- scores[fold, chosen, r]
  }
  by_repeat <- array(outer$score, c(dim(scores)[[1]], 1, ncol(run$folds)))
  means <- means_of_scores(scores)
  winner <- best_score(means, run$metric)
  estimate <- plain_estimate(given, list(
    estimate = means_of_scores(by_repeat)[[1]], apparent = means[[winner]], winner = winner
  ))
  outer$winner <- run$names[state$working[outer$winner]]
  list(estimate = estimate, outer = outer)
}

# A line per fold of each repeat.
places_of_folds <- function(folds) {
  folds <- as.matrix(folds)
  n <- apply(folds, 2, max)
  data.frame(rep = rep(seq_len(ncol(folds)), n), fold = sequence(n))
}
