# Every option of a correction in every question about its winners: used, or refused by name. The rows
# are made from the arguments of bbc_correct() and the columns from the table of questions, so that neither
# a new option nor a new question can be forgotten.

n <- 60
rows <- seq_len(n) - 1
folds <- rows %% 6
by <- rep(c("a", "b", "b"), 20)
quietly <- suppressWarnings
set.seed(4)
signal <- rnorm(n)
ill <- as.integer(runif(n) < plogis(1.5 * signal))
logit <- 1.2 * signal + sapply(c(1.2, 0.5, 0.7, 0.9, 0.4, 0.6, 0.45, 1, seq(0.75, 0.9, 0.05)), function(sd) rnorm(n, sd = sd))
event <- rexp(n, exp(signal))
censored <- rexp(n, 0.5)
times <- structure(cbind(time = pmin(event, censored), status = as.double(event <= censored)),
                   class = "Surv", type = "right")

with_holes <- function(values, kind) {
  if (kind == "holes") {
    values[c(4, 31), c(1, 8)] <- NA
    values[32, c(4, 5)] <- NA
  }
  if (kind == "rungs") {
    values[21:60, c(1, 6)] <- NA
    values[41:60, c(4, 8)] <- NA
  }
  values
}

# Truth and predictions, of a binary outcome or of times.
data_of <- function(truth, kind) {
  if (truth == "times") {
    own <- times
    if (kind == "rare") own[, 2] <- own[, 2] * (rank(own[, 1]) %in% c(2, 6))
    return(list(exp(-exp(with_holes(logit, kind)) * 0.5), own))
  }
  y <- switch(kind, words = factor(c("well", "ill")[ill + 1]), rare = as.integer(rows < 2), ill)
  list(plogis(with_holes(logit, kind)), y)
}

# What selects, by the kind of truth and by what the option needs.
metric_of <- function(truth, metric) {
  if (truth == "times") return(bbc_metric("survival_brier_score", time = 0.5))
  switch(metric, losses = "log_loss", pairs = "roc_auc", labels = "f1", size = "average_precision")
}

# A value of an option, what it needs beside it, and the data and the metric by which it shows.
case <- function(option, value, ..., data = "plain", metric = "losses") {
  list(option = option, value = value, beside = list(...), data = data, metric = metric)
}
cases <- list(
  "method two-level" = case("method", "bbc-two-level", folds = folds),
  "method bbc-f" = case("method", "bbc-f", folds = folds),
  folds = case("folds", folds),
  groups = case("groups", rows %/% 3),
  block_length = case("block_length", 4),
  "block_length auto" = case("block_length", "auto"),
  stratified_by = case("stratified_by", rows %/% 2 %% 3, folds = folds, method = "bbc-two-level"),
  stratify_bootstrap = case("stratify_bootstrap", TRUE),
  class_counts = case("class_counts", "fixed", folds = folds, method = "bbc-two-level"),
  sample_weight = case("sample_weight", 1 + rows %% 5),
  event_level = case("event_level", "ill", data = "words"),
  "missing drop-rows" = case("missing", "drop-rows", data = "holes"),
  "missing drop-configurations" = case("missing", "drop-configurations", data = "holes"),
  "missing rungs" = case("missing", "rungs", data = "rungs"),
  rungs = case("rungs", rows %/% 10 + 1, missing = "rungs", data = "rungs"),
  "pooling fold" = case("pooling", "fold", folds = folds, metric = "pairs"),
  "pooling rung" = case("pooling", "rung", missing = "rungs", data = "rungs", metric = "pairs"),
  "selection 1se" = case("selection", bbc_one_standard_error(1:12), folds = folds),
  "selection threshold" = case("selection", bbc_best_threshold(), metric = "labels"),
  "selection greedy" = case("selection", bbc_greedy_ensemble(5)),
  "selection top_k" = case("selection", bbc_top_k(3)),
  "selection function" = case("selection", function(scores, counts) order(scores)[[2]]),
  n_bootstraps = case("n_bootstraps", 50),
  resamples = case("resamples", matrix(sample.int(n, 40 * n, TRUE), 40)),
  interval = case("interval", "calibrated", folds = folds, method = "bbc-two-level"),
  confidence_level = case("confidence_level", 0.8),
  "alternative greater" = case("alternative", "greater"),
  "alternative less" = case("alternative", "less"),
  on_undefined = case("on_undefined", "raise", data = "rare", metric = "pairs"),
  names = case("names", paste("model", 1:12)),
  dynamic_search = case("dynamic_search", TRUE),
  size_correction = case("size_correction", FALSE, metric = "size"),
  seed = case("seed", 7),
  n_threads = case("n_threads", 2)
)
# u: used, t: told in the record that the answer holds, x: refused by name, =: changes nothing, because no
# result depends on threads, a survival Brier score is always defined, scores of all rows are compared, and the winner's interval draws its own numbers. In the order of `questions`:
# score; calibration, decision, ROC and precision-recall curve, per 1000; calibration of survival; clinical;
# subgroups, tuning path; possible winners, winner's interval, remaining optimism.
expected <- c(
  "method two-level" = "u uuuuu u u uu xxx",
  "method bbc-f" = "u uuuuu u u xx xxx",
  folds = "u ttttt t t ut uuu",
  groups = "u uuuuu u u uu uux",
  block_length = "u uuuuu u u uu uux",
  "block_length auto" = "u uuuuu u u uu uux",
  stratified_by = "u ttttt u t tt xxx",
  stratify_bootstrap = "u uuuuu x u uu uxx",
  class_counts = "u uutuu x u tu xxx",
  sample_weight = "u uuuuu u u uu uxx",
  event_level = "u uuuuu x u uu uuu",
  "missing drop-rows" = "u uuuuu u u uu uux",
  "missing drop-configurations" = "u uuuuu u u uu uux",
  "missing rungs" = "x xxxxx x x xu xxx",
  rungs = "x xxxxx x x xu xxx",
  "pooling fold" = "u uuuuu u u uu uxx",
  "pooling rung" = "x xxxxx x x xu xxx",
  "selection 1se" = "u uuuuu u u ux xxx",
  "selection threshold" = "u xxxxu x x xx xxx",
  "selection greedy" = "x xxxxx x x xx xxx",
  "selection top_k" = "x xxxxx x x xx xxx",
  "selection function" = "u uuuuu u u ux xxx",
  n_bootstraps = "u uuuuu u u uu u=u",
  resamples = "u uuuuu u u uu xxx",
  interval = "= xxxxx x x xx xxx",
  confidence_level = "u uuuuu u u uu uut",
  "alternative greater" = "u xxxxx x x uu xux",
  "alternative less" = "u xxxxx x x uu xux",
  on_undefined = "u uuuuu = u uu uuu",
  names = "u ttttt t t ut uut",
  dynamic_search = "u ttttt t t ut uut",
  size_correction = "u uuttt u u uu =xx",
  seed = "u uuuuu u u uu uuu",
  n_threads = "= ===== = = == ==="
)
own_arguments <- list(
  bbc_score = list("average_precision"), bbc_decision_curve = list(c(0.2, 0.5)), bbc_per_1000 = list(0.3),
  bbc_survival_calibration = list(0.5), bbc_subgroups = list(by)
)
# What a refusal names in the place of the option.
other_words <- c(
  "missing rungs" = "missing = \"rungs\"", rungs = "missing = \"rungs\"",
  "pooling rung" = "missing = \"rungs\"", size_correction = "mean over rows", size_correction = "mean of row losses",
  event_level = "event_level", stratify_bootstrap = "stratify_bootstrap", stratified_by = "method",
  class_counts = "method"
)

corrected <- function(one, truth, with_option = TRUE) {
  options <- c(list(n_bootstraps = 40, seed = 1, n_threads = 1), one$beside)
  if (one$option == "resamples" && with_option) options$n_bootstraps <- NULL
  if (with_option) options[[one$option]] <- one$value
  given <- data_of(truth, one$data)
  do.call(bbc_correct, c(given, list(metric_of(truth, one$metric)), options))
}

# The fit of a case and the answer to a question, or the error in words. `fits`, an environment, keeps the
# case's fits, of which all questions are asked.
answered <- function(question, one, fits, with_option = TRUE) {
  truth <- if (question == "bbc_survival_calibration") "times" else "two"
  of_folds <- question == "bbc_remaining_optimism" && one$option != "folds"
  if (of_folds) one$beside$folds <- folds
  key <- paste(truth, of_folds, with_option)
  tryCatch(quietly({
    if (is.null(fits[[key]])) fits[[key]] <- corrected(one, truth, with_option)
    fit <- fits[[key]]
    list(fit = fit, answer = do.call(question, c(list(fit), own_arguments[[question]])))
  }), error = conditionMessage)
}

held <- c("performance", "overall", "estimate", "secondary")

# What an answer says beside the record that it holds.
beside <- function(answer) {
  if (!inherits(answer, "bbc_estimate")) {
    record <- record_in(answer)
    answer <- unclass(answer)[setdiff(names(answer), c(held, "call"))]
    # Findings are those of the record, then its own.
    own <- !answer$findings$code %in% record$findings$code
    answer$findings <- answer$findings[own, ]
    answer <- lapply(answer, function(part) if (inherits(part, "bbc_result")) beside(part) else part)
  }
  without_call(answer)
}

record_in <- function(answer) {
  Find(function(part) inherits(part, "bbc_estimate"), unclass(answer)[intersect(held, names(answer))])
}

test_that("the table is of all options and questions", {
  # `greater_is_better` and `y` are of scores of folds, which questions have no rows of.
  options <- setdiff(names(formals(bbc_correct.default)), c("predictions", "truth", "metric", "...", "greater_is_better", "y"))
  expect_setequal(unique(vapply(cases, `[[`, "", "option")), options)
  expect_setequal(names(cases), names(expected))
  methods <- ls(asNamespace("bbcr"), pattern = "[.]bbc_estimate$")
  asked <- sub("[.]bbc_estimate$", "", methods[startsWith(methods, "bbc_")])
  expect_setequal(names(questions), asked)
})

test_that("every question uses every option, or refuses it by name", {
  for (name in some_of(names(cases), 2)) {
    kinds <- strsplit(gsub(" ", "", expected[[name]]), "")[[1]]
    one <- cases[[name]]
    fits <- new.env()
    for (i in seq_along(questions)) {
      question <- names(questions)[[i]]
      label <- paste(question, name)
      answer <- answered(question, one, fits)
      if (kinds[[i]] == "x") {
        expect_true(is.character(answer), label = label)
        named <- c(one$option, other_words[names(other_words) == name])
        found <- any(vapply(named, grepl, NA, answer[[1]], fixed = TRUE))
        expect_true(found, label = paste(c(label, answer), collapse = ": "))
        next
      }
      plain <- answered(question, one, fits, with_option = FALSE)
      if (is.character(answer)) {
        # Draws that leave the metric undefined are not redrawn: then there is no correction to ask.
        expect_identical(c(one$option, kinds[[i]]), c("on_undefined", "u"), label = label)
        expect_match(answer, "undefined", label = label)
        next
      }
      own <- record_in(answer$answer)
      if (!is.null(own)) {
        own["secondary"] <- NULL
        expect_identical(own, answer$fit, label = label)
        if (kinds[[i]] == "t") {
          expect_false(identical(without_call(own), without_call(record_in(plain$answer))), label = label)
        }
      } else {
        expect_false(kinds[[i]] == "t", label = label)
      }
      # Some data are refused without the option.
      same <- is.list(plain) && identical(beside(answer$answer), beside(plain$answer))
      expect_identical(same, kinds[[i]] %in% c("=", "t"), label = label)
    }
  }
})
