#' Correct a tuned model from its scores by fold
#'
#' For tuning that kept scores of folds but no predictions: whole folds are drawn (BBC-F). Draws of
#' rows, by [bbc_correct()] on predictions, give narrower and more stable intervals, and answer
#' [questions][bbc_questions], for which scores have no rows.
#'
#' Scores come as a matrix with a row per fold and a column per configuration, or a list of them, one per
#' repeat, with `method = "bbc-f"` and without `truth` and `folds`; as a long table with the columns `fold`,
#' `configuration`, `score` and where it exists `repeat`; as what tidymodels'
#' `collect_metrics(x, summarize = FALSE)` returns; as a caret model that kept no predictions, trained with
#' `trainControl(returnResamp = "all")`; or as caret's [resamples()][bbc_correct.resamples]. The folds of one
#' repeat share no rows: bootstraps and Monte Carlo splits are refused where they can be told.
#'
#' `metric` is what the scores are of: a name of [bbc_metrics()], or any other name together with
#' `greater_is_better`. Of a tidymodels table it chooses the scores; of a caret model it is one that the
#' model kept, by caret's name or that of [bbc_metrics()], by default the one that chose. Beside it
#' `greater_is_better`, `names`, `n_bootstraps`, `confidence_level`, `alternative`, `selection`, `seed`,
#' `n_threads` and `dynamic_search` of [bbc_correct()] are taken; those that say something of rows are
#' refused. A dynamic search, as by `tune_bayes()`, is recognised by its table.
#'
#' Folds that keep the shares of the classes never show that these are the shares of a sample: intervals from
#' scores alone are too short, as finding BBC025 says. The truth of the rows tells by how much at most: pass it as
#' `y`, with `groups` where rows are not independent and `event_level` as elsewhere. `folds` are then
#' the folds of the rows: the number of the row of `predictions` that each row was scored in, a column per
#' repeat. R2 of folds that are known so is that of all rows, by the squared errors of the folds. A caret model
#' tells its truth and its folds itself, if it kept its data.
#'
#' The result is a `bbc_estimate` with method `"bbc-f"`. Without `y` the number of rows is not known: `n_rows`
#' is 0.
#' @references
#' K. Paraschakis et al. (2024). Confidence interval estimation of predictive performance in the
#' context of AutoML. *AutoML*: Algorithm 1.
#' @examples
#' set.seed(1)
#' scores <- matrix(rnorm(10 * 30, mean = 0.8, sd = 0.05), 10)
#' truth <- rep(0:1, c(80, 20))
#' bbc_correct(scores, metric = "accuracy", method = "bbc-f", y = truth, seed = 1, n_threads = 2)
#' @name bbc_fold_scores
NULL

# The correction of matrices (fold, configuration), one per repeat. `is_classifier` says what is known of
# learners whose metric does not tell it.
correct_scores <- function(scores, metric, greater_is_better = NULL, names = NULL, method = "bbc-f",
                           n_bootstraps = NULL, confidence_level = 0.95, alternative = "two-sided",
                           selection = "best", seed = NULL, n_threads = NULL, dynamic_search = FALSE,
                           y = NULL, groups = NULL, folds = NULL, event_level = NULL,
                           is_classifier = FALSE, ...) {
  refuse_of_rows(list(method = method, ...))
  options <- checked_options(
    metric_of_scores(metric, greater_is_better), "bbc-f", n_bootstraps = n_bootstraps,
    confidence_level = confidence_level, alternative = alternative, seed = seed,
    selection = selection, dynamic_search = dynamic_search
  )
  threads <- threads_of(n_threads)
  scores <- score_matrices(scores)
  other <- if (is.null(names)) design_name(colnames(scores[[1]]))
  if (!is.null(other)) abort_design(other)
  shape <- dim(scores[[1]])
  rows <- rows_of_scores(y, groups, folds, event_level, options$metric, scores)
  problem <- list(
    truth = list(n_classes = Inf, event = rows$event), folds = matrix(seq_len(shape[[1]]) - 1L),
    names = names_of(if (is.null(names)) colnames(scores[[1]]) else names, shape[[2]]),
    n_rows = 0L, n_configurations = shape[[2]], n_repeats = length(scores),
    left_out_rows = integer(), left_out_configurations = integer()
  )
  plan <- kernel_options(problem, options)
  by_configuration <- array(unlist(lapply(scores, t)), c(rev(shape), length(scores)))
  raw <- corrected_folds(by_configuration, problem, options, plan, threads, rows)
  found <- rbind(
    if (options$dynamic_search) findings_of_search(n_searched = shape[[2]]),
    findings_of_scores_alone(options$metric, rows, raw$by_truth, is_classifier)
  )
  e <- new_estimate(raw, problem, options, plan, found)
  if (!is.null(rows)) e$n_rows <- rows$n_rows
  if (raw$by_truth && is_r2(options$metric)) e$pooling <- "pooled"
  as_asked(e, why = "scores of folds hold none")
}

is_r2 <- function(metric) metric$kernel == "r2"

# Whether the kernel knows what was scored, rather than that less of it is better.
is_known <- function(metric) !metric$kernel %in% c("row_loss", "row_score")

# The rows that scores are of, by their truth: how many, the event, and what the kernel reads of them;
# NULL without a truth.
rows_of_scores <- function(y, groups, folds, event_level, metric, scores) {
  if (is.null(y)) {
    refuse_of_rows(list(groups = groups, folds = folds, event_level = event_level))
    return(NULL)
  }
  truth <- called_y(canonical_truth(y, metric, event_level, event_needed(metric, 2)))
  truth <- fill_truth(truth, NROW(y))
  rows <- list(
    n_rows = truth$n_rows, event = truth$event, n_classes = truth$n_classes,
    target = if (is_known(metric)) kernel_target(truth), units = group_codes(groups, truth$n_rows),
    classes = if (metric$target == "real") class_codes(truth),
    folds = scored_folds(folds, truth$n_rows, dim(scores[[1]])[[1]], length(scores))
  )
  if (!is.null(rows$folds)) check_shares(metric, scores, rows$folds)
  rows
}

# Errors about a truth that the caller passed as `y`.
called_y <- function(code) {
  tryCatch(code, bbc_error = function(error) {
    error$message <- gsub("`truth`", "`y`", error$message, fixed = TRUE)
    error$template <- gsub("`truth`", "`y`", error$template, fixed = TRUE)
    stop(error)
  })
}

# Matrix (row, repeat) of the codes of the folds, which are numbers of rows of the scores.
scored_folds <- function(folds, n_rows, n_folds, n_repeats) {
  if (is.null(folds)) return(NULL)
  codes <- vapply(fold_columns(folds, n_rows, n_repeats), function(own) {
    codes <- match(own, seq_len(n_folds))
    if (anyNA(codes)) {
      abort("`folds` is %s at %s, but `predictions` has the scores of folds 1 to %d",
            own[is.na(codes)][[1]], place_of(is.na(codes), "row"), n_folds)
    }
    empty <- which(tabulate(codes, n_folds) == 0)
    if (length(empty)) abort("`folds`: no row is in fold %d, which has scores", empty[[1]])
    codes - 1L
  }, integer(n_rows))
  matrix(codes, n_rows)
}

# Refuses rows of which the share that is right in a fold cannot be what was scored.
check_shares <- function(metric, scores, folds) {
  if (!is_known(metric) || computation_facts(metric)$form != "zero_one") return(invisible())
  for (i in seq_along(scores)) {
    sizes <- tabulate(folds[, i] + 1, nrow(scores[[i]]))
    right <- scores[[i]] * sizes
    wrong <- abs(right - round(right)) > 1e-6
    if (any(wrong)) {
      at <- arrayInd(which(wrong)[[1]], dim(wrong))
      abort(paste("`y` does not have the rows that were scored: %s of fold %d of repeat %d is %s",
                  "(configuration %d), which is no whole number of its %d rows"),
            metric$name, at[[1]], i, number(scores[[i]][at]), at[[2]], sizes[[at[[1]]]])
    }
  }
}

# What limits of scores of folds do not show, unless the truth of their rows told it.
findings_of_scores_alone <- function(metric, rows, by_truth, is_classifier) {
  of_classes <- metric$target %in% c("binary", "classes") || is_classifier || !is.null(rows$classes)
  n_classes <- if (metric$target == "classes" && !is.null(rows)) rows$n_classes else 0L
  found_by("fold_scores", list(
    shares_hidden = !by_truth && of_classes,
    mean_of_r2 = !by_truth && metric$kernel %in% c("r2", "explained_variance"),
    truth_given = !is.null(rows), metric = metric$name,
    truth_tells = is_known(metric) && kernel_truth_tells(metric, n_classes)
  ))
}

# Refuses arguments that say something of rows.
refuse_of_rows <- function(given) {
  known <- formals(bbc_correct.default)
  for (name in names(given)[lengths(given) > 0]) {
    if (!name %in% names(known)) abort("unknown argument `%s`", name)
    if (name == "method") {
      if (!given[[name]] %in% c("bbc", "bbc-f")) {
        abort('`method = "%s"` reads single rows, but `predictions` are scores of folds', given[[name]])
      }
    } else if (!identical(given[[name]], known[[name]])) {
      abort("`%s` is for predictions of rows, but `predictions` are scores of folds", name)
    }
  }
}

# Whether a table has scores of folds.
has_fold_scores <- function(table) {
  has <- function(...) all(c(...) %in% colnames(table))
  has(".metric", ".estimate", ".config", "id") || (has("fold", "configuration", "score") && !has("row"))
}

correct_score_table <- function(table, metric, names = NULL, dynamic_search = FALSE, ...) {
  if (missing(metric)) abort_no_metric()
  dynamic_search <- flag(dynamic_search, "dynamic_search") || is_dynamic(table)
  if (".metric" %in% colnames(table)) {
    name <- metric_name(metric)
    table <- table[table[[".metric"]] %in% name, ]
    if (nrow(table) == 0) abort("`predictions` has no line with .metric \"%s\"", name)
    column <- ".estimate"
    cells <- tune_cells(table)
    if (is.null(cells$rep)) refuse_shared_resamples(cells$fold)
  } else {
    column <- "score"
    cells <- list(fold = as.character(table$fold), rep = table[["repeat"]],
                  configuration = as.character(table$configuration))
  }
  cells$row <- cells$fold
  long <- unfolded(as.list(table)[column], cells, "predictions", "fold %s was scored")
  correct_scores(long$predictions, metric, names = if (is.null(names)) long$configurations else names,
                 dynamic_search = dynamic_search, ...)
}

# Whether a caret model kept scores of all folds and no predictions of them.
keeps_scores_only <- function(model) {
  inherits(model, "train") && identical(model$control$returnResamp, "all") &&
    (is.null(model$pred) || !identical(as.character(model$control$savePredictions), "all"))
}

correct_train_scores <- function(model, metric, greater_is_better = NULL, names = NULL, ...) {
  check_resampling(model, "predictions")
  table <- model$resample
  scored <- setdiff(colnames(table), c(base::names(model$bestTune), "Resample"))
  wanted <- if (missing(metric)) model$metric else resamples_metric(metric, scored)
  own <- wanted == model$metric
  if (own && !is.null(greater_is_better)) {
    abort("`greater_is_better` is known by a caret model: leave it out")
  }
  known <- caret_metric(wanted)
  cells <- train_cells(model, table)
  refuse_shared_rows(model$control, cells)
  cells$row <- cells$fold
  long <- unfolded(as.list(table)[wanted], cells, "predictions", "fold %s was scored")
  order <- match(train_configurations(model, model$results), long$configurations)
  claim <- train_claim(model)
  claim$configurations <- long$configurations[order]
  is_own <- own && !"selection" %in% ...names()
  scored <- if (own || is.null(known)) wanted else known
  if (own) {
    greater_is_better <- model$maximize
    same <- !is.null(known) && identical(bbc_metric(known)$greater_is_better, greater_is_better)
    if (same) scored <- replace(bbc_metric(known), "name", wanted)
  }
  trained <- trained_rows(model, long, metric_of_scores(
    scored, if (is.character(scored)) greater_is_better
  ))
  correct <- function(selection = if (is_own) own_selection(claim) else "best", y = trained$y,
                      folds = trained$folds, event_level = trained$event_level, ...) {
    correct_scores(
      lapply(long$predictions, function(own) own[, order, drop = FALSE]), scored,
      greater_is_better = if (is.character(scored)) greater_is_better,
      names = if (is.null(names)) claim$configurations else names, selection = selection, y = y,
      folds = folds, event_level = event_level,
      is_classifier = identical(model$modelType, "Classification"), ...
    )
  }
  e <- correct(...)
  if (train_time_ordered(model)) {
    e$design$time_ordered <- TRUE
    e <- with_findings(e, findings_of_search(time_ordered_folds = TRUE))
  }
  with_deployed(e, claim, is_repeated = is_own && claim$chosen_by == "best")
}

# The truth that a caret model kept with its data, and the fold of each row, by the held-out rows of its
# resamples.
trained_rows <- function(model, long, metric) {
  y <- model$trainingData[[".outcome"]]
  control <- model$control
  labels <- names(control$index)
  if (is.null(y) || length(labels) != length(control$indexOut)) return(list())
  cells <- list(fold = sub("[.]Rep[0-9]+$", "", labels),
                rep = sub("^.*?([.]Rep[0-9]+)?$", "\\1", labels, perl = TRUE))
  folds <- matrix(NA_integer_, length(y), length(long$predictions))
  for (i in seq_along(labels)) {
    folds[control$indexOut[[i]], match(cells$rep[[i]], long$repeats)] <- match(cells$fold[[i]], long$rows)
  }
  list(y = y, folds = if (!anyNA(folds)) folds,
       event_level = if (nlevels(y) == 2 && event_needed(metric, 2)) "first")
}

# Scores of resamples that may share rows are not those of one partition, and its draws would take
# them for independent. rsample's folds are called Fold1, ...; the names of others say no more than
# this, since mc_cv() and group_vfold_cv() share one.
refuse_shared_resamples <- function(resamples) {
  shared <- grepl("^(Bootstrap|Apparent|Resample|Slice|Permutation)", resamples)
  if (!any(shared)) return(invisible())
  abort(paste(
    "`predictions`: resamples such as %s (bootstraps, Monte Carlo or time slices) can hold out the same",
    "rows: tune with vfold_cv(). Where they share no row, as those of group_vfold_cv(), give a",
    "table with the columns fold, configuration and score"
  ), resamples[shared][[1]])
}

# The folds of a caret model may be any `index` that the user gave; its names are those of the
# resamples.
refuse_shared_rows <- function(control, cells) {
  repeats <- cells$rep[match(names(control$index), paste0(cells$fold, cells$rep))]
  for (own in split(control$indexOut, repeats)) {
    rows <- unlist(own)
    twice <- anyDuplicated(rows)
    if (twice) {
      abort(paste("`predictions`: row %d was held out in several resamples of one repeat: only",
                  "(repeated) cross-validation can be corrected"), rows[[twice]])
    }
  }
}

metric_of_scores <- function(metric, greater_is_better) {
  if (is.null(greater_is_better)) {
    if (is.character(metric) && length(metric) == 1 && is.null(bbc_name(metric))) {
      abort("`greater_is_better` is needed: the metric \"%s\" is none of bbc_metrics()", metric)
    }
    return(bbc_metric(metric))
  }
  out <- bbc_metric(if (flag(greater_is_better, "greater_is_better")) "row_score" else "row_loss")
  out$name <- metric_name(metric)
  out
}

# One matrix (fold, configuration) per repeat, complete.
score_matrices <- function(scores) {
  matrices <- if (is.list(scores)) scores else list(scores)
  if (length(matrices) == 0 || !all(vapply(matrices, function(own) {
    is.matrix(own) && is.numeric(own) && length(own) > 0
  }, NA))) {
    abort("`predictions` must be a numeric matrix (fold, configuration), or a list of them, not %s",
          first_class(if (length(matrices)) matrices[[1]] else scores))
  }
  for (i in seq_along(matrices)) {
    if (!identical(dim(matrices[[i]]), dim(matrices[[1]]))) {
      abort("`predictions`: repeat %d has shape (%s), repeat 1 has (%s)", i,
            paste(dim(matrices[[i]]), collapse = ", "), paste(dim(matrices[[1]]), collapse = ", "))
    }
    gone <- !is.finite(matrices[[i]])
    if (any(gone)) {
      abort("`predictions` is missing or infinite at repeat %d, %s", i,
            place_of(unname(gone), c("fold", "configuration")))
    }
  }
  check_same_columns(matrices)
  lapply(matrices, as_double)
}
