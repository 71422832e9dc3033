# Values whose class base R does not know, and objects that are no predictions.
set.seed(1)
n <- 40
counts <- sample(-3:20, n, TRUE)
truth <- counts + stats::rnorm(n)
guesses <- cbind(a = counts, b = sample(1:20, n, TRUE))
# As readRDS() gives them without bit64: the bits of 64-bit integers in doubles.
as_integer64 <- function(values) {
  values <- as.vector(values)
  halves <- as.integer(rbind(values, ifelse(values < 0, -1, 0)))
  structure(readBin(writeBin(halves, raw(), endian = "little"), "double", length(values),
                    endian = "little"), class = "integer64")
}
frame_of <- function(...) structure(list(...), row.names = seq_len(n), class = "data.frame")
expected <- bbc_correct(guesses, truth, "mean_squared_error", seed = 1)
whole <- bbc_correct(guesses + 0.5, counts, "mean_squared_error", seed = 1)

test_that("64-bit integers are read as numbers at every place", {
  wide <- frame_of(a = as_integer64(guesses[, 1]), b = as_integer64(guesses[, 2]))
  expect_identical(bbc_correct(wide, truth, "mean_squared_error", seed = 1), expected)
  as_matrix <- structure(unclass(as_integer64(guesses)), dim = dim(guesses), class = "integer64",
                         dimnames = list(NULL, c("a", "b")))
  expect_identical(bbc_correct(as_matrix, truth, "mean_squared_error", seed = 1), expected)
  expect_identical(bbc_correct(guesses + 0.5, as_integer64(counts), "mean_squared_error", seed = 1),
                   whole)
  long <- data.frame(row = rep(seq_len(n), 2), configuration = rep(c("a", "b"), each = n))
  long$truth <- truth[long$row]
  long[["estimate"]] <- as_integer64(c(guesses))
  expect_identical(bbc_correct(long, metric = "mean_squared_error", seed = 1)$replicates,
                   expected$replicates)
  long$estimate <- c(guesses) + 0.5
  long[["truth"]] <- as_integer64(rep(counts, 2))
  expect_identical(bbc_correct(long, metric = "mean_squared_error", seed = 1)$replicates,
                   whole$replicates)
  weights <- abs(counts) + 1
  expect_identical(
    bbc_correct(guesses, truth, "mean_squared_error", sample_weight = as_integer64(weights), seed = 1),
    bbc_correct(guesses, truth, "mean_squared_error", sample_weight = weights, seed = 1)
  )
})

test_that("64-bit integers that no double holds, or that lost their class, are refused", {
  large <- as_integer64(counts)
  large <- structure(replace(unclass(large), 3, readBin(
    writeBin(c(1L, 2097152L), raw(), endian = "little"), "double", endian = "little"
  )), class = "integer64")
  expect_refused(bbc_correct(guesses, large, "mean_squared_error"), "beyond 2\\^53 at row 3")
  lost <- matrix(unclass(as_integer64(abs(guesses))), n)
  expect_refused(bbc_correct(lost, truth, "mean_squared_error"), "lost their class")
  expect_refused(bbc_correct(guesses, lost[, 2], "mean_squared_error"), "`truth`.*lost their class")
  zero <- matrix(0, n, 2)
  expect_identical(bbc_correct(zero, truth, "mean_squared_error", seed = 1)$apparent, mean(truth^2))
})

test_that("labelled predictions are refused, as a labelled truth is", {
  # Where it is loaded it forbids that they are compared with texts.
  for (package in "vctrs") requireNamespace(package, quietly = TRUE)
  labelled <- structure(as.double(guesses[, 1]), labels = c(low = 1),
                        class = c("haven_labelled", "vctrs_vctr", "double"))
  expect_refused(bbc_correct(frame_of(a = labelled, b = truth), truth, "r2"),
                 "`predictions[$]a` is labelled.*zap_labels")
  long <- data.frame(row = seq_len(n), configuration = "a", truth = truth)
  long[["estimate"]] <- labelled
  expect_refused(bbc_correct(long, metric = "r2"), "`predictions[$]estimate` is labelled")
})

test_that("outcomes of several columns are refused in words", {
  two <- cbind(no = 1 + abs(counts), yes = 2)
  expect_refused(bbc_correct(guesses, two, "roc_auc"), "`truth` has 2 columns, as the counts")
  skip_if_not_installed("glmnet")
  set.seed(2)
  fit <- glmnet::cv.glmnet(matrix(rnorm(n * 4), n), two, family = "binomial", keep = TRUE, nfolds = 4)
  expect_refused(bbc_correct(fit, two, "roc_auc"), "`truth` has 2 columns, as the counts")
})

test_that("models whose predictions are not read are refused by their class", {
  fit <- stats::lm(truth ~ counts)
  expect_refused(bbc_correct(fit, truth, "r2"), "an object of [?]bbc_correct, not lm")
  expect_refused(bbc_tt(fit, truth, "r2", folds = rep(1:4, 10)), "not lm")
})

test_that("lower case does not depend on the locale", {
  expect_identical(lower("ROW_ID"), "row_id")
  called <- unlist(lapply(ls(asNamespace("bbcr")), function(name) {
    own <- get(name, asNamespace("bbcr"))
    if (is.function(own)) all.names(body(own))
  }))
  expect_false("tolower" %in% called)
})
