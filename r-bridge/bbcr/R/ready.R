# Learners of R packages, ready for protocols here and in the Python package bbc_r, which reads this file:
# `fit` gives the package's own model. `functions` say which arguments there are, `sets` those that the
# learner sets itself, and `needs` those that must be given.
ready <- list(
  glm = list(
    package = "stats",
    functions = c("glm", "glm.control"), sets = c("formula", "family", "data", "control"),
    fit = function(x, y, ...) {
      frame <- as.data.frame(x)
      family <- if (is.factor(y)) stats::binomial() else stats::gaussian()
      stats::glm(.target ~ ., family, cbind(frame, .target = y), ...)
    },
    predict = function(model, newx) {
      stats::predict(model, as.data.frame(newx), type = "response")
    }
  ),
  coxph = list(
    package = "survival",
    functions = c("coxph", "coxph.control"),
    sets = c("formula", "data", "control", "model", "x", "y"),
    fit = function(x, y, ...) {
      if (!inherits(y, "Surv")) stop("coxph needs an outcome of class Surv", call. = FALSE)
      frame <- as.data.frame(x)
      frame$.target <- y
      survival::coxph(.target ~ ., frame, model = TRUE, ...)
    },
    predict = function(model, newx) {
      loadNamespace("survival") # of a model that another process fitted
      stats::predict(model, as.data.frame(newx), type = "lp")
    }
  ),
  glmnet = list(
    package = "glmnet",
    functions = "glmnet", sets = c("x", "y", "family"), needs = "lambda",
    fit = function(x, y, lambda, ...) {
      terms <- stats::model.matrix(~ ., as.data.frame(x))[, -1, drop = FALSE]
      family <- if (inherits(y, "Surv")) "cox" else if (!is.factor(y)) "gaussian" else
        if (nlevels(y) == 2) "binomial" else "multinomial"
      # A path that ends at the wanted value, as glmnet's authors advise.
      path <- sort(unique(c(lambda, lambda * 10^seq(2, 0, length.out = 10))), decreasing = TRUE)
      glmnet::glmnet(terms, y, family, lambda = path, ...)
    },
    predict = function(model, newx) {
      terms <- stats::model.matrix(~ ., as.data.frame(newx))[, -1, drop = FALSE]
      last <- model$lambda[[length(model$lambda)]]
      risk <- inherits(model, "coxnet")
      out <- stats::predict(model, terms, s = last, type = if (risk) "link" else "response")
      if (length(dim(out)) == 3) out[, , 1] else out[, 1]
    }
  ),
  ranger = list(
    package = "ranger",
    functions = "ranger", sets = c(
      "formula", "data", "x", "y", "probability", "classification", "num.threads",
      "dependent.variable.name", "status.variable.name"
    ),
    fit = function(x, y, ...) {
      ranger::ranger(x = as.data.frame(x), y = y, probability = is.factor(y), num.threads = 1, ...)
    },
    predict = function(model, newx) {
      found <- stats::predict(model, as.data.frame(newx), num.threads = 1)
      # Of survival times: the expected number of events, as in Ishwaran et al. (2008).
      if (model$treetype == "Survival") rowSums(found$chf) else found$predictions
    }
  ),
  randomForest = list(
    package = "randomForest",
    functions = "randomForest.default", sets = c("x", "y", "xtest", "ytest", "keep.forest"),
    fit = function(x, y, ...) randomForest::randomForest(as.data.frame(x), y, ...),
    predict = function(model, newx) {
      type <- if (model$type == "classification") "prob" else "response"
      stats::predict(model, as.data.frame(newx), type = type)
    }
  ),
  svm = list(
    package = "e1071",
    functions = "svm.default", sets = c("x", "y", "probability", "subset", "cross"),
    fit = function(x, y, ...) {
      e1071::svm(.target ~ ., cbind(as.data.frame(x), .target = y), probability = TRUE, ...)
    },
    predict = function(model, newx) {
      out <- stats::predict(model, as.data.frame(newx), probability = TRUE)
      if (is.factor(out)) attr(out, "probabilities") else out
    }
  ),
  caret = list(
    package = "caret",
    needs = "method",
    fit = function(x, y, method, ...) {
      # caret's own learners call its functions by name, so it must be attached.
      if (!"package:caret" %in% search()) suppressPackageStartupMessages(attachNamespace("caret"))
      grid <- data.frame(..., stringsAsFactors = FALSE)
      control <- caret::trainControl("none", classProbs = is.factor(y))
      caret::train(as.data.frame(x), y, method = method, trControl = control,
                   tuneGrid = if (ncol(grid)) grid)
    },
    predict = function(model, newx) {
      classes <- model$modelType == "Classification"
      stats::predict(model, as.data.frame(newx), type = if (classes) "prob" else "raw")
    }
  )
)

# A learner by name, as a list of its functions. They see R's global environment only, so that
# models and workers do not carry more along.
ready_learner <- function(name) {
  found <- ready[[name]]
  if (is.null(found)) {
    stop("no ready learner is called \"", name, "\"; there are ", toString(names(ready)),
         call. = FALSE)
  }
  if (!nzchar(system.file(package = found$package))) {
    stop("the R package ", found$package, " is not installed: install.packages(\"", found$package,
         "\") in R, or apt-get install r-cran-", chartr("F", "f", found$package), " on Debian",
         call. = FALSE)
  }
  lapply(found[c("fit", "predict")], function(f) {
    environment(f) <- globalenv()
    f
  })
}
