"""R values that Python holds, and data frames that never leave R."""

import hashlib
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from . import _session

# What this process has unserialized already, so that data cross once per worker and not per fit.
_unserialized: dict[str, Any] = {}


class RObject:
    """An R value, pickled as R serializes it and unserialized in the R session that uses it.

    Parameters
    ----------
    value : R object or bytes
        The value, or what R's ``serialize(value, NULL)`` gave.
    """

    def __init__(self, value: Any) -> None:
        self._raw = value if isinstance(value, bytes) else None
        self._sexp = None if isinstance(value, bytes) else value

    @property
    def sexp(self) -> Any:
        """The value in this process's R."""
        if self._sexp is None:
            assert self._raw is not None
            digest = hashlib.blake2b(self._raw, digest_size=16).hexdigest()
            if digest not in _unserialized:
                r = _session.rinterface()
                raw = r.ByteSexpVector(self._raw)
                _unserialized[digest] = _session.call(r.baseenv["unserialize"], raw)
            self._sexp = _unserialized[digest]
        return self._sexp

    @property
    def raw(self) -> bytes:
        """The value as R serializes it."""
        if self._raw is None:
            self._raw = bytes(_session.call(_session.helper("serialized"), self._sexp))
        return self._raw

    def __reduce__(self) -> Any:
        return RObject, (self.raw,)

    def __deepcopy__(self, memo: Any) -> "RObject":
        return self  # R values are not changed in place

    def __repr__(self) -> str:
        names = list(_session.call(_session.rinterface().baseenv["class"], self.sexp))
        return f"<R object of class {', '.join(names)}>"


class RValue(RObject):
    """The value of a hyper-parameter that R gave: kept as R has it, and shown as R writes it."""

    def __init__(self, value: Any, text: str) -> None:
        super().__init__(value)
        self._text = text
        self.raw  # noqa: B018  serialized now: backends pickle on threads that R does not run on

    def __reduce__(self) -> Any:
        return RValue, (self.raw, self._text)

    def __repr__(self) -> str:
        return self._text


class RData:
    """A data frame that stays in R: only row numbers cross, so factors, dates and NA stay intact.

    Parameters
    ----------
    frame : RObject
        The data frame.
    target : str
        Name of the column that is predicted.

    Attributes
    ----------
    rows : ndarray of int of shape (n_rows, 1)
        Row numbers (from 0): the `X` of protocols and learners.
    y : ndarray of shape (n_rows,)
        The target: labels as text where it is a factor, (event, time) where it is a
        ``survival::Surv``, else numbers.
    """

    def __init__(self, frame: RObject, target: str) -> None:
        self.frame = frame
        self.target = target
        frame.raw  # noqa: B018  serialized now: backends pickle on threads that R does not run on
        self.y: NDArray[Any] = _truth(
            _session.to_numpy(_session.call(_session.helper("describe_data"), frame.sexp, target))
        )

    @property
    def rows(self) -> NDArray[np.int64]:
        """Row numbers, the `X` of protocols."""
        return np.arange(len(self.y))[:, None]

    @property
    def is_classification(self) -> bool:
        """Whether the target has labels."""
        return self.y.dtype.kind in "UO"

    @cached_property
    def _numeric(self) -> NDArray[np.float64]:
        helper = _session.helper("numeric_matrix")
        return _session.to_numpy(_session.call(helper, self.frame.sexp, self.target))

    def matrix(self) -> "RowsToMatrix":
        """Return a transformer from row numbers to numbers, for scikit-learn's learners.

        Factors become indicators as in R's ``model.matrix``; NA becomes NaN.
        """
        return RowsToMatrix(self)

    def __deepcopy__(self, memo: Any) -> "RData":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return vars(self).copy()

    def __repr__(self) -> str:
        return f"RData(<{len(self.y)} rows>, target={self.target!r})"


def _truth(values: NDArray[Any]) -> NDArray[Any]:
    """The outcome as metrics read it: the columns (event, time) of a Surv become fields."""
    if values.ndim == 1:
        return values
    truth = np.empty(len(values), [("event", np.bool_), ("time", np.float64)])
    truth["event"], truth["time"] = values[:, 0] == 1, values[:, 1]
    return truth


class RowsToMatrix(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Row numbers of an `RData` to its predictors as numbers; see `RData.matrix`."""

    def __init__(self, data: RData) -> None:
        self.data = data

    def fit(self, X: Any, y: Any = None) -> "RowsToMatrix":
        """Learn nothing."""
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The numbers of some rows."""
        taken: NDArray[np.float64] = self.data._numeric[np.asarray(X)[:, 0]]
        return taken

    def __sklearn_is_fitted__(self) -> bool:
        return True


def data(frame: Any, target: str) -> RData:
    """Take a data frame into, or in, R.

    Parameters
    ----------
    frame : str, R object or pandas.DataFrame
        R code whose value is a data frame (``"iris"``, ``"read.csv('a.csv')"``), an R object, or
        a pandas frame, whose text and categories become factors.
    target : str
        Name of the column that is predicted.

    Returns
    -------
    RData
        The data, with `rows` and `y` for protocols.

    Examples
    --------
    >>> import bbc_r
    >>> iris = bbc_r.data("iris", target="Species")
    >>> iris.rows.shape, str(iris.y[0])
    ((150, 1), 'setosa')
    """
    if isinstance(frame, str):
        return RData(RObject(_session.evaluate(frame)), target)
    if hasattr(frame, "columns"):
        frame = frame_to_r(frame)
    return RData(frame if isinstance(frame, RObject) else RObject(frame), target)


def frame_to_r(frame: Any) -> Any:
    """A pandas frame as an R data.frame."""
    r = _session.rinterface()
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"the frame has more than one column {twice!r}")
    columns = dict(zip(names, (_column(frame[name]) for name in frame.columns), strict=True))
    build = r.baseenv["list2DF"]
    return _session.call(build, _session.as_list(columns), len(frame))


def _column(column: Any) -> Any:
    r = _session.rinterface()
    kind = column.dtype.kind if hasattr(column.dtype, "kind") else "O"
    missing = column.isna().to_numpy()
    if kind in "iuf":
        return _session.array(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if kind == "b":
        return r.BoolSexpVector(
            [
                r.NA_Logical if gone else bool(value)
                for value, gone in zip(column, missing, strict=True)
            ]
        )
    if kind == "M":
        raise TypeError(f"column {column.name!r} has dates: convert them in R, or to numbers")
    texts = [None if gone else str(value) for value, gone in zip(column, missing, strict=True)]
    categories = getattr(column, "cat", None)
    levels = (
        [str(level) for level in categories.categories]
        if categories is not None
        else sorted({text for text in texts if text is not None})
    )
    return _session.call(r.baseenv["factor"], _session.strings(texts), _session.strings(levels))
