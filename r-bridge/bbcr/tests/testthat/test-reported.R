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
    expect_match(checked, "^agrees for [0-9]+(, not computed for [0-9]+)?$|^not computed for [0-9]+$")
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
                                                   pooling = "pooled", seed = 1))$estimates$a)) {
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

# A function that is caret's by its environment.
of_caret <- function() NULL
environment(of_caret) <- structure(new.env(), name = "caret")

# A caret model by hand: predictions of two configurations, and their scores by fold.
by_hand <- function(pred, scores, metric, rises, method = "cv") {
  means <- tapply(scores[[metric]], scores$k, mean, na.rm = TRUE)
  structure(list(
    pred = pred, resample = scores, metric = metric, maximize = rises,
    bestTune = data.frame(k = if (rises) which.max(means) else which.min(means)),
    results = data.frame(k = 1:2), modelInfo = list(),
    control = list(method = method, savePredictions = "all", returnResamp = "all",
                   selectionFunction = "best", summaryFunction = of_caret)
  ), class = "train")
}

test_that("what one fold hides is checked in the others", {
  set.seed(3)
  pred <- expand.grid(rowIndex = 1:24, k = 1:2)
  obs <- factor(c(rep("a", 6), rep(c("a", "b"), 9)))
  pred$obs <- obs[pred$rowIndex]
  pred$a <- stats::runif(48)
  pred$b <- 1 - pred$a
  pred$pred <- factor(ifelse(pred$a > 0.5, "a", "b"), c("a", "b"))
  pred$Resample <- paste0("Fold", rep(1:4, each = 6)[pred$rowIndex])
  told <- function(pred, score, called) {
    cells <- unique(pred[c("k", "Resample")])
    cells[[called]] <- mapply(function(k, fold) {
      score(pred[pred$k == k & pred$Resample == fold & !is.na(pred$pred), ])
    }, cells$k, cells$Resample)
    cells
  }
  logs <- function(own) -mean(log(pmax(ifelse(own$obs == "a", own$a, own$b), 1e-15)))
  kappa <- function(own) {
    shares <- table(own$obs, own$pred) / nrow(own)
    chance <- sum(rowSums(shares) * colSums(shares))
    (sum(diag(shares)) - chance) / (1 - chance)
  }
  check <- function(pred, score, called, rises, k = 2) {
    scores <- told(pred, score, called)
    model <- by_hand(pred, scores, called, rises)
    e <- suppressWarnings(bbc_correct(model, metric = "accuracy", seed = 1))
    planted <- model
    row <- which(scores$k == k & scores$Resample == "Fold4")
    planted$resample[[called]][[row]] <- planted$resample[[called]][[row]] + 0.01
    expect_refused(bbc_correct(planted, metric = "accuracy"),
                   sprintf("caret says that %s of k=%d in Fold4", called, k))
    e$checked_scores[[called]]
  }
  # All of the first fold are of one class.
  expect_identical(check(pred, kappa, "Kappa", TRUE), "agrees for 6, not computed for 2")
  # A sure prediction that is wrong.
  sure <- pred
  sure[1, c("a", "b")] <- 0:1
  expect_identical(check(sure, logs, "logLoss", FALSE), "agrees for 7, not computed for 1")
  # A fit that failed.
  failed <- pred
  gone <- failed$k == 1 & failed$Resample == "Fold3"
  failed$pred[gone] <- NA
  failed[gone, c("a", "b")] <- NA
  accuracy <- function(own) if (nrow(own)) mean(own$pred == own$obs) else NA_real_
  expect_identical(check(failed, accuracy, "Accuracy", TRUE, k = 1), "agrees for 7, lost for 1")
})

test_that("what the user's summary function computes is checked, too", {
  skip_if_not_installed("caret")
  two <- droplevels(iris[iris$Species != "setosa", ])
  gain <- function(data, lev, model) {
    c(caret::defaultSummary(data, lev, model),
      Gain = mean((data$pred == lev[[2]]) * (1 + (data$obs == lev[[2]]))))
  }
  tuned <- function(summary, keep = "all", method = "cv", data = two, ...) {
    set.seed(1)
    control <- caret::trainControl(method, 5, savePredictions = "all", classProbs = TRUE,
                                   summaryFunction = summary, returnResamp = keep, ...)
    suppressWarnings(caret::train(Species ~ Sepal.Width, data, "knn", trControl = control,
                                  tuneGrid = data.frame(k = c(5, 9))))
  }
  correct <- function(model) suppressWarnings(bbc_correct(model, metric = "accuracy", seed = 1))
  for (model in list(tuned(gain), tuned(gain, "final"), tuned(gain, method = "repeatedcv", repeats = 2),
                     tuned(gain, method = "LOOCV", data = two[c(1:15, 51:65), ]))) {
    set.seed(5)
    expect_match(correct(model)$checked_scores[c("Accuracy", "Kappa", "Gain")], "^agrees for (2|10|20)$")
    drawn <- runif(1)
    set.seed(5)
    expect_identical(runif(1), drawn)
  }
  planted <- tuned(gain)
  planted$resample$Gain[[3]] <- planted$resample$Gain[[3]] + 0.01
  expect_refused(correct(planted), "caret says that Gain of k=")
  noisy <- tuned(function(data, lev, model) c(gain(data, lev, model), Noise = stats::runif(1)))
  expect_identical(correct(noisy)$checked_scores[["Noise"]],
                   "not computed: the summary function gives other values each time")
  expect_identical(correct(noisy)$checked_scores[["Gain"]], "agrees for 10")
  broken <- tuned(gain)
  broken$control$summaryFunction <- function(...) stop("package lost is not installed")
  e <- correct(broken)
  expect_identical(e$checked_scores[["Gain"]], "not computed: package lost is not installed")
  expect_output(print(e), "not checked: .*Gain")
  expect_output(print(summary(e)), "Gain not computed:\\s+package lost is not installed")
  expect_false(any(grepl("not checked", utils::capture.output(print(correct(tuned(gain)))))))
})

test_that("means over repeats that replaced a model's predictions do not give its scores", {
  skip_if_not_installed("caret")
  two <- droplevels(iris[iris$Species != "setosa", ])
  set.seed(1)
  control <- caret::trainControl("repeatedcv", 5, repeats = 3, savePredictions = "all", classProbs = TRUE)
  model <- suppressWarnings(caret::train(Species ~ Sepal.Width, two, "knn", trControl = control,
                                         tuneGrid = data.frame(k = c(5, 9))))
  share <- stats::ave(model$pred$versicolor, model$pred$rowIndex, model$pred$k)
  model$pred[c("versicolor", "virginica")] <- list(share, 1 - share)
  model$pred$pred <- factor(ifelse(share > 0.5, "versicolor", "virginica"), levels(two$Species))
  expect_refused(suppressWarnings(bbc_correct(model)), "caret says that Accuracy of k=5 is ")
})

test_that("a score without predictions is refused", {
  pred <- data.frame(rowIndex = 1:24, k = rep(1:2, each = 24), obs = 1:24, pred = sqrt(1:48),
                     Resample = paste0("Fold", 1:4))
  scores <- unique(pred[c("k", "Resample")])
  scores$RMSE <- mapply(function(k, fold) {
    own <- pred[pred$k == k & pred$Resample == fold, ]
    sqrt(mean((own$pred - own$obs)^2))
  }, scores$k, scores$Resample)
  model <- by_hand(pred, scores, "RMSE", FALSE)
  expect_identical(suppressWarnings(bbc_correct(model, seed = 1))$checked_scores, c(RMSE = "agrees for 8"))
  model$pred <- pred[pred$Resample != "Fold3", ]
  expect_refused(bbc_correct(model), "RMSE of k=1 in Fold3 is .*, but there are no predictions of it")
  noted <- checked_as("note", bbc_correct(model, metric = "rmse", seed = 1))
  expect_true("BBC022" %in% noted$findings$code)
})

test_that("repeats may have other numbers of folds where scores of folds are compared", {
  set.seed(4)
  pred <- expand.grid(rowIndex = 1:24, k = 1:2, rep = 1:2)
  truth <- stats::rnorm(24)
  pred$obs <- truth[pred$rowIndex]
  pred$pred <- stats::rnorm(96)
  pred$Resample <- sprintf("Fold%d.Rep%d", ifelse(pred$rep == 1, pred$rowIndex %% 2, pred$rowIndex %% 4),
                           pred$rep)
  scores <- unique(pred[c("k", "Resample")])
  scores$MAE <- mapply(function(k, fold) {
    own <- pred[pred$k == k & pred$Resample == fold, ]
    mean(abs(own$pred - own$obs))
  }, scores$k, scores$Resample)
  model <- by_hand(pred, scores, "MAE", FALSE, "repeatedcv")
  e <- suppressWarnings(bbc_correct(model, seed = 1))
  expect_identical(e$checked_scores, c(MAE = "agrees for 12"))
  refused <- "`folds`: repeat 1 has 2 folds, repeat 2 has 4: scores of folds need as many in each"
  expect_refused(bbc_correct(model, metric = "mae", method = "bbc-f", selection = "best"), refused)
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
