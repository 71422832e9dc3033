"""Learners of R packages, ready for protocols."""

from typing import Any

from . import _session
from .errors import RNotAvailableError
from .learners import RLearner
from .objects import RData

_CODE = {
    "glm": (
        "stats",
        """function(x, y, ...) {
  frame <- as.data.frame(x)
  family <- if (is.factor(y)) stats::binomial() else stats::gaussian()
  stats::glm(.target ~ ., family, cbind(frame, .target = y), ...)
}""",
        'function(model, newx) stats::predict(model, as.data.frame(newx), type = "response")',
    ),
    "glmnet": (
        "glmnet",
        """function(x, y, lambda, ...) {
  terms <- stats::model.matrix(~ ., as.data.frame(x))[, -1, drop = FALSE]
  family <- if (!is.factor(y)) "gaussian" else if (nlevels(y) == 2) "binomial" else "multinomial"
  # A path that ends at the wanted value, as glmnet's authors advise.
  path <- sort(unique(c(lambda, lambda * 10^seq(2, 0, length.out = 10))), decreasing = TRUE)
  list(path = glmnet::glmnet(terms, y, family, lambda = path, ...), lambda = lambda)
}""",
        """function(model, newx) {
  terms <- stats::model.matrix(~ ., as.data.frame(newx))[, -1, drop = FALSE]
  out <- stats::predict(model$path, terms, s = model$lambda, type = "response")
  if (length(dim(out)) == 3) out[, , 1] else out[, 1]
}""",
    ),
    "ranger": (
        "ranger",
        """function(x, y, ...) {
  ranger::ranger(x = as.data.frame(x), y = y, probability = is.factor(y), num.threads = 1, ...)
}""",
        """function(model, newx) {
  stats::predict(model, as.data.frame(newx), num.threads = 1)$predictions
}""",
    ),
    "randomForest": (
        "randomForest",
        "function(x, y, ...) randomForest::randomForest(as.data.frame(x), y, ...)",
        """function(model, newx) {
  type <- if (model$type == "classification") "prob" else "response"
  stats::predict(model, as.data.frame(newx), type = type)
}""",
    ),
    "svm": (
        "e1071",
        """function(x, y, ...) {
  e1071::svm(.target ~ ., cbind(as.data.frame(x), .target = y), probability = TRUE, ...)
}""",
        """function(model, newx) {
  out <- stats::predict(model, as.data.frame(newx), probability = TRUE)
  if (is.factor(out)) attr(out, "probabilities") else out
}""",
    ),
}

# caret's own learners call its functions by name, so it must be attached.
_CARET_FIT = """function(x, y, ...) {{
  suppressPackageStartupMessages(library(caret))
  grid <- data.frame(..., stringsAsFactors = FALSE)
  control <- caret::trainControl("none", classProbs = is.factor(y))
  caret::train(as.data.frame(x), y, method = "{method}", trControl = control,
               tuneGrid = if (ncol(grid)) grid)
}}"""
_CARET_PREDICT = """function(model, newx) {
  classes <- model$modelType == "Classification"
  stats::predict(model, as.data.frame(newx), type = if (classes) "prob" else "raw")
}"""


def _ready(name: str, data: RData | None, parameters: dict[str, Any]) -> RLearner:
    package, fit, predict = _CODE[name]
    require(package)
    return RLearner(fit, predict, data=data, **parameters)


def require(package: str) -> None:
    """Refuse early when an R package is missing."""
    if not _session.call(_session.helper("has_package"), package)[0]:
        raise RNotAvailableError(
            f'the R package {package} is not installed: install.packages("{package}") in R, or '
            f"apt-get install r-cran-{package.lower()} on Debian"
        )


def glm(data: RData | None = None, **parameters: Any) -> RLearner:
    """Logistic or linear regression of the R package stats.

    Parameters
    ----------
    data : RData, optional
        Where the rows are.
    **parameters
        Further arguments of ``stats::glm``.
    """
    return _ready("glm", data, parameters)


def glmnet(data: RData | None = None, *, lam: float = 0.01, **parameters: Any) -> RLearner:
    """Penalised regression of the R package glmnet.

    Parameters
    ----------
    data : RData, optional
        Where the rows are.
    lam : float
        The penalty (R's ``lambda``, which Python reserves); grids call it ``"lambda"``.
    **parameters
        Further arguments of ``glmnet::glmnet``, such as ``alpha``.
    """
    return _ready("glmnet", data, {"lambda": lam, **parameters})


def ranger(data: RData | None = None, **parameters: Any) -> RLearner:
    """Random forest of the R package ranger.

    Parameters
    ----------
    data : RData, optional
        Where the rows are.
    **parameters
        Further arguments of ``ranger::ranger``, such as ``mtry``.
    """
    return _ready("ranger", data, parameters)


def random_forest(data: RData | None = None, **parameters: Any) -> RLearner:
    """Random forest of the R package randomForest.

    Parameters
    ----------
    data : RData, optional
        Where the rows are.
    **parameters
        Further arguments of ``randomForest::randomForest``.
    """
    return _ready("randomForest", data, parameters)


def svm(data: RData | None = None, **parameters: Any) -> RLearner:
    """Support vector machine of the R package e1071.

    Parameters
    ----------
    data : RData, optional
        Where the rows are.
    **parameters
        Further arguments of ``e1071::svm``, such as ``cost``.
    """
    return _ready("svm", data, parameters)


def caret(method: str, data: RData | None = None, **parameters: Any) -> RLearner:
    """Any learner of the R package caret, with fixed hyper-parameters.

    Parameters
    ----------
    method : str
        caret's name of the learner, such as ``"knn"``.
    data : RData, optional
        Where the rows are.
    **parameters
        Its tuning parameters.
    """
    require("caret")
    fit = _CARET_FIT.format(method=method)
    return RLearner(fit, _CARET_PREDICT, data=data, **parameters)
