#' Tune, and estimate what the winner will do
#'
#' Cross-validates all configurations of the learners, picks the winner, estimates its performance
#' without the optimism of having been picked, and trains it on all rows. The default, `"BBCD"`, also
#' stops training configurations that are unlikely to be best. Predictions, truth and folds are kept, so
#' that [bbc_correct()] and all others take the result.
#'
#' | `protocol` | estimates | models for C configurations, K folds |
#' |---|---|---|
#' | `"BBCD"` | as `"BBC"`, and drops configurations on the way | fewer |
#' | `"BBC"` | the winner's performance, by [bbc_correct()]; with `method = "bbc-f"` from scores of folds | CK + 1 |
#' | `"CVT"` | the winner's own score, which is too good | CK + 1 |
#' | `"TT"` | that score, corrected as by [bbc_tt()] | CK + 1 |
#' | `"CVM-CV"` | the winner's score in new folds | (C + 1)K + 1 |
#' | `"NCV"` | nested cross-validation: the mean over folds of the score of the configuration that is chosen on the other folds | CK(K + 1)/2 + 1 |
#'
#' Only `"BBC"` and `"BBCD"` give an interval.
#'
#' With `"BBCD"`, after each fold of the first repeat but the last, and after each later repeat, the rows
#' predicted so far are bootstrapped, and a configuration that is strictly worse than the best in more
#' than `dropping_level` of the replicates is trained no more.
#'
#' With `"NCV"` the inner folds are the outer folds except the one held out, so that a model trained without
#' two folds is used twice. All scores of `"NCV"` and `"TT"` are means over folds, in each of which the
#' metric must be defined.
#'
#' Each configuration has a seed of its own, with which R's generator begins each of its fits, that of
#' the final model included, so results depend neither on the number of processes nor on a store. Fits
#' run in the processes of [future::plan()] (by future.apply; future.mirai has plans for
#' mirai's daemons), if that has several, else one after the other. Other processes need `bbcr`.
#' Progress is shown as progressr says, where it is loaded, or by cli in a terminal.
#'
#' With `engine = "python"` the protocol runs in Python, inside this R process; [bbc_python()] says
#' whether it can. Learners and data stay in R: factors and missing values reach `fit` as they are. The
#' number of processes is then `n_jobs`, and `store` is the path of a file.
#'
#' @param x Predictors: a data frame or matrix; a formula `outcome ~ predictors`, whose
#'   variables are passed on as they are (dummy variables are the learner's business); or a recipe of
#'   the package recipes, which is trained in each fold, on the rows that the learner trains on. Text
#'   becomes a factor.
#' @param y The outcome: a factor, labels, numbers for regression, or a `survival::Surv`. With a
#'   formula or a recipe, the data frame (or give it as `data`).
#' @param learners A [bbc_learner()], or a named list of these.
#' @param metric What is estimated, and selects: a name of [bbc_metrics()] or a [bbc_metric()]. Required.
#' @param ... Further arguments of [bbc_correct()] for the estimate of `"BBC"` and `"BBCD"`: `method`,
#'   `pooling`, `selection`, `stratify_bootstrap`, `n_bootstraps`, `confidence_level`, `alternative`, ...;
#'   `pooling` of `"CVT"` and `"CVM-CV"`; `n_threads`; `n_jobs` with `engine = "python"`. `pooling` is
#'   `"pooled"`, but `"fold"` for the risks of survival models, which may be relative to their own training
#'   rows (those of Cox models are), unless a fold has no comparable pair.
#' @param data The data frame of a formula or a recipe.
#' @param protocol `"BBCD"`, `"BBC"`, `"CVT"`, `"TT"`, `"CVM-CV"` or `"NCV"`: see the table below.
#' @param engine `"R"`, or `"python"`.
#' @param cv Number of folds, to which rows are assigned at random within classes, or events of a
#'   `Surv`; or folds as [bbc_correct()] takes them, with a partition for each repeat (`"CVM-CV"`:
#'   then as many for the winner).
#' @param n_repeats Number of partitions into folds.
#' @param groups Rows of a group stay together, in folds and in replicates: a vector, or the name of a
#'   column of the data, which is then no predictor.
#' @param event_level The event of two classes, as in [bbc_correct()].
#' @param dropping_level,min_predictions Of `"BBCD"`: share of replicates above which a configuration is
#'   dropped, and predictions per configuration before the first test.
#' @param error_score `NaN`: a configuration of which a fit fails is left out with a warning; `"raise"`
#'   stops at the first failure and says where it was.
#' @param store A folder that keeps what was predicted, one RDS file per fit, so that the same call goes
#'   on where it was interrupted. Data, grid, folds, seed and the text of `fit` and `predict` are
#'   compared; functions that these call, and values that they or a recipe take from elsewhere, are not. Give a `seed` with it. RDS files can run code: go on
#'   with a folder of your own only.
#' @param verbose Whether to give a message after each fold.
#' @param seed Seed of everything that is left to chance; `NULL` draws it from R's generator.
#' @return An object of class `bbc_protocol`, a list with `performance` (a result as that of
#'   [bbc_correct()]), `model` (the winner's R model, trained on all rows; with a recipe a list of the
#'   trained `recipe` and the `model`), `predictions` (what the
#'   metric read: a matrix with a column per configuration, or an array with classes; a list of
#'   these with several repeats), `truth`, `folds`, `configurations` (a data frame with a column
#'   per hyper-parameter; of `"BBCD"` with the fold after which it was `dropped`), `winner`,
#'   `n_models_trained` and, of `"NCV"`, `outer`: a data frame with the configuration selected for each
#'   fold and its score there. See [its methods][bbc_protocol].
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' Algorithms 1 to 5 and section 4.
#'
#' I. Tsamardinos, A. Rakhshani, V. Lagani (2015). Performance-estimation properties of
#' cross-validation-based protocols with simultaneous hyper-parameter optimization. *International
#' Journal on Artificial Intelligence Tools* 24: CVM-CV.
#' @examples
#' line <- bbc_learner(
#'   function(x, y, degree) lm(y ~ poly(speed, degree), cbind(x, y = y)), degree = 1:4,
#'   predict = function(model, newx) predict(model, newx)
#' )
#' tuned <- bbc_tune(dist ~ speed, cars, line, "mean_squared_error", cv = 5, seed = 1, n_threads = 2)
#' tuned
#' predict(tuned, data.frame(speed = c(10, 20)))
#' bbc_tune(dist ~ speed, cars, line, "mean_squared_error", protocol = "NCV", cv = 5, seed = 1)
#' @export
bbc_tune <- function(x, y = NULL, learners, metric, ..., data = NULL, protocol = "BBCD", engine = "R",
                     cv = 10, n_repeats = 1, groups = NULL, event_level = NULL, dropping_level = 0.99,
                     min_predictions = 50, error_score = NaN, store = NULL, verbose = FALSE,
                     seed = NULL) {
  if (inherits(y, "formula")) abort("`x` is the formula, and the data come second: bbc_tune(outcome ~ ., data, ...)")
  protocol <- choice(protocol, "protocol", names(protocols))
  engine <- choice(engine, "engine", c("R", "python"))
  if (missing(metric)) abort_no_metric()
  if (missing(learners)) abort("`learners` is missing: a bbc_learner() or a named list of these")
  of_dropping <- c(dropping_level = !missing(dropping_level), min_predictions = !missing(min_predictions))
  if (protocol != "BBCD" && any(of_dropping)) {
    abort("`%s` is for protocol \"BBCD\", not for \"%s\"", names(which(of_dropping))[[1]], protocol)
  }
  options <- tune_options(protocol, engine, ...)
  asked <- asked_of_protocol(x, y, data, learners, metric, groups, event_level, cv,
                             moves = engine == "python" || n_future_workers() > 1)
  asked$protocol <- protocol
  asked$pooling <- if (protocol %in% c("NCV", "TT")) "fold"
                   else if (is.null(options$pooling)) "auto" else options$pooling
  asked$n_repeats <- whole_number(n_repeats, "n_repeats", 1)
  asked$level <- share(dropping_level, "dropping_level")
  asked$least <- whole_number(min_predictions, "min_predictions", 1)
  asked$raises <- raises_errors(error_score)
  asked$verbose <- flag(verbose, "verbose")
  asked$seed <- seed_of(seed)
  with_call((if (engine == "R") tuned_in_r else tuned_in_python)(asked, cv, store, options))
}

# Options of each protocol beside those of bbc_tune(), and its class in Python.
protocols <- list(
  BBCD = list(of_correction = TRUE, without = "block_length", python = "BBCD"),
  BBC = list(of_correction = TRUE, python = "BBC"),
  CVT = list(options = "pooling", python = "CVT"),
  "CVM-CV" = list(options = "pooling", python = "CVMCV"),
  NCV = list(python = "NCV"),
  TT = list(python = "TT")
)

# The options by name, if the protocol has them; Python refuses its own.
tune_options <- function(protocol, engine, ...) {
  options <- list(...)
  if (length(options) && (is.null(names(options)) || !all(nzchar(names(options))))) {
    abort("unknown argument without a name")
  }
  called <- c(random_state = "seed", scoring = "metric", pos_label = "event_level", folds = "cv", v = "cv",
              k = "cv", n_folds = "cv", number = "cv", resamples = "cv", repeats = "n_repeats",
              grid = "bbc_learner(grid = )", fit = "learners")
  for (name in intersect(names(called), names(options))) {
    abort("`%s` is called `%s` in R", name, called[[name]])
  }
  if ("refit" %in% names(options)) {
    abort("`refit` is no choice in R: the winner is always trained on all rows")
  }
  options <- options[lengths(options) > 0]
  if (engine == "python") return(options_of_python(protocol, options))
  own <- protocols[[protocol]]
  ruled <- c("predictions", "truth", "metric", "groups", "sample_weight", "event_level", "missing", "rungs",
             "names", "greater_is_better", "y", "seed", "...", "dynamic_search")
  of_correction <- setdiff(names(formals(bbc_correct.default)), ruled)
  known <- c(own$options, "n_threads", if (isTRUE(own$of_correction)) setdiff(of_correction, own$without))
  for (name in setdiff(names(options), known)) {
    abort("`%s`: protocol \"%s\" has no such argument%s", name, protocol,
          if (name == "n_jobs") "; fits run in the processes of future::plan()"
          else if (name %in% of_correction) "; bbc_correct() of the result takes it"
          else offered(close_arguments(name, c(known, names(formals(bbc_tune))))))
  }
  options
}
