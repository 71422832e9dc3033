"""What is asked of a fitted model, and the arrays that come of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import _num_samples

from .._typing import AnyArray, FloatArray

_CODES = (np.int8, np.int16, np.int32)


@dataclass(frozen=True)
class Responses:
    """The predictions that the metrics need of each model.

    Attributes
    ----------
    labels : bool
        Whether predicted labels are needed, as codes into `classes`.
    methods : tuple of str
        Methods that give scores, in order of preference; empty if none are needed.
    classes : ndarray or None
        The sorted classes of a classification; None otherwise.
    positive : int
        With two classes, the code of the one whose score is taken.
    """

    labels: bool
    methods: tuple[str, ...]
    classes: AnyArray | None = None
    positive: int = 1

    @property
    def describe(self) -> str:
        """Return one line that tells two sets of responses apart."""
        parts = ["labels"] if self.labels else []
        parts += ["scores by " + " or ".join(self.methods)] if self.methods else []
        if self.classes is not None and len(self.classes) == 2:
            parts.append(f"class {self.classes[self.positive]!s}")
        return ", ".join(parts)

    def of(self, model: Any, X: Any) -> tuple[dict[str, AnyArray], str]:
        """Return a model's outputs by name, and the method that gave the scores."""
        outputs: dict[str, AnyArray] = {}
        if self.labels:
            outputs["labels"] = self._codes(model.predict(X))
        method = ""
        if self.methods:
            method = self._method(model)
            raw = np.asarray(getattr(model, method)(X))
            outputs["scores"] = self._scores(raw, method, model)
            if not np.isfinite(outputs["scores"]).all():
                raise ValueError(f"{method} gave NaN or infinity")
        for name, values in outputs.items():
            if len(values) != _num_samples(X):
                called = "predict" if name == "labels" else method
                raise ValueError(
                    f"{called} gave {len(values)} predictions for {_num_samples(X)} rows"
                )
        return outputs, method

    def empty(self, n_rows: int) -> dict[str, AnyArray]:
        """Return the outputs of no model: codes of -1, scores of NaN."""
        outputs: dict[str, AnyArray] = {}
        if self.labels:
            outputs["labels"] = np.full(n_rows, -1, dtype=self._code_type)
        if self.methods:
            classes = self.classes
            wide = classes is not None and len(classes) > 2
            shape = (n_rows, len(classes)) if wide and classes is not None else (n_rows,)
            outputs["scores"] = np.full(shape, np.nan)
        return outputs

    @property
    def _code_type(self) -> Any:
        assert self.classes is not None
        return next(kind for kind in _CODES if len(self.classes) <= np.iinfo(kind).max)

    def _codes(self, predicted: Any) -> AnyArray:
        assert self.classes is not None
        labels = np.asarray(predicted).reshape(-1)
        codes = np.searchsorted(self.classes, labels)
        known = codes < len(self.classes)
        known[known] = self.classes[codes[known]] == labels[known]
        if not known.all():
            raise ValueError(f"predict gave the label {labels[~known][0]!r}, which y does not have")
        return codes.astype(self._code_type)

    def _method(self, model: Any) -> str:
        for method in self.methods:
            if hasattr(model, method):
                return method
        raise AttributeError(f"{type(model).__name__} has no {' nor '.join(self.methods)}")

    def _scores(self, raw: AnyArray, method: str, model: Any) -> FloatArray:
        """Scores in the order of all classes, though a model may know fewer of them."""
        if self.classes is None or method == "predict":
            return raw.astype(np.float64).reshape(-1)
        known = np.searchsorted(self.classes, model.classes_)
        if raw.ndim == 1 or raw.shape[1] == 1 < len(known):
            # One column for two classes: the score of the second.
            raw = raw.reshape(-1)
            raw = np.stack([-raw, raw], axis=1)
        if raw.shape[1] != len(known):
            raise ValueError(
                f"{method} gave {raw.shape[1]} columns for {len(known)} classes; "
                "one column per class is needed"
            )
        # As scikit-learn's cross_val_predict: a class that the model never saw comes last.
        unseen = 0.0 if method == "predict_proba" else np.finfo(np.float64).min
        scores = np.full((len(raw), len(self.classes)), unseen)
        scores[:, known] = raw
        return scores[:, self.positive].copy() if len(self.classes) == 2 else scores
