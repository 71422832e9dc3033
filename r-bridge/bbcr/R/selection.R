#' Select the least complex configuration within one standard error of the best
#'
#' For the argument `selection` of [bbc_correct()] and [bbc_dominated()]. The standard error is that
#' of the best configuration's fold scores on all rows; it is the same in all replicates. Needs
#' `folds`. Equally complex configurations are decided by score, then by number.
#'
#' @param complexity One number per configuration, larger for more complex; only their order counts.
#' @return A selection rule.
#' @references
#' L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). *Classification and Regression Trees*,
#' section 3.4.3.
#' @examples
#' set.seed(1)
#' truth <- rnorm(60)
#' predictions <- sapply(1:5, function(degree) truth + rnorm(60))
#' e <- bbc_correct(predictions, truth, "mean_squared_error", folds = rep(1:6, 10),
#'                  selection = bbc_one_standard_error(1:5), n_threads = 2)
#' e$winner
#' @export
bbc_one_standard_error <- function(complexity) {
  if (!is.numeric(complexity) || length(dim(complexity)) > 1 || length(complexity) == 0) {
    abort("`complexity` must be numbers, one per configuration, not %s", first_class(complexity))
  }
  if (any(!is.finite(complexity))) {
    abort("`complexity` is not finite at %s", place_text(!is.finite(complexity), "configuration"))
  }
  structure(list(complexity = as.double(complexity)), class = "bbc_selection")
}

#' @export
print.bbc_selection <- function(x, ...) {
  cat(sprintf("<one standard error rule for %d configurations>\n", length(x$complexity)))
  invisible(x)
}

# NULL stands for the best score.
selection_of <- function(selection) {
  if (identical(selection, "best")) return(NULL)
  if (!inherits(selection, "bbc_selection")) {
    abort("`selection` must be \"best\" or bbc_one_standard_error(complexity), not %s",
          if (is.character(selection)) shown(selection) else first_class(selection))
  }
  selection
}

# The complexities of the configurations that stay; NULL for the best score.
complexity_of <- function(selection, problem) {
  if (is.null(selection)) return(NULL)
  if (length(selection$complexity) != problem$n_configurations) {
    abort("`selection`: complexity has %d entries for %d configurations",
          length(selection$complexity), problem$n_configurations)
  }
  kept <- problem$kept_configurations
  if (is.null(kept)) selection$complexity else selection$complexity[kept]
}
