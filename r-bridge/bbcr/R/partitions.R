# Folds as other packages keep them: row numbers of each fold (caret's createFolds()), or rsample's
# splits. Each becomes one vector (row -> fold) per repeat.

# The partitions of a list or an rset; NULL if it is a list or data frame with one element per
# repeat.
partitions_of <- function(folds, n_rows) {
  if (inherits(folds, "rset")) return(rset_partitions(folds, n_rows))
  if (!is.list(folds) || is.data.frame(folds) || !all(vapply(folds, is.numeric, NA))) return(NULL)
  if (length(folds) < 2 || all(lengths(folds) == n_rows)) return(NULL)
  whole <- vapply(folds, function(rows) {
    !anyNA(rows) && !anyDuplicated(rows) && all(rows %in% seq_len(n_rows))
  }, NA)
  if (!all(whole)) return(NULL)
  labels <- if (is.null(names(folds))) as.character(seq_along(folds)) else names(folds)
  repeats <- sub("^.*?([.]Rep[0-9]+)?$", "\\1", labels, perl = TRUE)
  # createMultiFolds(), and createFolds(returnTrain = TRUE), hold the rows to train on.
  training <- sum(lengths(folds)) > n_rows * length(unique(repeats))
  held_out <- if (training) lapply(folds, function(rows) setdiff(seq_len(n_rows), rows)) else folds
  held_out_partitions(held_out, labels, repeats, n_rows)
}

# The groups by which rsample divided the rows; NULL if it did not.
rset_groups <- function(folds) {
  if (!inherits(folds, "rset")) return(NULL)
  group <- attr(folds, "group", exact = TRUE)
  if (is.character(group) && length(group) == 1) folds$splits[[1]]$data[[group]]
}

rset_partitions <- function(folds, n_rows) {
  splits <- folds$splits
  n <- nrow(splits[[1]]$data)
  if (n != n_rows) {
    abort("`folds` splits %s, `predictions` has %d", counted(n, "row"), n_rows)
  }
  held_out <- lapply(splits, function(split) {
    if (length(split$out_id) && !anyNA(split$out_id)) split$out_id
    else setdiff(seq_len(n_rows), split$in_id)
  })
  repeated <- "id2" %in% names(folds)
  labels <- as.character(folds[[if (repeated) "id2" else "id"]])
  repeats <- if (repeated) as.character(folds$id) else rep("", length(splits))
  held_out_partitions(held_out, labels, repeats, n_rows)
}

# One vector (row -> fold) per repeat, of the rows of each fold.
held_out_partitions <- function(held_out, labels, repeats, n_rows) {
  lapply(unique(repeats), function(own) {
    parts <- held_out[repeats == own]
    rows <- unlist(parts)
    if (anyDuplicated(rows)) {
      abort(paste("`folds`: row %d is held out in several folds%s: only (repeated) cross-validation",
                  "divides the rows"), rows[[anyDuplicated(rows)]], in_repeat(own, repeats))
    }
    out <- rep(NA_character_, n_rows)
    out[rows] <- rep(labels[repeats == own], lengths(parts))
    if (anyNA(out)) {
      abort("`folds`: row %d is in no fold%s", which(is.na(out))[[1]], in_repeat(own, repeats))
    }
    out
  })
}

in_repeat <- function(own, repeats) {
  if (length(unique(repeats)) == 1) "" else sprintf(" of repeat %d", match(own, unique(repeats)))
}
