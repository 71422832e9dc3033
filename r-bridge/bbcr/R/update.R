# Results keep their call, which stats::update() changes and evaluates again.

# The result of an exported function with the call that made it: arguments by name, as the `method`
# of a generic has them, and the seed that was drawn. A call within the package names objects that
# nobody else has, so it is not kept.
with_call <- function(result, method = NULL) {
  force(result)
  user <- parent.frame(2)
  if (!from_outside(user)) return(result)
  own <- sys.parent()
  definition <- if (is.null(method)) sys.function(own) else method
  call <- match.call(definition, sys.call(own), envir = user)
  if ("fit" %in% names(formals(definition))) {
    call[[1]] <- sys.call(own - 1)[[1]]  # the generic of a question, which has the seed of its fit
  } else if (!is.null(seed_in(result))) {
    call$seed <- seed_in(result)
  }
  result$call <- call
  result
}

# Whether this is the frame of a user's call, or that of another package.
from_outside <- function(frame) !identical(topenv(frame), topenv())

# The method of a generic of this package for an object.
method_for <- function(generic, object) {
  for (class in c(class(object), "default")) {
    method <- utils::getS3method(generic, class, optional = TRUE, envir = topenv())
    if (!is.null(method)) return(method)
  }
}

# The seed of a result, or of the first result in it.
seed_in <- function(result) {
  if (!is.null(result[["seed"]])) return(result[["seed"]])
  for (part in result) {
    if (is.list(part) && !is.data.frame(part) && !is.null(seed_in(part))) return(seed_in(part))
  }
}

#' Compute a result again with other arguments
#'
#' Results keep their call as `call`, so that `update()` works as it does for other models of R: the
#' call is evaluated again with the arguments that are given here. The call holds the seed, also one
#' that was drawn: replicates remain the same unless `seed` is given. As with other models the
#' objects that the call names must still be there.
#'
#' @param object A result of [bbc_tune()]; all other results have the method of
#'   [stats::update()].
#' @param formula. Changes of the formula, as in [stats::update.formula()].
#' @param ... Arguments to change or add, by name; `NULL` takes one away.
#' @param evaluate Whether to evaluate the call; `FALSE` returns it.
#' @return The new result.
#' @examples
#' set.seed(1)
#' truth <- rbinom(80, 1, 0.5)
#' predictions <- matrix(rbinom(800, 1, 0.5), 80)
#' e <- bbc_correct(predictions, truth, "accuracy", n_threads = 2)
#' update(e, metric = "balanced_accuracy")
#' update(e, confidence_level = 0.9, evaluate = FALSE)
#' @name bbc_update
#' @importFrom stats update
#' @export
update.bbc_protocol <- function(object, formula., ..., evaluate = TRUE) {
  if (!missing(formula.)) {
    if (is.null(object$formula)) abort("`formula.`: the protocol was not given a formula")
    object$call$x <- stats::update.formula(object$formula, formula.)
  }
  call <- stats::update(unclass(object), ..., evaluate = FALSE)
  if (evaluate) eval(call, parent.frame()) else call
}
