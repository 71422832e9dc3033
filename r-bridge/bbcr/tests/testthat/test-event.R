# "first" and "second" are levels of the truth, whatever order the source has.
skip_if_not_installed("glmnet")
set.seed(1)
x <- matrix(rnorm(120 * 8), 120)
yes <- runif(120) < stats::plogis(x[, 1])
truth <- factor(ifelse(yes, "yes", "no"), c("no", "yes"))
fitted <- function(...) {
  set.seed(2)
  glmnet::cv.glmnet(x, truth, nfolds = 6, nlambda = 8, keep = TRUE, ...)
}
quietly <- suppressWarnings
estimate <- function(...) quietly(bbc_correct(..., seed = 1, n_bootstraps = 60))
reversed <- factor(truth, c("yes", "no"))
# The truth, and what the event "yes" is called by its place.
places <- list(list(truth, "second"), list(reversed, "first"), list(as.character(truth), "second"))

test_that("a place among the levels of the truth is the label", {
  classed <- fitted(family = "binomial")
  of_family <- fitted(family = stats::binomial())
  sources <- list(classed, list(a = classed, b = classed), bbc_data(classed))
  for (metric in c("roc_auc", "brier_score", "log_loss", "sensitivity")) {
    for (source in sources) {
      e <- estimate(source, truth, metric, event_level = "yes")
      expect_identical(e$event, "yes")
      for (place in places) {
        expect_identical(estimate(source, place[[1]], metric, event_level = place[[2]]), e)
      }
    }
    # glm()'s family keeps no classes: its event is the second level.
    p <- matrix(stats::binomial()$linkinv(as.vector(of_family$fit.preval)), 120)
    read <- if (metric == "sensitivity") matrix(levels(truth)[1 + (p > 0.5)], 120) else p
    for (level in c("yes", "no")) {
      if (level == "no" && metric != "sensitivity") read <- 1 - p
      place <- if (level == "no") "first" else "second"
      expected <- estimate(read, truth, metric, event_level = level)$replicates
      for (called in c(level, place)) {
        own <- estimate(of_family, truth, metric, event_level = called)
        expect_identical(own$replicates, expected)
      }
    }
  }
  expect_refused(bbc_correct(of_family, reversed, "roc_auc"), "GLM Deviance.*the truth another one")
})

test_that("families and clinical pages have the same event", {
  two <- list(one = fitted(family = "binomial"), none = fitted(family = "binomial", alpha = 0))
  compared <- function(truth, level) {
    quietly(bbc_compare(two, truth, "roc_auc", event_level = level, seed = 1, method = "bbc"))
  }
  expected <- compared(truth, "yes")
  page <- function(truth, level) {
    fit <- quietly(bbc_correct(two$one, truth, "log_loss", event_level = level, n_bootstraps = 60,
                               seed = 1))
    as.data.frame(quietly(bbc_clinical(fit)))
  }
  numbers <- page(truth, "yes")
  for (place in places) {
    expect_identical(compared(place[[1]], place[[2]])$differences, expected$differences)
    expect_identical(page(place[[1]], place[[2]]), numbers)
  }
})

test_that("classes of several kinds of models are brought into one order", {
  three <- iris[c(1:30, 51:80, 101:130), ]
  set.seed(2)
  fit <- glmnet::cv.glmnet(as.matrix(three[1:2]), three$Species, family = "multinomial", nfolds = 5,
                           keep = TRUE)
  other <- factor(three$Species, c("virginica", "setosa", "versicolor"))
  for (source in list(fit, list(a = fit, b = fit))) {
    expect_identical(estimate(source, other, "log_loss")$estimate,
                     estimate(source, three$Species, "log_loss")$estimate)
  }
})

test_that("a column that is of the other class by its name is refused", {
  risks <- matrix(stats::plogis(x[, 1]))
  for (name in c("yes", ".pred_yes", "prob.yes")) {
    for (given in list(`colnames<-`(risks, name), stats::setNames(data.frame(risks), name))) {
      e <- estimate(given, truth, "brier_score", event_level = "yes")
      expect_identical(e$replicates, estimate(risks, truth, "brier_score", event_level = "yes")$replicates)
      expect_refused(estimate(given, truth, "brier_score", event_level = "no"),
                     "is of the class \"yes\" by its name, and the event is \"no\"")
      expect_s3_class(estimate(given, truth, "brier_score", event_level = "no", names = "yes"),
                      "bbc_estimate")
    }
  }
  # Not all columns are called as classes, or these are numbers.
  two <- cbind(yes = risks[, 1], other = risks[, 1]^2)
  expect_s3_class(estimate(two, truth, "brier_score", event_level = "no"), "bbc_estimate")
  expect_s3_class(estimate(cbind(`0` = risks[, 1]), factor(as.integer(yes)), "brier_score", event_level = "1"),
                  "bbc_estimate")
  long <- data.frame(row = 1:120, configuration = "a", truth = truth, prob.no = 1 - risks, prob.yes = risks)
  expect_identical(estimate(long, metric = "brier_score", estimate = "prob.yes", event_level = "yes")$event, "yes")
  expect_refused(estimate(long, metric = "brier_score", estimate = "prob.no", event_level = "yes"),
                 "`estimate`: column prob.no is of the class \"no\" by its name")
})
