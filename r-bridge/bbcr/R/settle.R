# The one seam: what a tool said of its search, and the correction of what it chose.
#
# A reader of fitted objects gives a claim and a function that reads predictions, and decides nothing.
# Whether the predictions give the scores that the tool has, which class it took for the event, and
# whether what is corrected is what it deploys, is decided here.

# What a tool says. `said`: its scores, see as_said(); `decides`: the one by which it chose; `rule`:
# whether it compared means over "fold"s or scores "pooled" on all rows, NA for what replicates do not
# compare; `chosen`: name of the configuration that it deploys, NULL if it is the best by the rule;
# `chosen_by`: "best", "one-se", or its rule in words; `simplest`: the configurations in its order;
# `deploys`: what deploys it; `event_unknown`: that its scores alone tell the event; `unranked`: that it
# ranks only configurations with most scores; `lost`: why fits failed, a data frame with `configuration`,
# `fold` and `reason`.
as_claim <- function(source, said = list(), decides = NULL, rule = "fold", chosen = NULL,
                     chosen_by = "best", simplest = NULL, deploys = source, event_unknown = FALSE,
                     unranked = FALSE, lost = NULL) {
  list(source = source, said = said, decides = decides, rule = rule, chosen = chosen,
       chosen_by = chosen_by, simplest = simplest, deploys = deploys,
       event_unknown = event_unknown, unranked = unranked, lost = lost)
}

# One score as the tool computed it. `called`: its name there; `cells`: a data frame with
# `configuration` and `value`, `fold` and `rep` where it is not of all of them; `metric`: the metric
# whose values these are, NULL if it was not read; `compute`: a function in its place, which gives the
# value of each cell where `event` is the tool's; `checks`: a metric that is only compared; `rises`: whether
# larger is better; `unchecked`: why it is not computed.
as_said <- function(called, cells, metric = NULL, compute = NULL, rises = metric$greater_is_better,
                    unchecked = NULL, checks = metric) {
  list(called = called, cells = cells, metric = metric, compute = compute, rises = rises,
       unchecked = unchecked, checks = checks)
}

# What was read and its claim as one: predictions with the truth, the event and what the comparison of
# all scores showed. A difference is an error, or with options(bbcr.check = "note") a finding.
settle <- function(found, metric, event_level) {
  claim <- found$claim
  read <- remembered(found$read)
  event <- if (claim$event_unknown) confirmed_event(claim, read)
  given <- found$given(if (is.null(event_level)) event else event_level)
  if (claim$event_unknown && is.null(event) && is.null(event_level)) {
    refuse_unknown_event(claim, given, metric)
  }
  if (is.null(claim$configurations)) claim$configurations <- given$configurations
  outcomes <- lapply(claim$said, compared, claim, read, event)
  differing <- unlist(lapply(outcomes, `[[`, "difference"))
  how <- choice(getOption("bbcr.check", "error"), "options(bbcr.check)", c("error", "note"))
  if (length(differing)) {
    if (how == "error") {
      abort("`predictions`: %s. options(bbcr.check = \"note\") goes on all the same", differing[[1]])
    }
    given$differs <- found_by("scorers", list(score_difference = differing[[1]]))
    warn_of(given$differs)
  }
  called <- vapply(claim$said, `[[`, "", "called")
  claim$has_event <- is.null(event_level) || !depends_on_event(metric) ||
    identical(read(metric, event)$event_level, given$event_level)
  claim$is_checked <- claim$decides %in% called[vapply(outcomes, function(own) own$agrees, NA)]
  if (length(called)) {
    given$checked <- stats::setNames(vapply(outcomes, `[[`, "", "shown"), called)
  }
  given$claim <- claim
  given$lost <- lost_of(claim, given)
  given
}

# Metrics that read the same are given what was read before.
remembered <- function(read) {
  known <- list()
  function(metric, event_level) {
    key <- paste(metric$predicts, metric$target, event_level)
    if (is.null(known[[key]])) known[[key]] <<- read(metric, event_level)
    known[[key]]
  }
}

# One of the tool's scores beside ours of the same predictions: `difference` in words, whether all
# `agrees`, and what is `shown` of it.
compared <- function(said, claim, read, event) {
  told <- function(shown, difference = NULL, agrees = FALSE) {
    list(shown = shown, difference = difference, agrees = agrees)
  }
  if (!is.null(said$unchecked)) return(told(paste("not computed:", said$unchecked)))
  if (is.null(said$checks) && is.null(said$compute)) return(told("not read"))
  ours <- scores_of_cells(said, claim, read, event)
  if (is.character(ours)) return(told(paste("not computed:", ours)))
  theirs <- said$cells$value
  absent <- which(attr(ours, "absent") & is.finite(theirs))
  if (length(absent)) {
    note <- sprintf("%s, but there are no predictions of it", said_of_cell(claim, said, absent[[1]]))
    return(told(paste("differs:", note), note))
  }
  # Where one of them is undefined it is a matter of convention.
  known <- is.finite(ours) & is.finite(theirs)
  odd <- which(known & !agree(ours, theirs))
  if (length(odd) == 0) {
    lost <- sum(!is.finite(theirs))
    undefined <- sum(is.finite(theirs) & is.nan(ours))
    counts <- c("agrees for" = sum(known), "lost for" = lost, "not computed for" = undefined)
    if (sum(counts) > 0) counts <- counts[counts > 0]
    return(told(paste(names(counts), counts, collapse = ", "), agrees = any(known) && undefined == 0))
  }
  note <- sprintf("%s, but it is %s of the predictions as they are read: %s",
                  said_of_cell(claim, said, odd[[1]]), number(ours[[odd[[1]]]]),
                  likely_cause(said, claim, read))
  told(paste("differs:", note), note)
}

said_of_cell <- function(claim, said, index) {
  cell <- said$cells[index, ]
  sprintf("%s says that %s of %s%s is %s", claim$source, said$called, cell$configuration,
          if (is.null(cell$fold)) "" else paste0(" in ", cell$fold, cell$rep), number(cell$value))
}

agree <- function(ours, theirs) abs(ours - theirs) <= 1e-9 * pmax(1, abs(theirs))

# Our score in each cell of the tool's, with those that are `absent` from the predictions, or in words why
# there is none. `flipped` takes probabilities of
# the event for those of the other class.
scores_of_cells <- function(said, claim, read, event, flipped = FALSE) {
  if (!is.null(said$compute)) return(said$compute(event))
  metric <- said$checks
  tryCatch({
    given <- read(metric, event)
    if (!is.null(metric$score) && !is.null(given$sample_weight)) return("rows are weighted")
    if (flipped) given$predictions <- lapply(given$predictions, function(own) 1 - own)
    pooled <- identical(claim$rule, "pooled")
    ours <- scores_read(given, metric, pooled)
    if (is.null(ours)) return("predictions or folds are missing")
    cells <- said$cells
    configuration <- match(cells$configuration, given$configurations)
    if (is.null(cells$fold)) {
      mean_scores(ours, metric)[configuration]
    } else {
      repeats <- match(if (is.null(cells$rep)) rep("1", nrow(cells)) else cells$rep, given$repeats)
      folds <- mapply(function(fold, own) match(fold, ours$labels[[own]]), cells$fold, repeats)
      place <- cbind(configuration, as.integer(folds), repeats)
      structure(ours$scores[place], absent = rowSums(is.na(place)) > 0)
    }
  }, bbc_error = conditionMessage)
}

# The scores (configuration, fold, repeat) of what was read, and the labels of the folds per repeat. Where
# predictions are missing they are NA, where the metric is undefined NaN: the others are there all the
# same. `torn` are configurations that miss some rows of a fold.
scores_read <- function(given, metric, pooled) {
  arrays <- per_repeat(given$predictions)
  gone <- holes(arrays)
  if (!is.null(gone)) arrays <- Map(without_holes, arrays, gone)
  problem <- make_problem(arrays, given$truth, list(metric = metric, method = "tt"),
                          event_level = given$event_level, sample_weight = given$sample_weight,
                          names = given$names, folds_needed_by = "")
  columns <- if (pooled) rep(list(rep("", problem$truth$n_rows)), problem$n_repeats)
             else if (!is.null(given$all_folds)) folds_of_all_rows(given$all_folds)
  if (is.null(columns)) return(NULL)
  problem$folds <- matrix(vapply(columns, codes_by_first_row, integer(problem$truth$n_rows)),
                          ncol = problem$n_repeats)
  n_folds <- apply(problem$folds, 2, max) + 1L
  scores <- array(NA_real_, c(problem$n_configurations, max(n_folds), problem$n_repeats))
  torn <- logical(problem$n_configurations)
  for (i in seq_along(n_folds)) {
    own <- scores_of_repeat(problem, metric, i, gone[[i]])
    scores[, seq_len(n_folds[[i]]), i] <- own$scores
    torn <- torn | own$torn
  }
  list(scores = scores, labels = lapply(columns, unique), torn = torn)
}

# Rows that are in no fold of a repeat have no predictions there: which fold they are given is no matter.
folds_of_all_rows <- function(folds) {
  lapply(seq_len(ncol(folds)), function(i) {
    own <- folds[, i]
    replace(own, is.na(own), own[!is.na(own)][[1]])
  })
}

# A prediction that is there in the place of those that are not.
without_holes <- function(array, gone) {
  if (all(gone)) return(array)
  if (length(dim(array)) == 2) return(replace(array, gone, array[!gone][[1]]))
  for (k in seq_len(dim(array)[[3]])) {
    own <- array[, , k, drop = FALSE]
    array[, , k] <- replace(own, gone, own[!gone][[1]])
  }
  array
}

# The scores (configuration, fold) of repeat i. Rows that nothing predicted are in no fold.
scores_of_repeat <- function(problem, metric, i, gone) {
  folds <- problem$folds[, i]
  if (is.null(gone)) gone <- matrix(FALSE, length(folds), problem$n_configurations)
  folds[rowSums(!gone) == 0] <- -1L
  by_fold <- function(error) {
    vapply(seq_len(max(problem$folds[, i]) + 1L) - 1L, function(fold) {
      scores_of_fold(part_of(problem, i, folds == fold), metric)
    }, numeric(problem$n_configurations))
  }
  scores <- if (!is.null(metric$score) || any(folds < 0)) by_fold() else tryCatch(
    fold_scores(part_of(problem, i, folds >= 0), metric, 1L)[, , 1], bbc_undefined_metric = by_fold
  )
  unlike <- log_of_zero(problem, metric, i)
  torn <- logical(problem$n_configurations)
  scores <- matrix(scores, problem$n_configurations)
  for (fold in seq_len(ncol(scores))) {
    rows <- folds == fold - 1L
    if (!is.null(unlike)) scores[colSums(unlike[rows, , drop = FALSE]) > 0, fold] <- NaN
    lost <- colSums(gone[rows, , drop = FALSE])
    scores[lost > 0, fold] <- NA
    torn <- torn | (lost > 0 & lost < sum(rows))
  }
  list(scores = scores, torn = torn)
}

# The rows of a fold, or several, of one repeat.
part_of <- function(problem, i, rows) {
  problem$predictions <- lapply(problem$predictions[i], kept_cells, list(rows = rows, configurations = TRUE))
  problem$truth <- kept_truth(problem$truth, rows)
  problem$weights <- problem$weights[rows]
  problem$folds <- matrix(codes_by_first_row(problem$folds[rows, i]))
  problem
}

# The score of each configuration on all rows; not a number where it is undefined.
scores_of_fold <- function(problem, metric) {
  none <- rep(NaN, problem$n_configurations)
  if (problem$truth$n_rows == 0) return(none)
  if (is.null(metric$score)) {
    return(tryCatch(fold_scores(problem, metric, 1L)[, 1, 1], bbc_error = function(error) none))
  }
  score <- row_scorer(problem, metric)
  vapply(seq_along(none), function(j) {
    tryCatch(score(j, seq_len(problem$truth$n_rows), "in a fold"), bbc_error = function(error) NaN)
  }, 0)
}

# Where a logarithm of 0 would be taken, which tools replace by that of some small number.
log_of_zero <- function(problem, metric, i) {
  if (!grepl("log_loss", metric$name)) return(NULL)
  array <- problem$predictions[[i]]
  codes <- problem$truth$codes
  if (length(dim(array)) == 2) return((array * (codes == 1) + (1 - array) * (codes == 0)) < 1e-14)
  own <- lapply(seq_len(dim(array)[[3]]), function(k) array[, , k, drop = FALSE] * (codes == k - 1L))
  matrix(Reduce(`+`, own), nrow(array)) < 1e-14
}

# Metrics that tools leave out, as we do, of the mean over folds where they are undefined.
shares_of_one_class <- c("sensitivity", "specificity")
undefined_alike <- c(shares_of_one_class, "roc_auc", "squared_pearson")

# The mean over all folds of each configuration; not a number where others may have another one.
mean_scores <- function(ours, metric) {
  flat <- matrix(ours$scores, nrow(ours$scores))
  means <- rowMeans(flat, na.rm = TRUE)
  if (!metric$name %in% undefined_alike) means[rowSums(is.nan(flat)) > 0] <- NaN
  replace(means, ours$torn, NA)
}

# Whether our scores, read otherwise, are the tool's.
would_agree <- function(said, claim, read, event, flipped = FALSE) {
  ours <- scores_of_cells(said, claim, read, event, flipped)
  if (!is.numeric(ours)) return(FALSE)
  theirs <- said$cells$value
  known <- is.finite(ours) & is.finite(theirs)
  any(known) && all(agree(ours[known], theirs[known]))
}

likely_cause <- function(said, claim, read) {
  if (!is.null(said$metric)) {
    if (said$metric$target == "binary" && would_agree(said, claim, read, "second")) {
      return("the event seems to be the other class, see `event_level`")
    }
    if (said$metric$predicts %in% c("score", "probability") &&
          would_agree(said, claim, read, NULL, flipped = TRUE)) {
      return("the columns of the two classes seem to be swapped")
    }
  }
  paste("the rows may be others or in another order, the truth another one, or the score one with",
        "weights")
}

# The event that the tool scored: the one level with which a score that depends on it agrees.
confirmed_event <- function(claim, read) {
  for (said in claim$said) {
    if (is.null(said$metric) || !depends_on_event(said$metric)) next
    right <- vapply(c("first", "second"), function(event) would_agree(said, claim, read, event), NA)
    if (sum(right) == 1) return(names(which(right)))
  }
  NULL
}

# Whether another event, with its own probabilities, has another score, cut-off or curve.
depends_on_event <- function(metric) {
  if (metric$target != "binary") return(FALSE)
  if (is_curve(metric) || is_at_cut_off(metric)) return(TRUE)
  truth <- factor(c("a", "a", "b", "b", "b", "b", "a", "b"))
  share <- c(0.9, 0.3, 0.6, 0.2, 0.1, 0.4, 0.7, 0.8)
  score <- function(event) {
    own <- if (metric$predicts == "labels") ifelse(share > 0.5, "a", "b")
           else if (event == "a") share else 1 - share
    given <- list(predictions = matrix(own), truth = truth, event_level = event)
    scores_read(given, metric, pooled = TRUE)$scores[[1]]
  }
  # A function of the user's may stop on so few rows.
  !isTRUE(tryCatch(agree(score("a"), score("b")), error = function(error) FALSE))
}

is_curve <- function(metric) metric$name %in% names(read_metrics)

# Whether a cut-off makes the labels that the metric is of.
is_at_cut_off <- function(metric) {
  metric$predicts != "labels" && computation_facts(metric)$form %in% c("zero_one", "confusion")
}

refuse_unknown_event <- function(claim, given, metric) {
  levels <- levels(given$truth)
  if (length(levels) != 2 || !depends_on_event(metric)) return(invisible())
  what <- if (is_curve(metric)) "a curve" else if (is_at_cut_off(metric)) "a cut-off"
          else sprintf("metric \"%s\"", metric$name)
  abort(paste("`event_level` is needed: %s depends on the event, and no score of %s tells which level",
              "was taken for it: \"first\" (%s, as in yardstick) or \"second\" (%s)"),
        what, claim$source, levels[[1]], levels[[2]])
}

deciding <- function(claim) {
  Find(function(said) identical(said$called, claim$decides), claim$said)
}

# The place of the configuration that the tool deploys: the one that it says, or the best by its scores
# and rule; with `complexity` the least complex within one standard error. NULL if it is not known.
tool_choice <- function(claim, configurations = claim$configurations, complexity = NULL) {
  if (!is.null(claim$chosen)) {
    place <- match(claim$chosen, configurations)
    return(if (!is.na(place)) place)
  }
  own <- deciding(claim)
  if (is.null(own) || is.null(own$rises)) return(NULL)
  values <- split(own$cells$value, factor(own$cells$configuration, configurations))
  values <- lapply(values, function(one) one[!is.na(one)])
  n <- lengths(values)
  if (claim$unranked) values[n < max(n)] <- list(numeric())
  means <- vapply(values, mean, 0) * if (own$rises) 1 else -1
  best <- which.max(means)
  if (length(best) && !is.null(complexity)) {
    bound <- means[[best]] - stats::sd(values[[best]]) / sqrt(n[[best]])
    within <- which(means >= bound)
    best <- within[which.min(complexity[within])]
  }
  if (length(best)) unname(best)
}

# The metric by which the tool chose, where the caller names none.
metric_of_tool <- function(predictions, truth = NULL) {
  if (is.character(truth) && length(truth) == 1 && truth %in% metric_table()$name) {
    abort_no_metric(truth)
  }
  if (inherits(predictions, "bbc_data")) {
    return(metric_of_tool(predictions$predictions, predictions$truth))
  }
  if (inherits(predictions, "bbc_protocol")) return(predictions$metric)
  if (identical(class(predictions), "list") && length(predictions) &&
        all(vapply(predictions, inherits, NA, fitted_classes))) {
    own <- lapply(predictions, metric_of_tool, truth)
    names <- unique(vapply(own, `[[`, "", "name"))
    if (length(names) == 1) return(own[[1]])
    abort("`metric` is missing: the models were tuned by %s", paste(names, collapse = " and "))
  }
  claim <- if (is.data.frame(predictions)) {
    refuse_tables_of_tools(predictions)
    tuned_claim(predictions)
  } else if (inherits(predictions, fitted_classes)) {
    reading(predictions, truth, NULL, NULL, NULL, NULL, NULL)$claim
  }
  if (is.null(claim$decides)) abort_no_metric(truth)
  own <- deciding(claim)$metric
  if (is.null(own)) {
    abort("`metric` is missing: %s chose by %s, which is no metric of bbcr; give one by which to choose",
          claim$source, claim$decides)
  }
  own
}

# Whether the caller asks for nothing but the tool's own choice: its metric, and no other rule.
is_own_choice <- function(claim, metric, asked) {
  own <- deciding(claim)$metric
  if (is.null(own) || !claim$is_checked || !claim$has_event) return(FALSE)
  others <- c("pooling", "selection", "rungs", "sample_weight")
  identical(bbc_metric(metric)$name, own$name) && !any(lengths(asked[others])) &&
    (is.null(asked$method) || asked$method == "bbc") && !identical(asked$missing, "rungs")
}

# The rule by which replicates choose as the tool did; one that they cannot repeat is refused.
own_selection <- function(claim) {
  if (claim$chosen_by == "best") return("best")
  if (claim$chosen_by == "one-se") {
    return(bbc_one_standard_error(match(claim$configurations, claim$simplest)))
  }
  abort(paste("`predictions`: %s chose %s by %s, which replicates cannot repeat: selection = \"best\"",
              "corrects the choice of the best score in its place, and selection = function(scores,",
              "counts) another rule"), claim$source, claim$chosen, claim$chosen_by)
}

# The correction of a choice by means over folds: of what each replicate chooses so, the score of all
# rows together.
by_means <- function(predictions, truth, metric, ..., method = "bbc", interval = "order-statistics",
                     selection = "best", block_length = NULL, seed = NULL, n_threads = NULL) {
  threads <- threads_of(n_threads)
  by <- function(pooling, seed) {
    scored_problem(predictions, truth, metric, ..., pooling = pooling, block_length = block_length,
                   selection = selection, seed = seed, method = method, threads = threads)
  }
  if (is.character(block_length)) block_length <- by("pooled", 0)$problem$block_length
  decided <- bbc_correct.default(predictions, truth, metric, ..., method = method, pooling = "fold",
                                 interval = interval, selection = selection, seed = seed,
                                 block_length = block_length, n_threads = n_threads)
  scored_together(by("pooled", decided$seed),
                  list(decided = decided, selecting = by("fold", decided$seed), threads = threads))
}

# The score on all rows together of winners that were chosen by means over folds.
scored_together <- function(scored, correction) {
  decided <- correction$decided
  e <- reported(scored, correction)
  e$decided_by <- NULL
  e$notes <- decided$notes
  e["model_luck"] <- decided["model_luck"]
  rule <- decided$design$selection
  e$design$selection <- if (rule == "best") "means" else rule
  attr(e, "by_means") <- TRUE
  of_draws <- c("BBC006", "BBC007", "BBC011")
  kept <- decided$findings[decided$findings$code %in% setdiff(of_draws, e$findings$code), ]
  e$findings <- all_findings(e$findings, kept)
  e
}

# A result with what the tool deploys, and a finding where that is not what is corrected. A choice that
# `is_repeated` by the tool's metric and rule must be the tool's.
with_deployed <- function(result, claim, is_repeated = FALSE, complexity = NULL) {
  if (is.null(claim) || is.null(result$winner) || !is.null(result$weights)) return(result)
  place <- tool_choice(claim, complexity = complexity)
  if (is.null(place)) return(result)
  cells <- deciding(claim)$cells
  score <- function(index) {
    own <- cells$value[cells$configuration == claim$configurations[[index]]]
    if (length(own)) mean(own, na.rm = TRUE) else NA
  }
  winner <- as.integer(result$winner)
  # The tool adds up in another order: of configurations that tie so, its choice is the winner.
  same <- winner == place || (is_repeated && isTRUE(agree(score(winner), score(place))))
  result$deployed <- list(
    index = place, name = name_of(result$names, place), by = claim$deploys,
    score = if (is.finite(score(place))) score(place),
    frequency = if (!is.null(result$replicate_winners)) mean(result$replicate_winners == place),
    is_corrected = same
  )
  if (is.null(result$names)) result$deployed$name <- claim$configurations[[place]]
  if (same) {
    result$winner <- place
    result$winner_name <- result$deployed$name
    return(result)
  }
  found <- found_by("deployed", deployed_facts(result))
  if (is_repeated) abort("`predictions`: its choice cannot be repeated: %s", found$detail)
  with_findings(result, found)
}

# What sentences say of a configuration that is deployed in place of the one that is corrected.
deployed_facts <- function(x) {
  own <- x$deployed
  if (isTRUE(own$is_corrected)) own <- NULL
  list(deployed_by = own$by, deployed_name = own$name, deployed_score = own$score,
       decimals = decimals_of(x), deployed_share = own$frequency, winner_name = x$winner_name)
}

# Fits and scores that the tool lost, a data frame with `kind`, `configuration`, `fold` and `reason`.
# Where configurations were dropped on the way nothing was lost.
lost_of <- function(claim, given) {
  if (isTRUE(given$dynamic_search)) return(NULL)
  fits <- lost_fits(given, claim)
  own <- deciding(claim)$cells
  scores <- own[is.na(own$value) & !own$configuration %in% fits$configuration, ]
  rbind(fits, if (NROW(scores)) data.frame(
    kind = "score", configuration = scores$configuration,
    fold = if (is.null(scores$fold)) "" else paste0(scores$fold, scores$rep), reason = ""
  ))
}

# Fits without predictions, though others predicted the same rows, and those of which the tool says it.
lost_fits <- function(given, claim) {
  said <- claim$lost
  if (!is.null(said)) said <- data.frame(kind = "fit", said[c("configuration", "fold", "reason")])
  arrays <- if (is.list(given$predictions)) given$predictions
  folds <- if (is.atomic(given$folds)) given$folds
  found <- lapply(seq_along(arrays), function(i) {
    gone <- is.na(arrays[[i]])
    if (length(dim(gone)) == 3) gone <- apply(gone, 1:2, any)
    gone <- gone & !apply(gone, 1, all)
    # Where only some rows of a fold are missing, its fit was not lost.
    own <- if (is.null(folds)) rep("", nrow(gone)) else as.character(as.matrix(folds)[, i])
    predicted <- rowSums(!is.na(arrays[[i]])) > 0
    for (label in unique(own[predicted])) {
      rows <- which(own == label & predicted)
      gone[rows, ] <- rep(colSums(gone[rows, , drop = FALSE]) == length(rows), each = length(rows))
    }
    if (!any(gone)) return(NULL)
    places <- which(gone, arr.ind = TRUE)
    fold <- own[places[, 1]]
    cells <- unique(data.frame(configuration = given$configurations[places[, 2]], fold = fold))
    data.frame(kind = "fit", cells, reason = "")
  })
  found <- do.call(rbind, found)
  if (is.null(said)) return(found)
  rbind(said, found[!paste(found$configuration, found$fold) %in%
                      paste(said$configuration, said$fold), ])
}

# A finding for each kind of what was lost: how much, and the first with its reason.
findings_of_lost <- function(lost) {
  do.call(rbind, lapply(unique(lost$kind), function(kind) {
    own <- lost[lost$kind == kind, ]
    first <- c(sprintf("configuration '%s'", own$configuration[[1]]), own$fold[[1]], own$reason[[1]])
    found_by("lost", list(
      lost_kind = kind, n_lost = nrow(own), n_losing = length(unique(own$configuration)),
      first_lost = paste(first[nzchar(first) & !is.na(first)], collapse = ", ")
    ))
  }))
}
