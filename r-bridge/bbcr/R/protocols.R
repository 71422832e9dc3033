#' Tune and estimate: the protocols
#'
#' Train all configurations of the learners in cross-validation, pick the winner, estimate its
#' performance without the optimism of having been picked, and train it on all rows.
#' `BBCD()` is the one to begin with: as accurate as `BBC()`, and it stops training configurations
#' that are hardly ever best. `CVT()` gives the uncorrected score, `CVMCV()`, `NCV()` and `TT()`
#' give corrected ones without an interval, `BBC()`, `BBCF()` and `BBCD()` with an interval.
#'
#' `bbc_search()` runs the protocol that is named, `bbc_nested_cv()` is `NCV()`.
#'
#' The protocols run in Python, inside this R process; [bbc_python()] says whether they can.
#' Learners and data stay in R: factors and missing values reach `fit` as they are.
#'
#' @param x Predictors: a data frame or matrix; a formula `outcome ~ predictors`, whose
#'   variables are passed on as they are (dummy variables are the learner's business); or a recipe of
#'   the package recipes, which is trained in each fold, on the rows that the learner trains on. Text
#'   becomes a factor.
#' @param y The outcome: a factor, labels, numbers for regression, or a `survival::Surv`. With a
#'   formula or a recipe, the data frame (or give it as `data`).
#' @param learners A [bbc_learner()], or a named list of these.
#' @param metric What is estimated: a name of [bbc_metrics()] or a [bbc_metric()]. Required.
#' @param ... Further options of the protocol: `n_bootstraps` (5000) and `confidence_level` (0.95) of the
#'   protocols with an interval;
#'   `pooling` ("auto") of all but `NCV()`, `TT()` and `BBCF()`: `"fold"` is the better choice for
#'   risks of Cox models, which are relative to their own training rows; `method` ("bbc", or
#'   "bbc-two-level" as in [bbc_correct()]) of `BBC()` and `BBCD()`; `dropping_level` (0.99) and `min_predictions` (50) of `BBCD()`; `error_score` (`NaN`): a
#'   configuration of which a fit fails is left out with a warning, and `"raise"` stops at the first
#'   failure and says where it was; `verbose` (`FALSE`): whether to give a message after each fold, with
#'   the time that is left; `store` (`NULL`): path of a file that keeps what was fitted, so that the
#'   same call goes on where it was interrupted. [bbc_correct()] of the result takes the other options of
#'   a correction, such as `alternative` and `stratify_bootstrap`, and trains nothing; `groups` are given
#'   to it again.
#' @param data The data frame of a formula or a recipe.
#' @param cv Number of folds, to which rows are assigned at random within classes; or the fold of
#'   each row.
#' @param n_repeats Number of partitions into folds.
#' @param groups Rows of a group stay together, in folds and in replicates.
#' @param event_level The event of two classes, as in [bbc_correct()].
#' @param seed Seed of everything that is left to chance; `NULL` draws it from R's generator. Each
#'   configuration has a seed of its own, with which R's generator begins each of its fits, that of
#'   the final model included.
#' @param n_jobs Number of processes, each with an R of its own. Results do not depend on it.
#'
#' @return An object of class `bbc_protocol`, a list with `performance` (a result as that of
#'   [bbc_correct()]), `model` (the winner's R model, trained on all rows; with a recipe a list of the
#'   trained `recipe` and the `model`), `predictions` (what the
#'   metric read: a matrix with a column per configuration, or an array with classes; a list of
#'   these with several repeats), `truth`, `folds`, `configurations` (a data frame with a column
#'   per hyper-parameter; for `BBCD()` with the fold after which it was `dropped`), `winner` and
#'   `n_models_trained`. `predict()` takes new data.
#'
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithms 1 to 5 and section 4.
#'
#' @examplesIf is.null(bbcr::bbc_python()$problem)
#' set.seed(1)
#' fit <- BBCD(
#'   Species ~ ., iris[51:150, ],
#'   learners = list(
#'     line = bbc_learner("glm"),
#'     cut = bbc_learner(
#'       function(x, y, column) list(column = column, at = median(x[[column]])),
#'       column = c("Sepal.Width", "Petal.Width"),
#'       predict = function(model, newx) as.numeric(newx[[model$column]] > model$at)
#'     )
#'   ),
#'   metric = "roc_auc", event_level = "virginica", cv = 5
#' )
#' fit
#' @name bbc_protocols
NULL

# One function for all: they differ by the class in Python that they call.
protocol <- function(name) {
  force(name)
  function(x, y = NULL, learners, metric, ..., data = NULL, cv = 10, n_repeats = 1,
           groups = NULL, event_level = NULL, seed = NULL, n_jobs = 1) {
    with_call(run_protocol(name, x, y, data, learners, metric, cv, groups, event_level, seed,
                           list(n_repeats = n_repeats, n_jobs = n_jobs, ...)))
  }
}

protocol_names <- c("BBCD", "BBC", "BBCF", "CVT", "CVMCV", "NCV", "TT")

#' @rdname bbc_protocols
#' @param protocol For `bbc_search()`: `"BBCD"`, `"BBC"`, `"BBCF"`, `"CVT"`, `"CVMCV"`, `"NCV"` or
#'   `"TT"`.
#' @export
bbc_search <- function(x, y = NULL, learners, metric, protocol = "BBCD", ..., data = NULL, cv = 10,
                       n_repeats = 1, groups = NULL, event_level = NULL, seed = NULL, n_jobs = 1) {
  protocol <- choice(protocol, "protocol", protocol_names)
  with_call(run_protocol(protocol, x, y, data, learners, metric, cv, groups, event_level, seed,
                         list(n_repeats = n_repeats, n_jobs = n_jobs, ...)))
}

#' @rdname bbc_protocols
#' @export
bbc_nested_cv <- protocol("NCV")

#' @rdname bbc_protocols
#' @export
BBCD <- protocol("BBCD")

#' @rdname bbc_protocols
#' @export
BBC <- protocol("BBC")

#' @rdname bbc_protocols
#' @export
BBCF <- protocol("BBCF")

#' @rdname bbc_protocols
#' @export
CVT <- protocol("CVT")

#' @rdname bbc_protocols
#' @export
CVMCV <- protocol("CVMCV")

#' @rdname bbc_protocols
#' @export
NCV <- protocol("NCV")

#' @rdname bbc_protocols
#' @export
TT <- protocol("TT")
