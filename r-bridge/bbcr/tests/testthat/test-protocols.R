# What each protocol of bbc_tune() estimates, from plain loops of R.

set.seed(8)
people <- data.frame(a = rnorm(60), b = rnorm(60), c = rnorm(60))
people$y <- people$a + rnorm(60)
people$class <- factor(ifelse(people$y + rnorm(60) > 0, "ill", "well"), c("well", "ill"))
folds <- sample(rep(1:4, 15))
folds <- match(folds, unique(folds))
columns <- c("a", "b", "c")
line <- bbc_learner(
  function(x, y, column) list(column = column, at = coef(lm(y ~ x[[column]]))), column = columns,
  predict = function(model, newx) model$at[[1]] + model$at[[2]] * newx[[model$column]]
)
predicted <- function(train, test, column) {
  at <- coef(lm(people$y[train] ~ people[[column]][train]))
  at[[1]] + at[[2]] * people[[column]][test]
}
error <- function(predictions, rows) mean((predictions - people$y[rows])^2)
tune <- function(protocol, ..., cv = folds) {
  suppressWarnings(bbc_tune(y ~ a + b + c, people, line, "mean_squared_error", protocol = protocol, cv = cv,
                            seed = 1, n_threads = 2, ...))
}
held_out <- sapply(columns, function(column) {
  out <- numeric(60)
  for (k in 1:4) out[folds == k] <- predicted(folds != k, folds == k, column)
  out
})
by_fold <- sapply(columns, function(column) {
  sapply(1:4, function(k) error(held_out[folds == k, column], folds == k))
})

test_that("CVT gives the best score on all rows, and says that it is too good", {
  done <- tune("CVT")
  expect_equal(unname(done$predictions), unname(held_out), tolerance = 1e-12)
  scores <- colMeans((held_out - people$y)^2)
  expect_equal(done$performance$estimate, min(scores), tolerance = 1e-12)
  expect_identical(done$winner, sprintf("column=\"%s\"", names(which.min(scores))))
  expect_true("BBC001" %in% done$performance$findings$code)
  expect_null(done$performance$confidence_interval)
  expect_identical(done$n_models_trained, 13)
  means <- tune("CVT", pooling = "fold")
  expect_equal(means$performance$estimate, min(colMeans(by_fold)), tolerance = 1e-12)
  expect_identical(means$performance$pooling, "fold")
  # The kernel's own, whatever is estimated.
  expect_identical(done$performance$estimate, tune("BBC")$performance$apparent)
  expect_identical(means$performance$estimate, tune("BBC", pooling = "fold")$performance$apparent)
})

test_that("TT is bbc_tt() of the predictions, and BBC-F bbc_correct()'s", {
  done <- tune("TT")
  expect_identical(done$performance$estimate,
                   bbc_tt(done$predictions, people$y, "mean_squared_error", folds = folds)$estimate)
  done <- tune("BBC", method = "bbc-f")
  again <- suppressWarnings(bbc_correct(done, method = "bbc-f", seed = 1))
  expect_identical(done$performance$replicates, again$replicates)
  expect_identical(done$performance$confidence_interval, again$confidence_interval)
})

test_that("CVM-CV scores the winner in folds that did not select it", {
  new <- match(rev(folds), unique(rev(folds)))
  done <- tune("CVM-CV", cv = cbind(folds, new))
  best <- names(which.min(colMeans((held_out - people$y)^2)))
  again <- numeric(60)
  for (k in 1:4) again[new == k] <- predicted(new != k, new == k, best)
  expect_equal(done$performance$estimate, error(again, 1:60), tolerance = 1e-12)
  expect_equal(done$performance$apparent, min(colMeans((held_out - people$y)^2)), tolerance = 1e-12)
  expect_identical(done$n_models_trained, 12 + 4 + 1)
  # Drawn folds differ between the two partitions.
  expect_false(identical(tune("CVM-CV", cv = 5)$performance$estimate, tune("CVT", cv = 5)$performance$estimate))
})

test_that("NCV selects anew without each fold", {
  done <- tune("NCV")
  scores <- numeric(4)
  winners <- character(4)
  for (k in 1:4) {
    inner <- sapply(columns, function(column) mean(sapply(setdiff(1:4, k), function(j) {
      error(predicted(!folds %in% c(j, k), folds == j, column), folds == j)
    })))
    winners[[k]] <- names(which.min(inner))
    scores[[k]] <- by_fold[k, winners[[k]]]
  }
  expect_equal(done$outer$score, scores, tolerance = 1e-12)
  expect_identical(done$outer$winner, sprintf("column=\"%s\"", winners))
  expect_equal(done$performance$estimate, mean(scores), tolerance = 1e-12)
  expect_equal(done$performance$apparent, min(colMeans(by_fold)), tolerance = 1e-12)
  expect_identical(done$n_models_trained, 3 * 4 * 5 / 2 + 1)
  expect_identical(done$performance$method, "ncv")
  twice <- tune("NCV", cv = 3, n_repeats = 2)
  expect_identical(dim(twice$outer), c(6L, 4L))
  expect_equal(twice$performance$estimate,
               mean(tapply(twice$outer$score, twice$outer$rep, mean)), tolerance = 1e-12)
})

test_that("what nested cross-validation selects is selected without the outer fold's outcome", {
  changed <- people
  changed$y[folds == 2] <- changed$y[folds == 2] + rnorm(15, sd = 50)
  again <- suppressWarnings(bbc_tune(y ~ a + b + c, changed, line, "mean_squared_error", protocol = "NCV",
                                     cv = folds, seed = 1))
  expect_identical(again$outer$winner[[2]], tune("NCV")$outer$winner[[2]])
})

test_that("every protocol answers every generic, and predicts", {
  for (protocol in names(bbcr:::protocols)) {
    done <- suppressWarnings(bbc_tune(
      class ~ a + b, people, list(line = bbc_learner("glm"), tree = bbc_learner("caret", method = "knn", k = c(3, 9))),
      "roc_auc", event_level = "ill", protocol = protocol, cv = 3, seed = 1, n_threads = 2
    ))
    expect_s3_class(done, "bbc_protocol")
    expect_identical(done$protocol, protocol)
    expect_match(capture.output(print(done))[[1]], sprintf("^%s of 3 configurations", protocol))
    expect_identical(nrow(tidy(done)), 1L)
    expect_identical(glance(done)$protocol, protocol)
    expect_identical(levels(predict(done, people)), levels(people$class))
    expect_identical(dim(predict(done, people, type = "prob")), c(60L, 2L))
    expect_identical(done$performance$design$training, "observed")
    expect_identical(is.null(done$performance$confidence_interval), !protocol %in% c("BBC", "BBCD"))
    # The predictions answer further questions; the metric is known.
    fit <- suppressWarnings(bbc_correct(done, seed = 1, n_threads = 2))
    expect_identical(fit$metric, "roc_auc")
    expect_identical(fit$event, "ill")
    again <- suppressWarnings(update(done, seed = 2))
    expect_false(identical(again$folds, done$folds))
    expect_identical(suppressWarnings(update(done))$performance, done$performance)
  }
})

test_that("learners of packages, data frames of configurations and several learners compete", {
  grid <- data.frame(method = "knn", k = c(9, 3))
  done <- suppressWarnings(bbc_tune(y ~ a + b, people, list(
    near = bbc_learner("caret", grid = grid), line = bbc_learner("glm")
  ), "mean_squared_error", protocol = "CVT", cv = folds, seed = 1))
  expect_identical(done$configurations$name, c("near(k=9, method=\"knn\")", "near(k=3, method=\"knn\")", "line"))
  expect_identical(done$configurations$k, c(9, 3, NA))
  expect_identical(done$configurations$learner, c("near", "near", "line"))
  train <- folds != 1
  by_hand <- caret::knnreg(people[train, c("a", "b")], people$y[train], k = 3)
  expect_equal(unname(done$predictions[!train, 2]), predict(by_hand, people[!train, c("a", "b")]))
  plain <- lm(y ~ a + b, people[train, ])
  expect_equal(unname(done$predictions[!train, "line"]), unname(predict(plain, people[!train, ])))
  expect_refused(bbc_learner("caret", grid = grid, k = 1), "`grid` has the hyper-parameters: leave out `k`")
  expect_refused(bbc_learner("caret", grid = grid[0, ]), "`grid` has no rows")
  expect_refused(bbc_learner("caret", grid = grid[c(1, 1), ]), "`grid` has the configuration k=9, .* twice")
  expect_identical(bbc_learner("ranger", mtry = 1:2, min.node.size = c(1, 5))$labels[1:2],
                   c("min.node.size=1, mtry=1", "min.node.size=1, mtry=2"))
})

test_that("every metric is estimated by every protocol", {
  skip_if_not_installed("survival")
  risks <- exp(people$a + people$y / 4)
  kinds <- factor(c("low", "mid", "high"))[1 + (people$y > -0.5) + (people$b > 0.3)]
  outcomes <- list(binary = people$class, classes = kinds, real = risks,
                   survival = survival::Surv(risks, rep(c(1, 1, 0), 20)))
  growing <- bbc_learner(
    function(x, y, k) mean(y) * (1 + k / 10), k = 1:2, predict = function(model, newx) model * exp(newx$a)
  )
  learners <- list(binary = bbc_learner("glm", maxit = c(24, 25)),
                   classes = bbc_learner("caret", method = "knn", k = c(5, 9)), real = growing,
                   survival = bbc_learner("coxph", ties = c("efron", "breslow")))
  n <- 0
  for (name in setdiff(bbc_metrics()$name, c("row_loss", "row_score"))) {
    metric <- if (name == "f_beta") bbc_metric(name, beta = 2) else if (name == "pinball_loss") {
      bbc_metric(name, alpha = 0.3)
    } else tryCatch(bbc_metric(name), bbc_error = function(e) bbc_metric(name, time = 1))
    if (metric$predicts == "survival" || !is.null(metric$odds)) next
    of <- if (metric$target == "classes") "classes" else metric$target
    for (protocol in c("CVT", "NCV", "BBCD")) {
      done <- suppressWarnings(bbc_tune(
        people[c("a", "b")], outcomes[[of]], learners[[of]], metric, protocol = protocol, cv = 3, seed = 1,
        event_level = if (of == "binary") "ill", n_threads = 1
      ))
      expect_true(is.finite(done$performance$estimate), label = paste(name, protocol))
      n <- n + 1
    }
  }
  expect_gt(n, 150)
})

test_that("what is not taken is refused with what to give", {
  frame <- data.frame(a = 1:20, y = factor(rep(c("n", "y"), 10)))
  tune <- function(...) bbc_tune(y ~ a, frame, ..., metric = "roc_auc", event_level = "y")
  expect_refused(tune("ranger"), 'give bbc_learner\\("ranger", ...\\)')
  expect_refused(tune(list(bbc_learner("glm"))), "list\\(first = ..., second = ...\\)")
  expect_refused(tune(bbc_learner("glm"), cv = list(method = "cv", number = 10)), "number of folds, cv = 10")
  expect_refused(bbc_tune(frame, "y", bbc_learner("glm"), "roc_auc"), "give a formula, y ~ [.], and the data")
  table <- data.frame(truth = frame$y, p = 1:20 / 20)
  expect_refused(bbc_correct(table, frame$y, "roc_auc", event_level = "y"), "column truth is no prediction")
})

test_that("a comparison says which protocol drops nothing", {
  set.seed(2)
  frame <- data.frame(a = rnorm(150), b = rnorm(150), c = rnorm(150))
  frame$y <- factor(ifelse(frame$a + 0.4 * rnorm(150) > 0, "yes", "no"))
  by_one <- bbc_learner(function(x, y, v) v, v = c("a", "b", "c"), predict = function(model, newx) {
    cbind(no = 1 - plogis(newx[[model]]), yes = plogis(newx[[model]]))
  })
  tune <- function(...) bbc_tune(y ~ ., frame, by_one, "roc_auc", event_level = "yes", cv = 5, seed = 1, ...)
  dropping <- tune()
  expect_gt(sum(!is.na(dropping$configurations$dropped)), 0)
  expect_refused(bbc_compare(list(a = dropping, b = dropping), metric = "roc_auc"),
                 "`predictions[$]a`: the protocol dropped 2 of 3 .* tune with protocol = \"BBC\"")
  whole <- tune(protocol = "BBC")
  expect_s3_class(bbc_compare(list(a = whole, b = whole), metric = "roc_auc", seed = 1), "bbc_comparison")
})
