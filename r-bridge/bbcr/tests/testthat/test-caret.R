skip_if_not_installed("caret")
two <- droplevels(iris[iris$Species != "setosa", ])

tuned <- function(method = "cv", save = "all", k = c(5, 1, 9), ...) {
  set.seed(1)
  control <- caret::trainControl(method, 5, savePredictions = save, ...)
  grid <- data.frame(k = k)
  suppressWarnings(caret::train(Species ~ Sepal.Width + Sepal.Length, two, "knn",
                                trControl = control, tuneGrid = grid))
}

# A model that kept its scores of folds alone.
scores_of <- function(model) {
  model["pred"] <- list(NULL)
  model
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

test_that("a cut-off is one of probabilities", {
  model <- tuned(classProbs = TRUE)
  e <- suppressWarnings(bbc_correct(model, metric = "f1", selection = bbc_best_threshold(),
                                    seed = 1))
  pred <- model$pred[order(model$pred$k, model$pred$rowIndex), ]
  plain <- bbc_correct(matrix(pred$versicolor, 100), two$Species, "f1", event_level = "first",
                       selection = bbc_best_threshold(), seed = 1)
  expect_identical(e$replicates, plain$replicates)
  expect_identical(e$replicate_thresholds, plain$replicate_thresholds)
  expect_refused(bbc_correct(tuned(), metric = "f1", selection = bbc_best_threshold()),
                 "reads class probabilities")
  expect_no_warning(bbc_correct(model, metric = "roc_auc", selection = bbc_top_k(2), seed = 1))
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

test_that("numbers are read where a fit failed, which caret keeps as text", {
  learner <- caret::getModelInfo("knn", regex = FALSE)[[1]]
  train <- learner$fit
  learner$fit <- function(x, y, wts, param, lev, last, classProbs, ...) {
    if (param$k == 3 && !last && !50 %in% x[, "speed"]) stop("no luck")
    train(x, y, wts, param, lev, last, classProbs, ...)
  }
  set.seed(1)
  data <- data.frame(speed = 1:50, dist = cars$dist)
  model <- suppressWarnings(caret::train(
    dist ~ speed, data, learner, tuneGrid = data.frame(k = c(3, 1, 9)),
    trControl = caret::trainControl("cv", 5, savePredictions = "all", returnResamp = "all")
  ))
  expect_type(model$pred$pred, "character")
  e <- suppressWarnings(bbc_correct(model, metric = "rmse", pooling = "fold", seed = 1))
  expect_equal(e$apparent, min(model$results$RMSE[model$results$k != 3]))
  expect_identical(e$findings$detail[e$findings$code == "BBC026"],
                   sprintf("1 fit failed, the first: configuration 'k=3', %s",
                           model$pred$Resample[is.na(model$pred$pred)][[1]]))
  expect_identical(e$checked_scores[["RMSE"]], "agrees for 14, lost for 1")
})

test_that("the other functions take caret models too", {
  model <- tuned(classProbs = TRUE)
  e <- bbc_tt(model, metric = "accuracy")
  expect_equal(e$apparent, max(model$results$Accuracy))
  expect_equal(bbc_bound(model, method = "delong", seed = 1)$event, "versicolor")
  expect_refused(bbc_tt(model, metric = "accuracy", estimate = "pred"), "leave it out")
})

test_that("an estimate of another model than finalModel says so", {
  # The best k by the mean accuracy of the folds, by one standard error, and by the pooled AUC.
  by <- function(rule) {
    tuned(classProbs = TRUE, returnResamp = "all", selectionFunction = rule, k = seq(1, 33, 4))
  }
  model <- by("best")
  k <- paste0("k=", model$bestTune$k)
  told <- sprintf("but the caret model deploys %s [(]score", k)
  own <- suppressWarnings(bbc_correct(model, metric = "roc_auc", seed = 1))
  expect_false(own$winner_name == k)
  detail <- function(e) e$findings$detail[e$findings$code == "BBC024"]
  expect_match(detail(own), told)
  expect_identical(own$deployed$name, k)
  expect_equal(own$deployed$frequency, mean(own$replicate_winners == own$deployed$index))
  expect_warning(bbc_correct(model, metric = "roc_auc", seed = 1), told)
  first_line <- "^This is the performance of k=.*; the caret model deploys k="
  expect_output(print(summary(own)), first_line)
  expect_output(print(own), first_line)
  expect_warning(b <- bbc_bound(model, method = "bbc", seed = 1), told)
  expect_match(detail(b), told)
  same <- bbc_correct(model, metric = "accuracy", pooling = "fold", seed = 1)
  expect_identical(same$winner_name, k)
  for (e in list(same, bbc_correct(scores_of(model), seed = 1), bbc_tt(model, metric = "accuracy"),
                 bbc_correct(model, seed = 1))) {
    expect_identical(detail(e), character())
    expect_true(e$deployed$is_corrected)
  }
  expect_identical(same$checked_scores[["Accuracy"]], "agrees for 45")
  expect_output(print(summary(same)), "checked +Accuracy agrees for 45")

  first <- function(x, metric, maximize) 1L
  for (rule in list("tolerance", first)) {
    model <- by(rule)
    shown <- if (is.function(rule)) "a function" else rule
    for (kept in list(model, scores_of(model))) {
      expect_refused(bbc_correct(kept, seed = 1),
                     paste0("`predictions`: caret chose k=.* by ", shown, ", which repl"))
      e <- suppressWarnings(bbc_correct(kept, metric = "accuracy", selection = "best", seed = 1))
      k <- paste0("k=", model$bestTune$k)
      if (e$winner_name == k) expect_identical(detail(e), character())
      else expect_match(detail(e), k)
    }
  }
  # A rule of the user's own that chooses likewise: caret's first is the simplest, with most k.
  e <- bbc_correct(by(first), metric = "accuracy", seed = 1,
                   selection = function(scores, counts) length(scores))
  expect_identical(detail(e), character())
})

test_that("what caret chose is corrected: its metric, by means over folds or one standard error", {
  by <- function(rule, ...) {
    tuned("repeatedcv", repeats = 2, classProbs = TRUE, returnResamp = "all", k = seq(1, 33, 4),
          selectionFunction = rule, summaryFunction = caret::twoClassSummary, ...)
  }
  choices <- list(best = "best", oneSE = bbc_one_standard_error(9:1))
  for (rule in names(choices)) {
    model <- suppressWarnings(by(rule))
    e <- suppressWarnings(bbc_correct(model, seed = 1))
    expect_identical(e$metric, "roc_auc")
    expect_identical(e$winner_name, paste0("k=", model$bestTune$k))
    expect_false("BBC024" %in% e$findings$code)
    expect_identical(suppressWarnings(bbc_correct(model, metric = "roc_auc", seed = 1)), e)
    # Replicates choose by folds, and score the winner on all rows together.
    by_fold <- suppressWarnings(bbc_correct(model, metric = "roc_auc", pooling = "fold", seed = 1,
                                            selection = choices[[rule]]))
    expect_identical(e$replicate_winners, by_fold$replicate_winners)
    expect_identical(e$pooling, "pooled")
    both <- suppressWarnings(bbc_correct(model, secondary = "brier_score", seed = 1))
    expect_identical(replace(both, "secondary", NULL), e)
    expect_identical(both$secondary$brier_score$replicate_winners, e$replicate_winners)
    # Questions draw and choose as caret did.
    area <- suppressWarnings(bbc_roc_curve(e, partial = list(specificity = c(0, 1)), standardized = FALSE))
    expect_equal(area$quantities$estimate, e$estimate)
    pooled <- suppressWarnings(bbc_correct(model, metric = "roc_auc", seed = 1,
                                           selection = function(scores, counts) e$winner))
    expect_equal(e$apparent, pooled$apparent)
  }
  # Edited, so that the best by its own scores is another one.
  model <- by("best")
  model$bestTune$k <- if (model$bestTune$k == 1) 5 else 1
  expect_refused(bbc_correct(model, seed = 1), "its choice cannot be repeated: k=.* is corrected, but")
  expect_refused(bbc_correct(tuned(summaryFunction = function(data, lev, model) c(mine = 0.5))),
                 "`metric` is missing: caret chose by .*, which is no metric of bbcr; give one")
})

test_that("adaptive resampling is scored rung by rung", {
  set.seed(3)
  # Useless configurations, so that some are dropped.
  data <- data.frame(y = factor(rep(c("a", "b"), 50)), x = rnorm(100))
  control <- caret::trainControl(
    "adaptive_cv", 10, savePredictions = "all", classProbs = TRUE,
    adaptive = list(min = 4, alpha = 0.2, method = "gls", complete = TRUE)
  )
  model <- caret::train(y ~ x, data, "knn", trControl = control,
                        tuneGrid = data.frame(k = c(1, 3, 5, 9, 15, 25)))
  n_predicted <- table(model$pred$k)
  expect_true(any(n_predicted < 100) && any(n_predicted == 100))
  expect_refused(bbc_correct(model, metric = "accuracy"), 'missing = "rungs"')
  draws <- t(replicate(100, sample.int(100, replace = TRUE)))
  e <- suppressWarnings(bbc_correct(model, metric = "accuracy", missing = "rungs", resamples = draws))
  expect_false("BBC007" %in% e$findings$code)
  levels <- sort(unique(model$pred$k))
  right <- matrix(NA_real_, 100, length(levels))
  right[cbind(model$pred$rowIndex, match(model$pred$k, levels))] <- model$pred$pred == model$pred$obs
  expect_equal(e$replicates, apply(draws, 1, function(drawn) rung_by_rung(right, tabulate(drawn, 100))))
  expect_equal(e$apparent, max(colMeans(right), na.rm = TRUE))
  expect_warning(bbc_correct(model, metric = "accuracy", missing = "drop-configurations", seed = 1),
                 "BBC007")
})

test_that("numbers of variables of rfe() are configurations", {
  set.seed(7)
  data <- data.frame(matrix(rnorm(600), 100))
  class <- factor(ifelse(data$X1 + data$X2 + rnorm(100) > 0, "a", "b"))
  eliminated <- function(y, functions = caret::ldaFuncs, ..., saveDetails = TRUE) {
    control <- caret::rfeControl(functions, ..., saveDetails = saveDetails)
    suppressWarnings(caret::rfe(data, y, sizes = c(1, 2, 4), rfeControl = control))
  }
  fit <- eliminated(class, method = "cv", number = 5, returnResamp = "all")
  labels <- matrix("", 100, 4)
  for (i in seq_len(nrow(fit$pred))) {
    own <- fit$pred[i, ]
    labels[own$rowIndex, match(own$Variables, c(1, 2, 4, 6))] <- as.character(own$pred)
  }
  e <- suppressWarnings(bbc_correct(fit, metric = "accuracy", pooling = "pooled", seed = 1))
  expect_identical(e$names, paste0("Variables=", c(1, 2, 4, 6)))
  by_hand <- bbc_correct(labels, class, "accuracy", seed = 1)
  expect_identical(e$replicates, by_hand$replicates)
  expect_equal(e$apparent, max(colMeans(labels == class)))
  expect_identical(e$n_folds, 5L)
  # What caret chose, by its rule.
  other <- fit
  other$optsize <- setdiff(c(1, 2), e$winner)[[1]]
  expect_warning(bbc_correct(other, metric = "accuracy", pooling = "fold", seed = 1),
                 "the rfe[(][)] fit deploys Variables=")
  shares <- suppressWarnings(bbc_correct(fit, metric = "roc_auc", seed = 1))
  own <- fit$pred[fit$pred$Variables == c(1, 2, 4, 6)[shares$winner], ]
  ranks <- rank(own$a)
  n <- table(own$obs)
  expect_equal(shares$apparent, (mean(ranks[own$obs == "a"]) - (n[["a"]] + 1) / 2) / n[["b"]])

  y <- data$X1 + rnorm(100)
  repeated <- eliminated(y, caret::lmFuncs, method = "repeatedcv", number = 4, repeats = 2)
  e <- suppressWarnings(bbc_correct(repeated, metric = "rmse", pooling = "fold", seed = 1))
  expect_identical(c(e$n_repeats, e$n_folds), c(2L, 4L))
  expect_equal(e$apparent, min(repeated$results$RMSE))
  edited <- repeated
  edited$pred$pred <- rev(edited$pred$pred)
  expect_refused(bbc_correct(edited, metric = "rmse"), "RMSE")
  expect_refused(bbc_correct(eliminated(y, caret::lmFuncs, method = "cv", saveDetails = FALSE),
                             metric = "rmse"), "saveDetails = TRUE")
  expect_refused(bbc_correct(eliminated(y, caret::lmFuncs, method = "boot", number = 3),
                             metric = "rmse"), "use rfeControl\\(method = \"cv\"\\)")
  fit$pred$a <- NULL
  expect_refused(bbc_correct(fit, metric = "roc_auc"), "for rfe\\(\\) `functions`")
})

test_that("the complexity of one standard error is a formula of the hyper-parameters", {
  model <- tuned()
  by_formula <- bbc_correct(model, metric = "accuracy", seed = 1,
                            selection = bbc_one_standard_error(~ -k))
  complexity <- -model$results$k
  expect_identical(bbc_correct(model, metric = "accuracy", seed = 1,
                               selection = bbc_one_standard_error(complexity)), by_formula)
})

test_that("models that cannot be corrected are refused with the way out", {
  expect_refused(bbc_correct(tuned("boot"), metric = "accuracy"), "trainControl\\(\"cv\"\\)")
  expect_refused(bbc_correct(tuned("LGOCV"), metric = "accuracy"), "exactly once")
  expect_refused(bbc_correct(tuned(save = "final"), metric = "accuracy"), "savePredictions")
  expect_refused(bbc_correct(tuned(save = "none"), metric = "accuracy"), "savePredictions")
  expect_refused(bbc_correct(tuned(), metric = "roc_auc"), "classProbs")
  expect_refused(bbc_correct(tuned(), two$Species, "accuracy"), "leave it out")
  expect_refused(bbc_correct(tuned()$pred, metric = "accuracy"), "part `pred` of a caret model: give the")
  expect_refused(bbc_correct(tuned()$pred), "part `pred` of a caret model: give the")
  parts <- tuned(returnResamp = "all")
  for (part in c("pred", "resample", "results")) {
    refused <- sprintf("part `%s` of a caret model: give the model, which train", part)
    expect_refused(bbc_correct(parts[[part]], two$Species, "accuracy"), refused)
    expect_refused(bbc_correct(list(parts[[part]]), two$Species, "accuracy"), refused)
    expect_refused(bbc_tt(parts[[part]], two$Species, "accuracy"), refused)
  }
  set.seed(1)
  held_out <- caret::createFolds(two$Species, 5)
  expect_refused(bbc_correct(tuned(index = held_out), metric = "accuracy"),
                 "`index` of trainControl[(][)] holds training rows.*returnTrain = TRUE")
})

test_that("of the scores that caret kept another metric may be chosen", {
  model <- tuned(classProbs = TRUE, returnResamp = "all",
                 summaryFunction = caret::twoClassSummary)
  quietly <- function(metric) {
    suppressWarnings(bbc_correct(scores_of(model), metric = metric, seed = 1))
  }
  scores <- function(column) {
    matrix(model$resample[[column]][order(model$resample$k, model$resample$Resample)], 5)
  }
  for (pair in list(c("Sens", "sensitivity"), c("Spec", "specificity"), c("ROC", "roc_auc"))) {
    e <- quietly(pair[[1]])
    expect_identical(e$replicates,
                     bbc_correct(scores(pair[[1]]), metric = pair[[2]], method = "bbc-f",
                                 seed = 1)$replicates)
    expect_identical(quietly(pair[[2]])$estimate, e$estimate)
  }
  expect_identical(quietly("Sens")$metric, "sensitivity")
  expect_refused(bbc_correct(scores_of(model), metric = "rmse"), "no metric \"rmse\" \\(it has ROC")
})

test_that("a comparison chooses and scores as the correction of each model", {
  of_auc <- function(k) tuned(classProbs = TRUE, summaryFunction = caret::twoClassSummary, k = k)
  models <- list(few = of_auc(c(1, 3, 5)), many = of_auc(c(9, 15, 31)))
  fits <- lapply(models, bbc_correct, n_bootstraps = 200, seed = 1)
  expect_identical(fits$few$design$selection, "means")
  of_fits <- bbc_compare(fits, n_bootstraps = 200, seed = 1)
  of_models <- bbc_compare(models, metric = "roc_auc", n_bootstraps = 200, seed = 1)
  expect_identical(of_fits$differences, of_models$differences)
  for (name in names(fits)) for (part in c("estimate", "apparent", "replicates", "confidence_interval", "winner")) {
    expect_identical(of_fits$estimates[[name]][[part]], fits[[name]][[part]])
  }
  expect_match(paste(of_fits$notes, collapse = " "), "mean over folds")
  pooled <- bbc_correct(models$many, pooling = "pooled", n_bootstraps = 200, seed = 1)
  expect_refused(bbc_compare(list(few = fits$few, many = pooled)), "`pooling`: the winner of family few")
  together <- suppressWarnings(bbc_compare(fits, pooling = "pooled", n_bootstraps = 200, seed = 1))
  expect_identical(together$estimates$many$replicates, pooled$replicates)
  # Predictions that no tool chose from follow.
  matrices <- list(few = models$few, many = attr(fits$many, "asked")$predictions)
  expect_identical(bbc_compare(matrices, metric = "roc_auc", n_bootstraps = 200, seed = 1)$pooling, "pooled")
  split <- bbc_compare(fits$few, by = c("one", "rest", "rest"), n_bootstraps = 200, seed = 1)
  expect_match(paste(split$notes, collapse = " "), "mean over folds")
  expect_output(print(bbc_possible_winners(fits$few)), "roc_auc, mean of folds, method mcs")
  one_se <- tuned(selectionFunction = "oneSE", k = c(9, 1, 5))
  expect_refused(bbc_compare(list(a = one_se, b = one_se), metric = "accuracy"),
                 "family a was chosen by one-se, which is not for comparisons")
})
