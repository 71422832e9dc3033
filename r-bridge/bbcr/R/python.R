# What belongs to the Python of this process: `call`, a function that Python left here, and the
# path of its `executable`.
python_state <- new.env(parent = emptyenv())

#' The Python that runs the protocols
#'
#' [bbc_tune()] with `engine = "python"` runs in Python, inside this R process. Corrections, bounds and
#' everything else that works on predictions need no Python.
#'
#' @param python An interpreter. By default the environment variable `BBC_PYTHON`, else the active
#'   virtual environment, else `python3` on the `PATH`. It cannot be changed once Python runs.
#' @param ... No other arguments.
#' @return A list of class `bbc_python` with `executable`, `version`, `library` (the shared library
#'   that R loads), the versions of `bbc`, `bbc_r` and `rpy2` (empty where they are missing),
#'   `running`, and `problem`: what is missing and the command that helps, or `NULL`.
#' @examples
#' bbc_python()
#' @export
bbc_python <- function(python = NULL, ...) {
  no_more_arguments(...)
  running <- !is.null(python_state$call)
  given <- if (is.null(python)) NULL else probe(python)
  if (running && !is.null(given) && !identical(given$executable, python_state$executable)) {
    abort("`python`: %s runs already, and cannot be changed in this session",
          python_state$executable)
  }
  if (is.null(python)) python <- if (running) python_state$executable else default_python()
  facts <- if (is.null(given)) probe(python) else given
  facts$running <- running
  facts$problem <- if (!running) python_problem(facts, python)
  structure(facts, class = "bbc_python")
}

default_python <- function() {
  environment <- Sys.getenv("VIRTUAL_ENV")
  candidates <- c(Sys.getenv("BBC_PYTHON"), if (nzchar(environment)) {
    file.path(environment, "bin", "python")
  }, Sys.which("python3"))
  c(candidates[nzchar(candidates)], "python3")[[1]]
}

probe <- function(python) {
  script <- system.file("python", "probe.py", package = "bbcr")
  said <- function(environment) {
    suppressWarnings(tryCatch(
      system2(path.expand(python), shQuote(script), stdout = TRUE, stderr = FALSE,
              env = environment),
      error = function(e) character()
    ))
  }
  # With R's library path another libpython than its own may run the interpreter, and give its
  # version; without any, one that needs the path does not start. Windows has no such path, and would
  # take the setting for the script.
  lines <- if (.Platform$OS.type == "unix") said("LD_LIBRARY_PATH=") else character()
  if (!any(startsWith(lines, "version="))) lines <- said(character())
  lines <- regmatches(lines, regexpr("=", lines), invert = TRUE)
  facts <- stats::setNames(lapply(lines, `[[`, 2), vapply(lines, `[[`, "", 1))
  wanted <- c("executable", "version", "library", "bbc", "bbc_r", "rpy2")
  stats::setNames(lapply(wanted, function(name) {
    if (is.null(facts[[name]])) "" else facts[[name]]
  }), wanted)
}

python_problem <- function(facts, python, system = .Platform$OS.type) {
  if (system != "unix") {
    return("Python does not run inside R on this system; all that needs no Python does")
  }
  if (!nzchar(facts$version)) {
    return(sprintf(paste(
      "no Python at \"%s\". Install Python 3.11 or newer, make an environment for it in bbc's source",
      "tree: python3 -m venv ~/.bbc && %s, then set BBC_PYTHON=~/.bbc/bin/python"
    ), python, install_text("~/.bbc/bin/python")))
  }
  if (numeric_version(gsub("[^0-9.].*", "", facts$version)) < "3.11") {
    return(sprintf("Python %s is too old: bbc needs 3.11 or newer; set BBC_PYTHON to its path",
                   facts$version))
  }
  if (!nzchar(facts$library)) {
    return(sprintf(paste(
      "this Python has no shared library, so R cannot load it. On Debian:",
      "apt-get install libpython%s; or run the script by: %s -m bbc_r script.R"
    ), sub("^([0-9]+[.][0-9]+).*", "\\1", facts$version), facts$executable))
  }
  missing <- c("bbc", "bbc_r", "rpy2")[!nzchar(unlist(facts[c("bbc", "bbc_r", "rpy2")]))]
  if (length(missing) == 0) return(NULL)
  if (in_environment(facts$executable)) {
    return(sprintf("the Python package %s is missing. In bbc's source tree: %s", missing[[1]],
                   install_text(facts$executable)))
  }
  # Distributions keep pip from their own Python, or have none for it, as Debian 13.
  sprintf(paste(
    "the Python package %s is missing. Make a virtual environment in bbc's source tree:",
    "%s -m venv ~/.bbc && %s, then set BBC_PYTHON=~/.bbc/bin/python (on Debian and Ubuntu after:",
    "apt-get install python3-venv)"
  ), missing[[1]], facts$executable, install_text("~/.bbc/bin/python"))
}

# Whether an interpreter is that of a virtual environment.
in_environment <- function(executable) {
  file.exists(file.path(dirname(dirname(executable)), "pyvenv.cfg"))
}

install_text <- function(python) {
  sprintf("RPY2_CFFI_MODE=ABI %s -m pip install . ./r-bridge/python", python)
}

#' @export
print.bbc_python <- function(x, ...) {
  if (nzchar(x$version)) {
    cat(sprintf("Python %s at %s%s\n", x$version, x$executable, if (x$running) ", running" else ""))
    versions <- unlist(x[c("bbc", "bbc_r", "rpy2")])
    versions[!nzchar(versions)] <- "missing"
    cat(paste(c("bbc", "bbc_r", "rpy2"), versions, collapse = ", "), "\n", sep = "")
  }
  if (is.null(x$problem)) cat("the protocols (BBCD and others) can run\n")
  else cat(strwrap(paste("the protocols cannot run:", x$problem), 98), sep = "\n")
  invisible(x)
}

# Calls a function of the bridge's Python side. Its errors, warnings and interrupts become R's.
call_python <- function(name, ...) {
  if (is.null(python_state$call)) start_python()
  answer <- python_state$call(name, list(...))
  for (found in answer$findings) {
    warning(finding_text(finding(found[[1]], found[[2]])), call. = FALSE)
  }
  for (text in answer$warnings) warning(in_r_places(text), call. = FALSE)
  if (isTRUE(answer$interrupted)) interrupt()
  if (!is.null(answer$error)) {
    class <- c(answer$class, "bbc_python_error")
    if (!is.null(answer$refused)) abort_argument(answer$refused, class)
    abort("%s", in_r_places(answer$error), class = class)
  }
  answer$value
}

# What fits say of themselves names a repeat and a fold, which Python counts from 0.
in_r_places <- function(text) {
  places <- gregexpr("repeat [0-9]+, fold [0-9]+", text)
  regmatches(text, places) <- lapply(regmatches(text, places), function(found) {
    vapply(strsplit(gsub("[^0-9 ]", "", found), " +"), function(index) {
      sprintf("repeat %d, fold %d", as.integer(index[[2]]) + 1L, as.integer(index[[3]]) + 1L)
    }, "")
  })
  text
}

# What R does when Ctrl-C is pressed while it is at work: handlers, then `options(interrupt = )`, then
# back to the top level.
interrupt <- function() {
  signalCondition(structure(list(message = "", call = NULL), class = c("interrupt", "condition")))
  otherwise <- getOption("interrupt")
  if (is.function(otherwise)) otherwise()
  invokeRestart("abort")
}

start_python <- function() {
  found <- bbc_python()
  if (!is.null(found$problem)) {
    abort("the protocols need Python: %s", found$problem, class = "bbc_no_python")
  }
  python_start(found$library, found$executable)
  problem <- suspendInterrupts(python_run(paste(
    "bbcr_answer = ''", "try:", "    import bbc_r._host", "    bbc_r._host.attach()",
    "except BaseException as error:", "    bbcr_answer = f'{type(error).__name__}: {error}'",
    sep = "\n"
  )))
  if (nzchar(problem)) abort("Python's side of the bridge does not start: %s", problem)
}

# Called from Python: `call` runs Python's functions, `close` ends its workers before R ends.
register_python <- function(call, close, executable) {
  python_state$call <- call
  python_state$executable <- executable
  reg.finalizer(python_state, function(state) close(), onexit = TRUE)
}
