# Protocols called from R, in whatever process this runs; every line that fails ends it.
library(bbcr)
python <- function(protocol) {
  force(protocol)
  function(...) do.call(bbc_tune, list(..., protocol = protocol, engine = "python"), quote = TRUE)
}
BBC <- python("BBC")
BBCD <- python("BBCD")
CVT <- python("CVT")

two <- droplevels(iris[iris$Species != "setosa", ])
two$size <- factor(ifelse(two$Sepal.Length > 6, "gro\u00df", NA)) # a factor with NA
two$count <- c(NA, 2:100)                                         # integer NA
shift <- 0.1
shifted <- function(p) pmin(1, p + shift) # found by workers too
checked <- function(x) {
  stopifnot(is.factor(x$size), identical(levels(x$size), "gro\u00df"), anyNA(x$size),
            is.integer(x$count), !any(x$count < 0, na.rm = TRUE))
}
own <- bbc_learner(
  function(x, y, k) {
    checked(x)
    list(centers = rowsum(x[seq_len(k)], y) / as.vector(table(y)), noise = runif(1))
  },
  k = 1:4,
  predict = function(model, newx) {
    checked(newx)
    distances <- apply(model$centers, 1, function(center) {
      colSums((t(newx[names(model$centers)]) - center)^2)
    })
    shifted(distances[, 1] / rowSums(distances) + model$noise / 1000)
  }
)
learners <- list(own = own, forest = bbc_learner("ranger", mtry = 1:2, num.trees = 10))

# Same results whatever runs where; the same replicates as from the predictions alone.
fit <- function(n_jobs) {
  suppressWarnings(BBC(
    two[setdiff(names(two), "Species")], two$Species, learners["own"], "roc_auc", cv = 4,
    n_repeats = 2, n_bootstraps = 100, event_level = "virginica", seed = 3, n_jobs = n_jobs
  ))
}
one <- fit(1)
both <- fit(2)
stopifnot(
  identical(one$predictions, both$predictions), identical(one$performance, both$performance),
  inherits(one$performance, "bbc_estimate"), length(one$predictions) == 2,
  identical(dim(one$folds), c(100L, 2L)), max(one$folds) == 4,
  identical(colnames(one$predictions[[1]]), sprintf("own(k=%d)", 1:4))
)
again <- bbc_correct(one$predictions, one$truth, "roc_auc", n_bootstraps = 100,
                     event_level = "virginica", folds = one$folds, seed = 3)
stopifnot(
  identical(again$replicates, one$performance$replicates),
  identical(again$replicate_winners, one$performance$replicate_winners),
  identical(again$confidence_interval, one$performance$confidence_interval),
  identical(again$monte_carlo_error, one$performance$monte_carlo_error),
  identical(confint(again), confint(one)), identical(coef(again), coef(one)),
  isTRUE(all.equal(as.data.frame(again), as.data.frame(one$performance))),
  setequal(setdiff(names(again), "call"), names(one$performance))
)

# Replicates that draw folds, too; with fewer than four there is no interval.
for (own in list(BBC, BBCD)) {
  two_level <- function(cv) {
    suppressWarnings(own(
      two[setdiff(names(two), "Species")], two$Species, learners["own"], "roc_auc", cv = cv,
      method = "bbc-two-level", n_bootstraps = 100, event_level = "virginica", seed = 3
    ))
  }
  fit <- two_level(5)
  again <- suppressWarnings(bbc_correct(
    fit$predictions, fit$truth, "roc_auc", "bbc-two-level", fit$folds, n_bootstraps = 100,
    event_level = "virginica", missing = "drop-configurations", seed = 3
  ))
  stopifnot(
    fit$performance$method == "bbc-two-level", is.null(fit$performance$infeasible),
    identical(again$replicates, fit$performance$replicates),
    identical(again$confidence_interval, fit$performance$confidence_interval)
  )
  few <- two_level(3)
  stopifnot(
    few$performance$confidence_interval$low < coef(few), is.null(few$performance$infeasible),
    any(grepl("few folds to draw from", capture.output(summary(few))))
  )
}

# set.seed() makes runs reproducible, and fits leave the generator alone.
seeded <- function() {
  set.seed(5)
  CVT(Species ~ ., iris, bbc_learner("ranger", num.trees = 5), "log_loss", cv = 3)
}
first <- seeded()
after <- runif(1)
stopifnot(identical(first$performance, seeded()$performance), identical(after, runif(1)))
stopifnot(
  inherits(first$model, "ranger"), identical(dim(first$predictions), c(150L, 1L, 3L)),
  identical(dimnames(first$predictions)[[3]], levels(iris$Species)),
  identical(dim(predict(first$model, iris)$predictions), c(150L, 3L)),
  identical(levels(predict(first, iris)), levels(iris$Species)),
  mean(predict(first, iris) == iris$Species) > 0.9,
  all.equal(rowSums(predict(first, iris, type = "prob")), rep(1, 150))
)

# update() runs a protocol again, by the same seed.
speeds <- CVT(dist ~ ., data.frame(cars, noise = 1:50), bbc_learner("glm"), "r2", cv = 5)
stopifnot(
  identical(update(speeds)$performance, speeds$performance),
  identical(update(speeds, . ~ . - noise)$performance,
            CVT(dist ~ speed, cars, bbc_learner("glm"), "r2", cv = 5, seed = speeds$seed)$performance),
  update(speeds, cv = 4)$performance$n_folds == 4
)

# Progress is said by messages, if it is wanted.
said <- function(...) {
  capture.output(run <- CVT(dist ~ speed, cars, bbc_learner("glm"), "r2", cv = 3, seed = 1, ...),
                 type = "message")
}
progress <- said(verbose = TRUE)
stopifnot(length(progress) == 4, startsWith(progress[[1]], "[CVT] fold 1 of 3: 1 of 4 models"),
          length(said()) == 0)

# Text becomes a factor whose levels every fold and new data know.
texts <- data.frame(group = rep(c("a", "b", "rare", "c"), c(40, 40, 3, 17)), n = 1:100)
y <- as.double(seq_len(100) + 10 * (texts$group == "b"))
line <- CVT(y ~ ., data.frame(texts, y), bbc_learner("glmnet", lambda = 0.01), "r2", cv = 5)
stopifnot(length(predict(line, texts[1:2, ])) == 2, abs(predict(line, texts[1, ]) - y[[1]]) < 3)
unknown <- tryCatch(predict(line, data.frame(group = "new", n = 1)), error = conditionMessage)
stopifnot(grepl("`newdata`: column group has the new level new", unknown, fixed = TRUE))

# Recipes are trained in each fold, workflows and models of parsnip as a whole.
sane <- droplevels(iris[iris$Species != "setosa", ])
pca <- recipes::step_pca(recipes::recipe(Species ~ ., sane), recipes::all_numeric_predictors(),
                         num_comp = 2)
for (n_jobs in 1:2) {
  baked <- suppressWarnings(BBC(pca, sane, bbc_learner("glm"), "roc_auc", cv = 4, seed = 1,
                                event_level = "virginica", n_jobs = n_jobs))
  by_hand <- numeric(100)
  for (fold in 1:4) {
    trained <- recipes::prep(pca, sane[baked$folds != fold, ])
    terms <- as.data.frame(recipes::bake(trained, sane))
    model <- suppressWarnings(glm(Species ~ ., binomial, terms[baked$folds != fold, ]))
    own <- baked$folds == fold
    by_hand[own] <- predict(model, terms[own, ], type = "response")
  }
  stopifnot(
    isTRUE(all.equal(unname(baked$predictions[, 1]), by_hand)),
    isTRUE(all.equal(coef(baked), coef(bbc_correct(cbind(by_hand), sane$Species, "roc_auc",
                                                   event_level = "virginica", seed = 1)))),
    inherits(baked$model$recipe, "recipe"), nrow(predict(baked, sane, type = "prob")) == 100
  )
}
if (requireNamespace("workflows", quietly = TRUE)) {
  marked <- recipes::step_pca(recipes::recipe(Species ~ ., sane),
                              recipes::all_numeric_predictors(), num_comp = parsnip::tune("k"))
  flow <- workflows::workflow(marked, parsnip::logistic_reg(engine = "glm"))
  forest <- parsnip::rand_forest("classification", mtry = parsnip::tune(), trees = 5,
                                 engine = "ranger")
  whole <- suppressWarnings(BBC(
    Species ~ ., sane, list(pca = bbc_learner(flow, k = 1:2), forest = bbc_learner(forest, mtry = 1)),
    "roc_auc", cv = baked$folds, seed = 1, event_level = "virginica", n_jobs = 2
  ))
  stopifnot(isTRUE(all.equal(unname(whole$predictions[, "pca(k=2)"]), by_hand)),
            identical(colnames(whole$predictions), c("pca(k=1)", "pca(k=2)", "forest(mtry=1)")))
}

# A fit is usable where there is no Python.
file <- tempfile()
saveRDS(first, file)
stopifnot(identical(predict(readRDS(file), iris), predict(first, iris)))

# Every protocol.
for (name in c("CVT", "CVM-CV", "NCV", "TT", "BBC", "BBCD")) {
  done <- python(name)(dist ~ speed, cars, list(
    line = bbc_learner("glm"), mean = bbc_learner(
      function(x, y) mean(y), predict = function(model, newx) rep(model, nrow(newx))
    )
  ), "mean_squared_error", cv = if (name == "CVM-CV") 5 else rep(1:5, 10), seed = 1)
  interval <- done$performance$confidence_interval
  stopifnot(
    done$winner == "line", done$protocol == name, identical(dim(done$predictions), c(50L, 2L)),
    is.null(done$performance$model_luck) == !(name %in% c("BBC", "BBCD")),
    ("BBC001" %in% done$performance$findings$code) == (name == "CVT"),
    is.null(interval) == (name %in% c("CVT", "CVM-CV", "NCV", "TT")), is.null(done$outer) == (name != "NCV"),
    inherits(done$model, "glm"), all.equal(predict(done, cars), unname(fitted(done$model)))
  )
  capture.output(print(done), summary(done))
}
stopifnot("dropped" %in% names(done$configurations))
numbers <- BBC(Species ~ ., iris, bbc_learner("svm", cost = c(0.1, 1)), "accuracy", cv = 3, seed = 1)
stopifnot(is.character(numbers$predictions), setequal(numbers$predictions, levels(iris$Species)))

# One number per row is the probability of the event, whichever level that is.
of_event <- function(event) bbc_learner(
  function(x, y, column) stats::glm((y == event) ~ value, stats::binomial, data.frame(value = x[[column]])),
  column = "Petal.Width",
  predict = function(model, newx) {
    stats::predict(model, data.frame(value = newx$Petal.Width), type = "response")
  }
)
for (event in levels(two$Species)) {
  turned <- suppressWarnings(CVT(Species ~ Petal.Width, two, of_event(event), "brier_score", cv = 4,
                               event_level = event, seed = 1))
  stopifnot(turned$performance$estimate < 0.1, mean(predict(turned, two) == two$Species) > 0.9)
}

# What goes wrong is an R condition.
message_of <- function(code) tryCatch({code; "nothing"}, error = conditionMessage)
refused <- function(code, text) {
  message <- message_of(code)
  if (!grepl(text, message)) stop("expected \"", text, "\", got: ", message)
}
refused(BBC(dist ~ speed, cars, bbc_learner("glm"), "r2", dropping_level = 1),
        "`dropping_level` is for protocol \"BBCD\"")
refused(BBC(dist ~ speed, cars, bbc_learner("glm"), "r2", alternative = "less"),
        "`alternative`: BBC has no such argument; bbc_correct\\(\\) of the result takes it$")
refused(BBC(dist ~ speed, cars, bbc_learner("gl"), "r2"), "no ready learner is called \"gl\"")
refused(BBC(dist ~ speed, cars, bbc_learner("glm"), "accuracy"), "`y` must be a factor")
refused(BBC(Species ~ ., two, learners, "roc_auc"), "`event_level` is needed")
refused(suppressWarnings(BBC(Species ~ ., two, of_event("virginica"), "accuracy", cv = 3)),
        "one number per row.*say by `event_level`")
refused(BBC(dist ~ speed * 2, cars, bbc_learner("glm")), "`metric` is missing")
refused(BBC(cars["speed"], 1:3, bbc_learner("glm"), "r2"), "`y` has 3 rows, `x` has 50")
refused(BBC(dist ~ speed, cars, list(bbc_learner("glm")), "r2"), "needs a name of its own")
ids <- sprintf("p%02d", 1:50)
refused(CVT(data.frame(speed = cars$speed, row.names = ids), setNames(cars$dist, rev(ids)),
            bbc_learner("glm"), "r2"), "`y`: row 1 is p50, that of `x` is p01")
refused(CVT(cars["speed"], setNames(cars$dist, ids), bbc_learner("glm"), "r2",
            groups = setNames(1:50, rev(ids))), "`groups`: row 1 is p50")
refused(predict(done, data.frame(a = 1)), "speed")
refused(CVT(cars["speed"], replace(cars$dist, 3, Inf), bbc_learner("glm"), "r2"),
        "`y` is infinite at row 3")
refused(CVT(cars["speed"], as.matrix(cars), bbc_learner("glm"), "r2"), "`y` must be .* not a matrix")
refused(CVT(dist ~ offset(speed), cars, bbc_learner("glm"), "r2"), "`x`: the formula has an offset")
refused(CVT(dist ~ speed, cars, bbc_learner("glm"), "r2", verbose = "much"),
        "`verbose` must be TRUE or FALSE")
refused(CVT(dist ~ speed, cars, metric = "r2"), "`learners` is missing")
refused(CVT(dist ~ speed, cars, bbc_learner("glm"), "r2", 5), "argument without a name")
refused(CVT(dist ~ speed, cars, bbc_learner("glm"), "r2", cv = 1:5),
        "`cv` has 5 rows, the data have 50")
line <- function(...) CVT(dist ~ speed, cars, bbc_learner("glm"), ...)
refused(line("r2", cv = rep(1, 50)), "`cv` has one value")
refused(line("r2", cv = rep(1:5, 10), n_repeats = 2), "`cv` has the folds of one .* 2 are needed")
refused(python("CVM-CV")(dist ~ speed, cars, bbc_learner("glm"), "r2", cv = rep(1:5, 10)), "2 are needed")
refused(BBC(dist ~ speed, cars, bbc_learner("glm"), "r2", selection = bbc_one_standard_error(1)),
        "`selection` cannot be a bbc_selection")
refused(CVT(-dist ~ speed, cars, bbc_learner("glm"), "poisson_deviance"),
        "`y` must be in \\[0, Inf\\) .* got -2 at row 1 [(]50 in total[)]")
refused(BBC(Species ~ ., two, bbc_learner("glm"), "roc_auc", event_level = "virginica", method = "bbc-f",
            cv = rep(1:2, each = 50)), "no row of class virginica.*at repeat 1, fold 1")
stranger <- bbc_learner(function(x, y) 1, predict = function(model, newx) rep("new", nrow(newx)))
refused(CVT(Species ~ ., two, stranger, "accuracy", cv = 3), "predict gave the class 'new', which")
error <- tryCatch(BBC(dist ~ speed, cars, bbc_learner("glm"), "r2", cv = 100), error = identity)
stopifnot(inherits(error, "bbc_python_error"), inherits(error, "ValueError"))

# Messages of learners name configuration and fold, counted from 1, whatever process they ran in.
troubled <- bbc_learner(
  function(x, y, k) {
    if (nrow(x) < 50) warning("careful")
    if (k == 2) stop("no luck")
    mean(y)
  },
  k = 1:2, predict = function(model, newx) rep(model, nrow(newx))
)
warnings_of <- function(code) {
  texts <- character()
  withCallingHandlers(code, warning = function(w) {
    texts <<- c(texts, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  texts
}
for (n_jobs in 1:2) {
  texts <- warnings_of(CVT(dist ~ speed, cars, list(own = troubled), "r2", cv = 2, seed = 1,
                           n_jobs = n_jobs))
  careful <- sprintf("R: careful (configuration 'own(k=%d)', repeat 1, fold %d)",
                     c(1, 1, 2, 2), c(1, 2, 1, 2))
  stopifnot(setequal(grep("careful", texts, value = TRUE), careful))
  failed <- grep("configurations failed", texts, value = TRUE)
  stopifnot(length(texts) == 5, grepl("'own(k=2)': 2 fits", failed, fixed = TRUE),
            grepl("RError: no luck (in R, fit(...)) (repeat 1, fold ", failed, fixed = TRUE))
}
refused(suppressWarnings(CVT(dist ~ speed, cars, list(own = troubled), "r2", cv = 2,
                             error_score = "raise")),
        "no luck[^\n]*\nwhile configuration 'own\\(k=2\\)', repeat 1, fold 1 was fitted")

# Nothing that R may collect is used after it is gone.
invisible(gctorture2(step = 2000, inhibit_release = FALSE))
tortured <- CVT(dist ~ speed, cars, bbc_learner("glm"), "mean_squared_error", cv = 3, seed = 1)
invisible(gctorture(FALSE))
plain <- CVT(dist ~ speed, cars, bbc_learner("glm"), "mean_squared_error", cv = 3, seed = 1)
stopifnot(identical(tortured$performance, plain$performance))
stopifnot(bbc_python()$running, is.null(bbc_python()$problem))
cat("all passed\n")
