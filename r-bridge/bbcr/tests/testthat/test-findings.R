data <- binary_data(200, 30)
codes <- function(e) e$findings$code
quietly <- function(code) suppressWarnings(code)
good <- cbind(data$scores[, 1] + data$truth, data$scores[, 1] - data$truth)

test_that("a result without a fault has no findings", {
  e <- bbc_correct(good, data$truth, "roc_auc", seed = 1)
  expect_identical(codes(e), character())
  expect_named(e$findings, c("code", "title", "detail", "advice"))
  expect_identical(e$notes, character())
})

test_that("few rows, groups, or rows of a class", {
  truth <- rep(0:1, c(150, 9))
  set.seed(1)
  scores <- matrix(stats::rnorm(159 * 2), 159) + truth
  detail <- function(e, code) e$findings$detail[codes(e) == code]
  e <- bbc_correct(scores, truth, "roc_auc", seed = 1)
  expect_identical(detail(e, "BBC002"), "9 rows of class 1")
  e <- quietly(bbc_correct(scores[145:159, ], truth[145:159], "roc_auc", seed = 1))
  expect_identical(detail(e, "BBC002"), "15 rows")
  groups <- rep(1:15, length.out = 200)
  e <- bbc_correct(data$labels, data$truth, "accuracy", groups = groups, seed = 1)
  expect_identical(detail(e, "BBC002"), "15 groups")
  e <- bbc_correct(1 * (scores > 0.5), truth, "f1", seed = 1)
  expect_identical(detail(e, "BBC014"), "9 rows of class 1")
  expect_identical(detail(e, "BBC002"), character())
  e <- bbc_correct(1 * (scores > 0.5), 1 - truth, "f1", seed = 1)
  expect_false("BBC014" %in% codes(e)) # few rows of the other class leave F1 as it is
  expect_false("BBC002" %in% codes(bbc_correct(1 * (scores > 0.5), truth, "accuracy", seed = 1)))
})

test_that("a winner that other rows would not have chosen", {
  e <- bbc_correct(data$labels, data$truth, "accuracy", seed = 1)
  share <- 100 * e$selection_frequency[[e$winner]]
  expect_identical(codes(e), "BBC003")
  expect_identical(e$findings$detail, sprintf("chosen in %.3g %% of the replicates", share))
})

test_that("TT out of its range, and folds of single rows", {
  truth <- rep(0:1, 30)
  folds <- rep(1:6, each = 10)
  # Each configuration is right in a third of the folds: apparent 1/3, best of each fold 1.
  labels <- sapply(1:3, function(j) ifelse(folds %% 3 == j - 1, truth, 1 - truth))
  e <- bbc_tt(labels, truth, "accuracy", folds)
  expect_equal(e$estimate, -1 / 3)
  expect_identical(e$findings$detail, "-0.333333 is not within [0, 1]")
  alone <- replace(folds, 1, 7)
  expect_warning(e <- bbc_tt(labels, truth, "accuracy", alone), "BBC004 TT outside its range: a fold")
  expect_identical(e$findings$detail[[1]], "a fold has a single row")
})

test_that("many redraws and groups that the folds tore apart are warned of", {
  truth <- replace(numeric(40), 1:2, 1)
  scores <- data$scores[1:40, 1:3] + 2 * truth
  expect_warning(e <- bbc_correct(scores, truth, "roc_auc", seed = 1),
                 "BBC006 many redraws: [0-9]+ draws for 5000 replicates left 'roc_auc' undefined")
  expect_true("BBC006" %in% codes(e))
  groups <- rep(1:50, each = 4)
  expect_warning(
    e <- bbc_correct(good, data$truth, "roc_auc", groups = groups, folds = rep(1:5, 40), seed = 1),
    "BBC010 groups split between folds: rows of 50 of 50 groups"
  )
  expect_identical(codes(e), "BBC010")
  whole <- bbc_correct(good, data$truth, "roc_auc", groups = groups, folds = groups %% 5, seed = 1)
  expect_identical(codes(whole), character())
})

test_that("intervals that say nothing, and perfect scores, which may leak", {
  few <- quietly(bbc_correct(data$labels[1:10, ], data$truth[1:10], "accuracy", seed = 1))
  expect_match(few$findings$detail[codes(few) == "BBC008"], "it spans .* of the metric's range")
  perfect <- matrix(data$truth + stats::runif(200, 0, 0.5))
  e <- bbc_correct(perfect, data$truth, "roc_auc", seed = 1)
  expect_identical(e$findings$detail, c("the replicates alone give [1.0000, 1.0000]",
                                        "there is one configuration"))
  expect_no_match(capture.output(print(summary(e)), e), "BBC021")
  expect_lt(e$confidence_interval$low, 1)
})

test_that("draws of few folds", {
  e <- quietly(bbc_correct(data$labels, data$truth, "accuracy", method = "bbc-f",
                           folds = rep(1:4, 50), seed = 1))
  expect_true("BBC015" %in% codes(e))
  e <- bbc_correct(data$labels, data$truth, "accuracy", method = "bbc-f", folds = rep(1:5, 40),
                   seed = 1)
  expect_false("BBC015" %in% codes(e))
})

test_that("labels in the place of scores, and copies of the truth", {
  labels <- data$labels[, 1:2]
  expect_warning(e <- bbc_correct(labels, data$truth, "roc_auc", seed = 1), "BBC016 labels ranked")
  expect_true("BBC016" %in% codes(e))
  expect_warning(
    e <- bbc_correct(labels, 2 - data$truth, "roc_auc", event_level = 1, seed = 1), "BBC016"
  )
  truths <- list(
    list(cbind(data$truth, labels), data$truth, "accuracy"),
    list(cbind(data$truth, labels), data$truth, "roc_auc"),
    list(cbind(data$truth, labels) + 0.1, data$truth + 0.1, "mean_squared_error"),
    list(cbind(c("b", "a")[data$truth + 1], "a"), c("b", "a")[data$truth + 1], "accuracy")
  )
  for (own in truths) {
    expect_true("BBC017" %in% codes(quietly(do.call(bbc_correct, c(own, seed = 1)))))
  }
  one_hot <- array(0, c(200, 1, 2))
  one_hot[cbind(1:200, 1, data$truth + 1)] <- 1
  expect_true("BBC017" %in% codes(quietly(bbc_correct(one_hot, data$truth, "log_loss"))))
})

test_that("bounds find few effective replicates and keep what they warned of", {
  set.seed(2)
  truth <- rep(0:1, 30)
  scores <- matrix(stats::rnorm(60 * 10), 60) + 2 * truth
  folds <- rep(1:4, each = 2, length.out = 60)
  b <- quietly(bbc_bound(scores, truth, folds, "mabt", seed = 1))
  expect_lt(b$effective_sample_size, 100)
  expect_identical(codes(b), "BBC012")
  expect_output(print(summary(b)), "BBC012 +uneven importance weights")
  b <- bbc_bound(data$scores, data$truth, rep(1:5, 40), "delong", seed = 1)
  expect_identical(codes(b), character())
})

test_that("findings of Python's are in R's words, and those that R does not know stay", {
  found <- bbcr:::findings_of_python(list(
    code = list("BBC999", "BBC001"), title = list("new", "apparent score not corrected for selection"),
    detail = list("so", "the best of 9 configurations"), advice = list("x", "bbc.correct")
  ))
  expect_identical(found$code, c("BBC001", "BBC999"))
  expect_match(found$advice[[1]], "bbc_correct\\(\\)")
  expect_identical(found$advice[[2]], "x")
  expect_identical(bbcr:::findings_of_python(list(code = list(), title = list(), detail = list(),
                                                  advice = list())), bbcr:::no_findings)
})

test_that("a summary shows findings in 80 columns, before other notes", {
  e <- quietly(bbc_correct(-data$scores[1:15, ], data$truth[1:15], "roc_auc", seed = 1))
  lines <- capture.output(print(summary(e)))
  expect_true(all(nchar(lines) <= 80))
  labels <- substr(lines, 3, 8)
  expect_identical(labels[grepl("^(BBC|note)", labels)], c(codes(e), "note  "))
})

test_that("few events per fold", {
  truth <- rep(0:1, c(150, 50))
  set.seed(4)
  scores <- matrix(stats::rnorm(200 * 3), 200) + truth
  folds <- (seq_len(200) - 1) %% 5
  detail <- function(...) {
    e <- quietly(bbc_correct(..., seed = 1))
    e$findings$detail[codes(e) == "BBC032"]
  }
  expect_identical(detail(scores, truth, "average_precision", "bbc-f", folds = folds),
                   "10 rows of the positive class per fold, of which 'average_precision' is averaged")
  expect_length(detail(scores, truth, "average_precision", "bbc-f", folds = (seq_len(200) - 1) %% 2), 0)
  expect_length(detail(scores, truth, "average_precision", folds = folds), 0)
  expect_length(detail(scores, truth, "roc_auc", "bbc-f", folds = folds), 0)
  labels <- 1 * (scores > 0)
  labels[folds == 2, ] <- 0
  for (metric in c("precision", "f1", "mcc", "kappa")) {
    of_folds <- detail(labels, truth, metric, pooling = "fold", folds = folds)
    expect_identical(of_folds, sprintf(
      "the winner calls no row positive in 1 of 5 folds, where '%s' counts 0", metric
    ))
    expect_length(detail(labels, truth, metric, folds = folds), 0)
  }
  expect_length(detail(labels, truth, "accuracy", "bbc-f", folds = folds), 0)
  e <- quietly(bbc_tt(labels, truth, "f1", folds))
  expect_true("BBC032" %in% codes(e))
})
