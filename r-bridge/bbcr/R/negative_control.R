#' Run the whole analysis on permuted truths
#'
#' Permuting the truth removes whatever can be learned from the inputs. An analysis that still
#' reports a performance better than chance lets information about held-out rows into training or
#' selection, or does not correct for selection.
#'
#' The verdict is a one-sided t test of the mean excess over chance, one observation per
#' permutation. Permutations are drawn independently, and without a leak the expected excess of a
#' corrected estimate is zero or below, so the test errs with probability 1 - `confidence_level` at
#' most, as far as means of so few are normal. Leaks that permuted truths do not show, such as rows
#' that occur twice, are not excluded.
#'
#' With `groups`, outcomes that are constant within groups are permuted between groups; otherwise
#' the groups' blocks of outcomes are put in random order and dealt to the rows.
#'
#' @param analysis A `function(x, y)` that does all of the analysis, with what comes before the
#'   search, and returns a [bbc_estimate] or the result of [bbc_tune()]. Warnings
#'   of findings are not shown: they are about data that nobody has.
#' @param x Inputs, which are passed on as they are; for the methods a result.
#' @param y The truth: a vector, a factor or `survival::Surv()`.
#' @param n_permutations Number of permuted truths, at least 2; each costs as much as the analysis.
#' @param groups The group of each row, such as a patient, whose outcomes stay together.
#' @param chance The metric's value for predictions that know nothing of the rows. By default known
#'   for AUC and C-index (1/2), correlations, kappas and MCC (0) and balanced accuracy (one over the
#'   number of classes); other metrics need it.
#' @param confidence_level One minus the probability of calling an analysis without leak suspect.
#' @param ... No other arguments.
#' @return An object of class `bbc_negative_control`, a list with `runs` (a data frame with a row
#'   per permutation: `estimate`, `low`, `high`, `chance` and `excess`, by how much the estimate is
#'   better than chance), `mean_excess`, `standard_error`, `p_value`, `suspect`, `verdict`,
#'   `n_covering` (runs whose interval holds chance), `metric` and `confidence_level`. [set.seed()]
#'   makes it reproducible.
#' @references
#' M. Ojala, G. C. Garriga (2010). Permutation tests for studying classifier performance. *Journal
#' of Machine Learning Research* 11, 1833-1863.
#' @examples
#' # The five best of 200 features are chosen on all rows, before the cross-validation.
#' set.seed(1)
#' x <- matrix(rnorm(60 * 200), 60)
#' y <- rep(0:1, 30)
#' folds <- rep(1:5, each = 2, length.out = 60)
#' leaky <- function(x, y) {
#'   best <- order(-abs(cor(x, y)))[1:5]
#'   scores <- sapply(1:5, function(k) {
#'     out <- numeric(60)
#'     for (fold in 1:5) {
#'       own <- folds == fold
#'       signs <- sign(cor(x[!own, best[1:k], drop = FALSE], y[!own]))
#'       out[own] <- x[own, best[1:k], drop = FALSE] %*% signs
#'     }
#'     out
#'   })
#'   bbc_correct(scores, y, "roc_auc", n_bootstraps = 200, n_threads = 2)
#' }
#' bbc_negative_control(leaky, x, y)
#' @export
bbc_negative_control <- function(analysis, x, y, n_permutations = 5, groups = NULL, chance = NULL,
                                 confidence_level = 0.95, ...) {
  no_more_arguments(...)
  if (!is.function(analysis)) {
    abort("`analysis` must be a function of x and y, not %s", first_class(analysis))
  }
  n_permutations <- whole_number(n_permutations, "n_permutations", 2)
  level <- check_level(confidence_level)
  if (!is.null(chance) && (!is.numeric(chance) || length(chance) != 1 || !is.finite(chance))) {
    abort("`chance` must be one finite number")
  }
  if (!is.atomic(y) || (length(dim(y)) > 1 && !inherits(y, "Surv"))) {
    abort("`y` must be a vector, a factor or survival::Surv(), not %s", first_class(y))
  }
  n_rows <- NROW(y)
  if (n_rows < 2) abort("`y` must have an entry for each of at least two rows")
  blocks <- outcome_blocks(y, groups, n_rows)
  runs <- lapply(seq_len(n_permutations), function(i) {
    permuted <- permuted_truth(y, if (is.null(blocks)) sample.int(n_rows) else dealt(blocks))
    e <- control_estimate(analysis(x, permuted))
    list(e = e, chance = if (is.null(chance)) chance_of(e, permuted) else chance)
  })
  with_call(new_negative_control(lapply(runs, `[[`, "e"), vapply(runs, `[[`, 0, "chance"), level))
}

# An analysis, without warnings of findings.
control_estimate <- function(code) {
  found <- withCallingHandlers(code, warning = function(condition) {
    if (grepl("^(BBC[0-9]{3}|no configuration has) ", conditionMessage(condition))) {
      invokeRestart("muffleWarning")
    }
  })
  if (inherits(found, "bbc_protocol")) found <- found$performance
  if (!inherits(found, "bbc_estimate")) {
    abort("`analysis` must return a bbc_estimate or the result of a protocol, not %s",
          first_class(found))
  }
  found
}

# The truth with other rows' entries; names stay with the rows.
permuted_truth <- function(y, rows) {
  permuted <- y[rows]
  if (!is.null(names(y))) names(permuted) <- names(y)
  permuted
}

# The rows of each group, in the order of first rows, and whether each has one outcome.
outcome_blocks <- function(y, groups, n_rows) {
  if (is.null(groups)) return(NULL)
  codes <- codes_by_first_row(per_row(groups, "groups", n_rows))
  if (max(codes) < 1) abort("`groups` has one group: its outcomes have no other order")
  rows <- unname(split(seq_len(n_rows), codes))
  text <- if (inherits(y, "Surv")) paste(y[, 1], y[, 2]) else as.character(y)
  list(rows = rows, codes = codes,
       constant = all(vapply(rows, function(own) all(text[own] == text[own[[1]]]), NA)))
}

# The row whose outcome each row gets.
dealt <- function(blocks) {
  drawn <- sample.int(length(blocks$rows))
  if (blocks$constant) {
    first <- vapply(blocks$rows, `[[`, 1L, 1)
    return(first[drawn][blocks$codes + 1])
  }
  replace(integer(length(blocks$codes)), unlist(blocks$rows), unlist(blocks$rows[drawn]))
}

# The value of any predictor that knows nothing of the rows, whatever the classes' shares.
known_chance <- c(
  roc_auc = 0.5, roc_auc_ovr = 0.5, roc_auc_ovo = 0.5, roc_auc_ovo_pairs = 0.5,
  concordance_index = 0.5, spearman = 0, mcc = 0, kappa = 0,
  linear_weighted_kappa = 0, quadratic_weighted_kappa = 0
)

chance_of <- function(e, y) {
  if (e$metric %in% metric_table()$name) {
    metric <- bbc_metric(e$metric)
    if (metric$kernel == "balanced_accuracy") return(1 / length(unique(as.vector(y))))
    if (metric$kernel %in% names(known_chance)) return(metric$sign * known_chance[[metric$kernel]])
  }
  abort("`chance` is needed: that of metric \"%s\" is not known", e$metric)
}

new_negative_control <- function(estimates, chance, level) {
  n <- length(estimates)
  of_each <- function(get) vapply(estimates, function(e) as.double(or_na(get(e))), 0)
  sign <- if (estimates[[1]]$greater_is_better) 1 else -1
  runs <- data.frame(
    estimate = of_each(function(e) e$estimate), chance = chance,
    low = of_each(function(e) e$confidence_interval$low),
    high = of_each(function(e) e$confidence_interval$high)
  )
  runs$excess <- sign * (runs$estimate - runs$chance)
  mean_excess <- mean(runs$excess)
  error <- stats::sd(runs$excess) / sqrt(n)
  p_value <- if (error == 0) as.double(mean_excess <= 0) else stats::pt(-mean_excess / error, n - 1)
  covering <- ifelse(is.na(runs$low), runs$excess <= 0,
                     runs$low <= runs$chance & runs$chance <= runs$high)
  suspect <- p_value < 1 - level
  result <- new_result(list(
    runs = runs[c("estimate", "low", "high", "chance", "excess")], mean_excess = mean_excess,
    standard_error = error, p_value = p_value, suspect = suspect,
    verdict = control_verdict(mean_excess, p_value, suspect), n_covering = sum(covering),
    metric = estimates[[1]]$metric, method = estimates[[1]]$method, confidence_level = level
  ), "bbc_negative_control")
  attr(result, "decimals") <- rep(list(decimals_of(estimates[[1]])), length(estimates))
  result
}

control_verdict <- function(mean_excess, p_value, suspect) {
  if (suspect) {
    return(sprintf(paste(
      "on permuted truths the estimate beats chance by %s on average (p = %s): information",
      "about held-out rows reaches training or selection, or selection is not corrected for"
    ), written("%.4f", mean_excess), written("%.2g", p_value)))
  }
  sprintf(paste(
    "on permuted truths the estimate is compatible with chance (on average %s %s it,",
    "p = %s); leaks that the control cannot see are not excluded"
  ), written("%.4f", abs(mean_excess)), if (mean_excess > 0) "above" else "below",
  written("%.2g", p_value))
}

show_result.bbc_negative_control <- function(x) {
  cat_parts(sprintf("negative control: %s on %s", x$metric,
                    counted(nrow(x$runs), "permuted truth")), paste("method", x$method))
  runs <- x$runs
  for (column in names(runs)) {
    runs[[column]] <- unlist(Map(to_decimals, runs[[column]], attr(x, "decimals")))
  }
  print(runs, row.names = FALSE)
  cat(strwrap(x$verdict, line_width, exdent = 2), sep = "\n")
  cat_parts(sprintf("%d of %d intervals contain chance", x$n_covering, nrow(x$runs)))
}

frame_of.bbc_negative_control <- function(x) x$runs

glance_of.bbc_negative_control <- function(x) {
  data.frame(metric = x$metric, method = x$method, n_permutations = nrow(x$runs),
             estimate = x$mean_excess, std.error = x$standard_error, p.value = x$p_value,
             suspect = x$suspect, conf.level = x$confidence_level)
}
