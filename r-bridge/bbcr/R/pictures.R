# Pictures of results that are a few points: configurations, sizes, permuted truths.

# Configurations from above, some of which are apart: those of the first entry of the legend.
picture_of_configurations <- function(frame, x, looks, at = NULL) {
  points <- data.frame(x = frame$value, y = rev(seq_along(frame$value)), what = looks$what[2 - frame$apart])
  new_picture(list(layer("point", points), layer("vline", data.frame(x = at), linetype = 2)),
              x, rows_axis(frame$name), looks)
}

picture.bbc_possible_winners <- function(x, ...) {
  frame <- frame_of(x)
  frame <- frame[order(if (x$greater_is_better) -frame$score else frame$score), ]
  picture_of_configurations(
    data.frame(name = frame$name, value = frame$score, apart = frame$possible),
    axis_of(metric_title(x$metric)),
    looks_of(c("could be the best", "others"), c(corrected_colour, "grey50"))
  )
}

picture.bbc_wmc <- function(x, ...) {
  frame <- frame_of(x)
  frame$apart <- seq_along(frame$error) == x$winner
  frame <- frame[order(frame$error), ]
  picture_of_configurations(
    data.frame(name = frame$name, value = frame$error, apart = frame$apart), axis_of("error"),
    looks_of(c("the winner", "others"), c(corrected_colour, "grey50")), x$estimate
  )
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
    axis_of("rows", ticks = sizes$n_rows, log = TRUE),
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
  new_picture(
    list(layer("point", points), layer("line", points),
         if (!anyNA(path$low)) layer("segment", ends, colour = corrected_colour)),
    axis_of("configurations", ticks = n, log = TRUE), axis_of(metric_title(x$estimate$metric)),
    performance_looks()
  )
}
