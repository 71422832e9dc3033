test_that("an interrupt stops the kernel and R goes on", {
  skip_on_os("windows")
  data <- binary_data(400, 400)
  # The shell sends the signal to this process while the kernel works.
  system(sprintf("(sleep 0.5; kill -INT %d) &", Sys.getpid()))
  started <- proc.time()[["elapsed"]]
  condition <- tryCatch(
    bbc_correct(data$scores, data$truth, "average_precision", n_bootstraps = 1e6, seed = 1),
    interrupt = identity
  )
  expect_s3_class(condition, "interrupt")
  expect_lt(proc.time()[["elapsed"]] - started, 5)
  expect_equal(bbc_correct(data$labels, data$truth, "accuracy", seed = 1)$n_rows, 400)
})
