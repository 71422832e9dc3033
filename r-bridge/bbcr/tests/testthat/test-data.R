data <- binary_data(60, 5)
truth <- factor(data$truth, labels = c("well", "ill"))
folds <- rep(1:6, 10)
groups <- rep(1:30, each = 2)
held <- bbc_data(data$scores, truth, folds = folds, event_level = "ill")

test_that("all functions take a bbc_data as what it holds", {
  expect_identical(
    bbc_correct(held, metric = "roc_auc", seed = 1),
    bbc_correct(data$scores, truth, "roc_auc", folds = folds, event_level = "ill", seed = 1)
  )
  expect_identical(bbc_tt(held, metric = "roc_auc"),
                   bbc_tt(data$scores, truth, "roc_auc", folds, event_level = "ill"))
  expect_identical(bbc_bound(held, method = "delong", seed = 1),
                   bbc_bound(data$scores, truth, folds, "delong", event_level = "ill", seed = 1))
  drawn <- bbc_data(data$scores, truth, groups = groups, sample_weight = folds,
                    event_level = "ill")
  expect_identical(
    bbc_correct(drawn, metric = "roc_auc", seed = 1),
    bbc_correct(data$scores, truth, "roc_auc", groups = groups, sample_weight = folds,
                event_level = "ill", seed = 1)
  )
  by_group <- bbc_data(data$scores, truth, groups = groups, event_level = "ill")
  expect_identical(
    ask(bbc_winner_interval, by_group, metric = "roc_auc", seed = 1),
    ask(bbc_winner_interval, data$scores, truth, "roc_auc", groups = groups, event_level = "ill",
             seed = 1)
  )
  precision <- suppressWarnings(bbc_score(bbc_correct(drawn, metric = "roc_auc", seed = 1),
                                          "average_precision"))
  expect_identical(precision, suppressWarnings(bbc_score(
    bbc_correct(data$scores, truth, "roc_auc", groups = groups, sample_weight = folds,
                event_level = "ill", seed = 1), "average_precision"
  )))
  path_of <- function(...) ask(bbc_tuning_path, ..., metric = "roc_auc", n_bootstraps = 50, seed = 1)
  expect_identical(path_of(by_group),
                   path_of(data$scores, truth, groups = groups, event_level = "ill"))
  families <- rep(c("a", "b"), c(2, 3))
  compared <- function(...) bbc_compare(..., metric = "roc_auc", n_bootstraps = 50, seed = 1)
  expect_identical(
    compared(by_group, by = families),
    compared(data$scores, truth, by = families, groups = groups, event_level = "ill")
  )
  numbers <- bbc_data(data$scores, data$scores[, 1] + data$scores[, 2], event_level = "ill")
  expect_identical(bbc_correct(numbers, metric = "rmse", seed = 1)$metric,
                   "root_mean_squared_error")
})

test_that("a bbc_data may hold a table", {
  table <- expand.grid(row = 1:60, configuration = letters[1:5])
  table$truth <- data$truth[table$row]
  table$estimate <- c(data$scores)
  expect_identical(bbc_correct(bbc_data(table), metric = "roc_auc", seed = 1),
                   bbc_correct(table, metric = "roc_auc", seed = 1))
  expect_output(print(bbc_data(table)), "<bbc_data of data.frame>")
  expect_output(print(held), "<bbc_data, 60 rows, 5 configurations, folds, event ill>")
})

test_that("it is checked when it is made, and nothing is given twice", {
  expect_refused(bbc_data(data$scores, truth[-1]), "`truth` has 59 rows, `predictions` has 60")
  expect_refused(bbc_data(data$scores), "`truth` is missing")
  expect_refused(bbc_data(data$scores, truth, folds = folds[-1]), "`folds` has 59 rows")
  expect_refused(bbc_data(data$scores, truth, groups = rep(1, 60)), "one group")
  expect_refused(bbc_data(data$scores, truth, names = "a"), "`names` has 1 name")
  named <- data$scores
  rownames(named) <- paste0("r", 1:60)
  expect_refused(bbc_data(named, stats::setNames(truth, rev(rownames(named)))), "another order")
  expect_refused(bbc_correct(held, truth, "roc_auc"), "`truth` is in the bbc_data: leave it out")
  expect_refused(bbc_correct(held, metric = "roc_auc", folds = folds), "`folds` is in the bbc_data")
  expect_refused(bbc_data(held), "bbc_data already")
  weighted <- bbc_data(data$scores, truth, folds = folds, sample_weight = folds,
                       event_level = "ill")
  expect_refused(bbc_bound(weighted, method = "delong"), "`sample_weight` is not taken by a bound")
  expect_refused(bbc_winner_interval(bbc_correct(weighted, metric = "roc_auc")),
                 "`sample_weight` is not taken")
})

# A result as new_protocol() makes it, without Python.
test_that("a protocol's predictions are corrected, and it has the usual methods", {
  e <- bbc_correct(data$scores, truth, "roc_auc", folds = folds, event_level = "ill", seed = 1)
  fit <- structure(list(
    protocol = "BBC", performance = e, winner = e$winner_name, predictions = data$scores,
    truth = truth, folds = folds, n_models_trained = 31, configurations = data.frame(name = 1:5),
    model = 0.5, predict_function = function(model, newx) newx$x > model, columns = "x",
    levels = list()
  ), class = c("bbc_protocol", "bbc_result"))
  expect_identical(bbc_correct(fit, metric = "roc_auc", seed = 1), e)
  expect_identical(bbc_correct(fit, metric = "average_precision", seed = 1)$event, "ill")
  expect_identical(tidy(fit), tidy(e))
  expect_identical(glance(fit)$n_models_trained, 31)
  expect_identical(as.data.frame(fit)$estimate, e$estimate)
  fit$predict_function <- function(model, newx) as.numeric(newx$x > model)
  more <- augment(fit, data.frame(x = c(0, 1)))
  expect_identical(as.character(more$.pred_class), c("well", "ill"))
  expect_identical(more$.pred_ill, c(0, 1))
  expect_refused(augment(fit), "`newdata` is missing")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fit), fit)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})
