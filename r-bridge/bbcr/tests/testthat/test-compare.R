data <- binary_data(n_configurations = 12)
families <- list(large = data$scores[, 1:9], single = data$scores[, 10, drop = FALSE],
                 pair = data$scores[, 11:12])
folds <- rep(1:5, 16)
compared <- function(...) {
  bbc_compare(families, data$truth, "roc_auc", n_bootstraps = 200, seed = 1, ...)
}

test_that("estimates are those of bbc_correct() on the same draws", {
  result <- compared()
  expect_s3_class(result, "bbc_comparison")
  expect_identical(result$method, "bbc")
  for (name in names(families)) {
    expect_identical(result$estimates[[name]],
                     bbc_correct(families[[name]], data$truth, "roc_auc", n_bootstraps = 200,
                                 seed = 1))
  }
  expect_identical(result$differences$first, c("large", "large", "single"))
  expect_identical(result$differences$second, c("single", "pair", "pair"))
  expect_identical(result$replicates[, "large - pair"],
                   result$estimates$large$replicates - result$estimates$pair$replicates)
  expect_equal(result$differences$estimate, unname(colMeans(result$replicates)))
  expect_equal(result$differences$first_better, unname(colMeans(result$replicates > 1e-12)))
  expect_true(all(with(result$differences, low <= estimate & estimate <= high)))
  significant <- result$differences$p_value < 0.05
  expect_identical(significant, with(result$differences, low > 0 | high < 0))
})

test_that("folds are drawn only where it is said", {
  expect_identical(compared(folds = folds)$method, "bbc")
  drawn <- compared(folds = folds, method = "bbc-two-level")
  expect_identical(drawn$method, "bbc-two-level")
  expect_null(drawn$notes)
  expect_refused(compared(folds = folds, method = "auto"), "`method`")
  few <- suppressWarnings(compared(folds = rep(1:2, 40), method = "bbc-two-level"))
  expect_match(few$infeasible, "at least 4 folds")
  expect_true(all(is.na(few$differences$p_value)))
  expect_output(print(few), "no interval")
})

test_that("standard errors are those of the winners' placements, with shared training rows", {
  result <- compared()
  expect_match(result$notes, "share training rows")
  is_event <- data$truth == result$estimates$large$event
  n <- c(sum(!is_event), sum(is_event))
  placements <- function(scores) {
    other <- function(i) scores[is_event != is_event[[i]]]
    below <- vapply(seq_along(scores), function(i) {
      mean((other(i) < scores[[i]]) + 0.5 * (other(i) == scores[[i]]))
    }, 0)
    ifelse(is_event, below, 1 - below)
  }
  values <- lapply(names(families), function(name) {
    placements(families[[name]][, result$estimates[[name]]$winner])
  })
  e <- values[[1]] - values[[2]]
  e <- e - ave(e, is_event)
  variance <- sum(e[is_event]^2) / (n[[2]] * (n[[2]] - 1)) +
    sum(e[!is_event]^2) / (n[[1]] * (n[[1]] - 1))
  expect_equal(result$differences$standard_error[[1]], sqrt(2 * variance))
  expect_identical(result$differences$degrees_of_freedom[[1]], min(n) - 1)
  repeated <- bbc_compare(lapply(families, function(own) list(own, own)), data$truth, "roc_auc",
                          n_bootstraps = 200, seed = 1)
  expect_equal(repeated$differences$standard_error[[1]], sqrt(2.25 * variance))
})

test_that("copies count once, and a function of R has the jackknife", {
  copied <- families
  copied$large <- families$large[, rep(1:9, 20)]
  again <- bbc_compare(copied, data$truth, "roc_auc", n_bootstraps = 200, seed = 1)
  expect_identical(again$differences$p_value, compared()$differences$p_value)
  squared <- bbc_custom_metric(function(truth, prediction) mean((truth - prediction)^2), "own",
                               greater_is_better = FALSE)
  numbers <- as.numeric(data$scores[, 12])
  given <- list(one = data$scores[, 1, drop = FALSE], two = data$scores[, 2, drop = FALSE])
  by_function <- bbc_compare(given, numbers, squared, n_bootstraps = 40, seed = 1)
  by_kernel <- bbc_compare(given, numbers, "mean_squared_error", n_bootstraps = 40, seed = 1)
  expect_equal(by_function$differences$standard_error, by_kernel$differences$standard_error)
})

test_that("a reference is second, and losses favour the smaller", {
  result <- compared(reference = "single")
  expect_identical(result$differences$first, c("large", "pair"))
  expect_identical(unique(result$differences$second), "single")
  p <- lapply(families, stats::plogis)
  loss <- bbc_compare(p, data$truth, "brier_score", seed = 1, n_bootstraps = 100)
  expect_identical(loss$replicates[, "large - single"],
                   0 - (loss$estimates$large$replicates - loss$estimates$single$replicates))
})

test_that("one matrix is split by the family of each configuration", {
  which <- rep(names(families), c(9, 1, 2))
  split <- bbc_compare(data$scores, data$truth, "roc_auc", by = which, n_bootstraps = 200,
                       seed = 1)
  expect_identical(split$differences, compared()$differences)
  mixed <- order(c(1:12 * 7) %% 13)
  shuffled <- bbc_compare(data$scores[, mixed], data$truth, "roc_auc", by = which[mixed],
                          n_bootstraps = 200, seed = 1)
  expect_setequal(names(shuffled$estimates), names(families))
  labels <- paste0("c", 1:12)
  named <- data$scores
  colnames(named) <- labels
  split <- bbc_compare(named, data$truth, "roc_auc", by = which, n_bootstraps = 50, seed = 1)
  expect_identical(split$estimates$pair$names, labels[11:12])
  expect_refused(bbc_compare(data$scores, data$truth, "roc_auc", by = "a"),
                 "`by` must give the family of each of the 12 configurations")
  expect_refused(bbc_compare(data$scores, data$truth, "roc_auc", by = rep("a", 12)),
                 "one family")
})

test_that("the methods that broom users expect are there", {
  result <- compared(confidence_level = 0.9)
  frame <- as.data.frame(result)
  expect_identical(frame$first_estimate[[1]], result$estimates$large$estimate)
  tidied <- generics::tidy(result)
  expect_identical(tidied$term, c("large - single", "large - pair", "single - pair"))
  expect_identical(tidied$p.value, result$differences$p_value)
  expect_identical(generics::glance(result)$n_families, 3L)
  expect_output(print(result), "roc_auc of 3 families \\(higher is better\\), method bbc")
  expect_output(print(result), "large - single")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(result), result)
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(result)))
})

test_that("unlike families are refused", {
  other <- families
  other$pair <- other$pair[1:70, ]
  expect_refused(bbc_compare(other, data$truth, "roc_auc"), "`predictions[$]pair` has 70")
  other$pair <- list(families$pair, families$pair)
  expect_refused(bbc_compare(other, data$truth, "roc_auc"),
                 "family pair has another number of repeats than family large")
  other$pair <- replace(families$pair, 3, NA)
  expect_refused(bbc_compare(other, data$truth, "roc_auc", missing = "drop-rows"),
                 "family pair has predictions of other rows than family large")
  expect_refused(bbc_compare(families["pair"], data$truth, "roc_auc"), "has 1 family")
  expect_refused(bbc_compare(unname(families), data$truth, "roc_auc"), "must be a named list")
  expect_refused(bbc_compare(data$scores, data$truth, "roc_auc"), "must be a named list")
  fit <- bbc_correct(data$scores, data$truth, "roc_auc", n_bootstraps = 200, seed = 1)
  expect_refused(bbc_compare(fit), "`predictions` is one correction")
  expect_identical(bbc_compare(fit, by = rep(c("a", "b"), each = 6), n_bootstraps = 200, seed = 1)$differences,
                   bbc_compare(data$scores, data$truth, "roc_auc", by = rep(c("a", "b"), each = 6),
                               n_bootstraps = 200, seed = 1)$differences)
  expect_refused(compared(reference = "none"), "`reference` must be one of the families")
  expect_refused(compared(selection = bbc_one_standard_error(1:9), folds = folds),
                 "ranks the configurations of one search")
  expect_refused(compared(method = "bbc-f"), "`method`")
  expect_refused(bbc_compare(families, data$truth), "`metric` is missing")
})

test_that("tables are families too", {
  long <- function(scores) {
    data.frame(row = rep(seq_len(80), ncol(scores)), truth = data$truth,
               configuration = rep(seq_len(ncol(scores)), each = 80), estimate = c(scores))
  }
  result <- bbc_compare(lapply(families, long), metric = "roc_auc", n_bootstraps = 200, seed = 1)
  expect_identical(result$differences, compared()$differences)
})

test_that("one fitted model is no list of families", {
  skip_if_not_installed("glmnet")
  fit <- glmnet::cv.glmnet(data$scores, data$truth, keep = TRUE)
  expect_refused(bbc_compare(fit, data$truth, "mean_squared_error"), "must be a named list")
})

test_that("cut-offs and ensembles are compared as well", {
  e <- compared(selection = bbc_top_k(1))
  expect_identical(e$replicates, compared()$replicates)
  expect_refused(compared(selection = bbc_top_k(2)), "top_k averages 2 of 1 configuration")
})

test_that("secondary metrics compare the winners that one metric selects", {
  p <- lapply(families, stats::plogis)
  compare <- function(p, metric = "roc_auc", secondary = "brier_score", ...) {
    bbc_compare(p, data$truth, metric, secondary = secondary, n_bootstraps = 200, seed = 1, ...)
  }
  result <- compare(p)
  brier <- result$secondary$brier_score
  expect_identical(replace(result, "secondary", NULL), compare(p, secondary = NULL))
  for (name in names(p)) {
    alone <- bbc_correct(p[[name]], data$truth, "roc_auc", n_bootstraps = 200, seed = 1)
    expect_identical(brier$estimates[[name]], bbc_score(alone, "brier_score"))
  }
  expect_identical(brier$replicates[, "large - single"],
                   0 - (brier$estimates$large$replicates - brier$estimates$single$replicates))
  expect_identical(as.data.frame(result)$metric, rep(c("roc_auc", "brier_score"), each = 3))
  split <- compare(do.call(cbind, p), by = rep(names(p), c(9, 1, 2)))
  expect_identical(split$secondary$brier_score$differences, brier$differences)
  expect_refused(compare(p, c("roc_auc", "brier_score")), "must be one, which selects; others are secondary")
  expect_null(compare(p, secondary = "roc_auc")$secondary)
  expect_refused(compare(p, "log_loss", selection = bbc_top_k(1)), "`secondary` is not for `selection = ")
})

test_that("fits are families, as what they were made of", {
  set.seed(4)
  truth <- rbinom(60, 1, 0.5)
  folds <- rep(1:6, 10)
  few <- matrix(runif(60 * 2), 60)
  many <- matrix(runif(60 * 9), 60)
  options <- list(truth = truth, metric = "roc_auc", folds = folds, pooling = "fold",
                  n_bootstraps = 50, n_threads = 1, confidence_level = 0.9)
  fit <- function(x, ...) do.call(bbc_correct, c(list(x), utils::modifyList(options, list(...))))
  fits <- list(few = fit(few, seed = 1), many = fit(many, seed = 2))
  found <- bbc_compare(fits, n_bootstraps = 50, seed = 3, n_threads = 1)
  arrays <- do.call(bbc_compare, c(list(list(few = few, many = many)), options, seed = 3))
  expect_identical(found$differences, arrays$differences)
  expect_identical(found$estimates$many$replicates, arrays$estimates$many$replicates)
  mixed <- list(few = fits$few, many = bbc_data(many, truth, folds))
  mixed <- bbc_compare(mixed, n_bootstraps = 50, seed = 3, n_threads = 1)
  expect_identical(mixed$differences, arrays$differences)

  other <- list(few = fits$few, many = fit(many, pooling = "pooled"))
  expect_error(bbc_compare(other), "`pooling` differs between the fits: say it")
  pooled <- bbc_compare(other, pooling = "pooled", n_bootstraps = 50, seed = 3, n_threads = 1)
  expect_identical(pooled$estimates$few$pooling, "pooled")
  brier <- list(few = fits$few, many = fit(many, metric = "brier_score"))
  expect_error(bbc_compare(brier), "`metric` selects the winners of all families")
  expect_error(bbc_compare(fits, metric = "brier_score"), "`metric` selects the winners")
  expect_error(bbc_compare(list(few = fits$few, many = bbc_record(fits$many))),
               "family many needs predictions of rows: a record holds none", class = "bbc_not_kept")
  unlike <- list(few = fits$few, many = suppressWarnings(fit(many, folds = rev(folds) %% 5)))
  expect_error(bbc_compare(unlike, n_bootstraps = 50), "family many has other folds than family few")
})

test_that("drawn folds hide shares of the classes, which differences hold with the bits of Python", {
  i <- 1:60
  truth <- as.integer(sin(i * 1.7) > 0.4)
  scores <- round(sapply(1:6, function(j) (0.5 + 0.35 * sin(i * 1.7 + 0.9 * j)) * ifelse(j > 3, 0.5, 1)), 6)
  folds <- integer(60)
  folds[order(-truth)] <- (i - 1) %% 6
  compared <- function(...) {
    bbc_compare(list(a = scores[, 1:3], b = scores[, 4:6]), truth, "brier_score", method = "bbc-two-level",
                folds = folds, seed = 1, n_bootstraps = 200, ...)
  }
  whole <- compared()
  numbers <- function(x) unlist(x$differences[c("standard_error", "p_value", "low", "high")], use.names = FALSE)
  expect_identical(numbers(whole), c(0.04674567834413412, 0.5361437756711596, -0.09641968772151152, 0.15904521056038876))
  expect_identical(numbers(compared(class_counts = "fixed")), c(0.03688372620992819, 0.43935934649348096, -0.06947192818448437, 0.13209745102336162))
  expect_null(whole$notes)
})

test_that("differences of cut-offs and ensembles hold these shares, too", {
  i <- 1:60
  truth <- as.integer(sin(i * 1.7) > 0.4)
  three <- (i - 1) %/% 24 + 2
  scores <- round(sapply(1:6, function(j) (0.5 + 0.35 * sin(i * 1.7 + 0.9 * j)) * ifelse(j > 3, 0.5, 1)), 6)
  labels <- sapply(1:6, function(j) {
    ifelse(sin(i * 2.3 + 0.9 * j) > ifelse((j > 3) == (three == 2), 0.6, -0.7), three, 2 + (three - 1) %% 3)
  })
  folds <- integer(60)
  folds[order(-truth)] <- (i - 1) %% 6
  compared <- function(x, truth, metric, folds, ...) {
    bbc_compare(list(a = x[, 1:3], b = x[, 4:6]), truth, metric, method = "bbc-two-level", folds = folds, seed = 1,
                n_bootstraps = 200, ...)
  }
  error <- function(x) x$differences$standard_error
  cut <- compared(scores, truth, "accuracy", folds, c("mcc", "brier_score"), selection = bbc_best_threshold())
  expect_identical(c(error(cut), error(cut$secondary$mcc), error(cut$secondary$brier_score)),
                   c(0.074543695787729292, 0.20121034164596222, 0.046745678344134123))
  greedy <- compared(scores, truth, "log_loss", folds, selection = bbc_greedy_ensemble(5))
  best <- compared(labels, three, "accuracy", (i - 1) %% 6, selection = bbc_top_k(2))
  expect_identical(c(error(greedy), error(best)), c(0.1063898894717161, 0.086646494178550151))
  for (each in list(cut, greedy, best)) expect_null(each$notes)
})
