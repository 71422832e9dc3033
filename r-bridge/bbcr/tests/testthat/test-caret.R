skip_if_not_installed("caret")
two <- droplevels(iris[iris$Species != "setosa", ])

tuned <- function(method = "cv", save = "all", ...) {
  set.seed(1)
  control <- caret::trainControl(method, 5, savePredictions = save, ...)
  grid <- data.frame(k = c(5, 1, 9))
  suppressWarnings(caret::train(Species ~ Sepal.Width + Sepal.Length, two, "knn",
                                trControl = control, tuneGrid = grid))
}

test_that("a caret model gives what its table of predictions gives", {
  model <- tuned(classProbs = TRUE)
  e <- bbc_correct(model, metric = "roc_auc", seed = 1)
  expect_equal(e$event, "versicolor")
  expect_equal(e$names, c("k=1", "k=5", "k=9"))
  expect_equal(e$n_folds, 5)
  pred <- model$pred[order(model$pred$k, model$pred$rowIndex), ]
  scores <- matrix(pred$versicolor, 100)
  truth <- two$Species
  expect_identical(e$replicates, bbc_correct(scores, truth, "roc_auc", event_level = "first",
                                             seed = 1)$replicates)
  accuracy <- bbc_correct(model, metric = "accuracy", pooling = "fold", seed = 1)
  expect_equal(accuracy$apparent, max(model$results$Accuracy))
})

test_that("repeated cross-validation becomes repeats", {
  model <- tuned("repeatedcv", repeats = 2)
  e <- bbc_correct(model, metric = "accuracy", seed = 1)
  expect_equal(e$n_repeats, 2)
  expect_equal(e$n_folds, 5)
})

test_that("regression and missing rows work", {
  data <- airquality
  set.seed(1)
  model <- caret::train(
    Ozone ~ Wind + Temp + Solar.R, data, "knn", na.action = na.omit,
    trControl = caret::trainControl("cv", 5, savePredictions = "all")
  )
  e <- bbc_correct(model, metric = "root_mean_squared_error", seed = 1)
  expect_equal(e$n_rows, sum(stats::complete.cases(data)))
})

test_that("the other functions take caret models too", {
  model <- tuned(classProbs = TRUE)
  e <- bbc_tt(model, metric = "accuracy")
  expect_equal(e$apparent, max(model$results$Accuracy))
  expect_equal(bbc_dominated(model, metric = "accuracy", seed = 1)$best_name, e$winner_name)
  expect_equal(bbc_bound(model, method = "delong", seed = 1)$event, "versicolor")
  expect_refused(bbc_tt(model, metric = "accuracy", estimate = "pred"), "leave it out")
})

test_that("models that cannot be corrected are refused with the way out", {
  expect_refused(bbc_correct(tuned("boot"), metric = "accuracy"), "trainControl\\(\"cv\"\\)")
  expect_refused(bbc_correct(tuned("LGOCV"), metric = "accuracy"), "exactly once")
  expect_refused(bbc_correct(tuned(save = "final"), metric = "accuracy"), "savePredictions")
  expect_refused(bbc_correct(tuned(save = "none"), metric = "accuracy"), "savePredictions")
  expect_refused(bbc_correct(tuned(), metric = "roc_auc"), "classProbs")
  expect_refused(bbc_correct(tuned(), two$Species, "accuracy"), "leave it out")
})
