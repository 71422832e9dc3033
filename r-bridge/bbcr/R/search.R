#' Correct a tuned model from its scores by fold
#'
#' For tuning that kept scores of folds but no predictions: whole folds are drawn (BBC-F). Draws of
#' rows, by [bbc_correct()] on predictions, give narrower and more stable intervals.
#'
#' @param search What holds the scores: a matrix with a row per fold and a column per configuration,
#'   or a list of them, one per repeat; a long table with the columns `fold`, `configuration`,
#'   `score` and where it exists `repeat`; what tidymodels' `collect_metrics(x, summarize = FALSE)`
#'   returns; or a caret model trained with `trainControl(returnResamp = "all")`. The folds of one
#'   repeat share no rows: bootstraps and Monte Carlo splits are refused where they can be told.
#' @param metric What the scores are of: a name of [bbc_metrics()], or any other name together with
#'   `greater_is_better`. Of a tidymodels table it chooses the scores; of a
#'   caret model it is one that the model kept, by caret's name or that of [bbc_metrics()], by default
#'   the one that chose.
#' @param greater_is_better Direction of the metric, where it is not a name of [bbc_metrics()]; a
#'   caret model knows that of its own.
#' @param names Names of the configurations; by default what columns, table or model say.
#' @param n_bootstraps,confidence_level,alternative,selection,seed,n_threads As in [bbc_correct()].
#' @param dynamic_search Whether configurations were chosen depending on scores of others, as by
#'   `tune_bayes()`, whose table is recognised, or irace: finding BBC007.
#' @param ... For methods; the default method takes no other arguments.
#' @return A [bbc_estimate] with method `"bbc-f"`. Scores do not tell the number of rows: `n_rows`
#'   is 0.
#' @references
#' K. Paraschakis et al. (2024). Confidence interval estimation of predictive performance in the
#' context of AutoML. *AutoML*: Algorithm 1.
#' @examples
#' set.seed(1)
#' scores <- matrix(rnorm(10 * 30, mean = 0.8, sd = 0.05), 10)
#' bbc_correct_search(scores, "accuracy", seed = 1, n_threads = 2)
#' @export
bbc_correct_search <- function(search, metric, ...) {
  if (from_outside(parent.frame())) {
    return(with_call(bbc_correct_search(search, metric, ...),
                     method_for("bbc_correct_search", search)))
  }
  UseMethod("bbc_correct_search")
}

#' @rdname bbc_correct_search
#' @export
bbc_correct_search.default <- function(search, metric, greater_is_better = NULL, names = NULL,
                                       n_bootstraps = 1000, confidence_level = 0.95,
                                       alternative = "two-sided", selection = "best", seed = NULL,
                                       n_threads = NULL, dynamic_search = FALSE, ...) {
  no_more_arguments(...)
  if (missing(metric)) abort_no_metric()
  options <- checked_options(
    metric_of_scores(metric, greater_is_better), "bbc-f", n_bootstraps = n_bootstraps,
    confidence_level = confidence_level, alternative = alternative, seed = seed,
    selection = selection, dynamic_search = dynamic_search
  )
  threads <- threads_of(n_threads)
  scores <- score_matrices(search)
  other <- if (is.null(names)) design_name(colnames(scores[[1]]))
  if (!is.null(other)) abort_design(other, "search", list_them)
  shape <- dim(scores[[1]])
  problem <- list(
    truth = list(n_classes = Inf), folds = matrix(seq_len(shape[[1]]) - 1L),
    names = names_of(if (is.null(names)) colnames(scores[[1]]) else names, shape[[2]]),
    n_rows = 0L, n_configurations = shape[[2]], n_repeats = length(scores),
    left_out_rows = integer(), left_out_configurations = integer()
  )
  plan <- kernel_options(problem, options)
  by_configuration <- array(unlist(lapply(scores, t)), c(rev(shape), length(scores)))
  raw <- corrected_folds(by_configuration, problem, options, plan, threads)
  found <- if (options$dynamic_search) {
    findings_of_search(n_searched = shape[[2]])
  }
  new_estimate(raw, problem, options, plan, found)
}

#' @rdname bbc_correct_search
#' @export
bbc_correct_search.data.frame <- function(search, metric, names = NULL, dynamic_search = FALSE,
                                          ...) {
  if (missing(metric)) abort_no_metric()
  dynamic_search <- flag(dynamic_search, "dynamic_search") || is_dynamic(search)
  has <- function(...) all(c(...) %in% colnames(search))
  if (has(".metric", ".estimate", ".config", "id")) {
    name <- metric_name(metric)
    search <- search[search[[".metric"]] %in% name, ]
    if (nrow(search) == 0) abort("`search` has no line with .metric \"%s\"", name)
    column <- ".estimate"
    cells <- tune_cells(search)
    if (is.null(cells$rep)) refuse_shared_resamples(cells$fold)
  } else if (has("fold", "configuration", "score")) {
    column <- "score"
    cells <- list(fold = as.character(search$fold), rep = search[["repeat"]],
                  configuration = as.character(search$configuration))
  } else {
    abort(paste("`search` must have the columns fold, configuration and score, or those of",
                "collect_metrics(x, summarize = FALSE); it has %s"), shown(colnames(search)))
  }
  cells$row <- cells$fold
  long <- unfolded(as.list(search)[column], cells, "search", "fold %s was scored")
  if (is.null(names)) names <- long$configurations
  bbc_correct_search.default(long$predictions, metric, names = names,
                             dynamic_search = dynamic_search, ...)
}

#' @rdname bbc_correct_search
#' @export
bbc_correct_search.train <- function(search, metric, greater_is_better = NULL, names = NULL, ...) {
  check_resampling(search, "search")
  table <- search$resample
  if (is.null(table) || !identical(search$control$returnResamp, "all")) {
    abort(paste("`search`: the model kept no scores of all configurations; train it with",
                "trainControl(returnResamp = \"all\")"))
  }
  scored <- setdiff(colnames(table), c(base::names(search$bestTune), "Resample"))
  wanted <- if (missing(metric)) search$metric else resamples_metric(metric, scored)
  own <- wanted == search$metric
  if (own && !is.null(greater_is_better)) {
    abort("`greater_is_better` is known by a caret model: leave it out")
  }
  known <- caret_metric(wanted)
  cells <- train_cells(search, table)
  refuse_shared_rows(search$control, cells)
  cells$row <- cells$fold
  long <- unfolded(as.list(table)[wanted], cells, "search", "fold %s was scored")
  order <- match(train_configurations(search, search$results), long$configurations)
  claim <- train_claim(search)
  claim$configurations <- long$configurations[order]
  is_own <- own && !"selection" %in% ...names()
  correct <- function(selection = if (is_own) own_selection(claim) else "best", ...) {
    bbc_correct_search.default(
      lapply(long$predictions, function(own) own[, order, drop = FALSE]),
      if (own || is.null(known)) wanted else known,
      greater_is_better = if (own) search$maximize else greater_is_better,
      names = if (is.null(names)) claim$configurations else names, selection = selection, ...
    )
  }
  e <- as_search(correct(...))
  if (train_time_ordered(search)) {
    e$design$time_ordered <- TRUE
    e <- with_findings(e, findings_of_search(time_ordered_folds = TRUE))
  }
  as_search(with_deployed(e, claim, is_repeated = is_own && claim$chosen_by == "best"))
}

# What is refused of a model, whose argument is called otherwise here.
as_search <- function(code) {
  tryCatch(code, bbc_error = function(error) {
    error$message <- sub("`predictions`", "`search`", error$message, fixed = TRUE)
    stop(error)
  })
}

# Scores of resamples that may share rows are not those of one partition, and its draws would take
# them for independent. rsample's folds are called Fold1, ...; the names of others say no more than
# this, since mc_cv() and group_vfold_cv() share one.
refuse_shared_resamples <- function(resamples) {
  shared <- grepl("^(Bootstrap|Apparent|Resample|Slice|Permutation)", resamples)
  if (!any(shared)) return(invisible())
  abort(paste(
    "`search`: resamples such as %s (bootstraps, Monte Carlo or time slices) can hold out the same",
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
      abort(paste("`search`: row %d was held out in several resamples of one repeat: only",
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
score_matrices <- function(search) {
  models <- if (identical(class(search), "list")) search else list(search)
  if (any(vapply(models, inherits, NA, fitted_classes))) {
    abort("`search`: %s keeps predictions: give %s to bbc_correct()",
          first_class(Find(function(own) inherits(own, fitted_classes), models)),
          if (identical(class(search), "list")) "the list of models" else "it")
  }
  matrices <- if (is.list(search)) search else list(search)
  if (length(matrices) == 0 || !all(vapply(matrices, function(own) {
    is.matrix(own) && is.numeric(own) && length(own) > 0
  }, NA))) {
    abort("`search` must be a numeric matrix (fold, configuration), or a list of them, not %s",
          first_class(if (length(matrices)) matrices[[1]] else search))
  }
  for (i in seq_along(matrices)) {
    if (!identical(dim(matrices[[i]]), dim(matrices[[1]]))) {
      abort("`search`: repeat %d has shape (%s), repeat 1 has (%s)", i,
            paste(dim(matrices[[i]]), collapse = ", "), paste(dim(matrices[[1]]), collapse = ", "))
    }
    gone <- !is.finite(matrices[[i]])
    if (any(gone)) {
      abort("`search` is missing or infinite at repeat %d, %s", i,
            place_of(unname(gone), c("fold", "configuration")))
    }
  }
  check_same_columns(matrices, "search")
  lapply(matrices, as_double)
}
