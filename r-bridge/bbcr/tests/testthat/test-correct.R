test_that("a seed of R's generator makes the result reproducible", {
  data <- binary_data()
  set.seed(7)
  one <- bbc_correct(data$labels, data$truth, "accuracy")
  set.seed(7)
  expect_identical(one, bbc_correct(data$labels, data$truth, "accuracy"))
  expect_identical(one, bbc_correct(data$labels, data$truth, "accuracy", seed = one$seed))
  expect_true(one$seed >= 0 && one$seed < 2^53 && one$seed == floor(one$seed))
})

test_that("drawing a seed advances R's generator, giving one does not", {
  data <- binary_data()
  set.seed(7)
  before <- .Random.seed
  bbc_correct(data$labels, data$truth, "accuracy", seed = 1)
  expect_identical(.Random.seed, before)
  bbc_correct(data$labels, data$truth, "accuracy")
  expect_false(identical(.Random.seed, before))
})

test_that("threads change no bit", {
  data <- binary_data()
  one <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1, n_threads = 1)
  expect_identical(one, bbc_correct(data$scores, data$truth, "roc_auc", seed = 1, n_threads = 2))
})

test_that("the estimate equals a loop in R over given resamples", {
  data <- binary_data(40, 5)
  set.seed(2)
  resamples <- t(replicate(50, sample.int(40, replace = TRUE)))
  accuracy <- function(rows) colMeans(data$labels[rows, , drop = FALSE] == data$truth[rows])
  expected <- apply(resamples, 1, function(drawn) {
    accuracy(setdiff(1:40, drawn))[[which.max(round(accuracy(drawn), 12))]]
  })
  e <- bbc_correct(data$labels, data$truth, "accuracy", resamples = resamples)
  expect_equal(e$replicates, expected)
  expect_equal(e$estimate, mean(expected))
  expect_equal(e$winner, which.max(accuracy(1:40)))
  expect_equal(e$apparent, max(accuracy(1:40)))
  expect_equal(sum(e$selection_frequency), 1)
})

test_that("labels may be logicals, numbers, text or factors", {
  data <- binary_data()
  reference <- bbc_correct(data$labels, data$truth, "sensitivity", seed = 1)$replicates
  same <- function(...) {
    expect_identical(bbc_correct(..., metric = "sensitivity", seed = 1)$replicates, reference)
  }
  as_text <- function(x) ifelse(x == 1, "yes", "no")
  text <- array(as_text(data$labels), dim(data$labels))
  same(data$labels == 1, data$truth == 1)
  same(data$labels, data$truth)
  same(2L * data$labels - 1L, 2 * data$truth - 1, event_level = 1)
  same(data$labels / 2 + 0.25, data$truth / 2 + 0.25, event_level = "second")
  same(text, as_text(data$truth), event_level = "yes")
  same(text, factor(as_text(data$truth)), event_level = "second")
  same(text, factor(as_text(data$truth), c("yes", "no")), event_level = "first")
  same(text, factor(as_text(data$truth)), event_level = "yes")
  frame <- as.data.frame(lapply(as.data.frame(text), factor, levels = c("yes", "no")))
  same(frame, factor(as_text(data$truth)), event_level = "yes")
})

test_that("the event level decides the AUC and is shown", {
  data <- binary_data()
  truth <- factor(data$truth, 0:1, c("healthy", "ill"))
  ill <- bbc_correct(data$scores, truth, "roc_auc", event_level = "ill", seed = 1)
  healthy <- bbc_correct(-data$scores, truth, "roc_auc", event_level = "first", seed = 1)
  expect_equal(ill$event, "ill")
  expect_equal(healthy$event, "healthy")
  expect_identical(ill$replicates, healthy$replicates)
  expect_refused(bbc_correct(data$scores, truth, "roc_auc"), "`event_level` is needed")
  expect_refused(bbc_correct(data$scores, truth, "brier_score"), "`event_level` is needed")
  expect_output(print(summary(ill)), "event +ill")
})

test_that("class probabilities of two classes in an array need no event", {
  data <- binary_data()
  p <- plogis(data$scores)
  both <- array(c(1 - p, p), c(dim(p), 2))
  truth <- factor(data$truth)
  flat <- bbc_correct(p, truth, "brier_score", event_level = "second", seed = 1)
  expect_equal(bbc_correct(both, truth, "brier_score", seed = 1)$estimate, flat$estimate)
  auc <- bbc_correct(both, truth, "roc_auc", event_level = "first", seed = 1)
  expect_equal(auc$replicates,
               bbc_correct(1 - p, truth, "roc_auc", event_level = "first", seed = 1)$replicates)
})

test_that("the ranked probability score is that of published forecasts", {
  # A. C. Constantinou, N. E. Fenton, Journal of Quantitative Analysis in Sports 8 (2012), Table 2.
  forecasts <- rbind(c(0.8, 0.1, 0.1), c(0.5, 0.25, 0.25), c(0.6, 0.25, 0.15))
  truth <- factor(rep("home", 40), c("home", "draw", "away"))
  predictions <- aperm(array(forecasts, c(3, 3, 40)), c(3, 1, 2))
  e <- bbc_correct(predictions, truth, "ranked_probability_score", seed = 1)
  expect_equal(e$winner, 1)
  expect_equal(e$apparent, 0.025)
  expect_equal(bbc_correct(predictions[, 2, , drop = FALSE], truth, "ranked_probability_score",
                           seed = 1)$apparent, 0.15625)
  text <- rep(c("home", "draw"), 20)
  text[3] <- "away"
  expect_refused(bbc_correct(predictions, text, "ranked_probability_score"),
                 "`truth` is text")
})

test_that("the concordance index takes a Surv truth and agrees with survival", {
  skip_if_not_installed("survival")
  set.seed(3)
  risk <- matrix(rnorm(200), 50)
  truth <- survival::Surv(rexp(50) * exp(-risk[, 1]), rbinom(50, 1, 0.7))
  e <- bbc_correct(risk, truth, "concordance_index", seed = 1)
  expect_equal(e$winner, 1)
  expect_null(e$event)
  expect_false(any(grepl("event", c(capture.output(print(e)), capture.output(print(summary(e)))))))
  expect_equal(e$apparent, survival::concordance(truth ~ risk[, 1], reverse = TRUE)$concordance[[1]])
  expect_refused(bbc_correct(risk, truth[, 1], "concordance_index"), "`truth` must be survival::Surv")
  expect_refused(bbc_correct(risk, truth, "r2"), "Surv object")
  left <- survival::Surv(rexp(50), rep(1, 50), type = "left")
  expect_refused(bbc_correct(risk, left, "concordance_index"), "right-censored")
})

test_that("repeats are a list, folds a column per repeat", {
  data <- binary_data()
  other <- data$scores + rnorm(length(data$scores))
  folds <- cbind(rep(1:4, 20), rep(1:4, each = 20))
  e <- bbc_correct(list(data$scores, other), data$truth, "roc_auc", folds = folds,
                   pooling = "fold", seed = 1)
  expect_equal(e$n_repeats, 2)
  expect_equal(e$n_folds, 4)
  as_list <- list(folds[, 1], folds[, 2])
  expect_identical(bbc_correct(list(data$scores, other), data$truth, "roc_auc", folds = as_list,
                               pooling = "fold", seed = 1), e)
})

test_that("holes are left out or refused as asked", {
  data <- binary_data()
  scores <- data$scores
  scores[5, ] <- NA
  e <- bbc_correct(scores, data$truth, "roc_auc", seed = 1)
  expect_equal(e$left_out_rows, 5)
  expect_identical(e$replicates,
                   bbc_correct(scores[-5, ], data$truth[-5], "roc_auc", seed = 1)$replicates)
  scores[7, 3] <- NaN
  expect_refused(bbc_correct(scores, data$truth, "roc_auc"), "repeat 1, row 7, configuration 3")
  e <- bbc_correct(scores, data$truth, "roc_auc", seed = 1, missing = "drop-configurations")
  expect_equal(e$left_out_configurations, 3)
  expect_equal(e$n_configurations, 12)
  expect_equal(e$selection_frequency[[3]], 0)
  labels <- data$labels
  labels[7, 3] <- NA
  expect_equal(bbc_correct(labels, data$truth, "accuracy", seed = 1,
                           missing = "drop-rows")$left_out_rows, 7)
})

test_that("losses per row need no truth", {
  data <- binary_data()
  losses <- (data$scores - data$truth)^2
  a <- bbc_correct(losses, metric = "row_loss", seed = 1)
  b <- bbc_correct(data$scores, data$truth, "mean_squared_error", seed = 1)
  expect_identical(a$replicates, b$replicates)
})

test_that("groups, weights, strata and one-sided intervals reach the kernel", {
  data <- binary_data()
  e <- bbc_correct(data$labels, data$truth, "accuracy", groups = rep(1:20, each = 4), seed = 1)
  expect_equal(e$unit, "group")
  e <- bbc_correct(data$scores, data$truth, "roc_auc", stratify_bootstrap = TRUE,
                   sample_weight = rep(2, 80), alternative = "greater", seed = 1)
  expect_equal(e$confidence_interval$high, 1)
  e <- bbc_correct(data$scores, data$truth, "mean_squared_error", alternative = "less", seed = 1)
  expect_equal(e$confidence_interval$low, 0)
})

test_that("too many redraws warn once and are noted", {
  truth <- c(1, 1, rep(0, 30))
  set.seed(1)
  expect_warning(e <- bbc_correct(matrix(rnorm(64), 32), truth, "roc_auc", seed = 1),
                 "stratify_bootstrap = TRUE")
  expect_true("BBC006" %in% e$findings$code)
})
