# Values of R's survival, prodlim and glm for the cases of make.R: writes calibration.csv.
#
# Pseudo-values of the risk of an event by the median time are prodlim's jackknife; intercept and
# slope are the estimating equations with the complementary log-log link and equal variances.
# Survival probabilities are exp(-t exp(risk / 2) / 10). The 25 rows of the first case have no line:
# its squares fall for ever.

library(survival)
library(prodlim)

data <- subset(read.csv("cases.csv"), case > 1)
lines <- lapply(split(data, data$case), function(rows) {
  time <- median(rows$time)
  fit <- survfit(Surv(time, event) ~ 1, rows)
  observed <- 1 - summary(fit, times = time)$surv
  pseudo <- 1 - as.vector(jackknife(prodlim(Hist(time, event) ~ 1, rows), times = time))
  risk <- 1 - exp(-time * exp(rows$risk / 2) / 10)
  x <- log(-log1p(-risk))
  family <- quasi(link = "cloglog", variance = "constant")
  control <- glm.control(epsilon = 1e-14, maxit = 1000)
  line <- glm(pseudo ~ x, family, start = c(0, 1), control = control)
  large <- glm(pseudo ~ 1 + offset(x), family, start = 0, control = control)
  data.frame(
    case = rows$case[1], time = time, observed = observed,
    pseudo_first = pseudo[1], pseudo_squares = sum(pseudo^2),
    intercept = coef(large)[[1]], slope_intercept = coef(line)[[1]], slope = coef(line)[[2]]
  )
})
options(digits = 17)
write.csv(do.call(rbind, lines), "calibration.csv", row.names = FALSE, quote = FALSE)
