set.seed(5)
logit <- rnorm(120)
truth <- rbinom(120, 1, plogis(logit))
risks <- plogis(logit + matrix(rnorm(120 * 8, sd = 0.8), 120))
quietly <- suppressWarnings
performance <- function(..., predictions = risks, metric = "log_loss", n_bootstraps = 100) {
  quietly(ask(bbc_clinical, predictions, truth, metric, n_bootstraps = n_bootstraps, seed = 2, ...))
}
fit <- quietly(bbc_correct(risks, truth, "log_loss", n_bootstraps = 100, seed = 2))
found <- quietly(bbc_clinical(fit))

test_that("one correction gives the numbers of the functions", {
  expect_identical(found$calibration, quietly(bbc_calibration(fit)))
  expect_identical(found$decision_curve, quietly(bbc_decision_curve(fit)))
  expect_identical(found$roc_curve, quietly(bbc_roc_curve(fit)))
  expect_identical(found$precision_recall_curve, quietly(bbc_precision_recall_curve(fit)))
  expect_identical(found$per_1000, quietly(bbc_per_1000(fit)))
  expect_identical(performance(threshold = 0.3)$per_1000, quietly(bbc_per_1000(fit, 0.3)))
  others <- c("roc_auc", "average_precision", "brier_score")
  expect_identical(found$performance, quietly(update(fit, secondary = others)))
  expect_equal(found$n_events, sum(truth))
  by_auc <- performance(metric = "roc_auc")
  expect_identical(names(by_auc$performance$secondary), others[-1])
  expect_null(performance(secondary = character())$performance$secondary)
  twice <- performance(predictions = list(risks, risks), n_bins = 4, thresholds = 0.3)
  expect_equal(twice$n_events, sum(truth))
  expect_identical(twice$decision_curve$curve$threshold, rep(0.3, 4))
  expect_identical(twice$calibration$n_bins, 4)
})

test_that("results have the usual methods", {
  expect_output(print(found), "performance of the winner by log_loss, method bbc, 120 rows, ")
  frame <- as.data.frame(found)
  expect_identical(names(frame), c("quantity", "x", "estimate", "low", "high", "apparent",
                                   "n_undefined"))
  expect_identical(sum(frame$quantity == "net benefit"), 99L)
  expect_identical(sum(is.na(frame$x)), 18L)
  expect_identical(sum(tolower(gsub("_", " ", tidy(found)$term)) == "brier score"), 1L)
  expect_identical(glance(found)$n_events, found$n_events)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
})

page <- function(...) {
  path <- tempfile(fileext = ".html")
  on.exit(unlink(path))
  expect_identical(bbc_report(..., path = path), path)
  paste(readLines(path, encoding = "UTF-8"), collapse = "\n")
}
count <- function(pattern, text) lengths(regmatches(text, gregexpr(pattern, text)))

# The bytes that a text in base64 stands for, one character at a time.
decoded <- function(text) {
  letters64 <- c(LETTERS, letters, 0:9, "+", "/")
  text <- strsplit(text, "")[[1]]
  bits <- unlist(lapply(text[text != "="], function(letter) {
    rev(as.integer(intToBits(match(letter, letters64) - 1))[1:6])
  }))
  bytes <- matrix(bits[seq_len(8 * (length(bits) %/% 8))], 8)
  as.raw(colSums(bytes * 2^(7:0)))
}

test_that("base64 is that of RFC 4648", {
  of_text <- function(text) bbcr:::base64(charToRaw(text))
  expect_identical(vapply(c("f", "fo", "foo", "foob", "fooba", "foobar"), of_text, "",
                          USE.NAMES = FALSE),
                   c("Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"))
  expect_identical(decoded("Zm9vYmE="), charToRaw("fooba"))
})

test_that("the page shows the numbers and carries them as a table", {
  skip_if_not(capabilities("png"))
  text <- page(found)
  expect_identical(count("<img ", text), 5L)
  expect_identical(count(" alt=\"[^\"]+\"", text), 5L)
  expect_identical(count("<section>", text), count("</section>", text))
  expect_false(grepl("<script|https?:", text))
  for (count in counted_rows(found$per_1000$quantities)$estimate) {
    expect_match(text, sprintf("<td>%s</td>", count), fixed = TRUE)
  }
  expect_match(text, "The expected AUC of the tuned model on new rows is 0.[0-9]+ [(]95&nbsp;%&nbsp;CI")
  auc <- found$performance$secondary$roc_auc
  for (number in c(shown_of(auc, auc$estimate),
                   with_digits_of_width(found$calibration$quantities, 100)$estimate[[2]])) {
    expect_true(grepl(paste0("<td>", sub("0+$", "", number)), text, fixed = TRUE))
  }
  data <- regmatches(text, regexpr("(?<=text/csv;base64,)[^\"]+", text, perl = TRUE))
  table <- utils::read.csv(text = rawToChar(decoded(data)))
  expect_equal(table, as.data.frame(found), tolerance = 1e-12)
})

test_that("subgroups and what names hold are shown", {
  skip_if_not(capabilities("png"))
  by <- quietly(bbc_subgroups(quietly(bbc_correct(risks, truth, "roc_auc", seed = 2, n_bootstraps = 100)),
                              rep(c("a<b", "c&d"), 60)))
  named <- `colnames<-`(risks, paste0("<i>", 1:8))
  hostile <- performance(predictions = named)
  text <- page(hostile, subgroups = by)
  expect_identical(count("<img ", text), 6L)
  expect_match(text, "AUC in 2 subgroups, with intervals")
  expect_true(grepl('<th scope="row">a&lt;b</th><td>60</td>', text, fixed = TRUE))
  expect_false(grepl("<i>", text, fixed = TRUE))
  expect_true(grepl("&lt;i&gt;", text, fixed = TRUE))
  by$differences$p_value <- 0.01
  expect_match(page(found, subgroups = by), "differs between a&lt;b and c&amp;d [(]p = 0.01[)]")
  set.seed(1)
  control <- bbc_negative_control(function(x, y) bbc_correct(x, y, "roc_auc", n_bootstraps = 50),
                                  risks, truth, n_permutations = 2)
  text <- page(found, negative_control = control)
  expect_true(grepl(escaped(control$verdict), text, fixed = TRUE))
  few <- performance(method = "bbc-two-level", folds = rep(1:3, 40))
  expect_match(page(few), "calibration slope is [0-9.]+; it has no interval")
})

test_that("the page shows how stable the selection is, if there was one", {
  skip_if_not(capabilities("png"))
  e <- found$performance
  share <- sprintf("%.3g %%", 100 * mean(e$replicate_winners == e$winner))
  text <- page(found)
  expect_match(text, sprintf("The selected configuration, %s, was selected in %s of the replicates",
                             e$winner_name, share), fixed = TRUE)
  expect_match(text, sprintf("How often each configuration was selected; the winner in %s", share),
               fixed = TRUE)
  alone <- performance(predictions = risks[, 1, drop = FALSE], n_bootstraps = 50)
  expect_false(grepl("Stability of the selection", page(alone), fixed = TRUE))
})

test_that("the page lists what the configurations were, where their names say it", {
  skip_if_not(capabilities("png"))
  names <- c(sprintf("knn(k=%d)", 1:7), "net(alpha=0, weights=[1, 2])")
  expect_identical(learner_grids(names), c(
    "knn (7)" = "k: 1, 2, 3, ..., 7 (7 values)", "net (1)" = "alpha: 0; weights: [1, 2]"
  ))
  expect_identical(learner_grids(c("k=1", "k=3")), c("grid (2)" = "k: 1, 3"))
  for (other in list(NULL, "a", c("k=1", "b"), "knn(k=1", "k=1)", "knn()")) {
    expect_identical(learner_grids(other), character())
  }
  named <- performance(predictions = `colnames<-`(risks, names), n_bootstraps = 50)
  expect_true(grepl('<th scope="row">knn (7)</th><td>k: 1, 2, 3, ..., 7 (7 values)</td>',
                    page(named), fixed = TRUE))
  expect_false(grepl("Configurations</h2>", page(found), fixed = TRUE))
})

test_that("what has no page is refused", {
  path <- tempfile(fileext = ".html")
  expect_refused(bbc_report(found$calibration, path), "`result` must be what bbc_correct[(][)] or bbc_clinical")
  expect_refused(bbc_report(found, path, subgroups = found), "`subgroups` must be what")
  expect_refused(bbc_report(found, path, negative_control = 1), "`negative_control` must be what")
  expect_refused(bbc_report(found, 3), "`path` must be the name of one file")
  expect_refused(bbc_report(found, file.path(path, "page.html")), "`path`: there is no folder")
  expect_refused(performance(n_bins = 0), "`n_bins`")
  expect_refused(performance(thresholds = 2), "`thresholds`")
  expect_refused(performance(secondary = "auk"), "`secondary`")
  expect_refused(performance(secondary = c("roc_auc", "roc_auc")), "`secondary` has two")
  expect_refused(performance(alternative = "less"), '`alternative = "less"` of the correction is not for')
  expect_false(file.exists(path))
})

test_that("verdicts are given where their intervals carry them", {
  slope <- function(estimate, low, high) {
    say("calibration_slope", list(slope = estimate, slope_low = low, slope_high = high, level = 90,
                                  slope_decimals = decimals_by_width(low, high, 5000)))
  }
  expect_match(slope(0.8, 0.6, 2.5), "do not show that risks are too extreme")
  expect_match(slope(0.6, 0.4, 0.9), "slope is 0.60 (90 % CI 0.40 to 0.90): risks are too extreme.", fixed = TRUE)
  expect_match(slope(1.9, 1.2, 2.9), "risks are not extreme enough.", fixed = TRUE)
  expect_match(slope(1.9, NA, NA), "no interval")
  groups <- function(p_value, level = 0.95) {
    say("subgroup_differences", subgroup_facts(list(
      differences = data.frame(first = "a", second = c("b", "c"), p_value = p_value),
      overall = list(confidence_interval = list(confidence_level = level))
    )))
  }
  expect_match(groups(c(0.03, 0.6)), "do not show a difference between subgroups at 0.05, adjusted")
  expect_match(groups(c(0.03, 0.6), 0.9), "differs between a and b (p = 0.03) at 0.1", fixed = TRUE)
  expect_match(groups(c(NA, NA)), "too small, or too few")
})

card <- function(..., file = tempfile(fileext = ".md")) {
  on.exit(unlink(file))
  expect_identical(bbc_report(..., path = file), file)
  readLines(file, encoding = "UTF-8")
}

test_that("a model card has what is known of any estimate, and names what authors add", {
  several <- quietly(update(fit, secondary = "roc_auc"))
  lines <- card(several)
  expect_identical(lines[[1]], "# Model card")
  headings <- c("Model details", "Intended use", "Factors", "Data", "Performance",
                "How it was evaluated", "Ethical considerations", "Caveats")
  expect_identical(lines[startsWith(lines, "## ")], paste("##", headings))
  expect_identical(sum(grepl("^To be written by the authors", lines)), 3L)
  numbers <- strsplit(lines[startsWith(lines, "| ")], " ?[|] ?")
  expect_identical(numbers[[1]][-1], c("metric", "corrected", "95 % interval", "apparent"))
  for (i in 1:2) {
    e <- every_metric(several)[[i]]
    expect_identical(numbers[[i + 1]][c(3, 5)], shown_of(e, c(e$estimate, e$apparent)))
  }
  expect_match(paste(lines, collapse = " "), sprintf("of %d[.]", ncol(risks)))
  expect_identical(card(fit)[5], lines[[5]])
  expect_identical(card(found)[5], lines[[5]])
})

test_that("a model card lists findings, subgroups and the control, and escapes names", {
  skip_if_not(capabilities("png"))
  few <- quietly(bbc_correct(`colnames<-`(risks[1:18, 1:2], c("a|b", "*c*")), truth[1:18], "roc_auc",
                             n_bootstraps = 100, seed = 2))
  lines <- card(few)
  expect_true(any(grepl("^- [*][*]BBC002 .*What to do: ", lines)))
  expect_false(any(grepl("No findings", lines)))
  expect_match(paste(lines, collapse = " "), if (few$winner == 1) "a\\|b" else "\\*c\\*", fixed = TRUE)
  by <- quietly(bbc_subgroups(quietly(bbc_correct(risks, truth, "roc_auc", seed = 2, n_bootstraps = 100)),
                              rep(c("a<b", "c&d"), 60)))
  set.seed(1)
  control <- bbc_negative_control(function(x, y) bbc_correct(x, y, "roc_auc", n_bootstraps = 50),
                                  risks, truth, n_permutations = 2)
  lines <- card(found, subgroups = by, negative_control = control)
  expect_true(any(grepl("^[|] a\\\\<b [|] 60 [|] 0[.]", lines)))
  expect_true("## Negative control" %in% lines)
  text <- page(found, subgroups = by, kind = "model-card")
  expect_identical(count("<section>", text), count("</section>", text))
  expect_match(text, "a&lt;b")
})

test_that("figures are of vectors where this R draws them", {
  skip_if_not(capabilities("cairo"))
  text <- page(found)
  expect_identical(count("data:image/svg\\+xml;base64,", text), 5L)
  figure <- regmatches(text, regexpr("(?<=svg\\+xml;base64,)[^\"]+", text, perl = TRUE))
  expect_match(rawToChar(decoded(figure)), "<svg [^>]*xmlns=")
})

test_that("pandoc writes pages for Word and in Markdown", {
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available())
  skip_if_not(capabilities("png"))
  folder <- tempfile("report")
  dir.create(folder)
  word <- file.path(folder, "clinical.docx")
  expect_identical(bbc_report(found, word), word)
  parts <- utils::unzip(word, list = TRUE)$Name
  expect_identical(sum(grepl("^word/media/.*[.]png$", parts)), 5L)
  utils::unzip(word, "word/document.xml", exdir = folder)
  text <- paste(readLines(file.path(folder, "word", "document.xml"), warn = FALSE), collapse = " ")
  auc <- found$performance$secondary$roc_auc
  expect_match(text, shown_of(auc, auc$estimate), fixed = TRUE)
  expect_false(grepl("All numbers and curves", text, fixed = TRUE))

  markdown <- file.path(folder, "clinical.md")
  bbc_report(found, markdown, kind = "clinical")
  text <- paste(readLines(markdown, warn = FALSE), collapse = " ")
  expect_match(text, "## Calibration", fixed = TRUE)
  figures <- regmatches(text, gregexpr("clinical_files/[^ \")]+", text))[[1]]
  expect_length(figures, 5)
  expect_true(all(file.exists(file.path(folder, figures))))

  card <- file.path(folder, "card.docx")
  bbc_report(found$performance$secondary$roc_auc, card)
  utils::unzip(card, "word/document.xml", exdir = folder)
  text <- paste(readLines(file.path(folder, "word", "document.xml"), warn = FALSE), collapse = " ")
  expect_match(text, "Intended use", fixed = TRUE)
})

test_that("what is no card is refused", {
  folder <- tempfile(fileext = ".md")
  expect_refused(bbc_report(1, folder), "`result` must be what bbc_correct[(][)] or")
  expect_refused(bbc_report(found, folder, kind = "page"), "`kind` must be")
  expect_refused(bbc_report(found$performance, "x.html", kind = "clinical"), "kind = \"model-card\" takes any estimate")
})

test_that("format() gives the sentence and the methods paragraph of a paper", {
  d <- binary_data()
  fit <- suppressWarnings(bbc_correct(stats::plogis(d$scores), d$truth, "roc_auc", secondary = "brier_score",
                                      n_bootstraps = 60, seed = 1))
  sentence <- format(fit)
  expect_length(sentence, 1)
  shown <- function(e) sprintf("%s (95 %% CI %s to %s)", shown_of(e, e$estimate),
                               shown_of(e, e$confidence_interval$low), shown_of(e, e$confidence_interval$high))
  expect_match(sentence, paste("AUC of the tuned model on new rows is", shown(fit)), fixed = TRUE)
  expect_match(sentence, paste("Brier score of the tuned model on new rows is", shown(fit$secondary$brier_score)),
               fixed = TRUE)
  expect_match(format(fit, "methods"), "corrected for this selection by bootstrap bias correction", fixed = TRUE)
  expect_refused(format(fit, "paper"), "`what` must be \"results\" or \"methods\"")
  expect_refused(format(fit, waht = "methods"), "unknown argument `waht`")
})
