# The sentences and the frame of a page.

escaped <- function(text) {
  for (pair in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c('"', "&quot;"))) {
    text <- gsub(pair[[1]], pair[[2]], text, fixed = TRUE)
  }
  gsub("[[:cntrl:]]", " ", text)
}

section <- function(title, ...) {
  c(sprintf("<section><h2>%s</h2>", escaped(title)), ..., "</section>")
}

# A table of pairs of label and text.
two_columns <- function(facts) {
  label <- names(facts)
  head <- ifelse(nzchar(label), sprintf('<th scope="row">%s</th>', escaped(label)), "<td></td>")
  c("<table><tbody>", sprintf("<tr>%s<td>%s</td></tr>", head, escaped(unname(facts))),
    "</tbody></table>")
}

# As papers print numbers.
three_digits <- function(value) sprintf(if (abs(value) >= 1) "%.3g" else "%.3f", value)

capitalized <- function(text) paste0(toupper(substr(text, 1, 1)), substring(text, 2))

# What readers call metrics.
metric_titles <- c(
  roc_auc = "AUC", brier_score = "Brier score", f1 = "F1", mcc = "Matthews correlation",
  r2 = "R2", concordance_index = "C-index"
)

metric_title <- function(name) {
  if (name %in% names(metric_titles)) metric_titles[[name]] else gsub("_", " ", name)
}

interval_words <- function(interval) {
  if (is.null(interval)) return("")
  sprintf(" (%g %% CI %s to %s)", 100 * interval$confidence_level, three_digits(interval$low),
          three_digits(interval$high))
}

# The AUC, if it is there, in a sentence.
headline_of <- function(result) {
  performances <- result$performances
  names <- vapply(performances, `[[`, "", "metric")
  e <- performances[[if ("roc_auc" %in% names) match("roc_auc", names) else 1]]
  sprintf("The expected %s of the %s on new rows is %s%s.", metric_title(e$metric),
          if (e$n_configurations > 1) "tuned model" else "model", three_digits(e$estimate),
          interval_words(e$confidence_interval))
}

in_short <- function(result) {
  e <- result$performances[[1]]
  text <- sprintf("%s with %s; %s compared by %s.", counted(e$n_rows, "row"),
                  counted(result$n_events, "event"),
                  if (e$n_configurations == 1) "1 configuration was"
                  else paste(e$n_configurations, "configurations were"), metric_title(e$metric))
  slope <- result$calibration$quantities[2, ]
  if (is.na(slope$estimate)) return(text)
  paste(text, slope_in_words(slope, result$calibration$confidence_level))
}

# The slope, and what its interval carries.
slope_in_words <- function(slope, level) {
  text <- sprintf("The calibration slope is %s", three_digits(slope$estimate))
  if (is.na(slope$low)) return(paste0(text, "; it has no interval on these data."))
  text <- sprintf("%s (%g %% CI %s to %s)", text, 100 * level, three_digits(slope$low),
                  three_digits(slope$high))
  if (slope$low <= 1 && 1 <= slope$high) {
    return(paste0(text, ": these data do not show that risks are too extreme, or too moderate."))
  }
  sprintf("%s: risks are %s.", text, if (slope$high < 1) "too extreme" else "not extreme enough")
}

# Which differences between subgroups the data show, at the level of the result.
subgroups_in_words <- function(found) {
  tested <- found$differences[!is.na(found$differences$p_value), ]
  n <- nrow(tested)
  if (n == 0) return("The subgroups are too small, or too few, to be compared.")
  interval <- found$overall$confidence_interval
  alpha <- round(1 - if (is.null(interval)) 0.95 else interval$confidence_level, 12)
  adjusted <- if (n == 1) "" else sprintf(", adjusted for %d comparisons (Bonferroni)", n)
  differ <- tested[tested$p_value < alpha / n, ]
  if (nrow(differ)) {
    pairs <- sprintf("%s and %s (p = %.2g)", differ$first, differ$second, differ$p_value)
    return(sprintf("The performance differs between %s at %g%s.", paste(pairs, collapse = "; "),
                   alpha, adjusted))
  }
  sprintf(paste(
    "These data do not show a difference between subgroups at %g%s; that is no evidence that there",
    "is none: the intervals of the differences say how large it may be."
  ), alpha, adjusted)
}

# Learners with the values that each of their parameters took, from names of configurations such as
# "knn(k=5)" or "k=5"; nothing if a name has another form.
learner_grids <- function(names) {
  pair <- "[^(),= ]+=(?:[^()\\[\\],=]|\\([^()]*\\)|\\[[^\\[\\]]*\\])*"
  form <- sprintf("^(?:([^(),=]+)\\()?(%s(?:, %s)*)(\\)?)$", pair, pair)
  parts <- regmatches(names, regexec(form, names, perl = TRUE))
  if (length(names) == 0 || any(lengths(parts) == 0)) return(character())
  parts <- do.call(rbind, parts)
  if (any(nzchar(parts[, 2]) != nzchar(parts[, 4]))) return(character())
  learner <- factor(parts[, 2], unique(parts[, 2]))
  grids <- vapply(split(parts[, 3], learner), function(of_one) {
    pairs <- unlist(regmatches(of_one, gregexpr(pair, of_one, perl = TRUE)))
    key <- sub("=.*", "", pairs)
    values <- split(sub("^[^=]*=", "", pairs), factor(key, unique(key)))
    paste0(names(values), ": ", vapply(values, listed_values, ""), collapse = "; ")
  }, "")
  called <- ifelse(nzchar(levels(learner)), levels(learner), "grid")
  stats::setNames(grids, sprintf("%s (%d)", called, table(learner)))
}

listed_values <- function(values) {
  values <- unique(values)
  n <- length(values)
  if (n <= 6) return(paste(values, collapse = ", "))
  sprintf("%s, ..., %s (%d values)", paste(values[1:3], collapse = ", "), values[[n]], n)
}

# A paragraph to paste into a paper.
methods_text <- function(e) {
  folds <- if (e$n_folds > 1) sprintf("%d-fold cross-validation", e$n_folds)
           else "held-out predictions"
  repeats <- if (e$n_repeats > 1) sprintf(" with %d repeats", e$n_repeats) else ""
  scheme <- sprintf("%s%s on %s", folds, repeats, counted(e$n_rows, "row"))
  two_level <- e$method == "bbc-two-level"
  selected <- if (e$n_configurations > 1) {
    sprintf("%d configurations were compared by %s; one was selected by %s.", e$n_configurations,
            scheme, metric_title(e$metric))
  } else sprintf("One configuration was evaluated by %s.", scheme)
  paste(selected, sprintf(
    paste("Its performance was corrected for this selection by %s with %d bootstrap replicates of",
          "%s%ss (seed %.0f; bbcr %s), which repeats the selection in every replicate and scores",
          "the selected configuration on the %ss out of bag [1]. The estimate is %s%s."),
    if (two_level) "two-level BBC (which extends BBC to folds)" else toupper(e$method), as.integer(e$n_bootstraps),
    if (two_level) "folds, and within them " else "", e$unit, e$seed, e$version,
    if (two_level) "fold" else e$unit, three_digits(e$estimate),
    interval_words(e$confidence_interval)
  ), "All other measures and curves were computed on the same out-of-bag rows of the configuration",
  "that each replicate selected.")
}

citation_of <- function(e) {
  if (e$method == "bbc-f") {
    return(paste("K. Paraschakis et al., Confidence interval estimation of predictive performance",
                 "in the context of AutoML, AutoML 2024"))
  }
  paste("I. Tsamardinos, E. Greasidou, G. Borboudakis, Bootstrapping the out-of-sample predictions",
        "for efficient and accurate cross-validation, Machine Learning 107 (2018) 1895-1922,",
        "doi:10.1007/s10994-018-5714-4")
}

# Items of TRIPOD+AI (Collins et al., BMJ 2024) to which the page contributes, and the others.
answered_items <- function(result) {
  e <- result$performances[[1]]
  sizes <- sprintf("%s, %s", counted(e$n_rows, "row"), counted(result$n_events, "event"))
  values <- vapply(unname(result$performances), function(one) {
    paste(metric_title(one$metric), three_digits(one$estimate))
  }, "")
  c(
    "10 Sample size" = sizes,
    "12a, 16 Use of the data" = "predictions were supplied; bbcr did not see the training",
    "12c Model building, tuning and internal validation" =
      sprintf("%s; see the methods paragraph", counted(e$n_configurations, "configuration")),
    "12e Measures of performance" = "discrimination, calibration and net benefit, above",
    "12g Predictions for the evaluation" = "out-of-sample predictions of the tuning",
    "21 Participants and events in each analysis" =
      sprintf("%s in tuning and evaluation alike, %s left out", sizes,
              counted(length(e$left_out_rows), "row")),
    "23a Performance with confidence intervals" =
      paste0(paste(values, collapse = "; "), "; intervals above"),
    "26 Limitations" =
      if (nrow(e$findings)) paste(e$findings$code, collapse = ", ") else "no findings of bbcr"
  )
}

open_items <- paste(
  "title and abstract (1, 2), background and objectives (3, 4), data and participants (5, 6),",
  "data preparation (7), outcome and predictors (8, 9), missing data (11), handling of",
  "predictors (12b), heterogeneity between sites (12d, 23b), updating (12f, 24), class imbalance",
  "(13), fairness (14), model output (15), ethics (17), open science (18), public involvement",
  "(19), flow of participants (20), the model in full (22), interpretation and use (25, 27)"
)

page_head <- function(title) {
  style <- readLines(system.file("report", "page.css", package = "bbcr"), encoding = "UTF-8")
  c('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">', sprintf("<title>%s</title>", escaped(title)),
    "<style>", style, "</style>\n</head>\n<body>",
    '<main><article class="bbc-report">', sprintf("<header><h1>%s</h1></header>", escaped(title)))
}
