#' Right and wrong calls in 1000 rows
#'
#' How many events the winner finds and misses, how many others are false alarms and how many are rightly
#' left alone: shares of the rows that each replicate leaves out of bag, times 1000, by the draws and
#' winners of the correction. The four counts add up to 1000, apparent ones and estimates alike; limits do
#' not.
#'
#' The share of events is that of the rows that were seen. Where the winner will be used it may be another
#' one, p in the place of q: then multiply what is found and missed by p / q, and the other two counts by
#' (1 - p) / (1 - q). In data that hold as many cases as controls, for example, false alarms are too few.
#'
#' @param fit What [bbc_correct()] returned, of probabilities of the event or of labels.
#' @param threshold The probability from which on a row is called an event. By default the cut-off that the
#'   correction chose ([bbc_best_threshold()]), the labels that it was given, or 0.5.
#' @param of_class As in [bbc_calibration()].
#' @param ... No other arguments.
#' @return An object of class `bbc_per_1000`, a list with `performance` (the [record][bbc_record] of the
#'   correction), `quantities` (a data frame with a row per count: `quantity`, `estimate`, `low`, `high`,
#'   `apparent` and `n_undefined`), `prevalence` (the share of events), `threshold` (`NULL` where the
#'   winner predicts labels), `of_class`, `confidence_level`, `findings` and `notes`. See [bbc_results] for
#'   its methods.
#' @references
#' U. Hoffrage, S. Lindsey, R. Hertwig, G. Gigerenzer (2000). Communicating statistical information.
#' *Science* 290, 2261-2262 (natural frequencies).
#' @examples
#' set.seed(1)
#' logit <- rnorm(150) - 1
#' truth <- rbinom(150, 1, plogis(logit))
#' risks <- plogis(logit + matrix(rnorm(1500, sd = 0.5), 150))
#' fit <- bbc_correct(risks, truth, "log_loss", seed = 1, n_threads = 2)
#' bbc_per_1000(fit, threshold = 0.3)
#' @export
bbc_per_1000 <- function(fit, ...) UseMethod("bbc_per_1000")

#' @export
bbc_per_1000.default <- function(fit, ...) refuse_unfitted(fit, "bbc_per_1000")

#' @rdname bbc_per_1000
#' @export
bbc_per_1000.bbc_estimate <- function(fit, threshold = NULL, of_class = NULL, ...) {
  no_more_arguments(...)
  threshold <- checked_threshold(threshold)
  correction <- against_others(winners_of(fit, "bbc_per_1000"), of_class)
  with_call(per_1000_of(correction, threshold))
}

checked_threshold <- function(threshold) {
  if (is.null(threshold)) return(NULL)
  if (!is.numeric(threshold) || length(threshold) != 1) {
    abort("`threshold` must be one number between 0 and 1")
  }
  refuse_outside(threshold, "threshold")
  as.double(threshold)
}

per_1000_of <- function(correction, threshold) {
  calls <- calls_of(correction, threshold)
  winner <- calls$winner
  counts <- lapply(split(right_and_wrong, seq_len(nrow(right_and_wrong))), count_of, calls)
  quantities <- do.call(rbind, unname(counts))
  numbers <- c("estimate", "low", "high", "apparent")
  quantities[numbers] <- 1000 * quantities[numbers]
  quantities$ideal <- NULL
  prevalence <- prevalence_of(winner)
  new_clinical("bbc_per_1000", winner, quantities, NULL, prevalence = prevalence,
               threshold = calls$threshold, notes = rows_note(prevalence))
}

right_and_wrong <- data.frame(
  quantity = c("found", "missed", "false alarms", "rightly left alone"),
  event = c(TRUE, TRUE, FALSE, FALSE), called = c(TRUE, FALSE, TRUE, FALSE)
)

# The cut-off, which rows each winner calls events by it, and the winners. Net benefit calls the rows at a
# cut-off events as well; one that was chosen does not.
calls_of <- function(correction, threshold) {
  chosen <- correction$selecting$options$selection
  cut <- !is.null(chosen) && cuts(chosen)
  of_labels <- cut || correction$metric$predicts == "labels"
  if (is.null(threshold) && of_labels) return(if (cut) calls_at_cut_offs(correction) else labels_of(correction))
  if (of_labels && !cut && !reads_risks(correction)) {
    abort("`threshold` is for probabilities; these predictions are labels")
  }
  winner <- read_as(correction, "calibration")
  at <- if (is.null(threshold)) 0.5 else threshold
  list(winner = winner, called = lapply(winner$problem$predictions, `>=`, at), threshold = at)
}

# Whether what was predicted has risks beside the labels.
reads_risks <- function(correction) {
  arrays <- tryCatch(read_as(correction, "calibration")$problem$predictions, bbc_error = function(error) NULL)
  !is.null(arrays) && !all(unlist(arrays) %in% 0:1)
}

labels_of <- function(correction) {
  winner <- read_as(correction, "labels")
  truth <- winner$problem$truth
  event <- label_values(truth)[[2]]
  if (!is.null(correction$of_class)) {
    truth <- correction$selecting$problem$truth
    event <- label_values(truth)[[match(correction$of_class, as.character(truth$classes))]]
  }
  list(winner = winner, called = lapply(winner$problem$predictions, `==`, event))
}

calls_at_cut_offs <- function(correction) {
  scored <- correction$scored(bbc_metric(read_metrics$labels[[1]]))
  refuse_other_cells(scored, correction)
  cut <- at_cut_offs(scored, winner_places(correction), correction$decided)
  problem <- cut$scored$problem
  event <- label_values(problem$truth)[[2]]
  list(winner = c(correction, list(problem = problem, plan = pooled_plan(cut$scored), places = cut$winners)),
       called = lapply(problem$predictions, `==`, event), threshold = correction$decided$threshold)
}

# How many of all rows are such: if all rows were events, and those certain that are such, it would be the
# net benefit at even odds.
count_of <- function(such, calls) {
  winner <- calls$winner
  rows <- (winner$problem$truth$codes == 1) == such$event
  winner$problem$truth$codes <- rep(1L, length(rows))
  winner$problem$predictions <- lapply(calls$called, function(called) {
    array(as.double((called == such$called) & rows), dim(called))
  })
  found <- winner_statistics(winner, list(kind = "net_benefit", x = 0.5))
  # Without the false alarms, which cannot be.
  hits <- found$rates[[1]][seq_len(length(found$rates[[1]]) / 2)]
  quantities_of(winner, such$quantity, found$apparent[1], found$replicates[1, , drop = FALSE],
                list(c(0, 1)), rates = list(hits))
}

rows_note <- function(prevalence) {
  if (prevalence <= 0 || prevalence >= 1) return(character())
  sprintf(paste("of 1000 rows that were seen %.0f are events; where a share p is, multiply found and missed by",
                "p / %.3g, and the others by (1 - p) / %.3g"), 1000 * prevalence, prevalence, 1 - prevalence)
}

# Whole numbers, as one counts rows.
counted_rows <- function(quantities) {
  numbers <- c("estimate", "low", "high", "apparent")
  quantities[numbers] <- lapply(quantities[numbers], function(values) {
    ifelse(is.na(values), "NA", sprintf("%.0f", values))
  })
  quantities[c("quantity", numbers, "n_undefined")]
}

calls_title <- function(x) {
  paste0("per 1000 rows", if (!is.null(x$of_class)) paste(" for", x$of_class),
         if (!is.null(x$threshold)) paste(" at the cut-off", number(x$threshold)))
}

show_result.bbc_per_1000 <- function(x) {
  e <- x$performance
  cat_parts(calls_title(x), paste("of the winner by", e$metric), paste("method", e$method))
  print(counted_rows(x$quantities), row.names = FALSE)
  print_remarks(x)
}

frame_of.bbc_per_1000 <- function(x) x$quantities

tidy_of.bbc_per_1000 <- function(x) tidy_numbers(x$quantities)

glance_of.bbc_per_1000 <- function(x) data.frame(glance_of(x$performance), prevalence = x$prevalence)

picture.bbc_per_1000 <- function(x, ...) {
  picture_of_intervals(tidy_of(x), axis_of("per 1000 rows"))
}
