i <- 0:39
scores <- sapply(0:5, function(j) ((i * i + 3 * i * j + 5 * j) %% 17) / 17 + 0.3 * (i %% 2))
truth <- i %% 2

test_that("possible winners and the winner's interval have the bits of Python", {
  found <- bbc_possible_winners(scores, truth, "roc_auc", seed = 7)
  expect_identical(found$p_values, c(0.86, 0.86, 0.86, 0.843, 0.86, 1))
  expect_identical(found$winner, 6L)
  argmin <- bbc_possible_winners(scores, truth, "roc_auc", method = "argmin")
  expect_identical(argmin$p_values[[1]], 0.45012767986591617)
  expect_identical(argmin$tuning[[1]], 2.2749067867314476)
  expect_null(argmin$seed)
  e <- bbc_winner_interval(scores, truth, "roc_auc", seed = 7)
  expect_identical(c(e$estimate, e$confidence_interval$low, e$confidence_interval$high),
                   c(0.65732435968797798, 0.40467587192695953, 0.90917214163610149))
  expect_identical(e$apparent, 0.8075)
  e <- bbc_winner_interval(scores, as.numeric(truth), "mean_squared_error", groups = i %/% 2,
                           alternative = "less", seed = 7)
  expect_identical(c(e$estimate, e$confidence_interval$high),
                   c(0.31246184444540642, 0.39937318784771553))
})

test_that("results have their methods", {
  found <- bbc_possible_winners(scores, truth, "roc_auc", names = letters[1:6], seed = 7)
  expect_output(print(found), "6 of 6 configurations could be the best")
  frame <- as.data.frame(found)
  expect_equal(frame$name, letters[1:6])
  expect_equal(frame$p_value, found$p_values)
  expect_equal(found$winner_name, "f")
  e <- bbc_winner_interval(scores, truth, "roc_auc", method = "conditional", seed = 7)
  expect_s3_class(e, "bbc_estimate")
  expect_equal(e$method, "conditional")
  expect_null(e$selection_frequency)
  expect_null(e$seed)
  expect_equal(unname(confint(e)[1, 1]), e$confidence_interval$low)
  expect_output(print(e), "95 % interval")
  expect_output(print(summary(e)), "conditional")
})

test_that("folds show the luck of fitted models", {
  found <- bbc_possible_winners(scores, truth, "roc_auc", folds = i %/% 2 %% 4, seed = 7)
  expect_false(is.null(found$model_luck))
  e <- bbc_winner_interval(scores, truth, "roc_auc", folds = i %/% 2 %% 4, seed = 7)
  expect_identical(e$model_luck, found$model_luck)
})

test_that("degenerate scores are told", {
  expect_warning(
    e <- bbc_winner_interval(unname(cbind(1 - truth, truth)), truth, "accuracy", seed = 1), "BBC017"
  )
  expect_equal(e$confidence_interval$low, 0.025^(1 / 40))
  losses <- ifelse(i < 20, 1, 2)
  tied <- bbc_winner_interval(cbind(losses, rev(losses)), numeric(40), "mean_squared_error",
                              seed = 1)
  expect_match(tied$infeasible, "ties with the winner")
})

test_that("many redraws are found", {
  rare <- rep(0:1, c(28, 2))
  expect_warning(found <- bbc_possible_winners(scores[1:30, ], rare, "roc_auc", seed = 1), "BBC006")
  expect_true("BBC006" %in% found$findings$code)
})

test_that("mistakes are refused", {
  expect_refused(bbc_possible_winners(scores, truth), "`metric` is missing")
  expect_refused(bbc_possible_winners(scores, truth, "roc_auc", method = "best"), "`method`")
  expect_refused(
    bbc_possible_winners(scores, truth, "roc_auc", confidence_level = 0.99, n_bootstraps = 50),
    "confidence_level"
  )
  expect_refused(bbc_possible_winners(scores, truth, "r2", method = "argmin"), "metric")
  expect_refused(bbc_possible_winners(scores, truth, "roc_auc", method = "argmin", groups = i),
                 "`groups`")
  expect_refused(
    bbc_possible_winners(scores, truth, "roc_auc", method = "argmin", stratify_bootstrap = TRUE),
    "stratify_bootstrap"
  )
  expect_refused(
    bbc_possible_winners(scores, truth, "roc_auc", method = "argmin", sample_weight = i + 1),
    "sample_weight"
  )
  expect_refused(
    bbc_possible_winners(scores, truth, "roc_auc", method = "argmin", pooling = "fold",
                         folds = i %/% 2 %% 4),
    "pooling"
  )
  expect_refused(bbc_winner_interval(scores, truth), "`metric` is missing")
  expect_refused(bbc_winner_interval(scores, truth, "average_precision"), "metric")
  expect_refused(bbc_winner_interval(scores, truth, "roc_auc", method = "zoom"), "`method`")
})
