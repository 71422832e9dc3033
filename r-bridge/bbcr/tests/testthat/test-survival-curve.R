# BBC023: the winner is worse than the Kaplan-Meier curve of the rows.

codes <- function(x) x$findings$code

# Times, some censored, and probabilities of surviving .4.
set.seed(1)
drawn <- local({
  risk <- stats::rnorm(300)
  time <- stats::rexp(300, exp(risk))
  censored <- stats::rexp(300, 1 / 3)
  cells <- cbind(time = pmin(time, censored), status = time <= censored)
  list(cells = cells, truth = structure(cells, class = "Surv", type = "right"),
       survival = matrix(exp(-0.4 * exp(risk))))
})

# The product-limit estimate, and with it the score of the curve.
kaplan_meier <- function(cells, at) {
  time <- cells[, "time"]
  event <- cells[, "status"] == 1
  own <- unique(time[event & time <= at])
  prod(vapply(own, function(t) 1 - sum(time == t & event) / sum(time >= t), 0))
}

test_that("turned probabilities are worse than the curve, and it is warned of", {
  at_once <- bbc_metric("survival_brier_score", time = 0.4)
  right <- bbc_correct(drawn$survival, drawn$truth, at_once, seed = 1)
  expect_false("BBC023" %in% codes(right))
  expect_warning(
    turned <- bbc_correct(1 - drawn$survival, drawn$truth, at_once, seed = 1),
    "BBC023 winner worse than the Kaplan-Meier curve: its score is"
  )
  curve <- kaplan_meier(drawn$cells, 0.4)
  flat <- bbc_correct(matrix(curve, 300), drawn$truth, at_once, seed = 1)
  expect_false("BBC023" %in% codes(flat))
  expect_identical(
    turned$findings$detail[codes(turned) == "BBC023"],
    sprintf("its score is %.3g, that of the curve %.3g", turned$apparent, flat$apparent)
  )
})

test_that("a curve at several times is compared as well", {
  span <- bbc_metric("integrated_brier_score", times = c(0.2, 0.4))
  risk <- -log(drawn$survival) / 0.4
  turned <- array(1 - exp(-c(0.4 * risk, 0.2 * risk)), c(300, 1, 2))
  expect_warning(e <- bbc_correct(turned, drawn$truth, span, seed = 1), "BBC023")
  right <- array(exp(-c(0.2 * risk, 0.4 * risk)), c(300, 1, 2))
  expect_false("BBC023" %in% codes(bbc_correct(right, drawn$truth, span, seed = 1)))
})
