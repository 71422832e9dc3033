data <- binary_data()
whole <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)

test_that("blocks in any order give the same bits", {
  stream <- bbc_stream(data$truth, "roc_auc", seed = 1)
  bbc_add(stream, data$scores[, 9:12], first_configuration = 9)
  bbc_add(stream, data$scores[, 1:8], first_configuration = 1)
  expect_identical(bbc_finish(stream), whole)
  expect_output(print(stream), "12 configurations seen")
})

test_that("states of other processes are merged", {
  streams <- lapply(1:2, function(i) bbc_stream(data$truth, "roc_auc", seed = 1))
  bbc_add(streams[[1]], data$scores[, 1:5])
  bbc_add(streams[[2]], data$scores[, 6:12], first_configuration = 6)
  state <- unserialize(serialize(bbc_state(streams[[2]]), NULL))
  bbc_merge(streams[[1]], state)
  expect_identical(bbc_finish(streams[[1]]), whole)
})

test_that("a function gives blocks", {
  block <- function(i) if (i <= 3) data$scores[, 4 * i + (-3:0)]
  expect_identical(bbc_correct(block, data$truth, "roc_auc", seed = 1), whole)
})

test_that("a stream that was saved says what to save instead", {
  stream <- bbc_stream(data$truth, "roc_auc", seed = 1)
  saved <- unserialize(serialize(bbc_add(stream, data$scores), NULL))
  for (use in list(bbc_finish, bbc_state, function(x) bbc_add(x, data$scores))) {
    expect_refused(use(saved), "`stream`: it was saved.*bbc_state")
  }
})

test_that("mistakes are refused", {
  expect_refused(bbc_stream(metric = "roc_auc"), "`truth` is missing")
  expect_refused(bbc_correct(function(i) NULL, metric = "roc_auc"), "`truth` is missing")
  expect_refused(bbc_stream(data$truth, "roc_auc", folds = 1:5), "`folds` has 5 rows, the data have 80")

  stream <- bbc_stream(data$truth, "roc_auc", seed = 1)
  expect_refused(bbc_finish(stream), "no block")
  bbc_add(stream, data$scores[, 1:3], first_configuration = 2)
  expect_refused(bbc_finish(stream), "configuration 1 was never added")
  expect_refused(bbc_add(stream, data$scores[, 1:2], first_configuration = 3), "added before")
  expect_refused(bbc_add(stream, data$scores[-1, ]), "`block` has 79")
  expect_refused(bbc_add(stream, list(data$scores, data$scores)), "`block` has 2 repeats")
  expect_refused(bbc_merge(stream, bbc_stream(data$truth, "roc_auc", seed = 2)), "another seed")
  expect_refused(bbc_merge(stream, 1), "`state` must be")
  expect_refused(bbc_add(1, data$scores), "`stream` must be")
  expect_refused(bbc_add(stream, replace(data$scores, 5, NA), 5), "NA at row 5")
  expect_refused(bbc_add(stream, replace(data$scores, 5, Inf), 5), "`block` is infinite at row 5")
  expect_refused(bbc_add(stream, data$scores[, 1]), "`block` must be a matrix")
  bbc_add(stream, data$scores[, 1, drop = FALSE], first_configuration = 1)
  expect_equal(bbc_finish(stream)$n_configurations, 4)
})
