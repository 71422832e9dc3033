data <- binary_data()
folds <- rep(1:5, 16)

test_that("a result is computed again with other arguments and the same replicates", {
  set.seed(3)
  e <- bbc_correct(data$labels, data$truth, "accuracy")
  expect_identical(e$call$seed, e$seed)
  fewer <- update(e, n_bootstraps = 200)
  expect_identical(fewer$replicates, e$replicates[1:200])
  by_folds <- update(e, method = "bbc-f", folds = folds)
  expect_identical(by_folds, bbc_correct(data$labels, data$truth, "accuracy", method = "bbc-f",
                                         folds = folds, seed = e$seed))
  expect_identical(update(e, metric = "kappa"),
                   bbc_correct(data$labels, data$truth, "kappa", seed = e$seed))
  expect_identical(update(e, seed = 5), bbc_correct(data$labels, data$truth, "accuracy", seed = 5))
  expect_identical(update(e), e)
  call <- update(e, metric = "kappa", evaluate = FALSE)
  expect_identical(as.list(call)[c("metric", "truth")],
                   list(metric = "kappa", truth = quote(data$truth)))
})

test_that("arguments that a method takes by their place have names", {
  e <- bbc_correct(data$labels, data$truth, "accuracy", "bbc-f", folds, seed = 1)
  expect_identical(as.list(e$call)[c("method", "folds")],
                   list(method = "bbc-f", folds = quote(folds)))
  expect_identical(update(e, method = "bbc"),
                   bbc_correct(data$labels, data$truth, "accuracy", folds = folds, seed = 1))
  table <- expand.grid(row = 1:20, configuration = 1:3)
  table$truth <- sin(table$row)
  table$own <- table$truth + cos(seq_len(60))
  e <- bbc_correct(table, "truth", "rmse", "own", seed = 1)
  expect_identical(e$call$estimate, "own")
})

test_that("several metrics and the other results have a call as well", {
  fit <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)
  several <- update(fit, secondary = "average_precision")
  expect_identical(names(several$secondary), "average_precision")
  expect_identical(several, bbc_correct(data$scores, data$truth, "roc_auc", seed = 1,
                                        secondary = "average_precision"))
  results <- list(
    bbc_tt(data$scores, data$truth, "roc_auc", folds = folds),
    bbc_bound(data$scores, data$truth),
    bbc_compare(list(a = data$scores[, 1:2], b = data$scores[, 3:4]), data$truth, "roc_auc"),
    bbc_compare(list(a = data$scores[, 1:2], b = data$scores[, 3:4]), data$truth, "roc_auc",
                secondary = "average_precision"),
    bbc_score(fit, "average_precision"), bbc_tuning_path(fit), bbc_subgroups(fit, rep(1:2, 40)),
    bbc_roc_curve(fit), bbc_possible_winners(fit), bbc_winner_interval(fit),
    bbc_correct(matrix(data$scores[1:60], 10), metric = "accuracy", method = "bbc-f")
  )
  for (result in results) expect_identical(update(result), result)
})

test_that("objects inside a result have no call, which would name what nobody has", {
  compared <- bbc_compare(list(a = data$scores[, 1:2], b = data$scores[, 3:4]), data$truth,
                          "roc_auc", seed = 1)
  expect_null(compared$estimates$a$call)
  several <- bbc_correct(data$scores, data$truth, "roc_auc", secondary = "average_precision", seed = 1)
  expect_null(several$secondary$average_precision$call)
  expect_null(bbc_roc_curve(several)$performance$call)
  expect_identical(deparse1(bbc_roc_curve(several)$call), "bbc_roc_curve(fit = several)")
})

test_that("a call within a function of the user is found, its dots included", {
  analysis <- function(...) bbc_correct(data$labels, data$truth, ...)
  e <- analysis("accuracy", n_bootstraps = 100)
  expect_identical(e$call$metric, "accuracy")
  expect_identical(e$call$n_bootstraps, 100)
})

test_that("a protocol is run again, with a changed formula too", {
  fit <- structure(list(
    formula = y ~ a + b, performance = list(), call = quote(protocol(x = y ~ ., y = table, seed = 1))
  ), class = c("bbc_protocol", "bbc_result"))
  protocol <- function(...) list(...)
  table <- 3
  expect_identical(update(fit, cv = 5), list(x = y ~ ., y = 3, seed = 1, cv = 5),
                   ignore_formula_env = TRUE)
  expect_identical(deparse(update(fit, . ~ . - a, evaluate = FALSE)$x), "y ~ b")
  fit["formula"] <- list(NULL)
  expect_refused(update(fit, . ~ . - a), "was not given a formula")
})

test_that("tables of tidy(), glance() and augment() are tibbles where tibble is installed", {
  e <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)
  compared <- bbc_compare(list(a = data$scores[, 1:2], b = data$scores[, 3:4]), data$truth,
                          "roc_auc", seed = 1)
  fit <- structure(list(protocol = "BBC", performance = e, n_models_trained = 3,
                        truth = c(1.5, 2), model = 1, columns = "x", levels = list(),
                        predict_function = function(model, newx) newx$x), class = c("bbc_protocol", "bbc_result"))
  tables <- list(tidy(e), glance(e), tidy(compared), glance(compared), tidy(fit), glance(fit),
                 augment(fit, data.frame(x = 1:2)), glance(bbc_bound(data$scores, data$truth)))
  expected <- if (requireNamespace("tibble", quietly = TRUE)) "tbl_df" else "data.frame"
  for (table in tables) expect_identical(class(table)[[1]], expected)
  expect_identical(class(as.data.frame(e)), "data.frame")
  expect_identical(as.data.frame(tidy(e)),
                   data.frame(term = "roc_auc", estimate = e$estimate,
                              conf.low = e$confidence_interval$low,
                              conf.high = e$confidence_interval$high))
})
