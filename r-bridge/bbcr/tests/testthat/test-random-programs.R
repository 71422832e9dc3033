# Searches of each tool drawn at random (helper-programs.R and others): what a door makes of them is
# what plain R says, or a refusal, and a wrong that was planted is never silent. benches/doors/in_r.R runs
# more of them.
skip_on_cran()

programs <- c(caret = 40, list = 20, rfe = 20, tune = 30, `workflow set` = 15, `mlr3 tuning` = 40,
              `mlr3 benchmark` = 20, SuperLearner = 40, xgboost = 20, table = 40, glmnet = 30,
              `caret's train()` = 6)
needs <- c(rfe = "caret", glmnet = "glmnet", `caret's train()` = "caret")

for (door in names(programs)) {
  test_that(sprintf("random programs of %s agree with plain R", door), {
    if (door %in% names(needs)) skip_if_not_installed(needs[[door]])
    if (door == "caret's train()") for (own in c("pROC", "e1071")) skip_if_not_installed(own)
    found <- vapply(some_of(seq_len(programs[[door]]), if (programs[[door]] < 20) 1 else 3), function(seed) {
      tryCatch(verdict_of_seed(door, seed), error = function(error) {
        sprintf("program %d of %s: %s", seed, door, conditionMessage(error))
      })
    }, "")
    expect_identical(setdiff(found, c("number", "refused", "nonsense")), character())
    expect_gt(mean(found[found != "nonsense"] == "number"), 0.6)
  })
}
