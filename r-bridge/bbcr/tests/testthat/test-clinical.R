set.seed(3)
logit <- rnorm(90)
truth <- rbinom(90, 1, plogis(logit))
risks <- plogis(1.8 * logit + matrix(rnorm(90 * 6), 90))
folds <- rep(1:6, 15)
quietly <- suppressWarnings
described <- function(f, ..., predictions = risks, metric = "log_loss") {
  quietly(ask(f, predictions, truth, metric, n_bootstraps = 100, seed = 7, ...))
}
corrected <- function(...) {
  quietly(bbc_correct(risks, truth, "log_loss", n_bootstraps = 100, seed = 7, ...))
}
numbers <- function(x) stats::setNames(x$quantities$apparent, x$quantities$quantity)

test_that("recalibration of all rows is that of glm()", {
  found <- described(bbc_calibration)
  x <- qlogis(risks[, found$performance$winner])
  line <- glm(truth ~ x, binomial, epsilon = 1e-14)
  expect_equal(unname(numbers(found)[c("intercept beside the slope", "calibration slope")]),
               unname(coef(line)), tolerance = 1e-9)
  offset <- glm(truth ~ offset(x), binomial, epsilon = 1e-14)
  expect_equal(numbers(found)[["calibration in the large"]], unname(coef(offset)),
               tolerance = 1e-9)
  weights <- rep(c(1, 2, 3), 30)
  found <- described(bbc_calibration, sample_weight = weights)
  x <- qlogis(risks[, found$performance$winner])
  line <- glm(truth ~ x, binomial, weights = weights, epsilon = 1e-14)
  expect_equal(numbers(found)[["calibration slope"]], unname(coef(line)[[2]]), tolerance = 1e-9)
})

test_that("the Brier score and its parts are those of their formulas", {
  found <- described(bbc_calibration, n_bins = 5)
  p <- risks[, found$performance$winner]
  parts <- numbers(found)
  expect_equal(parts[["Brier score"]], mean((p - truth)^2))
  bins <- split(seq_len(90)[order(p)], rep(1:5, each = 18))
  gap <- vapply(bins, function(rows) mean(truth[rows]) - mean(p[rows]), 0)
  expect_equal(parts[["calibration error"]], mean(abs(gap)))
  expect_equal(parts[["reliability"]], mean(gap^2))
  expect_equal(parts[["uncertainty"]], mean(truth) * (1 - mean(truth)))
  expect_equal(parts[["observed / expected"]], sum(truth) / sum(p))
  expect_equal(parts[["Brier score"]], parts[["reliability"]] - parts[["resolution"]] +
                 parts[["uncertainty"]] + parts[["within bins"]])
  expect_equal(sum(found$counts$events), sum(truth))
  expect_equal(sum(found$counts$others), sum(1 - truth))
  expect_identical(found$counts$events[[11]],
                   sum(truth == 1 & p >= 0.2 & p < 0.22))
})

test_that("ROC curves and partial areas are those of pROC", {
  skip_if_not_installed("pROC")
  found <- described(bbc_roc_curve, specificity = c(0.9, 0.75), sensitivity = 0.8,
                     partial = list(specificity = c(0.7, 0.95), sensitivity = c(0.8, 1)))
  p <- risks[, found$performance$winner]
  roc <- pROC::roc(truth, p, levels = 0:1, direction = "<", quiet = TRUE)
  at <- function(x, input, ret) pROC::coords(roc, x = x, input = input, ret = ret)[[ret]]
  area <- function(...) as.double(pROC::auc(roc, ..., partial.auc.correct = TRUE))
  expect_equal(unname(numbers(found)), c(
    at(c(0.9, 0.75), "specificity", "sensitivity"), at(0.8, "sensitivity", "specificity"),
    area(partial.auc = c(0.95, 0.7)), area(partial.auc = c(1, 0.8), partial.auc.focus = "se")
  ))
  plain <- described(bbc_roc_curve, partial = list(specificity = c(0.7, 0.95)),
                     standardized = FALSE)
  expect_equal(unname(numbers(plain)), as.double(pROC::auc(roc, partial.auc = c(0.95, 0.7))))
  expect_identical(plain$quantities$quantity, "partial AUC, specificity 0.7 to 0.95")
  whole <- described(bbc_roc_curve, metric = "roc_auc", partial = list(specificity = c(0, 1)),
                     standardized = FALSE)
  expect_equal(whole$quantities$estimate, whole$performance$estimate)
  # Events alone bound the area in any range; the AUC's own interval counts others, too.
  expect_lte(whole$quantities$low, whole$performance$confidence_interval$low + 1e-12)
  expect_equal(unname(numbers(whole)), whole$performance$apparent)
})

test_that("net benefit and precision are those of their formulas", {
  found <- described(bbc_decision_curve, thresholds = c(0.2, 0.5))
  p <- risks[, found$performance$winner]
  benefit <- function(treated, t) {
    mean(treated & truth == 1) - mean(treated & truth == 0) * t / (1 - t)
  }
  curve <- split(found$curve$apparent, found$curve$curve)
  by_winner <- c(benefit(p >= 0.2, 0.2), benefit(p >= 0.5, 0.5))
  to_all <- c(benefit(TRUE, 0.2), benefit(TRUE, 0.5))
  expect_equal(curve$net_benefit, by_winner)
  expect_equal(curve$treat_all, to_all)
  drawn <- reference_lines(found)
  expect_equal(drawn$y[drawn$what == "treat all"], to_all)
  expect_equal(some_points(found)$treat_all[[2]], to_all[[2]])
  expect_equal(curve$over_treat_all, by_winner - to_all)
  expect_equal(curve$standardized, by_winner / mean(truth))
  expect_identical(nrow(described(bbc_decision_curve)$curve), 4L * 99L)
  pr <- described(bbc_precision_recall_curve)
  expect_equal(pr$curve$apparent[[100]], mean(truth[risks[, pr$performance$winner] >=
    min(risks[truth == 1, pr$performance$winner])]))
  expect_equal(pr$prevalence, mean(truth))
})

test_that("all describe the winners of bbc_correct()", {
  fit <- corrected()
  expect_identical(bbc_roc_curve(fit)$performance, fit)
  for (method in c("bbc", "bbc-two-level", "bbc-f")) {
    found <- described(bbc_calibration, method = method, folds = folds)
    several <- corrected(method = method, folds = folds, secondary = "brier_score")$secondary
    expect_identical(found$performance$replicate_winners, several$brier_score$replicate_winners)
    brier <- found$quantities[found$quantities$quantity == "Brier score", ]
    expect_equal(brier$estimate, several$brier_score$estimate)
    expect_equal(brier$apparent, several$brier_score$apparent)
  }
  one <- described(bbc_calibration, n_threads = 1)
  expect_identical(described(bbc_calibration, n_threads = 2), one)
  by_fold <- described(bbc_roc_curve, pooling = "fold", folds = folds,
                       partial = list(specificity = c(0, 1)))
  expect_identical(by_fold$performance$pooling, "fold")
  expect_equal(numbers(by_fold)[[1]], {
    p <- risks[, by_fold$performance$winner]
    mean(outer(p[truth == 1], p[truth == 0], ">"))
  })
  own <- bbc_custom_metric(function(y, p) mean((p - (y == 1))^2), "own", greater_is_better = FALSE,
                           predicts = "probability")
  expect_identical(described(bbc_calibration, metric = own)$quantities,
                   described(bbc_calibration, metric = "brier_score")$quantities)
  rule <- bbc_one_standard_error(6:1)
  expect_identical(described(bbc_roc_curve, selection = rule, folds = folds)$performance$winner,
                   corrected(selection = rule, folds = folds)$winner)
})

test_that("either event, either form of predictions", {
  named <- factor(c("well", "ill")[truth + 1], levels = c("ill", "well"))
  both <- array(c(risks, 1 - risks), c(90, 6, 2))
  found <- quietly(ask(bbc_calibration, both, named, "log_loss", event_level = "ill", seed = 7,
                            n_bootstraps = 100))
  expect_equal(found$quantities, described(bbc_calibration)$quantities)
  holes <- cbind(risks, NA)
  holes[1, 7] <- 0.5
  found <- described(bbc_calibration, predictions = holes, missing = "drop-configurations")
  expect_identical(found$quantities, described(bbc_calibration)$quantities)
  table <- data.frame(row = rep(1:90, 6), configuration = rep(1:6, each = 90), truth = truth,
                      estimate = c(risks))
  found <- quietly(ask(bbc_calibration, table, metric = "log_loss", seed = 7, n_bootstraps = 100))
  expect_identical(found$quantities, described(bbc_calibration)$quantities)
  data <- bbc_data(risks, truth, folds = folds)
  found <- quietly(ask(bbc_calibration, data, metric = "log_loss", seed = 7, n_bootstraps = 100))
  expect_identical(found$quantities, described(bbc_calibration)$quantities)
})

test_that("caret models are read: labels may select, probabilities are described", {
  skip_if_not_installed("caret")
  two <- droplevels(iris[iris$Species != "setosa", ])
  set.seed(1)
  control <- caret::trainControl("cv", 5, savePredictions = "all", classProbs = TRUE)
  model <- caret::train(Species ~ Sepal.Width + Sepal.Length, two, "knn", trControl = control,
                        tuneGrid = data.frame(k = c(5, 9)))
  found <- quietly(ask(bbc_calibration, model, metric = "accuracy", seed = 1, n_bootstraps = 100))
  expect_identical(found$performance$metric, "accuracy")
  own <- model$pred[model$pred$k == c(5, 9)[[found$performance$winner]], ]
  brier <- mean((own$versicolor - (own$obs == "versicolor"))^2)
  expect_equal(numbers(found)[["Brier score"]], brier)
})

test_that("what is undefined is counted and said", {
  separated <- ifelse(truth == 1, 0.9, 0.1) + seq(-0.05, 0.05, length.out = 90)
  found <- described(bbc_calibration, predictions = matrix(separated))
  slope <- found$quantities[found$quantities$quantity == "calibration slope", ]
  expect_identical(slope$n_undefined, 100)
  expect_true(all(is.na(slope[c("estimate", "low", "high", "apparent")])))
  expect_output(print(found), "undefined in 100 of 100 replicates")
  certain <- risks
  certain[1:9, ] <- rep(c(0, 1, 0), 3)
  found <- described(bbc_calibration, predictions = certain, metric = "roc_auc")
  expect_equal(found$share_certain, 0.1)
  expect_output(print(found), "10 % of the winner's probabilities are exactly 0 or 1")
  few <- described(bbc_decision_curve, method = "bbc-two-level", folds = rep(1:3, 30))
  expect_true(all(is.na(few$curve[c("low", "high", "simultaneous_low", "simultaneous_high")])))
  expect_output(print(few), "BBC015 few folds to draw from: 3 folds")
  few <- described(bbc_calibration, method = "bbc-two-level", folds = rep(1:3, 30))
  expect_true(all(is.na(few$quantities[c("low", "high")])))
})

test_that("results have the usual methods", {
  found <- described(bbc_calibration, confidence_level = 0.9)
  expect_output(print(found), "calibration of the winner by log_loss, method bbc")
  expect_identical(as.data.frame(found), found$quantities)
  expect_identical(coef(found)[["Brier score"]], found$quantities$estimate[[5]])
  ends <- confint(found, "calibration slope")
  expect_identical(dimnames(ends), list("calibration slope", c("5 %", "95 %")))
  expect_identical(tidy(found)$conf.low, found$quantities$low)
  expect_identical(glance(found), glance(found$performance))
  curve <- described(bbc_decision_curve)
  expect_identical(as.data.frame(curve), curve$curve)
  expect_identical(unique(tidy(curve)$term), unique(curve$curve$curve))
  expect_output(print(curve), "net benefit of the winner by log_loss")
  expect_refused(coef(curve), "no single numbers")
  expect_refused(confint(found, level = 0.8), "`level`")
  roc <- described(bbc_roc_curve, specificity = 0.9)
  expect_output(print(roc), "ROC curve of the winner")
  expect_identical(tidy(roc)$term[[1]], "sensitivity")
  expect_output(print(described(bbc_precision_recall_curve)), "precision-recall curve")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  pictures <- list(found, curve, roc, described(bbc_precision_recall_curve),
                   described(bbc_decision_curve, method = "bbc-two-level", folds = rep(1:3, 30)))
  for (x in pictures) expect_identical(plot(x), x)
  skip_if_not_installed("ggplot2")
  for (x in pictures) expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(x)))
})

test_that("what a statistic cannot take is refused", {
  refused <- function(f, pattern, ...) expect_refused(described(f, ...), pattern)
  refused(bbc_calibration, "`predictions` must be in \\[0, 1\\]|`predictions` must be",
          predictions = 2 * risks, metric = "roc_auc")
  refused(bbc_decision_curve, "`predictions` must be", predictions = risks - 0.5,
          metric = "roc_auc")
  expect_refused(bbc_calibration(risks, truth, "log_loss"), "`fit` must be what bbc_correct")
  refused(bbc_calibration, "`n_bins` must be at least 1", n_bins = 0)
  refused(bbc_calibration, "`n_bins` must be one whole number", n_bins = 2.5)
  refused(bbc_decision_curve, "`thresholds` must ascend", thresholds = c(0.5, 0.2))
  refused(bbc_decision_curve, "`thresholds` must be between 0 and 1, not 1", thresholds = 1)
  refused(bbc_decision_curve, "write 10 % as 0.1", thresholds = 10)
  refused(bbc_decision_curve, "`thresholds` must be numbers", thresholds = "half")
  refused(bbc_decision_curve, "`thresholds` must be numbers", thresholds = double())
  refused(bbc_roc_curve, "`specificity` must be one number from 0 to 1", specificity = 90)
  refused(bbc_roc_curve, "`partial` must have ranges", partial = list(sensitivity = c(1, 0)))
  refused(bbc_roc_curve, "`partial` must have two numbers", partial = list(specificity = 0.9))
  refused(bbc_roc_curve, "`partial` must be a list", partial = c(0.8, 1))
  refused(bbc_roc_curve, "`standardized` must be TRUE or FALSE", standardized = NA)
  expect_refused(bbc_roc_curve(corrected(), metric = "roc_auc"), "unknown argument `metric`")
  expect_refused(quietly(ask(bbc_calibration, array(1 / 3, c(90, 2, 3)), rep(0:2, 30), "log_loss")),
                 "`truth` has 3 classes")
})

test_that("one class of several is set against the others", {
  set.seed(6)
  kind <- factor(rep(c("low", "mid", "high"), 30), c("low", "mid", "high"))
  shares <- array(runif(90 * 4 * 3), c(90, 4, 3))
  for (k in 1:3) shares[, , k] <- shares[, , k] + 0.6 * (kind == levels(kind)[[k]])
  shares <- shares / as.vector(apply(shares, 1:2, sum))
  own <- function(f, metric = "log_loss", ..., of_class = "mid") {
    quietly(ask(f, shares, kind, metric, of_class = of_class, n_bootstraps = 60, seed = 1, ...))
  }
  found <- own(bbc_calibration)
  expect_identical(found$performance, quietly(bbc_correct(shares, kind, "log_loss", n_bootstraps = 60, seed = 1)))
  p <- shares[, found$performance$winner, 2]
  yes <- kind == "mid"
  line <- glm(yes ~ qlogis(p), binomial, epsilon = 1e-14)
  expect_equal(numbers(found)[["calibration slope"]], unname(coef(line)[[2]]), tolerance = 1e-9)
  expect_equal(sum(found$counts$events), 30)
  expect_output(print(found), "calibration for mid of the winner by log_loss")
  expect_equal(own(bbc_precision_recall_curve, "roc_auc_ovr")$prevalence, 1 / 3)
  benefit <- own(bbc_decision_curve, thresholds = 0.4)$curve
  expect_equal(benefit$apparent[[1]], mean(yes & p >= 0.4) - mean(!yes & p >= 0.4) * 0.4 / 0.6)
  expect_identical(own(bbc_roc_curve)$of_class, "mid")
  expect_refused(own(bbc_calibration, of_class = "none"), '`of_class` must be "low" or "mid" or "high"')
  expect_refused(own(bbc_calibration, of_class = NULL), "`of_class` sets one against the others")
  expect_refused(described(bbc_calibration, of_class = "1"), "more than two classes")
})
