# The truth in the kernel's form. `classes` are the labels in the order of the codes (0, 1, ...);
# for two classes of which one is the event, the event comes second.
canonical_truth <- function(truth, metric, event_level, event_needed) {
  if (metric$target %in% c("real", "survival", "any") && !is.null(event_level)) {
    abort("`event_level` has no meaning for metric \"%s\"", metric$name)
  }
  if (is.null(truth) && metric$target != "any") abort("`truth` is missing; of scores by fold, give method = \"bbc-f\"")
  truth <- plain_values(truth, "truth")
  switch(metric$target,
    survival = survival_truth(truth),
    real = real_truth(truth, metric),
    any = list(n_rows = NA, values = NULL, n_classes = 0L),
    class_truth(truth, metric, event_level, event_needed)
  )
}

# Truth of a metric that reads none: as many zeros as there are rows.
fill_truth <- function(truth, n_rows) {
  if (!is.na(truth$n_rows)) return(truth)
  truth$n_rows <- n_rows
  truth$values <- numeric(n_rows)
  truth
}

check_vector <- function(truth) {
  if (inherits(truth, "Surv")) {
    abort("`truth` is a Surv object: only survival metrics take one; bbc_survival_calibration() is its calibration")
  }
  refuse_columns(truth)
  if (!is.atomic(truth) || length(dim(truth)) > 1) {
    abort("`truth` must be a vector or factor, not %s", first_class(truth))
  }
  if (is.complex(truth) || is.raw(truth)) {
    abort("`truth` must hold numbers or labels, not %s", typeof(truth))
  }
  if (length(truth) == 0) abort("`truth` has no rows")
  refuse_na(truth, "truth")
  refuse_empty(truth, "truth")
  if (is.numeric(truth) && any(is.infinite(truth))) {
    abort("`truth` is infinite at %s", place_of(is.infinite(truth), "row"))
  }
}

# Refuses glm()'s and glmnet()'s outcomes of several columns.
refuse_columns <- function(truth) {
  if (length(dim(truth)) != 2 || ncol(truth) < 2) return(invisible())
  abort(paste("`truth` has %d columns, as the counts of several trials in a row, or an indicator of",
              "each class; a row must be one case: give one label per row, and a row per trial"),
        ncol(truth))
}

refuse_na <- function(values, name) {
  gone <- is.na(if (is.factor(values)) as.character(values) else values) # NA may be a level
  if (any(gone)) abort("`%s` is NA at %s", name, place_of(c(gone), "row"))
}

# Refuses text without a character, which is what read.csv() makes of an empty cell.
refuse_empty <- function(values, name) {
  if (is.factor(values)) values <- as.character(values)
  if (!is.character(values)) return(invisible())
  empty <- !nzchar(values)
  if (any(empty)) abort("`%s` is empty at %s", name, place_of(c(empty), "row"))
}

real_truth <- function(truth, metric) {
  check_vector(truth)
  if (!is.numeric(truth) && !is.logical(truth)) {
    abort("`truth` must be numbers for metric \"%s\", not %s", metric$name, first_class(truth))
  }
  check_range(truth, metric$target_range, "truth", metric, "row")
  list(n_rows = length(truth), values = as.double(truth), n_classes = 0L)
}

# Codes of the classes, of a truth that the metric reads as numbers, too, if they are two; else NULL.
class_codes <- function(truth) {
  if (!is.null(truth$codes)) return(truth$codes)
  if (!is.null(truth$status)) return(NULL)
  found <- unique(truth$values)
  if (length(found) == 2 && !isTRUE(truth$without_classes)) match(truth$values, found) - 1L
}

survival_truth <- function(truth, name = "truth") {
  if (!inherits(truth, "Surv")) {
    abort("`%s` must be survival::Surv(time, event) for a survival metric, not %s", name,
          first_class(truth))
  }
  type <- attr(truth, "type")
  if (!identical(type, "right")) {
    why <- c(
      counting = paste(": rows that enter late are compared with rows that were at risk before, which",
                       "these metrics do not take into account"),
      mright = paste(": of competing risks take one event, Surv(time, status == \"...\"), if the others",
                     "may count as censoring (a cause-specific question)"),
      mcounting = ": neither competing risks nor late entry are taken"
    )
    abort("`%s` must be right-censored, not of type \"%s\"%s", name, type,
          if (type %in% names(why)) why[[type]] else "")
  }
  cells <- unclass(truth)
  if (nrow(cells) == 0) abort("`%s` has no rows", name)
  if (!all(is.finite(cells))) {
    abort("`%s` is missing or infinite at %s: leave such rows out", name,
          place_of(rowSums(!is.finite(cells)) > 0, "row"))
  }
  list(n_rows = nrow(cells), values = as.double(cells[, "time"]),
       status = as.integer(cells[, "status"]), n_classes = 0L)
}

class_truth <- function(truth, metric, event_level, event_needed) {
  check_vector(truth)
  if (is.numeric(truth) && length(unique(truth)) > 2 && any(truth != floor(truth))) {
    abort("`truth` has %d different real numbers, metric \"%s\" needs classes",
          length(unique(truth)), metric$name)
  }
  classes <- classes_of(truth)
  if (metric$target == "binary" && length(classes) != 2) abort_not_two(truth, classes, metric)
  is_unordered <- is.character(truth) && length(classes) > 2
  if (is_unordered && computation_facts(metric)$orders_classes) {
    abort("`truth` is text, whose order metric \"%s\" cannot know: pass a factor", metric$name)
  }
  if (length(classes) > 2 && !is.null(metric$of_two_classes)) {
    abort("`metric`: yardstick's %s of %d classes is another average; \"%s\" is that of this package",
          metric$of_two_classes, length(classes), metric$name)
  }
  event <- event_of(truth, classes, metric, event_level, event_needed)
  if (identical(event, 1L)) classes <- rev(classes)
  list(
    n_rows = length(truth),
    codes = match(if (is.factor(truth)) as.character(truth) else truth, classes) - 1L,
    classes = classes, n_classes = length(classes), swapped = identical(event, 1L),
    event = if (is.null(event)) NULL else as.character(classes[[2]]),
    textual = is.factor(truth) || is.character(truth)
  )
}

# Text is sorted in the same way in all locales.
classes_of <- function(values) {
  if (is.factor(values)) levels(values) else sort(unique(values), method = "radix")
}

abort_not_two <- function(truth, classes, metric, name = "truth") {
  if (length(classes) < 2) {
    abort("`%s` has one class (%s), metric \"%s\" needs two", name, classes, metric$name,
          class = "bbc_undefined_metric")
  }
  unused <- is.factor(truth) && any(table(truth) == 0)
  if (is_curve(metric) && !unused) {
    abort("`%s` has %d classes (%s): calibration, net benefit and curves need two", name,
          length(classes), shown(classes))
  }
  macro <- paste0(c(sub("[(].*", "", metric$name), metric$kernel), "_macro")
  offer <- switch(metric$kernel,
    roc_auc = , average_precision = "roc_auc_ovr or roc_auc_ovo", binomial_deviance = "log_loss",
    c(intersect(macro, metric_table()$name), "balanced_accuracy")[[1]]
  )
  abort("`%s` has %d classes (%s), metric \"%s\" needs two; %s", name, length(classes),
        shown(classes), metric$name,
        if (unused) sprintf("droplevels(%s) drops levels without rows", name)
        else paste("for more classes use", offer))
}

# Place (1 or 2) of the event among the classes; NULL where the metric knows no event.
event_of <- function(truth, classes, metric, event_level, needed) {
  if (length(classes) != 2) {
    if (!is.null(event_level)) {
      abort("`event_level` needs two classes, `truth` has %d", length(classes))
    }
    return(NULL)
  }
  if (is.null(event_level)) {
    if (!needed) return(NULL)
    if (is.logical(truth) || (is.numeric(truth) && all(classes == 0:1))) return(2L)
    if (is.factor(truth)) {
      abort(paste0(
        "`event_level` is needed for a factor: say which level is the event, \"first\" (%s, as ",
        "in yardstick and caret) or \"second\" (%s, as in pROC and glm)"
      ), classes[[1]], classes[[2]])
    }
    abort("`event_level` is needed for %s: say which of %s and %s is the event",
          if (is.numeric(truth)) "numbers other than 0 and 1" else "text", classes[[1]],
          classes[[2]])
  }
  if (length(event_level) != 1 || is.na(event_level)) {
    abort("`event_level` must be one label, or \"first\" or \"second\"")
  }
  place <- match(as.character(event_level), as.character(classes))
  if (is.na(place)) place <- match(event_level, c("first", "second"))
  if (is.na(place)) {
    abort("`event_level` is \"%s\", but the classes of `truth` are %s: give one of them, \"first\" or \"second\"",
          event_level, shown(classes))
  }
  place
}

reads_classes <- function(metric) {
  metric$predicts %in% c("class_scores", "class_probabilities", "score", "probability")
}

# The classes whose columns a metric of classes reads: one of two, where it reads a number per row.
classes_read <- function(classes, metric, event_level) {
  if (length(classes) != 2 || !metric$predicts %in% c("score", "probability")) return(classes)
  classes[[event_of(NULL, classes, metric, event_level, TRUE)]]
}

# The label of the event: "first" and "second" are places among the classes of `truth`, and of nothing
# else. It is told once, before classes are read of a model or table that has an order of its own.
event_named <- function(event_level, truth) {
  if (!is_one_label(event_level) || is.null(truth) || !is.atomic(truth) || length(dim(truth)) > 1) {
    return(event_level)
  }
  classes <- as.character(classes_of(truth))
  place <- match(event_level, c("first", "second"))
  if (is.na(place) || event_level %in% classes || length(classes) != 2) event_level
  else classes[[place]]
}

# The class of which a column is by its name, as ".pred_ill" is of "ill"; NULL if its name is of none.
class_of_column <- function(name, classes) {
  for (prefix in c("", ".pred_", "prob.")) {
    place <- match(name, paste0(prefix, classes))
    if (length(place) && !is.na(place)) return(classes[[place]])
  }
  NULL
}

# One number per row is that of the event. Refuses a column that is of the other class by its name, where
# all are called so: others are configurations, as are numbers and flags.
refuse_other_class <- function(names, classes, event, argument) {
  if (is.null(event) || length(classes) != 2 || length(names) == 0) return(invisible())
  words <- replace(classes, classes %in% c("TRUE", "FALSE") | grepl("^[0-9.]+$", classes), NA)
  found <- lapply(as.character(names), class_of_column, words)
  other <- which(!vapply(found, function(own) is.null(own) || own == event, NA))
  if (length(other) == 0 || any(lengths(found) == 0)) return(invisible())
  abort("`%s`: column %s is of the class \"%s\" by its name, and the event is \"%s\": give that of the event",
        argument, names[[other[[1]]]], found[[other[[1]]]], event)
}

is_one_label <- function(value) is.atomic(value) && length(value) == 1 && !is.na(value)

# Refuses numbers outside an interval such as "[0, Inf)"; NA passes.
check_range <- function(values, allowed, name, metric, words) {
  if (allowed == "(-Inf, Inf)") return(invisible())
  ends <- as.numeric(strsplit(substr(allowed, 2, nchar(allowed) - 1), ", ", fixed = TRUE)[[1]])
  open <- startsWith(allowed, "(")
  extremes <- suppressWarnings(range(values, na.rm = TRUE))
  if ((if (open) extremes[[1]] > ends[[1]] else extremes[[1]] >= ends[[1]]) &&
        extremes[[2]] <= ends[[2]]) {
    return(invisible())
  }
  outside <- (if (open) values <= ends[[1]] else values < ends[[1]]) | values > ends[[2]]
  outside <- outside & !is.na(outside)
  abort("`%s` must be in %s for metric \"%s\", got %s at %s", name, allowed, metric$name,
        format(values[outside][[1]]), place_of(outside, words))
}
