# Two cores at most, as for every check of a package.
Sys.setenv("_R_CHECK_LIMIT_CORES_" = "TRUE")

# One of so many cases of a large sample, and all of them every night.
some_of <- function(cases, every) {
  if (nzchar(Sys.getenv("BBC_NIGHTLY"))) cases else cases[seq(1, length(cases), by = every)]
}

binary_data <- function(n = 80, n_configurations = 12, seed = 1) {
  set.seed(seed)
  truth <- rbinom(n, 1, 0.4)
  list(
    truth = truth,
    labels = matrix(rbinom(n * n_configurations, 1, 0.5), n),
    scores = matrix(rnorm(n * n_configurations), n) + truth
  )
}

# One clear error: of the package's class, with the user's call, naming the argument, without padded
# numbers and what sprintf left.
expect_refused <- function(code, pattern, class = "bbc_invalid_argument") {
  condition <- expect_error(code, pattern, class = class)
  expect_false(is.null(conditionCall(condition)))
  expect_false(grepl(" {2}[0-9]|%[sd]", conditionMessage(condition)))
}

# A question about a correction: its own arguments go to it, all others to bbc_correct().
ask <- function(question, predictions, truth, metric, ...) {
  name <- sub('.*UseMethod[(]"(\\w+)".*', "\\1", paste(deparse(body(question)), collapse = " "))
  given <- list(...)
  if (!missing(metric)) given$metric <- metric
  if (!missing(truth)) given$truth <- truth
  own <- names(given) %in% setdiff(names(formals(getS3method(name, "bbc_estimate"))), c("metric", "..."))
  do.call(question, c(list(do.call(bbc_correct, c(list(predictions), given[!own]))), given[own]))
}

# Results are the same whatever call made them, and hold the same whatever it was given.
expect_identical <- function(object, expected, ...) {
  testthat::expect_identical(without_call(object), without_call(expected), ...)
}

expect_equal <- function(object, expected, ...) {
  testthat::expect_equal(without_call(object), without_call(expected), ...)
}

without_call <- function(result) {
  if (!is.list(result)) return(result)
  attr(result, "asked") <- NULL
  if (is.call(result[["call"]])) result$call <- NULL
  if (identical(class(result), "list")) lapply(result, without_call) else result
}

# The share of right calls that a search left which dropped configurations on the way, of a matrix of
# right (1) and wrong (0) calls with holes: each row that was not drawn is scored by the configuration that
# is best on the drawn rows seen by then, among those that were alive. `counts`: how often rows are drawn.
rung_by_rung <- function(right, counts) {
  alive <- !is.na(right)
  rung <- match(-rowSums(alive), sort(unique(-rowSums(alive))))
  burnt <- vapply(seq_len(max(rung)), function(r) mean(rung <= r) <= 0.25, NA)
  values <- lapply(which(!burnt), function(r) {
    seen <- rung <= r
    among <- which(alive[rung == r, , drop = FALSE][1, ])
    bag <- colSums(right[seen, among, drop = FALSE] * counts[seen])
    right[rung == r & counts == 0, among[[which.max(bag)]]]
  })
  mean(unlist(values))
}
