# Several metrics of one winner, which one of them chooses.

# Whether `metric` lists several (or one, in a list).
is_several <- function(metric) {
  if (inherits(metric, "bbc_metric")) return(FALSE)
  is.list(metric) || inherits(metric, "metric_set") || (is.character(metric) && length(metric) > 1)
}

correct_several <- function(predictions, truth, metric, decided_by = NULL, ..., selection = NULL) {
  if (identical(list(...)$missing, "rungs")) abort('`missing = "rungs"` takes one metric')
  metrics <- named_metrics(metric)
  deciding <- deciding_name(metrics, decided_by)
  if (is.function(predictions)) {
    abort("`metric`: blocks are corrected by one metric, got %s", shown(names(metrics)))
  }
  refuse_several(selection, metrics)
  correction <- if (is.null(selection)) correction_of(predictions, truth, metrics[[deciding]], ...)
                else correction_of(predictions, truth, metrics[[deciding]], ..., selection = selection)
  estimates <- lapply(stats::setNames(nm = names(metrics)), function(name) {
    if (name == deciding) correction$decided
    else reported(correction$scored(metrics[[name]]), correction)
  })
  estimates_of(estimates, deciding)
}

# What averages predictions is chosen and scored by one metric.
refuse_several <- function(selection, metrics) {
  if (inherits(selection, "bbc_selection") && derives(selection) && !cuts(selection)) {
    abort("`selection`: %s takes one metric, got %s", rule_text(selection), shown(names(metrics)))
  }
}

deciding_name <- function(metrics, decided_by) {
  if (is.null(decided_by)) names(metrics)[[1]] else choice(decided_by, "decided_by", names(metrics))
}

# A correction, `decided`, from which more is read about its winners; `scored(metric)` is the data
# as another metric reads them. Without a `selection` it is the tool's own choice, if there is one.
correction_of <- function(predictions, truth, metric, ..., seed = NULL, selection,
                          method = "bbc", interval = "order-statistics", block_length = NULL,
                          n_threads = NULL) {
  rule <- if (missing(selection)) "best" else selection
  scored <- function(metric, seed = decided$seed) {
    scored_problem(predictions, truth, metric, ..., block_length = block_length, seed = seed,
                   method = method, selection = rule, threads = threads_of(n_threads))
  }
  # Of all metrics the blocks of the one that selects.
  if (is.character(block_length)) block_length <- scored(metric, 0)$problem$block_length
  decide <- function(...) {
    bbc_correct(predictions, truth, metric, ..., seed = seed, method = method, interval = interval,
                block_length = block_length, n_threads = n_threads)
  }
  decided <- if (missing(selection)) decide(...) else decide(..., selection = selection)
  # A tool's own choice may be one by means over folds.
  selecting <- if (identical(decided$design$selection, "means")) {
    scored_problem(predictions, truth, metric, ..., pooling = "fold", block_length = block_length,
                   seed = decided$seed, method = method, selection = rule,
                   threads = threads_of(n_threads))
  } else {
    scored(metric)
  }
  list(decided = decided, scored = scored, selecting = selecting, threads = threads_of(n_threads))
}

# The metrics by name.
named_metrics <- function(metric) {
  if (inherits(metric, "metric_set")) metric <- unname(attr(metric, "metrics"))
  if (length(metric) == 0) abort("`metric` is empty")
  found <- lapply(metric, bbc_metric)
  given <- names(metric)
  own <- vapply(found, `[[`, "", "name")
  names(found) <- if (is.null(given)) own else ifelse(nzchar(given), given, own)
  if (anyDuplicated(names(found))) {
    abort("`metric` has two of the name %s; name them: c(first = , second = )",
          names(found)[duplicated(names(found))][[1]])
  }
  found
}

# The data as a metric reads them, and the plan by which replicates are drawn and scored.
scored_problem <- function(predictions, truth, metric, estimate = NULL, folds = NULL,
                           groups = NULL, stratify_bootstrap = FALSE, sample_weight = NULL,
                           event_level = NULL, missing = "raise", pooling = "pooled",
                           n_bootstraps = 1000, resamples = NULL, confidence_level = 0.95,
                           alternative = "two-sided", on_undefined = "redraw", names = NULL,
                           dynamic_search = FALSE, size_correction = TRUE, block_length = NULL,
                           selection = "best", seed, method, threads) {
  options <- checked_options(metric, method, pooling, stratify_bootstrap, n_bootstraps,
                             confidence_level, alternative, on_undefined, seed,
                             size_correction = size_correction)
  options <- read_at_cut_offs(options, selection)
  classed <- !options$metric$target %in% c("real", "survival", "any")
  given <- unpacked(predictions, truth, options$metric, estimate, folds,
                    if (classed) event_level, names)
  if (!classed) given["event_level"] <- list(NULL)
  if (missing(missing)) missing <- missing_by_default(given)
  problem <- problem_of(given, options, groups, sample_weight, missing, block_length = block_length,
                        threads = threads)
  if (!classed) options$stratify_bootstrap <- FALSE
  list(problem = problem, options = options, plan = kernel_options(problem, options, resamples))
}

# The winners of a correction by another metric.
reported <- function(scored, correction) {
  refuse_other_cells(scored, correction)
  scores <- winner_scores(scored, correction)
  decided <- correction$decided
  if (length(scores$replicates) == 0) {
    abort("`metric`: \"%s\" is undefined out of bag in all replicates", scored$options$metric$name,
          class = "bbc_undefined_metric")
  }
  infeasible <- if (is.null(decided$infeasible)) "" else decided$infeasible
  result <- estimate_of_winners(scores, scored, decided, infeasible)
  warn_of(result$findings[!result$findings$code %in% decided$findings$code, ])
  result$decided_by <- decided$metric
  result
}

# Numbers of the replicates' winners and of the winner among the configurations that stay.
winner_places <- function(correction) {
  decided <- correction$decided
  winners <- c(decided$replicate_winners, decided$winner)
  kept <- correction$selecting$problem$kept_configurations
  if (!is.null(kept)) winners <- match(winners, kept)
  list(replicates = winners[-length(winners)], all_rows = winners[[length(winners)]])
}

# The winners' scores; with `rows`, those that the scored data have among all.
winner_scores <- function(scored, correction, rows = NULL) {
  problem <- scored$problem
  options <- scored$options
  winners <- winner_places(correction)
  configurations <- winners
  threads <- correction$threads
  if (derives(options$selection)) {
    cut <- at_cut_offs(scored, winners, correction$decided)
    scored <- cut$scored
    winners <- cut$winners
  }
  raw <- if (!is.null(options$metric$score)) {
    scored_by_function(scored, correction$selecting, winners, threads, rows)
  } else {
    as_rows <- if (options$method == "bbc-f") folds_as_rows else rows_as_rows
    own <- as_rows(scored, threads)
    selecting <- as_rows(correction$selecting, threads)
    checked(kernel_score_winners(
      own$target, own$predictions, own$plan, selecting$target, selecting$plan,
      if (!is.null(rows)) rows - 1L, winners$replicates, winners$all_rows, threads
    ), problem)
  }
  if (is.nan(raw$apparent)) {
    abort("`metric`: \"%s\" is undefined on the rows of some repeat", options$metric$name,
          class = "bbc_undefined_metric")
  }
  c(raw, list(
    winner = configurations$all_rows,
    replicate_winners = configurations$replicates[raw$defined],
    threshold = if (derives(options$selection)) correction$decided$threshold,
    replicate_thresholds = if (derives(options$selection)) {
      correction$decided$replicate_thresholds[raw$defined]
    }
  ))
}

# What a metric of labels reads where a cut-off was chosen, too: the labels of each configuration and
# cut-off that won stand in the place of configurations.
at_cut_offs <- function(scored, winners, decided) {
  columns <- c(winners$replicates, winners$all_rows)
  cut_offs <- c(decided$replicate_thresholds, decided$threshold)
  pairs <- paste(columns, match(cut_offs, cut_offs))
  first <- which(!duplicated(pairs))
  places <- match(pairs, pairs[first])
  problem <- scored$problem
  metric <- replace(scored$options$metric, "predicts", "labels")
  labels <- as.integer(label_values(problem$truth))
  scored$problem$predictions <- losses_of(lapply(problem$predictions, function(array) {
    called <- array[, columns[first], drop = FALSE] > rep(cut_offs[first], each = nrow(array))
    array(labels[1 + called], dim(called))
  }), problem$truth, metric)
  # No configuration has a cut-off of its own, whose shift could be taken.
  scored$options[c("metric", "size_correction")] <- list(metric, FALSE)
  scored$plan[c("choice", "size_correction")] <- list(NULL, FALSE)
  list(scored = scored, winners = list(replicates = places[-length(places)],
                                       all_rows = places[[length(places)]]))
}

# The scores as a result.
estimate_of_winners <- function(scores, scored, decided, infeasible) {
  options <- scored$options
  raw <- c(scores, list(
    n_redrawn = 0, infeasible = infeasible, optimism = optimism_of(scores, options$metric),
    replicate_sd = if (length(scores$replicates) > 1) stats::sd(scores$replicates) else 0
  ))
  raw <- with_limits(raw, scored$problem, options)
  result <- suppressWarnings(new_estimate(raw, scored$problem, options, scored$plan))
  result$notes <- character()  # a note is about the configurations that were compared
  result$n_redrawn <- decided$n_redrawn
  result$n_undefined <- length(decided$replicates) - length(scores$replicates)
  result
}

# The limits, or why there are too few replicates for them.
with_limits <- function(raw, problem, options) {
  if (nzchar(raw$infeasible)) return(raw)
  limits <- metric_limits(options$metric, problem$truth$n_classes)
  ends <- kernel_corrected_limits(raw$replicates, raw$estimate, as.double(raw$rates),
                        options$confidence_level, options$alternative, limits[[1]], limits[[2]])
  if (inherits(ends, "bbc_failure")) raw$infeasible <- ends$problem else raw[names(ends)] <- ends
  raw
}

rows_as_rows <- function(scored, threads) {
  list(target = draw_target(scored$problem, scored$options$metric),
       predictions = scored$problem$predictions, plan = scored$plan)
}

# For draws of folds a fold is a row, and its score a prediction whose mean over rows is the metric.
folds_as_rows <- function(scored, threads) {
  metric <- scored$options$metric
  scores <- fold_scores(scored$problem, metric, threads)
  shape <- dim(scores)
  plan <- scored$plan
  plan$metric <- bbc_metric(if (metric$greater_is_better) "row_score" else "row_loss")
  list(
    target = list(values = numeric(shape[[2]])), plan = plan,
    predictions = lapply(seq_len(shape[[3]]), function(i) t(matrix(scores[, , i], shape[[1]])))
  )
}

refuse_other_cells <- function(scored, correction) {
  selecting <- correction$selecting
  for (part in c("left_out_rows", "left_out_configurations")) {
    if (identical(scored$problem[[part]], selecting$problem[[part]])) next
    abort(paste("`predictions`: \"%s\" reads other rows or configurations than \"%s\", because",
                "others are missing"), scored$options$metric$name, selecting$options$metric$name)
  }
}

#' Results by several metrics
#'
#' What [bbc_correct()] returns for several metrics: a named list with a result for each. One
#' metric chooses the winner, on all rows and in each replicate; the others are those of the same
#' winners on the same rows out of bag. Its methods are those of all [results][bbc_results], with a row
#' per metric.
#'
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' scores <- sapply(1:20, function(i) 0.3 * truth + 0.7 * runif(80))
#' e <- bbc_correct(scores, truth, c("roc_auc", "brier_score"), n_threads = 2)
#' e
#' e$brier_score$estimate
#' @name bbc_estimates
NULL

estimates_of <- function(estimates, deciding) {
  structure(estimates, class = c("bbc_estimates", "bbc_result"), decided_by = deciding)
}

show_result.bbc_estimates <- function(x) {
  deciding <- attr(x, "decided_by")
  cat_deployed(x[[deciding]])
  cat_parts(named(sprintf("winner by %s:", deciding), x[[deciding]]$winner_name))
  frame <- frame_of(x)
  shown <- frame[c("metric", "estimate", "low", "high", "apparent", "optimism")]
  shown$metric <- names(x)
  print(shown, digits = shown_digits(6), row.names = FALSE)
  first <- x[[deciding]]
  cat_parts(if (!is.null(first$confidence_interval)) {
    paste(percent(first$confidence_interval$confidence_level), "intervals")
  }, if (!is.null(first$event)) paste("event", first$event), seed_text(first))
}

frame_of.bbc_estimates <- function(x) {
  data.frame(of_all(x, frame_of), decided_by = attr(x, "decided_by"))
}

of_all <- function(x, get) do.call(rbind, unname(lapply(x, function(e) get(e))))

ends_of.bbc_estimates <- function(x, level) {
  out <- of_all(x, function(e) ends_of(e, level))
  rownames(out) <- names(x)
  out
}

tidy_of.bbc_estimates <- function(x) replace(of_all(x, tidy_of), "term", list(names(x)))

glance_of.bbc_estimates <- function(x) of_all(x, glance_of)
