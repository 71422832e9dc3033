"""Which of two classes a metric calls positive, and which class one column of scores is of."""

from typing import Any, NoReturn

import numpy as np

from .._typing import AnyArray, CodeArray
from ..errors import Argument, InvalidValueError
from ..metrics import Metric

# The functions of scikit-learn that take label 1 for the positive class (pos_label=1), and the
# specificity, whose other half is their recall.
_TAKE_ONE = frozenset(("f_beta", "precision", "recall", "jaccard", "average_precision"))


def takes_one(metric: Metric) -> bool:
    """Whether label 1 is the positive class, as in scikit-learn's function of that name."""
    if metric.target != "binary" or metric.function is not None:
        return False
    return metric.kernel in _TAKE_ONE or metric.kernel == "specificity"


def reads_one_class(metric: Metric) -> bool:
    """Whether one column of scores is read as the scores of the positive class."""
    if metric.function is not None or not metric.has_classes:
        return False
    return metric.predicts not in ("labels", "any")


def positive_class(metric: Metric, said: Any, scored: Any) -> Any:
    """The positive class that is said, or else that of the scores, where they decide.

    None leaves it to the labels of the truth. `scored` is the class whose scores are read, None if
    they are of all classes or of none.
    """
    if said is not None or scored is None or not reads_one_class(metric):
        return said
    return None if takes_one(metric) and scored != 1 else scored


def agreed(metric: Metric, pos_label: Any) -> Any:
    """The positive class by the argument or by those of the metric's scorer."""
    if metric.pos_label is None:
        return pos_label
    if pos_label is not None and pos_label != metric.pos_label:
        raise InvalidValueError(
            Argument("pos_label", pos_label),
            f": the scorer of metric {metric.name!r} says {metric.pos_label!r}",
        )
    return metric.pos_label


def default_place(classes: AnyArray, codes: CodeArray, metric: Metric) -> int:
    """Place of the positive class among two sorted classes where none is said.

    As scikit-learn's scorer of that name: label 1 for some, which refuse labels without it, and the
    larger label for the others.
    """
    if not takes_one(metric):
        return 1
    place = place_of_one(classes)
    if place is None:
        refuse_unknown_positive(classes, codes, metric, "")
    return place


def place_of_one(classes: AnyArray) -> int | None:
    """Place of label 1 among classes; None if they lack it, as text does."""
    ones: list[int] = [] if is_text(classes) else np.flatnonzero(classes == 1).tolist()
    return ones[0] if ones else None


def is_text(classes: AnyArray) -> bool:
    """Whether labels are other than numbers, so that none is the larger."""
    return classes.dtype.kind not in "biuf"


def refuse_unknown_positive(
    classes: AnyArray, codes: CodeArray, metric: Metric, why: str
) -> NoReturn:
    """Refuse two classes of which none is known to be the positive one."""
    counts = np.bincount(codes, minlength=2)
    first, second = classes.tolist()
    raise InvalidValueError(
        "pos_label",
        f"must name the positive class for metric {metric.name!r}{why}: y_true has {counts[0]} "
        f"rows of class {first!r} and {counts[1]} of class {second!r}",
        hint=("{} or {}", Argument("pos_label", first), Argument("pos_label", second)),
    )
