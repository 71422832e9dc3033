"""Every way in which data can be wrong, with the error that says so.

The tests of validation and those of the public functions read this one table.
"""

import numpy as np
import pandas as pd
from scipy import sparse

from bbc.errors import UndefinedMetricError

N, C = 12, 3
RNG = np.random.default_rng(0)
Y = np.array([0, 1] * 6)
Y3 = np.array([0, 1, 2] * 4)
SCORES = RNG.random((N, C))
LABELS = RNG.integers(0, 2, (N, C))
PROBABILITIES = np.full((N, C, 3), 1 / 3)
REAL = RNG.random(N)
TIMES = np.arange(1.0, N + 1)


def changed(array, cells, value):
    array = np.array(array, dtype=np.result_type(array, type(value)))
    for cell in cells:
        array[cell] = value
    return array


AUC = {"y": Y, "predictions": SCORES, "metric": "roc_auc"}
ACCURACY = {"y": Y, "predictions": LABELS, "metric": "accuracy"}
LOG_LOSS = {"y": Y3, "predictions": PROBABILITIES, "metric": "log_loss"}
MSE = {"y": REAL, "predictions": SCORES, "metric": "mean_squared_error"}
SURVIVAL = {"metric": "concordance_index", "predictions": SCORES}
WORDS = np.array(["no", "yes"])

CASES = {
    "lengths": (AUC | {"y": Y[:11]}, ValueError, "y_true has 11 rows, predictions have 12"),
    "1-d predictions": (AUC | {"predictions": SCORES[:, 0]}, ValueError, r"predictions.*reshape"),
    "scalar": (AUC | {"predictions": 3.0}, ValueError, r"predictions .*shape \(\)"),
    "5-d": (
        AUC | {"predictions": np.zeros((1,) * 5)},
        ValueError,
        "predictions must have the axes",
    ),
    "none": (AUC | {"predictions": None}, TypeError, "predictions must be an array, got NoneType"),
    "no array": (
        AUC | {"predictions": object()},
        TypeError,
        "predictions must be an array, got object",
    ),
    "text": (AUC | {"predictions": "a.csv"}, TypeError, "predictions must be an array, got str"),
    "no rows": (AUC | {"predictions": SCORES[:0]}, ValueError, "predictions has no rows"),
    "no y": (AUC | {"y": Y[:0]}, ValueError, "y_true has no rows"),
    "no configurations": (
        AUC | {"predictions": SCORES[:, :0]},
        ValueError,
        "predictions has no configurations",
    ),
    "no classes": (
        LOG_LOSS | {"predictions": PROBABILITIES[:, :, :0]},
        ValueError,
        "predictions has no classes",
    ),
    "ragged": (AUC | {"y": [[1], [1, 2]]}, ValueError, "y_true has rows of different lengths"),
    "nested list": (
        AUC | {"predictions": SCORES.tolist()},
        ValueError,
        r"predictions\[0\].*asarray",
    ),
    "empty list": (AUC | {"predictions": []}, ValueError, "predictions is an empty list"),
    "unequal repeats": (
        AUC | {"predictions": [SCORES, SCORES[:, :2]]},
        ValueError,
        r"predictions: repeat 1 has shape \(12, 2\), repeat 0 has \(12, 3\)",
    ),
    "unequal columns": (
        AUC | {"predictions": [pd.DataFrame(SCORES), pd.DataFrame(SCORES, columns=list("abc"))]},
        ValueError,
        r"predictions\[1\] has other columns",
    ),
    "column y": (AUC | {"y": Y[:, None]}, ValueError, r"y_true must have shape .*ravel"),
    "wide y": (AUC | {"y": np.zeros((N, 2))}, ValueError, "y_true must have shape"),
    "NaN in y": (
        MSE | {"y": changed(REAL, [4, 9], np.nan)},
        ValueError,
        r"y_true is NaN at row 4 \(2 in",
    ),
    "infinite y": (
        MSE | {"y": changed(REAL, [4], -np.inf)},
        ValueError,
        "y_true is infinite at row 4$",
    ),
    "NaN in classes": (AUC | {"y": changed(Y, [3], np.nan)}, ValueError, "y_true is NaN at row 3"),
    "None in y": (
        AUC | {"y": np.array([*WORDS[Y][:11], None], dtype=object)},
        ValueError,
        "y_true is missing at row 11",
    ),
    "NaN in callable's y": (
        MSE | {"y": changed(REAL, [4], np.nan), "metric": "neg_median_absolute_error"},
        ValueError,
        "y_true is NaN at row 4",
    ),
    "unsortable y": (
        AUC | {"y": np.array([1, "a"] * 6, dtype=object)},
        TypeError,
        "y_true has labels of types that cannot be sorted",
    ),
    "text as numbers": (MSE | {"y": WORDS[Y]}, TypeError, "y_true must be numbers"),
    "real y for classes": (
        ACCURACY | {"y": REAL},
        ValueError,
        "y_true has 12 different real numbers, metric 'accuracy' needs classes",
    ),
    "complex y": (MSE | {"y": REAL + 1j}, TypeError, "y_true has complex"),
    "dates": (AUC | {"y": np.array(["2020-01-01"] * N, "M8[D]")}, TypeError, "y_true has dates"),
    "structured y": (
        MSE | {"y": np.zeros(N, [("a", "?"), ("b", "f8")])},
        TypeError,
        "y_true is a structured array",
    ),
    "infinity": (
        AUC | {"predictions": changed(SCORES, [(3, 2), (5, 1)], np.inf)},
        ValueError,
        r"predictions are infinite at repeat 0, row 3, configuration 2 \(2 in total\)",
    ),
    "infinity in a repeat": (
        AUC | {"predictions": [SCORES, changed(SCORES, [(3, 2), (5, 1)], -np.inf)]},
        ValueError,
        r"repeat 1, row 3, configuration 2 \(2 in total\)",
    ),
    "infinite class score": (
        AUC | {"predictions": changed(np.zeros((N, C, 2)), [(3, 2, 1)], np.inf)},
        ValueError,
        "repeat 0, row 3, configuration 2, class 1$",
    ),
    "hole": (
        AUC | {"predictions": changed(SCORES, [(3, 2), (5, 1), 6], np.nan)},
        ValueError,
        r"predictions are missing at repeat 0, row 3, configuration 2 \(2 in total\).*drop-rows",
    ),
    "hole in one repeat": (
        AUC | {"predictions": [SCORES, changed(SCORES, [6], np.nan)]},
        ValueError,
        "predictions are missing at repeat 1, row 6, configuration 0",
    ),
    "all missing": (
        AUC | {"predictions": SCORES * np.nan},
        ValueError,
        "predictions are missing in every row",
    ),
    "all rows drop": (
        AUC | {"predictions": changed(SCORES, [(slice(None), 1)], np.nan), "missing": "drop-rows"},
        ValueError,
        "leaves no rows",
    ),
    "all configurations drop": (
        AUC
        | {"predictions": changed(SCORES, [(3, 0), (4, 1), (5, 2)], np.nan)}
        | {"missing": "drop-configurations"},
        ValueError,
        "leaves no configurations",
    ),
    "missing": (AUC | {"missing": "ignore"}, ValueError, "missing must be 'raise' or"),
    "text as scores": (
        AUC | {"predictions": SCORES.astype(str)},
        TypeError,
        "predictions must be numbers .*'roc_auc'",
    ),
    "objects as scores": (
        AUC | {"predictions": WORDS[LABELS].astype(object)},
        TypeError,
        "predictions must be numbers",
    ),
    "long doubles": (
        AUC | {"predictions": SCORES.astype(np.longdouble)},
        TypeError,
        "predictions have dtype .*float64",
    ),
    "complex": (AUC | {"predictions": SCORES + 1j}, TypeError, "predictions has complex"),
    "sparse": (AUC | {"predictions": sparse.eye(N)}, TypeError, "predictions is sparse.*toarray"),
    "masked": (AUC | {"predictions": np.ma.array(SCORES)}, TypeError, "predictions is a masked"),
    "unknown float label": (
        ACCURACY | {"predictions": changed(LABELS, [(3, 2), (4, 1)], 0.5)},
        ValueError,
        r"label .*0\.5.* the truth does not have \(0, 1\) at repeat 0, row 3, config.*2 \(2 in",
    ),
    "unknown string label": (
        ACCURACY | {"y": WORDS[Y], "predictions": changed(WORDS[LABELS], [(3, 2)], "off")},
        ValueError,
        r"'off'.*row 3, configuration 2; labels=",
    ),
    "numbers for words": (
        ACCURACY | {"y": WORDS[Y]},
        TypeError,
        r"predictions are labels that are numbers, .* truth are text \(no, yes\).*classes\[",
    ),
    "words for numbers": (
        ACCURACY | {"predictions": WORDS[LABELS]},
        TypeError,
        r"predictions are labels that are text, those of the truth are numbers \(0, 1\)",
    ),
    "huge label": (
        ACCURACY | {"predictions": np.full((N, C), 2**64 - 1, np.uint64)},
        ValueError,
        "predictions have the label 18446744073709551615",
    ),
    "label beyond floats": (
        ACCURACY | {"y": 2**53 + Y, "predictions": 2.0**53 + LABELS},
        ValueError,
        r"predictions are of dtype float64, which cannot hold the label 9007199254740993 of the",
    ),
    "NaN in labels": (
        ACCURACY | {"labels": [0, 1, np.nan]},
        ValueError,
        "labels is NaN at place 2",
    ),
    "y outside labels": (
        ACCURACY | {"labels": [0, 2]},
        ValueError,
        "y_true has the label 1.*labels",
    ),
    "three classes": (
        AUC | {"y": Y3},
        ValueError,
        r"y_true has 3 classes \(0, 1, 2\).*'roc_auc_ovr' or 'roc_auc_ovo'",
    ),
    "three classes, f1": (ACCURACY | {"y": Y3, "metric": "f1"}, ValueError, "'f1_macro'"),
    "one class": (
        AUC | {"y": Y * 0},
        ValueError,
        r"y_true has one class \(0\).*'roc_auc' needs two",
    ),
    "one class of two": (
        AUC | {"y": Y * 0, "labels": [0, 1]},
        UndefinedMetricError,
        "y_true has rows of class 0 only, none of class 1: metric 'roc_auc' is undefined",
    ),
    "one class, mcc": (ACCURACY | {"y": Y * 0, "metric": "mcc"}, UndefinedMetricError, "'mcc'"),
    "one class, ovr": (
        AUC | {"y": Y * 0, "metric": "roc_auc_ovr"},
        UndefinedMetricError,
        "y_true has rows of class 0 only: metric 'roc_auc_ovr' is undefined",
    ),
    "no positives": (
        ACCURACY | {"y": Y * 0, "metric": "recall", "labels": [0, 1]},
        UndefinedMetricError,
        "none of class 1",
    ),
    "pos_label": (
        AUC | {"pos_label": 2},
        ValueError,
        r"pos_label=2 is not a class of the truth \(0, 1\)",
    ),
    "pos_label of many": (LOG_LOSS | {"pos_label": 1}, ValueError, "pos_label needs two classes"),
    "pos_label of numbers": (MSE | {"pos_label": 1}, ValueError, "pos_label has no meaning"),
    "labels of numbers": (MSE | {"labels": [1]}, ValueError, "labels has no meaning"),
    "class scores as labels": (
        ACCURACY | {"predictions": PROBABILITIES},
        ValueError,
        r"predictions have shape \(12, 3, 3\), class scores.*takes labels",
    ),
    "class scores as values": (MSE | {"predictions": PROBABILITIES}, ValueError, "takes value"),
    "flat class scores": (
        LOG_LOSS | {"predictions": SCORES},
        ValueError,
        r"predictions must have shape \(n_rows, n_configurations, 3\)",
    ),
    "wrong classes": (
        LOG_LOSS | {"predictions": PROBABILITIES[:, :, :2]},
        ValueError,
        r"predictions have 2 classes on the last axis, the truth has 3 \(0, 1, 2\)",
    ),
    "probability above 1": (
        LOG_LOSS | {"y": Y, "predictions": changed(SCORES, [(3, 2)], 1.5)},
        ValueError,
        r"predictions must be in \[0, 1\].*got 1\.5 at repeat 0, row 3, configuration 2",
    ),
    "negative probability": (
        LOG_LOSS
        | {"y": Y, "predictions": changed(SCORES, [(3, 2)], -0.5), "metric": "brier_score"},
        ValueError,
        r"got -0\.5 at repeat 0, row 3",
    ),
    "sums": (
        LOG_LOSS | {"predictions": changed(PROBABILITIES, [(3, 2, 0)], 0.4)},
        ValueError,
        r"predictions of the classes sum to 1\.06667 .*repeat 0, row 3, configuration 2",
    ),
    "poisson y": (
        MSE | {"y": -REAL, "metric": "poisson_deviance"},
        ValueError,
        r"y_true must be in \[0, inf\).*at row 0 \(12 in total\)",
    ),
    "gamma predictions": (
        MSE | {"metric": "gamma_deviance", "predictions": changed(SCORES, [(3, 2)], 0.0)},
        ValueError,
        r"predictions must be in \(0, inf\).*row 3, configuration 2",
    ),
    "weights": (AUC | {"sample_weight": REAL[:5]}, ValueError, "sample_weight has 5 rows"),
    "NaN weight": (
        AUC | {"sample_weight": changed(REAL, [3], np.nan)},
        ValueError,
        "sample_weight is NaN at row 3",
    ),
    "infinite weight": (
        AUC | {"sample_weight": changed(REAL, [3], np.inf)},
        ValueError,
        "sample_weight is infinite at row 3",
    ),
    "negative weight": (
        AUC | {"sample_weight": changed(REAL, [3, 5], -1.0)},
        ValueError,
        r"sample_weight is negative at row 3 \(2 in",
    ),
    "zero weights": (AUC | {"sample_weight": REAL * 0}, ValueError, "sample_weight is zero"),
    "text weights": (AUC | {"sample_weight": WORDS[Y]}, TypeError, "sample_weight must be numbers"),
    "wide weights": (AUC | {"sample_weight": SCORES}, ValueError, "sample_weight must have shape"),
    "one fold": (AUC | {"folds": Y * 0}, ValueError, r"folds has one value \(0\) in repeat 0"),
    "short folds": (AUC | {"folds": Y[:5]}, ValueError, "folds has 5 rows, predictions have 12"),
    "deep folds": (AUC | {"folds": PROBABILITIES}, ValueError, "folds must have shape"),
    "folds of one repeat": (
        AUC | {"predictions": [SCORES, SCORES], "folds": Y},
        ValueError,
        "folds has 1 repeats, predictions have 2",
    ),
    "NaN fold": (AUC | {"folds": changed(Y, [3], np.nan)}, ValueError, "folds.*repeat 0, row 3"),
    "no folds": (
        AUC | {"folds_needed_by": 'method="bbc-f"'},
        ValueError,
        'folds is needed by method="bbc-f"',
    ),
    "fold without a class": (
        AUC | {"folds": list("abababcccddd"), "every_fold_scored": True},
        UndefinedMetricError,
        "folds: no row of class 1, so 'roc_auc' is undefined at repeat 0, fold a",
    ),
    "one group": (AUC | {"groups": Y * 0 + 7}, ValueError, r"groups has one group \(7\)"),
    "missing group": (
        AUC | {"groups": np.array([*"abcdefghijk", None], dtype=object)},
        ValueError,
        "groups is missing at row 11",
    ),
    "short groups": (AUC | {"groups": Y[:5]}, ValueError, "groups has 5 rows"),
    "groups span classes": (
        AUC | {"groups": np.array(list("abcdef")).repeat(2), "stratify": True},
        ValueError,
        r"groups: group a spans classes at row 1 \(6 in total\)",
    ),
    "strata of numbers": (MSE | {"stratify": True}, ValueError, "stratify_bootstrap=True needs"),
    "strata of any numbers": (
        MSE | {"stratify": True, "metric": "neg_max_error"},
        ValueError,
        "stratify_bootstrap=True needs",
    ),
    "strata flag": (AUC | {"stratify": "yes"}, TypeError, "stratify_bootstrap must be True or"),
    "names": (AUC | {"names": ["a"]}, ValueError, "names has 1 entries for 3 configurations"),
    "names as text": (AUC | {"names": "abc"}, TypeError, "names must be a sequence"),
    "id column": (
        AUC | {"predictions": pd.DataFrame(SCORES, columns=["a", "id", "c"])},
        ValueError,
        r"predictions: column 'id' seems to describe the rows \(by its name\).* in names=",
    ),
    "outcome column": (
        AUC | {"predictions": pd.DataFrame(SCORES, columns=["a", "b", " Outcome"])},
        ValueError,
        r"predictions: column ' Outcome' seems to be the truth \(by its name\).* in names=",
    ),
    "copy of the truth": (
        MSE | {"predictions": pd.DataFrame(np.column_stack([SCORES, REAL]), columns=list("abcd"))},
        ValueError,
        "predictions has the column 'd', which is the truth itself: drop it",
    ),
    "classes as configurations": (
        AUC | {"predictions": np.column_stack([1 - SCORES[:, 0], SCORES[:, 0]])},
        ValueError,
        "predictions: the two columns sum to one .* column of the positive class, or a 3-d array",
    ),
    "survival shape": (
        SURVIVAL | {"y": Y},
        ValueError,
        r"y_true must be a structured array \(event",
    ),
    "survival event": (
        SURVIVAL | {"y": np.column_stack([TIMES, Y])},
        ValueError,
        r"y_true: event must be 0 or 1, got 2\.0 at row 1 .*order is \(event, time\)",
    ),
    "survival time": (
        SURVIVAL | {"y": np.column_stack([Y, changed(TIMES, [3], np.nan)])},
        ValueError,
        r"y_true \(time\) is NaN at row 3",
    ),
    "survival text": (
        SURVIVAL | {"y": np.column_stack([WORDS[Y], WORDS[Y]])},
        TypeError,
        "y_true: event must be bool",
    ),
}
