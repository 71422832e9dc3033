# mlr3's own objects, where it is installed; each is what its predictions are as a matrix.
skip_if_not_installed("mlr3")
suppressMessages(lgr::get_logger("mlr3")$set_threshold("warn"))
n_values <- if (utils::packageVersion("mlr3") < "0.21.0") 1 else 3
set.seed(1)
sonar <- mlr3::tsk("sonar")
sonar$filter(sample(208, 120))
tree <- function(id = "tree", ...) {
  mlr3::lrn("classif.rpart", id = id, predict_type = "prob", ...)
}
trees <- function(cps = c(0.01, 0.1, 0.3)) lapply(cps, function(cp) tree(paste0("cp=", cp), cp = cp))
rows_of <- function(result, iterations = seq_along(result$predictions())) {
  lines <- do.call(rbind, lapply(iterations, function(i) {
    own <- result$predictions()[[i]]
    line <- data.frame(row_ids = own$row_ids, truth = own$truth, response = own$response,
                       iteration = i)
    if ("prob" %in% own$predict_types) line <- cbind(line, prob = own$prob)
    line
  }))
  lines[order(lines$row_ids), ]
}
expect_by_hand <- function(result, metric, column, ..., event_level = NULL) {
  lines <- rows_of(result)
  values <- lines[column]
  values[] <- lapply(values, function(own) if (is.factor(own)) as.character(own) else own)
  if (length(column) > 1) values <- array(as.matrix(values), c(nrow(values), 1, length(column)))
  e <- bbc_correct(result, metric = metric, seed = 1)
  by_hand <- bbc_correct(if (is.array(values)) values else as.matrix(values), lines$truth, metric,
                         event_level = event_level, seed = 1, ...)
  expect_identical(e$replicates, by_hand$replicates)
  expect_identical(e$event, by_hand$event)
  invisible(e)
}

test_that("results of every resampling are what their predictions are", {
  set.seed(2)
  fold <- rep(1:4, 30)
  custom_cv <- mlr3::rsmp("custom_cv")
  custom_cv$instantiate(sonar, f = factor(fold))
  ids <- sonar$row_ids
  custom <- mlr3::rsmp("custom")
  custom$instantiate(sonar, lapply(1:4, function(k) ids[fold != k]),
                     lapply(1:4, function(k) ids[fold == k]))
  for (resampling in list(mlr3::rsmp("cv", folds = 4), mlr3::rsmp("holdout"), custom_cv, custom)) {
    result <- mlr3::resample(sonar, tree(), resampling)
    e <- expect_by_hand(result, "roc_auc", "prob.M", event_level = "M")
    if (resampling$id != "holdout") expect_identical(e$n_folds, 4L)
    expect_by_hand(result, "accuracy", "response")
  }
  small <- mlr3::tsk("sonar")
  small$filter(seq(1, 208, 8))
  expect_by_hand(mlr3::resample(small, tree(), mlr3::rsmp("loo")), "accuracy", "response")
})

test_that("repeats are repeats", {
  result <- mlr3::resample(sonar, tree(), mlr3::rsmp("repeated_cv", repeats = 2, folds = 3))
  e <- bbc_correct(result, metric = "roc_auc", seed = 1)
  lines <- lapply(list(1:3, 4:6), function(own) rows_of(result, own))
  by_hand <- bbc_correct(lapply(lines, function(own) as.matrix(own$prob.M)), lines[[1]]$truth,
                         "roc_auc", event_level = "M", seed = 1,
                         folds = sapply(lines, `[[`, "iteration"))
  expect_identical(e$replicates, by_hand$replicates)
  expect_identical(e$model_luck, by_hand$model_luck)
  expect_identical(c(e$n_repeats, e$n_folds), c(2L, 3L))
})

test_that("the task says event, classes, strata and groups", {
  flipped <- sonar$clone(deep = TRUE)
  flipped$positive <- "R"
  cv <- mlr3::rsmp("cv", folds = 4)
  expect_by_hand(mlr3::resample(flipped, tree(), cv), "roc_auc", "prob.R", event_level = "R")
  strata <- sonar$clone(deep = TRUE)
  strata$set_col_roles("Class", add_to = "stratum")
  expect_by_hand(mlr3::resample(strata, tree(), cv), "roc_auc", "prob.M", event_level = "M")
  three <- mlr3::as_task_classif(iris[sample(150), ], target = "Species", id = "iris")
  result <- mlr3::resample(three, tree(), cv)
  expect_by_hand(result, "log_loss", paste0("prob.", levels(iris$Species)))
  expect_by_hand(result, "balanced_accuracy", "response")
  cars <- mlr3::resample(mlr3::tsk("mtcars"), mlr3::lrn("regr.rpart"), cv)
  expect_by_hand(cars, "rmse", "response")

  data <- as.data.frame(sonar$data())
  data$visit <- rep(1:30, 4)
  visits <- mlr3::as_task_classif(data, target = "Class", id = "visits")
  visits$set_col_roles("visit", roles = "group")
  expect_by_hand(mlr3::resample(visits, tree(), cv), "accuracy", "response", groups = data$visit)
})

test_that("the task says weights", {
  skip_if_not_installed("mlr3", "1.0.0")  # the first with weights_measure
  data <- as.data.frame(sonar$data())
  data$count <- rep(1:3, 40)
  counts <- mlr3::as_task_classif(data, target = "Class", id = "counts")
  counts$set_col_roles("count", roles = "weights_measure")
  result <- mlr3::resample(counts, tree(), mlr3::rsmp("cv", folds = 4))
  expect_by_hand(result, "accuracy", "response", sample_weight = data$count)
  e <- bbc_correct(result, metric = "accuracy", pooling = "fold", seed = 1)
  expect_equal(e$apparent, result$aggregate(mlr3::msr("classif.acc"))[[1]], tolerance = 1e-12)
  ignoring <- mlr3::msr("bbc", measure = "accuracy", seed = 1)
  ignoring$use_weights <- "ignore"
  lines <- rows_of(result)
  expect_identical(
    result$aggregate(ignoring)[[1]],
    bbc_correct(as.matrix(as.character(lines$response)), lines$truth, "accuracy", seed = 1)$estimate
  )
})

test_that("a benchmark is one search over its learners", {
  design <- mlr3::benchmark_grid(sonar, trees(), mlr3::rsmp("cv", folds = 4))
  benchmark <- mlr3::benchmark(design)
  e <- bbc_correct(benchmark, metric = "roc_auc", seed = 1)
  scores <- sapply(1:3, function(i) rows_of(benchmark$resample_result(i))$prob.M)
  truth <- rows_of(benchmark$resample_result(1))$truth
  expect_identical(bbc_correct(scores, truth, "roc_auc", event_level = "M", seed = 1)$replicates,
                   e$replicates)
  expect_identical(e$names, paste0("cp=", c(0.01, 0.1, 0.3)))
  both <- mlr3::benchmark(mlr3::benchmark_grid(list(sonar, mlr3::tsk("german_credit")), trees(0.1),
                                               mlr3::rsmp("cv", folds = 3)))
  expect_refused(bbc_correct(both, metric = "roc_auc"), "several tasks \\(sonar, german_credit\\)")
  both$filter(task_ids = "sonar")
  expect_identical(bbc_correct(both, metric = "roc_auc")$n_folds, 3L)
  other <- c(benchmark, mlr3::resample(sonar, tree(), mlr3::rsmp("cv", folds = 4)))
  expect_refused(bbc_correct(other, metric = "roc_auc"), "other folds")
  holdout <- c(benchmark, mlr3::resample(sonar, tree(), mlr3::rsmp("holdout")))
  expect_refused(bbc_correct(holdout, metric = "roc_auc"), "several resamplings \\(cv, holdout\\)")
})

test_that("what is not out of sample, or predicted several times, is refused", {
  refused <- list(bootstrap = "resampled by bootstrap", subsampling = "resampled by subsampling",
                  insample = "trained on it")
  for (id in names(refused)) {
    result <- mlr3::resample(sonar, tree(), mlr3::rsmp(id))
    expect_refused(bbc_correct(result, metric = "accuracy"), refused[[id]])
  }
  of_training <- mlr3::lrn("classif.rpart", predict_sets = "train")
  result <- mlr3::resample(sonar, of_training, mlr3::rsmp("cv", folds = 3))
  expect_refused(bbc_correct(result, metric = "accuracy"), "no predictions of its iteration 1")
})

test_that("a tuning, its archive and its AutoTuner are the same search", {
  skip_if_not_installed("mlr3tuning")
  lgr::get_logger("bbotk")$set_threshold("warn")
  tuned <- function(...) {
    mlr3tuning::auto_tuner(
      mlr3tuning::tnr("grid_search", resolution = 3),
      mlr3::lrn("classif.rpart", cp = paradox::to_tune(0.01, 0.3), predict_type = "prob"),
      mlr3::rsmp("cv", folds = 3), mlr3::msr("classif.auc"), ...
    )
  }
  tuner <- tuned()
  expect_refused(bbc_correct(tuner, metric = "roc_auc"), "the AutoTuner is not trained")
  tuner$train(sonar)
  e <- bbc_correct(tuner, metric = "roc_auc", pooling = "fold", seed = 1)
  instance <- tuner$tuning_instance
  expect_identical(bbc_correct(instance, metric = "roc_auc", pooling = "fold", seed = 1), e)
  expect_identical(bbc_correct(instance$archive, metric = "roc_auc", pooling = "fold", seed = 1)$replicates,
                   e$replicates)
  benchmark <- instance$archive$benchmark_result
  scores <- sapply(1:3, function(i) rows_of(benchmark$resample_result(i))$prob.M)
  lines <- rows_of(benchmark$resample_result(1))
  by_hand <- bbc_correct(scores, lines$truth, "roc_auc", event_level = "M", pooling = "fold",
                         folds = lines$iteration, seed = 1)
  expect_identical(e$replicates, by_hand$replicates)
  expect_equal(e$apparent, instance$result_y[[1]], tolerance = 1e-12)
  ties <- sum(abs(instance$archive$data$classif.auc - instance$result_y[[1]]) < 1e-12)
  if (ties == 1) expect_identical(e$winner_name, sprintf("cp=%.6g", instance$result$cp))

  in_sample <- mlr3::resample(sonar, tuned(), mlr3::rsmp("insample"), store_models = TRUE)
  inner <- bbc_correct(in_sample$learners[[1]], metric = "roc_auc", seed = 1)
  measure <- mlr3::msr("bbc", measure = "roc_auc", seed = 1)
  expect_identical(in_sample$aggregate(measure)[[1]], inner$estimate)
  expect_gt(in_sample$aggregate(mlr3::msr("classif.auc")), inner$apparent)
  without <- mlr3::resample(sonar, tuned(), mlr3::rsmp("insample"))
  expect_refused(bbc_correct(without, metric = "roc_auc"), "store_models = TRUE")
  # Predictions of an outer resampling are honest: they are read, and nothing is chosen.
  outer <- mlr3::resample(sonar, tuned(), mlr3::rsmp("cv", folds = 3))
  expect_by_hand(outer, "roc_auc", "prob.M", event_level = "M")
})

test_that("quantiles, weights of training and a callback's choice are taken", {
  skip_if_not_installed("mlr3", "1.0.0")
  skip_if_not_installed("mlr3tuning", "1.5.0")
  debug <- mlr3::lrn("regr.debug", predict_type = "quantiles", quantiles = c(0.1, 0.5),
                     quantile_response = 0.5)
  cars <- mlr3::tsk("mtcars")
  result <- mlr3::resample(cars, debug, mlr3::rsmp("cv", folds = 3))
  low <- bbc_metric("pinball_loss", alpha = 0.1)
  lines <- do.call(rbind, lapply(result$predictions(), function(own) {
    data.frame(row = own$row_ids, truth = own$truth, low = own$quantiles[, 1])
  }))
  expect_equal(bbc_correct(result, metric = low, seed = 1)$apparent,
               mean(pmax(0.1 * (lines$truth - lines$low), 0.9 * (lines$low - lines$truth))))
  data <- as.data.frame(sonar$data())
  data$weight <- rep(1:3, 40)
  trained <- mlr3::as_task_classif(data, target = "Class", id = "trained")
  trained$set_col_roles("weight", roles = "weights_learner")
  result <- mlr3::resample(trained, tree(), mlr3::rsmp("cv", folds = 3))
  expect_warning(bbc_correct(result, metric = "accuracy", seed = 1), "role weights_learner")

  instance <- mlr3tuning::tune(
    mlr3tuning::tnr("grid_search", resolution = 4), sonar,
    mlr3::lrn("classif.rpart", cp = paradox::to_tune(0.001, 0.3), predict_type = "prob"),
    mlr3::rsmp("cv", folds = 3), mlr3::msr("classif.acc"),
    callbacks = mlr3misc::clbk("mlr3tuning.one_se_rule")
  )
  given <- unpacked(instance, NULL, bbc_metric("accuracy"), NULL, NULL, NULL, NULL)
  expect_equal(given$hyperparameters$cp[[tool_choice(given$claim)]], instance$result$cp)
  simple <- suppressWarnings(bbc_correct(instance, metric = "accuracy", seed = 1, pooling = "fold",
                                         selection = bbc_one_standard_error(~ -cp)))
  expect_s3_class(simple, "bbc_estimate")
})

test_that("the measure is the correction of a result", {
  result <- mlr3::resample(sonar, tree(), mlr3::rsmp("cv", folds = 4))
  e <- bbc_correct(result, metric = "roc_auc", method = "bbc-two-level", confidence_level = 0.9,
                   n_bootstraps = 200, seed = 1)
  measure <- mlr3::msr("bbc", measure = "roc_auc", method = "bbc-two-level", confidence_level = 0.9,
                       n_bootstraps = 200, seed = 1)
  all <- c(bbc.roc_auc = e$estimate, bbc.roc_auc.lower = e$confidence_interval$low,
           bbc.roc_auc.upper = e$confidence_interval$high)
  expect_identical(result$aggregate(measure), all[seq_len(n_values)])
  named <- result$aggregate(mlr3::msr("bbc", measure = bbc_metric("roc_auc"), id = "own", seed = 1))
  expect_identical(names(named), c("own", "own.lower", "own.upper")[seq_len(n_values)])
  benchmark <- mlr3::benchmark(mlr3::benchmark_grid(sonar, trees(), mlr3::rsmp("cv", folds = 4)))
  table <- benchmark$aggregate(mlr3::msr("bbc", measure = "classif.auc", seed = 1))
  singles <- vapply(1:3, function(i) {
    bbc_correct(benchmark$resample_result(i), metric = "roc_auc", pooling = "fold", seed = 1)$estimate
  }, 0)
  expect_identical(table$bbc.classif.auc, singles)
  expect_s3_class(mlr3::msr("bbc", measure = "accuracy"), "MeasureBBC")
  expect_true("bbc" %in% mlr3::as.data.table(mlr3::mlr_measures)$key)
})

test_that("measures of mlr3 have the value that mlr3 gives them", {
  two <- mlr3::resample(sonar, tree(), mlr3::rsmp("cv", folds = 4))
  data <- iris[sample(150), ]
  data$Species <- sample(data$Species)  # otherwise all are right
  three <- mlr3::resample(mlr3::as_task_classif(data, target = "Species", id = "iris"), tree(),
                          mlr3::rsmp("cv", folds = 3))
  real <- mlr3::resample(mlr3::tsk("mtcars"), mlr3::lrn("regr.rpart", minsplit = 5),
                         mlr3::rsmp("cv", folds = 3))
  for (id in names(measures_of_mlr3)) {
    of_mlr3 <- mlr3::msr(id)
    results <- if (of_mlr3$task_type == "regr") list(real)
               else if (grepl("mauc|mbrier", id)) list(three)
               else if ("twoclass" %in% of_mlr3$task_properties) list(two)
               else list(two, three)
    metric <- metric_of_measure(of_mlr3)
    expect_identical(mlr3::msr("bbc", measure = of_mlr3)$minimize, of_mlr3$minimize, label = id)
    for (result in results) {
      given <- unpacked(result, NULL, metric, NULL, NULL, NULL, NULL)
      if (id == "classif.logloss") given$predictions <- clipped(given$predictions)
      e <- correct_unpacked(given, metric, pooling = "fold", n_bootstraps = 40, seed = 1)
      expect_equal(e$apparent, result$aggregate(of_mlr3)[[1]], tolerance = 1e-12, label = id)
    }
  }
  micro <- mlr3::msr("classif.acc", average = "micro")
  expect_identical(two$aggregate(mlr3::msr("bbc", measure = micro, seed = 1))[[1]],
                   bbc_correct(two, metric = "accuracy", seed = 1)$estimate)
  weighed <- mlr3::msr("classif.fbeta", beta = 2)
  expect_identical(mlr3::msr("bbc", measure = weighed)$metric, bbc_metric("f_beta", beta = 2))
})

test_that("what the measure does not know is refused", {
  result <- mlr3::resample(sonar, tree(), mlr3::rsmp("cv", folds = 3))
  expect_refused(mlr3::msr("bbc", measure = "classif.prauc"), "no metric has the value of mlr3's")
  expect_refused(mlr3::msr("bbc", measure = "time_train"), "no metric has the value of mlr3's")
  expect_refused(mlr3::msr("bbc", measure = "acuracy"), "`measure`: .*did you mean accuracy")
  expect_refused(mlr3::msr("bbc", measure = 5), "`measure` must be one name")
  expect_refused(mlr3::msr("bbc", measure = "row_loss"), "not of mlr3's predictions")
  expect_refused(mlr3::msr("bbc", measure = mlr3::msr("bbc", measure = "accuracy")), "already")
  other <- mlr3::msr("classif.acc")
  other$aggregator <- stats::median
  expect_refused(mlr3::msr("bbc", measure = other), "without an aggregator")
  expect_refused(result$aggregate(mlr3::msr("bbc", measure = "classif.mbrier")), "twice the Brier")
  expect_error(result$score(mlr3::msr("bbc", measure = "accuracy")), "give it to \\$aggregate()")
  few <- mlr3::msr("bbc", measure = "accuracy", method = "bbc-f", seed = 1)
  found <- suppressWarnings(result$aggregate(few))  # of three folds, no closer than by Student's t
  expect_false(anyNA(found))
})
