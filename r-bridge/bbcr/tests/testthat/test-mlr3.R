# Recorded predictions behind objects with the fields and methods of mlr3's that are read; estimates
# as they came out of mlr3's own objects, which test-mlr3-live.R makes where mlr3 is installed.
# mlr3_benchmark.csv and mlr3_tuning.csv: mlr3 0.16.0 and mlr3tuning 0.18.0, a benchmark of two trees
# by repeated cross-validation and a grid search by cross-validation, on 60 rows of sonar.
# mlr3_design.csv: mlr3 1.8.0.9000, two trees on 60 rows of sonar whose task has the roles "group"
# (visit) and "weights_measure" (count).
recorded <- function(name) {
  lines <- utils::read.csv(test_path("recorded", name), stringsAsFactors = TRUE)
  lines$truth <- factor(lines$truth, c("M", "R"))
  lines$response <- factor(lines$response, c("M", "R"))
  lines
}
resampling_of <- function(lines, repeated, class = if (repeated) "RepeatedCV" else "CV") {
  n_folds <- if (repeated) 4 else Inf
  test <- lapply(split(lines$row, lines$iteration), sort)
  structure(list(
    id = tolower(class), iters = length(test), test_set = function(i) test[[i]],
    train_set = function(i) setdiff(lines$row, test[[i]]),
    folds = function(i) (i - 1) %% n_folds + 1, repeats = function(i) (i - 1) %/% n_folds + 1
  ), class = c(paste0("Resampling", class), "Resampling", "R6"))
}
result_of <- function(lines, repeated, values, with_prob = TRUE, ...) {
  structure(list2env(list(
    task = list(id = "sonar", hash = "3f", positive = "M", task_type = "classif", ...),
    learner = list(id = "classif.rpart", param_set = list(values = values)),
    resampling = resampling_of(lines, repeated),
    predictions = function() lapply(split(lines, lines$iteration), function(own) {
      list(row_ids = own$row, truth = own$truth, response = own$response,
           prob = if (with_prob) cbind(M = own$M, R = 1 - own$M))
    })
  )), class = c("ResampleResult", "R6"))
}
benchmark_of <- function(lines, repeated, values, ...) {
  results <- Map(result_of, split(lines, lines$result), repeated, values, MoreArgs = list(...))
  structure(list2env(list(
    n_resample_results = length(results), resample_result = function(i) results[[i]],
    uhashes = c("c", "a", "b")[seq_along(results)]
  )), class = c("BenchmarkResult", "R6"))
}
lines <- recorded("mlr3_benchmark.csv")
values <- list(list(xval = 0, cp = 0.1), list(xval = 0, cp = 0.01, minsplit = 8))
benchmark <- benchmark_of(lines, TRUE, values)

test_that("scores of mlr3 are refused with the object to give", {
  of_folds <- data.frame(nr = 1, learner_id = rep(c("a", "b"), each = 3), iteration = 1:3,
                         classif.ce = c(0.1, 0.2, 0.3))
  archive <- data.frame(cp = c(0.1, 0.2), classif.ce = c(0.2, 0.3), uhash = c("f0", "f1"))
  for (table in list(of_folds, archive)) {
    for (call in list(bbc_correct, bbc_tt)) {
      expect_refused(call(table, rep(0:1, 5), "accuracy"),
                     "holds scores of mlr3: give the benchmark or resample result, or the tuning instance")
    }
  }
})

test_that("a benchmark gives what mlr3's own object gave, and the matrix", {
  e <- bbc_correct(benchmark, metric = "accuracy", n_bootstraps = 1000, seed = 1)
  expect_equal(e$estimate, 0.59742436129862353, tolerance = 1e-14)
  expect_identical(e$names, c("classif.rpart(cp=0.1)", "classif.rpart(cp=0.01, minsplit=8)"))
  expect_identical(c(e$n_repeats, e$n_folds), c(2L, 4L))
  auc <- bbc_correct(benchmark, metric = "roc_auc", n_bootstraps = 1000, seed = 1)
  expect_equal(auc$estimate, 0.56879717699244325, tolerance = 1e-14)
  expect_identical(auc$event, "M")
  lines <- lines[order(lines$result, (lines$iteration - 1) %/% 4, lines$row), ]
  by_repeat <- split(lines, (lines$iteration - 1) %/% 4)
  matrices <- lapply(by_repeat, function(own) matrix(own$M, 60))
  expect_identical(bbc_correct(unname(matrices), lines$truth[1:60], "roc_auc", event_level = "M",
                               n_bootstraps = 1000, seed = 1)$replicates, auc$replicates)
  one <- bbc_correct(benchmark$resample_result(2), metric = "accuracy", seed = 1)
  expect_identical(one$names, "classif.rpart")
})

test_that("lines in any order give the same", {
  set.seed(1)
  shuffled <- lines[sample(nrow(lines)), ]
  other <- benchmark_of(shuffled[order(shuffled$result), ], TRUE, values)
  expect_identical(bbc_correct(other, metric = "roc_auc", seed = 1),
                   bbc_correct(benchmark, metric = "roc_auc", seed = 1))
})

test_that("a tuning has the configurations of its archive", {
  tuning <- recorded("mlr3_tuning.csv")
  archive <- structure(list2env(list(
    benchmark_result = benchmark_of(tuning, FALSE, list(list())), cols_x = "cp",
    data = data.frame(cp = c(0.3, 0.155, 0.01), uhash = c("a", "b", "c"))
  )), class = c("ArchiveTuning", "Archive", "R6"))
  instance <- structure(list2env(list(archive = archive)),
                        class = c("TuningInstanceSingleCrit", "OptimInstance", "R6"))
  e <- bbc_correct(instance, metric = "accuracy", n_bootstraps = 1000, seed = 1)
  expect_equal(e$estimate, 0.65218397556085383, tolerance = 1e-14)
  expect_identical(e$names, c("cp=0.01", "cp=0.3", "cp=0.155"))
  expect_identical(bbc_correct(archive, metric = "accuracy", n_bootstraps = 1000, seed = 1), e)
  tuner <- function(class) {
    structure(list2env(list(tuning_instance = instance, tuner = structure(list(), class = class))),
              class = c("AutoTuner", "Learner", "R6"))
  }
  expect_identical(bbc_correct(tuner("TunerGridSearch"), metric = "accuracy", n_bootstraps = 1000, seed = 1), e)
  expect_warning(dynamic <- bbc_correct(tuner("TunerMbo"), metric = "accuracy", n_bootstraps = 1000, seed = 1), "BBC007")
  expect_true("BBC007" %in% dynamic$findings$code)
  archive$best <- function() list(cp = 0.3, uhash = "a")
  archive$cols_y <- "classif.acc"
  noted <- suppressWarnings(bbc_correct(instance, metric = "accuracy", n_bootstraps = 1000, seed = 1))
  expect_match(noted$findings$detail, "but the tuning of mlr3 deploys cp=0.3", all = FALSE)
  archive$best <- function() list(cp = 0.01, uhash = "c")
  same <- bbc_correct(instance, metric = "accuracy", n_bootstraps = 1000, seed = 1)
  expect_true(same$deployed$is_corrected)
  expect_identical(same[names(same) != "deployed"], e[names(e) != "deployed"])
  # A callback such as one_se_rule chooses another result than the archive's best.
  instance$result <- data.frame(cp = 0.155, classif.acc = 0.6)
  chosen <- suppressWarnings(bbc_correct(instance, metric = "accuracy", n_bootstraps = 1000, seed = 1))
  expect_match(chosen$findings$detail, "but the tuning of mlr3 deploys cp=0.155", all = FALSE)
  instance$result$cp <- 0.01
  expect_identical(bbc_correct(instance, metric = "accuracy", n_bootstraps = 1000, seed = 1), same)
  # The deciding score is in the archive, and its measure with the instance.
  accuracy <- function(model) {
    own <- tuning[tuning$result == model, ]
    mean(vapply(split(own, own$iteration), function(fold) mean(fold$response == fold$truth), 0))
  }
  archive$data$classif.acc <- vapply(1:3, accuracy, 0)
  instance$objective <- list(measures = list(list(
    id = "classif.acc", average = "macro", predict_sets = "test", param_set = list(values = list())
  )))
  archive$best <- function() as.list(archive$data[which.max(archive$data$classif.acc), ])
  instance$result <- archive$best()
  own <- suppressWarnings(bbc_correct(instance, seed = 1))
  expect_identical(own$metric, "accuracy")
  expect_identical(own$checked_scores, c(classif.acc = "agrees for 3"))
  expect_true(own$deployed$is_corrected)
  by_fold <- suppressWarnings(bbc_correct(instance, metric = "accuracy", pooling = "fold", seed = 1))
  expect_identical(own$replicate_winners, by_fold$replicate_winners)
  # Of several measures each is compared, or said not to be.
  measure <- function(id, average = "macro") {
    list(id = id, average = average, predict_sets = "test", param_set = list(values = list()))
  }
  archive$cols_y <- c("classif.acc", "classif.ce", "classif.prauc", "classif.bacc")
  archive$data$classif.ce <- 1 - archive$data$classif.acc
  archive$data[c("classif.prauc", "classif.bacc")] <- 0.5
  alone <- instance$objective
  instance$objective <- list(measures = list(
    measure("classif.acc"), measure("classif.ce"), measure("classif.prauc"), measure("classif.bacc", "micro")
  ))
  several <- suppressWarnings(bbc_correct(instance, metric = "roc_auc", seed = 1))
  expect_identical(several$checked_scores, c(
    classif.acc = "agrees for 3", classif.ce = "agrees for 3", classif.prauc = "not read",
    classif.bacc = "not computed: it is averaged otherwise than the measure that decides"
  ))
  archive$data$classif.ce[[2]] <- 0.01
  expect_refused(suppressWarnings(bbc_correct(instance, metric = "roc_auc")), "mlr3 says that classif.ce of cp=")
  archive$cols_y <- "classif.acc"
  instance$objective <- alone
  archive$data$classif.acc[[2]] <- 0.1
  expect_refused(bbc_correct(instance, metric = "accuracy"), "mlr3 says that classif.acc of cp=0.155 is 0.1")
  archive$data$classif.acc <- NULL
  simplest <- function(complexity) {
    suppressWarnings(bbc_correct(instance, metric = "accuracy", pooling = "fold", seed = 1,
                                 selection = bbc_one_standard_error(complexity)))
  }
  expect_identical(simplest(~ -cp), simplest(c(3, 1, 2)))
  archive$benchmark_result <- NULL
  expect_refused(bbc_correct(instance, metric = "accuracy"), "store_benchmark_result")
})

test_that("what cannot be corrected is refused", {
  expect_refused(bbc_correct(benchmark_of(lines, TRUE, values, with_prob = FALSE),
                             metric = "roc_auc"), "predict_type = \"prob\"")
  expect_refused(bbc_correct(benchmark_of(lines, FALSE, values), metric = "accuracy"),
                 "predicted more than once")
  expect_refused(bbc_correct(benchmark, 1:60, "accuracy"), "leave it out")
  other <- benchmark_of(lines, TRUE, values)
  second <- other$resample_result(2)
  second$task <- list(id = "moved", hash = "4f")
  expect_refused(bbc_correct(other, metric = "accuracy"), "several tasks \\(sonar, moved\\)")
})

test_that("groups and weights are those of the task", {
  lines <- recorded("mlr3_design.csv")
  first <- lines[lines$result == 1, ]
  roles <- list(
    groups = data.frame(row_id = first$row, group = first$visit),
    weights_measure = data.frame(row_id = first$row, weight = first$count)
  )
  design <- do.call(benchmark_of, c(list(lines, FALSE, list(list(cp = 0.01), list(cp = 0.3))), roles))
  e <- bbc_correct(design, metric = "roc_auc", n_bootstraps = 1000, seed = 1)
  expect_equal(e$estimate, 0.63795452775698747, tolerance = 1e-14)
  expect_equal(unlist(e$confidence_interval[1:2]), c(low = 0.4, high = 0.90372670807453415),
               tolerance = 1e-14)
  by_row <- first[order(first$row), ]
  second <- lines[lines$result == 2, ]
  scores <- cbind(by_row$M, second$M[order(second$row)])
  by_hand <- bbc_correct(scores, by_row$truth, "roc_auc", event_level = "M", groups = by_row$visit,
                         sample_weight = by_row$count, n_bootstraps = 1000, seed = 1)
  expect_identical(by_hand$replicates, e$replicates)
  expect_identical(bbc_correct(design, metric = "roc_auc", groups = by_row$visit, n_bootstraps = 1000, seed = 1), e)
  expect_refused(bbc_correct(design, metric = "roc_auc", groups = seq_along(by_row$visit)),
                 "`groups`: the object has others already")
  expect_identical(bbc_correct(design, metric = "roc_auc", method = "bbc-f", n_bootstraps = 1000, seed = 1)$unit, "fold")
  listed <- list(a = design$resample_result(1), b = design$resample_result(2))
  expect_identical(bbc_correct(listed, metric = "roc_auc", n_bootstraps = 1000, seed = 1)$replicates, e$replicates)
  expect_identical(bbc_correct(bbc_data(design), metric = "roc_auc", n_bootstraps = 1000, seed = 1)$replicates,
                   e$replicates)
  listed$b$task$groups$group <- rev(listed$b$task$groups$group)
  expect_refused(bbc_correct(listed, metric = "roc_auc"), "a and b have other groups")
})

test_that("weights of training only are said", {
  lines <- recorded("mlr3_design.csv")
  first <- lines[lines$result == 1, ]
  weights <- data.frame(row_id = first$row, weight = first$count)
  trained <- result_of(first, FALSE, list(), weights_learner = weights)
  expect_warning(e <- bbc_correct(trained, metric = "accuracy", seed = 1),
                 "trained with weights \\(role weights_learner\\)")
  expect_length(e$notes, 1)
  expect_no_warning(bbc_correct(trained, metric = "accuracy", seed = 1,
                                sample_weight = first$count[order(first$row)]))
})

test_that("quantiles are read at the level of the loss", {
  set.seed(4)
  truth <- rnorm(60)
  predicted <- truth + matrix(rnorm(120), 60)
  lines <- data.frame(row = 1:60, iteration = rep(1:4, 15))
  result <- result_of(lines, FALSE, list())
  result$task <- list(id = "numbers", hash = "5f", task_type = "regr")
  result$predictions <- function() lapply(split(lines$row, lines$iteration), function(rows) {
    list(row_ids = rows, truth = truth[rows], response = predicted[rows, 2],
         quantiles = structure(predicted[rows, ], probs = c(0.1, 0.5), response = 0.5))
  })
  by_hand <- function(j, metric) {
    bbc_correct(predicted[, j, drop = FALSE], truth, metric, folds = lines$iteration, seed = 1)
  }
  low <- bbc_metric("pinball_loss", alpha = 0.1)
  expect_identical(bbc_correct(result, metric = low, seed = 1)$replicates, by_hand(1, low)$replicates)
  expect_identical(bbc_correct(result, metric = "mae", seed = 1)$replicates,
                   by_hand(2, "mae")$replicates)
  high <- bbc_metric("pinball_loss", alpha = 0.9)
  expect_refused(bbc_correct(result, metric = high), "has quantiles at 0.1, 0.5, not at 0.9")
})

test_that("mlr3's scores come out, or the predictions are refused", {
  scoring <- function(result, response = function(own) own$response) {
    result$score <- function() {
      list(iteration = seq_along(result$predictions()), classif.ce = vapply(
        result$predictions(), function(own) mean(response(own) != own$truth), 0, USE.NAMES = FALSE
      ))
    }
    result
  }
  first <- result_of(lines[lines$result == 1, ], TRUE, list())
  plain <- bbc_correct(first, metric = "roc_auc", seed = 1)
  checked <- bbc_correct(scoring(first), metric = "roc_auc", seed = 1)
  expect_identical(checked$checked_scores, c(classif.ce = "agrees for 8"))
  expect_identical(checked[names(checked) != "checked_scores"], plain[names(plain) != "checked_scores"])
  odd <- scoring(first, function(own) rev(own$response))
  expect_refused(bbc_correct(odd, metric = "roc_auc"),
                 "mlr3 says that classif.ce of classif.rpart in 11 is|mlr3 says that classif.ce")
})

test_that("resamplings that test rows several times, or in sample, are refused", {
  one <- function(class) {
    result <- result_of(lines[lines$result == 1, ], FALSE, list())
    result$resampling <- resampling_of(lines[lines$result == 1, ], FALSE, class)
    result
  }
  expect_refused(bbc_correct(one("Bootstrap"), metric = "accuracy"), "resampled by bootstrap")
  expect_refused(bbc_correct(one("Subsampling"), metric = "accuracy"), "resampled by subsampling")
  trained_on_all <- one("Insample")
  trained_on_all$resampling$train_set <- function(i) 1:208
  expect_refused(bbc_correct(trained_on_all, metric = "accuracy"),
                 "a model that was trained on it \\(resampling insample\\)")
})

test_that("configurations on other folds, iterations that failed and other tasks are refused", {
  other <- benchmark_of(lines, TRUE, values)
  second <- other$resample_result(2)
  own <- second$predictions()
  second$predictions <- function() own[c(2, 1, 3:8)]
  expect_refused(bbc_correct(other, metric = "accuracy"), "were resampled on other folds")
  second$resampling$id <- "holdout"
  expect_refused(bbc_correct(other, metric = "accuracy"),
                 "several resamplings \\(repeatedcv, holdout\\)")
  failed <- benchmark_of(lines, TRUE, values)$resample_result(1)
  failed$predictions <- function() c(own[1:2], list(NULL), own[4:8])
  expect_refused(bbc_correct(failed, metric = "accuracy"), "no predictions of its iteration 3")
  failed$task$task_type <- "surv"
  expect_refused(bbc_correct(failed, metric = "accuracy"), "task sonar is of type \"surv\"")
  expect_refused(bbc_correct(benchmark, metric = "row_loss"), "not mlr3's predictions")
})

test_that("early stopping by the rows that are predicted is noted", {
  peeking <- benchmark_of(lines, TRUE, values)$resample_result(1)
  peeking$learner$validate <- "test"
  expect_warning(e <- bbc_correct(peeking, metric = "accuracy", seed = 1), "validate = \"test\"")
  expect_match(e$notes, "validate = \"test\"", all = FALSE)
})

test_that("an AutoTuner that was trained on all rows is its tuning", {
  tuning <- recorded("mlr3_tuning.csv")
  archive <- structure(list2env(list(
    benchmark_result = benchmark_of(tuning, FALSE, list(list())), cols_x = "cp",
    data = data.frame(cp = c(0.3, 0.155, 0.01), uhash = c("a", "b", "c"))
  )), class = c("ArchiveBatchTuning", "ArchiveBatch", "Archive", "R6"))
  instance <- structure(list2env(list(archive = archive)),
                        class = c("TuningInstanceBatchSingleCrit", "OptimInstance", "R6"))
  tuner <- structure(list(
    id = "tuned", tuning_instance = instance,
    tuner = structure(list(), class = c("TunerBatchGridSearch", "TunerBatch", "Tuner"))
  ), class = c("AutoTuner", "Learner", "R6"))
  result <- structure(list(
    task = list(id = "sonar", hash = "3f", positive = "M", task_type = "classif"),
    learner = structure(list(id = "tuned", param_set = list(values = list())),
                        class = c("AutoTuner", "Learner", "R6")),
    learners = list(tuner), resampling = structure(list(), class = "ResamplingInsample")
  ), class = c("ResampleResult", "R6"))
  e <- bbc_correct(instance, metric = "accuracy", seed = 1)
  expect_identical(bbc_correct(result, metric = "accuracy", seed = 1), e)
  two <- structure(list(n_resample_results = 2, resample_result = function(i) result),
                   class = c("BenchmarkResult", "R6"))
  expect_identical(bbc_correct(two, metric = "accuracy", seed = 1)$names,
                   c(sprintf("tuned(%s)", e$names), sprintf("tuned 1(%s)", e$names)))
  result$learners <- list(list())
  expect_refused(bbc_correct(result, metric = "accuracy"), "store_models = TRUE")
})

test_that("a measure of mlr3 is the metric of its value, or refused", {
  measure <- function(id, values = list(), average = "macro", sets = "test") {
    list(id = id, average = average, predict_sets = sets, param_set = list(values = values))
  }
  expect_identical(metric_of_measure(measure("classif.fbeta", list(beta = 2))),
                   bbc_metric("f_beta", beta = 2))
  expect_identical(metric_of_measure(measure("regr.rsq", list(pred_set_mean = TRUE), "micro")),
                   bbc_metric("r2"))
  expect_true(all(measures_of_mlr3 %in% bbc_metrics()$name))
  expect_refused(metric_of_measure(measure("regr.rsq", list(pred_set_mean = FALSE))),
                 "regr.rsq with pred_set_mean")
  expect_refused(metric_of_measure(measure("regr.bias")), "no metric has the value of mlr3's regr.bias")
  expect_refused(metric_of_measure(measure("classif.acc", average = "macro_weighted")), "averaged by")
  expect_refused(metric_of_measure(measure("classif.acc", sets = "train")), "predict_sets")
  doubled <- list(id = "bbc", measure = measure("classif.mbrier"), param_set = list(values = list()))
  result <- structure(list(task = list(class_names = c("M", "R"))), class = "ResampleResult")
  expect_refused(measured(doubled, result), "twice the Brier score")
  expect_refused(measured(doubled, 1), "bbc is of a ResampleResult, not of numeric")
})
