# What threads_of() says with an option, environment variables and process.
under <- function(option = NULL, variable = "", checking = "", limit = "", process = NULL,
                  n_threads = NULL) {
  old <- options(bbcr.threads = option)
  on.exit(options(old))
  kept <- Sys.getenv(c("BBCR_THREADS", "_R_CHECK_LIMIT_CORES_", "OMP_THREAD_LIMIT"), NA)
  Sys.setenv(BBCR_THREADS = variable, "_R_CHECK_LIMIT_CORES_" = checking, OMP_THREAD_LIMIT = limit)
  on.exit({
    Sys.unsetenv(names(kept)[is.na(kept)])
    do.call(Sys.setenv, as.list(kept[!is.na(kept)]))
  }, add = TRUE)
  own <- loaded$process
  if (!is.null(process)) loaded$process <- process
  on.exit(loaded$process <- own, add = TRUE)
  threads_of(n_threads)
}

test_that("the argument goes before the option, that before the variable, that before defaults", {
  expect_identical(under(), 0L)
  cores <- parallel::detectCores()
  expect_identical(under(checking = "TRUE"), min(2L, cores))
  expect_identical(under(checking = "TRUE", limit = "1"), 1L)
  expect_identical(under(limit = "1"), 1L)
  expect_identical(under(limit = "100000"), cores)
  expect_identical(under(limit = "many"), 0L)
  expect_identical(under(variable = "3", limit = "1"), 3L)
  expect_identical(under(checking = "false"), 0L)
  expect_identical(under(process = -1), 1L)
  expect_identical(under(variable = "3", checking = "TRUE", process = -1), 3L)
  expect_identical(under(option = 4, variable = "3"), 4L)
  expect_identical(under(option = 4, variable = "3", n_threads = 5), 5L)
  expect_refused(under(option = "many"), "`options\\(bbcr.threads\\)` must be one whole number")
  expect_refused(under(variable = "many"), "`BBCR_THREADS` must be one whole number")
})

test_that("forked processes compute the same, each with one thread", {
  skip_on_os("windows")
  data <- binary_data()
  whole <- bbc_correct(data$scores, data$truth, "roc_auc", seed = 1, n_threads = 2)
  found <- parallel::mclapply(1:2, function(i) {
    Sys.unsetenv(c("BBCR_THREADS", "_R_CHECK_LIMIT_CORES_", "OMP_THREAD_LIMIT"))
    list(threads_of(NULL), bbc_correct(data$scores, data$truth, "roc_auc", seed = 1))
  }, mc.cores = 2)
  for (own in found) expect_identical(own, list(1L, whole))
})
