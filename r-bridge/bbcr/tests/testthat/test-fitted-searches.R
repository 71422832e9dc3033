# Objects as xgboost and SuperLearner return them: Debian 12 has neither package.

set.seed(4)
truth <- rep(0:1, 40)
folds <- split(sample(80), rep(1:5, 16))
fold <- integer(80)
for (k in 1:5) fold[folds[[k]]] <- k
risks <- stats::plogis(truth + matrix(stats::rnorm(240), 80))
cross_validated <- function(pred, ..., class = "xgb.cv.synchronous") {
  structure(list(pred = pred, folds = folds, niter = 50, ...), class = class)
}
correct <- function(...) suppressWarnings(bbc_correct(..., n_bootstraps = 100, seed = 1))
same <- c("estimate", "replicates", "winner", "names", "n_folds")

test_that("xgb.cv's predictions are one configuration, and a list of them a search", {
  settings <- list(a = risks[, 1], b = risks[, 2], c = risks[, 3])
  plain <- correct(risks, truth, "roc_auc", folds = fold, names = c("a", "b", "c"))
  for (class in c("xgb.cv.synchronous", "xgb.cv")) {
    search <- correct(lapply(settings, cross_validated, class = class), truth, "roc_auc")
    expect_identical(search[same], plain[same])
  }
  newer <- lapply(settings, function(pred) {
    structure(list(cv_predict = list(pred = pred), folds = folds), class = "xgb.cv")
  })
  expect_identical(correct(newer, truth, "roc_auc")[same], plain[same])
  one <- correct(cross_validated(risks[, 1]), truth, "brier_score")
  expect_equal(one$apparent, mean((truth - risks[, 1])^2))
})

test_that("several classes are in the order of the labels", {
  y <- factor(rep(c("low", "mid", "high"), length.out = 80), c("low", "mid", "high"))
  shares <- matrix(stats::rexp(240), 80) + diag(3)[as.integer(y), ]
  shares <- shares / rowSums(shares)
  e <- correct(cross_validated(shares), y, "log_loss")
  expect_equal(e$apparent, -mean(log(shares[cbind(1:80, as.integer(y))])))
})

test_that("what xgb.cv's result does not say is said or refused", {
  expect_warning(e <- bbc_correct(cross_validated(risks[, 1], best_iteration = 7), truth, "roc_auc",
                                  n_bootstraps = 40, seed = 1), "early stopping chose")
  expect_match(e$notes, "early stopping chose", all = FALSE)
  expect_refused(correct(cross_validated(NULL), truth, "roc_auc"), "use prediction = TRUE")
  expect_refused(correct(cross_validated(risks[, 1]), metric = "roc_auc"),
                 "`truth` is needed: xgb.cv[(][)] keeps no outcome")
  expect_refused(correct(cross_validated(risks[, 1]), truth[-1], "roc_auc"), "79 rows, the predictions 80")
  torn <- cross_validated(risks[, 1])
  torn$folds[[1]] <- torn$folds[[2]]
  expect_refused(correct(torn, truth, "roc_auc"), "do not hold every row once")
  other <- cross_validated(risks[, 2])
  other$folds <- split(1:80, rep(1:5, 16))
  expect_refused(correct(list(a = cross_validated(risks[, 1]), b = other), truth, "roc_auc"),
                 "a and b were tuned on other folds")
})

super <- function(Z = risks, cvRisk = colMeans((risks - truth)^2)) {
  structure(list(Z = Z, libraryNames = c("SL.glm_All", "SL.mean_All", "SL.ranger_All"),
                 cvRisk = cvRisk, validRows = folds, errorsInCVLibrary = rep(FALSE, 3)),
            class = "SuperLearner")
}

test_that("the label 0 is no event of their numbers, and may be one of labels", {
  labels <- cross_validated(as.double(risks[, 1] > 0.5))
  for (given in list(truth, truth == 1, factor(truth))) {
    for (source in list(cross_validated(risks[, 1]), super())) {
      for (level in c("first", as.character(sort(unique(given))[[1]]))) {
        expect_refused(correct(source, given, "brier_score", event_level = level),
                       "`event_level` is \"(0|FALSE)\", but .* the label 1, which is the event \"(1|TRUE)\"")
      }
      expect_identical(correct(source, given, "brier_score", event_level = "second")$replicates,
                       correct(source, truth, "brier_score")$replicates)
    }
  }
  expect_equal(correct(labels, truth, "sensitivity", event_level = "0")$apparent,
               correct(labels, truth, "specificity")$apparent)
})

test_that("SuperLearner's Z is a search among its learners", {
  plain <- correct(risks, truth, "brier_score", folds = fold, names = super()$libraryNames)
  expect_identical(correct(super(), truth, "brier_score")[same], plain[same])
  expect_warning(e <- bbc_correct(super(cvRisk = c(3, 2, 1)[rank(colMeans((risks - truth)^2))]), truth,
                                  "brier_score", n_bootstraps = 40, seed = 1),
                 "but the discrete super learner deploys SL")
  failed <- risks
  failed[, 2] <- NA
  expect_warning(e <- bbc_correct(super(failed), truth, "brier_score", n_bootstraps = 40, seed = 1),
                 "1 fit failed, the first: configuration 'SL.mean_All'")
  expect_identical(e$n_configurations, 2L)
})

test_that("SuperLearner's risk of squared errors comes out, or the rows are others", {
  called <- function(..., by = super()) {
    by$call <- as.call(c(quote(SuperLearner), list(...)))
    by
  }
  for (own in list(called(), called(method = "method.CC_LS"))) {
    e <- correct(own, truth)
    expect_identical(e$metric, "brier_score")
    expect_identical(e$checked_scores, c(cvRisk = "agrees for 3"))
    expect_identical(e$replicates, correct(risks, truth, "brier_score", folds = fold)$replicates)
    expect_true(e$deployed$is_corrected)
    expect_refused(correct(own, rev(truth), "roc_auc"), "SuperLearner says that cvRisk of SL.glm_All is")
  }
  as_factor <- factor(c("well", "ill")[truth + 1], c("well", "ill"))
  expect_refused(correct(called(), rev(as_factor), "roc_auc", event_level = "ill"), "cvRisk of SL.glm_All")
  numbers <- super(cvRisk = colMeans((risks - truth / 3)^2))
  e <- correct(called(by = numbers), truth / 3)
  expect_identical(e$metric, "mean_squared_error")
  expect_equal(e$apparent, min(numbers$cvRisk))
  for (own in list(called(method = "method.AUC"), called(obsWeights = quote(w)), called(method = quote(f)))) {
    expect_identical(correct(own, truth, "roc_auc")$checked_scores, c(cvRisk = "not read"))
  }
})

test_that("objects without predictions of a search are refused with the reason", {
  for (class in names(bbcr:::unread_objects)) {
    object <- structure(list(fit = 1), class = class)
    pattern <- sprintf("an object of class %s is not taken: ", class)
    expect_refused(bbc_correct(object, truth, "roc_auc"), pattern)
    expect_refused(bbc_compare(list(a = object, b = risks), truth, "roc_auc"), pattern)
    expect_refused(bbc_correct(list(a = object, b = cross_validated(risks[, 1])), truth, "roc_auc"),
                   pattern)
  }
})

test_that("competing risks and late entry are refused with what to do", {
  skip_if_not_installed("survival")
  time <- rep(1:40, 2)
  refused <- function(y, pattern) expect_refused(correct(risks, y, "concordance_index"), pattern)
  refused(survival::Surv(time, time + 1, truth), "not of type \"counting\": rows that enter late")
  cause <- factor(rep(c("none", "death", "relapse", "none"), 20), c("none", "death", "relapse"))
  refused(survival::Surv(time, cause), "not of type \"mright\": of competing risks take one event")
  refused(survival::Surv(time, time + 1, cause), "neither competing risks nor late entry")
})
