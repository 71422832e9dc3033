data <- binary_data()
e <- bbc_correct(data$labels, data$truth, "accuracy", seed = 1,
                 names = paste("model", seq_len(12)))

test_that("intervals of other levels nest and come from the replicates", {
  expect_equal(unname(confint(e)[1, ]), unlist(e$confidence_interval[1:2], use.names = FALSE))
  wide <- confint(e, level = 0.99)
  narrow <- confint(e, level = 0.8)
  expect_lte(wide[1], narrow[1])
  expect_gte(wide[2], narrow[2])
  expect_equal(narrow[1], sort(e$replicates)[[500]])
  expect_equal(narrow[2], sort(e$replicates)[[4500]])
  expect_refused(confint(e, level = 2), "`confidence_level`")
  expect_refused(confint(e, level = 0.9999), "n_bootstraps must be at least 20000")
})

test_that("print and summary fit 80 columns and show what matters", {
  lines <- c(capture.output(print(e)), capture.output(print(summary(e))))
  expect_true(all(nchar(lines) <= 80))
  expect_match(paste(lines, collapse = "\n"), "model")
  expect_equal(capture.output(print(summary(e)))[c(1, 4)], c(
    "accuracy of the winner (higher is better), method bbc, pooled",
    sprintf("  apparent       %s (optimism %s)", shown_of(e, e$apparent),
            shown_of(e, e$optimism))
  ))
})

test_that("of one configuration the summary says why its interval is wide", {
  one <- bbc_correct(data$scores[, 1, drop = FALSE], data$truth, "roc_auc", seed = 1)
  expect_match(paste(capture.output(print(summary(one))), collapse = " "), "such as DeLong's")
  expect_identical(one$notes, character())
  expect_false(any(grepl("DeLong", capture.output(print(summary(e))))))
})

test_that("long names are cut", {
  long <- bbc_correct(data$labels, data$truth, "accuracy", seed = 1,
                      names = paste(strrep("long name ", 10), seq_len(12)))
  lines <- c(capture.output(print(long)), capture.output(print(summary(long))))
  expect_equal(max(nchar(lines)), 80)
  expect_match(lines, paste0("seed ", long$seed), all = FALSE)
  expect_match(lines, shown_of(long, long$optimism), all = FALSE, fixed = TRUE)
})

test_that("numbers are never cut, however long the metric's name is", {
  set.seed(1)
  truth <- rnorm(60)
  long <- bbc_correct(truth + matrix(rnorm(600), 60), truth, "neg_root_mean_squared_error", seed = 1)
  interval <- sprintf("95 %% interval [%s, %s]", shown_of(long, long$confidence_interval$low),
                      shown_of(long, long$confidence_interval$high))
  lines <- capture.output(print(long))
  expect_true(all(nchar(lines) <= 80))
  expect_match(lines, interval, all = FALSE, fixed = TRUE)
  expect_false(any(grepl("...", c(lines, capture.output(print(summary(long)))), fixed = TRUE)))
  fitted <- structure(list(protocol = "BBC", performance = long, n_models_trained = 51,
                           configurations = data.frame(name = letters[1:10])),
                      class = c("bbc_protocol", "bbc_result"))
  expect_match(capture.output(print(fitted)), interval, all = FALSE, fixed = TRUE)
})

test_that("the usual generics work", {
  expect_equal(coef(e), c(accuracy = e$estimate))
  frame <- as.data.frame(e)
  expect_equal(nrow(frame), 1)
  expect_equal(frame$estimate, e$estimate)
  skip_if_not_installed("generics")
  expect_equal(generics::tidy(e)$conf.low, e$confidence_interval$low)
  expect_equal(generics::glance(e)$n_rows, 80)
})

test_that("results are drawn by base graphics and by ggplot2", {
  file <- tempfile(fileext = ".png")
  grDevices::png(file)
  expect_identical(plot(e, col = "red"), e)
  expect_silent(plot(e, breaks = 5))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(e)), "ggplot_built")
})
