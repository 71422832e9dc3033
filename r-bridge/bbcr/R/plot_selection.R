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
  given <- list(...)
  defaults <- list(height = bars$share, names.arg = bars$name, horiz = TRUE, las = 1,
                   col = ifelse(bars$winner, corrected_colour, "grey80"), border = NA,
                   xlim = c(0, 1.25 * max(bars$share)), xlab = selection_label(x))
  places <- do.call(graphics::barplot, c(given, defaults[setdiff(names(defaults), names(given))]))
  graphics::text(bars$share, places, sprintf("%.1f", bars$share), pos = 4)
  if (any(bars$winner)) {
    legend_above(legend = winner_label(x), fill = corrected_colour, border = NA)
  } else {
    graphics::mtext("the winner is not shown", line = 0)
  }
  invisible(x)
}

autoplot_selection <- function(object) {
  bars <- selection_bars(object)
  bars$name <- factor(bars$name, rev(bars$name))
  bars$kind <- ifelse(bars$winner, winner_label(object), "others")
  colours <- stats::setNames(c(corrected_colour, "grey80"), c(winner_label(object), "others"))
  ggplot2::ggplot(bars, ggplot2::aes(x = .data$share, y = .data$name, fill = .data$kind)) +
    ggplot2::geom_col() +
    ggplot2::scale_fill_manual(values = colours) +
    ggplot2::labs(x = selection_label(object), y = NULL, fill = NULL, title = say("size", facts_of(object)))
}
