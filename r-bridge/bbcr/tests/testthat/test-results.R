# Every class of results has the methods that all have.

d <- binary_data()
risks <- stats::plogis(d$scores)
folds <- rep(1:5, 16)
quietly <- suppressWarnings
auc <- function(f, ...) quietly(f(d$scores, d$truth, "roc_auc", n_bootstraps = 40, seed = 1, ...))
fit <- auc(bbc_correct)
of_risks <- quietly(bbc_correct(risks, d$truth, "log_loss", n_bootstraps = 40, confidence_level = 0.8,
                                seed = 1))
described <- function(f) quietly(f(of_risks))

results <- list(
  estimate = fit, tt = quietly(bbc_tt(d$scores, d$truth, "roc_auc", folds)),
  secondary = quietly(bbc_correct(
    risks, d$truth, "roc_auc", secondary = "brier_score", n_bootstraps = 40, seed = 1
  )),
  record = bbc_record(fit), score = quietly(bbc_score(of_risks, "roc_auc")),
  comparison = quietly(bbc_compare(list(a = d$scores[, 1:4], b = d$scores[, 5:12]), d$truth,
                                   "roc_auc", n_bootstraps = 40, seed = 1)),
  comparisons = quietly(bbc_compare(list(a = risks[, 1:4], b = risks[, 5:12]), d$truth,
                                    "roc_auc", secondary = "brier_score", n_bootstraps = 40, seed = 1)),
  subgroups = quietly(bbc_subgroups(fit, rep(c("a", "b"), each = 40))),
  possible = quietly(bbc_possible_winners(fit)),
  interval = quietly(bbc_winner_interval(fit)),
  remaining = quietly(bbc_remaining_optimism(auc(bbc_correct, folds = folds), shift_limits = TRUE)), path = quietly(bbc_tuning_path(fit)),
  bound = quietly(bbc_bound(d$scores, d$truth, folds, "delong", seed = 1)),
  calibration = described(bbc_calibration), decision = described(bbc_decision_curve),
  roc = described(bbc_roc_curve), precision = described(bbc_precision_recall_curve),
  per_1000 = described(bbc_per_1000), clinical = described(bbc_clinical),
  survival = quietly(bbc_survival_calibration(bbc_correct(
    risks, survival::Surv(1:80 / 8, d$truth), bbc_metric("survival_brier_score", time = 5),
    n_bootstraps = 40, seed = 1
  ), time = 5)),
  survival_performance = quietly(bbc_clinical(bbc_correct(
    risks, survival::Surv(1:80 / 8, d$truth), bbc_metric("survival_brier_score", time = 5),
    n_bootstraps = 40, seed = 1
  ), times = 5)),
  rows = quietly(bbc_plan_rows(d$scores, d$truth, "roc_auc", 0.2, c(60, 80), n_simulations = 2,
                               n_bootstraps = 40)),
  control = quietly(bbc_negative_control(function(x, y) {
    bbc_correct(d$scores, y, "roc_auc", n_bootstraps = 40)
  }, d$scores, d$truth, n_permutations = 2))
)

test_that("every result prints itself, and is a table", {
  for (name in names(results)) {
    result <- results[[name]]
    expect_s3_class(result, "bbc_result")
    expect_output(printed <- withVisible(print(result)))
    expect_false(printed$visible)
    expect_identical(printed$value, result)
    frame <- as.data.frame(result)
    expect_identical(class(frame), "data.frame", label = name)
    expect_gt(nrow(frame), 0)
    expect_identical(rownames(frame), as.character(seq_len(nrow(frame))), label = name)
    letters <- paste0("r", seq_len(nrow(frame)))
    expect_identical(rownames(as.data.frame(result, row.names = letters)), letters, label = name)
  }
})

test_that("every result is tidied by columns of the same names, and has one line of what it is about", {
  known <- c("term", "x", "n", "estimate", "std.error", "conf.low", "conf.high", "p.value", "weight",
             "possible", "method", "rule")
  for (name in names(results)) {
    columns <- names(tidy(results[[name]]))
    expect_true(all(c("term", "estimate") %in% columns), label = name)
    expect_identical(setdiff(columns, known), character(), label = name)
    expect_identical("conf.low" %in% columns, "conf.high" %in% columns, label = name)
  }
  for (name in names(results)) {
    expect_identical(nrow(glance(results[[name]])), 1L, label = name)
  }
})

test_that("every result has numbers and limits by the generics of R, or says why it has none", {
  curves <- c("decision", "roc", "precision")
  without <- c("tt", "dominance", "possible", "wmc", "rows")
  for (name in names(results)) {
    result <- results[[name]]
    expect_no_match(utils::capture.output(print(summary(result))), "Length +Class", label = name)
    columns <- as.data.frame(tidy(result))
    if (name %in% curves) {
      expect_refused(coef(result), "has no single numbers: its points are in")
      expect_refused(confint(result), "has no single numbers")
      next
    }
    expect_identical(unname(coef(result)), as.double(columns$estimate), label = name)
    if (name %in% without) {
      expect_refused(confint(result), "no interval")
      expect_false("conf.low" %in% names(tidy(result, conf.int = FALSE)))
      next
    }
    ends <- confint(result)
    expect_identical(unname(ends[, 1]), columns$conf.low, label = name)
    expect_identical(unname(ends[, 2]), columns$conf.high, label = name)
    expect_false("conf.low" %in% names(tidy(result, conf.int = FALSE)), label = name)
    # Another level is read off the replicates, or refused.
    other <- tryCatch(confint(result, level = 0.7), bbc_error = conditionMessage)
    if (is.character(other)) {
      expect_match(other, "`level` is that of the result, 0.[89]5?: for another one", label = name)
    } else {
      expect_true(all(other[, 2] - other[, 1] <= ends[, 2] - ends[, 1], na.rm = TRUE), label = name)
      expect_identical(as.data.frame(tidy(result, conf.level = 0.7))$conf.high, unname(other[, 2]), label = name)
    }
  }
})

test_that("an estimate has a model card in each format, and other answers say where they belong", {
  estimates <- c("estimate", "secondary", "record", "score", "interval", "tt", "clinical", "survival_performance")
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  for (name in names(results)) {
    if (name %in% estimates) {
      quietly(bbc_report(results[[name]], file, kind = "model-card"))
      expect_match(paste(readLines(file), collapse = " "), "Intended use", label = name)
    } else {
      expect_refused(bbc_report(results[[name]], file, kind = "model-card"),
                     "`result` must be what bbc_correct|`result` is the estimate; give what")
    }
  }
  bbc_report(results$estimate, file)
  expect_match(paste(readLines(file), collapse = " "), "Intended use")
  expect_refused(bbc_report(results$estimate), "`path` is missing")
})

test_that("every result has its picture, by both ways of drawing", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (result in results) {
    drawn <- withVisible(plot(result))
    expect_false(drawn$visible)
    expect_identical(drawn$value, result)
  }
  skip_if_not_installed("ggplot2")
  for (name in names(results)) {
    shown <- ggplot2::autoplot(results[[name]])
    expect_s3_class(shown, "ggplot")
    built <- ggplot2::ggplot_build(shown)
    expect_gt(nrow(built$data[[length(built$data)]]), 0, label = name)
    # Readers see "AUC", not the name by which it is asked for.
    labels <- unlist(lapply(c(shown$labels, levels(shown$data$panel)), as.character))
    expect_false(any(labels %in% bbc_metrics()$name[grepl("_", bbc_metrics()$name)]), label = name)
  }
})

# What base graphics draw on a device, by the function in C: numbers or texts of all its calls.
drawn_by_base <- function(..., classes = c("numeric", "integer")) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  plot(...)
  calls <- lapply(grDevices::recordPlot()[[1]], `[[`, 2)
  names <- vapply(calls, function(call) call[[1]]$name, "")
  lapply(split(calls, names), function(own) {
    unlist(lapply(own, function(call) rapply(as.list(call[-1]), identity, classes, how = "unlist")))
  })
}

# The places of a layer, by aesthetic.
places_of <- function(layer) {
  columns <- layer_kinds[[layer$kind]]
  lapply(columns[columns %in% c("x", "xend", "y", "yend")], function(column) as.numeric(layer$data[[column]]))
}

test_that("base graphics draw all that the one description of a picture holds", {
  functions <- c(ribbon = "C_polygon", rect = "C_rect", vline = "C_abline", hline = "C_abline",
                 segment = "C_segments", line = "C_plotXY", point = "C_plotXY", text = "C_text")
  for (name in names(results)) {
    drawn <- drawn_by_base(results[[name]])
    for (one in unlist(lapply(unname(picture(results[[name]])$panels), `[[`, "layers"), FALSE)) {
      places <- unlist(places_of(one))
      expect_gt(length(places), 0)
      missing <- setdiff(places[is.finite(places)], drawn[[functions[[one$kind]]]])
      expect_identical(missing, numeric(), label = paste(name, one$kind))
    }
  }
})

test_that("so does ggplot2, a layer for each", {
  skip_if_not_installed("ggplot2")
  for (name in names(results)) {
    shown <- ggplot2::autoplot(results[[name]])
    panels <- picture(results[[name]])$panels
    layers <- layers_of(panels)
    expect_length(shown$layers, length(layers))
    for (i in seq_along(layers)) {
      places <- places_of(layers[[i]])
      data <- ggplot2::layer_data(shown, i)
      for (aesthetic in names(places)) {
        has_log <- panels[[1]][[if (startsWith(aesthetic, "x")) "x" else "y"]]$log
        values <- if (has_log) 10^data[[aesthetic]] else as.numeric(data[[aesthetic]])
        expect_equal(sort(values), sort(places[[aesthetic]]), label = paste(name, aesthetic))
      }
    }
  }
})

test_that("graphical parameters are those of the estimates, the others those of the axes", {
  texts <- drawn_by_base(fit, col = "pink", main = "stable", xlab = "area", breaks = 5, classes = "character")
  expect_true("pink" %in% texts$C_rect)
  expect_false("pink" %in% unlist(texts[names(texts) != "C_rect"]))
  expect_true(all(c("stable", "area") %in% texts$C_title))
  numbers <- drawn_by_base(results$path, pch = 15, xlim = c(1, 100))
  expect_true(15 %in% numbers$C_plotXY && 100 %in% numbers$C_plot_window)
  texts <- drawn_by_base(results$path, col = "pink", classes = "character")
  expect_true(all(c("pink", apparent_colour) %in% texts$C_plotXY))
  expect_false(corrected_colour %in% texts$C_plotXY)
})

test_that("every result has a table for a paper, with the numbers of tidy()", {
  skip_if_not_installed("flextable")
  for (name in names(results)) {
    shown <- flextable::as_flextable(results[[name]], digits = 6)
    expect_s3_class(shown, "flextable")
    known <- as.data.frame(tidy(results[[name]]))
    written <- suppressWarnings(as.numeric(shown$body$dataset$estimate))
    expect_equal(written, as.numeric(known$estimate), tolerance = 1e-5, label = name)
  }
  expect_error(flextable::as_flextable(results[[1]], digits = 0), "digits")
})

test_that("pictures have the ticks and legends that a paper needs", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL) # scales measure their text on a device
  on.exit(grDevices::dev.off())
  ticks <- function(picture, axis) {
    shown <- ggplot2::ggplot_build(picture)$layout$panel_params[[1]][[axis]]$get_breaks()
    shown[!is.na(shown)]
  }
  expect_true(all(ticks(ggplot2::autoplot(results$calibration), "y") >= 0))
  path <- ggplot2::autoplot(results$path)
  expect_equal(10^ticks(path, "x"), results$path$path$n_configurations)
  bands <- ggplot2::ggplot_build(ggplot2::autoplot(results$roc))$plot$scales$get_scales("fill")
  expect_identical(bands$get_labels(), paste("80 %", c("for whole curves", "for each point")))
})

test_that("printing takes digits and R's decimal mark", {
  text <- function(...) paste(utils::capture.output(print(...)), collapse = "\n")
  for (name in names(results)) {
    kept <- options(OutDec = ",")
    marked <- text(results[[name]])
    options(kept)
    # Findings and verdicts are sentences, written when the result was made.
    own <- strsplit(marked, "\n")[[1]]
    own <- own[!grepl("BBC0|^  |%|chance|note|rows (or|give)|no size|likely", own)]
    expect_false(any(grepl("[0-9][.][0-9]", own)), label = name)
    expect_identical(gsub(",", ".", marked), gsub(",", ".", text(results[[name]])), label = name)
  }
  e <- results$estimate
  expect_match(text(e, digits = 3), paste0("winner: ", format(e$estimate, digits = 3), ", "), fixed = TRUE)
  expect_match(text(results$several, digits = 3), format(results$several[[2]]$estimate, digits = 3))
  expect_null(getOption("bbcr.digits"))
  expect_refused(print(e, digits = 0), "`digits` must be at least 1")
})

test_that("no class of results is forgotten", {
  ours <- ls(asNamespace("bbcr"), pattern = "^frame_of[.]bbc_")
  known <- unique(unlist(lapply(results, class)))
  expect_setequal(setdiff(sub("frame_of.", "", ours, fixed = TRUE), known), "bbc_protocol")
})
