# Further metrics of one winner, which one metric selects.

# Whether `metric` lists several (or one, in a list).
is_several <- function(metric) {
  if (inherits(metric, "bbc_metric")) return(FALSE)
  is.list(metric) || inherits(metric, "metric_set") || (is.character(metric) && length(metric) > 1)
}

# The one metric that an argument may be; one that is listed alone is taken.
one_metric <- function(metric, which = "of which there is an answer each") {
  if (!is_several(metric)) return(bbc_metric(metric))
  named <- named_metrics(metric)
  if (length(named) > 1) abort("`metric` must be one, %s", which)
  named[[1]]
}

# The metric that selects, as it was given.
selecting_metric <- function(metric) {
  if (!is_several(metric)) return(metric)
  one_metric(metric, "which selects; others are secondary = c(...)")
}

# Metrics by name beside the one that selects, which may be among them; `selects` is NULL where it is not
# known yet.
secondary_metrics <- function(secondary, selects = NULL) {
  if (length(secondary) == 0) return(NULL)
  if (inherits(secondary, "bbc_metric")) secondary <- list(secondary)
  found <- tryCatch(named_metrics(secondary), bbc_error = function(error) {
    error$message <- gsub("`metric`", "`secondary`", error$message, fixed = TRUE)
    stop(error)
  })
  beside(found, selects)
}

# The others without the metric that selects, whose name no other may have.
beside <- function(others, selects) {
  if (is.null(selects)) return(others)
  is_same <- vapply(others, identical, NA, selects) & names(others) == selects$name
  others <- others[!is_same]
  if (selects$name %in% names(others)) {
    abort("`secondary` has a second metric named %s, which no table could tell apart; name it otherwise",
          selects$name)
  }
  others
}

# Refuses further metrics of winners whose predictions are those of no configuration.
refuse_secondary <- function(..., missing = "raise", selection = NULL) {
  by <- if (identical(missing, "rungs")) '`missing = "rungs"`'
        else if (inherits(selection, "bbc_selection") && derives(selection) && !cuts(selection)) {
          sprintf("`selection = %s`", rule_text(selection))
        }
  if (!is.null(by)) abort("`secondary` is not for %s, which takes one metric", by)
}

# A correction with the performance of its winners by other metrics.
with_secondary <- function(fit, others) {
  correction <- winners_of(fit, "bbc_score")
  others <- beside(others, correction$metric)
  if (length(others)) fit$secondary <- scores_by(others, correction)
  fit
}

scores_by <- function(others, correction) {
  lapply(others, function(one) {
    tryCatch(reported(correction$scored(one), correction), bbc_error = function(error) {
      undefined <- inherits(error, "bbc_undefined_metric")
      told <- sub("; these are scores: .*", "; bbc_roc_curve() and bbc_per_1000() read scores", error$message)
      error$message <- if (undefined) sub("`metric`", "`secondary`", error$message, fixed = TRUE)
                       else sprintf("`secondary`, metric \"%s\": %s", one$name, told)
      stop(error)
    })
  })
}

# A record and those of its secondary metrics, by name.
every_metric <- function(e) {
  own <- e
  own$secondary <- NULL
  c(stats::setNames(list(own), e$metric), e$secondary)
}

of_every_metric <- function(e, get) {
  do.call(rbind, unname(lapply(every_metric(e), function(one) get(one))))
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
                           groups = NULL, stratified_by = NULL, stratify_bootstrap = FALSE,
                           class_counts = "sampled", sample_weight = NULL,
                           event_level = NULL, missing = "raise", pooling = NULL,
                           n_bootstraps = NULL, resamples = NULL, confidence_level = 0.95,
                           alternative = "two-sided", on_undefined = "redraw", names = NULL,
                           dynamic_search = FALSE, size_correction = TRUE, block_length = NULL,
                           selection = "best", seed, method, threads) {
  options <- checked_options(metric, method, if (is.null(pooling)) "pooled" else pooling, stratify_bootstrap,
                             n_bootstraps, confidence_level, alternative, on_undefined, seed,
                             selection = if (is_by_rungs(selection)) selection else "best",
                             size_correction = size_correction, class_counts = class_counts)
  options <- read_at_cut_offs(options, selection)
  classed <- !options$metric$target %in% c("real", "survival", "any")
  given <- unpacked(predictions, truth, options$metric, estimate, folds,
                    if (classed) event_level, names)
  if (is.null(pooling)) options$pooling <- pooling_of(given, options$metric)
  if (!classed) given["event_level"] <- list(NULL)
  if (missing(missing)) missing <- missing_by_default(given)
  problem <- problem_of(given, options, groups, sample_weight, missing, block_length = block_length,
                        threads = threads, stratified_by = stratified_by)
  if (is.null(drawn_classes(problem))) options$stratify_bootstrap <- FALSE
  list(problem = problem, options = options, plan = kernel_options(problem, options, resamples))
}

# The winners of a correction by another metric; `among` are the replicates that count, if not all.
reported <- function(scored, correction, among = NULL) {
  refuse_other_cells(scored, correction)
  scores <- winner_scores(scored, correction)
  if (!is.null(among)) scores <- among_replicates(scores, among)
  decided <- correction$decided
  if (length(scores$replicates) == 0) {
    abort("`metric`: \"%s\" is undefined out of bag in all replicates", scored$options$metric$name,
          class = "bbc_undefined_metric")
  }
  result <- estimate_of_winners(scores, scored, decided)
  warn_of(result$findings[!result$findings$code %in% decided$findings$code, ])
  result$decided_by <- decided$metric
  result
}

# Scores of some replicates alone.
among_replicates <- function(scores, among) {
  stays <- scores$defined %in% among
  if (all(stays)) return(scores)
  for (part in c("defined", "replicates", "replicate_winners", "replicate_thresholds")) {
    scores[[part]] <- scores[[part]][stays]
  }
  scores
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
    found <- checked(kernel_score_winners(
      own$target, own$predictions, own$plan, selecting$target, selecting$plan,
      if (!is.null(rows)) rows - 1L, winners$replicates, winners$all_rows, threads
    ), problem)
    if (options$method == "bbc-f") {
      found$rates <- terms_of_folds(scored$problem, scored$plan, winners$all_rows)
    }
    found
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

# Data whose only configuration is what a cut-off or an ensemble derives from all rows: `e` is the estimate, and
# `winner` a number among the configurations that stay.
chosen_output <- function(scored, e, winner) {
  rule <- scored$options$selection
  scored$options["selection"] <- list(NULL)
  scored$options$size_correction <- FALSE
  if (cuts(rule)) {
    chosen <- list(replicates = integer(), all_rows = winner)
    return(at_cut_offs(scored, chosen, list(threshold = e$threshold))$scored)
  }
  problem <- scored$problem
  kept <- problem$kept_configurations
  counts <- round((if (is.null(kept)) e$weights else e$weights[kept]) * rule$size)
  labels <- if (scored$options$metric$predicts == "labels") as.integer(label_values(problem$truth))
  scored$problem$predictions <- lapply(problem$predictions, average_of, counts, labels)
  scored
}

# The mean of the members' numbers, or the label with most votes, the first one on ties. They are added up in the
# order of the members, as in Python.
average_of <- function(array, counts, labels = NULL) {
  if (!is.null(labels)) {
    votes <- sapply(labels, function(label) average_of(array == label, counts))
    return(matrix(labels[max.col(votes, ties.method = "first")]))
  }
  total <- 0
  for (member in which(counts > 0)) {
    total <- total + counts[[member]] * kept_cells(array, list(rows = TRUE, configurations = member))
  }
  total / sum(counts)
}

# The scores as a result.
estimate_of_winners <- function(scores, scored, decided, n_configurations = n_kept(scored$problem)) {
  options <- scored$options
  moments <- moments_of(scores, n_configurations, scored$plan)
  scores$estimate <- moments$estimate
  raw <- c(scores, list(
    n_redrawn = 0, infeasible = decided$infeasible, optimism = optimism_of(scores, options$metric),
    replicate_sd = moments$replicate_sd
  ))
  raw <- with_limits(raw, scored$problem, options)
  result <- suppressWarnings(new_estimate(raw, scored$problem, options, scored$plan))
  result$notes <- character()  # a note is about the configurations that were compared
  result$n_redrawn <- decided$n_redrawn
  result$n_undefined <- length(decided$replicates) - length(scores$replicates)
  result
}

# Estimate and standard deviation of replicates, by the rule of the kernel.
moments_of <- function(raw, n_configurations, plan) {
  checked(kernel_replicate_moments(raw$replicates, raw$apparent, n_configurations, plan))
}

# Configurations that `missing` left.
n_kept <- function(problem) dim(problem$predictions[[1]])[[2]]

# The limits, or why there are too few replicates for them.
with_limits <- function(raw, problem, options) {
  if (!is.null(raw$infeasible)) return(raw)
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
