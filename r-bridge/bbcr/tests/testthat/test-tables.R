data <- binary_data(60, 3)
folds <- rep(1:5, 12)
whole <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1, folds = folds,
                     pooling = "fold", names = c("a", "b", "c"))

long_table <- function(scores = data$scores) {
  table <- expand.grid(row = 1:60, configuration = c("a", "b", "c"), stringsAsFactors = FALSE)
  table$fold <- folds[table$row]
  table$truth <- data$truth[table$row]
  table$estimate <- c(scores)
  table
}

test_that("long tables in any order equal the matrix", {
  table <- long_table()
  first <- seq_len(nrow(table)) # the order of configurations is that of their first lines
  set.seed(1)
  shuffled <- table[c(1, 61, 121, sample(setdiff(first, c(1, 61, 121)))), ]
  expect_identical(bbc_correct(shuffled, metric = "roc_auc", seed = 1, pooling = "fold"), whole)
  expect_identical(bbc_correct(shuffled, data$truth, "roc_auc", seed = 1, pooling = "fold"), whole)
})

test_that("repeats of a long table are repeats of the matrix", {
  other <- data$scores + rnorm(180)
  table <- rbind(cbind(long_table(), "repeat" = 1), cbind(long_table(other), "repeat" = 2))
  names(table)[names(table) == "\"repeat\""] <- "repeat"
  e <- bbc_correct(table, metric = "roc_auc", seed = 1)
  expect_equal(e$n_repeats, 2)
  expect_identical(e$replicates, bbc_correct(list(data$scores, other), data$truth, "roc_auc",
                                             seed = 1)$replicates)
})

test_that("a long table may hold times and events", {
  skip_if_not_installed("survival")
  set.seed(2)
  truth <- survival::Surv(rexp(60), rbinom(60, 1, 0.7))
  table <- long_table()
  table$truth <- truth[table$row]
  e <- bbc_correct(table, metric = "concordance_index", seed = 1)
  expect_identical(e$replicates,
                   bbc_correct(data$scores, truth, "concordance_index", seed = 1)$replicates)
  cells <- unclass(truth)[table$row, ]
  table$truth <- survival::Surv(replace(cells[, 1], 61, 99), cells[, 2])
  expect_refused(bbc_correct(table, metric = "concordance_index"), "several values for row 1")
})

test_that("errors name the rows of a table by their ids", {
  table <- long_table()
  table$row <- 1e5 * table$row
  named <- transform(table, row = sprintf("case %d", row %/% 1e5))
  gone <- replace(table$truth, table$row == 7e5, NA)
  other <- long_table(replace(data$scores, 67, Inf))$estimate
  calls <- list(
    bbc_correct = function(...) bbc_correct(..., metric = "roc_auc"),
    bbc_tt = function(...) bbc_tt(..., metric = "roc_auc"),
    bbc_bound = function(...) bbc_bound(..., method = "delong")
  )
  for (call in calls) {
    expect_refused(call(transform(table, truth = gone)), "`truth` is NA at row 700000")
    expect_refused(call(transform(named, truth = gone)), "`truth` is NA at row case 7$")
    expect_refused(call(transform(table, estimate = other)),
                   "infinite at row 700000, configuration 2")
  }
  expect_refused(bbc_correct(table[-3, ], metric = "roc_auc"), "NA at repeat 1, row 300000, conf")
  expect_refused(bbc_correct(table, replace(data$truth, 7, NA), "roc_auc"), "`truth` is NA at row 7")
})

test_that("unfit tables are refused", {
  table <- long_table()
  expect_refused(bbc_correct(rbind(table, table[3, ]), metric = "roc_auc"), "more than once")
  expect_refused(bbc_correct(table[-3, ], metric = "roc_auc"), "is NA at repeat 1, row 3")
  bad <- table
  bad$truth[[70]] <- 1 - bad$truth[[70]]
  expect_refused(bbc_correct(bad, metric = "roc_auc"), "column truth has several values for row 10")
  bad <- table
  bad$fold[[70]] <- 1 + bad$fold[[70]] %% 5
  expect_refused(bbc_correct(bad, metric = "roc_auc"), "several folds")
  expect_refused(bbc_correct(table[names(table) != "truth"], metric = "roc_auc"), "`truth` must name")
  expect_refused(bbc_correct(table, metric = "roc_auc", estimate = "p"), "no column p")
  for (estimate in list(character(), 4, NA)) {
    expect_refused(bbc_correct(table, metric = "roc_auc", estimate = estimate), "must name a column")
  }
  expect_refused(bbc_correct(table, "y", "roc_auc"), "no column y")
  expect_refused(bbc_correct(transform(table, estimate = I(as.list(estimate))), metric = "roc_auc"),
                 "numbers or labels, not list")
  nested <- data.frame(learner_id = 1:2, prediction = I(list(1, 2)))
  expect_refused(bbc_correct(nested, 1:2, "r2"), "column prediction is a list; [?]bbc_tables")
  expect_refused(bbc_correct(new.env(), 1:2, "r2"), "[?]bbc_tables, not environment")
})

test_that("a line without row, configuration, fold or repeat is refused", {
  table <- cbind(long_table(), check = 1)
  names(table)[names(table) == "check"] <- "repeat"
  for (column in c("row", "configuration", "fold", "repeat")) {
    bad <- table
    bad[[column]][[7]] <- NA
    expect_refused(bbc_correct(bad, metric = "roc_auc"), paste("the", column, "is NA in line 7"))
  }
  table$truth[[67]] <- NA
  expect_refused(bbc_correct(table, metric = "roc_auc"), "column truth has several values for row 7")
})

test_that("messages name the rows as the table does", {
  table <- transform(long_table(), row = paste0("p", 100 + row))
  bad <- table
  bad$truth[[70]] <- 1 - bad$truth[[70]]
  expect_refused(bbc_correct(bad, metric = "roc_auc"), "several values for row p110")
  table$fold[[70]] <- 1 + table$fold[[70]] %% 5
  expect_refused(bbc_correct(table, metric = "roc_auc"), "row p110 was held out in several folds")
})

test_that("the locale changes no bit", {
  ids <- paste0(rep(c("a", "B"), 30), 100 + 1:60) # "B" is before "a" in ASCII only
  table <- transform(long_table(), row = ids[row])
  sorted_as <- function(locale) {
    suppressWarnings(icuSetCollate(locale = locale))
    bbc_correct(table, metric = "roc_auc", seed = 1, pooling = "fold")
  }
  on.exit(suppressWarnings(icuSetCollate(locale = "ASCII"))) # testthat's choice
  expect_identical(sorted_as("en_US"), sorted_as("ASCII"))
})

test_that("losses of a table need no truth", {
  table <- long_table(data$scores^2)
  expect_identical(bbc_correct(table[names(table) != "truth"], metric = "row_loss", seed = 1),
                   bbc_correct(table, data$truth, "row_loss", seed = 1))
})

test_that("a wide data frame has a column per configuration", {
  wide <- stats::setNames(as.data.frame(data$scores), c("a", "b", "c"))
  expect_identical(bbc_correct(wide, data$truth, "roc_auc", seed = 1, folds = folds,
                               pooling = "fold"), whole)
})

# What tune::collect_predictions(x, summarize = FALSE) returns, written by hand.
tidymodels_table <- function() {
  table <- long_table()
  p <- stats::plogis(table$estimate)
  data.frame(
    .pred_class = factor(ifelse(p > 0.5, "ill", "well"), c("ill", "well")), .pred_ill = p,
    .pred_well = 1 - p, id = paste0("Fold", table$fold), .row = table$row, penalty = 0.1,
    Class = factor(ifelse(table$truth == 1, "ill", "well"), c("ill", "well")),
    .config = table$configuration
  )
}

test_that("tables of tidymodels have the first level as event", {
  e <- bbc_correct(tidymodels_table(), "Class", "roc_auc", seed = 1, pooling = "fold")
  expect_identical(e$replicates, whole$replicates)
  expect_equal(e$event, "ill")
  second <- bbc_correct(tidymodels_table(), "Class", "roc_auc", seed = 1, event_level = "second")
  expect_equal(second$event, "well")
  expect_equal(bbc_correct(tidymodels_table(), "Class", "accuracy", seed = 1)$n_folds, 5)
  expect_equal(
    bbc_correct(tidymodels_table(), "Class", "log_loss", seed = 1, event_level = "first")$estimate,
    bbc_correct(plogis(data$scores), data$truth, "log_loss", seed = 1)$estimate
  )
  expect_refused(bbc_correct(tidymodels_table(), metric = "roc_auc"), "`truth` must name")
  truth <- factor(ifelse(data$truth == 1, "ill", "well"), c("ill", "well"))
  expect_identical(bbc_correct(tidymodels_table(), truth, "roc_auc", seed = 1, pooling = "fold"), e)
  three <- transform(tidymodels_table(), Class = factor(Class, c("ill", "well", "unsure")))
  expect_refused(bbc_correct(three, "Class", "roc_auc"), "3 classes.*droplevels")
  as_text <- transform(tidymodels_table(), Class = as.character(Class))
  expect_refused(bbc_correct(as_text, "Class", "roc_auc"), "`truth` must be a factor.*[.]pred_<level>")
})

test_that("a cut-off is one of scores, where tables have labels beside them", {
  cut <- function(...) bbc_correct(..., metric = "f1", selection = bbc_best_threshold(), seed = 1)
  plain <- cut(stats::plogis(data$scores), data$truth)
  same <- c("replicates", "threshold", "replicate_thresholds", "winner")
  expect_identical(cut(tidymodels_table(), "Class", event_level = "ill")[same], plain[same])
  table <- long_table()
  p <- stats::plogis(table$estimate)
  mlr3 <- data.frame(
    row_ids = table$row, truth = factor(ifelse(table$truth == 1, "ill", "well")),
    response = factor(ifelse(p > 0.5, "ill", "well")), prob.ill = p, prob.well = 1 - p,
    learner_id = table$configuration, iteration = table$fold
  )
  expect_identical(cut(mlr3, event_level = "ill")[same], plain[same])
  expect_refused(bbc_correct(tidymodels_table(), "Class", "f1", method = "bbc-f",
                             selection = bbc_best_threshold()), "needs predictions of rows")
})

test_that("workflows of a set are told apart", {
  table <- tidymodels_table()
  set <- rbind(transform(table, wflow_id = "glm"), transform(table, wflow_id = "rf"))
  e <- bbc_correct(set, "Class", "roc_auc", seed = 1)
  expect_equal(e$names, paste(rep(c("glm", "rf"), each = 3), c("a", "b", "c")))
  expect_equal(e$replicates, bbc_correct(table, "Class", "roc_auc", seed = 1)$replicates)
})

test_that("repeated tidymodels tables and bootstrap resamples are told apart", {
  table <- tidymodels_table()
  table$id2 <- table$id
  twice <- rbind(transform(table, id = "Repeat1"), transform(table, id = "Repeat2"))
  expect_equal(bbc_correct(twice, "Class", "roc_auc", seed = 1)$n_repeats, 2)
  boot <- rbind(transform(tidymodels_table(), id = "Bootstrap1"),
                transform(tidymodels_table(), id = "Bootstrap2"))
  expect_refused(bbc_correct(boot, "Class", "roc_auc"), "more than once")
})

# as.data.table() of mlr3's predictions with the learner's id, written by hand.
test_that("tables of mlr3 need the event level", {
  table <- long_table()
  p <- stats::plogis(table$estimate)
  mlr3 <- data.frame(
    row_ids = table$row, truth = factor(ifelse(table$truth == 1, "ill", "well")),
    response = factor(ifelse(p > 0.5, "ill", "well")), prob.ill = p, prob.well = 1 - p,
    learner_id = table$configuration, iteration = table$fold
  )
  e <- bbc_correct(mlr3, metric = "roc_auc", event_level = "ill", seed = 1, pooling = "fold")
  expect_identical(e$replicates, whole$replicates)
  expect_refused(bbc_correct(mlr3, metric = "roc_auc"), "`event_level` is needed")
  expect_equal(bbc_correct(mlr3, metric = "accuracy", seed = 1)$names, c("a", "b", "c"))
  alone <- mlr3[mlr3$learner_id == "b", names(mlr3) != "learner_id"]
  expect_equal(bbc_correct(alone, metric = "accuracy", seed = 1)$n_configurations, 1)
  again <- transform(mlr3, iteration = 6 + (row_ids + iteration) %% 5)
  numbered <- rbind(mlr3, again)
  named <- rbind(cbind(mlr3, repetition = 1), cbind(again, repetition = 2))
  expect_identical(bbc_correct(numbered, metric = "accuracy", seed = 1)$replicates,
                   bbc_correct(named, metric = "accuracy", seed = 1)$replicates)
  expect_equal(bbc_correct(numbered[nrow(numbered):1, ], metric = "accuracy", seed = 1)$n_repeats, 2)
  subsampled <- rbind(mlr3, transform(mlr3[mlr3$row_ids < 9, ], iteration = "another"))
  expect_refused(bbc_correct(subsampled, metric = "accuracy"), "row 1 was predicted more than once")
})

test_that("the other functions take tables too", {
  table <- long_table()
  names <- c("a", "b", "c")
  expect_identical(bbc_tt(table, metric = "roc_auc"),
                   bbc_tt(data$scores, data$truth, "roc_auc", folds, names = names))
  of_table <- bbc_correct(table, metric = "roc_auc", seed = 1)
  of_arrays <- bbc_correct(data$scores, data$truth, "roc_auc", folds = folds, names = names, seed = 1)
  for (inference in list(bbc_possible_winners, bbc_winner_interval)) {
    expect_identical(inference(of_table), inference(of_arrays))
  }
  b <- bbc_bound(data$scores, data$truth, folds, "delong", names = names, event_level = "1",
                 seed = 1)
  expect_identical(bbc_bound(table, method = "delong", event_level = "1", seed = 1), b)
  classed <- transform(tidymodels_table(), Class = factor(Class, c("ill", "well")))
  expect_identical(bbc_bound(classed, "Class", method = "delong", seed = 1)$winner, b$winner)
  expect_equal(bbc_bound(classed, "Class", method = "nb", seed = 1)$event, "ill")
})

# What tune::tune_grid() returns: one line per fold, whose predictions are a table.
test_that("what tune returns is taken as its table", {
  table <- tidymodels_table()
  by_fold <- split(table[names(table) != "id"], table$id)
  tuned <- structure(
    list(splits = by_fold, id = names(by_fold), .predictions = unname(by_fold)),
    row.names = seq_along(by_fold), class = c("tune_results", "tbl_df", "tbl", "data.frame")
  )
  e <- bbc_correct(tuned, "Class", "roc_auc", seed = 1)
  expect_equal(e$n_folds, 5)
  expect_equal(e$estimate, bbc_correct(table, "Class", "roc_auc", seed = 1)$estimate)
  tuned$.predictions <- NULL
  expect_refused(bbc_correct(tuned, "Class", "roc_auc"), "save_pred = TRUE")
})

test_that("tables that collect_predictions() has averaged are refused, unless folds are given", {
  set.seed(4)
  table <- data.frame(.row = rep(1:30, 2), .config = rep(c("a", "b"), each = 30),
                      .pred = rnorm(60), y = rep(rnorm(30), 2))
  expect_refused(bbc_correct(table, "y", "rmse"), "no column id.*summarize = FALSE")
  found <- bbc_correct(table, "y", "rmse", folds = rep(1:5, 6), seed = 1)
  expect_identical(found$names, c("a", "b"))
  table$id <- rep(paste0("Fold", 1:5), 12)
  expect_identical(bbc_correct(table, "y", "rmse", seed = 1)$estimate, found$estimate)
})

test_that("long tables whose columns are called otherwise are no frames of configurations", {
  set.seed(5)
  truth <- rep(rep(0:1, 20), 3)
  table <- data.frame(case = rep(1:40, 3), model = rep(1:3, each = 40), p = runif(120))
  expect_refused(bbc_correct(table, truth, "roc_auc"), "of each case by each model.*row and config")
  expect_s3_class(suppressWarnings(bbc_correct(table, truth, "roc_auc", names = names(table))),
                  "bbc_estimate")
  expect_refused(bbc_correct(data.frame(model = letters[table$model], p = table$p), truth, "roc_auc"),
                 "of 3 configurations \\(model\\), and no column says")
})

test_that("an empty cell is a gap, and NA as text is a name", {
  set.seed(6)
  scores <- data.frame(a = runif(60), b = runif(60))
  sites <- rep(c("NA", "EU", "US", "CH", "IN", "JP"), 10)
  truth <- rep(0:1, each = 30)
  expect_s3_class(bbc_correct(scores, truth, "roc_auc", groups = sites, seed = 1), "bbc_estimate")
  expect_refused(bbc_correct(scores, truth, "roc_auc", groups = sub("NA", "", sites)),
                 "`groups` is empty at row 1")
  expect_refused(bbc_correct(scores, factor(ifelse(truth == 1, "ill", "")), "roc_auc"),
                 "`truth` is empty at row 1")
})

test_that("columns of a frame that are no numbers say what they are", {
  frame <- data.frame(a = c("73.1%", NA, "5 %"), b = 1:3 / 7)
  expect_refused(bbc_correct(frame, c(0, 1, 1), "roc_auc"),
                 "cells of column a end in %, such as 73.1% in row 1: write 0.731")
  frame$a <- c("0,5", "1", "0,25")
  expect_refused(bbc_correct(frame, c(0, 1, 1), "roc_auc"), "column a is text with decimal commas")
  names(frame) <- c("b", "b")
  expect_refused(bbc_correct(frame, c(0, 1, 1), "roc_auc"), "has two columns b")
  names(frame) <- c("", "b")
  expect_refused(bbc_correct(frame, c(0, 1, 1), "roc_auc"), "column 1 has no name")
  index <- data.frame(level_0 = 3:1 / 3, b = 1:3 / 7)
  expect_refused(bbc_correct(index, c(0, 1, 1), "roc_auc"), "column level_0 seems to describe the rows")
})
