# Digits of the numbers that results show, as bbc shows them; as.data.frame() has all of them.

most_decimals <- 6
no_decimals <- 1e15

# Six significant digits or, where print() was given some, as many; with R's decimal mark.
number <- function(value) written("%.*g", as.integer(shown_digits(6)), value)

shown_digits <- function(default) {
  asked <- getOption("bbcr.digits")
  if (is.null(asked)) default else asked
}

# The number of decimals of a result's estimate, limits and apparent score, from 1 to 6: as many as its
# Monte Carlo errors and a two-hundredth of its interval's width carry. NULL where neither is known, and
# for losses so small that six decimals say too little.
decimals <- function(errors, interval) {
  steps <- c(2 * errors, (interval$high - interval$low) / 200)
  steps <- steps[is.finite(steps)]
  if (length(steps) == 0) return(NULL)
  step <- max(steps)
  if (step == 0) return(most_decimals)
  if (step < 10^-most_decimals) return(NULL)
  max(ceiling(-log10(step)), 1)
}

# The number of decimals that all rows of a table of one metric have.
fewest <- function(places) if (length(unlist(places))) min(unlist(places))

decimals_of <- function(e) decimals(e$monte_carlo_error, e$confidence_interval)

# The number of decimals of a column whose Monte Carlo errors nobody computed: a limit's error is about 0.9 of the
# interval's width over the root of the number of replicates, and the widest interval decides for all rows.
decimals_by_width <- function(low, high, n_bootstraps) {
  width <- suppressWarnings(max(high - low, na.rm = TRUE))
  if (!is.finite(width)) return(NULL)
  decimals(0.9 * width / sqrt(n_bootstraps), list(low = 0, high = width))
}

value_columns <- c("estimate", "low", "high", "apparent")

# A table whose rows have the decimals of their own interval each or, of one quantity, the same; four where there is
# no interval.
with_digits_of_width <- function(frame, n_bootstraps, columns = value_columns, of_one = FALSE) {
  rows <- if (of_one) list(seq_len(nrow(frame))) else as.list(seq_len(nrow(frame)))
  text <- frame
  for (own in rows) {
    places <- decimals_by_width(frame$low[own], frame$high[own], n_bootstraps)
    for (column in columns) {
      values <- frame[[column]][own]
      if (is.null(places)) values <- round(values, 4)
      text[[column]][own] <- to_decimals(values, places)
    }
  }
  text
}

# Numbers with so many decimals each; six significant digits where there are none to be had.
to_decimals <- function(values, places) {
  asked <- !is.null(getOption("bbcr.digits"))
  vapply(values, function(value) {
    if (is.na(value)) return("NA")
    if (asked || is.null(places) || abs(value) >= no_decimals) return(number(value))
    sub("^-(0[.,]0+)$", "\\1", written("%.*f", as.integer(places), value))
  }, "", USE.NAMES = FALSE)
}

# The numbers of an estimate in its metric's units.
shown_of <- function(e, values) to_decimals(values, decimals_of(e))

# A table whose rows have the decimals of an estimate each.
with_decimals <- function(frame, estimates, columns = value_columns) {
  for (column in columns) {
    frame[[column]] <- unlist(Map(shown_of, unname(estimates), frame[[column]]))
  }
  frame
}

with_mark <- function(text) {
  if (getOption("OutDec") == ".") text else chartr(".", getOption("OutDec"), text)
}

# As sprintf() writes numbers of one kind.
written <- function(format, ...) with_mark(sprintf(format, ...))
