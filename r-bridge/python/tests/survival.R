# Protocols of a right-censored outcome; every line that fails ends it.
library(bbcr)
python <- function(protocol) {
  force(protocol)
  function(...) do.call(bbc_tune, list(..., protocol = protocol, engine = "python"), quote = TRUE)
}
BBC <- python("BBC")
CVT <- python("CVT")
library(survival)

lung <- survival::lung[c("time", "status", "age", "sex", "ph.ecog", "wt.loss")]
lung <- lung[complete.cases(lung), ]
tau <- bbc_metric("uno_concordance", tau = 700)
learners <- list(
  cox = bbc_learner("coxph", ties = c("efron", "breslow")),
  lasso = bbc_learner("glmnet", lambda = c(0.01, 0.1)),
  forest = bbc_learner("ranger", num.trees = 20, min.node.size = c(5, 30))
)
fit <- function(...) {
  suppressWarnings(BBC(Surv(time, status) ~ ., data = lung, learners = learners, cv = 4,
                       n_bootstraps = 60, seed = 3, ...))
}

# The same replicates as from the predictions alone; risks of folds are compared within folds.
run <- fit(metric = tau, pooling = "fold")
again <- bbc_correct(run$predictions, run$truth, tau, folds = run$folds, pooling = "fold",
                     n_bootstraps = 60, seed = 3)
stopifnot(
  identical(again$replicates, run$performance$replicates), run$performance$apparent > 0.55,
  inherits(run$truth, "Surv"), identical(dim(run$predictions), c(nrow(lung), 6L)),
  run$performance$metric == "uno_concordance(tau=700)", run$performance$pooling == "fold"
)

# A fold's risks are those of the packages themselves.
held_out <- run$folds == 1
cox <- coxph(Surv(time, status) ~ ., lung[!held_out, ], ties = "efron")
stopifnot(isTRUE(all.equal(unname(predict(cox, lung[held_out, ])),
                           unname(run$predictions[held_out, "cox(ties=\"efron\")"]))))

# The refitted winner predicts risks.
stopifnot(
  length(predict(run, lung[1:3, ])) == 3,
  identical(fit(metric = "concordance_index", n_jobs = 2)$predictions, run$predictions)
)
auc <- CVT(lung[c("age", "ph.ecog")], with(lung, Surv(time, status)), learners["cox"],
           bbc_metric("cumulative_dynamic_auc", time = 365), cv = 4, seed = 1)
stopifnot(auc$performance$apparent > 0.5, auc$performance$metric == "cumulative_dynamic_auc(time=365)")

# A learner of one's own.
own <- bbc_learner(
  function(x, y, by) {
    stopifnot(inherits(y, "Surv"), nrow(y) == nrow(x))
    by
  },
  by = c("age", "wt.loss"), predict = function(model, newx) newx[[model]]
)
stopifnot(identical(unname(CVT(Surv(time, status) ~ age + wt.loss, data = lung, learners = own,
                               metric = "uno_concordance", seed = 1)$predictions[, 1]), lung$age))

# A recipe whose outcome is a Surv: steps that change no risk change nothing.
held <- lung[c("age", "sex", "wt.loss")]
held$survival <- Surv(lung$time, lung$status)
scaled <- recipes::recipe(survival ~ ., held)
scaled <- recipes::step_normalize(scaled, recipes::all_numeric_predictors())
cox <- function(x) {
  CVT(x, held, learners["cox"], "concordance_index", cv = 4, seed = 1)$performance$apparent
}
stopifnot(isTRUE(all.equal(cox(scaled), cox(survival ~ .))))

refused <- function(code, pattern) {
  message <- tryCatch({
    code
    "nothing was refused"
  }, bbc_error = conditionMessage)
  if (!grepl(pattern, message)) stop(message)
}
refused(fit(metric = "roc_auc"), "`y` is a Surv object: only survival metrics take one")
refused(CVT(lung["age"], lung$time, learners["cox"], "uno_concordance"),
        "`y` must be survival::Surv\\(time, event\\) for metric")
refused(CVT(lung["age"], Surv(lung$time, lung$time + 1, lung$status), learners["cox"],
            "uno_concordance"), "`y` must be right-censored")
refused(fit(metric = bbc_metric("survival_brier_score", time = 365)),
        "is not one that protocols take from R")
cat("all passed\n")
