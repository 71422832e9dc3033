# Every protocol x every wrong argument: one condition of bbcr's class, with the user's call, that
# names the argument, before any model is trained.
library(bbcr)

n <- 40
set.seed(1)
INPUTS <- data.frame(a = rnorm(n), b = rnorm(n))
CLASSES <- factor(rep(c("no", "yes"), n / 2))
witness <- bbc_learner(
  function(x, y, k) stop("it was trained"),
  k = 1:2, predict = function(model, newx) rep(0.5, nrow(newx))
)
changed <- function(values, where, value) {
  values[where] <- value
  values
}

# Of an argument, by its name: what is wrong.
WRONG <- list(
  x = list(NULL, 3, "a", INPUTS[0, ], INPUTS[, 0], INPUTS[-1, ], list(1)),
  y = list(
    NULL, CLASSES[-1], changed(CLASSES, 3, NA), rep(0:1, n / 2), factor(rep("no", n)),
    factor(rep(letters[1:4], n / 4)), as.list(CLASSES)
  ),
  learners = list(
    NULL, list(), 3, "ranger", list(witness, witness), list(a = witness, a = witness), list(a = 3)
  ),
  metric = list(
    "rocauc", 3, "", NA_character_, NULL, character(), c("roc_auc", "f1"), "concordance_index",
    bbc_metric("net_benefit", threshold = 0.2)
  ),
  cv = list(1, 0, -3, 1.5, "ten", NA, NULL, c(1, 2), rep(1, n), changed(rep(1:4, n / 4), 3, NA)),
  n_repeats = list(0, -1, 1.5, "two", NA, NULL, 1:2),
  groups = list(1:9, changed(rep(1:4, n / 4), 3, NA), matrix(1, n, 2)),
  event_level = list("maybe", 7, NA, c("no", "yes")),
  seed = list(-1, 2^53, 1.5, "seed", NA, TRUE, 1:2),
  n_jobs = list(0, 1.5, "all", NA, 1:2)
)
# Of the dots: these protocols have the argument, the others refuse it by its name.
OPTIONS <- list(
  n_bootstraps = list(0, -1, 2.5, "many", NA, 1:2),
  confidence_level = list(0, 1, 95, "high", NA, c(0.5, 0.9)),
  pooling = list("mean", NA, 1),
  selection = list("worst", 3, NA),
  dropping_level = list(1.5, "high", -1, NA),
  min_predictions = list(0, -5, 1.5, "many", NA),
  error_score = list("ignore"),
  resample = list(1),
  # Of corrections, which only some protocols take, and in Python none.
  alternative = list("more"),
  on_undefined = list("ignore"),
  stratify_bootstrap = list("yes")
)
PROTOCOLS <- list(
  BBC = list(protocol = "BBC"), BBCD = list(), BBCF = list(protocol = "BBC", method = "bbc-f"), CVT = list(protocol = "CVT"),
  CVMCV = list(protocol = "CVM-CV"), NCV = list(protocol = "NCV"), TT = list(protocol = "TT")
)

n_refusals <- 0
problems <- character()
refused <- function(engine, protocol, argument, value) {
  arguments <- list(
    x = INPUTS, y = CLASSES, learners = witness, metric = "roc_auc", event_level = "yes", cv = 4,
    seed = 1, engine = engine
  )
  arguments[names(PROTOCOLS[[protocol]])] <- PROTOCOLS[[protocol]]
  arguments[argument] <- list(value)
  given <- tryCatch(do.call(bbc_tune, arguments), error = identity, warning = identity)
  problem <- if (!inherits(given, "condition")) {
    "gave a result"
  } else if (!inherits(given, "bbc_error")) {
    paste("not of bbcr:", conditionMessage(given))
  } else if (is.null(conditionCall(given))) {
    "has no call"
  } else if (!grepl(sprintf("\\b%s\\b", argument), conditionMessage(given), perl = TRUE)) {
    paste("does not name it:", conditionMessage(given))
  } else if (grepl("it was trained", conditionMessage(given), fixed = TRUE)) {
    "comes after the training"
  }
  n_refusals <<- n_refusals + 1
  if (!is.null(problem)) {
    label <- sprintf("%s %s(%s = %s)", engine, protocol, argument, paste(format(value), collapse = " "))
    problems <<- c(problems, paste0(substr(label, 1, 60), ": ", problem))
  }
}

for (engine in c("R", "python")) {
  for (protocol in names(PROTOCOLS)) {
    for (argument in names(c(WRONG, OPTIONS))) {
      for (value in c(WRONG, OPTIONS)[[argument]]) refused(engine, protocol, argument, value)
    }
  }
}
for (value in list(3, "", "/gone/python", NA, character(), NULL)) {
  found <- tryCatch(bbc_python(value), error = identity)
  n_refusals <- n_refusals + !is.null(value)
  named <- if (inherits(found, "bbc_error")) grepl("`python`", conditionMessage(found), fixed = TRUE)
           else is.null(value) && is.null(found$problem)
  if (!named) problems <- c(problems, sprintf("bbc_python(%s)", format(value)))
}

writeLines(problems)
cat(n_refusals, "refusals\n")
