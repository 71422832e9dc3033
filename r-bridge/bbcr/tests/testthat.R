library(testthat)
library(bbcr)
# "location" names each test as it begins: the last one is where a run hung that was ended.
test_check("bbcr", reporter = if (nzchar(Sys.getenv("NOT_CRAN"))) c("location", "check") else "check")
