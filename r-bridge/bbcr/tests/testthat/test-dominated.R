data <- binary_data()

test_that("shares equal a loop in R over given resamples", {
  set.seed(2)
  resamples <- t(replicate(50, sample.int(80, replace = TRUE)))
  right <- data$labels == data$truth
  d <- bbc_dominated(data$labels, data$truth, "accuracy", dropping_level = 0.7,
                     resamples = resamples)
  best <- which.max(colSums(right))
  shares <- rowMeans(apply(resamples, 1, function(drawn) {
    hits <- colSums(right[drawn, ])
    hits < hits[[best]]
  }))
  expect_equal(d$best, best)
  expect_equal(d$share_worse, shares)
  expect_equal(d$dominated, shares > 0.7)
})

test_that("a result has its methods", {
  d <- bbc_dominated(data$scores, data$truth, "roc_auc", seed = 1,
                     names = paste("model", 1:12), dropping_level = 0.8)
  expect_equal(d, bbc_dominated(data$scores, data$truth, "roc_auc", seed = 1,
                                names = paste("model", 1:12), dropping_level = 0.8, n_threads = 1))
  expect_output(print(d), sprintf("%d of 12 configurations dominated", sum(d$dominated)))
  expect_output(print(summary(d)), "model 12")
  expect_equal(coef(d)[["model 3"]], d$share_worse[[3]])
  frame <- as.data.frame(d)
  expect_equal(frame$name[frame$best], d$best_name)
  file <- tempfile(fileext = ".png")
  grDevices::png(file)
  expect_identical(plot(d, main = "who loses"), d)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  skip_if_not_installed("generics")
  expect_equal(generics::tidy(d)$estimate, d$share_worse)
  expect_equal(generics::glance(d)$n_dominated, sum(d$dominated))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::ggplot_build(ggplot2::autoplot(d)), "ggplot_built")
  d$names <- rep("same", length(d$share_worse))
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(d))$data[[2]]
  expect_equal(anyDuplicated(drawn$y), 0)
})

test_that("mistakes are refused", {
  expect_refused(bbc_dominated(data$labels, data$truth), "`metric` is missing")
  expect_refused(bbc_dominated(data$labels, data$truth, "accuracy", dropping_level = 2),
                 "`dropping_level` must be")
  expect_refused(bbc_dominated(data$labels, data$truth, "accuracy", pooling = "fold"), "`folds`")
  # Here is no argument `missing` to advise.
  expect_refused(bbc_dominated(replace(data$labels, 3, NA), data$truth, "accuracy"),
                 "leave out such configurations or rows, as bbc_correct\\(\\) does")
})
