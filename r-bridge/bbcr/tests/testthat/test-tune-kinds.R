# What tune returns of censored and quantile regression, of races, and what it chooses by one
# standard error: tables with the columns of tune's own, made by hand.
set.seed(11)
n <- 80
fold <- rep(1:5, 16)

# `columns(rows, configuration)` gives the predictions of these rows.
by_fold <- function(columns, outcome, configurations, ..., alive = rep(list(configurations), 5)) {
  parts <- lapply(1:5, function(k) {
    rows <- which(fold == k)
    do.call(rbind, lapply(alive[[k]], function(configuration) {
      own <- columns(rows, configuration)
      own$.row <- rows
      own$.config <- configuration
      own$penalty <- match(configuration, configurations) / 10
      own
    }))
  })
  parts <- lapply(parts, function(own) {
    own$y <- outcome[own$.row]
    own
  })
  structure(list(splits = parts, id = paste0("Fold", 1:5), .predictions = parts, ...),
            row.names = 1:5, outcomes = "y",
            class = c("tune_results", "tbl_df", "tbl", "data.frame"))
}
models <- c("pre0_mod1_post0", "pre0_mod2_post0", "pre0_mod3_post0")

risk <- matrix(rnorm(n * 3), n)
linear <- risk[, 3:1]  # other numbers, to see which are read
times <- rexp(n, exp(risk[, 1]))
event <- rbinom(n, 1, 0.7)
outcome <- survival::Surv(times, event)
at <- as.double(stats::quantile(times, c(0.3, 0.5)))
surviving <- function(time) exp(-time * exp(risk))
survived <- function(...) {
  by_fold(function(rows, configuration) {
    j <- match(configuration, models)
    own <- data.frame(.pred_time = exp(-risk[rows, j]), .pred_linear_pred = -linear[rows, j])
    own$.pred <- lapply(rows, function(row) {
      data.frame(.eval_time = at, .pred_survival = exp(-at * exp(risk[row, j])), .weight_censored = 1)
    })
    own
  }, outcome, models, ...)
}

test_that("censored regression is read at its times, risks with the other sign", {
  table <- survived()
  estimate <- function(...) bbc_correct(..., folds = fold, seed = 1)
  for (j in 1:2) {
    metric <- bbc_metric("survival_brier_score", time = at[[j]])
    expect_identical(bbc_correct(table, metric = metric, seed = 1)$replicates,
                     estimate(surviving(at[[j]]), outcome, metric)$replicates)
  }
  integrated <- bbc_metric("integrated_brier_score", times = at)
  probabilities <- array(c(surviving(at[[1]]), surviving(at[[2]])), c(n, 3, 2))
  expect_identical(bbc_correct(table, metric = integrated, seed = 1)$replicates,
                   estimate(probabilities, outcome, integrated)$replicates)
  by_risk <- estimate(risk, outcome, "concordance_index")$replicates
  expect_identical(bbc_correct(table, metric = "concordance_index", seed = 1)$replicates, by_risk)
  by_linear <- estimate(linear, outcome, "concordance_index")$replicates
  expect_identical(bbc_correct(table, metric = "concordance_index", estimate = ".pred_linear_pred",
                               seed = 1)$replicates, by_linear)
  without_times <- table
  without_times$.predictions <- lapply(table$.predictions, function(own) {
    own[names(own) != ".pred_time"]
  })
  expect_identical(bbc_correct(without_times, metric = "concordance_index", seed = 1)$replicates,
                   by_linear)
  dynamic <- bbc_metric("cumulative_dynamic_auc", time = at[[2]])
  expect_identical(bbc_correct(table, metric = dynamic, seed = 1)$replicates,
                   estimate(-surviving(at[[2]]), outcome, dynamic)$replicates)
  expect_refused(
    bbc_correct(table, metric = bbc_metric("survival_brier_score", time = 0.25)),
    "has survival at .*, not at 0.25: tune with eval_time = 0.25"
  )
})

test_that("the scores of the first time are those that tune chooses by", {
  scores <- c(3, 1, 2, 1, 2, 3)
  table <- survived(.metrics = lapply(1:5, function(k) {
    data.frame(.metric = "brier_survival", .estimator = "standard", .eval_time = rep(at, each = 3),
               .estimate = scores, .config = models)
  }))
  expect_identical(tool_choice(tuned_claim(structure(table, eval_time = rev(at))), models), NULL)
  directed <- structure(function() NULL, metrics = list(
    brier_survival = structure(function() NULL, direction = "minimize")
  ))
  attr(table, "metrics") <- directed
  expect_identical(tool_choice(tuned_claim(structure(table, eval_time = at)), models), 2L)
  expect_identical(tool_choice(tuned_claim(structure(table, eval_time = rev(at))), models), 1L)
})

test_that("quantile regression is read at the level of the loss", {
  truth <- rnorm(n)
  level <- c(0.1, 0.5, 0.9)
  predicted <- array(truth + rnorm(n * 3 * 3), c(n, 3, 3))
  record <- function(values, as_list) {
    kept <- if (as_list) asplit(values, 1) else list(quantile_values = values)
    structure(kept, quantile_levels = level,
              class = c("quantile_pred", if (!as_list) "vctrs_rcrd", "vctrs_vctr", if (as_list) "list"))
  }
  for (as_list in c(TRUE, FALSE)) {
    table <- by_fold(function(rows, configuration) data.frame(.pred = rows), truth, models)
    # As of vctrs, whose values data.frame() and rbind() do not know.
    table$.predictions <- lapply(table$.predictions, function(own) {
      values <- t(mapply(function(row, j) predicted[row, j, ], own$.row, match(own$.config, models)))
      own$.pred <- NULL
      columns <- c(unclass(own), list(.pred_quantile = record(values, as_list)))
      structure(columns[c(names(own), ".pred_quantile")], row.names = seq_along(own$.row),
                class = c("tbl_df", "tbl", "data.frame"))
    })
    for (j in 1:3) {
      metric <- bbc_metric("pinball_loss", alpha = level[[j]])
      expect_identical(
        bbc_correct(table, metric = metric, seed = 1)$replicates,
        bbc_correct(predicted[, , j], truth, metric, folds = fold, seed = 1)$replicates
      )
    }
    expect_refused(bbc_correct(table, metric = bbc_metric("pinball_loss", alpha = 0.25)),
                   "has quantile at 0.1, 0.5, 0.9, not at 0.25: tune with quantile_levels = 0.25")
    expect_refused(bbc_correct(table, metric = "mae"), "no column .pred, which metric")
  }
})

numbers <- function(...) {
  truth <<- rnorm(n)
  values <<- truth + matrix(rnorm(n * 3, sd = rep(c(1, 1.05, 1.4), each = n)), n)
  by_fold(function(rows, configuration) {
    data.frame(.pred = values[rows, match(configuration, models)])
  }, truth, models, ...)
}

test_that("the simplest within one standard error is compared with tune's", {
  table <- numbers(.metrics = lapply(1:5, function(k) {
    data.frame(.metric = "rmse", .estimator = "standard", .config = models,
               .estimate = c(1, 1.1, 2) + c(-2:2)[[k]] / 10)
  }))
  # The standard error of the best is .07, so that only it is left, or with twice the spread .14.
  expect_identical(tool_choice(tuned_claim(table), models, 3:1), 1L)
  table$.metrics <- lapply(1:5, function(k) {
    within(table$.metrics[[k]], .estimate <- .estimate + c(-2:2)[[k]] / 10)
  })
  expect_identical(tool_choice(tuned_claim(table), models, 3:1), 2L)
  expect_identical(tool_choice(tuned_claim(table), models, 1:3), 1L)
  with_formula <- function(...) {
    kept <- options(bbcr.check = "note")
    on.exit(options(kept))
    suppressWarnings(bbc_correct(table, metric = "rmse", seed = 1, ...))
  }
  e <- with_formula(selection = bbc_one_standard_error(~ -penalty))
  by_hand <- bbc_correct(values, truth, "rmse", folds = fold, seed = 1,
                         selection = bbc_one_standard_error(3:1))
  expect_identical(e$replicates, by_hand$replicates)
  other <- with_formula(selection = bbc_one_standard_error(~ (penalty - 0.3)^2))
  expect_identical("BBC024" %in% other$findings$code, !other$deployed$is_corrected)
  expect_refused(with_formula(selection = bbc_one_standard_error(~ depth)),
                 "`complexity`: object 'depth' not found; the hyper-parameters are")
  expect_refused(with_formula(selection = bbc_one_standard_error(~ 1)), "has 1 value for 3 conf")
  expect_refused(bbc_correct(values, truth, "rmse", folds = fold,
                             selection = bbc_one_standard_error(~ -penalty)),
                 "no hyper-parameters for the formula ~-penalty")
  expect_refused(bbc_one_standard_error(y ~ x), "a formula of one side")
  expect_output(print(bbc_one_standard_error(~ -penalty)), "one standard error rule by -penalty",
                fixed = TRUE)
})

test_that("a race is scored rung by rung", {
  alive <- list(models, models, models, models[1:2], models[1])
  race <- numbers(alive = alive)
  class(race) <- c("tune_race", class(race))
  holes <- values
  holes[fold >= 4, 3] <- NA
  holes[fold == 5, 2] <- NA
  expect_no_warning(e <- bbc_correct(race, metric = "rmse", missing = "rungs", seed = 1))
  by_hand <- bbc_correct(holes, truth, "rmse", missing = "rungs", folds = fold, seed = 1)
  expect_identical(e$replicates, by_hand$replicates)
  expect_identical(e$findings, by_hand$findings)
  expect_match(e$notes[[1]], "3 rungs")
  expect_refused(bbc_correct(race, metric = "rmse"), 'with missing = "rungs"')
  expect_warning(bbc_correct(race, metric = "rmse", missing = "drop-configurations", seed = 1),
                 "BBC007")
  # Two races in the same order of folds, as a list and as a workflow set.
  set <- structure(list(wflow_id = c("a", "b"), result = list(race, race)), row.names = 1:2,
                   class = c("workflow_set", "tbl_df", "tbl", "data.frame"))
  for (both in list(list(a = race, b = race), set)) {
    expect_no_warning(two <- bbc_correct(both, metric = "rmse", missing = "rungs", seed = 1))
    expect_identical(two$n_configurations, 6L)
  }
  # Those that it dropped cannot be its choice.
  race$.metrics <- lapply(1:5, function(k) {
    data.frame(.metric = "rmse", .estimator = "standard", .config = alive[[k]],
               .estimate = 4 - seq_along(alive[[k]]))
  })
  expect_identical(tool_choice(tuned_claim(race), models), 1L)
})

test_that("a race over repeats scores rows where they were first seen", {
  race <- numbers(alive = list(models, models, models[1:2], models[1], models[1]))
  again <- lapply(race$.predictions, function(own) own[own$.config == models[1], ])
  both <- structure(list(splits = c(race$splits, again),
                         id = rep(c("Repeat1", "Repeat2"), each = 5), id2 = rep(race$id, 2),
                         .predictions = c(race$.predictions, again)),
                    row.names = 1:10, outcomes = "y",
                    class = c("tune_race", "tune_results", "tbl_df", "tbl", "data.frame"))
  expect_no_warning(e <- bbc_correct(both, metric = "rmse", missing = "rungs", seed = 1))
  expect_identical(e$n_repeats, 2L)
  # Four rows of five score in the first repeat only: those that the last rung saw first, in both.
  expect_match(e$notes[[1]], sprintf("3 rungs, which score %d of %d rows of 2 repeats",
                                     n + sum(fold >= 4), 2 * n))
})

test_that("weights that tune left out are said", {
  table <- numbers()
  attr(table, "workflow") <- list(pre = list(actions = list(case_weights = list(col = quote(w)))))
  expect_warning(bbc_correct(table, metric = "rmse", seed = 1), "importance weights")
  expect_no_warning(bbc_correct(table, metric = "rmse", seed = 1, sample_weight = runif(n)))
  attr(table, "workflow") <- NULL
  expect_no_warning(bbc_correct(table, metric = "rmse", seed = 1))
  weighted <- data.frame(w = seq_len(n))
  class(weighted$w) <- c("hardhat_importance_weights", "hardhat_case_weights", "vctrs_vctr")
  table$splits <- lapply(1:5, function(k) list(data = weighted))
  expect_warning(bbc_correct(table, metric = "rmse", seed = 1), "importance weights")
})

test_that("scores that yardstick weighs by exponentials are not compared", {
  set.seed(5)
  truth <- factor(sample(c("ill", "well"), n, replace = TRUE))
  risk <- matrix(runif(3 * n), n)
  table <- by_fold(function(rows, configuration) {
    own <- data.frame(.pred_ill = risk[rows, match(configuration, models)])
    own$.pred_well <- 1 - own$.pred_ill
    own$.case_weights <- structure(rep_len(1:3, n)[rows], class = "hardhat_frequency_weights")
    own
  }, truth, models, .metrics = lapply(1:5, function(k) {
    data.frame(.metric = "brier_class", .estimator = "binary", .config = models, .estimate = 0.1)
  }))
  e <- suppressWarnings(bbc_correct(table, metric = "brier_class", seed = 1))
  weight <- rep_len(1:3, n)
  expect_equal(min(colSums((risk - (truth == "ill"))^2 * weight) / sum(weight)), e$apparent)
})

test_that("a tuning whose models failed is refused", {
  table <- numbers()
  table$.predictions <- rep(list(NULL), 5)
  expect_refused(bbc_correct(table, metric = "rmse"), "all models of the tuning failed")
})
