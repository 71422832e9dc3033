#' Find the configurations that are worse than the best in nearly all replicates
#'
#' This is the test by which BBCD drops configurations while cross-validation is still running. A
#' replicate is drawn again only if it leaves the metric undefined in bag.
#'
#' @param predictions,truth,metric,folds,groups,stratify_bootstrap,sample_weight,event_level,pooling,selection,n_bootstraps,resamples,names,seed,n_threads
#'   As in [bbc_correct()].
#' @param dropping_level Share of replicates, 0 to 1, above which a configuration is dominated.
#' @param estimate Name of the column of predictions of a long table, see [bbc_tables].
#' @return An object of class `bbc_dominance`, a list with `best` (number of the configuration that
#'   the rule selects on all rows), `share_worse` (per configuration, the share of replicates in
#'   which it is strictly worse than the best), `dominated` (whether that share exceeds the dropping
#'   level; never for the best), `metric`, `n_bootstraps`, `seed` and more. See [bbc_dominance] for
#'   its methods.
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922:
#' section 4.
#' @examples
#' set.seed(1)
#' truth <- rnorm(50)
#' predictions <- cbind(good = truth + 0.1 * rnorm(50), bad = rnorm(50))
#' bbc_dominated(predictions, truth, metric = "r2", n_threads = 2)
#' @export
bbc_dominated <- function(predictions, truth, metric, dropping_level = 0.99, folds = NULL,
                          groups = NULL, stratify_bootstrap = FALSE, sample_weight = NULL,
                          event_level = NULL, pooling = "pooled", selection = "best",
                          n_bootstraps = 1000, resamples = NULL, names = NULL, estimate = NULL,
                          seed = NULL, n_threads = NULL) {
  if (missing(metric)) abort_no_metric()
  level <- share(dropping_level, "dropping_level")
  options <- checked_options(metric, "bbc", pooling, stratify_bootstrap, n_bootstraps, seed = seed,
                             selection = selection)
  if (is.function(selection)) abort("`selection` cannot be a function in bbc_dominated()")
  if (derives(options$selection)) {
    abort("`selection`: %s selects no configuration that others are worse than",
          rule_text(options$selection))
  }
  refuse_custom(options$metric, "bbc_dominated()")
  threads <- threads_of(n_threads)
  given <- unpacked(predictions, if (!missing(truth)) truth, options$metric, estimate, folds,
                    event_level, names)
  problem <- by_row_id(given, make_problem(
    given$predictions, given$truth, options, given$folds, of_design(given, "groups", groups),
    of_design(given, "sample_weight", sample_weight), given$event_level, names = given$names
  ))
  plan <- kernel_options(problem, options, resamples)
  raw <- checked(kernel_dominated(kernel_target(problem$truth), problem$predictions, plan, level,
                                  threads), problem)
  with_call(structure(list(
    best = raw$best, best_name = name_of(problem$names, raw$best), share_worse = raw$share_worse,
    dominated = raw$dominated, dropping_level = level, n_bootstraps = plan$n_bootstraps,
    metric = options$metric$name, names = problem$names, event = problem$truth$event,
    seed = plan$seed, version = kernel_version(), left_out_rows = problem$left_out_rows
  ), class = "bbc_dominance"))
}

#' Methods for dominated configurations
#'
#' @param object,x A result of [bbc_dominated()].
#' @param row.names,optional As in [as.data.frame()].
#' @param ... For `plot()`: passed on to [graphics::dotchart()]; otherwise ignored.
#' @return `coef()`: the share of replicates in which each configuration is worse than the best,
#'   named; `summary()`: `object`, whose `print()` shows all configurations instead of the worst;
#'   `as.data.frame()` and `tidy()`: one row per configuration; `glance()`: one row; `plot()`: `x`,
#'   invisibly; `autoplot()`: a ggplot.
#' @examples
#' set.seed(1)
#' truth <- rnorm(50)
#' predictions <- cbind(good = truth + 0.1 * rnorm(50), fair = truth + 0.15 * rnorm(50),
#'                      bad = rnorm(50))
#' d <- bbc_dominated(predictions, truth, metric = "r2", n_threads = 2)
#' coef(d)
#' as.data.frame(d)
#' plot(d)
#' @name bbc_dominance
NULL

#' @rdname bbc_dominance
#' @export
print.bbc_dominance <- function(x, ...) {
  cat_parts(named(sprintf("best by %s:", x$metric), x$best_name))
  cat_parts(sprintf("%d of %s dominated (worse in more than %g %% of %s)", sum(x$dominated),
                    counted(length(x$dominated), "configuration"), 100 * x$dropping_level,
                    counted(x$n_bootstraps, "replicate")))
  cat_parts(if (!is.null(x$event)) paste("event", x$event), seed_text(x))
  invisible(x)
}

#' @rdname bbc_dominance
#' @export
summary.bbc_dominance <- function(object, ...) {
  structure(list(result = object), class = "summary.bbc_dominance")
}

#' @export
print.summary.bbc_dominance <- function(x, ...) {
  print(x$result)
  shown <- as.data.frame(x$result)
  shown <- shown[order(shown$share_worse), c("name", "share_worse", "dominated")]
  print(shown, digits = 4)
  invisible(x)
}

#' @rdname bbc_dominance
#' @export
coef.bbc_dominance <- function(object, ...) {
  stats::setNames(object$share_worse, all_names(object))
}

#' @rdname bbc_dominance
#' @export
as.data.frame.bbc_dominance <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(configuration = seq_along(x$share_worse), name = all_names(x),
             share_worse = x$share_worse, dominated = x$dominated,
             best = seq_along(x$share_worse) == x$best, row.names = row.names)
}

all_names <- function(x) {
  if (is.null(x$names)) paste("configuration", seq_along(x$share_worse)) else x$names
}

#' @rdname bbc_dominance
#' @export
tidy.bbc_dominance <- function(x, ...) {
  frame <- as.data.frame(x)
  tidied(term = frame$name, estimate = frame$share_worse, dominated = frame$dominated)
}

#' @rdname bbc_dominance
#' @export
glance.bbc_dominance <- function(x, ...) {
  tidied(metric = x$metric, best_name = x$best_name, n_configurations = length(x$dominated),
         n_dominated = sum(x$dominated), dropping_level = x$dropping_level,
         n_bootstraps = x$n_bootstraps, seed = x$seed)
}
