# Writes golden.json, the numbers that tests/contract/test_intervals_golden.py compares with.
# Run in this folder: Rscript golden.R
# Debian 12: r-base-core r-cran-proc r-cran-boot r-cran-survival r-cran-hmisc
suppressMessages({
  library(boot)
  library(Hmisc)
  library(pROC)
  library(survival)
})

# JSON of lists, numbers and strings; 17 digits restore every bit.
json <- function(x) {
  if (is.list(x)) {
    inner <- vapply(x, json, "")
    if (is.null(names(x))) return(paste0("[", paste(inner, collapse = ", "), "]"))
    return(paste0("{", paste0("\"", names(x), "\": ", inner, collapse = ",\n"), "}"))
  }
  if (is.matrix(x)) return(json(lapply(seq_len(nrow(x)), function(i) x[i, ])))
  if (is.character(x)) return(paste0("\"", x, "\""))
  text <- if (is.integer(x)) as.character(x) else sprintf("%.17g", x)
  if (length(x) == 1) text else paste0("[", paste(text, collapse = ", "), "]")
}

fast_auc <- function(y, s) {
  comparison <- outer(s[y == 1], s[y == 0], function(a, b) (a > b) + (a == b) / 2)
  mean(comparison)
}
roc_of <- function(y, s) roc(y, s, levels = c(0, 1), direction = "<", quiet = TRUE)

# --- AUC: pROC -----------------------------------------------------------------------------------
auc_case <- function(name, y, first, second) {
  a <- roc_of(y, first)
  b <- roc_of(y, second)
  test <- roc.test(a, b, method = "delong", paired = TRUE)
  list(
    name = name, y = as.integer(y), first = first, second = second,
    auc = as.numeric(auc(a)), variance = var(a, method = "delong"),
    ci_95 = as.numeric(ci.auc(a, conf.level = 0.95, method = "delong"))[c(1, 3)],
    ci_80 = as.numeric(ci.auc(a, conf.level = 0.80, method = "delong"))[c(1, 3)],
    z = as.numeric(test$statistic), p_value = test$p.value
  )
}
set.seed(20240501)
y40 <- rep(0:1, 20)
y60 <- as.integer(seq_len(60) %% 7 == 0)
y11 <- c(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)
auc_cases <- list(
  auc_case("no ties", y40, rnorm(40) + y40, rnorm(40) + 0.5 * y40),
  auc_case("ties", y40, round(rnorm(40) + y40), round(2 * rnorm(40) + y40) / 2),
  auc_case("imbalanced", y60, rnorm(60) + 1.5 * y60, rnorm(60) + y60),
  auc_case("two positives", y11, c(1:9, 5, 10), c(9:1, 5, 10)),
  auc_case("below one half", y40, rnorm(40) - y40, rnorm(40) + y40)
)

# --- proportions ---------------------------------------------------------------------------------
proportions <- list()
for (n in c(1, 7, 50, 1000)) {
  for (k in unique(c(0, 1, n %/% 3, n - 1, n))) {
    for (level in c(0.8, 0.95, 0.999)) {
      both <- binconf(k, n, alpha = 1 - level, method = c("exact"))
      proportions[[length(proportions) + 1]] <- list(
        k = as.integer(k), n = as.integer(n), level = level,
        clopper_pearson = as.numeric(binom.test(k, n, conf.level = level)$conf.int),
        exact_of_hmisc = as.numeric(both)[2:3],
        wilson = as.numeric(suppressWarnings(
          prop.test(k, n, conf.level = level, correct = FALSE))$conf.int)
      )
    }
  }
}

# --- bootstrap of one configuration: boot --------------------------------------------------------
y <- auc_cases[[2]]$y
score <- auc_cases[[2]]$first
n_bootstraps <- 199
jackknife <- function(yy, ss) {
  vapply(seq_along(yy), function(i) fast_auc(yy[-i], ss[-i]), 0)
}
jackknife_variance <- function(yy, ss) {
  values <- jackknife(yy, ss)
  (length(values) - 1) / length(values) * sum((values - mean(values))^2)
}
set.seed(7)
boot_auc <- boot(
  data.frame(y = y, score = score),
  function(d, i) c(fast_auc(d$y[i], d$score[i]), jackknife_variance(d$y[i], d$score[i])),
  R = n_bootstraps, strata = y
)
ci <- boot.ci(boot_auc, conf = 0.90, type = c("perc", "basic", "stud"))
left_out <- jackknife(y, score)
influence <- (length(y) - 1) * (mean(left_out) - left_out)
bca <- boot.ci(boot_auc, conf = 0.90, type = "bca", L = influence)
bootstrap_case <- list(
  y = as.integer(y), score = score,
  resamples = boot.array(boot_auc, indices = TRUE) - 1L,
  estimate = boot_auc$t0[1], replicates = boot_auc$t[, 1],
  percentile = ci$percent[4:5], basic = ci$basic[4:5], studentized = ci$student[4:5],
  bca = bca$bca[4:5], bca_ranks = bca$bca[2:3]
)

# --- tilting: boot -------------------------------------------------------------------------------
# The published procedure, with boot's own influence values and weights; the statistic at the tilted
# weights in closed form.
tilt_lower <- function(t0, t, counts, weights_of, alpha, multiplicity = NULL) {
  p_value <- function(tau) {
    importance <- exp(colSums(log(length(y) * weights_of(tau)) * t(counts)))
    if (is.null(multiplicity)) {
      return(sum(importance * ((t > t0) + 0.5 * (t == t0))) / length(t))
    }
    mean(multiplicity > sum(importance[t <= t0]) / sum(importance))
  }
  low <- 0
  while (p_value(low) > alpha / 2) low <- low - 0.1
  high <- 0
  for (step in 1:200) {
    middle <- (low + high) / 2
    if (p_value(middle) <= alpha) low <- middle else high <- middle
  }
  list(tau = low, p = p_value(low))
}
weighted_auc <- function(y, s, w) {
  comparison <- outer(s[y == 1], s[y == 0], function(a, b) (a > b) + (a == b) / 2)
  sum(w[y == 1] * (comparison %*% w[y == 0])) / (sum(w[y == 1]) * sum(w[y == 0]))
}
set.seed(11)
y <- y40
columns <- cbind(rnorm(40) + y, rnorm(40) + 1.3 * y, round(2 * rnorm(40) + 2 * y) / 2)
observed <- apply(columns, 2, function(s) fast_auc(y, s))
selected <- which.max(observed)
boot_columns <- boot(
  columns, function(d, i) apply(d[i, ], 2, function(s) fast_auc(y[i], s)),
  R = 200, strata = y
)
counts <- boot.array(boot_columns)
placement <- numeric(40)
s <- columns[, selected]
for (i in seq_along(y)) {
  other <- s[y != y[i]]
  better <- if (y[i] == 1) s[i] > other else s[i] < other
  placement[i] <- mean(better + (s[i] == other) / 2)
}
values <- placement - observed[selected]
fitted <- empinf(boot_columns, index = selected)
standard <- function(tau) exp.tilt(values, lambda = tau * 40, strata = y)$p
published <- function(tau) exp.tilt(fitted, lambda = tau * 40)$p
ranks <- apply(boot_columns$t, 2, rank, ties.method = "max") / 201
tilt_case <- list(
  y = as.integer(y), columns = t(columns), selected = as.integer(selected - 1),
  resamples = boot.array(boot_columns, indices = TRUE) - 1L,
  observed = observed[selected], influence = values, fitted = as.numeric(fitted),
  tau = -0.7, standard_weights = standard(-0.7) / 2, published_weights = published(-0.7)
)
for (variant in c("standard", "published")) {
  # Weights that add up to one over the sample: importance is prod (n w)^count for both variants.
  weights_of <- if (variant == "standard") function(tau) standard(tau) / 2 else published
  t <- boot_columns$t[, selected]
  t0 <- observed[selected]
  bt <- tilt_lower(t0, t, counts, weights_of, 0.05)
  mabt <- tilt_lower(t0, t, counts, weights_of, 0.05, apply(ranks, 1, max))
  tilt_case[[variant]] <- list(
    bt_tau = bt$tau, bt = weighted_auc(y, s, weights_of(bt$tau)),
    mabt_tau = mabt$tau, mabt = weighted_auc(y, s, weights_of(mabt$tau))
  )
}

# --- concordance: survival and Hmisc -------------------------------------------------------------
set.seed(13)
time <- c(round(rexp(30) * 10) / 2, 3, 3, 3)
event <- c(as.integer(runif(30) < 0.6), 1L, 0L, 1L)
risk <- round(2 * (rnorm(33) - time / 10)) / 2
concordance_case <- list(
  time = time, event = event, risk = risk,
  survival = as.numeric(concordance(Surv(time, event) ~ risk, reverse = TRUE)$concordance),
  hmisc = 1 - as.numeric(rcorr.cens(risk, Surv(time, event))["C Index"])
)

versions <- vapply(c("pROC", "boot", "survival", "Hmisc"), function(p) {
  as.character(packageVersion(p))
}, "")
writeLines(json(list(
  source = paste0(R.version.string, "; ", paste(names(versions), versions, collapse = ", ")),
  auc = auc_cases, proportions = proportions, bootstrap = bootstrap_case,
  tilting = tilt_case, concordance = concordance_case
)), "golden.json")
