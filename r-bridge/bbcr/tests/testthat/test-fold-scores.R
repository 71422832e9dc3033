data <- binary_data(60, 3)
folds <- rep(1:5, 12)
names <- c("a", "b", "c")
by_fold <- function(labels) {
  out <- t(sapply(1:5, function(k) colMeans(labels[folds == k, ] == data$truth[folds == k])))
  colnames(out) <- names
  out
}
scores <- by_fold(data$labels)
other <- by_fold(1 - data$labels)
corrected <- bbc_correct(list(data$labels, 1 - data$labels), data$truth, "accuracy",
                         method = "bbc-f", folds = cbind(folds, folds), names = names, seed = 1)

of_scores <- function(scores, metric, ...) {
  bbc_correct(scores, metric = metric, method = "bbc-f", ...)
}

test_that("scores of folds give what their predictions give", {
  e <- of_scores(list(scores, other), "accuracy", seed = 1)
  same <- setdiff(names(e), c("n_rows", "design", "findings"))  # scores do not tell these
  expect_equal(e[same], corrected[same])
  expect_equal(e$n_rows, 0)
  expect_output(print(summary(e)), "data +3 configurations, 5 folds, 2 repeats")
})

test_that("long tables and those of tidymodels equal the matrices", {
  table <- expand.grid(fold = 1:5, configuration = names, "repeat" = 1:2, stringsAsFactors = FALSE)
  table$score <- c(scores, other)
  e <- bbc_correct(table, metric = "accuracy", seed = 1)
  expect_equal(e$replicates, corrected$replicates)
  expect_equal(e$names, names)
  expect_equal(bbc_correct(table, metric = "accuracy", names = 1:3, seed = 1)$names, c("1", "2", "3"))
  for (column in c("fold", "configuration", "repeat")) {
    bad <- table
    bad[[column]][[7]] <- NA
    expect_refused(bbc_correct(bad, metric = "accuracy"),
                   paste("`predictions`: the", column, "is NA in line 7"))
  }
  tuned <- rbind(
    data.frame(id = paste0("Repeat", table$`repeat`), id2 = paste0("Fold", table$fold),
               .metric = "accuracy", .estimator = "binary", .estimate = table$score,
               .config = table$configuration),
    data.frame(id = "Repeat1", id2 = paste0("Fold", table$fold), .metric = "rmse",
               .estimator = "standard", .estimate = -table$score, .config = table$configuration)
  )
  expect_equal(bbc_correct(tuned, metric = "accuracy", seed = 1)$replicates, corrected$replicates)
  expect_refused(bbc_correct(tuned, metric = "roc_auc"), "no line with .metric \"roc_auc\"")
  expect_refused(bbc_correct(tuned, metric = NULL), "`metric` must be one name")
  expect_refused(bbc_correct(tuned, metric = "rmse", greater_is_better = FALSE), "more than once")
  expect_refused(bbc_correct(table[-2], metric = "accuracy"), "`truth` must name|`truth` is missing|columns")
})

test_that("a caret model knows its metric and its direction", {
  skip_if_not_installed("caret")
  set.seed(1)
  control <- caret::trainControl("repeatedcv", 5, repeats = 2, returnResamp = "all")
  model <- caret::train(mpg ~ wt + hp, mtcars, "knn", trControl = control,
                        tuneGrid = data.frame(k = c(9, 3, 5)))
  e <- bbc_correct(model, seed = 1)
  expect_equal(e$metric, "RMSE")
  expect_false(e$greater_is_better)
  expect_equal(e$apparent, min(model$results$RMSE))
  expect_equal(e$winner_name, paste0("k=", model$bestTune$k))
  expect_equal(c(e$n_folds, e$n_repeats), c(5, 2))
  expect_equal(bbc_correct(model, names = c("a", "b", "c"), seed = 1)$names, c("a", "b", "c"))
  other <- suppressWarnings(bbc_correct(model, metric = "Rsquared", seed = 1))
  expect_identical(other$metric, "squared_pearson")
  expect_refused(bbc_correct(model, greater_is_better = TRUE), "`greater_is_better` is known")
  model$control$returnResamp <- "final"
  expect_refused(bbc_correct(model), "returnResamp = \"all\"")
})

test_that("resamples that may share rows are no folds of one partition", {
  tuned <- function(resample, ...) {
    data.frame(id = paste0(resample, rep(1:5, 3)), ..., .metric = "accuracy", .estimate = c(scores),
               .config = rep(names, each = 5))
  }
  for (resample in c("Bootstrap", "Bootstrap0", "Resample", "Slice")) {
    expect_refused(bbc_correct(tuned(resample), metric = "accuracy"),
                   paste0("resamples such as ", resample, "1 .*tune with vfold_cv"))
  }
  own <- of_scores(scores, "accuracy", seed = 1)
  expect_equal(bbc_correct(tuned("Fold"), metric = "accuracy", seed = 1)$replicates, own$replicates)
  by_group <- tuned("Repeat1", id2 = paste0("Resample", rep(1:5, 3)))
  by_group$id <- "Repeat1"
  expect_equal(bbc_correct(by_group, metric = "accuracy", seed = 1)$replicates, own$replicates)
})

test_that("a caret model's own resamples must not share rows", {
  skip_if_not_installed("caret")
  set.seed(1)
  train <- function(method, ...) {
    control <- caret::trainControl(method, 4, returnResamp = "all", ...)
    suppressWarnings(caret::train(mpg ~ wt + hp, mtcars, "knn", trControl = control,
                                  tuneGrid = data.frame(k = c(3, 5))))
  }
  for (method in c("boot", "LGOCV")) {
    expect_refused(bbc_correct(train(method)), "use trainControl\\(\"cv\"\\)")
  }
  drawn <- caret::createResample(mtcars$mpg, 4)
  expect_refused(bbc_correct(train("cv", index = drawn)), "was held out in several resamples")
  groups <- caret::groupKFold(rep(1:8, 4), 4)
  expect_equal(bbc_correct(train("cv", index = groups), seed = 1)$n_folds, length(groups))
})

test_that("the open end is the metric's for any number of classes, which scores do not tell", {
  ends <- function(metric) {
    confint(of_scores(scores, metric, alternative = "greater", seed = 1))[[2]]
  }
  expect_equal(ends("accuracy"), 1)
  expect_equal(ends("brier_score"), 2)
  expect_equal(ends("ordinal_mean_absolute_error"), Inf)
})

test_that("mistakes are refused", {
  expect_refused(bbc_correct(scores, method = "bbc-f"), "`metric` is missing")
  expect_refused(of_scores(scores, "Kappa"), "`greater_is_better` is needed")
  expect_refused(of_scores(replace(scores, 7, NA), "accuracy"),
                 "repeat 1, fold 2, configuration 2")
  expect_refused(of_scores(list(scores, scores[, -1]), "accuracy"), "repeat 2 has shape")
  expect_refused(of_scores("scores", "accuracy"), "must be a numeric matrix")
  expect_refused(of_scores(scores, c("accuracy", "f1")), "must be one, which selects")
  expect_refused(bbc_correct(scores, metric = "accuracy"), "`truth` is missing; of scores by fold, give method")
  expect_refused(of_scores(scores, "accuracy", groups = 1:5), "`groups` is for predictions of rows")
  expect_refused(of_scores(scores, "accuracy", pooling = "fold"), "`pooling` is for predictions of rows")
  expect_refused(bbc_correct(data$labels, data$truth, "accuracy", greater_is_better = TRUE),
                 "`greater_is_better` is for scores of folds")
  e <- of_scores(scores, "accuracy", seed = 1)
  for (question in list(bbc_calibration, bbc_possible_winners, bbc_tuning_path)) {
    expect_refused(question(e), "needs predictions of rows: scores of folds hold none",
                   class = "bbc_not_kept")
  }
  expect_refused(of_scores(scores, "accuracy", secondary = "f1"), "scores of folds hold none",
                 class = "bbc_not_kept")
  expect_refused(of_scores(list(scores, scores[, 3:1]), "accuracy"),
                 "`predictions`: repeat 2 has the columns c, b, a, repeat 1 has a, b, c")
  for (metric in list(NULL, NA, 3)) {
    expect_refused(of_scores(scores, metric, greater_is_better = TRUE), "`metric` must be one name")
  }
  expect_refused(of_scores(scores[1, , drop = FALSE], "accuracy"), "at least two")
  expect_equal(of_scores(scores, "Kappa", greater_is_better = TRUE, seed = 1)$metric, "Kappa")
})

# Scores of six folds of twenty rows, of which four are events, and what Python has of them.
told <- matrix(c(
  0.80, 0.75, 0.85, 0.70, 0.70, 0.80, 0.75, 0.65, 0.90, 0.85, 0.80, 0.75, 0.75, 0.70, 0.90, 0.80, 0.85,
  0.90, 0.70, 0.75, 0.65, 0.80, 0.75, 0.85
), 6, byrow = TRUE)
row <- seq_len(120) - 1
y <- as.integer(row %% 5 == 0)
groups <- row %/% 4
of_told <- function(metric, ..., y = NULL) {
  scores <- if (metric %in% c("brier_score", "log_loss", "mean_squared_error")) 1 - told else told
  suppressWarnings(bbc_correct(scores, metric = metric, method = "bbc-f", y = y, ..., seed = 1,
                               n_bootstraps = 200))
}
numbers_of <- function(e) {
  c(e$estimate, e$confidence_interval$low, e$confidence_interval$high)
}
said_of <- function(e) e$findings$detail[e$findings$code == "BBC025"]

test_that("the truth of the rows tells what it tells in Python", {
  python <- list(
    accuracy = c(0.761875, 0.675, 0.85, 0.5855969064539497, 0.8787004538711842),
    roc_auc = c(0.761875, 0.6383209134713983, 0.85, 0.6095333240524322, 0.8631875030268702),
    balanced_accuracy = c(0.761875, 0.6519894867663626, 0.8530090531074637, 0.6286810624023742,
                          0.8530090531074637),
    f1 = c(0.761875, 0.5895779150369477, 0.881671775493821, 0.5895779150369477, 0.8769385105404107),
    brier_score = c(0.238125, 0.12671850167067816, 0.34854536890900695, 0.1434285894496471,
                    0.3316592727085692),
    log_loss = c(0.238125, 0.11554105746645506, 0.3598134257728214, 0.1399220946088721,
                 0.33520775144050474)
  )
  for (metric in names(python)) {
    by_row <- of_told(metric, y = y)
    expect_identical(numbers_of(by_row), python[[metric]][1:3])
    expect_identical(numbers_of(of_told(metric, y = y, groups = groups)), python[[metric]][c(1, 4, 5)])
    expect_equal(by_row$n_rows, 120)
    alone <- of_told(metric)
    expect_identical(alone$replicates, by_row$replicates)
    expect_identical(said_of(by_row), character())
    expect_match(said_of(alone), "too short unless y= is passed")
  }
  expect_identical(numbers_of(of_told("brier_score")), c(0.238125, 0.15000000000000002, 0.325))
  three <- ifelse(row %% 12 < 2, 0, ifelse(row %% 12 < 5, 1, 2))
  expect_identical(numbers_of(of_told("log_loss", y = three)),
                   c(0.238125, 0.1083481730909393, 0.36705627938008023))
  expect_identical(numbers_of(of_told("mean_squared_error", y = ifelse(y == 1, 3, -2))),
                   c(0.238125, 0.11554105746645506, 0.3598134257728214))
  named <- factor(ifelse(y == 1, "ill", "well"))
  expect_identical(numbers_of(of_told("f1", y = named, event_level = "ill")), python$f1[1:3])
})

test_that("folds that are known show some of it, and of R2 the squared errors", {
  free <- (row * 7) %/% 11 %% 6 + 1
  expect_identical(numbers_of(of_told("brier_score", y = y, folds = free)),
                   c(0.238125, 0.13629433518196304, 0.33887585258836966))
  numbers <- (row * 37) %% 101 / 10
  e <- of_told("r2", y = numbers, folds = row %/% 5 %% 6 + 1)
  expect_identical(numbers_of(e), c(0.7797069626631017, 0.7069015620956745, 0.8431101670423722))
  expect_equal(e$apparent, 0.812013488958146, tolerance = 1e-14)
  expect_equal(e$pooling, "pooled")
  expect_identical(said_of(e), character())
  expect_match(said_of(of_told("r2", y = numbers)), "a mean over folds, not the r2 of all rows")
  expect_match(said_of(of_told("r2")), "unless y= is passed")
  expect_match(said_of(of_told("mcc", y = y)), "which y= does not mend for mcc")
  expect_identical(said_of(of_told("mean_squared_error", y = numbers)), character())
})

test_that("limits that are too short are said first", {
  expect_output(print(of_told("accuracy")), "^Where folds keep the class shares, the interval is too short")
  expect_output(print(summary(of_told("accuracy"))), "^Where folds keep the class shares")
  expect_output(print(of_told("accuracy", y = y)), "^accuracy of the winner")
})

test_that("a truth of other rows is refused, by the name of its argument", {
  folds <- row %/% 5 %% 6 + 1
  expect_refused(of_told("accuracy", y = y[-1], folds = folds[-1]),
                 "`y` does not have the rows that were scored: accuracy of fold 1 of repeat 1")
  expect_refused(of_told("accuracy", y = replace(y, 3, NA)), "`y` is NA at row 3")
  expect_refused(of_told("roc_auc", y = numeric(120)), "`y` has one class",
                 class = "bbc_undefined_metric")
  expect_refused(of_told("accuracy", y = y, groups = groups[-1]), "`groups` has 119 rows")
  expect_refused(of_told("accuracy", y = y, folds = folds + 1), "`folds` is 7 at row 26")
  expect_refused(of_told("accuracy", y = y, folds = pmin(folds, 5)), "no row is in fold 6")
  expect_refused(of_told("accuracy", folds = folds), "`truth` is missing|predictions of rows")
  expect_refused(of_told("r2", y = rep(1:6, each = 20), folds = rep(1:6, each = 20)), "constant")
  expect_refused(bbc_correct(data$labels, data$truth, "accuracy", y = data$truth),
                 "`y` is for scores of folds")
})

test_that("a caret model tells its truth and its folds", {
  skip_if_not_installed("caret")
  set.seed(1)
  control <- caret::trainControl("cv", 5, returnResamp = "all", returnData = TRUE)
  iris2 <- iris[iris$Species != "setosa", ]
  iris2$Species <- factor(iris2$Species)
  model <- caret::train(Species ~ Sepal.Length + Sepal.Width, iris2, "knn", trControl = control,
                        tuneGrid = data.frame(k = c(3, 9)))
  e <- bbc_correct(model, seed = 1)
  expect_equal(c(e$metric, e$n_rows), c("Accuracy", "100"))
  expect_identical(said_of(e), character())
  model$trainingData <- NULL
  alone <- suppressWarnings(bbc_correct(model, seed = 1))
  expect_equal(alone$n_rows, 0)
  expect_match(said_of(alone), "unless y= is passed")
  expect_identical(alone$replicates, e$replicates)
})
