#' Methods for bounds
#'
#' @param object,x A result of [bbc_bound()] or [bbc_compare_bounds()].
#' @param parm Ignored.
#' @param level Level of the bound; only the one that was computed.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... For `plot()`: passed on to [graphics::plot()]; otherwise ignored.
#' @return `confint()`: a matrix with the bound and the largest AUC, one row per method; `coef()`:
#'   the estimates, named by method; `as.data.frame()`: one row per method; `tidy()` and `glance()`:
#'   tables with the columns that broom users expect; `plot()`: `x`, invisibly; `autoplot()`: a
#'   ggplot.
#' @examples
#' set.seed(1)
#' truth <- rep(0:1, 100)
#' folds <- rep(1:5, each = 2, length.out = 200)
#' predictions <- truth + matrix(rnorm(200 * 30), 200)
#' bound <- bbc_bound(predictions, truth, folds, method = "delong", seed = 1, n_threads = 2)
#' confint(bound)
#' summary(bound)
#' bounds <- bbc_compare_bounds(predictions, truth, folds, methods = c("delong", "nb"), seed = 1,
#'                              n_threads = 2)
#' as.data.frame(bounds)
#' plot(bounds)
#' @name bbc_bound_methods
NULL

#' @rdname bbc_bound_methods
#' @export
print.bbc_bound <- function(x, ...) {
  cat(strwrap(paste("roc_auc of the selected configuration:", bound_text(x)), 80, exdent = 2),
      sep = "\n")
  selected <- if (is.null(x$winner)) "nothing could be selected" else named("winner", x$winner_name)
  how <- if (x$rule == "all rows") x$rule else paste("rule", x$rule)
  cat_parts(selected, paste("method", x$method), how)
  cat_parts(paste("event", x$event), seed_text(x))
  if (length(x$evaluation_rows)) cat(strwrap(split_text(x), line_width, exdent = 2), sep = "\n")
  invisible(x)
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
  sprintf("%s, at least %s (%g %%)", number(x$estimate), number(x$low),
          100 * interval$confidence_level)
}

#' @rdname bbc_bound_methods
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

#' @rdname bbc_bound_methods
#' @export
print.bbc_bound_comparison <- function(x, ...) {
  frame <- as.data.frame(x)
  cell <- function(value) ifelse(is.na(value), "-", sprintf("%.4f", value))
  lines <- sprintf("%-15s%-9s%-10s%-9s%s", c("method", frame$method), c("rule", frame$rule),
                   c("estimate", cell(frame$estimate)), c("bound", cell(frame$bound)),
                   c("", frame$reason))
  cat(trimws(lines, "right"), sep = "\n")
  split <- Find(function(bound) length(bound$evaluation_rows) > 0, x$bounds)
  if (!is.null(split)) cat(strwrap(splits_text(split), line_width, exdent = 2), sep = "\n")
  invisible(x)
}

#' @rdname bbc_bound_methods
#' @export
summary.bbc_bound_comparison <- function(object, ...) {
  structure(list(bounds = lapply(object$bounds, summary)), class = "summary.bbc_bound_comparison")
}

#' @export
print.summary.bbc_bound_comparison <- function(x, ...) {
  for (bound in x$bounds) print(bound)
  invisible(x)
}

#' @rdname bbc_bound_methods
#' @export
confint.bbc_bound <- function(object, parm, level = NULL, ...) {
  confint.bbc_bound_comparison(comparison_of(list(object)), level = level)
}

#' @rdname bbc_bound_methods
#' @export
confint.bbc_bound_comparison <- function(object, parm, level = NULL, ...) {
  intervals <- lapply(object$bounds, `[[`, "confidence_interval")
  computed <- unique(unlist(lapply(intervals, `[[`, "confidence_level")))
  if (!is.null(level) && !identical(check_level(level), computed)) {
    abort("`level`: the bound is of level %g; for another one compute it again", computed)
  }
  ends <- vapply(intervals, function(own) {
    if (is.null(own)) c(NA_real_, NA_real_) else c(own$low, own$high)
  }, numeric(2))
  columns <- if (length(computed)) tail_names("greater", computed) else c("low", "high")
  matrix(t(ends), ncol = 2, dimnames = list(bound_names(object), columns))
}

#' @rdname bbc_bound_methods
#' @export
coef.bbc_bound <- function(object, ...) coef.bbc_bound_comparison(comparison_of(list(object)))

#' @rdname bbc_bound_methods
#' @export
coef.bbc_bound_comparison <- function(object, ...) {
  stats::setNames(as.data.frame(object)$estimate, bound_names(object))
}

#' @rdname bbc_bound_methods
#' @export
as.data.frame.bbc_bound <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(
    method = x$method, rule = x$rule, estimate = as.double(or_na(x$estimate)),
    bound = as.double(or_na(x$low)), feasible = x$feasible,
    reason = if (x$feasible) "" else x$infeasible, winner = as.integer(or_na(x$winner)),
    winner_name = x$winner_name, n_rows = x$n_rows, n_configurations = x$n_configurations,
    n_bootstraps = x$n_bootstraps, seed = x$seed, row.names = row.names
  )
}

#' @rdname bbc_bound_methods
#' @export
as.data.frame.bbc_bound_comparison <- function(x, row.names = NULL, optional = FALSE, ...) {
  frame <- do.call(rbind, lapply(x$bounds, as.data.frame))
  if (!is.null(row.names)) rownames(frame) <- row.names
  frame
}

#' @rdname bbc_bound_methods
#' @export
tidy.bbc_bound <- function(x, ...) tidy.bbc_bound_comparison(comparison_of(list(x)))

#' @rdname bbc_bound_methods
#' @export
tidy.bbc_bound_comparison <- function(x, ...) {
  frame <- as.data.frame(x)
  tidied(term = "roc_auc", method = frame$method, rule = frame$rule,
         estimate = frame$estimate, conf.low = frame$bound,
         conf.high = ifelse(frame$feasible, 1, NA))
}

#' @rdname bbc_bound_methods
#' @export
glance.bbc_bound <- function(x, ...) {
  tidied(as.data.frame(x)[c("method", "rule", "feasible", "winner_name", "n_rows",
                            "n_configurations", "n_bootstraps", "seed")])
}

#' @rdname bbc_bound_methods
#' @export
glance.bbc_bound_comparison <- function(x, ...) {
  first <- x$bounds[[1]]
  tidied(n_methods = length(x$bounds),
         n_feasible = sum(vapply(x$bounds, `[[`, NA, "feasible")), n_rows = first$n_rows,
         n_configurations = first$n_configurations, seed = first$seed)
}

comparison_of <- function(bounds) structure(list(bounds = bounds), class = "bbc_bound_comparison")

bound_names <- function(comparison) {
  vapply(comparison$bounds, function(bound) {
    if (bound$rule == "top10%") paste(bound$method, bound$rule) else bound$method
  }, "")
}
