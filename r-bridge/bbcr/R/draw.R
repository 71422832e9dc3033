# A picture is described once, by picture(), and drawn either by base graphics or by ggplot2. The words
# of a description are those of ggplot2.

corrected_colour <- "#0072B2"
apparent_colour <- "#D55E00"

# How each kind of layer reads its data, from the one that lies below the others: `what` is an entry of the
# legend, and an infinite place the edge of the picture.
layer_kinds <- list(
  ribbon = c(x = "x", ymin = "y", ymax = "yend", fill = "what"),
  rect = c(xmin = "x", xmax = "xend", ymin = "y", ymax = "yend", fill = "what"),
  vline = c(xintercept = "x", colour = "what", linetype = "what"),
  hline = c(yintercept = "y", colour = "what", linetype = "what"),
  segment = c(x = "x", xend = "xend", y = "y", yend = "yend", colour = "what", linetype = "what"),
  line = c(x = "x", y = "y", colour = "what", linetype = "what"),
  point = c(x = "x", y = "y", colour = "what", shape = "what"), text = c(x = "x", y = "y", label = "label")
)

layer <- function(kind, data, ...) list(kind = kind, data = data, style = list(...))

# The largest of some sizes, and smaller ones whose labels do not overprint on a log scale.
apart <- function(sizes) {
  shown <- numeric()
  for (size in sort(unique(sizes), decreasing = TRUE)) {
    if (!length(shown) || size * 1.25 <= shown[1]) shown <- c(size, shown)
  }
  shown
}

# `ticks` are places, or a function of the range.
axis_of <- function(title, limits = NULL, ticks = NULL, labels = NULL, log = FALSE) {
  list(title = title, limits = limits, ticks = ticks, labels = labels, log = log)
}

# An axis with a line for each label, from above.
rows_axis <- function(labels) {
  n <- length(labels)
  axis_of("", c(0.5, n + 0.5), rev(seq_len(n)), labels)
}

# Entries of the legend. Where bands lie on each other they are darker than their colour, as is their key.
looks_of <- function(what, colour, linetype = 1, shape = 19, key = colour) {
  data.frame(what, colour, linetype, shape, key)
}

performance_looks <- function(what = c("corrected", "apparent")) {
  looks_of(what, c(corrected_colour, apparent_colour), 1:2, c(19, 1))
}

# Graphical parameters of plot() are for the data of the first layer.
new_picture <- function(layers, x, y, looks = performance_looks()[0, ], title = NULL) {
  main <- layers[[1]]$data
  layers <- lapply(Filter(function(one) NROW(one$data) > 0, layers), function(one) {
    c(one, main = identical(one$data, main))
  })
  layers <- layers[order(match(vapply(layers, `[[`, "", "kind"), names(layer_kinds)))]
  list(panels = list(list(layers = layers, x = x, y = y)), looks = looks, title = title)
}

# Panels, by default with the titles of their x axes.
as_panels <- function(pictures, titles = NULL) {
  if (length(pictures) == 1) return(pictures[[1]])
  panels <- lapply(unname(pictures), function(one) one$panels[[1]])
  names(panels) <- if (is.null(titles)) vapply(panels, function(one) one$x$title, "") else titles
  list(panels = panels, looks = unique(do.call(rbind, lapply(unname(pictures), `[[`, "looks"))))
}

# Rows and columns of panels: those with labels need the width.
panel_cells <- function(panels) {
  if (is.null(panels[[1]]$y$labels)) rev(grDevices::n2mfrow(length(panels))) else c(length(panels), 1)
}

# The used entries of the legend: their keys are filled, or have a line type, a shape or both.
keys_of <- function(picture) {
  looks <- picture$looks
  layers <- unlist(lapply(unname(picture$panels), `[[`, "layers"), recursive = FALSE)
  are <- function(aesthetic) {
    looks$what %in% unlist(lapply(layers, function(one) {
      if (aesthetic %in% names(layer_kinds[[one$kind]])) one$data$what
    }))
  }
  looks$filled <- are("fill")
  looks$linetype[!are("linetype")] <- NA
  looks$shape[!are("shape")] <- NA
  looks[looks$filled | !is.na(looks$linetype) | !is.na(looks$shape), ]
}

# Intervals below each other, of the columns of tidy().
picture_of_intervals <- function(frame, x, at = NULL) {
  y <- rev(seq_along(frame$term))
  new_picture(list(
    layer("point", data.frame(x = frame$estimate, y = y)[!is.na(frame$estimate), ],
          colour = corrected_colour),
    interval_layer(frame, y), layer("vline", data.frame(x = at), colour = "grey60", linetype = 2)
  ), x, rows_axis(frame$term))
}

interval_layer <- function(frame, y) {
  ends <- data.frame(x = frame$conf.low, xend = frame$conf.high, y = y, yend = y)
  layer("segment", ends[!is.na(ends$x), ], colour = corrected_colour, linewidth = 0.7)
}
