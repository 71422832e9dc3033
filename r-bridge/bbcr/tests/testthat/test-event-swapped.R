# One meaning of the event at every door: levels and event swapped together change nothing; either alone
# is the other event, whose number is another one where the metric depends on it, or a refusal.
skip_on_cran()

levels_given <- c("ill", "well")
places <- c("first", "second")
n_compared <- 0

# Searches of three configurations, the same for all orders of the levels.
searched <- local({
  set.seed(11)
  y <- ifelse(stats::runif(48) < 0.4, "ill", "well")
  odds <- exp(outer(y == "ill", c(0.4, 1.2, 2)) - 0.5 + matrix(stats::rnorm(144), 48))
  list(kind = "two", y = y, share_of_ill = odds / (1 + odds), names = c("a", "b", "c"), weight = rep(1, 48),
       fold = list(as.character(rep(1:4, 12))), lost = list(matrix(FALSE, 48, 3)), pooled = FALSE,
       rule = "best", by_fold = TRUE, rises = TRUE, no_shares = FALSE, scores_the_rest = FALSE,
       simplest = 1:3, order = 1:3, parameters = data.frame(k = 1:3), outcome = "Class",
       config = sprintf("Model%d", 1:3), micro = FALSE)
})

# The program of helper-objects.R with these levels; the tool scored its `event` by its `metrics`.
program <- function(levels, metrics = "accuracy", event = "ill") {
  p <- searched
  of_ill <- p$share_of_ill
  p$classes <- levels
  p$share <- list(array(c(if (levels[[1]] == "ill") of_ill else 1 - of_ill,
                          if (levels[[2]] == "ill") of_ill else 1 - of_ill), c(dim(of_ill), 2)))
  p$label <- list(ifelse(of_ill > 0.5, "ill", "well"))
  p$event <- event
  p$metrics <- metrics
  p$claims <- claims_of(p)
  p$chosen <- tools_choice(p, p$claims)
  set.seed(5)  # the order of lines
  p
}
truth_of <- function(levels) factor(searched$y, levels)
of_ill <- function(metric) {
  if (bbc_metric(metric)$predicts == "labels") program(levels_given)$label[[1]] else searched$share_of_ill
}
as_lines <- function(form, levels, metric) {
  p <- program(levels)
  p$form <- form
  p$metrics <- if (bbc_metric(metric)$predicts == "labels") "accuracy" else "brier_score"
  as_table(p)
}

# Each door: what bbc_correct() gets by the order of the levels and the metric. One number per row is that
# of "ill" throughout.
doors <- list(
  matrix = function(levels, metric) list(of_ill(metric), truth_of(levels)),
  text = function(levels, metric) list(of_ill(metric), searched$y),
  frame = function(levels, metric) list(as.data.frame(of_ill(metric)), truth_of(levels)),
  repeats = function(levels, metric) list(list(of_ill(metric), of_ill(metric)), truth_of(levels)),
  data = function(levels, metric) list(bbc_data(of_ill(metric), truth_of(levels))),
  `long table` = function(levels, metric) list(as_lines("long", levels, metric)),
  SuperLearner = function(levels, metric) {
    fit <- list(Z = of_ill(metric), libraryNames = searched$names, errorsInCVLibrary = rep(FALSE, 3),
                cvRisk = 1:3, validRows = rows_by_fold(searched))
    list(structure(fit, class = "SuperLearner"), truth_of(levels))
  },
  `xgb.cv` = function(levels, metric) {
    list(structure(list(pred = of_ill(metric)[, 2], folds = rows_by_fold(searched)), class = "xgb.cv"),
         truth_of(levels))
  }
)
doors_of_numbers <- names(doors)
of_tool <- function(make, metrics, event) function(levels, metric) {
  list(make(program(levels, metrics, if (is.null(event)) levels[[1]] else event)))
}
told <- c("accuracy", "sensitivity")
doors <- c(doors, list(
  array = function(levels, metric) {
    own <- program(levels)
    list(if (bbc_metric(metric)$predicts == "labels") own$label[[1]] else own$share[[1]], truth_of(levels))
  },
  `array with names` = function(levels, metric) {
    own <- program(levels_given)
    array <- own$share[[1]]
    dimnames(array) <- list(NULL, NULL, levels_given)
    list(if (bbc_metric(metric)$predicts == "labels") own$label[[1]] else array, truth_of(levels))
  },
  `collected table` = function(levels, metric) list(as_lines("collected", levels, metric), "the truth"),
  `table of mlr3` = function(levels, metric) list(as_lines("mlr3", levels, metric)),
  # caret's event is the first level, whichever that is.
  caret = of_tool(function(p) as_train(p, FALSE), told, NULL),
  `tune, told` = of_tool(function(p) as_tune(p, 1:3), told, "ill"),
  `tune, told well` = of_tool(function(p) as_tune(p, 1:3), told, "well"),
  `tune, untold` = of_tool(function(p) as_tune(p, 1:3), "accuracy", "ill"),
  `workflow set` = of_tool(function(p) {
    p$workflow <- c(1, 1, 2)
    as_set(p)
  }, told, "ill"),
  `mlr3 benchmark` = of_tool(function(p) as_benchmark(p, scored = TRUE), "accuracy", "ill"),
  `mlr3 tuning` = of_tool(as_instance, "sensitivity", "ill"),
  `list of models` = function(levels, metric) {
    p <- program(levels, told, levels[[1]])
    list(list(one = as_train(p, FALSE), other = as_tune(program(levels, told), 1:3)), truth_of(levels))
  }
))
if (requireNamespace("caret", quietly = TRUE)) doors$rfe <- of_tool(function(p) {
  p$parameters <- data.frame(Variables = 1:3)
  as_train(p, TRUE)
}, told, NULL)

dependent <- c("sensitivity", "specificity", "precision", "f1", "average_precision")
alike <- c("roc_auc", "brier_score", "accuracy", "log_loss", "mcc")

# The number, or the refusal's words, of one order of the levels and one place of the event.
answered <- function(code) {
  tryCatch(suppressWarnings(code), bbc_error = function(error) conditionMessage(error))
}
numbers_of <- function(e) {
  if (is.character(e)) e else e[c("estimate", "replicates", "confidence_interval", "winner_name", "event")]
}

# The four ways, and what they must be of each other; `differs` says whether the events have other numbers.
compare_ways <- function(ask, differs, label) {
  one <- ask(levels_given, "first")
  other <- ask(levels_given, "second")
  n_compared <<- n_compared + 2
  expect_type(one$replicates, "double")
  expect_identical(ask(rev(levels_given), "second"), one, label = label)
  expect_identical(ask(rev(levels_given), "first"), other, label = label)
  same <- isTRUE(all.equal(one$replicates, other$replicates))
  expect_identical(same, !differs, label = label)
}

test_that("levels and event swapped together change nothing, one alone is the other event", {
  for (door in names(doors)) for (metric in c(dependent, alike)) {
    of_labels <- bbc_metric(metric)$predicts == "labels"
    if (of_labels && door %in% c("SuperLearner", "xgb.cv")) next
    asked <- function(levels, place) {
      # Text is sorted, so that levels are not the caller's.
      if (door == "text" && levels[[1]] == "well") place <- c(first = "second", second = "first")[[place]]
      given <- doors[[door]](levels, metric)
      numbers_of(suppressWarnings(do.call(bbc_correct, c(given, list(
        metric = metric, event_level = place, n_bootstraps = 40, seed = 1, n_threads = 1
      )))))
    }
    differs <- metric %in% dependent || (!of_labels && door %in% doors_of_numbers)
    compare_ways(asked, differs, paste(door, metric))
  }
  # So do functions beside bbc_correct(), of numbers and of a tool's object.
  functions <- list(
    bbc_tt = function(...) bbc_tt(...),
    bbc_compare = function(predictions, ...) {
      bbc_compare(list(a = predictions, b = predictions), ..., n_bootstraps = 40, seed = 1)
    }
  )
  for (name in names(functions)) for (door in c("long table", "tune, told", "tune, untold")) {
    asked <- function(levels, place) {
      given <- doors[[door]](levels, "f1")
      found <- suppressWarnings(do.call(functions[[name]], c(given, list(metric = "f1", event_level = place))))
      list(replicates = unlist(Filter(is.numeric, as.data.frame(found))))
    }
    compare_ways(asked, TRUE, paste(name, door))
  }
})

test_that("without event_level the event is the tool's, or it is asked for", {
  asked <- function(door, levels, metric) {
    given <- doors[[door]](levels, metric)
    numbers_of(answered(do.call(bbc_correct, c(given, list(metric = metric, n_bootstraps = 40, seed = 1)))))
  }
  tools <- c("tune, told" = "ill", "tune, told well" = "well", "workflow set" = "ill", "mlr3 benchmark" = "ill",
             "mlr3 tuning" = "ill")
  for (metric in dependent) {
    for (door in names(tools)) {
      one <- asked(door, levels_given, metric)
      expect_identical(one$event, tools[[door]])
      expect_identical(asked(door, rev(levels_given), metric), one)
      n_compared <<- n_compared + 1
    }
    # caret's is the first level.
    expect_identical(asked("caret", levels_given, metric)$event, "ill")
    expect_identical(asked("caret", rev(levels_given), metric)$event, "well")
    expect_identical(asked("list of models", levels_given, metric)$event, "ill")
    expect_match(asked("list of models", rev(levels_given), metric), "`event_level`: the event is well in one, and ill")
    for (door in setdiff(names(doors), c(names(tools), "caret", "rfe", "list of models"))) {
      if (bbc_metric(metric)$predicts == "labels" && door %in% c("SuperLearner", "xgb.cv")) next
      for (levels in list(levels_given, rev(levels_given))) {
        expect_match(asked(door, levels, metric), "`event_level`", label = paste(door, metric))
        n_compared <<- n_compared + 1
      }
    }
  }
})

# ---- Learners --------------------------------------------------------------------------------------

people <- local({
  set.seed(3)
  value <- stats::rnorm(60)
  data.frame(value, other = stats::rnorm(60), y = ifelse(value + stats::rnorm(60) > 0, "ill", "well"))
})
fit_ill <- function(x, y, column) {
  stats::glm(ill ~ value, stats::binomial, data.frame(ill = y == "ill", value = x[[column]], column = column))
}
risk <- function(model, newx) {
  unname(stats::predict(model, data.frame(value = newx[[model$data$column[[1]]]]), type = "response"))
}
# What a learner may return; `number` is that of "ill" whatever is said.
kinds <- list(
  number = risk, `column of a matrix` = function(model, newx) cbind(ill = risk(model, newx)),
  `column of the other class` = function(model, newx) data.frame(.pred_well = 1 - risk(model, newx)),
  matrix = function(model, newx) cbind(well = 1 - risk(model, newx), ill = risk(model, newx)),
  labels = function(model, newx) ifelse(risk(model, newx) > 0.5, "ill", "well")
)

test_that("so do learners of bbc_tune(), whose models predict in the order of the levels", {
  for (kind in names(kinds)) for (metric in c("sensitivity", "average_precision", "brier_score")) {
    if (kind == "labels" && bbc_metric(metric)$predicts != "labels") next
    known <- list()
    tuned <- function(levels, place) {
      people$y <- factor(people$y, levels)
      key <- paste(levels[[1]], place)
      learner <- bbc_learner(fit_ill, column = c("value", "other"), predict = kinds[[kind]])
      if (is.null(known[[key]])) known[[key]] <<- suppressWarnings(bbc_tune(
        y ~ ., people, learner, metric, cv = rep(1:3, 20), event_level = place, n_bootstraps = 40, seed = 1, n_threads = 1
      ))
      known[[key]]
    }
    differs <- metric %in% dependent || kind == "number"
    compare_ways(function(levels, place) numbers_of(tuned(levels, place)$performance), differs,
                 paste(kind, metric))
    # The result is a door, too.
    compare_ways(function(levels, place) {
      of_ill <- tuned(levels, places[[match("ill", levels)]])
      numbers_of(suppressWarnings(bbc_correct(of_ill, metric = metric, event_level = place, n_bootstraps = 40,
                                              seed = 1)))
    }, metric %in% dependent, paste("result of", kind, metric))
    if (kind == "labels") next
    expected <- predict(tuned(levels_given, "first"), people, type = "prob")
    for (levels in list(levels_given, rev(levels_given))) for (place in places) {
      if (kind == "number" && levels[[match(place, places)]] != "ill") next
      own <- tuned(levels, place)
      shares <- predict(own, people, type = "prob")
      expect_identical(colnames(shares), levels)
      expect_equal(shares[, levels_given], expected)
      expect_identical(levels(predict(own, people)), levels)
      expect_identical(names(augment(own, people))[5:6], paste0(".pred_", levels))
      n_compared <<- n_compared + 1
    }
  }
})

test_that("so does every protocol, with folds of its own", {
  for (protocol in names(bbcr:::protocols)) for (metric in c("average_precision", "roc_auc", "sensitivity")) {
    ask <- function(levels, place) {
      people$y <- factor(people$y, levels)
      learner <- bbc_learner(fit_ill, column = c("value", "other"), predict = kinds$matrix)
      suppressWarnings(bbc_tune(y ~ ., people, learner, metric, protocol = protocol, cv = 3, event_level = place,
                                seed = 1, n_threads = 1))$performance$estimate
    }
    one <- ask(levels_given, "first")
    other <- ask(levels_given, "second")
    expect_identical(ask(rev(levels_given), "second"), one, label = paste(protocol, metric))
    expect_identical(ask(rev(levels_given), "first"), other, label = paste(protocol, metric))
    expect_identical(isTRUE(all.equal(one, other)), metric == "roc_auc", label = paste(protocol, metric))
    n_compared <<- n_compared + 2
  }
})

test_that("so do learners of protocols, before Python calls them", {
  x <- people["value"]
  model <- fit_ill(x, people$y, "value")
  p <- risk(model, x)
  for (kind in setdiff(names(kinds), "labels")) for (levels in list(levels_given, rev(levels_given))) {
    for (event in levels) {
      learner <- bbc_learner(fit_ill, column = "value", predict = kinds[[kind]])
      shares <- bbcr:::learners_of(learner, levels, event)[[1]]$predict(model, x)
      of_event <- if (kind == "number") p else if (event == "ill") p else 1 - p
      expect_equal(shares[, event], of_event, label = paste(kind, event))
      expect_setequal(colnames(shares), levels)
      n_compared <<- n_compared + 1
    }
  }
})

test_that("so many ways were compared", {
  skip_if_not_installed("caret")  # rfe() is one of the doors
  expect_identical(n_compared, 693)
})
