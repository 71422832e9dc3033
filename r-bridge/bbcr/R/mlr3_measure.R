# The measure "bbc" of mlr3. Its class is made when it is first asked for, so that the package can be
# built and loaded without mlr3.

utils::globalVariables(c("self", "super"))

# Adds it to mlr3's dictionary, whichever of the two packages is loaded first.
add_measure <- function() {
  add <- mlr3::mlr_measures$add
  new <- function(measure, id = NULL) measure_class()$new(measure, id)
  if (".prototype_args" %in% names(formals(add))) {
    add("bbc", new, .prototype_args = list(measure = "accuracy"))
  } else {
    formals(new)$measure <- "accuracy"  # older dictionaries make all prototypes without arguments
    add("bbc", new)
  }
}

measure_class <- function() {
  if (!is.null(loaded$measure)) return(loaded$measure)
  loaded$measure <- R6::R6Class("MeasureBBC",
    inherit = mlr3::Measure,
    public = list(
      measure = NULL,
      metric = NULL,
      initialize = function(measure, id = NULL) {
        if (missing(measure)) abort("`measure` is missing: it says what is estimated")
        of_mlr3 <- mlr3_measure(measure)
        self$measure <- of_mlr3
        self$metric <- if (is.null(of_mlr3)) own_metric(measure) else metric_of_measure(of_mlr3)
        name <- if (is.null(of_mlr3)) self$metric$name else of_mlr3$id
        super$initialize(
          id = if (is.null(id)) paste0("bbc.", name) else id,
          task_type = measured_tasks(self$metric), param_set = measure_parameters(),
          range = metric_limits(self$metric, Inf), minimize = !self$metric$greater_is_better,
          average = "custom", predict_type = if (reads_classes(self$metric)) "prob" else "response",
          properties = intersect("weights", unlist(mlr3::mlr_reflections$measure_properties)),
          packages = "bbcr", label = "Performance corrected for tuning", man = "bbcr::bbc_mlr3"
        )
        averaged <- c(macro = "fold", micro = "pooled")[of_mlr3$average]
        if (length(averaged)) self$param_set$values$pooling <- averaged[[1]]
        if (identical(of_mlr3$use_weights, "ignore")) self$use_weights <- "ignore"
      },
      aggregate = function(rr) measured(self, rr)
    ),
    private = list(
      .extra_hash = "metric",
      .score = function(prediction, ...) {
        abort(paste("measure %s is of a whole ResampleResult: give it to $aggregate(), not to",
                    "$score()"), self$id)
      }
    )
  )
}

# The arguments of bbc_correct() that a measure takes.
measure_parameters <- function() {
  paradox::ps(
    method = paradox::p_fct(c("bbc", "bbc-two-level", "bbc-f")),
    pooling = paradox::p_fct(c("pooled", "fold")),
    selection = paradox::p_uty(),
    n_bootstraps = paradox::p_int(1),
    confidence_level = paradox::p_dbl(0, 1),
    alternative = paradox::p_fct(c("two-sided", "greater", "less")),
    seed = paradox::p_dbl(0),
    n_threads = paradox::p_int(1)
  )
}

# Estimate and interval of a resample result.
measured <- function(self, rr) {
  if (!inherits(rr, "ResampleResult")) {
    abort("measure %s is of a ResampleResult, not of %s", self$id, first_class(rr))
  }
  options <- self$param_set$values
  refuse_doubled_brier(self$measure, rr$task)
  reading <- do.call(metric_read, c(list(self$metric), options))
  given <- unpacked(rr, NULL, reading, NULL, NULL, NULL, NULL)
  if (identical(self$use_weights, "ignore")) given["sample_weight"] <- list(NULL)
  if (identical(self$measure$id, "classif.logloss")) given$predictions <- clipped(given$predictions)
  e <- do.call(correct_unpacked, c(list(given, self$metric), options))
  if (is.null(e$confidence_interval)) {
    warning(sprintf("%s has no interval: %s", self$id, e$infeasible), call. = FALSE)
  }
  limits <- if (is.null(e$confidence_interval)) c(NA, NA) else unlist(e$confidence_interval[1:2])
  values <- c(e$estimate, limits)
  values <- stats::setNames(values, paste0(self$id, c("", ".lower", ".upper")))
  # Before, a measure was one number.
  if (utils::packageVersion("mlr3") < "0.21.0") values[1] else values
}

# Probabilities as mlr3 takes the logarithm of them.
clipped <- function(arrays) lapply(arrays, function(own) pmax(own, 1e-15))

# The measure of mlr3 that is meant by an object or a key; NULL if it is a metric of this package.
mlr3_measure <- function(measure) {
  if (inherits(measure, "Measure")) return(measure)
  if (inherits(measure, "bbc_metric")) return(NULL)
  if (is.character(measure) && length(measure) == 1 && is.null(bbc_name(measure)) &&
        measure %in% mlr3::mlr_measures$keys()) {
    mlr3::msr(measure)
  }
}

# mlr3's measures whose value on a set of predictions is that of a metric.
measures_of_mlr3 <- c(
  classif.acc = "accuracy", classif.ce = "zero_one_loss", classif.bacc = "balanced_accuracy",
  classif.auc = "roc_auc", classif.bbrier = "brier_score", classif.mbrier = "brier_score",
  classif.logloss = "log_loss", classif.mcc = "mcc", classif.fbeta = "f_beta",
  classif.precision = "precision", classif.ppv = "precision", classif.recall = "sensitivity",
  classif.sensitivity = "sensitivity", classif.tpr = "sensitivity",
  classif.specificity = "specificity", classif.tnr = "specificity",
  classif.mauc_aunu = "roc_auc_ovr", classif.mauc_aunp = "roc_auc_ovr_weighted",
  classif.mauc_au1u = "roc_auc_ovo",
  regr.mse = "mean_squared_error", regr.rmse = "root_mean_squared_error",
  regr.mae = "mean_absolute_error", regr.mape = "mean_absolute_percentage_error",
  regr.msle = "mean_squared_log_error", regr.rmsle = "root_mean_squared_log_error",
  regr.rsq = "r2", regr.srho = "spearman"
)

# A metric of this package; what is refused is called as the measure's argument is.
own_metric <- function(measure) {
  tryCatch(bbc_metric(measure), bbc_error = function(error) {
    error$message <- sub("`metric`", "`measure`", error$message, fixed = TRUE)
    stop(error)
  })
}

metric_of_measure <- function(measure) {
  known <- match(measure$id, names(measures_of_mlr3))
  if (inherits(measure, "MeasureBBC")) abort("`measure` is a measure \"bbc\" already")
  if (is.na(known)) {
    abort("`measure`: no metric has the value of mlr3's %s; of its measures there are %s",
          measure$id, paste(names(measures_of_mlr3), collapse = ", "))
  }
  if (!measure$average %in% c("macro", "micro") || !is.null(measure$aggregator)) {
    abort("`measure`: %s must be averaged by \"macro\" or \"micro\", without an aggregator",
          measure$id)
  }
  if (!identical(measure$predict_sets, "test")) {
    abort("`measure`: %s must be of predict_sets = \"test\"", measure$id)
  }
  values <- measure$param_set$values
  if (isTRUE(values$pred_set_mean)) values$pred_set_mean <- NULL # r2's own mean
  other <- setdiff(names(values), "beta")
  if (length(other)) {
    abort("`measure`: %s with %s is no metric that can be corrected", measure$id, other[[1]])
  }
  bbc_metric(measures_of_mlr3[[known]], beta = values$beta)
}

# Of two classes mlr3 sums over both of them.
refuse_doubled_brier <- function(measure, task) {
  if (identical(measure$id, "classif.mbrier") && length(task$class_names) == 2) {
    abort("`measure`: classif.mbrier is twice the Brier score of two classes: use classif.bbrier")
  }
}

measured_tasks <- function(metric) {
  type <- c(classes = "classif", binary = "classif", real = "regr")[metric$target]
  if (is.na(type)) abort("`measure`: metric \"%s\" is not of mlr3's predictions", metric$name)
  type[[1]]
}
