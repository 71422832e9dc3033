# The outermost call into the package: what the user wrote.
user_call <- function() {
  for (frame in seq_len(sys.nframe())) {
    place <- environment(sys.function(frame))
    # The protocols are closures, whose environments lie within the package's.
    if (!is.null(place) && identical(topenv(place), topenv())) return(sys.call(frame))
  }
  NULL
}

# Every error of the package: classed, and with the user's call. Among the values of its message may
# be a place, which `by_row_id` words by ids of rows.
abort <- function(message, ..., class = "bbc_invalid_argument") {
  values <- list(...)
  stop(structure(
    class = c(class, "bbc_error", "error", "condition"),
    list(message = worded(message, values), call = user_call(), template = message, values = values)
  ))
}

worded <- function(template, values) {
  if (length(values) == 0) template else do.call(sprintf, c(template, lapply(values, place_text)))
}

# What R calls the arguments of the kernel and of Python, if otherwise.
r_names <- c(target = "truth", y_true = "truth", row_weights = "sample_weight", units = "groups",
             redraw = "on_undefined", random_state = "seed", pos_label = "event_level")

# An error of the kernel or of Python, whose indices count from 0.
abort_argument <- function(error, class, fold_labels = NULL) {
  index <- lapply(error$place, function(one) if (is.numeric(one)) one + 1 else one)
  if (!is.null(index$fold) && !is.null(fold_labels)) {
    labels <- unlist(fold_labels[index[["repeat"]]])
    if (index$fold <= length(labels)) index$fold <- labels[[index$fold]]
  }
  name <- error$argument
  if (name %in% names(r_names)) name <- r_names[[name]]
  hint <- if (nzchar(error$hint)) paste0("; ", error$hint) else ""
  if (length(index) == 0) abort("`%s`: %s%s", name, error$problem, hint, class = class)
  abort("`%s`: %s at %s%s", name, error$problem, place(unlist(index)), hint, class = class)
}

# What the kernel returns, unless it is an error.
checked <- function(result, problem = NULL) {
  if (inherits(result, "bbc_failure")) abort_argument(result, result$class, problem$fold_labels)
  result
}

# Where in the data something is: an index for each axis, and how many there are.
place <- function(index, count = 1) structure(list(index = index, count = count), class = "bbc_place")

# The place of the first TRUE; columns before rows, as R numbers.
place_of <- function(flags, axes, count = sum(flags)) {
  index <- arrayInd(which(flags)[[1]], if (is.null(dim(flags))) length(flags) else dim(flags))
  place(stats::setNames(index, axes[seq_along(index)]), count)
}

# "row 3, configuration 7 (12 in total)"; anything else as it is.
place_text <- function(value) {
  if (!inherits(value, "bbc_place")) return(value)
  text <- paste(names(value$index), value$index, collapse = ", ")
  if (value$count > 1) sprintf("%s (%d in total)", text, value$count) else text
}

shown <- function(labels) {
  text <- paste(utils::head(labels, 10), collapse = ", ")
  if (length(labels) > 10) paste0(text, ", ...") else text
}

first_class <- function(value) class(value)[[1]]
