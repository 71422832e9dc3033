data <- binary_data(40, 4)

# What a fresh R prints last that runs these lines.
said_by_r <- function(script, ...) {
  file <- tempfile(fileext = ".R")
  writeLines(c("library(bbcr)", script), file, useBytes = TRUE)
  said <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", file), stdout = TRUE, stderr = TRUE,
    env = c(..., paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep)))
  )
  structure(utils::tail(said, 1), said = said)
}

# In a process of its own: each of the thousands of collections walks over all that R holds.
test_that("nothing that R may collect is used after it is gone", {
  run <- quote({
    folds <- rep(1:4, 10)
    list(
      bbc_correct(data$scores, data$truth, "roc_auc", n_bootstraps = 40, seed = 1, n_threads = 2),
      bbc_correct(list(data$labels, data$labels), data$truth, "accuracy", n_bootstraps = 40,
                  folds = cbind(folds, folds), method = "bbc-f", seed = 1),
      bbc_tt(data$scores, data$truth, "roc_auc", folds)$estimate,
      bbcr:::dominance(list(predictions = data$scores, truth = data$truth),
                       bbcr:::checked_options("roc_auc", n_bootstraps = 40, seed = 1), 0.99),
      bbc_bound(data$scores, data$truth, folds, "bt", n_bootstraps = 40, seed = 1)$low,
      tryCatch(bbc_correct(data$scores, rep(1, 40), "roc_auc"), error = conditionMessage)
    )
  })
  last <- said_by_r(deparse(bquote({
    data <- .(data)
    expected <- .(run)
    gctorture2(step = 31, inhibit_release = FALSE)
    under_torture <- .(run)
    gctorture(FALSE)
    cat(if (identical(under_torture, expected)) "done" else "other results")
  })))
  expect_equal(as.vector(last), "done", info = paste(attr(last, "said"), collapse = "\n"))
})

test_that("names and labels in UTF-8 survive a C locale", {
  last <- said_by_r(c(
    "truth <- rep(c('sain', 'mala\\u00e9'), 20)",
    "labels <- cbind(rev(truth), truth)",
    "colnames(labels) <- c('for\\u00eat', '\\u6a39')",
    "e <- bbc_correct(labels, truth, 'sensitivity', event_level = 'mala\\u00e9', seed = 1)",
    "stopifnot(identical(e$winner_name, '\\u6a39'), identical(e$event, 'mala\\u00e9'))",
    "stopifnot(identical(Encoding(e$winner_name), 'UTF-8'))",
    "scores <- 1 * (labels == 'sain')",
    "b <- bbc_bound(scores, truth, rep(c('pli \\u00e9', 'b'), each = 20), 'delong', seed = 1,",
    "               event_level = 'sain')",
    "stopifnot(identical(b$winner_name, '\\u6a39'))",
    "folds <- replace(rep('b', 40), truth == 'sain', 'pli \\u00e9')",
    "b <- bbc_bound(scores, truth, folds, 'delong', seed = 1, event_level = 'sain')",
    "stopifnot(grepl('pli \\u00e9 has no row', b$infeasible))",
    "message <- tryCatch(bbc_tt(scores, truth, 'roc_auc', folds, event_level = 'sain'),",
    "                    error = conditionMessage)",
    "stopifnot(grepl('pli \\u00e9', message))",
    "invisible(capture.output(print(e), print(summary(e)), print(b)))",
    "cat(Sys.getlocale('LC_CTYPE'), 'done')"
  ), "LC_ALL=C")
  expect_equal(as.vector(last), "C done", info = paste(attr(last, "said"), collapse = "\n"))
})

test_that("an integer NA is a hole and no number", {
  labels <- data$labels
  storage.mode(labels) <- "integer"
  labels[3, ] <- NA
  e <- bbc_correct(labels, data$truth, "accuracy", seed = 1)
  expect_identical(e$left_out_rows, 3L)
  labels[5, 2] <- NA
  expect_refused(bbc_correct(labels, data$truth, "accuracy"), "row 5, configuration 2")
  counts <- matrix(rep(1:40, 2), 40)
  counts[1, ] <- NA
  expect_warning(e <- bbc_correct(counts, 1:40, "mean_squared_error", seed = 1), "BBC017")
  expect_equal(e$apparent, 0)
  expect_refused(bbc_correct(counts[-1, ], c(NA, 3:40), "mean_squared_error"), "NA at row 1")
  expect_refused(bbc_tt(counts[-1, ], 2:40, "mean_squared_error", replace(1:39, 2, NA)),
                 "`folds` is NA at row 2")
})

test_that("factors are read by their labels, not by their codes", {
  truth <- factor(c("b", "a")[data$truth + 1], c("b", "a", "unused"))
  frame <- as.data.frame(data$labels)
  frame[] <- lapply(frame, function(column) factor(c("b", "a")[column + 1], c("a", "b")))
  expect_identical(bbc_correct(frame, truth, "accuracy", seed = 1)$replicates,
                   bbc_correct(data$labels, data$truth, "accuracy", seed = 1)$replicates)
  folds <- factor(rep(c("z", "y"), 20), c("never", "y", "z"))
  expect_identical(bbc_tt(data$labels, data$truth, "accuracy", folds)$estimate,
                   bbc_tt(data$labels, data$truth, "accuracy", rep(1:2, 20))$estimate)
  frame[2, 3] <- NA
  expect_refused(bbc_correct(frame, truth, "accuracy"), "row 2, configuration 3")
})

test_that("errors and endless recursion in a function of the user's reach the user", {
  chosen_by <- function(choose) {
    bbc_correct(data$scores, data$truth, "roc_auc", selection = choose, seed = 1)
  }
  endless <- function() endless()
  # No expect_error(): it would work where the stack is full.
  classes <- tryCatch(chosen_by(function(scores, counts) endless()), error = class)
  expect_true("error" %in% classes)
  expect_error(chosen_by(function(scores, counts) stop("my own error")), "my own error")
  expect_s3_class(chosen_by(function(scores, counts) which.max(scores)), "bbc_estimate")
})
