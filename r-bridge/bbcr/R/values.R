# Values of other packages' classes. Without these packages, and in a matrix, R drops the class and
# takes what is left for numbers.

# Numbers and labels as base R knows them.
plain_values <- function(values, name) {
  if (inherits(values, "integer64")) return(from_integer64(values, name))
  refuse_labelled(values, name)
  refuse_lost_class(values, name)
  values
}

# The columns of a data frame that are 64-bit integers, as doubles.
plain_columns <- function(frame, name = "predictions") {
  for (column in which(vapply(frame, inherits, NA, "integer64"))) {
    frame[[column]] <- from_integer64(frame[[column]], paste0(name, "$", names(frame)[[column]]))
  }
  frame
}

# bit64's integers keep their bits in doubles.
from_integer64 <- function(values, name) {
  bytes <- writeBin(as.vector(unclass(values)), raw(), endian = "little")
  halves <- matrix(readBin(bytes, "integer", 2 * length(values), endian = "little"), 2)
  low <- as.double(halves[1, ])
  low[is.na(low)] <- -2^31 # R's NA
  out <- halves[2, ] * 2^32 + low %% 2^32
  large <- abs(out) >= 2^53 & !is.na(out)
  if (any(large)) {
    abort("`%s` is a 64-bit integer beyond 2^53 at %s, where doubles are not exact", name,
          place_of(c(large), "row"))
  }
  kept <- attributes(values)
  attributes(out) <- kept[intersect(names(kept), c("names", "dim", "dimnames"))]
  out
}

# Refuses 64-bit integers that have lost their class: as doubles they are all but 0.
refuse_lost_class <- function(values, name) {
  if (!is.double(values) || length(values) == 0) return(invisible())
  ends <- suppressWarnings(range(unclass(values), na.rm = TRUE))
  largest <- max(abs(ends))
  if (largest == 0 || largest >= .Machine$double.xmin) return(invisible())
  abort(paste("`%s` is nowhere larger than %.3g: these are 64-bit integers that lost their class;",
              "convert them by as.numeric() with bit64 loaded"), name, largest)
}

# Labels beside numbers, as of SPSS or Stata: which of them is meant is not told.
refuse_labelled <- function(values, name) {
  if (!inherits(values, "haven_labelled")) return(invisible())
  abort(paste("`%s` is labelled: take haven::as_factor(%s) for its labels, haven::zap_labels(%s)",
              "for its numbers"), name, name, name)
}
