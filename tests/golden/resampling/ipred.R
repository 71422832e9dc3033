# Golden values of .632+: ipred's errorest(), whose bootstrap samples are given. Run in this folder:
#   Rscript ipred.R
# Writes data.csv (rows), bags.csv (the row numbers of each sample, from 0) and ipred.csv. ipred does
# not cap the relative overfitting rate, so that without signal it exceeds the ceiling of .5.
library(ipred)

nearest <- function(formula, data) {
  inputs <- as.matrix(data[c("a", "b")])
  labels <- data$y
  function(newdata) {
    rows <- as.matrix(newdata[c("a", "b")])
    labels[apply(rows, 1, function(row) which.min(colSums((t(inputs) - row)^2)))]
  }
}

centroid <- function(formula, data) {
  centres <- vapply(split(data[c("a", "b")], data$y), colMeans, numeric(2))
  function(newdata) {
    rows <- as.matrix(newdata[c("a", "b")])
    nearest <- apply(rows, 1, function(row) which.min(colSums((centres - row)^2)))
    factor(levels(data$y)[nearest], levels(data$y))
  }
}

set.seed(1)
n <- 30
rows <- bags <- results <- list()
for (signal in c(0, 0.5, 2)) {
  y <- factor(rep(c("no", "yes"), n / 2))
  data <- data.frame(a = rnorm(n) + signal * (y == "yes"), b = rnorm(n), y = y)
  drawn <- replicate(20, sample(n, replace = TRUE), simplify = FALSE)
  rows[[length(rows) + 1]] <- data.frame(signal = signal, data)
  bags[[length(bags) + 1]] <- data.frame(signal = signal, do.call(rbind, drawn) - 1)
  for (learner in c("nearest", "centroid")) {
    found <- errorest(y ~ a + b, data, model = get(learner), estimator = "632plus",
                      est.para = control.errorest(nboot = 20, list.tindx = drawn))
    out <- errorest(y ~ a + b, data, model = get(learner), estimator = "boot",
                    est.para = control.errorest(nboot = 20, list.tindx = drawn))
    results[[length(results) + 1]] <- data.frame(signal = signal, learner = learner,
                                                 plus = found$error, bootstrap = out$error)
  }
}
write_exactly <- function(frames, path) {
  frame <- do.call(rbind, frames)
  numbers <- vapply(frame, is.double, NA)
  frame[numbers] <- lapply(frame[numbers], format, digits = 17, trim = TRUE)
  write.csv(frame, path, row.names = FALSE, quote = FALSE)
}
write_exactly(rows, "data.csv")
write_exactly(bags, "bags.csv")
write_exactly(results, "ipred.csv")
cat("ipred", format(packageVersion("ipred")), "\n")
