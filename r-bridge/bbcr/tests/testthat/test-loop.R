# The loop in R alone: bbc_tune().

line <- function(x, y, degree) stats::lm(y ~ poly(speed, degree), cbind(x, y = y))
ahead <- function(model, newx) stats::predict(model, newx)
learner <- function(fit, predict, grid) do.call(bbc_learner, c(list(fit, predict = predict), grid))
tune_cars <- function(fit = line, predict = ahead, grid = list(degree = 1:4), ..., cv = 5,
                      n_bootstraps = 100) {
  suppressWarnings(bbc_tune(dist ~ speed, cars, learner(fit, predict, grid), "mean_squared_error", ...,
                            cv = cv, n_bootstraps = n_bootstraps, seed = 3, n_threads = 2))
}

# One useful column, and others that tell nothing.
noisy <- local({
  set.seed(5)
  y <- factor(rep(c("well", "ill"), 60), c("well", "ill"))
  columns <- data.frame(a = (y == "ill") + stats::rnorm(120, sd = 0.7),
                        matrix(stats::rnorm(120 * 5), 120))
  cbind(columns, y = y)
})
by_column <- function(x, y, column) {
  stats::glm(y ~ value, stats::binomial, data.frame(value = x[[column]], column = column, y = y))
}
risk <- function(model, newx) {
  stats::predict(model, data.frame(value = newx[[model$data$column[[1]]]]), type = "response")
}
tune_noisy <- function(..., predict = risk, metric = "roc_auc") {
  suppressWarnings(bbc_tune(noisy[1:6], noisy$y, learner(by_column, predict, list(column = names(noisy)[1:6])),
                            metric, event_level = "ill", ..., n_bootstraps = 200, seed = 2, n_threads = 2))
}

test_that("the estimate is bbc_correct()'s of the predictions that a plain loop makes", {
  folds <- rep(1:5, 10)
  tuned <- tune_cars(cv = folds, protocol = "BBC")
  by_hand <- sapply(1:4, function(degree) {
    out <- numeric(50)
    for (k in 1:5) {
      own <- stats::lm(dist ~ poly(speed, degree), cars[folds != k, ])
      out[folds == k] <- stats::predict(own, cars[folds == k, ])
    }
    out
  })
  expect_equal(unname(tuned$predictions), by_hand, tolerance = 1e-12)
  colnames(by_hand) <- paste0("degree=", 1:4)
  e <- suppressWarnings(bbc_correct(tuned$predictions, cars$dist, "mean_squared_error",
                                    folds = folds, n_bootstraps = 100, seed = 3))
  same <- c("estimate", "replicates", "confidence_interval", "winner_name")
  expect_identical(tuned$performance[same], e[same])
  best <- which.min(colMeans((by_hand - cars$dist)^2))
  expect_identical(tuned$winner, paste0("degree=", best))
  whole <- stats::lm(dist ~ poly(speed, best), cars)
  expect_equal(predict(tuned, cars), unname(stats::predict(whole)))
  expect_identical(tuned$n_models_trained, 21)
  expect_identical(tuned$configurations$name, paste0("degree=", 1:4))
})

test_that("configurations are dropped by the kernel's test, whose stream counts the tests", {
  tuned <- tune_noisy()
  dropped <- tuned$configurations$dropped
  expect_true(is.na(dropped[[1]]))
  expect_gt(sum(!is.na(dropped)), 0)
  expect_identical(dim(tuned$predictions)[[2]], sum(is.na(dropped)))
  expect_lt(tuned$n_models_trained, 61)
  everything <- tune_noisy(protocol = "BBC")
  expect_identical(everything$n_models_trained, 61)
  expect_identical(everything$predictions[, colnames(tuned$predictions), , drop = FALSE],
                   tuned$predictions)
  # The first test, after the fold that gave 50 predictions.
  fold <- min(which(cumsum(tabulate(tuned$folds)) >= 50))
  rows <- which(tuned$folds <= fold)
  first <- bbcr:::dominance(
    list(predictions = everything$predictions[rows, , 2], truth = noisy$y[rows], event_level = "ill"),
    bbcr:::checked_options("roc_auc", n_bootstraps = 200, seed = 2), 0.9
  )
  early <- !is.na(dropped) & dropped == fold
  # Another stream has other draws: shares agree up to their standard error.
  expect_true(all(first$share_worse[early] > 0.9))
  expect_output(print(tuned), "BBCD of 6 configurations")
})

test_that("the streams of the tests are those of Python's BBCD", {
  i <- 0:59
  y <- as.integer((i * 7) %% 11 > 5)
  scores <- sapply(0:4, function(j) y * (1 + j / 4) + ((i * 13 + j * 29) %% 37) / 12)
  options <- bbcr:::checked_options("roc_auc", n_bootstraps = 200, seed = 9)
  worse <- function(stream) {
    options$stream <- stream
    bbcr:::dominance(list(predictions = scores, truth = y), options, 0.9)$share_worse
  }
  # Of bbc's dropping test with the same seed and stream.
  expect_identical(worse(1), c(0.985, 0.79, 0.855, 0.955, 0))
  expect_identical(worse(2), c(1, 0.78, 0.79, 0.95, 0))
})

test_that("folds keep classes and groups together, and repeats differ", {
  tuned <- tune_noisy(protocol = "BBC", cv = 4)
  expect_true(all(table(tuned$folds, noisy$y) == 15))
  group <- rep(1:24, each = 5)
  grouped <- tune_noisy(protocol = "BBC", cv = 4, groups = group)
  expect_true(all(rowSums(table(group, grouped$folds) > 0) == 1))
  expect_identical(grouped$performance$unit, "group")
  twice <- tune_noisy(protocol = "BBC", cv = 4, n_repeats = 2)
  expect_identical(dim(twice$folds), c(120L, 2L))
  expect_false(identical(twice$folds[, 1], twice$folds[, 2]))
  expect_length(twice$predictions, 2)
  column <- cbind(noisy, id = group)
  named <- suppressWarnings(bbc_tune(y ~ ., column, learner(by_column, risk, list(column = names(noisy)[1:6])),
                                     "roc_auc", event_level = "ill", groups = "id", cv = 4,
                                     protocol = "BBC", n_bootstraps = 200, seed = 2))
  expect_false("id" %in% named$columns)
  expect_identical(named$predictions, grouped$predictions)
})

test_that("every fit begins at the seed of its configuration, and the session's generator is left", {
  guess <- function(x, y, shift) list(shift = shift, draw = stats::runif(1))
  say <- function(model, newx) rep(model$draw + model$shift, nrow(newx))
  set.seed(1)
  before <- .Random.seed
  one <- tune_cars(guess, say, list(shift = c(20, 30)))
  expect_identical(.Random.seed, before)
  expect_length(unique(c(one$predictions)), 2)
  expect_identical(one$predictions, tune_cars(guess, say, list(shift = c(20, 30)))$predictions)
})

test_that("a store goes on where a run was interrupted, and knows other data", {
  store <- tempfile("store")
  made <- 0
  counting <- function(x, y, degree) {
    made <<- made + 1
    if (made == stop_at) stop("the power went")
    line(x, y, degree)
  }
  stop_at <- 8
  expect_error(tune_cars(counting, store = store, error_score = "raise"),
               "degree=4, repeat 1, fold 2: the power went", class = "bbc_failed_fit")
  n_kept <- length(list.files(store))
  expect_gt(n_kept, 4)
  expect_length(list.files(store, "partial"), 0)
  stop_at <- -1
  made <- 0
  again <- tune_cars(counting, store = store)
  expect_identical(made, 20 - n_kept + 1)
  made <- 0
  expect_identical(tune_cars(counting, store = store)$performance$replicates,
                   again$performance$replicates)
  expect_identical(made, 1) # the winner on all rows
  expect_identical(tune_cars()$performance$replicates, again$performance$replicates)
  tune_cars(counting, store = store, grid = list(degree = 5))
  expect_identical(made, 1 + 6)
  for (file in list.files(store, full.names = TRUE)) writeLines("torn", file)
  expect_error(tune_cars(counting, store = store), "cannot be read .*: delete it")
})

test_that("a store knows another recipe and another model", {
  skip_if_not_installed("recipes")
  steps <- function(degree) {
    recipes::step_poly(recipes::recipe(dist ~ speed, cars), speed, degree = degree)
  }
  store <- tempfile("store")
  tune <- function(recipe, store = NULL) {
    suppressWarnings(bbc_tune(recipe, cars, bbc_learner("glm"), "mean_squared_error", cv = 5, seed = 1,
                              n_bootstraps = 40, store = store))$performance$estimate
  }
  one <- tune(steps(1), store)
  n <- length(list.files(store))
  expect_identical(tune(steps(1), store), one)
  expect_length(list.files(store), n)
  expect_identical(tune(steps(2), store), tune(steps(2)))
  expect_length(list.files(store), 2 * n)
  model <- function(trees) list(args = list(trees = structure(call("~", trees), .Environment = new.env())), id = "drawn")
  expect_identical(in_text(model(5)), in_text(model(5)))
  expect_false(identical(in_text(model(5)), in_text(model(6))))
})

test_that("a configuration that fails is left out", {
  fragile <- function(x, y, degree) if (degree == 2) stop("singular") else line(x, y, degree)
  expect_warning(
    tuned <- bbc_tune(dist ~ speed, cars, learner(fragile, ahead, list(degree = 1:3)), "mean_squared_error",
                      cv = 5, n_bootstraps = 40, seed = 1),
    "configuration degree=2, repeat 1, fold 1 is left out: singular"
  )
  expect_identical(colnames(tuned$predictions), c("degree=1", "degree=3"))
  expect_error(tune_cars(function(x, y, degree) stop("never")), "every one failed.*never")
})

test_that("labels, probabilities and survival are taken", {
  skip_if_not_installed("survival")
  label <- function(model, newx) ifelse(risk(model, newx) > 0.5, "ill", "well")
  expect_identical(tune_noisy(predict = label, metric = "accuracy")$winner, 'column="a"')
  expect_identical(tune_noisy(metric = "accuracy")$winner, 'column="a"')
  both <- function(model, newx) cbind(ill = risk(model, newx), well = 1 - risk(model, newx))
  expect_identical(tune_noisy(predict = both, metric = "log_loss")$performance$estimate,
                   tune_noisy(metric = "log_loss")$performance$estimate)
  expect_refused(tune_noisy(predict = label), "gave labels, metric \"roc_auc\" needs probabilities")
  lung <- stats::na.omit(survival::lung[c("age", "sex", "ph.ecog", "time", "status")])[1:100, ]
  lung$y <- survival::Surv(lung$time, lung$status)
  one <- learner(
    function(x, y, variable) list(fit = survival::coxph(y ~ value, data.frame(value = x[[variable]])),
                                  variable = variable),
    function(model, newx) stats::predict(model$fit, data.frame(value = newx[[model$variable]])),
    list(variable = c("age", "ph.ecog"))
  )
  tuned <- suppressWarnings(bbc_tune(y ~ age + sex + ph.ecog, lung, one, "concordance_index", cv = 4,
                                     n_bootstraps = 100, seed = 1))
  expect_identical(tuned$winner, "variable=\"ph.ecog\"")
})

test_that("one number per row is the probability of the event, whichever level that is", {
  both <- function(model, newx) cbind(ill = risk(model, newx), well = 1 - risk(model, newx))
  turned <- noisy
  turned$y <- factor(turned$y, c("ill", "well"))
  tune <- function(data, predict, metric, event_level) {
    suppressWarnings(bbc_tune(y ~ ., data, learner(by_column, predict, list(column = "a")), metric, cv = 5,
                              event_level = event_level, n_bootstraps = 40, seed = 2, n_threads = 2))
  }
  # glm() models the second level: of "well" in turned levels.
  for (metric in c("roc_auc", "brier_score", "sensitivity", "accuracy")) {
    one <- tune(noisy, risk, metric, "ill")
    expect_identical(one$performance$estimate, tune(noisy, both, metric, "ill")$performance$estimate)
    other <- tune(turned, function(model, newx) 1 - risk(model, newx), metric, "first")
    expect_equal(other$performance$apparent, one$performance$apparent, tolerance = 0.05)
    shares <- predict(other, noisy, type = "prob")
    expect_identical(colnames(shares), c("ill", "well"))
    expect_gt(mean(shares[noisy$y == "ill", "ill"]), 0.5)
    expect_gt(mean(predict(other, noisy) == noisy$y), 0.7)
  }
  expect_error(tune(noisy, risk, "accuracy", NULL), "one number per row.*say by `event_level` which")
  labels <- function(model, newx) ifelse(risk(model, newx) > 0.5, "ill", "well")
  expect_s3_class(tune(noisy, labels, "accuracy", NULL), "bbc_protocol")
  of_frame <- function(model, newx) data.frame(.pred_class = factor(labels(model, newx)))
  expect_identical(tune(noisy, of_frame, "accuracy", NULL)$predictions,
                   tune(noisy, labels, "accuracy", NULL)$predictions)
})

test_that("a column with the name of a class is its probability, whichever is the event", {
  tune <- function(predict, metric, event_level) {
    suppressWarnings(bbc_tune(y ~ ., noisy, learner(by_column, predict, list(column = "a")), metric, cv = 5,
                              event_level = event_level, n_bootstraps = 40, seed = 2, n_threads = 2))
  }
  expected <- tune(risk, "brier_score", "ill")
  of_well <- list(
    function(model, newx) cbind(well = 1 - risk(model, newx)),
    function(model, newx) data.frame(.pred_well = 1 - risk(model, newx)),
    function(model, newx) data.frame(prob.well = 1 - risk(model, newx))
  )
  for (shares in of_well) {
    own <- tune(shares, "brier_score", "ill")
    expect_equal(own$performance, expected$performance)
    expect_equal(predict(own, noisy, type = "prob"), predict(expected, noisy, type = "prob"))
    # Its name says which class it is of where no event does.
    expect_equal(tune(shares, "accuracy", NULL)$performance$estimate,
                 tune(risk, "accuracy", "ill")$performance$estimate)
  }
})

test_that("other processes give the same", {
  skip_if_not_installed("future.apply")
  draw <- function(x, y, shift) shift + stats::runif(1)
  say <- function(model, newx) rep(model, nrow(newx))
  tune <- function() tune_cars(draw, say, list(shift = 1:3))$performance$replicates
  one <- tune()
  kept <- future::plan("multisession", workers = 2)
  on.exit(future::plan(kept))
  expect_equal(bbcr:::n_future_workers(), 2)
  expect_identical(tune(), one)
  # What functions of the session call goes with them.
  assign("bbcr_helper", function(x) mean(x), envir = globalenv())
  on.exit(rm("bbcr_helper", envir = globalenv()), add = TRUE)
  helped <- eval(quote(function(x, y, shift) bbcr_helper(y) + shift), globalenv())
  expect_s3_class(tune_cars(helped, say, list(shift = 1:3), error_score = "raise"), "bbc_protocol")
})

test_that("what cannot be is refused before a model is trained", {
  never <- function(x, y, degree) stop("trained")
  refused <- function(pattern, ...) expect_refused(tune_cars(never, ...), pattern)
  refused("`degree` has no values", grid = list(degree = integer()))
  refused("configuration degree=1 twice", grid = list(degree = c(1, 2, 1)))
  refused("`power` is no hyper-parameter of `fit`", grid = list(power = 1))
  refused("`cv` is 60, but there are 50 rows", cv = 60)
  refused("`dropping_level` must be one number from 0 to 1", dropping_level = 99)
  refused("`error_score` must be NaN or \"raise\"", error_score = 0)
  refused("`store` must be the path of a folder", store = 3)
  refused("`folds` is called `cv` in R", folds = 1:50)
  refused("`selection`: bbc_tune[(][)] selects one", selection = bbc_top_k(2))
  refused("`protocol` must be \"BBCD\" or \"BBC\"", protocol = "CV")
  refused("`engine` must be \"R\" or \"python\"", engine = "Python")
  refused("`confidence_level` must be between 0 and 1", confidence_level = 95)
  refused("`n_bootstrap`: protocol \"BBC\" has no such argument; did you mean n_bootstraps", n_bootstrap = 9,
          protocol = "BBC")
  refused("`n_jobs`: .*future::plan", n_jobs = 2)
  refused("`min_predictions` is for protocol \"BBCD\"", protocol = "NCV", min_predictions = 20)
  refused("`block_length`: protocol \"BBCD\" has no such argument; bbc_correct", block_length = 3)
  refused("\"bbc-f\" is a method of \"BBC\"", method = "bbc-f")
  refused("`cv` has 1 partition, but 2 are needed", protocol = "CVM-CV", cv = rep(1:5, 10), n_bootstraps = NULL)
  refused("`cv` has one value", cv = rep(1, 50))
  refused("group of row 2 .* in several folds", cv = rep(1:5, 10), groups = rep(1:25, each = 2))
  refused("`groups` must be the name of a column", groups = "id")
  refused("`groups`: speed is a predictor", groups = "speed")
  expect_refused(bbc_tune(dist ~ speed, cars, list(1), "mean_squared_error"), "`learners` must be")
  expect_refused(bbc_tune(dist ~ speed, as.list(cars), bbc_learner("glm"), "mean_squared_error"),
                 "`data` must be a data frame")
  lonely <- factor(c("a", rep("b", 49)))
  expect_error(bbc_tune(cars, lonely, bbc_learner(never, predict = ahead), "roc_auc", protocol = "NCV", cv = 5,
                        event_level = "a"), "the metric needs a row of class a at repeat 1, fold 2", class = "bbc_undefined_metric")
  expect_error(tune_cars(predict = function(model, newx) 1:3), "gave 3 predictions for 10 rows")
  expect_error(tune_cars(predict = function(model, newx) NA * newx[[1]]), "not finite at row 1")
})

test_that("warnings of learners are said once, with the first place", {
  careful <- function(x, y, degree) {
    if (degree == 2) warning("mind the gap")
    line(x, y, degree)
  }
  said <- character()
  withCallingHandlers(
    bbc_tune(dist ~ speed, cars, learner(careful, ahead, list(degree = 1:2)), "mean_squared_error", cv = 5,
             n_bootstraps = 40, seed = 1),
    warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  gap <- grep("mind the gap", said, value = TRUE)
  expect_match(gap, "R: mind the gap (configuration degree=2, repeat 1, fold 1 and ", fixed = TRUE)
  expect_length(gap, 1)
})

test_that("a formula takes variables away, and no two columns have one name", {
  noisy$leak <- as.integer(noisy$y) + stats::rnorm(120, sd = 0.01)
  without <- suppressWarnings(bbc_tune(y ~ . - leak, noisy, bbc_learner("glm"), "roc_auc", event_level = "ill",
                                       protocol = "CVT", cv = 4, seed = 1))
  expect_false("leak" %in% without$columns)
  expect_lt(without$performance$estimate, 0.95)
  expect_length(predict(without, noisy[setdiff(names(noisy), "leak")]), 120)
  twice <- stats::setNames(data.frame(1:50, cars$speed), c("a", "a"))
  expect_refused(bbc_tune(twice, cars$dist, bbc_learner("glm"), "r2"), "`x` has two columns called a")
  expect_refused(bbc_tune(data.frame(.target = 1:50), cars$dist, bbc_learner("glm"), "r2"),
                 "no column may be called .target")
  expect_refused(bbc_tune(data.frame(a = cars$dist), cars$dist, bbc_learner("glm"), "r2"),
                 "column a is the outcome itself")
  expect_refused(bbc_tune(dist ~ strata(speed), cars, bbc_learner("glm"), "r2"), "has strata\\(speed\\)")
  expect_refused(bbc_tune(dist ~ 1, cars, bbc_learner("glm"), "r2"), "no predictors")
  expect_refused(bbc_tune(cars["speed"], cars$dist, bbc_learner("glm"), "r2", cv = 2, protocol = "NCV"),
                 "needs three folds")
})

test_that("one configuration whose predictions are wrong is left out, as one that fails", {
  odd <- function(model, newx) if (nrow(newx) && length(stats::coef(model)) == 3) NA * newx$speed else ahead(model, newx)
  tuned <- tune_cars(predict = odd)
  expect_identical(colnames(tuned$predictions), c("degree=1", "degree=3", "degree=4"))
  expect_error(tune_cars(predict = odd, error_score = "raise"), "degree=2, repeat 1, fold 1: `predict` is not finite")
  frame <- tune_cars(predict = function(model, newx) data.frame(.pred = ahead(model, newx)))
  expect_identical(frame$predictions, tune_cars()$predictions)
  expect_type(predict(frame, cars), "double")
  expect_refused(suppressWarnings(bbc_tune(dist ~ speed, cars, learner(line, function(model, newx) -1 + 0 * newx$speed,
                                                                        list(degree = 1)), "poisson_deviance")),
                 "every one failed.*must be in .0, Inf")
})

test_that("other processes know the classes of the data", {
  skip_if_not_installed("future.apply")
  skip_if_not_installed("survival")
  lung <- stats::na.omit(survival::lung[c("age", "ph.ecog", "time", "status")])[1:100, ]
  tune <- function() {
    suppressWarnings(bbc_tune(survival::Surv(time, status) ~ ., lung, bbc_learner("coxph", ties = c("efron", "breslow")),
                              "concordance_index", protocol = "CVT", cv = 4, seed = 1))$performance$estimate
  }
  one <- tune()
  expect_identical(bbcr:::namespaces_of(survival::Surv(1:2, 0:1)), "survival")
  kept <- future::plan("multisession", workers = 2)
  on.exit(future::plan(kept))
  expect_identical(tune(), one)
})
