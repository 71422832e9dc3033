"""Learners of R packages, ready for protocols."""

from typing import Any

from . import _session
from .errors import RError, RNotAvailableError
from .learners import RLearner
from .objects import RData, RObject


def ready_functions(name: str) -> tuple[RObject, RObject]:
    """The two functions of a ready learner; refuses early when its R package is missing."""
    try:
        found = _session.call(_session.helper("ready_learner"), name)
    except RError as error:
        raise RNotAvailableError(str(error)) from None
    fit, predict = (RObject(function) for function in found)
    for function in (fit, predict):
        function.raw  # noqa: B018  serialized now, as data are
    return fit, predict


def _ready(name: str, data: RData | None, parameters: dict[str, Any]) -> RLearner:
    return RLearner(*ready_functions(name), data=data, **parameters)


def coxph(data: RData | None = None, **parameters: Any) -> RLearner:
    """Cox's model by R's ``survival::coxph``, of all columns; its predictions are risks.

    Parameters
    ----------
    data : RData
        Where the rows are; its target is a ``survival::Surv``.
    **parameters
        Further arguments of ``survival::coxph``, such as ``ties``.
    """
    return _ready("coxph", data, parameters)


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
    return _ready("caret", data, {"method": method, **parameters})
