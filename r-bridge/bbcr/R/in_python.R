# The protocols in Python, through the bridge: the same call as that of the loop here.

options_of_python <- function(protocol, options) {
  lowest <- c(n_jobs = -Inf, n_bootstraps = 1)
  for (name in intersect(names(lowest), names(options))) {
    if (is.null(options[[name]])) next
    highest <- min(kernel_limit_of(name), .Machine$integer.max)
    options[[name]] <- as.integer(whole_number(options[[name]], name, lowest[[name]], highest))
  }
  for (name in names(options)) {
    value <- options[[name]]
    if (!is.null(value) && !is.atomic(value)) {
      abort("`%s` cannot be a %s in a protocol that runs in Python", name, first_class(value))
    }
    if (is.atomic(value) && anyNA(value) && !any(is.nan(value))) abort("`%s` is NA", name)
  }
  options
}

tuned_in_python <- function(asked, cv, store, options) {
  design <- asked$design
  frame <- design$x
  frame[[outcome_column]] <- asked$truth
  own <- protocols[[asked$protocol]]$python
  options$n_repeats <- as.integer(asked$n_repeats)
  options$random_state <- asked$seed
  options$pos_label <- asked$event
  options$verbose <- as.integer(asked$verbose)
  options$error_score <- if (asked$raises) "raise" else NaN
  options$store <- store
  if (own == "BBCD") {
    options$dropping_level <- asked$level
    options$min_predictions <- as.integer(asked$least)
  }
  raw <- call_python("run", list(
    protocol = own, frame = frame, target = outcome_column, metric = base_name(asked$metric),
    parameters = metric_parameters(asked$metric), learners = asked$learners,
    around = design$around, options = options,
    cv = folds_of(cv, nrow(frame), asked$n_repeats * if (own == "CVMCV") 2 else 1),
    groups = if (!is.null(asked$groups)) codes_by_first_row(asked$groups)
  ))
  levels <- levels(asked$truth)
  columns <- unlist(raw$predicted)
  predictions <- lapply(raw$predictions, function(values) {
    if (length(dim(values)) == 3) {
      values <- values[, , match(levels, raw$classes), drop = FALSE]
      dimnames(values) <- list(NULL, columns, levels)
    } else {
      colnames(values) <- columns
    }
    values
  })
  dropped <- if (length(raw$dropped)) as.integer(ifelse(raw$dropped < 0, NA, raw$dropped + 1))
  outer <- if (length(raw$outer_winners)) data.frame(
    places_of_folds(raw$folds), winner = configuration_names(asked$learners)[t(raw$outer_winners) + 1],
    score = as.double(t(raw$outer_scores))
  )
  estimate <- estimate_of(raw$performance, asked$metric, max(length(levels), 2))
  protocol_result(asked, estimate, estimate$winner, predictions, raw$folds, raw$model, raw$predict,
                  raw$n_models_trained, dropped, outer)
}

estimate_of <- function(raw, metric, n_classes) {
  raw[] <- lapply(raw, function(value) if (is.list(value)) value else drop(value))
  counted_from_0 <- intersect(unlist(raw$indices), names(raw))
  raw[counted_from_0] <- lapply(raw[counted_from_0], function(at) if (!is.null(at)) as.integer(at) + 1L)
  raw$indices <- NULL
  raw$design["dropped_after"] <- list(as.integer(raw$design$dropped_after)) # no number has no type
  raw$limits <- metric_limits(metric, n_classes)
  raw$metric <- metric$name
  raw$n_bootstraps <- length(raw$replicates)
  if (!is.null(raw$monte_carlo_error)) raw$monte_carlo_error <- named_errors(raw$monte_carlo_error)
  raw$event <- raw$pos_label
  raw$pos_label <- NULL
  raw$findings <- findings_of_python(raw$findings)
  low <- below_half_note(metric, raw, raw$apparent)
  for (note in low) warning(note, call. = FALSE)
  raw$notes <- c(as.character(raw$notes), low)
  interval <- raw$confidence_interval
  if (!is.null(interval)) {
    ends <- c(interval$low, interval$high)
    ends[is.infinite(ends)] <- raw$limits[is.infinite(ends)]
    raw$confidence_interval[c("low", "high")] <- as.list(ends)
  }
  raw["undefined_folds"] <- list(NULL) # R alone counts them
  new_result(raw, "bbc_estimate")
}

# The findings of Python, in R's words where R has the kind.
findings_of_python <- function(raw) {
  found <- data.frame(lapply(raw, function(column) as.character(unlist(column))))
  known <- found$code %in% names(texts()$findings)
  found$advice[known] <- vapply(texts()$findings[found$code[known]], `[[`, "", "advice")
  all_findings(found)
}

base_name <- function(metric) sub("[(].*", "", metric$name)

metric_parameters <- function(metric) {
  if (!grepl("(", metric$name, fixed = TRUE)) return(list())
  if (metric$censoring == "uno") return(list(tau = metric$times))
  if (metric$censoring == "dynamic_auc") return(list(time = metric$times))
  if (metric$kernel == "f_beta") list(beta = metric$beta) else list(alpha = metric$alpha)
}

# A number of folds, which Python draws, or the folds of one partition.
folds_of <- function(cv, n_rows, n_partitions) {
  if (is_one_number(cv)) return(as.integer(whole_number(cv, "cv", 2)))
  folds <- drop(fold_codes(fold_columns(cv, n_rows, 1, "cv"), argument = "cv"))
  if (n_partitions > 1) {
    abort("`cv` has the folds of one partition, but %d are needed: give the number of folds",
          n_partitions)
  }
  folds
}
