# The same call by both engines, on the same folds: the same numbers, names, findings and words.
library(bbcr)

set.seed(3)
folds <- sample(rep(1:5, 10))
two <- droplevels(iris[iris$Species != "setosa", ])
quarter <- sample(rep(1:4, 25))
line <- bbc_learner(
  function(x, y, degree) lm(y ~ poly(speed, degree), cbind(x, y = y)), degree = 1:4,
  predict = function(model, newx) predict(model, newx)
)
several <- list(
  glm = bbc_learner("glm"), knn = bbc_learner("caret", grid = data.frame(method = "knn", k = c(3, 9, 21))),
  tree = bbc_learner(function(x, y, cp) rpart::rpart(y ~ ., cbind(x, y = y), cp = cp), cp = c(0.01, 0.3),
                     predict = function(model, newx) predict(model, newx))
)
fragile <- bbc_learner(
  function(x, y, degree) {
    if (degree == 2 && x$speed[[1]] > 4) stop("no")
    lm(y ~ poly(speed, degree), cbind(x, y = y))
  },
  degree = 1:4, predict = function(model, newx) predict(model, newx)
)
lung <- na.omit(survival::lung[c("time", "status", "age", "sex", "ph.karno")])

n_compared <- 0
same <- function(...) {
  by <- lapply(c("R", "python"), function(engine) suppressWarnings(bbc_tune(..., engine = engine, seed = 1)))
  estimates <- lapply(by, `[[`, "performance")
  fields <- setdiff(unique(unlist(lapply(estimates, names))), c("call", "design", "undefined_folds"))
  designs <- lapply(estimates, function(e) e$design[setdiff(names(e$design), c("class_counts", "splitter"))])
  values <- lapply(by, function(one) {
    # R keeps a column for each class, Python what the metric reads.
    if (length(dim(one$predictions)) == 3) one$predictions <- one$predictions[, , 2]
    one[c("protocol", "winner", "predictions", "truth", "folds", "configurations", "learner", "outer")]
  })
  for (field in fields) {
    stopifnot(isTRUE(all.equal(estimates[[1]][[field]], estimates[[2]][[field]], tolerance = 0)))
    n_compared <<- n_compared + 1
  }
  shown <- lapply(by, function(one) capture.output(print(one$performance), summary(one)))
  stopifnot(isTRUE(all.equal(designs[[1]], designs[[2]], tolerance = 0)),
            isTRUE(all.equal(values[[1]], values[[2]], tolerance = 0)), identical(shown[[1]], shown[[2]]))
}
for (protocol in c("BBCD", "BBC", "CVT", "NCV", "TT")) {
  same(dist ~ speed, cars, line, "mean_squared_error", protocol = protocol, cv = folds)
  same(Species ~ Sepal.Length + Sepal.Width, two, several, "roc_auc", event_level = "virginica",
       protocol = protocol, cv = quarter)
  same(Species ~ Sepal.Length + Sepal.Width, iris, several["tree"], "accuracy", protocol = protocol,
       cv = rep(1:5, 30))
  same(dist ~ speed, cars, fragile, "r2", protocol = protocol, cv = folds)
  same(survival::Surv(time, status) ~ ., lung, bbc_learner("coxph", ties = c("efron", "breslow")),
       "concordance_index", protocol = protocol, cv = rep(1:4, length.out = nrow(lung)))
}
same(dist ~ speed, cars, line, "mean_squared_error", protocol = "BBC", method = "bbc-f", cv = folds)
same(dist ~ speed, cars, line, "mean_squared_error", protocol = "BBC", method = "bbc-two-level", cv = folds)
for (protocol in c("BBC", "BBCD", "CVT")) {
  same(dist ~ speed, cars, line, "mean_squared_error", protocol = protocol, pooling = "fold", cv = folds)
  same(dist ~ speed, cars, line, "mean_squared_error", protocol = protocol, cv = folds,
       groups = 10 * folds + rep(1:2, 25))
}
stopifnot(n_compared > 1000)
cat("all passed\n")
