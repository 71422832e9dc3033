test_that("protocols have names in lower case", {
  learner <- bbc_learner(function(x, y) 1, predict = function(model, newx) newx[[1]])
  expect_refused(bbc_search(dist ~ speed, cars, learner, "rmse", protocol = "CV"),
                 "`protocol` must be \"BBCD\" or \"BBC\"")
  # Refused alike before Python is asked for: the call reaches the protocol.
  for (call in list(bbc_search, bbc_nested_cv, NCV)) {
    expect_refused(call(dist ~ speed, cars, learner), "`metric` is missing")
    expect_refused(call(dist ~ speed, cars, learner, "rmse", refit = FALSE), "`refit` is no choice")
  }
  expect_identical(formals(bbc_nested_cv), formals(NCV))
})

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
