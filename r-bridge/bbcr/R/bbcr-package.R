#' bbcr: honest performance of tuned models
#'
#' Tuning picks the configuration that looked best, so its cross-validated score is too good.
#' [bbc_correct()] takes the out-of-sample predictions of all configurations and returns what to
#' expect on new data, with a confidence interval, without training anything again.
#'
#' @references
#' I. Tsamardinos, E. Greasidou, G. Borboudakis (2018). Bootstrapping the out-of-sample
#' predictions for efficient and accurate cross-validation. *Machine Learning* 107, 1895-1922.
#'
#' @keywords internal
#' @useDynLib bbcr, .registration = TRUE
"_PACKAGE"

# The pronoun of ggplot2's aes().
utils::globalVariables(".data")
