"""All metrics by name: value, exact key for comparisons, what they need, and their range.

A *value* is the float that is reported: the formula in float64, sums in row order. A *key* decides
which of two configurations is better: exact for integer counts, else the value.

Readings chosen where the texts are silent:

- Names that the texts do not fix: ``euclidean_distance_to_corner``, ``gamma_deviance``,
  ``ordinal_mean_absolute_error``, ``pinball_loss`` (alpha .5), ``mean_squared_log_error``,
  ``mean_absolute_percentage_error``.
- Label metrics are compared as fractions even where they are ratios (precision, F, kappa, MCC and
  the distance through their squares), AUC, average precision, multi-class AUC, C-index and
  Spearman's rho as well; R2, explained variance and squared Pearson as floats.
- Multi-class balanced accuracy needs every class of y; averages weighted by support, and micro, any
  row.
- The largest ordinal error is the number of classes less one; log loss and deviances have no bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import label_metrics as label
from . import loss_metrics as loss
from . import ranking_metrics as ranking
from . import survival_metrics as survival
from .arithmetic import Array, Num, float_weights, fractions, signed_root, total
from .truth import NEEDS, Truth

Formula = Callable[[Truth, Array, Array], Num]


@dataclass(frozen=True)
class Metric:
    """One metric.

    ``formula`` gives the metric (its signed square if ``rooted``) from weighted rows; a per-row
    metric has ``row_loss`` instead and is its mean (the root of it if ``rooted``). ``exact``: with
    counts, formulas are fractions and per-row losses are added up with correct rounding.
    ``mean_of_rows``: real weights are added up with correct rounding, too. ``ratio_of_sums``: with
    real weights the exact value is rounded once. ``prepare`` weighs the rows of the whole truth for
    censoring.
    """

    name: str
    greater_is_better: bool
    low: float
    high: float
    formula: Formula | None = None
    row_loss: loss.RowLoss | None = None
    rooted: bool = False
    exact: bool = True
    needs: str = "a row"
    negated: bool = False
    mean_of_rows: bool = False
    ratio_of_sums: bool = False
    prepare: survival.Prepare | None = None

    def value(self, truth: Truth, prediction: Array, weights: Array) -> float:
        """The metric of weighted rows as a float."""
        w = float_weights(weights)
        if self.row_loss is not None:
            used = w > 0
            losses = self.row_loss(truth.rows(used), prediction[used])
            result = float(total(w[used] * losses)) / float(total(w[used]))
        else:
            assert self.formula is not None
            result = float(self.formula(truth, prediction, w))
        result = signed_root(result) if self.rooted else result
        return -result if self.negated else result

    def key(self, truth: Truth, prediction: Array, counts: Array) -> Num:
        """Number that orders configurations on the same rows as the metric does.

        ``counts`` are integers or, for means of rows, fractions.
        """
        if not self.exact:
            return self.value(truth, prediction, counts)
        if self.row_loss is not None:
            used = counts > 0
            losses = self.row_loss(truth.rows(used), prediction[used])
            result: Num = sum_of_losses(losses, counts[used])
        else:
            assert self.formula is not None
            result = self.formula(truth, prediction, counts)
        return -result if self.negated else result

    def defined(self, truth: Truth, weights: Array) -> bool:
        """Whether the weighted rows define the metric, whatever the predictions."""
        return NEEDS[self.needs](truth, np.asarray(weights))

    def bounds(self, truth: Truth) -> tuple[float, float]:
        """Smallest and largest possible value."""
        high = self.high
        if self.name == "ordinal_mean_absolute_error":
            high = len(truth.classes) - 1.0
        if self.name == "brier_score" and len(truth.classes) > 2:
            high = 2.0
        if self.name == "neg_brier_score" and len(truth.classes) > 2:
            return -2.0, 0.0
        return self.low, high


def sum_of_losses(losses: Array, weights: Array) -> float:
    """Correctly rounded sum of weighted losses; weights are integers or fractions."""
    if weights.dtype.kind == "O":
        return float(total(weights * fractions(losses)))
    return math.fsum(np.repeat(losses, weights).tolist())


def row_loss(function: Callable[[Array, Array], Array], greater_is_better: bool = False) -> Metric:
    """A user's per-row loss function(y, prediction) as a metric."""
    return Metric(
        "row_loss",
        greater_is_better,
        -math.inf,
        math.inf,
        row_loss=lambda truth, p: np.asarray(function(truth.y, p), dtype=np.float64),
        mean_of_rows=True,
    )


def from_callable(function: Callable[[Array, Array], float], greater_is_better: bool) -> Metric:
    """A user's metric function(y, prediction), called with every row as often as it counts."""

    def formula(truth: Truth, p: Array, w: Array) -> Num:
        times = w.astype(np.int64)
        return float(function(np.repeat(truth.y, times, axis=0), np.repeat(p, times, axis=0)))

    return Metric("callable", greater_is_better, -math.inf, math.inf, formula, exact=False)


def _share(name: str, formula: Formula, needs: str = "a row") -> Metric:
    return Metric(name, True, 0.0, 1.0, formula, needs=needs)


def _loss(
    name: str, function: loss.RowLoss, high: float = math.inf, rooted: bool = False
) -> Metric:
    return Metric(name, False, 0.0, high, row_loss=function, rooted=rooted, mean_of_rows=True)


def f_beta(beta: float) -> Metric:
    """F-beta of the positive class."""
    metric = _share(f"f_beta({beta})", label.f_beta(beta), "a positive row")
    return replace(metric, ratio_of_sums=True)


def pinball(alpha: float) -> Metric:
    """Pinball loss at one quantile."""
    return _loss(f"pinball({alpha})", loss.pinball(alpha))


def uno_concordance(tau: float = survival.NO_TAU, g: Array | None = None) -> Metric:
    """Uno's C of events before tau; `g` is a given G."""
    return Metric(
        "uno_concordance",
        True,
        0.0,
        1.0,
        survival.uno_concordance,
        exact=False,
        needs="a comparable pair",
        prepare=survival.for_uno(tau, g),
    )


def dynamic_auc(time: float, g: Array | None = None) -> Metric:
    """Cumulative/dynamic AUC at a time."""
    return Metric(
        "cumulative_dynamic_auc",
        True,
        0.0,
        1.0,
        survival.dynamic_auc,
        exact=False,
        needs="a case and a control",
        prepare=survival.for_dynamic_auc(time, g),
    )


def survival_brier(*times: float, g: Array | None = None) -> Metric:
    """Brier score at a time, or integrated over several."""
    metric = _loss("survival_brier_score", survival.brier(times))
    return replace(metric, prepare=survival.for_brier(times, g))


def _of_labels() -> list[Metric]:
    metrics = [
        replace(_share("accuracy", label.accuracy), mean_of_rows=True),
        Metric("zero_one_loss", False, 0.0, 1.0, label.zero_one_loss, mean_of_rows=True),
        Metric("ordinal_mean_absolute_error", False, 0.0, math.inf, label.ordinal_error),
    ]
    ratios = [
        _share("balanced_accuracy", label.balanced_accuracy, "every class"),
        _share("sensitivity", label.sensitivity, "a positive row"),
        _share("recall", label.sensitivity, "a positive row"),
        _share("specificity", label.specificity, "a negative row"),
        _share("precision", label.precision, "a positive row"),
        _share("negative_predictive_value", label.negative_predictive_value, "a negative row"),
        Metric("youden_index", True, -1.0, 1.0, label.youden, needs="both classes"),
        _share("f1", label.f_beta(1.0), "a positive row"),
        _share("jaccard", label.jaccard, "a positive row"),
        Metric("mcc", True, -1.0, 1.0, label.mcc_signed_square, rooted=True, needs="two classes"),
        Metric("kappa", True, -1.0, 1.0, label.kappa, needs="two classes"),
        *(
            Metric(name, True, -1.0, 1.0, label.weighted_kappa(power), needs="two classes")
            for power, name in ((1, "linear_weighted_kappa"), (2, "quadratic_weighted_kappa"))
        ),
        Metric(
            "euclidean_distance_to_corner",
            False,
            0.0,
            math.sqrt(2.0),
            label.corner_distance_squared,
            rooted=True,
            needs="both classes",
        ),
    ]
    for part in ("precision", "recall", "f1", "jaccard"):
        for average, needs in (("macro", "every class"), ("weighted", "a row"), ("micro", "a row")):
            name = f"{part}_{average}"
            ratios.append(_share(name, label.averaged(part, average), needs))
    return metrics + [replace(metric, ratio_of_sums=True) for metric in ratios]


def _of_rankings() -> list[Metric]:
    return [
        _share("roc_auc", ranking.roc_auc, "both classes"),
        Metric(
            "average_precision",
            True,
            0.0,
            1.0,
            ranking.average_precision,
            needs="a positive row",
        ),
        _share("roc_auc_ovr", ranking.auc_ovr, "every class"),
        _share("roc_auc_ovr_weighted", ranking.auc_ovr_weighted, "every class"),
        _share("roc_auc_ovo", ranking.auc_ovo, "every class"),
        _share("roc_auc_ovo_pairs", ranking.auc_ovo, "every class"),
        _share("roc_auc_ovo_weighted", ranking.auc_ovo_weighted, "every class"),
        Metric(
            "spearman",
            True,
            -1.0,
            1.0,
            ranking.spearman_signed_square,
            rooted=True,
            needs="varying y",
        ),
        _share("concordance_index", ranking.concordance_index, "a comparable pair"),
        uno_concordance(),
    ]


def _of_losses() -> list[Metric]:
    return [
        _loss("mean_squared_error", loss.squared_error),
        _loss("root_mean_squared_error", loss.squared_error, rooted=True),
        _loss("mean_absolute_error", loss.absolute_error),
        _loss("mean_squared_log_error", loss.squared_log_error),
        _loss("root_mean_squared_log_error", loss.squared_log_error, rooted=True),
        _loss("mean_absolute_percentage_error", loss.absolute_percentage_error),
        _loss("mape_percent", loss.percentage_error),
        _loss("smape_percent", loss.symmetric_percentage_error),
        _loss("huber_loss", loss.huber),
        _loss("pseudo_huber_loss", loss.pseudo_huber),
        _loss("pinball_loss", loss.pinball(0.5)),
        _loss("poisson_deviance", loss.poisson_deviance),
        _loss("gamma_deviance", loss.gamma_deviance),
        _loss("binomial_deviance", loss.binomial_deviance),
        _loss("log_loss", loss.log_loss),
        _loss("brier_score", loss.brier, high=1.0),
        _loss("ranked_probability_score", loss.ranked_probability, high=1.0),
    ]


def _of_moments() -> list[Metric]:
    return [
        Metric(name, True, low, 1.0, formula, exact=False, needs="varying y")
        for name, formula, low in (
            ("r2", loss.r2, -math.inf),
            ("explained_variance", loss.explained_variance, -math.inf),
            ("squared_pearson", loss.squared_pearson, 0.0),
        )
    ]


def _all() -> dict[str, Metric]:
    metrics = [*_of_labels(), *_of_rankings(), *_of_losses(), *_of_moments()]
    return {metric.name: metric for metric in metrics}


def _with_scorer_names(table: dict[str, Metric]) -> dict[str, Metric]:
    signed = {
        "neg_mean_squared_error": "mean_squared_error",
        "neg_root_mean_squared_error": "root_mean_squared_error",
        "neg_mean_absolute_error": "mean_absolute_error",
        "neg_mean_squared_log_error": "mean_squared_log_error",
        "neg_root_mean_squared_log_error": "root_mean_squared_log_error",
        "neg_mean_absolute_percentage_error": "mean_absolute_percentage_error",
        "neg_mean_poisson_deviance": "poisson_deviance",
        "neg_mean_gamma_deviance": "gamma_deviance",
        "neg_log_loss": "log_loss",
        "neg_brier_score": "brier_score",
    }
    for name, plain in signed.items():
        base = table[plain]
        table[name] = replace(
            base, name=name, greater_is_better=True, low=-base.high, high=0.0, negated=True
        )
    table["matthews_corrcoef"] = replace(table["mcc"], name="matthews_corrcoef")
    return table


METRICS: dict[str, Metric] = _with_scorer_names(_all())


def get(metric: str | Metric) -> Metric:
    """A metric by name, or itself."""
    return METRICS[metric] if isinstance(metric, str) else metric


def score(
    metric: str | Metric,
    y: Any,
    prediction: Any,
    weights: Any = None,
    *,
    classes: tuple[Any, ...] | None = None,
    pos_label: Any = None,
) -> float:
    """The metric of weighted rows (all rows once, without weights)."""
    truth = Truth(np.asarray(y), classes, pos_label)
    w = np.ones(len(truth.y)) if weights is None else np.asarray(weights)
    prepare = get(metric).prepare
    if prepare is not None:
        truth = prepare(truth, None if weights is None else w)
    return get(metric).value(truth, np.asarray(prediction), w)


def defined(metric: str | Metric, y: Any, weights: Any, *, pos_label: Any = None) -> bool:
    """Whether y and the weights define the metric."""
    truth = Truth(np.asarray(y), None, pos_label)
    prepare = get(metric).prepare
    if prepare is not None:
        truth = prepare(truth, np.asarray(weights))
    return get(metric).defined(truth, np.asarray(weights))
