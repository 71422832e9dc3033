# Every function x every defect: one condition of the package's class, with the user's call, that
# names an argument; never a number. Defects bear the names that they have in the Python tests.

n <- 12
set.seed(1)
Y <- rep(0:1, 6)
Y3 <- rep(0:2, 4)
SCORES <- matrix(runif(n * 3), n)
LABELS <- matrix(rbinom(n * 3, 1, 0.5), n)
THIRDS <- array(1 / 3, c(n, 3, 3))
REAL <- runif(n)
WORDS <- c("no", "yes")

changed <- function(array, cells, value) {
  array[cells] <- value
  array
}
auc <- function(...) modifyList(list(predictions = SCORES, truth = Y, metric = "roc_auc"), list(...))
accuracy <- function(...) {
  modifyList(list(predictions = LABELS, truth = Y, metric = "accuracy"), list(...))
}
log_loss <- function(...) {
  modifyList(list(predictions = THIRDS, truth = Y3, metric = "log_loss"), list(...))
}
mse <- function(...) {
  modifyList(list(predictions = SCORES, truth = REAL, metric = "mean_squared_error"), list(...))
}
survival <- function(...) auc(metric = "concordance_index", ...)

DEFECTS <- list(
  "lengths" = auc(truth = Y[-1]),
  "1-d predictions" = auc(predictions = SCORES[, 1]),
  "scalar" = auc(predictions = 3),
  "5-d" = auc(predictions = array(0, rep(1, 5))),
  "none" = replace(auc(), "predictions", list(NULL)),
  "text" = auc(predictions = "a.csv"),
  "a function" = auc(predictions = function(i) SCORES),
  "no rows" = auc(predictions = SCORES[0, ]),
  "no y" = auc(truth = Y[0]),
  "no configurations" = auc(predictions = SCORES[, 0]),
  "no classes" = log_loss(predictions = THIRDS[, , 0]),
  "ragged" = replace(auc(), "truth", list(list(1, 1:2))),
  "empty list" = replace(auc(), "predictions", list(list())),
  "unequal repeats" = replace(auc(), "predictions", list(list(SCORES, SCORES[, 1:2]))),
  "wide y" = auc(truth = matrix(0, n, 2)),
  "NaN in y" = mse(truth = changed(REAL, c(4, 9), NaN)),
  "infinite y" = mse(truth = changed(REAL, 4, -Inf)),
  "NaN in classes" = auc(truth = changed(Y, 3, NA)),
  "None in y" = auc(truth = changed(WORDS[Y + 1], 11, NA)),
  "text as numbers" = mse(truth = WORDS[Y + 1]),
  "real y for classes" = accuracy(truth = REAL),
  "complex y" = mse(truth = REAL + 1i),
  "dates" = mse(truth = as.Date("2020-01-01") + seq_len(n)),
  "structured y" = mse(truth = data.frame(a = Y, b = REAL)),
  "infinity" = auc(predictions = changed(SCORES, cbind(c(3, 5), c(2, 1)), Inf)),
  "infinity in a repeat" =
    replace(auc(), "predictions", list(list(SCORES, changed(SCORES, 5, -Inf)))),
  "infinite class score" = log_loss(predictions = changed(THIRDS, 5, Inf)),
  "hole" = auc(predictions = changed(SCORES, c(3, 17), NA)),
  "hole in one repeat" =
    replace(auc(), "predictions", list(list(SCORES, changed(SCORES, cbind(6, 1:3), NA)))),
  "all missing" = auc(predictions = SCORES * NA),
  "all rows drop" =
    auc(predictions = changed(SCORES, cbind(1:n, 1), NA), missing = "drop-rows"),
  "all configurations drop" =
    auc(predictions = changed(SCORES, cbind(3:5, 1:3), NA), missing = "drop-configurations"),
  "text as scores" = auc(predictions = matrix(as.character(SCORES), n)),
  "objects as scores" = auc(predictions = matrix(list(1), n, 3)),
  "complex" = auc(predictions = SCORES + 1i),
  "unknown float label" = accuracy(predictions = changed(LABELS, 5, 0.5)),
  "unknown string label" =
    accuracy(truth = WORDS[Y + 1], predictions = changed(matrix(WORDS[LABELS + 1], n), 5, "off")),
  "numbers for words" = accuracy(truth = WORDS[Y + 1]),
  "words for numbers" = accuracy(predictions = matrix(WORDS[LABELS + 1], n)),
  "huge label" = accuracy(predictions = LABELS * 0 + 2^64),
  "three classes" = auc(truth = Y3),
  "three classes, f1" = accuracy(truth = Y3, metric = "f1"),
  "one class" = auc(truth = Y * 0),
  "one class of two" = auc(truth = factor(Y * 0, 0:1), event_level = "1"),
  "one class, mcc" = accuracy(truth = Y * 0, metric = "mcc"),
  "one class, ovr" = auc(truth = Y * 0, metric = "roc_auc_ovr"),
  "pos_label" = auc(event_level = 2),
  "pos_label of many" = log_loss(event_level = 1),
  "pos_label of numbers" = mse(event_level = 1),
  "class scores as labels" = accuracy(predictions = THIRDS),
  "class scores as values" = mse(predictions = THIRDS),
  "flat class scores" = log_loss(predictions = SCORES),
  "wrong classes" = log_loss(predictions = THIRDS[, , 1:2]),
  "probability above 1" = log_loss(truth = Y, predictions = changed(SCORES, 5, 1.5)),
  "negative probability" =
    log_loss(truth = Y, predictions = changed(SCORES, 5, -0.5), metric = "brier_score"),
  "sums" = log_loss(predictions = changed(THIRDS, 5, 0.4)),
  "poisson y" = mse(truth = -REAL, metric = "poisson_deviance"),
  "gamma predictions" = mse(predictions = changed(SCORES, 5, 0), metric = "gamma_deviance"),
  "weights" = auc(sample_weight = REAL[1:5]),
  "NaN weight" = auc(sample_weight = changed(REAL, 3, NaN)),
  "infinite weight" = auc(sample_weight = changed(REAL, 3, Inf)),
  "negative weight" = auc(sample_weight = changed(REAL, c(3, 5), -1)),
  "zero weights" = auc(sample_weight = REAL * 0),
  "text weights" = auc(sample_weight = WORDS[Y + 1]),
  "wide weights" = auc(sample_weight = SCORES),
  "one fold" = auc(folds = Y * 0),
  "short folds" = auc(folds = Y[1:5]),
  "deep folds" = auc(folds = THIRDS),
  "folds of one repeat" =
    replace(auc(folds = matrix(Y, n)), "predictions", list(list(SCORES, SCORES))),
  "NaN fold" = auc(folds = changed(Y, 3, NA)),
  "no folds" = auc(method = "bbc-f"),
  "fold without a class" = auc(method = "bbc-f", folds = Y + 1),
  "one group" = auc(groups = Y * 0 + 7),
  "missing group" = auc(groups = changed(letters[1:n], n, NA)),
  "short groups" = auc(groups = Y[1:5]),
  "groups span classes" = auc(groups = rep(1:6, each = 2), stratify_bootstrap = TRUE),
  "strata of numbers" = mse(stratify_bootstrap = TRUE),
  "names" = auc(names = "a"),
  "id column" = auc(predictions = as.data.frame(`colnames<-`(SCORES, c("a", "id", "c")))),
  "outcome column" = auc(predictions = `colnames<-`(SCORES, c("a", "b", " Outcome"))),
  "copy of the truth" = mse(predictions = data.frame(a = SCORES[, 1], b = REAL)),
  "classes as configurations" = auc(predictions = cbind(1 - SCORES[, 1], SCORES[, 1])),
  "rows in another order" = auc(
    predictions = `rownames<-`(SCORES, letters[1:n]), truth = stats::setNames(Y, rev(letters[1:n]))
  ),
  "unnamed event" = auc(truth = WORDS[Y + 1]),
  "unnamed event of numbers" = auc(truth = Y + 1),
  "survival shape" = survival(truth = Y)
)

# The arguments of a function.
formals_of <- function(name) {
  own <- getS3method(name, "default", optional = TRUE)
  formals(if (is.null(own)) get(name) else own)
}

# How a defect enters; NULL where the function has no such argument.
through <- function(door, arguments) {
  if (length(setdiff(names(arguments), names(formals_of(door)))) > 0) return(NULL)
  if (door == "bbc_tt" && is.null(arguments$folds)) arguments$folds <- rep(1:3, length.out = n)
  function() do.call(door, arguments)
}

PLACES <- paste(
  c("predictions", "truth", "labels", "sample_weight", "folds", "groups", "metric", "event_level",
    "missing", "stratify_bootstrap", "names"),
  collapse = "|"
)

refusal <- function(run, label, names = PLACES) {
  given <- tryCatch(run(), bbc_error = identity, error = identity)
  problem <- if (!inherits(given, "condition")) {
    "gave a result"
  } else if (!inherits(given, "bbc_error")) {
    paste("an error from the depths:", conditionMessage(given))
  } else if (is.null(conditionCall(given))) {
    "has no call"
  } else if (!grepl(sprintf("\\b(%s)\\b", names), conditionMessage(given), perl = TRUE)) {
    paste("names no argument:", conditionMessage(given))
  }
  if (is.null(problem)) succeed() else fail(paste0(label, ": ", problem))
}

DOORS <- c("bbc_correct", "bbc_tt")
n_refusals <- 0

test_that("wrong data are refused", {
  for (door in DOORS) {
    for (defect in names(DEFECTS)) {
      run <- through(door, DEFECTS[[defect]])
      if (is.null(run)) next
      refusal(run, paste(door, defect))
      n_refusals <<- n_refusals + 1
    }
  }
})

# Of an argument, by its name: what is wrong. NULL stands where it is no default.
WRONG <- list(
  n_bootstraps = list(0, -1, 2.5, "many", NaN, TRUE, NA, 1:2),
  confidence_level = list(0, 1, -0.1, 95, NaN, "high", NA, c(0.5, 0.9)),
  seed = list(-1, 2^53, 1.5, "seed", NA, TRUE),
  n_threads = list(0, -1, 1.5, "all", NA),
  alternative = list("both", NA, 1, NULL),
  pooling = list("mean", NA, 1, NULL),
  on_undefined = list("skip", NA, NULL),
  metric = list("rocauc", 3, "", NA, NULL, c("r2", "r2")),
  selection = list("worst", 3, NA, NULL),
  stratify_bootstrap = list("yes", 1, NA, NULL),
  dynamic_search = list("yes", 1, NA, NULL),
  missing = list("ignore", NA, NULL),
  resamples = list(matrix(1, 5, 3), matrix(99, 5, n), matrix(0, 5, n), "all", 1:5),
  variant = list("new", NA, NULL),
  event_level = list("maybe", 7, NA),
  names = list("one", 1:2)
)
# The functions that take these, with arguments that are right.
GOOD <- list(
  bbc_correct = auc(folds = rep(1:3, 4)),
  bbc_tt = auc(folds = rep(rep(1:3, each = 2), 2)),
  bbc_bound = list(predictions = SCORES, truth = Y, folds = rep(rep(1:3, each = 2), 2))
)

test_that("wrong options are refused", {
  for (name in names(GOOD)) {
    own <- formals_of(name)
    for (argument in intersect(names(WRONG), names(own))) {
      for (value in WRONG[[argument]]) {
        if (is.null(value) && is.null(own[[argument]])) next
        arguments <- GOOD[[name]]
        arguments[argument] <- list(value)
        label <- sprintf("%s(%s = %s)", name, argument, paste(format(value), collapse = " "))
        refusal(function() do.call(name, arguments), label, argument)
        n_refusals <<- n_refusals + 1
      }
    }
  }
})

FIT <- suppressWarnings(bbc_correct(SCORES, Y, "roc_auc", n_bootstraps = 100, seed = 1))
QUESTIONS <- sub("[.]default$", "", grep("default$", ls(asNamespace("bbcr"), pattern = "^bbc_"), value = TRUE))
QUESTIONS <- setdiff(QUESTIONS, "bbc_correct")
# What no question takes in the place of a fit.
UNFITTED <- list(NULL, SCORES, Y, "fit", list(FIT), data.frame(a = 1), bbc_bound(SCORES, Y, seed = 1))

test_that("questions are about what bbc_correct() returns", {
  expect_length(QUESTIONS, 13)
  for (question in QUESTIONS) {
    for (value in UNFITTED) {
      refusal(function() do.call(question, list(value)), paste(question, first_class(value)), "fit")
      n_refusals <<- n_refusals + 1
    }
    refusal(function() do.call(question, list(bbc_record(FIT), time = 1, by = Y, metric = "f1")),
            paste(question, "of a record"), "predictions|argument")
    refusal(function() do.call(question, list(FIT, n_draws = 3)), paste(question, "n_draws"), "n_draws")
    n_refusals <<- n_refusals + 2
  }
})

# Of the rest: calls, and what their message names.
REST <- list(
  complexity = list(
    function() bbc_one_standard_error("a"), function() bbc_one_standard_error(numeric()),
    function() bbc_one_standard_error(c(1, NA)), function() bbc_one_standard_error(SCORES)
  ),
  "metric|name" = list(
    function() bbc_metric("rocauc"), function() bbc_metric(3), function() bbc_metric(NULL),
    function() bbc_metric(character()), function() bbc_metric(NA_character_)
  ),
  beta = list(
    function() bbc_metric("f_beta", beta = -1), function() bbc_metric("f_beta", beta = "a"),
    function() bbc_metric("roc_auc", beta = 1)
  ),
  alpha = list(
    function() bbc_metric("pinball_loss", alpha = 2), function() bbc_metric("roc_auc", alpha = 0.5)
  ),
  n_bins = list(
    function() bbc_calibration(FIT, n_bins = 0), function() bbc_calibration(FIT, n_bins = "a"),
    function() bbc_clinical(FIT, n_bins = 2.5), function() bbc_calibration(FIT, n_bins = NULL)
  ),
  thresholds = list(
    function() bbc_decision_curve(FIT, 1), function() bbc_decision_curve(FIT, "half"),
    function() bbc_decision_curve(FIT, c(0.5, 0.2)), function() bbc_clinical(FIT, thresholds = NA)
  ),
  threshold = list(
    function() bbc_per_1000(FIT, 0), function() bbc_per_1000(FIT, 30), function() bbc_per_1000(FIT, "half"),
    function() bbc_per_1000(FIT, NA_real_), function() bbc_per_1000(FIT, c(0.2, 0.5))
  ),
  of_class = list(
    function() bbc_calibration(FIT, of_class = 1), function() bbc_roc_curve(FIT, of_class = "a"),
    function() bbc_decision_curve(FIT, of_class = NA),
    function() bbc_precision_recall_curve(FIT, of_class = 0)
  ),
  "specificity|sensitivity|partial|standardized" = list(
    function() bbc_roc_curve(FIT, specificity = 90), function() bbc_roc_curve(FIT, sensitivity = "a"),
    function() bbc_roc_curve(FIT, partial = c(0.5, 1)),
    function() bbc_roc_curve(FIT, partial = list(specificity = 1)),
    function() bbc_roc_curve(FIT, partial = list(recall = c(0, 1))),
    function() bbc_roc_curve(FIT, standardized = 1)
  ),
  secondary = list(
    function() bbc_clinical(FIT, secondary = "auk"), function() bbc_clinical(FIT, secondary = 3),
    function() bbc_correct(SCORES, Y, "roc_auc", secondary = "auk"),
    function() bbc_correct(SCORES, Y, "roc_auc", secondary = NA),
    function() bbc_correct(SCORES, Y, "roc_auc", secondary = c("f1", "f1"))
  ),
  "by|reference" = list(
    function() bbc_subgroups(FIT), function() bbc_subgroups(FIT, Y[-1]), function() bbc_subgroups(FIT, Y * 0),
    function() bbc_subgroups(FIT, changed(Y, 2, NA)), function() bbc_subgroups(FIT, SCORES),
    function() bbc_subgroups(FIT, Y, reference = 3), function() bbc_subgroups(FIT, Y, reference = 0:1)
  ),
  "time|n_groups|metric" = list(
    function() bbc_survival_calibration(FIT), function() bbc_survival_calibration(FIT, time = -1),
    function() bbc_survival_calibration(FIT, time = 1),
    function() bbc_survival_calibration(FIT, 1, n_groups = 1)
  ),
  metric = list(
    function() bbc_score(FIT), function() bbc_score(FIT, "auk"), function() bbc_score(FIT, NULL),
    function() bbc_score(FIT, c("f1", "mcc")), function() bbc_tuning_path(FIT, "auk"),
    function() bbc_subgroups(FIT, Y, metric = 3)
  ),
  test = list(function() bbc_possible_winners(FIT, "best"), function() bbc_possible_winners(FIT, 1)),
  "predictions|folds" = lapply(
    list(NULL, "a", SCORES[0, ], changed(SCORES, 5, NA), SCORES[1, , drop = FALSE], list(SCORES, SCORES[, 1:2])),
    function(scores) function() bbc_correct(scores, metric = "roc_auc", method = "bbc-f")
  ),
  "groups|sample_weight|pooling|missing|resamples|greater_is_better" = c(
    lapply(list(list(groups = Y), list(sample_weight = REAL), list(pooling = "fold"),
                list(missing = "drop-rows"), list(resamples = matrix(1, 5, n))), function(more) {
      function() do.call(bbc_correct, c(list(SCORES, metric = "roc_auc", method = "bbc-f"), more))
    }),
    function() bbc_correct(SCORES, metric = "Kappa", method = "bbc-f"),
    function() bbc_correct(SCORES, Y, "roc_auc", greater_is_better = TRUE)
  ),
  "method|rule" = list(
    function() bbc_bound(SCORES, Y, rep(1:3, 4), method = "best"),
    function() bbc_bound(SCORES, Y, rep(1:3, 4), rule = "worst")
  ),
  "fit|predict|hyper-parameter" = list(
    function() bbc_learner(3), function() bbc_learner(mean), function() bbc_learner("ranger", 2),
    function() bbc_learner("rangr"), function() bbc_learner("glm", mtri = 2),
    function() bbc_learner(function(x, y) 1, mtri = 2, predict = function(model, newx) 1)
  )
)

test_that("the other functions refuse what they cannot use", {
  for (names in names(REST)) {
    for (number in seq_along(REST[[names]])) {
      refusal(REST[[names]][[number]], paste(names, number), names)
      n_refusals <<- n_refusals + 1
    }
  }
})

test_that("the published number of refusals is that of this file", {
  expect_identical(n_refusals, 482)
})
