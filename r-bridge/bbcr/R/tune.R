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
