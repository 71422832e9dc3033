"""PerformanceEstimate: an estimate with its interval and how it was obtained."""

import math
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from .._design import UNKNOWN, Design, plain_label
from .._frozen import kept
from .._typing import FloatArray, IndexArray
from ..findings import Finding
from . import _findings, _json, _text
from ._interval import ConfidenceInterval
from ._model_luck import ModelLuck


@dataclass(frozen=True, eq=False)
class PerformanceEstimate:
    """Performance of the selected configuration, corrected for selection.

    Attributes
    ----------
    estimate : float
        The corrected performance, in the metric's units and sign.
    confidence_interval : ConfidenceInterval or None
        Its interval; None if the method has none, or none on these data.
    metric, method, pooling : str
        What was estimated, by which method, and whether the metric was computed on all rows
        together ("pooled") or as the mean over folds ("fold").
    greater_is_better : bool
        Direction of the metric.
    apparent : float or None
        The winner's uncorrected score (L_CVT).
    winner : int
        Index of the configuration that the selection rule selects on all rows; of an ensemble, of
        the member with the largest weight, with ties for the lowest index.
    winner_name : str
        Its name, if configurations have names.
    replicates, replicate_winners : ndarray or None
        Out-of-bag score and winner of each replicate.
    replicate_sd : float or None
        Standard deviation of the replicates. It is *not* a standard error of the estimate: for a
        single configuration it is about 1.3 times too large.
    size_bias : float or None
        Mean over the replicates of what their winner's out-of-bag score is on average beyond its
        score on all rows: the effect of scoring fewer rows, not of selection, which `replicates`
        and `estimate` have lost. None where nothing was taken: for means over rows, AUC and R2,
        and with ``size_correction=False``. Single replicates may lie beyond the metric's range.
    n_redrawn : int
        Number of replicates redrawn because the selection metric was undefined or no unit
        remained out of bag.
    decided_by : str
        The metric that selected the winners, if it is another one.
    n_undefined : int
        Replicates left out of `replicates` and the estimate because the metric, though not the
        selection metric, was undefined.
    n_rows, n_configurations, n_folds, n_repeats : int
        Size of the data, before anything was left out; 0 if unknown.
    unit : {"row", "group", "fold"}
        What a replicate draws.
    seed : int or None
        Seed of the replicates; None if nothing was drawn.
    version : str
        Version of bbc.
    names : tuple of str or None
        Names of the configurations.
    pos_label : str, number or None
        The class that a binary metric calls positive; labels of other types as text.
    left_out_rows : ndarray of int
        Rows that no configuration predicted, or that were dropped on request.
    left_out_configurations : ndarray of int
        Configurations dropped on request because of missing predictions.
    undefined_fold_share : float or None
        With ``pooling="fold"``, the share of (replicate, fold) pairs without a defined score.
    effective_sample_size : float or None
        Effective sample size of the importance weights, for methods that use them.
    infeasible : str or None
        Why the method has no interval on these data.
    notes : tuple of str
        Remarks other than findings.
    model_luck : ModelLuck or None
        Test whether the fitted models of a configuration differ by chance, which method "bbc"
        does not correct for; None without folds, and for other methods unless a calibrated interval
        needs its variance.
    data_findings : tuple of Finding
        What data, predictions and replicates show; `findings` adds what the results show.
    metric_range : tuple of float
        Smallest and largest value of the metric, for any number of classes.
    threshold : float or None
        The cut-off selected with `best_threshold` on all rows: scores above it are positive.
    replicate_thresholds : ndarray or None
        The cut-off of each replicate.
    weights : ndarray or None
        Weight of each configuration in the ensemble selected on all rows.
    membership_frequency : ndarray or None
        Of ensembles, the share of replicates in which each configuration's weight is positive.
    design : Design
        How the data were split, chosen from and drawn, as far as it is known; what reports say.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5 and section 3.1.

    Examples
    --------
    >>> from bbc import PerformanceEstimate
    >>> result = PerformanceEstimate(
    ...     estimate=0.80, metric="accuracy", method="cvt", greater_is_better=True,
    ...     apparent=0.85, winner=3, n_rows=100, n_configurations=20)
    >>> round(result.optimism, 3)
    0.05
    """

    estimate: float
    metric: str
    method: str
    greater_is_better: bool
    n_rows: int
    n_configurations: int
    winner: int = 0
    winner_name: str = ""
    apparent: float | None = None
    # None without an interval. `Any` lets type checkers take ``low, high`` of it unasked.
    confidence_interval: ConfidenceInterval | Any = None
    replicate_sd: float | None = None
    replicates: FloatArray | None = None
    replicate_winners: IndexArray | None = None
    n_redrawn: int = 0
    decided_by: str = ""
    n_undefined: int = 0
    pooling: str = "pooled"
    unit: str = "row"
    n_folds: int = 0
    n_repeats: int = 1
    seed: int | None = None
    version: str = ""
    names: tuple[str, ...] | None = None
    pos_label: Any = None
    left_out_rows: IndexArray = field(default_factory=lambda: np.empty(0, np.int64))
    left_out_configurations: IndexArray = field(default_factory=lambda: np.empty(0, np.int64))
    undefined_fold_share: float | None = None
    effective_sample_size: float | None = None
    infeasible: str | None = None
    notes: tuple[str, ...] = ()
    model_luck: ModelLuck | None = None
    data_findings: tuple[Finding, ...] = ()
    metric_range: tuple[float, float] = (-math.inf, math.inf)
    threshold: float | None = None
    replicate_thresholds: FloatArray | None = None
    weights: FloatArray | None = None
    membership_frequency: FloatArray | None = None
    design: Design = UNKNOWN
    size_bias: float | None = None

    def __post_init__(self) -> None:
        # The dictionary is faster than object.__setattr__: a small correction takes 60 us.
        values = self.__dict__
        for kind, names in _CONVERTED:
            for name in names:
                value = values[name]
                if value is not None and type(value) is not kind:
                    values[name] = kind(value)
        for name, dtype in _ARRAYS.items():
            array = values[name]
            if array is not None:
                values[name] = kept(array, dtype)
        if self.names is not None:
            values["names"] = tuple(str(name) for name in self.names)
        if not self.winner_name:
            values["winner_name"] = (
                self.names[self.winner] if self.names else f"configuration {self.winner}"
            )
        if type(self.pos_label) not in _PLAIN_LABELS:
            values["pos_label"] = plain_label(self.pos_label)
        lowest, highest = self.metric_range
        values["metric_range"] = float(lowest), float(highest)

    @property
    def optimism(self) -> float | None:
        """Apparent minus corrected performance, signed so that positive is too good."""
        if self.apparent is None:
            return None
        difference = self.apparent - self.estimate
        return difference if self.greater_is_better else 0.0 - difference

    @property
    def n_bootstraps(self) -> int:
        """Number of replicates."""
        return 0 if self.replicates is None else int(self.replicates.size)

    @cached_property
    def selection_frequency(self) -> FloatArray | None:
        """Share of the replicates that each configuration won, of length n_configurations.

        For ensembles, the share of those in which its weight was positive. Not a probability of
        being the best: `bbc.possible_winners` finds the configurations that could be the best.
        """
        if self.membership_frequency is not None:
            return self.membership_frequency
        if self.replicate_winners is None:
            return None
        won = np.bincount(self.replicate_winners, minlength=self.n_configurations)
        return kept(won / max(1, self.replicate_winners.size), np.float64)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the validity of the result, each with a code, a reason and advice."""
        return _findings.findings(self)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Pairs of label and text that `summary` and reports show."""
        return _text.facts(self)

    def summary(self) -> str:
        """Describe the result in at most 80 columns of text.

        Returns
        -------
        str
            Several lines.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> print(PerformanceEstimate(
        ...     estimate=0.80, metric="accuracy", method="cvt", greater_is_better=True,
        ...     apparent=0.85, winner=3, n_rows=100, n_configurations=20).summary())
        accuracy of the winner (higher is better), method cvt, pooled
          estimate       0.8
          apparent       0.85 (optimism 0.05)
          winner         configuration 3
          data           100 rows, 20 configurations
          BBC001         apparent score not corrected for selection: the best of 20
                         configurations; report a corrected estimate: bbc.BBC in the
                         protocol's place, or bbc.correct
        """
        return _text.summary(self)

    def to_frame(self) -> Any:
        """Return the result's numbers as a pandas frame of one row.

        Returns
        -------
        pandas.DataFrame
            One column per number; arrays are left out.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> frame = PerformanceEstimate(
        ...     estimate=0.80, metric="accuracy", method="cvt", greater_is_better=True,
        ...     n_rows=100, n_configurations=20).to_frame()
        >>> float(frame.loc[0, "estimate"])
        0.8
        """
        return _text.to_frame(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the result as valid JSON from which `from_json` restores every bit.

        Infinities are written as the strings "Infinity" and "-Infinity".

        Parameters
        ----------
        indent : int, optional
            As in `json.dumps`.

        Returns
        -------
        str
            The document.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> result = PerformanceEstimate(
        ...     estimate=0.1 + 0.2, metric="accuracy", method="cvt", greater_is_better=True,
        ...     n_rows=100, n_configurations=20)
        >>> PerformanceEstimate.from_json(result.to_json()) == result
        True
        """
        return _json.dumps({item.name: getattr(self, item.name) for item in fields(self)}, indent)

    @classmethod
    def from_json(cls, text: str) -> "PerformanceEstimate":
        """Restore a result that `to_json` wrote.

        Parameters
        ----------
        text : str
            The document.

        Returns
        -------
        PerformanceEstimate
            Equal to the one that was written.

        Raises
        ------
        ValueError
            If the text is not such a document.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> PerformanceEstimate.from_json("{}")
        Traceback (most recent call last):
        ...
        ValueError: text is not a PerformanceEstimate written by to_json
        """
        values = _json.loads(text)
        known = {item.name for item in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ValueError(f"text has a field that this version of bbc lacks: {unknown[0]!r}")
        interval = values.get("confidence_interval")
        try:
            _json.check_types(values)
            _json.check_plain(cls, values)
            if interval is not None:
                values["confidence_interval"] = ConfidenceInterval(**interval)
            if values.get("model_luck") is not None:
                values["model_luck"] = ModelLuck(**values["model_luck"])
            values["design"] = Design.from_document(values.get("design", {}))
            values["data_findings"] = _json.findings(values.get("data_findings", []))
            values["metric_range"] = tuple(values.get("metric_range", cls.metric_range))
            result = cls(**values)
            _json.check(result)
        except (TypeError, ValueError, IndexError, OverflowError) as error:
            raise ValueError(f"text is not a complete PerformanceEstimate: {error}") from None
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PerformanceEstimate):
            return NotImplemented
        # The same numbers by whatever door: who saw the training is no part of them.
        return all(
            _equal(getattr(self, item.name), getattr(other, item.name))
            for item in fields(self)
            if item.name != "design"
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return _text.one_line(self)

    def _repr_html_(self) -> str:
        return _text.html_table(self)


_REALS = (
    *("estimate", "apparent", "replicate_sd", "undefined_fold_share"),
    *("effective_sample_size", "threshold", "size_bias"),
)
_SIZES = ("n_rows", "n_configurations", "n_folds", "n_repeats")
_CONVERTED: tuple[tuple[type, tuple[str, ...]], ...] = (
    (float, _REALS),
    (int, (*_SIZES, "winner", "n_redrawn", "n_undefined", "seed")),
    (bool, ("greater_is_better",)),
    (tuple, ("notes", "data_findings")),
)
_PLAIN_LABELS = (str, int, float, bool, type(None))
_ARRAYS: dict[str, Any] = {
    "replicates": np.float64,
    "replicate_winners": np.int64,
    "left_out_rows": np.int64,
    "left_out_configurations": np.int64,
    "replicate_thresholds": np.float64,
    "weights": np.float64,
    "membership_frequency": np.float64,
}


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.array_equal(first, second)
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return False
    return bool(first == second)
