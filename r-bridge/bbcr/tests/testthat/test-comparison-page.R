quietly <- suppressWarnings
set.seed(3)
n <- 200
logit <- rnorm(n)
truth <- rbinom(n, 1, plogis(2 * logit))
risks <- function(sd, k) plogis(1.2 * logit + matrix(rnorm(n * k, sd = sd), n))
families <- list(trees = risks(2.2, 8), boosting = risks(0.5, 20), "one <rule>" = risks(2.4, 1))
compared <- function(given = families, ...) {
  quietly(bbc_compare(given, truth, "roc_auc", folds = seq_len(n) %% 10, seed = 1, n_bootstraps = 200, ...))
}
found <- compared(secondary = "neg_log_loss")

page <- function(...) {
  path <- tempfile(fileext = ".html")
  on.exit(unlink(path))
  bbc_report(..., path = path)
  paste(readLines(path, encoding = "UTF-8"), collapse = "\n")
}

plain <- function(text) {
  text <- gsub("[[:space:]]+", " ", gsub("<[^>]*>", " ", gsub("<style>.*</style>|src=\"[^\"]*\"", "", text)))
  gsub("&lt;", "<", gsub("&gt;", ">", text, fixed = TRUE), fixed = TRUE)
}

# Rows of cells of each table.
tables <- function(text) {
  matches <- function(pattern, text) regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
  lapply(matches("(?s)<table.*?</table>", text), function(table) {
    rows <- matches("(?s)<tr>.*?</tr>", table)
    t(vapply(rows, function(row) plain(matches("<t[hd][^>]*>.*?</t[hd]>", row)), character(
      length(matches("<t[hd]", rows[[1]]))
    ), USE.NAMES = FALSE))
  })
}

agrees <- function(text, value) {
  numbers <- as.numeric(unlist(regmatches(text, gregexpr("-?[0-9]+[.]?[0-9]*(e-?[0-9]+)?", text))))
  expect_length(numbers, length(value))
  digits <- nchar(sub("^[^.]*[.]?", "", regmatches(text, regexpr("[0-9.]+", text))))
  expect_lte(max(abs(numbers - value)), 0.5000001 * 10^-digits)
}

test_that("tables are the estimates and differences", {
  skip_if_not(capabilities("png"))
  shown <- tables(page(found))
  expect_length(shown, 3)
  winners <- shown[[1]][-1, ]
  expect_identical(trimws(winners[, 1]), names(families))
  for (i in seq_along(families)) {
    e <- found$estimates[[i]]
    expect_identical(trimws(winners[i, 2:3]), c(as.character(e$n_configurations), e$winner_name))
  }
  expect_identical(trimws(winners[3, 4]), "-")
  rows <- shown[[2]][-1, ]
  i <- 0
  for (one in bbcr:::every_comparison(found)) for (name in names(families)) {
    e <- one$estimates[[name]]
    sign <- if (startsWith(one$metric, "neg_")) -1 else 1
    i <- i + 1
    expect_identical(trimws(rows[i, 1:2]), c(if (sign < 0) "log loss" else "AUC", name))
    agrees(rows[i, 3], sign * e$estimate)
    agrees(rows[i, 4], sort(sign * c(e$confidence_interval$low, e$confidence_interval$high)))
    agrees(rows[i, 5], sign * e$apparent)
  }
  expect_identical(nrow(rows), 6L)
  rows <- shown[[3]][-1, ]
  pairs <- do.call(rbind, lapply(bbcr:::every_comparison(found), `[[`, "differences"))
  expect_identical(nrow(rows), nrow(pairs))
  for (i in seq_len(nrow(pairs))) {
    expect_identical(trimws(rows[i, 2:3]), c(pairs$first[[i]], pairs$second[[i]]))
    agrees(rows[i, 4], pairs$estimate[[i]])
    agrees(rows[i, 5], c(pairs$low[[i]], pairs$high[[i]]))
    agrees(rows[i, 6], pairs$p_value[[i]])
  }
})

test_that("the page says what was selected and how", {
  skip_if_not(capabilities("png"))
  text <- plain(page(found))
  for (said in c(
    "3 families with 29 configurations in all were compared by 10-fold cross-validation on 200 rows: within",
    "each family (trees, boosting), one was selected by AUC on all rows together; of one <rule>, the one configuration was evaluated.",
    "with 200 replicates that draw rows (seed 1; bbcr", "nothing is adjusted for the number of metrics",
    "[1] I. Tsamardinos"
  )) expect_match(text, said, fixed = TRUE)
  expect_error(bbc_report(found, tempfile(fileext = ".html"), kind = "clinical"), "must be what bbc_clinical")
})

test_that("a conclusion says no more than intervals and p-values", {
  said <- bbcr:::conclusion_of
  pairs <- found$secondary[[1]]$differences
  expect_identical(
    lengths(regmatches(said(found$secondary[[1]]), gregexpr("was better than", said(found$secondary[[1]])))),
    sum(pairs$p_value < 0.05 / 3)
  )
  expect_gt(sum(pairs$p_value < 0.05 / 3), 0)
  one <- compared(families[1:2])
  told <- function(low, high, p_value = 0.5, estimate = (low + high) / 2, alternative = "two-sided") {
    one$differences[c("estimate", "low", "high", "p_value")] <- list(estimate, low, high, p_value)
    one$alternative <- alternative
    said(one)
  }
  expect_identical(told(-0.05, -0.01, 0.01), "boosting was better than trees by 0.030 in AUC (95 % CI 0.010 to 0.050).")
  expect_match(told(0.01, 0.05, 0.01), "^trees was better than boosting by 0.030 in AUC")
  for (undecided in c(told(-0.01, 0.05), told(0, 0.05), told(-0.01, 0.05, 0.001), told(0.01, 0.05, 0.2))) {
    expect_match(undecided, "^The data do not tell trees and boosting apart: the difference in AUC, positive")
  }
  expect_match(told(-0.01, Inf, estimate = 0.03, alternative = "greater"),
               "^The data do not show that trees is better than boosting: ")
  expect_match(told(-Inf, -0.01, 0.01, -0.03, "less"), "^boosting was better than trees by .*lower bound 0.01")
  one$infeasible <- "there are 2 rows"
  expect_identical(told(NA_real_, NA_real_, NA_real_, 0.3), paste(
    "The data do not tell trees and boosting apart by AUC: their difference has no interval (there are 2 rows)."
  ))
})

test_that("the picture shows every family and pair of every metric", {
  panels <- bbcr:::picture(found)$panels
  expect_length(panels, 4)
  every <- bbcr:::every_comparison(found)
  for (i in seq_along(every)) {
    sign <- if (startsWith(every[[i]]$metric, "neg_")) -1 else 1
    of_kind <- function(panel, kind) Filter(function(one) one$kind == kind, panel$layers)[[1]]$data
    points <- of_kind(panels[[2 * i - 1]], "point")
    for (what in c("corrected", "apparent")) {
      field <- c(corrected = "estimate", apparent = "apparent")[[what]]
      expect_equal(points$x[points$what == what],
                   sign * vapply(every[[i]]$estimates, `[[`, 0, field, USE.NAMES = FALSE))
    }
    expect_identical(panels[[2 * i - 1]]$y$labels, names(families))
    ends <- of_kind(panels[[2 * i]], "segment")
    expect_equal(ends$x, every[[i]]$differences$low)
    expect_equal(ends$xend, every[[i]]$differences$high)
    expect_identical(gsub("\n", " ", names(panels)[[2 * i]]), bbcr:::conclusion_of(every[[i]]))
  }
  skip_if_not_installed("ggplot2")
  built <- ggplot2::ggplot_build(ggplot2::autoplot(found))
  for (i in 1:4) {
    y <- built$layout$panel_params[[i]]$y
    inside <- !is.na(y$get_breaks()) & y$get_breaks() >= y$continuous_range[[1]] &
      y$get_breaks() <= y$continuous_range[[2]]
    expect_identical(y$get_labels()[inside], if (i %% 2) names(families) else colnames(found$replicates))
  }
})

test_that("format() of every answer is text for a paper, and no list", {
  set.seed(1)
  truth <- rep(0:1, 30)
  scores <- matrix(rnorm(360), 60) + truth
  colnames(scores) <- paste0("m", 1:6)
  fit <- quietly(bbc_correct(scores, truth, metric = "roc_auc", seed = 1))
  compared <- quietly(bbc_compare(scores, truth, "roc_auc", by = rep(c("a", "b"), 3), seed = 1))
  expect_match(format(compared), "tell apart|tells|better|differ")
  expect_length(format(compared), 1)
  expect_match(format(compared, "methods"), "within each|of each|families|learner")
  expect_refused(format(compared, "page"), "`what`")
  counts <- quietly(bbc_per_1000(quietly(bbc_correct(plogis(scores), truth, "roc_auc", seed = 1))))
  expect_identical(format(counts), paste(capture.output(print(counts)), collapse = "\n"))
  expect_refused(format(counts, digits = 2), "unknown argument `digits`")
})

test_that("numbers of a column have one number of digits", {
  alone <- quietly(bbc_compare(families, truth, "roc_auc", folds = seq_len(n) %% 10, seed = 1, n_bootstraps = 2000))
  own <- vapply(alone$estimates, decimals_of, 0)
  expect_gt(length(unique(own)), 1)
  shown <- lapply(tables(page(alone)), function(table) array(trimws(table), dim(table)))
  expect_identical(shown[[2]][1, ], c("family", "corrected", "95 % interval", "apparent"))
  expect_identical(shown[[3]][1, 1:3], c("first", "second", "first better by"))
  digits <- function(cells) {
    numbers <- unlist(regmatches(cells, gregexpr("[0-9]+[.][0-9]+", cells)))
    unique(nchar(sub(".*[.]", "", numbers)))
  }
  expect_equal(digits(shown[[2]][-1, 2:4]), min(own))
  expect_length(digits(shown[[3]][-1, 3:4]), 1)
  lines <- grep("^ *(trees|boosting) ", capture.output(print(alone)), value = TRUE)
  expect_equal(digits(lines[1:2]), min(own))
})
