# What tune and workflowsets return: tables that hold a table of predictions per fold.

unnested <- function(table) {
  if (inherits(table, "workflow_set")) return(unnested_set(table))
  if (inherits(table, "tune_results") && !".predictions" %in% names(table)) {
    abort(paste("`predictions`: the tuning kept no predictions; tune with",
                "control_grid(save_pred = TRUE)"))
  }
  if (!is.list(table[[".predictions"]])) return(flat_columns(table))
  if (all(vapply(table[[".predictions"]], is.null, NA))) {
    abort("`predictions`: all models of the tuning failed, see tune::show_notes()")
  }
  ids <- grep("^id[0-9]*$", names(table), value = TRUE)
  stacked(lapply(seq_len(nrow(table)), function(i) {
    part <- flat_columns(as.data.frame(table[[".predictions"]][[i]]))
    part[ids] <- lapply(ids, function(id) rep(as.character(table[[id]][[i]]), nrow(part)))
    part
  }))
}

# Predictions of several numbers per line as a column for each: survival probabilities at the times
# of `.eval_time`, and quantiles.
flat_columns <- function(table) {
  if (is.list(table[[".pred"]])) {
    times <- as.double(table[[".pred"]][[1]][[".eval_time"]])
    shares <- vapply(table[[".pred"]], function(own) {
      if (!identical(as.double(own[[".eval_time"]]), times)) {
        abort("`predictions$.pred` has other times of `.eval_time` in some lines")
      }
      as.double(own[[".pred_survival"]])
    }, times)
    shares <- matrix(shares, length(times))
    table[at_number(".pred_survival", times)] <- lapply(seq_along(times), function(j) shares[j, ])
    table[[".pred"]] <- NULL
  }
  quantiles <- table[[".pred_quantile"]]
  if (inherits(quantiles, "quantile_pred")) {
    # A record with a matrix, or before hardhat 1.4.3 a list of vectors.
    kept <- unclass(quantiles)
    values <- if (is.matrix(kept$quantile_values)) kept$quantile_values else do.call(rbind, kept)
    levels <- attr(quantiles, "quantile_levels")
    table[at_number(".pred_quantile", levels)] <- lapply(seq_along(levels), function(j) values[, j])
    table[[".pred_quantile"]] <- NULL
  }
  table
}

# Names such as ".pred_quantile_0.5".
at_number <- function(prefix, numbers) {
  sprintf("%s_%s", prefix, vapply(as.double(numbers), deparse, ""))
}

# The columns of such a prefix at these numbers, which the predictions must have.
columns_at <- function(table, prefix, numbers, option) {
  wanted <- at_number(prefix, numbers)
  unknown <- setdiff(wanted, names(table))
  if (length(unknown) == 0) return(wanted)
  numbers <- function(columns) {
    paste(substring(columns, nchar(prefix) + 2), collapse = ", ")
  }
  abort("`predictions` has %s at %s, not at %s: tune with %s", sub("^.pred_", "", prefix),
        numbers(grep(paste0("^", prefix, "_"), names(table), value = TRUE)), numbers(unknown), option)
}

# Tables one below the other. rbind() would take the class of times.
stacked <- function(parts) {
  times <- Filter(function(name) inherits(parts[[1]][[name]], "Surv"), names(parts[[1]]))
  out <- do.call(rbind, lapply(parts, function(part) part[setdiff(names(part), times)]))
  for (name in times) {
    kept <- attributes(parts[[1]][[name]])[c("type", "class")]
    bare <- do.call(rbind, lapply(parts, function(part) unclass(part[[name]])))
    attributes(bare) <- c(attributes(bare)[c("dim", "dimnames")], kept)
    out[[name]] <- bare
  }
  out
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
  stacked(lapply(parts, `[`, shared))
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
      time <- own[[".eval_time"]]
      own <- own[wanted]
      own$.eval_time <- if (is.null(time)) NA_real_ else time
      own[ids] <- lapply(ids, function(id) rep(as.character(part[[id]][[fold]]), nrow(own)))
      if (!is.null(names(parts))) own[["wflow_id"]] <- names(parts)[[i]]
      own
    }))
  })
  scores <- do.call(rbind, scores)
  if (is.null(scores)) return(NULL)
  cells <- tune_cells(scores)
  data.frame(metric = scores$.metric, estimator = scores$.estimator, value = scores$.estimate,
             eval_time = scores$.eval_time, cells[!vapply(cells, is.null, NA)])
}

# What tune says, or a table that it collected: its scores, of which select_best(), or rank_results() of
# a workflow set, takes the best mean of the first, at the first of the times where it has several. NULL
# of other tables.
tuned_claim <- function(table) {
  parts <- tuned_parts(table)
  if (length(parts) == 0) {
    return(if (all(c(".row", ".config") %in% names(table))) {
      as_claim("the table", event_unknown = TRUE)
    })
  }
  first <- parts[[1]]
  scores <- tuned_scores(table)
  set <- attr(attr(first, "metrics", exact = TRUE), "metrics", exact = TRUE)
  time <- attr(first, "eval_time", exact = TRUE)
  weighted <- length(unlist(lapply(parts, function(part) part[[".predictions"]][[1]][[".case_weights"]])))
  said <- lapply(unique(scores$metric), function(called) {
    own <- scores[scores$metric == called, ]
    if (length(time) && time[[1]] %in% own$eval_time) own <- own[own$eval_time %in% time[[1]], ]
    metric <- tuned_metric(called, own$estimator[[1]])
    checks <- if (is.null(metric)) compared_metric(called, own$estimator[[1]]) else metric
    brought <- if (is.null(checks)) set[[called]]
    direction <- attr(set[[called]], "direction", exact = TRUE)
    compute <- if (inherits(brought, "metric")) {
      computed_by(brought, unnested(table), tuned_outcome(table), own)
    }
    rises <- if (!is.null(direction)) direction == "maximize"
             else if (!is.null(bbc_name(called))) bbc_metric(called)$greater_is_better
    as_said(called, own, metric, compute, rises, checks = checks,
            # yardstick weighs rows of the Brier score by the exponentials of their weights.
            unchecked = if (weighted && called == "brier_class") "rows are weighted by exponentials")
  })
  # Scores of labels are before those of probabilities, in whatever order the metrics were given. Means
  # of weighted resamples are not computed here.
  decides <- c(intersect(names(set), scores$metric), scores$metric)
  if (!is.null(attr(first, "rset_info", exact = TRUE)$att$.resample_weights)) decides <- NULL
  as_claim(
    "tune", said, if (length(decides)) decides[[1]], event_unknown = TRUE,
    deploys = if (inherits(table, "workflow_set")) "workflow set, by rank_results(),"
              else "tuning, by select_best(),",
    unranked = inherits(first, "tune_race"), lost = tuned_failures(parts)
  )
}

# The metric of a name of yardstick's; averages over more classes have other definitions, but for some.
tuned_metric <- function(called, estimator) {
  averaged <- c(roc_auc.hand_till = "roc_auc_ovo", roc_auc.macro = "roc_auc_ovr",
                roc_auc.macro_weighted = "roc_auc_ovr_weighted", roc_aunu.macro = "roc_auc_ovr",
                roc_aunp.macro_weighted = "roc_auc_ovr_weighted")
  name <- paste(called, estimator, sep = ".")
  if (name %in% names(averaged)) return(bbc_metric(averaged[[name]]))
  any_classes <- called %in% c("accuracy", "kap", "mcc", "mn_log_loss")
  if (!any_classes && !estimator %in% c("binary", "standard")) return(NULL)
  tryCatch(bbc_metric(called), bbc_error = function(error) NULL)
}

# Why models failed, as tune notes it, with the configuration that a note names.
tuned_failures <- function(parts) {
  lines <- lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    notes <- part[[".notes"]]
    if (!is.list(notes)) return(NULL)
    do.call(rbind, lapply(seq_along(notes), function(fold) {
      own <- as.data.frame(notes[[fold]])
      own <- own[own$type %in% "error", ]
      if (nrow(own) == 0) return(NULL)
      model <- regmatches(own$location, regexpr("[A-Za-z]+[0-9]+(_[A-Za-z]+[0-9]+)?|[Mm]odel [0-9]+/[0-9]+",
                                                own$location))
      data.frame(
        configuration = paste0(if (!is.null(names(parts))) paste0(names(parts)[[i]], " "),
                               if (length(model) == nrow(own)) model else own$location),
        fold = as.character(part[[if ("id2" %in% names(part)) "id2" else "id"]][[fold]]),
        reason = as.character(own$note)
      )
    }))
  })
  do.call(rbind, lines)
}

# The groups by which the folds of the tuning were made; NULL if there are none.
tuned_groups <- function(table, rows) {
  parts <- tuned_parts(table)
  if (length(parts) == 0) return(NULL)
  group <- attr(parts[[1]], "rset_info", exact = TRUE)$att$group
  if (!is.character(group) || length(group) != 1) return(NULL)
  parts[[1]][["splits"]][[1]][["data"]][[group]][rows]
}

# Weights of cases, and whether tidymodels scores with them, as it does with frequencies: others it
# leaves out of the predictions.
case_weights <- function(table, tuned) {
  weights <- table[[".case_weights"]]
  if (is.null(weights)) {
    used <- vapply(tuned_parts(tuned), importance_weighted, NA)
    return(if (any(used)) list(scored = FALSE))
  }
  list(values = as.vector(unclass(weights)), scored = !inherits(weights, "hardhat_importance_weights"))
}

# Whether there are weights for training: in the workflow, which is kept only on demand, or by their
# class in the data.
importance_weighted <- function(part) {
  flow <- attr(part, "workflow", exact = TRUE)
  data <- part[["splits"]][[1]][["data"]]
  if (!is.null(flow)) !is.null(flow$pre$actions$case_weights)
  else any(vapply(data, inherits, NA, "hardhat_importance_weights"))
}
