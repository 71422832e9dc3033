# Names, labels and texts in UTF-8 where the locale is C; and recursion without end in a learner.
library(bbcr)
python <- function(protocol) {
  force(protocol)
  function(...) do.call(bbc_tune, list(..., protocol = protocol, engine = "python"), quote = TRUE)
}
CVT <- python("CVT")
data <- setNames(data.frame(rnorm(60)), "gr\u00f6\u00dfe")
truth <- factor(rep(c("mal\u00e9", "sain"), 30))
learners <- setNames(list(bbc_learner(
  function(x, y, k) {
    stopifnot(names(x) == "gr\u00f6\u00dfe", k %in% c("\u6a39", "b"))
    mean(y == "sain")
  },
  k = c("\u6a39", "b"), predict = function(model, newx) rep(model, nrow(newx))
)), "for\u00eat")
for (n_jobs in 1:2) {
  fit <- CVT(data, truth, learners, "roc_auc", event_level = "mal\u00e9", cv = 3, n_jobs = n_jobs)
  stopifnot(
    identical(fit$performance$event, "mal\u00e9"), startsWith(fit$winner, "for\u00eat(k="),
    identical(colnames(fit$predictions)[[1]], fit$winner),
    identical(fit$configurations$k, c("\u6a39", "b")),
    identical(levels(predict(fit, data)), c("mal\u00e9", "sain"))
  )
}
deep <- bbc_learner(
  function(x, y) { f <- function(n) f(n + 1); f(1) }, predict = function(model, newx) 1
)
for (turn in 1:2) {
  message <- tryCatch(CVT(data, truth, deep, "accuracy", cv = 3, error_score = "raise"),
                      error = conditionMessage)
  stopifnot(grepl("infinite recursion|stack", message))
}
cat("all passed\n")
