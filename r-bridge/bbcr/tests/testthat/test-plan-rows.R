assumed <- function(n_rows) {
  truth <- rbinom(n_rows, 1, 0.3)
  list(truth = truth, predictions = 1.2 * truth + matrix(rnorm(8 * n_rows), n_rows))
}
planned <- function(predictions = assumed, ..., metric = "roc_auc", width = 0.2, seed = 1) {
  set.seed(seed)
  bbc_plan_rows(predictions, ..., metric = metric, width = width, n_simulations = 4,
                n_bootstraps = 100)
}

test_that("the number of rows is that of Python's interpolation", {
  sizes <- data.frame(n_rows = c(100, 400), width = c(0.2, 0.1), standard_error = c(0.002, 0.001))
  found <- rows_needed(sizes, 0.15)
  expect_identical(found$n, 178)
  expect_equal(found$error, 2.550196669082522, tolerance = 1e-12)
  expect_identical(rows_needed(sizes, 0.05), list())
  expect_identical(rows_needed(sizes, 0.3), list(n = 100))
  # Not for good: the width is reached, and lost again.
  back <- data.frame(n_rows = c(100, 200, 400), width = c(0.1, 0.2, 0.1), standard_error = 0)
  expect_gt(rows_needed(back, 0.15)$n, 200)
})

test_that("widths of assumed data fall, and the plan is met by its size", {
  plan <- planned()
  expect_s3_class(plan, "bbc_rows_plan")
  expect_identical(nrow(plan$sizes), 5L)
  expect_lt(plan$sizes$width[[5]], plan$sizes$width[[1]])
  set.seed(2)
  at_size <- replicate(8, {
    own <- assumed(plan$n_needed)
    e <- suppressWarnings(bbc_correct(own$predictions, own$truth, "roc_auc", n_bootstraps = 100))
    diff(unlist(e$confidence_interval[c("low", "high")]))
  })
  # Ten standard errors: eight widths, and the plan's own four per size.
  error <- sd(at_size) * sqrt(1 / 8 + 1 / 4)
  expect_lt(abs(mean(at_size) - 0.2), 10 * error)
  expect_identical(planned(), plan)
  given <- planned(n_rows = c(150, 80, 80))
  expect_identical(given$sizes$n_rows, c(80, 150))
})

test_that("a pilot gives widths of its rows, and beyond them by the root law", {
  set.seed(3)
  pilot <- assumed(120)
  plan <- planned(pilot$predictions, pilot$truth, n_rows = c(60, 120, 480))
  expect_equal(plan$sizes$width[[3]], plan$sizes$width[[2]] / 2)
  expect_equal(plan$sizes$standard_error[[3]], plan$sizes$standard_error[[2]] / 2)
  expect_gt(plan$sizes$width[[1]], plan$sizes$width[[2]])
  data <- bbc_data(pilot$predictions, pilot$truth, folds = rep(1:4, 30))
  expect_identical(planned(data, n_rows = c(60, 120, 480))$sizes, plan$sizes)
  loss <- bbc_custom_metric(function(y, p) mean((p - (y == 1))^2), "own", FALSE, "probability")
  expect_gt(planned(plogis(pilot$predictions), pilot$truth, metric = loss, width = 0.1,
                    n_rows = c(60, 90))$sizes$width[[1]], 0)
})

test_that("rows are drawn within classes, groups whole", {
  problem <- list(truth = list(n_rows = 90L, codes = rep(c(0L, 1L, 1L), 30)), groups = NULL)
  rows <- drawn_rows(problem, 45)
  expect_identical(as.vector(table(problem$truth$codes[rows])), c(15L, 30L))
  expect_false(is.unsorted(rows, strictly = TRUE))
  problem$groups <- (seq_len(90) - 1L) %/% 3L
  rows <- drawn_rows(problem, 45)
  expect_length(rows, 45)
  expect_true(all(table(problem$groups[rows]) == 3))
  set.seed(4)
  own <- assumed(90)
  expect_gt(planned(own$predictions, own$truth, groups = rep(1:30, each = 3),
                    n_rows = c(45, 90))$sizes$width[[1]], 0)
})

test_that("results have the usual methods", {
  plan <- planned(n_rows = c(60, 240))
  expect_output(print(plan), "95 % interval of roc_auc: mean width against rows")
  expect_output(print(plan), "rows give an interval of width 0.2 [(]simulation error|no size")
  expect_identical(as.data.frame(plan), plan$sizes)
  expect_match(planned(n_rows = c(60, 90), width = 0.01)$answer, "no size reaches .* about")
  expect_match(planned(n_rows = c(60, 90), width = 0.9)$answer, "60 rows or fewer")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(plan), plan)
  ends <- Filter(function(one) one$kind == "segment", picture(plan)$panels[[1]]$layers)[[1]]$data
  sizes <- plan$sizes
  expect_equal(ends$yend - sizes$width, 2 * sizes$standard_error)
  expect_equal(sizes$width - ends$y, pmin(2 * sizes$standard_error, sizes$width / 2))
})

test_that("wrong arguments are refused", {
  refused <- function(pattern, ...) expect_refused(planned(...), pattern)
  refused("`width` must be one number above 0", width = 0)
  refused("`width` must be one number above 0", width = "wide")
  refused("`width` needs about", width = 1e-6)
  refused("`n_rows` must hold at least two", n_rows = c(50, 50))
  refused("`n_rows` must be sizes", n_rows = "many")
  refused("`n_rows` must be at least 2", n_rows = c(1, 50))
  refused("`groups` are of a pilot", groups = 1:3)
  refused("`truth` is what the function returns", truth = 0:1)
  refused("`predictions`: the function must return a list", predictions = function(n) n)
  refused("`metric`", metric = "auk")
  expect_refused(bbc_plan_rows(assumed, width = 0.1), "`metric` is missing")
  expect_refused(bbc_plan_rows(assumed, metric = "roc_auc"), "`width` must be")
  expect_refused(bbc_plan_rows(assumed, metric = "roc_auc", width = 0.1, n_simulations = 1),
                 "`n_simulations` must be at least 2")
  weighted <- bbc_data(matrix(runif(60), 20), rep(0:1, 10), sample_weight = rep(1, 20))
  refused("`sample_weight` is not taken by bbc_plan_rows", predictions = weighted)
})
