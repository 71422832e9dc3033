# Methods of calibration, net benefit and curves.

show_result.bbc_curve <- function(x) {
  e <- x$performance
  cat_parts(paste(clinical_title(x), "of the winner by", e$metric), paste("method", e$method))
  if (!is.null(x$quantities)) {
    shown <- with_digits_of_width(x$quantities, e$n_bootstraps)
    shown$ideal <- if (!all(is.na(shown$ideal))) shown$ideal
    print(shown, row.names = FALSE)
  }
  if (!inherits(x, "bbc_calibration")) {
    columns <- names(some_points(x))[-1]
    print(with_digits_of_width(some_points(x), e$n_bootstraps, columns, of_one = TRUE), row.names = FALSE)
  }
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

ticks_above_zero <- function(range) {
  places <- pretty(range)
  places[places >= 0]
}

risk_base <- -0.12

# The bands of a curve, the lighter one first.
bands_of <- function(x) {
  curve <- drawn_curve(x)
  band <- function(prefix, what) {
    data.frame(x = curve$x, y = curve[[paste0(prefix, "low")]], yend = curve[[paste0(prefix, "high")]],
               what = paste(percent(x$confidence_level), what))
  }
  bands <- rbind(band("simultaneous_", "for whole curves"), band("", "for each point"))
  bands[!bands$what %in% bands$what[is.na(bands$y + bands$yend)], ]
}

# `corrected_colour`, of that opacity.
shaded <- function(share) grDevices::rgb(0, 114, 178, 255 * share, maxColorValue = 255)

# Spikes of a calibration: events upwards, others downwards, each relative to its longest.
risk_spikes <- function(x) {
  counts <- x$counts
  spike <- function(n, sign) {
    some <- n > 0
    at <- counts$low[some] + 0.01
    data.frame(x = at, xend = at, y = risk_base, yend = risk_base + sign * 0.07 * n[some] / max(1, n))
  }
  rbind(spike(counts$events, 1), spike(counts$others, -1))
}

picture.bbc_curve <- function(x, ...) {
  curve <- drawn_curve(x)
  axes <- axis_titles(x)
  lines <- data.frame(x = curve$x, y = c(curve$estimate, curve$apparent),
                      what = rep(c("corrected", "apparent"), each = nrow(curve)))
  references <- reference_lines(x)
  others <- unique(references$what)
  bands <- bands_of(x)
  levels <- unique(bands$what)
  shares <- utils::tail(c(0.12, 0.22), length(levels))
  new_picture(
    list(layer("line", rbind(lines, references)), layer("ribbon", bands),
         if (has_risks(x)) layer("segment", risk_spikes(x), colour = "grey40")),
    axis_of(axes[[1]], 0:1), axis_of(axes[[2]], shown_heights(x), ticks_above_zero),
    rbind(performance_looks(), looks_of(others, "grey40", ifelse(others == "treat all", 4, 3)),
          if (length(levels)) looks_of(levels, shaded(shares), key = shaded(cumsum(shares))))
  )
}

picture_of_curves <- function(parts) {
  pictures <- lapply(parts, function(part) {
    curve <- picture(part)
    curve$panels[[1]]$x$ticks <- c(0, 0.5, 1)
    curve$panels[[1]]$layers <- lapply(curve$panels[[1]]$layers, within_heights, shown_heights(part))
    curve
  })
  as_panels(pictures, vapply(parts, clinical_title, ""))
}

# ggplot2 gives no panel limits of its own, so that what is beyond them is left out.
within_heights <- function(layer, ends) {
  for (column in intersect(c("y", "yend"), names(layer$data))) {
    value <- layer$data[[column]]
    inside <- pmin(pmax(value, ends[[1]]), ends[[2]])
    layer$data[[column]] <- if (layer$kind == "ribbon") inside else ifelse(value == inside, value, NA)
  }
  layer
}
