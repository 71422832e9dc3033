# What R's packages make of the same numbers: Rscript peers.R FOLDER reads the tables there and writes
# peers.csv. lung.csv is survival's data set lung.
folder <- commandArgs(TRUE)
read <- function(name) read.csv(file.path(folder, name))
values <- c()
add <- function(name, value) values[[name]] <<- as.numeric(value)

suppressMessages({library(pROC); library(survival); library(caret)})

cancer <- read("cancer.csv")
add("auc", auc(cancer$y, cancer$p, levels = c(0, 1), direction = "<", quiet = TRUE))
add("auc turned", auc(cancer$y, cancer$texture, quiet = TRUE))
delong <- ci.auc(cancer$y, cancer$p, levels = c(0, 1), direction = "<", quiet = TRUE)
add("delong", delong[1])
classes <- factor(cancer$label, 0:1)
add("f1", F_meas(classes, factor(cancer$y, 0:1)))
right <- sum(cancer$label == cancer$y)
add("wilson", prop.test(right, nrow(cancer), correct = FALSE)$conf.int[1])
add("wilson continuity", prop.test(right, nrow(cancer))$conf.int[1])
fit <- glm(y ~ qlogis(p), binomial, cancer)
add("slope", coef(fit)[2])
smooth <- loess(y ~ p, cancer, degree = 1, span = 0.75, surface = "direct")
grid <- read("grid.csv")
add("loess", max(abs(predict(smooth, data.frame(p = grid$x)) - grid$curve)))

diabetes <- read("diabetes.csv")
add("r2", R2(diabetes$predicted, diabetes$y))

lung <- read("lung.csv")
outcome <- with(lung, Surv(time, event))
add("concordance", concordance(outcome ~ age, lung, reverse = TRUE)$concordance)
add("uno", concordance(outcome ~ age, lung, reverse = TRUE, timewt = "n/G2")$concordance)
quarters <- with(lung, Surv(ceiling(time / 365.25 * 4) / 4, event))
add("uno quarters", concordance(quarters ~ age, lung, reverse = TRUE, timewt = "n/G2")$concordance)
add("uno tau", concordance(quarters ~ age, lung, reverse = TRUE, timewt = "n/G2", ymax = 0.75)$concordance)

write.csv(data.frame(name = names(values), value = sprintf("%.12g", unlist(values))),
          file.path(folder, "peers.csv"), row.names = FALSE, quote = FALSE)
