# Methods of comparisons: each metric has its own, the one that selected the first.

# The options of a metric that did not select.
options_by <- function(metric, options, seed) {
  rule <- options$selection
  options$metric <- metric
  options["selection"] <- list(NULL)
  options$stratify_bootstrap <- FALSE
  options$seed <- seed
  read_at_cut_offs(options, rule)
}

# A comparison and those by its secondary metrics, by name.
every_comparison <- function(x) {
  own <- x
  own$secondary <- NULL
  c(stats::setNames(list(own), x$metric), x$secondary)
}

of_every_comparison <- function(x, get) {
  every <- every_comparison(x)
  do.call(rbind, lapply(names(every), function(name) get(every[[name]], name)))
}

show_result.bbc_comparison <- function(x) {
  for (one in every_comparison(x)) show_comparison(one)
  cat_parts(seed_text(x))
  cat_skipped(x$estimates[[1]])
}

show_comparison <- function(x) {
  cat_parts(sprintf("%s of %s (%s is better), method %s, %s", x$metric,
                    counted(length(x$estimates), "family", "families"),
                    if (x$greater_is_better) "higher" else "lower", x$method,
                    if (x$pooling == "fold") "mean of folds" else x$pooling))
  ends <- function(e, end) {
    if (is.null(e$confidence_interval)) NA_real_ else e$confidence_interval[[end]]
  }
  of_each <- function(get) vapply(x$estimates, get, 0)
  families <- data.frame(
    family = names(x$estimates), estimate = of_each(function(e) e$estimate),
    low = of_each(function(e) ends(e, "low")), high = of_each(function(e) ends(e, "high")),
    apparent = of_each(function(e) e$apparent), of = of_each(function(e) e$n_configurations)
  )
  places <- fewest(lapply(x$estimates, decimals_of))
  families[value_columns] <- lapply(families[value_columns], to_decimals, places)
  print(families, row.names = FALSE)
  pairs <- x$differences
  print(data.frame(
    difference = colnames(x$replicates), pairs[c("estimate", "low", "high", "p_value")],
    better = sprintf("%.0f %% : %.0f %%", 100 * pairs$first_better, 100 * pairs$second_better)
  ), digits = shown_digits(4), row.names = FALSE)
  for (reason in x$infeasible) cat_parts(paste("no interval:", reason))
  for (note in x$notes) cat(strwrap(paste("note:", note), 80, exdent = 2), sep = "\n")
}

frame_of.bbc_comparison <- function(x) {
  if (!is.null(x$secondary)) {
    return(of_every_comparison(x, function(one, name) data.frame(metric = name, frame_of(one))))
  }
  score <- function(labels) {
    vapply(x$estimates[labels], function(e) e$estimate, 0, USE.NAMES = FALSE)
  }
  data.frame(x$differences, first_estimate = score(x$differences$first),
             second_estimate = score(x$differences$second))
}

tidy_of.bbc_comparison <- function(x) {
  if (!is.null(x$secondary)) {
    return(of_every_comparison(x, function(one, name) {
      columns <- tidy_of(one)
      replace(columns, "term", list(paste0(name, ": ", columns$term)))
    }))
  }
  pairs <- x$differences
  data.frame(term = colnames(x$replicates), estimate = pairs$estimate,
             std.error = pairs$standard_error, conf.low = pairs$low, conf.high = pairs$high,
             p.value = pairs$p_value)
}

glance_of.bbc_comparison <- function(x) {
  data.frame(metric = x$metric, method = x$method, n_families = length(x$estimates),
             n_bootstraps = x$n_bootstraps, conf.level = x$confidence_level, seed = x$seed)
}
