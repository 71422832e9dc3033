# Uses the metrics that were added to a copy of the tree from R; prints two estimates.
library(bbcr)
row <- 0:59
configuration <- 0:4
truth <- (row * 7) %% 11 / 4
values <- truth + (outer(row * 13, configuration * 5, "+") %% 17 - 8) / 8
classes <- as.integer((row * 5) %% 9 > 4)
wrong <- outer(row * 3, configuration * 7, "+") %% 10 < 3
labels <- ifelse(wrong, 1L - classes, classes)
estimate <- function(predictions, truth, metric) {
  bbc_correct(predictions, truth, metric, n_bootstraps = 200, seed = 3)$estimate
}
stopifnot(bbc_metric("jac_neg")$name == "negative_jaccard")
cat(sprintf("%.17g\n", estimate(values, truth, "mean_fourth_power_error")))
cat(sprintf("%.17g\n", estimate(labels, classes, "jac_neg")))
