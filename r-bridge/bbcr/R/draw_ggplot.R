# Pictures by ggplot2.

ggplot_of <- function(picture) {
  layers <- layers_of(picture$panels)
  main <- Filter(function(one) one$main, layers)
  shared <- function(side, name) {
    every <- unique(lapply(unname(picture$panels), function(panel) panel[[side]][[name]]))
    if (length(every) == 1) every[[1]]
  }
  shown <- ggplot2::ggplot(unlist(main, FALSE)$data) + lapply(layers, geom_of) +
    legend_scales(keys_of(picture)) +
    lapply(c("x", "y"), function(side) scale_of(side, shared_axis(picture$panels, side))) +
    ggplot2::coord_cartesian(shared("x", "limits"), shared("y", "limits")) +
    ggplot2::labs(x = shared("x", "title"), y = shared("y", "title"), title = picture$title, colour = NULL,
                  linetype = NULL, shape = NULL, fill = NULL)
  if (length(picture$panels) == 1) return(shown)
  free <- c(is.null(shared("x", "limits")), is.null(shared("y", "limits")))
  shown + ggplot2::theme(panel.spacing = ggplot2::unit(1, "lines")) + ggplot2::facet_wrap(
    "panel", ncol = panel_cells(picture$panels)[[2]],
    scales = c("fixed", "free_x", "free_y", "free")[[1 + sum(free * 1:2)]]
  )
}

# The axis of all panels: where their ticks are at other places, those of each.
shared_axis <- function(panels, side) {
  axis <- panels[[1]][[side]]
  labels <- unlist(lapply(unname(panels), function(panel) panel[[side]]$labels))
  if (length(labels) == length(axis$labels)) return(axis)
  ticks <- unlist(lapply(unname(panels), function(panel) panel[[side]]$ticks))
  first <- !duplicated(ticks)
  replace(axis, c("ticks", "labels"), list(ticks[first], labels[first]))
}

# All layers; those of several panels that look alike are one, so that the legend shows them once.
layers_of <- function(panels) {
  if (length(panels) == 1) return(panels[[1]]$layers)
  layers <- unlist(lapply(names(panels), function(name) {
    lapply(panels[[name]]$layers, function(one) {
      one$data$panel <- factor(name, names(panels))
      one
    })
  }), recursive = FALSE)
  looks <- vapply(layers, function(one) {
    paste(c(one[c("kind", "style")], "what" %in% names(one$data)), collapse = " ")
  }, "")
  lapply(unname(split(layers, factor(looks, unique(looks)))), function(alike) {
    replace(alike[[1]], "data", list(do.call(rbind, lapply(alike, `[[`, "data"))))
  })
}

of_ggplot <- function(...) getExportedValue("ggplot2", paste0(...))

geom_of <- function(layer) {
  columns <- layer_kinds[[layer$kind]]
  columns <- columns[columns %in% names(layer$data)]
  mapping <- do.call(ggplot2::aes, lapply(columns, function(column) bquote(.data[[.(column)]])))
  do.call(of_ggplot("geom_", layer$kind), c(
    list(mapping, layer$data, na.rm = TRUE), layer$style,
    switch(layer$kind, point = list(size = 2), text = list(size = 3, hjust = -0.2))
  ))
}

legend_scales <- function(keys) {
  lapply(c("colour", "linetype", "shape", "fill"), function(name) {
    own <- keys[keys$filled == (name == "fill"), ]
    if (nrow(own)) {
      of_ggplot("scale_", name, "_manual")(values = own[[sub("fill", "colour", name)]], limits = own$what,
                                           guide = ggplot2::guide_legend(order = 1 + (name == "fill")))
    }
  })
}

# The scale of an axis with a logarithm, or with ticks of its own.
scale_of <- function(side, axis) {
  if (!axis$log && is.null(axis$ticks)) return(NULL)
  given <- list(breaks = axis$ticks, labels = axis$labels,
                minor_breaks = if (is.numeric(axis$ticks)) axis$ticks)
  do.call(of_ggplot("scale_", side, if (axis$log) "_log10" else "_continuous"), c(
    Filter(Negate(is.null), given), guide = list(ggplot2::guide_axis(check.overlap = TRUE))
  ))
}
