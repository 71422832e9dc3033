# What tune and workflowsets return: tables that hold a table of predictions per fold.

unnested <- function(table) {
  if (inherits(table, "workflow_set")) return(unnested_set(table))
  if (inherits(table, "tune_results") && !".predictions" %in% names(table)) {
    abort(paste("`predictions`: the tuning kept no predictions; tune with",
                "control_grid(save_pred = TRUE)"))
  }
  if (!is.list(table[[".predictions"]])) return(table)
  ids <- grep("^id[0-9]*$", names(table), value = TRUE)
  parts <- lapply(seq_len(nrow(table)), function(i) {
    part <- as.data.frame(table[[".predictions"]][[i]])
    part[ids] <- lapply(ids, function(id) rep(as.character(table[[id]][[i]]), nrow(part)))
    part
  })
  do.call(rbind, parts)
}

# The workflows of a set one below the other, with the columns that all of them have:
# hyper-parameters differ.
unnested_set <- function(set) {
  parts <- lapply(seq_len(nrow(set)), function(i) {
    id <- set[["wflow_id"]][[i]]
    result <- set[["result"]][[i]]
    if (!inherits(result, "tune_results")) {
      abort("`predictions`: workflow %s has no results; run workflow_map() first", id)
    }
    part <- as_element(id, unnested(result))
    part[["wflow_id"]] <- rep(id, nrow(part))
    part
  })
  shared <- Reduce(intersect, lapply(parts, names))
  do.call(rbind, lapply(parts, `[`, shared))
}

# The name of the outcome, if what tune returned says it.
tuned_outcome <- function(table) {
  if (inherits(table, "workflow_set")) table <- table[["result"]][[1]]
  outcome <- attr(table, "outcomes", exact = TRUE)
  if (is.character(outcome) && length(outcome) == 1) outcome
}

# The tables of tune that `table` is of, by the name of their workflow.
tuned_parts <- function(table) {
  if (inherits(table, "workflow_set")) stats::setNames(table[["result"]], table[["wflow_id"]])
  else if (inherits(table, "tune_results")) list(table)
}

# The scores that tune kept, one below the other, with the cells that they are of; NULL if none.
tuned_scores <- function(table) {
  parts <- tuned_parts(table)
  scores <- lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    kept <- part[[".metrics"]]
    if (!is.list(kept)) return(NULL)
    ids <- grep("^id[0-9]*$", names(part), value = TRUE)
    do.call(rbind, lapply(seq_along(kept), function(fold) {
      own <- as.data.frame(kept[[fold]])
      wanted <- c(".metric", ".estimator", ".estimate", ".config")
      if (!all(wanted %in% names(own)) || nrow(own) == 0) return(NULL)
      own <- own[wanted]
      own[ids] <- lapply(ids, function(id) rep(as.character(part[[id]][[fold]]), nrow(own)))
      if (!is.null(names(parts))) own[["wflow_id"]] <- names(parts)[[i]]
      own
    }))
  })
  scores <- do.call(rbind, scores)
  if (is.null(scores)) return(NULL)
  cells <- tune_cells(scores)
  data.frame(metric = scores$.metric, estimator = scores$.estimator, value = scores$.estimate,
             cells[!vapply(cells, is.null, NA)])
}

# What tune said of the metrics of this package.
tuned_reported <- function(table) {
  scores <- tuned_scores(table)
  if (is.null(scores)) return(NULL)
  # Averages over more classes have other definitions.
  any_classes <- scores$metric %in% c("accuracy", "kap", "mcc", "mn_log_loss")
  scores <- scores[any_classes | scores$estimator %in% c("binary", "standard"), ]
  known <- Filter(function(called) !is.null(bbc_name(called)), unique(scores$metric))
  lapply(known, function(called) {
    as_reported(called, bbc_name(called), scores[scores$metric == called, ])
  })
}

# What select_best(), or rank_results() of a workflow set, chooses among these configurations: the
# best mean of the first metric.
tuned_choice <- function(table, configurations) {
  scores <- tuned_scores(table)
  if (is.null(scores)) return(NULL)
  called <- scores$metric[[1]]
  metric <- bbc_name(called)
  set <- attr(attr(tuned_parts(table)[[1]], "metrics", exact = TRUE), "metrics", exact = TRUE)
  direction <- attr(set[[called]], "direction", exact = TRUE)
  maximize <- if (!is.null(direction)) direction == "maximize"
              else if (!is.null(metric)) bbc_metric(metric)$greater_is_better
  if (is.null(maximize)) return(NULL)
  own <- scores[scores$metric == called, ]
  means <- tapply(own$value, factor(own$configuration, configurations), mean, na.rm = TRUE)
  best <- if (maximize) which.max(means) else which.min(means)
  if (length(best) == 0) return(NULL)
  list(winner = unname(best), name = configurations[[best]], rule = "best",
       what = if (inherits(table, "workflow_set")) "the first of rank_results()"
              else "that of tune's select_best()",
       how = sprintf("the mean %s of its resamples", called))
}

# The groups by which the folds of the tuning were made; NULL if there are none.
tuned_groups <- function(table, rows) {
  parts <- tuned_parts(table)
  if (length(parts) == 0) return(NULL)
  group <- attr(parts[[1]], "rset_info", exact = TRUE)$att$group
  if (!is.character(group) || length(group) != 1) return(NULL)
  parts[[1]][["splits"]][[1]]$data[[group]][rows]
}

# Weights of cases, and whether tidymodels scores with them, as it does with frequencies.
case_weights <- function(table) {
  weights <- table[[".case_weights"]]
  if (is.null(weights)) return(NULL)
  list(values = as.vector(unclass(weights)), scored = !inherits(weights, "hardhat_importance_weights"))
}
