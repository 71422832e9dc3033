# What a tool says of its predictions is what comes out of them here, or they are refused.
checked_as <- function(how, code) {
  old <- options(bbcr.check = how)
  on.exit(options(old))
  suppressWarnings(code)
}

# The same with its warnings.
checked_noisily <- function(how, code) {
  old <- options(bbcr.check = how)
  on.exit(options(old))
  code
}

test_that("caret's own scores of all its summary functions come out", {
  skip_if_not_installed("caret")
  skip_if_not_installed("pROC")
  two <- droplevels(iris[iris$Species != "setosa", ])
  tuned <- function(data = two, summary = caret::twoClassSummary, method = "cv", keep = "all", ...) {
    set.seed(1)
    control <- caret::trainControl(method, 5, savePredictions = "all", classProbs = TRUE,
                                   summaryFunction = summary, returnResamp = keep, ...)
    suppressWarnings(caret::train(Species ~ Sepal.Width + Sepal.Length, data, "knn",
                                  trControl = control, tuneGrid = data.frame(k = c(5, 9))))
  }
  quietly <- function(model, ...) suppressWarnings(bbc_correct(model, seed = 1, ...))
  by_auc <- tuned()
  for (model in list(by_auc, tuned(iris, caret::defaultSummary), tuned(keep = "final"),
                     tuned(method = "repeatedcv", repeats = 2), tuned(two[c(1:15, 51:65), ], method = "LOOCV"))) {
    expect_length(grep("says that", quietly(model, metric = "accuracy")$notes), 0)
    checked <- quietly(model, metric = "accuracy")$checked_scores
    expect_gt(length(checked), 1)
    expect_match(checked, "agrees for [0-9]+$|logarithm of 0")
  }
  set.seed(1)
  line <- suppressWarnings(caret::train(dist ~ speed, cars, "knn", tuneLength = 3, trControl = (
    caret::trainControl("cv", 5, savePredictions = "all")
  )))
  expect_length(grep("says that", quietly(line, metric = "rmse")$notes), 0)
  expect_identical(quietly(line)$checked_scores, c(RMSE = "agrees for 3", MAE = "agrees for 3",
                                                   Rsquared = "agrees for 3"))

  # Planted: the other class, rows in another order, another truth.
  flipped <- by_auc
  flipped$pred[c("versicolor", "virginica")] <- flipped$pred[c("virginica", "versicolor")]
  expect_refused(quietly(flipped, metric = "roc_auc"),
                 "caret says that ROC of k=5 in Fold1 is .*seem to be swapped.*bbcr.check = \"note\"")
  noted <- checked_as("note", bbc_correct(flipped, metric = "roc_auc", seed = 1))
  differs <- noted$findings[noted$findings$code == "BBC022", ]
  expect_match(differs$detail, "caret says that ROC of k=5 in Fold1")
  expect_output(print(summary(noted)), "BBC022 +scores differ from the scorer.s: caret says that ROC")
  suppressWarnings(
    expect_warning(checked_noisily("note", bbc_correct(flipped, metric = "roc_auc", seed = 1)), "BBC022")
  )
  for (also in list(checked_as("note", bbc_tt(flipped, metric = "roc_auc")),
                    checked_as("note", bbc_correct(list(a = flipped, b = by_auc), metric = "roc_auc",
                                                   seed = 1)),
                    checked_as("note", bbc_compare(list(a = flipped, b = by_auc), metric = "roc_auc",
                                                   seed = 1))$estimates$a)) {
    expect_true("BBC022" %in% also$findings$code)
  }
  moved <- by_auc
  moved$pred <- moved$pred[order(moved$pred$k, moved$pred$rowIndex), ]
  other <- sample(100)
  moved$pred$obs <- moved$pred$obs[c(other, 100 + other)]
  expect_refused(quietly(moved, metric = "roc_auc"), "rows may be others or in another order")
  pooled <- tuned(keep = "final")
  pooled$pred$pred <- factor(rev(as.character(pooled$pred$pred)), levels(pooled$pred$pred))
  expect_refused(quietly(pooled, metric = "accuracy"), "says that Sens of k=5 is")
  # A user's own function may mean anything by a name.
  own <- tuned(summary = function(data, lev = NULL, model = NULL) c(ROC = 0.5))
  expect_s3_class(quietly(own, metric = "roc_auc"), "bbc_estimate")
  expect_refused(checked_as("no", bbc_correct(by_auc, metric = "roc_auc")), "options[(]bbcr.check[)]")
})

test_that("cv.glmnet's own measure comes out with offsets, families and times", {
  skip_if_not_installed("glmnet")
  skip_if_not_installed("survival")
  set.seed(1)
  x <- matrix(rnorm(120 * 6), 120)
  real <- x[, 1] + rnorm(120)
  counts <- stats::rpois(120, exp(x[, 1] / 2))
  coded <- as.double(x[, 1] + rnorm(120) > 0)
  times <- survival::Surv(stats::rexp(120, exp(x[, 1])), rep(c(1, 1, 0), 40))
  cases <- list(
    list(real, "rmse", offset = real / 2), list(real, "rmse", family = stats::gaussian()),
    list(counts, "poisson_deviance", family = stats::poisson()),
    list(coded, "roc_auc", family = stats::binomial(), type.measure = "mae"),
    list(coded, "roc_auc", family = "binomial", offset = x[, 2]),
    list(times, "concordance_index", family = "cox", type.measure = "C")
  )
  for (case in cases) {
    set.seed(2)
    fit <- do.call(glmnet::cv.glmnet, c(list(x, case[[1]], keep = TRUE, nfolds = 5), case[-(1:2)]))
    expect_s3_class(suppressWarnings(bbc_correct(fit, case[[1]], case[[2]], seed = 1)),
                    "bbc_estimate")
    moved <- if (is.matrix(case[[1]])) case[[1]][120:1, ] else rev(case[[1]])
    expect_refused(bbc_correct(fit, moved, case[[2]]), "cv.glmnet says that .* in another order")
  }
  set.seed(2)
  weighted <- glmnet::cv.glmnet(x, real, keep = TRUE, nfolds = 5, weights = 1 + coded)
  e <- suppressWarnings(bbc_correct(weighted, real, "mean_squared_error", seed = 1))
  expect_match(e$notes, "give them as `sample_weight`", all = FALSE)
  given <- suppressWarnings(bbc_correct(weighted, real, "mean_squared_error", seed = 1,
                                        sample_weight = 1 + coded))
  expect_length(grep("`weights`", given$notes), 0)
  expect_equal(given$apparent, min(weighted$cvm))
})
