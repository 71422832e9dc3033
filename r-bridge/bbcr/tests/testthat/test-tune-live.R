# tidymodels' own objects, where it is installed; each is what its predictions are as a matrix.
# (r-bridge/live.sh runs these tests.)
for (package in c("tune", "parsnip", "workflows", "rsample", "yardstick", "recipes")) {
  skip_if_not_installed(package)
}
tune <- hardhat::tune
keep <- tune::control_grid(save_pred = TRUE)
tuned <- function(spec, formula, folds, grid, ..., weights = NULL) {
  flow <- workflows::workflow(formula, spec)
  if (!is.null(weights)) flow <- workflows::add_case_weights(flow, !!as.name(weights))
  tune::tune_grid(flow, folds, grid = grid, control = keep, ...)
}
# The matrix of a column of the predictions, its truth and folds.
lines_of <- function(result, column, outcome, with = function(own) own[[column]]) {
  table <- tune::collect_predictions(result, summarize = FALSE)
  configurations <- sort(unique(table$.config))
  n <- max(table$.row)
  out <- matrix(NA_real_, n, length(configurations))
  out[cbind(table$.row, match(table$.config, configurations))] <- with(table)
  first <- match(seq_len(n), table$.row)
  list(values = out, truth = table[[outcome]][first], folds = table$id[first],
       configurations = configurations)
}
quietly <- function(code) suppressWarnings(suppressMessages(code))
expect_same <- function(result, metric, by_hand, ..., event_level = NULL) {
  e <- quietly(bbc_correct(result, metric = metric, pooling = "pooled", seed = 1))
  known <- quietly(bbc_correct(by_hand$values, by_hand$truth, metric, folds = by_hand$folds,
                               event_level = event_level, seed = 1, ...))
  expect_identical(e$replicates, known$replicates)
  invisible(e)
}

set.seed(1)
n <- 120
data <- data.frame(a = rnorm(n), b = rnorm(n), site = rep(1:24, 5))
data$class <- factor(ifelse(data$a + rnorm(n) > 0, "ill", "well"))
data$y <- data$a + rnorm(n)
tree <- parsnip::decision_tree("classification", cost_complexity = tune())
grid <- data.frame(cost_complexity = c(0.001, 0.03, 0.2))

test_that("a grid of trees is its matrix, and tune's means and choice are ours", {
  result <- tuned(tree, class ~ a + b, rsample::vfold_cv(data, 5), grid)
  by_hand <- lines_of(result, ".pred_ill", "class")
  e <- expect_same(result, "roc_auc", by_hand, event_level = "ill")
  expect_identical(e$names, by_hand$configurations)
  means <- tune::collect_metrics(result)
  by_fold <- quietly(bbc_correct(result, metric = "roc_auc", pooling = "fold", seed = 1))
  expect_equal(by_fold$apparent, max(means$mean[means$.metric == "roc_auc"]), tolerance = 1e-12)
  best <- quietly(tune::select_best(result))
  expect_identical(e$names[[tool_choice(tuned_claim(result), e$names)]], best$.config)
  simplest <- tune::select_by_one_std_err(result, metric = "roc_auc", -cost_complexity)
  own <- tool_choice(tuned_claim(result), e$names, -grid$cost_complexity)
  expect_identical(e$names[[own]], simplest$.config)
  chosen <- quietly(bbc_correct(result, metric = "roc_auc", pooling = "fold", seed = 1,
                                selection = bbc_one_standard_error(~ -cost_complexity)))
  expect_identical(chosen$winner_name, simplest$.config)
  second <- tune::tune_grid(tree, class ~ a + b, rsample::vfold_cv(data, 5), grid = grid,
                            control = tune::control_grid(save_pred = TRUE, event_level = "second"),
                            metrics = yardstick::metric_set(yardstick::sens))
  expect_identical(quietly(bbc_correct(second, metric = "sens", seed = 1))$event, "well")
  # What select_best() chooses is corrected by default.
  own <- quietly(bbc_correct(result, seed = 1))
  expect_identical(own$winner_name, best$.config)
  expect_match(own$checked_scores, "agrees for 15|not computed")
})

test_that("repeats are repeats, and collected predictions the same", {
  result <- tuned(tree, class ~ a + b, rsample::vfold_cv(data, 4, repeats = 2), grid)
  e <- quietly(bbc_correct(result, metric = "roc_auc", seed = 1))
  expect_identical(c(e$n_repeats, e$n_folds), c(2L, 4L))
  collected <- tune::collect_predictions(result, summarize = FALSE)
  again <- quietly(bbc_correct(collected, "class", metric = "roc_auc", seed = 1))
  expect_identical(again$replicates, e$replicates)
})

test_that("groups and weights of cases are taken", {
  grouped <- tuned(tree, class ~ a + b, rsample::group_vfold_cv(data, "site", v = 5), grid)
  by_hand <- lines_of(grouped, ".pred_ill", "class")
  e <- expect_same(grouped, "roc_auc", by_hand, event_level = "ill", groups = data$site)
  expect_identical(e$unit, "group")

  weighted <- data
  weighted$count <- hardhat::frequency_weights(rep(1:3, 40))
  weighted$weight <- hardhat::importance_weights(rep(c(1, 2.5), 60))
  folds <- rsample::vfold_cv(weighted, 5)
  counts <- tuned(tree, class ~ a + b, folds, grid, weights = "count")
  expect_same(counts, "accuracy", lines_of(counts, NULL, "class", function(own) {
    as.integer(own$.pred_class)
  }) |>
    within(values <- array(levels(data$class)[values], dim(values))), sample_weight = rep(1:3, 40))
  important <- tuned(tree, class ~ a + b, folds, grid, weights = "weight")
  e <- quietly(bbc_correct(important, metric = "roc_auc", seed = 1))
  expect_match(e$notes, "importance weights", all = FALSE)
})

test_that("an offset is part of the predictions", {
  rates <- data
  rates$exposure <- runif(n, 1, 5)
  rates$events <- stats::rpois(n, rates$exposure * exp(rates$a / 2))
  flow <- workflows::workflow() |>
    workflows::add_variables(events, c(a, b, exposure)) |>
    workflows::add_model(parsnip::linear_reg(engine = "glm"),
                         formula = events ~ a + b + offset(exposure))
  result <- tune::fit_resamples(flow, rsample::vfold_cv(rates, 5),
                                control = tune::control_resamples(save_pred = TRUE))
  expect_same(result, "rmse", lines_of(result, ".pred", "events"))
})

test_that("a workflow set is one search", {
  skip_if_not_installed("workflowsets")
  set <- workflowsets::workflow_set(
    list(one = class ~ a, both = class ~ a + b), list(tree = tree)
  ) |>
    workflowsets::workflow_map("tune_grid", resamples = rsample::vfold_cv(data, 5), grid = grid,
                               control = keep, seed = 1)
  e <- quietly(bbc_correct(set, metric = "roc_auc", seed = 1))
  parts <- lapply(set$result, lines_of, ".pred_ill", "class")
  both <- list(values = cbind(parts[[1]]$values, parts[[2]]$values), truth = parts[[1]]$truth,
               folds = parts[[1]]$folds)
  expect_same(set, "roc_auc", both, event_level = "ill")
  ranked <- workflowsets::rank_results(set, "roc_auc")
  expect_identical(e$names[[tool_choice(tuned_claim(set), e$names)]],
                   paste(ranked$wflow_id[[1]], ranked$.config[[1]]))
})

for (test in c("anova", "win_loss")) test_that(paste("races by", test, "are scored rung by rung"), {
  skip_if_not_installed("finetune")
  skip_if_not_installed(c(anova = "lme4", win_loss = "BradleyTerry2")[[test]])
  set.seed(5)
  useless <- data
  useless$class <- sample(data$class)
  run <- getExportedValue("finetune", paste0("tune_race_", test))
  race <- quietly(run(
    tree, class ~ a + b, rsample::vfold_cv(useless, 10),
    grid = data.frame(cost_complexity = c(10^(-4:-1), 0.3)),
    metrics = yardstick::metric_set(yardstick::accuracy),
    control = finetune::control_race(save_pred = TRUE, burn_in = 3, alpha = 0.2)
  ))
  alive <- table(unlist(lapply(race$.predictions, function(own) unique(own$.config))))
  expect_true(any(alive < 10) && any(alive == 10))
  draws <- t(replicate(100, sample.int(n, replace = TRUE)))
  e <- quietly(bbc_correct(race, metric = "accuracy", missing = "rungs", resamples = draws))
  expect_false("BBC007" %in% e$findings$code)
  collected <- tune::collect_predictions(race, all_configs = TRUE)
  right <- matrix(NA_real_, n, length(alive))
  right[cbind(collected$.row, match(collected$.config, names(alive)))] <-
    collected$.pred_class == collected$class
  expect_equal(e$replicates, apply(draws, 1, function(drawn) rung_by_rung(right, tabulate(drawn, n))))
  complete <- which(alive == 10)
  expect_equal(e$apparent, max(colMeans(right[, complete, drop = FALSE])))
  expect_identical(e$names[[tool_choice(tuned_claim(race), e$names)]],
                   tune::select_best(race, metric = "accuracy")$.config)
  expect_warning(bbc_correct(race, metric = "accuracy", missing = "drop-configurations", seed = 1),
                 "BBC007")
})

test_that("annealing is dynamic", {
  skip_if_not_installed("finetune")
  annealed <- quietly(finetune::tune_sim_anneal(
    tree, class ~ a + b, resamples = rsample::vfold_cv(data, 5), iter = 2, initial = 2,
    control = finetune::control_sim_anneal(save_pred = TRUE, verbose = FALSE, verbose_iter = FALSE)
  ))
  e <- quietly(bbc_correct(annealed, metric = "roc_auc", seed = 1))
  expect_true("BBC007" %in% e$findings$code)
})

test_that("censored regression is what its predictions are", {
  skip_if_not_installed("censored")
  suppressPackageStartupMessages(loadNamespace("censored"))
  set.seed(2)
  sick <- data.frame(a = rnorm(n), b = rnorm(n), c = rnorm(n))
  sick$surv <- survival::Surv(rexp(n, exp(sick$a)), rbinom(n, 1, 0.8))
  at <- as.double(signif(stats::quantile(sick$surv[, 1], c(0.25, 0.5, 0.7)), 2))
  spec <- parsnip::proportional_hazards("censored regression", "glmnet", penalty = tune())
  measures <- yardstick::metric_set(yardstick::brier_survival, yardstick::concordance_survival)
  result <- tuned(spec, surv ~ a + b + c, rsample::vfold_cv(sick, 5),
                  data.frame(penalty = c(0.01, 0.1)), metrics = measures, eval_time = at)
  surviving <- function(j) {
    lines_of(result, NULL, "surv", function(own) vapply(own$.pred, function(one) one$.pred_survival[[j]], 0))
  }
  for (j in seq_along(at)) {
    expect_same(result, bbc_metric("survival_brier_score", time = at[[j]]), surviving(j))
  }
  stacked <- surviving(1)
  stacked$values <- array(c(stacked$values, surviving(2)$values, surviving(3)$values), c(n, 2, 3))
  expect_same(result, bbc_metric("integrated_brier_score", times = at), stacked)
  risk <- lines_of(result, NULL, "surv", function(own) -own$.pred_time)
  expect_same(result, "concordance_index", risk)
  # The mean of tune over folds is that of the same pairs: the sign is right.
  means <- tune::collect_metrics(result)
  by_fold <- quietly(bbc_correct(result, metric = "concordance_survival", pooling = "fold", seed = 1))
  expect_equal(by_fold$apparent, max(means$mean[means$.metric == "concordance_survival"]),
               tolerance = 1e-12)
  expect_gt(by_fold$apparent, 0.6)
  expect_identical(risk$configurations[[tool_choice(tuned_claim(result), risk$configurations)]],
                   tune::select_best(result, metric = "brier_survival", eval_time = at[[1]])$.config)
  linear <- tuned(spec, surv ~ a + b + c, rsample::vfold_cv(sick, 5),
                  data.frame(penalty = c(0.01, 0.1)),
                  metrics = yardstick::metric_set(yardstick::royston_survival))
  e <- quietly(bbc_correct(linear, metric = "concordance_index", seed = 1))
  expect_gt(e$estimate, 0.6)
})

test_that("quantile regression is what its predictions are", {
  skip_if_not_installed("quantreg")
  recipe <- recipes::recipe(y ~ a + b, data) |>
    recipes::step_poly(a, degree = tune("degree"))
  flow <- workflows::workflow(recipe, parsnip::linear_reg(engine = "quantreg") |>
                                parsnip::set_mode("quantile regression",
                                                  quantile_levels = c(0.1, 0.5, 0.9)))
  result <- tune::tune_grid(flow, rsample::vfold_cv(data, 5), grid = data.frame(degree = 1:3),
                            control = keep)
  for (j in 1:3) {
    by_hand <- lines_of(result, NULL, "y", function(own) as.matrix(own$.pred_quantile)[, j])
    expect_same(result, bbc_metric("pinball_loss", alpha = c(0.1, 0.5, 0.9)[[j]]), by_hand)
  }
})
