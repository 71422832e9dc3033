#' Correct subsampling errors by a weighted mean
#'
#' The weight of a configuration is the probability that its mean error is the least, if mean errors
#' are normal with the correlations over iterations and the variances of Nadeau and Bengio,
#' (1 / B + n_test / n_train) times those over iterations. With `shrink` (WMCS) the means are
#' shrunken towards their mean before weighting, so that the estimate is higher. Neither has an
#' interval. For predictions of cross-validation, use [bbc_correct()].
#'
#' The function `wmc()` of the package CMA replaces variances of 0 by 1e-7 and correlations of 1 by
#' 0.9. Here they stay as they are: an error that never varies is a constant, and configurations with
#' equal errors share a weight, which leaves the weighted mean as it is.
#'
#' @param errors Matrix or data frame of test errors, a row per iteration of repeated subsampling
#'   (splits of the rows at random into training and test sets) and a column per configuration; lower
#'   is better.
#' @param n_train,n_test Rows that each iteration trains and tests on.
#' @param shrink Whether to shrink (WMCS).
#' @param names Names of the configurations; by default those of the columns.
#' @param seed Seed of the 50,000 draws behind the weights; `NULL` draws one from R's generator.
#' @param n_threads Number of threads; `NULL` uses all cores. The result does not depend on it.
#' @param ... No other arguments.
#' @return An object of class `bbc_wmc`, a list with `estimate`, `apparent` (the least mean error),
#'   `weights`, `errors` (mean per configuration), `winner`, `winner_name`, `shrinkage` (of the
#'   means; 0 without), `monte_carlo_error` (of the estimate, from the draws) and more.
#'   `as.data.frame()` has one row per configuration.
#' @references
#' C. Bernau, T. Augustin, A.-L. Boulesteix (2013). Correcting the optimal resampling-based error
#' rate by estimating the error rate of wrapper algorithms. *Biometrics* 69, 693-702.
#'
#' C. Nadeau, Y. Bengio (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281.
#' @examples
#' set.seed(1)
#' errors <- matrix(rnorm(50 * 20, 0.3, 0.05), 50)
#' bbc_wmc(errors, n_train = 80, n_test = 20, seed = 1, n_threads = 2)
#' @export
bbc_wmc <- function(errors, n_train, n_test, shrink = FALSE, names = NULL, seed = NULL,
                    n_threads = NULL, ...) {
  no_more_arguments(...)
  table <- error_table(errors)
  n_train <- whole_number(n_train, "n_train", 1)
  n_test <- whole_number(n_test, "n_test", 1)
  shrink <- flag(shrink, "shrink")
  seed <- seed_of(seed)
  labels <- names_of(if (is.null(names)) colnames(table) else names, ncol(table))
  raw <- checked(kernel_weighted_mean_correction(as.double(t(table)), nrow(table), n_train, n_test,
                                                 shrink, seed, threads_of(n_threads)))
  with_call(new_result(c(raw, list(
    apparent = raw$errors[[raw$winner]], winner_name = name_of(labels, raw$winner), names = labels,
    method = if (shrink) "wmcs" else "wmc", n_iterations = nrow(table),
    n_configurations = ncol(table), seed = seed, version = kernel_version()
  )), "bbc_wmc"))
}

# The errors as a matrix of doubles.
error_table <- function(errors) {
  table <- if (is.data.frame(errors)) as.matrix(errors) else errors
  if (!is.matrix(table) || !(is.numeric(table) || is.logical(table))) {
    abort("`errors` must be a matrix of numbers (iteration, configuration), not %s",
          if (is.matrix(table)) typeof(table) else first_class(errors))
  }
  if (ncol(table) == 0) abort("`errors` has no configurations")
  if (nrow(table) < 2) {
    abort("`errors` has %s; the variance needs two", counted(nrow(table), "iteration"))
  }
  if (any(!is.finite(table))) {
    abort("`errors` are not finite at %s",
          place_of(!is.finite(table), c("iteration", "configuration")))
  }
  as_double(table)
}

show_result.bbc_wmc <- function(x) {
  cat_parts(sprintf("error %s by %s, apparent %s", shown_of(x, x$estimate), x$method,
                    shown_of(x, x$apparent)))
  cat_parts(named("winner", x$winner_name),
            paste("weight", written("%.3f", x$weights[[x$winner]])),
            sprintf("%s of %s", counted(x$n_iterations, "iteration"),
                    counted(x$n_configurations, "configuration")), seed_text(x))
}

frame_of.bbc_wmc <- function(x) {
  data.frame(configurations_in(x$names, length(x$weights)), error = x$errors, weight = x$weights)
}

tidy_of.bbc_wmc <- function(x) {
  data.frame(term = frame_of(x)$name, estimate = x$errors, weight = x$weights)
}

glance_of.bbc_wmc <- function(x) {
  data.frame(method = x$method, estimate = x$estimate, apparent = x$apparent,
             winner_name = x$winner_name, n_configurations = x$n_configurations, seed = x$seed)
}
