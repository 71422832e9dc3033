# The scores of a caret model's own summary function, which it brings along: columns whose metric is not
# known here, or which the user's function computes, are compared as well.

# A function of a column's name that gives its values in `cells`, or in words why there are none.
summarizer <- function(model, cells) {
  found <- NULL
  function(called) {
    if (is.null(found)) {
      found <<- tryCatch(suppressMessages(suppressWarnings(summaries_of(model, cells))),
                         error = function(error) sub("\n.*", "", conditionMessage(error)))
    }
    if (is.character(found)) return(found)
    if (called %in% attr(found, "drawn")) return("the summary function gives other values each time")
    if (!called %in% colnames(found)) return("the summary function does not return it")
    found[, called]
  }
}

# The columns of the summary function for each cell; the mean over resamples where these are not told.
# `drawn` are those that depend on R's generator.
summaries_of <- function(model, cells) {
  lines <- as.data.frame(model$pred)
  own <- train_cells(model, lines)
  pooled <- model$control$method == "LOOCV"
  resample <- if (pooled) rep("", nrow(lines)) else paste0(own$fold, own$rep)
  parts <- split(seq_len(nrow(lines)), paste(own$configuration, resample, sep = "\r"))
  given <- setdiff(names(lines), c(names(model$bestTune), "Resample"))
  classes <- if (is.factor(lines$obs)) levels(lines$obs) else NA
  summarized <- function(rows, seed = 1) {
    with_seed(seed, unlist(model$control$summaryFunction(
      lines[rows, given, drop = FALSE], lev = classes, model = model$method
    )))
  }
  first <- summarized(parts[[1]])
  if (length(first) == 0 || is.null(names(first))) stop("the summary function returns no names")
  scores <- do.call(rbind, lapply(parts, function(rows) as.double(summarized(rows)[names(first)])))
  colnames(scores) <- names(first)
  drawn <- names(first)[!mapply(identical, first, summarized(parts[[1]], seed = 2))]
  structure(in_cells(scores, strsplit(names(parts), "\r", fixed = TRUE), cells), drawn = drawn)
}

# Scores of parts, of which each has a configuration and a resample, in the order of the cells.
in_cells <- function(scores, parts, cells) {
  configuration <- vapply(parts, `[[`, "", 1)
  if (is.null(cells$fold)) {
    means <- vapply(split(seq_along(parts), configuration), function(own) {
      colMeans(scores[own, , drop = FALSE], na.rm = TRUE)
    }, numeric(ncol(scores)))
    means <- t(matrix(means, ncol(scores), dimnames = list(colnames(scores), sort(unique(configuration)))))
    return(means[match(cells$configuration, rownames(means)), , drop = FALSE])
  }
  keys <- vapply(parts, paste, "", collapse = "\r")
  scores[match(paste(cells$configuration, paste0(cells$fold, cells$rep), sep = "\r"), keys), , drop = FALSE]
}
