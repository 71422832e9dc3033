# What a finding advises to call is called on what the reader has: it is taken, and the finding is gone.

# The calls in a text, each with the functions that take the arguments.
advised_calls <- function(text) {
  form <- "((?:bbc_\\w+(?: or )?)+)\\(\\.\\.\\., ([^)]*)\\)"
  found <- regmatches(text, gregexpr(form, text, perl = TRUE))[[1]]
  lapply(found, function(call) {
    list(functions = strsplit(sub("\\(.*", "", call), " or ", fixed = TRUE)[[1]],
         arguments = eval(str2lang(sub("^[^(]*\\(\\.\\.\\., ", "list(", call))))
  })
}

doors <- list(
  bbc_correct = function(...) list(bbc_correct(...)),
  bbc_compare = function(predictions, ...) {
    bbc_compare(list(one = predictions, other = predictions[, 1:2]), ...)$estimates
  }
)

codes_of <- function(estimates) unlist(lapply(estimates, function(e) e$findings$code))

set.seed(4)
few <- sample(rep(0:1, c(25, 5)))
quarter <- sample(rep(0:1, c(95, 25)))
seven <- rep(1:0, c(7, 53))
risks <- function(truth, skill = 1) {
  stats::plogis(skill * (truth - 0.5) + matrix(stats::rnorm(3 * length(truth)), ncol = 3))
}
by_class <- function(truth, n) {
  folds <- integer(length(truth))
  folds[order(truth)] <- rep_len(seq_len(n), length(truth))
  folds
}
lucky_truth <- rep(0:1, 100)
lucky_folds <- rep_len(rep(1:5, each = 2), 200)
skill <- matrix(stats::rnorm(200, 0.75, 0.1), 5)
lucky <- ifelse(stats::runif(8000) < skill[lucky_folds, ], lucky_truth, 1 - lucky_truth)

situations <- list(
  BBC006 = list(risks(few, 2), few, "roc_auc", folds = by_class(few, 2)),
  BBC011 = list(lucky, lucky_truth, "accuracy", folds = lucky_folds),
  BBC015 = list(risks(quarter), quarter, "roc_auc", folds = by_class(quarter, 3), method = "bbc-f"),
  BBC015 = list(risks(quarter), quarter, "roc_auc", folds = by_class(quarter, 3),
                method = "bbc-two-level"),
  BBC032 = list(risks(quarter, 2), quarter, "average_precision", folds = by_class(quarter, 5),
                pooling = "fold"),
  BBC032 = list(risks(quarter, 2), quarter, "average_precision", folds = by_class(quarter, 5),
                method = "bbc-f"),
  BBC036 = list(risks(seven, 2), seven, "roc_auc", folds = by_class(sample(seven), 6), pooling = "fold")
)

test_that("advice is taken where it is read", {
  n_taken <- 0
  for (i in seq_along(situations)) {
    code <- names(situations)[[i]]
    calls <- advised_calls(bbcr:::texts()$findings[[code]]$advice)
    expect_gt(length(calls), 0)
    for (door in names(doors)) {
      asked <- c(situations[[i]], seed = 1)
      names(asked)[1:3] <- c("predictions", "truth", "metric")
      if (door == "bbc_compare" && identical(asked$method, "bbc-f")) next
      expect_true(code %in% codes_of(suppressWarnings(do.call(doors[[door]], asked))), info = code)
      for (advised in calls) {
        expect_true(door %in% advised$functions)
        asked <- utils::modifyList(asked, advised$arguments)
        found <- codes_of(suppressWarnings(do.call(doors[[door]], asked)))
        expect_false(code %in% found, info = paste(code, door))
        n_taken <- n_taken + 1
      }
    }
  }
  expect_equal(n_taken, 12)
})

test_that("every function that is advised takes the arguments", {
  for (code in names(bbcr:::texts()$findings)) {
    advice <- bbcr:::texts()$findings[[code]]$advice
    for (advised in advised_calls(advice)) {
      for (called in advised$functions) {
        taken <- if (called == "bbc_correct") formals(bbcr:::bbc_correct.default)
                 else formals(getExportedValue("bbcr", called))
        expect_true(all(names(advised$arguments) %in% names(taken)), info = code)
      }
    }
    named <- regmatches(advice, gregexpr("\\bbbc_\\w+(?=\\()", advice, perl = TRUE))[[1]]
    expect_true(all(named %in% getNamespaceExports("bbcr")), info = code)
  }
})

test_that("an apparent score, TT and configurations that could be the best", {
  expect_match(bbcr:::texts()$findings$BBC003$advice, "bbc_possible_winners() of bbc_correct()", fixed = TRUE)
  e <- bbc_correct(risks(quarter), quarter, "roc_auc", seed = 1)
  expect_s3_class(bbc_possible_winners(e), "bbc_result")
  alone <- replace(by_class(quarter, 5), 1, 6)
  labels <- round(risks(quarter))
  tt <- suppressWarnings(bbc_tt(labels, quarter, "accuracy", alone))
  expect_true("BBC004" %in% tt$findings$code)
  (advised <- advised_calls(tt$findings$advice[tt$findings$code == "BBC004"])[[1]])
  asked <- c(list(labels, quarter, "accuracy", folds = alone, seed = 1), advised$arguments)
  expect_false("BBC004" %in% do.call(bbc_correct, asked)$findings$code)
})

test_that("protocols, bounds, blocks and curves: the advice is taken where it is read", {
  quietly <- suppressWarnings
  codes <- function(e) e$findings$code
  arguments_of <- function(code, called) {
    calls <- advised_calls(bbcr:::texts()$findings[[code]]$advice)
    Filter(function(one) called %in% one$functions, calls)[[1]]$arguments
  }
  # An apparent score: the fit is corrected, or another protocol is run.
  expect_match(bbcr:::texts()$findings$BBC001$advice, "bbc_correct() of the fit, or bbc_tune(protocol = \"BBC\")",
               fixed = TRUE)
  tune <- function(...) {
    learner <- bbc_learner(function(x, y, degree) lm(y ~ poly(speed, degree), cbind(x, y = y)), degree = 1:4,
                           predict = function(model, newx) predict(model, newx))
    quietly(bbc_tune(dist ~ speed, cars, learner, "mean_squared_error", cv = 5, seed = 1, n_threads = 2, ...))
  }
  expect_true("BBC001" %in% codes(tune(protocol = "CVT")$performance))
  expect_false("BBC001" %in% codes(quietly(bbc_correct(tune(protocol = "CVT"), seed = 1))))
  expect_false("BBC001" %in% codes(tune(protocol = "BBC")$performance))
  # Bounds.
  set.seed(2)
  truth <- rep(0:1, 30)
  scores <- matrix(stats::rnorm(600), 60) + 2 * truth
  bound <- function(method) quietly(bbc_bound(scores, truth, rep(1:4, each = 2, length.out = 60), method, seed = 1))
  expect_true("BBC012" %in% codes(bound("mabt")))
  expect_false("BBC012" %in% codes(do.call(bound, unname(arguments_of("BBC012", "bbc_bound")))))
  # Rows in order of time.
  steps <- data.frame(.row = 1:60, id = paste0("Slice", rep(1:6, each = 10)), outcome = cumsum(stats::rnorm(60)))
  table <- do.call(rbind, lapply(c("a", "b"), function(model) {
    data.frame(steps, .pred = steps$outcome + stats::rnorm(60), .config = model)
  }))
  of_time <- function(...) quietly(bbc_correct(table, "outcome", "r2", seed = 1, ...))
  expect_true("BBC018" %in% codes(of_time()))
  expect_false("BBC018" %in% codes(do.call(of_time, arguments_of("BBC018", "bbc_correct"))))
  # Curves of draws within the classes.
  curve <- function(...) {
    fit <- bbc_correct(risks(quarter), quarter, "log_loss", folds = by_class(quarter, 6), seed = 1, ...)
    codes(quietly(bbc_calibration(fit)))
  }
  expect_true("BBC035" %in% quietly(curve(method = "bbc-f")))
  expect_false("BBC035" %in% quietly(do.call(curve, arguments_of("BBC035", "bbc_correct"))))
})
