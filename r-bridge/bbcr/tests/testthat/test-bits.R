# The table that Python and C are checked against too.
read_table <- function(name) {
  read.csv(test_path("bits", name), colClasses = "character", check.names = FALSE)
}
exact <- function(texts) as.numeric(unlist(strsplit(texts, " ", fixed = TRUE)))

data <- lapply(read_table("data.csv"), exact)
# Predictions, truth and folds of a case, by the names of its columns.
columns <- function(case, repeat_index) {
  n_outputs <- as.integer(case$n_outputs)
  own <- lapply(seq_len(n_outputs) - 1, function(k) {
    last <- if (n_outputs > 1) paste0("_", k) else ""
    sapply(0:4, function(j) {
      data[[paste0(case$predictions, "_", repeat_index, "_", j, last)]]
    })
  })
  if (n_outputs == 1) own[[1]] else array(unlist(own), c(dim(own[[1]]), n_outputs))
}
repeats_of <- function(case) seq_len(as.integer(case$n_repeats)) - 1
predictions_of <- function(case) lapply(repeats_of(case), function(r) columns(case, r))
truth_of <- function(case) {
  truth <- data[[case$truth]]
  if (case$truth != "time") return(truth)
  structure(cbind(time = truth, status = data$event), class = "Surv", type = "right")
}
folds_of <- function(case, name = "fold") {
  sapply(repeats_of(case), function(r) data[[paste0(name, "_", r)]])
}

# What `of_case` gives and what the table has of each case, by its line and words: lists, because one
# comparison of all takes a tenth of the time of a comparison of each.
of_cases <- function(cases, words, of_case) {
  listed <- lapply(seq_len(nrow(cases)), function(i) as.list(cases[i, ]))
  names(listed) <- do.call(paste, c(list("line", seq_len(nrow(cases)) + 1), cases[words]))
  lapply(listed, of_case)
}
columns_of <- function(found, name) lapply(found, `[[`, name)
expect_bits <- function(found) {
  expect_identical(columns_of(found, "own"), columns_of(found, "recorded"))
}

test_that("R gives the bits of Python and C", {
  cases <- read_table("cases.csv")
  expect_gt(nrow(cases), 100)
  expect_bits(of_cases(cases, "metric", function(case) {
    e <- suppressWarnings(bbc_correct(
      predictions_of(case), truth_of(case), case$metric,
      method = if (nzchar(case$drawn)) "bbc-two-level" else "bbc",
      folds = if (nzchar(paste0(case$folds, case$drawn))) {
        folds_of(case, if (nzchar(case$drawn)) case$drawn else case$folds)
      },
      pooling = if (nzchar(case$folds)) "fold" else "pooled",
      groups = if (nzchar(case$groups)) data[[case$groups]],
      sample_weight = if (nzchar(case$weights)) data[[case$weights]],
      stratify_bootstrap = case$stratified == "1", n_bootstraps = 20, confidence_level = 0.8,
      size_correction = case$published == "0", seed = as.numeric(case$seed)
    ))
    ends <- e$confidence_interval
    list(
      own = list(e$replicates, c(e$winner, e$replicate_winners),
                 c(e$estimate, ends$low, ends$high, e$apparent, e$n_redrawn)),
      recorded = list(
        exact(case$replicates), as.integer(exact(c(case$winner, case$winners))) + 1L,
        exact(c(case$estimate, case$low, case$high, case$apparent, case$n_redrawn))
      )
    )
  }))
})

test_that("R knows the metrics of Python", {
  # The table is C's too, whose interface has no weights of events.
  plain <- Filter(function(name) !nzchar(bbc_metric(name)$censoring), bbc_metrics()$name)
  recorded <- unique(read_table("cases.csv")$metric)
  expect_setequal(setdiff(plain, c("row_loss", "row_score")), recorded)
})

numbers_of <- function(results) lapply(unname(results[c("integers", "reals")]), as.double)

# The integers (counted from 0, as in the table) and the reals that a result stands for.
results_of <- function(result) UseMethod("results_of")
results_of.bbc_estimate <- function(result) {
  ends <- unlist(result$confidence_interval[c("low", "high")], use.names = FALSE)
  list(integers = c(result$winner - 1, result$n_redrawn, result$replicate_winners - 1),
       reals = c(result$estimate, ends, result$apparent, result$replicates,
                 result$replicate_thresholds, result$weights,
                 if (!is.null(result$weights)) result$selection_frequency))
}
results_of.bbc_dominance <- function(result) {
  list(integers = c(result$best - 1, result$dominated), reals = result$share_worse)
}
results_of.bbc_bound <- function(result) {
  winner <- if (is.null(result$winner)) -1 else result$winner - 1
  ends <- unlist(result$confidence_interval[c("low", "high")], use.names = FALSE)
  list(integers = c(winner, result$n_splits, result$n_bootstraps, result$candidates - 1,
                    result$evaluation_rows - 1),
       reals = c(result$estimate, ends, result$effective_sample_size))
}
results_of.bbc_comparison <- function(result) {
  pairs <- result$differences[c("estimate", "low", "high", "standard_error", "degrees_of_freedom",
                                "p_value", "first_better", "second_better")]
  estimates <- unname(result$estimates)
  list(integers = sapply(estimates, function(e) e$winner - 1),
       reals = c(sapply(estimates, function(e) e$estimate), t(as.matrix(pairs))))
}
# Some points of each curve, as the table has them.
results_of.bbc_curve <- function(result) {
  e <- result$performance
  numbers <- result$quantities
  numbers <- numbers[c("estimate", "low", "high", "apparent", "n_undefined")]
  curve <- result$curve
  if (inherits(result, "bbc_decision_curve")) curve <- curve[-1]
  else curve <- curve[seq(1, nrow(curve), by = if (nrow(curve) > 10) 10 else 1), ]
  list(integers = c(e$winner - 1, e$replicate_winners - 1, result$counts$events,
                    result$counts$others),
       reals = c(if (!is.null(numbers)) t(as.matrix(numbers)), t(as.matrix(curve))))
}
results_of.bbc_subgroups <- function(result) {
  groups <- result$groups
  own <- result$estimates[groups$subgroup]
  counts <- groups[grep("^n_", names(groups))]
  undefined <- vapply(own, function(e) {
    if (is.null(e)) -1 else if (is.null(e$n_undefined)) 0 else as.double(e$n_undefined)
  }, 0)
  of_estimate <- function(e) {
    interval <- e$confidence_interval
    if (is.null(interval)) interval <- list(low = NA_real_, high = NA_real_)
    c(e$estimate, interval$low, interval$high, e$apparent, e$replicates)
  }
  numbers <- c("estimate", "low", "high", "standard_error", "degrees_of_freedom", "p_value",
               "first_better", "second_better")
  list(integers = c(result$overall$winner - 1, t(cbind(as.matrix(counts), undefined))),
       reals = c(unlist(lapply(result$estimates, of_estimate)),
                 t(as.matrix(result$differences[numbers]))))
}

# What a search leaves that dropped two configurations after 12 rows and one after 24.
with_holes <- function(predictions) {
  if (length(dim(predictions)) == 3) {
    predictions[13:36, c(1, 4), ] <- NA
    predictions[25:36, 2, ] <- NA
  } else {
    predictions[13:36, c(1, 4)] <- NA
    predictions[25:36, 2] <- NA
  }
  predictions
}

computed <- function(case, scores) {
  seed <- as.numeric(case$seed)
  if (case$function_name == "bound") {
    predictions <- do.call(cbind, scores[grep("^score_", names(scores))])
    return(bbc_bound(predictions, scores$two, scores$fold, case$method,
                     rule = if (nzchar(case$rule)) case$rule, variant = case$variant,
                     n_bootstraps = 200, seed = seed))
  }
  predictions <- predictions_of(case)
  truth <- truth_of(case)
  weights <- if (nzchar(case$weights)) data[[case$weights]]
  rule <- switch(if (nzchar(case$rule)) case$rule else "best",
                 one_standard_error = bbc_one_standard_error(c(3, 1, 2, 1, 0)),
                 best_threshold = bbc_best_threshold(),
                 greedy_ensemble = bbc_greedy_ensemble(4), top_k = bbc_top_k(3), "best")
  by_rungs <- identical(case$variant, "rungs")
  if (by_rungs) predictions <- lapply(predictions, with_holes)
  paired <- case$metric %in% c("roc_auc", "concordance_index")
  switch(case$function_name,
    compare = {
      part <- function(own) lapply(predictions, function(array) {
        if (length(dim(array)) == 3) array[, own, , drop = FALSE] else array[, own, drop = FALSE]
      })
      bbc_compare(list(three = part(1:3), one = part(4), other = part(5)), truth, case$metric,
                  method = case$method, folds = folds_of(case, "part"), sample_weight = weights,
                  n_bootstraps = 20, confidence_level = 0.8, alternative = case$variant,
                  seed = seed)
    },
    tt = bbc_tt(predictions, truth, case$metric, folds_of(case), weights),
    dominated = structure(bbcr:::dominance(
      list(predictions = predictions, truth = truth, folds = folds_of(case)),
      bbcr:::checked_options(case$metric, n_bootstraps = 20, seed = seed, selection = rule), 0.8
    ), class = "bbc_dominance"),
    correct = bbc_correct(
      predictions, truth, case$metric, case$method,
      folds_of(case, if (case$variant == "calibrated") "part" else "fold"),
      sample_weight = weights, selection = rule, n_bootstraps = 20,
      missing = if (by_rungs) "rungs" else "raise",
      block_length = if (case$variant == "blocks") {
        if (case$metric == "concordance_index") 3 else "auto"
      },
      pooling = if (by_rungs && paired) "rung" else "pooled",
      interval = if (case$variant == "calibrated") "calibrated" else "order-statistics",
      confidence_level = 0.8, seed = seed
    )
  )
}

test_that("other methods are those of Python", {
  scores <- lapply(read_table("scores.csv"), exact)
  cases <- read_table("methods.csv")
  names(cases)[[1]] <- "function_name"
  cases <- cases[cases$function_name != "wmc", ]  # which R does not have
  expect_gt(nrow(cases), 90)
  expect_bits(of_cases(cases, c("function_name", "metric", "method"), function(case) {
    list(own = numbers_of(results_of(suppressWarnings(computed(case, scores)))),
         recorded = list(exact(case$integers), exact(case$reals)))
  }))
})

described <- function(case) {
  f <- match.fun(paste0("bbc_", case$function_name))
  of_function <- switch(case$function_name,
    calibration = list(n_bins = 4), decision_curve = list(thresholds = c(0.1, 0.25, 0.5, 0.8)),
    roc_curve = list(specificity = c(0.9, 0.57), sensitivity = 0.8,
                     partial = list(specificity = c(0.8, 1), sensitivity = c(0.5, 0.9))),
    subgroups = list(by = data$three %/% 2)
  )
  fit <- bbc_correct(
    predictions_of(case), truth_of(case), case$metric, method = case$method,
    folds = folds_of(case, "part"), groups = if (nzchar(case$groups)) data[[case$groups]],
    sample_weight = if (nzchar(case$weights)) data[[case$weights]], n_bootstraps = 50,
    confidence_level = 0.8, seed = as.numeric(case$seed)
  )
  do.call(f, c(list(fit), of_function))
}

test_that("what is read of one winner is that of Python", {
  cases <- read_table("clinical.csv")
  names(cases)[[1]] <- "function_name"
  expect_gt(nrow(cases), 50)
  expect_setequal(unique(cases$function_name), c("calibration", "decision_curve", "roc_curve",
                                                 "precision_recall_curve", "subgroups"))
  expect_bits(of_cases(cases, c("function_name", "metric", "method"), function(case) {
    reals <- exact(case$reals)
    list(own = numbers_of(results_of(suppressWarnings(described(case)))),
         recorded = list(exact(case$integers), replace(reals, is.nan(reals), NA)))
  }))
})

# As in doors.py of the table's folder.
through_door <- function(case) {
  predictions <- columns(case, 0)
  arguments <- list(predictions, truth_of(case), case$metric, confidence_level = 0.8,
                    seed = as.numeric(case$seed))
  if (case$function_name == "compare") {
    part <- function(own) {
      if (length(dim(predictions)) == 3) predictions[, own, , drop = FALSE]
      else predictions[, own, drop = FALSE]
    }
    arguments[[1]] <- list(three = part(1:3), one = part(4), other = part(5))
  }
  if (nzchar(case$alternative)) arguments$alternative <- case$alternative
  if (case$function_name != "winner_interval") arguments$n_bootstraps <- 20
  drawn <- case$function_name %in% c("correct", "compare")
  if (drawn && nzchar(case$method)) arguments$method <- case$method
  result <- do.call(if (case$function_name == "compare") "bbc_compare" else "bbc_correct", arguments)
  if (!drawn) {
    own <- if (case$function_name == "possible_winners") list(test = case$method)
    result <- do.call(paste0("bbc_", case$function_name), c(list(result), own))
  }
  ends <- unlist(result$confidence_interval[c("low", "high")], use.names = FALSE)
  switch(case$function_name,
    compare = results_of(result),
    possible_winners = list(
      integers = c(result$winner - 1, result$n_redrawn, result$possible),
      reals = c(result$p_values, result$scores, result$tuning)
    ),
    tuning_path = list(
      integers = result$path$winner - 1,
      reals = c(unlist(result$path[c("estimate", "apparent", "low", "high")], use.names = FALSE),
                t(as.matrix(result$falls[c("estimate", "p_value")])))
    ),
    list(integers = result$winner - 1, reals = c(result$estimate, result$apparent, ends))
  )
}

test_that("every function gives for every metric what Python gives", {
  cases <- read_table("doors.csv")
  names(cases)[[1]] <- "function_name"
  expect_gt(sum(cases$integers != "refused"), 559)
  # Python's own test of this table has all; these are of every function, metric and method.
  cases <- cases[some_of(seq_len(nrow(cases)), 3), ]
  expect_bits(of_cases(cases, c("function_name", "metric", "method", "alternative"), function(case) {
    results <- tryCatch(suppressWarnings(through_door(case)), bbc_error = function(error) NULL)
    list(own = if (is.null(results)) "refused" else numbers_of(results),
         recorded = if (case$integers == "refused") "refused"
                    else list(exact(case$integers), exact(case$reals)))
  }))
})
