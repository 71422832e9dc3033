# The condition that `work` ends with: the shell sends the signal to this process meanwhile.
interrupted <- function(work) {
  system(sprintf("(sleep 0.5; kill -INT %d) &", Sys.getpid()))
  tryCatch(work(), interrupt = identity)
}

test_that("an interrupt stops the kernel and R goes on", {
  skip_on_os("windows")
  skip_on_cran()  # signals and times are not for machines that others share
  # R 4.5 ignores what its parent ignores, as a script's background does: nothing would end.
  skip_if_not(inherits(interrupted(function() Sys.sleep(5)), "interrupt"), "SIGINT is ignored here")
  data <- binary_data(400, 400)
  scores <- data$scores
  folds <- rep(1:5, 80)
  choose <- function(scores, counts) which.max(scores)
  long_work <- list(
    function() bbc_correct(scores, data$truth, "average_precision", n_bootstraps = 1e6, seed = 1),
    function() bbc_correct(scores, data$truth, "roc_auc", selection = choose, n_bootstraps = 1e7,
                           seed = 1),
    function() bbc_dominated(scores, data$truth, "average_precision", n_bootstraps = 1e6, seed = 1),
    function() bbc_bound(scores, data$truth, folds, "nb", n_bootstraps = 1e8, seed = 1)
  )
  for (work in long_work) {
    started <- proc.time()[["elapsed"]]
    expect_s3_class(interrupted(work), "interrupt")
    expect_lt(proc.time()[["elapsed"]] - started, 60)  # whole, each takes longer, on a busy machine too
  }
  expect_equal(bbc_correct(data$labels, data$truth, "accuracy", seed = 1)$n_rows, 400)
})
