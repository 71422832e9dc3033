"""R learners as scikit-learn estimators."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from . import _session
from .objects import RData, RObject, frame_to_r


class RLearner(BaseEstimator):  # type: ignore[misc]
    """A learner that is a pair of R functions.

    Parameters
    ----------
    fit : str or R function
        ``function(x, y, ...)`` returning a model; further arguments are the hyper-parameters.
    predict : str or R function
        ``function(model, newx)`` returning one number per row, labels, or a matrix of class
        probabilities with the classes as column names. For two classes one number per row is the
        probability of the second (R's order of levels).
    data : RData, optional
        Where the rows are; `X` then holds row numbers. Without it `X` itself crosses.
    task : {"classification", "regression"}, optional
        Known from `data`; otherwise classification.
    random_state : int, optional
        Seed of R's generator for the fit; protocols derive one for every configuration.
    **parameters
        Hyper-parameters, which grids may vary.

    Examples
    --------
    >>> import bbc_r
    >>> iris = bbc_r.data("iris", target="Sepal.Length")
    >>> line = bbc_r.RLearner(
    ...     "function(x, y, degree) lm(y ~ poly(x$Petal.Length, degree))",
    ...     "function(model, newx) rep(mean(fitted(model)), nrow(newx))",
    ...     data=iris, degree=2)
    >>> line.fit(iris.rows, iris.y).predict(iris.rows[:2]).round(2).tolist()
    [5.84, 5.84]
    """

    def __init__(
        self,
        fit: Any,
        predict: Any,
        *,
        data: RData | None = None,
        task: str | None = None,
        random_state: int | None = None,
        **parameters: Any,
    ) -> None:
        self.fit_function = fit
        self.predict_function = predict
        self.data = data
        self.task = task
        self.random_state = random_state
        self.parameters = parameters

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Constructor arguments and hyper-parameters by name."""
        own = {name: getattr(self, name) for name in ("data", "task", "random_state")}
        own |= {"fit": self.fit_function, "predict": self.predict_function}
        return own | self.parameters

    def set_params(self, **params: Any) -> "RLearner":
        """Set some of them; names that are new become hyper-parameters."""
        for name, value in params.items():
            if name in ("data", "task", "random_state"):
                setattr(self, name, value)
            elif name in ("fit", "predict"):
                setattr(self, f"{name}_function", value)
            else:
                self.parameters = self.parameters | {name: value}
        return self

    @property
    def _is_classifier(self) -> bool:
        if self.task is not None:
            return self.task == "classification"
        return self.data is None or self.data.is_classification

    @property
    def _estimator_type(self) -> str:
        return "classifier" if self._is_classifier else "regressor"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = self._estimator_type
        tags.target_tags.required = True
        if self._is_classifier:
            tags.classifier_tags = ClassifierTags()
        else:
            tags.regressor_tags = RegressorTags()
        return tags

    def fit(self, X: Any, y: Any) -> "RLearner":
        """Train on some rows.

        Parameters
        ----------
        X : array of row numbers, or of numbers, or pandas.DataFrame
            Row numbers where `data` was given.
        y : array-like
            The target of these rows.
        """
        y = np.asarray(y)
        if self._is_classifier:
            self.classes_ = np.unique(y)
        self.n_features_in_ = np.shape(X)[1]
        function, parameters = _function(self.fit_function), _session.as_list(self.parameters)
        if self.data is not None:
            value = _session.call(
                _session.helper("fit_rows"),
                function,
                self.data.frame.sexp,
                self.data.target,
                _row_numbers(X, self.data),
                parameters,
                self.random_state,
            )
        else:
            value = _session.call(
                _session.helper("fit_model"),
                function,
                _crossed(X),
                self._target(y),
                parameters,
                self.random_state,
            )
        self.model_ = RObject(value)
        return self

    def _target(self, y: NDArray[Any]) -> Any:
        """What R trains on; levels are in the order of `classes_`, not in R's order of texts."""
        if not self._is_classifier:
            return _session.array(y.astype(np.float64))
        levels = _session.strings(self.classes_.tolist())
        factor = _session.rinterface().baseenv["factor"]
        return _session.call(factor, _session.strings(y.tolist()), levels)

    def _predicted(self, X: Any) -> Any:
        function = _function(self.predict_function)
        if self.data is not None:
            return _session.call(
                _session.helper("predict_rows"),
                function,
                self.model_.sexp,
                self.data.frame.sexp,
                self.data.target,
                _row_numbers(X, self.data),
                self.random_state,
            )
        return _session.call(
            _session.helper("predict_model"),
            function,
            self.model_.sexp,
            _crossed(X),
            self.random_state,
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels of a classifier, or numbers."""
        out = self._predicted(X)
        if not self._is_classifier:
            return _session.to_numpy(out)
        if isinstance(out, _session.rinterface().StrSexpVector):
            as_text = {str(label): label for label in self.classes_.tolist()}
            unknown = next((str(label) for label in out if str(label) not in as_text), None)
            if unknown is not None:
                raise ValueError(f"predict gave the class {unknown!r}, which the fit's rows lack")
            return np.array([as_text[str(label)] for label in out])
        labels: NDArray[Any] = self.classes_[np.argmax(self._probabilities(out), axis=1)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, in the order of `classes_`."""
        out = self._predicted(X)
        if not self._is_classifier or isinstance(out, _session.rinterface().StrSexpVector):
            raise AttributeError("the learner's R function predicts no probabilities")
        return self._probabilities(out)

    def _probabilities(self, out: Any) -> NDArray[np.float64]:
        wanted = [str(label) for label in self.classes_.tolist()]
        if isinstance(out, _session.rinterface().ListSexpVector):
            values, names = _session.to_numpy(out[0]), list(out[1])
            missing = sorted(set(wanted) - set(names))
            if missing:
                raise ValueError(f"predict gave no probability of class {missing[0]!r}")
            return values[:, [names.index(name) for name in wanted]]
        if len(wanted) != 2:
            raise ValueError(f"predict gave one number per row for {len(wanted)} classes")
        second = _session.to_numpy(out)
        both = np.column_stack([1 - second, second])
        return both if self._second_level() == wanted[1] else both[:, ::-1]

    def _second_level(self) -> str:
        """R's second level, of which one number per row is the probability."""
        if self.data is None:
            return str(self.classes_[1])
        y = _session.call(_session.helper("outcome"), self.data.frame.sexp, self.data.target)
        return str(list(_session.call(_session.rinterface().baseenv["levels"], y))[1])


def _function(given: Any) -> Any:
    """An R function from its code or as it is."""
    if isinstance(given, str):
        return _session.evaluate(given)
    return given.sexp if isinstance(given, RObject) else given


def _row_numbers(X: Any, data: RData) -> Any:
    rows = np.asarray(X)
    fits = rows.ndim == 2 and rows.shape[1] == 1 and rows.dtype.kind in "iu"
    if not fits or ((rows < 0) | (rows >= len(data.y))).any():
        raise ValueError("X must be rows of data.rows where a learner has data")
    return _session.array(rows[:, 0] + 1)


def _crossed(X: Any) -> Any:
    if hasattr(X, "columns"):
        return frame_to_r(X)
    values = np.asarray(X)
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise TypeError("X must be a matrix of numbers or a pandas.DataFrame")
    return _session.array(values.astype(np.float64))
