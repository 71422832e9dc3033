# Labels as integers that the kernel compares with the truth's; whole numbers stay what they are,
# other labels become the codes of their classes.
label_codes <- function(array, gone, truth) {
  textual <- is.character(array)
  if (textual != truth$textual) {
    abort("`predictions` has %s labels, `truth` has %s%s", if (textual) "text" else "numeric",
          if (truth$textual) paste("text labels:", shown(truth$classes)) else "numbers",
          factor_hint(array, truth))
  }
  if (!is_whole(truth$classes)) {
    codes <- match(array, truth$classes) - 1L
    dim(codes) <- dim(array)
    refuse_unknown(array, is.na(codes) & !is.na(array), truth)
    codes[is.na(codes)] <- 0L # dropped before it is read
  } else {
    codes <- array
    if (!is.integer(array)) {
      codes <- suppressWarnings(`storage.mode<-`(array, "integer"))
      unknown <- is.na(codes) != is.na(array) | codes != array
      refuse_unknown(array, unknown & !is.na(unknown), truth)
    }
    if (!is.null(gone)) codes[gone] <- as.integer(truth$classes[[1]])
  }
  codes
}

# The integers that stand for the classes.
label_values <- function(truth) {
  if (is_whole(truth$classes)) as.double(truth$classes) else seq_len(truth$n_classes) - 1
}

is_whole <- function(labels) {
  is.logical(labels) ||
    (is.numeric(labels) && all(labels == floor(labels)) && all(abs(labels) < 2^31))
}

refuse_unknown <- function(array, unknown, truth) {
  if (!any(unknown)) return(invisible())
  dim(unknown) <- dim(array)
  abort("`predictions` has the label %s, which `truth` does not have (%s), at %s%s",
        format(array[unknown][[1]]), shown(sort(truth$classes, method = "radix")),
        place_of(unknown, axis_words), factor_hint(array, truth))
}

# The way out where a factor's levels are the numbers that are predicted.
factor_hint <- function(array, truth) {
  if (is.double(array) && any(array != floor(array), na.rm = TRUE)) {
    return(paste("; these are scores: give labels, such as ifelse(predictions > 0.5, ...), or choose a cut-off by",
                 "selection = bbc_best_threshold()"))
  }
  if (!truth$textual || !all(as.character(unique(as.vector(array))) %in% c(truth$classes, NA))) {
    return("")
  }
  "; the truth as numbers is as.numeric(as.character(truth))"
}
