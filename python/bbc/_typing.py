"""Names for the array types and the closed sets of words that several layers share."""

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

AnyArray: TypeAlias = NDArray[Any]
BoolArray: TypeAlias = NDArray[np.bool_]
FloatArray: TypeAlias = NDArray[np.float64]
CodeArray: TypeAlias = NDArray[np.int32]
IndexArray: TypeAlias = NDArray[np.int64]

# What a metric asks of the truth: two classes, any number of classes, numbers, (event, time)
# pairs, or nothing at all.
Target: TypeAlias = Literal["binary", "classes", "real", "survival", "any"]

# What a metric asks of the predictions. Class scores may be one column per configuration when
# there are two classes; with more they are always (row, configuration, class).
Predicts: TypeAlias = Literal[
    "labels",
    "score",
    "probability",
    "class_scores",
    "class_probabilities",
    "value",
    "risk",
    "any",
]

# The numbers that a real-valued truth or prediction may take, written as an interval.
Range: TypeAlias = Literal[
    "(-inf, inf)", "[0, inf)", "(0, inf)", "(-1, inf)", "[-1, inf)", "[0, 1]"
]

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
