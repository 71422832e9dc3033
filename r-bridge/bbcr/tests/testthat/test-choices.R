data <- binary_data()
scores <- data$scores
chosen <- function(metric, rule, ...) {
  bbc_correct(scores, data$truth, metric, selection = rule, n_bootstraps = 100, seed = 1, ...)
}

test_that("a cut-off labels the rows out of bag", {
  e <- chosen("f1", bbc_best_threshold())
  expect_length(e$replicate_thresholds, 100)
  called <- scores[, e$winner] > e$threshold
  hits <- sum(called & data$truth == 1)
  expect_equal(e$apparent, 2 * hits / (sum(called) + sum(data$truth)))
  expect_match(paste(capture.output(summary(e)), collapse = "\n"), "threshold")
  expect_null(e$weights)
})

test_that("several metrics describe a cut-off", {
  benefit <- bbc_metric("net_benefit", threshold = 0.2)
  metrics <- list("sensitivity", "ppv", benefit, "detection_prevalence", "roc_auc")
  set.seed(2)
  drawn <- t(replicate(100, sample.int(80, replace = TRUE)))
  fit <- chosen("youden_index", bbc_best_threshold(), resamples = drawn, secondary = metrics)
  e <- fit$secondary
  alone <- chosen("youden_index", bbc_best_threshold(), resamples = drawn)
  expect_identical(replace(fit, "secondary", NULL), alone)
  # Labels at the cut-off of each replicate, and of all rows, are what metrics of labels read.
  event <- data$truth == 1
  by_hand <- list(
    sensitivity = function(called, event) mean(called[event]),
    precision = function(called, event) if (any(called)) mean(event[called]) else 0,
    "net_benefit(threshold=0.2)" = function(called, event) {
      mean(called & event) - mean(called & !event) * 0.2 / 0.8
    },
    detection_prevalence = function(called, event) mean(called)
  )
  for (name in names(by_hand)) {
    score <- by_hand[[name]]
    expect_equal(e[[name]]$apparent, score(scores[, alone$winner] > alone$threshold, event))
    replicates <- vapply(1:100, function(b) {
      out <- !(1:80 %in% drawn[b, ])
      called <- scores[, alone$replicate_winners[[b]]] > alone$replicate_thresholds[[b]]
      score(called[out], event[out])
    }, 0)
    expect_equal(e[[name]]$replicates, replicates)
    expect_identical(e[[name]]$threshold, alone$threshold)
    expect_identical(e[[name]]$decided_by, "youden_index")
  }
  # Metrics of scores read those of the same winners.
  expect_null(e$roc_auc$threshold)
  expect_identical(e$roc_auc$winner, alone$winner)
  ranks <- rank(scores[, alone$winner])
  expect_equal(e$roc_auc$apparent, (mean(ranks[event]) - (sum(event) + 1) / 2) / sum(!event))
  compared <- bbc_compare(list(all = scores, some = scores[, 1:4]), data$truth, "youden_index",
                          secondary = c("sensitivity", "roc_auc"), selection = bbc_best_threshold(),
                          resamples = drawn, seed = 1)$secondary
  expect_identical(compared$sensitivity$estimates$all$replicates, e$sensitivity$replicates)
  expect_identical(compared$roc_auc$estimates$all$replicates, e$roc_auc$replicates)
})

test_that("the net benefit of labels is what each call gains", {
  called <- data$labels == 1
  event <- data$truth == 1
  benefit <- bbc_metric("net_benefit", threshold = 0.25)
  e <- bbc_correct(data$labels, data$truth, benefit, n_bootstraps = 50, seed = 1)
  gains <- ifelse(event, 1, -1 / 3) * called
  expect_equal(e$apparent, max(colMeans(gains)))
  by_row <- bbc_correct(gains, metric = "row_score", n_bootstraps = 50, seed = 1)
  expect_identical(e$replicates, by_row$replicates)
  named <- array(c("no", "yes")[1 + called], dim(called))
  of_text <- bbc_correct(named, c("no", "yes")[1 + event], benefit, event_level = "yes", seed = 1,
                         n_bootstraps = 50)
  expect_identical(of_text$replicates, e$replicates)
  expect_refused(bbc_metric("net_benefit"), "needs `threshold`")
  expect_refused(bbc_metric("net_benefit", threshold = 1), "`threshold` must be a number between")
  expect_refused(bbc_metric("f1", threshold = 0.2), "has no parameter `threshold`")
})

test_that("an ensemble of one is the best configuration", {
  best <- chosen("roc_auc", "best")
  for (rule in list(bbc_top_k(1), bbc_greedy_ensemble(1))) {
    e <- chosen("roc_auc", rule)
    expect_identical(e$replicates, best$replicates)
    expect_equal(e$selection_frequency, best$selection_frequency)
  }
})

test_that("ensembles have weights, and no findings of a single winner", {
  e <- chosen("roc_auc", bbc_greedy_ensemble(8))
  expect_equal(sum(e$weights), 1)
  expect_equal(e$winner, which.max(e$weights))
  expect_false("BBC003" %in% e$findings$code)
  expect_match(paste(capture.output(summary(e)), collapse = "\n"), "taking part")
  with_hole <- scores
  with_hole[3, 2] <- NA
  e <- bbc_correct(with_hole, data$truth, "roc_auc", selection = bbc_top_k(11), seed = 1,
                   missing = "drop-configurations", n_bootstraps = 50)
  expect_equal(e$weights[[2]], 0)
  expect_length(e$weights, 12)
})

test_that("rules print themselves", {
  expect_output(print(bbc_top_k(3)), "<bbc_top_k(3)>", fixed = TRUE)
  expect_output(print(bbc_best_threshold()), "<bbc_best_threshold()>", fixed = TRUE)
})

test_that("what cannot be chosen so is refused", {
  expect_refused(bbc_top_k(0), "`k`")
  expect_refused(bbc_greedy_ensemble(1.5), "`n_rounds`")
  expect_refused(chosen("roc_auc", bbc_top_k(13)), "top_k averages 13 of 12 configurations")
  expect_refused(chosen("roc_auc", bbc_best_threshold()), "makes labels of scores")
  expect_refused(chosen(bbc_metric("net_benefit", threshold = 0.2), bbc_best_threshold()),
                 "only describes them")
  expect_refused(chosen("roc_auc", bbc_top_k(2), method = "bbc-f", folds = rep(1:5, 16)),
                 "needs predictions of rows")
  expect_refused(bbc_correct(data$labels, data$truth, "f1", selection = bbc_best_threshold()),
                 "are labels")
})
