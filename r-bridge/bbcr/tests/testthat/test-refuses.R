data <- binary_data()
accuracy <- function(predictions = data$labels, truth = data$truth, ...) {
  bbc_correct(predictions, truth, metric = "accuracy", ...)
}
auc <- function(predictions = data$scores, truth = data$truth, ...) {
  bbc_correct(predictions, truth, metric = "roc_auc", ...)
}

test_that("predictions of a wrong shape or type are refused", {
  expect_refused(accuracy(data$labels[, 1]), "`predictions`.*ncol = 1")
  expect_refused(accuracy(data$labels[-1, ]), "`truth` has 80 rows, `predictions` has 79")
  expect_refused(accuracy(data$labels[0, ]), "has no rows")
  expect_refused(accuracy(data$labels[, 0]), "has no configurations")
  expect_refused(accuracy(list()), "empty list")
  expect_refused(accuracy(list(data$labels, data$labels[, -1])), "repeat 2 has shape")
  named <- `colnames<-`(data$labels, letters[1:12])
  expect_refused(accuracy(list(named, named[, 12:1])), "repeat 2 has the columns l, k,.*1 has a, b,")
  expect_refused(accuracy(NULL), "`predictions` must be a matrix")
  expect_refused(auc(matrix("a", 80, 2)), "must be numbers")
  expect_refused(auc(matrix(1i, 80, 2)), "complex|numbers or labels")
  expect_refused(auc(array(0, c(80, 2, 2, 2))), "4 axes")
  expect_refused(auc(array(0.5, c(80, 2, 3))), "3 classes on the last axis")
  expect_refused(accuracy(array(0.5, c(80, 2, 2))), "three axes")
  expect_refused(accuracy(data.frame(a = data$truth, b = factor(data$truth))), "column b")
})

test_that("class scores are read by the names of their classes", {
  truth <- factor(data$truth, 0:1, c("well", "ill"))
  p <- plogis(data$scores)
  both <- array(c(1 - p, p), c(80, 12, 2), list(NULL, NULL, levels(truth)))
  plain <- bbc_correct(unname(both), truth, "log_loss", seed = 1)
  expect_identical(bbc_correct(both, truth, "log_loss", seed = 1), plain)
  expect_identical(
    bbc_correct(both, truth, "log_loss", seed = 1, event_level = "first")$estimate, plain$estimate
  )
  other <- both[, , 2:1]
  for (prefix in c("", ".pred_", "prob.")) {
    dimnames(other)[[3]] <- paste0(prefix, c("ill", "well"))
    for (event_level in list(NULL, "first")) {
      read <- function(p) bbc_correct(p, truth, "log_loss", event_level = event_level, seed = 1)
      expect_identical(read(other), read(unname(both)))
    }
    expect_identical(
      bbc_correct(list(Rep1 = both, Rep2 = other), truth, "log_loss", seed = 1)$estimate,
      bbc_correct(list(both, both), truth, "log_loss", seed = 1)$estimate
    )
  }
  dimnames(other)[[3]] <- c("ill", "poorly")
  expect_refused(bbc_correct(other, truth, "log_loss"), "the classes ill, poorly on the last axis")
  dimnames(other)[[3]] <- c("a", "b")  # of which nothing can be told
  expect_identical(bbc_correct(other, truth, "log_loss", seed = 1)$estimate,
                   bbc_correct(unname(other), truth, "log_loss", seed = 1)$estimate)
})

test_that("columns of class scores in a table are read by their names", {
  truth <- factor(rep(c("low", "mid", "high"), 20), c("low", "mid", "high"))
  set.seed(3)
  p <- prop.table(matrix(runif(180), 60) + 2 * outer(as.integer(truth), 1:3, "=="), 1)
  table <- data.frame(row_ids = 1:60, truth = truth, response = truth, prob.low = p[, 1],
                      prob.mid = p[, 2], prob.high = p[, 3], learner_id = "a", iteration = 1:6)
  plain <- bbc_correct(table, metric = "log_loss", seed = 1)
  for (columns in list(c("prob.high", "prob.low", "prob.mid"), c("prob.low", "prob.mid", "prob.high"))) {
    expect_identical(bbc_correct(table, metric = "log_loss", estimate = columns, seed = 1), plain)
  }
})

test_that("bad values are named with their place", {
  scores <- data$scores
  scores[4, 2] <- Inf
  expect_refused(auc(scores), "`predictions` is infinite at row 4, configuration 2")
  labels <- data$labels
  labels[4, 2] <- 7
  expect_refused(accuracy(labels), "`predictions`: label 7, which the truth does not have .*at row 4, configuration 2")
  labels[4, 2] <- 0.5
  expect_refused(accuracy(labels), "label 0.5")
  expect_refused(accuracy(data$labels == 1, factor(data$truth)), "numeric labels")
  truth <- replace(data$truth, 3, NA)
  expect_refused(accuracy(truth = truth), "`truth` is NA at row 3")
  expect_refused(auc(truth = replace(data$truth, 3, Inf)), "`truth` is infinite at row 3")
  p <- plogis(data$scores)
  expect_refused(bbc_correct(p + 1, data$truth, "log_loss"), "must be in \\[0, 1\\]")
  expect_refused(bbc_correct(array(c(p, p), c(dim(p), 2)), data$truth, "log_loss"), "instead of 1")
  expect_refused(bbc_correct(data$scores, data$truth, "mean_squared_log_error"),
                 "must be in \\(-1, Inf\\)")
})

test_that("a truth that the metric cannot use is refused", {
  expect_refused(auc(truth = rep(1, 80)), "one class", "bbc_undefined_metric")
  expect_refused(auc(truth = rep(0:2, length.out = 80)), "3 classes.*roc_auc_ovr")
  expect_refused(auc(truth = factor(data$truth, 0:2), event_level = "1"), "droplevels")
  expect_refused(accuracy(truth = rnorm(80)), "different real numbers")
  expect_refused(auc(truth = c(1, rep(0, 79))), "`truth`: class 1 has 1 row", "bbc_undefined_metric")
  one_ill <- factor(c("ill", rep("well", 79)))
  expect_refused(auc(truth = one_ill, event_level = "ill"), "class ill has 1 row",
                 "bbc_undefined_metric")
  expect_refused(auc(event_level = "maybe"), "`event_level` is \"maybe\"")
  expect_refused(bbc_correct(data$scores, data$truth, "r2", event_level = 1), "no meaning")
  expect_refused(bbc_correct(data$scores, letters[data$truth + 1], "r2"), "must be numbers")
  expect_refused(accuracy(truth = data.frame(data$truth)), "must be a vector")
  expect_refused(accuracy(truth = data$truth + 0i), "`truth` must hold numbers or labels")
  expect_refused(accuracy(truth = as.raw(data$truth)), "`truth` must hold numbers or labels")
  with_na <- addNA(factor(replace(data$truth, 3, NA)))
  expect_refused(accuracy(matrix(as.character(data$labels), 80), with_na), "`truth` is NA at row 3")
  expect_refused(auc(truth = factor(c("row 1", rep("row 2", 79))), event_level = "row 1"),
                 "class row 1 has 1 row", "bbc_undefined_metric")
  few <- factor(c("< 5%", rep("5% or more", 79)))
  expect_refused(auc(truth = few, event_level = "< 5%"), "class < 5% has 1 row",
                 "bbc_undefined_metric")
})

test_that("options are checked before any work", {
  expect_refused(bbc_correct(data$labels, data$truth), "`metric` is missing")
  expect_refused(bbc_correct(data$labels, metric = "accuracy"), "`truth` is missing")
  expect_refused(bbc_correct(data$labels, data$truth, "acuracy"), "did you mean accuracy\\?")
  expect_refused(accuracy(n_bootstraps = 0), "`n_bootstraps` must be at least 1")
  expect_refused(accuracy(n_bootstraps = 1.5), "whole number")
  expect_refused(accuracy(confidence_level = 95), "write 95 % as 0.95")
  expect_refused(accuracy(n_bootstraps = 30), "`confidence_level`.*at least 40")
  expect_refused(accuracy(seed = -1), "`seed`")
  expect_refused(accuracy(seed = 2^53), "`seed`")
  expect_refused(accuracy(method = "boot"), "`method` must be")
  expect_refused(accuracy(stratify_bootstrap = "yes"), "TRUE or FALSE")
  expect_refused(accuracy(n_thread = "x"), "n_threads|n_thread")
  expect_refused(accuracy(colour = 1), "unknown argument `colour`")
  expect_refused(accuracy(names = "a"), "`names` has 1 name for 12")
  expect_refused(accuracy(names = c("a", NA, letters[1:10])), "`names` is NA at configuration 2")
  expect_refused(accuracy(n_threads = 0), "`n_threads`")
})

test_that("folds, groups, weights and resamples are checked", {
  expect_refused(accuracy(pooling = "fold"), "`folds` is needed")
  expect_refused(accuracy(folds = rep(1, 80)), "one value in repeat 1")
  expect_refused(accuracy(folds = 1:79), "`folds` has 79 rows")
  expect_refused(accuracy(folds = cbind(1:80, 1:80)), "`folds` has 2 repeats")
  expect_refused(accuracy(groups = rep(1, 80)), "one group")
  expect_refused(accuracy(groups = rep(1:40, 2), stratify_bootstrap = TRUE), "spans classes")
  expect_refused(accuracy(sample_weight = rep(-1, 80)), "negative at row 1")
  expect_refused(accuracy(sample_weight = rep(0, 80)), "zero in every row")
  expect_refused(accuracy(resamples = matrix(1, 2, 3)), "80 columns")
  expect_refused(accuracy(resamples = matrix(0, 50, 80)), "between 1 and 80")
  all_drawn <- matrix(1:80, 50, 80, byrow = TRUE)
  expect_refused(accuracy(resamples = all_drawn), "`resamples`: a draw leaves nothing out of bag at replicate 1", NULL)
})

test_that("names that a learner does not take are refused when it is made", {
  own <- function(...) bbc_learner(function(x, y, degree) 1, predict = function(model, newx) 1, ...)
  expect_refused(own(degre = 1), "`degre` is no hyper-parameter of `fit`; did you mean degree\\?")
  expect_refused(own(x = 1), "`x` cannot be the name")
  dots <- bbc_learner(function(x, y, ...) 1, any = 1:2, predict = function(model, newx) 1)
  expect_equal(dots$labels, c("any=1", "any=2"))
  expect_refused(bbc_learner(function(x) 1, predict = function(model, newx) 1), "`fit` must be")
  expect_refused(bbc_learner(function(x, y) 1, predict = function(model) 1), "`predict` must be")
  expect_refused(bbc_learner("rangr"), "`fit`: no ready learner is called \"rangr\"; there are glm,")
  expect_refused(bbc_learner("glmnet", alpha = 1), "`lambda` is needed")
  expect_refused(bbc_learner("caret", k = 1), "`method` is needed")
  expect_refused(bbc_learner("glm", family = "binomial"), "`family` is no hyper-parameter of stats::")
  expect_equal(bbc_learner("glm", maxit = c(10, 50))$labels, c("maxit=10", "maxit=50"))
})

test_that("names that a package's function does not take are refused when the learner is made", {
  wrong <- list(
    list("randomForest", "mtri", "mtry"), list("ranger", "num.tree", "num.trees"),
    list("svm", "costs", "cost"), list("glmnet", "alph", "alpha")
  )
  right <- list(
    list("randomForest", mtry = 1:2, ntree = 50), list("ranger", mtry = 1, min.node.size = c(1, 9)),
    list("svm", cost = 1:2, kernel = "linear"), list("glmnet", lambda = 1, alpha = 0:1)
  )
  for (i in seq_along(wrong)) {
    name <- wrong[[i]][[1]]
    skip_if_not_installed(if (name == "svm") "e1071" else name)
    given <- list(name, 1, lambda = 1)[c(TRUE, TRUE, name == "glmnet")]
    names(given)[[2]] <- wrong[[i]][[2]]
    expect_refused(do.call(bbc_learner, given), sprintf("`%s` is no hyper-parameter of .*mean %s",
                                                        wrong[[i]][[2]], wrong[[i]][[3]]))
    expect_s3_class(do.call(bbc_learner, right[[i]]), "bbc_learner")
  }
})

test_that("learners of caret take the parameters of their method", {
  skip_if_not_installed("caret")
  expect_refused(bbc_learner("caret", method = "knn", mtry = 1), "of caret's method \"knn\", which has k")
  expect_refused(bbc_learner("caret", method = "knn"), "`k` is needed by caret's method \"knn\"")
  expect_refused(bbc_learner("caret", method = c("knn", "no"), k = 1), "caret has no method \"no\"")
  expect_s3_class(bbc_learner("caret", method = "knn", k = 1:3), "bbc_learner")
  expect_s3_class(bbc_learner("caret", method = "glm"), "bbc_learner")
})

test_that("one is one row", {
  expect_refused(accuracy(folds = 1), "`folds` has 1 row, the data have 80")
  expect_refused(bbc_correct(data$labels, 1, "mean_squared_error"),
                 "`truth` has 1 row, `predictions` has 80")
})

test_that("errors of protocols have the call that the user wrote", {
  wrong <- eval(quote(tryCatch(bbcr::bbc_tune(dist ~ speed, cars), error = identity)), globalenv())
  expect_equal(conditionCall(wrong)[[1]], quote(bbcr::bbc_tune))
})

test_that("arguments of Python's protocols are not taken beside R's", {
  given <- function(...) bbc_tune(dist ~ speed, cars, bbc_learner("glm"), "r2", ...)
  expect_refused(given(random_state = 1), "`random_state` is called `seed` in R")
  expect_refused(given(scoring = "r2"), "`scoring` is called `metric`")
  expect_refused(given(pos_label = 1), "`pos_label` is called `event_level`")
  expect_refused(given(refit = FALSE), "`refit` is no choice in R")
})

test_that("a factor of numbers beside numbers is told the way out", {
  truth <- factor(rep(0:1, 20))
  labels <- matrix(rep(0:1, 40), 40)
  expect_refused(bbc_correct(labels, truth, "accuracy"), "as.numeric\\(as.character\\(truth\\)\\)$")
  expect_refused(bbc_correct(labels + 2, truth, "accuracy"), "text labels: 0, 1$")
  expect_refused(bbc_one_standard_error(), "`complexity` is missing")
})

test_that("labelled vectors are refused with what to do", {
  labelled <- structure(rep(0:1, 5), labels = c(no = 0, yes = 1),
                        class = c("haven_labelled", "vctrs_vctr", "integer"))
  scores <- matrix(runif(20), 10)
  for (metric in c("roc_auc", "rmse")) {
    expect_refused(bbc_correct(scores, labelled, metric), "`truth` is labelled: take haven::as_factor")
    expect_refused(bbc_tune(data.frame(x = 1:10), labelled, bbc_learner("glm"), metric),
                   "`y` is labelled: take haven::as_factor\\(y\\)")
  }
})

test_that("messages say what to give in the place of what was given", {
  set.seed(2)
  risks <- matrix(runif(120), 60)
  truth <- factor(rep(c("No", "Yes"), 30))
  expect_refused(bbc_correct(risks, truth, "accuracy", event_level = "Yes"), "these are scores: give labels, .*bbc_best_threshold")
  expect_refused(bbc_correct(risks, truth, "roc_auc", event_level = 2), 'give one of them, "first" or "second"')
  expect_refused(bbc_correct(risks, truth, "roc_auc", event_level = "Yes", groups = "id"), "as data\\$id")
  table <- data.frame(.row = rep(1:60, 2), .config = rep(c("a", "b"), each = 60), id = rep(1:5, 24),
                      .pred_No = 1 - c(risks), .pred_Yes = c(risks), type = rep(truth, 2))
  expect_refused(bbc_correct(table, truth = "type", metric = "sensitivity", event_level = "Yes"),
                 "no column .pred_class, .*make it of the probabilities")
  expect_refused(bbc_correct(table[-1], truth = "type", metric = "roc_auc", event_level = "Yes"), "no column .row")
  expect_refused(bbc_learner("glmnet", Alpha = 1), "`Alpha` is no hyper-parameter of glmnet::glmnet\\(\\); did you mean alpha")
})

test_that("errors say what to do where one stands", {
  set.seed(1)
  truth <- factor(rbinom(60, 1, 0.4), labels = c("no", "yes"))
  scores <- matrix(runif(180), 60)
  once <- function(...) {
    suppressWarnings(bbc_correct(scores, truth, "roc_auc", event_level = "yes", seed = 1, n_threads = 2, ...))
  }
  expect_refused(once(secondary = "recall"),
                 "^`secondary`, metric \"recall\": .*; bbc_roc_curve\\(\\) and bbc_per_1000\\(\\) read scores$")
  page <- tempfile(fileext = ".html")
  expect_refused(bbc_report(bbc_per_1000(once(), 0.3), page), "page of bbc_clinical\\(fit\\) has it$")
  expect_s3_class(bbc_clinical(once(), threshold = 0.3), "bbc_clinical")
  counts <- structure(list(table = table(truth, truth)), class = "confusionMatrix")
  expect_refused(bbc_correct(counts), "class confusionMatrix is not taken: .* give the train\\(\\) object$")
  lacking <- transform(cars, speed = replace(speed, 7, NA))
  expect_refused(bbc_tune(dist ~ speed, lacking, bbc_learner("glm"), "r2", cv = 5, seed = 1, error_score = "raise"),
                 "not finite at row 7, where speed is missing: leave such rows out, or impute in a recipe$", "bbc_failed_fit")
})
