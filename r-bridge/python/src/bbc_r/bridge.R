# The R side of the bridge, evaluated in an environment of its own.

# Calls `f` with `args`; errors, warnings and interrupts become values, since rpy2 would lose the
# warnings and the class of errors. Only here may R be interrupted: elsewhere Python's frames lie on
# the stack over which R would jump.
guarded <- function(f, args) {
  warnings <- list()
  value <- withCallingHandlers(
    tryCatch(
      list(value = allowInterrupts(do.call(f, args, quote = TRUE))),
      error = function(e) {
        call <- conditionCall(e)
        where <- if (is.null(call)) "" else paste(deparse(call, width.cutoff = 60L)[[1]])
        list(error = conditionMessage(e), call = where)
      },
      interrupt = function(i) list(interrupted = TRUE)
    ),
    warning = function(w) {
      warnings[[length(warnings) + 1]] <<- conditionMessage(w)
      tryInvokeRestart("muffleWarning")
    }
  )
  c(value, list(warnings = as.character(unlist(warnings))))
}

source_text <- function(text) eval(parse(text = text, keep.source = FALSE), globalenv())

# Functions without the text and the time of their source, which differ from session to session.
serialized <- function(value) {
  serialize(if (is.function(value)) utils::removeSource(value) else value, NULL)
}

describe_data <- function(frame, target) {
  if (!is.data.frame(frame)) stop("data must be a data.frame, not ", class(frame)[[1]])
  if (!target %in% names(frame)) stop("data has no column ", target)
  y <- frame[[target]]
  gone <- if (inherits(y, "Surv")) rowSums(is.na(unclass(y))) > 0 else is.na(y)
  if (any(gone)) stop("the target ", target, " is NA in row ", which(gone)[[1]])
  if (inherits(y, "Surv")) return(unclass(y)[, c("status", "time"), drop = FALSE])
  if (is.factor(y) || is.character(y)) as.character(y) else as.double(y)
}

# As data.frame, since a data.table is indexed in its own way.
predictors <- function(frame, target) {
  frame <- as.data.frame(frame)
  frame[setdiff(names(frame), target)]
}

take <- function(frame, target, rows) predictors(frame, target)[rows, , drop = FALSE]

# Some rows of an outcome, also of one whose rows are of a matrix.
rows_of <- function(y, rows) {
  if (!inherits(y, "Surv")) return(y[rows])
  loadNamespace("survival")
  y[rows, ]
}

# Classes are a factor, whose levels are the classes of all rows, the same in all locales.
outcome <- function(frame, target) {
  y <- frame[[target]]
  if (is.character(y)) return(factor(y, sort(unique(y), method = "radix")))
  if (is.factor(y)) droplevels(y) else y
}

numeric_matrix <- function(frame, target) {
  x <- predictors(frame, target)
  m <- stats::model.matrix(~ . - 1, stats::model.frame(~ ., x, na.action = stats::na.pass))
  attributes(m) <- list(dim = dim(m))
  m
}

# A fit draws by its own seed and leaves the user's generator as it was.
with_seed <- function(seed, code) {
  if (is.null(seed)) return(code)
  old <- globalenv()$.Random.seed
  kinds <- RNGkind()
  on.exit({
    do.call(RNGkind, as.list(kinds))
    if (is.null(old)) rm(list = ".Random.seed", envir = globalenv())
    else assign(".Random.seed", old, globalenv())
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

fit_model <- function(fit, x, y, parameters, seed) {
  with_seed(seed, do.call(fit, c(list(x, y), parameters), quote = TRUE))
}

fit_rows <- function(fit, frame, target, rows, parameters, seed) {
  fit_model(fit, take(frame, target, rows), rows_of(outcome(frame, target), rows), parameters,
            seed)
}

# Labels, a matrix of class probabilities, or numbers.
predict_model <- function(predict, model, newx, seed) {
  out <- with_seed(seed, predict(model, newx))
  if (is.factor(out)) out <- as.character(out)
  if (is.data.frame(out)) out <- as.matrix(out)
  n <- NROW(newx)
  if (NROW(out) != n) stop("predict gave ", NROW(out), " predictions for ", n, " rows")
  if (anyNA(out)) {
    stop("predict gave NA for row ", which(rowSums(is.na(as.matrix(out))) > 0)[[1]],
         " of the held-out rows; does the learner leave out rows with missing values?")
  }
  if (is.character(out)) return(as.vector(out))
  names <- colnames(out)
  if (is.matrix(out) && ncol(out) == 1) out <- out[, 1]
  if (is.matrix(out)) {
    if (is.null(names)) stop("predict gave a matrix without the classes as column names")
    return(list(probabilities = matrix(as.double(out), n), classes = names))
  }
  as.double(out)
}

predict_rows <- function(predict, model, frame, target, rows, seed) {
  predict_model(predict, model, take(frame, target, rows), seed)
}

# What Python prints, as a message.
say <- function(text) message(text)

# Python's functions, kept by the R package that calls them.
register <- function(call, close, executable) {
  utils::getFromNamespace("register_python", "bbcr")(call, close, executable)
  invisible()
}

# The first line of every expression of a script.
first_lines <- function(path) {
  code <- tryCatch(
    parse(path, keep.source = TRUE, encoding = "UTF-8"),
    error = function(e) stop(conditionMessage(e), call. = FALSE)
  )
  vapply(attr(code, "srcref"), `[`, 1L, 1L)
}

# `locate` says where the script is when an error ends it. R keeps calling handlers only if its main
# loop sets them, so this leaves a function for the script's first line.
watch_script <- function(locate) {
  state <- utils::getFromNamespace("python_state", "bbcr")
  state$watch <- function() {
    globalCallingHandlers(error = function(e) locate())
    options(interrupt = function() quit("no", 130, FALSE))
    invisible()
  }
  invisible()
}
