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
    abort("`complexity` is not finite at %s", place_of(!is.finite(complexity), "configuration"))
  }
  structure(list(complexity = as.double(complexity)), class = "bbc_selection")
}

#' @export
print.bbc_selection <- function(x, ...) {
  cat(sprintf("<one standard error rule for %s>\n", counted(length(x$complexity), "configuration")))
  invisible(x)
}

# NULL stands for the best score; a function is kept as `choose`.
selection_of <- function(selection) {
  if (identical(selection, "best")) return(NULL)
  if (is.function(selection)) return(list(choose = selection))
  if (!inherits(selection, "bbc_selection")) {
    abort("`selection` must be \"best\", bbc_one_standard_error(complexity) or a function, not %s",
          if (is.character(selection)) shown(selection) else first_class(selection))
  }
  selection
}

# The complexities of the configurations that stay; NULL for other rules.
complexity_of <- function(selection, problem) {
  if (is.null(selection$complexity)) return(NULL)
  if (length(selection$complexity) != problem$n_configurations) {
    abort("`selection`: complexity has %s for %s", counted(length(selection$complexity), "number"),
          counted(problem$n_configurations, "configuration"))
  }
  kept <- problem$kept_configurations
  if (is.null(kept)) selection$complexity else selection$complexity[kept]
}

# The user's function, what it returns checked.
checked_choice <- function(choose, n_configurations) {
  function(scores, counts) {
    index <- choose(scores, counts)
    if (!is.numeric(index) || length(index) != 1 || is.na(index) || index != floor(index)) {
      abort("`selection`: the function must return the number of a configuration, not %s",
            paste(format(index), collapse = " "))
    }
    if (index < 1 || index > n_configurations) {
      abort("`selection`: the function returned %.0f, there are %d configurations", index,
            n_configurations)
    }
    as.integer(index)
  }
}

# A correction whose winners an R function chooses; keys as those of kernel_correct().
corrected_by_rule <- function(target, predictions, problem, options, plan, threads) {
  n_configurations <- dim(predictions[[1]])[[2]]
  raw <- checked(kernel_correct_by_rule(
    target, predictions, plan, checked_choice(options$selection$choose, n_configurations), threads
  ), problem)
  if (!nzchar(raw$infeasible)) {
    limits <- metric_limits(options$metric, problem$truth$n_classes)
    ends <- checked(kernel_interval(raw$replicates, plan$confidence_level, plan$alternative,
                                    limits[[1]], limits[[2]]))
    raw$low <- ends[[1]]
    raw$high <- ends[[2]]
  }
  raw$replicate_sd <- if (plan$n_bootstraps > 1) stats::sd(raw$replicates) else 0
  raw$optimism <- optimism_of(raw, options$metric)
  raw
}

# The difference of the two numbers that are shown, as everywhere.
optimism_of <- function(raw, metric) {
  difference <- raw$apparent - raw$estimate
  if (metric$greater_is_better) difference else 0 - difference
}
