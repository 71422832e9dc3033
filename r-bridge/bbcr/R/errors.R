# The outermost call into the package: what the user wrote.
user_call <- function() {
  for (frame in seq_len(sys.nframe())) {
    place <- environment(sys.function(frame))
    # The protocols are closures, whose environments lie within the package's.
    if (!is.null(place) && identical(topenv(place), topenv())) return(sys.call(frame))
  }
  NULL
}

# Every error of the package: classed, and with the user's call.
abort <- function(message, ..., class = "bbc_invalid_argument") {
  text <- if (...length() > 0) sprintf(message, ...) else message
  stop(structure(
    class = c(class, "bbc_error", "error", "condition"),
    list(message = text, call = user_call())
  ))
}

# The kernel returns its errors; here they become R's, in R's words and numbering.
checked <- function(result, problem = NULL) {
  if (!inherits(result, "bbc_failure")) return(result)
  abort("%s", in_r_words(result$message, problem), class = result$class)
}

# Arguments that messages of the kernel and of Python advise.
in_r_spelling <- function(message) {
  message <- gsub("\\b(on_undefined|error_score)=[\"']raise[\"']", "\\1 = \"raise\"", message)
  gsub("stratify_bootstrap=True", "stratify_bootstrap = TRUE", message, fixed = TRUE)
}

in_r_words <- function(message, problem = NULL) {
  renamed <- c(row_weights = "sample_weight", units = "groups")
  for (name in names(renamed)) {
    message <- sub(sprintf("^%s: ", name), sprintf("%s: ", renamed[[name]]), message)
  }
  message <- sub("^([a-z_]+): ", "`\\1`: ", message)
  message <- in_r_spelling(message)
  message <- replaced(message, "\\b(row|configuration|repeat|replicate|unit) [0-9]+", function(index) {
    as.character(index + 1)
  })
  # The user's own labels come last: they may look like places.
  if (!is.null(problem$truth$classes)) {
    message <- replaced(message, "\\bclass -?[0-9]+", function(value) {
      as.character(problem$truth$classes[[match(value, label_values(problem$truth))]])
    })
  }
  if (grepl(" of repeat [0-9]+", message)) {
    partition <- as.numeric(sub(".* of repeat ([0-9]+).*", "\\1", message))
    message <- replaced(message, "\\bfold [0-9]+", function(code) {
      problem$fold_labels[[partition]][[code + 1]]
    })
  }
  message
}

# Replaces the number in each match of `pattern`, which is a word, a space and a number.
replaced <- function(text, pattern, replacement) {
  places <- gregexpr(pattern, text, perl = TRUE)
  regmatches(text, places) <- lapply(regmatches(text, places), function(found) {
    vapply(strsplit(found, " ", fixed = TRUE), function(parts) {
      paste(parts[[1]], replacement(as.numeric(parts[[2]])))
    }, "")
  })
  text
}

# "row 3, configuration 7 (12 in total)" of the first TRUE; columns before rows, as R numbers.
place_text <- function(flags, words, count = sum(flags)) {
  index <- arrayInd(which(flags)[[1]], if (is.null(dim(flags))) length(flags) else dim(flags))
  text <- paste(words[seq_along(index)], index, collapse = ", ")
  if (count > 1) sprintf("%s (%d in total)", text, count) else text
}

shown <- function(labels) {
  text <- paste(utils::head(labels, 10), collapse = ", ")
  if (length(labels) > 10) paste0(text, ", ...") else text
}

first_class <- function(value) class(value)[[1]]
