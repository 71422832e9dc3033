two <- droplevels(iris[iris$Species != "setosa", ])
drawn <- rep(c(TRUE, TRUE, FALSE, TRUE), 25)

# Objects with the parts that parsnip's and workflows' own have.
quosure <- function(expression) {
  structure(stats::as.formula(call("~", expression)), class = c("quosure", "formula"))
}
spec <- function(mode = "classification", ...) {
  structure(list(args = lapply(list(...), quosure), eng_args = list(), mode = mode),
            class = c("rand_forest", "model_spec"))
}
flow <- function(preprocessor, model = spec(), ...) {
  structure(list(pre = list(actions = preprocessor), fit = list(actions = list(
    model = if (!is.null(model)) list(spec = model)
  )), post = list(actions = list(...))), class = "workflow")
}
of_formula <- function(formula) list(formula = list(formula = formula))

test_that("hyper-parameters are the arguments marked tune(), all of them", {
  forest <- spec(mtry = quote(tune()), trees = 20, min_n = quote(parsnip::tune("leaf")))
  learner <- bbc_learner(forest, mtry = 1:2, leaf = c(2, 10))
  expect_identical(learner$labels, c("leaf=2, mtry=1", "leaf=2, mtry=2", "leaf=10, mtry=1", "leaf=10, mtry=2"))
  expect_output(print(learner), "<learner rand_forest: 4 configurations>")
  expect_identical(names(learners_of(list(a = learner))), "a")
  expect_identical(configuration_table(learners_of(learner))$learner, rep("rand_forest", 4))
  expect_refused(bbc_learner(forest, mtry = 1), "`leaf` is marked tune\\(\\) in the model: give its")
  expect_refused(bbc_learner(forest, mtry = 1, leaf = 2, trees = 3),
                 "`trees` is not marked tune\\(\\) in the model; mtry, leaf are")
  expect_refused(bbc_learner(spec(), trees = 3), "`trees` is not marked tune\\(\\) in the model$")
  expect_refused(bbc_learner(spec(), predict = predict), "`predict` is that of the model")
  steps <- structure(list(
    var_info = data.frame(variable = c("a", "y"), role = c("predictor", "outcome")),
    steps = list(list(num_comp = quote(tune("k")), trained = FALSE))
  ), class = "recipe")
  learner <- bbc_learner(flow(list(recipe = list(recipe = steps))), k = 1:3)
  expect_identical(learner$labels, c("k=1", "k=2", "k=3"))
})

test_that("models and workflows that no protocol can take are refused", {
  expect_refused(bbc_learner(spec("unknown")), "the mode of the model must be classification or")
  expect_refused(bbc_learner(spec("censored regression")), "not censored regression")
  expect_refused(bbc_learner(flow(of_formula(y ~ .), NULL)), "the workflow has no model")
  expect_refused(bbc_learner(flow(list())), "the workflow has no recipe, formula or variables")
  expect_refused(bbc_learner(flow(of_formula(log(y) ~ .))), "one column as it is, not log\\(y\\)")
  expect_refused(bbc_learner(flow(of_formula(~ x))), "one column as it is, not none")
  expect_refused(bbc_learner(flow(c(of_formula(y ~ .), list(case_weights = 1)))), "case weights")
  expect_refused(bbc_learner(flow(of_formula(y ~ .), tailor = 1)), "changes predictions")
  learner <- bbc_learner(flow(of_formula(y ~ .)))
  expect_identical(environment(learner$fit)$outcome, "y")
  variables <- list(variables = list(variables = list(outcomes = quosure(quote(y)))))
  expect_identical(environment(bbc_learner(flow(variables))$fit)$outcome, "y")
})

test_that("what goes to another process needs nothing of this package", {
  for (own in bbc_learner(flow(of_formula(y ~ .)))[c("fit", "predict")]) {
    expect_identical(parent.env(environment(own)), globalenv())
    for (value in Filter(is.function, as.list(environment(own)))) {
      expect_identical(environment(value), globalenv())
    }
  }
})

test_that("a model of parsnip is trained with the values in the place of tune()", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("ranger")
  forest <- parsnip::rand_forest("classification", mtry = parsnip::tune(), trees = 20)
  forest <- parsnip::set_engine(forest, "ranger", seed = 1, max.depth = parsnip::tune("depth"))
  learner <- bbc_learner(forest, mtry = 1:2, depth = 3)
  model <- learner$fit(two[drawn, -5], two$Species[drawn], mtry = 2, depth = 3)
  expect_equal(model$fit$mtry, 2)
  expect_match(deparse1(model$fit$call), "max.depth = ~?3")
  shares <- learner$predict(model, two[!drawn, -5])
  expect_identical(colnames(shares), levels(two$Species))
  expect_equal(shares, stats::predict(model$fit, two[!drawn, ])$predictions)
  line <- bbc_learner(parsnip::linear_reg(engine = "lm"))
  model <- line$fit(cars["speed"], cars$dist)
  expect_equal(line$predict(model, cars["speed"]), unname(fitted(lm(dist ~ speed, cars))))
})

test_that("a workflow is trained whole, its recipe too", {
  skip_if_not_installed("workflows")
  skip_if_not_installed("recipes")
  steps <- recipes::recipe(Species ~ ., two)
  steps <- recipes::step_pca(steps, recipes::all_numeric_predictors(), num_comp = quote(tune("k")))
  logistic <- parsnip::logistic_reg(engine = "glm")
  learner <- bbc_learner(workflows::workflow(steps, logistic), k = 1:2)
  model <- learner$fit(two[drawn, -5], two$Species[drawn], k = 2)
  terms <- data.frame(stats::prcomp(two[drawn, -5], center = FALSE)$x[, 1:2], y = two$Species[drawn])
  expect_equal(unname(learner$predict(model, two[drawn, -5])[, "virginica"]),
               unname(fitted(glm(y ~ ., binomial, terms))))
  expect_error(learner$fit(two[drawn, ], two$Species[drawn], k = 2), "is among the predictors")
  logs <- recipes::step_log(recipes::recipe(dist ~ speed, cars), dist)
  learner <- bbc_learner(workflows::workflow(logs, parsnip::linear_reg(engine = "lm")))
  expect_error(learner$fit(cars["speed"], cars$dist), "the workflow changes the outcome")
})
