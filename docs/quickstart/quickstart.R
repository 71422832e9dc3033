library(bbcr)

table <- read.csv("scores.csv")
result <- bbc_correct(as.matrix(table[-1]), table$y, metric = "roc_auc", seed = 1)
summary(result)

# The same bits as in Python, C++ and C: all digits of the estimate.
cat(sprintf("%.17g\n", result$estimate))
confint(result)
