# Rscript test_files.R test OUT FILE...: writes the first test of the files that fails, or nothing.
# Rscript test_files.R record OUT FILE...: a line of each file that passes, its seconds and what it calls.
arguments <- commandArgs(TRUE)
out <- arguments[[2]]
found <- character(0)
for (file in arguments[-(1:2)]) {
  before <- sum(proc.time()[c(1, 2, 4, 5)])
  called <- getNamespace("bbcr")$.called
  if (!is.null(called)) rm(list = ls(called, all.names = TRUE), envir = called)
  tests <- as.data.frame(testthat::test_file(
    file,
    reporter = "silent", package = "bbcr", load_package = "installed", stop_on_failure = FALSE
  ))
  failed <- tests$test[tests$failed > 0 | tests$error]
  if (arguments[[1]] == "record") {
    seconds <- sum(proc.time()[c(1, 2, 4, 5)]) - before
    functions <- paste(ls(called, all.names = TRUE), collapse = " ")
    if (length(failed) == 0) found <- c(found, paste(file, seconds, functions, sep = "\t"))
    message(file, " ", seconds, " ", paste(failed, collapse = "; "))
  } else if (length(failed) > 0) {
    found <- paste0("r-bridge/bbcr/tests/testthat/", file, "::", failed[[1]])
    break
  }
}
writeLines(found, out)
