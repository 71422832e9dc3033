# The random programs (helper-programs.R) of tools that train: caret's own train() and glmnet's cv.glmnet(),
# whose objects hold what the tool itself predicted and said.

# ---- caret's own train() -------------------------------------------------------------------------

# A learner of caret's whose predictions are those of the program, whatever it was trained on; the rows
# are told apart by the column `id`. `fails(k, ids)`: whether a fit fails.
known_learner <- function(p, fails) {
  predicted <- if (p$kind == "numbers") p$number[[1]] else p$label[[1]]
  list(
    library = NULL, type = c("Classification", "Regression"), loop = NULL,
    parameters = data.frame(parameter = "k", class = "numeric", label = "k"),
    grid = function(x, y, len = NULL, search = "grid") data.frame(k = seq_along(p$names)),
    fit = function(x, y, wts, param, lev, last, classProbs, ...) {
      if (!last && fails(param$k, x[, "id"])) stop("no luck")
      list(k = param$k)
    },
    predict = function(modelFit, newdata, submodels = NULL) predicted[newdata[, "id"], modelFit$k],
    prob = function(modelFit, newdata, submodels = NULL) {
      own <- matrix(p$share[[1]][newdata[, "id"], modelFit$k, ], ncol = length(p$classes))
      stats::setNames(as.data.frame(own), p$classes)
    },
    sort = function(x) x[order(x$k), , drop = FALSE], levels = function(x) x$obsLevels
  )
}

drawn_live_train <- function() {
  p <- drawn_program(odd = FALSE, repeats = 1)
  summary <- switch(p$kind, two = one_of(c("defaultSummary", "twoClassSummary", "mnLogLoss")),
                    three = one_of(c("defaultSummary", "mnLogLoss")), "defaultSummary")
  p$metrics <- sample(switch(summary, twoClassSummary = c("roc_auc", "sensitivity", "specificity"),
                             mnLogLoss = "log_loss", if (p$kind == "numbers") {
                               c("root_mean_squared_error", "mean_absolute_error", "squared_pearson")
                             } else c("accuracy", "kappa")))
  p$rises <- metrics_known[[p$metrics[[1]]]]$rises
  method <- one_of(c("cv", "cv", "repeatedcv", "LOOCV", "index"))
  n_repeats <- if (method == "repeatedcv") 2 else 1
  p$pooled <- method == "LOOCV"
  p$rule <- if (p$pooled) "best" else one_of(c("best", "best", "oneSE", "tolerance"))
  p$no_shares <- p$kind != "numbers" && summary == "defaultSummary" && sometimes(0.5)
  own <- drawn_folds(length(p$y), 4)
  control <- caret::trainControl(
    if (method == "index") "cv" else method, sample(2:5, 1), repeats = if (n_repeats > 1) 2 else NA,
    savePredictions = "all", classProbs = p$kind != "numbers" && !p$no_shares,
    summaryFunction = getExportedValue("caret", summary), selectionFunction = p$rule,
    returnResamp = one_of(c("all", "final")),
    index = if (method == "index") lapply(split(seq_along(own), own), setdiff, x = seq_along(own))
  )
  failing <- if (!p$pooled && sometimes(0.15)) sample(seq_along(p$names), 1) else 0
  learner <- known_learner(p, function(k, ids) k == failing && !1 %in% ids)
  y <- if (p$kind == "numbers") p$y else factor(p$y, p$classes)
  p$object <- tryCatch(suppressWarnings(caret::train(
    data.frame(id = seq_along(p$y), x = 0), y, learner, trControl = control,
    metric = caret_names[[p$metrics[[1]]]], maximize = p$rises, tuneGrid = data.frame(k = seq_along(p$names))
  )), error = function(error) NULL)
  if (is.null(p$object)) return(NULL)
  as_caret_told(p, control$returnResamp == "all", failing, n_repeats)
}

# The program with the folds, lost fits and scores of caret's.
as_caret_told <- function(p, by_fold, failing, n_repeats) {
  held_out <- stats::setNames(p$object$control$indexOut, names(p$object$control$index))
  repeats <- if (n_repeats > 1) as.integer(sub(".*Rep", "", names(held_out))) else rep(1, length(held_out))
  p$fold <- lapply(seq_len(n_repeats), function(i) {
    own <- held_out[repeats == i]
    rep(sub("[.]Rep.*", "", names(own)), lengths(own))[order(unlist(own))]
  })
  for (part in intersect(c("label", "share", "number", "lost"), names(p))) {
    p[[part]] <- rep(p[[part]], n_repeats)
  }
  if (failing) {
    for (i in seq_len(n_repeats)) p$lost[[i]][p$fold[[i]] == p$fold[[i]][[1]], failing] <- TRUE
  }
  p$by_fold <- by_fold && !p$pooled
  p$simplest <- seq_along(p$names)
  p <- settled_program(p)
  results <- p$object$results
  if (is.null(p$plant)) {
    ours <- kept_claims(replace(p, "by_fold", FALSE), p$claims)
    theirs <- mapply(function(metric, j) results[[caret_names[[metric]]]][results$k == j], ours$metric,
                     ours$configuration)
    must(!any(apart(ours$value, theirs) & ours$told, na.rm = TRUE), "the oracle is not caret")
    must(identical(p$chosen, as.integer(p$object$bestTune$k)), "the oracle's choice is not caret's")
  }
  p$parameters <- data.frame(k = seq_along(p$names))
  p$order <- match(results$k, p$parameters$k)
  p$named <- FALSE
  if (!is.null(p$plant)) p$object <- replanted(p, p$object)
  p$asked <- asked_of(p, if (p$no_shares) reads_shares)
  if (p$kind == "two" && sometimes(0.5)) p <- with_event(p)
  p
}

# caret's model with what was planted in the program: its predictions, scores and choice are those of a
# model by hand.
replanted <- function(p, model) {
  by_hand <- as_train(p, FALSE)
  for (part in c("pred", "resample", "results", "bestTune", "maximize")) model[part] <- by_hand[part]
  model
}

# ---- glmnet's own cv.glmnet() --------------------------------------------------------------------

drawn_glmnet <- function() {
  p <- drawn_program(repeats = 1)
  n <- length(p$y)
  x <- matrix(stats::rnorm(n * 3), n)
  x[, 1] <- x[, 1] + if (p$kind == "numbers") p$y / stats::sd(p$y) else match(p$y, p$classes)
  counts <- p$kind == "numbers" && sometimes(0.3)
  if (counts) p$y <- stats::rpois(n, exp(x[, 1] / 3))
  family <- if (counts) "poisson" else switch(p$kind, two = "binomial", three = "multinomial", "gaussian")
  measure <- one_of(switch(p$kind, two = c("deviance", "class", "auc", "mse", "mae"),
                           three = c("deviance", "class", "mse", "mae"), c("mse", "mae", "deviance")))
  y <- if (p$kind == "numbers") p$y else factor(p$y, p$classes)
  foldid <- as.integer(factor(drawn_folds(n, sample(3:6, 1), one_out = sometimes(0.1))))
  arguments <- list(x, y, family = family, type.measure = measure, foldid = foldid, keep = TRUE,
                    nlambda = sample(2:8, 1), grouped = max(foldid) < n / 3,
                    relax = sometimes(0.15), alignment = one_of(c("lambda", "lambda", "fraction")))
  weighted <- sometimes(0.15)
  if (weighted) arguments$weights <- sample(1:3, n, TRUE)
  fit <- tryCatch(suppressWarnings(do.call(glmnet::cv.glmnet, arguments)), error = function(e) NULL)
  if (is.null(fit)) return(NULL)
  fit$call <- as.call(c(quote(cv.glmnet), if (weighted) list(weights = quote(w))))
  p$fold <- list(as.character(foldid))
  as_glmnet_told(p, fit, if (weighted) arguments$weights)
}

# The program with the predictions and scores of glmnet's: the largest lambda first, and of it the
# largest gamma.
as_glmnet_told <- function(p, fit, weights) {
  relaxed <- inherits(fit, "cv.relaxed")
  gammas <- if (relaxed) fit$relaxed$gamma else 1
  cells <- expand.grid(gamma = rev(seq_along(gammas)), lambda = seq_along(fit$lambda))
  parts <- if (relaxed) fit$fit.preval else list(fit$fit.preval)
  told <- if (relaxed) lapply(fit$relaxed$statlist, `[[`, "cvm") else list(fit$cvm)
  if (any(lengths(told) != length(fit$lambda))) return(NULL)
  link <- lapply(seq_len(nrow(cells)), function(j) {
    own <- parts[[cells$gamma[[j]]]]
    if (length(dim(own)) == 3) matrix(own[, , cells$lambda[[j]]], nrow(own)) else own[, cells$lambda[[j]]]
  })
  p$names <- as.character(seq_along(link))
  p$order <- seq_along(link)
  p <- with_glmnet_predictions(p, fit, link)
  value <- mapply(function(gamma, lambda) told[[gamma]][[lambda]], cells$gamma, cells$lambda)
  measure <- names(fit$name)
  p$claims <- data.frame(metric = measure, rep = 1, fold = "all", configuration = seq_along(link),
                         value = value, told = TRUE)
  place <- function(which) {
    index <- if (relaxed) fit$relaxed$index[which, ] else c(fit$index[which, 1], 1)
    as.integer(which(cells$lambda == index[[1]] & cells$gamma == index[[2]]))
  }
  p[c("metrics", "rises", "has_claims", "named")] <- list(measure, measure == "auc", TRUE, FALSE)
  p$chosen <- place("min")
  with_glmnet_call(p, fit, weights, place)
}

with_glmnet_predictions <- function(p, fit, link) {
  gone <- vapply(link, function(own) rowSums(is.na(cbind(own))) > 0, logical(length(p$y)))
  p$lost <- list(matrix(gone, length(p$y)))
  if (p$kind == "numbers") {
    response <- if (inherits(fit$glmnet.fit, "fishnet")) exp else identity
    p$number <- list(response(do.call(cbind, link)))
    return(p)
  }
  p$classes <- as.character(fit$glmnet.fit$classnames)
  p$event <- p$classes[[2]]
  shares <- lapply(link, function(own) {
    if (p$kind == "three") exp(own) / rowSums(exp(own)) else cbind(1 / (1 + exp(own)), 1 / (1 + exp(-own)))
  })
  p$share <- list(aperm(simplify2array(shares), c(1, 3, 2)))
  best <- apply(p$share[[1]], 1:2, function(own) if (anyNA(own)) NA else which.max(own))
  p$label <- list(array(p$classes[best], dim(best)))
  p
}

# What is asked of the fit, and what is planted in it or in the truth.
with_glmnet_call <- function(p, fit, weights, place) {
  measure <- p$metrics
  counts <- inherits(fit$glmnet.fit, "fishnet")
  exact <- if (counts) c(deviance = "poisson_deviance")
           else if (p$kind == "numbers") c(mse = "mean_squared_error", mae = "mean_absolute_error")
           else c(class = "zero_one_loss")
  p$is_read <- measure %in% names(exact) && is.null(weights)
  if (sometimes(0.3)) {
    p$plant <- one_of(c("claim", "sign", "rows", "event"))
    if (p$plant == "rows") p$y <- sample(p$y)
    if (p$plant == "event" && p$kind == "two") p$y <- rev(p$classes)[match(p$y, p$classes)]
    j <- one_of(which(is.finite(fit$cvm)))
    if (p$plant == "claim" && !inherits(fit, "cv.relaxed")) {
      fit$cvm[[j]] <- p$claims$value[[j]] <- fit$cvm[[j]] + 0.01
    }
    if (p$plant == "sign" && !inherits(fit, "cv.relaxed")) fit$cvm <- p$claims$value <- -fit$cvm
    p$rule <- "planted"
  }
  ours <- vapply(seq_along(p$names), function(j) glmnet_measured(p, measure, j, counts), 0)
  differs <- any(apart(ours, p$claims$value), na.rm = TRUE)
  if (is.null(p$plant) && is.null(weights)) must(!differs, "the oracle is not glmnet")
  p$is_wrong <- differs && is.null(weights)
  p$object <- fit
  y <- if (p$kind == "numbers") p$y else factor(p$y, one_of(list(p$classes, rev(p$classes))))
  p$arguments <- list(truth = if (is.factor(y) && sometimes(0.3)) as.character(y) else y)
  if (!is.null(weights) && sometimes(0.5)) {
    p$weight <- weights
    p$arguments$sample_weight <- weights
  }
  p$asked <- asked_of(p)
  p$own <- if (!measure %in% names(exact) || sometimes(0.3)) list(metric = one_of(p$asked))
  if (length(p$own)) p$rule <- "asked"
  if (sometimes(0.3)) {
    p$own$selection <- "lambda.1se"
    p$own_choice <- place("1se")
    p$rule <- "1se"
  }
  p
}

# glmnet's measure by its definition.
glmnet_measured <- function(p, measure, j, counts) {
  if (any(p$lost[[1]][, j])) return(NaN)
  if (p$kind == "numbers") {
    y <- p$y
    mu <- p$number[[1]][, j]
    if (measure == "mae") return(mean(abs(y - mu)))
    if (measure == "mse" || !counts) return(mean((y - mu)^2))
    return(score_on(p, "poisson_deviance", 1, j, seq_along(y)))
  }
  share <- matrix(p$share[[1]][, j, ], length(p$y))
  hit <- outer(p$y, p$classes, "==")
  switch(measure,
    mse = mean(rowSums((hit - share)^2)), mae = mean(rowSums(abs(hit - share))),
    class = mean(p$label[[1]][, j] != p$y),
    deviance = -2 * mean(log(pmin(pmax(rowSums(hit * share), 1e-5), 1 - 1e-5))),
    auc = {
      folds <- split(seq_along(p$y), p$fold[[1]])
      by_fold <- vapply(folds, function(rows) score_on(p, "roc_auc", 1, j, rows), 0)
      sum(by_fold * lengths(folds)) / length(p$y)
    }
  )
}
