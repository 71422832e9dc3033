# Pictures of an estimate.

estimate_pictures <- c("replicates", "selection", "metrics")

draw.bbc_estimate <- function(x, which = estimate_pictures, ...) {
  # Without replicates there are two points to see.
  if (missing(which) && x$n_bootstraps == 0) which <- "metrics"
  which <- choice(which, "which", estimate_pictures)
  if (which == "metrics") return(draw_metrics(x, ...))
  if (which == "selection") return(plot_selection(x, ...))
  check_replicates(x)
  interval <- x$confidence_interval
  given <- list(...)
  breaks <- if (is.null(given$breaks)) ceiling(sqrt(x$n_bootstraps)) else given$breaks
  given$breaks <- NULL
  drawn <- graphics::hist(x$replicates, breaks = breaks, plot = FALSE)
  edges <- range(drawn$breaks, x$estimate, x$apparent)
  drawn_by(graphics::plot, given, x = drawn, col = "grey80", border = "white", xlim = edges,
           xlab = metric_title(x$metric), ylab = "replicates", main = say("size", facts_of(x)))
  shown <- graphics::par("usr")
  if (!is.null(interval)) {
    graphics::rect(max(interval$low, shown[[1]]), shown[[3]], min(interval$high, shown[[2]]),
                   shown[[4]], col = grDevices::adjustcolor(corrected_colour, 0.15), border = NA)
  }
  graphics::abline(v = x$estimate, col = corrected_colour, lwd = 2)
  graphics::abline(v = x$apparent, col = apparent_colour, lwd = 2, lty = 2)
  graphics::legend("topleft", bty = "n", lwd = 2, lty = 1:2,
                   col = c(corrected_colour, apparent_colour),
                   legend = paste(c("corrected", "apparent"),
                                  shown_of(x, c(x$estimate, x$apparent))))
}

picture.bbc_estimate <- function(x, which = estimate_pictures, ...) {
  if (missing(which) && x$n_bootstraps == 0) which <- "metrics"
  which <- choice(which, "which", estimate_pictures)
  if (which == "metrics") return(picture_of_metrics(x))
  if (which == "selection") return(picture_of_selection(x))
  check_replicates(x)
  interval <- x$confidence_interval
  lines <- data.frame(
    value = c(x$estimate, x$apparent), performance = c("corrected", "apparent")
  )
  ggplot2::ggplot(data.frame(replicate = x$replicates)) +
    ggplot2::geom_histogram(
      ggplot2::aes(x = .data$replicate), bins = ceiling(sqrt(x$n_bootstraps)),
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
      x = metric_title(x$metric), y = "replicates", colour = NULL, linetype = NULL,
      title = say("size", facts_of(x))
    )
}

check_replicates <- function(x) {
  if (x$n_bootstraps == 0) abort("method \"%s\" draws no replicates to show", x$method)
}

# Stability of the selection: how often each configuration won a replicate, or took part in its
# ensemble. Beyond `n_shown` configurations the others are one bar: their sum, or with ensembles, in
# which several take part at a time, the largest.
selection_bars <- function(x, n_shown = 10L) {
  check_replicates(x)
  shares <- 100 * x$selection_frequency
  chosen <- order(-shares, method = "radix")
  chosen <- chosen[shares[chosen] > 0]
  shown <- utils::head(chosen, n_shown)
  others <- utils::tail(chosen, -n_shown)
  bars <- data.frame(
    name = make.unique(shortened(vapply(shown, name_of, "", names = x$names), 30)),
    share = shares[shown], winner = shown == x$winner
  )
  if (length(others) == 0) return(bars)
  of_others <- counted(length(others), "other")
  rbind(bars, if (is.null(x$weights)) {
    data.frame(name = of_others, share = sum(shares[others]), winner = FALSE)
  } else {
    data.frame(name = paste0(of_others, ", at most"), share = max(shares[others]), winner = FALSE)
  })
}

selection_label <- function(x) {
  sprintf("%s in %% of the replicates", if (is.null(x$weights)) "chosen" else "taking part")
}

winner_label <- function(x) if (is.null(x$weights)) "the winner" else "the largest weight"

plot_selection <- function(x, ...) {
  bars <- selection_bars(x)
  bars <- bars[rev(seq_len(nrow(bars))), ]
  kept <- graphics::par(mar = c(4, 2 + 0.5 * max(nchar(bars$name)), 3, 1))
  on.exit(graphics::par(kept))
  places <- drawn_by(
    graphics::barplot, list(...), height = bars$share, names.arg = bars$name, horiz = TRUE, las = 1,
    col = ifelse(bars$winner, corrected_colour, "grey80"), border = NA,
    xlim = c(0, 1.25 * max(bars$share)), xlab = selection_label(x)
  )
  graphics::text(bars$share, places, written("%.1f", bars$share), pos = 4)
  if (any(bars$winner)) {
    legend_above(legend = winner_label(x), fill = corrected_colour, border = NA)
  } else {
    graphics::mtext("the winner is not shown", line = 0)
  }
}

picture_of_selection <- function(x) {
  bars <- selection_bars(x)
  bars$name <- factor(bars$name, rev(bars$name))
  bars$kind <- ifelse(bars$winner, winner_label(x), "others")
  colours <- stats::setNames(c(corrected_colour, "grey80"), c(winner_label(x), "others"))
  ggplot2::ggplot(bars, ggplot2::aes(x = .data$share, y = .data$name, fill = .data$kind)) +
    ggplot2::geom_col() +
    ggplot2::scale_fill_manual(values = colours) +
    ggplot2::labs(x = selection_label(x), y = NULL, fill = NULL, title = say("size", facts_of(x)))
}
