#' How many rows an interval of a given width needs
#'
#' Data sets of several sizes are drawn, from a pilot's predictions or from assumptions, and each is
#' corrected as [bbc_correct()] does. The mean width of the intervals shows what a size gives,
#' selection among the configurations included.
#'
#' Between two sizes the logarithm of the width is interpolated linearly in the logarithm of the
#' rows; its standard error is propagated to the number of rows. It is the error of the simulation
#' alone: another pilot would give another number. Sizes up to the pilot's are drawn from its rows,
#' without replacement and within classes; beyond it the width falls with the root of the rows.
#' Models that are trained on more rows are usually better, which neither source knows.
#'
#' @param predictions,truth,metric,event_level,n_threads As in [bbc_correct()], of a pilot: all that
#'   it takes, except blocks. Or assumptions: `predictions` is a `function(n_rows)` that returns a
#'   list with `truth` and `predictions`.
#' @param width The wanted width, from the lower to the upper limit.
#' @param n_rows Sizes to try, at least two; by default five around a first guess.
#' @param groups Of a pilot: groups are drawn whole, and are the units of the correction.
#' @param n_simulations Data sets per size, at least 2.
#' @param n_bootstraps Replicates of each correction.
#' @param confidence_level Level of the two-sided intervals.
#' @param estimate Name of the column of predictions of a long table, see [bbc_tables].
#' @param ... No other arguments.
#' @return An object of class `bbc_rows_plan`, a list with `sizes` (a data frame: `n_rows`, the mean
#'   `width` and its `standard_error` by simulation), `n_needed` (the smallest number of rows that
#'   reaches the width; `NULL` if no size does), `n_needed_error`, `expected` (rows needed if the
#'   width falls with the root of the rows after the last size), `answer`, `metric`, `width`,
#'   `n_simulations` and `confidence_level`. [set.seed()] makes it reproducible.
#' @references
#' R. D. Riley et al. (2021). Minimum sample size for external validation of a clinical prediction
#' model with a binary outcome. *Statistics in Medicine* 40, 4230-4251.
#'
#' K. I. E. Snell et al. (2021). External validation of clinical prediction models: simulation-based
#' sample size calculations were more reliable than rules-of-thumb. *Journal of Clinical
#' Epidemiology* 135, 79-89.
#' @examples
#' # Twenty configurations of equal skill, a third of the rows are events.
#' assumed <- function(n_rows) {
#'   truth <- rbinom(n_rows, 1, 1 / 3)
#'   list(truth = truth, predictions = 1.2 * truth + matrix(rnorm(20 * n_rows), n_rows))
#' }
#' set.seed(1)
#' plan <- bbc_plan_rows(assumed, metric = "roc_auc", width = 0.2, n_simulations = 4, n_threads = 2)
#' plan
#' plot(plan)
#' @export
bbc_plan_rows <- function(predictions, truth, metric, width, n_rows = NULL, groups = NULL,
                          n_simulations = 20, n_bootstraps = 400, confidence_level = 0.95,
                          event_level = NULL, estimate = NULL, n_threads = NULL, ...) {
  no_more_arguments(...)
  if (missing(metric)) abort_no_metric(if (!missing(truth)) truth)
  if (missing(width) || !is.numeric(width) || length(width) != 1 || !is.finite(width) ||
        width <= 0) {
    abort("`width` must be one number above 0")
  }
  count <- whole_number(n_simulations, "n_simulations", 2)
  options <- checked_options(metric, n_bootstraps = n_bootstraps,
                             confidence_level = confidence_level)
  threads <- threads_of(n_threads)
  sizes <- if (!is.null(n_rows)) sizes_to_try(n_rows)
  truth <- if (!missing(truth)) truth
  if (is.function(predictions)) {
    if (!is.null(truth)) abort("`truth` is what the function returns: leave it out")
    if (!is.null(groups)) abort("`groups` are of a pilot, not of assumptions")
    first <- first_guess
    width_at <- function(size) {
      widths_of(function() assumed_data(predictions, size, options, event_level), count, threads)
    }
  } else {
    given <- without_design(
      unpacked(predictions, truth, options$metric, estimate, NULL, event_level, NULL),
      "sample_weight", "bbc_plan_rows()"
    )
    given["folds"] <- list(NULL)
    problem <- problem_of(given, options, groups)
    pilot <- with_plan(problem, options)
    first <- problem$truth$n_rows
    width_at <- pilot_widths(pilot, count, threads)
  }
  if (is.null(sizes)) sizes <- sizes_around(first, width, width_at)
  with_call(new_rows_plan(sizes, lapply(sizes, width_at), width, options, count))
}

first_guess <- 200
fewest_rows <- 20
most_rows <- 200000

with_plan <- function(problem, options) {
  list(problem = problem, options = options, plan = kernel_options(problem, options))
}

sizes_to_try <- function(n_rows) {
  if (!is.numeric(n_rows) || length(n_rows) == 0) abort("`n_rows` must be sizes to try")
  sizes <- sort(unique(vapply(n_rows, whole_number, 0, "n_rows", 2)))
  if (length(sizes) < 2) abort("`n_rows` must hold at least two different sizes")
  sizes
}

# Sizes around the one that the square-root law expects to have the width.
sizes_around <- function(first, width, width_at) {
  guess <- first * (width_at(first)[[1]] / width)^2
  if (guess > most_rows) {
    abort("`width` needs about %.2g rows: choose a wider one, or give `n_rows`", guess)
  }
  sizes <- round(c(0.5, 0.71, 1, 1.41, 2) * guess)
  # A second size where all would be the smallest.
  sort(unique(pmax(fewest_rows, c(sizes, if (2 * guess <= fewest_rows) 2 * fewest_rows))))
}

# Mean width of the intervals of data sets, and its standard error.
widths_of <- function(draw, count, threads) {
  widths <- vapply(seq_len(count), function(i) {
    data <- draw()
    data$plan$seed <- seed_of(NULL)
    raw <- corrected(data$problem, data$options, data$plan, threads)
    raw$high - raw$low
  }, 0)
  c(mean(widths), stats::sd(widths) / sqrt(count))
}

assumed_data <- function(draw, size, options, event_level) {
  found <- draw(size)
  if (!is.list(found) || is.null(found$truth) || is.null(found$predictions)) {
    abort("`predictions`: the function must return a list with `truth` and `predictions`, not %s",
          first_class(found))
  }
  with_plan(make_problem(found$predictions, found$truth, options, event_level = event_level),
            options)
}

# Widths at any size: by drawing rows of the pilot, beyond its size by the root law.
pilot_widths <- function(pilot, count, threads) {
  n <- pilot$problem$truth$n_rows
  whole <- NULL
  function(size) {
    if (size < n) {
      return(widths_of(function() of_rows(pilot, drawn_rows(pilot$problem, size)), count, threads))
    }
    if (is.null(whole)) whole <<- widths_of(function() pilot, count, threads)
    whole * sqrt(n / size)
  }
}

# About so many rows: whole groups, or of each class as many as its share says.
drawn_rows <- function(problem, size) {
  n <- problem$truth$n_rows
  if (!is.null(problem$groups)) {
    n_groups <- n_units_of(problem)
    chosen <- sample.int(n_groups, max(2, round(size * n_groups / n))) - 1
    return(which(problem$groups %in% chosen))
  }
  codes <- if (is.null(problem$truth$codes)) integer(n) else problem$truth$codes
  ends <- round(cumsum(tabulate(codes + 1)) * size / n)
  rows <- Map(function(own, n_own) own[sample.int(length(own), n_own)],
              unname(split(seq_len(n), factor(codes, seq_along(ends) - 1))), diff(c(0, ends)))
  sort(unlist(rows))
}

new_rows_plan <- function(n_rows, found, width, options, n_simulations) {
  sizes <- data.frame(n_rows = n_rows, width = vapply(found, `[[`, 0, 1),
                      standard_error = vapply(found, `[[`, 0, 2))
  needed <- rows_needed(sizes, width)
  last <- nrow(sizes)
  expected <- sizes$n_rows[[last]] * (sizes$width[[last]] / width)^2
  new_result(list(
    sizes = sizes, n_needed = needed$n, n_needed_error = needed$error, expected = expected,
    answer = plan_answer(needed, width, expected), metric = options$metric$name, width = width,
    n_simulations = n_simulations, confidence_level = options$confidence_level
  ), "bbc_rows_plan")
}

# Where the curve reaches the width for good, and the standard error of the place.
rows_needed <- function(sizes, width) {
  above <- which(sizes$width > width)
  if (length(above) == 0) return(list(n = sizes$n_rows[[1]]))
  last <- above[[length(above)]]
  if (last == nrow(sizes)) return(list())
  two <- sizes[last + 0:1, ]
  x <- log(two$n_rows)
  y <- log(two$width)
  errors <- two$standard_error / two$width
  fall <- y[[1]] - y[[2]]
  share <- (y[[1]] - log(width)) / fall
  place <- exp(x[[1]] + share * (x[[2]] - x[[1]]))
  # d share / d y1 = (1 - share) / fall, and d share / d y2 = share / fall.
  of_share <- sqrt(((1 - share) * errors[[1]])^2 + (share * errors[[2]])^2) / fall
  list(n = ceiling(place - 1e-9), error = place * (x[[2]] - x[[1]]) * of_share)
}

plan_answer <- function(needed, width, expected) {
  wanted <- paste("an interval of width", written("%g", width))
  if (is.null(needed$n)) {
    return(sprintf("no size reaches %s; by the square-root law it needs about %s rows", wanted,
                   written("%.3g", expected)))
  }
  if (is.null(needed$error)) return(sprintf("%.0f rows or fewer give %s", needed$n, wanted))
  sprintf("%.0f rows give %s (simulation error %s)", needed$n, wanted, written("%.2g", needed$error))
}

show_result.bbc_rows_plan <- function(x) {
  cat_parts(sprintf("%s interval of %s: mean width against rows", percent(x$confidence_level),
                    x$metric))
  print(x$sizes, digits = shown_digits(4), row.names = FALSE)
  cat(strwrap(x$answer, line_width, exdent = 2), sep = "\n")
}

frame_of.bbc_rows_plan <- function(x) x$sizes

tidy_of.bbc_rows_plan <- function(x) {
  data.frame(term = x$sizes$n_rows, estimate = x$sizes$width, std.error = x$sizes$standard_error)
}
