i <- 1:60
truth <- as.integer(sin(i * 1.7) > 0)
scores <- round(sapply(1:6, function(j) 0.5 + 0.35 * sin(i * 1.7 + 0.9 * j)), 6)
folds <- (i - 1) %% 6
both <- c("roc_auc", "brier_score")
quietly <- suppressWarnings
several <- function(metric = both, ...) {
  quietly(bbc_correct(scores, truth, metric, folds = folds, seed = 1, n_bootstraps = 200, ...))
}

test_that("the bits are those of bbc.correct_several", {
  python <- list(
    bbc = c(0.81192318913012518, 0.18356432281462795, 0.13469045466214286, 0.23759692875322222),
    "bbc-two-level" = c(0.82019305555555566, 0.17573992561983345, 0.12201724724315,
                        0.23253957399440001),
    "bbc-f" = c(0.78136666666666665, 0.1857006663245678, 0.1384647410364, 0.23253957399440001)
  )
  for (method in names(python)) {
    e <- several(method = method)
    interval <- e$brier_score$confidence_interval
    expect_identical(c(e$roc_auc$estimate, e$brier_score$estimate, interval$low, interval$high),
                     python[[method]])
    expect_identical(e$brier_score$winner, e$roc_auc$winner)
  }
})

test_that("each is what the replicates' winners score, one of them chooses", {
  e <- several()
  alone <- quietly(bbc_correct(scores, truth, "roc_auc", folds = folds, seed = 1,
                               n_bootstraps = 200))
  expect_identical(e$roc_auc, alone)
  losses <- (scores - truth)^2
  as_rule <- quietly(bbc_correct(losses, metric = "row_loss", seed = 1, n_bootstraps = 200,
                                 selection = local({
                                   b <- -1
                                   winners <- c(alone$winner, alone$replicate_winners)
                                   function(scores, counts) winners[[(b <<- b + 1) + 1]]
                                 })))
  expect_equal(e$brier_score$replicates, as_rule$replicates)
  expect_equal(e$brier_score$apparent, mean(losses[, e$roc_auc$winner]))
  expect_identical(e$brier_score$decided_by, "roc_auc")
  turned <- several(decided_by = "brier_score")
  expect_identical(turned$brier_score$replicates,
                   several("brier_score")$replicates)
  expect_identical(turned$roc_auc$decided_by, "brier_score")
  expect_identical(several(c(auc = "roc_auc", loss = "brier_score"), decided_by = "auc")$loss,
                   e$brier_score)
  of_labels <- several(list("roc_auc", "brier_score", bbc_metric("log_loss")), pooling = "fold")
  expect_identical(of_labels$log_loss$pooling, "fold")
  rule <- bbc_one_standard_error(6:1)
  expect_identical(several(selection = rule)$brier_score$winner,
                   several("roc_auc", selection = rule)$winner)
})

test_that("objects give each metric what it reads", {
  skip_if_not_installed("caret")
  two <- droplevels(iris[iris$Species != "setosa", ])
  set.seed(1)
  control <- caret::trainControl("cv", 5, savePredictions = "all", classProbs = TRUE)
  model <- caret::train(Species ~ Sepal.Width + Sepal.Length, two, "knn", trControl = control,
                        tuneGrid = data.frame(k = c(1, 5, 9)))
  e <- quietly(bbc_correct(model, metric = c("roc_auc", "accuracy"), seed = 1))
  pred <- model$pred[order(model$pred$k, model$pred$rowIndex), ]
  labels <- matrix(as.character(pred$pred), 100)
  expect_equal(e$accuracy$apparent, mean(labels[, e$roc_auc$winner] == two$Species))
})

test_that("left out configurations and undefined replicates are counted", {
  holes <- scores
  holes[1, 2] <- NA
  e <- quietly(bbc_correct(holes, truth, both, seed = 1, n_bootstraps = 50,
                           missing = "drop-configurations"))
  kept <- quietly(bbc_correct(holes[, -2], truth, both, seed = 1, n_bootstraps = 50))
  expect_identical(e$brier_score$replicates, kept$brier_score$replicates)
  rare <- replace(integer(60), 7, 1L)
  e <- quietly(bbc_correct(scores, rare, c("brier_score", "roc_auc"), seed = 1,
                           n_bootstraps = 200))
  expect_gt(e$roc_auc$n_undefined, 20)
  expect_length(e$roc_auc$replicates, 200 - e$roc_auc$n_undefined)
})

test_that("a secondary metric below one half is no note about the configurations", {
  turned <- 0.6 - 0.2 * truth + scores / 20
  e <- quietly(bbc_correct(turned, truth, c("brier_score", "roc_auc"), seed = 1,
                           n_bootstraps = 50))
  expect_lt(e$roc_auc$apparent, 0.5)
  expect_length(e$roc_auc$notes, 0)
})

test_that("results have the usual methods", {
  e <- several()
  expect_output(print(e), "winner by roc_auc: configuration .*brier_score +0[.]18")
  frame <- as.data.frame(e)
  expect_identical(frame$metric, both)
  expect_identical(frame$decided_by, c("roc_auc", "roc_auc"))
  expect_identical(rownames(confint(e, level = 0.9)), both)
  expect_identical(names(coef(e)), both)
  expect_identical(tidy(e)$estimate, unname(coef(e)))
  expect_identical(glance(e)$winner_name, rep(e$roc_auc$winner_name, 2))
  expect_output(print(summary(e$brier_score)), "decided by +roc_auc")
})

test_that("what does not go together is refused", {
  expect_refused(several(decided_by = "f1"), "`decided_by` must be")
  expect_refused(several(character()), "`metric`")
  expect_refused(several(c("roc_auc", "roc_auc")), "two of the name roc_auc")
  expect_refused(several(selection = bbc_top_k(2)), "takes one metric, got roc_auc, brier_score")
  expect_refused(bbc_correct(function(i) NULL, truth, both), "blocks are corrected by one metric")
  expect_refused(several("roc_auc", decided_by = "roc_auc"), "unknown argument `decided_by`")
})
