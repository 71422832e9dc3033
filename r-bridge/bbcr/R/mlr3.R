#' Correct a benchmark or tuning of mlr3
#'
#' @param predictions A `ResampleResult`, a `BenchmarkResult` of one task, whose learners are then
#'   the configurations, or a tuning: a tuning instance, its archive or a trained `AutoTuner`, which
#'   must have kept the benchmark result, as they do by default. Resampled by (repeated)
#'   cross-validation, leave-one-out, `custom_cv` or hold-out.
#' @param truth Not given: the task knows it.
#' @param metric,folds,names As in [bbc_correct()]; by default what the object says.
#' @param event_level The event; by default the task's positive class.
#' @param ... Other arguments of [bbc_correct()], above all `dynamic_search = TRUE` for tuners that
#'   learn from earlier scores, such as Bayesian optimisation, unless an `AutoTuner` tells it.
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examplesIf requireNamespace("mlr3", quietly = TRUE)
#' learners <- lapply(c(0.01, 0.1, 0.3), function(cp) {
#'   mlr3::lrn("classif.rpart", cp = cp, id = paste0("cp=", cp), predict_type = "prob")
#' })
#' design <- mlr3::benchmark_grid(mlr3::tsk("sonar"), learners, mlr3::rsmp("cv", folds = 5))
#' bbc_correct(mlr3::benchmark(design), metric = "roc_auc", n_threads = 2)
#' @name bbc_mlr3
#' @export
bbc_correct.ResampleResult <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                       names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

#' @rdname bbc_mlr3
#' @export
bbc_correct.BenchmarkResult <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                        names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

#' @rdname bbc_mlr3
#' @export
bbc_correct.Archive <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

#' @rdname bbc_mlr3
#' @export
bbc_correct.OptimInstance <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                       names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

#' @rdname bbc_mlr3
#' @export
bbc_correct.AutoTuner <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                                  names = NULL, ...) {
  correct_object(predictions, truth, metric, event_level, folds, names, ...)
}

unpacked.ResampleResult <- function(predictions, truth, metric, estimate, folds, event_level,
                                    names) {
  unpacked_results(list(predictions), predictions$learner$id, truth, metric, estimate, folds,
                   event_level, names)
}

unpacked.BenchmarkResult <- function(predictions, truth, metric, estimate, folds, event_level,
                                     names) {
  results <- lapply(seq_len(predictions$n_resample_results), function(i) {
    predictions$resample_result(i)
  })
  unpacked_results(results, learner_names(results), truth, metric, estimate, folds, event_level,
                   names)
}

unpacked.Archive <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  benchmark <- predictions$benchmark_result
  if (is.null(benchmark) || benchmark$n_resample_results == 0) {
    abort("`predictions`: the tuning kept no predictions; tune with store_benchmark_result = TRUE")
  }
  found <- unpacked.BenchmarkResult(benchmark, truth, metric, estimate, folds, event_level, NULL)
  tried <- as.list(predictions$data)
  order <- match(benchmark$uhashes, unlist(tried$uhash))
  columns <- lapply(tried[predictions$cols_x], function(values) {
    if (is.list(values)) values <- vapply(values, format, "")
    values[order]
  })
  found$names <- if (!is.null(names)) names else {
    do.call(paste, c(Map(function(name, values) paste0(name, "=", parameter_text(values)),
                         base::names(columns), columns), sep = ", "))
  }
  found
}

unpacked.OptimInstance <- function(predictions, truth, metric, estimate, folds, event_level,
                                    names) {
  unpacked.Archive(predictions$archive, truth, metric, estimate, folds, event_level, names)
}

unpacked.AutoTuner <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  if (is.null(predictions$tuning_instance)) {
    abort("`predictions`: the AutoTuner is not trained, or did not keep its tuning instance")
  }
  found <- unpacked(predictions$tuning_instance, truth, metric, estimate, folds, event_level, names)
  blind <- paste0("Tuner", c("", "Batch"), rep(c("RandomSearch", "GridSearch", "DesignPoints"), 2))
  found$dynamic_search <- !inherits(predictions$tuner, blind)
  found
}

# Resample results of one task, each of them a configuration.
unpacked_results <- function(results, configurations, truth, metric, estimate, folds, event_level,
                             names) {
  if (!is.null(truth)) abort("`truth` is known by mlr3's results: leave it out")
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  task <- results[[1]]$task
  for (result in results[-1]) {
    if (identical(result$task$hash, task$hash)) next
    abort("`predictions` is of several tasks (%s, %s): choose one, with its filter(task_ids = )",
          task$id, result$task$id)
  }
  lines <- Map(result_lines, results, configurations)
  of_all <- function(part) do.call(c, lapply(lines, `[[`, part))
  truth <- do.call(c, lapply(lines, `[[`, "truth"))
  classes <- if (is.factor(truth)) levels(truth)
  if (is.null(event_level) && event_needed(metric, 2) && length(classes) == 2) {
    event_level <- task$positive
  }
  long <- unfolded(
    result_columns(lines, metric, classes, event_level),
    list(row = of_all("row"), configuration = of_all("configuration"), fold = of_all("fold"),
         rep = of_all("rep"))
  )
  list(
    predictions = long$predictions, truth = long$per_row(truth, "truth"),
    folds = if (is.null(folds)) long$folds else folds, event_level = event_level,
    names = if (is.null(names)) long$configurations else names, row_ids = long$rows,
    from_table = c("predictions", "truth")
  )
}

# The predictions of a resample result line by line, as fields.
result_lines <- function(result, configuration) {
  resampling <- result$resampling
  repeated <- inherits(resampling, "ResamplingRepeatedCV")
  parts <- lapply(seq_along(result$predictions()), function(i) {
    own <- result$predictions()[[i]]
    n <- length(own$row_ids)
    list(
      row = own$row_ids, truth = own$truth, response = own$response, prob = own$prob,
      configuration = rep(configuration, n),
      fold = rep(as.character(if (repeated) resampling$folds(i) else i), n),
      rep = rep(as.character(if (repeated) resampling$repeats(i) else 1L), n)
    )
  })
  fields <- setdiff(base::names(parts[[1]]), "prob")
  out <- lapply(stats::setNames(nm = fields), function(field) {
    do.call(c, lapply(parts, `[[`, field))
  })
  out["prob"] <- list(do.call(rbind, lapply(parts, `[[`, "prob")))
  out
}

result_columns <- function(lines, metric, classes, event_level) {
  reads_classes <- metric$predicts %in%
    c("class_scores", "class_probabilities", "score", "probability")
  if (!reads_classes) return(list(do.call(c, lapply(lines, `[[`, "response"))))
  if (any(vapply(lines, function(own) is.null(own$prob), NA))) {
    abort("`predictions`: metric \"%s\" reads class probabilities; use predict_type = \"prob\"",
          metric$name)
  }
  prob <- do.call(rbind, lapply(lines, `[[`, "prob"))
  wanted <- if (length(classes) == 2 && metric$predicts %in% c("score", "probability")) {
    classes[[event_of(NULL, classes, metric, event_level, TRUE)]]
  } else {
    classes
  }
  lapply(wanted, function(class) prob[, class])
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
    paste0(names(own), "=", vapply(own, function(value) {
      if (is.numeric(value)) paste(parameter_text(value), collapse = " ") else format(value)[[1]]
    }, ""), collapse = ", ")
  }, "")
  out <- sprintf("%s(%s)", ids, text)
  if (anyDuplicated(out)) make.unique(out, sep = " ") else out
}
