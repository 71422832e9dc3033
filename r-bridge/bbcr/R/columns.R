# Columns that are no configuration: those that describe the rows, and those that are the truth. The
# rules, which Python has as well, stand in the documentation's page on tables.

# What they are called, and the argument that takes such a column; "" if none does. Python's words
# are the same.
design_words <- c(
  fold = "folds", folds = "folds", group = "groups", groups = "groups", patient = "groups",
  subject = "groups", participant = "groups", weight = "sample_weight", weights = "sample_weight",
  sample_weight = "sample_weight", id = "", row = "", row_id = "", rowid = "", row_index = "",
  rowindex = "", index = "", "unnamed: 0" = "", "repeat" = "", repeats = ""
)
truth_words <- c(
  "y", "y_true", "target", "targets", "label", "labels", "truth", "outcome", "outcomes"
)
# The last word of what identifies rows, such as patient_id; where not all columns end so.
identifier_words <- c("id", "ids", "nr", "number", "index", "idx", "uuid", "guid")
fewest_identified <- 20
# What pandas calls an index that it writes as a column.
index_names <- "^(__index_level_[0-9]+__|unnamed: [0-9]+|level_[0-9]+)$"

# In every locale: a Turkish lower case of "ID" is not "id".
lower <- function(text) {
  chartr(paste(LETTERS, collapse = ""), paste(letters, collapse = ""), text)
}

# The words of a name, such as "patient" and "id" of patientID, Patient.Id and patient-id.
words_of <- function(name) {
  parts <- gsub("([a-z])([A-Z])", "\\1_\\2", name, perl = TRUE)
  words <- strsplit(lower(parts), "[ _.-]+")[[1]]
  words[nzchar(words)]
}

# The first of these names that is no configuration's: the name, what is wrong with it and the
# argument that takes such a column; NULL if there is none.
design_name <- function(names) {
  if (is.null(names)) return(NULL)
  names <- as.character(names)
  words <- lapply(names, words_of)
  written <- lower(trimws(names))
  joined <- vapply(words, paste, "", collapse = "_")
  known <- c(truth_words, names(design_words))
  word <- ifelse(written %in% known, written, joined)
  identifies <- vapply(words, function(own) {
    length(own) > 1 && own[[length(own)]] %in% identifier_words
  }, NA)
  place <- which(word %in% known | (identifies & !all(identifies)) | grepl(index_names, written))
  if (length(place) == 0) return(NULL)
  first <- place[[1]]
  of_truth <- word[[first]] %in% truth_words
  argument <- if (word[[first]] %in% names(design_words)) design_words[[word[[first]]]] else ""
  list(name = names[[first]], argument = argument,
       what = if (of_truth) "be the truth (by its name)" else "describe the rows (by its name)")
}

# The same of columns of a matrix: by their names, else by their values. Where the metric is a
# `ranking` one, 1 to n in any order are ranks.
design_column <- function(array, ranking = TRUE) {
  names <- colnames(array)
  found <- design_name(names)
  if (!is.null(found) || !is.numeric(array) || length(dim(array)) > 2) return(found)
  for (j in which(array[1, ] %in% floor(array[1, ]))) {
    values <- array[, j]
    why <- numbering(values)
    if (is.null(why) || !(counts(values) || any(array != floor(array) & is.finite(array)))) next
    if (ranking && are_ranks(values)) {
      warning(sprintf("column %s holds 1 to %d, each once: it is taken as ranks", names[[j]],
                      length(values)), call. = FALSE)
      next
    }
    return(list(name = names[[j]], argument = "", what = sprintf("describe the rows (%s)", why)))
  }
  NULL
}

# In what way a column numbers the rows; NULL if it does not. It does if it is 0, 1, 2, ... or 1, 2,
# 3, ...; or if it holds whole numbers that are all different and only rise, only fall, or leave no
# gap. Two rows prove nothing of the former, and nineteen of the latter.
numbering <- function(values) {
  n <- length(values)
  end <- function(value) sprintf("%.15g", value)
  if (counts(values)) return(sprintf("it numbers them from %s on", end(values[[1]])))
  if (n < fewest_identified || anyDuplicated(values[seq_len(fewest_identified)]) ||
        anyNA(values) || any(values != floor(values)) || anyDuplicated(values)) {
    return(NULL)
  }
  if (!is.unsorted(values) || !is.unsorted(rev(values))) {
    return(sprintf("it numbers them in order, from %s to %s", end(values[[1]]), end(values[[n]])))
  }
  ends <- range(values)
  if (ends[[2]] - ends[[1]] != n - 1) return(NULL)
  sprintf("it numbers them without a gap, from %s to %s", end(ends[[1]]), end(ends[[2]]))
}

# Whether these are 0, 1, 2, ... or 1, 2, 3, ...
counts <- function(values) {
  length(values) >= 3 && isTRUE(all(values == values[[1]] + seq_along(values) - 1)) &&
    values[[1]] %in% 0:1
}

# Whether these, which number the rows, are 1 to n, but not in order.
are_ranks <- function(values) {
  !counts(values) && !counts(rev(values)) && identical(as.double(range(values)),
                                                       as.double(c(1, length(values))))
}

abort_design <- function(found) {
  pass_it <- if (nzchar(found$argument)) sprintf("pass it as `%s` and drop it", found$argument)
             else "drop it"
  abort("`predictions`: column %s seems to %s, not to be a configuration: %s; if it is one, %s",
        found$name, found$what, pass_it, list_them)
}

list_them <- "list all configurations in `names`"

# Refuses configurations that are none, of a matrix or data frame whose columns have names. `listed`
# says that the user has listed the configurations, which are then as named.
refuse_other_columns <- function(arrays, truth, metric, listed) {
  if (is.null(colnames(arrays[[1]]))) return(invisible())
  found <- if (!listed) design_column(arrays[[1]], metric$family %in% c("ranking", "callable"))
  if (!is.null(found)) abort_design(found)
  for (array in arrays) {
    same <- copy_of(truth, array)
    if (!is.null(same)) abort("`predictions`: column %s is the truth itself: drop it", same)
  }
}

# Name of the first column that is the truth itself, where that is real numbers: these cannot be
# predicted without an error, labels can.
copy_of <- function(truth, array) {
  values <- truth$values
  real <- is.double(values) && is.null(truth$status) && length(unique(values)) > 2
  if (!real || !is.numeric(array) || length(dim(array)) > 2) return(NULL)
  for (j in which(array[1, ] == values[[1]])) {
    if (isTRUE(all(array[, j] == values))) return(colnames(array)[[j]])
  }
  NULL
}

# Refuses the probabilities of one model's two classes in the place of two configurations.
refuse_complements <- function(arrays) {
  if (all(vapply(arrays, are_complements, NA))) {
    abort(paste(
      "`predictions`: the two columns sum to one in every row, as the probabilities of one model's two",
      "classes do: pass the column of the event, or an array (row, configuration, class); if they",
      "are two configurations, %s"
    ), list_them)
  }
}

# Whether these are two columns of probabilities, not all 0 or 1, that sum to one in every row.
are_complements <- function(array) {
  if (length(dim(array)) != 2 || ncol(array) != 2 || !is.double(array)) return(FALSE)
  gone <- is.na(array)
  known <- array[!gone[, 1] & !gone[, 2], , drop = FALSE]
  identical(unname(gone[, 1]), unname(gone[, 2])) && nrow(known) > 0 &&
    all(known >= 0 & known <= 1) && all(abs(rowSums(known) - 1) <= sqrt(.Machine$double.eps)) &&
    !all(known %in% 0:1)
}
