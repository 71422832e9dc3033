"""The final model of a configuration whose scores are cut."""

from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier

from ._run import Run


def cut_model(model: Any, threshold: float, run: Run) -> Any:
    """A fitted model whose labels are those of its scores above a threshold."""
    method = next(name for name in run.responses.methods if hasattr(model, name))
    cut = FixedThresholdClassifier(
        FrozenEstimator(model),
        # Scikit-learn calls positive what is at or above the threshold.
        threshold=float(np.nextafter(threshold, np.inf)),
        pos_label=run.responses.pos_label,
        response_method=method,
    )
    return cut.fit(run.X, run.y)
