# The condition that `work` ends with: the shell sends the signal to this process meanwhile.
interrupted <- function(work) {
  press <- sprintf("(sleep 0.5; kill -INT %d) &", Sys.getpid())
  tryCatch({system(press); work()}, interrupt = identity)  # any moment will do
}

processor_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])

test_that("an interrupt stops the kernel and R goes on", {
  skip_on_os("windows")
  skip_on_cran()  # signals are not for machines that others share
  # R 4.5 ignores what its parent ignores, as a script's background does: nothing would end. So does a
  # shell that R starts, which lives on then.
  ignored <- suppressWarnings(system("kill -INT $$; echo ignored", intern = TRUE))
  skip_if(length(ignored) > 0, "SIGINT is ignored here")
  data <- binary_data(400, 400)
  scores <- data$scores
  folds <- rep(1:5, 80)
  choose <- function(scores, counts) which.max(scores)
  long_work <- list(
    function() bbc_correct(scores, data$truth, "average_precision", n_bootstraps = 1e6, seed = 1),
    function() bbc_correct(scores, data$truth, "roc_auc", selection = choose, n_bootstraps = 1e7,
                           seed = 1),
    function() bbcr:::dominance(list(predictions = scores, truth = data$truth), bbcr:::checked_options(
      "average_precision", n_bootstraps = 1e6, seed = 1
    ), 0.99),
    function() bbc_bound(scores, data$truth, folds, "nb", n_bootstraps = 1e8, seed = 1)
  )
  for (work in long_work) {
    started <- processor_seconds()
    expect_s3_class(interrupted(work), "interrupt")
    expect_lt(processor_seconds() - started, 60)  # whole, each takes longer
  }
  expect_equal(bbc_correct(data$labels, data$truth, "accuracy", seed = 1)$n_rows, 400)
})
