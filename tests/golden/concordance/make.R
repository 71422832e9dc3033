# Concordance of survival::concordance and Hmisc::rcorr.cens, with ties in times and risks.
# Writes cases.csv (the data) and values.csv (what both packages say).
library(survival)
suppressMessages(library(Hmisc))
set.seed(20240607)
cases <- list()
values <- list()
for (case in 1:6) {
  n <- c(5, 12, 30, 30, 80, 200)[case]
  time <- sample(ceiling(n / 2), n, replace = TRUE) / 4
  event <- rbinom(n, 1, c(1, .7, .5, .3, .6, .6)[case])
  event[which.min(time)] <- 1
  risk <- round(rnorm(n) - time / max(time), 1)
  cases[[case]] <- data.frame(case, time, event, risk)
  surv <- Surv(time, event)
  values[[case]] <- data.frame(
    case,
    # Their predictor rises with survival, ours with risk.
    survival = unname(concordance(surv ~ risk, reverse = TRUE)$concordance),
    hmisc = unname(rcorr.cens(-risk, surv)["C Index"])
  )
}
write.csv(do.call(rbind, cases), "cases.csv", row.names = FALSE, quote = FALSE)
write.csv(do.call(rbind, values), "values.csv", row.names = FALSE, quote = FALSE)
