#' Tables of predictions
#'
#' A data frame whose columns are configurations is taken as a matrix. These long tables, with one
#' line per prediction, are recognised by their columns:
#'
#' * `row` and `configuration`, `estimate` (the prediction), and where they exist `truth`, `fold`
#'   and `repeat`;
#' * tidymodels: what `tune_grid(..., control = control_grid(save_pred = TRUE))` returns, a
#'   `workflow_set` with such results, or `collect_predictions(x, summarize = FALSE)` of them (`.row`,
#'   `.config`, `id`, `.pred...`); of collected predictions `truth` names the outcome's column, a
#'   factor for class probabilities.
#'   A race of finetune (`tune_race_anova()`, `tune_race_win_loss()`) is given as it is, or collected
#'   with `all_configs = TRUE`: otherwise the dropped configurations are lost. Score it by
#'   `missing = "rungs"`, which allows for what it dropped on the way;
#' * mlr3: `as.data.table()` of predictions (`row_ids`, `truth`, `response`, `prob.<class>`) with a
#'   column `learner_id` (or `configuration`), unless there is one learner, and, where they exist,
#'   `iteration` (the fold) and `repetition`; iterations of repeated cross-validation may be numbered
#'   through. mlr3's own objects are taken as they are: [bbc_mlr3].
#'
#' What `collect_metrics()` and `show_best()` return holds scores, not predictions, and is refused. Each row
#' must have been predicted once per repeat and configuration, as cross-validation does;
#' tables of bootstrap resamples, means over resamples and what `augment()` returns are refused.
#' Slices of rsample's `rolling_origin()` and `sliding_*()` that test no row twice are taken, with
#' finding BBC018. Where `tune` scored folds of `group_vfold_cv()` the groups are drawn
#' together, and frequency weights of cases are
#' `sample_weight`, while a note tells of importance weights, by which tidymodels does not score;
#' tables of `collect_predictions()` do not hold the groups.
#'
#' The scores that tune kept (`.metrics`) are computed again from the predictions: by [bbc_metrics()], by
#' yardstick's definitions (averages over classes, too), or by the metric that the object brings. The result
#' says which (`checked_scores`) and which were not; where one comes out otherwise, as of a truth in another order, that is an error,
#' or with `options(bbcr.check = "note")` a warning and finding BBC022. By default the choice of
#' `select_best()` is corrected: the best mean over folds of tune's first metric, which replicates repeat,
#' scored on all rows together. Another `metric`, `pooling` or `selection` asks for another choice; where
#' that is another configuration than that of `select_best()`, or, with
#' `selection = bbc_one_standard_error(~ -penalty)`, of `select_by_one_std_err()`, the first line of the
#' result and finding BBC024 say what is deployed. Models that failed and scores that are missing are
#' finding BBC026.
#'
#' Of censored regression the truth is the column of times, metrics of survival probabilities read
#' `.pred_survival` at their `time` or `times`, which must be among `eval_time`, and metrics of risks
#' read `.pred_time` or `.pred_linear_pred` with the other sign, since in tidymodels both rise with
#' survival. `.pred_quantile` is read by `pinball_loss`, at its `alpha`.
#'
#' Rows are in the order of their numbers or names (text as the C locale sorts it), configurations in
#' that of their first lines. Python's `from_long()` takes rows, too, in the order of their first
#' lines: where that is another one, the same seed draws other rows.
#'
#' @param predictions The data frame.
#' @param truth The truth in the order of the rows, or the name of its column. By default the
#'   column `truth`.
#' @param metric,event_level As in [bbc_correct()]. `metric` is by default tune's first. The event of
#'   tidymodels tables is the level with which a score that depends on it comes out. If there is none, as
#'   with the AUC and accuracy alone, `event_level` is required by metrics that depend on it, such as
#'   sensitivity, by curves and by a cut-off.
#' @param estimate Name of the column of predictions, where it is not the usual one; of class scores,
#'   the names of one column per class, in the order of the classes.
#' @param folds,names As in [bbc_correct()]; by default what the table says.
#' @param dynamic_search As in [bbc_correct()]; tables of `tune_bayes()`, `tune_sim_anneal()` and
#'   races say it themselves.
#' @param ... Other arguments of [bbc_correct()]. With `selection = bbc_best_threshold()` the column of
#'   scores of the event is read, not that of labels.
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examples
#' set.seed(1)
#' table <- expand.grid(row = 1:60, configuration = c("ridge", "lasso"))
#' table$truth <- sin(table$row)
#' table$estimate <- table$truth + rnorm(120)
#' bbc_correct(table, metric = "mean_squared_error", n_threads = 2)
#' @name bbc_tables
#' @export
bbc_correct.data.frame <- function(predictions, truth, metric, estimate = NULL, folds = NULL,
                                   event_level = NULL, names = NULL, dynamic_search = FALSE,
                                   ...) {
  if (has_fold_scores(predictions)) {
    refuse_of_rows(list(truth = if (!missing(truth)) truth, folds = folds))
    return(correct_score_table(predictions, metric, names = names, dynamic_search = dynamic_search,
                               event_level = event_level, ...))
  }
  if (missing(metric)) metric <- metric_of_tool(predictions, if (!missing(truth)) truth)
  given <- unpacked(predictions, if (!missing(truth)) truth, metric_read(metric, ...),
                    estimate, folds, event_level, names)
  correct_unpacked(given, metric, dynamic_search, ...)
}

# What a table or a fitted model says, in the form of bbc_correct.default(): predictions, truth,
# folds, event_level and names; of tables also the `row_ids`, in the order of the rows, which
# arguments are `from_table`; and what it tells of its search: `dynamic_search`, which `dropped_only`
# configurations; the `hyperparameters` of the configurations, a data frame; and the `claim` of the
# tool, its names of the `configurations`, what was `checked` and what it `lost`, see settle().
unpacked <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  found <- reading(predictions, truth, metric, estimate, folds, event_level, names)
  if (is.function(found$read)) settle(found, metric, event_level) else found
}

# A reader gives all of it, or where there is something to settle the `claim`, how `given(event_level)`
# is made, and how predictions are `read(metric, event_level)` for another metric, without arguments of
# the caller's, and with the tool's event where that is NULL.
reading <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  UseMethod("reading")
}

reading.default <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  refuse_unread(predictions)
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  list(predictions = predictions, truth = truth, folds = folds, event_level = event_level,
       names = names)
}

reading.data.frame <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  refuse_tables_of_tools(predictions)
  given <- function(event_level) {
    read_table(predictions, truth, metric, estimate, folds, event_level, names)
  }
  claim <- tuned_claim(predictions)
  if (is.null(claim)) return(given(event_level))
  list(claim = claim, given = given, read = function(metric, event_level) {
    read_table(predictions, truth, metric, NULL, NULL, event_level, NULL)
  })
}

read_table <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  table <- plain_columns(unnested(predictions))
  kind <- table_kind(table)
  if (kind == "wide") {
    if (is.null(truth) && "truth" %in% names(table)) truth <- "truth"
    if (nrow(table) > 1 && names_column(truth, table)) {
      values <- table[[truth]]
      predictions <- table <- table[setdiff(names(table), truth)]
      truth <- values
    }
    if (is.null(names)) refuse_other_tables(table, truth)
    return(reading.default(predictions, truth, metric, estimate, folds, event_level, names))
  }
  refuse_summarized(table, kind, folds)
  if (is.null(truth)) truth <- tuned_outcome(predictions)
  if (is.null(truth) && metric$target != "any") truth <- truth_column(table, kind)
  by_name <- names_column(truth, table)
  values <- plain_values(if (by_name) table[[truth]] else truth, "truth")
  # Of a metric that depends on it, settle() has it confirmed or asks for it.
  if (kind == "tidymodels" && is.null(event_level) && is.null(estimate) && is.factor(values) &&
        nlevels(values) == 2 && event_needed(metric, 2)) {
    event_level <- "first"
  }
  event_level <- event_named(event_level, values)
  classes <- if (is.factor(values)) levels(values)
  if (metric$target == "binary" && is.factor(values) && length(classes) != 2) {
    abort_not_two(values, classes, metric)
  }
  columns <- estimate_columns(table, kind, metric, estimate, classes, event_level)
  for (column in columns) {
    plain_values(table[[column]], paste0("predictions$", column))
  }
  cells <- table_cells(table, kind)
  values_read <- as.list(table)[columns]
  # tidymodels has them rise with time.
  if (metric$predicts == "risk" && any(grepl("^[.]pred_(time$|linear_pred$|survival_)", columns))) {
    values_read <- lapply(values_read, `-`)
  }
  long <- unfolded(values_read, cells)
  found <- if (is.null(names)) design_name(long$configurations)
  if (!is.null(found)) abort_design(found)
  weights <- if (kind == "tidymodels") case_weights(table, predictions)
  of_lines(
    long, folds, names,
    predictions = in_time_order(long$predictions, kind == "tidymodels" && are_slices(cells$fold)),
    truth = if (by_name) long$per_row(values, truth) else truth, event_level = event_level,
    from_table = c("predictions", if (by_name) "truth"),
    groups = tuned_groups(predictions, long$rows),
    sample_weight = if (isTRUE(weights$scored)) long$per_row(weights$values, ".case_weights"),
    unweighted = if (isFALSE(weights$scored)) {
      "models were trained with importance weights, which tidymodels' scores leave out"
    },
    hyperparameters = table[match(long$configurations, cells$configuration), , drop = FALSE],
    dynamic_search = is_dynamic(predictions), dropped_only = only_drops(predictions)
  )
}

table_kind <- function(table) {
  has <- function(...) all(c(...) %in% names(table))
  if (has(".row", ".config")) return("tidymodels")
  if (has("row_ids") && (has("learner_id") || has("configuration") || has("truth", "response"))) {
    return("mlr3")
  }
  if (has("row", "configuration")) "long" else "wide"
}

# Refuses what collect_predictions() averages over repeats, which has no folds any more.
refuse_summarized <- function(table, kind, folds) {
  if (kind == "tidymodels" && any(table[["id"]] %in% "Apparent")) {
    abort(paste("`predictions`: the resample Apparent holds predictions of rows that models were trained on:",
                "leave it out"))
  }
  if (kind != "tidymodels" || "id" %in% names(table) || !is.null(folds)) return(invisible())
  abort(paste("`predictions`: the table has no column id, as collect_predictions() leaves it out: collect",
              "with summarize = FALSE, or give `folds`"))
}

# Whether the truth is named by its column, which must be there.
names_column <- function(truth, table) {
  if (!is.character(truth) || length(truth) != 1) return(FALSE)
  if (truth %in% names(table)) return(TRUE)
  abort("`truth`: the table has no column %s (it has %s)", truth, shown(names(table)))
}

truth_column <- function(table, kind) {
  if (kind != "tidymodels" && "truth" %in% names(table)) return("truth")
  abort("`truth` must name the column of the truth (the table has %s)", shown(names(table)))
}

# The columns that hold what the metric reads: one, or one per class.
estimate_columns <- function(table, kind, metric, estimate, classes, event_level) {
  if (!is.null(estimate)) {
    if (!is.character(estimate) || length(estimate) == 0) abort("`estimate` must name a column")
    unknown <- setdiff(estimate, names(table))
    if (length(unknown)) abort("`estimate`: the table has no column %s", unknown[[1]])
    if (length(estimate) == 1 && metric$predicts != "labels") {
      refuse_other_class(estimate, classes, event_level, "estimate")
    }
    return(estimate)
  }
  prefix <- c(tidymodels = ".pred_", mlr3 = "prob.", long = "prob.")[[kind]]
  by_class <- paste0(prefix, classes)
  if (kind != "long" && is.null(classes) && reads_classes(metric)) {
    abort("`truth` must be a factor: its levels name the columns %s<level>, unless `estimate` does",
          prefix)
  }
  wanted <- switch(metric$predicts,
    labels = c(tidymodels = ".pred_class", mlr3 = "response", long = "estimate")[[kind]],
    class_scores = , class_probabilities = if (kind != "long") by_class else "estimate",
    score = , probability = if (kind == "long") "estimate" else {
      if (is.null(event_level)) event_of(factor(character(), classes), classes, metric, NULL, TRUE)
      by_class[[event_of(NULL, classes, metric, event_level, TRUE)]]
    },
    if (kind == "tidymodels") tidymodels_column(table, metric)
    else c(mlr3 = "response", long = "estimate")[[kind]]
  )
  unknown <- setdiff(wanted, names(table))
  if (length(unknown)) {
    made <- metric$predicts == "labels" && kind == "tidymodels" && any(startsWith(names(table), ".pred_"))
    abort("`predictions` has no column %s, which metric \"%s\" reads; %s", unknown[[1]], metric$name, if (made) {
      "make it of the probabilities, as by ifelse(), or choose a cut-off by selection = bbc_best_threshold()"
    } else "name it by `estimate`")
  }
  wanted
}

# The columns of tidymodels' predictions of numbers, quantiles and times.
tidymodels_column <- function(table, metric) {
  has <- function(prefix) any(startsWith(names(table), prefix))
  at_times <- function() {
    columns_at(table, ".pred_survival", metric$times,
               sprintf("eval_time = %s", deparse(as.double(metric$times))))
  }
  if (metric$predicts == "survival" && has(".pred_survival_")) return(at_times())
  if (metric$predicts == "risk") {
    if (metric$censoring == "dynamic_auc" && has(".pred_survival_")) return(at_times())
    return(if (has(".pred_time") || !has(".pred_linear_pred")) ".pred_time" else ".pred_linear_pred")
  }
  if (metric$kernel == "pinball_loss" && has(".pred_quantile_")) {
    return(columns_at(table, ".pred_quantile", metric$alpha,
                      sprintf("quantile_levels = %s", deparse(metric$alpha))))
  }
  ".pred"
}

# Row, configuration, fold and repeat of each line.
table_cells <- function(table, kind) {
  first_of <- function(...) {
    found <- intersect(c(...), names(table))
    if (length(found)) as.character(table[[found[[1]]]]) else NULL
  }
  if (kind == "tidymodels") return(c(list(row = table[[".row"]]), tune_cells(table)))
  cells <- list(
    row = table[[if (kind == "mlr3") "row_ids" else "row"]],
    configuration = first_of("configuration", "learner_id"), fold = first_of("fold", "iteration"),
    rep = first_of("repeat", "repetition")
  )
  if (is.null(cells$configuration)) cells$configuration <- rep("learner", nrow(table))
  if (kind == "mlr3" && is.null(cells$rep) && "iteration" %in% names(table)) {
    cells["rep"] <- list(repeats_of(cells, table[["iteration"]]))
  }
  cells
}

# The repeats of repeated cross-validation whose iterations are numbered through, as mlr3 does: the
# n-th iteration that holds a row out belongs to the n-th repeat. NULL if there is one, or where rows
# disagree.
repeats_of <- function(cells, iteration) {
  cell <- paste(cells$row, cells$configuration, sep = "\r")
  counts <- unique(as.vector(table(cell)))
  if (length(counts) > 1 || counts == 1 || anyNA(iteration)) return(NULL)
  order <- order(iteration)
  repeats <- integer(length(cell))
  repeats[order] <- stats::ave(seq_along(cell), cell[order], FUN = seq_along)
  if (any(tapply(repeats, iteration, function(own) length(unique(own))) > 1)) return(NULL)
  as.character(repeats)
}

# Configuration, fold and repeat of each line of a table of tune.
tune_cells <- function(table) {
  repeated <- "id2" %in% names(table)
  fold <- if ("id" %in% names(table)) table[[if (repeated) "id2" else "id"]]
  configuration <- as.character(table[[".config"]])
  # Workflows of a set number their configurations each from 1.
  if ("wflow_id" %in% names(table)) configuration <- paste(table[["wflow_id"]], configuration)
  list(configuration = configuration,
       fold = if (!is.null(fold)) as.character(fold),
       rep = if (repeated) as.character(table[["id"]]))
}

# What `code` refuses of a table's contents, with the ids of rows in place of their numbers.
by_row_id <- function(given, code) {
  if (is.null(given$row_ids)) return(code)
  tryCatch(code, bbc_error = function(error) {
    if (grepl(sprintf("^`(%s)`", paste(given$from_table, collapse = "|")), error$message)) {
      error$values <- lapply(error$values, with_row_id, given$row_ids)
      error$message <- worded(error$template, error$values)
    }
    stop(error)
  })
}

with_row_id <- function(value, ids) {
  if (inherits(value, "bbc_place") && "row" %in% names(value$index)) {
    value$index[["row"]] <- row_id(ids, as.integer(value$index[["row"]]))
  }
  value
}

row_id <- function(ids, index) format(ids[[index]], scientific = FALSE, trim = TRUE)

# From lines to one array per repeat; refuses cells with several predictions. The same in all
# locales: text is not sorted as people do.
unfolded <- function(columns, cells, name = "predictions", what = "row %s was predicted") {
  for (part in names(cells)) {
    if (anyNA(cells[[part]])) {
      abort("`%s`: the %s is NA in line %d", name, if (part == "rep") "repeat" else part,
            which(is.na(cells[[part]]))[[1]])
    }
  }
  rows <- sort(unique(cells$row), method = "radix")
  configurations <- unique(cells$configuration)
  repeats <- if (is.null(cells$rep)) "1" else unique(cells$rep)
  shape <- c(length(rows), length(configurations), length(repeats))
  row <- match(cells$row, rows)
  rep <- if (is.null(cells$rep)) rep(1L, length(row)) else match(cells$rep, repeats)
  cell <- cbind(row, match(cells$configuration, configurations), rep)
  place <- cell[, 1] + shape[[1]] * (cell[, 2] - 1 + shape[[2]] * (cell[, 3] - 1))
  twice <- anyDuplicated(place)
  if (twice) {
    abort(paste0("`%s`: ", what, " more than once by configuration %s in one repeat: only ",
                 "(repeated) cross-validation can be corrected"),
          name, row_id(rows, row[[twice]]), configurations[[cell[twice, 2]]])
  }
  filled <- lapply(columns, function(column) {
    if (is.factor(column)) column <- as.character(column)
    out <- array(column[NA_integer_], shape)
    out[place] <- column
    out
  })
  folds <- fold_matrix(cells$fold, row, rep, shape, rows)
  named <- list(as.character(rows), NULL)
  arrays <- lapply(seq_along(repeats), function(i) {
    own <- lapply(filled, function(out) array(out[, , i], shape[1:2], named))
    if (length(own) == 1) own[[1]]
    else array(unlist(own), c(shape[1:2], length(own)), c(named, list(names(columns))))
  })
  list(
    predictions = arrays, configurations = configurations, rows = rows, repeats = repeats,
    folds = whole_partitions(folds), all_folds = folds,
    per_row = function(values, column) values_per_row(values, row, rows, column)
  )
}

# What a reader gives of lines that were put in arrays; the caller's `folds` and `names` go first.
of_lines <- function(long, folds, names, ...) {
  list(folds = if (is.null(folds)) long$folds else folds,
       names = if (is.null(names)) long$configurations else names, row_ids = long$rows,
       configurations = long$configurations, all_folds = long$all_folds, repeats = long$repeats, ...)
}

# The fold of each row in each repeat, NA where it is in none; NULL if the table does not say it.
fold_matrix <- function(fold, row, rep, shape, rows) {
  if (is.null(fold)) return(NULL)
  folds <- matrix(NA_character_, shape[[1]], shape[[3]])
  folds[cbind(row, rep)] <- fold
  differs <- folds[cbind(row, rep)] != fold
  if (any(differs)) {
    abort("`predictions`: row %s was held out in several folds of one repeat",
          row_id(rows, row[differs][[1]]))
  }
  folds
}

# Folds that divide all rows; NULL if they leave some out.
whole_partitions <- function(folds) {
  if (is.null(folds) || anyNA(folds)) return(NULL)
  if (any(apply(folds, 2, function(own) length(unique(own))) < 2)) NULL else folds
}

# One value per row of a column that repeats it in every line.
values_per_row <- function(values, row, rows, column) {
  out <- values[match(seq_along(rows), row)]
  key <- function(x) if (inherits(x, "Surv")) paste(x[, 1], x[, 2]) else paste(x)
  differs <- key(values) != key(out[row])
  if (any(differs)) {
    abort("`predictions`: column %s has several values for row %s", column,
          row_id(rows, row[differs][[1]]))
  }
  out
}
