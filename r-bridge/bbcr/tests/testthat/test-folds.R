data <- binary_data()
folds <- rep(1:5, 16)

test_that("BBC-F equals a loop in R over given resamples of folds", {
  scores <- sapply(1:5, function(k) colMeans(data$labels[folds == k, ] == data$truth[folds == k]))
  set.seed(2)
  resamples <- t(replicate(40, sample.int(5, replace = TRUE)))
  resamples <- resamples[apply(resamples, 1, function(drawn) length(unique(drawn)) < 5), ]
  expected <- apply(resamples, 1, function(drawn) {
    winner <- which.max(round(rowMeans(scores[, drawn]), 12))
    mean(scores[winner, setdiff(1:5, drawn)])
  })
  e <- bbc_correct(data$labels, data$truth, "accuracy", method = "bbc-f", folds = folds,
                   resamples = resamples, confidence_level = 0.8)
  expect_equal(e$replicates, expected)
  expect_equal(e$apparent, max(rowMeans(scores)))
  expect_equal(c(e$method, e$unit, e$pooling), c("bbc-f", "fold", "fold"))
  expect_equal(e$n_folds, 5)
  expect_output(print(summary(e)), "method bbc-f, mean of folds")
})

test_that("few folds have limits no closer than by Student's t", {
  few <- rep_len(1:3, length(folds))
  first <- function(scores, counts) which.max(scores)
  for (selection in list("best", first)) {
    e <- bbc_correct(data$labels, data$truth, "balanced_accuracy", method = "bbc-f", folds = few,
                     selection = selection, seed = 1)
    scores <- vapply(1:3, function(k) {
      right <- data$labels[few == k, e$winner] == data$truth[few == k]
      mean(tapply(right, data$truth[few == k], mean))
    }, 0)
    half <- stats::qt(0.975, 2) * sqrt(2 / 3) * stats::sd(scores)
    interval <- e$confidence_interval
    expect_lte(interval$low, max(0, e$estimate - half) + 1e-12)
    expect_gte(interval$high, min(1, e$estimate + half) - 1e-12)
    level <- stats::qt(0.95, 2) * sqrt(2 / 3) * stats::sd(scores)
    expect_lte(confint(e, level = 0.9)[[1]], max(0, e$estimate - level) + 1e-12)
  }
  expect_true(bbc_bound(data$scores, data$truth, few, "bbc-f", seed = 1)$feasible)
})

test_that("groups of drawn folds are the units of the classes' shares, with the bits of Python", {
  i <- 1:60
  truth <- as.integer(sin(i * 1.7) > 0)
  scores <- round(sapply(1:6, function(j) 0.5 + 0.35 * sin(i * 1.7 + 0.9 * j)), 6)
  groups <- (i - 1) %/% 2
  by <- function(groups) {
    e <- suppressWarnings(bbc_correct(scores, truth, "brier_score", "bbc-f", folds = (i - 1) %/% 2 %% 6,
                                      groups = groups, seed = 1, n_bootstraps = 200))
    c(e$estimate, e$confidence_interval$low, e$confidence_interval$high)
  }
  expect_identical(by(groups), c(0.20924768500456623, 0.1150273124910001, 0.30691871267728843))
  expect_false(identical(by(groups)[2:3], by(NULL)[2:3]))
})

test_that("TT is the apparent score less the mean distance from each fold's best", {
  scores <- sapply(1:5, function(k) colMeans(data$labels[folds == k, ] == data$truth[folds == k]))
  winner <- which.max(rowMeans(scores))
  e <- bbc_tt(data$labels, data$truth, "accuracy", folds)
  expect_equal(e$winner, winner)
  expect_equal(e$estimate, mean(scores[winner, ]) - mean(apply(scores, 2, max) - scores[winner, ]))
  expect_null(e$confidence_interval)
  expect_null(e$replicates)
  for (metric in c("roc_auc", "mean_squared_error", "spearman")) {
    e <- bbc_tt(data$scores, data$truth, metric, folds)
    expect_identical(abs(e$apparent - e$estimate), e$optimism) # the same bits as in Python
  }
})

test_that("a result without interval has its methods", {
  e <- bbc_tt(data$scores, data$truth, "roc_auc", folds)
  expect_output(print(e), "no interval")
  expect_output(print(summary(e)), "method tt, mean of folds")
  expect_equal(coef(e), c(roc_auc = e$estimate))
  expect_true(is.na(as.data.frame(e)$low))
  expect_refused(confint(e), "method \"tt\" gives none")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(e), e) # its two estimates
  expect_refused(plot(e, "replicates"), "no replicates")
  skip_if_not_installed("generics")
  expect_true(is.na(generics::tidy(e)$conf.high))
  expect_equal(generics::glance(e)$method, "tt")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(e), "ggplot")
  expect_refused(ggplot2::autoplot(e, "replicates"), "no replicates")
})

test_that("one standard error prefers the simple among equals", {
  set.seed(3)
  truth <- rnorm(60)
  predictions <- truth + matrix(rnorm(300), 60)
  rule <- bbc_one_standard_error(c(5, 4, 3, 2, 1))
  e <- bbc_correct(predictions, truth, "mean_squared_error", folds = rep(1:6, 10),
                   selection = rule, seed = 1)
  errors <- colMeans((predictions - truth)^2)
  by_fold <- tapply((predictions[, which.min(errors)] - truth)^2, rep(1:6, 10), mean)
  near <- errors <= min(errors) + sd(by_fold) / sqrt(6)
  expect_equal(e$winner, max(which(near)))
  expect_output(print(rule), "5 configurations")
  holed <- predictions
  holed[7, 5] <- NA
  e <- bbc_correct(holed, truth, "mean_squared_error", folds = rep(1:6, 10), selection = rule,
                   missing = "drop-configurations", seed = 1)
  expect_equal(e$winner, max(which(near[1:4])))
})

test_that("a function may choose the winners", {
  best <- function(scores, counts) which.max(scores)
  same <- function(...) {
    by_function <- bbc_correct(..., folds = folds, selection = best, seed = 1)
    by_function$design$selection <- "best"
    expect_equal(by_function, bbc_correct(..., folds = folds, seed = 1))
    expect_identical(by_function$replicates, bbc_correct(..., folds = folds, seed = 1)$replicates)
  }
  same(data$scores, data$truth, "roc_auc")
  same(data$scores, data$truth, "roc_auc", pooling = "fold")
  same(data$scores, data$truth, "roc_auc", method = "bbc-f", alternative = "greater")
  worst <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1,
                       selection = function(scores, counts) which.min(scores))
  expect_lt(worst$apparent, bbc_correct(data$scores, data$truth, "roc_auc", seed = 1)$apparent)
  seen <- NULL
  always <- function(scores, counts) {
    seen <<- rbind(seen, c(length(scores), length(counts), sum(counts)))
    3
  }
  e <- bbc_correct(data$labels, data$truth, "zero_one_loss", selection = always, n_bootstraps = 50,
                   seed = 1)
  expect_equal(unique(seen), matrix(c(12, 80, 80), 1))
  expect_equal(unique(e$replicate_winners), 3)
  expect_equal(e$apparent, mean(data$labels[, 3] != data$truth))
  expect_equal(e$optimism, e$estimate - e$apparent)
  chosen_by <- function(choose) bbc_correct(data$scores, data$truth, "roc_auc", selection = choose)
  expect_refused(chosen_by(function(scores, counts) 13), "returned 13, there are 12")
  expect_refused(chosen_by(function(scores, counts) "a"), "must return the number")
})

test_that("mistakes about folds and rules are refused", {
  correct <- function(...) bbc_correct(data$scores, data$truth, "roc_auc", ...)
  expect_refused(correct(method = "bbc-f"), "`folds` is needed by `method = \"bbc-f\"`")
  expect_refused(correct(method = "bbc-f", folds = folds, stratify_bootstrap = TRUE),
                 "`stratify_bootstrap` has no meaning")
  rule <- bbc_one_standard_error(1:12)
  expect_refused(correct(selection = rule), "`folds` is needed by `selection")
  expect_refused(correct(selection = bbc_one_standard_error(1:3), folds = folds), "3 numbers for 12")
  expect_refused(correct(selection = "one"), "`selection` must be")
  expect_refused(bbc_one_standard_error("a"), "`complexity` must be")
  expect_refused(bbc_one_standard_error(c(1, NA)), "not finite at configuration 2")
  expect_refused(bbc_tt(data$scores, data$truth, "roc_auc"), "`folds` is needed by bbc_tt")
  truth <- factor(c("well", "ill")[data$truth + 1])
  lacking <- replace(rep(c("a", "b"), 40), truth == "ill", "b")
  for (compute in list(bbc_tt, function(...) bbc_correct(..., method = "bbc-f"))) {
    expect_refused(compute(data$scores, truth, "roc_auc", folds = lacking, event_level = "ill"),
                   "a row of class ill.*repeat 1, fold a", "bbc_undefined_metric")
  }
  alone <- replace(rep(1:2, 40), 1, 3)
  expect_warning(bbc_tt(data$labels, data$truth, "accuracy", alone), "single row")
})

test_that("errors of the kernel name the class, whatever its number", {
  truth <- c(1, 1, rep(2, 78))
  lacking <- replace(rep(1:2, 40), 1:2, 1)
  expect_refused(bbc_tt(data$scores, truth, "roc_auc", lacking, event_level = 2),
                 "a row of class 1", "bbc_undefined_metric")
  expect_refused(bbc_correct(data$scores, c(1, rep(2, 79)), "roc_auc", event_level = 2),
                 "class 1 has 1 row", "bbc_undefined_metric")
})

test_that("labels within which folds were drawn are in the place of the classes, with the bits of Python", {
  i <- 1:60
  truth <- round(sin(i * 1.7), 6)
  bins <- (i - 1) %/% 20
  values <- round(sapply(1:6, function(j) truth * 0.5 + (1 + bins) * 0.3 * sin(i * 2.3 + 0.9 * j)), 6)
  by <- function(...) {
    bbc_correct(values, truth, "mean_absolute_error", folds = (i - 1) %% 6, seed = 1, n_bootstraps = 200, ...)
  }
  numbers <- function(e) c(e$estimate, e$confidence_interval$low, e$confidence_interval$high)
  of_folds <- by("bbc-f", stratified_by = bins)
  expect_identical(numbers(of_folds), c(0.47654216425, 0.364914726245043, 0.5987743444702593))
  expect_identical(numbers(by("bbc-two-level", stratified_by = bins)),
                   c(0.47700740870833336, 0.36537997070337636, 0.5992395889285926))
  within <- by("bbc", stratified_by = bins, stratify_bootstrap = TRUE)
  expect_identical(numbers(within), c(0.5259152274513922, 0.4142877894464352, 0.6481474076716515))
  # Of fixed counts the spread within classes counts, and the result says so; so does what is not read.
  fixed <- by("bbc-f", stratified_by = bins, class_counts = "fixed")
  expect_identical(numbers(fixed), c(0.47654216425, 0.3647667132915563, 0.5932157697580978))
  expect_match(fixed$notes, "the counts of the classes are fixed by the design")
  expect_length(of_folds$notes, 0)
  expect_match(by("bbc", stratified_by = bins)$notes, "drawn freely, so that stratified_by is not read")
  # Further metrics, and data that know them.
  expect_identical(numbers(bbc_score(of_folds, "mean_squared_error")),
                   c(0.34167516341218085, 0.21942763260662285, 0.4916992720123645))
  expect_identical(numbers(bbc_score(within, "mean_squared_error")),
                   c(0.4025953670805322, 0.28034783627497417, 0.5526194756807159))
  data <- bbc_data(values, truth, folds = (i - 1) %% 6, stratified_by = bins)
  expect_output(print(data), "stratified by labels")
  again <- bbc_correct(data, metric = "mean_absolute_error", method = "bbc-f", seed = 1, n_bootstraps = 200)
  expect_identical(numbers(again), numbers(of_folds))
})

test_that("curves say that they leave out the shares of the classes", {
  i <- 1:90
  truth <- as.integer(sin(i * 1.7) > 0.6)
  risks <- round(plogis(sapply(1:3, function(j) truth + 2 * sin(i * 2.3 + 0.9 * j))), 6)
  said <- function(...) {
    fit <- bbc_correct(risks, truth, "log_loss", folds = (i - 1) %% 6, seed = 1, n_bootstraps = 200, ...)
    clinical <- bbc_clinical(fit, secondary = character())
    parts <- clinical[c("calibration", "decision_curve", "precision_recall_curve", "roc_curve")]
    for (part in parts) expect_true(all(fit$findings$code %in% part$findings$code))
    found <- lapply(parts, function(part) part$findings$detail[part$findings$code == "BBC035"])
    shown <- any(grepl("BBC035", capture.output(print(clinical))))
    expect_identical(shown, length(found$calibration) > 0)
    unname(found)
  }
  nothing <- rep(list(character()), 4)
  of_folds <- c(rep(list("whole folds are drawn"), 3), list(character()))
  expect_identical(said(), nothing)
  expect_identical(said(method = "bbc-f"), of_folds)
  expect_identical(said(method = "bbc-two-level"), of_folds)
  expect_identical(said(method = "bbc-f", class_counts = "fixed"), nothing)
  expect_identical(said(stratify_bootstrap = TRUE)[[1]], "rows are drawn within the classes")
})

test_that("differences of subgroups hold what folds hide of the classes", {
  i <- 1:90 - 1
  truth <- as.integer(i %% 3 == 0)
  risks <- round(sapply(1:3, function(j) 0.5 + 0.25 * (truth - 0.2) * (1 + sin(i * 2.3 + 0.9 * j)) / 2), 6)
  error <- function(counts) {
    fit <- bbc_correct(risks, truth, "brier_score", folds = i %/% 3 %% 6, method = "bbc-two-level",
                       class_counts = counts, seed = 1, n_bootstraps = 200)
    bbc_subgroups(fit, i %/% 18 %% 2)$differences$standard_error
  }
  expect_identical(c(error("sampled"), error("fixed")), c(0.011406048189572004, 0.009102719531010186))
})

test_that("fixed counts and labels without meaning are refused", {
  correct <- function(...) {
    bbc_correct(data$scores, data$truth + data$scores[, 2], "mean_squared_error", folds = folds, ...)
  }
  expect_refused(correct(class_counts = "fixed"), "has no effect where rows are drawn freely")
  expect_refused(correct(class_counts = "fixed", method = "bbc-f"), "needs classes, `truth` has none")
  expect_refused(correct(class_counts = "drawn"), "`class_counts` must be \"sampled\" or \"fixed\"")
  expect_refused(correct(stratified_by = rep(1, 80)), "`stratified_by` has one label")
  expect_refused(correct(stratified_by = 1:80 / 7), "80 different real numbers")
  expect_refused(correct(stratified_by = 1:3), "`stratified_by` has 3 rows")
})
