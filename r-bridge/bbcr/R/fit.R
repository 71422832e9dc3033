# A correction and what questions about its winners need: the data once, and how they were corrected.
# The result is a record, and has this as its attribute "asked".

# What bbc_correct() of a user returns.
fitted_correction <- function(predictions, truth, metric, ..., secondary = NULL) {
  refuse_unknown_arguments(...names(), correction_arguments(predictions))
  if (!missing(metric)) metric <- selecting_metric(metric)
  others <- secondary_metrics(secondary, if (!missing(metric)) bbc_metric(metric))
  if (length(others)) refuse_secondary(...)
  fit <- bbc_correct(predictions, truth, metric, ...)
  if (is.null(attr(fit, "asked"))) {
    truth <- if (!missing(truth)) truth
    if (missing(metric)) metric <- metric_of_tool(predictions, truth)
    fit <- as_asked(fit, predictions = predictions, truth = truth, metric = bbc_metric(metric),
                    options = named_options(predictions, ...))
  }
  if (length(others)) with_secondary(fit, others) else fit
}

# What bbc_correct() takes of these predictions. Methods pass on what they do not take themselves, so that
# nothing that is misspelt may be found only after an object was read.
correction_arguments <- function(predictions) {
  c(names(formals(method_for("bbc_correct", predictions))), names(formals(bbc_correct.default)), "secondary")
}

# The options of a call by name, as the method for the predictions matches them.
named_options <- function(predictions, ...) {
  first <- list(predictions = NULL, truth = NULL, metric = NULL)
  call <- match.call(method_for("bbc_correct", predictions), as.call(c(quote(f), first, list(...))))
  as.list(call)[-(1:4)]
}

# A result with what questions need, or with `why` it has no rows that they could read.
as_asked <- function(fit, ...) {
  attr(fit, "asked") <- structure(list(...), class = "bbc_asked")
  fit
}

#' @export
print.bbc_asked <- function(x, ...) {
  cat(if (is.null(x$why)) "<the data of a correction>\n" else sprintf("<no data: %s>\n", x$why))
  invisible(x)
}

#' @importFrom utils str
#' @export
str.bbc_asked <- function(object, ...) cat(" <the data of a correction>\n")

#' The record of a correction, without the data
#'
#' What [bbc_correct()] returns holds the predictions, the truth and whatever else it was given, so that
#' [questions][bbc_questions] can be asked about its winners. The record is the same result without them:
#' small, and what to keep with [saveRDS()] or to share. It prints as before, and answers no questions.
#'
#' @param fit What [bbc_correct()] returned.
#' @param ... No other arguments.
#' @return The same `bbc_estimate` without the data.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' fit <- bbc_correct(matrix(rbinom(80 * 50, 1, 0.5), 80), truth, "accuracy", n_threads = 2)
#' record <- bbc_record(fit)
#' identical(record$estimate, fit$estimate)
#' c(object.size(fit), object.size(record))
#' @export
bbc_record <- function(fit, ...) {
  no_more_arguments(...)
  if (!inherits(fit, "bbc_estimate")) refuse_unfitted(fit)
  attr(fit, "asked") <- NULL
  fit
}

# The record within an answer, by the metric that selects. Its call would name what nobody has.
record_within <- function(fit) {
  fit <- bbc_record(fit)
  fit[c("call", "secondary")] <- NULL
  fit
}

# Which options of a correction a question can follow; it refuses the others. `selects`: what
# replicates may select: a "configuration", a "threshold" too, or only the "best".
follows <- function(methods = c("bbc", "bbc-two-level", "bbc-f"), selects = "configuration",
                    two_sided = TRUE, resamples = TRUE, calibrated = FALSE) {
  list(methods = methods, selects = selects, two_sided = two_sided, resamples = resamples,
       calibrated = calibrated)
}

questions <- list(
  # Its interval is of order statistics, and says so: only the metric that selects is calibrated.
  bbc_score = follows(selects = "threshold", two_sided = FALSE, calibrated = TRUE),
  bbc_calibration = follows(),
  bbc_decision_curve = follows(),
  bbc_roc_curve = follows(),
  bbc_precision_recall_curve = follows(),
  bbc_per_1000 = follows(selects = "threshold"),
  bbc_survival_calibration = follows(),
  bbc_clinical = follows(),
  bbc_subgroups = follows(c("bbc", "bbc-two-level"), two_sided = FALSE),
  bbc_tuning_path = follows(c("bbc", "bbc-two-level"), "best", two_sided = FALSE),
  bbc_possible_winners = follows("bbc", "best", resamples = FALSE),
  bbc_winner_interval = follows("bbc", "best", two_sided = FALSE, resamples = FALSE),
  bbc_remaining_optimism = follows("bbc", "best", resamples = FALSE)
)

# An option of the correction as it was given, or its default.
asked_for <- function(asked, option) {
  given <- asked$options[[option]]
  if (is.null(given)) formals(bbc_correct.default)[[option]] else given
}

# Refuses a question that cannot follow an option of its correction.
refuse_unfollowed <- function(question, fit, asked) {
  can <- questions[[question]]
  rule <- fit$design$selection
  if (rule == "rungs" && question == "bbc_tuning_path") return(refuse_rounds(asked))
  derives <- rule %in% c("best_threshold", "greedy_ensemble", "top_k", "rungs")
  if (fit$design$interval == "calibrated" && !can$calibrated) {
    abort('`interval = "calibrated"` of the correction is not for %s()', question)
  }
  if (!fit$method %in% can$methods) {
    abort('`method = "%s"` of the correction is not for %s(); correct with `method = "bbc"`',
          fit$method, question)
  }
  if (derives && !(rule == "best_threshold" && can$selects == "threshold")) {
    by <- if (rule == "rungs") '`missing = "rungs"`' else paste("`selection`:", rule_text(asked$options$selection))
    abort("%s is not for %s(), which reads what one configuration predicted for all rows%s", by, question,
          if (rule == "rungs") "" else ", as of update(fit, selection = \"best\")")
  }
  if (can$selects == "best" && !rule %in% c("best", "means")) {
    by <- if (rule == "callable") "a function" else "bbc_one_standard_error(...)"
    abort("`selection`: %s is not followed by %s(), which is of the best score", by, question)
  }
  alternative <- asked_for(asked, "alternative")
  if (can$two_sided && alternative != "two-sided") {
    abort('`alternative = "%s"` of the correction is not for %s(), whose intervals are two-sided',
          alternative, question)
  }
  if (!can$resamples && !is.null(asked$options$resamples)) {
    abort("`resamples` are not read by %s(), which draws its own", question)
  }
}

# Refuses the path of a search that compared all configurations before it dropped any.
refuse_rounds <- function(asked) {
  if (inherits(asked$predictions, "train")) {
    abort(paste("bbc_tuning_path() is of configurations that were tried one after the other, and the search",
                "compared all of them before it dropped any"))
  }
}

# Refuses what bbc_correct() did not return.
refuse_unfitted <- function(fit, question = NULL) {
  then <- if (is.null(question)) "" else sprintf(", then %s(fit)", question)
  if (inherits(fit, fitted_classes)) {
    abort("`fit` must be what bbc_correct() returns, not %s: fit <- bbc_correct() of it%s", first_class(fit), then)
  }
  abort("`fit` must be what bbc_correct() returns, not %s: fit <- bbc_correct(predictions, truth, metric)%s",
        first_class(fit), then)
}

# The correction that a question is about, if it can be answered and follows all options: its record
# `decided`, `scored(metric)`, which is the data as another metric reads them, and the data and the plan
# by which replicates were drawn and selected, `selecting`.
winners_of <- function(fit, question) {
  asked <- kept_by(fit, paste0(question, "()"))
  refuse_unfollowed(question, fit, asked)
  correction_of(fit, asked)
}

# What a correction keeps of its call, which `by` needs.
kept_by <- function(fit, by) {
  asked <- attr(fit, "asked")
  why <- if (is.null(asked)) {
    if (identical(fit$method, "tt")) 'method "tt" draws no replicates' else "a record holds none"
  } else asked$why
  if (!is.null(why)) {
    abort("%s needs predictions of rows: %s", by, why,
          class = c("bbc_not_kept", "bbc_invalid_argument"))
  }
  asked
}

correction_of <- function(fit, asked) {
  rule <- asked_for(asked, "selection")
  if (identical(asked$options$missing, "rungs")) rule <- selection_by_rungs(rule, "rungs", asked$options$rungs)
  threads <- threads_of(asked$options$n_threads)
  of_draws <- asked$options[setdiff(names(asked$options), c(
    "n_threads", "interval", "selection", "method", "block_length", "seed", "rungs"
  ))]
  scored <- function(metric, ...) {
    of_draws[...names()] <- list(...)
    given <- list2env(c(of_draws, list(
      predictions = asked$predictions, truth = asked$truth, metric = metric, selection = rule,
      block_length = fit$design$block_length, seed = fit$seed, method = fit$method, threads = threads
    )), parent = environment())
    # By their names: a call that holds the data would be slow to show.
    names <- ls(given, all.names = TRUE)
    found <- eval(as.call(c(quote(scored_problem), sapply(names, as.name))), given)
    found$options$dynamic_search <- isTRUE(fit$design$dynamic_search)
    found
  }
  # A tool's own choice may be one by means over folds.
  selecting <- if (isTRUE(attr(fit, "by_means"))) scored(asked$metric, pooling = "fold")
               else scored(asked$metric)
  list(decided = record_within(fit), scored = scored, selecting = selecting, threads = threads,
       metric = asked$metric, by_means = isTRUE(attr(fit, "by_means")))
}

# What the winners are scored by: the metric that selected them or, where it is given, another one.
read_by <- function(metric, correction) {
  if (is.null(metric) || identical(one_metric(metric), correction$metric)) {
    scored <- if (correction$by_means) correction$scored(correction$metric) else correction$selecting
    return(list(scored = scored, overall = correction$decided))
  }
  scored <- correction$scored(one_metric(metric))
  list(scored = scored, overall = reported(scored, correction))
}

