#!/usr/bin/env bash
# Tests of the doors to tidymodels and mlr3 with these packages' own objects, which `make test-r` does
# not need: r-bridge/live.sh LIBRARY [REPOSITORY]. LIBRARY is a folder of installed packages, bbcr among
# them unless `make test-r` has checked it here. What it lacks is installed from REPOSITORY, an address
# as install.packages() takes: that of CRAN, or file:///FOLDER, a folder of sources in src/contrib with
# the index that tools::write_PACKAGES() makes.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 1 ]; then
  sed -n '2,7s/^# //p' "$0"
  exit 2
fi
mkdir -p "$1"
library=$(cd "$1" && pwd)
export R_LIBS=$library:$PWD/build/r/lib:${R_LIBS:-} NOT_CRAN=true TZ=${TZ:-UTC}

Rscript - "$library" "${2:-}" <<'R'
given <- commandArgs(TRUE)
wanted <- c(
  "tune", "parsnip", "workflows", "workflowsets", "rsample", "yardstick", "recipes", "hardhat", "finetune",
  "BradleyTerry2", "lme4", "censored", "rpart", "ranger", "glmnet", "quantreg", "survival", "mlr3",
  "mlr3tuning", "paradox", "R6", "testthat", "generics"
)
lacking <- function() {
  wanted[!vapply(wanted, function(name) nzchar(system.file(package = name)), NA)]
}
if (length(lacking()) && nzchar(given[[2]])) {
  utils::install.packages(lacking(), given[[1]], given[[2]], type = "source")
}
if (length(lacking())) stop("not installed: ", paste(lacking(), collapse = ", "), call. = FALSE)
library(bbcr)
cat(R.version.string, "\n")
for (name in c("bbcr", wanted)) cat(name, as.character(utils::packageVersion(name)), "\n")
files <- c("tune-live", "yardstick-live", "mlr3-live", "tidymodels")
results <- do.call(rbind, lapply(files, function(name) {
  file <- file.path("r-bridge", "bbcr", "tests", "testthat", sprintf("test-%s.R", name))
  as.data.frame(testthat::test_file(file, package = "bbcr", stop_on_failure = FALSE))
}))
bad <- results$failed > 0 | results$error | results$skipped
print(results[bad, c("file", "test", "failed", "error", "skipped")])
cat(sprintf("%d tests, %d checks, %d not passed\n", nrow(results), sum(results$nb), sum(bad)))
quit(status = as.integer(any(bad)))
R
