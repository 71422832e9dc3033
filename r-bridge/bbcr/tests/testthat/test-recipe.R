skip_if_not_installed("recipes")
two <- droplevels(iris[iris$Species != "setosa", ])
two$place <- factor(rep(c("a", "b"), 50))
line <- list(
  fit = function(x, y, ...) glm(y ~ ., binomial, cbind(x, y = y)),
  predict = function(model, newx) predict(model, newx, type = "response")
)
drawn <- rep(c(TRUE, TRUE, FALSE, TRUE), 25)

test_that("a recipe is trained on the rows that the learner trains on", {
  steps <- recipes::recipe(Species ~ ., two)
  steps <- recipes::step_pca(steps, recipes::all_numeric_predictors(), num_comp = 2)
  steps <- recipes::step_dummy(steps, place)
  design <- recipe_design(steps, two)
  expect_identical(names(design$x), setdiff(names(two), "Species"))
  expect_identical(design$y, two$Species)
  own <- design$around(line$fit, line$predict)
  model <- own$fit(design$x[drawn, ], two$Species[drawn])
  by_hand <- recipes::prep(steps, two[drawn, ])
  terms <- as.data.frame(recipes::bake(by_hand, two, recipes::all_predictors()))
  expected <- line$fit(terms[drawn, ], two$Species[drawn])
  expect_equal(unname(own$predict(model, design$x[!drawn, ])),
               unname(line$predict(expected, terms[!drawn, ])))
  expect_equal(names(coef(model$model)), c("(Intercept)", "PC1", "PC2", "place_b"))
  # Trained before, on all rows: trained anew.
  again <- recipe_design(recipes::prep(steps, two), two)$around(line$fit, line$predict)
  model <- again$fit(design$x[drawn, ], two$Species[drawn])
  expect_equal(coef(model$model), coef(expected))
})

test_that("what goes to another process needs nothing of this package", {
  design <- recipe_design(recipes::recipe(Species ~ ., two), two)
  own <- design$around(line$fit, line$predict)
  fit <- environment(own$fit)$fit
  expect_identical(parent.env(environment(fit)), globalenv())
  expect_identical(environment(environment(fit)$check_outcome), globalenv())
  expect_identical(parent.env(environment(environment(own$predict)$predict)), globalenv())
})

test_that("steps may leave out rows when training, and must leave the outcome as it is", {
  few <- recipes::step_filter(recipes::recipe(dist ~ speed, cars), speed > 10, skip = TRUE)
  own <- recipe_design(few, cars)$around(
    function(x, y, ...) lm(y ~ ., cbind(x, y = y)), function(model, newx) predict(model, newx)
  )
  model <- own$fit(cars["speed"], cars$dist)
  expect_equal(coef(model$model), coef(lm(dist ~ speed, cars, speed > 10)))
  expect_equal(length(own$predict(model, cars["speed"])), 50)
  logs <- recipe_design(recipes::step_log(recipes::recipe(dist ~ speed, cars), dist), cars)
  own <- logs$around(line$fit, line$predict)
  expect_error(own$fit(cars["speed"], cars$dist), "the recipe changes the outcome")
})

test_that("recipes that no protocol can take are refused", {
  learner <- bbc_learner("glm")
  expect_refused(bbc_tune(recipes::recipe(cars), cars, learner, "rmse"),
                 "`x`: the recipe needs one outcome, it has none")
  two_outcomes <- recipes::recipe(dist + speed ~ ., cars)
  expect_refused(bbc_tune(two_outcomes, cars, learner, "rmse"), "it has dist, speed")
  expect_refused(bbc_tune(recipes::recipe(dist ~ speed, cars), cars["dist"], learner, "rmse"),
                 "`data` has no column speed, which the recipe uses")
  expect_refused(bbc_tune(recipes::recipe(dist ~ speed, cars), learners = learner, metric = "rmse"),
                 "`data` must be a data frame: the variables of the recipe")
  marked <- recipes::step_pca(recipes::recipe(Species ~ ., two), recipes::all_numeric_predictors(),
                              num_comp = quote(tune()))
  expect_refused(bbc_tune(marked, two, learner, "roc_auc"), "arguments marked tune")
  weighted <- recipes::recipe(dist ~ ., cars)
  weighted$var_info$role[[1]] <- "case_weights"
  expect_refused(bbc_tune(weighted, cars, learner, "rmse"), "case weights of a recipe are not taken")
})

test_that("steps that move rows or levels, and groups among the predictors, are refused", {
  learner <- bbc_learner("glm")
  moved <- recipes::step_arrange(recipes::recipe(dist ~ speed, cars), speed)
  expect_refused(bbc_tune(moved, cars, learner, "rmse"), "step_arrange\\(\\) with skip = FALSE")
  turned <- recipes::step_relevel(recipes::recipe(Species ~ ., two), Species, ref_level = "virginica", skip = TRUE)
  expect_error(suppressWarnings(bbc_tune(turned, two, learner, "accuracy", cv = 3)), "changes the levels of the outcome")
  expect_refused(bbc_tune(recipes::recipe(Species ~ ., two), two, learner, "accuracy", groups = "place"),
                 "`groups`: place is a predictor of the recipe")
  plain <- recipes::recipe(Species ~ ., two)
  other <- recipes::update_role(plain, place, new_role = "ID")
  expect_false(identical(recipe_design(plain, two)$steps, recipe_design(other, two)$steps))
})
