# A list is one per repeat; one that is named otherwise is not.
data <- binary_data()
first <- data$scores
second <- data$scores[, 12:1]

test_that("a named list of predictions is no list of repeats", {
  expected <- bbc_correct(list(first, second), data$truth, "roc_auc", seed = 1)
  for (names in list(c("Rep1", "Rep2"), c("repeat_1", "repeat_2"), c("1", "2"), c("Repeat 1", "R2"))) {
    named <- stats::setNames(list(first, second), names)
    expect_identical(bbc_correct(named, data$truth, "roc_auc", seed = 1), expected)
  }
  way_out <- "rf, svm are not called as repeats.*do.call[(]cbind.*bbc_compare[(][)].*unname"
  both <- list(rf = first, svm = second)
  expect_refused(bbc_correct(both, data$truth, "roc_auc"), way_out)
  expect_refused(bbc_correct(lapply(both, as.data.frame), data$truth, "roc_auc"), way_out)
  expect_refused(bbc_tt(both, data$truth, "roc_auc", folds = rep(1:8, 10)), way_out)
  expect_refused(bbc_data(both, data$truth), way_out)
  expect_refused(bbc_correct(list(first, svm = second), data$truth, "roc_auc"), "not called as")
  expect_identical(bbc_correct(both[1], data$truth, "roc_auc", seed = 1),
                   bbc_correct(first, data$truth, "roc_auc", seed = 1))
})

test_that("a list of vectors is advised to become columns", {
  vectors <- list(first[, 1], first[, 2])
  expect_refused(bbc_correct(vectors, data$truth, "roc_auc"), "a list of vectors.*do.call[(]cbind")
  expect_refused(bbc_correct(stats::setNames(vectors, c("rf", "svm")), data$truth, "roc_auc"),
                 "do.call[(]cbind")
})

test_that("rows whose names are the same in part are refused", {
  ids <- paste0("p", 1:81)
  scores <- `rownames<-`(first, ids[1:80])
  moved <- stats::setNames(data$truth, ids[2:81])
  expect_refused(bbc_correct(scores, moved, "roc_auc"), "row 1 is p1.*is p2, and 79 of 80 names")
  folds <- stats::setNames(rep(1:8, 10), ids[2:81])
  expect_refused(bbc_correct(scores, data$truth, "roc_auc", folds = folds), "79 of 80 names")
  expect_refused(
    bbc_compare(list(a = scores, b = `rownames<-`(second, ids[2:81])), data$truth, "roc_auc"),
    "79 of 80 names"
  )
  # Names that have nothing in common, or repeat, are no names of rows.
  plain <- bbc_correct(first, data$truth, "roc_auc", seed = 1)$replicates
  for (names in list(paste0("q", 1:80), rep(c("p1", "p2"), 40))) {
    truth <- stats::setNames(data$truth, names)
    expect_identical(bbc_correct(scores, truth, "roc_auc", seed = 1)$replicates, plain)
  }
  twice <- rep(ids[1:40], 2)
  expect_refused(bbc_correct(`rownames<-`(first, twice), stats::setNames(data$truth, rev(twice)),
                             "roc_auc"), "same names in another order")
})
