# Recorded from mlr3 0.16.0 and mlr3tuning 0.18.0: the predictions of a benchmark of two trees by
# repeated cross-validation and of a grid search by cross-validation, on 60 rows of sonar, behind
# objects with the fields and methods of mlr3's that are read; estimates as they came out there.
recorded <- function(name) {
  lines <- utils::read.csv(test_path("recorded", name), stringsAsFactors = TRUE)
  lines$truth <- factor(lines$truth, c("M", "R"))
  lines$response <- factor(lines$response, c("M", "R"))
  lines
}
result_of <- function(lines, repeated, values, with_prob = TRUE) {
  n_folds <- if (repeated) 4 else Inf
  structure(list2env(list(
    task = list(id = "sonar", hash = "3f", positive = "M"),
    learner = list(id = "classif.rpart", param_set = list(values = values)),
    resampling = structure(list(
      folds = function(i) (i - 1) %% n_folds + 1, repeats = function(i) (i - 1) %/% n_folds + 1
    ), class = if (repeated) "ResamplingRepeatedCV" else "ResamplingCV"),
    predictions = function() lapply(split(lines, lines$iteration), function(own) {
      list(row_ids = own$row, truth = own$truth, response = own$response,
           prob = if (with_prob) cbind(M = own$M, R = 1 - own$M))
    })
  )), class = c("ResampleResult", "R6"))
}
benchmark_of <- function(lines, repeated, values, ...) {
  results <- Map(result_of, split(lines, lines$result), repeated, values, ...)
  structure(list2env(list(
    n_resample_results = length(results), resample_result = function(i) results[[i]],
    uhashes = c("c", "a", "b")[seq_along(results)]
  )), class = c("BenchmarkResult", "R6"))
}
lines <- recorded("mlr3_benchmark.csv")
values <- list(list(xval = 0, cp = 0.1), list(xval = 0, cp = 0.01, minsplit = 8))
benchmark <- benchmark_of(lines, TRUE, values)

test_that("a benchmark gives what mlr3's own object gave, and the matrix", {
  e <- bbc_correct(benchmark, metric = "accuracy", seed = 1)
  expect_equal(e$estimate, 0.59742436129862353, tolerance = 1e-14)
  expect_identical(e$names, c("classif.rpart(cp=0.1)", "classif.rpart(cp=0.01, minsplit=8)"))
  expect_identical(c(e$n_repeats, e$n_folds), c(2L, 4L))
  auc <- bbc_correct(benchmark, metric = "roc_auc", seed = 1)
  expect_equal(auc$estimate, 0.56879717699244325, tolerance = 1e-14)
  expect_identical(auc$event, "M")
  lines <- lines[order(lines$result, (lines$iteration - 1) %/% 4, lines$row), ]
  by_repeat <- split(lines, (lines$iteration - 1) %/% 4)
  matrices <- lapply(by_repeat, function(own) matrix(own$M, 60))
  expect_identical(bbc_correct(unname(matrices), lines$truth[1:60], "roc_auc", event_level = "M",
                               seed = 1)$replicates, auc$replicates)
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
  e <- bbc_correct(instance, metric = "accuracy", seed = 1)
  expect_equal(e$estimate, 0.65218397556085383, tolerance = 1e-14)
  expect_identical(e$names, c("cp=0.01", "cp=0.3", "cp=0.155"))
  expect_identical(bbc_correct(archive, metric = "accuracy", seed = 1), e)
  tuner <- function(class) {
    structure(list2env(list(tuning_instance = instance, tuner = structure(list(), class = class))),
              class = c("AutoTuner", "Learner", "R6"))
  }
  expect_identical(bbc_correct(tuner("TunerGridSearch"), metric = "accuracy", seed = 1), e)
  expect_warning(dynamic <- bbc_correct(tuner("TunerMbo"), metric = "accuracy", seed = 1), "BBC007")
  expect_true("BBC007" %in% dynamic$findings$code)
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
