# Pictures by base graphics. `given` are the graphical parameters of the user.

draw <- function(picture, given) {
  panels <- picture$panels
  title <- if (is.null(given$main)) picture$title else given$main
  given$main <- NULL
  is_named <- function(one) one$main && !is.null(one$data$what)
  if (!is.null(given$col) && any(vapply(panels[[1]]$layers, is_named, NA))) {
    picture$looks[1, c("colour", "key")] <- given$col
  }
  keys <- keys_of(picture)
  if (length(panels) == 1) {
    legend <- legend_of(keys, "fin", 0.8)
    if (!is.null(panels[[1]]$y$labels)) {
      kept <- graphics::par(mai = margins_of(panels[[1]], if (legend$n_rows || length(title)) 4.1 else 1.1))
      on.exit(graphics::par(kept))
    }
    draw_panel(panels[[1]], picture$looks, given)
    graphics::title(main = title, line = max(1.7, legend$n_rows))
    return(draw_legend(keys, legend, "nfc", graphics::grconvertY(1, "npc"), 0))
  }
  kept <- graphics::par(c("mfrow", "oma", "mar"))
  on.exit(graphics::par(kept))
  graphics::par(mfrow = panel_cells(panels))
  # Text of several panels is smaller, but not that of their legend.
  cex <- graphics::par("cex")
  legend <- legend_of(keys, "din", 0.8 / cex)
  graphics::par(oma = c(0, 0, legend$n_rows / cex + 1.5 * length(title), 0))
  for (name in names(panels)) {
    is_axis <- name == panels[[name]]$x$title
    graphics::par(mai = margins_of(panels[[name]], 1 + if (is_axis) 0 else length(lines_of(name)) + 0.5))
    draw_panel(panels[[name]], picture$looks, given)
    if (!is_axis) graphics::title(main = name, line = 0.5, font.main = 1, adj = 1, cex.main = fitting(lines_of(name)))
  }
  graphics::title(main = title, line = legend$n_rows / cex, outer = TRUE)
  draw_legend(keys, legend, "ndc", graphics::grconvertY(1, "ndc"), 1)
}

lines_of <- function(text) strsplit(text, "\n", fixed = TRUE)[[1]]

# The size of text at which lines that end with the axes are not cut at the left.
fitting <- function(lines) {
  room <- graphics::par("fin")[[1]] - graphics::par("mai")[[4]]
  min(1, 0.98 * room / max(graphics::strwidth(lines, "inches")))
}

inches_of_line <- function() graphics::par("cin")[[2]] * graphics::par("cex") * graphics::par("mex")

# Labels get the room they need, and are smaller where that is much of the picture.
margins_of <- function(panel, top) {
  line <- inches_of_line()
  labels <- panel$y$labels
  left <- 4.1 * line
  if (!is.null(labels)) {
    left <- min(1.5 * line + max(graphics::strwidth(labels, "inches")), 0.38 * graphics::par("fin")[[1]])
  }
  c(4.1 * line, left, top * line, line)
}

# Parameters of the first entry of the legend, or of what has none. The others are of the axes.
styles <- c("col", "pch", "cex", "lwd", "lty", "border")

draw_panel <- function(panel, looks, given) {
  x <- panel$x
  y <- panel$y
  own <- names(given) %in% styles
  frame <- list(
    x = NA_real_, y = NA_real_, xlim = extent(panel, "x"), ylim = extent(panel, "y"),
    log = paste(c(if (x$log) "x", if (y$log) "y"), collapse = ""), xlab = x$title, ylab = y$title,
    xaxt = if (is.null(x$ticks)) "s" else "n", yaxt = if (is.null(y$ticks)) "s" else "n"
  )
  do.call(graphics::plot, utils::modifyList(frame, given[!own]))
  if (is.null(given$xaxt)) draw_axis(1, x)
  if (is.null(given$yaxt)) draw_axis(2, y)
  for (one in panel$layers) draw_layer(one, looks, if (one$main) given[own])
}

extent <- function(panel, side) {
  if (!is.null(panel[[side]]$limits)) return(panel[[side]]$limits)
  columns <- c(side, paste0(side, "end"))
  range(unlist(lapply(panel$layers, function(one) one$data[names(one$data) %in% columns])), finite = TRUE)
}

draw_axis <- function(side, axis) {
  ticks <- if (is.function(axis$ticks)) axis$ticks(axis$limits) else axis$ticks
  if (is.null(axis$labels)) return(if (!is.null(ticks)) graphics::axis(side, ticks))
  graphics::abline(h = ticks, col = "grey92")
  line <- inches_of_line()
  width <- (graphics::par("mai")[[2]] - 1.2 * line) / max(graphics::strwidth(axis$labels, "inches"))
  height <- graphics::par("pin")[[2]] / (line * length(ticks))
  # Devices round sizes of text. Labels that are too many for any size are thinned out by axis().
  cex <- min(1, floor(10 * min(width, if (height < 0.5) 1 else height)) / 10)
  graphics::axis(side, ticks, axis$labels, las = 1, tick = FALSE, cex.axis = cex)
}

draw_layer <- function(layer, looks, given) {
  data <- layer$data
  for (column in intersect(c("x", "xend", "y", "yend"), names(data))) {
    value <- data[[column]]
    edges <- graphics::par("usr")[if (startsWith(column, "x")) 1:2 else 3:4]
    data[[column]] <- ifelse(is.infinite(value), edges[1 + (value > 0)], value)
  }
  for (own in if (is.null(data$what)) list(data) else split(data, data$what)) {
    look <- c(layer$style, looks[match(own$what[1], looks$what), ])
    style <- list(col = c(look$fill, look$colour, "black")[1], lty = c(look$linetype, 1)[1],
                  pch = c(look$shape, 19)[1], lwd = 3 * c(look$linewidth, 0.5)[1],
                  border = c(layer$style$colour, NA)[1])
    if (is.null(own$what) || own$what[[1]] == looks$what[[1]]) style[names(given)] <- given
    draw_marks(layer$kind, own, style)
  }
}

draw_marks <- function(kind, at, style) {
  marks <- function(draw, ...) do.call(draw, c(list(...), style[names(style) != "border"]))
  switch(kind,
    ribbon = graphics::polygon(c(at$x, rev(at$x)), c(at$y, rev(at$yend)), col = style$col, border = NA),
    rect = graphics::rect(at$x, at$y, at$xend, at$yend, col = style$col, border = style$border),
    vline = marks(graphics::abline, v = at$x), hline = marks(graphics::abline, h = at$y),
    segment = marks(graphics::segments, at$x, at$y, at$xend, at$yend),
    line = marks(graphics::lines, at$x, at$y), point = marks(graphics::points, at$x, at$y),
    text = graphics::text(at$x, at$y, at$label, pos = 4)
  )
}

# As many columns as there is room for in that size of par().
legend_of <- function(keys, size, cex) {
  width <- max(0, graphics::strwidth(paste0(keys$what, "mmmmm"), "inches", cex))
  list(n_rows = ceiling(nrow(keys) / max(1, floor(graphics::par(size)[[1]] / width))), cex = cex)
}

draw_legend <- function(keys, legend, middle, y, yjust) {
  if (legend$n_rows == 0) return(invisible())
  graphics::legend(
    graphics::grconvertX(0.5, middle), y, xjust = 0.5, yjust = yjust, xpd = NA, bty = "n", cex = legend$cex,
    ncol = ceiling(nrow(keys) / legend$n_rows), legend = paste0(keys$what, "  "), col = keys$key, lwd = 1.5,
    lty = keys$linetype, pch = ifelse(keys$filled, 15, keys$shape), pt.cex = 1 + keys$filled
  )
}
