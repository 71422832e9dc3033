# Scores that tune recorded by metrics that cannot select here, computed for the comparison alone: by
# yardstick's definitions or, where these are not known either, by the metric that the object brings.

# Steps of recall, with the precision after each; rows with equal scores are called together.
precision_steps <- function(event, score) {
  order <- order(-score, method = "radix")
  right <- cumsum(event[order])
  last <- which(!duplicated(score[order], fromLast = TRUE))
  list(recall = right[last] / right[[length(right)]], precision = right[last] / last)
}

step_area <- function(event, score) {
  own <- precision_steps(event, score)
  sum(diff(c(0, own$recall)) * own$precision)
}

linear_area <- function(event, score) {
  own <- precision_steps(event, score)
  precision <- c(1, own$precision)
  sum(diff(c(0, own$recall)) * (precision[-1] + precision[-length(precision)]) / 2)
}

# Of counts of right calls, of calls, of rows, for each class, and of all rows.
class_scores <- list(
  precision = function(right, called, rows, n) right / called,
  recall = function(right, called, rows, n) right / rows,
  spec = function(right, called, rows, n) 1 - (called - right) / (n - rows),
  npv = function(right, called, rows, n) 1 - (rows - right) / (n - called),
  f_meas = function(right, called, rows, n) {
    # As yardstick: undefined where precision or recall is.
    2 * right / (called + rows) + 0 * (right / called + right / rows)
  },
  j_index = function(right, called, rows, n) right / rows - (called - right) / (n - rows),
  bal_accuracy = function(right, called, rows, n) (right / rows + 1 - (called - right) / (n - rows)) / 2,
  detection_prevalence = function(right, called, rows, n) called / n,
  miss_rate = function(right, called, rows, n) 1 - right / rows,
  fall_out = function(right, called, rows, n) (called - right) / (n - rows)
)
class_scores[c("ppv", "sens", "sensitivity", "specificity")] <-
  class_scores[c("precision", "recall", "recall", "spec")]

averaged_labels <- function(of_class, estimator) {
  function(truth, prediction) {
    counts <- table(prediction, truth)
    right <- diag(counts)
    called <- rowSums(counts)
    rows <- colSums(counts)
    n <- sum(counts)
    k <- length(right)
    if (estimator == "micro") return(of_class(sum(right), n, n, k * n))
    weights <- if (estimator == "macro_weighted") rows / n else rep(1 / k, k)
    sum(weights * of_class(right, called, rows, n))
  }
}

averaged_shares <- function(of_class, estimator) {
  function(truth, prediction) {
    values <- vapply(seq_len(nlevels(truth)), function(k) {
      of_class(truth == levels(truth)[[k]], prediction[, k])
    }, 0)
    if (estimator == "macro_weighted") sum(values * table(truth)) / length(truth) else mean(values)
  }
}

class_areas <- list(pr_auc = linear_area, average_precision = step_area,
                    gain_capture = function(event, score) 2 * rank_auc(event, score) - 1)

# Scores of two classes and of numbers.
single_scores <- list(
  gain_capture = function(truth, prediction) {
    2 * rank_auc(truth == levels(truth)[[2]], prediction) - 1
  },
  mpe = function(truth, prediction) 100 * mean((truth - prediction) / truth),
  msd = function(truth, prediction) mean(truth - prediction),
  iic = function(truth, prediction) {
    error <- truth - prediction
    sizes <- c(mean(abs(error[error < 0])), mean(abs(error[error >= 0])))
    stats::cor(truth, prediction) * min(sizes) / max(sizes)
  }
)

# A metric that is only compared, by yardstick's name and estimator; NULL if there is none.
compared_metric <- function(called, estimator) {
  made <- function(score, predicts) bbc_custom_metric(score, paste("yardstick's", called), predicts = predicts)
  if (estimator %in% c("macro", "macro_weighted", "micro") && called %in% names(class_scores)) {
    return(made(averaged_labels(class_scores[[called]], estimator), "labels"))
  }
  if (estimator %in% c("macro", "macro_weighted") && called %in% names(class_areas)) {
    return(made(averaged_shares(class_areas[[called]], estimator), "class_probabilities"))
  }
  if (called == "brier_class" && estimator == "multiclass") {
    return(made(function(truth, prediction) {
      mean(rowSums((diag(nlevels(truth))[truth, ] - prediction)^2)) / 2
    }, "class_probabilities"))
  }
  if (!estimator %in% c("binary", "standard")) return(NULL)
  if (called %in% names(single_scores)) {
    return(made(single_scores[[called]], if (called == "gain_capture") "probability" else "value"))
  }
  if (!called %in% c("miss_rate", "fall_out")) return(NULL)
  of_class <- class_scores[[called]]
  of_event <- made(function(truth, prediction) {
    event <- truth == levels(truth)[[2]]
    called <- prediction == levels(truth)[[2]]
    of_class(sum(event & called), sum(called), sum(event), length(event))
  }, "labels")
  replace(of_event, "target", "binary")
}

# The function of the metric that the object brings, for the lines of a cell, called with names of
# columns as yardstick's functions take them; in words why it gives nothing.
computed_by <- function(metric, table, outcome, cells) {
  force(list(metric, table, outcome, cells))
  function(event) {
    if (length(intersect(".case_weights", names(table)))) return("rows are weighted")
    lines <- as.data.frame(table)
    own <- tune_cells(lines)
    key <- function(part) paste(part$configuration, part$fold, part$rep, sep = "\r")
    parts <- split(lines, key(own))
    columns <- columns_of_yardstick(metric, lines, outcome)
    if (is.null(columns)) return("its kind is not known")
    values <- lapply(if (is.null(event)) c("first", "second") else event, function(level) {
      tryCatch(suppressWarnings(vapply(parts[key(cells)], function(part) {
        as.double(do.call(metric, c(list(part), columns(level)))[[".estimate"]])
      }, 0)), error = function(error) sub("\n.*", "", conditionMessage(error)))
    })
    best_of(values, cells$value)
  }
}

# Where the event is not known: the values that come out.
best_of <- function(values, theirs) {
  if (any(vapply(values, is.character, NA))) return(Find(is.character, values))
  hits <- vapply(values, function(own) sum(agree(own, theirs), na.rm = TRUE), 0)
  unname(values[[which.max(hits)]])
}

# A function of the event that gives the columns which a metric of yardstick reads, as its arguments.
columns_of_yardstick <- function(metric, lines, outcome) {
  classes <- levels(lines[[outcome]])
  of_event <- function(level) if (length(classes) == 2) list(event_level = level)
  if (inherits(metric, "class_metric")) {
    return(function(level) c(list(truth = outcome, estimate = ".pred_class"), of_event(level)))
  }
  if (inherits(metric, "prob_metric")) {
    return(function(level) {
      own <- if (length(classes) == 2) classes[[match(level, c("first", "second"))]] else classes
      c(list(truth = outcome), as.list(paste0(".pred_", own)), of_event(level))
    })
  }
  if (inherits(metric, "numeric_metric")) function(level) list(truth = outcome, estimate = ".pred")
}
