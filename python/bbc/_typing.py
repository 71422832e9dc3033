"""Array types and sets of words that several layers share."""

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # pandas need not be installed
    from pandas import DataFrame as DataFrame
else:
    DataFrame = Any

AnyArray: TypeAlias = NDArray[Any]
BoolArray: TypeAlias = NDArray[np.bool_]
FloatArray: TypeAlias = NDArray[np.float64]
CodeArray: TypeAlias = NDArray[np.int32]
IndexArray: TypeAlias = NDArray[np.int64]

# The truth that a metric takes: two classes, any number of classes, numbers, (event, time)
# pairs, or anything.
Target: TypeAlias = Literal["binary", "classes", "real", "survival", "any"]

# The predictions that a metric takes. Class scores of two classes may be one column per
# configuration; of more they are (row, configuration, class).
Predicts: TypeAlias = Literal[
    "labels",
    "score",
    "probability",
    "class_scores",
    "class_probabilities",
    "value",
    "risk",
    "survival",
    "any",
]

# The output of a model that a metric reads: "predict" is what the method `predict` gives, labels of
# classifiers and values of regressors; empty is what there is.
Response: TypeAlias = Literal[
    "", "predict", "labels", "scores", "probabilities", "values", "survival"
]

# The range of a real-valued truth or prediction.
Range: TypeAlias = Literal[
    "(-inf, inf)", "[0, inf)", "(0, inf)", "(-1, inf)", "[-1, inf)", "[0, 1]"
]

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
