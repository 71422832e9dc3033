#' Methods for subgroups
#'
#' @param x,object A result of [bbc_subgroups()].
#' @param parm Names of subgroups; by default all.
#' @param level As in `confint()` of a [bbc_estimate].
#' @param row.names,optional As in [as.data.frame()].
#' @param ... For `plot()`: passed on to [graphics::plot()]; otherwise ignored.
#' @return `as.data.frame()`: one row per subgroup, with counts, estimate, limits, apparent score,
#'   `n_undefined` and `too_small`; `coef()` and `confint()`: the estimates and their intervals,
#'   `NA` where there are none; `tidy()` and `glance()`: tables with the columns that broom
#'   users expect; `print()` and `plot()`: `x`, invisibly; `autoplot()`: a ggplot.
#' @examples
#' set.seed(1)
#' truth <- rnorm(90)
#' predictions <- truth + matrix(rnorm(900), 90)
#' found <- bbc_subgroups(predictions, truth, "r2", by = rep(c("a", "b", "c"), 30), reference = "a",
#'                        seed = 1, n_threads = 2)
#' as.data.frame(found)
#' found$differences[c("first", "second", "estimate", "p_value")]
#' @name bbc_subgroups_methods
NULL

#' @rdname bbc_subgroups_methods
#' @export
print.bbc_subgroups <- function(x, ...) {
  e <- x$overall
  cat_parts(sprintf("%s of one winner in %s (%s is better)", e$metric,
                    counted(nrow(x$groups), "subgroup"),
                    if (e$greater_is_better) "higher" else "lower"),
            paste("method", e$method), if (e$pooling == "fold") "mean of folds" else e$pooling)
  shown <- with_all_rows(x)
  shown <- shown[setdiff(names(shown), c("n_undefined", "too_small"))]
  print(shown, digits = 4, row.names = FALSE)
  pairs <- x$differences
  if (nrow(pairs)) {
    print(data.frame(
      difference = paste(pairs$first, "-", pairs$second),
      pairs[c("estimate", "low", "high", "p_value")],
      better = sprintf("%.0f %% : %.0f %%", 100 * pairs$first_better, 100 * pairs$second_better)
    ), digits = 4, row.names = FALSE)
  }
  for (text in subgroup_remarks(x)) cat(strwrap(text, line_width, exdent = 2), sep = "\n")
  cat_parts(if (!is.null(e$event)) paste("event", e$event), seed_text(e))
  invisible(x)
}

# A line for all rows, then the subgroups.
with_all_rows <- function(x) {
  frame <- as.data.frame(x)
  counts <- c("n_rows", grep("^n_", names(x$groups)[-(1:2)], value = TRUE))
  of_all <- frame[1, ]
  of_all[counts] <- lapply(frame[counts], sum)
  interval <- x$overall$confidence_interval
  of_all[c("estimate", "low", "high", "apparent", "n_undefined")] <- list(
    x$overall$estimate, or_na(interval$low), or_na(interval$high), x$overall$apparent,
    undefined_in(x$overall)
  )
  of_all$subgroup <- "all rows"
  of_all$too_small <- NA_character_
  rbind(of_all, frame)
}

# Of the metric that selects no replicate is undefined.
undefined_in <- function(e) if (is.null(e$n_undefined)) 0 else e$n_undefined

# What has no number and why, undefined replicates, findings and notes.
subgroup_remarks <- function(x) {
  small <- x$groups[!is.na(x$groups$too_small), ]
  of_each <- function(text) unlist(lapply(names(x$estimates), function(name) {
    own <- text(x$estimates[[name]])
    if (length(own)) paste0(name, ": ", own)
  }))
  known <- finding_text(x$overall$findings)
  c(
    if (nrow(small)) sprintf("too small: %s: %s", small$subgroup, small$too_small),
    of_each(function(e) if (undefined_in(e) > 0) {
      paste(counted(e$n_undefined, "replicate"), "without a score, left out")
    }),
    of_each(function(e) if (!is.null(e$infeasible)) paste("no interval:", e$infeasible)),
    known, of_each(function(e) setdiff(finding_text(e$findings), known)),
    if (length(x$notes)) paste("note:", x$notes)
  )
}

#' @rdname bbc_subgroups_methods
#' @export
as.data.frame.bbc_subgroups <- function(x, row.names = NULL, optional = FALSE, ...) {
  own <- x$estimates[x$groups$subgroup]
  number_of <- function(get) {
    vapply(own, function(e) if (is.null(e)) NA_real_ else as.double(or_na(get(e))), 0)
  }
  groups <- x$groups
  data.frame(
    groups[setdiff(names(groups), "too_small")], estimate = number_of(function(e) e$estimate),
    low = number_of(function(e) e$confidence_interval$low),
    high = number_of(function(e) e$confidence_interval$high),
    apparent = number_of(function(e) e$apparent), n_undefined = number_of(undefined_in),
    too_small = groups$too_small, row.names = row.names, check.names = FALSE
  )
}

#' @rdname bbc_subgroups_methods
#' @export
coef.bbc_subgroups <- function(object, ...) {
  frame <- as.data.frame(object)
  stats::setNames(frame$estimate, frame$subgroup)
}

#' @rdname bbc_subgroups_methods
#' @export
confint.bbc_subgroups <- function(object, parm, level, ...) {
  if (missing(level)) level <- object$overall$confidence_interval$confidence_level
  ends <- t(vapply(object$groups$subgroup, function(name) {
    e <- object$estimates[[name]]
    if (is.null(e$confidence_interval)) c(NA_real_, NA_real_)
    else c(stats::confint(e, level = level))
  }, c(0, 0)))
  colnames(ends) <- colnames(stats::confint(object$overall, level = level))
  if (missing(parm)) ends else ends[parm, , drop = FALSE]
}

#' @rdname bbc_subgroups_methods
#' @export
tidy.bbc_subgroups <- function(x, ...) {
  frame <- as.data.frame(x)
  tidied(term = frame$subgroup, estimate = frame$estimate, conf.low = frame$low,
         conf.high = frame$high, n = frame$n_rows)
}

#' @rdname bbc_subgroups_methods
#' @export
glance.bbc_subgroups <- function(x, ...) {
  tidied(glance.bbc_estimate(x$overall), n_subgroups = nrow(x$groups))
}

# Lines of a picture, from above.
drawn_subgroups <- function(x) {
  frame <- with_all_rows(x)
  label <- sprintf("%s (%d)", frame$subgroup, as.integer(frame$n_rows))
  label[!is.na(frame$too_small)] <- paste(label[!is.na(frame$too_small)], "too small")
  data.frame(label = make.unique(label), estimate = frame$estimate, left = frame$low,
             right = frame$high)
}

#' @rdname bbc_subgroups_methods
#' @export
plot.bbc_subgroups <- function(x, ...) {
  frame <- drawn_subgroups(x)
  lines <- rev(seq_len(nrow(frame)))
  kept <- graphics::par(mar = c(4, 11, 1, 1))
  on.exit(graphics::par(kept))
  given <- list(...)
  defaults <- list(x = frame$estimate, y = lines, ylim = range(lines) + c(-0.5, 0.5), yaxt = "n",
                   xlim = range(frame[c("estimate", "left", "right")], finite = TRUE),
                   xlab = x$overall$metric, ylab = "", pch = 19, col = corrected_colour)
  do.call(graphics::plot, c(given, defaults[setdiff(names(defaults), names(given))]))
  graphics::abline(v = x$overall$estimate, lty = 2, col = "grey60")
  graphics::axis(2, lines, frame$label, las = 1, tick = FALSE)
  edges <- graphics::par("usr")[1:2]
  solid <- !is.na(frame$left)
  graphics::segments(pmax(frame$left[solid], edges[[1]]), lines[solid],
                     pmin(frame$right[solid], edges[[2]]), lines[solid], col = corrected_colour,
                     lwd = 2)
  invisible(x)
}

#' @rdname bbc_subgroups_methods
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_subgroups <- function(object, ...) {
  frame <- drawn_subgroups(object)
  frame$label <- factor(frame$label, rev(frame$label))
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$estimate, y = .data$label)) +
    ggplot2::geom_vline(xintercept = object$overall$estimate, linetype = "dashed",
                        colour = "grey60") +
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$left, xend = .data$right, yend = .data$label), linewidth = 1,
      data = frame[!is.na(frame$left), ], colour = corrected_colour
    ) +
    ggplot2::geom_point(colour = corrected_colour, size = 2, na.rm = TRUE) +
    ggplot2::scale_y_discrete(drop = FALSE) +
    ggplot2::labs(x = object$overall$metric, y = NULL)
}
