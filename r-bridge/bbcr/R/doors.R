# What all doors share: an object is unpacked to predictions, truth, folds and names, which
# bbc_correct.default() corrects.

correct_object <- function(predictions, truth, metric, event_level = NULL, folds = NULL,
                           names = NULL, ...) {
  if (missing(metric)) metric <- metric_of_tool(predictions, if (!missing(truth)) truth)
  given <- unpacked(predictions, if (!missing(truth)) truth, metric_read(metric, ...), NULL, folds,
                    event_level, names)
  correct_unpacked(given, metric, ...)
}

# The correction, with what only the object knows of its search: of what it chose by its metric and
# rule, unless the caller asks for another choice.
correct_unpacked <- function(given, metric, dynamic_search = FALSE, groups = NULL,
                             stratified_by = NULL, sample_weight = NULL, selection = "best", missing = "raise",
                             pooling = NULL, ...) {
  declared <- flag(dynamic_search, "dynamic_search")
  asked <- list(..., sample_weight = sample_weight, missing = missing, pooling = pooling,
                selection = if (!missing(selection)) selection)
  claim <- given$claim
  is_own <- is_own_choice(claim, metric, asked)
  selection <- if (is_own) own_selection(claim) else with_complexity(selection, given$hyperparameters)
  if (missing(missing)) missing <- missing_by_default(given)
  # What only dropped configurations is allowed for by rungs.
  dynamic <- isTRUE(given$dynamic_search) &&
    !(isTRUE(given$dropped_only) && identical(missing, "rungs"))
  if (is.null(pooling)) pooling <- pooling_of(given, bbc_metric(metric))
  correct <- if (is_own && claim$rule == "fold") by_means
             else function(...) bbc_correct.default(..., pooling = pooling)
  e <- by_row_id(given, correct(
    given$predictions, given$truth, metric, folds = given$folds, event_level = given$event_level,
    names = given$names, dynamic_search = declared || dynamic, selection = selection,
    missing = missing,
    groups = of_design(given, "groups", groups),
    stratified_by = of_design(given, "stratified_by", stratified_by),
    sample_weight = of_design(given, "sample_weight", sample_weight), ...
  ))
  complexity <- if (inherits(selection, "bbc_selection")) selection$complexity
  e <- with_note(e, c(given$note, if (is.null(sample_weight)) given$unweighted))
  e <- as_settled(e, given)
  e$design[names(given$design)] <- given$design
  # The tool averages the scores that it has, replicates those of all folds.
  is_repeated <- is_own && claim$chosen_by == "best" && !any(given$lost$kind == "score")
  with_deployed(e, claim, is_repeated, complexity)
}

# How a metric is pooled where the caller does not say: as the protocol that made the predictions did.
pooling_of <- function(given, metric) {
  if (is.null(given$pooling)) "pooled"
  else if (given$pooling != "auto") given$pooling
  else automatic_pooling(metric, given$truth, given$folds)
}

# By fold where pooling would rank risks of several folds' models, which are relative to their own training
# rows, as those of Cox models are; together all the same if a fold has no comparable pair.
automatic_pooling <- function(metric, truth, folds) {
  if (metric$predicts != "risk") return("pooled")
  risks <- matrix(as.double(seq_len(NROW(truth))))
  for (own in as.data.frame(folds)) {
    problem <- make_problem(risks, truth, list(metric = metric, method = "bbc", pooling = "fold"), folds = own)
    defined <- tryCatch(length(fold_scores(problem, metric, 1L)) > 0, bbc_undefined_metric = function(e) FALSE)
    if (!defined) return("pooled")
  }
  "fold"
}

# Configurations whose fits failed are left out.
missing_by_default <- function(given) {
  if (any(given$lost$kind == "fit") || isTRUE(given$incomplete)) "drop-configurations" else "raise"
}

# A result with what the comparison with the tool showed.
as_settled <- function(result, given) {
  result$checked_scores <- given$checked
  result$findings <- all_findings(result$findings, given$differs) # of which it warned already
  with_findings(result, findings_of_lost(given$lost))
}

# A result with what its object says against itself.
with_note <- function(result, note) {
  if (is.null(note)) return(result)
  for (own in note) warning(own, call. = FALSE)
  result$notes <- c(result$notes, note)
  result
}

# Classes of objects that know the predictions of a search.
fitted_classes <- c(
  "train", "rfe", "cv.glmnet", "tune_results", "workflow_set", "ResampleResult", "BenchmarkResult",
  "Archive", "OptimInstance", "AutoTuner", "bbc_protocol", "bbc_data", "xgb.cv.synchronous", "xgb.cv",
  "SuperLearner"
)

# Those of them whose truth is a column that has to be named, or is not kept.
need_truth <- c("cv.glmnet", "tune_results", "workflow_set", "xgb.cv.synchronous", "xgb.cv", "SuperLearner")

#' Correct the choice among several tuned models
#'
#' A named list of tuned models is one search: the winner is the best configuration of all models,
#' and replicates choose among all of them. Elements are caret models, `cv.glmnet()` fits, or any
#' other object that [bbc_correct()] takes by itself; they need not be of one kind. All must have
#' predicted the same rows in the same folds (with caret, `trainControl(index = )` or the same seed
#' before each `train()`); everything else is refused.
#'
#' @param predictions A named list of models, such as `list(svm = , rf = , glmnet = )`.
#'   Configurations are named `svm(C=1)`. A list of matrices, arrays or data frames is one per
#'   repeat, as in [bbc_correct()]; one with the names of models is refused.
#' @param truth Needed by models that do not keep it (`cv.glmnet`), in the order of the rows.
#' @param metric As in [bbc_correct()].
#' @param ... Other arguments of [bbc_correct()]; by default `folds`, `names` and `event_level` are
#'   what the models say and agree on.
#' @return A `bbc_estimate`, see [bbc_correct()].
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' set.seed(1)
#' two <- droplevels(iris[iris$Species != "setosa", ])
#' control <- caret::trainControl("cv", savePredictions = "all", classProbs = TRUE,
#'                                index = caret::createFolds(two$Species, 5, returnTrain = TRUE))
#' tune <- function(...) caret::train(Species ~ Sepal.Width, two, trControl = control, ...)
#' bbc_correct(list(knn = tune("knn", tuneLength = 2), glm = tune("glm")), metric = "roc_auc",
#'             n_threads = 2)
#' @export
bbc_correct.list <- function(predictions, truth, metric, ...) {
  fitted <- vapply(predictions, inherits, NA, fitted_classes)
  if (any(fitted)) correct_object(predictions, truth, metric, ...)
  else bbc_correct.default(predictions, truth, metric, ...)
}

reading.list <- function(predictions, truth, metric, estimate, folds, event_level, names) {
  fitted <- vapply(predictions, inherits, NA, fitted_classes)
  if (!any(fitted)) {
    return(reading.default(predictions, truth, metric, estimate, folds, event_level, names))
  }
  if (!all(fitted)) {
    for (other in predictions[!fitted]) refuse_unread(other)
    abort("`predictions`: element %d of the list is not a tuned model, but %s",
          which(!fitted)[[1]], first_class(predictions[[which(!fitted)[[1]]]]))
  }
  if (!is.null(estimate)) abort("`estimate` names a column of a long table: leave it out")
  tags <- base::names(predictions)
  if (is.null(tags) || any(!nzchar(tags)) || anyDuplicated(tags)) {
    abort("`predictions`: every model of the list needs a name of its own, as in list(svm = , rf = )")
  }
  needed <- vapply(predictions, inherits, NA, need_truth)
  if (!is.null(truth) && !any(needed)) abort("`truth` is known by these models: leave it out")
  parts <- Map(function(object, tag, needs) {
    own <- as_element(tag, unpacked(object, if (needs) truth, metric, NULL, NULL, event_level, NULL))
    if (!inherits(object, "bbc_data")) return(own)
    without_design(own, c("groups", "stratified_by", "sample_weight"), "an element of a list: give it with the list")
  }, predictions, tags, needed)
  together <- joined_parts(parts)
  if (!is.null(folds)) together$folds <- folds
  if (!is.null(names)) together$names <- names
  together
}

# What is refused of one element, named as R's users would.
as_element <- function(tag, code) {
  tryCatch(code, bbc_error = function(error) {
    error$message <- sub("`predictions`", sprintf("`predictions$%s`", tag), error$message,
                         fixed = TRUE)
    stop(error)
  })
}

# Several unpacked objects of the same rows, folds and repeats as one.
joined_parts <- function(parts) {
  tags <- base::names(parts)
  parts <- lapply(parts, with_repeats_in_order, parts[[1]]$repeats)
  arrays <- lapply(parts, function(part) per_repeat(part$predictions))
  first <- parts[[1]]
  folds <- lapply(seq_along(parts), function(i) own_partition(parts[[i]], arrays[[i]]))
  known <- which(!vapply(folds, is.null, NA))
  event <- lapply(parts, function(part) event_named(part$event_level, part$truth))
  for (i in seq_along(parts)[-1]) {
    check_same_rows(first, parts[[i]], arrays[[1]], arrays[[i]], tags[c(1, i)])
    if (!identical(event[[i]], event[[1]])) {
      abort("`event_level`: the event is %s in %s, and %s in %s; say which it is", event[[1]],
            tags[[1]], event[[i]], tags[[i]])
    }
  }
  for (i in known[-1]) {
    if (identical(folds[[i]], folds[[known[[1]]]])) next
    abort(paste("`predictions`: %s and %s were tuned on other folds; give both the same, as with",
                "caret's trainControl(index = ), glmnet's foldid or mlr3's instantiated resampling"),
          tags[[known[[1]]]], tags[[i]])
  }
  arrays <- alike(arrays, first$truth, event[[1]])
  list(
    predictions = in_time_order(lapply(seq_along(arrays[[1]]), function(i) {
      side_by_side(lapply(arrays, function(own) unnamed_columns(own[[i]])))
    }), any(vapply(parts, function(own) are_in_time_order(own$predictions), NA))),
    truth = first$truth, folds = if (length(known)) parts[[known[[1]]]]$folds,
    event_level = event[[1]],
    names = unlist(Map(tagged_names, tags, parts, arrays), use.names = FALSE),
    row_ids = first$row_ids, from_table = first$from_table,
    groups = agreed(parts, "groups"), sample_weight = agreed(parts, "sample_weight"),
    note = unlist(lapply(parts, `[[`, "note"), use.names = FALSE),
    differs = do.call(rbind, lapply(unname(parts), `[[`, "differs")),
    checked = unlist(lapply(parts, `[[`, "checked")),
    lost = do.call(rbind, unname(Map(function(part, tag) {
      if (NROW(part$lost)) part$lost$configuration <- sprintf("%s(%s)", tag, part$lost$configuration)
      part$lost
    }, parts, tags))),
    unweighted = unique(unlist(lapply(parts, `[[`, "unweighted"), use.names = FALSE)),
    dynamic_search = any(vapply(parts, function(own) isTRUE(own$dynamic_search), NA)),
    dropped_only = all(vapply(parts, function(own) {
      isTRUE(own$dropped_only) || !isTRUE(own$dynamic_search)
    }, NA))
  )
}

# Repeats are called alike, but each object has them in the order of its lines.
with_repeats_in_order <- function(part, repeats) {
  if (length(repeats) < 2 || identical(part$repeats, repeats) || !setequal(part$repeats, repeats)) {
    return(part)
  }
  order <- match(repeats, part$repeats)
  part$predictions[] <- part$predictions[order]
  if (is.matrix(part$folds)) part$folds <- part$folds[, order, drop = FALSE]
  part$repeats <- repeats
  part
}

# The groups or weights that some of the models know.
agreed <- function(parts, name) {
  known <- Filter(Negate(is.null), lapply(parts, `[[`, name))
  for (i in seq_along(known)[-1]) {
    if (identical(known[[i]], known[[1]])) next
    abort("`predictions`: %s and %s have other %s", base::names(known)[[1]],
          base::names(known)[[i]], if (name == "groups") "groups" else "weights")
  }
  if (length(known)) known[[1]]
}

# Classes in the order of the truth's. Probabilities of two classes are those of the event where some
# models give only these.
alike <- function(arrays, truth, event) {
  by_class <- vapply(arrays, function(own) length(dim(own[[1]])) == 3, NA)
  if (!any(by_class) || inherits(truth, "Surv")) return(arrays)
  classes <- as.character(classes_of(truth))
  arrays[by_class] <- lapply(arrays[by_class], lapply, in_class_order, classes)
  if (all(by_class)) return(arrays)
  arrays[by_class] <- lapply(arrays[by_class], lapply, function(own) {
    matrix(own[, , match(event, classes)], nrow(own))
  })
  arrays
}

unnamed_columns <- function(array) {
  dimnames(array) <- NULL
  array
}

# Arrays (row, configuration[, class]) side by side.
side_by_side <- function(arrays) {
  if (length(dim(arrays[[1]])) == 2) return(do.call(cbind, unname(arrays)))
  last_two <- c(1, 3, 2)
  flat <- lapply(arrays, function(own) matrix(aperm(own, last_two), dim(own)[[1]] * dim(own)[[3]]))
  shape <- dim(arrays[[1]])
  aperm(array(do.call(cbind, unname(flat)),
              c(shape[[1]], shape[[3]], sum(vapply(flat, ncol, 1L)))), last_two)
}

# The fold of each row in each repeat as codes, NULL if it is not known.
own_partition <- function(part, arrays) {
  if (is.null(part$folds)) return(NULL)
  fold_codes(fold_columns(part$folds, dim(arrays[[1]])[[1]], length(arrays)), FALSE)
}

check_same_rows <- function(one, other, arrays, others, tags) {
  if (length(arrays) != length(others)) {
    abort("`predictions`: %s has %s, %s has %d", tags[[1]], counted(length(arrays), "repeat"),
          tags[[2]], length(others))
  }
  rows <- c(dim(arrays[[1]])[[1]], dim(others[[1]])[[1]])
  if (rows[[1]] != rows[[2]]) {
    abort("`predictions`: %s has %s, %s has %d", tags[[1]], counted(rows[[1]], "row"), tags[[2]],
          rows[[2]])
  }
  refuse_other_order(stats::setNames(list(named_rows(one), named_rows(other)),
                                     paste0("predictions$", tags)))
  text <- lapply(list(one, other), function(part) {
    values <- part$truth
    if (inherits(values, "Surv")) paste(values[, 1], values[, 2])
    else if (is.factor(values)) as.character(values) else as.vector(values)
  })
  differs <- text[[1]] != text[[2]]
  if (!any(differs)) return(invisible())
  abort(paste("`predictions`: %s and %s differ in the truth at %s: their rows are others, or in",
              "another order"), tags[[1]], tags[[2]], place_of(differs, "row"))
}

# Something that has the names of the rows; NULL if they have none.
named_rows <- function(part) {
  if (!is.null(part$row_names)) stats::setNames(seq_along(part$row_names), part$row_names)
}

# Names such as "svm(C=1)"; a model without hyper-parameters has its own.
tagged_names <- function(tag, part, arrays) {
  own <- if (is.null(part$names)) colnames(arrays[[1]]) else part$names
  n_configurations <- dim(arrays[[1]])[[2]]
  if (n_configurations == 1 && (is.null(own) || grepl("^parameter=", own))) return(tag)
  sprintf("%s(%s)", tag, if (is.null(own)) seq_len(n_configurations) else own)
}

# Values of a hyper-parameter as text: with six digits where these tell all of `among` apart.
parameter_text <- function(value, among = value) {
  if (!is.double(value)) return(as.character(value))
  digits <- if (anyDuplicated(sprintf("%.6g", unique(among)))) 15 else 6
  sprintf("%.*g", digits, value)
}
