# Fits of the loop: each in its own seed, in other processes where there are some, and kept in a store.

# The results of jobs, in their order: of each what was predicted, with the warnings, or the failure.
fits_of <- function(run, jobs) {
  keys <- vapply(jobs, function(job) stored_name(run, job), "")
  found <- lapply(keys, from_store, run$store)
  lacking <- which(vapply(found, is.null, NA))
  fresh <- run[c("x", "truth", "functions", "parameters", "seeds", "configurations", "store", "needs")]
  found[lacking] <- in_processes(lacking, function(i) {
    job <- jobs[[i]]
    result <- fitted_by(fresh, job$configuration, job$train, job$test)
    into_store(result, keys[[i]], fresh$store)
    result
  })
  found
}

# A model of some rows, or what it predicts of others.
fitted_by <- function(run, configuration, train, test = NULL) {
  # Another process may not know the classes of the data, of which it would take other parts.
  for (package in run$needs) loadNamespace(package)
  warnings <- character()
  own <- run$functions[[run$configurations$learner[[configuration]]]]
  tryCatch(withCallingHandlers(with_seed(run$seeds[[configuration]], {
    rows <- run$x[train, , drop = FALSE]
    rownames(rows) <- NULL
    model <- do.call(own$fit, c(list(rows, run$truth[train]), run$parameters[[configuration]]))
    if (is.null(test)) return(list(value = model, warnings = warnings))
    held_out <- run$x[test, , drop = FALSE]
    rownames(held_out) <- NULL
    list(value = own$predict(model, held_out), warnings = warnings)
  }), warning = function(w) {
    warnings <<- c(warnings, conditionMessage(w))
    tryInvokeRestart("muffleWarning")
  }), error = failed_fit)
}

failed_fit <- function(e) structure(list(message = conditionMessage(e)), class = "bbc_failed_fit")

# The packages whose methods take parts of a vector.
namespaces_of <- function(vector) {
  found <- lapply(c(class(vector), typeof(vector)), function(class) {
    method <- utils::getS3method("[", class, optional = TRUE)
    if (is.function(method)) environmentName(environment(method))
  })
  setdiff(unlist(found), c("", "base", "R_GlobalEnv"))
}

# As future's plan says.
in_processes <- function(jobs, run) {
  if (length(jobs) > 1 && n_future_workers() > 1) {
    return(future.apply::future_lapply(jobs, run, future.seed = NULL))
  }
  lapply(jobs, run)
}

# future is loaded wherever a plan has been made.
n_future_workers <- function() {
  if (!isNamespaceLoaded("future") || !requireNamespace("future.apply", quietly = TRUE)) return(1)
  future::nbrOfWorkers()
}

open_store <- function(store) {
  if (is.null(store)) return(NULL)
  if (!is.character(store) || length(store) != 1 || is.na(store) || !nzchar(store)) {
    abort("`store` must be the path of a folder")
  }
  store <- path.expand(store)
  if (!dir.exists(store) && !dir.create(store, showWarnings = FALSE, recursive = TRUE)) {
    abort("`store`: cannot make the folder %s", store)
  }
  if (file.access(store, 2) != 0) abort("`store`: cannot write into %s", store)
  normalizePath(store)
}

# What decides on a prediction: rows, hyper-parameters, seed, and all that is the same for the run.
stored_name <- function(run, job) {
  if (is.null(run$store)) return("")
  j <- job$configuration
  what <- list(run$keys[[run$configurations$learner[[j]]]], as.integer(job$train), as.integer(job$test),
               run$parameters[[j]], run$seeds[[j]])
  file.path(run$store, paste0(digest_of(what), ".rds"))
}

# The second version of R's format knows no compact vectors, so equal values have equal bytes.
digest_of <- function(object) {
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(object, file, version = 2, compress = FALSE)
  unname(tools::md5sum(file))
}

from_store <- function(file, store) {
  if (is.null(store) || !file.exists(file)) return(NULL)
  tryCatch(readRDS(file), error = function(e) {
    abort("`store`: %s cannot be read (%s): delete it, and its fit is made again", file,
          conditionMessage(e))
  })
}

# Written under another name first: a file that is there is whole. Failures are tried again.
into_store <- function(result, file, store) {
  if (is.null(store) || inherits(result, "bbc_failed_fit")) return(invisible())
  partial <- tempfile("partial", store)
  on.exit(unlink(partial))
  saveRDS(result, partial)
  file.rename(partial, file)
}

# A function that is told how many fits were made, and at the end Inf: what progressr does where it is
# loaded, else cli's bar, which is shown in terminals only.
progress_of <- function(run) {
  total <- n_fits(run)
  if (isNamespaceLoaded("progressr")) {
    step <- progressr::progressor(steps = total, on_exit = FALSE)
    return(function(n) if (is.finite(n)) step(amount = n) else step(type = "finish"))
  }
  seen <- interactive() || isatty(stderr())
  if (run$verbose || !seen || !requireNamespace("cli", quietly = TRUE)) return(function(n) NULL)
  bar <- cli::cli_progress_bar(paste("bbc_tune():", run$protocol), total = total, .auto_close = FALSE,
                               .envir = globalenv())
  function(n) {
    if (is.finite(n)) cli::cli_progress_update(n, id = bar, .envir = globalenv())
    else cli::cli_progress_done(id = bar, .envir = globalenv())
  }
}

# At most as many are made.
n_fits <- function(run) {
  k <- apply(run$folds, 2, max)
  n <- length(run$names)
  sum(k * n) + (if (run$protocol == "NCV") sum(k * (k - 1) / 2 * n) else 0) +
    (if (run$protocol == "CVM-CV") sum(apply(run$new_folds, 2, max)) else 0)
}
