# Uno's C of survival::concordance: weights 1 / G(t-)^2, events before tau (its ymax includes tau).
# Writes cases.csv (the data, which make.py reads too) and uno.csv. Times tie in the last two cases.
library(survival)
set.seed(20261122)
cases <- list()
values <- list()
for (case in 1:6) {
  n <- c(25, 60, 150, 300, 60, 150)[case]
  risk <- rnorm(n)
  event_time <- rexp(n, exp(risk) / 5)
  censoring_time <- rexp(n, 1 / c(4, 8, 8, 20, 6, 8)[case])
  time <- round(pmin(event_time, censoring_time), if (case > 4) 0 else 4) + (case > 4)
  event <- as.integer(event_time <= censoring_time)
  risk <- round(risk + rnorm(n), 1)
  tau <- round(unname(quantile(time, 0.85)), 3) + 0.0005
  cases[[case]] <- data.frame(case, time, event, risk)
  fit <- function(ymax) {
    concordance(Surv(time, event) ~ risk, reverse = TRUE, timewt = "n/G2", ymax = ymax)
  }
  values[[case]] <- data.frame(case, tau, uno = unname(fit(NULL)$concordance),
                               uno_to_tau = unname(fit(tau)$concordance))
}
write.csv(do.call(rbind, cases), "cases.csv", row.names = FALSE, quote = FALSE)
options(digits = 16)
write.csv(do.call(rbind, values), "uno.csv", row.names = FALSE, quote = FALSE)
