# Rock or mine? Nearest neighbours tuned by caret on the sonar data, and what to expect of them.
# Needs R only: Rscript caret_sonar.R
suppressPackageStartupMessages(library(caret))
library(bbcr)

data(Sonar, package = "mlbench")
set.seed(1)

# caret keeps the held-out predictions of every configuration, not of the best alone.
control <- trainControl("cv", 10, savePredictions = "all", classProbs = TRUE)
tuned <- train(
  Class ~ ., Sonar, method = "knn", trControl = control, preProcess = c("center", "scale"),
  tuneGrid = data.frame(k = c(1, 3, 5, 7, 9, 15, 21))
)

# The accuracy that caret reports belongs to the best of seven, so it is too good.
accuracy <- bbc_correct(tuned, metric = "accuracy")
summary(accuracy)

# Any other metric of the same predictions; nothing is trained again.
auc <- bbc_correct(tuned, metric = "roc_auc", event_level = "M")
confint(auc)

pdf(NULL)
plot(auc)
