#' Corrections that never hold all predictions
#'
#' `bbc_stream()` is given its predictions block by block, in any order; blocks may also be added in
#' other processes, whose `bbc_state()` is merged. The result has the same bits as [bbc_correct()] on
#' all predictions at once, but for `model_luck`. The memory needed is that of one block.
#'
#' @param truth,metric,folds,groups,stratified_by,stratify_bootstrap,class_counts,sample_weight,event_level,pooling,n_bootstraps,resamples,confidence_level,alternative,on_undefined,dynamic_search,size_correction,seed
#'   As in [bbc_correct()]. With several processes, give all the same `seed`.
#' @param method `"bbc"` or `"bbc-two-level"`, as in [bbc_correct()]. `"bbc-f"` needs all predictions at
#'   once.
#' @param stream What `bbc_stream()` returned.
#' @param block Predictions of some configurations, as in [bbc_correct()] and without holes.
#' @param first_configuration Number of the block's first configuration; by default it follows the
#'   last one.
#' @param state What `bbc_state()` returned in another process.
#' @param names Names of all configurations.
#' @param n_threads Threads; all cores by default.
#' @param predictions A function that returns the i-th block when called with i, and `NULL` after
#'   the last.
#' @param interval Only `"order-statistics"`: the other kind needs all predictions at once.
#' @param ... For `bbc_correct()`: arguments of `bbc_stream()`. The other functions take no more.
#' @return `bbc_stream()`: a stream, which `bbc_add()` and `bbc_merge()` change and return
#'   invisibly; `bbc_state()`: what was seen so far, small enough to send; `bbc_finish()`: the
#'   result.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' predictions <- matrix(rbinom(800, 1, 0.5), 80)
#' stream <- bbc_stream(truth, "accuracy", seed = 1)
#' bbc_add(stream, predictions[, 1:4], n_threads = 2)
#' bbc_add(stream, predictions[, 5:10], n_threads = 2)
#' bbc_finish(stream)
#'
#' block <- function(i) if (i <= 2) predictions[, 5 * i + (-4:0)]
#' bbc_correct(block, truth, "accuracy", seed = 1, n_threads = 2)
#' @export
bbc_stream <- function(truth, metric, method = "bbc", folds = NULL, groups = NULL,
                       stratified_by = NULL, stratify_bootstrap = FALSE, class_counts = "sampled",
                       sample_weight = NULL, event_level = NULL,
                       pooling = "pooled", n_bootstraps = NULL, resamples = NULL,
                       confidence_level = 0.95, alternative = "two-sided",
                       on_undefined = "redraw", dynamic_search = FALSE, size_correction = TRUE,
                       seed = NULL, ...) {
  no_more_arguments(...)
  if (missing(metric)) abort_no_metric()
  if (missing(truth)) abort("`truth` is missing: it says how many rows there are")
  method <- choice(method, "method", c("bbc", "bbc-two-level"))
  options <- checked_options(metric, method, pooling, stratify_bootstrap, n_bootstraps,
                             confidence_level, alternative, on_undefined, seed,
                             dynamic_search = dynamic_search, size_correction = size_correction,
                             class_counts = class_counts)
  refuse_custom(options$metric, "a stream")
  given <- canonical_truth(truth, options$metric, event_level, event_needed(options$metric, 2))
  if (is.na(given$n_rows)) given <- fill_truth(given, length(truth))
  n_rows <- given$n_rows
  if (is.null(folds) && nzchar(options_need_folds(options))) {
    abort("`folds` is needed by %s", options_need_folds(options))
  }
  rows <- refuse_other_order(list(truth = truth, folds = folds, groups = groups,
                                  stratified_by = stratified_by, sample_weight = sample_weight))
  n_repeats <- if (is.list(folds)) length(folds) else max(1L, ncol(folds))
  columns <- if (!is.null(folds)) fold_columns(folds, n_rows, n_repeats)
  problem <- list(
    truth = given, folds = if (!is.null(columns)) fold_codes(columns),
    groups = group_codes(groups, n_rows), stratified_by = label_codes_of_folds(stratified_by, n_rows),
    weights = row_weights_of(sample_weight, n_rows)
  )
  problem <- by_row(problem, options$metric)
  plan <- kernel_options(problem, options, resamples)
  check_class_counts(problem, options, plan)
  target <- kernel_target(problem$truth)
  stream <- new.env(parent = emptyenv())
  stream$kernel <- checked(kernel_stream(target, plan), problem)
  stream$problem <- problem
  stream$options <- options
  stream$plan <- plan
  stream$rows <- rows # their names
  stream$n_repeats <- 0L
  stream$seen <- matrix(0L, 0, 2) # first and last configuration of each range
  stream$first_two <- list() # of a stream that has no others yet
  stream$of_winner <- NULL # what its predictions show
  structure(stream, class = "bbc_stream")
}

#' @rdname bbc_stream
#' @export
bbc_add <- function(stream, block, first_configuration = NULL, n_threads = NULL, ...) {
  no_more_arguments(...)
  add_block(stream, block, first_configuration, n_threads, listed = FALSE)
}

# `listed` says that the user names the configurations, whatever the columns are called.
add_block <- function(stream, block, first_configuration, n_threads, listed) {
  check_stream(stream)
  if (is.null(first_configuration)) first_configuration <- max(0L, stream$seen[, 2]) + 1
  first <- whole_number(first_configuration, "first_configuration", 1)
  threads <- threads_of(n_threads)
  truth <- stream$problem$truth
  metric <- stream$options$metric
  refuse_other_order(list(block = block), stream$rows)
  arrays <- as_block(per_repeat(block))
  refuse_other_columns(arrays, truth, metric, listed, "block",
                       "drop the column names, as unname() does")
  shape <- dim(arrays[[1]])
  if (shape[[1]] != truth$n_rows) {
    abort("`truth` has %s, `block` has %d", counted(truth$n_rows, "row"), shape[[1]])
  }
  check_repeats(stream, length(arrays), "block")
  if (!is.null(truth$classes)) {
    arrays <- as_block(lapply(arrays, in_class_order, users_classes(truth)))
  }
  as_block(check_kind(arrays, metric, truth))
  gone <- as_block(holes(arrays))
  if (!is.null(gone)) {
    abort("`block` is NA at %s: a stream takes complete predictions",
          place_of(Reduce(`|`, gone), axis_words))
  }
  seen <- joined(stream$seen, cbind(first, first + shape[[2]] - 1))
  arrays <- as_block(lapply(arrays, canonical_array, NULL, metric, truth))
  arrays <- losses_of(arrays, truth, metric)
  checked(kernel_add(stream$kernel, arrays, as.integer(first) - 1L, threads),
          stream$problem)
  stream$seen <- seen
  stream$n_repeats <- length(arrays)
  keep_two(stream, arrays, first)
  winner <- kernel_winner(stream$kernel) - first + 1
  if (winner >= 1 && winner <= shape[[2]]) {
    stream$of_winner <- findings_of_winner(stream$problem, metric, winner, arrays, winner + first - 1)
  }
  invisible(stream)
}

# Keeps the first two configurations while there are no others, to look at them together.
keep_two <- function(stream, arrays, first) {
  last <- first + ncol(arrays[[1]]) - 1
  if (last > 2 || length(dim(arrays[[1]])) > 2) {
    stream$first_two <- NULL
  } else if (!is.null(stream$first_two)) {
    for (j in first:last) {
      stream$first_two[[j]] <- lapply(arrays, function(array) array[, j - first + 1])
    }
  }
}

#' @rdname bbc_stream
#' @export
bbc_state <- function(stream, ...) {
  no_more_arguments(...)
  check_stream(stream)
  structure(list(
    kernel = checked(kernel_state(stream$kernel)), seen = stream$seen, n_repeats = stream$n_repeats,
    problem = stream$problem, plan = stream$plan, of_winner = stream$of_winner
  ), class = "bbc_state")
}

#' @rdname bbc_stream
#' @export
bbc_merge <- function(stream, state, ...) {
  no_more_arguments(...)
  check_stream(stream)
  if (inherits(state, "bbc_stream")) state <- bbc_state(state)
  if (!inherits(state, "bbc_state")) abort("`state` must be what bbc_state() returned")
  same <- identical(state$problem, stream$problem) && identical(state$plan, stream$plan)
  if (!same) abort("`state`: another truth, other options or another seed")
  if (nrow(state$seen) == 0) return(invisible(stream))
  check_repeats(stream, state$n_repeats, "state")
  seen <- joined(stream$seen, state$seen)
  checked(kernel_merge(stream$kernel, state$kernel))
  winner <- kernel_winner(stream$kernel)
  theirs <- any(state$seen[, 1] <= winner & winner <= state$seen[, 2])
  if (theirs) stream$of_winner <- state$of_winner
  stream$seen <- seen
  stream$n_repeats <- state$n_repeats
  stream$first_two <- NULL
  invisible(stream)
}

#' @rdname bbc_stream
#' @export
bbc_finish <- function(stream, names = NULL, ...) {
  no_more_arguments(...)
  check_stream(stream)
  seen <- stream$seen
  if (nrow(seen) == 0) abort("`stream`: no block was added")
  if (nrow(seen) > 1 || seen[1, 1] != 1) {
    abort("`stream`: configuration %d was never added",
          as.integer(if (seen[1, 1] != 1) 1 else seen[1, 2] + 1))
  }
  n_configurations <- as.integer(seen[1, 2])
  if (n_configurations == 2 && length(stream$first_two) == 2 && is.null(names)) {
    refuse_complements(Map(cbind, stream$first_two[[1]], stream$first_two[[2]]), "block")
  }
  problem <- c(stream$problem, list(
    names = names_of(names, n_configurations), n_rows = stream$problem$truth$n_rows,
    n_configurations = n_configurations, n_repeats = stream$n_repeats, left_out_rows = integer(),
    time_ordered = FALSE,
    left_out_configurations = integer()
  ))
  raw <- checked(kernel_finish(stream$kernel))
  if (stream$options$method == "bbc") {
    raw$model_luck <- untested_luck(problem, "predictions that come in blocks")
  }
  as_asked(new_estimate(raw, problem, stream$options, stream$plan, stream$of_winner),
           why = "they came in blocks")
}

#' @rdname bbc_stream
#' @export
bbc_correct.function <- function(predictions, truth, metric, names = NULL, n_threads = NULL,
                                 interval = "order-statistics", ...) {
  if (!identical(interval, "order-statistics")) {
    choice(interval, "interval", interval_kinds)
    abort(paste('`interval = "calibrated"` needs all predictions at once, not blocks: it estimates',
                "how much fitted models vary"))
  }
  stream <- bbc_stream(truth, metric, ...)
  i <- 1
  while (!is.null(block <- predictions(i))) {
    add_block(stream, block, NULL, n_threads, listed = !is.null(names))
    i <- i + 1
  }
  bbc_finish(stream, names)
}

#' @export
print.bbc_stream <- function(x, ...) {
  cat(sprintf("<stream for %s: %s, %s seen>\n", x$options$metric$name,
              counted(x$problem$truth$n_rows, "row"),
              counted(sum(x$seen[, 2] - x$seen[, 1] + 1), "configuration")))
  invisible(x)
}

check_stream <- function(stream) {
  if (!inherits(stream, "bbc_stream")) abort("`stream` must be what bbc_stream() returned")
}

# The checks of predictions, which are an argument called `block` here.
as_block <- function(code) {
  tryCatch(code, bbc_error = function(e) {
    e$message <- sub("`predictions`", "`block`", conditionMessage(e), fixed = TRUE)
    stop(e)
  })
}

check_repeats <- function(stream, n_repeats, name) {
  expected <- if (stream$n_repeats > 0) stream$n_repeats else NCOL(stream$problem$folds)
  if (is.null(stream$problem$folds) && stream$n_repeats == 0) return(invisible())
  if (n_repeats != expected) {
    abort("`%s` has %s, the stream has %d", name, counted(n_repeats, "repeat"), expected)
  }
}

# Ranges of configurations put together; overlaps are refused.
joined <- function(one, other) {
  ranges <- rbind(unname(one), unname(other))
  ranges <- ranges[order(ranges[, 1]), , drop = FALSE]
  out <- ranges[1, , drop = FALSE]
  for (i in seq_len(nrow(ranges))[-1]) {
    last <- nrow(out)
    if (ranges[i, 1] <= out[last, 2]) {
      abort("configuration %d was added before", as.integer(ranges[i, 1]))
    }
    if (ranges[i, 1] == out[last, 2] + 1) out[last, 2] <- ranges[i, 2]
    else out <- rbind(out, ranges[i, ])
  }
  out
}
