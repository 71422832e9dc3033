# What is said of a comparison, and its page.

# What the differences by the comparison's own metric show, in a sentence that their intervals carry.
conclusion_of <- function(x) say("conclusion", concluded(x))

# Pairs that a conclusion names; tables have all.
most_named <- 3

# The facts of a conclusion. Of several pairs those differ whose p-values, adjusted for their number, are
# below the level, and whose intervals exclude zero.
concluded <- function(x) {
  pairs <- x$differences
  tested <- !is.na(pairs$p_value)
  alpha <- round(1 - x$confidence_level, 12)
  differ <- which(tested & (pairs$low > 0 | pairs$high < 0) & pairs$p_value < alpha / sum(tested))
  named <- vapply(utils::head(differ, most_named), function(i) say("pair_better", facts_of_pair(x, i)), "")
  more <- say("more_pairs", list(n_more = length(differ) - length(named)))
  utils::modifyList(if (nrow(pairs)) facts_of_pair(x, 1) else list(), list(
    title = metric_title(x$metric), n_families = length(x$estimates), reference = x$reference,
    n_pairs = nrow(pairs), n_compared = sum(tested), n_undecided = nrow(pairs) - length(differ), alpha = alpha,
    alternative = if (any(tested)) x$alternative,
    differing_pairs = paste(c(named, if (nzchar(more)) more), collapse = "; "),
    infeasible = if (length(x$infeasible)) paste(x$infeasible, collapse = "; ")
  ), keep.null = TRUE)
}

# The facts of a pair; where it differs, the better family is the first.
facts_of_pair <- function(x, i) {
  pair <- as.list(x$differences[i, ])
  known <- list(first = pair$first, second = pair$second, title = metric_title(x$metric),
                difference = pair$estimate, decimals = decimals_of_pairs(x))
  if (is.na(pair$p_value)) return(known)
  known <- c(known, level = 100 * x$confidence_level, low = pair$low, high = pair$high,
             alternative = x$alternative)
  if (!isTRUE(pair$high < 0)) return(known)
  side <- switch(x$alternative, greater = "less", less = "greater", x$alternative)
  utils::modifyList(known, list(first = pair$second, second = pair$first, difference = -pair$estimate,
                                low = -pair$high, high = -pair$low, alternative = side))
}

# Those of all differences of a comparison.
decimals_of_pairs <- function(x) {
  fewest(lapply(seq_len(nrow(x$differences)), function(i) {
    values <- x$replicates[, i]
    error <- sqrt(mean((values - mean(values))^2) / length(values))
    decimals(error, if (!is.na(x$differences$p_value[[i]])) as.list(x$differences[i, c("low", "high")]))
  }))
}

# What sentences on all families name.
comparison_facts <- function(x) {
  every <- unname(x$estimates)
  sizes <- vapply(every, function(e) as.double(e$n_configurations), 0)
  thresholds <- unlist(lapply(every, `[[`, "threshold"))
  metrics <- every_comparison(x)
  utils::modifyList(utils::modifyList(facts_of(every[[1]]), concluded(x), keep.null = TRUE), list(
    n_configurations = max(sizes), threshold = if (length(thresholds)) thresholds[[1]],
    derives = length(thresholds) > 0 || any(lengths(lapply(every, `[[`, "weights")) > 0),
    dynamic_search = any(vapply(every, function(e) isTRUE(e$design$dynamic_search), NA)),
    n_in_all = sum(sizes), selected_of_families = paste(selected_of_families(x), collapse = "; "),
    n_metrics = length(metrics), titles = paste(vapply(metrics, function(one) metric_title(one$metric), ""),
                                                collapse = ", "),
    assumed = paste(x$notes, collapse = "; ")
  ), keep.null = TRUE)
}

# What was selected, with the families of which that is so.
selected_of_families <- function(x) {
  known <- lapply(x$estimates, facts_of)
  said <- function(one, families) say("family_selected", utils::modifyList(one, list(families = families),
                                                                           keep.null = TRUE))
  same <- vapply(known, said, "", families = "")
  vapply(unique(same), function(one) {
    said(known[[match(one, same)]], paste(names(known)[same == one], collapse = ", "))
  }, "", USE.NAMES = FALSE)
}

winners_table <- function(x) {
  known <- lapply(unname(x$estimates), facts_of)
  data.frame(
    family = names(x$estimates),
    configurations = vapply(known, function(one) plain_number(one$n_configurations), ""),
    selected = vapply(known, `[[`, "", "winner_name"),
    "in replicates" = vapply(known, function(one) say("percentage", one), ""), check.names = FALSE
  )
}

performances_table <- function(x) {
  of_metrics(x, of_every_comparison(x, function(one, name) {
    numbers <- card_numbers(one$estimates, of_one = TRUE)
    names(numbers)[[3]] <- interval_heading(x)
    data.frame(numbers[1], family = names(x$estimates), numbers[-1], check.names = FALSE)
  }))
}

# A table without the column of metrics, if there is one metric: the heading names it.
of_metrics <- function(x, table) if (is.null(x$secondary)) table[-1] else table

interval_heading <- function(x) sprintf("%g %% interval", 100 * x$confidence_level)

differences_table <- function(x) {
  of_metrics(x, of_every_comparison(x, function(one, name) {
    pairs <- one$differences
    places <- decimals_of_pairs(one)
    shown <- function(column) to_decimals(pairs[[column]], places)
    p_value <- ifelse(pairs$p_value < 0.001, written("%.1e", pairs$p_value), written("%.3f", pairs$p_value))
    known <- !is.na(pairs$p_value)
    table <- data.frame(
      metric = rep(metric_title(one$metric), nrow(pairs)), first = pairs$first, second = pairs$second,
      better = shown("estimate"), interval = ifelse(known, sprintf("[%s, %s]", shown("low"), shown("high")), "-"),
      p = ifelse(known, p_value, "-")
    )
    stats::setNames(table, c("metric", "first", "second", "first better by", interval_heading(x), "p"))
  }))
}

# Each kind of finding once, with the families that have it, unless all do.
findings_of_families <- function(x) {
  found <- do.call(rbind, lapply(every_comparison(x), function(one) {
    of_each <- lapply(names(one$estimates), function(name) {
      own <- one$estimates[[name]]$findings
      if (NROW(own)) data.frame(own, family = name)
    })
    own <- do.call(rbind, of_each)
    if (is.null(own)) return(NULL)
    key <- paste(own$code, own$detail)
    family <- vapply(key, function(one_key) paste(own$family[key == one_key], collapse = ", "), "")
    in_all <- table(key)[key] == length(one$estimates)
    own$detail <- ifelse(in_all, own$detail, paste0(family, ": ", own$detail))
    own[!duplicated(key), names(own) != "family"]
  }))
  if (is.null(found)) return(found)
  found <- unique(found)
  details <- vapply(found$code, function(code) paste(found$detail[found$code == code], collapse = "; "), "")
  found$detail <- details
  found <- found[!duplicated(found$code), ]
  found[order(found$code), ]
}

# `more` are further sections.
comparison_page <- function(x, figure, more) {
  known <- comparison_facts(x)
  every <- unname(every_comparison(x))
  said <- vapply(every, conclusion_of, "")
  citation <- say("citation", known)
  found <- findings_of_families(x)
  notes <- if (length(x$notes)) paste0(capitalized(x$notes), ".")
  paragraph <- function(name) sprintf("<p>%s</p>", escaped(say(name, known)))
  c(
    page_head(say("comparison_title", known)),
    sprintf('<p class="headline">%s</p>', escaped(said[[1]])), sprintf("<p>%s</p>", escaped(said[-1])),
    if (NROW(found) || length(notes)) findings_section(found, c(notes, skipped_text(x$estimates[[1]]))),
    section("What was selected", paragraph("compared_families"), table_html(winners_table(x))),
    section("Families and their differences",
            figure(x, say("comparison_alt", known), escaped(say("comparison_caption", known)),
                   height = sum(heights_of_panels(x)))),
    section("Performance", wide(table_html(performances_table(x)))),
    section("Differences", paragraph("p_values"), wide(table_html(differences_table(x)))),
    more,
    section("For the methods section", sprintf(
      "<blockquote><p>%s</p>%s</blockquote>", escaped(say("comparison_methods", known)),
      if (nzchar(citation)) sprintf("<p>[1] %s.</p>", escaped(citation)) else ""
    )),
    page_foot(x$version)
  )
}

wide <- function(table) c('<div class="wide">', table, "</div>")

# Inches of the families and of the differences, by each metric.
heights_of_panels <- function(x) {
  unlist(lapply(unname(every_comparison(x)), function(one) {
    lines <- length(lines_of(sentence_of_panel(one)))
    c(1.3 + 0.3 * length(x$estimates), 1.3 + 0.15 * lines + 0.3 * max(1, nrow(one$differences)))
  }))
}

sentence_of_panel <- function(x) paste(strwrap(conclusion_of(x), 72), collapse = "\n")

# For each metric a line per family, from the apparent score to the corrected one, and below a line per pair
# under what the differences show.
picture.bbc_comparison <- function(x, ...) {
  panels <- unlist(lapply(unname(every_comparison(x)), function(one) {
    stats::setNames(list(picture_of_families(one), picture_of_pairs(one)),
                    c(metric_title(one$metric), sentence_of_panel(one)))
  }), recursive = FALSE)
  as_panels(panels, names(panels))
}

picture_of_families <- function(x) {
  known <- lapply(unname(x$estimates), facts_of)
  number <- function(name) vapply(known, function(one) c(one[[name]], NA_real_)[[1]], 0)
  # Above the pairs, so that both may be on one scale.
  y <- nrow(x$differences) + rev(seq_along(known))
  points <- data.frame(x = c(number("estimate"), number("apparent")), y = c(y, y),
                       what = rep(c("corrected", "apparent"), each = length(y)))
  frame <- data.frame(conf.low = number("low"), conf.high = number("high"))
  new_picture(list(layer("point", points[!is.na(points$x), ]), interval_layer(frame, y)),
              axis_of(metric_title(x$metric)),
              axis_of("", range(y) + c(-0.5, 0.5), y, names(x$estimates)), performance_looks())
}

picture_of_pairs <- function(x) {
  own <- x
  own$secondary <- NULL
  picture_of_intervals(tidy_of(own), axis_of(sprintf("difference in %s (positive: the first is better)",
                                                     metric_title(x$metric))), 0)
}
