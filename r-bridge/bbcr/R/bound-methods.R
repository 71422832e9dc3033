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

splits_text <- function(x) {
  sprintf(paste(
    "methods other than bbc, bbc-two-level, bbc-f and nb bound from %d of %s that were split off at",
    "random and chose nothing: another seed gives other bounds"
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
  evaluated <- length(object$evaluation_rows)
  structure(list(
    head = c("roc_auc of the selected configuration", paste("method", object$method),
             paste("rule", object$rule)),
    findings = object$findings, notes = c(object$notes, if (evaluated) split_text(object)),
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

show_result.bbc_bound_comparison <- function(x) {
  frame <- frame_of(x)
  cell <- function(value) {
    ifelse(is.na(value), "-", written(sprintf("%%.%df", shown_digits(4)), value))
  }
  lines <- sprintf("%-15s%-9s%-10s%-9s%s", c("method", frame$method), c("rule", frame$rule),
                   c("estimate", cell(frame$estimate)), c("bound", cell(frame$bound)),
                   c("", frame$reason))
  cat(trimws(lines, "right"), sep = "\n")
  split <- Find(function(bound) length(bound$evaluation_rows) > 0, x$bounds)
  if (!is.null(split)) cat(strwrap(splits_text(split), line_width, exdent = 2), sep = "\n")
}

#' @export
summary.bbc_bound_comparison <- function(object, ...) {
  structure(list(bounds = lapply(object$bounds, summary)), class = "summary.bbc_bound_comparison")
}

#' @export
print.summary.bbc_bound_comparison <- function(x, ...) {
  for (bound in x$bounds) print(bound)
  invisible(x)
}

ends_of.bbc_bounds <- function(x, level) {
  intervals <- lapply(bounds_in(x), `[[`, "confidence_interval")
  computed <- unique(unlist(lapply(intervals, `[[`, "confidence_level")))
  if (!is.null(level) && !identical(check_level(level), computed)) {
    abort("`level`: the bound is of level %g; for another one compute it again", computed)
  }
  ends <- vapply(intervals, function(own) {
    if (is.null(own)) c(NA_real_, NA_real_) else c(own$low, own$high)
  }, numeric(2))
  columns <- if (length(computed)) tail_names("greater", computed) else c("low", "high")
  matrix(t(ends), ncol = 2, dimnames = list(bound_names(x), columns))
}

coef_of.bbc_bounds <- function(x) stats::setNames(frame_of(x)$estimate, bound_names(x))

frame_of.bbc_bounds <- function(x) do.call(rbind, lapply(bounds_in(x), function(bound) {
  data.frame(
    method = bound$method, rule = bound$rule, estimate = as.double(or_na(bound$estimate)),
    bound = as.double(or_na(bound$low)), feasible = bound$feasible,
    reason = if (bound$feasible) "" else bound$infeasible,
    winner = as.integer(or_na(bound$winner)), winner_name = bound$winner_name,
    n_rows = bound$n_rows, n_configurations = bound$n_configurations,
    n_bootstraps = bound$n_bootstraps, seed = bound$seed
  )
}))

tidy_of.bbc_bounds <- function(x) {
  frame <- frame_of(x)
  data.frame(term = "roc_auc", method = frame$method, rule = frame$rule,
             estimate = frame$estimate, conf.low = frame$bound,
             conf.high = ifelse(frame$feasible, 1, NA))
}

glance_of.bbc_bound <- function(x) {
  frame_of(x)[c("method", "rule", "feasible", "winner_name", "n_rows", "n_configurations",
                "n_bootstraps", "seed")]
}

glance_of.bbc_bound_comparison <- function(x) {
  frame <- frame_of(x)
  data.frame(n_methods = nrow(frame), n_feasible = sum(frame$feasible),
             frame[1, c("n_rows", "n_configurations", "seed")])
}

picture.bbc_bounds <- function(x, ...) {
  frame <- frame_of(x)
  term <- bound_names(x)
  term[!frame$feasible] <- paste(term[!frame$feasible], "(no bound)")
  picture_of_intervals(
    data.frame(term, estimate = frame$estimate, conf.low = frame$bound, conf.high = frame$estimate),
    axis_of(metric_title("roc_auc"), range(frame$bound, 1, na.rm = TRUE))
  )
}

# The bounds of a comparison, or one.
bounds_in <- function(x) if (is.null(x$bounds)) list(x) else x$bounds

comparison_of <- function(bounds) {
  new_result(list(bounds = bounds), c("bbc_bound_comparison", "bbc_bounds"))
}

bound_names <- function(x) {
  vapply(bounds_in(x), function(bound) {
    if (bound$rule == "top10%") paste(bound$method, bound$rule) else bound$method
  }, "")
}
