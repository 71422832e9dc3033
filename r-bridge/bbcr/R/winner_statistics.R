# Statistics of a winner of two classes: a vector of numbers on all rows, and on the rows that each
# replicate leaves out of bag.

# The metrics whose predictions they read, of two classes and of several.
read_metrics <- list(calibration = c("binomial_deviance", "log_loss"),
                     curve = c("roc_auc", "roc_auc_ovr"), labels = c("recall", "accuracy"))

# The correction that describes one class of several against the others.
against_others <- function(correction, of_class) {
  if (is.null(of_class)) return(correction)
  classes <- as.character(correction$selecting$problem$truth$classes)
  if (length(classes) <= 2) abort("`of_class` is for more than two classes")
  correction$of_class <- choice(as.character(of_class), "of_class", classes)
  correction
}

# The correction with its data as a statistic reads them.
read_as <- function(correction, kind) {
  of_two <- bbc_metric(read_metrics[[kind]][[1]])
  of_class <- correction$of_class
  read <- if (is.null(of_class)) of_two else bbc_metric(read_metrics[[kind]][[2]])
  classes <- correction$selecting$problem$truth$classes
  if (is.null(of_class) && length(classes) > 2) {
    abort("`truth` has %d classes (%s), not two; `of_class` sets one against the others",
          length(classes), shown(as.character(classes)))
  }
  read$name <- kind
  scored <- correction$scored(read)
  refuse_other_cells(scored, correction)
  if (!is.null(of_class)) scored <- of_one_class(scored, of_class, of_two)
  c(correction, list(problem = scored$problem, plan = pooled_plan(scored)))
}

# Data of several classes as those of two, which a metric of two reads.
of_one_class <- function(scored, of_class, metric) {
  truth <- scored$problem$truth
  place <- match(of_class, as.character(truth$classes))
  scored$problem$truth[c("codes", "classes", "n_classes", "event")] <- list(
    as.integer(truth$codes == place - 1), c("others", of_class), 2L, of_class
  )
  scored$problem$predictions <- lapply(scored$problem$predictions, one_output, place)
  scored$plan$metric <- metric
  scored
}

one_output <- function(array, place) {
  if (length(dim(array)) == 3) array(array[, , place], dim(array)[1:2]) else array
}

# All rows are pooled, and weighted, whatever is drawn.
pooled_plan <- function(scored) {
  plan <- scored$plan
  plan["folds"] <- list(NULL)
  plan["row_weights"] <- list(scored$problem$weights)
  plan
}

# The winner's predictions, of all repeats one behind the other, and the codes of their truth.
winners_predictions <- function(winner) {
  column <- winner_places(winner)$all_rows
  arrays <- winner$problem$predictions
  list(values = unlist(lapply(arrays, function(array) array[, column])),
       codes = rep(winner$problem$truth$codes, length(arrays)))
}

# The values on all rows, `apparent`, and in each replicate, without the winner's shift: a matrix
# (value, replicate); what the limits of each value rest on, and its range.
winner_statistics <- function(winner, statistic) {
  problem <- winner$problem
  # Winners at their cut-offs have places of their own.
  places <- if (is.null(winner$places)) winner_places(winner) else winner$places
  chosen <- sort(unique(unlist(places)))
  of_folds <- winner$decided$method == "bbc-f"
  drawn <- (if (of_folds) folds_as_rows else rows_as_rows)(winner$selecting, winner$threads)
  found <- checked(kernel_winner_statistics(
    statistic, kernel_target(problem$truth),
    lapply(problem$predictions, function(array) array[, chosen, drop = FALSE]), winner$plan,
    drawn$target, drawn$plan, if (of_folds) problem$folds, match(places$replicates, chosen),
    match(places$all_rows, chosen), winner$threads
  ), problem)
  found$replicates <- matrix(found$replicates, length(found$apparent))
  found
}

# Means and limits at each point of a matrix (point, replicate); `rates` say what the limits of each
# point rest on, `ranges` where it ends.
band_of <- function(replicates, confidence_level, ranges, rates = list()) {
  band <- as.data.frame(checked(kernel_curve_band(as.double(replicates), ncol(replicates),
                                                  confidence_level, rates, ranges)))
  replace(band, is.na(band), NA)
}

# Whether there are too few replicates for limits of anything but a score: BBC015.
draws_few_folds <- function(selecting) {
  selecting$options$method %in% c("bbc-f", "bbc-two-level") &&
    kernel_too_few_folds(as.double(fewest_folds(selecting$problem)))
}

# A row for each number.
quantities_of <- function(winner, titles, apparent, replicates, ranges, ideal = NA_real_,
                          rates = list()) {
  level <- winner$selecting$options$confidence_level
  # Each by itself: the points of one band are a curve, which goes on where a replicate ends.
  bands <- lapply(seq_len(nrow(replicates)), function(i) {
    band_of(replicates[i, , drop = FALSE], level, ranges[i], if (length(rates)) rates[i] else list())
  })
  band <- do.call(rbind, bands)
  # As many replicates must be left as the level asks for; ranks are rounded as the kernel does.
  enough <- round((1 - level) / 2 * (ncol(replicates) - band$n_undefined), 9) >= 1
  none <- !enough | draws_few_folds(winner$selecting)
  band[none, c("low", "high")] <- NA_real_
  data.frame(
    quantity = titles, band[c("estimate", "low", "high")],
    apparent = replace(apparent, is.nan(apparent), NA), ideal = ideal,
    n_undefined = band$n_undefined
  )
}

# A row for each point; `x` are the first columns.
curve_of <- function(winner, x, apparent, replicates, ranges, rates = list()) {
  band <- band_of(replicates, winner$selecting$options$confidence_level, ranges, rates)
  if (anyNA(band$estimate)) {
    abort("`predictions`: the curve is undefined out of bag in all %d replicates",
          ncol(replicates), class = "bbc_undefined_metric")
  }
  limits <- c("low", "high", "simultaneous_low", "simultaneous_high")
  if (draws_few_folds(winner$selecting)) band[limits] <- NA_real_
  data.frame(x, band[c("estimate", limits)], apparent = apparent,
             n_undefined = band$n_undefined)
}

prevalence_of <- function(winner) {
  events <- as.double(winner$problem$truth$codes == 1)
  weights <- winner$problem$weights
  if (is.null(weights)) mean(events) else sum(events * weights) / sum(weights)
}

# `of_rates` says whether they are of one class each, and do not depend on the shares of the classes.
new_clinical <- function(class, winner, quantities, curve, ..., notes = character(), of_rates = FALSE) {
  found <- found_by("curves", list(shares_left_out = !of_rates && leaves_shares_out(winner$selecting),
                                   method = winner$decided$method))
  new_result(list(
    performance = winner$decided, of_class = winner$of_class, quantities = quantities, curve = curve,
    confidence_level = winner$selecting$options$confidence_level, ...,
    findings = all_findings(winner$decided$findings, found), notes = as.character(notes)
  ), c(class, "bbc_curve"))
}

# Whether draws keep shares of classes that another sample would have otherwise.
leaves_shares_out <- function(selecting) {
  keeps_shares(selecting$options, selecting$plan) && !selecting$plan$fixed_class_counts &&
    !is.null(drawn_classes(selecting$problem))
}
