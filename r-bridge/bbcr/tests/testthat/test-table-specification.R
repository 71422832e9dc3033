# The tables of the specification that are data frames, as Python's tests and the page have them.
cases <- read.csv(test_path("tables", "cases.csv"), colClasses = "character", check.names = FALSE)
cases <- cases[cases$frame != "-" & cases$r != "-", ]

table_of <- function(case) {
  read.csv(test_path("tables", case$file), sep = case$separator, dec = case$mark,
           check.names = FALSE)
}

listed <- function(text) strsplit(text, "|", fixed = TRUE)[[1]]

correct_case <- function(case) {
  frame <- table_of(case)
  options <- list(metric = case$metric, seed = 1)
  if (nzchar(case$pos_label)) options$event_level <- case$pos_label
  if (nzchar(case$row)) {
    roles <- c(case$row, case$configuration, case$prediction, case$truth)
    names(frame)[match(roles, names(frame))] <- c("row", "configuration", "estimate", "truth")
    return(do.call(bbc_correct, c(list(frame), options)))
  }
  roles <- c(case$truth, case$folds, case$groups, listed(case$ignore))
  taken <- frame[!names(frame) %in% roles[nzchar(roles)]]
  if (nzchar(case$folds)) options$folds <- frame[[case$folds]]
  if (nzchar(case$groups)) options$groups <- frame[[case$groups]]
  if (nzchar(case$names)) options$names <- names(taken)
  do.call(bbc_correct, c(list(taken, frame[[case$truth]]), options))
}

test_that("tables of the specification are taken or refused as it says", {
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    if (nzchar(case$frame)) {
      said <- gsub("([()])", "\\\\\\1", case$frame)
      expect_refused(correct_case(case), said)
      next
    }
    warned <- character()
    found <- withCallingHandlers(correct_case(case), warning = function(w) {
      warned <<- c(warned, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    expect_setequal(found$names, listed(case$taken))
    expect_identical(any(grepl("taken as ranks", warned)), case$case == "ranks")
  }
})

test_that("names mean the same in every locale", {
  before <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", before))
  named <- list(patientID = TRUE, ID = TRUE, INDEX = TRUE, "Row ID" = TRUE, svmI = FALSE)
  for (locale in c("C", before, "tr_TR.UTF-8")) {
    suppressWarnings(Sys.setlocale("LC_CTYPE", locale)) # stays as it is where there is none
    for (name in names(named)) {
      found <- bbcr:::design_name(c(name, "a"))
      expect_identical(!is.null(found), named[[name]], info = paste(locale, name))
    }
  }
})
