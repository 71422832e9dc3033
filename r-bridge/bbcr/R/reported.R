# What a tool says itself of its predictions is compared with what is read of them: a score that comes
# out otherwise means another class, other rows or another truth.

# Refuses, unless options(bbcr.check = "note"), predictions whose scores are not those `reported`, a
# list with an element per metric: `metric`, what the tool calls it (`called`), and `cells`, a data
# frame with `configuration`, `fold`, `rep` and `value`; without `fold` it is the mean of all folds.
# `read(metric, event_level)` gives the predictions, of the tool's event where that is NULL; `pooled`
# says that values are of all rows, `either` that the tool's event may be the second level as well.
# Returns the finding, of which it has warned, or NULL.
check_reported <- function(tool, reported, read, pooled = FALSE, either = FALSE) {
  how <- choice(getOption("bbcr.check", "error"), "options(bbcr.check)", c("error", "note"))
  read <- remembered(read)
  for (one in reported) {
    odd <- disagreement(one, read, NULL, pooled)
    if (is.null(odd)) next
    if (either && is.null(disagreement(one, read, "second", pooled))) next
    note <- sprintf("%s says that %s of %s%s is %s, but it is %s of the predictions as they are read: %s",
                    tool, one$called, odd$configuration,
                    if (is.na(odd$fold)) "" else paste0(" in ", odd$fold, odd$rep),
                    number(odd$value), number(odd$score), likely_cause(one, read, pooled))
    if (how == "note") {
      differs <- found_by("scorers", list(score_difference = note))
      warning(finding_text(differs), call. = FALSE)
      return(differs)
    }
    abort("`predictions`: %s. options(bbcr.check = \"note\") goes on all the same", note)
  }
  NULL
}

# Metrics that read the same are given what was read before.
remembered <- function(read) {
  force(read)
  known <- list()
  function(metric, event_level) {
    key <- paste(metric$predicts, metric$target, event_level)
    if (is.null(known[[key]])) known[[key]] <<- read(metric, event_level)
    known[[key]]
  }
}

# The first cell that differs; NULL if none does, or where the predictions cannot be scored. `flipped`
# takes probabilities of the event for those of the other class.
disagreement <- function(one, read, event_level, pooled, flipped = FALSE) {
  metric <- one$metric
  ours <- tryCatch({
    given <- read(metric, event_level)
    if (flipped) given$predictions <- lapply(given$predictions, function(own) 1 - own)
    scores_read(given, metric, pooled)
  }, bbc_error = function(error) NULL)
  if (is.null(ours) || clips(metric, given$predictions)) return(NULL)
  cells <- one$cells
  configuration <- match(cells$configuration, given$names)
  score <- if (is.null(cells$fold)) {
    rowMeans(matrix(ours$scores, nrow(ours$scores)), na.rm = TRUE)[configuration]
  } else {
    repeats <- match(if (is.null(cells$rep)) rep("1", nrow(cells)) else cells$rep, given$repeats)
    folds <- mapply(function(fold, own) match(fold, ours$labels[[own]]), cells$fold, repeats)
    ours$scores[cbind(configuration, as.integer(folds), repeats)]
  }
  # Where one of them is undefined it is a matter of convention.
  known <- which(is.finite(score) & is.finite(cells$value))
  odd <- known[!agree(score[known], cells$value[known])]
  if (length(odd) == 0) return(NULL)
  first <- odd[[1]]
  list(configuration = cells$configuration[[first]], value = cells$value[[first]],
       fold = if (is.null(cells$fold)) NA else cells$fold[[first]],
       rep = if (is.null(cells$rep)) "" else cells$rep[[first]], score = score[[first]])
}

# The scores (configuration, fold, repeat) of what was read, and the labels of the folds per repeat.
scores_read <- function(given, metric, pooled) {
  problem <- make_problem(given$predictions, given$truth, list(metric = metric, method = "tt"),
                          if (!pooled) given$folds, event_level = given$event_level,
                          sample_weight = given$sample_weight, names = given$names)
  if (pooled) problem$folds <- matrix(0L, problem$truth$n_rows, problem$n_repeats)
  if (is.null(problem$folds) || length(problem$left_out_configurations)) return(NULL)
  list(scores = fold_scores(problem, metric, 1L), labels = problem$fold_labels)
}

agree <- function(ours, theirs) abs(ours - theirs) <= 1e-9 * pmax(1, abs(theirs))

# Whether a logarithm of 0 would be taken, which tools replace by that of some small number.
clips <- function(metric, arrays) {
  grepl("log_loss", metric$name) && min(unlist(arrays), na.rm = TRUE) < 1e-14
}

likely_cause <- function(one, read, pooled) {
  if (one$metric$target == "binary" && is.null(disagreement(one, read, "second", pooled))) {
    return("the event seems to be the other class, see `event_level`")
  }
  if (one$metric$predicts %in% c("score", "probability") &&
        is.null(disagreement(one, read, NULL, pooled, flipped = TRUE))) {
    return("the columns of the two classes seem to be swapped")
  }
  paste("the rows may be others or in another order, the truth another one, or the score one with",
        "weights")
}

# An element of `reported`: `name` is the metric of this package whose values these are.
as_reported <- function(called, name, cells) {
  list(metric = bbc_metric(name), called = called, cells = cells)
}
