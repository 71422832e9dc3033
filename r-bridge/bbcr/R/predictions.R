axis_words <- c("row", "configuration", "class")

# Predictions as a list with one array (row, configuration[, class]) per repeat.
per_repeat <- function(predictions) {
  if (is.data.frame(predictions) || !is.list(predictions)) predictions <- list(predictions)
  if (length(predictions) == 0) abort("`predictions` is an empty list: a list is one per repeat")
  refuse_models(predictions)
  refuse_families(predictions)
  vectors <- vapply(predictions, function(own) is.atomic(own) && length(dim(own)) < 2, NA)
  if (length(predictions) > 1 && all(vectors)) {
    abort(paste("`predictions` is a list of vectors, but a list is one matrix per repeat: if each is a",
                "configuration, use do.call(cbind, predictions)"))
  }
  arrays <- lapply(seq_along(predictions), function(i) as_array(predictions[[i]]))
  shape <- dim(arrays[[1]])
  for (i in seq_along(arrays)) {
    if (!identical(dim(arrays[[i]]), shape)) {
      abort("`predictions`: repeat %d has shape (%s), repeat 1 has (%s)", i,
            paste(dim(arrays[[i]]), collapse = ", "), paste(shape, collapse = ", "))
    }
  }
  if (any(shape == 0)) {
    abort("`predictions` has no %s", c("rows", "configurations", "classes")[shape == 0][[1]])
  }
  check_same_columns(arrays)
  arrays
}

# Refuses objects that are lists but not of predictions.
refuse_models <- function(predictions) {
  if (!is.object(predictions) || inherits(predictions, c("list", "vctrs_list_of"))) {
    return(invisible())
  }
  abort(paste("`predictions` must be a matrix, an array, a list of them or an object of ?bbc_correct,",
              "not %s"), first_class(predictions))
}

# A list is one per repeat. Refuses lists whose names say otherwise: averaged over such repeats, the
# column of one model is taken for that of another.
refuse_families <- function(predictions) {
  labels <- names(predictions)
  if (length(predictions) < 2 || is.null(labels) || !any(nzchar(labels))) return(invisible())
  if (all(grepl("^((r|rep|repeat|repetition)s?[._ -]?)?[0-9]+$", labels, ignore.case = TRUE))) {
    return(invisible())
  }
  abort(paste("`predictions`: a list is one per repeat, but %s are not called as repeats (Rep1, Rep2);",
              "as configurations of one search use do.call(cbind, predictions), as families",
              "bbc_compare(), as repeats unname(predictions)"), shown(labels))
}

# Columns are configurations: those with names must be the same in all repeats.
check_same_columns <- function(arrays) {
  names <- lapply(arrays, colnames)
  named <- which(!vapply(names, is.null, NA))
  for (i in named) {
    if (!identical(names[[i]], names[[named[[1]]]])) {
      abort("`predictions`: repeat %d has the columns %s, repeat %d has %s", i, shown(names[[i]]),
            named[[1]], shown(names[[named[[1]]]]))
    }
  }
}

as_array <- function(value) {
  if (is.data.frame(value)) value <- frame_matrix(value)
  shape <- dim(value)
  if (is.null(shape) || length(shape) == 1) {
    if (is.atomic(value)) {
      abort(paste("`predictions` must be a matrix with a column per configuration; for one",
                  "configuration use matrix(predictions, ncol = 1)"))
    }
    abort(paste("`predictions` must be a matrix, an array, a list of them or one of the tables of",
                "?bbc_tables, not %s"), first_class(value))
  }
  if (!is.atomic(value) || is.complex(value) || is.raw(value) || isS4(value)) {
    abort("`predictions` must hold numbers or labels, not %s; use as.matrix() if it is sparse",
          if (isS4(value)) first_class(value) else typeof(value))
  }
  if (length(shape) > 3) {
    abort("`predictions` has %d axes, not (row, configuration[, class]); repeats are a list",
          length(shape))
  }
  plain_values(value, "predictions")
}

frame_matrix <- function(frame) {
  frame <- plain_columns(frame)
  refuse_tables_of_tools(frame)
  for (name in names(frame)) refuse_labelled(frame[[name]], paste0("predictions$", name))
  nested <- vapply(frame, is.list, NA)
  if (any(nested)) {
    abort("`predictions`: column %s is a list; ?bbc_tables says which tables are taken",
          names(frame)[nested][[1]])
  }
  refuse_number_texts(frame)
  textual <- vapply(frame, function(x) is.factor(x) || is.character(x), NA)
  numeric <- vapply(frame, function(x) is.numeric(x) || is.logical(x), NA)
  if (!all(textual) && !all(numeric)) {
    known <- intersect(c("truth", "outcome", "y", "obs"), names(frame)[!numeric])
    if (any(numeric) && length(known)) {
      abort("`predictions`: column %s is no prediction: give it as `truth`, and leave it out of the table", known[[1]])
    }
    odd <- names(frame)[if (any(numeric)) which(!numeric) else which(!textual)][[1]]
    abort("`predictions`: columns must be of one type; column %s (%s) differs from the others", odd,
          first_class(frame[[odd]]))
  }
  as.matrix(frame)
}

# Refuses predictions of a kind that the metric does not take.
check_kind <- function(arrays, metric, truth) {
  shape <- dim(arrays[[1]])
  by_class <- length(shape) == 3
  takes_classes <- metric$predicts %in% c("class_scores", "class_probabilities")
  for (array in arrays) {
    if (metric$predicts != "labels" && is.character(array) && !is.null(colnames(array))) {
      abort("`predictions`: column %s is text, metric \"%s\" reads numbers (%s)",
            colnames(array)[[1]], metric$name, metric$predicts)
    }
    if (metric$predicts != "labels" && !is.numeric(array) && !is.logical(array)) {
      abort("`predictions` must be numbers (%s) for metric \"%s\", not %s", metric$predicts,
            metric$name, typeof(array))
    }
  }
  if (metric$predicts == "survival") return(check_probabilities(shape, metric))
  if (by_class && !takes_classes && !metric$predicts %in% c("score", "probability")) {
    abort("`predictions` has three axes (class scores), but metric \"%s\" takes %s in a matrix",
          metric$name, metric$predicts)
  }
  if (by_class && shape[[3]] != truth$n_classes) {
    abort("`predictions` has %d classes on the last axis, `truth` has %d (%s)", shape[[3]],
          truth$n_classes, shown(truth$classes))
  }
  if (takes_classes && !by_class && truth$n_classes > 2) {
    abort("`predictions` must have shape (row, configuration, %d) for metric \"%s\"",
          truth$n_classes, metric$name)
  }
}

# Class scores in the order of `classes`, which the names on the last axis tell: the classes, with or
# without a prefix such as ".pred_". Other names are no matter, unless some of them are classes.
in_class_order <- function(array, classes) {
  given <- if (length(dim(array)) == 3) dimnames(array)[[3]]
  if (is.null(given) || length(given) != length(classes)) return(array)
  for (spelled in list(classes, make.names(classes))) {
    order <- match(spelled, without_prefix(given, spelled))
    if (!anyNA(order)) {
      return(if (is.unsorted(order)) array[, , order, drop = FALSE] else array)
    }
  }
  if (any(without_prefix(given, classes) %in% classes)) {
    abort("`predictions` has the classes %s on the last axis, `truth` has %s", shown(given),
          shown(classes))
  }
  array
}

# Names without what all of them begin with before the class.
without_prefix <- function(names, classes) {
  n <- max(0, min(nchar(names)) - min(nchar(classes)))
  prefix <- substr(names[[1]], 1, n)
  if (all(startsWith(names, prefix))) substring(names, n + 1) else names
}

# The classes of a canonical truth in the order that the user gave them.
users_classes <- function(truth) {
  as.character(if (truth$swapped) rev(truth$classes) else truth$classes)
}

# Per repeat, TRUE where a prediction is missing; NULL if none is. Infinities are errors.
holes <- function(arrays) {
  found <- lapply(seq_along(arrays), function(i) {
    array <- arrays[[i]]
    if (is.double(array) && !is.finite(sum(array)) && any(is.infinite(array))) {
      abort("`predictions` is infinite at %s%s", if (length(arrays) > 1)
        sprintf("repeat %d, ", i) else "", place_of(is.infinite(array), axis_words))
    }
    if (!anyNA(array)) return(NULL)
    gone <- is.na(array)
    if (length(dim(gone)) == 3) apply(gone, 1:2, any) else unname(gone)
  })
  if (all(vapply(found, is.null, NA))) return(NULL)
  none <- array(FALSE, dim(arrays[[1]])[1:2])
  lapply(found, function(gone) if (is.null(gone)) none else gone)
}

# The array as the kernel reads it: labels as integers, everything else as doubles.
canonical_array <- function(array, gone, metric, truth) {
  switch(metric$predicts,
    labels = label_codes(array, gone, truth),
    losses = , value = , risk = , survival = {
      check_range(array, metric$prediction_range, "predictions", metric, axis_words)
      as_double(array)
    },
    class_values(array, metric, truth)
  )
}

as_double <- function(array) {
  if (!is.double(array)) storage.mode(array) <- "double"
  array
}

class_values <- function(array, metric, truth) {
  probabilities <- metric$predicts %in% c("probability", "class_probabilities")
  if (probabilities) check_range(array, "[0, Inf)", "predictions", metric, axis_words)
  if (length(dim(array)) == 3) {
    if (probabilities) check_sums(array)
    if (metric$predicts %in% c("score", "probability")) {
      keep <- if (truth$swapped) 1 else 2
      array <- array(array[, , keep], dim(array)[1:2])
    } else if (truth$swapped) {
      array <- array[, , 2:1, drop = FALSE]
    }
  }
  if (probabilities) check_range(array, "[0, 1]", "predictions", metric, axis_words)
  as_double(array)
}

check_sums <- function(array) {
  sums <- rowSums(array, dims = 2)
  wrong <- abs(sums - 1) > sqrt(.Machine$double.eps)
  wrong <- wrong & !is.na(wrong)
  if (any(wrong)) {
    abort("`predictions` of the classes sum to %s instead of 1 at %s",
          format(sums[wrong][[1]]), place_of(wrong, axis_words))
  }
}
