# What tune_grid() and workflow_map() return with saved predictions, written from their
# documentation (tune and workflowsets are not in Debian): a table with a line per fold, whose
# predictions are a table, and with the outcome's name as an attribute.
quietly <- suppressWarnings
data <- binary_data(60, 3)
folds <- rep(1:5, 12)
truth <- factor(ifelse(data$truth == 1, "ill", "well"))

tuned <- function(scores, configurations = sprintf("Preprocessor1_Model%d", seq_len(ncol(scores))),
                  outcome = "Class", ...) {
  p <- stats::plogis(scores)
  by_fold <- lapply(split(1:60, folds), function(own) {
    table <- expand.grid(.row = own, .config = configurations, stringsAsFactors = FALSE)
    cells <- cbind(table$.row, match(table$.config, configurations))
    table <- cbind(table, data.frame(.pred_ill = p[cells], .pred_well = 1 - p[cells], ...))
    table[[outcome]] <- truth[cells[, 1]]
    table$.pred_class <- factor(ifelse(table$.pred_ill > 0.5, "ill", "well"), levels(truth))
    structure(table, class = c("tbl_df", "tbl", "data.frame"))
  })
  structure(
    list(splits = unname(by_fold), id = paste0("Fold", seq_along(by_fold)),
         .predictions = unname(by_fold)),
    row.names = seq_along(by_fold), outcomes = outcome,
    class = c("tune_results", "tbl_df", "tbl", "data.frame")
  )
}
set_of <- function(...) {
  results <- list(...)
  structure(
    list(wflow_id = names(results), info = results, option = results, result = unname(results)),
    row.names = seq_along(results), class = c("workflow_set", "tbl_df", "tbl", "data.frame")
  )
}
whole <- bbc_correct(stats::plogis(data$scores), truth, "roc_auc", event_level = "ill", seed = 1,
                     folds = folds)

test_that("tune_results know their outcome", {
  e <- bbc_correct(tuned(data$scores), metric = "roc_auc", seed = 1)
  expect_identical(e$replicates, whole$replicates)
  expect_identical(c(e$event, e$n_folds), c("ill", "5"))
  expect_identical(bbc_correct(tuned(data$scores), "Class", "roc_auc", seed = 1), e)
})

test_that("a workflow set is one search", {
  set <- set_of(glm = tuned(data$scores[, 1, drop = FALSE]),
                tree = tuned(data$scores[, 2:3], depth = 3))
  e <- bbc_correct(set, metric = "roc_auc", seed = 1)
  expect_identical(e$replicates, whole$replicates)
  expect_identical(e$names, c("glm Preprocessor1_Model1", "tree Preprocessor1_Model1",
                              "tree Preprocessor1_Model2"))
  expect_refused(bbc_correct(set_of(glm = tuned(data$scores), tree = list()), metric = "roc_auc"),
                 "workflow tree has no results; run workflow_map")
  without <- tuned(data$scores)
  without$.predictions <- NULL
  expect_refused(bbc_correct(set_of(glm = without), metric = "roc_auc"),
                 "`predictions[$]glm`.*save_pred = TRUE")
  dynamic <- tuned(data$scores)
  dynamic$.iter <- 1
  expect_warning(bbc_correct(set_of(glm = dynamic), metric = "roc_auc", seed = 1), "BBC007")
})

# With the scores that tune keeps, of the first level unless control_grid(event_level = ) says
# otherwise, and the metrics in the order in which they were given.
scored <- function(table, by = list(accuracy = "accuracy", roc_auc = "roc_auc"), event = "ill",
                   row_weights = rep(1, 60)) {
  table$.metrics <- lapply(table$.predictions, function(own) {
    cells <- expand.grid(.metric = names(by), .config = unique(own$.config), stringsAsFactors = FALSE)
    cells$.estimator <- "binary"
    cells$.estimate <- mapply(function(metric, config) {
      part <- own[own$.config == config, ]
      weight <- row_weights[part$.row]
      hit <- part$Class == event
      score <- if (event == "ill") part$.pred_ill else part$.pred_well
      switch(by[[metric]],
        accuracy = sum(weight * (part$.pred_class == part$Class)) / sum(weight),
        sens = mean((part$.pred_class == event)[hit]),
        roc_auc = mean(outer(score[hit], score[!hit], ">") + outer(score[hit], score[!hit], "==") / 2)
      )
    }, cells$.metric, cells$.config)
    cells
  })
  attr(table, "metrics") <- structure(function() NULL, metrics = lapply(by, function(name) {
    structure(function() NULL, direction = "maximize")
  }))
  table
}

test_that("the scores that tune kept come out, or the predictions are refused", {
  table <- scored(tuned(data$scores))
  e <- suppressWarnings(bbc_correct(table, metric = "roc_auc", seed = 1))
  expect_identical(e$replicates, whole$replicates)
  expect_refused(bbc_correct(table, rev(truth), "accuracy"),
                 "tune says that accuracy of Preprocessor1_Model1 in Fold1 is .*another order")
  other <- scored(tuned(data$scores), list(sens = "sens"), event = "well")
  # The event is the level whose scores come out, unless the user says which is meant.
  second <- bbc_correct(other, metric = "sens", seed = 1)
  expect_identical(second$event, "well")
  expect_identical(bbc_correct(other, metric = "sens", event_level = "second", seed = 1)$replicates,
                   second$replicates)
  expect_identical(second$checked_scores[["sens"]], "agrees for 15")
  # Of the other class it is not what tune chose by.
  turned <- quietly(bbc_correct(other, metric = "sens", event_level = "ill", seed = 1))
  by_hand <- quietly(bbc_correct(array(c("well", "ill")[1 + (data$scores > 0)], c(60, 3)), truth,
                                 "sens", event_level = "ill", seed = 1))
  expect_identical(turned$replicates, by_hand$replicates)
  first <- suppressWarnings(bbc_correct(other, metric = "roc_auc", event_level = "ill", seed = 1))
  expect_identical(first$replicates, whole$replicates)
  unknown <- scored(tuned(data$scores), list(gain_capture = "accuracy", accuracy = "accuracy"))
  e <- quietly(bbc_correct(unknown, metric = "accuracy", seed = 1))
  expect_identical(e$checked_scores, c(gain_capture = "not read", accuracy = "agrees for 15"))
})

test_that("an event that no score tells has to be named where the metric depends on it", {
  # AUC and accuracy are the same for both.
  untold <- scored(tuned(data$scores))
  bare <- tuned(data$scores)
  collected <- do.call(rbind, lapply(1:5, function(k) {
    cbind(as.data.frame(unclass(bare$.predictions[[k]])), id = bare$id[[k]])
  }))
  for (source in list(untold, bare, collected)) {
    for (metric in c("sens", "ppv", "f_meas", "average_precision", "pr_auc")) {
      expect_refused(bbc_correct(source, "Class", metric),
                     "`event_level` is needed: metric .* depends on the event, and no score of .* tells")
    }
    e <- quietly(bbc_correct(source, "Class", "sens", event_level = "ill", seed = 1))
    expect_identical(e$event, "ill")
    for (metric in c("roc_auc", "brier_class", "accuracy", "mcc", "bal_accuracy", "j_index")) {
      expect_s3_class(quietly(bbc_correct(source, "Class", metric, seed = 1)), "bbc_estimate")
    }
    # So do what is asked of it beside: scores, curves and a cut-off are of one class.
    e <- quietly(bbc_correct(source, "Class", "roc_auc", seed = 1))
    of_ill <- quietly(bbc_correct(source, "Class", "roc_auc", event_level = "ill", seed = 1))
    untold <- "`event_level` is needed: %s depends on the event"
    for (curve in list(bbc_calibration, bbc_decision_curve, bbc_roc_curve, bbc_precision_recall_curve)) {
      expect_refused(curve(e), sprintf(untold, "a curve"))
      expect_s3_class(quietly(curve(of_ill)), "bbc_curve")
    }
    expect_refused(bbc_score(e, "sens"), sprintf(untold, "metric \"sensitivity\""))
    expect_refused(quietly(bbc_correct(source, "Class", "roc_auc", secondary = "sens", seed = 1)),
                   sprintf(untold, "metric \"sensitivity\""))
    expect_refused(bbc_correct(source, "Class", "accuracy", selection = bbc_best_threshold(), seed = 1),
                   sprintf(untold, "a cut-off"))
  }
  # A function of the user's that cannot be tried on a few rows may depend on it.
  picky <- bbc_custom_metric(function(truth, prediction) {
    if (length(truth) < 10) stop("too few") else mean(prediction)
  }, "picky", predicts = "probability")
  expect_refused(bbc_correct(bare, "Class", picky, seed = 1), sprintf(untold, "metric \"picky\""))
})

test_that("tune's choice is corrected by default, by the means of its first metric", {
  table <- scored(tuned(data$scores), list(roc_auc = "roc_auc"))
  e <- quietly(bbc_correct(table, seed = 1))
  expect_identical(e$metric, "roc_auc")
  expect_true(e$deployed$is_corrected)
  by_fold <- quietly(bbc_correct(table, metric = "roc_auc", pooling = "fold", seed = 1))
  expect_identical(e$replicate_winners, by_fold$replicate_winners)
  scored_alone <- bbc_correct(stats::plogis(data$scores[, e$winner, drop = FALSE]), truth, "roc_auc",
                              event_level = "ill", seed = 1)
  expect_equal(e$apparent, scored_alone$apparent)
})

test_that("means over resamples and bootstrap resamples are refused by what they hold", {
  bare <- tuned(data$scores)
  lines <- do.call(rbind, lapply(1:5, function(k) as.data.frame(unclass(bare$.predictions[[k]]))))
  set.seed(3)
  drawn <- do.call(rbind, lapply(1:8, function(b) {
    out <- setdiff(1:60, sample(60, replace = TRUE))
    cbind(lines[lines$.row %in% out, ], id = sprintf("Bootstrap%d", b))
  }))
  correct <- function(...) quietly(bbc_correct(..., metric = "roc_auc", event_level = "ill", seed = 1))
  called <- list(drawn, transform(drawn, id2 = id, id = "Repeat1"))
  for (table in called) expect_refused(correct(table, "Class"), "row [0-9]+ was predicted more than once")
  # As many repeats as there are resamples hold no row alike.
  expect_refused(correct(transform(drawn, id2 = "Fold1"), "Class"), "NA at repeat 1, row")
  means <- stats::aggregate(cbind(.pred_ill, .pred_well) ~ .row + .config + Class, drawn, mean)
  expect_refused(correct(means, "Class"), "the table has no column id.*summarize = FALSE")
  one <- means[means$.config == means$.config[[1]], ]
  rows <- one$Class
  one[c(".config", "Class")] <- NULL
  expect_refused(correct(one, rows), "column .pred_ill is of one model, and .row of the data")
  # augment() of a tuning adds means over resamples to the data.
  for (own in c(".resid", "age")) {
    augmented <- stats::setNames(data.frame(rows == "ill", 1 / (1:60)[seq_along(rows)]), c(".pred", own))
    augmented$.pred <- augmented$.pred + 1 / (1:60)[seq_along(rows)]
    refused <- sprintf("column .pred is of one model, and %s of the data, as in what augment", own)
    expect_refused(bbc_correct(augmented, as.double(rows == "ill"), "rmse"), refused)
    expect_s3_class(quietly(bbc_correct(augmented, as.double(rows == "ill"), "rmse", seed = 1,
                                        names = c("a", "b"))), "bbc_estimate")
  }
})

test_that("scores in the place of predictions are refused with the object to give", {
  best <- data.frame(.metric = "roc_auc", .estimator = "binary", mean = 0.8, n = 5L, std_err = 0.01,
                     .config = c("Model1", "Model2"))
  by_fold <- data.frame(id = "Fold1", .metric = "roc_auc", .estimator = "binary", .estimate = 0.8,
                        .config = c("Model1", "Model2"))
  for (table in list(best, by_fold)) {
    # Scores of folds can be corrected, too; but not those of one fold.
    for (call in list(if (identical(table, best)) bbc_correct, bbc_tt)) {
      if (is.null(call)) next
      expect_refused(call(table, metric = "roc_auc"), "holds scores, as of collect_metrics.*save_pred")
    }
  }
  expect_refused(bbc_correct(by_fold, metric = "roc_auc"), "`folds`: BBC-F draws folds and needs at least two")
  expect_refused(bbc_correct(best), "holds scores, as of collect_metrics")
})

test_that("what tune lost is said", {
  table <- scored(tuned(data$scores), list(accuracy = "accuracy"))
  table$.predictions[[2]] <- table$.predictions[[2]][table$.predictions[[2]]$.config !=
                                                       "Preprocessor1_Model3", ]
  table$.metrics[[2]] <- table$.metrics[[2]][table$.metrics[[2]]$.config != "Preprocessor1_Model3", ]
  none <- data.frame(location = character(), type = character(), note = character())
  table$.notes <- rep(list(none), 5)
  table$.notes[[2]] <- data.frame(location = "Preprocessor1_Model3", type = "error", note = "singular")
  e <- quietly(bbc_correct(table, metric = "accuracy", seed = 1))
  expect_identical(e$findings$detail[e$findings$code == "BBC026"],
                   "1 fit failed, the first: configuration 'Preprocessor1_Model3', Fold2, singular")
  expect_identical(e$left_out_configurations, 3L)
  expect_refused(bbc_correct(table, metric = "accuracy", missing = "raise"), "is NA at repeat 1")
  kappa <- quietly(bbc_score(e, "kap"))
  expect_identical(kappa$replicate_winners, e$replicate_winners)
  expect_identical(kappa$left_out_configurations, 3L)
  scores <- scored(tuned(data$scores), list(accuracy = "accuracy"))
  scores$.metrics[[4]]$.estimate[[2]] <- NA
  e <- quietly(bbc_correct(scores, metric = "accuracy", seed = 1))
  expect_identical(e$findings$detail[e$findings$code == "BBC026"], paste(
    "1 score of 1 configuration missing, the first: configuration 'Preprocessor1_Model2', Fold4"
  ))
})

test_that("another choice than select_best() is noted", {
  table <- scored(tuned(data$scores))
  means <- vapply(1:3, function(j) {
    mean(vapply(table$.metrics, function(own) own$.estimate[own$.metric == "accuracy"][[j]], 0))
  }, 0)
  best <- which.max(means)
  ranked <- suppressWarnings(bbc_correct(table, metric = "roc_auc", seed = 1))
  told <- sprintf("the tuning, by select_best[(][)], deploys Preprocessor1_Model%d", best)
  if (ranked$winner == best) expect_true(ranked$deployed$is_corrected)
  else expect_match(ranked$findings$detail, told, all = FALSE)
  worst <- suppressWarnings(bbc_correct(table, metric = "accuracy", seed = 1,
                                        selection = function(scores, counts) which.min(means)))
  expect_match(worst$findings$detail, told, all = FALSE)
  set <- set_of(glm = scored(tuned(data$scores[, 1, drop = FALSE])),
                tree = scored(tuned(data$scores[, 2:3])))
  claim <- tuned_claim(set)
  expect_identical(tool_choice(claim, c("glm Preprocessor1_Model1", "tree Preprocessor1_Model1",
                                        "tree Preprocessor1_Model2")), best)
  expect_match(claim$deploys, "rank_results")
})

test_that("groups of the folds and weights of cases are taken, or their loss is said", {
  groups <- rep(1:12, 5)
  table <- tuned(data$scores)
  table$splits <- lapply(1:5, function(i) list(data = data.frame(site = groups)))
  attr(table, "rset_info") <- list(att = list(class = "group_vfold_cv", group = c(g = "site")))
  by_hand <- function(...) {
    suppressWarnings(bbc_correct(stats::plogis(data$scores), truth, "roc_auc", event_level = "ill",
                                 seed = 1, folds = folds, ...))$replicates
  }
  expect_identical(suppressWarnings(bbc_correct(table, metric = "roc_auc", seed = 1))$replicates,
                   by_hand(groups = groups))
  expect_refused(bbc_correct(table, metric = "roc_auc", groups = 1:60), "`groups`: the object has")
  expect_identical(bbc_correct(table, metric = "accuracy", method = "bbc-f", seed = 1)$unit, "fold")

  weights <- rep(1:3, 20)
  weighted <- function(kind) {
    table <- tuned(data$scores)
    table$.predictions <- lapply(table$.predictions, function(own) {
      own$.case_weights <- structure(weights[own$.row], class = c(
        paste0("hardhat_", kind, "_weights"), "hardhat_case_weights", "vctrs_vctr"
      ))
      own
    })
    table
  }
  frequent <- scored(weighted("frequency"), list(accuracy = "accuracy"), row_weights = weights)
  expect_identical(suppressWarnings(bbc_correct(frequent, metric = "roc_auc", seed = 1))$replicates,
                   by_hand(sample_weight = weights))
  expect_warning(e <- bbc_correct(weighted("importance"), metric = "roc_auc", seed = 1),
                 "importance weights, which tidymodels' scores leave out")
  expect_identical(e$replicates, whole$replicates)
})

test_that("groups of rsample's folds are drawn together", {
  skip_if_not_installed("rsample")
  site <- rep(1:12, 5)
  set.seed(1)
  grouped <- rsample::group_vfold_cv(data.frame(site, truth), group = "site", v = 4)
  scores <- data$scores
  e <- bbc_correct(scores, truth, "roc_auc", event_level = "ill", folds = grouped, seed = 1)
  expect_identical(e$unit, "group")
  by_hand <- bbc_correct(scores, truth, "roc_auc", event_level = "ill", folds = grouped,
                         groups = site, seed = 1)
  expect_identical(e, by_hand)
  expect_refused(bbc_correct(scores, truth, "roc_auc", event_level = "ill", folds = grouped,
                             groups = 1:60), "`groups`: the object has others")
})

test_that("a list of tune_results is one search", {
  parts <- list(glm = tuned(data$scores[, 1, drop = FALSE]), tree = tuned(data$scores[, 2:3]))
  expect_identical(bbc_correct(parts, metric = "roc_auc", seed = 1)$replicates, whole$replicates)
})
