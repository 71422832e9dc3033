# Pictures of results that are a few points: metrics, configurations, sizes, permuted truths.

# A panel for each metric of an estimate, because their scales differ.
drawn_metrics <- function(x) {
  frame <- tidy_of(x)
  data.frame(label = vapply(frame$term, metric_title, "", USE.NAMES = FALSE),
             estimate = frame$estimate, left = frame$conf.low, right = frame$conf.high,
             apparent = vapply(every_metric(x), function(e) e$apparent, 0, USE.NAMES = FALSE))
}

draw_metrics <- function(x, ...) {
  frame <- drawn_metrics(x)
  kept <- graphics::par(mfrow = c(nrow(frame), 1))
  on.exit(graphics::par(kept))
  for (i in seq_len(nrow(frame))) {
    own <- frame[i, ]
    draw_intervals(own, list(...), own$label, extended(range(
      own[c("estimate", "left", "right", "apparent")], finite = TRUE
    )))
    graphics::points(own$apparent, 1, pch = 1, col = apparent_colour)
  }
}

# A range whose ends differ.
extended <- function(ends) if (diff(ends) > 0) ends else ends + c(-1, 1) * max(abs(ends), 1) / 10

picture_of_metrics <- function(x) {
  frame <- drawn_metrics(x)
  frame$panel <- factor(frame$label, unique(frame$label))
  points <- rbind(
    data.frame(frame["panel"], value = frame$estimate, performance = "corrected"),
    data.frame(frame["panel"], value = frame$apparent, performance = "apparent")
  )
  ggplot2::ggplot(points, ggplot2::aes(x = .data$value, y = "")) +
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$left, xend = .data$right, y = "", yend = ""),
      data = frame[!is.na(frame$left), ], colour = corrected_colour, linewidth = 1
    ) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$performance), size = 2) +
    ggplot2::scale_colour_manual(values = c(corrected = corrected_colour,
                                            apparent = apparent_colour)) +
    ggplot2::facet_wrap("panel", ncol = 1, scales = "free_x") +
    ggplot2::labs(x = NULL, y = NULL, colour = NULL)
}

# Values of configurations, some of which stand out: the best on top.
draw_configurations <- function(frame, given, xlab) {
  frame <- frame[order(frame$place, decreasing = TRUE), ]
  drawn_by(graphics::dotchart, given, x = frame$value, labels = frame$name, pch = 19, xlab = xlab,
           color = ifelse(frame$apart, corrected_colour, "grey50"))
}

picture_of_configurations <- function(frame, xlab, what) {
  frame$name <- make.unique(frame$name)
  frame$name <- factor(frame$name, frame$name[order(frame$place, decreasing = TRUE)])
  frame$kind <- ifelse(frame$apart, what, "others")
  colours <- stats::setNames(c(corrected_colour, "grey50"), c(what, "others"))
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$value, y = .data$name, colour = .data$kind)) +
    ggplot2::geom_point(size = 2) +
    ggplot2::scale_colour_manual(values = colours) +
    ggplot2::labs(x = xlab, y = NULL, colour = NULL)
}

drawn_winners <- function(x) {
  frame <- frame_of(x)
  data.frame(name = frame$name, value = frame$score, apart = frame$possible,
             place = if (x$greater_is_better) -frame$score else frame$score)
}

draw.bbc_possible_winners <- function(x, ...) {
  draw_configurations(drawn_winners(x), list(...), metric_title(x$metric))
}

picture.bbc_possible_winners <- function(x, ...) {
  picture_of_configurations(drawn_winners(x), metric_title(x$metric), "could be the best")
}

glance_of.bbc_possible_winners <- function(x) {
  data.frame(metric = x$metric, method = x$method, winner_name = x$winner_name,
             n_configurations = x$n_configurations, n_possible = sum(x$possible),
             conf.level = x$confidence_level, seed = or_na(x$seed))
}

# Widths, and two of their standard errors to either side.
drawn_widths <- function(x) {
  sizes <- x$sizes
  data.frame(n_rows = sizes$n_rows, width = sizes$width,
             low = pmax(sizes$width - 2 * sizes$standard_error, sizes$width / 2),
             high = sizes$width + 2 * sizes$standard_error)
}

widths_label <- function(x) sprintf("width of the interval of the %s", metric_title(x$metric))

draw.bbc_rows_plan <- function(x, ...) {
  sizes <- drawn_widths(x)
  drawn_by(
    graphics::plot, list(...), x = sizes$n_rows, y = sizes$width, log = "xy", type = "o",
    pch = 19, ylim = range(sizes$low, sizes$high, x$width), xlab = "rows", ylab = widths_label(x),
    col = corrected_colour
  )
  graphics::segments(sizes$n_rows, sizes$low, sizes$n_rows, sizes$high, col = corrected_colour)
  graphics::abline(h = x$width, lty = 2)
  if (!is.null(x$n_needed_error)) graphics::abline(v = x$n_needed, lty = 3)
}

picture.bbc_rows_plan <- function(x, ...) {
  ggplot2::ggplot(drawn_widths(x), ggplot2::aes(x = .data$n_rows, y = .data$width)) +
    ggplot2::geom_hline(yintercept = x$width, linetype = "dashed") +
    (if (!is.null(x$n_needed_error)) {
      ggplot2::geom_vline(xintercept = x$n_needed, linetype = "dotted")
    }) +
    ggplot2::geom_line(colour = corrected_colour) +
    ggplot2::geom_pointrange(ggplot2::aes(ymin = .data$low, ymax = .data$high),
                             colour = corrected_colour) +
    ggplot2::scale_x_log10(breaks = x$sizes$n_rows) +
    ggplot2::scale_y_log10() +
    ggplot2::labs(x = "rows", y = widths_label(x))
}

drawn_control <- function(x) {
  runs <- x$runs
  data.frame(label = paste("permuted truth", seq_len(nrow(runs))), estimate = runs$estimate,
             left = runs$low, right = runs$high)
}

tidy_of.bbc_negative_control <- function(x) {
  runs <- drawn_control(x)
  data.frame(term = runs$label, estimate = runs$estimate, conf.low = runs$left,
             conf.high = runs$right)
}

draw.bbc_negative_control <- function(x, ...) {
  frame <- drawn_control(x)
  at <- x$runs$chance[[1]]
  draw_intervals(frame, list(...), metric_title(x$metric),
                 extended(range(at, frame[c("estimate", "left", "right")], finite = TRUE)), at)
}

picture.bbc_negative_control <- function(x, ...) {
  picture_of_intervals(drawn_control(x), metric_title(x$metric), x$runs$chance[[1]])
}

# Ticks of a path are its points, of which only some have room for a number.
draw.bbc_tuning_path <- function(x, ...) {
  path <- x$path
  drawn_by(
    graphics::plot, list(...), x = path$n_configurations, y = path$estimate, log = "x",
    type = "o", pch = 19, xlab = "configurations", ylab = metric_title(x$estimate$metric),
    ylim = range(path[c("estimate", "apparent", "low", "high")], finite = TRUE),
    col = corrected_colour, xaxt = "n"
  )
  graphics::axis(1, path$n_configurations)
  if (!anyNA(path$low)) {
    graphics::segments(path$n_configurations, path$low, path$n_configurations, path$high,
                       col = corrected_colour)
  }
  graphics::lines(path$n_configurations, path$apparent, type = "o", lty = 2, pch = 1,
                  col = apparent_colour)
  graphics::legend("top", inset = -0.12, xpd = NA, horiz = TRUE, bty = "n", lty = 1:2,
                   pch = c(19, 1), legend = c("corrected", "apparent"),
                   col = c(corrected_colour, apparent_colour))
}

picture.bbc_tuning_path <- function(x, ...) {
  path <- x$path
  lines <- rbind(
    data.frame(t = path$n_configurations, value = path$estimate, performance = "corrected"),
    data.frame(t = path$n_configurations, value = path$apparent, performance = "apparent")
  )
  lines$performance <- factor(lines$performance, c("corrected", "apparent"))
  ggplot2::ggplot(lines, ggplot2::aes(x = .data$t, y = .data$value)) +
    (if (!anyNA(path$low)) {
      ggplot2::geom_segment(
        ggplot2::aes(x = .data$n_configurations, xend = .data$n_configurations, y = .data$low,
                     yend = .data$high), data = path, colour = corrected_colour
      )
    }) +
    ggplot2::geom_line(ggplot2::aes(colour = .data$performance, linetype = .data$performance)) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$performance)) +
    ggplot2::scale_colour_manual(values = c(corrected_colour, apparent_colour)) +
    ggplot2::scale_linetype_manual(values = c(1, 2)) +
    ggplot2::scale_x_log10(breaks = path$n_configurations, minor_breaks = NULL,
                           guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    ggplot2::labs(x = "configurations", y = metric_title(x$estimate$metric), colour = NULL,
                  linetype = NULL)
}

# The four curves side by side.
picture.bbc_clinical <- function(x, ...) picture_of_curves(x[clinical_parts])

picture_of_curves <- function(parts) {
  panels <- vapply(parts, clinical_title, "")
  points <- do.call(rbind, Map(function(part, panel) {
    curve <- drawn_curve(part)
    ends <- shown_heights(part)
    within <- function(value) pmin(pmax(value, max(ends[[1]], if (is.null(part$counts)) -Inf else 0)),
                                   ends[[2]])
    data.frame(
      panel = panel, x = curve$x, corrected = within(curve$estimate),
      apparent = within(curve$apparent), low = within(curve$low), high = within(curve$high)
    )
  }, parts, panels))
  points$panel <- factor(points$panel, panels)
  lines <- rbind(
    data.frame(points[c("panel", "x")], y = points$corrected, performance = "corrected"),
    data.frame(points[c("panel", "x")], y = points$apparent, performance = "apparent")
  )
  ggplot2::ggplot(lines, ggplot2::aes(x = .data$x)) +
    ggplot2::geom_ribbon(
      ggplot2::aes(ymin = .data$low, ymax = .data$high), data = points[!is.na(points$low), ],
      fill = corrected_colour, alpha = 0.22
    ) +
    ggplot2::geom_line(ggplot2::aes(y = .data$y, colour = .data$performance,
                                    linetype = .data$performance)) +
    ggplot2::scale_colour_manual(values = c(corrected = corrected_colour,
                                            apparent = apparent_colour)) +
    ggplot2::scale_linetype_manual(values = c(corrected = 1, apparent = 2)) +
    ggplot2::facet_wrap("panel", scales = "free_y") +
    ggplot2::labs(x = NULL, y = NULL, colour = NULL, linetype = NULL)
}
