# Columns that are no configuration, rows that are named in another order, and events that nobody
# named: refused by every door.
data <- binary_data(60, 3)
folds <- rep(1:5, 12)
named <- function(names, scores = data$scores) `colnames<-`(scores, names)

# Every door that takes a matrix or data frame of predictions.
doors <- list(
  bbc_correct = function(p, ...) bbc_correct(p, metric = "roc_auc", seed = 1, ...),
  bbc_tt = function(p, ...) bbc_tt(p, metric = "roc_auc", folds = folds, ...),
  bbc_bound = function(p, ...) bbc_bound(p, folds = folds, method = "delong", seed = 1, ...)
)

test_that("columns that describe rows or are the truth are refused by name", {
  words <- c("id", "fold", "group", "y", "target", "label", "truth", "outcome", " Target", "ROW_ID")
  for (word in words) {
    for (door in names(doors)) {
      for (p in list(named(c("a", "b", word)),
                     as.data.frame(named(c("a", "b", word))))) {
        expect_refused(doors[[door]](p, data$truth), paste0("column ", word, " seems to .*its name"))
      }
      given <- doors[[door]](named(c("a", "b", word)), data$truth, names = c("a", "b", word))
      expect_false(is.null(given))
    }
  }
  scores <- matrix(runif(30), 10, dimnames = list(NULL, c("a", "b", "fold")))
  expect_refused(bbc_correct(scores, metric = "accuracy", method = "bbc-f"), "`predictions`: column fold seems to")
  molten <- expand.grid(row = 1:60, configuration = c("a", "b", "target"))
  molten$estimate <- c(data$scores)
  expect_refused(bbc_correct(molten, data$truth, "roc_auc"), "column target seems to be the truth")
})

test_that("columns that number the rows are refused", {
  for (first in 0:1) {
    p <- named(c("a", "b", "n"), cbind(data$scores[, 1:2], first + 0:59))
    expect_refused(bbc_correct(p, data$truth, "roc_auc"),
                   sprintf("column n .*it numbers them from %d on", first))
    expect_s3_class(bbc_correct(unname(p), data$truth, "roc_auc"), "bbc_estimate")
  }
})

test_that("a copy of a real truth is refused in a frame, and a finding elsewhere", {
  set.seed(1)
  truth <- rnorm(60)
  p <- cbind(a = truth + rnorm(60), b = truth)
  for (own in list(p, as.data.frame(p))) {
    expect_refused(bbc_correct(own, truth, "mean_squared_error"), "column b is the truth itself")
  }
  expect_warning(bbc_correct(unname(p), truth, "mean_squared_error", seed = 1), "BBC017")
  labels <- as.data.frame(cbind(a = data$truth, b = data$labels[, 1]))
  expect_warning(e <- bbc_correct(labels, data$truth, "accuracy", seed = 1), "BBC017")
  expect_equal(e$winner, 1)
})

test_that("the classes of one model are not two configurations", {
  p <- stats::plogis(data$scores[, 1])
  both <- cbind(1 - p, p)
  holes <- both
  holes[3, ] <- NA
  for (door in names(doors)) {
    for (own in list(both, both[, 2:1], as.data.frame(both))) {
      expect_refused(doors[[door]](own, data$truth), "two columns sum to one in every row")
      expect_false(is.null(doors[[door]](own, data$truth, names = c("a", "b"))))
    }
  }
  expect_refused(bbc_correct(holes, data$truth, "log_loss"), "two columns sum to one")
  expect_refused(bbc_correct(list(both, both), data$truth, "roc_auc"), "two columns sum to one")
  five <- cbind(both, data$scores)
  expect_equal(bbc_correct(five, data$truth, "roc_auc", seed = 1)$n_configurations, 5)
  hard <- cbind(data$labels[, 1], 1 - data$labels[, 1])
  for (own in list(hard, both + 1e-4, cbind(2 - p, p - 1))) {
    e <- suppressWarnings(bbc_correct(own, data$truth, "roc_auc", seed = 1))
    expect_equal(e$n_configurations, 2)
  }
})

test_that("a long table says what its configurations are, even if they sum to one", {
  table <- expand.grid(row = 1:60, configuration = c("a", "b"))
  table$estimate <- stats::plogis(c(1, -1)[table$configuration] * data$scores[table$row, 1])
  e <- bbc_correct(table, data$truth, "roc_auc", seed = 1)
  expect_equal(e$n_configurations, 2)
})

ids <- sprintf("p%02d", 1:60)
with_ids <- function(x) {
  if (is.null(dim(x))) stats::setNames(x, ids) else `rownames<-`(x, ids)
}
backwards <- 60:1

test_that("rows that are named in another order are refused", {
  truth <- with_ids(data$truth)
  scores <- with_ids(named(c("a", "b", "c")))
  for (door in names(doors)) {
    plain <- doors[[door]](unname(scores), data$truth, names = c("a", "b", "c"))
    same <- doors[[door]](scores, truth, names = c("a", "b", "c"))
    expect_identical(same, plain)
    for (own in list(scores, as.data.frame(scores))) {
      expect_refused(doors[[door]](own[backwards, ], truth), "row 1 is p60.*is p01")
    }
  }
  expect_refused(bbc_correct(list(scores, scores[backwards, ]), truth, "roc_auc"), "`predictions`")
  frame <- as.data.frame(scores)
  expect_refused(bbc_correct(frame[backwards, ], truth, "roc_auc"), "another order")
  # Numbers that a data frame has by itself are no names of rows.
  rownames(frame) <- NULL
  numbered <- stats::setNames(data$truth, backwards)
  expect_s3_class(bbc_correct(frame, numbered, "roc_auc", seed = 1), "bbc_estimate")
  expect_refused(bbc_correct(frame[backwards, ], stats::setNames(data$truth, 1:60), "roc_auc"),
                 "row 1 is 60")
  # Other names say nothing of the order.
  other <- stats::setNames(data$truth, paste0("q", 1:60))
  expect_s3_class(bbc_correct(scores, other, "roc_auc", seed = 1), "bbc_estimate")
})

test_that("folds, groups and weights with names in another order are refused", {
  truth <- with_ids(data$truth)
  scores <- with_ids(data$scores)
  wrong <- list(
    folds = with_ids(folds)[backwards],
    folds = data.frame(f = folds, row.names = ids)[backwards, , drop = FALSE],
    folds = list(with_ids(folds)[backwards]), folds = with_ids(cbind(folds))[backwards, , drop = FALSE],
    groups = with_ids(rep(1:12, each = 5))[backwards],
    sample_weight = with_ids(rep(1:2, 30))[backwards]
  )
  for (i in seq_along(wrong)) {
    for (given in list(list(scores, data$truth), list(data$scores, truth))) {
      expect_refused(do.call(bbc_correct, c(given, metric = "roc_auc", wrong[i])),
                     sprintf("`%s`: row 1 is p60", names(wrong)[[i]]))
    }
  }
  expect_refused(bbc_tt(scores, data$truth, "roc_auc", wrong[[1]]), "`folds`: row 1 is p60")
})

test_that("a named truth must be in the order of a table's rows", {
  table <- expand.grid(row = ids, configuration = c("a", "b", "c"), stringsAsFactors = FALSE)
  table$estimate <- c(data$scores)
  truth <- with_ids(data$truth)
  expect_identical(bbc_correct(table, truth, "roc_auc", seed = 1),
                   bbc_correct(table, data$truth, "roc_auc", seed = 1))
  expect_refused(bbc_correct(table, truth[backwards], "roc_auc"), "row 1 is p01.*`truth` is p60")
})

test_that("the event of text and of numbers other than 0 and 1 must be named", {
  text <- c("yes", "no")[data$truth + 1] # the event is "no"
  numbers <- 2 - data$truth # the event is 1
  for (door in names(doors)) {
    expect_refused(doors[[door]](data$scores, text), "`event_level` is needed for text: say which")
    expect_refused(doors[[door]](data$scores, numbers), "needed for numbers other than 0 and 1")
    expect_refused(doors[[door]](data$scores, factor(text)), "`event_level` is needed for a factor")
    expect_false(is.null(doors[[door]](data$scores, text, event_level = "no")))
  }
  plain <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)$replicates
  for (truth in list(data$truth, as.integer(data$truth), data$truth == 1)) {
    expect_identical(bbc_correct(data$scores, truth, "roc_auc", seed = 1)$replicates, plain)
  }
  # Metrics that know no event need none.
  labels <- matrix(c("yes", "no")[data$labels + 1], 60)
  expect_s3_class(bbc_correct(labels, text, "accuracy", seed = 1), "bbc_estimate")
})

test_that("an AUC of all configurations below one half is warned of and noted", {
  expect_warning(e <- bbc_correct(-data$scores, data$truth, "roc_auc", seed = 1),
                 "no configuration has a roc_auc of 0.5 or more.*another event than \"1\" .see `event_level`")
  expect_match(e$notes, "no configuration")
  expect_output(print(summary(e)), "note +no configuration has a roc_auc")
  expect_warning(bbc_tt(-data$scores, data$truth, "roc_auc", folds), "no configuration has")
  expect_silent(bbc_correct(data$scores, data$truth, "roc_auc", seed = 1))
  expect_silent(bbc_correct(cbind(-data$scores, data$scores), data$truth, "roc_auc", seed = 1))
  skip_if_not_installed("survival")
  set.seed(2)
  time <- rexp(60)
  expect_warning(
    bbc_correct(cbind(time, time + rexp(60)), survival::Surv(time, rep(1, 60)), "concordance_index"),
    "rank worse than chance, unless a higher prediction means a later event"
  )
})

test_that("metrics of several classes take one score per row of two", {
  for (metric in grep("^roc_auc_ov", bbc_metrics()$name, value = TRUE)) {
    one <- bbc_correct(data$scores, data$truth, metric, seed = 1)
    expect_equal(one$replicates, bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)$replicates)
    expect_refused(bbc_correct(data$scores, data$truth + 1, metric), "`event_level` is needed")
  }
})
