# Random programs at the doors of R, each with an oracle in plain R: benches/doors/in_r.csv.
#
# Programs are those of the R package's tests (helper-programs.R and others): what a tool predicted
# and said is known, and what a door makes of it has to be that, or a refusal; wrongs that are planted must
# not be silent. Nonsense is what the tool itself does not run. Objects of caret, tune and mlr3 are made by
# hand; "caret's train()" and glmnet run the packages. Of caret's own, which are slow, fewer are run.
#
# Rscript benches/doors/in_r.R [programs [output [doors, with commas]]]

suppressMessages(library(bbcr))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
given <- commandArgs(trailingOnly = TRUE)
programs <- if (length(given)) as.integer(given[[1]]) else 400
output <- if (length(given) > 1) given[[2]] else file.path(here, "in_r.csv")
tests <- file.path(here, "..", "..", "r-bridge", "bbcr", "tests", "testthat")
for (helper in c("helper-programs.R", "helper-objects.R", "helper-trained.R")) source(file.path(tests, helper))

wanted <- if (length(given) > 2) strsplit(given[[3]], ",")[[1]] else names(doors)
share <- c("caret's train()" = 0.3)

outcomes <- c("number", "refused", "disagreement", "nonsense")
lines <- lapply(wanted, function(door) {
  n <- round(programs * if (door %in% names(share)) share[[door]] else 1)
  found <- vapply(seq_len(n), function(seed) {
    tryCatch(verdict_of_seed(door, seed), error = function(error) {
      message(sprintf("%s %d: %s", door, seed, conditionMessage(error)))
      "disagreement"
    })
  }, "")
  data.frame(door = door, outcome = outcomes, programs = tabulate(factor(found, outcomes), 4))
})
write.csv(do.call(rbind, lines), output, row.names = FALSE, quote = FALSE)
