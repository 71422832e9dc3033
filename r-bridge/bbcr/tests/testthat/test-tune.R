# What tune_grid() and workflow_map() return with saved predictions, written from their
# documentation (tune and workflowsets are not in Debian): a table with a line per fold, whose
# predictions are a table, and with the outcome's name as an attribute.
data <- binary_data(60, 3)
folds <- rep(1:5, 12)
truth <- factor(ifelse(data$truth == 1, "ill", "well"))

tuned <- function(scores, configurations = sprintf("Preprocessor1_Model%d", seq_len(ncol(scores))),
                  outcome = "Class", ...) {
  p <- stats::plogis(scores)
  by_fold <- lapply(split(1:60, folds), function(own) {
    table <- expand.grid(.row = own, .config = configurations, stringsAsFactors = FALSE)
    cells <- cbind(table$.row, match(table$.config, configurations))
    table <- cbind(table, data.frame(.pred_ill = p[cells], .pred_well = 1 - p[cells], ...))
    table[[outcome]] <- truth[cells[, 1]]
    table$.pred_class <- factor(ifelse(table$.pred_ill > 0.5, "ill", "well"), levels(truth))
    structure(table, class = c("tbl_df", "tbl", "data.frame"))
  })
  structure(
    list(splits = unname(by_fold), id = paste0("Fold", seq_along(by_fold)),
         .predictions = unname(by_fold)),
    row.names = seq_along(by_fold), outcomes = outcome,
    class = c("tune_results", "tbl_df", "tbl", "data.frame")
  )
}
set_of <- function(...) {
  results <- list(...)
  structure(
    list(wflow_id = names(results), info = results, option = results, result = unname(results)),
    row.names = seq_along(results), class = c("workflow_set", "tbl_df", "tbl", "data.frame")
  )
}
whole <- bbc_correct(stats::plogis(data$scores), truth, "roc_auc", event_level = "ill", seed = 1,
                     folds = folds)

test_that("tune_results know their outcome", {
  e <- bbc_correct(tuned(data$scores), metric = "roc_auc", seed = 1)
  expect_identical(e$replicates, whole$replicates)
  expect_identical(c(e$event, e$n_folds), c("ill", "5"))
  expect_identical(bbc_correct(tuned(data$scores), "Class", "roc_auc", seed = 1), e)
})

test_that("a workflow set is one search", {
  set <- set_of(glm = tuned(data$scores[, 1, drop = FALSE]),
                tree = tuned(data$scores[, 2:3], depth = 3))
  e <- bbc_correct(set, metric = "roc_auc", seed = 1)
  expect_identical(e$replicates, whole$replicates)
  expect_identical(e$names, c("glm Preprocessor1_Model1", "tree Preprocessor1_Model1",
                              "tree Preprocessor1_Model2"))
  expect_refused(bbc_correct(set_of(glm = tuned(data$scores), tree = list()), metric = "roc_auc"),
                 "workflow tree has no results; run workflow_map")
  without <- tuned(data$scores)
  without$.predictions <- NULL
  expect_refused(bbc_correct(set_of(glm = without), metric = "roc_auc"),
                 "`predictions[$]glm`.*save_pred = TRUE")
  dynamic <- tuned(data$scores)
  dynamic$.iter <- 1
  expect_warning(bbc_correct(set_of(glm = dynamic), metric = "roc_auc", seed = 1), "BBC007")
})

# With the scores that tune keeps, of the first level unless control_grid(event_level = ) says
# otherwise, and the metrics in the order in which they were given.
scored <- function(table, by = list(accuracy = "accuracy", roc_auc = "roc_auc"), event = "ill",
                   row_weights = rep(1, 60)) {
  table$.metrics <- lapply(table$.predictions, function(own) {
    cells <- expand.grid(.metric = names(by), .config = unique(own$.config), stringsAsFactors = FALSE)
    cells$.estimator <- "binary"
    cells$.estimate <- mapply(function(metric, config) {
      part <- own[own$.config == config, ]
      weight <- row_weights[part$.row]
      hit <- part$Class == event
      score <- if (event == "ill") part$.pred_ill else part$.pred_well
      switch(by[[metric]],
        accuracy = sum(weight * (part$.pred_class == part$Class)) / sum(weight),
        sens = mean((part$.pred_class == event)[hit]),
        roc_auc = mean(outer(score[hit], score[!hit], ">") + outer(score[hit], score[!hit], "==") / 2)
      )
    }, cells$.metric, cells$.config)
    cells
  })
  attr(table, "metrics") <- structure(function() NULL, metrics = lapply(by, function(name) {
    structure(function() NULL, direction = "maximize")
  }))
  table
}

test_that("the scores that tune kept come out, or the predictions are refused", {
  table <- scored(tuned(data$scores))
  e <- suppressWarnings(bbc_correct(table, metric = "roc_auc", seed = 1))
  expect_identical(e$replicates, whole$replicates)
  expect_refused(bbc_correct(table, rev(truth), "accuracy"),
                 "tune says that accuracy of Preprocessor1_Model1 in Fold1 is .*another order")
  other <- scored(tuned(data$scores), list(sens = "sens"), event = "well")
  expect_refused(bbc_correct(other, metric = "sens"), "tune says that sens .*other class, see `event_")
  second <- bbc_correct(other, metric = "sens", event_level = "second", seed = 1)
  expect_identical(second$event, "well")
  first <- suppressWarnings(bbc_correct(other, metric = "roc_auc", event_level = "ill", seed = 1))
  expect_identical(first$replicates, whole$replicates)
  unknown <- scored(tuned(data$scores), list(gain_capture = "accuracy", accuracy = "accuracy"))
  expect_length(tuned_reported(unknown), 1)
})

test_that("another choice than select_best() is noted", {
  table <- scored(tuned(data$scores))
  means <- vapply(1:3, function(j) {
    mean(vapply(table$.metrics, function(own) own$.estimate[own$.metric == "accuracy"][[j]], 0))
  }, 0)
  best <- which.max(means)
  ranked <- suppressWarnings(bbc_correct(table, metric = "roc_auc", seed = 1))
  note <- sprintf("not of that of tune's select_best[(][)], which is Preprocessor1_Model%d by the mean",
                  best)
  if (ranked$winner == best) expect_identical(ranked$notes, character())
  else expect_match(ranked$notes, note)
  worst <- suppressWarnings(bbc_correct(table, metric = "accuracy", seed = 1,
                                        selection = function(scores, counts) which.min(means)))
  expect_match(worst$notes, note)
  set <- set_of(glm = scored(tuned(data$scores[, 1, drop = FALSE])),
                tree = scored(tuned(data$scores[, 2:3])))
  first <- tuned_choice(set, c("glm Preprocessor1_Model1", "tree Preprocessor1_Model1",
                               "tree Preprocessor1_Model2"))
  expect_identical(first$winner, best)
  expect_match(first$what, "rank_results")
})

test_that("groups of the folds and weights of cases are taken, or their loss is said", {
  groups <- rep(1:12, 5)
  table <- tuned(data$scores)
  table$splits <- lapply(1:5, function(i) list(data = data.frame(site = groups)))
  attr(table, "rset_info") <- list(att = list(class = "group_vfold_cv", group = c(g = "site")))
  by_hand <- function(...) {
    suppressWarnings(bbc_correct(stats::plogis(data$scores), truth, "roc_auc", event_level = "ill",
                                 seed = 1, folds = folds, ...))$replicates
  }
  expect_identical(suppressWarnings(bbc_correct(table, metric = "roc_auc", seed = 1))$replicates,
                   by_hand(groups = groups))
  expect_refused(bbc_correct(table, metric = "roc_auc", groups = 1:60), "`groups`: the object has")
  expect_identical(bbc_correct(table, metric = "accuracy", method = "bbc-f", seed = 1)$unit, "fold")

  weights <- rep(1:3, 20)
  weighted <- function(kind) {
    table <- tuned(data$scores)
    table$.predictions <- lapply(table$.predictions, function(own) {
      own$.case_weights <- structure(weights[own$.row], class = c(
        paste0("hardhat_", kind, "_weights"), "hardhat_case_weights", "vctrs_vctr"
      ))
      own
    })
    table
  }
  frequent <- scored(weighted("frequency"), list(accuracy = "accuracy"), row_weights = weights)
  expect_identical(suppressWarnings(bbc_correct(frequent, metric = "roc_auc", seed = 1))$replicates,
                   by_hand(sample_weight = weights))
  expect_warning(e <- bbc_correct(weighted("importance"), metric = "roc_auc", seed = 1),
                 "importance weights, which tidymodels' scores leave out")
  expect_identical(e$replicates, whole$replicates)
})

test_that("groups of rsample's folds are drawn together", {
  skip_if_not_installed("rsample")
  site <- rep(1:12, 5)
  set.seed(1)
  grouped <- rsample::group_vfold_cv(data.frame(site, truth), group = "site", v = 4)
  scores <- data$scores
  e <- bbc_correct(scores, truth, "roc_auc", event_level = "ill", folds = grouped, seed = 1)
  expect_identical(e$unit, "group")
  by_hand <- bbc_correct(scores, truth, "roc_auc", event_level = "ill", folds = grouped,
                         groups = site, seed = 1)
  expect_identical(e, by_hand)
  expect_refused(bbc_correct(scores, truth, "roc_auc", event_level = "ill", folds = grouped,
                             groups = 1:60), "`groups`: the object has others")
})

test_that("a list of tune_results is one search", {
  parts <- list(glm = tuned(data$scores[, 1, drop = FALSE]), tree = tuned(data$scores[, 2:3]))
  expect_identical(bbc_correct(parts, metric = "roc_auc", seed = 1)$replicates, whole$replicates)
})
