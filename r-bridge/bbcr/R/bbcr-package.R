#' bbcr: honest performance of tuned models
#'
#' Tuning picks the configuration that looked best, so its cross-validated score is too good.
#' [bbc_correct()] takes the out-of-sample predictions of all configurations and returns what to
#' expect on new data, with a confidence interval, without training anything again.
#'
#' Threads are those of the argument `n_threads`, of `options(bbcr.threads = )` or of the environment
#' variable `BBCR_THREADS`; otherwise all cores are used, but one in a forked process, two while
#' packages are checked, and never more than the environment variable `OMP_THREAD_LIMIT` says. Results
#' never depend on their number.
#'
#' # The package BBC
#'
#' CRAN has a package BBC, by another author, with an implementation of the same algorithm in R. This
#' package is called bbcr because CRAN does not take two names that differ in case only. Nothing is
#' shared: here the bootstrap runs in C++, gives the bits of the Python package bbc-cv for the same
#' seed, and comes with other methods, checks of its input, and findings. No function has the name of one
#' of that package.
#'
#' # Python's words
#'
#' The same arguments have the same names, defaults and bits as in the Python package bbc-cv, but for
#' those that R's users know by another name or in another place:
#'
#' | **here** | **in Python** |
#' |---|---|
#' | `predictions`, then `truth`: objects of other packages are given alone | `y_true`, then `predictions` |
#' | `event_level`, a level or `"first"` or `"second"`, as in yardstick | `pos_label`, a label |
#' | the levels of the factor `truth` | `labels` |
#' | `seed`, by default drawn by [set.seed()]'s generator | `random_state` |
#' | rows, configurations and folds are counted from 1 | from 0 |
#' | a long table, with `estimate` for its column | `bbc.adapters.from_long(prediction = )` |
#' | `bbc_metric("f_beta", beta = 2)` | `bbc.metrics.get("f_beta", beta=2)` |
#' | `rungs = bbc_rungs(choose_only = )` | `rungs = bbc.Rungs(choose_only = )` |
#' | `bbc_one_standard_error(~ -penalty)` | `bbc.one_standard_error(complexity)`, numbers only |
#' | `options(bbcr.check = "note")` | `check_scores = "warn"` |
#'
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922.
#'
#' @keywords internal
#' @useDynLib bbcr, .registration = TRUE
"_PACKAGE"

# The pronoun of ggplot2's aes().
utils::globalVariables(".data")
