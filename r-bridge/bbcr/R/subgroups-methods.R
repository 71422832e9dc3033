# Methods of subgroups.

show_result.bbc_subgroups <- function(x) {
  e <- x$overall
  cat_parts(sprintf("%s of one winner in %s (%s is better)", e$metric,
                    counted(nrow(x$groups), "subgroup"),
                    if (e$greater_is_better) "higher" else "lower"),
            paste("method", e$method), if (e$pooling == "fold") "mean of folds" else e$pooling)
  lines <- with_all_rows(x)
  lines <- with_decimals(lines, rep(list(e), nrow(lines)))
  print(lines[setdiff(names(lines), c("n_undefined", "too_small"))], row.names = FALSE)
  pairs <- x$differences
  if (nrow(pairs)) {
    print(data.frame(
      difference = paste(pairs$first, "-", pairs$second),
      pairs[c("estimate", "low", "high", "p_value")],
      better = sprintf("%.0f %% : %.0f %%", 100 * pairs$first_better, 100 * pairs$second_better)
    ), digits = shown_digits(4), row.names = FALSE)
  }
  for (text in subgroup_remarks(x)) cat(strwrap(text, line_width, exdent = 2), sep = "\n")
  cat_parts(if (!is.null(e$event)) paste("event", e$event), seed_text(e))
  cat_skipped(e)
}

# A line for all rows, then the subgroups.
with_all_rows <- function(x) {
  frame <- frame_of(x)
  counts <- c("n_rows", grep("^n_", names(x$groups)[-(1:2)], value = TRUE))
  of_all <- frame[1, ]
  of_all[counts] <- lapply(frame[counts], sum)
  interval <- x$overall$confidence_interval
  of_all[c("estimate", "low", "high", "apparent", "n_undefined")] <- list(
    x$overall$estimate, or_na(interval$low), or_na(interval$high), x$overall$apparent,
    undefined_in(x$overall)
  )
  of_all$subgroup <- "all rows"
  of_all$too_small <- NA_character_
  rbind(of_all, frame)
}

# Of the metric that selects no replicate is undefined.
undefined_in <- function(e) if (is.null(e$n_undefined)) 0 else e$n_undefined

# What has no number and why, undefined replicates, findings and notes.
subgroup_remarks <- function(x) {
  small <- x$groups[!is.na(x$groups$too_small), ]
  of_each <- function(text) unlist(lapply(names(x$estimates), function(name) {
    own <- text(x$estimates[[name]])
    if (length(own)) paste0(name, ": ", own)
  }))
  known <- finding_text(x$overall$findings)
  c(
    if (nrow(small)) sprintf("too small: %s: %s", small$subgroup, small$too_small),
    of_each(function(e) if (undefined_in(e) > 0) {
      paste(counted(e$n_undefined, "replicate"), "without a score, left out")
    }),
    of_each(function(e) if (!is.null(e$infeasible)) paste("no interval:", e$infeasible)),
    known, of_each(function(e) setdiff(finding_text(e$findings), known)),
    if (length(x$notes)) paste("note:", x$notes)
  )
}

frame_of.bbc_subgroups <- function(x) {
  own <- x$estimates[x$groups$subgroup]
  number_of <- function(get) {
    vapply(own, function(e) if (is.null(e)) NA_real_ else as.double(or_na(get(e))), 0)
  }
  groups <- x$groups
  data.frame(
    groups[setdiff(names(groups), "too_small")], estimate = number_of(function(e) e$estimate),
    low = number_of(function(e) e$confidence_interval$low),
    high = number_of(function(e) e$confidence_interval$high),
    apparent = number_of(function(e) e$apparent), n_undefined = number_of(undefined_in),
    too_small = groups$too_small, row.names = NULL, check.names = FALSE
  )
}

ends_of.bbc_subgroups <- function(x, level) {
  of_all <- ends_of(x$overall, level)
  ends <- t(vapply(x$groups$subgroup, function(name) {
    e <- x$estimates[[name]]
    if (is.null(e$confidence_interval)) c(NA_real_, NA_real_) else c(ends_of(e, level))
  }, c(0, 0)))
  colnames(ends) <- colnames(of_all)
  ends
}

tidy_of.bbc_subgroups <- function(x) {
  frame <- frame_of(x)
  data.frame(term = frame$subgroup, estimate = frame$estimate, conf.low = frame$low,
             conf.high = frame$high, n = frame$n_rows)
}

glance_of.bbc_subgroups <- function(x) {
  data.frame(glance_of(x$overall), n_subgroups = nrow(x$groups))
}

picture.bbc_subgroups <- function(x, ...) {
  frame <- with_all_rows(x)
  label <- sprintf("%s (%d)", frame$subgroup, as.integer(frame$n_rows))
  label[!is.na(frame$too_small)] <- paste(label[!is.na(frame$too_small)], "too small")
  picture_of_intervals(
    data.frame(term = label, estimate = frame$estimate, conf.low = frame$low, conf.high = frame$high),
    axis_of(metric_title(x$overall$metric)), x$overall$estimate
  )
}
