choice <- function(value, name, allowed) {
  if (is.character(value) && identical(value, allowed)) return(allowed[[1]])
  if (!is.character(value) || length(value) != 1 || !value %in% allowed) {
    abort("`%s` must be %s, not %s", name, paste0('"', allowed, '"', collapse = " or "),
          paste(format(value), collapse = " "))
  }
  value
}

flag <- function(value, name) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    abort("`%s` must be TRUE or FALSE", name)
  }
  value
}

# By default at most the kernel's limit for that name.
whole_number <- function(value, name, lowest, highest = kernel_limit_of(name)) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value != floor(value)) {
    abort("`%s` must be one whole number, not %s", name, paste(format(value), collapse = " "))
  }
  if (value < lowest) abort("`%s` must be at least %s, not %s", name, lowest, format(value))
  if (value > highest) abort("`%s` must be at most %.0f, not %.0f", name, highest, value)
  as.double(value)
}

check_level <- function(value) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value)) {
    abort("`confidence_level` must be one number")
  }
  if (value <= 0 || value >= 1) {
    hint <- if (value > 1 && value < 100) sprintf("; write %g %% as %g", value, value / 100) else ""
    abort("`confidence_level` must be between 0 and 1, not %g%s", value, hint)
  }
  as.double(value)
}

# A number from 0 to 1.
share <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value < 0 || value > 1) {
    abort("`%s` must be one number from 0 to 1, not %s", name, paste(format(value), collapse = " "))
  }
  as.double(value)
}

# A seed of 53 bits, the most that R's numbers hold; NULL draws it from R's generator.
seed_of <- function(seed) {
  if (!is.null(seed)) return(whole_number(seed, "seed", 0, 2^53 - 1))
  halves <- stats::runif(2)
  floor(halves[[1]] * 2^26) * 2^27 + floor(halves[[2]] * 2^27)
}

# The argument, else options(bbcr.threads = ), else the environment variable BBCR_THREADS. By default
# 0, which lets the kernel take all cores; checks of packages may not take more than two, nor more than
# the OMP_THREAD_LIMIT that CRAN's machines set, and a forked process, as those of mclapply(), has
# siblings on the others.
threads_of <- function(n_threads) {
  if (!is.null(n_threads)) return(thread_count(n_threads, "n_threads"))
  option <- getOption("bbcr.threads")
  if (!is.null(option)) return(thread_count(option, "options(bbcr.threads)"))
  variable <- Sys.getenv("BBCR_THREADS")
  if (nzchar(variable)) {
    return(thread_count(suppressWarnings(as.numeric(variable)), "BBCR_THREADS"))
  }
  if (Sys.getpid() != loaded$process) return(1L)
  checking <- Sys.getenv("_R_CHECK_LIMIT_CORES_")
  limit <- c(if (nzchar(checking) && lower(checking) != "false") 2L,
             suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT"))))
  limit <- limit[!is.na(limit) & limit > 0]
  if (length(limit)) min(limit, parallel::detectCores(), na.rm = TRUE) else 0L
}

thread_count <- function(value, name) {
  as.integer(whole_number(value, name, 1, kernel_limit_of("n_threads")))
}

# The process that loaded the package.
loaded <- new.env(parent = emptyenv())

.onLoad <- function(libname, pkgname) {
  loaded$process <- Sys.getpid()
  setHook(packageEvent("mlr3", "onLoad"), function(...) add_measure())
  if (isNamespaceLoaded("mlr3")) add_measure()
}

names_of <- function(names, n_configurations) {
  if (is.null(names)) return(NULL)
  if (length(names) != n_configurations) {
    abort("`names` has %s for %s", counted(length(names), "name"),
          counted(n_configurations, "configuration"))
  }
  if (anyNA(names)) abort("`names` is NA at %s", place_of(is.na(names), "configuration"))
  as.character(names)
}

# Refuses arguments that the function which calls this does not have, and names that R would only complete.
no_more_arguments <- function(...) {
  frame <- sys.parent()
  known <- names(formals(sys.function(frame)))
  refuse_unknown_arguments(c(names(sys.call(frame)), ...names()), known)
  if (...length()) abort("unknown argument without a name")
}

# Refuses a name that is not among the `known`, and offers those that it may stand for.
refuse_unknown_arguments <- function(names, known) {
  unknown <- setdiff(names, c(known, "", NA))
  if (length(unknown) == 0) return(invisible())
  known <- setdiff(known, "...")
  abort("unknown argument `%s`%s", unknown[[1]], offered(close_arguments(unknown[[1]], known)))
}

# What an unknown argument may stand for: that of Python, those that it begins, or similar ones.
close_arguments <- function(name, known) {
  of_python <- c(
    r_names, n_jobs = "n_threads", conf.level = "confidence_level", level = "confidence_level",
    positive = "event_level", B = "n_bootstraps", R = "n_bootstraps", times = "n_bootstraps",
    measure = "metric", scoring = "metric", weights = "sample_weight", new_data = "newdata"
  )
  renamed <- unname(of_python[names(of_python) == name])
  begun <- known[startsWith(known, name)]
  found <- if (length(renamed)) intersect(renamed, known) else begun
  if (length(found)) utils::head(found, 3) else close_names(name, known)
}

offered <- function(close) {
  if (length(close)) sprintf("; did you mean %s?", paste(close, collapse = " or ")) else ""
}
