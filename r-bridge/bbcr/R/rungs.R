#' How a search that dropped configurations on the way is scored
#'
#' For the argument `rungs` of [bbc_correct()], beside `missing = "rungs"`.
#'
#' @param of_row The number of the rung at which each row was first predicted, in the order of the
#'   search; of several repeats a matrix with a column for each. By default rungs are found from the
#'   missing predictions: rows that the same configurations predicted form one, and the rung with
#'   most configurations was first.
#' @param choose_only Rungs whose rows choose but do not score, such as those whose scores a sampler
#'   saw: their numbers in `of_row`, else counted from 1.
#' @param burn Rungs that end within this share of the rows choose but do not score, because their
#'   choice rests on few rows.
#' @param ... No other arguments.
#' @return An object of class `bbc_rungs`.
#' @examples
#' # Halving on useless configurations: the better half of them goes on after 20 rows, and the better
#' # half of these after 40.
#' set.seed(1)
#' truth <- rbinom(60, 1, 0.5)
#' predictions <- matrix(rbinom(60 * 20, 1, 0.5), 60)
#' alive <- 1:20
#' for (end in c(20, 40)) {
#'   right <- colMeans(predictions[1:end, alive] == truth[1:end])
#'   alive <- sort(alive[order(-right)][seq_len(length(alive) / 2)])
#'   predictions[(end + 1):60, -alive] <- NA
#' }
#' bbc_correct(predictions, truth, "accuracy", missing = "rungs", n_threads = 2)
#' bbc_correct(predictions, truth, "accuracy", missing = "rungs",
#'             rungs = bbc_rungs(choose_only = 1), n_threads = 2)
#' @export
bbc_rungs <- function(of_row = NULL, choose_only = NULL, burn = 0.25, ...) {
  no_more_arguments(...)
  for (numbers in list(of_row, choose_only)) {
    if (is.null(numbers)) next
    if (!is.numeric(numbers) || anyNA(numbers) || any(numbers != floor(numbers))) {
      abort("`of_row` and `choose_only` must be whole numbers of rungs")
    }
  }
  structure(list(of_row = of_row, choose_only = choose_only, burn = share(burn, "burn")),
            class = "bbc_rungs")
}

#' @export
print.bbc_rungs <- function(x, ...) {
  numbers <- if (is.null(x$of_row)) "found from missing predictions" else {
    counted(length(unique(x$of_row)), "rung")
  }
  cat(sprintf("<rungs: %s>\n", numbers))
  invisible(x)
}

# Scoring by rungs is a rule of choice of its own.
selection_by_rungs <- function(selection, missing, rungs) {
  if (!identical(missing, "rungs")) {
    if (!is.null(rungs)) abort('`rungs` is for `missing = "rungs"`')
    return(selection)
  }
  if (!identical(selection, "best")) {
    abort('`selection` is not for `missing = "rungs"`: each rung has its own best')
  }
  given <- if (inherits(rungs, "bbc_rungs")) rungs else bbc_rungs(rungs)
  structure(list(rule = "rungs", size = 0, rungs = given), class = "bbc_selection")
}

is_by_rungs <- function(selection) inherits(selection, "bbc_selection") && !is.null(selection$rungs)

# Refuses what rungs cannot be scored with, and pooling by rung of what has none.
check_rungs <- function(selection, metric, method, pooling) {
  if (is.null(selection$rungs)) {
    if (pooling == "rung") abort('`pooling = "rung"` is of `missing = "rungs"` only')
    return(invisible())
  }
  if (method != "bbc") abort('`method = "%s"` does not draw rows, as `missing = "rungs"` does', method)
  if (pooling == "fold") {
    abort('`pooling = "fold"` is not for `missing = "rungs"`: rungs are scored together')
  }
  if (metric$kernel %in% c("roc_auc", "concordance_index") && pooling != "rung") {
    abort(paste('`pooling = "%s"` would have "%s" compare rows that different configurations scored;',
                'give pooling = "rung", which counts pairs within rungs'), pooling, metric$name)
  }
}

# What the kernel finds rungs from: for each row that stays, those of the repeats one below the other.
rungs_of <- function(given, gone, kept, shape, n_repeats) {
  rows <- if (is.null(kept)) rep(TRUE, shape[[1]]) else kept$rows
  predicted <- lapply(seq_len(n_repeats), function(i) {
    own <- matrix(1L, shape[[1]], shape[[2]])
    if (!is.null(gone)) own[gone[[i]]] <- 0L
    own[rows, , drop = FALSE]
  })
  of_row <- given$of_row
  choose_only <- given$choose_only
  if (is.null(of_row)) {
    choose_only <- choose_only - 1
  } else {
    if (length(of_row) != shape[[1]] * n_repeats) {
      abort("`rungs` has %s, `predictions` has %d%s", counted(length(of_row), "number"), shape[[1]],
            if (n_repeats > 1) sprintf(" in each of %d repeats: give a column for each", n_repeats)
            else "")
    }
    numbers <- sort(unique(c(of_row)))
    of_row <- match(of_row, numbers)[rep(rows, n_repeats)] - 1L
    unknown <- setdiff(choose_only, numbers)
    if (length(unknown) > 0) abort("`choose_only` names rung %g, which no row has", unknown[[1]])
    choose_only <- match(choose_only, numbers) - 1
  }
  list(predicted = do.call(rbind, predicted), of_row = of_row,
       choose_only = if (length(choose_only) > 0) as.integer(choose_only), burn = given$burn)
}

# Rungs of repeats as rows of one repeat, of which those of the same row are drawn together: a row
# that an earlier rung has seen in another repeat is not fresh, as one whose group was seen.
in_one_repeat <- function(problem, plan) {
  n_rows <- problem$truth$n_rows
  there <- rowSums(problem$rungs$predicted) > 0
  rows <- rep(seq_len(n_rows), problem$n_repeats)[there]
  arrays <- lapply(problem$predictions, function(array) {
    shape <- dim(array)
    matrix(array, shape[[1]], prod(shape[-1]))
  })
  shape <- dim(problem$predictions[[1]])
  predictions <- do.call(rbind, arrays)[there, , drop = FALSE]
  if (length(shape) == 3) dim(predictions) <- c(length(rows), shape[-1])
  # Many repeats add no rows: the share is that of rows that some repeat has seen.
  alive <- problem$rungs$predicted[there, , drop = FALSE]
  place <- if (is.null(plan$rungs$of_row)) -rowSums(alive) else plan$rungs$of_row[there]
  first <- vapply(split(place, rows), min, 0)
  burn <- problem$rungs$burn
  reached <- sort(first)[[max(1, ceiling(burn * n_rows))]]
  if (burn > 0) plan$rungs$burn <- (sum(place <= reached) - 0.5) / length(rows)
  units <- if (is.null(plan$units)) seq_len(n_rows) - 1L else plan$units
  plan$units <- units[rows]
  plan$strata <- plan$strata[rows]
  plan$row_weights <- plan$row_weights[rows]
  plan$rungs$predicted <- alive
  plan$rungs$of_row <- plan$rungs$of_row[there]
  truth <- kept_truth(problem$truth, rows)
  truth$n_rows <- length(rows)
  list(truth = truth, predictions = list(predictions), plan = plan)
}

note_of_rungs <- function(raw, problem) {
  if (is.null(raw$n_rungs)) return(NULL)
  score <- if (raw$n_rungs == 1) "scores" else "score"
  repeats <- if (problem$n_repeats > 1) sprintf(" of %d repeats", problem$n_repeats) else ""
  sprintf("%s, which %s %.0f of %d rows%s", counted(raw$n_rungs, "rung"), score, raw$n_rows_scored,
          sum(rowSums(problem$rungs$predicted) > 0), repeats)
}

# What the predictions of the chosen show; what is derived from several has no column of its own.
findings_of_choice <- function(problem, options, winner) {
  kept <- problem$kept_configurations
  place <- if (is.null(kept)) winner else kept[winner]
  if (!is.null(options$selection$rungs)) {  # the columns of the others have holes
    problem$predictions <- of_some(problem$predictions, winner)
    winner <- 1L
  } else if (derives(options$selection)) {
    return(NULL)
  }
  findings_of_winner(problem, options$metric, winner, place = place)
}
