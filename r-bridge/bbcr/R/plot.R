corrected_colour <- "#0072B2"
apparent_colour <- "#D55E00"

#' Pictures of a result
#'
#' Histogram of the replicates, with the interval, the corrected and the apparent performance.
#'
#' @param x,object A result of [bbc_correct()].
#' @param ... For `plot()`: passed on to [graphics::hist()].
#' @return `plot()`: `x`, invisibly; `autoplot()`: a ggplot.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' e <- bbc_correct(matrix(rbinom(800, 1, 0.5), 80), truth, "accuracy", n_threads = 2)
#' plot(e)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(e)
#' @export
plot.bbc_estimate <- function(x, ...) {
  interval <- x$confidence_interval
  drawn <- graphics::hist(x$replicates, breaks = ceiling(sqrt(x$n_bootstraps)), plot = FALSE)
  edges <- range(drawn$breaks, x$estimate, x$apparent)
  given <- list(...)
  defaults <- list(
    x = drawn, col = "grey80", border = "white", xlim = edges, xlab = x$metric,
    ylab = "replicates",
    main = sprintf("%d rows, %d configurations", x$n_rows, x$n_configurations)
  )
  do.call(plot, c(given, defaults[setdiff(names(defaults), names(given))]))
  shown <- graphics::par("usr")
  graphics::rect(max(interval$low, shown[[1]]), shown[[3]], min(interval$high, shown[[2]]),
                 shown[[4]], col = grDevices::adjustcolor(corrected_colour, 0.15), border = NA)
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
autoplot.bbc_estimate <- function(object, ...) {
  interval <- object$confidence_interval
  lines <- data.frame(
    value = c(object$estimate, object$apparent), performance = c("corrected", "apparent")
  )
  ggplot2::ggplot(data.frame(replicate = object$replicates)) +
    ggplot2::geom_histogram(
      ggplot2::aes(x = .data$replicate), bins = ceiling(sqrt(object$n_bootstraps)),
      fill = "grey80", colour = "white"
    ) +
    ggplot2::annotate("rect", xmin = interval$low, xmax = interval$high, ymin = -Inf, ymax = Inf,
                      fill = corrected_colour, alpha = 0.15) +
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
      title = sprintf("%d rows, %d configurations", object$n_rows, object$n_configurations)
    )
}
