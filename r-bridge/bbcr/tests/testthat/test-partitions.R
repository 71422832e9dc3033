data <- binary_data(60, 3)
labels <- rep(c("a", "b", "c", "d", "e"), 12)
corrected <- function(folds, predictions = data$scores) {
  bbc_correct(predictions, data$truth, "roc_auc", seed = 1, folds = folds, pooling = "fold")
}
whole <- corrected(labels)

test_that("row numbers of folds are folds", {
  held_out <- split(1:60, labels)
  expect_identical(corrected(held_out), whole)
  expect_identical(corrected(unname(held_out[c(3, 1, 5, 2, 4)])), whole)
  expect_identical(corrected(lapply(held_out, function(own) setdiff(1:60, own))), whole)
  twice <- c(held_out, split(1:60, rev(labels)))
  names(twice) <- paste0(rep(c("Fold1", "Fold2", "Fold3", "Fold4", "Fold5"), 2),
                         rep(c(".Rep1", ".Rep2"), each = 5))
  of_two <- list(data$scores, data$scores + 1)
  wanted <- corrected(cbind(labels, rev(labels)), of_two)
  expect_identical(corrected(twice, of_two), wanted)
  expect_identical(corrected(lapply(twice, function(own) setdiff(1:60, own)), of_two), wanted)
})

test_that("row numbers that divide nothing are refused", {
  held_out <- split(1:60, labels)
  held_out$a <- held_out$a[-1]
  expect_refused(corrected(held_out), "row 1 is in no fold")
  held_out$b <- c(held_out$b, held_out$c[[1]])
  expect_refused(corrected(held_out), "row 3 is held out in several folds")
  expect_refused(corrected(list(1:30, 31:61)), "`folds` has 2 repeats, `predictions` has 1")
})

test_that("caret's folds are taken as they are", {
  skip_if_not_installed("caret")
  set.seed(1)
  expect_identical(corrected(caret::createFolds(factor(data$truth), 5))$n_folds, 5L)
  folds <- caret::createMultiFolds(factor(data$truth), 4, 2)
  e <- corrected(folds, list(data$scores, data$scores))
  expect_identical(c(e$n_folds, e$n_repeats), c(4L, 2L))
})

test_that("rsample's splits are folds", {
  skip_if_not_installed("rsample")
  frame <- data.frame(y = data$truth)
  set.seed(1)
  once <- rsample::vfold_cv(frame, 5)
  own <- integer(60)
  for (i in 1:5) own[setdiff(1:60, once$splits[[i]]$in_id)] <- i
  expect_identical(corrected(once), corrected(own))
  twice <- rsample::vfold_cv(frame, 4, repeats = 2)
  e <- corrected(twice, list(data$scores, data$scores))
  expect_identical(c(e$n_folds, e$n_repeats), c(4L, 2L))
  expect_refused(corrected(rsample::bootstraps(frame, 5)), "held out in several folds")
  expect_refused(corrected(rsample::vfold_cv(frame[-1, , drop = FALSE], 5)), "splits 59 rows")
})
