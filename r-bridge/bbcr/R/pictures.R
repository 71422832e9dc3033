# Pictures of results that are a few points: configurations, sizes, permuted truths.

# The best on top.
picture.bbc_possible_winners <- function(x, ...) {
  frame <- frame_of(x)
  frame <- frame[order(if (x$greater_is_better) -frame$score else frame$score), ]
  kinds <- c("could be the best", "others")
  points <- data.frame(x = frame$score, y = rev(seq_along(frame$score)), what = kinds[2 - frame$possible])
  new_picture(list(layer("point", points)), axis_of(metric_title(x$metric)), rows_axis(frame$name),
              looks_of(kinds, c(corrected_colour, "grey50")))
}

glance_of.bbc_possible_winners <- function(x) {
  data.frame(metric = x$metric, method = x$method, winner_name = x$winner_name,
             n_configurations = x$n_configurations, n_possible = sum(x$possible),
             conf.level = x$confidence_level, seed = or_na(x$seed))
}

# Widths, and two of their standard errors to either side.
picture.bbc_rows_plan <- function(x, ...) {
  sizes <- x$sizes
  error <- 2 * sizes$standard_error
  widths <- data.frame(x = sizes$n_rows, y = sizes$width)
  new_picture(
    list(
      layer("point", widths, colour = corrected_colour), layer("line", widths, colour = corrected_colour),
      layer("segment", colour = corrected_colour, data = data.frame(
        x = sizes$n_rows, y = pmax(sizes$width - error, sizes$width / 2), xend = sizes$n_rows,
        yend = sizes$width + error
      )),
      layer("hline", data.frame(y = x$width), linetype = 2),
      if (!is.null(x$n_needed_error)) layer("vline", data.frame(x = x$n_needed), linetype = 3)
    ),
    axis_of("rows", ticks = apart(sizes$n_rows), log = TRUE),
    axis_of(sprintf("width of the interval of the %s", metric_title(x$metric)), log = TRUE)
  )
}

tidy_of.bbc_negative_control <- function(x) {
  runs <- x$runs
  data.frame(term = paste("permuted truth", seq_len(nrow(runs))), estimate = runs$estimate,
             conf.low = runs$low, conf.high = runs$high)
}

picture.bbc_negative_control <- function(x, ...) {
  picture_of_intervals(tidy_of(x), axis_of(metric_title(x$metric)), x$runs$chance[[1]])
}

picture.bbc_tuning_path <- function(x, ...) {
  path <- x$path
  n <- path$n_configurations
  points <- data.frame(x = n, y = c(path$estimate, path$apparent),
                       what = rep(c("corrected", "apparent"), each = length(n)))
  ends <- data.frame(x = n, xend = n, y = path$low, yend = path$high)
  # Below the curves, where nothing else is.
  values <- range(path[c("estimate", "apparent", "low", "high")], na.rm = TRUE)
  what <- sprintf("stopped early (%d)", length(x$stopped))
  stopped <- data.frame(x = x$stopped, xend = x$stopped, y = rep(values[[1]] - 0.08 * diff(values), length(x$stopped)),
                        yend = rep(values[[1]] - 0.04 * diff(values), length(x$stopped)),
                        what = rep(what, length(x$stopped)))
  new_picture(
    list(layer("point", points), layer("line", points), layer("segment", stopped),
         if (!anyNA(path$low)) layer("segment", ends, colour = corrected_colour)),
    axis_of("configurations", ticks = apart(n), log = TRUE), axis_of(metric_title(x$estimate$metric)),
    rbind(performance_looks(), if (length(x$stopped)) looks_of(what, "grey40"))
  )
}
