"""The predictions required of a fitted model, and the arrays that hold them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import _num_samples

from .. import _validation
from .._typing import AnyArray, FloatArray, IndexArray

#: Gives a function of time for each row, as scikit-survival's learners do.
_SURVIVAL = "predict_survival_function"
_CODES = (np.int8, np.int16, np.int32)


@dataclass(frozen=True)
class Responses:
    """The predictions that the metrics require of each model.

    `labels` says whether labels are required, as codes into the sorted `classes` (None for
    regression); `methods` give scores, in order of preference. `positive` is the code of the one of
    two classes whose score is taken (None: both); `probabilities` says whether a metric reads the
    scores as probabilities. Scores are probabilities of surviving `times`, if there are any. `said`
    tells that the caller named the class. `decisions` says that what scorers of scikit-learn rank
    is required beside probabilities: decision values, of models that have them.
    """

    labels: bool
    methods: tuple[str, ...]
    classes: AnyArray | None = None
    positive: int | None = 1
    probabilities: bool = False
    times: tuple[float, ...] = ()
    said: bool = False
    decisions: bool = False

    @property
    def pos_label(self) -> Any:
        """Return the one of two classes whose score is taken."""
        if self.classes is None or self.positive is None or len(self.classes) != 2:
            return None
        return self.classes[self.positive]

    @property
    def describe(self) -> str:
        """Return one line that identifies the responses."""
        parts = ["labels"] if self.labels else []
        what = "probabilities" if self.probabilities else "scores"
        parts += [f"{what} by {' or '.join(self.methods)}"] if self.methods else []
        if self.decisions:
            parts.append("decision values")
        if self.pos_label is not None:
            parts.append(f"class {self.pos_label!s}")
        if self.times:
            parts.append(f"at {', '.join(map(str, self.times))}")
        return ", ".join(parts)

    def of(self, model: Any, X: Any) -> tuple[dict[str, AnyArray], str]:
        """Return a model's outputs by name, and the method that gave the scores."""
        outputs: dict[str, AnyArray] = {}
        if self.labels:
            outputs["labels"] = self._codes(_checked(model.predict(X), "predict", X))
        method = ""
        if self.methods:
            method = self._method(model)
            raw = _checked(getattr(model, method)(X), method, X)
            if method == _SURVIVAL:
                outputs["scores"] = self._survival(raw)
            else:
                outputs["scores"] = self._scores(raw, method, model)
            if not np.isfinite(outputs["scores"]).all():
                raise ValueError(f"{method} gave NaN or infinity")
        if self.decisions:
            outputs["decisions"] = self._decisions(model, X, outputs["scores"], method)
        return outputs, method

    def empty(self, n_rows: int) -> dict[str, AnyArray]:
        """Return outputs to be filled: codes of -1, scores of NaN."""
        outputs: dict[str, AnyArray] = {}
        if self.labels:
            outputs["labels"] = np.full(n_rows, -1, dtype=self._code_type)
        if self.methods:
            several: tuple[int, ...] = (len(self.times),) if len(self.times) > 1 else ()
            if self.classes is not None and self.pos_label is None:
                several = self.classes.shape
            outputs["scores"] = np.full((n_rows, *several), np.nan)
        if self.decisions:
            outputs["decisions"] = outputs["scores"].copy()
        return outputs

    def could_give(self, outputs: Mapping[str, AnyArray], method: str, n_rows: int) -> bool:
        """Whether a model can have given these outputs for so many rows."""
        if method not in (self.methods or [""]):
            return False
        layouts = [
            {name: (array.dtype, array.shape) for name, array in arrays.items()}
            for arrays in (outputs, self.empty(n_rows))
        ]
        if layouts[0] != layouts[1]:
            return False
        codes = outputs.get("labels", np.empty(0))
        known = 0 if self.classes is None else len(self.classes)
        in_range = ((codes >= 0) & (codes < known)).all()
        finite = all(np.isfinite(outputs.get(name, 0.0)).all() for name in ("scores", "decisions"))
        return bool(in_range and finite)

    @property
    def _code_type(self) -> Any:
        assert self.classes is not None
        return next(kind for kind in _CODES if len(self.classes) <= np.iinfo(kind).max)

    def _codes(self, predicted: AnyArray) -> AnyArray:
        return self._codes_of(_column(predicted, "predict"), "predict gave the label").astype(
            self._code_type
        )

    def _codes_of(self, labels: AnyArray, source: str) -> IndexArray:
        """Codes of labels; refuses those that are not classes."""
        assert self.classes is not None
        if labels.dtype.hasobject or self.classes.dtype.hasobject:
            code_of = {label: code for code, label in enumerate(self.classes.tolist())}
            codes = np.array([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)
            known = codes >= 0
        else:
            codes = np.searchsorted(self.classes, labels)
            known = codes < len(self.classes)
            known[known] = self.classes[codes[known]] == labels[known]
        if not known.all():
            raise ValueError(f"{source} {labels[~known][0]!r}, which y does not have")
        return codes

    def _method(self, model: Any) -> str:
        for method in self.methods:
            if hasattr(model, method):
                return method
        why = ""
        if _SURVIVAL in self.methods:
            why = (
                ", which gives a function of time for each row as scikit-survival's learners do; "
                "metrics of risks, such as bbc.metrics.uno_concordance, need predict alone"
            )
        raise AttributeError(f"{model.__class__.__name__} has no {' nor '.join(self.methods)}{why}")

    def _decisions(self, model: Any, X: Any, scores: FloatArray, method: str) -> FloatArray:
        """The scores that a scorer ranks: decision values, or else probabilities."""
        if method == "decision_function" or not hasattr(model, "decision_function"):
            return scores
        raw = _checked(model.decision_function(X), "decision_function", X)
        values = self._scores(raw, "decision_function", model)
        if not np.isfinite(values).all():
            raise ValueError("decision_function gave NaN or infinity")
        return values

    def _survival(self, functions: AnyArray) -> FloatArray:
        """Probabilities of surviving the times, by each row's survival function."""
        if functions.ndim != 1 or not all(map(callable, functions)):
            raise TypeError(
                f"{_SURVIVAL} gave an array of shape {functions.shape} and dtype "
                f"{functions.dtype}; one function of time for each row is needed"
            )
        times = np.array(self.times)
        values = np.array([function(times) for function in functions], dtype=np.float64)
        if values.shape != (len(functions), len(times)):
            raise ValueError(
                f"a function of {_SURVIVAL} gave values of shape {values.shape[1:]} for "
                f"{len(times)} times"
            )
        if ((values < 0) | (values > 1)).any():
            row, place = np.argwhere((values < 0) | (values > 1))[0]
            raise ValueError(
                f"{_SURVIVAL} gave {values[row, place]:g} at time {times[place]:g} for row {row} "
                "of the fold: probabilities of surviving are in [0, 1]"
            )
        return values if len(times) > 1 else values[:, 0].copy()

    def _scores(self, raw: AnyArray, method: str, model: Any) -> FloatArray:
        """Scores in the order of all classes, though a model may know fewer of them."""
        if raw.dtype.kind not in "biuf":
            raise TypeError(f"{method} gave {raw.dtype}, not numbers")
        if self.classes is None or method == "predict":
            return _column(raw, method).astype(np.float64)
        known = self._codes_of(
            _validation.plain_array(model.classes_, "classes_ of the model"), "classes_ have"
        )
        if len(np.unique(known)) < len(known):
            raise ValueError("classes_ have a class twice")
        raw = raw.reshape(len(raw), -1)
        if method == "decision_function" and raw.shape[1] == 1 and len(known) == 2:
            # One column for two classes: the score of the second.
            raw = np.concatenate([-raw, raw], axis=1)
        if raw.shape[1] != len(known):
            raise ValueError(
                f"{method} gave {raw.shape[1]} columns for {len(known)} classes; "
                "one column per class is needed"
            )
        if self.probabilities and method != "decision_function":
            raw = _probabilities(raw, method)
        # As scikit-learn's cross_val_predict: a class absent from the training rows comes last.
        absent = 0.0 if method == "predict_proba" else np.finfo(np.float64).min
        scores = np.full((len(raw), len(self.classes)), absent)
        scores[:, known] = raw
        return scores if self.pos_label is None else scores[:, self.positive].copy()


def _checked(predicted: Any, method: str, X: Any) -> AnyArray:
    """A method's predictions as an array with a row for each of X."""
    array = _validation.plain_array(predicted, f"what {method} gave")
    if array.ndim not in (1, 2):
        raise ValueError(f"{method} gave an array of shape {array.shape}")
    if len(array) != _num_samples(X):
        raise ValueError(f"{method} gave {len(array)} predictions for {_num_samples(X)} rows")
    return array


def _column(array: AnyArray, method: str) -> AnyArray:
    if array.ndim == 2 and array.shape[1] != 1:
        raise ValueError(f"{method} gave {array.shape[1]} columns; one is needed")
    return array.reshape(-1)


def _probabilities(raw: AnyArray, method: str) -> FloatArray:
    """Refuse what is not a distribution over classes; normalize lower precision in float64."""
    values = raw.astype(np.float64)
    sums = values.sum(axis=1, keepdims=True)
    precision = np.finfo(raw.dtype if raw.dtype.kind == "f" else np.float64).eps
    wrong = (values < 0).any(axis=1) | ~(np.abs(sums[:, 0] - 1) <= np.sqrt(precision))
    if np.isfinite(values).all() and wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"{method} gave {values[row].tolist()} for row {row} of the fold: probabilities are "
            "not negative and sum to 1"
        )
    return values / sums if raw.dtype.itemsize < values.dtype.itemsize else values
