# Methods of bounds.

show_result.bbc_bound <- function(x) {
  cat_first(x)
  cat(strwrap(paste("roc_auc of the selected configuration:", bound_text(x)), 80, exdent = 2),
      sep = "\n")
  selected <- if (is.null(x$winner)) "nothing could be selected" else named("winner", x$winner_name)
  how <- if (x$rule == "all rows") x$rule else paste("rule", x$rule)
  cat_parts(selected, paste("method", x$method), how)
  cat_parts(paste("event", x$event), seed_text(x))
  if (length(x$evaluation_rows)) cat(strwrap(split_text(x), line_width, exdent = 2), sep = "\n")
}

# What the random split means for the number.
split_text <- function(x) {
  sprintf(paste(
    "the bound is from %d of %s that were split off at random and chose nothing: another seed splits",
    "off others and gives another bound (method \"bbc\" uses all rows)"
  ), length(x$evaluation_rows), counted(x$n_rows, "row"))
}

bound_text <- function(x) {
  if (!x$feasible) return(paste("no bound:", x$infeasible))
  interval <- x$confidence_interval
  sprintf("%s, at least %s (%s)", number(x$estimate), number(x$low),
          percent(interval$confidence_level))
}

#' @export
summary.bbc_bound <- function(object, ...) {
  no_more_arguments(...)
  evaluated <- length(object$evaluation_rows)
  structure(list(
    head = c("roc_auc of the selected configuration", paste("method", object$method),
             paste("rule", object$rule)),
    findings = told_findings(object$findings), notes = c(object$notes, if (evaluated) split_text(object)),
    facts = c(
      if (!is.null(object$estimate)) c(estimate = number(object$estimate)),
      if (object$feasible) c(bound = interval_text(object$confidence_interval))
      else c("no bound" = object$infeasible),
      if (!is.null(object$winner)) c(winner = shortened(object$winner_name, fact_width)),
      if (length(object$candidates) > 1) {
        c(candidates = counted(length(object$candidates), "configuration"))
      },
      if (object$n_bootstraps > 0) c(replicates = sprintf("%.0f", object$n_bootstraps)),
      if (!is.null(object$effective_sample_size)) {
        c("effective size" = number(object$effective_sample_size))
      },
      data = sprintf("%s, %s%s", counted(object$n_rows, "row"),
                     counted(object$n_configurations, "configuration"),
                     if (evaluated) sprintf(", %s to evaluate on", counted(evaluated, "row")) else ""),
      event = object$event, seed = sprintf("%.0f (bbc %s)", object$seed, object$version)
    )
  ), class = c("summary.bbc_bound", "summary.bbc_estimate"))
}

ends_of.bbc_bound <- function(x, level) {
  interval <- x$confidence_interval
  computed <- interval$confidence_level
  refuse_other_level(level, computed)
  columns <- if (is.null(interval)) c("low", "high") else tail_names("greater", computed)
  matrix(as.double(c(or_na(interval$low), or_na(interval$high))), 1,
         dimnames = list(bound_name(x), columns))
}

coef_of.bbc_bound <- function(x) stats::setNames(as.double(or_na(x$estimate)), bound_name(x))

frame_of.bbc_bound <- function(x) {
  data.frame(
    method = x$method, rule = x$rule, estimate = as.double(or_na(x$estimate)),
    bound = as.double(or_na(x$low)), feasible = x$feasible,
    reason = if (x$feasible) "" else x$infeasible, winner = as.integer(or_na(x$winner)),
    winner_name = x$winner_name, n_rows = x$n_rows, n_configurations = x$n_configurations,
    n_bootstraps = x$n_bootstraps, seed = x$seed
  )
}

tidy_of.bbc_bound <- function(x) {
  frame <- frame_of(x)
  data.frame(term = "roc_auc", method = frame$method, rule = frame$rule,
             estimate = frame$estimate, conf.low = frame$bound,
             conf.high = if (frame$feasible) 1 else NA_real_)
}

glance_of.bbc_bound <- function(x) {
  frame_of(x)[c("method", "rule", "feasible", "winner_name", "n_rows", "n_configurations",
                "n_bootstraps", "seed")]
}

picture.bbc_bound <- function(x, ...) {
  term <- paste0(bound_name(x), if (!x$feasible) " (no bound)")
  frame <- frame_of(x)
  picture_of_intervals(
    data.frame(term, estimate = frame$estimate, conf.low = frame$bound, conf.high = frame$estimate),
    axis_of(metric_title("roc_auc"), range(frame$bound, 1, na.rm = TRUE))
  )
}

bound_name <- function(x) if (x$rule == "top10%") paste(x$method, x$rule) else x$method
