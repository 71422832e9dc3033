# Families compared by several metrics of the same winners, which one of them chose.

# The options of a metric that did not choose.
options_by <- function(metric, options, seed) {
  rule <- options$selection
  options$metric <- metric
  options["selection"] <- list(NULL)
  options$stratify_bootstrap <- FALSE
  options$seed <- seed
  read_at_cut_offs(options, rule)
}

comparisons_of <- function(comparisons, deciding) {
  structure(comparisons, class = c("bbc_comparisons", "bbc_result"), decided_by = deciding)
}

show_result.bbc_comparisons <- function(x) {
  cat_parts(sprintf("winners of families by %s, selected by %s", counted(length(x), "metric"),
                    attr(x, "decided_by")))
  for (comparison in x) show_result(comparison)
}

frame_of.bbc_comparisons <- function(x) {
  of_all_named(x, function(name) data.frame(metric = name, frame_of(x[[name]])))
}

tidy_of.bbc_comparisons <- function(x) {
  of_all_named(x, function(name) {
    columns <- tidy_of(x[[name]])
    replace(columns, "term", list(paste0(name, ": ", columns$term)))
  })
}

glance_of.bbc_comparisons <- function(x) of_all(x, glance_of)

of_all_named <- function(x, get) do.call(rbind, lapply(names(x), get))

draw.bbc_comparisons <- function(x, ...) {
  kept <- graphics::par(mfrow = c(length(x), 1))
  on.exit(graphics::par(kept))
  for (comparison in x) draw(comparison, ...)
}

picture.bbc_comparisons <- function(x, ...) {
  frame <- of_all_named(x, function(name) {
    data.frame(drawn_differences(x[[name]]), panel = metric_title(x[[name]]$metric))
  })
  frame$panel <- factor(frame$panel, unique(frame$panel))
  picture_of_intervals(frame, "difference (positive: the first is better)", 0) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x", ncol = 1)
}
