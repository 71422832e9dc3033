# Columns that are no configuration: those that describe the rows, and those that are the truth.

# What they are called, and the argument that takes such a column; "" if none does. Python's words
# are the same.
design_words <- c(
  fold = "folds", folds = "folds", group = "groups", groups = "groups", weight = "sample_weight",
  weights = "sample_weight", sample_weight = "sample_weight", id = "", row = "", row_id = "",
  rowid = "", row_index = "", rowindex = "", index = "", "unnamed: 0" = "", "repeat" = "",
  repeats = ""
)
truth_words <- c(
  "y", "y_true", "target", "targets", "label", "labels", "truth", "outcome", "outcomes"
)

# The first of these names that is no configuration's: the name, what is wrong with it and the
# argument that takes such a column; NULL if there is none.
design_name <- function(names) {
  words <- tolower(trimws(names))
  place <- which(words %in% c(truth_words, names(design_words)))
  if (length(place) == 0) return(NULL)
  word <- words[[place[[1]]]]
  of_truth <- word %in% truth_words
  list(name = names[[place[[1]]]], argument = if (of_truth) "" else design_words[[word]],
       what = if (of_truth) "be the truth (by its name)" else "describe the rows (by its name)")
}

# The same of columns of a matrix: by their names, else by their values.
design_column <- function(array) {
  names <- colnames(array)
  found <- design_name(names)
  if (!is.null(found) || !is.numeric(array) || length(dim(array)) > 2) return(found)
  counting <- which(array[1, ] %in% 0:1)
  for (j in counting[nrow(array) >= 3]) {
    if (isTRUE(all(array[, j] == array[1, j] + seq_len(nrow(array)) - 1))) {
      what <- sprintf("describe the rows (it numbers them from %g on)", array[1, j])
      return(list(name = names[[j]], argument = "", what = what))
    }
  }
  NULL
}

abort_design <- function(found, argument, way_out) {
  pass_it <- if (nzchar(found$argument)) sprintf("pass it as `%s` and drop it", found$argument)
             else "drop it"
  abort("`%s`: column %s seems to %s, not to be a configuration: %s; if it is one, %s", argument,
        found$name, found$what, pass_it, way_out)
}

list_them <- "list all configurations in `names`"

# Refuses configurations that are none, of a matrix or data frame whose columns have names. `listed`
# says that the user has listed the configurations, which are then as named.
refuse_other_columns <- function(arrays, truth, listed, name = "predictions",
                                 way_out = list_them) {
  if (is.null(colnames(arrays[[1]]))) return(invisible())
  found <- if (!listed) design_column(arrays[[1]])
  if (!is.null(found)) abort_design(found, name, way_out)
  for (array in arrays) {
    same <- copy_of(truth, array)
    if (!is.null(same)) abort("`%s`: column %s is the truth itself: drop it", name, same)
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
refuse_complements <- function(arrays, name = "predictions") {
  if (all(vapply(arrays, are_complements, NA))) {
    abort(paste(
      "`%s`: the two columns sum to one in every row, as the probabilities of one model's two",
      "classes do: pass the column of the event, or an array (row, configuration, class); if they",
      "are two configurations, %s"
    ), name, list_them)
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
