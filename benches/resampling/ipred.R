# What R's ipred says on rows that tell nothing: Rscript benches/resampling/ipred.R [runs]
# Permuted labels, as many of both classes (the truth is .5), five features; errorest() with the
# bootstrap, .632+ and 10-fold cross-validation, of one nearest neighbour and of rpart's tree.
# Writes ipred.csv beside itself; lines that it has of as many runs are kept.
suppressMessages({
  library(ipred)
  library(rpart)
})

one_nearest <- function(formula, data) {
  structure(list(x = as.matrix(data[, -1]), y = data[[1]]), class = "one_nearest")
}
predict.one_nearest <- function(object, newdata, ...) {
  x <- as.matrix(newdata[, colnames(object$x), drop = FALSE])
  far <- outer(rowSums(x^2), rowSums(object$x^2), "+") - 2 * x %*% t(object$x)
  object$y[max.col(-far, ties.method = "first")]
}
learners <- list(
  "1-NN" = list(model = one_nearest, predict = predict.one_nearest),
  "tree" = list(
    model = function(formula, data) {
      rpart(formula, data, method = "class", control = rpart.control(minsplit = 2, cp = 0, xval = 0))
    },
    predict = function(object, newdata) predict(object, newdata, type = "class")
  )
)

runs <- as.integer(c(commandArgs(TRUE), 100)[[1]])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[[1]]))
path <- file.path(here, "ipred.csv")
lines <- if (file.exists(path)) read.csv(path, colClasses = c(ipred = "character"))
lines <- lines[lines$runs == runs, ]
for (learner in names(learners)) {
  for (n in c(30, 100)) {
    if (any(lines$learner == learner & lines$n_rows == n)) next
    set.seed(n)
    found <- replicate(runs, {
      x <- as.data.frame(matrix(rnorm(5 * n), n))
      data <- cbind(y = factor(sample(rep(0:1, length.out = n))), x)
      own <- learners[[learner]]
      vapply(c("boot", "632plus", "cv"), function(estimator) {
        errorest(y ~ ., data = data, model = own$model, predict = own$predict,
                 estimator = estimator, est.para = control.errorest(nboot = 50, k = 10))$error
      }, 0)
    })
    lines <- rbind(lines, data.frame(
      learner = learner, n_rows = n, method = rownames(found), runs = runs, truth = 0.5,
      bias = signif(rowMeans(found) - 0.5, 4),
      bias_se = signif(apply(found, 1, sd) / sqrt(runs), 3),
      ipred = as.character(packageVersion("ipred"))
    ))
    print(tail(lines, 3))
    write.csv(lines, path, row.names = FALSE, quote = FALSE)
  }
}
