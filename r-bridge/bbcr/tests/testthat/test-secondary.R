i <- 1:60
truth <- as.integer(sin(i * 1.7) > 0)
scores <- round(sapply(1:6, function(j) 0.5 + 0.35 * sin(i * 1.7 + 0.9 * j)), 6)
folds <- (i - 1) %% 6
quietly <- suppressWarnings
corrected <- function(metric = "roc_auc", secondary = "brier_score", ...) {
  quietly(bbc_correct(scores, truth, metric, folds = folds, seed = 1, n_bootstraps = 200,
                      secondary = secondary, ...))
}

test_that("the bits are those of Python", {
  python <- list(
    bbc = c(0.81192318913012518, 0.18356432281462795, 0.13469045466214286, 0.23759692875322222),
    "bbc-two-level" = c(0.82019305555555566, 0.17573992561983345, 0.12200904803617293,
                        0.23616996779772217),
    "bbc-f" = c(0.78136666666666665, 0.1857006663245678, 0.13374115303300324,
                0.24613070850245652)
  )
  for (method in names(python)) {
    e <- corrected(method = method)
    brier <- e$secondary$brier_score
    interval <- brier$confidence_interval
    expect_identical(c(e$estimate, brier$estimate, interval$low, interval$high), python[[method]])
    expect_identical(brier$winner, e$winner)
    expect_identical(bbc_score(e, "brier_score"), brier)
  }
})

test_that("each is what the replicates' winners score, which one metric selects", {
  e <- corrected()
  alone <- quietly(bbc_correct(scores, truth, "roc_auc", folds = folds, seed = 1,
                               n_bootstraps = 200))
  expect_null(alone$secondary)
  expect_identical(replace(e, "secondary", NULL), alone)
  expect_identical(bbc_score(e, "roc_auc"), e)
  brier <- e$secondary$brier_score
  losses <- (scores - truth)^2
  as_rule <- quietly(bbc_correct(losses, metric = "row_loss", seed = 1, n_bootstraps = 200,
                                 selection = local({
                                   b <- -1
                                   winners <- c(alone$winner, alone$replicate_winners)
                                   function(scores, counts) winners[[(b <<- b + 1) + 1]]
                                 })))
  expect_equal(brier$replicates, as_rule$replicates)
  expect_equal(brier$apparent, mean(losses[, e$winner]))
  expect_identical(brier$decided_by, "roc_auc")
  turned <- corrected("brier_score", "roc_auc")
  expect_identical(turned$replicates, corrected("brier_score", NULL)$replicates)
  expect_identical(turned$secondary$roc_auc$decided_by, "brier_score")
  expect_identical(corrected(secondary = c(loss = "brier_score"))$secondary$loss, brier)
  expect_identical(corrected(secondary = bbc_metric("brier_score"))$secondary$brier_score, brier)
  of_folds <- corrected(secondary = list("brier_score", bbc_metric("log_loss")), pooling = "fold")
  expect_identical(of_folds$secondary$log_loss$pooling, "fold")
  rule <- bbc_one_standard_error(6:1)
  expect_identical(corrected(selection = rule)$secondary$brier_score$winner,
                   corrected(selection = rule)$winner)
})

test_that("objects give each metric what it reads", {
  skip_if_not_installed("caret")
  two <- droplevels(iris[iris$Species != "setosa", ])
  set.seed(1)
  control <- caret::trainControl("cv", 5, savePredictions = "all", classProbs = TRUE)
  model <- caret::train(Species ~ Sepal.Width + Sepal.Length, two, "knn", trControl = control,
                        tuneGrid = data.frame(k = c(1, 5, 9)))
  e <- quietly(bbc_correct(model, metric = "roc_auc", secondary = "accuracy", seed = 1))
  pred <- model$pred[order(model$pred$k, model$pred$rowIndex), ]
  labels <- matrix(as.character(pred$pred), 100)
  expect_equal(e$secondary$accuracy$apparent, mean(labels[, e$winner] == two$Species))
  # caret's own choice, by means over folds, is the one that is asked.
  own <- quietly(bbc_correct(model, seed = 1))
  expect_identical(own$design$selection, "means")
  expect_identical(quietly(bbc_score(own, "roc_auc"))$replicate_winners, own$replicate_winners)
})

test_that("left out configurations and undefined replicates are counted", {
  holes <- scores
  holes[1, 2] <- NA
  e <- quietly(bbc_correct(holes, truth, "roc_auc", secondary = "brier_score", seed = 1,
                           n_bootstraps = 50, missing = "drop-configurations"))
  kept <- quietly(bbc_correct(holes[, -2], truth, "roc_auc", secondary = "brier_score", seed = 1,
                              n_bootstraps = 50))
  expect_identical(e$secondary$brier_score$replicates, kept$secondary$brier_score$replicates)
  rare <- replace(integer(60), 7, 1L)
  e <- quietly(bbc_correct(scores, rare, "brier_score", secondary = "roc_auc", seed = 1,
                           n_bootstraps = 200))$secondary$roc_auc
  expect_gt(e$n_undefined, 20)
  expect_length(e$replicates, 200 - e$n_undefined)
})

test_that("a secondary metric below one half is no note about the configurations", {
  turned <- 0.6 - 0.2 * truth + scores / 20
  e <- quietly(bbc_correct(turned, truth, "brier_score", secondary = "roc_auc", seed = 1,
                           n_bootstraps = 50))$secondary$roc_auc
  expect_lt(e$apparent, 0.5)
  expect_length(e$notes, 0)
})

test_that("results have the usual methods", {
  e <- corrected()
  both <- c("roc_auc", "brier_score")
  expect_output(print(e), "brier_score of the same: 0[.]18.*interval.*apparent 0[.]1")
  expect_output(print(summary(e)), "secondary +brier_score 0[.]18.* apparent 0[.]1")
  frame <- as.data.frame(e)
  expect_identical(frame$metric, both)
  expect_identical(rownames(confint(e, level = 0.9)), both)
  expect_identical(names(coef(e)), both)
  expect_identical(tidy(e)$estimate, unname(coef(e)))
  expect_identical(glance(e)$metric, "roc_auc")
  expect_output(print(summary(e$secondary$brier_score)), "decided by +roc_auc")
  expect_error(plot(e, which = "both"), "`which` must be")
})

test_that("what does not go together is refused", {
  both <- c("roc_auc", "brier_score")
  expect_refused(corrected(both), "`metric` must be one, which selects; others are secondary = c")
  expect_refused(bbc_score(corrected(), both), "`metric` must be one, of which there is an answer each")
  expect_refused(corrected(character()), "`metric`")
  expect_refused(corrected(secondary = c("f1", "f1")), "`secondary` has two of the name f1")
  expect_refused(corrected(secondary = "f2"), "`secondary`: unknown name")
  expect_refused(corrected(secondary = c(roc_auc = "f1")), "`secondary` has a second metric named roc_auc")
  expect_null(corrected(secondary = "roc_auc")$secondary)
  expect_refused(corrected("log_loss", selection = bbc_top_k(2)),
                 "`secondary` is not for `selection = bbc_top_k\\(2\\)`, which takes one metric")
  expect_refused(corrected(missing = "rungs"), '`secondary` is not for `missing = "rungs"`')
  expect_refused(corrected(decided_by = "roc_auc"), "unknown argument `decided_by`")
})
