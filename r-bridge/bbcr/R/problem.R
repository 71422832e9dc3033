# Options that do not depend on the data, checked.
checked_options <- function(metric, method = "bbc", pooling = "pooled", stratify_bootstrap = FALSE,
                            n_bootstraps = NULL, confidence_level = 0.95,
                            alternative = "two-sided", on_undefined = "redraw", seed = NULL,
                            selection = "best", dynamic_search = FALSE, size_correction = TRUE,
                            interval = "order-statistics", class_counts = "sampled") {
  method <- choice(method, "method", c("bbc", "bbc-two-level", "bbc-f"))
  selection <- selection_of(selection)
  interval <- choice(interval, "interval", interval_kinds)
  if (interval == "calibrated") check_calibrated(method, selection)
  metric <- metric_for(bbc_metric(metric), selection, method)
  pooling <- choice(pooling, "pooling", c("pooled", "fold", "rung"))
  check_rungs(selection, metric, method, pooling)
  list(
    metric = metric,
    method = method,
    selection = selection,
    interval = interval,
    pooling = pooling,
    stratify_bootstrap = flag(stratify_bootstrap, "stratify_bootstrap"),
    class_counts = choice(class_counts, "class_counts", c("sampled", "fixed")),
    n_bootstraps = n_bootstraps_of(n_bootstraps, metric, selection),
    confidence_level = check_level(confidence_level),
    alternative = choice(alternative, "alternative", c("two-sided", "greater", "less")),
    on_undefined = choice(on_undefined, "on_undefined", c("redraw", "raise")),
    seed = seed_of(seed), dynamic_search = flag(dynamic_search, "dynamic_search"),
    size_correction = flag(size_correction, "size_correction")
  )
}

# How many replicates there are: what is said, or the kernel's number.
n_bootstraps_of <- function(n_bootstraps, metric, selection) {
  if (!is.null(n_bootstraps)) return(whole_number(n_bootstraps, "n_bootstraps", 1))
  kernel_default_n_bootstraps(if (derives(selection)) selection$rule else "best",
                              !is.null(metric$score))
}

# Everything about the data of one correction, validated once and canonical from then on.
make_problem <- function(predictions, truth, options, folds = NULL, groups = NULL,
                         sample_weight = NULL, event_level = NULL, missing = "raise",
                         names = NULL, folds_needed_by = options_need_folds(options),
                         stratified_by = NULL) {
  by_rungs <- !is.null(options$selection$rungs)
  missing <- choice(missing, "missing",
                    if (by_rungs) "rungs" else c("raise", "drop-rows", "drop-configurations"))
  metric <- options$metric
  if (!identical(options$method, "bbc-f")) {
    groups <- of_design(list(groups = rset_groups(folds)), "groups", groups)
  }
  arrays <- per_repeat(predictions)
  shape <- dim(arrays[[1]])
  refuse_other_order(list(truth = truth, predictions = predictions, folds = folds, groups = groups,
                          stratified_by = stratified_by, sample_weight = sample_weight))
  given <- canonical_truth(truth, metric, event_level, event_needed(metric, length(shape)))
  given <- fill_truth(given, shape[[1]])
  if (given$n_rows != shape[[1]]) {
    abort("`truth` has %s, `predictions` has %d", counted(given$n_rows, "row"), shape[[1]])
  }
  if (!is.null(given$classes)) arrays <- lapply(arrays, in_class_order, users_classes(given))
  refuse_other_columns(arrays, given, metric, listed = !is.null(names))
  if (is.null(names)) refuse_complements(arrays)
  check_kind(arrays, metric, given)
  if (is.null(names) && length(shape) == 2 && metric$predicts != "labels") {
    refuse_other_class(colnames(arrays[[1]]), as.character(given$classes), given$event, "predictions")
  }
  if (is.null(folds) && nzchar(folds_needed_by)) {
    abort("`folds` is needed by %s", folds_needed_by)
  }
  gone <- holes(arrays)
  columns <- if (is.null(names)) colnames(arrays[[1]]) else names
  arrays <- lapply(seq_along(arrays), function(i) {
    canonical_array(arrays[[i]], gone[[i]], metric, given)
  })
  kept <- kept_parts(gone, missing, shape)
  if (!is.null(folds)) folds <- fold_columns(folds, shape[[1]], length(arrays))
  groups <- group_codes(groups, shape[[1]])
  stratified_by <- label_codes_of_folds(stratified_by, shape[[1]])
  weights <- row_weights_of(sample_weight, shape[[1]])
  if (!is.null(kept)) {
    arrays <- lapply(arrays, kept_cells, kept)
    given <- kept_truth(given, kept$rows)
    folds <- if (!is.null(folds)) lapply(folds, `[`, kept$rows)
    groups <- group_codes(groups[kept$rows], sum(kept$rows))
    stratified_by <- label_codes_of_folds(stratified_by[kept$rows], sum(kept$rows))
    weights <- row_weights_of(weights[kept$rows], sum(kept$rows))
  }
  rungs <- if (by_rungs) rungs_of(options$selection$rungs, gone, kept, shape, length(arrays))
  by_row(list(
    truth = given, rungs = rungs, predictions = arrays, groups = groups, weights = weights,
    stratified_by = stratified_by,
    folds = if (!is.null(folds)) fold_codes(folds, is.null(kept) || all(kept$rows)),
    fold_labels = lapply(folds, function(own) as.character(unique(own))),
    time_ordered = are_in_time_order(predictions),
    names = names_of(columns, shape[[2]]), n_rows = shape[[1]], n_configurations = shape[[2]],
    n_repeats = length(arrays),
    left_out_rows = if (is.null(kept)) integer() else unname(which(!kept$rows)),
    left_out_configurations = if (is.null(kept)) integer() else unname(which(!kept$configurations)),
    kept_configurations = if (is.null(kept)) NULL else unname(which(kept$configurations))
  ), metric)
}

# The same of what was unpacked, whose rows errors name as the object does. What it knows of groups and
# weights is checked against those of the call.
problem_of <- function(given, options, groups = NULL, sample_weight = NULL, missing = "raise",
                       folds_needed_by = options_need_folds(options), block_length = NULL,
                       threads = 0L, stratified_by = NULL) {
  problem_with <- function(groups) by_row_id(given, make_problem(
    given$predictions, given$truth, options, given$folds, groups,
    of_design(given, "sample_weight", sample_weight), given$event_level, missing, given$names,
    folds_needed_by, of_design(given, "stratified_by", stratified_by)
  ))
  in_blocks(block_length, options, of_design(given, "groups", groups), problem_with,
            dim(per_repeat(given$predictions)[[1]])[[1]], threads)
}

# Whether the metric asks which of two classes is the event.
event_needed <- function(metric, n_axes) {
  metric$target == "binary" ||
    (n_axes == 2 && metric$predicts %in% c("class_scores", "class_probabilities"))
}

options_need_folds <- function(options) {
  if (options$method != "bbc") return(sprintf('`method = "%s"`', options$method))
  if (options$pooling == "fold") return('`pooling = "fold"`')
  if (is.null(options$selection$complexity)) "" else "`selection = bbc_one_standard_error(...)`"
}

# Rows and configurations that stay; NULL if all do.
kept_parts <- function(gone, missing, shape) {
  if (is.null(gone)) return(NULL)
  any_gone <- Reduce(`|`, gone)
  predicted <- !apply(Reduce(`&`, gone), 1, all)
  if (!any(predicted)) abort("`predictions` is NA in every row")
  kept <- list(rows = predicted, configurations = rep(TRUE, shape[[2]]))
  partial <- any_gone & predicted
  if (!any(partial) || missing == "rungs") return(kept)
  if (missing == "raise") {
    first <- which(vapply(gone, function(own) any(own & predicted), NA))[[1]]
    cells <- gone[[first]] & predicted
    count <- sum(vapply(gone, function(own) sum(own & predicted), 0))
    abort(paste("`predictions` is NA at repeat %d, %s, though other predictions of that row are",
                "there: leave out such configurations or rows, as bbc_correct() does with",
                'missing = "drop-configurations" or "drop-rows", or score a search that dropped',
                'configurations on the way with missing = "rungs"'),
          first, place_of(cells, axis_words, count))
  }
  if (missing == "drop-rows") {
    kept$rows <- predicted & !apply(partial, 1, any)
    if (!any(kept$rows)) abort('`missing = "drop-rows"` leaves no rows')
  } else {
    kept$configurations <- !apply(partial, 2, any)
    if (!any(kept$configurations)) {
      abort('`missing = "drop-configurations"` leaves no configurations')
    }
  }
  kept
}

kept_cells <- function(array, kept) {
  if (length(dim(array)) == 3) array[kept$rows, kept$configurations, , drop = FALSE]
  else array[kept$rows, kept$configurations, drop = FALSE]
}

kept_truth <- function(truth, rows) {
  truth$without_classes <- is.null(class_codes(truth))  # though the numbers of few rows may have two values
  for (part in intersect(c("codes", "values", "status", "observed", "pair_weights"), names(truth))) {
    truth[[part]] <- truth[[part]][rows]
  }
  truth$n_rows <- sum(rows)
  truth
}

kernel_target <- function(truth) {
  if (!is.null(truth$odds)) return(list(values = numeric(truth$n_rows)))
  list(
    codes = truth$codes, label_values = if (!is.null(truth$codes)) label_values(truth),
    label_names = as.character(truth$classes),
    values = truth$values, events = truth$status, pair_weights = truth$pair_weights
  )
}

# What is drawn, and how many of it there are.
units_of <- function(problem, options) {
  if (options$method == "bbc-f") return(list(unit = "fold", n = max(problem$folds) + 1L))
  if (is.null(problem$groups)) return(list(unit = "row", n = problem$truth$n_rows))
  list(unit = "group", n = max(problem$groups) + 1L)
}

kernel_options <- function(problem, options, resamples = NULL) {
  two_level <- options$method == "bbc-two-level"
  if (two_level && !is.null(resamples)) {
    abort(paste("`resamples` are one draw of units per replicate, but method \"bbc-two-level\"",
                "draws folds, and units within them"))
  }
  drawn <- resample_codes(resamples, units_of(problem, options)$n)
  of_folds <- options$method == "bbc-f"
  if (of_folds && options$stratify_bootstrap) {
    abort("`stratify_bootstrap` has no meaning for method \"bbc-f\", which draws whole folds")
  }
  complexity <- complexity_of(options$selection, problem)
  list(
    metric = options$metric,
    n_bootstraps = if (is.null(drawn)) options$n_bootstraps else drawn$n_bootstraps,
    seed = options$seed, stream = options$stream, units = if (!of_folds) problem$groups,
    classes = if (two_level) drawn_classes(problem),
    fixed_class_counts = identical(options$class_counts, "fixed"),
    strata = if (options$stratify_bootstrap) stratum_codes(problem),
    resamples = drawn$codes, drawn_folds = if (two_level) problem$folds,
    folds = if (options$pooling == "fold" && !of_folds) problem$folds,
    row_weights = if (!of_folds) problem$weights, redraw = options$on_undefined == "redraw",
    confidence_level = options$confidence_level, alternative = options$alternative,
    complexity = complexity, selection_folds = if (!is.null(complexity)) problem$folds,
    rotate_repeats = of_folds, choice = if (derives(options$selection)) options$selection$rule,
    choice_size = options$selection$size, rungs = problem$rungs, size_correction = !isFALSE(options$size_correction)
  )
}
