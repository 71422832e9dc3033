# Rows that have names: all that runs along them must name them in the same order.

# The names of the rows of a vector, factor, matrix or data frame; NULL if it has none. Those that a
# data frame has by itself are numbers that say nothing.
row_names_of <- function(value) {
  if (is.data.frame(value)) {
    return(if (.row_names_info(value) > 0) row.names(value))
  }
  if (length(dim(value)) > 1) return(dimnames(value)[[1]])
  if (is.atomic(value)) names(value)
}

# Refuses rows that have the same names in another order: they would be paired by their place. The
# first of `given`, which are named as arguments, that has names says which order is wanted; it is
# returned.
refuse_other_order <- function(given, wanted = NULL) {
  for (argument in names(given)) {
    value <- given[[argument]]
    parts <- if (is.list(value) && !is.data.frame(value)) value else list(value)
    for (part in parts) {
      names <- row_names_of(part)
      if (is.null(names) || anyDuplicated(names)) next
      if (is.null(wanted)) {
        wanted <- list(argument = argument, names = names)
      } else if (!identical(names, wanted$names) && length(names) == length(wanted$names) &&
                   setequal(names, wanted$names)) {
        place <- which(names != wanted$names)[[1]]
        abort(paste("`%s`: row %d is %s, that of `%s` is %s, and all have the same names in",
                    "another order: sort one by the other, or drop the names"),
              argument, place, names[[place]], wanted$argument, wanted$names[[place]])
      }
    }
  }
  wanted
}
