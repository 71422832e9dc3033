# An interpreter that says what the probe wants to know, and the library path that it ran with.
said_by <- function(lines) {
  path <- tempfile(fileext = ".sh")
  writeLines(c("#!/bin/sh", lines), path)
  Sys.chmod(path, "755")
  bbc_python(path)
}

test_that("the version is that of the interpreter with its own libraries", {
  skip_on_os("windows")
  before <- Sys.getenv("LD_LIBRARY_PATH")
  on.exit(Sys.setenv(LD_LIBRARY_PATH = before))
  Sys.setenv(LD_LIBRARY_PATH = ".8")
  expect_equal(said_by('echo "version=3.12$LD_LIBRARY_PATH"')$version, "3.12")
  needs <- 'test -z "$LD_LIBRARY_PATH" || echo "version=3.13$LD_LIBRARY_PATH"'
  expect_equal(said_by(needs)$version, "3.13.8")
})

test_that("what is missing is named with a command that works in the source tree", {
  skip_on_os("windows")
  wanted <- "RPY2_CFFI_MODE=ABI %s -m pip install . ./r-bridge/python"
  bare <- said_by(c("echo executable=/own/python", "echo version=3.12.1", "echo library=/own/lib"))
  expect_match(bare$problem, "the Python package bbc is missing", fixed = TRUE)
  # The system's Python lets pip install nothing.
  expect_match(bare$problem, "/own/python -m venv ~/.bbc && ", fixed = TRUE)
  expect_match(bare$problem, sprintf(wanted, "~/.bbc/bin/python"), fixed = TRUE)
  expect_match(bare$problem, "set BBC_PYTHON=~/.bbc/bin/python", fixed = TRUE)
  own <- tempfile("environment")
  dir.create(file.path(own, "bin"), recursive = TRUE)
  file.create(file.path(own, "pyvenv.cfg"))
  inside <- said_by(c(sprintf("echo executable=%s/bin/python", own), "echo version=3.12.1",
                      "echo library=/own/lib"))
  expect_match(inside$problem, sprintf(wanted, file.path(own, "bin/python")), fixed = TRUE)
  expect_no_match(inside$problem, "venv ~/.bbc")
  expect_match(bbc_python("/gone")$problem, sprintf(wanted, "~/.bbc/bin/python"), fixed = TRUE)
})

test_that("where Python cannot run inside R nothing is to be installed", {
  expect_match(bbcr:::python_problem(list(version = ""), "python", "windows"),
               "does not run inside R on this system")
})

test_that("errors of Python have R's names, places and findings R's advice", {
  wrong <- list(argument = "y_true", problem = "is NaN", place = list("repeat" = 0, row = 3),
                hint = "fill it")
  expect_error(bbcr:::abort_argument(wrong, "ValueError"),
               "`truth`: is NaN at repeat 1, row 4; fill it", fixed = TRUE, class = "ValueError")
  expect_equal(bbcr:::in_r_places("no luck (repeat 0, fold 1)"), "no luck (repeat 1, fold 2)")
})
