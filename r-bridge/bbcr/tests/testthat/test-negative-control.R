set.seed(1)
x <- matrix(rnorm(60 * 150), 60)
y <- rep(0:1, 30)
folds <- rep(1:5, each = 2, length.out = 60)

# Scores of the 1, ..., 4 features that correlate best, chosen on all rows or in each fold.
tuned <- function(x, y, leak) {
  chosen <- function(rows) order(-abs(cor(x[rows, ], y[rows])))[1:4]
  sapply(1:4, function(k) {
    out <- numeric(nrow(x))
    for (fold in 1:5) {
      own <- folds == fold
      best <- chosen(if (leak) seq_along(y) else which(!own))[seq_len(k)]
      signs <- sign(cor(x[!own, best, drop = FALSE], y[!own]))
      out[own] <- x[own, best, drop = FALSE] %*% signs
    }
    out
  })
}
analysis <- function(leak) function(x, y) {
  bbc_correct(tuned(x, y, leak), y, "roc_auc", n_bootstraps = 100)
}
controlled <- function(leak, seed = 1, ...) {
  set.seed(seed)
  bbc_negative_control(analysis(leak), x, y, ...)
}

test_that("a leak is suspect, an honest analysis is not", {
  leaky <- controlled(TRUE)
  expect_s3_class(leaky, "bbc_negative_control")
  expect_true(leaky$suspect)
  expect_gt(leaky$mean_excess, 0.1)
  expect_match(leaky$verdict, "beats chance by 0[.][1-9]")
  honest <- controlled(FALSE)
  expect_false(honest$suspect)
  expect_match(honest$verdict, "compatible with chance")
  expect_identical(controlled(TRUE), leaky)
})

test_that("the verdict is that of Python", {
  estimates <- lapply(c(0.61, 0.64, 0.58), function(value) {
    list(estimate = value, greater_is_better = TRUE, metric = "roc_auc", method = "bbc")
  })
  found <- new_negative_control(estimates, rep(0.5, 3), 0.95)
  expect_equal(found$mean_excess, 0.11)
  expect_equal(found$standard_error, 0.017320508075688776)
  expect_equal(found$p_value, 0.011953919821137454, tolerance = 1e-12)
  expect_identical(found$n_covering, 0L)
  expect_equal(found$p_value, t.test(found$runs$excess, alternative = "greater")$p.value)
  same <- new_negative_control(estimates[c(1, 1)], c(0.5, 0.5), 0.95)
  expect_identical(same$p_value, 0)
  estimates[[1]]$greater_is_better <- FALSE
  expect_lt(new_negative_control(estimates, rep(0.5, 3), 0.95)$mean_excess, 0)
})

test_that("chance is known for some metrics and given for others", {
  e <- function(metric) list(metric = metric)
  expect_identical(chance_of(e("roc_auc"), y), 0.5)
  expect_identical(chance_of(e("spearman"), y), 0)
  expect_identical(chance_of(e("balanced_accuracy"), factor(c("a", "b", "c"))), 1 / 3)
  expect_error(chance_of(e("brier_score"), y), "`chance` is needed: that of metric .brier_score.")
  by_loss <- function(x, y) {
    bbc_correct(plogis(tuned(x, y, FALSE)), y, "brier_score", n_bootstraps = 50)
  }
  expect_refused(bbc_negative_control(by_loss, x, y), "`chance` is needed")
  set.seed(1)
  found <- bbc_negative_control(by_loss, x, y, n_permutations = 2, chance = 0.25)
  expect_identical(found$runs$chance, c(0.25, 0.25))
  expect_equal(found$runs$excess, 0.25 - found$runs$estimate)
})

test_that("outcomes of groups stay together, names with the rows", {
  groups <- rep(1:20, each = 3)
  constant <- rep(0:1, 10)[groups]
  set.seed(1)
  permuted <- permuted_truth(constant, dealt(outcome_blocks(constant, groups, 60)))
  expect_true(all(tapply(permuted, groups, function(own) length(unique(own))) == 1))
  expect_identical(sum(permuted), sum(constant))
  varying <- rep(c(0, 0, 1), 20)
  rows <- dealt(outcome_blocks(varying, groups, 60))
  expect_setequal(rows, 1:60)
  expect_true(all(tapply(groups[rows], groups, function(own) length(unique(own))) == 1))
  named <- stats::setNames(1:5, letters[1:5])
  expect_identical(names(permuted_truth(named, 5:1)), letters[1:5])
  expect_identical(unname(permuted_truth(named, 5:1)), 5:1)
  skip_if_not_installed("survival")
  time <- survival::Surv(1:60, rep(0:1, 30))
  expect_identical(permuted_truth(time, 60:1)[[1, 1]], 60)
  expect_length(outcome_blocks(time, groups, 60)$rows, 20)
})

test_that("results have the usual methods, findings do not warn", {
  expect_silent(found <- controlled(FALSE, n_permutations = 3))
  expect_output(print(found), "negative control: roc_auc on 3 permuted truths, method bbc")
  expect_output(print(found), "of 3 intervals contain chance")
  expect_identical(as.data.frame(found), found$runs)
  expect_identical(glance(found)$p.value, found$p_value)
  warns <- function(x, y) {
    warning("my own")
    analysis(FALSE)(x, y)
  }
  expect_warning(expect_warning(bbc_negative_control(warns, x, y, n_permutations = 2), "my own"))
})

test_that("wrong arguments are refused", {
  refused <- function(pattern, ...) expect_refused(controlled(FALSE, ...), pattern)
  refused("`n_permutations` must be at least 2", n_permutations = 1)
  refused("`confidence_level` must be between", confidence_level = 95)
  refused("`chance` must be one finite number", chance = NA)
  refused("`groups` has one group", groups = rep(1, 60))
  refused("`groups` has 3 rows", groups = 1:3)
  expect_refused(bbc_negative_control(1, x, y), "`analysis` must be a function")
  expect_refused(bbc_negative_control(function(x, y) 1, x, y), "`analysis` must return")
  expect_refused(bbc_negative_control(analysis(FALSE), x, list(1, 2)), "`y` must be a vector")
  expect_refused(bbc_negative_control(analysis(FALSE), x, 1), "at least two rows")
})
