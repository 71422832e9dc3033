"""Parts of results: an interval, the test of model luck, and the record of the design."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._design import UNKNOWN, Design
from .._result import Level, Result, Share
from .._typing import Alternative, CodeArray
from .._validation import Options, Problem, Truth
from ..predictions import OutOfSamplePredictions


@dataclass(frozen=True, eq=False)
class ConfidenceInterval(Result):
    """Limits of a confidence interval; unpacks as ``low, high``.

    Sides are numerical, whatever the metric's direction: for a score the conservative one-sided
    interval is ``alternative="greater"`` (a lower bound), for a loss ``"less"`` (an upper bound).

    Attributes
    ----------
    low, high : float
        The limits; the open side of a one-sided interval ends at the limit of the metric's range,
        which may be infinite.
    confidence_level : float
        Nominal coverage.
    alternative : {"two-sided", "greater", "less"}
        "greater" has a lower bound only, "less" an upper bound only.
    calibrated : bool
        Whether it is the calibrated interval of two-level BBC rather than order statistics.

    Examples
    --------
    >>> from bbc.results import ConfidenceInterval
    >>> low, high = ConfidenceInterval(0.71, 0.83)
    >>> high
    0.83
    """

    low: float
    high: float
    confidence_level: Level = 0.95
    alternative: Alternative = "two-sided"
    calibrated: bool = False

    _spread: ClassVar[bool] = True

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def _check(self) -> None:
        super()._check()
        if not self.low <= self.high:
            raise ValueError(f"the interval is [{self.low}, {self.high}]")


@dataclass(frozen=True, eq=False)
class ModelLuck(Result):
    """Test whether the models fitted for a configuration in different folds differ by chance.

    A permutation test of the interaction of configuration and fold in the fold scores: if fitted
    models do not differ, rows of a class are exchangeable between folds. A large p-value does not
    show that they do not differ.

    Attributes
    ----------
    p_value : float or None
        The p-value; None if the test was not possible.
    predicted_bias : float or None
        Predicted bias of the estimate of method "bbc", in the metric's units; positive means too
        good.
    luck_variance, row_variance : float or None
        Variance of the score on one fold due to the fitted model and due to its rows, each
        without what all configurations have in common.
    n_permutations : int
        Permutations drawn; the test stops once a p-value of at most .05 is out of reach.
    untestable : str
        Why the test was not possible; "" if it was.

    References
    ----------
    .. [1] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991).

    Examples
    --------
    The accuracy of each fitted model is drawn at random.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> folds = np.arange(500) % 5
    >>> y = rng.integers(0, 2, 500)
    >>> accuracy = rng.normal(0.75, 0.05, size=(5, 40))
    >>> wrong = rng.random((500, 40)) > accuracy[folds]
    >>> predictions = np.where(wrong, 1 - y[:, None], y[:, None])
    >>> e = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=0)
    >>> e.model_luck.p_value <= 0.05, e.model_luck.predicted_bias > 0.01
    (True, True)
    """

    p_value: Share | None = None
    predicted_bias: float | None = None
    luck_variance: float | None = None
    row_variance: float | None = None
    n_permutations: int = 0
    untestable: str = ""


def model_luck(raw: dict[str, Any] | None) -> ModelLuck | None:
    """The kernel's test as a result, without the numbers of a test that was not possible."""
    if raw is None:
        return None
    return ModelLuck(untestable=raw["untestable"]) if raw["untestable"] else ModelLuck(**raw)


def design_of(problem: Problem, predictions: Any, options: Options | None = None) -> Design:
    """The design of an analysis of a problem; without options nothing was drawn."""
    truth, groups, weights = problem.truth, problem.groups, problem.sample_weight
    counts, event = class_counts(truth), truth.event
    n_events = None if event is None else int(np.count_nonzero(event))
    if len(counts) == 2:
        n_events = counts[1][1]
        event = None if groups is None else np.asarray(truth.codes == 1)
    training, time_ordered, dynamic = UNKNOWN, None, None
    if isinstance(predictions, OutOfSamplePredictions):
        training = predictions.design
        # False is the default of both, and a statement only where the training was seen.
        unsaid = None if training.training == "unknown" else False
        time_ordered = predictions.time_ordered or unsaid
        dynamic = predictions.dynamic_search or unsaid
    return Design(
        training=training.training,
        splitter=training.splitter,
        stratified=training.stratified,
        grouped=training.grouped,
        time_ordered=True if problem.block_length else time_ordered,
        dynamic_search=True if options is not None and options.dynamic_search else dynamic,
        n_failed=training.n_failed,
        dropped_after=training.dropped_after,
        n_rows_scored=len(truth.values),
        n_groups=None if groups is None else int(groups.max()) + 1,
        n_groups_with_event=None
        if groups is None or event is None
        else len(np.unique(groups[event])),
        n_events=n_events,
        class_counts=counts,
        stratified_draws=options is not None and problem.strata is not None,
        weighted=weights is not None and bool((weights != weights[0]).any()),
        block_draws=groups is not None
        and options is not None
        and options.method != "bbc-f"
        and are_blocks(groups),
        selection="" if options is None else str(options.selection),
        interval="" if options is None else options.interval,
    )


def class_counts(truth: Truth) -> tuple[tuple[Any, int], ...]:
    """The classes of a truth and how many rows each has; empty where there are none."""
    if truth.codes is None or truth.classes is None:
        return ()
    counts = np.bincount(truth.codes, minlength=len(truth.classes)).tolist()
    return tuple(zip(truth.classes.tolist(), counts, strict=True))


def are_blocks(groups: CodeArray | None) -> bool:
    """Whether each group is a block of consecutive rows, and some have several."""
    # Codes are in the order of first rows, so those of blocks never fall.
    return (
        groups is not None
        and int(groups[-1]) + 1 < len(groups)
        and bool((groups[1:] >= groups[:-1]).all())
    )
