# The table that Python and C are checked against too.
read_table <- function(name) {
  read.csv(test_path("bits", name), colClasses = "character", check.names = FALSE)
}
exact <- function(texts) as.numeric(unlist(strsplit(texts, " ", fixed = TRUE)))

test_that("R gives the bits of Python and C", {
  data <- lapply(read_table("data.csv"), exact)
  columns <- function(case, end) {
    n_outputs <- as.integer(case$n_outputs)
    own <- lapply(seq_len(n_outputs) - 1, function(k) {
      last <- if (n_outputs > 1) paste0("_", k) else ""
      sapply(0:4, function(j) data[[paste0(case$predictions, "_", end, "_", j, last)]])
    })
    if (n_outputs == 1) own[[1]] else array(unlist(own), c(dim(own[[1]]), n_outputs))
  }
  cases <- read_table("cases.csv")
  expect_gt(nrow(cases), 100)
  for (i in seq_len(nrow(cases))) {
    case <- as.list(cases[i, ])
    repeats <- seq_len(as.integer(case$n_repeats)) - 1
    truth <- data[[case$truth]]
    if (case$truth == "time") {
      truth <- structure(cbind(time = truth, status = data$event), class = "Surv", type = "right")
    }
    e <- suppressWarnings(bbc_correct(
      lapply(repeats, function(r) columns(case, r)), truth, case$metric,
      folds = if (nzchar(case$folds)) sapply(repeats, function(r) data[[paste0("fold_", r)]]),
      pooling = if (nzchar(case$folds)) "fold" else "pooled",
      groups = if (nzchar(case$groups)) data[[case$groups]],
      sample_weight = if (nzchar(case$weights)) data[[case$weights]],
      stratify_bootstrap = case$stratified == "1", n_bootstraps = 20, confidence_level = 0.8,
      seed = as.numeric(case$seed)
    ))
    label <- paste("line", i + 1, case$metric)
    expect_identical(e$replicates, exact(case$replicates), label = label)
    expect_identical(e$replicate_winners, as.integer(exact(case$winners)) + 1L, label = label)
    expect_identical(
      c(e$estimate, e$confidence_interval$low, e$confidence_interval$high, e$apparent, e$n_redrawn),
      exact(c(case$estimate, case$low, case$high, case$apparent, case$n_redrawn)), label = label
    )
    expect_identical(e$winner, as.integer(case$winner) + 1L, label = label)
  }
})

test_that("R knows the metrics of Python", {
  without <- c("row_loss", "row_score")
  expect_setequal(setdiff(bbc_metrics()$name, without), unique(read_table("cases.csv")$metric))
})
