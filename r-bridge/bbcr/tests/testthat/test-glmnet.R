skip_if_not_installed("glmnet")
set.seed(1)
x <- matrix(rnorm(90 * 8), 90)
real <- x[, 1] - x[, 2] + rnorm(90)
classes <- factor(ifelse(x[, 1] + rnorm(90) > 0, "yes", "no"), c("yes", "no"))
fitted <- function(y, family, ...) {
  set.seed(2)
  glmnet::cv.glmnet(x, y, family = family, nfolds = 6, keep = TRUE, ...)
}
# Without what only the fit knows: its own choice.
plain <- function(e) e[setdiff(names(e), c("findings", "notes", "names", "winner_name", "checked_scores",
                                        "deployed"))]
quietly <- suppressWarnings

test_that("prevalidated fits are predictions, lambdas configurations", {
  fit <- fitted(real, "gaussian")
  e <- quietly(bbc_correct(fit, real, "rmse", seed = 1))
  expect_identical(plain(e), plain(bbc_correct(unname(fit$fit.preval), real, "rmse", seed = 1,
                                               folds = fit$foldid)))
  expect_identical(e$names[[1]], sprintf("lambda=%.6g", fit$lambda[[1]]))
  by_measure <- bbc_correct(fit, real, "mean_squared_error", seed = 1)
  expect_equal(by_measure$apparent, min(fit$cvm))
  expect_equal(by_measure$winner_name, sprintf("lambda=%.6g", fit$lambda.min))
  expect_identical(by_measure$notes, character())
})

test_that("classes have probabilities and labels", {
  fit <- fitted(classes, "binomial")
  p <- unname(stats::plogis(fit$fit.preval))
  attr(p, "classnames") <- NULL
  of_matrix <- function(predictions, metric, ...) {
    plain(quietly(bbc_correct(predictions, classes, metric, seed = 1, folds = fit$foldid, ...)))
  }
  of_fit <- function(metric, ...) plain(quietly(bbc_correct(fit, classes, metric, seed = 1, ...)))
  expect_identical(of_fit("roc_auc"), of_matrix(p, "roc_auc", event_level = "no"))
  expect_identical(of_fit("brier_score", event_level = "first"),
                   of_matrix(1 - p, "brier_score", event_level = "yes"))
  labels <- matrix(levels(classes)[1 + (p > 0.5)], 90)
  expect_identical(of_fit("accuracy"), of_matrix(labels, "accuracy"))
  coded <- as.integer(classes) - 1
  fit <- fitted(coded, "binomial")
  expect_equal(quietly(bbc_correct(fit, coded, "roc_auc", seed = 1))$replicates,
               of_matrix(p, "roc_auc", event_level = "no")$replicates)
  three <- iris[c(1:30, 51:80, 101:130), ]
  fit <- fitted(three$Species, "multinomial")
  e <- quietly(bbc_correct(fit, three$Species, "log_loss", seed = 1))
  odds <- exp(aperm(fit$fit.preval, c(1, 3, 2)))
  sums <- odds[, , 1] + odds[, , 2] + odds[, , 3]
  shares <- array(c(odds[, , 1] / sums, odds[, , 2] / sums, odds[, , 3] / sums), dim(odds))
  own <- quietly(bbc_correct(shares, three$Species, "log_loss", seed = 1))
  expect_equal(e$replicates, own$replicates)
  labels <- quietly(bbc_correct(fit, three$Species, "zero_one_loss", seed = 1))
  expect_equal(labels$apparent,
               min(apply(shares, 2, function(p) mean(max.col(p) != as.integer(three$Species)))))
})

test_that("counts and times are taken", {
  counts <- stats::rpois(90, exp(x[, 1]))
  fit <- fitted(counts, "poisson")
  e <- bbc_correct(fit, counts, "poisson_deviance", seed = 1)
  expect_equal(e$apparent, min(fit$cvm))
  skip_if_not_installed("survival")
  times <- survival::Surv(stats::rexp(90, exp(x[, 1])), rep(c(1, 1, 0), 30))
  fit <- fitted(times, "cox", type.measure = "C")
  e <- quietly(bbc_correct(fit, times, "concordance_index", seed = 1))
  # Linear predictors are relative to the training rows of their fold.
  by_hand <- function(...) quietly(bbc_correct(unname(fit$fit.preval), times, "concordance_index", seed = 1, ...))
  expect_identical(e$pooling, "fold")
  expect_identical(e$replicates, by_hand(pooling = "fold", folds = fit$foldid)$replicates)
  pooled <- quietly(bbc_correct(fit, times, "concordance_index", pooling = "pooled", seed = 1))
  expect_identical(pooled$replicates, by_hand()$replicates)
  expect_identical(quietly(bbc_score(e, "uno_concordance"))$pooling, "fold")
  both <- list(a = fit, b = fit)
  expect_identical(quietly(bbc_compare(both, times, "concordance_index", seed = 1))$pooling, "fold")
  as_matrix <- cbind(time = times[, 1], status = times[, 2])
  again <- quietly(bbc_correct(fit, as_matrix, "concordance_index", seed = 1))
  expect_identical(again$replicates, e$replicates)
})

test_that("lambda.1se is the rule of one standard error", {
  fit <- fitted(real, "gaussian")
  e <- quietly(bbc_correct(fit, real, "mean_squared_error", seed = 1, selection = "lambda.1se"))
  rule <- bbc_one_standard_error(seq_along(fit$lambda))
  own <- bbc_correct(unname(fit$fit.preval), real, "mean_squared_error", seed = 1,
                     folds = fit$foldid, selection = rule)
  expect_identical(plain(e), plain(own))
  expect_gt(fit$lambda[[e$winner]], fit$lambda.min)
  least <- bbc_correct(fit, real, "mean_squared_error", seed = 1, selection = "lambda.min")
  expect_identical(least, bbc_correct(fit, real, "mean_squared_error", seed = 1))
})

test_that("a relaxed fit has a configuration per lambda and gamma", {
  # By hand: glmnet's largest lambda first, and of it the largest gamma.
  by_hand <- function(fit) {
    cells <- expand.grid(gamma = rev(seq_along(fit$relaxed$gamma)), lambda = seq_along(fit$lambda))
    simplify2array(Map(function(gamma, lambda) {
      own <- fit$fit.preval[[gamma]]
      if (length(dim(own)) == 3) unname(own[, , lambda]) else unname(own[, lambda])
    }, cells$gamma, cells$lambda))
  }
  fit <- fitted(real, "gaussian", relax = TRUE)
  for (method in c("bbc", "bbc-f")) {
    e <- bbc_correct(fit, real, "mean_squared_error", seed = 1, method = method)
    expect_identical(plain(e), plain(bbc_correct(by_hand(fit), real, "mean_squared_error", seed = 1,
                                                 folds = fit$foldid, method = method)))
  }
  expect_equal(e$n_configurations, 5 * length(fit$lambda))
  expect_equal(e$winner_name, sprintf("lambda=%.6g, gamma=%.6g", fit$relaxed$lambda.min,
                                      fit$relaxed$gamma.min))
  expect_equal(e$apparent, min(vapply(fit$relaxed$statlist, function(own) min(own$cvm), 0)))
  least <- quietly(bbc_correct(fit, real, "mean_squared_error", selection = "lambda.1se", seed = 1))
  expect_equal(least$winner_name, sprintf("lambda=%.6g, gamma=%.6g", fit$relaxed$lambda.1se,
                                          fit$relaxed$gamma.1se))
  expect_refused(bbc_correct(fit, rev(real), "rmse"), "cv.glmnet says that Mean-Squared Error")
  fit <- fitted(classes, "binomial", relax = TRUE, gamma = c(0, 0.5))
  e <- quietly(bbc_correct(fit, classes, "roc_auc", seed = 1))
  own <- bbc_correct(stats::plogis(by_hand(fit)), classes, "roc_auc", seed = 1,
                     folds = fit$foldid, event_level = "no")
  expect_identical(e$replicates, own$replicates)
  three <- iris[c(1:30, 51:80, 101:130), ]
  fit <- quietly(fitted(three$Species, "multinomial", relax = TRUE, gamma = c(0, 1)))
  labels <- quietly(bbc_correct(fit, three$Species, "zero_one_loss", seed = 1))
  wrong <- apply(by_hand(fit), 3, function(link) mean(max.col(link) != as.integer(three$Species)))
  expect_equal(labels$apparent, min(wrong))
  expect_equal(labels$winner, which.min(wrong))
})

test_that("a cut-off is one of probabilities", {
  fit <- fitted(classes, "binomial")
  p <- unname(stats::plogis(fit$fit.preval))
  cut <- function(...) quietly(bbc_correct(..., selection = bbc_best_threshold(), seed = 1))
  same <- c("replicates", "threshold", "replicate_thresholds", "winner")
  e <- cut(fit, classes, "f1")
  expect_identical(e[same], cut(p, classes, "f1", event_level = "no")[same])
  expect_identical(e$notes, character())
})

test_that("rows in another order are refused", {
  for (measure in c("auc", "class", "deviance", "mse", "mae")) {
    fit <- fitted(classes, "binomial", type.measure = measure)
    expect_s3_class(quietly(bbc_correct(fit, classes, "accuracy", seed = 1)), "bbc_estimate")
    expect_refused(bbc_correct(fit, rev(classes), "accuracy"), "cv.glmnet says that .* in another order")
  }
  fit <- fitted(real, "gaussian")
  expect_refused(bbc_correct(fit, rev(real), "rmse"), "cv.glmnet says that Mean-Squared Error")
  rownames(x) <- paste0("row", 1:90)
  fit <- glmnet::cv.glmnet(x, real, keep = TRUE)
  expect_refused(bbc_correct(fit, stats::setNames(real, rownames(x))[90:1], "rmse"),
                 "row 1 is row90, that of `predictions` is row1")
})

test_that("fits without predictions, and other mistakes, are refused", {
  fit <- glmnet::cv.glmnet(x, real)
  expect_refused(bbc_correct(fit, real, "rmse"), "cv.glmnet\\(keep = TRUE\\)")
  fit <- fitted(real, "gaussian")
  expect_refused(bbc_correct(fit, metric = "rmse"), "`truth` is needed")
  expect_refused(bbc_correct(fit, real[-1], "rmse"), "`truth` has 89 rows, the model 90")
  expect_refused(bbc_correct(fitted(classes, "binomial"), sub("yes", "ja", classes), "accuracy"),
                 "`truth` has the class ja, the fit has yes, no")
  several <- fitted(cbind(real, real), "mgaussian")
  expect_refused(bbc_correct(several, real, "rmse"), "several outcomes")
})

test_that("glmnet's measures that are multiples or other means are named in our terms", {
  set.seed(1)
  x <- matrix(rnorm(60 * 3), 60)
  y <- factor(x[, 1] + rnorm(60) > 0)
  said <- c(auc = '"roc_auc" with pooling = "fold"', deviance = '"log_loss"', mse = '"brier_score"')
  for (measure in names(said)) {
    model <- glmnet::cv.glmnet(x, y, family = "binomial", type.measure = measure, nfolds = 5, keep = TRUE)
    expect_refused(bbc_correct(model, y), paste0("`metric` is missing: cv.glmnet chose by .*", said[[measure]]))
    metric <- gsub('"', "", sub(" .*", "", said[[measure]]))
    # The configuration that is best by it is the one that glmnet deploys.
    fit <- suppressWarnings(bbc_correct(model, y, metric, pooling = if (measure == "auc") "fold" else "pooled",
                                        n_bootstraps = 50, seed = 1))
    expect_equal(fit$winner, match(model$lambda.min, model$lambda))
  }
})
