set.seed(5)
truth <- rep(0:1, 100)
folds <- rep(1:5, each = 2, length.out = 200)
predictions <- truth + matrix(rnorm(200 * 30), 200)
methods <- c("bbc", "bbc-f", "delong", "hanley-mcneil", "bt", "mabt", "nb")
bounded <- function(...) bbc_bound(predictions, truth, folds, seed = 1, ...)

test_that("every method bounds the AUC of a configuration from below", {
  for (method in methods) {
    b <- bounded(method = method)
    expect_true(b$feasible, label = method)
    expect_lt(b$low, b$estimate)
    expect_equal(b$confidence_interval$high, 1)
    expect_true(b$winner %in% 1:30)
    expect_equal(length(b$evaluation_rows), if (method %in% c("bbc", "bbc-f", "nb")) 0 else 50)
  }
  expect_identical(bounded(method = "mabt"), bounded(method = "mabt", n_threads = 1))
})

test_that("DeLong's bound is that of pROC on the evaluation rows", {
  skip_if_not_installed("pROC")
  b <- bounded(method = "delong")
  rows <- b$evaluation_rows
  roc <- pROC::roc(truth[rows], predictions[rows, b$winner], levels = 0:1, direction = "<")
  expect_equal(b$low, as.numeric(pROC::ci.auc(roc, conf.level = 0.9))[[1]])
})

test_that("the bound of BBC is its correction's", {
  e <- bbc_correct(predictions, truth, "roc_auc", alternative = "greater", seed = 1)
  b <- bounded()
  expect_identical(b, bbc_bound(predictions, truth, method = "bbc", seed = 1))
  expect_identical(c(b$estimate, b$low), c(e$estimate, e$confidence_interval$low))
})

test_that("left out rows keep their numbers", {
  holed <- rbind(NA, predictions)
  b <- bbc_bound(holed, c(1, truth), c(1, folds), "delong", seed = 1)
  expect_identical(b$low, bounded(method = "delong")$low)
  expect_identical(b$evaluation_rows, bounded(method = "delong")$evaluation_rows + 1L)
})

test_that("methods without an answer say why", {
  ill <- factor(replace(rep("well", 200), truth == 1 & folds > 1, "ill"))
  b <- bbc_bound(predictions, ill, folds, "delong", event_level = "ill", seed = 1)
  expect_false(b$feasible)
  expect_null(b$estimate)
  expect_match(b$infeasible, "fold 1 has no row of the positive class")
  expect_output(print(b), "no bound")
  expect_output(print(summary(b)), "no bound")
  expect_true(is.na(coef(b)))
  expect_true(all(is.na(confint(b))))
  b <- bbc_bound(predictions, ill, folds, "bbc-f", event_level = "ill", seed = 1)
  expect_match(b$infeasible, "repeat 1, fold 1")
})

test_that("bounds have the usual methods", {
  b <- bounded(method = "bt", rule = "top10%")
  expect_output(print(b), "at least .* [(]95 %[)]")
  expect_equal(unname(confint(b)[1, ]), c(b$low, 1))
  expect_refused(confint(b, level = 0.8), "compute it again")
  expect_equal(as.data.frame(b)$bound, b$low)
  expect_lte(max(nchar(capture.output(print(summary(b))))), 80)
  expect_match(paste(capture.output(print(summary(b))), collapse = " "), "another seed +splits")
  file <- tempfile(fileext = ".png")
  grDevices::png(file)
  expect_identical(plot(b), b)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  skip_if_not_installed("generics")
  expect_equal(generics::tidy(b)$conf.low, as.data.frame(b)$bound)
  expect_equal(generics::tidy(b)$estimate, b$estimate)
  expect_equal(generics::glance(b)$rule, "top10%")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(b)), "ggplot_built")
  perfect <- suppressWarnings(bbc_bound(cbind(a = truth, b = truth), truth, folds, "bt", seed = 1))
  expect_equal(picture(perfect)$panels[[1]]$y$labels, "bt (no bound)")
  expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(perfect)), "ggplot_built")
})

test_that("the choices themselves stand for the first of them, as in match.arg()", {
  expect_identical(bounded(method = "bt", rule = c("best", "top10%")), bounded(method = "bt"))
})

test_that("mistakes are refused", {
  expect_refused(bbc_bound(predictions, truth, method = "bt"), "needed by `method = \"bt\"`")
  expect_refused(bounded(method = "wald"), "`method` must be")
  expect_refused(bounded(method = "nb", rule = "top10%"), "`rule` must be \"best\"")
  expect_refused(bounded(method = "bbc", rule = "best"), "takes no rule")
  expect_refused(bounded(n_bootstraps = 10), "n_bootstraps must be at least 20")
  expect_refused(bounded(n_bootstraps = 10, confidence_level = 1 - 1e-6), "n_bootstraps must be at least 1000000$")
  expect_refused(bounded(variant = "new"), "`variant` must be")
  expect_refused(bbc_bound(list(predictions, predictions), truth, cbind(folds, folds)), "2 repeats")
  expect_refused(bbc_bound(predictions, truth + rbinom(200, 1, 0.5), folds), "needs two")
})

test_that("a bound of split rows says what the split means", {
  data <- binary_data(200, 10)
  folds <- rep(1:5, 40)
  split <- bbc_bound(data$scores, data$truth, folds, "delong", event_level = "1", seed = 1)
  expect_output(print(split), "from 50 of 200 rows that were split.*another seed")
  whole <- bbc_bound(data$scores, data$truth, folds, "bbc", event_level = "1", seed = 1)
  expect_false(any(grepl("split", utils::capture.output(print(whole)))))
})
