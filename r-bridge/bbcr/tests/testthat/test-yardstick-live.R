# Every metric that has a name of yardstick has its value, where yardstick is installed.
skip_if_not_installed("yardstick")
apparent <- function(predictions, truth, name, ...) {
  suppressWarnings(bbc_correct(predictions, truth, name, n_bootstraps = 40, seed = 1, ...)$apparent)
}
set.seed(1)
n <- 150
numbers <- local({
  truth <- stats::rpois(n, 6) + 1
  list(truth = truth, estimate = truth * exp(stats::rnorm(n, sd = 0.3)))
})
classes <- function(k) {
  truth <- factor(sample(letters[1:k], n, replace = TRUE), letters[1:k])
  odds <- exp(matrix(stats::rnorm(n * k), n)) * (1 + 2 * diag(k)[truth, ])
  shares <- odds / rowSums(odds)
  list(truth = truth, shares = shares,
       labels = factor(letters[max.col(shares)], letters[1:k]))
}
two <- classes(2)
three <- classes(3)
all_names <- c(names(yardstick_names()), names(yardstick_functions))

test_that("values are yardstick's", {
  checked <- character()
  for (name in unique(all_names)) {
    theirs <- get0(paste0(name, "_vec"), asNamespace("yardstick"))
    if (is.null(theirs)) next
    metric <- bbc_metric(name)
    sets <- if (metric$predicts == "value") {
      list(list(numbers$truth, numbers$estimate, matrix(numbers$estimate)))
    } else if (metric$predicts == "risk") {
      times <- survival::Surv(stats::rexp(n), rep(0:1, n / 2))
      score <- stats::rnorm(n) + times[, 1]
      list(list(times, score, matrix(-score)))
    } else if (metric$predicts == "labels") {
      several <- if (metric$target == "binary" || !is.null(metric$of_two_classes)) list(two) else list(two, three)
      lapply(several, function(own) list(own$truth, own$labels, matrix(as.character(own$labels))))
    } else {
      of_two <- metric$target == "binary" || !is.null(metric$of_two_classes)
      several <- if (of_two) list(two) else list(three)
      lapply(several, function(own) {
        ours <- if (of_two) matrix(own$shares[, 1]) else array(own$shares, c(n, 1, ncol(own$shares)))
        list(own$truth, if (of_two) own$shares[, 1] else own$shares, ours)
      })
    }
    for (set in sets) {
      truth <- set[[1]]
      two_classes <- is.factor(truth) && nlevels(truth) == 2
      if (name == "ranked_prob_score") truth <- factor(truth, ordered = TRUE)
      value <- apparent(set[[3]], truth, name, event_level = if (two_classes) "first")
      expect_equal(value, theirs(truth, set[[2]]), tolerance = 1e-9, label = name)
    }
    checked <- c(checked, name)
  }
  expect_gt(length(checked), 25)
})

test_that("values that are only compared are yardstick's", {
  compared <- function(name, estimator, truth, prediction, ...) {
    theirs <- get(paste0(name, "_vec"), asNamespace("yardstick"))
    expect_equal(compared_metric(name, estimator)$score(truth, prediction), theirs(truth, prediction, ...),
                 tolerance = 1e-9, label = paste(name, estimator))
  }
  for (estimator in c("macro", "macro_weighted", "micro")) {
    for (name in setdiff(names(class_scores), c("miss_rate", "fall_out"))) {
      compared(name, estimator, three$truth, three$labels, estimator = estimator)
    }
    if (estimator == "micro") next
    for (name in names(class_areas)) {
      shares <- `colnames<-`(three$shares, levels(three$truth))
      compared(name, estimator, three$truth, shares, estimator = estimator)
    }
  }
  compared("brier_class", "multiclass", three$truth, three$shares)
  for (name in c("mpe", "msd", "iic")) compared(name, "standard", numbers$truth, numbers$estimate)
})
