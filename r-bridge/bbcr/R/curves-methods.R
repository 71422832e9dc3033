# Methods of calibration, net benefit and curves.

show_result.bbc_curve <- function(x) {
  e <- x$performance
  cat_parts(paste(clinical_title(x), "of the winner by", e$metric), paste("method", e$method))
  if (!is.null(x$quantities)) {
    shown <- x$quantities
    shown[c("apparent", "estimate", "low", "high")] <- lapply(
      shown[c("apparent", "estimate", "low", "high")], round, shown_digits(4)
    )
    shown$ideal <- if (!all(is.na(shown$ideal))) shown$ideal
    print(shown, row.names = FALSE)
  }
  if (!inherits(x, "bbc_calibration")) print(some_points(x), digits = shown_digits(4), row.names = FALSE)
  if (!is.null(x$groups)) print(x$groups, digits = shown_digits(4), row.names = FALSE)
  print_remarks(x)
}

# Notes, findings, and what the numbers depend on.
print_remarks <- function(x) {
  e <- x$performance
  remarks <- c(if (length(x$notes)) paste("note:", x$notes),
               if (!is.null(e$infeasible)) paste("no interval:", e$infeasible),
               finding_text(x$findings))
  for (text in remarks) cat(strwrap(text, line_width, exdent = 2), sep = "\n")
  cat_parts(paste(percent(x$confidence_level), "intervals"),
            if (!is.null(e$event)) paste("event", e$event), seed_text(e))
  cat_skipped(e)
}

clinical_kind <- function(x) {
  if (inherits(x, "bbc_calibration")) "calibration" else sub("^bbc_", "", class(x)[[1]])
}

clinical_title <- function(x) {
  what <- switch(clinical_kind(x), calibration = "calibration", decision_curve = "net benefit",
                 roc_curve = "ROC curve", precision_recall_curve = "precision-recall curve")
  if (!is.null(x$time)) what <- paste(what, "at", format(x$time))
  if (is.null(x$of_class)) what else paste(what, "for", x$of_class)
}

# Some points, as columns that say what they are.
some_points <- function(x) {
  if (inherits(x, "bbc_decision_curve")) {
    curve <- decision_part(x, "net_benefit")
    all_treated <- decision_part(x, "treat_all")
    place <- unique(vapply(c(0.05, 0.1, 0.2, 0.3, 0.5), function(at) {
      which.min(abs(curve$threshold - at))
    }, 1L))
    return(data.frame(curve[place, c("threshold", "estimate", "low", "high", "apparent")],
                      treat_all = all_treated$apparent[place]))
  }
  place <- seq(1, nrow(x$curve), by = max(1, nrow(x$curve) %/% 5))
  shown <- x$curve[place, c("x", "estimate", "low", "high", "apparent")]
  stats::setNames(shown, c(curve_axes(x), names(shown)[3:5]))
}

decision_part <- function(x, name) x$curve[x$curve$curve == name, ]

curve_axes <- function(x) {
  switch(clinical_kind(x), calibration = c("predicted risk", "observed risk"),
         decision_curve = c("threshold probability", "net benefit"),
         roc_curve = c("1 - specificity", "sensitivity"),
         precision_recall_curve = c("recall", "precision"))
}

# What the axes of a picture say.
axis_titles <- function(x) {
  axes <- curve_axes(x)
  if (!is.null(x$of_class)) axes[[2]] <- sprintf("%s (class %s)", axes[[2]], x$of_class)
  axes
}

frame_of.bbc_curve <- function(x) {
  if (inherits(x, "bbc_calibration")) x$quantities else x$curve
}

coef_of.bbc_curve <- function(x) {
  numbers <- quantities_in(x)
  stats::setNames(numbers$estimate, numbers$quantity)
}

ends_of.bbc_curve <- function(x, level) {
  numbers <- quantities_in(x)
  refuse_other_level(level, x$confidence_level)
  ends <- as.matrix(numbers[c("low", "high")])
  dimnames(ends) <- list(numbers$quantity, tail_names("two-sided", x$confidence_level))
  ends
}

quantities_in <- function(x) {
  if (is.null(x$quantities)) {
    abort("%s has no single numbers: its points are in `$curve`", clinical_title(x))
  }
  x$quantities
}

tidy_numbers <- function(numbers) {
  data.frame(term = numbers$quantity, estimate = numbers$estimate, conf.low = numbers$low,
             conf.high = numbers$high)
}

tidy_of.bbc_curve <- function(x) {
  if (inherits(x, "bbc_calibration")) return(tidy_numbers(x$quantities))
  curve <- x$curve
  decision <- inherits(x, "bbc_decision_curve")
  data.frame(term = if (decision) curve$curve else curve_axes(x)[[2]],
             x = if (decision) curve$threshold else curve$x, estimate = curve$estimate,
             conf.low = curve$low, conf.high = curve$high)
}

glance_of.bbc_curve <- function(x) glance_of(x$performance)

# The curve that is drawn, with `x`.
drawn_curve <- function(x) {
  if (!inherits(x, "bbc_decision_curve")) return(x$curve)
  part <- decision_part(x, "net_benefit")
  data.frame(x = part$threshold, part[-(1:2)])
}

# What guesses, perfect risks or other decisions give.
reference_lines <- function(x) {
  line <- function(x, y, what) data.frame(x = x, y = y, what = what)
  switch(clinical_kind(x),
    calibration = line(0:1, 0:1, "perfect"), roc_curve = line(0:1, 0:1, "chance"),
    precision_recall_curve = line(0:1, rep(x$prevalence, 2), "chance"),
    decision_curve = {
      all_treated <- decision_part(x, "treat_all")
      # Nothing is fitted to treat all: of all rows it is known.
      rbind(line(all_treated$threshold, all_treated$apparent, "treat all"),
            line(0:1, c(0, 0), "treat none"))
    }
  )
}

# Below zero net benefit has no limit, and nothing is to be seen.
shown_heights <- function(x) {
  if (!inherits(x, "bbc_decision_curve")) return(c(if (is.null(x$counts)) 0 else -0.2, 1))
  curve <- drawn_curve(x)
  top <- max(curve$estimate, curve$apparent, curve$simultaneous_high,
             decision_part(x, "treat_all")$apparent, 0.01, na.rm = TRUE)
  c(-0.25, 1.05) * top
}

# Below its curve a calibration shows how many rows have each risk.
has_risks <- function(x) !is.null(x$counts)

risk_ticks <- seq(0, 1, 0.2)

risk_base <- -0.12

# The bands of a curve, the lighter one first: their columns, opacity and label.
bands_of <- function(x) {
  level <- percent(x$confidence_level)
  bands <- data.frame(low = c("simultaneous_low", "low"), high = c("simultaneous_high", "high"),
                      share = c(0.12, 0.22),
                      label = paste(level, c("for whole curves", "for each point")))
  bands[!vapply(drawn_curve(x)[bands$low], anyNA, NA), ]
}

shaded <- function(share) {
  vapply(share, function(one) grDevices::adjustcolor(corrected_colour, one), "")
}

# Spikes of a calibration: events upwards, others downwards, each relative to its longest.
risk_spikes <- function(x) {
  counts <- x$counts
  spike <- function(n, sign) {
    some <- n > 0
    data.frame(x = counts$low[some] + 0.01,
               end = risk_base + sign * 0.07 * n[some] / max(1, n))
  }
  rbind(spike(counts$events, 1), spike(counts$others, -1))
}

# In one line above the plot, or in two where the plot is narrow.
legend_above <- function(...) {
  shown <- graphics::par("usr")
  draw <- function(columns, plot = TRUE) {
    graphics::legend(mean(shown[1:2]), shown[[4]], xjust = 0.5, yjust = 0, xpd = NA, bty = "n",
                     ncol = columns, plot = plot, ...)
  }
  n <- length(list(...)$legend)
  draw(if (draw(n, plot = FALSE)$rect$w > 1.2 * diff(shown[1:2])) ceiling(n / 2) else n)
}

reference_types <- c(perfect = 3, chance = 3, "treat all" = 4, "treat none" = 3)

draw.bbc_curve <- function(x, ...) {
  curve <- drawn_curve(x)
  axes <- axis_titles(x)
  drawn_by(graphics::plot, list(...), x = curve$x, y = curve$estimate, type = "n", xlim = 0:1,
           ylim = shown_heights(x), xlab = axes[[1]], ylab = axes[[2]],
           yaxt = if (has_risks(x)) "n" else "s")
  if (has_risks(x) && is.null(list(...)$yaxt)) graphics::axis(2, risk_ticks)
  bands <- bands_of(x)
  for (i in seq_len(nrow(bands))) {
    graphics::polygon(c(curve$x, rev(curve$x)), c(curve[[bands$low[[i]]]], rev(curve[[bands$high[[i]]]])),
                      border = NA, col = shaded(bands$share[[i]]))
  }
  lines <- reference_lines(x)
  references <- unique(lines$what)
  for (what in references) {
    own <- lines[lines$what == what, ]
    graphics::lines(own$x, own$y, col = "grey40", lty = reference_types[[what]])
  }
  if (has_risks(x)) {
    spikes <- risk_spikes(x)
    graphics::segments(spikes$x, risk_base, spikes$x, spikes$end, col = "grey40", lwd = 2)
  }
  graphics::lines(curve$x, curve$apparent, col = apparent_colour, lty = 2)
  graphics::lines(curve$x, curve$estimate, col = corrected_colour, lwd = 2)
  n_lines <- 2 + length(references)
  legend_above(
    legend = c("corrected", "apparent", references, bands$label),
    lty = c(1, 2, reference_types[references], rep(NA, nrow(bands))),
    pch = c(rep(NA, n_lines), rep(15, nrow(bands))), pt.cex = 2,
    # As dark as where the narrower band lies on the wider one.
    col = c(corrected_colour, apparent_colour, rep("grey40", n_lines - 2),
            shaded(cumsum(bands$share)))
  )
}

picture.bbc_curve <- function(x, ...) {
  curve <- drawn_curve(x)
  axes <- axis_titles(x)
  lines <- rbind(
    data.frame(x = curve$x, y = curve$estimate, what = "corrected"),
    data.frame(x = curve$x, y = curve$apparent, what = "apparent"), reference_lines(x)
  )
  kinds <- unique(lines$what)
  lines$what <- factor(lines$what, kinds)
  others <- rep("grey40", length(kinds) - 2)
  bands <- bands_of(x)
  ribbons <- do.call(rbind, lapply(seq_len(nrow(bands)), function(i) {
    data.frame(x = curve$x, low = curve[[bands$low[[i]]]], high = curve[[bands$high[[i]]]],
               band = factor(bands$label[[i]], bands$label))
  }))
  ggplot2::ggplot() +
    (if (nrow(bands)) list(
      ggplot2::geom_ribbon(ggplot2::aes(x = .data$x, ymin = .data$low, ymax = .data$high,
                                        fill = .data$band), data = ribbons),
      ggplot2::scale_fill_manual(values = shaded(bands$share))
    )) +
    (if (has_risks(x)) ggplot2::scale_y_continuous(breaks = risk_ticks)) +
    (if (has_risks(x)) {
      ggplot2::geom_segment(
        ggplot2::aes(x = .data$x, xend = .data$x, y = risk_base, yend = .data$end),
        data = risk_spikes(x), colour = "grey40"
      )
    }) +
    ggplot2::geom_line(
      ggplot2::aes(x = .data$x, y = .data$y, colour = .data$what, linetype = .data$what),
      data = lines
    ) +
    ggplot2::scale_colour_manual(values = c(corrected_colour, apparent_colour, others)) +
    ggplot2::scale_linetype_manual(values = c(1, 2, unname(reference_types[kinds[-(1:2)]]))) +
    ggplot2::coord_cartesian(xlim = 0:1, ylim = shown_heights(x)) +
    ggplot2::labs(x = axes[[1]], y = axes[[2]], colour = NULL, linetype = NULL, fill = NULL)
}
