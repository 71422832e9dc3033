#' Estimate what a correction leaves of the optimism
#'
#' In cross-validation, rows of different folds trained each other's models. A configuration that suits
#' some of them does well on the others, in bag and out of bag alike, and [bbc_correct()] takes that for
#' skill. Rows of one fold never trained each other's models: what pairs of the former share beyond pairs
#' of the latter tells how much of it there is, without a fit. It matters where dozens of different models
#' compete on few rows.
#'
#' This is a second number beside the corrected estimate, of which simulations gave the size. It never
#' takes its place. Where there is much to learn, the corrected estimate is mostly below the truth already,
#' because folds train on fewer rows than the refit. Finding BBC028 says where it is more than a tenth of
#' the interval's width.
#'
#' @param fit What [bbc_correct()] returned, by the AUC of two classes, accuracy or a mean of row losses, of
#'   at least ten configurations and one repeat of 4 to 64 known `folds`, with twice as many rows of each
#'   class, with method `"bbc"` and `selection = "best"`; without groups, weights, strata, pooling by fold
#'   and `resamples`, which were not studied.
#' @param shift_limits Whether to shift the limits of the interval with the estimate. How often the shifted
#'   interval holds the truth was not studied.
#' @param ... No other arguments.
#' @return An object of class `bbc_remaining_optimism`, a list with `estimate` (the record of the
#'   correction), `kappa` (0.5 is pure coupling, about 0 where no row trained the model of another) and
#'   `kappa_sd`, `in_bag_optimism` (of the replicates' winners in bag), `further_optimism` (what of it the
#'   estimate likely still holds), `coupled_estimate` (the estimate without it), `confidence_interval`
#'   (shifted, or `NULL`) and `findings`.
#' @examples
#' set.seed(1)
#' truth <- rep(0:1, 30)
#' folds <- rep(1:5, each = 2, length.out = 60)
#' # Models of random inputs, which know only what the rows that trained them have in common.
#' scores <- sapply(1:50, function(j) {
#'   x <- matrix(rnorm(180), 60)
#'   ave(seq_along(truth), folds, FUN = function(test) {
#'     x[test, ] %*% colSums(x[-test, ] * (2 * truth[-test] - 1))
#'   })
#' })
#' fit <- bbc_correct(scores, truth, "roc_auc", folds = folds, seed = 1, n_threads = 2)
#' bbc_remaining_optimism(fit)
#' @export
bbc_remaining_optimism <- function(fit, ...) UseMethod("bbc_remaining_optimism")

#' @export
bbc_remaining_optimism.default <- function(fit, ...) refuse_unfitted(fit, "bbc_remaining_optimism")

#' @rdname bbc_remaining_optimism
#' @export
bbc_remaining_optimism.bbc_estimate <- function(fit, shift_limits = FALSE, ...) {
  no_more_arguments(...)
  shift_limits <- flag(shift_limits, "shift_limits")
  with_call(remaining_optimism_of(winners_of(fit, "bbc_remaining_optimism"), shift_limits))
}

remaining_optimism_of <- function(correction, shift_limits) {
  problem <- correction$selecting$problem
  own <- correction$decided
  refuse_unstudied(correction$selecting$options, problem)
  raw <- checked(kernel_remaining_optimism(
    kernel_target(problem$truth), problem$predictions, correction$selecting$plan, problem$folds,
    own$winner, own$replicate_winners, own$replicates, correction$threads
  ), problem)
  interval <- own$confidence_interval
  width <- if (!is.null(interval)) interval$high - interval$low
  share <- if (isTRUE(width > 0) && is.finite(width)) raw$further_optimism / width
  found <- found_by("remaining", list(further = raw$further_optimism, further_share = share))
  new_result(c(
    list(estimate = own), raw,
    list(confidence_interval = if (shift_limits) shifted(own, raw$coupled_estimate),
         findings = all_findings(own$findings, found))
  ), "bbc_remaining_optimism")
}

# Designs for which nothing is known; the kernel refuses what it can tell by itself.
refuse_unstudied <- function(options, problem) {
  by <- "bbc_remaining_optimism()"
  refuse_custom(options$metric, by)
  if (!is.null(problem$block_length)) abort("`block_length` was not studied for %s", by)
  if (!is.null(problem$groups)) abort("`groups` were not studied for %s", by)
  if (options$stratify_bootstrap) abort("`stratify_bootstrap = TRUE` was not studied for %s", by)
  if (!is.null(problem$truth$status)) abort("`truth` of times to an event was not studied for %s", by)
  refuse_design(options, problem, by)
  gone <- !is.null(problem$kept_configurations) || length(problem$left_out_rows) > 0
  if (gone) abort("`predictions`: some rows or configurations were left out (`missing`): %s needs all of them", by)
}

# The interval around the coupled estimate, within the metric's range.
shifted <- function(estimate, coupled) {
  interval <- estimate$confidence_interval
  if (is.null(interval)) return(NULL)
  ends <- c(interval$low, interval$high) + (coupled - estimate$estimate)
  ends <- pmin(pmax(ends, estimate$limits[[1]]), estimate$limits[[2]])
  replace(interval, c("low", "high"), as.list(ends))
}

show_result.bbc_remaining_optimism <- function(x) {
  e <- x$estimate
  cat_parts(paste0(e$metric, " of the winner: ", shown_of(e, e$estimate)), interval_part(e))
  cat(strwrap(say("remaining", list(further = x$further_optimism)), 80, exdent = 2), sep = "\n")
  cat_parts(paste("without it", shown_of(e, x$coupled_estimate)),
            if (!is.null(x$confidence_interval)) interval_part(x, decimals_of(e)),
            sprintf("kappa %s (sd %s)", written("%.2g", x$kappa), written("%.2g", x$kappa_sd)),
            seed_text(e))
  for (text in finding_text(x$findings)) cat(strwrap(text, 80, exdent = 2), sep = "\n")
}

frame_of.bbc_remaining_optimism <- function(x) {
  interval <- x$confidence_interval
  data.frame(estimate = x$estimate$estimate, kappa = x$kappa, kappa_sd = x$kappa_sd,
             in_bag_optimism = x$in_bag_optimism, further_optimism = x$further_optimism,
             coupled_estimate = x$coupled_estimate, low = or_na(interval$low),
             high = or_na(interval$high))
}

# Both estimates, with their limits.
tidy_of.bbc_remaining_optimism <- function(x) {
  intervals <- list(x$estimate$confidence_interval, x$confidence_interval)
  end <- function(name) vapply(intervals, function(own) as.double(or_na(own[[name]])), 0)
  data.frame(term = c("corrected", "coupled"), estimate = c(x$estimate$estimate, x$coupled_estimate),
             conf.low = end("low"), conf.high = end("high"))
}

glance_of.bbc_remaining_optimism <- function(x) glance_of(x$estimate)

picture.bbc_remaining_optimism <- function(x, ...) {
  picture_of_intervals(tidy_of(x), axis_of(metric_title(x$estimate$metric)))
}
