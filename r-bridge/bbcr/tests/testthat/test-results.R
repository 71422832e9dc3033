# Every class of results has the methods that all have.

d <- binary_data()
risks <- stats::plogis(d$scores)
folds <- rep(1:5, 16)
quietly <- suppressWarnings
auc <- function(f, ...) quietly(f(d$scores, d$truth, "roc_auc", n_bootstraps = 40, seed = 1, ...))
described <- function(f, ...) {
  quietly(f(risks, d$truth, "log_loss", n_bootstraps = 40, confidence_level = 0.8, seed = 1, ...))
}

results <- list(
  estimate = auc(bbc_correct), tt = quietly(bbc_tt(d$scores, d$truth, "roc_auc", folds)),
  several = quietly(bbc_correct(
    risks, d$truth, c("roc_auc", "brier_score"), n_bootstraps = 40, seed = 1
  )),
  comparison = quietly(bbc_compare(list(a = d$scores[, 1:4], b = d$scores[, 5:12]), d$truth,
                                   "roc_auc", n_bootstraps = 40, seed = 1)),
  subgroups = auc(bbc_subgroups, by = rep(c("a", "b"), each = 40)),
  dominance = auc(bbc_dominated), possible = auc(bbc_possible_winners),
  path = auc(bbc_tuning_path),
  bound = quietly(bbc_bound(d$scores, d$truth, folds, "delong", seed = 1)),
  bounds = quietly(bbc_compare_bounds(d$scores, d$truth, folds, c("delong", "nb"), seed = 1)),
  calibration = described(bbc_calibration), decision = described(bbc_decision_curve),
  roc = described(bbc_roc_curve), precision = described(bbc_precision_recall_curve),
  clinical = described(bbc_clinical_performance),
  wmc = bbc_wmc(matrix(stats::runif(40), 10), 80, 20, seed = 1),
  rows = quietly(bbc_plan_rows(d$scores, d$truth, "roc_auc", 0.2, c(60, 80), n_simulations = 2,
                               n_bootstraps = 40)),
  control = quietly(bbc_negative_control(function(x, y) {
    bbc_correct(d$scores, y, "roc_auc", n_bootstraps = 40)
  }, d$scores, d$truth, n_permutations = 2))
)

test_that("every result prints itself, and is a table", {
  for (name in names(results)) {
    result <- results[[name]]
    expect_s3_class(result, "bbc_result")
    expect_output(printed <- withVisible(print(result)))
    expect_false(printed$visible)
    expect_identical(printed$value, result)
    frame <- as.data.frame(result)
    expect_identical(class(frame), "data.frame", label = name)
    expect_gt(nrow(frame), 0)
    expect_identical(rownames(frame), as.character(seq_len(nrow(frame))), label = name)
    letters <- paste0("r", seq_len(nrow(frame)))
    expect_identical(rownames(as.data.frame(result, row.names = letters)), letters, label = name)
  }
})

test_that("every result is tidied, and has one line of what it is about", {
  for (name in setdiff(names(results), "control")) {
    expect_true(all(c("term", "estimate") %in% names(tidy(results[[name]]))), label = name)
  }
  for (name in setdiff(names(results), "several")) {
    expect_identical(nrow(glance(results[[name]])), 1L, label = name)
  }
})

test_that("no class of results is forgotten", {
  ours <- ls(asNamespace("bbcr"), pattern = "^frame_of[.]bbc_")
  known <- unique(unlist(lapply(results, class)))
  expect_setequal(setdiff(sub("frame_of.", "", ours, fixed = TRUE), known), "bbc_protocol")
})
