codes <- function(e) e$findings$code
detail <- function(e, code) e$findings$detail[codes(e) == code]
quietly <- function(code) suppressWarnings(code)
set.seed(1)
n <- 60
truth <- stats::rnorm(n)
predictions <- truth + matrix(stats::rnorm(n * 4), n)
folds <- rep(1:5, each = 12)

collected <- function(id = paste0("Fold", folds), ...) data.frame(
  .row = rep(1:n, 4), .pred = c(predictions), outcome = truth,
  .config = rep(paste0("Model", 1:4), each = n), id = id, ...
)
scored <- data.frame(
  .metric = "rmse", .estimate = 1 + seq(0.1, 2, by = 0.1), .config = rep(c("a", "b", "c", "d"), 5),
  id = rep(paste0("Fold", 1:5), each = 4)
)

test_that("a dynamic search is declared at every door", {
  chosen <- "configurations were chosen by earlier scores"
  doors <- list(
    function(...) bbc_correct(predictions, truth, "r2", ...),
    function(...) bbc_correct(as.data.frame(predictions), truth, "r2", ...),
    function(...) bbc_correct(collected(), "outcome", "r2", ...)
  )
  for (door in doors) {
    expect_identical(codes(quietly(door(seed = 1))), codes(quietly(doors[[1]](seed = 1))))
    expect_warning(e <- door(dynamic_search = TRUE, seed = 1), "^BBC007 dynamic search: config")
    expect_identical(detail(e, "BBC007"), chosen)
    expect_refused(door(dynamic_search = "yes"), "`dynamic_search` must be TRUE or FALSE")
  }
  matrix_of <- matrix(scored$.estimate, 5)
  searches <- list(
    function(...) bbc_correct(matrix_of, metric = "rmse", method = "bbc-f", ...),
    function(...) bbc_correct(scored, metric = "rmse", greater_is_better = FALSE, ...)
  )
  for (door in searches) {
    expect_false("BBC007" %in% codes(door(seed = 1)))
    expect_warning(e <- door(dynamic_search = TRUE, seed = 1), "BBC007")
    expect_identical(detail(e, "BBC007"), "4 configurations, of which some may be chosen by the scores of others")
    expect_refused(door(dynamic_search = NA), "`dynamic_search` must be TRUE or FALSE")
  }
})

test_that("tables of tidymodels tell a dynamic search", {
  correct <- function(table) quietly(bbc_correct(table, "outcome", "r2", seed = 1))
  iterated <- collected(.iter = rep(c(0, 0, 1, 2), each = n))
  expect_true("BBC007" %in% codes(correct(iterated)))
  expect_false("BBC007" %in% codes(correct(transform(iterated, .iter = 0))))
  # What tune_bayes() returns has a line per fold and iteration.
  nested <- data.frame(id = rep(paste0("Fold", 1:5), 2), .iter = rep(0:1, each = 5))
  nested$.predictions <- lapply(seq_len(10), function(i) {
    own <- collected()[rep(folds, 4) == (i - 1) %% 5 + 1, c(".row", ".pred", "outcome", ".config")]
    own[own$.config %in% (if (i <= 5) c("Model1", "Model2") else c("Model3", "Model4")), ]
  })
  e <- correct(nested)
  expect_identical(e, correct(iterated))
  expect_true("BBC007" %in% codes(quietly(bbc_tt(nested, "outcome", "r2"))))
  race <- structure(transform(nested, .iter = NULL), class = c("tune_race", class(nested)))
  expect_identical(correct(race), e)
  bayes <- cbind(scored, .iter = rep(c(0, 0, 0, 1), 5))
  e <- quietly(bbc_correct(bayes, metric = "rmse", greater_is_better = FALSE, seed = 1))
  expect_identical(detail(e, "BBC007"), "4 configurations, of which some may be chosen by the scores of others")
})

test_that("slices of rsample are ordered in time", {
  sliced <- collected(id = paste0("Slice", folds))
  expect_warning(e <- bbc_correct(sliced, "outcome", "r2", seed = 1), "^BBC018 time-ordered rows")
  expect_identical(detail(e, "BBC018"), "each row was predicted by models of earlier rows")
  expect_true("BBC018" %in% codes(quietly(bbc_tt(sliced, "outcome", "r2"))))
  for (other in list(collected(), collected(id = "Slice1"), collected(id = "Slices of mine"))) {
    expect_false("BBC018" %in% codes(quietly(bbc_correct(other, "outcome", "r2", seed = 1))))
  }
})

test_that("drawn blocks are no groups that folds in order of time split", {
  sliced <- collected(id = paste0("Slice", folds))
  blocks <- rep(1:15, each = 4)  # 12 rows in a fold
  across <- rep(1:21, each = 3)[2:61]
  doors <- list(
    function(table, groups) bbc_correct(table, "outcome", "r2", groups = groups, seed = 1),
    function(table, groups) ask(bbc_tuning_path, table, "outcome", "r2", groups = groups, seed = 1),
    function(table, groups) ask(bbc_possible_winners, table, "outcome", "r2", groups = groups, seed = 1),
    function(table, groups) {
      ask(bbc_winner_interval, table, "outcome", "mean_squared_error", groups = groups, seed = 1)
    }
  )
  given <- function(door, table, groups) {
    intersect(c("BBC010", "BBC018"), codes(quietly(door(table, groups))))
  }
  for (door in doors) {
    expect_identical(given(door, sliced, blocks), character())
    expect_identical(given(door, sliced, across), character())
    expect_identical(given(door, sliced, rep(1:20, 3)), c("BBC010", "BBC018"))
    expect_identical(given(door, collected(), across), "BBC010")
  }
  expect_identical(given(doors[[1]], sliced, NULL), "BBC018")
})

test_that("facts of findings are given whole", {
  expect_error(found_by("luck", list(luck_p = 1)), "facts of luck: luck_matters, luck_bias are lacking")
  expect_error(found_by("bound", list(effective_sample_size = 1, luck_p = 1)), "luck_p")
})

test_that("caret's time slices are ordered in time, and may test no row twice", {
  skip_if_not_installed("caret")
  data <- data.frame(x = truth + stats::rnorm(n), y = truth)
  tuned <- function(...) {
    control <- caret::trainControl(..., savePredictions = "all", returnResamp = "all")
    set.seed(1)
    quietly(caret::train(y ~ x, data, "knn", trControl = control,
                         tuneGrid = data.frame(k = c(1, 3, 9))))
  }
  model <- tuned("timeslice", initialWindow = 20, horizon = 8, skip = 7)
  expect_warning(e <- bbc_correct(model, metric = "r2", seed = 1), "BBC018")
  expect_identical(detail(e, "BBC018"), "each row was predicted by models of earlier rows")
  expect_equal(c(e$n_rows, e$n_folds), c(40, 5))
  expect_warning(e <- bbc_correct(replace(model, "pred", list(NULL)), seed = 1), "BBC018")
  expect_match(detail(e, "BBC018"), "^each fold was predicted by models of earlier rows$")
  sharing <- tuned("timeslice", initialWindow = 20, horizon = 8, skip = 3)
  expect_refused(bbc_correct(sharing, metric = "r2"), "row 25 was predicted more than once")
  expect_refused(bbc_correct(replace(sharing, "pred", list(NULL))), "row 25 was held out in several resamples")
  # Slices by another name: what counts is which rows train.
  parts <- split(1:n, folds)
  before <- lapply(2:5, function(i) unlist(parts[seq_len(i - 1)], use.names = FALSE))
  own <- tuned("cv", index = before, indexOut = parts[-1])
  expect_true("BBC018" %in% codes(quietly(bbc_correct(own, metric = "r2", seed = 1))))
  shuffled <- bbc_correct(tuned("cv", 5), metric = "r2", seed = 1)
  expect_false("BBC018" %in% codes(shuffled))
})
