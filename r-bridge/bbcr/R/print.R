show_result.bbc_estimate <- function(x) {
  cat_first(x)
  if (x$method == "hybrid") cat(of_these_models, sep = "\n")
  cat_parts(paste0(x$metric, " of the ", subject(x), ": ", shown_of(x, x$estimate)), interval_part(x))
  cat_parts(sprintf("apparent %s (%s)", shown_of(x, x$apparent), optimism_text(x)),
            if (is.null(x$weights)) named("winner", x$winner_name)
            else sprintf("%d members", sum(x$weights > 0)),
            if (!is.null(x$size_bias)) paste("size bias", shown_of(x, x$size_bias)),
            if (!is.null(x$threshold)) paste("cut-off", number(x$threshold)))
  for (name in names(x$secondary)) {
    own <- x$secondary[[name]]
    cat_parts(paste0(name, " of the same: ", shown_of(own, own$estimate)), interval_part(own),
              paste("apparent", shown_of(own, own$apparent)))
  }
  cat_parts(if (!is.null(x$event)) paste("event", x$event), if (!is.null(x$seed)) seed_text(x))
  cat_skipped(x)
  cat_unchecked(x$checked_scores)
}

optimism_text <- function(x) {
  if (x$method == "cvt") "not corrected" else paste("optimism", shown_of(x, x$optimism))
}

of_these_models <- "of the models that won here, not of selecting and training anew as bbc_correct()"

cat_skipped <- function(x) {
  if (length(skipped_by(x))) cat(strwrap(skipped_text(x), line_width), sep = "\n")
}

# What means of an estimate leave out, as a remark; nothing where they leave out nothing.
skipped_text <- function(x) {
  skipped <- skipped_by(x)
  if (length(skipped)) paste("left out:", paste(skipped, collapse = "; "))
}

# What means of the result leave out, with how much of it.
skipped_by <- function(x) {
  c(
    if (length(x$left_out_rows)) {
      sprintf("%d of %s", length(x$left_out_rows), counted(x$n_rows, "row"))
    },
    if (length(x$left_out_configurations)) {
      sprintf("%d of %s", length(x$left_out_configurations), counted(x$n_configurations, "configuration"))
    },
    fold_counts(x), replicates_without(x),
    unlist(lapply(names(x$secondary), function(name) replicates_without(x$secondary[[name]], name)))
  )
}

replicates_without <- function(x, score = "score") {
  if (isTRUE(x$n_undefined > 0)) {
    sprintf("%d of %s without a %s", x$n_undefined, counted(x$n_undefined + x$n_bootstraps, "replicate"), score)
  }
}

# How many folds, of the data and of the replicates, have no score.
fold_counts <- function(x) {
  if (!isTRUE(x$undefined_fold_share > 0)) return(NULL)
  n_folds <- x$n_folds * x$n_repeats
  c(if (isTRUE(x$undefined_folds > 0)) {
      sprintf("%d of %s, where the metric is undefined", x$undefined_folds, counted(n_folds, "fold"))
    },
    paste(written("%.3g %%", 100 * x$undefined_fold_share), "of the replicates' folds"))
}

# The tool's scores that were not computed again, in one line; summary() says why.
cat_unchecked <- function(checked) {
  unchecked <- names(checked)[startsWith(as.character(checked), "not ")]
  if (length(unchecked)) cat(strwrap(paste("not checked:", toString(unchecked)), line_width), sep = "\n")
}

# The interval in words, or why there is none.
interval_part <- function(x, places = decimals_of(x)) {
  interval <- x$confidence_interval
  if (is.null(interval)) return(paste(c("no interval", x$infeasible), collapse = ": "))
  paste(percent(interval$confidence_level), "interval", limits_text(interval, places))
}

# What is said first: that limits from scores of folds alone are too short, and what deploys another
# configuration than that of the estimate.
cat_first <- function(x) {
  short <- x$findings[x$findings$code == "BBC025", ]
  said <- c(sprintf("%s%s; %s.", toupper(substr(short$detail, 1, 1)), substring(short$detail, 2),
                    short$advice), say("deployed", deployed_facts(x)))
  said <- said[nzchar(said)]
  if (length(said)) cat(strwrap(paste(said, collapse = " "), line_width), sep = "\n")
}

# What the number is about.
subject <- function(x) if (is.null(x$weights)) "winner" else "ensemble"

line_width <- 80

# As many parts in a line as it holds, the others below: no number is cut or torn.
cat_parts <- function(...) {
  parts <- c(...)
  if (length(parts) == 0) return(invisible())
  lines <- parts[[1]]
  for (part in parts[-1]) {
    last <- length(lines)
    together <- paste(lines[[last]], part, sep = ", ")
    if (nchar(together) <= line_width) lines[[last]] <- together
    else lines <- c(lines, paste0("  ", part))
  }
  cat(lines, sep = "\n")
}

# Names of configurations can be long, and are all that is shortened.
named <- function(before, name) paste(before, shortened(name, line_width - 3 - nchar(before)))

shortened <- function(text, width) {
  ifelse(nchar(text) > width, paste0(substr(text, 1, width - 3), "..."), text)
}

seed_text <- function(x) sprintf("seed %.0f", x$seed)

#' @export
summary.bbc_estimate <- function(object, ...) {
  no_more_arguments(...)
  notes <- c(object$notes, if (is_fixed(object)) why_wide)
  first <- c("deployed", "winner_name", "findings", "confidence_interval", "monte_carlo_error")
  structure(list(estimate = object[first], facts = facts(object), findings = told_findings(every_finding(object)), notes = notes, head = c(
    sprintf("%s of the %s (%s is better)", object$metric, subject(object),
            if (object$greater_is_better) "higher" else "lower"),
    paste("method", object$method),
    if (object$pooling == "fold") "mean of folds" else object$pooling
  )), class = "summary.bbc_estimate")
}

# Findings of an estimate and of its secondary metrics.
every_finding <- function(x) {
  unique(do.call(rbind, lapply(unname(every_metric(x)), `[[`, "findings")))
}

# Whether nothing was chosen: other intervals of the same score are narrower then.
is_fixed <- function(x) {
  x$n_configurations == 1 && x$method == "bbc" && !is.null(x$confidence_interval) &&
    is.null(x$threshold)
}

why_wide <- paste(
  "nothing was chosen, and intervals for one fixed configuration, such as DeLong's for the AUC, are",
  "narrower: a replicate scores only the 37 % of the rows that it does not draw (see ?bbc_correct)"
)

#' @export
print.summary.bbc_estimate <- function(x, ...) {
  cat_first(x$estimate)
  cat_parts(x$head)
  cat(sprintf("  %-15s%s", names(x$facts), x$facts), sep = "\n")
  for (i in seq_along(x$findings$code)) {
    own <- x$findings[i, ]
    cat_remark(own$code, sprintf("%s: %s; %s", own$title, own$detail, own$advice))
  }
  for (note in x$notes) cat_remark("note", note)
  invisible(x)
}

# What this package prints: names come from files, and control characters would command a terminal.
cat <- function(..., sep = " ") base::cat(printable(c(...)), sep = sep)

# Texts whose control characters, but for the ends of lines, are escaped.
printable <- function(texts) {
  texts <- enc2utf8(as.character(texts))
  found <- gregexpr("[^\\P{Cc}\n\t]", texts, perl = TRUE)
  regmatches(texts, found) <- lapply(regmatches(texts, found), function(own) {
    sprintf("\\x%02x", vapply(own, utf8ToInt, 0L, USE.NAMES = FALSE))
  })
  texts
}

# What is left of a line of facts beside its label.
fact_width <- line_width - 17

# A fact in as many lines as its words take.
in_lines <- function(label, text) {
  lines <- strwrap(text, fact_width + 1)
  stats::setNames(lines, c(label, rep("", length(lines) - 1)))
}

# A text in the column of the facts, in as many lines as it takes.
cat_remark <- function(label, text) {
  lines <- strwrap(text, fact_width + 1)
  cat(sprintf("  %-15s%s", c(label, rep("", length(lines) - 1)), lines), sep = "\n")
}

percent <- function(share) written("%g %%", 100 * share)

counted <- function(count, word, plural = paste0(word, "s")) {
  sprintf("%d %s", as.integer(count), if (count == 1) word else plural)
}

# Pairs of label and text.
facts <- function(x) {
  interval <- x$confidence_interval
  plain <- paste("configuration", x$winner)
  known <- facts_of(x)
  c(
    estimate = shown_of(x, x$estimate),
    if (!is.null(interval)) c(interval = interval_text(interval, decimals_of(x))),
    if (!is.null(x$infeasible)) c("no interval" = x$infeasible),
    apparent = sprintf("%s (%s)", shown_of(x, x$apparent), optimism_text(x)),
    secondary_facts(x),
    if (!is.null(x$size_bias)) {
      c("size bias" = sprintf("%s (taken from the replicates)", shown_of(x, x$size_bias)))
    },
    choice_facts(x, shortened(
      if (x$winner_name == plain) plain else paste0(plain, ": ", x$winner_name), fact_width
    )),
    chosen_facts(x),
    if (!is.null(x$decided_by)) c("decided by" = x$decided_by),
    if (x$n_bootstraps > 0) in_lines("replicates", sprintf(
      "%d of %s, %d redrawn, sd %s (not a standard error)", x$n_bootstraps, say("drawn", known),
      as.integer(x$n_redrawn), shown_of(x, x$replicate_sd)
    )),
    if (isTRUE(x$undefined_fold_share > 0)) {
      in_lines("undefined", paste(rev(fold_counts(x)), collapse = "; "))
    },
    if (isTRUE(x$n_undefined > 0)) c(undefined = sprintf(
      "%s more, left out", counted(x$n_undefined, "replicate")
    )),
    in_lines("data", say("data", known)),
    if (length(x$left_out_rows)) c("left out" = counted(length(x$left_out_rows), "row")),
    if (length(x$left_out_configurations)) {
      c("left out" = counted(length(x$left_out_configurations), "configuration"))
    },
    if (length(x$checked_scores)) in_lines("checked", paste0(
      names(x$checked_scores), " ", x$checked_scores, collapse = "; "
    )),
    if (!is.null(x$event)) c(event = x$event),
    if (!is.null(x$seed)) c(seed = sprintf("%.0f (bbc %s)", x$seed, x$version))
  )
}

# A line for each secondary metric.
secondary_facts <- function(x) {
  if (is.null(x$secondary)) return(NULL)
  lines <- vapply(names(x$secondary), function(name) {
    own <- x$secondary[[name]]
    interval <- own$confidence_interval
    sprintf("%s %s %s, apparent %s", name, shown_of(own, own$estimate), if (is.null(interval)) {
      "(no interval)"
    } else interval_text(interval, decimals_of(own)), shown_of(own, own$apparent))
  }, "")
  stats::setNames(lines, c("secondary", rep("", length(lines) - 1)))
}

# What was chosen on all rows.
choice_facts <- function(x, winner) {
  if (!is.null(x$weights)) {
    return(c(ensemble = sprintf("%d of %s", sum(x$weights > 0),
                                counted(x$n_configurations, "configuration")),
             "largest weight" = sprintf("%s, %s", number(x$weights[[x$winner]]), winner)))
  }
  c(winner = winner, if (!is.null(x$threshold)) c(threshold = number(x$threshold)))
}

interval_text <- function(interval, places = NULL) {
  side <- if (interval$alternative == "two-sided") "" else paste(",", interval$alternative)
  sprintf("%s (%s%s)", limits_text(interval, places), percent(interval$confidence_level), side)
}

limits_text <- function(interval, places) {
  sprintf("[%s, %s]", to_decimals(interval$low, places), to_decimals(interval$high, places))
}

# The configurations that won most replicates; equal shares stay in order.
chosen_facts <- function(x, most = 5) {
  if (x$n_configurations == 1 || is.null(x$selection_frequency)) return(NULL)
  shares <- x$selection_frequency
  chosen <- order(-shares)
  chosen <- chosen[shares[chosen] > 0]
  first <- utils::head(chosen, most)
  lines <- shortened(sprintf("%s  %d%s", written("%5.1f %%", 100 * shares[first]), first,
                             if (is.null(x$names)) "" else paste0(" ", x$names[first])), fact_width)
  if (length(chosen) > most) {
    rest <- chosen[-seq_len(most)]
    joint <- if (is.null(x$weights)) sum(shares[rest]) else max(shares[rest])
    at_most <- if (is.null(x$weights)) "" else ", each at most"
    lines <- c(lines, sprintf("%s  %s%s", written("%5.1f %%", 100 * joint),
                              counted(length(rest), "other"), at_most))
  }
  label <- if (is.null(x$weights)) "chosen" else "taking part"
  stats::setNames(lines, c(label, rep("", length(lines) - 1)))
}
