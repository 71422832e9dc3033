i <- 0:39
scores <- sapply(0:5, function(j) ((i * i + 3 * i * j + 5 * j) %% 17) / 17 + 0.3 * (i %% 2))
truth <- i %% 2
corrected <- function(predictions = scores, y = truth, metric = "roc_auc", ..., n_bootstraps = 1000,
                      seed = 7) {
  suppressWarnings(bbc_correct(predictions, y, metric, ..., n_bootstraps = n_bootstraps, seed = seed))
}

test_that("possible winners and the winner's interval have the bits of Python", {
  found <- bbc_possible_winners(corrected())
  expect_identical(found$p_values, c(0.86, 0.86, 0.86, 0.843, 0.86, 1))
  expect_identical(found$winner, 6L)
  argmin <- bbc_possible_winners(corrected(), test = "argmin")
  expect_identical(argmin$p_values[[1]], 0.45012767986591617)
  expect_identical(argmin$tuning[[1]], 2.2749067867314476)
  expect_null(argmin$seed)
  e <- bbc_winner_interval(corrected())
  expect_output(print(e), "^of the models that won here, not of selecting and training anew")
  expect_identical(c(e$estimate, e$confidence_interval$low, e$confidence_interval$high),
                   c(0.65732435968797798, 0.40467587192695953, 0.90917214163610149))
  expect_identical(e$apparent, 0.8075)
  e <- bbc_winner_interval(corrected(y = as.numeric(truth), metric = "mean_squared_error",
                                     groups = i %/% 2, alternative = "less"))
  expect_identical(c(e$estimate, e$confidence_interval$high),
                   c(0.31246184444540642, 0.39937318784771553))
})

test_that("results have their methods", {
  found <- bbc_possible_winners(corrected(names = letters[1:6]))
  expect_output(print(found), "6 of 6 configurations could be the best")
  frame <- as.data.frame(found)
  expect_equal(frame$name, letters[1:6])
  expect_equal(frame$p_value, found$p_values)
  expect_equal(found$winner_name, "f")
  e <- bbc_winner_interval(corrected())
  expect_s3_class(e, "bbc_estimate")
  expect_equal(e$method, "hybrid")
  expect_null(e$selection_frequency)
  expect_equal(e$seed, 7)
  expect_equal(unname(confint(e)[1, 1]), e$confidence_interval$low)
  expect_output(print(e), "95 % interval")
  expect_output(print(summary(e)), "hybrid")
})

test_that("folds show the luck of fitted models", {
  fit <- corrected(folds = i %/% 2 %% 4)
  found <- bbc_possible_winners(fit)
  expect_false(is.null(found$model_luck))
  e <- bbc_winner_interval(fit)
  expect_identical(e$model_luck, found$model_luck)
})

test_that("degenerate scores are told", {
  fit <- corrected(unname(cbind(1 - truth, truth)), metric = "accuracy", seed = 1)
  expect_warning(e <- bbc_winner_interval(fit), "BBC017")
  expect_equal(e$confidence_interval$low, 0.025^(1 / 40))
  losses <- ifelse(i < 20, 1, 2)
  tied <- bbc_winner_interval(corrected(cbind(losses, rev(losses)), numeric(40), "mean_squared_error"))
  expect_match(tied$infeasible, "ties with the winner")
})

test_that("many redraws are found", {
  rare <- rep(0:1, c(28, 2))
  fit <- corrected(scores[1:30, ], rare, seed = 1)
  expect_warning(found <- bbc_possible_winners(fit), "BBC006")
  expect_true("BBC006" %in% found$findings$code)
})

test_that("configurations that are left out keep their numbers", {
  holed <- cbind(replace(scores[, 1], 3, NA), scores)
  found <- bbc_possible_winners(corrected(holed, missing = "drop-configurations"))
  whole <- bbc_possible_winners(corrected())
  expect_identical(found$p_values, c(NA, whole$p_values))
  expect_identical(found$possible, c(FALSE, whole$possible))
  expect_identical(found$winner, whole$winner + 1L)
  expect_identical(as.data.frame(found)$score, c(NA, whole$scores))
  expect_output(print(found), "6 of 7 configurations")
})

test_that("mistakes are refused", {
  refused <- function(pattern, ..., test = "mcs") {
    expect_refused(bbc_possible_winners(corrected(...), test = test), pattern)
  }
  refused("`test` must be", test = "best")
  refused("confidence_level", confidence_level = 0.99, n_bootstraps = 100, alternative = "two-sided")
  refused("metric", metric = "r2", y = as.numeric(truth), test = "argmin")
  refused("`groups`", groups = i %/% 2, test = "argmin")
  refused("stratify_bootstrap", stratify_bootstrap = TRUE, test = "argmin")
  refused("sample_weight", sample_weight = i + 1, test = "argmin")
  refused("pooling", pooling = "fold", folds = i %/% 2 %% 4, test = "argmin")
  fit <- corrected()
  expect_refused(bbc_winner_interval(fit, method = "hybrid"), "unknown argument `method`")
  expect_refused(bbc_winner_interval(corrected(metric = "average_precision")), "metric")
  expect_refused(bbc_winner_interval(corrected(sample_weight = i + 1)), "sample_weight")
})

test_that("what is not shown of a long set is counted", {
  set.seed(1)
  fit <- bbc_correct(matrix(rnorm(60 * 15), 60), rnorm(60), "mean_squared_error", n_bootstraps = 200, seed = 1)
  found <- bbc_possible_winners(fit)
  expect_output(print(found), sprintf("and %d more, see", sum(found$possible) - 10))
})
