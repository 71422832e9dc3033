#' @export
print.bbc_estimate <- function(x, ...) {
  interval <- x$confidence_interval
  ends <- if (is.null(interval)) "no interval" else {
    sprintf("%g %% interval [%s, %s]", 100 * interval$confidence_level, number(interval$low),
            number(interval$high))
  }
  last <- c(if (!is.null(x$event)) paste("event", x$event), if (!is.null(x$seed)) seed_text(x))
  cat_lines(
    sprintf("%s of the winner: %s, %s", x$metric, number(x$estimate), ends),
    sprintf("apparent %s (optimism %s), winner %s", number(x$apparent), number(x$optimism),
            x$winner_name),
    if (length(last)) paste(last, collapse = ", ")
  )
  invisible(x)
}

# Lines of at most 80 columns: names of configurations can be long.
cat_lines <- function(...) {
  lines <- c(...)
  long <- nchar(lines) > 80
  lines[long] <- paste0(substr(lines[long], 1, 77), "...")
  cat(lines, sep = "\n")
}

seed_text <- function(x) sprintf("seed %.0f", x$seed)

#' @rdname bbc_estimate
#' @export
summary.bbc_estimate <- function(object, ...) {
  structure(list(facts = facts(object), notes = object$notes, head = sprintf(
    "%s of the winner (%s is better), method %s, %s", object$metric,
    if (object$greater_is_better) "higher" else "lower", object$method,
    if (object$pooling == "fold") "mean of folds" else object$pooling
  )), class = "summary.bbc_estimate")
}

#' @export
print.summary.bbc_estimate <- function(x, ...) {
  cat_lines(x$head, sprintf("  %-15s%s", names(x$facts), x$facts))
  for (note in x$notes) cat(strwrap(paste("note:", note), 78, indent = 2, exdent = 4), sep = "\n")
  invisible(x)
}

number <- function(value) format(value, digits = 6)

counted <- function(count, word) {
  sprintf("%d %s%s", as.integer(count), word, if (count == 1) "" else "s")
}

# Scores of folds do not tell the number of rows.
size_text <- function(x) {
  paste(c(if (x$n_rows > 0) counted(x$n_rows, "row"), counted(x$n_configurations, "configuration")),
        collapse = ", ")
}

# Pairs of label and text.
facts <- function(x) {
  interval <- x$confidence_interval
  plain <- paste("configuration", x$winner)
  data <- c(
    size_text(x),
    if (x$n_folds > 0) counted(x$n_folds, "fold"),
    if (x$n_repeats > 1) counted(x$n_repeats, "repeat")
  )
  c(
    estimate = number(x$estimate),
    if (!is.null(interval)) c(interval = interval_text(interval)),
    apparent = sprintf("%s (optimism %s)", number(x$apparent), number(x$optimism)),
    winner = if (x$winner_name == plain) plain else paste0(plain, ": ", x$winner_name),
    chosen_facts(x),
    if (x$n_bootstraps > 0) c(replicates = sprintf(
      "%d of %ss, %d redrawn, sd %s (no standard error)", x$n_bootstraps, x$unit,
      as.integer(x$n_redrawn), number(x$replicate_sd)
    )),
    if (isTRUE(x$undefined_fold_share > 0)) c(undefined = sprintf(
      "%.3g %% of the replicates' folds", 100 * x$undefined_fold_share
    )),
    data = paste(data, collapse = ", "),
    if (length(x$left_out_rows)) c("left out" = counted(length(x$left_out_rows), "row")),
    if (length(x$left_out_configurations)) {
      c("left out" = counted(length(x$left_out_configurations), "configuration"))
    },
    if (!is.null(x$event)) c(event = x$event),
    if (!is.null(x$seed)) c(seed = sprintf("%.0f (bbc %s)", x$seed, x$version))
  )
}

interval_text <- function(interval) {
  side <- if (interval$alternative == "two-sided") "" else paste(",", interval$alternative)
  sprintf("[%s, %s] (%g %%%s)", number(interval$low), number(interval$high),
          100 * interval$confidence_level, side)
}

# The configurations that won most replicates; equal shares stay in order.
chosen_facts <- function(x, most = 5) {
  if (x$n_configurations == 1 || is.null(x$selection_frequency)) return(NULL)
  shares <- x$selection_frequency
  chosen <- order(-shares)
  chosen <- chosen[shares[chosen] > 0]
  first <- utils::head(chosen, most)
  lines <- sprintf("%5.1f %%  %d%s", 100 * shares[first], first,
                   if (is.null(x$names)) "" else paste0(" ", x$names[first]))
  if (length(chosen) > most) {
    rest <- chosen[-seq_len(most)]
    lines <- c(lines, sprintf("%5.1f %%  %d others", 100 * sum(shares[rest]), length(rest)))
  }
  stats::setNames(lines, c("chosen", rep("", length(lines) - 1)))
}
