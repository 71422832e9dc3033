# One line for each kind of finding, with the codes and titles of Python, and advice in R's words.
finding_kinds <- local({
  kind <- function(code, title, advice) data.frame(code = code, title = title, advice = advice)
  rbind(
    kind("BBC001", "apparent score not corrected for selection",
         "report a corrected estimate: BBC() in the protocol's place, or bbc_correct()"),
    kind("BBC002", "few rows for this metric",
         "report the interval with the estimate; collect more rows if possible"),
    kind("BBC003", "winner unstable", paste(
      "do not interpret which configuration won; bbc_possible_winners() finds those that could be",
      "the best"
    )),
    kind("BBC004", "TT outside its range", "use bbc_correct(), or larger folds"),
    kind("BBC005", "pooled decision values",
         "use probabilities, or pooling = \"fold\" (which does not help a chosen cut-off)"),
    kind("BBC006", "many redraws", "consider stratify_bootstrap = TRUE"),
    kind("BBC007", "dynamic search", paste(
      "treat the estimate as approximate, or re-evaluate a fixed list of configurations"
    )),
    kind("BBC008", "interval uninformative", paste(
      "check for leakage if the scores are perfect; otherwise collect more rows, or report that",
      "the data are inconclusive"
    )),
    kind("BBC009", "dropping began too early", "raise min_predictions"),
    kind("BBC010", "groups ignored",
         "keep each group in one fold, and draw groups: bbc_correct(..., groups = ...)"),
    kind("BBC011", "fitted models differ", paste(
      "use method = \"bbc-two-level\", give each configuration one seed for its folds and its refit,",
      "or use more folds or repeats"
    )),
    kind("BBC012", "uneven importance weights", "use bbc_bound(..., method = \"bbc\")"),
    kind("BBC013", "one row dominates the loss", paste(
      "inspect that row, and also report a metric that is less sensitive to outliers, such as",
      "mean_absolute_error"
    )),
    kind("BBC014", "few rows of a class for this metric",
         "also report roc_auc, or collect more rows of that class"),
    kind("BBC015", "few folds to draw from",
         "use five folds or more, or draw rows: method = \"bbc\""),
    kind("BBC016", "labels ranked as scores",
         "pass probabilities or decision values of the event"),
    kind("BBC017", "winner equals the truth", "check where these predictions come from"),
    kind("BBC018", "time-ordered splitter",
         "draw blocks of neighbouring rows: bbc_correct(..., groups = ...)"),
    kind("BBC019", "overtuned",
         "stop the search earlier, or repeat the cross-validation so that its scores vary less"),
    kind("BBC020", "winner ranks worse than chance", paste(
      "check which class the scores are of (event_level), and pass folds if each left out few rows"
    )),
    kind("BBC021", "few events or errors",
         "nothing, the interval allows for it; more rows of the rarer class make it shorter"),
    kind("BBC022", "scores differ from the scorer's",
         "find out which of the two is meant before the result is used")
  )
})

# What calls for another analysis is warned of as well.
warned_codes <- c(
  "BBC004", "BBC005", "BBC006", "BBC007", "BBC010", "BBC011", "BBC016", "BBC017", "BBC018",
  "BBC020"
)

finding <- function(code, detail) {
  own <- finding_kinds[match(code, finding_kinds$code), ]
  data.frame(code = code, title = own$title, detail = detail, advice = own$advice)
}

no_findings <- data.frame(code = character(), title = character(), detail = character(),
                          advice = character())

finding_text <- function(findings) {
  sprintf("%s %s: %s; %s", findings$code, findings$title, findings$detail, findings$advice)
}

# All of these, in the order of their codes.
all_findings <- function(...) {
  found <- rbind(no_findings, ...)
  found <- found[order(found$code), ]
  rownames(found) <- NULL
  found
}

warn_of <- function(findings) {
  for (text in finding_text(findings[findings$code %in% warned_codes, ])) {
    warning(text, call. = FALSE)
  }
}

# What truth, groups and folds show.
findings_of_data <- function(problem, metric) {
  rbind(split_groups(problem), few_rows(problem, metric))
}

# Whether the limits rest on the number of events rather than on the replicates.
findings_of_limits <- function(raw, interval) {
  if (is.null(interval) || !isTRUE(raw$few_events)) return(NULL)
  finding("BBC021", sprintf("the replicates alone give [%.3g, %.3g]", raw$replicates_low,
                            raw$replicates_high))
}

# Whether a group has rows in several folds: its models saw their like.
split_groups <- function(problem) {
  if (is.null(problem$groups) || is.null(problem$folds)) return(NULL)
  several <- logical(max(problem$groups) + 1)
  for (repetition in seq_len(ncol(problem$folds))) {
    pairs <- unique(cbind(problem$groups, problem$folds[, repetition]))
    several <- several | tabulate(pairs[, 1] + 1, length(several)) > 1
  }
  if (!any(several)) return(NULL)
  finding("BBC010", sprintf("the folds put rows of %d of %d groups into several folds",
                            sum(several), length(several)))
}

few_units <- 20
few_of_a_class <- 10

# Kernels of metrics that are undefined where a class is lacking, and of those whose expectation
# depends on the number of rows.
needing_classes <- c(
  "roc_auc", "roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovo_pairs", "balanced_accuracy",
  "distance_to_corner", "average_precision", "specificity", "mcc", "kappa"
)
skewed <- c("average_precision", "f_beta", "jaccard", "mcc", "kappa", "balanced_accuracy")

# Whether there are few units, or few rows of a class.
few_rows <- function(problem, metric) {
  all <- independent(problem, rep(TRUE, problem$truth$n_rows))
  few <- if (all$n < few_units) finding("BBC002", sprintf("%.3g %s", all$n, all$what))
  of_event <- metric$kernel == "average_precision" ||
    (metric$average == "binary" && metric$kernel %in% c("f_beta", "jaccard"))
  if (metric$kernel %in% skewed) {
    scarce <- scarce_class(problem, of_event)
    if (!is.null(scarce)) return(rbind(few, finding("BBC014", scarce)))
  }
  needed <- metric$kernel %in% needing_classes || !is.null(problem$truth$status) ||
    (metric$kernel == "recall" && metric$average == "binary")
  scarce <- if (needed && is.null(few)) scarce_class(problem)
  if (is.null(scarce)) few else finding("BBC002", scarce)
}

# How many of the rows vote for themselves, and what they are: rows, or groups that have such rows;
# with weights (sum w)^2 / sum w^2 of them.
independent <- function(problem, rows) {
  units <- if (is.null(problem$groups)) "rows" else "groups"
  if (is.null(problem$weights)) {
    n <- if (is.null(problem$groups)) sum(rows) else length(unique(problem$groups[rows]))
    return(list(n = n, what = units))
  }
  own <- problem$weights[rows]
  if (!is.null(problem$groups)) own <- as.vector(rowsum(own, problem$groups[rows]))
  n <- if (any(own > 0)) sum(own)^2 / sum(own^2) else 0
  list(n = n, what = paste("effective", units))
}

# The class with the fewest rows or groups, in words; NULL if it has enough.
scarce_class <- function(problem, of_event = FALSE) {
  truth <- problem$truth
  if (!is.null(truth$status)) {
    of_events <- independent(problem, truth$status == 1)
    if (of_events$n >= few_of_a_class) return(NULL)
    return(sprintf("%.3g %s with an event", of_events$n, of_events$what))
  }
  if (is.null(truth$codes)) return(NULL)
  counts <- lapply(seq_len(truth$n_classes) - 1, function(code) {
    independent(problem, truth$codes == code)
  })
  rarest <- if (of_event) 2 else which.min(vapply(counts, `[[`, 0, "n"))
  own <- counts[[rarest]]
  if (own$n < few_of_a_class) {
    sprintf("%.3g %s of class %s", own$n, own$what, as.character(truth$classes[[rarest]]))
  }
}

# What the replicates show. A draw of all folds is common and harmless: it says nothing about the
# metric.
findings_of_draws <- function(raw, metric, plan, unit) {
  if (is.null(plan) || unit == "fold") return(NULL)
  harmless <- redraws_for_all_folds(plan$drawn_folds)
  if (raw$n_redrawn <= (0.1 + harmless) * plan$n_bootstraps) return(NULL)
  finding("BBC006", sprintf("%d draws for %d replicates left \"%s\" undefined",
                            as.integer(raw$n_redrawn), as.integer(plan$n_bootstraps), metric$name))
}

# What the predictions of the winner show; `winner` counts the configurations that stay.
findings_of_winner <- function(problem, metric, winner, predictions = problem$predictions) {
  if (is.null(predictions)) return(NULL)
  truth <- problem$truth
  columns <- lapply(predictions, function(array) {
    if (length(dim(array)) == 3) matrix(array[, winner, ], dim(array)[[1]]) else array[, winner]
  })
  is_truth <- function(own) {
    any(vapply(truth_as_predictions(truth, metric), function(one) {
      length(own) == length(one) && isTRUE(all(own == one))
    }, NA))
  }
  rbind(
    dominating_row(problem, metric, winner, predictions),
    if (metric$family == "ranking" && are_labels(unlist(columns), truth)) {
      finding("BBC016", "the winner's predictions are labels")
    },
    worse_than_chance(problem, metric, winner, predictions),
    if (all(vapply(columns, is_truth, NA))) {
      finding("BBC017", sprintf("its predictions are the truth in all %d rows", truth$n_rows))
    }
  )
}

# Whether the winner's loss is above all that of one row.
dominating_row <- function(problem, metric, winner, predictions) {
  if (!is.null(metric$score)) return(NULL)
  own <- lapply(predictions, function(array) {
    if (length(dim(array)) == 3) array[, winner, , drop = FALSE] else array[, winner, drop = FALSE]
  })
  found <- kernel_largest_share(kernel_target(problem$truth), own, metric, problem$weights)
  # Squares may overflow, though R2 itself does not.
  if (inherits(found, "bbc_failure") || !found$dominates) return(NULL)
  finding("BBC013", sprintf("%.3g %% of the winner's loss is that of one row of %d",
                            100 * found$share, problem$truth$n_rows))
}

# Whether the winner ranks the rows of one fold worse than chance: then the scores may be those of
# the other class.
worse_than_chance <- function(problem, metric, winner, predictions) {
  if (!metric$kernel %in% c("roc_auc", "average_precision")) return(NULL)
  own <- lapply(predictions, function(array) array[, winner, drop = FALSE])
  found <- kernel_ranking(kernel_target(problem$truth), own, as.integer(problem$folds))
  if (inherits(found, "bbc_failure") || !found$worse_than_chance) return(NULL)
  within <- if (is.null(problem$folds)) "" else " within folds"
  finding("BBC020", sprintf("its AUC%s is %.3g", within, found$auc))
}

# Predictions that equal the truth; none where the two cannot be compared.
truth_as_predictions <- function(truth, metric) {
  if (!is.null(truth$status) || metric$target == "any") return(list())
  if (is.null(truth$codes)) return(list(truth$values))
  own <- label_values(truth)[truth$codes + 1]
  if (metric$predicts == "labels") return(list(own))
  list(truth$codes, own, outer(truth$codes, seq_len(truth$n_classes) - 1, "=="))
}

# Whether scores are labels of the truth, or zeros and ones, and not all the same.
are_labels <- function(values, truth) {
  if (is.null(truth$codes)) return(FALSE)
  any(values != values[[1]]) && (all(values %in% 0:1) || all(values %in% label_values(truth)))
}

stable <- 0.5
uninformative <- 0.5
few_folds <- 5

# What the numbers themselves show.
findings_of_result <- function(x, metric) {
  limits <- metric_limits(metric, Inf)
  finite <- all(is.finite(limits))
  interval <- x$confidence_interval
  width <- interval$high - interval$low
  share <- x$selection_frequency[x$winner]
  rbind(
    if (is.null(x$weights) && x$n_configurations > 1 && isTRUE(share < stable)) {
      finding("BBC003", sprintf("chosen in %.3g %% of the replicates", 100 * share))
    },
    if (identical(x$model_luck$untestable, "a single hold-out")) {
      finding("BBC011", "a single hold-out cannot show whether they do")
    },
    if (x$method %in% c("bbc-f", "bbc-two-level") && x$n_folds > 0 && x$n_folds < few_folds) {
      finding("BBC015", counted(x$n_folds, "fold"))
    },
    if (x$method == "tt" && (x$estimate < limits[[1]] || x$estimate > limits[[2]])) {
      finding("BBC004", sprintf("%.6g is not within [%g, %g]", x$estimate, limits[[1]],
                                limits[[2]]))
    },
    if (isTRUE(width == 0)) {
      best <- limits[[if (metric$greater_is_better) 2 else 1]]
      perfect <- if (interval$low == best) ", at the best possible score" else ""
      finding("BBC008", paste0("it has no width", perfect))
    } else if (finite && isTRUE(width >= uninformative * (limits[[2]] - limits[[1]]))) {
      finding("BBC008", sprintf("it spans %.3g %% of the metric's range",
                                100 * width / (limits[[2]] - limits[[1]])))
    }
  )
}

# What to say of an AUC or C-index below one half, which the wrong event gives: no finding, for a
# useless search has it as well.
below_half_note <- function(metric, truth, apparent) {
  ranked <- startsWith(metric$kernel, "roc_auc") || metric$kernel == "concordance_index"
  if (!ranked || apparent >= 0.5) return(character())
  asked <- if (metric$target == "survival") "does a higher prediction mean an earlier event?"
    else if (is.null(truth$event)) "are the scores in the order of the classes?"
    else sprintf("does a higher score mean the event \"%s\"? See `event_level`", truth$event)
  sprintf("no configuration has a %s of 0.5 or more (the best has %s): %s", metric$name,
          number(apparent), asked)
}
