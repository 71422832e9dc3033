test_that("what Python says of an interrupt is R's interrupt", {
  expect_identical(tryCatch(interrupt(), interrupt = class), c("interrupt", "condition"))
  # Without a handler R leaves what it was doing, through exits.
  left <- FALSE
  ended <- withRestarts(abort = function() "top level", {
    (function() {
      on.exit(left <<- TRUE)
      interrupt()
    })()
    "went on"
  })
  expect_identical(ended, "top level")
  expect_true(left)
})
