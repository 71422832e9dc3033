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

test_that("a list of tune_results is one search", {
  parts <- list(glm = tuned(data$scores[, 1, drop = FALSE]), tree = tuned(data$scores[, 2:3]))
  expect_identical(bbc_correct(parts, metric = "roc_auc", seed = 1)$replicates, whole$replicates)
})
