# The facts and the frame of a page.

escaped <- function(text) {
  for (pair in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c('"', "&quot;"))) {
    text <- gsub(pair[[1]], pair[[2]], text, fixed = TRUE)
  }
  # The level of an interval stays in one line.
  gsub(" % CI", "&nbsp;%&nbsp;CI", gsub("[[:cntrl:]]", " ", text), fixed = TRUE)
}

section <- function(title, ...) {
  c(sprintf("<section><h2>%s</h2>", escaped(title)), ..., "</section>")
}

# A table of pairs of label and text.
two_columns <- function(facts) {
  label <- names(facts)
  head <- ifelse(nzchar(label), sprintf('<th scope="row">%s</th>', escaped(label)), "<td></td>")
  # Lines break after the signs in a name, and not within its words.
  text <- gsub("(__|=)(?=\\w)", "\\1<wbr>", escaped(unname(facts)), perl = TRUE)
  c("<table><tbody>", sprintf("<tr>%s<td>%s</td></tr>", head, text),
    "</tbody></table>")
}

# What the sentences of a clinical page name.
clinical_facts <- function(result) {
  slope <- result$calibration$quantities[2, ]
  utils::modifyList(facts_of(result$performance), list(
    slope = slope$estimate, slope_low = slope$low, slope_high = slope$high,
    slope_decimals = decimals_by_width(slope$low, slope$high, result$performance$n_bootstraps),
    level = 100 * result$calibration$confidence_level,
    performances = paste(vapply(unname(every_metric(result$performance)), function(e) {
      say("of_metric", facts_of(e))
    }, ""), collapse = "; ")
  ), keep.null = TRUE)
}

# The AUC, if it is there, in a sentence.
headline_of <- function(result) {
  performances <- every_metric(result$performance)
  names <- vapply(performances, `[[`, "", "metric")
  say("headline", facts_of(
    performances[[if ("roc_auc" %in% names) match("roc_auc", names) else 1]]
  ))
}

# What the sentence about subgroups names: which differences the data show, at the level of the result.
subgroup_facts <- function(found) {
  tested <- found$differences[!is.na(found$differences$p_value), ]
  interval <- found$overall$confidence_interval
  alpha <- round(1 - if (is.null(interval)) 0.95 else interval$confidence_level, 12)
  differ <- tested[tested$p_value < alpha / nrow(tested), ]
  pairs <- vapply(seq_len(nrow(differ)), function(i) say("differing_pair", as.list(differ[i, ])), "")
  list(n_compared = nrow(tested), alpha = alpha, differing_pairs = paste(pairs, collapse = "; "),
       n_subgroups = nrow(found$groups),
       title = if (!is.null(found$overall$metric)) metric_title(found$overall$metric))
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

page_head <- function(title) {
  files <- system.file("report", c("page.css", "report.css"), package = "bbcr")
  style <- unlist(lapply(files, readLines, encoding = "UTF-8"))
  c('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">', sprintf("<title>%s</title>", escaped(title)),
    "<style>", style, "</style>\n</head>\n<body>",
    '<main><article class="bbc-report">', sprintf("<header><h1>%s</h1></header>", escaped(title)))
}
