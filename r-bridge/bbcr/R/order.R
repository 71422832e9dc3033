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

# Refuses rows that would be paired by their place though their names say otherwise: the same names in
# another order, or some of them the same. The first of `given`, which are named as arguments, that
# has names says which are wanted; it is returned.
refuse_other_order <- function(given, wanted = NULL) {
  for (argument in names(given)) {
    value <- given[[argument]]
    parts <- if (is.list(value) && !is.data.frame(value)) value else list(value)
    for (part in parts) {
      names <- row_names_of(part)
      if (is.null(names)) next
      if (is.null(wanted)) {
        wanted <- list(argument = argument, names = names)
      } else if (length(names) == length(wanted$names)) {
        refuse_other_names(names, argument, wanted)
      }
    }
  }
  wanted
}

refuse_other_names <- function(names, argument, wanted) {
  if (identical(names, wanted$names)) return(invisible())
  place <- which(names != wanted$names)[[1]]
  where <- sprintf("`%s`: row %d is %s, that of `%s` is %s", argument, place, names[[place]],
                   wanted$argument, wanted$names[[place]])
  if (identical(sort(names, method = "radix"), sort(wanted$names, method = "radix"))) {
    abort("%s, and all have the same names in another order: sort one by the other, or drop the names",
          where)
  }
  # Names that repeat are labels of something else.
  if (anyDuplicated(names) || anyDuplicated(wanted$names)) return(invisible())
  shared <- sum(names %in% wanted$names)
  if (shared == 0) return(invisible())
  abort(paste("%s, and %d of %d names are the same: these are not the same rows; choose those that",
              "both have, as by match(), or drop the names"), where, shared, length(names))
}
