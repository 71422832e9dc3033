# Rock or mine? Penalised regression and random forests compete on the sonar data.
# Rscript bbcd_sonar.R; with `engine = "python"` added the same is done by Python's protocol.
library(bbcr)

data(Sonar, package = "mlbench")
set.seed(1)
new <- sample(nrow(Sonar), 50)

fit <- bbc_tune(
  Class ~ ., Sonar[-new, ],
  learners = list(
    net = bbc_learner("glmnet", alpha = c(0, 0.5, 1), lambda = c(0.003, 0.01, 0.03, 0.1)),
    forest = bbc_learner("ranger", mtry = c(3, 8, 20), min.node.size = c(1, 10), num.trees = 200)
  ),
  metric = "roc_auc", event_level = "M", cv = 5
)

# What to expect of the winner on new data, and what became of the others.
fit
table(dropped_after_fold = fit$configurations$dropped, useNA = "ifany")

# The winner, trained on all rows, is R's own model.
class(fit$model)
probabilities <- predict(fit, Sonar[new, ], type = "prob")
head(probabilities)
table(predicted = predict(fit, Sonar[new, ]), truth = Sonar$Class[new])

# The rows that were kept aside agree, if the estimate is honest.
bbc_correct(probabilities[, "M", drop = FALSE], Sonar$Class[new], "roc_auc", event_level = "M")
