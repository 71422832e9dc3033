corrected_colour <- "#0072B2"
apparent_colour <- "#D55E00"

#' Pictures of a result
#'
#' Histogram of the replicates with the corrected and the apparent performance, and the interval if
#' there is one; or how often each configuration won a replicate.
#'
#' @param x,object A result of [bbc_correct()].
#' @param which `"replicates"`, the histogram, or `"selection"`, a bar for each of the ten
#'   configurations that won most often.
#' @param ... For `plot()`: passed on to [graphics::hist()] and to its plot, or to
#'   [graphics::barplot()].
#' @return `plot()`: `x`, invisibly; `autoplot()`: a ggplot.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' e <- bbc_correct(matrix(rbinom(800, 1, 0.5), 80), truth, "accuracy", n_threads = 2)
#' plot(e)
#' plot(e, which = "selection")
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(e)
#' @export
plot.bbc_estimate <- function(x, which = c("replicates", "selection"), ...) {
  if (choice(which, "which", c("replicates", "selection")) == "selection") {
    return(plot_selection(x, ...))
  }
  check_replicates(x)
  interval <- x$confidence_interval
  given <- list(...)
  breaks <- if (is.null(given$breaks)) ceiling(sqrt(x$n_bootstraps)) else given$breaks
  given$breaks <- NULL
  drawn <- graphics::hist(x$replicates, breaks = breaks, plot = FALSE)
  edges <- range(drawn$breaks, x$estimate, x$apparent)
  defaults <- list(
    x = drawn, col = "grey80", border = "white", xlim = edges, xlab = x$metric,
    ylab = "replicates",
    main = say("size", facts_of(x))
  )
  do.call(plot, c(given, defaults[setdiff(names(defaults), names(given))]))
  shown <- graphics::par("usr")
  if (!is.null(interval)) {
    graphics::rect(max(interval$low, shown[[1]]), shown[[3]], min(interval$high, shown[[2]]),
                   shown[[4]], col = grDevices::adjustcolor(corrected_colour, 0.15), border = NA)
  }
  graphics::abline(v = x$estimate, col = corrected_colour, lwd = 2)
  graphics::abline(v = x$apparent, col = apparent_colour, lwd = 2, lty = 2)
  graphics::legend("topleft", bty = "n", lwd = 2, lty = 1:2,
                   col = c(corrected_colour, apparent_colour),
                   legend = sprintf(c("corrected %.3f", "apparent %.3f"),
                                    c(x$estimate, x$apparent)))
  invisible(x)
}

#' @rdname plot.bbc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_estimate <- function(object, which = c("replicates", "selection"), ...) {
  if (choice(which, "which", c("replicates", "selection")) == "selection") {
    return(autoplot_selection(object))
  }
  check_replicates(object)
  interval <- object$confidence_interval
  lines <- data.frame(
    value = c(object$estimate, object$apparent), performance = c("corrected", "apparent")
  )
  ggplot2::ggplot(data.frame(replicate = object$replicates)) +
    ggplot2::geom_histogram(
      ggplot2::aes(x = .data$replicate), bins = ceiling(sqrt(object$n_bootstraps)),
      fill = "grey80", colour = "white"
    ) +
    (if (!is.null(interval)) {
      ggplot2::annotate("rect", xmin = interval$low, xmax = interval$high, ymin = -Inf, ymax = Inf,
                        fill = corrected_colour, alpha = 0.15)
    }) +
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$value, colour = .data$performance,
                   linetype = .data$performance),
      data = lines
    ) +
    ggplot2::scale_colour_manual(values = c(corrected = corrected_colour,
                                            apparent = apparent_colour)) +
    ggplot2::scale_linetype_manual(values = c(corrected = "solid", apparent = "dashed")) +
    ggplot2::labs(
      x = object$metric, y = "replicates", colour = NULL, linetype = NULL,
      title = say("size", facts_of(object))
    )
}

check_replicates <- function(x) {
  if (x$n_bootstraps == 0) abort("method \"%s\" draws no replicates to show", x$method)
}

#' @rdname bbc_bound_methods
#' @export
plot.bbc_bound <- function(x, ...) {
  plot.bbc_bound_comparison(comparison_of(list(x)), ...)
  invisible(x)
}

#' @rdname bbc_bound_methods
#' @export
plot.bbc_bound_comparison <- function(x, ...) {
  frame <- bounds_frame(x)
  lines <- rev(seq_len(nrow(frame)))
  kept <- graphics::par(mar = c(4, 11, 1, 1))
  on.exit(graphics::par(kept))
  given <- list(...)
  defaults <- list(x = frame$estimate, y = lines, xlim = range(frame$bound, 1, na.rm = TRUE),
                   ylim = range(lines) + c(-0.5, 0.5), yaxt = "n", xlab = "roc_auc", ylab = "",
                   pch = 19, col = corrected_colour)
  do.call(graphics::plot, c(given, defaults[setdiff(names(defaults), names(given))]))
  graphics::axis(2, lines, frame$label, las = 1, tick = FALSE)
  solid <- frame$feasible
  graphics::segments(frame$bound[solid], lines[solid], frame$estimate[solid], lines[solid],
                     col = corrected_colour, lwd = 2)
  invisible(x)
}

#' @rdname bbc_bound_methods
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_bound <- function(object, ...) {
  autoplot.bbc_bound_comparison(comparison_of(list(object)))
}

#' @rdname bbc_bound_methods
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_bound_comparison <- function(object, ...) {
  frame <- bounds_frame(object)
  frame$label <- factor(frame$label, rev(frame$label))
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$estimate, y = .data$label)) +
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$bound, xend = .data$estimate, yend = .data$label),
      data = frame[frame$feasible, ], colour = corrected_colour
    ) +
    ggplot2::geom_point(colour = corrected_colour, na.rm = TRUE) +
    ggplot2::scale_y_discrete(drop = FALSE) +
    ggplot2::labs(x = "roc_auc", y = NULL)
}

bounds_frame <- function(comparison) {
  frame <- as.data.frame(comparison)
  frame$label <- make.unique(bound_names(comparison))
  frame$label[!frame$feasible] <- paste(frame$label[!frame$feasible], "(no bound)")
  frame
}

#' @rdname bbc_dominance
#' @export
plot.bbc_dominance <- function(x, ...) {
  frame <- as.data.frame(x)
  frame <- frame[order(-frame$share_worse), ]
  given <- list(...)
  defaults <- list(x = frame$share_worse, labels = frame$name, xlim = c(0, 1), pch = 19,
                   xlab = sprintf("share of replicates worse than %s", x$best_name),
                   color = ifelse(frame$dominated, apparent_colour, corrected_colour))
  do.call(graphics::dotchart, c(given, defaults[setdiff(names(defaults), names(given))]))
  graphics::abline(v = x$dropping_level, lty = 2)
  invisible(x)
}

#' @rdname bbc_dominance
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_dominance <- function(object, ...) {
  frame <- as.data.frame(object)
  frame$name <- make.unique(frame$name)
  frame$name <- factor(frame$name, frame$name[order(-frame$share_worse)])
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$share_worse, y = .data$name)) +
    ggplot2::geom_vline(xintercept = object$dropping_level, linetype = "dashed") +
    ggplot2::geom_point(ggplot2::aes(colour = .data$dominated)) +
    ggplot2::scale_colour_manual(values = c("FALSE" = corrected_colour, "TRUE" = apparent_colour)) +
    ggplot2::labs(x = sprintf("share of replicates worse than %s", object$best_name), y = NULL)
}

#' @rdname bbc_comparison
#' @export
plot.bbc_comparison <- function(x, ...) {
  frame <- drawn_differences(x)
  lines <- rev(seq_len(nrow(frame)))
  kept <- graphics::par(mar = c(4, 11, 1, 1))
  on.exit(graphics::par(kept))
  given <- list(...)
  defaults <- list(x = frame$estimate, y = lines, ylim = range(lines) + c(-0.5, 0.5), yaxt = "n",
                   xlim = range(0, frame[c("estimate", "left", "right")], finite = TRUE),
                   xlab = difference_label(x), ylab = "", pch = 19, col = corrected_colour)
  do.call(graphics::plot, c(given, defaults[setdiff(names(defaults), names(given))]))
  graphics::abline(v = 0, lty = 2, col = "grey60")
  graphics::axis(2, lines, frame$label, las = 1, tick = FALSE)
  solid <- !is.na(frame$left)
  edges <- graphics::par("usr")[1:2]
  graphics::segments(pmax(frame$left[solid], edges[[1]]), lines[solid],
                     pmin(frame$right[solid], edges[[2]]), lines[solid], col = corrected_colour,
                     lwd = 2)
  invisible(x)
}

#' @rdname bbc_comparison
#' @exportS3Method ggplot2::autoplot
autoplot.bbc_comparison <- function(object, ...) {
  frame <- drawn_differences(object)
  frame$label <- factor(frame$label, rev(frame$label))
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$estimate, y = .data$label)) +
    ggplot2::geom_vline(xintercept = 0, linetype = "dashed", colour = "grey60") +
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$left, xend = .data$right, yend = .data$label), linewidth = 1,
      data = frame[!is.na(frame$left), ], colour = corrected_colour
    ) +
    ggplot2::geom_point(colour = corrected_colour, size = 2) +
    ggplot2::labs(x = difference_label(object), y = NULL)
}

drawn_differences <- function(x) {
  pairs <- x$differences
  data.frame(label = colnames(x$replicates), estimate = pairs$estimate, left = pairs$low,
             right = pairs$high)
}

difference_label <- function(x) {
  sprintf("difference in %s (positive: the first is better)", x$metric)
}
