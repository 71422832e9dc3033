# Protocols in R alone: cross-validation of all configurations, with what is dropped on the way, and of
# nested cross-validation the models without two folds.

tuned_in_r <- function(asked, cv, store, options) {
  run <- asked
  run$options <- options
  run$threads <- threads_of(options$n_threads)
  run$x <- asked$design$x
  run$names <- configuration_names(asked$learners)
  if (anyDuplicated(run$names)) {
    abort("`learners`: two configurations are called %s", run$names[duplicated(run$names)][[1]])
  }
  run$draws_folds <- is_one_number(cv)
  if (asked$protocol == "NCV" && run$draws_folds && cv %in% 2) {
    abort("`cv`: nested cross-validation needs three folds, one to leave out and two to select on")
  }
  of_learner <- lapply(asked$learners, `[[`, "configurations")
  run$configurations <- data.frame(learner = rep(seq_along(of_learner), lengths(of_learner)))
  run$parameters <- unlist(of_learner, recursive = FALSE, use.names = FALSE)
  run$seeds <- seeds_of_configurations(asked$seed, length(run$names))
  run$functions <- lapply(asked$learners, function(own) {
    around <- asked$design$around
    if (is.null(around)) own[c("fit", "predict")] else around(own$fit, own$predict)
  })
  partitions <- tune_folds(cv, asked$n_repeats * if (asked$protocol == "CVM-CV") 2 else 1, asked$truth,
                           asked$groups, asked$seed)
  run$folds <- partitions[, seq_len(asked$n_repeats), drop = FALSE]
  run$new_folds <- partitions[, -seq_len(asked$n_repeats), drop = FALSE]
  if (asked$pooling == "auto" && run$metric$predicts == "risk") {
    run$options$pooling <- automatic_pooling(run$metric, run$truth, run$folds)
  }
  run <- rehearsed(run)
  run$needs <- unique(unlist(lapply(c(list(asked$truth), as.list(run$x)), namespaces_of)))
  run$store <- open_store(store)
  run$keys <- if (!is.null(run$store)) vapply(asked$learners, function(own) digest_of(list(
    run$x, asked$truth, asked$event, asked$design$steps, own$model, own$code,
    as.character(utils::packageVersion("bbcr"))
  )), "")
  run$progress <- progress_of(run)
  on.exit(run$progress(Inf))
  state <- cross_validated(run)
  if (asked$protocol == "NCV") state <- without_two_folds(run, state)
  found <- estimated(run, state)
  winner <- found$estimate$winner
  final <- fitted_by(run, winner, seq_len(nrow(run$x)))
  if (inherits(final, "bbc_failed_fit")) {
    abort("configuration %s, on all rows: %s", run$names[[winner]], final$message,
          class = "bbc_failed_fit")
  }
  warn_of_learners(c(state$warnings, found$warnings, list(list(text = final$warnings, where = "all rows"))))
  protocol_result(
    asked, found$estimate, winner, named_predictions(run, state), run$folds, final$value,
    run$functions[[run$configurations$learner[[winner]]]]$predict,
    state$n_trained + found$n_trained + 1, if (asked$protocol == "BBCD") state$dropped, found$outer
  )
}

# Trains what works, fold by fold, and drops.
cross_validated <- function(run, configurations = seq_along(run$names)) {
  n <- length(run$names)
  state <- list(working = configurations, dropped = rep(NA_integer_, n), n_tests = 0, n_trained = 0,
                at_drop = Inf, predictions = list(), failures = character(n), warnings = list())
  for (r in seq_len(ncol(run$folds))) {
    state$predictions[[r]] <- empty_predictions(run)
    own <- run$folds[, r]
    for (fold in seq_len(max(own))) {
      test <- which(own == fold)
      trained <- trained_without(run, state, which(own != fold), test,
                                 sprintf("repeat %d, fold %d", r, fold))
      state <- trained$state
      state$predictions[[r]] <- placed(state$predictions[[r]], test, trained$which, trained$values)
      if (run$verbose) {
        message(sprintf("repeat %d, fold %d of %d: %s", r, fold, max(own),
                        counted(length(state$working), "configuration")))
      }
      last <- fold == max(own)
      done <- last && r == ncol(run$folds)
      if (run$protocol == "BBCD" && !done && (r == 1 || last) && length(state$working) > 1) {
        state <- after_test(run, state, r, fold)
      }
    }
  }
  state
}

# The inner loops of nested cross-validation: `inner[[r]][[i]]` holds predictions by models that saw
# neither the fold i nor that of the row. The model without i and j serves the loops of both.
without_two_folds <- function(run, state) {
  state$inner <- lapply(seq_len(ncol(run$folds)), function(r) {
    rep(list(empty_predictions(run)), max(run$folds[, r]))
  })
  for (r in seq_len(ncol(run$folds))) {
    own <- run$folds[, r]
    for (j in seq_len(max(own))[-1]) {
      for (i in seq_len(j - 1)) {
        test <- which(own == i | own == j)
        trained <- trained_without(run, state, which(own != i & own != j), test,
                                   sprintf("repeat %d, folds %d and %d", r, i, j))
        state <- trained$state
        for (outer in c(i, j)) {
          inner <- own[test] != outer
          state$inner[[r]][[outer]] <- placed(state$inner[[r]][[outer]], test[inner], trained$which,
                                              lapply(trained$values, rows_in, inner))
        }
      }
    }
  }
  state
}

# What the working configurations predict of the rows `test` when trained on `train`, with those that
# failed left out of `state`.
trained_without <- function(run, state, train, test, place) {
  chosen <- state$working
  jobs <- lapply(chosen, function(j) list(configuration = j, train = train, test = test))
  found <- fits_of(run, jobs)
  values <- list()
  for (i in seq_along(jobs)) {
    j <- chosen[[i]]
    where <- sprintf("configuration %s, %s", run$names[[j]], place)
    if (!inherits(found[[i]], "bbc_failed_fit")) {
      found[[i]]$value <- tryCatch(as_predicted(found[[i]]$value, test, run), bbc_error = failed_fit)
      if (inherits(found[[i]]$value, "bbc_failed_fit")) found[[i]] <- found[[i]]$value
    }
    if (inherits(found[[i]], "bbc_failed_fit")) {
      if (run$raises) abort("%s: %s", where, found[[i]]$message, class = "bbc_failed_fit")
      warning(sprintf("%s is left out: %s", where, found[[i]]$message), call. = FALSE)
      state$failures[[j]] <- found[[i]]$message
      next
    }
    values[[as.character(j)]] <- found[[i]]$value
    state$warnings <- c(state$warnings, list(list(text = found[[i]]$warnings, where = where)))
  }
  state$n_trained <- state$n_trained + length(jobs)
  state$working <- state$working[!nzchar(state$failures[state$working])]
  if (length(state$working) == 0) {
    abort("no configuration is left: every one failed; the first said: %s",
          Filter(nzchar, state$failures)[[1]])
  }
  run$progress(length(jobs))
  list(state = state, values = values, which = as.integer(names(values)))
}

# Predictions with those of some rows in their place, of which `values` has an element per configuration.
placed <- function(array, rows, configurations, values) {
  for (i in seq_along(configurations)) {
    if (length(dim(array)) == 3) array[rows, configurations[[i]], ] <- values[[i]]
    else array[rows, configurations[[i]]] <- values[[i]]
  }
  array
}

rows_in <- function(values, rows) if (is.matrix(values)) values[rows, , drop = FALSE] else values[rows]

# Each distinct warning of the learners once, with the first place where it was said.
warn_of_learners <- function(said) {
  texts <- unlist(lapply(said, `[[`, "text"))
  places <- rep(vapply(said, `[[`, "", "where"), lengths(lapply(said, `[[`, "text")))
  for (text in unique(texts)) {
    n <- sum(texts == text)
    warning(sprintf("R: %s (%s%s)", text, places[[match(text, texts)]],
                    if (n > 1) sprintf(" and %s", counted(n - 1, "more fit")) else ""), call. = FALSE)
  }
}

empty_predictions <- function(run) {
  shape <- c(nrow(run$x), length(run$names))
  metric <- run$metric
  if (metric$predicts == "labels") return(array(NA_character_, shape))
  if (!is.factor(run$truth)) return(array(NA_real_, shape))
  array(NA_real_, c(shape, nlevels(run$truth)), list(NULL, NULL, levels(run$truth)))
}

# The test after a fold; one that leaves the metric undefined says nothing.
after_test <- function(run, state, r, fold) {
  rows <- if (r == 1) which(run$folds[, 1] <= fold) else seq_len(nrow(run$x))
  if (length(rows) < run$least) return(state)
  groups <- run$groups[rows]
  if (!is.null(groups) && length(unique(groups)) < 2) return(state)
  by_fold <- r > 1 || fold > 1
  options <- run$testing
  if (!by_fold) {
    if (options_need_folds(replace(options, "pooling", "pooled")) != "") return(state)
    options$pooling <- "pooled" # the mean over a single fold is its score
  }
  options$method <- "bbc"
  options$stream <- state$n_tests + 1
  tested <- tryCatch(dominance(
    list(predictions = lapply(state$predictions, cells_of, rows, state$working), truth = run$truth[rows],
         folds = if (by_fold) run$folds[rows, seq_len(r), drop = FALSE],
         event_level = run$event),
    options, run$level, groups, threads = run$threads
  ), bbc_undefined_metric = function(e) NULL)
  if (is.null(tested)) return(state)
  state$n_tests <- state$n_tests + 1
  gone <- state$working[tested$dominated]
  if (length(gone)) state$at_drop <- min(state$at_drop, length(rows) * r)
  state$dropped[gone] <- as.integer((r - 1) * max(run$folds[, 1]) + fold)
  state$working <- setdiff(state$working, gone)
  state
}

# Which configurations are strictly worse than the best in nearly all replicates, as the kernel tells of
# unpacked predictions: `best`, `share_worse` and `dominated`, whether that share is above the level. A
# replicate is drawn again only if it leaves the metric undefined in bag.
dominance <- function(given, options, level, groups = NULL, threads = 0L) {
  problem <- problem_of(given, options, groups)
  checked(kernel_dominated(kernel_target(problem$truth), problem$predictions,
                           kernel_options(problem, options), level, threads), problem)
}

cells_of <- function(array, rows, columns) {
  kept_cells(array, list(rows = rows, configurations = columns))
}

# What a model predicted, as the metric reads it.
as_predicted <- function(out, rows, run) {
  wrong <- function(problem, ...) abort("`predict` %s", sprintf(problem, ...))
  if (is.data.frame(out) && length(out) == 1 && is.null(levels(run$truth))) out <- out[[1]]
  if (NROW(out) != length(rows)) wrong("gave %d predictions for %d rows", NROW(out), length(rows))
  levels <- levels(run$truth)
  metric <- run$metric
  textual <- is.factor(out) || is.character(out)
  if (is.null(levels)) {
    if (textual || NCOL(out) != 1) wrong("must give one number per row")
    values <- as.double(unlist(out))
    refuse_infinite(!is.finite(values), rows, run)
    if (metric$predicts == "value") check_range(values, metric$prediction_range, "predict", metric, "held-out row")
    return(values)
  }
  if (textual) {
    if (metric$predicts != "labels") wrong("gave labels, metric \"%s\" needs probabilities", metric$name)
    unknown <- setdiff(as.character(out), levels)
    if (length(unknown)) wrong("gave the unknown class %s", unknown[[1]])
    return(as.character(out))
  }
  if (NCOL(out) > 1 && !setequal(colnames(out), levels)) {
    wrong("must give a column for each class, with their names")
  }
  if (NCOL(out) == 1) wrong("gave one number per row for %d classes", length(levels)) # of two there are columns
  out <- probabilities_of(out, levels)
  refuse_infinite(rowSums(!is.finite(out)) > 0, rows, run)
  if (any(out < 0 | out > 1)) wrong("gave numbers that are not probabilities, which type = \"response\" may give")
  if (metric$predicts != "labels") check_sums(array(out, c(nrow(out), 1, ncol(out))))
  if (metric$predicts == "labels") levels[max.col(out, "first")] else unname(out)
}

# R's generator begins at `seed`, whatever kind the session has, and is left as it was.
with_seed <- function(seed, code) {
  kinds <- RNGkind()
  before <- globalenv()$.Random.seed
  on.exit({
    suppressWarnings(RNGkind(kinds[[1]], kinds[[2]], kinds[[3]])) # "Rounding" is warned of
    if (is.null(before)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", before, envir = globalenv())
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

seeds_of_configurations <- function(seed, n) {
  with_seed(seed %% 2^31, sample.int(.Machine$integer.max, n))
}

# Whether folds are to be drawn: the number of them is given, not the folds.
is_one_number <- function(cv) length(cv) == 1 && is.numeric(cv)

# A matrix (row, repeat) of folds.
tune_folds <- function(cv, n_repeats, truth, groups, seed) {
  n_rows <- NROW(truth)
  if (!is_one_number(cv)) {
    if (is.list(cv) && all(c("method", "number") %in% names(cv))) {
      abort("`cv` is caret's trainControl(): give the number of folds, cv = %d, or a fold per row", as.integer(cv$number))
    }
    folds <- fold_codes(fold_columns(cv, n_rows, n_repeats, "cv"), argument = "cv") + 1L
    for (r in seq_len(if (is.null(groups)) 0 else n_repeats)) {
      torn <- folds[, r] != folds[match(groups, groups), r]
      if (any(torn)) abort("`groups`: the group of %s is in several folds of `cv`", place_of(torn, "row"))
    }
    return(folds)
  }
  units <- if (is.null(groups)) seq_len(n_rows) else codes_by_first_row(groups) + 1L
  k <- whole_number(cv, "cv", 2)
  if (k > max(units)) {
    abort("`cv` is %g, but there are %s", k,
          counted(max(units), if (is.null(groups)) "row" else "group"))
  }
  # In the order of their first rows: that of the levels changes no fold.
  strata <- if (inherits(truth, "Surv")) truth[, "status"] else if (is.factor(truth)) codes_by_first_row(truth)
            else rep(1L, n_rows)
  # Numbered by their first rows, as folds that are given.
  with_seed((seed + 1) %% 2^31, vapply(seq_len(n_repeats), function(i) {
    codes_by_first_row(if (is.null(groups)) stratified_folds(strata, k) else group_folds(units, k)[units])
  }, integer(n_rows))) + 1L
}

# Each class is dealt out where the one before it ended.
stratified_folds <- function(strata, k) {
  order <- order(strata, stats::runif(length(strata)))
  folds <- integer(length(strata))
  folds[order] <- sample.int(k)[(seq_along(order) - 1L) %% k + 1L]
  folds
}

# The fold of each group: the largest first, each to the fold with the fewest rows so far.
group_folds <- function(units, k) {
  sizes <- tabulate(units)
  n_in <- numeric(k)
  folds <- integer(length(sizes))
  for (unit in order(-sizes, stats::runif(length(sizes)))) {
    fold <- which.min(n_in)
    folds[[unit]] <- fold
    n_in[[fold]] <- n_in[[fold]] + sizes[[unit]]
  }
  folds
}

# Refuses predictions that are not finite; many models have none for a row that lacks a predictor.
refuse_infinite <- function(odd, rows, run) {
  if (!any(odd)) return(invisible())
  row <- rows[odd][[1]]
  lacking <- names(run$x)[vapply(run$x, function(column) anyNA(column[row]), NA)]
  why <- sprintf(", where %s is missing: leave such rows out, or impute in a recipe", lacking)
  abort("`predict` is not finite at row %d%s", row, c(why, "")[[1]])
}
