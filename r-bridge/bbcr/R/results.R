# What results have in common. A class of results says in methods of the following what its table holds
# and how it is shown; users reach these by the generics of R, broom and ggplot2.

new_result <- function(fields, class) structure(fields, class = c(class, "bbc_result"))

frame_of <- function(x) UseMethod("frame_of")  # rows of as.data.frame()
tidy_of <- function(x) UseMethod("tidy_of")  # columns of tidy()
glance_of <- function(x) UseMethod("glance_of")  # columns of glance()
coef_of <- function(x) UseMethod("coef_of")
ends_of <- function(x, level) UseMethod("ends_of")  # limits by row; without a level those of the result
show_result <- function(x) UseMethod("show_result")
picture <- function(x, ...) UseMethod("picture")  # a description, see draw.R

tidy_of.default <- function(x) frame_of(x)

glance_of.default <- function(x) {
  data.frame(x[intersect(names(x), c("metric", "method", "estimate", "confidence_level", "seed"))])
}

# The limits of tidy(), at the level of the result: others read them off replicates.
ends_of.default <- function(x, level) {
  columns <- tidy_of(x)
  if (is.null(columns$conf.low)) abort("%s has no intervals, see tidy()", first_class(x))
  computed <- if (is.null(x$confidence_level)) record_of(x)$confidence_interval$confidence_level
              else x$confidence_level
  refuse_other_level(level, computed)
  side <- if (is.null(x$alternative)) "two-sided" else x$alternative
  names <- if (is.null(computed)) c("low", "high") else tail_names(side, computed)
  matrix(c(columns$conf.low, columns$conf.high), ncol = 2, dimnames = list(columns$term, names))
}

# The estimate that a result holds, if it does.
record_of <- function(x) Find(function(part) inherits(part, "bbc_estimate"), unclass(x))

refuse_other_level <- function(level, computed) {
  if (is.null(level) || identical(check_level(level), computed)) return(invisible())
  abort("`level` is that of the result, %g: for another one compute it again", computed)
}

coef_of.default <- function(x) {
  columns <- tidy_of(x)
  stats::setNames(columns$estimate, columns$term)
}

#' Methods of results
#'
#' All results print themselves, and have the methods by which R's other models are asked. Which of
#' them a result has depends on what it holds.
#'
#' @param x,object A result.
#' @param parm Names of rows; by default all.
#' @param level Level of the intervals. For a result of [bbc_correct()] or [bbc_subgroups()] another
#'   level is read off the replicates; for others it can only be the one that was computed.
#' @param conf.int,conf.level Whether `tidy()` has limits, and their level, as `level`.
#' @param digits Significant digits of the numbers that are printed. By default an estimate, its
#'   limits and its apparent score have as many decimals as their Monte Carlo errors and the width of
#'   the interval carry; other numbers have six digits, and four in tables. The decimal mark is that
#'   of `options(OutDec = )`.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... For `plot()`: passed on to [graphics::plot()], which draws the axes and their titles; `col`,
#'   `pch`, `cex`, `lwd`, `lty` and `border` are those of the estimates, or of the first entry of the
#'   legend. `print()`, `as.data.frame()` and `as_flextable()` ignore others, and all other methods refuse
#'   them.
#'   `which`, of a result of [bbc_correct()]: `"replicates"`, their histogram with the corrected
#'   and the apparent performance and the interval, with `breaks` as in [graphics::hist()];
#'   `"selection"`, a bar for each of the ten configurations that won most often; or `"metrics"`, a
#'   panel for each, of secondary ones, too.
#' @return
#' `as.data.frame()` has a row per
#' * result of [bbc_correct()], [bbc_tt()] and the like, then one for each of its secondary metrics, or
#'   protocol;
#' * pair of families of [bbc_compare()], with the estimates of both;
#' * subgroup of [bbc_subgroups()], with counts, estimate, limits, apparent score, `n_undefined` and
#'   `too_small`;
#' * result of [bbc_remaining_optimism()]; `tidy()` has the corrected and the coupled estimate;
#' * configuration of [bbc_possible_winners()];
#' * result of [bbc_bound()];
#' * number of [bbc_calibration()], point of the other curves, and each of these of
#'   [bbc_clinical()];
#' * point of [bbc_tuning_path()], size of [bbc_plan_rows()], or permuted truth of
#'   [bbc_negative_control()].
#'
#' `tidy()` and `glance()` have the columns that broom users expect, as tibbles if tibble is installed;
#' `coef()` has the estimates, and `confint()` a matrix with their limits, `NA` where there are none.
#' `print()` and `plot()` return `x`, invisibly; `autoplot()` returns the same picture as a ggplot, and
#' `flextable::as_flextable()` the table of `tidy()` for Word or HTML. `summary()` of an
#' estimate or a bound shows all facts. [update()][bbc_update] computes a result again with other
#' arguments.
#'
#' In pictures of curves the darker band is for each point, the lighter one for whole curves; below a
#' calibration curve are the events (upwards) and others by risk.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' e <- bbc_correct(matrix(rbinom(800, 1, 0.5), 80), truth, "accuracy", n_threads = 2)
#' confint(e, level = 0.9)
#' coef(e)
#' summary(e)
#' as.data.frame(e)
#' plot(e)
#' plot(e, which = "selection")
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(e)
#' if (requireNamespace("flextable", quietly = TRUE)) flextable::as_flextable(e)
#'
#' folds <- rep(1:5, 16)
#' scores <- truth + matrix(rnorm(80 * 30), 80)
#' bound <- bbc_bound(scores, truth, folds, "delong", seed = 1, n_threads = 2)
#' as.data.frame(bound)
#' confint(bound)
#' plot(bound)
#' @aliases bbc_estimate bbc_result plot.bbc_estimate
#' @name bbc_results
NULL

#' @rdname bbc_results
#' @export
print.bbc_result <- function(x, digits = NULL, ...) {
  if (!is.null(digits)) {
    kept <- options(bbcr.digits = whole_number(digits, "digits", 1, 22))
    on.exit(options(kept))
  }
  show_result(x)
  invisible(x)
}

# Results without a longer summary are one.
#' @export
summary.bbc_result <- function(object, ...) {
  no_more_arguments(...)
  object
}

#' @rdname bbc_results
#' @export
as.data.frame.bbc_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  frame <- frame_of(x)
  rownames(frame) <- row.names
  frame
}

#' @rdname bbc_results
#' @export
tidy.bbc_result <- function(x, conf.int = TRUE, conf.level = NULL, ...) {
  no_more_arguments(...)
  columns <- tidy_of(x)
  if (!is.null(conf.level)) {
    ends <- unname(ends_of(x, conf.level))
    columns[c("conf.low", "conf.high")] <- list(ends[, 1], ends[, 2])
  }
  if (!flag(conf.int, "conf.int")) columns[c("conf.low", "conf.high")] <- NULL
  tidied(columns)
}

#' @rdname bbc_results
#' @export
glance.bbc_result <- function(x, ...) {
  no_more_arguments(...)
  tidied(glance_of(x))
}

#' @rdname bbc_results
#' @export
coef.bbc_result <- function(object, ...) {
  no_more_arguments(...)
  coef_of(object)
}

#' @rdname bbc_results
#' @param what `"results"`: the estimate and its interval in a sentence for each metric; `"methods"`: a
#'   paragraph for the methods section.
#' @export
format.bbc_estimate <- function(x, what = "results", ...) {
  no_more_arguments(...)
  what <- choice(what, "what", c("results", "methods"))
  if (what == "methods") return(say("methods", facts_of(x)))
  paste(vapply(unname(every_metric(x)), function(e) say("headline", facts_of(e)), ""), collapse = " ")
}

#' @rdname bbc_results
#' @export
format.bbc_protocol <- function(x, ...) format(x$performance, ...)

#' @rdname bbc_results
#' @export
format.bbc_comparison <- function(x, what = "results", ...) {
  no_more_arguments(...)
  what <- choice(what, "what", c("results", "methods"))
  if (what == "methods") return(say("comparison_methods", comparison_facts(x)))
  paste(vapply(unname(every_comparison(x)), conclusion_of, ""), collapse = " ")
}

# Of other answers what print() shows.
#' @export
format.bbc_result <- function(x, ...) {
  no_more_arguments(...)
  paste(utils::capture.output(print(x)), collapse = "\n")
}

#' @rdname bbc_results
#' @export
confint.bbc_result <- function(object, parm, level = NULL, ...) {
  no_more_arguments(...)
  ends <- ends_of(object, level)
  if (missing(parm) || is.null(parm)) ends else ends[parm, , drop = FALSE]
}

#' @rdname bbc_results
#' @export
plot.bbc_result <- function(x, ...) {
  given <- list(...)
  draw(picture(x, ...), given[!names(given) %in% c("", "which", "breaks")])
  invisible(x)
}

#' @rdname bbc_results
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_result <- function(object, ...) {
  refuse_unknown_arguments(...names(), names(formals(method_for("picture", object))))
  ggplot_of(picture(object, ...))
}

#' @rdname bbc_results
#' @exportS3Method flextable::as_flextable
as_flextable.bbc_result <- function(x, digits = NULL, ...) {
  kept <- options(bbcr.digits = if (!is.null(digits)) whole_number(digits, "digits", 1, 22))
  on.exit(options(kept))
  shown <- as.data.frame(tidy_of(x))
  if (inherits(x, "bbc_estimate")) {
    columns <- c("estimate", "conf.low", "conf.high")
    shown <- with_decimals(shown, every_metric(x), columns)
    shown[columns] <- lapply(shown[columns], function(column) ifelse(column == "NA", "", column))
  }
  real <- vapply(shown, is.double, NA)
  # Its own format has one decimal.
  shown[real] <- lapply(shown[real], function(column) {
    ifelse(is.na(column), "", vapply(column, format, "", digits = shown_digits(4)))
  })
  flextable::flextable(shown)
}

# What tidy() and glance() return, a tibble as broom's do wherever there are tibbles.
tidied <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}

tail_names <- function(alternative, level) {
  tails <- switch(alternative,
    "two-sided" = c((1 - level) / 2, (1 + level) / 2), greater = c(1 - level, 1), less = c(0, level)
  )
  paste(format(100 * tails, trim = TRUE), "%")
}

# NULL as a cell of a table.
or_na <- function(value) if (is.null(value)) NA else value

# Numbers of configurations, and their names.
configurations_in <- function(names, n) {
  indices <- seq_len(n)
  data.frame(configuration = indices,
             name = if (is.null(names)) paste("configuration", indices) else names)
}
