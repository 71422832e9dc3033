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
  unknown <- scored(tuned(data$scores), list(mine = "accuracy", accuracy = "accuracy"))
  e <- quietly(bbc_correct(unknown, metric = "accuracy", seed = 1))
  expect_identical(e$checked_scores, c(mine = "not read", accuracy = "agrees for 15"))
  expect_output(print(e), "not checked: mine")
})

# What tune returned, with scores that `score(lines)` gives for each fold and configuration: a data frame
# with .metric, .estimator and .estimate.
recorded <- function(table, score, metrics = list()) {
  table$.metrics <- lapply(table$.predictions, function(own) {
    do.call(rbind, lapply(split(own, own$.config), function(lines) {
      cbind(score(lines), .config = lines$.config[[1]])
    }))
  })
  attr(table, "metrics") <- structure(function() NULL, metrics = metrics)
  table
}

# yardstick's averages over classes from its documentation: each class against the others.
one_vs_rest <- function(lines, levels) {
  t(vapply(levels, function(level) {
    event <- lines$Class == level
    called <- lines$.pred_class == level
    score <- lines[[paste0(".pred_", level)]]
    sens <- sum(event & called) / sum(event)
    ppv <- sum(event & called) / sum(called)
    spec <- sum(!event & !called) / sum(!event)
    cuts <- sort(unique(score), decreasing = TRUE)
    recall <- vapply(cuts, function(cut) mean(score[event] >= cut), 0)
    precision <- vapply(cuts, function(cut) mean(event[score >= cut]), 0)
    c(precision = ppv, recall = sens, sens = sens, spec = spec, npv = sum(!event & !called) / sum(!called),
      f_meas = 2 * ppv * sens / (ppv + sens), j_index = sens + spec - 1, bal_accuracy = (sens + spec) / 2,
      detection_prevalence = mean(called),
      roc_auc = mean(outer(score[event], score[!event], ">") + outer(score[event], score[!event], "==") / 2),
      pr_auc = sum(diff(c(0, recall)) * (c(1, precision[-length(precision)]) + precision) / 2),
      average_precision = sum(diff(c(0, recall)) * precision), share = mean(event))
  }, numeric(13)))
}

three_classes <- local({
  set.seed(6)
  levels <- c("a", "b", "c")
  class <- factor(sample(rep(rep(levels, c(3, 2, 1)), 20)), levels)
  by_fold <- lapply(split(seq_along(class), rep(1:4, 30)), function(rows) {
    do.call(rbind, lapply(1:2, function(k) {
      share <- matrix(stats::rexp(3 * length(rows)), ncol = 3) + k * diag(3)[as.integer(class[rows]), ]
      share <- share / rowSums(share)
      table <- data.frame(.row = rows, .config = paste0("Model", k), Class = class[rows],
                          .pred_class = factor(levels[max.col(share)], levels))
      table[paste0(".pred_", levels)] <- as.data.frame(share)
      table
    }))
  })
  structure(list(splits = unname(by_fold), id = paste0("Fold", 1:4), .predictions = unname(by_fold)),
            row.names = 1:4, outcomes = "Class", class = c("tune_results", "tbl_df", "tbl", "data.frame"))
})

test_that("averages over classes that tune recorded are checked", {
  score <- function(lines) {
    by_class <- one_vs_rest(lines, levels(lines$Class))
    names <- setdiff(colnames(by_class), "share")
    of <- function(names, estimator, weights) {
      data.frame(.metric = names, .estimator = estimator, .estimate = colSums(by_class[, names] * weights))
    }
    shares <- as.matrix(lines[paste0(".pred_", levels(lines$Class))])
    truth <- diag(3)[as.integer(lines$Class), ]
    rbind(of(names, "macro", 1 / 3),
          data.frame(.metric = "brier_class", .estimator = "multiclass",
                     .estimate = mean(rowSums((truth - shares)^2)) / 2))
  }
  table <- recorded(three_classes, score)
  checked <- quietly(bbc_correct(table, metric = "accuracy", seed = 1))$checked_scores
  expect_length(checked, 13)
  expect_match(checked, "^agrees for 8$")
  for (called in names(checked)) {
    planted <- table
    place <- which(planted$.metrics[[2]]$.metric == called)[[1]]
    planted$.metrics[[2]]$.estimate[[place]] <- planted$.metrics[[2]]$.estimate[[place]] + 0.01
    expect_refused(quietly(bbc_correct(planted, metric = "accuracy")),
                   sprintf("tune says that %s of Model1 in Fold2", called))
  }
  weighted <- recorded(three_classes, function(lines) {
    by_class <- one_vs_rest(lines, levels(lines$Class))
    names <- setdiff(colnames(by_class), c("share", "pr_auc", "average_precision"))
    data.frame(.metric = names, .estimator = "macro_weighted",
               .estimate = colSums(by_class[, names] * by_class[, "share"]))
  })
  expect_match(quietly(bbc_correct(weighted, metric = "accuracy", seed = 1))$checked_scores, "^agrees for 8$")
})

test_that("tune's default of several classes is corrected: Hand and Till's AUC", {
  skip_if_not_installed("pROC")
  table <- recorded(three_classes, function(lines) {
    shares <- as.matrix(lines[paste0(".pred_", levels(lines$Class))])
    colnames(shares) <- levels(lines$Class)
    data.frame(.metric = "roc_auc", .estimator = "hand_till",
               .estimate = as.numeric(pROC::multiclass.roc(lines$Class, shares, quiet = TRUE)$auc))
  }, list(roc_auc = structure(function() NULL, direction = "maximize")))
  e <- quietly(bbc_correct(table, seed = 1))
  expect_identical(c(e$metric, e$checked_scores), c("roc_auc_ovo", roc_auc = "agrees for 8"))
  expect_true(e$deployed$is_corrected)
})

test_that("scores of two classes and of numbers that cannot select are checked", {
  table <- recorded(tuned(data$scores), function(lines) {
    event <- lines$Class == "ill"
    score <- lines$.pred_ill
    auc <- mean(outer(score[event], score[!event], ">") + outer(score[event], score[!event], "==") / 2)
    called <- lines$.pred_class == "ill"
    data.frame(.metric = c("gain_capture", "miss_rate", "fall_out"), .estimator = "binary",
               .estimate = c(2 * auc - 1, mean(!called[event]), mean(called[!event])))
  })
  e <- quietly(bbc_correct(table, metric = "accuracy", event_level = "ill", seed = 1))
  expect_match(e$checked_scores, "^agrees for 15$")
  set.seed(7)
  numbers <- three_classes
  numbers$.predictions <- lapply(numbers$.predictions, function(own) {
    own <- own[c(".row", ".config")]
    own$y <- 10 + own$.row
    own$.pred <- own$y + stats::rnorm(nrow(own))
    own
  })
  attr(numbers, "outcomes") <- "y"
  table <- recorded(numbers, function(lines) {
    error <- lines$y - lines$.pred
    sizes <- c(mean(-error[error < 0]), mean(error[error >= 0]))
    data.frame(.metric = c("mpe", "msd", "iic"), .estimator = "standard", .estimate = c(
      100 * mean(error / lines$y), mean(error), stats::cor(lines$y, lines$.pred) * min(sizes) / max(sizes)
    ))
  })
  expect_match(quietly(bbc_correct(table, metric = "rmse", seed = 1))$checked_scores, "^agrees for 8$")
})

test_that("metrics that the object brings compute their own scores", {
  # Of the second level, which no other score tells.
  cost <- structure(function(data, truth, estimate, event_level = "first") {
    event <- levels(data[[truth]])[[if (event_level == "first") 1 else 2]]
    data.frame(.metric = "cost", .estimate = mean((data[[truth]] == event) * 3 * (data[[estimate]] != event)))
  }, class = c("class_metric", "metric", "function"), direction = "minimize")
  sure <- structure(function(data, truth, ..., event_level = "first") {
    data.frame(.metric = "sure", .estimate = mean(data[[c(...)]]^2))
  }, class = c("prob_metric", "metric", "function"), direction = "maximize")
  table <- recorded(tuned(data$scores), function(lines) {
    data.frame(.metric = c("cost", "sure"), .estimator = "binary", .estimate = c(
      mean((lines$Class == "well") * 3 * (lines$.pred_class != "well")), mean(lines$.pred_well^2)
    ))
  }, list(cost = cost, sure = sure))
  correct <- function(table) quietly(bbc_correct(table, metric = "accuracy", event_level = "ill", seed = 1))
  expect_identical(correct(table)$checked_scores, c(cost = "agrees for 15", sure = "agrees for 15"))
  table$.metrics[[1]]$.estimate[[1]] <- 4
  expect_refused(correct(table), "tune says that cost of Preprocessor1_Model1 in Fold1 is 4")
  attr(table, "metrics") <- structure(function() NULL, metrics = list(cost = structure(
    function(...) loadNamespace(paste("lost")), class = class(cost)), sure = sure))
  expect_match(correct(table)$checked_scores[["cost"]], "^not computed: there is no package called .lost")
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
  expect_refused(correct(transform(lines, id = "Apparent"), "Class"), "the resample Apparent holds predictions of")
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
