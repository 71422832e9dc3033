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
#'   level; never for the best), `metric`, `n_bootstraps`, `seed` and more. See [bbc_results]
#'   for its methods.
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
                          n_bootstraps = NULL, resamples = NULL, names = NULL, estimate = NULL,
                          seed = NULL, n_threads = NULL) {
  if (missing(metric)) abort_no_metric()
  level <- share(dropping_level, "dropping_level")
  if (is.null(n_bootstraps)) n_bootstraps <- kernel_default_n_bootstraps("dominated", FALSE)
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
  found <- dominance(given, options, level, groups, sample_weight, resamples, threads)
  raw <- found$raw
  problem <- found$problem
  plan <- found$plan
  with_call(new_result(list(
    best = raw$best, best_name = name_of(problem$names, raw$best), share_worse = raw$share_worse,
    dominated = raw$dominated, dropping_level = level, n_bootstraps = plan$n_bootstraps,
    metric = options$metric$name, names = problem$names, event = problem$truth$event,
    seed = plan$seed, version = kernel_version(), left_out_rows = problem$left_out_rows
  ), "bbc_dominance"))
}

# The kernel's test of unpacked predictions, with what it was asked.
dominance <- function(given, options, level, groups = NULL, sample_weight = NULL, resamples = NULL,
                      threads = 0L) {
  problem <- problem_of(given, options, groups, sample_weight)
  plan <- kernel_options(problem, options, resamples)
  raw <- checked(kernel_dominated(kernel_target(problem$truth), problem$predictions, plan, level,
                                  threads), problem)
  list(raw = raw, problem = problem, plan = plan)
}

show_result.bbc_dominance <- function(x) {
  cat_parts(named(sprintf("best by %s:", x$metric), x$best_name))
  cat_parts(sprintf("%d of %s dominated (worse in more than %s of %s)", sum(x$dominated),
                    counted(length(x$dominated), "configuration"), percent(x$dropping_level),
                    counted(x$n_bootstraps, "replicate")))
  cat_parts(if (!is.null(x$event)) paste("event", x$event), seed_text(x))
}

#' @export
summary.bbc_dominance <- function(object, ...) {
  structure(list(result = object), class = "summary.bbc_dominance")
}

#' @export
print.summary.bbc_dominance <- function(x, ...) {
  print(x$result)
  shown <- frame_of(x$result)
  shown <- shown[order(shown$share_worse), c("name", "share_worse", "dominated")]
  print(shown, digits = shown_digits(4))
  invisible(x)
}

frame_of.bbc_dominance <- function(x) {
  n <- length(x$share_worse)
  data.frame(configurations_in(x$names, n), share_worse = x$share_worse, dominated = x$dominated,
             best = seq_len(n) == x$best)
}

tidy_of.bbc_dominance <- function(x) {
  frame <- frame_of(x)
  data.frame(term = frame$name, estimate = frame$share_worse, dominated = frame$dominated)
}

glance_of.bbc_dominance <- function(x) {
  data.frame(metric = x$metric, best_name = x$best_name, n_configurations = length(x$dominated),
             n_dominated = sum(x$dominated), dropping_level = x$dropping_level,
             n_bootstraps = x$n_bootstraps, seed = x$seed)
}

picture.bbc_dominance <- function(x, ...) {
  frame <- frame_of(x)
  frame <- frame[order(frame$share_worse), ]
  picture_of_configurations(
    data.frame(name = frame$name, value = frame$share_worse, apart = frame$dominated),
    axis_of(sprintf("share of replicates worse than %s", x$best_name), 0:1),
    looks_of(c("dominated", "others"), c(apparent_colour, corrected_colour)), x$dropping_level
  )
}
