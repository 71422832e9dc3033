# Pictures of an estimate.

estimate_pictures <- c("replicates", "selection", "metrics")

picture.bbc_estimate <- function(x, which = estimate_pictures, breaks = ceiling(sqrt(x$n_bootstraps)), ...) {
  # Without replicates there are two points to see.
  if (missing(which) && x$n_bootstraps == 0) which <- "metrics"
  which <- choice(which, "which", estimate_pictures)
  if (which == "metrics") return(picture_of_metrics(x))
  check_replicates(x)
  if (which == "selection") picture_of_selection(x) else picture_of_replicates(x, breaks)
}

picture_of_replicates <- function(x, breaks) {
  bars <- graphics::hist(x$replicates, breaks, plot = FALSE)
  performance <- c(x$estimate, x$apparent)
  what <- paste(c("corrected", "apparent"), shown_of(x, performance))
  interval <- x$confidence_interval
  new_picture(list(
    layer("rect", fill = "grey80", colour = "white", data = data.frame(
      x = utils::head(bars$breaks, -1), xend = bars$breaks[-1], y = 0, yend = bars$counts
    )),
    if (!is.null(interval)) {
      layer("rect", data.frame(x = interval$low, xend = interval$high, y = -Inf, yend = Inf),
            fill = shaded(0.15))
    },
    layer("vline", data.frame(x = performance, what), linewidth = 0.7)
  ), axis_of(metric_title(x$metric)), axis_of("replicates"), performance_looks(what),
  say("size", facts_of(x)))
}

# A panel for each metric of an estimate, because their scales differ.
picture_of_metrics <- function(x) {
  as_panels(lapply(every_metric(x), function(e) {
    points <- data.frame(x = c(e$estimate, e$apparent), y = 1, what = c("corrected", "apparent"))
    new_picture(
      list(layer("point", points), interval_layer(tidy_of(e)[1, ], 1)),
      axis_of(metric_title(e$metric)), rows_axis(""), performance_looks()
    )
  }))
}

check_replicates <- function(x) {
  if (x$n_bootstraps == 0) abort("method \"%s\" draws no replicates to show", x$method)
}

# Stability of the selection: how often each configuration won a replicate, or took part in its
# ensemble. Beyond `n_shown` configurations the others are one bar: their sum, or with ensembles, in
# which several take part at a time, the largest.
selection_bars <- function(x, n_shown = 10L) {
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

picture_of_selection <- function(x) {
  bars <- selection_bars(x)
  y <- rev(seq_along(bars$share))
  title <- paste0(selection_label(x), if (!any(bars$winner)) " (the winner is not shown)")
  new_picture(
    list(layer("rect", data.frame(x = 0, xend = bars$share, y = y - 0.45, yend = y + 0.45,
                                  what = ifelse(bars$winner, winner_label(x), "others"))),
         layer("text", data.frame(x = bars$share, y = y, label = written("%.1f", bars$share)))),
    axis_of(title, c(0, 1.25 * max(bars$share))), rows_axis(bars$name),
    looks_of(c(winner_label(x), "others"), c(corrected_colour, "grey80")), say("size", facts_of(x))
  )
}
