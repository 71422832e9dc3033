library(testthat)
library(bbcr)
test_check("bbcr")
