# Every exported function refuses what it does not know, by name and before any work: none of these calls
# gives anything else that is needed.

refused <- function(code) {
  error <- tryCatch({
    force(code)
    NULL
  }, error = identity)
  if (inherits(error, "bbc_error")) conditionMessage(error) else paste("not refused:", conditionMessage(error))
}

# Python refuses the options of its protocols, bbc_tune() and bbc_learner() hyper-parameters of a learner.
takes_others <- c("BBC", "BBCD", "BBCF", "CVT", "CVMCV", "NCV", "TT", "bbc_nested_cv", "bbc_search",
                  "bbc_learner", "bbc_tune")

set.seed(1)
truth <- rbinom(60, 1, 0.5)
fit <- suppressWarnings(bbc_correct(matrix(runif(600), 60), truth, "roc_auc", n_bootstraps = 50, seed = 1))

test_that("every exported function refuses a misspelt argument", {
  ns <- asNamespace("bbcr")
  exported <- getNamespaceExports("bbcr")
  expect_true(all(takes_others %in% exported))
  for (name in setdiff(exported, c(takes_others, "augment"))) {
    f <- get(name, ns)
    generic <- any(grepl("UseMethod", deparse(body(f)), fixed = TRUE)) && name != "bbc_correct"
    method <- utils::getS3method(name, "bbc_estimate", optional = TRUE, envir = ns)
    given <- if (generic) list(fit) else if (name == "bbc_correct") list(1)
    known <- setdiff(names(formals(if (is.null(method)) f else method)),
                     c("...", names(formals(f))[seq_along(given)]))
    expect_match(refused(do.call(f, c(given, list(sead = 1)))), "unknown argument `sead`", label = name,
                 fixed = TRUE)
    for (one in known) {
      # One letter is like any other.
      offer <- if (nchar(one) > 1) sprintf("; did you mean .*\\b%s\\b", one) else ""
      misspelt <- stats::setNames(list(1), paste0(one, "x"))
      expect_match(refused(do.call(f, c(given, misspelt))),
                   sprintf("unknown argument `%sx`%s", one, offer), label = name)
    }
  }
})

test_that("bbc_correct() refuses a misspelt argument before it reads what it is given", {
  methods <- ls(asNamespace("bbcr"), pattern = "^bbc_correct[.]")
  expect_gt(length(methods), 15)
  for (class in sub("^bbc_correct[.]", "", methods)) {
    x <- structure(list(), class = class)
    expect_match(refused(bbc_correct(x, n_bootstrap = 10)),
                 "unknown argument `n_bootstrap`; did you mean n_bootstraps", label = class)
    expect_match(refused(bbc_correct(x, event_levels = 10)),
                 "unknown argument `event_levels`; did you mean event_level?", label = class)
  }
})

test_that("names that R would complete are refused, and Python's are told", {
  expect_match(refused(bbc_tt(n_thread = 2)), "unknown argument `n_thread`; did you mean n_threads?")
  expect_match(refused(bbc_correct(matrix(1), random_state = 2)), "did you mean seed?", fixed = TRUE)
  expect_match(refused(bbc_compare(n_jobs = 2)), "did you mean n_threads?", fixed = TRUE)
  expect_match(refused(bbc_top_k(3, 4)), "unknown argument without a name")
  expect_match(refused(bbc_wmc(zzz = 3)), "unknown argument `zzz`$")
})

test_that("methods of results refuse what they would have ignored", {
  for (name in c("summary", "coef", "confint", "tidy", "glance")) {
    expect_match(refused(do.call(name, list(fit, levle = 0.9))), "unknown argument `levle`", label = name)
  }
  expect_match(refused(confint(fit, levels = 0.9)), "did you mean level?", fixed = TRUE)
  skip_if_not_installed("ggplot2")
  expect_match(refused(ggplot2::autoplot(fit, wich = "selection")), "did you mean which?", fixed = TRUE)
})
