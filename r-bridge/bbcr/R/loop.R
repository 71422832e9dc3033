#' Tune and estimate in R alone
#'
#' Cross-validates every configuration of a grid, drops those that are unlikely to be best, estimates
#' the performance of the winner without the optimism of having been picked, and trains it on all
#' rows: the protocol [BBCD()] of one learner, without Python. Predictions, truth and folds are kept,
#' so that [bbc_correct()] and all others take the result.
#'
#' After each fold of the first repeat but the last, and after each later repeat, the rows predicted so
#' far are bootstrapped, and a configuration that is strictly worse than the
#' best in more than `dropping_level` of the replicates is trained no more.
#'
#' Each configuration has a seed of its own, with which R's generator begins each of its fits, that of
#' the final model included, so results depend neither on the number of processes nor on a store. Fits
#' of a fold run in the processes of [future::plan()] (by future.apply; future.mirai has plans for
#' mirai's daemons), if that has several, else one after the other. Other processes need `bbcr`.
#'
#' @param fit A function `(x, y, ...)` that returns a model: `x` is a data frame with the predictors of
#'   the training rows, `y` their outcome, and `...` one row of the grid. Or a model of parsnip or a
#'   workflow, as in [bbc_learner()], without `predict`.
#' @param predict A function `(model, newx)` that returns labels, numbers, or a matrix of class
#'   probabilities with the classes as column names. For two classes one number per row is the
#'   probability of the event, which `event_level` then has to name for every metric, or of the class
#'   whose name its column has. For a `Surv` it
#'   returns risks, higher where the event comes earlier.
#' @param grid The hyper-parameters: a data frame with a row per configuration, or a named list of
#'   values, all of whose combinations are tried.
#' @param data A data frame with the predictors and the outcome.
#' @param outcome Name of the column of the outcome: a factor, numbers or a `survival::Surv`.
#' @param metric As in [bbc_correct()]; the one metric that selects and is estimated.
#' @param ... Other arguments of [bbc_correct()] for the estimate: `method`, `pooling`,
#'   `stratify_bootstrap`, `n_bootstraps`, `confidence_level`, `alternative`, `n_threads`, ...
#' @param protocol `"BBCD"`, or `"BBC"`, which drops nothing.
#' @param cv Number of folds, to which rows are assigned at random within classes, or events of a
#'   `Surv`, and groups as a whole; or folds as [bbc_correct()] takes them.
#' @param n_repeats Number of partitions into folds.
#' @param groups Rows of a group stay together, in folds and in replicates: a vector, or the name of a
#'   column of `data`, which is then no predictor.
#' @param event_level The event of two classes, as in [bbc_correct()].
#' @param dropping_level,min_predictions Share of replicates above which a configuration is dropped,
#'   and predictions per configuration before the first test.
#' @param error_score `NaN`: a configuration of which a fit fails is left out with a warning; `"raise"`
#'   stops at the first failure and says where it was.
#' @param store A folder that keeps what was predicted, one RDS file per fit, so that the same call goes
#'   on where it was interrupted. Data, grid, folds, seed and the text of `fit` and `predict` are
#'   compared, functions that these call are not. Give a `seed` with it. RDS files can run code: go on
#'   with a folder of your own only.
#' @param verbose Whether to give a message after each fold.
#' @param seed Seed of everything that is left to chance; `NULL` draws it from R's generator.
#' @return An object of class `bbc_protocol` as that of [BBCD()], with [its methods][bbc_protocol].
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithm 5 and section 4.
#' @examples
#' tuned <- bbc_tune(
#'   fit = function(x, y, degree) lm(y ~ poly(speed, degree), cbind(x, y = y)),
#'   predict = function(model, newx) predict(model, newx),
#'   grid = list(degree = 1:4), data = cars, outcome = "dist",
#'   metric = "mean_squared_error", cv = 5, seed = 1, n_threads = 2
#' )
#' tuned
#' predict(tuned, data.frame(speed = c(10, 20)))
#' @export
bbc_tune <- function(fit, predict, grid, data, outcome, metric, ..., protocol = "BBCD", cv = 10,
                     n_repeats = 1, groups = NULL, event_level = NULL, dropping_level = 0.99,
                     min_predictions = 50, error_score = NaN, store = NULL, verbose = FALSE,
                     seed = NULL) {
  if (missing(metric)) abort_no_metric()
  protocol <- choice(protocol, "protocol", c("BBCD", "BBC"))
  seed <- seed_of(seed)
  configurations <- configurations_in_grid(grid)
  learner <- learner_functions(fit, if (!missing(predict)) predict, as.list(configurations$grid))
  design <- tune_design(data, outcome, groups)
  options <- tune_options(metric, seed, ...)
  truth <- outcome_of(design$y, options$metric)
  levels <- levels_of(design$x)
  x <- with_levels(design$x, levels, "data")
  event <- event_of(truth, levels(truth), options$metric, event_level,
                    options$metric$target == "binary")
  folds <- tune_folds(cv, n_repeats, truth, design$groups, seed)
  event <- if (!is.null(event)) levels(truth)[[event]]
  run <- list(
    x = x, y = truth, learner = learner[c("fit", "predict")], options = options, folds = folds,
    parameters = configurations$parameters, names = configurations$names, groups = design$groups,
    event_level = event,
    seeds = seeds_of_configurations(seed, nrow(configurations$grid)),
    store = open_store(store), raises = raises_errors(error_score), verbose = flag(verbose, "verbose"),
    drops = protocol == "BBCD", level = share(dropping_level, "dropping_level"),
    least = whole_number(min_predictions, "min_predictions", 1), threads = threads_of(list(...)$n_threads)
  )
  run$key <- if (!is.null(run$store)) digest_of(list(
    x, truth, event, lapply(run$learner, deparse), as.character(utils::packageVersion("bbcr"))
  ))
  run$learner$predict <- by_class(run$learner$predict, levels(truth), event)
  found <- cross_validated(run)
  with_call(tuned_protocol(protocol, run, found, configurations, levels, seed, ...))
}

# What the correction is asked for; the test of the dropping asks the same, of fewer replicates.
tune_options <- function(metric, seed, method = "bbc", pooling = "pooled", stratify_bootstrap = FALSE,
                         n_bootstraps = NULL, selection = "best", ...) {
  ruled <- intersect(names(list(...)), c("folds", "names", "sample_weight", "missing", "rungs",
                                         "decided_by", "resamples"))
  if (length(ruled)) abort("`%s` is no argument of bbc_tune()", ruled[[1]])
  if (is.null(n_bootstraps)) n_bootstraps <- kernel_default_n_bootstraps("dominated", FALSE)
  options <- checked_options(metric, method, pooling, stratify_bootstrap, n_bootstraps,
                             seed = seed, selection = selection)
  refuse_custom(options$metric, "bbc_tune()")
  if (is.function(selection) || derives(options$selection)) {
    abort("`selection`: bbc_tune() selects one configuration, by a rule of the kernel")
  }
  options
}

configurations_in_grid <- function(grid) {
  if (!is.list(grid) || (length(grid) > 0 && (is.null(names(grid)) || any(!nzchar(names(grid)))))) {
    abort("`grid` must be a data frame with a row per configuration, or a named list of values")
  }
  empty <- lengths(grid) == 0
  if (any(empty)) abort("`grid`: `%s` has no values to try", names(grid)[empty][[1]])
  if (!is.data.frame(grid)) {
    at <- expand.grid(lapply(grid, seq_along), KEEP.OUT.ATTRS = FALSE)
    grid <- if (length(grid) == 0) data.frame(row.names = 1L) else {
      columns <- Map(function(values, i) values[i], lapply(grid, unclass_list), at)
      structure(columns, class = "data.frame", row.names = seq_len(nrow(at)))
    }
  }
  n <- nrow(grid)
  parameters <- lapply(seq_len(n), function(i) lapply(as.list(grid), `[[`, i))
  if (anyDuplicated(parameters)) {
    abort("`grid` has the same configuration twice, at row %d", which(duplicated(parameters))[[1]])
  }
  texts <- Map(function(name, column) paste0(name, "=", value_texts(as.list(column))), names(grid),
               as.list(grid))
  names <- if (length(texts)) do.call(paste, c(unname(texts), sep = ", ")) else "defaults"
  list(grid = grid, parameters = parameters, names = names)
}

unclass_list <- function(values) if (is.factor(values)) as.character(values) else values

# Predictors, outcome and groups.
tune_design <- function(data, outcome, groups) {
  if (!is.data.frame(data)) abort("`data` must be a data frame, not %s", first_class(data))
  column <- function(name, argument) {
    if (!is.character(name) || length(name) != 1 || !name %in% names(data)) {
      abort("`%s` must be the name of a column of `data`, not %s", argument,
            paste(format(utils::head(name, 3)), collapse = " "))
    }
    name
  }
  outcome <- column(outcome, "outcome")
  named <- is.character(groups) && length(groups) == 1
  if (named) groups <- column(groups, "groups")
  of_rows <- if (named) data[[groups]] else groups
  x <- as.data.frame(data)[setdiff(names(data), c(outcome, if (named) groups))]
  frame_design(x, data[[outcome]])
  list(x = x, y = data[[outcome]],
       groups = if (!is.null(of_rows)) per_row(of_rows, "groups", nrow(data)))
}

raises_errors <- function(error_score) {
  if (identical(error_score, "raise")) return(TRUE)
  if (!is.numeric(error_score) || length(error_score) != 1 || !is.nan(error_score)) {
    abort('`error_score` must be NaN or "raise"')
  }
  FALSE
}

# R's generator begins at `seed`, whatever kind the session has, and is left as it was.
with_seed <- function(seed, code) {
  kinds <- RNGkind()
  before <- globalenv()$.Random.seed
  on.exit({
    RNGkind(kinds[[1]], kinds[[2]], kinds[[3]])
    if (is.null(before)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", before, envir = globalenv())
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

seeds_of_configurations <- function(seed, n) {
  with_seed(seed %% 2^31, sample.int(.Machine$integer.max, n))
}

# A matrix (row, repeat) of folds.
tune_folds <- function(cv, n_repeats, truth, groups, seed) {
  n_repeats <- whole_number(n_repeats, "n_repeats", 1)
  n_rows <- NROW(truth)
  if (length(cv) != 1 || !is.numeric(cv)) {
    return(fold_codes(fold_columns(cv, n_rows, n_repeats)) + 1L)
  }
  units <- if (is.null(groups)) seq_len(n_rows) else codes_by_first_row(groups) + 1L
  k <- whole_number(cv, "cv", 2)
  if (k > max(units)) {
    abort("`cv` is %g, but there are %s", k,
          counted(max(units), if (is.null(groups)) "row" else "group"))
  }
  strata <- if (inherits(truth, "Surv")) truth[, "status"] else if (is.factor(truth)) as.integer(truth)
            else rep(1L, n_rows)
  with_seed((seed + 1) %% 2^31, vapply(seq_len(n_repeats), function(i) {
    if (is.null(groups)) stratified_folds(strata, k) else group_folds(units, k)[units]
  }, integer(n_rows)))
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

# Trains what works, fold by fold, and drops.
cross_validated <- function(run) {
  n <- length(run$parameters)
  state <- list(working = seq_len(n), dropped = rep(NA_integer_, n), n_tests = 0, n_trained = 0,
                at_drop = Inf, predictions = list(), failures = character(n))
  for (r in seq_len(ncol(run$folds))) {
    state$predictions[[r]] <- empty_predictions(run)
    own <- run$folds[, r]
    for (fold in seq_len(max(own))) {
      state <- after_fold(run, state, r, fold)
      last <- fold == max(own)
      done <- last && r == ncol(run$folds)
      if (run$drops && !done && (r == 1 || last) && length(state$working) > 1) {
        state <- after_test(run, state, r, fold)
      }
    }
  }
  state
}

empty_predictions <- function(run) {
  shape <- c(nrow(run$x), length(run$parameters))
  metric <- run$options$metric
  if (metric$predicts == "labels") return(array(NA_character_, shape))
  if (!is.factor(run$y)) return(array(NA_real_, shape))
  array(NA_real_, c(shape, nlevels(run$y)), list(NULL, NULL, levels(run$y)))
}

after_fold <- function(run, state, r, fold) {
  test <- which(run$folds[, r] == fold)
  jobs <- lapply(state$working, function(j) list(
    train = which(run$folds[, r] != fold), test = test, parameters = run$parameters[[j]],
    seed = run$seeds[[j]], name = run$names[[j]]
  ))
  found <- fits_of(run, jobs)
  for (i in seq_along(jobs)) {
    j <- state$working[[i]]
    where <- sprintf("configuration %s, repeat %d, fold %d", run$names[[j]], r, fold)
    if (inherits(found[[i]], "bbc_failed_fit")) {
      if (run$raises) abort("%s: %s", where, found[[i]]$message, class = "bbc_failed_fit")
      warning(sprintf("%s is left out: %s", where, found[[i]]$message), call. = FALSE)
      state$failures[[j]] <- found[[i]]$message
      next
    }
    values <- as_predicted(found[[i]], length(test), run$y, run$options$metric, where)
    if (length(dim(values)) == 2) state$predictions[[r]][test, j, ] <- values
    else state$predictions[[r]][test, j] <- values
  }
  state$n_trained <- state$n_trained + length(jobs)
  state$working <- state$working[!nzchar(state$failures[state$working])]
  if (length(state$working) == 0) {
    abort("no configuration is left: every one failed; the first said: %s",
          Filter(nzchar, state$failures)[[1]])
  }
  if (run$verbose) {
    message(sprintf("repeat %d, fold %d of %d: %s", r, fold, max(run$folds[, r]),
                    counted(length(state$working), "configuration")))
  }
  state
}

# The test after a fold; one that leaves the metric undefined says nothing.
after_test <- function(run, state, r, fold) {
  rows <- if (r == 1) which(run$folds[, 1] <= fold) else seq_len(nrow(run$x))
  if (length(rows) < run$least) return(state)
  groups <- run$groups[rows]
  if (!is.null(groups) && length(unique(groups)) < 2) return(state)
  by_fold <- r > 1 || fold > 1
  options <- run$options
  if (!by_fold) {
    if (options_need_folds(replace(options, "pooling", "pooled")) != "") return(state)
    options$pooling <- "pooled" # the mean over a single fold is its score
  }
  options$method <- "bbc"
  options$stream <- state$n_tests + 1
  tested <- tryCatch(dominance(
    list(predictions = lapply(state$predictions, cells_of, rows, state$working), truth = run$y[rows],
         folds = if (by_fold) run$folds[rows, seq_len(r), drop = FALSE],
         event_level = run$event_level),
    options, run$level, groups, threads = run$threads
  )$raw, bbc_undefined_metric = function(e) NULL)
  if (is.null(tested)) return(state)
  state$n_tests <- state$n_tests + 1
  gone <- state$working[tested$dominated]
  if (length(gone)) state$at_drop <- min(state$at_drop, length(rows) * r)
  state$dropped[gone] <- as.integer((r - 1) * max(run$folds[, 1]) + fold)
  state$working <- setdiff(state$working, gone)
  state
}

cells_of <- function(array, rows, columns) {
  kept_cells(array, list(rows = rows, configurations = columns))
}

# What a model predicted, as the metric reads it.
as_predicted <- function(out, n_rows, truth, metric, where) {
  wrong <- function(problem, ...) abort("`predict`: %s %s", where, sprintf(problem, ...))
  if (NROW(out) != n_rows) wrong("gave %d predictions for %d rows", NROW(out), n_rows)
  levels <- levels(truth)
  textual <- is.factor(out) || is.character(out)
  if (is.null(levels)) {
    if (textual || NCOL(out) != 1) wrong("must give one number per row")
    values <- as.double(unlist(out))
    if (any(!is.finite(values))) wrong("is not finite at row %d", which(!is.finite(values))[[1]])
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
  if (NCOL(out) == 1 && length(levels) != 2) wrong("gave one number per row for %d classes", length(levels))
  if (NCOL(out) == 1) wrong(unnamed_event)
  out <- probabilities_of(out, levels)
  if (any(!is.finite(out))) wrong("is not finite at row %d", which(!is.finite(out))[[1]])
  if (any(out < 0 | out > 1)) wrong("gave numbers that are no probabilities")
  if (metric$predicts == "labels") levels[max.col(out, "first")] else unname(out)
}

tuned_protocol <- function(protocol, run, found, configurations, levels, seed, ...) {
  working <- found$working
  every_row <- seq_len(nrow(run$x))
  predictions <- lapply(found$predictions, function(array) {
    kept <- cells_of(array, every_row, working)
    dimnames(kept)[2] <- list(run$names[working])
    kept
  })
  if (length(predictions) == 1) predictions <- predictions[[1]]
  folds <- drop(run$folds)
  e <- bbc_correct.default(predictions, run$y, run$options$metric, folds = folds, groups = run$groups,
                           event_level = run$event_level, seed = seed, ...)
  if (is.finite(found$at_drop)) {
    e <- with_findings(e, found_by("dropping", list(n_predictions_at_drop = found$at_drop)))
  }
  winner <- working[[e$winner]]
  final <- fitted_by(run, list(train = every_row, parameters = run$parameters[[winner]],
                               seed = run$seeds[[winner]]))
  if (inherits(final, "bbc_failed_fit")) {
    abort("configuration %s, on all rows: %s", run$names[[winner]], final$message,
          class = "bbc_failed_fit")
  }
  table <- data.frame(name = run$names, learner = "own")
  table[names(configurations$grid)] <- as.list(configurations$grid)
  if (run$drops) table$dropped <- found$dropped
  new_result(list(
    protocol = protocol, performance = e, winner = e$winner_name, model = final,
    predictions = predictions, truth = run$y, folds = folds, configurations = table,
    n_models_trained = found$n_trained + 1, learner = "own",
    predict_function = run$learner$predict, formula = NULL, terms = NULL, columns = names(run$x),
    levels = levels, seed = seed
  ), "bbc_protocol")
}
