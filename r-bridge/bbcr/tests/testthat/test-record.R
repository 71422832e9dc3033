data <- binary_data(200, 30)
groups <- rep(1:50, each = 4)

test_that("the record has what was done, and the paragraph says it", {
  e <- suppressWarnings(bbc_correct(
    data$scores, data$truth, "roc_auc", groups = groups, folds = groups %% 5, seed = 1
  ))
  expect_equal(e$design$n_groups, 50)
  expect_equal(e$design$n_events, sum(data$truth))
  expect_equal(e$design$n_groups_with_event, length(unique(groups[data$truth == 1])))
  expect_true(e$design$block_draws)
  text <- say("methods", facts_of(e))
  expect_match(text, "by 5-fold cross-validation on 200 rows in 50 groups; one was", fixed = TRUE)
  expect_match(text, "replicates that draw groups (seed 1; bbcr", fixed = TRUE)
  expect_match(text, "Predictions were supplied; bbcr did not see the training.", fixed = TRUE)
  expect_output(print(summary(e)), "data +50 groups, 200 rows, [0-9]+ configurations?, 5 folds")
})

test_that("rules, strata and weights are told", {
  best <- function(scores, counts) which.max(scores)
  e <- bbc_correct(data$scores, data$truth, "roc_auc", selection = best, seed = 1,
                   sample_weight = rep(1:2, 100), stratify_bootstrap = TRUE)
  text <- say("methods", facts_of(e))
  expect_match(text, "from their values of AUC by a rule of the authors", fixed = TRUE)
  expect_match(text, "Rows are weighted.", fixed = TRUE)
  expect_match(text, "draw rows within classes", fixed = TRUE)
})

test_that("of scores of folds alone no number of rows is known", {
  labels <- 1 * (data$scores > 0)
  right <- labels == data$truth
  scores <- sapply(0:4, function(fold) colMeans(right[groups %% 5 == fold, ]))
  e <- suppressWarnings(bbc_correct(t(scores), metric = "accuracy", method = "bbc-f", seed = 1))
  text <- say("methods", facts_of(e))
  expect_match(text, "5-fold cross-validation on an unknown number of rows", fixed = TRUE)
  expect_match(text, "BBC-F [1]", fixed = TRUE)
})

test_that("a negated loss is told as the loss", {
  facts <- facts_of(list(
    metric = "neg_log_loss", estimate = -0.4, method = "bbc", n_configurations = 3, n_folds = 0,
    confidence_interval = list(low = -0.5, high = -0.3, confidence_level = 0.95,
                               alternative = "two-sided"), design = list()
  ))
  expect_identical(say("headline", facts), paste(
    "The expected log loss of the tuned model on new rows is 0.400 (95 % CI 0.300 to 0.500)."
  ))
})
