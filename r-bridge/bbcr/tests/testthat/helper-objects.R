# The objects of the tools that hold what a random program (helper-programs.R) predicted and said: of
# caret, tune, mlr3, SuperLearner and xgboost with the fields that are read, of glmnet its own.

# ---- caret ---------------------------------------------------------------------------------------

caret_names <- c(accuracy = "Accuracy", kappa = "Kappa", roc_auc = "ROC", sensitivity = "Sens",
                 specificity = "Spec", log_loss = "logLoss", root_mean_squared_error = "RMSE",
                 mean_absolute_error = "MAE", squared_pearson = "Rsquared")

# A function that caret would be taken for, whether it is installed or not.
summary_of_caret <- local({
  place <- new.env()
  attr(place, "name") <- "caret"
  eval(quote(function(data, lev, model) NULL), place)
})

# Values of hyper-parameters: numbers that six digits do not tell apart, words, flags.
drawn_parameters <- function(n) {
  values <- switch(one_of(c("whole", "small", "close", "words")),
                   whole = data.frame(k = sample(c(1, 5, 10, 100, 1e5, 12345678), n)),
                   small = data.frame(cp = 10^-sample(1:12, n)),
                   close = data.frame(C = 0.1 + sample(n) * 1e-8),
                   words = data.frame(kernel = factor(sample(c("a b", "c", "1", "rank", "x=1, y"), n))))
  if (sometimes(0.3)) values$winnow <- sample(c(TRUE, FALSE), n, TRUE)
  values
}

drawn_train <- function(rfe = FALSE) {
  p <- drawn_program(odd = sometimes(0.3))
  is_odd <- any(make.names(p$classes) != p$classes)
  p$metrics <- with_names_of(p, names(caret_names))
  p$rises <- metrics_known[[p$metrics[[1]]]]$rises
  p$pooled <- !rfe && length(p$fold) == 1 && sometimes(0.15)
  p$rule <- if (rfe || p$pooled) "best" else one_of(c("best", "best", "oneSE", "tolerance"))
  p$by_fold <- !p$pooled && sometimes(0.7)
  if (p$pooled) p$fold <- list(sprintf("Fold%02d", seq_along(p$y)))
  if (sometimes(0.15)) p <- if (p$pooled) p else with_lost_fits(p)
  if (sometimes(0.1)) p <- with_lost_rows(p)
  p$scores_the_rest <- TRUE
  # caret wants names of R for the columns of shares.
  if (is_odd) p$metrics <- with_names_of(p, c("accuracy", "kappa"))
  p$rises <- metrics_known[[p$metrics[[1]]]]$rises
  p$no_shares <- p$kind != "numbers" && (is_odd || !any(p$metrics %in% reads_shares) && sometimes(0.3))
  p <- settled_program(p)
  p$parameters <- if (rfe) data.frame(Variables = sample(30, length(p$names))) else
    drawn_parameters(length(p$names))
  p$order <- sample(seq_along(p$names))  # of the lines of `results`
  p$named <- FALSE
  p$object <- as_train(p, rfe)
  if (is.null(p$plant) && p$by_fold && sometimes(0.05)) p <- without_a_fold(p)
  p$asked <- asked_of(p, if (p$no_shares) reads_shares)
  if (p$kind == "two" && sometimes(0.5)) p <- with_event(p)
  p
}

# A fold that was scored, of which predictions were not kept.
without_a_fold <- function(p) {
  kept <- p$object$pred$Resample != p$object$pred$Resample[[1]]
  p$object$pred <- p$object$pred[kept, ]
  p[c("plant", "is_wrong")] <- list("gone", TRUE)
  p
}

# The metrics that the tool knows, the first of which it chooses by.
with_names_of <- function(p, known) {
  there <- intersect(p$metrics, known)
  if (length(there)) there else intersect(metrics_of(p$kind), known)[[1]]
}

# What is common to all programs once its predictions are there: what it said, its choice, a plant.
# Of tools that keep no choice it follows from what they said.
settled_program <- function(p, read = p$metrics, keeps_choice = TRUE, plants = all_plants) {
  p$claims <- claims_of(p)
  p$chosen <- tools_choice(p, p$claims)
  p$has_claims <- TRUE
  p$nonsense <- length(p$chosen) == 0
  p$arguments <- list()
  p$with_event <- list()
  p$is_read <- p$metrics[[1]] %in% read
  if (sometimes(0.35)) p <- with_plant(p, one_of(plants))
  p$is_wrong <- !is.null(p$plant) && is_wrong(p, read)
  if (!keeps_choice) p$chosen <- tools_choice(p, p$claims)
  if (isTRUE(p$plant %in% c("chosen", "turned", "sign"))) p$rule <- "planted"
  if (p$is_wrong && sometimes(0.3)) p$note <- TRUE
  p
}

# The metrics that can be asked for.
asked_of <- function(p, but = NULL) {
  own <- setdiff(metrics_of(p$kind), but)
  if (length(own)) own else "accuracy"
}

# Asked for the other class.
with_event <- function(p) {
  p$asked_event <- one_of(p$classes)
  p$with_event <- list(event_level = p$asked_event)
  p
}

as_train <- function(p, rfe) {
  resample <- function(i, fold) if (length(p$fold) > 1) paste0(fold, ".Rep", i) else fold
  parts <- lapply(seq_along(p$fold), function(i) {
    grid <- expand.grid(row = seq_along(p$y), j = seq_along(p$names))
    cells <- as.matrix(grid)
    gone <- p$lost[[i]][cells]
    table <- if (p$kind == "numbers") {
      data.frame(pred = ifelse(gone, NA, p$number[[i]][cells]), obs = p$y[grid$row])
    } else {
      data.frame(pred = factor(ifelse(gone, NA, p$label[[i]][cells]), p$classes),
                 obs = factor(p$y[grid$row], p$classes))
    }
    if (p$kind != "numbers" && !p$no_shares) {
      for (k in seq_along(p$classes)) {
        table[[p$classes[[k]]]] <- ifelse(gone, NA, p$share[[i]][cbind(cells, rep(k, nrow(cells)))])
      }
    }
    table$rowIndex <- grid$row
    table[names(p$parameters)] <- p$parameters[grid$j, , drop = FALSE]
    if (!p$pooled) table$Resample <- resample(i, p$fold[[i]][grid$row])
    table
  })
  pred <- do.call(rbind, parts)
  # As caret does where a fit of numbers failed.
  if (p$kind == "numbers" && anyNA(pred$pred)) pred$pred <- as.character(pred$pred)
  if (sometimes(0.7)) pred <- pred[sample(nrow(pred)), ]
  results <- p$parameters[p$order, , drop = FALSE]
  for (metric in p$metrics) {
    results[[caret_names[[metric]]]] <- means_of(p, p$claims, metric)[p$order]
  }
  scores <- NULL
  if (p$by_fold) {
    own <- p$claims[p$claims$metric == p$metrics[[1]], ]
    scores <- p$parameters[own$configuration, , drop = FALSE]
    for (metric in p$metrics) {
      scores[[caret_names[[metric]]]] <- p$claims$value[p$claims$metric == metric]
    }
    scores$Resample <- resample(own$rep, own$fold)
    scores <- scores[sample(nrow(scores)), ]
  }
  control <- list(method = if (p$pooled) "LOOCV" else if (length(p$fold) > 1) "repeatedcv" else "cv",
                  savePredictions = "all", summaryFunction = summary_of_caret,
                  returnResamp = if (p$by_fold) "all" else "final",
                  selectionFunction = if (p$rule %in% c("oneSE", "tolerance")) p$rule else "best")
  held_out <- unlist(lapply(seq_along(p$fold), function(i) {
    split(seq_along(p$y), resample(i, p$fold[[i]]))
  }), recursive = FALSE)
  control$index <- lapply(held_out, setdiff, x = seq_along(p$y))
  control$indexOut <- unname(held_out)
  order <- match(p$simplest, p$order)
  object <- list(
    pred = pred, results = results, resample = scores, metric = caret_names[[p$metrics[[1]]]],
    maximize = p$rises, bestTune = p$parameters[p$chosen, , drop = FALSE], control = control,
    modelInfo = list(sort = function(x) x[order[order %in% seq_len(nrow(x))], ])
  )
  if (rfe) as_rfe(object) else structure(object, class = c("train", "train.formula"))
}

# Two caret models of the same folds in a list, each with some of the configurations.
drawn_list <- function() {
  p <- drawn_train()
  if (length(p$names) < 2 || isTRUE(p$nonsense) || identical(p$plant, "gone")) return(NULL)
  first <- sort(sample(seq_along(p$names), sample.int(length(p$names) - 1, 1)))
  parts <- lapply(list(first, setdiff(seq_along(p$names), first)), part_of_search, p = p)
  p$object <- list(one = as_train(parts[[1]], FALSE), other = as_train(parts[[2]], FALSE))
  p$order <- unlist(lapply(parts, function(part) part$places[part$order]))
  p["chosen"] <- list(NULL)
  p$arguments <- list(metric = one_of(p$asked))
  p
}

part_of_search <- function(places, p) {
  for (name in intersect(c("label", "number", "share", "lost"), names(p))) {
    p[[name]] <- lapply(p[[name]], in_order, places)
  }
  p$claims <- p$claims[p$claims$configuration %in% places, ]
  p$claims$configuration <- match(p$claims$configuration, places)
  p$parameters <- p$parameters[places, , drop = FALSE]
  p$names <- p$names[places]
  p$order <- sample(seq_along(places))
  p$simplest <- seq_along(places)
  p$chosen <- sample.int(length(places), 1)
  p$places <- places
  p
}

# The same as rfe() keeps it.
as_rfe <- function(object) {
  control <- object$control
  control$functions <- list(summary = control$summaryFunction, selectSize = caret::pickSizeBest)
  structure(c(object[c("pred", "results", "resample", "metric", "maximize")],
              list(control = control, optsize = object$bestTune$Variables)), class = "rfe")
}

# ---- tune ----------------------------------------------------------------------------------------

yardstick_called <- c(
  accuracy = "accuracy", kappa = "kap", roc_auc = "roc_auc", sensitivity = "sens", specificity = "spec",
  balanced_accuracy = "bal_accuracy", mcc = "mcc", precision = "ppv", f1 = "f_meas", brier_score = "brier_class", log_loss = "mn_log_loss",
  root_mean_squared_error = "rmse", mean_squared_error = "mse", mean_absolute_error = "mae",
  squared_pearson = "rsq"
)

drawn_tune <- function(set = FALSE) {
  p <- drawn_program(repeats = c(1, 1, 2), at_least = if (set) 2 else 1)
  p$metrics <- with_names_of(p, names(yardstick_called))
  p$rises <- metrics_known[[p$metrics[[1]]]]$rises
  if (p$kind == "two") p$event <- one_of(p$classes)  # control_grid(event_level = )
  if (sometimes(0.15)) p <- with_lost_fits(p)
  if (sometimes(0.15)) p$weight <- sample(1:3, length(p$y), TRUE)
  p$no_shares <- p$kind != "numbers" && !any(p$metrics %in% reads_shares) && sometimes(0.3)
  weighted <- length(unique(p$weight)) > 1
  # yardstick weighs rows of the Brier score in a way of its own.
  p <- settled_program(p, setdiff(p$metrics, if (weighted) "brier_score"), FALSE)
  p$workflow <- if (set) sort(c(1:2, sample(1:2, length(p$names) - 2, TRUE))) else rep(1, length(p$names))
  place <- stats::ave(p$workflow, p$workflow, FUN = seq_along)
  p$config <- sprintf(one_of(c("Preprocessor1_Model%d", "pre0_mod%d_post0")), as.integer(place))
  p$names <- if (set) paste(c("glm", "a tree")[p$workflow], p$config) else p$config
  p$named <- TRUE
  p$outcome <- one_of(c("Class", "y", "the outcome"))
  p$object <- if (set) as_set(p) else as_tune(p, seq_along(p$names))
  p$asked <- asked_of(p, if (p$no_shares) reads_shares)
  # Only a score that depends on the event tells it.
  if (p$kind == "two" && (sometimes(0.5) || !any(c("sensitivity", "specificity", "precision") %in% p$metrics))) {
    p <- with_event(p)
  }
  p
}

as_tune <- function(p, among) {
  splits <- unique(do.call(rbind, lapply(seq_along(p$fold), function(i) {
    data.frame(rep = i, fold = sort(unique(p$fold[[i]])))
  })))
  configurations <- p$config[among]
  predictions <- Map(function(i, fold) tune_predictions(p, among, i, fold), splits$rep, splits$fold)
  metrics <- Map(function(i, fold) {
    own <- p$claims[p$claims$rep == i & p$claims$fold == fold & p$claims$configuration %in% among, ]
    own <- own[sample(nrow(own)), ]
    failed <- vapply(own$configuration, function(j) any(p$lost[[i]][p$fold[[i]] == fold, j]), NA)
    own <- own[!failed, ]
    data.frame(.metric = unname(yardstick_called[own$metric]),
               .estimator = rep(c(two = "binary", three = "multiclass", numbers = "standard")[[p$kind]],
                                nrow(own)),
               .estimate = own$value, .config = p$config[own$configuration])
  }, splits$rep, splits$fold)
  notes <- Map(function(i, fold) {
    failed <- among[vapply(among, function(j) any(p$lost[[i]][p$fold[[i]] == fold, j]), NA)]
    data.frame(location = p$config[failed], type = rep("error", length(failed)),
               note = rep("singular", length(failed)))
  }, splits$rep, splits$fold)
  ids <- if (length(p$fold) == 1) list(id = splits$fold)
         else list(id = paste0("Repeat", splits$rep), id2 = splits$fold)
  directed <- stats::setNames(lapply(p$metrics, function(metric) {
    rises <- if (metric == p$metrics[[1]]) p$rises else metrics_known[[metric]]$rises
    structure(function() NULL, direction = if (rises) "maximize" else "minimize")
  }), yardstick_called[p$metrics])
  structure(
    c(list(splits = predictions), ids, list(.metrics = metrics, .notes = notes, .predictions = predictions)),
    row.names = seq_along(predictions), outcomes = p$outcome,
    metrics = structure(function() NULL, metrics = directed),
    class = c("tune_results", "tbl_df", "tbl", "data.frame")
  )
}

tune_predictions <- function(p, among, i, fold) {
  grid <- expand.grid(row = which(p$fold[[i]] == fold), j = among)
  grid <- grid[!p$lost[[i]][as.matrix(grid)], ]
  if (sometimes(0.5)) grid <- grid[sample(nrow(grid)), ]
  cells <- as.matrix(grid)
  table <- data.frame(.row = grid$row, .config = p$config[grid$j], penalty = grid$j / 10)
  if (p$kind == "numbers") {
    table$.pred <- p$number[[i]][cells]
  } else {
    if (!p$no_shares) {
      for (k in seq_along(p$classes)) {
        table[[paste0(".pred_", p$classes[[k]])]] <- p$share[[i]][cbind(cells, rep(k, nrow(cells)))]
      }
    }
    table$.pred_class <- factor(p$label[[i]][cells], p$classes)
  }
  y <- p$y[grid$row]
  table[[p$outcome]] <- if (p$kind == "numbers") y else factor(y, p$classes)
  if (length(unique(p$weight)) > 1) {
    table$.case_weights <- structure(p$weight[grid$row], class = c(
      "hardhat_frequency_weights", "hardhat_case_weights", "vctrs_vctr"
    ))
  }
  structure(table, class = c("tbl_df", "tbl", "data.frame"))
}

as_set <- function(p) {
  results <- lapply(1:2, function(k) as_tune(p, which(p$workflow == k)))
  structure(
    list(wflow_id = c("glm", "a tree"), info = results, option = results, result = results),
    row.names = 1:2, class = c("workflow_set", "tbl_df", "tbl", "data.frame")
  )
}

# ---- mlr3 ----------------------------------------------------------------------------------------

mlr3_called <- c(accuracy = "classif.acc", roc_auc = "classif.auc", brier_score = "classif.bbrier",
                 balanced_accuracy = "classif.bacc", log_loss = "classif.logloss",
                 sensitivity = "classif.sensitivity", root_mean_squared_error = "regr.rmse",
                 mean_squared_error = "regr.mse", mean_absolute_error = "regr.mae")

drawn_mlr3 <- function(tuned = TRUE) {
  p <- drawn_program(odd = TRUE, repeats = c(1, 1, 2))
  p$fold <- lapply(p$fold, function(fold) match(fold, sort(unique(p$fold[[1]]))))
  p$fold <- lapply(p$fold, function(fold) as.character(sample(p$fold[[1]])))  # as many for each repeat
  p$metrics <- with_names_of(p, if (tuned) names(mlr3_called) else c("accuracy", "mean_squared_error"))[1]
  p$rises <- metrics_known[[p$metrics[[1]]]]$rises
  if (p$kind == "two") p$event <- one_of(p$classes)  # the task's positive class
  p$micro <- tuned && sometimes(0.3)
  if (p$micro) p$pooled <- TRUE
  p$by_fold <- !tuned
  p$no_shares <- p$kind != "numbers" && !any(p$metrics %in% reads_shares) && sometimes(0.3)
  p <- settled_program(p)
  if (!tuned) p["chosen"] <- list(NULL)
  p$parameters <- drawn_parameters(length(p$names))
  p$order <- sample(seq_along(p$names))
  p$named <- FALSE
  p$object <- if (tuned) as_instance(p) else as_benchmark(p, scored = TRUE)
  if (!tuned) p$arguments <- list(metric = p$metrics)
  p$asked <- asked_of(p, if (p$no_shares) reads_shares)
  if (p$kind == "two" && sometimes(0.5)) p <- with_event(p)
  p
}

mlr3_resampling <- function(p) {
  test <- unlist(lapply(p$fold, function(fold) unname(split(seq_along(fold), as.integer(fold)))), FALSE)
  n_folds <- length(unique(p$fold[[1]]))
  class <- if (length(p$fold) > 1) "RepeatedCV" else "CV"
  structure(list(
    id = tolower(class), iters = length(test), test_set = function(i) test[[i]],
    train_set = function(i) setdiff(seq_along(p$y), test[[i]]),
    folds = function(i) (i - 1) %% n_folds + 1, repeats = function(i) (i - 1) %/% n_folds + 1
  ), class = c(paste0("Resampling", class), "Resampling", "R6"))
}

mlr3_result <- function(p, j, scored) {
  resampling <- mlr3_resampling(p)
  of_iteration <- function(k) {
    i <- (k - 1) %/% length(unique(p$fold[[1]])) + 1
    rows <- sample(c(resampling$test_set(k), resampling$test_set(k)))  # of length 1 sample() is another
    rows <- rows[!duplicated(rows)]
    if (p$kind == "numbers") {
      return(list(row_ids = rows, truth = p$y[rows], response = p$number[[i]][rows, j]))
    }
    own <- list(row_ids = rows, truth = factor(p$y[rows], p$classes),
                response = factor(p$label[[i]][rows, j], p$classes))
    if (!p$no_shares) {
      own$prob <- matrix(p$share[[i]][rows, j, ], length(rows), dimnames = list(NULL, p$classes))
    }
    own
  }
  task <- list(id = "drawn", hash = "3f", task_type = if (p$kind == "numbers") "regr" else "classif",
               class_names = p$classes, positive = if (p$kind == "two") p$event)
  predictions <- lapply(seq_len(resampling$iters), of_iteration)
  scores <- function() {
    own <- p$claims[p$claims$configuration == j, ]
    own <- own[order(own$rep, as.integer(own$fold)), ]
    called <- if (p$kind == "numbers") "regr.mse" else "classif.ce"
    value <- if (p$kind == "numbers") own$value else 1 - own$value
    stats::setNames(list(seq_along(value), value), c("iteration", called))
  }
  values <- as.list(p$parameters[j, , drop = FALSE])
  structure(list2env(list(
    task = task, learner = list(id = "tree", param_set = list(values = values)),
    resampling = resampling, predictions = function() predictions, score = if (scored) scores
  )), class = c("ResampleResult", "R6"))
}

as_benchmark <- function(p, scored) {
  results <- lapply(p$order, function(j) mlr3_result(p, j, scored))
  structure(list2env(list(
    n_resample_results = length(results), resample_result = function(i) results[[i]],
    uhashes = paste0("u", p$order)
  )), class = c("BenchmarkResult", "R6"))
}

as_instance <- function(p) {
  called <- mlr3_called[[p$metrics[[1]]]]
  data <- p$parameters
  data[[called]] <- means_of(p, p$claims)
  data$uhash <- paste0("u", seq_along(p$names))
  tried <- data[sample(nrow(data)), ]
  best <- function() as.list(data[p$chosen, ])
  archive <- structure(list2env(list(
    benchmark_result = as_benchmark(p, scored = FALSE), cols_x = names(p$parameters), cols_y = called,
    data = tried, best = best
  )), class = c("ArchiveBatchTuning", "ArchiveBatch", "Archive", "R6"))
  measure <- list(id = called, average = if (p$micro) "micro" else "macro", predict_sets = "test",
                  minimize = !p$rises, param_set = list(values = list()))
  structure(list2env(list(
    archive = archive, objective = list(measures = list(measure)), result = data[p$chosen, ]
  )), class = c("TuningInstanceBatchSingleCrit", "OptimInstance", "R6"))
}

# ---- SuperLearner and xgboost --------------------------------------------------------------------

drawn_super <- function() {
  p <- drawn_program(kinds = c("two", "numbers"), odd = FALSE, repeats = 1, at_least = 2)
  p <- of_labels_0_and_1(p)
  p$metrics <- if (p$kind == "two") "brier_score" else "mean_squared_error"
  p[c("rises", "pooled", "by_fold")] <- list(FALSE, TRUE, TRUE)
  if (sometimes(0.15)) p$lost[[1]][, one_of(seq_along(p$names))] <- TRUE
  p$method <- one_of(c("none", "none", "method.NNLS", "method.CC_LS", "method.NNloglik"))
  read <- if (p$method != "method.NNloglik") p$metrics
  # cvRisk always falls, and a learner that failed has none under another's name.
  odd_here <- c("turned", if (any(unlist(p$lost))) "names")
  p <- settled_program(p, read, keeps_choice = FALSE, plants = setdiff(all_plants, odd_here))
  p$names <- sprintf("SL.%d_All", seq_along(p$names))
  p$named <- TRUE
  p$object <- as_super(p)
  p$arguments <- list(truth = p$truth(p), metric = p$metrics)
  p$asked <- if (p$kind == "two") c("roc_auc", "brier_score", "log_loss") else metrics_of(p$kind)
  p
}

# Whose event is the label 1.
of_labels_0_and_1 <- function(p) {
  p$truth <- function(p) p$y
  if (p$kind == "two") {
    p$y <- c("0", "1")[match(p$y, p$classes)]
    p$label <- lapply(p$label, function(own) array(c("0", "1")[match(own, p$classes)], dim(own)))
    p$classes <- c("0", "1")
    p$event <- "1"
    p$truth <- function(p) as.integer(p$y)
  }
  p
}

rows_by_fold <- function(p) split(seq_along(p$y), p$fold[[1]])

as_super <- function(p) {
  z <- if (p$kind == "two") matrix(p$share[[1]][, , 2], length(p$y)) else p$number[[1]]
  failed <- colSums(p$lost[[1]]) > 0
  z[, failed] <- NA
  risk <- means_of(p, p$claims)
  risk[failed] <- NA
  call <- quote(SuperLearner(Y = y, X = x))
  if (p$method != "none") call$method <- p$method
  structure(list(call = call, Z = z, libraryNames = p$names, cvRisk = risk, validRows = rows_by_fold(p),
                 errorsInCVLibrary = failed), class = "SuperLearner")
}

drawn_xgb <- function() {
  p <- drawn_program(odd = FALSE, repeats = 1)
  p <- of_labels_0_and_1(p)
  p$pooled <- TRUE
  p <- settled_program(p)
  p$plant <- NULL
  p[c("is_wrong", "has_claims", "is_read")] <- FALSE
  p["chosen"] <- list(NULL)
  p$names <- paste0("m", seq_along(p$names))
  p$named <- TRUE
  p$object <- stats::setNames(lapply(seq_along(p$names), function(j) {
    pred <- switch(p$kind, two = p$share[[1]][, j, 2], three = p$share[[1]][, j, ], p$number[[1]][, j])
    structure(list(pred = pred, folds = rows_by_fold(p), niter = 9), class = "xgb.cv.synchronous")
  }), p$names)
  truth <- if (p$kind == "three") factor(p$y, p$classes) else p$truth(p)
  p$asked <- if (p$kind == "numbers") metrics_of(p$kind) else intersect(metrics_of(p$kind), reads_shares)
  p$arguments <- list(truth = truth, metric = one_of(p$asked))
  p$metrics <- p$arguments$metric
  p
}

# ---- Tables with a line per prediction -----------------------------------------------------------

drawn_table <- function() {
  p <- drawn_program(repeats = c(1, 1, 2))
  p$form <- one_of(c("long", "collected", "mlr3"))
  p$metrics <- p$metrics[[1]]
  p$no_shares <- p$kind != "numbers" && !p$metrics %in% reads_shares && sometimes(0.3)
  if (p$kind == "two") p <- of_asked_event(with_event(p))
  if (sometimes(0.1)) p <- with_lost_fits(p)
  p$claims <- claims_of(p)
  p[c("has_claims", "is_read", "is_wrong")] <- FALSE
  p["chosen"] <- list(NULL)
  style <- one_of(c("model %d", "C=%d, l1", "%d", "the \"%d\""))
  p$names <- sprintf(style, seq_along(p$names))
  p$named <- TRUE
  p$arguments <- c(list(metric = p$metrics), p$with_event)
  p$object <- as_table(p)
  p$nonsense <- nrow(p$object) == 0
  p$asked <- if (p$form == "long") p$metrics else asked_of(p, if (p$no_shares) reads_shares)
  if (p$form == "collected") p$arguments$truth <- "the truth"
  if (p$form == "long" && p$kind == "three" && p$metrics %in% reads_shares) {
    p$arguments$estimate <- paste0("p_", p$classes)
  }
  if (sometimes(0.2)) with_wrong_line(p) else p
}

as_table <- function(p) {
  ids <- if (sometimes(0.5)) sample(1000, length(p$y)) else sprintf("r%d", sample(length(p$y)))
  lines <- do.call(rbind, lapply(seq_along(p$fold), function(i) {
    data.frame(expand.grid(row = seq_along(p$y), j = seq_along(p$names)), i = i)
  }))
  lines <- lines[!mapply(function(row, j, i) p$lost[[i]][row, j], lines$row, lines$j, lines$i), ]
  lines <- lines[sample(nrow(lines)), ]
  value <- function(arrays, k = NULL) mapply(function(row, j, i) {
    if (is.null(k)) arrays[[i]][row, j] else arrays[[i]][row, j, k]
  }, lines$row, lines$j, lines$i)
  y <- p$y[lines$row]
  y <- if (p$kind == "numbers") y else factor(y, p$classes)
  fold <- mapply(function(row, i) p$fold[[i]][[row]], lines$row, lines$i)
  shares <- if (p$kind != "numbers" && !p$no_shares) lapply(seq_along(p$classes), value, arrays = p$share)
  prediction <- if (p$kind == "numbers") value(p$number) else factor(value(p$label), p$classes)
  name <- p$names[lines$j]
  table <- switch(p$form,
    long = {
      own <- data.frame(row = ids[lines$row], configuration = name, truth = y, fold = fold, `repeat` = lines$i,
                        estimate = prediction, check.names = FALSE)
      if (p$kind == "two" && p$metrics %in% reads_shares) own$estimate <- shares[[match(p$event, p$classes)]]
      own
    },
    collected = {
      own <- data.frame(.row = lines$row, .config = name, `the truth` = y, check.names = FALSE)
      own[if (length(p$fold) > 1) c("id", "id2") else "id"] <-
        if (length(p$fold) > 1) list(paste0("Repeat", lines$i), fold) else list(fold)
      own[[if (p$kind == "numbers") ".pred" else ".pred_class"]] <- prediction
      own
    },
    mlr3 = data.frame(row_ids = lines$row, truth = y, response = prediction, learner_id = name,
                      iteration = as.integer(factor(fold)) + 10L * lines$i)
  )
  prefix <- c(long = "p_", collected = ".pred_", mlr3 = "prob.")[[p$form]]
  if (length(shares)) table[paste0(prefix, p$classes)] <- shares
  table
}

# A line that occurs twice, or has another truth than others of its row.
with_wrong_line <- function(p) {
  p$plant <- if (length(p$names) * length(p$fold) > 1) one_of(c("twice", "truth")) else "twice"
  p$is_wrong <- TRUE
  k <- sample.int(nrow(p$object), 1)
  if (p$plant == "twice") {
    p$object <- rbind(p$object, p$object[k, ])
    return(p)
  }
  column <- if (p$form == "collected") "the truth" else "truth"
  y <- p$object[[column]]
  rows <- p$object[[intersect(c("row", ".row", "row_ids"), names(p$object))[[1]]]]
  p$is_wrong <- sum(rows == rows[[k]]) > 1
  if (p$is_wrong) {
    p$object[[column]][[k]] <- if (is.factor(y)) setdiff(levels(y), y[[k]])[[1]] else y[[k]] + 1
  }
  p
}

doors <- list(
  caret = function() drawn_train(), list = function() drawn_list(), rfe = function() drawn_train(rfe = TRUE),
  tune = function() drawn_tune(), `workflow set` = function() drawn_tune(set = TRUE),
  `mlr3 tuning` = function() drawn_mlr3(), `mlr3 benchmark` = function() drawn_mlr3(tuned = FALSE),
  SuperLearner = function() drawn_super(), xgboost = function() drawn_xgb(),
  table = function() drawn_table(),
  glmnet = function() drawn_glmnet(), `caret's train()` = function() drawn_live_train()
)

# What came of a program.
verdict_of_seed <- function(door, seed) {
  set.seed(seed)
  p <- doors[[door]]()
  if (is.null(p)) "nonsense" else verdict_of(p)
}
