skip_if_not_installed("caret")
two <- droplevels(iris[iris$Species != "setosa", ])
two$noise <- sin(seq_len(nrow(two)))
set.seed(3)
held_out <- caret::createFolds(two$Species, 5)

tuned <- function(method, ..., data = two, index = caret::createFolds(two$Species, 5)) {
  control <- caret::trainControl("cv", savePredictions = "all", classProbs = TRUE,
                                 index = lapply(index, function(own) setdiff(1:100, own)))
  suppressWarnings(caret::train(Species ~ Sepal.Width + noise, data, method, trControl = control,
                                ...))
}
knn <- tuned("knn", tuneGrid = data.frame(k = c(1, 5, 9)), index = held_out)
tree <- tuned("rpart", tuneGrid = data.frame(cp = c(0.1, 1 / 3)), index = held_out)
line <- tuned("glm", index = held_out)

# The probabilities of the event by row and configuration, in the order of `values`.
by_hand <- function(model, values, parameter = names(values)) {
  sapply(values[[1]], function(value) {
    own <- model$pred[model$pred[[parameter]] == value, ]
    own$versicolor[order(own$rowIndex)]
  })
}

test_that("a list of caret models is one search", {
  e <- bbc_correct(list(near = knn, tree = tree, line = line), metric = "roc_auc", seed = 1)
  scores <- cbind(by_hand(knn, list(k = c(1, 5, 9))), by_hand(tree, list(cp = c(0.1, 1 / 3))),
                  line$pred$versicolor[order(line$pred$rowIndex)])
  folds <- integer(100)
  for (i in seq_along(held_out)) folds[held_out[[i]]] <- i
  matrix_of <- bbc_correct(scores, two$Species, "roc_auc", seed = 1, event_level = "first",
                           folds = folds, names = c(paste0("near(k=", c(1, 5, 9), ")"),
                                                    "tree(cp=0.1)", "tree(cp=0.333333)", "line"))
  same <- setdiff(names(e), c("findings", "checked_scores"))
  expect_identical(e[same], matrix_of[same])
  labels <- bbc_correct(list(near = knn, line = line), metric = "accuracy", seed = 1)
  expect_equal(labels$n_configurations, 4)
  one <- bbc_correct(list(near = knn), metric = "roc_auc", seed = 1)
  expect_identical(one$replicates, bbc_correct(knn, metric = "roc_auc", seed = 1)$replicates)
  expect_identical(bbc_tt(list(near = knn, line = line), metric = "accuracy")$n_configurations, 4L)
})

test_that("repeats are those of the same name, in whatever order a model has them", {
  set.seed(5)
  control <- caret::trainControl("repeatedcv", 5, repeats = 2, savePredictions = "all",
                                 index = caret::createMultiFolds(two$Species, 5, 2))
  near <- caret::train(Species ~ Sepal.Width, two, "knn", trControl = control)
  line <- suppressWarnings(caret::train(Species ~ Sepal.Width, two, "glm", trControl = control))
  both <- function(other) {
    suppressWarnings(bbc_correct(list(near = near, line = other), metric = "accuracy", seed = 1))
  }
  moved <- line
  moved$pred <- moved$pred[rev(seq_len(nrow(moved$pred))), ]
  expect_identical(both(moved), both(line))
})

test_that("a cut-off is one of probabilities, and an ensemble is no model's choice", {
  cut <- function(...) {
    suppressWarnings(bbc_correct(..., metric = "f1", selection = bbc_best_threshold(), seed = 1))
  }
  scores <- cbind(by_hand(knn, list(k = c(1, 5, 9))), line$pred$versicolor[order(line$pred$rowIndex)])
  plain <- cut(scores, two$Species, event_level = "first")
  same <- c("replicates", "threshold", "replicate_thresholds", "winner")
  expect_identical(cut(list(near = knn, line = line))[same], plain[same])
  expect_identical(cut(bbc_data(list(near = knn, line = line)))[same], plain[same])
  expect_no_warning(bbc_correct(knn, metric = "roc_auc", selection = bbc_top_k(2), seed = 1))
})

test_that("models of other folds, rows or names are refused", {
  both <- function(other, ...) bbc_correct(list(a = knn, b = other), metric = "accuracy", ...)
  set.seed(4)
  expect_refused(both(tuned("glm")), "a and b were tuned on other folds.*trainControl\\(index")
  mixed <- c(51:100, 1:50)
  moved <- lapply(held_out, function(rows) which(mixed %in% rows))
  expect_refused(both(tuned("glm", data = two[mixed, ], index = moved)),
                 "`predictions[$]b`: row 1 is 101.*another order")
  other <- two[mixed, ]
  rownames(other) <- NULL
  expect_refused(both(tuned("glm", data = other, index = moved)), "differ in the truth at row 1")
  fewer <- tuned("glm", data = two, index = held_out)
  fewer$pred <- fewer$pred[fewer$pred$rowIndex != 100, ]
  expect_refused(both(fewer), "`predictions[$]b`: caret says that Accuracy of parameter=none is")
  fewer$results$Accuracy <- fewer$results$Kappa <- NA
  expect_refused(both(fewer), "a has 100 rows, b has 99")
  expect_refused(bbc_correct(list(knn, line), metric = "accuracy"), "needs a name of its own")
  expect_refused(bbc_correct(list(a = knn, b = two), metric = "accuracy"),
                 "element 2 of the list is not a tuned model, but data.frame")
  expect_refused(both(line, truth = two$Species), "leave it out")
  grouped <- bbc_data(line, groups = rep(1:50, 2))
  expect_refused(both(grouped), "`groups` is not taken by an element of a list")
  expect_refused(both(caret::train(Species ~ noise, two, "glm")), "`predictions[$]b`: resampling")
  expect_refused(bbc_correct(knn, "accuracy"), "second argument is `truth`; write metric =")
})

test_that("caret and glmnet are compared in one search", {
  skip_if_not_installed("glmnet")
  x <- as.matrix(two[c("Sepal.Width", "noise")])
  folds <- integer(100)
  for (i in seq_along(held_out)) folds[held_out[[i]]] <- i
  net <- glmnet::cv.glmnet(x, two$Species, family = "binomial", foldid = folds, keep = TRUE)
  e <- bbc_correct(list(near = knn, net = net), two$Species, "roc_auc", event_level = "first",
                   seed = 1)
  scores <- cbind(by_hand(knn, list(k = c(1, 5, 9))), 1 - plogis(net$fit.preval))
  expect_identical(e$replicates, bbc_correct(unname(scores), two$Species, "roc_auc", seed = 1,
                                             event_level = "first")$replicates)
  both <- suppressWarnings(bbc_correct(list(near = knn, net = net), two$Species, "brier_score",
                                       event_level = "second", seed = 1))
  expect_equal(both$replicates, suppressWarnings(bbc_correct(
    unname(1 - scores), two$Species, "brier_score", event_level = "second", seed = 1
  ))$replicates)
  expect_match(e$names[[4]], "^net[(]lambda=0[.][0-9]{1,6}[)]$")
  expect_refused(bbc_correct(list(near = knn, net = net), two$Species, "roc_auc"),
                 "the event is versicolor in near, and virginica in net")
})

test_that("caret's resamples are scores of folds", {
  together <- caret::resamples(list(near = knn, tree = tree, line = line))
  e <- bbc_correct(together, metric = "accuracy", seed = 1)
  scores <- as.matrix(together$values[paste0(c("near", "tree", "line"), "~Accuracy")])
  expect_identical(e$replicates,
                   bbc_correct(unname(scores), metric = "accuracy", method = "bbc-f", seed = 1)$replicates)
  expect_identical(e$names, c("near", "tree", "line"))
  expect_match(e$notes, "not the tuning of each of them")
  expect_identical(bbc_correct(together, metric = "Kappa", seed = 1)$metric, "kappa")
  expect_refused(bbc_correct(together, metric = "roc_auc"), "no metric.*Accuracy, Kappa")
  expect_refused(bbc_correct(together, two$Species, "accuracy"), "`truth` is for predictions of rows")
  expect_refused(bbc_tt(together, metric = "accuracy"), "keeps scores of folds only: give the list of the models")
})

test_that("families may be models, each with its own winner", {
  skip_if_not_installed("glmnet")
  x <- cbind(two$Sepal.Width, two$noise)
  folds <- integer(100)
  for (i in seq_along(held_out)) folds[held_out[[i]]] <- i
  penalised <- glmnet::cv.glmnet(x, two$Species, family = "binomial", keep = TRUE, foldid = folds)
  compare <- function(...) {
    suppressWarnings(bbc_compare(..., metric = "roc_auc", event_level = "virginica", seed = 1,
                                 n_bootstraps = 200))
  }
  found <- compare(list(near = knn, lasso = penalised, both = list(knn = knn, tree = tree)),
                   two$Species)
  event <- function(...) 1 - by_hand(...)
  near <- event(knn, list(k = c(1, 5, 9)))
  own <- compare(list(
    near = near, lasso = unname(stats::plogis(penalised$fit.preval)),
    both = cbind(near, event(tree, list(cp = c(0.1, 1 / 3))))
  ), two$Species, folds = folds)
  expect_identical(found$differences, own$differences)
  expect_identical(found$method, "bbc")
  expect_identical(found$estimates$near,
                   suppressWarnings(bbc_correct(knn, metric = "roc_auc", event_level = "virginica",
                                                seed = 1, n_bootstraps = 200)))
  known <- compare(list(near = knn, tree = tree))
  expect_identical(known$differences$first, "near")
  expect_refused(compare(list(near = knn, tree = tree), two$Species), "`truth` is known by these")
  expect_refused(compare(list(near = knn, lasso = penalised)), "`truth` is needed: cv.glmnet")
  expect_refused(bbc_compare(list(near = knn, lasso = penalised), two$Species, "roc_auc"),
                 "the event is versicolor in family near, and virginica in family lasso")
  set.seed(4)
  expect_refused(compare(list(near = knn, line = tuned("glm"))),
                 "family line has other folds than family near")
  mixed <- c(51:100, 1:50)
  moved <- tuned("glm", data = two[mixed, ], index = lapply(held_out, function(own) {
    which(mixed %in% own)
  }))
  expect_refused(compare(list(near = knn, line = moved)),
                 "`predictions[$]line`: row 1 is 101, that of `predictions[$]near` is 51")
  expect_refused(compare(list(near = knn, plain = near), two$Species),
                 "family plain has no folds, unlike family near")
})
