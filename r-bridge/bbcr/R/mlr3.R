#' Correct a benchmark or tuning of mlr3
#'
#' What is chosen among is what the object holds: the learners of a `BenchmarkResult`, the points of
#' a tuning. A `ResampleResult` is one learner: nothing was chosen, and its estimate only gets an
#' interval. The measure `"bbc"` gives the same inside of mlr3.
#'
#' @param predictions A `ResampleResult`, a `BenchmarkResult` of one task, whose learners are then
#'   the configurations, or a tuning: a tuning instance, its archive or a trained `AutoTuner`, which
#'   must have kept the benchmark result, as they do by default. Resampled by (repeated)
#'   cross-validation, leave-one-out, `custom_cv`, `custom` or hold-out.
#' @param truth Not given: the task knows it.
#' @param metric,folds,names As in [bbc_correct()]; by default what the object says.
#' @param event_level The event; by default the task's positive class.
#' @param ... Other arguments of [bbc_correct()], above all `dynamic_search = TRUE` for tuners that
#'   learn from earlier scores, such as Bayesian optimisation, unless an `AutoTuner` tells it.
#'   `groups` and `sample_weight` are those of the task's roles `group` and `weights_measure`; a note
#'   tells of weights that only trained models (`weights_learner`).
#' @details
#' An `AutoTuner` that was resampled by `rsmp("insample")` with `store_models = TRUE` is its tuning on
#' all rows: the inner predictions are corrected, instead of nested resampling. A benchmark of such
#' tuners is one search over the points of all, if their inner resampling is the same instantiated
#' one. With any other outer resampling the outer predictions are read, which tuning never saw.
#'
#' Refused are rows that were predicted by a model that was trained on them, predicted several times
#' (bootstrap, subsampling), other folds for other learners, and iterations without predictions. A
#' learner that stopped early by the rows that it predicts (`validate = "test"`) gets a note. `pinball_loss`
#' reads the predicted quantile of its `alpha`. The scores of the task's default measure, and those of a
#' tuning's measures, are computed again from the predictions; where one comes out otherwise, that is an error,
#' or with `options(bbcr.check = "note")` a warning and finding BBC022.
#'
#' Of a tuning instance the choice by its measure, the default of `metric`, is corrected as it was made: by
#' means over folds (`average = "macro"`) or on all rows. Where another choice is asked for, and it is
#' another point than the tuning's result, the first line of the estimate and finding BBC024 say what is
#' deployed.
#' @section The measure:
#' `msr("bbc", measure = )` is added to mlr3's dictionary when both packages are loaded.
#' `$aggregate()` of a `ResampleResult` or `BenchmarkResult` then gives, per resample result, what
#' `bbc_correct()` gives for it, as `bbc.<measure>`, with the limits of the interval as
#' `bbc.<measure>.lower` and `bbc.<measure>.upper` (not before mlr3 0.21, which knows measures of one
#' number only).
#'
#' Each is the performance of one learner. An `AutoTuner`'s own tuning is corrected where it was
#' trained in sample; that you pick the best row of the table is not, which
#' `bbc_correct(benchmark, ...)` corrects.
#'
#' * `measure`: a name of [bbc_metrics()], a [bbc_metric()], or a measure of mlr3 or its key, such as
#'   `"classif.auc"`. The corrected quantity is then that of mlr3: the mean over folds for
#'   `average = "macro"`, mlr3's default, and all predictions together for `"micro"`. Measures whose
#'   value is that of no metric, such as `classif.prauc`, are refused; the message lists the others.
#' * `id`: another name.
#' * Parameters: `method`, `pooling`, `selection`, `n_bootstraps`, `confidence_level`, `alternative`,
#'   `seed` and `n_threads`, as in [bbc_correct()]. `selection` is of interest only for tuners.
#'
#' With the field `use_weights = "ignore"` the task's weights are left out.
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examplesIf requireNamespace("mlr3", quietly = TRUE)
#' lgr::get_logger("mlr3")$set_threshold("warn")
#' learners <- lapply(c(0.01, 0.1, 0.3), function(cp) {
#'   mlr3::lrn("classif.rpart", cp = cp, id = paste0("cp=", cp), predict_type = "prob")
#' })
#' design <- mlr3::benchmark_grid(mlr3::tsk("sonar"), learners, mlr3::rsmp("cv", folds = 5))
#' benchmark <- mlr3::benchmark(design)
#' bbc_correct(benchmark, metric = "roc_auc", n_threads = 2)
#' benchmark$aggregate(mlr3::msr("bbc", measure = "classif.auc", n_threads = 2))
#' @aliases MeasureBBC mlr_measures_bbc
#' @name bbc_mlr3
#' @export
bbc_correct.ResampleResult <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                       names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

#' @rdname bbc_mlr3
#' @export
bbc_correct.BenchmarkResult <- bbc_correct.ResampleResult

#' @rdname bbc_mlr3
#' @export
bbc_correct.Archive <- bbc_correct.ResampleResult

#' @rdname bbc_mlr3
#' @export
bbc_correct.OptimInstance <- bbc_correct.ResampleResult

#' @rdname bbc_mlr3
#' @export
bbc_correct.AutoTuner <- bbc_correct.ResampleResult

reading.ResampleResult <- function(predictions, truth, metric, estimate, folds, event_level,
                                    names) {
  if (tuned_in_sample(predictions)) {
    return(reading(tuner_of(predictions), truth, metric, estimate, folds, event_level, names))
  }
  unpacked_results(list(predictions), predictions$learner$id, truth, metric, estimate, folds,
                   event_level, names)
}

reading.BenchmarkResult <- function(predictions, truth, metric, estimate, folds, event_level,
                                     names) {
  results <- lapply(seq_len(predictions$n_resample_results), function(i) {
    predictions$resample_result(i)
  })
  if (length(results) == 0) abort("`predictions` is a BenchmarkResult without results")
  if (all(vapply(results, tuned_in_sample, NA))) {
    check_one_task(results)
    tuners <- stats::setNames(lapply(results, tuner_of), make.unique(learner_names(results)))
    if (length(tuners) == 1) tuners <- tuners[[1]]
    return(reading(tuners, truth, metric, estimate, folds, event_level, names))
  }
  unpacked_results(results, learner_names(results), truth, metric, estimate, folds, event_level,
                   names)
}

reading.Archive <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  benchmark <- predictions$benchmark_result
  if (is.null(benchmark) || benchmark$n_resample_results == 0) {
    abort("`predictions`: the tuning kept no predictions; tune with store_benchmark_result = TRUE")
  }
  found <- reading.BenchmarkResult(benchmark, truth, metric, estimate, folds, event_level, NULL)
  if (!is.function(found$given)) return(found)
  tried <- as.list(predictions$data)
  order <- match(benchmark$uhashes, unlist(tried$uhash))
  columns <- lapply(tried[predictions$cols_x], function(values) {
    if (is.list(values)) values <- vapply(values, format, "")
    values[order]
  })
  own <- do.call(paste, c(Map(function(name, values) paste0(name, "=", parameter_text(values)),
                              base::names(columns), columns), sep = ", "))
  called <- predictions$cols_y
  scored <- Filter(function(name) is.numeric(tried[[name]]), called)
  found$claim$said <- c(lapply(scored, function(name) {
    as_said(name, data.frame(configuration = own, value = as.double(tried[[name]])[order]))
  }), found$claim$said)
  best <- if (is.function(predictions$best)) tryCatch(predictions$best(), error = function(e) NULL)
  place <- match(unlist(best$uhash), benchmark$uhashes)
  found$claim[c("decides", "deploys")] <- list(
    if (length(called) == 1 && length(scored)) called, "tuning of mlr3"
  )
  found$claim["chosen"] <- list(if (length(place) == 1 && !is.na(place)) own[[place]])
  named_by_point(found, own, names, as.data.frame(columns, check.names = FALSE))
}

# What was read of a benchmark whose configurations are the points of a tuning.
named_by_point <- function(found, own, names, hyperparameters) {
  learners <- found$configurations
  found$claim$said <- lapply(found$claim$said, function(said) {
    known <- match(said$cells$configuration, learners)
    said$cells$configuration[!is.na(known)] <- own[known[!is.na(known)]]
    said
  })
  renamed <- function(given) {
    given$configurations <- own
    given$hyperparameters <- hyperparameters
    given
  }
  given <- found$given
  read <- found$read
  found$given <- function(event_level) {
    replace(renamed(given(event_level)), "names", list(if (is.null(names)) own else names))
  }
  found$read <- function(metric, event_level) renamed(read(metric, event_level))
  found$points <- hyperparameters
  found$configurations <- own
  found
}

reading.OptimInstance <- function(predictions, truth, metric, estimate, folds, event_level,
                                    names) {
  archive <- predictions$archive
  found <- reading.Archive(archive, truth, metric, estimate, folds, event_level, names)
  if (!is.function(found$given)) return(found)
  measures <- predictions$objective$measures
  measure <- if (length(measures)) measures[[1]]
  rule <- c(macro = "fold", micro = "pooled")[measure$average]
  if (length(rule) && identical(measure$id, found$claim$decides)) found$claim$rule <- rule[[1]]
  found$claim$said <- lapply(found$claim$said, said_by_measures, measures, found$claim$rule)
  found$claim <- with_result(found$claim, predictions$result, archive$cols_x, found)
  found
}

# A column of the archive with the metric of its measure, where the mean over folds or of all rows that the
# claim is about is the measure's, too.
said_by_measures <- function(said, measures, rule) {
  measure <- Find(function(one) identical(one$id, said$called), measures)
  # Of two classes mlr3's Brier score of several sums over both.
  if (is.null(measure) || !is.null(said$metric) || said$called == "classif.mbrier") return(said)
  if (!identical(measure$average, c(fold = "macro", pooled = "micro")[[rule]])) {
    said$unchecked <- "it is averaged otherwise than the measure that decides"
    return(said)
  }
  metric <- tryCatch(metric_of_measure(measure), bbc_error = function(error) NULL)
  said[c("metric", "checks")] <- list(metric, metric)
  said["rises"] <- list(if (is.null(said$rises)) metric$greater_is_better else said$rises)
  said
}

# The claim with the point that is the tuning's result: that of the archive, unless a callback chose
# another one.
with_result <- function(claim, result, parameters, found) {
  if (!is.data.frame(result) || nrow(result) != 1) return(claim)
  result <- as.list(result)
  same <- Reduce(`&`, lapply(parameters, function(name) {
    found$points[[name]] %in% unlist(result[[name]])
  }))
  if (!any(same) || isTRUE(claim$chosen %in% found$configurations[same])) return(claim)
  claim$chosen <- found$configurations[same][[1]]
  claim$chosen_by <- "a rule of its own, such as a callback's"
  claim
}

reading.AutoTuner <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  if (is.null(predictions$tuning_instance)) {
    abort(paste("`predictions`: the AutoTuner is not trained, or did not keep its tuning instance",
                "(resample() and benchmark() keep it with store_models = TRUE)"))
  }
  found <- reading(predictions$tuning_instance, truth, metric, estimate, folds, event_level, names)
  blind <- paste0("Tuner", rep(c("", "Batch", "Async"), each = 3),
                  c("RandomSearch", "GridSearch", "DesignPoints"))
  dynamic <- !inherits(predictions$tuner, blind)
  if (!is.function(found$given)) return(replace(found, "dynamic_search", list(dynamic)))
  given <- found$given
  found$given <- function(event_level) replace(given(event_level), "dynamic_search", list(dynamic))
  found
}

# An AutoTuner that was trained on all rows and predicted them again: its predictions are worth
# nothing, but it holds those of its tuning.
tuned_in_sample <- function(result) {
  inherits(result$resampling, "ResamplingInsample") && inherits(result$learner, "AutoTuner")
}

tuner_of <- function(result) {
  tuner <- result$learners[[1]]
  if (inherits(tuner, "AutoTuner")) tuner else result$learner
}

# Resample results of one task, each of them a configuration.
unpacked_results <- function(results, configurations, truth, metric, estimate, folds, event_level,
                             names) {
  if (!is.null(truth)) abort("`truth` is known by mlr3's results: leave it out")
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  if (identical(metric$target, "any")) {
    abort("metric \"%s\" takes scores or losses, not mlr3's predictions", metric$name)
  }
  task <- check_one_task(results)
  lines <- Map(result_lines, results, configurations)
  check_same_folds(lines, results)
  list(
    claim = as_claim("mlr3", results_said(results, configurations, task)),
    configurations = configurations,
    given = function(event_level) {
      found <- read_results(lines, task, metric, folds, event_level, names)
      found$note <- early_stopping(results)
      found
    },
    read = function(metric, event_level) read_results(lines, task, metric, NULL, event_level, NULL)
  )
}

# The scores by the task's default measure of each iteration.
results_said <- function(results, configurations, task) {
  tables <- Map(function(result, configuration) {
    scores <- if (is.function(result$score)) tryCatch(result$score(), error = function(e) NULL)
    measure <- intersect(names(scores), names(measures_of_mlr3))
    if (length(measure) != 1) return(NULL)
    data.frame(measure = measure, configuration = configuration, value = scores[[measure]],
               fold_and_repeat(result$resampling, scores[["iteration"]]))
  }, results, configurations)
  cells <- do.call(rbind, unname(tables))
  lapply(unique(cells$measure), function(measure) {
    as_said(measure, cells[cells$measure == measure, ], bbc_metric(measures_of_mlr3[[measure]]),
            unchecked = if (!is.null(task$weights_measure)) "rows have weights (weights_measure)")
  })
}

read_results <- function(lines, task, metric, folds, event_level, names) {
  of_all <- function(part) do.call(c, lapply(lines, `[[`, part))
  truth <- do.call(c, lapply(lines, `[[`, "truth"))
  classes <- if (is.factor(truth)) levels(truth)
  if (is.null(event_level) && event_needed(metric, 2) && length(classes) == 2) {
    event_level <- task$positive
  }
  event_level <- event_named(event_level, truth)
  long <- unfolded(
    result_columns(lines, metric, classes, event_level),
    list(row = of_all("row"), configuration = of_all("configuration"), fold = of_all("fold"),
         rep = of_all("rep"))
  )
  of_lines(
    long, folds, names,
    predictions = in_time_order(long$predictions,
                                is_time_ordered(lines[[1]]$train, lines[[1]]$test)),
    truth = long$per_row(truth, "truth"), event_level = event_level,
    from_table = c("predictions", "truth"),
    groups = role_of(task$groups, "group", long$rows),
    sample_weight = role_of(task$weights_measure, "weight", long$rows),
    unweighted = if (!is.null(task$weights_learner) && is.null(task$weights_measure)) {
      paste("models were trained with weights (role weights_learner), which mlr3's scores leave out:",
            "`sample_weight` takes them")
    }
  )
}

check_one_task <- function(results) {
  task <- results[[1]]$task
  for (result in results[-1]) {
    if (identical(result$task$hash, task$hash)) next
    abort("`predictions` is of several tasks (%s, %s): choose one, with its filter(task_ids = )",
          task$id, result$task$id)
  }
  if (!is.null(task$task_type) && !task$task_type %in% c("classif", "regr")) {
    abort("`predictions`: task %s is of type \"%s\", and only classif and regr are read", task$id,
          task$task_type)
  }
  task
}

# What a task says of the rows in a role.
role_of <- function(role, column, rows) {
  if (!is.null(role)) role[[column]][match(rows, role$row_id)]
}

# What iterations of a resampling are called.
fold_and_repeat <- function(resampling, i) {
  repeated <- inherits(resampling, "ResamplingRepeatedCV")
  list(fold = as.character(if (repeated) resampling$folds(i) else i),
       rep = as.character(if (repeated) resampling$repeats(i) else rep(1L, length(i))))
}

# The predictions of a resample result line by line, as fields.
result_lines <- function(result, configuration) {
  resampling <- result$resampling
  check_out_of_sample(result, configuration)
  predictions <- result$predictions()
  parts <- lapply(seq_along(predictions), function(i) {
    own <- predictions[[i]]
    n <- length(own$row_ids)
    if (n == 0) {
      abort(paste("`predictions`: %s has no predictions of its iteration %d: it failed, or has no",
                  "\"test\" among its predict_sets"), configuration, i)
    }
    c(list(row = own$row_ids, truth = own$truth, response = own$response,
           prob = if (is.null(own$prob)) quantile_columns(own$quantiles) else own$prob,
           configuration = rep(configuration, n)), lapply(fold_and_repeat(resampling, i), rep, n))
  })
  fields <- setdiff(base::names(parts[[1]]), "prob")
  out <- lapply(stats::setNames(nm = fields), function(field) {
    do.call(c, lapply(parts, `[[`, field))
  })
  out["prob"] <- list(do.call(rbind, lapply(parts, `[[`, "prob")))
  out$train <- lapply(seq_along(parts), function(i) resampling$train_set(i))
  out$test <- lapply(seq_along(parts), function(i) resampling$test_set(i))
  out
}

# Predicted quantiles as columns named by their levels.
quantile_columns <- function(quantiles) {
  if (is.null(quantiles)) return(NULL)
  matrix(quantiles, nrow(quantiles),
         dimnames = list(NULL, vapply(as.double(attr(quantiles, "probs")), deparse, "")))
}

# Refuses predictions that are not out of sample, or not of one model per row and repeat.
check_out_of_sample <- function(result, configuration) {
  resampling <- result$resampling
  if (inherits(resampling, c("ResamplingBootstrap", "ResamplingSubsampling"))) {
    abort(paste("`predictions`: %s was resampled by %s, which predicts rows several times or never:",
                "only (repeated) cross-validation and hold-out can be corrected"),
          configuration, resampling$id)
  }
  for (i in seq_len(resampling$iters)) {
    both <- intersect(resampling$train_set(i), resampling$test_set(i))
    if (length(both) == 0) next
    abort("`predictions`: %s predicted row %s with a model that was trained on it (resampling %s)",
          configuration, both[[1]], resampling$id)
  }
}

# One partition for all, as one instantiated resampling gives.
check_same_folds <- function(lines, results) {
  partition <- function(own) {
    place <- order(own$rep, own$row, method = "radix")
    list(own$rep[place], own$row[place], own$fold[place])
  }
  first <- partition(lines[[1]])
  for (i in seq_along(lines)[-1]) {
    if (identical(partition(lines[[i]]), first)) next
    id <- c(results[[1]]$resampling$id, results[[i]]$resampling$id)
    if (id[[1]] != id[[2]]) {
      abort("`predictions` is of several resamplings (%s, %s): choose one, with its %s", id[[1]],
            id[[2]], "filter(resampling_ids = )")
    }
    abort(paste("`predictions`: %s and %s were resampled on other folds: configurations are compared",
                "on one instantiated resampling"),
          lines[[1]]$configuration[[1]], lines[[i]]$configuration[[1]])
  }
}

# A note on learners that stop early by the rows that they predict.
early_stopping <- function(results) {
  peeks <- vapply(results, function(own) identical(own$learner$validate, "test"), NA)
  if (!any(peeks)) return(NULL)
  sprintf(paste("%s is validated on the rows that it predicts (validate = \"test\"): its predictions",
                "are too good, which no correction knows"), results[[which(peeks)[[1]]]]$learner$id)
}

result_columns <- function(lines, metric, classes, event_level) {
  if (metric$kernel == "pinball_loss" && !is.null(lines[[1]]$prob)) {
    level <- deparse(metric$alpha)
    return(list(do.call(c, lapply(lines, function(own) {
      if (level %in% colnames(own$prob)) return(own$prob[, level])
      abort("`predictions` has quantiles at %s, not at %s", paste(colnames(own$prob), collapse = ", "),
            level)
    }))))
  }
  if (!reads_classes(metric)) return(list(do.call(c, lapply(lines, `[[`, "response"))))
  if (any(vapply(lines, function(own) is.null(own$prob), NA))) {
    abort("`predictions`: metric \"%s\" reads class probabilities; use predict_type = \"prob\"",
          metric$name)
  }
  prob <- do.call(rbind, lapply(lines, `[[`, "prob"))
  wanted <- classes_read(classes, metric, event_level)
  lapply(stats::setNames(nm = wanted), function(class) prob[, class])
}

# Ids of learners; where these are the same, with the hyper-parameters that differ.
learner_names <- function(results) {
  ids <- vapply(results, function(own) own$learner$id, "")
  if (!anyDuplicated(ids)) return(ids)
  values <- lapply(results, function(own) own$learner$param_set$values)
  parameters <- unique(unlist(lapply(values, names)))
  varying <- Filter(function(name) {
    length(unique(lapply(values, `[[`, name))) > 1
  }, parameters)
  text <- vapply(values, function(own) {
    own <- own[intersect(varying, names(own))]
    if (length(own) == 0) return("")
    paste0(names(own), "=", vapply(own, function(value) {
      if (is.numeric(value)) paste(parameter_text(value), collapse = " ") else format(value)[[1]]
    }, ""), collapse = ", ")
  }, "")
  out <- ifelse(nzchar(text), sprintf("%s(%s)", ids, text), ids)
  if (anyDuplicated(out)) make.unique(out, sep = " ") else out
}
