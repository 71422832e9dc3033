"""A learner without tuning: its models on folds and on bootstrap samples, and their scores."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold
from sklearn.utils import _safe_indexing

from .. import _validation
from .._training._configurations import (
    derived_seed,
    make_configurations,
    named_estimators,
    rows_digest,
    seed_estimator,
)
from .._training._fit import Progress, Split, Trainer
from .._training._scoring import (
    kind_of,
    make_responses,
    make_scoring,
    refuse_times,
    row_scores_of_outputs,
    score_of_outputs,
)
from .._training._splits import Fold, check_rows, check_target
from .._typing import AnyArray, FloatArray, IndexArray
from ..errors import Argument, InvalidTypeError, InvalidValueError, UndefinedMetricError
from ._splitters import ClusterKFold, QuantileKFold

_MOST_PAIRS = 500_000
_FOR_632 = 'the .632 estimators require; use method="oob", or another metric'

Outputs = Mapping[str, AnyArray]


class Learner:
    """A learner with its data and metric."""

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        metric: Any,
        *,
        pos_label: Any,
        n_jobs: int | None,
        fit_timeout: float | None,
        seed: int,
    ) -> None:
        estimators = named_estimators(estimator)
        self.classifier = kind_of(estimators)
        self.y = check_target(y, self.classifier)
        self.X = check_rows(X, y, self.y, {})
        scoring = make_scoring(metric, False, estimators)
        if len(scoring.metrics) > 1:
            raise InvalidTypeError("metric", "must be a single metric")
        refuse_times(scoring, estimators.items())
        self.metric = scoring.metric
        _validation.refuse_given_censoring(self.metric, "each model is scored on rows of its own")
        self.responses = make_responses(
            scoring, "fold", classifier=self.classifier, y=self.y, pos_label=pos_label
        )
        self.pos_label = pos_label
        self.configurations = make_configurations(estimator, None, None, seed)
        self.seed = seed
        self._n_jobs, self._fit_timeout = n_jobs, fit_timeout

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def is_per_row(self) -> bool:
        """True if the metric is a mean over rows."""
        return _validation.is_mean_of_rows(self.metric)

    def need_rows(self, why: str) -> None:
        """Refuse a metric that is not a mean over rows, which `why` names and requires."""
        if not self.is_per_row:
            raise InvalidValueError(
                "metric", f": {self.metric.name!r} is not a mean over rows, which {why}"
            )

    @property
    def name(self) -> str:
        """The learner's name in results."""
        return type(self.configurations[0].estimator).__name__

    def outputs(self, folds: Sequence[Fold], *, groups: bool = False) -> list[Outputs]:
        """Train on each fold's training rows, which may repeat, and predict its test rows.

        If `groups`, the training rows are passed to the fit as groups.
        """
        if groups:
            return [self._grouped(fold) for fold in folds]
        trainer = Trainer(
            X=self.X,
            y=self.y,
            configurations=self.configurations,
            responses=self.responses,
            fit_params={},
            seed=self.seed,
            error_score="raise",
            n_jobs=self._n_jobs,
            pre_dispatch="2*n_jobs",
            fit_timeout=self._fit_timeout,
            store=None,
            progress=Progress("resampling_error"),
        )
        # Without selection, chance in training is part of the estimand: each fit has a seed.
        pairs = [
            (Split(0, number, fold, luck=rows_digest(fold.train)), 0)
            for number, fold in enumerate(folds)
        ]
        found = {key.fold: fit.outputs for key, fit in trainer.train("resampling", pairs)}
        return [found[number] for number in range(len(folds))]

    def score(
        self, outputs: Outputs, y: AnyArray, place: str, sample_weight: AnyArray | None = None
    ) -> float:
        """Return the metric of outputs on rows with this truth, or raise if it is undefined."""
        value = float("nan")
        with suppress(UndefinedMetricError):
            value = score_of_outputs(
                outputs,
                y,
                self.metric,
                self.responses,
                sample_weight=sample_weight,
                pos_label=self.pos_label,
            )
        if np.isnan(value):
            raise UndefinedMetricError("metric", f"{self.metric.name!r} is undefined {place}")
        return value

    def values(self, folds: Sequence[Fold], outputs: Sequence[Outputs]) -> FloatArray:
        """Return the metric on the test rows of each fold."""
        values = np.empty(len(folds))
        for number, (fold, predicted) in enumerate(zip(folds, outputs, strict=True)):
            place = f"on the rows of test set {number}"
            values[number] = self.score(predicted, self.y[fold.test], place)
        return values

    def row_values(self, outputs: Outputs, y: AnyArray) -> FloatArray:
        """Return the score of each row, for a metric that is a mean over rows."""
        values = row_scores_of_outputs(
            outputs, y, self.metric, self.responses, pos_label=self.pos_label
        )
        if np.isnan(values).any():
            row = int(np.argmax(np.isnan(values)))
            raise UndefinedMetricError("metric", f"{self.metric.name!r} is undefined on row {row}")
        return values

    def no_information_rate(self, outputs: Outputs) -> float:
        """Return the mean metric over all pairs of a truth and a prediction."""
        truths, counts = np.unique(self.y, return_counts=True)
        step = max(1, _MOST_PAIRS // self.n_rows)
        total = 0.0
        for first in range(0, len(truths), step):
            some = slice(first, first + step)
            pairs = {
                name: np.tile(values, (len(truths[some]), *[1] * (values.ndim - 1)))
                for name, values in outputs.items()
            }
            weights = np.repeat(counts[some], self.n_rows).astype(np.float64)
            truth = np.repeat(truths[some], self.n_rows)
            total += self.score(pairs, truth, "over all pairs", weights) * float(counts[some].sum())
        return total / self.n_rows

    def _grouped(self, fold: Fold) -> Outputs:
        model = self.configurations[0].build()
        seed_estimator(model, self.seed, rows_digest(fold.train))
        model.fit(_safe_indexing(self.X, fold.train), self.y[fold.train], groups=fold.train)
        return self.responses.of(model, _safe_indexing(self.X, fold.test))[0]


Strata: TypeAlias = Literal["classes", "bins", "clusters"]

_RATIOS = {"holdout": 2 / 3, "subsampling": 0.9}


def make_folds(
    learner: Learner,
    method: str,
    ratio: float | None,
    n_folds: int,
    n_repeats: int,
    stratify: Strata | None,
    n_resamples: int,
) -> list[Fold]:
    """Return the training and test rows of a method."""
    if method in _RATIOS:
        share = _RATIOS[method] if ratio is None else float(ratio)
        n_train = int(share * learner.n_rows)  # Bischl et al. 2012, Algorithm 5
        if not 0 < n_train < learner.n_rows:
            raise ValueError(f"ratio={share:g} leaves no rows to train on, or none to test on")
        n_sets = 1 if method == "holdout" else n_resamples
        return [
            _hold_out(_generator(learner, method, number), learner.n_rows, n_train)
            for number in range(n_sets)
        ]
    if ratio is not None:
        raise InvalidValueError("ratio", f"has no meaning for method={method!r}")
    if method == "loo":
        splits = LeaveOneOut().split(np.zeros(learner.n_rows))
        return [Fold(train, test) for train, test in splits]
    folds = []
    for repeat in range(n_repeats):
        splitter = _splitter(learner, n_folds, stratify, repeat)
        folds += [Fold(train, test) for train, test in splitter.split(learner.X, learner.y)]
    return folds


def halves(learner: Learner, n_halvings: int, n_resamples: int, n_test: int) -> list[Fold]:
    """Return hold-outs within random halves of the rows, by halving, half and iteration."""
    size = learner.n_rows // 2
    n_train = size - n_test
    if n_train < 1:
        raise ValueError(f"a half of {learner.n_rows} rows leaves none to train on: raise ratio")
    folds = []
    for number in range(n_halvings):
        rng = _generator(learner, "halves", number)
        order = rng.permutation(learner.n_rows)
        for half in (order[:size], order[size : 2 * size]):
            folds += [_hold_out(rng, half, n_train) for _ in range(n_resamples)]
    return folds


_SPLITTERS: dict[str | None, Any] = {
    None: KFold,
    "classes": StratifiedKFold,
    "bins": QuantileKFold,
    "clusters": ClusterKFold,
}


def _splitter(learner: Learner, n_folds: int, stratify: Strata | None, repeat: int) -> Any:
    kind = stratify or ("classes" if learner.classifier else None)
    if kind is not None:
        _validation.choice(kind, "stratify", ("classes", "bins", "clusters"))
    if kind == "classes" and not learner.classifier:
        raise InvalidValueError(Argument("stratify", "classes"), "needs a classifier")
    random_state = derived_seed(learner.seed, "cv", repeat)
    return _SPLITTERS[kind](n_folds, shuffle=True, random_state=random_state)


def _hold_out(rng: np.random.Generator, rows: int | IndexArray, n_train: int) -> Fold:
    return Fold(*np.split(rng.permutation(rows), [n_train]))


def _generator(learner: Learner, *purpose: object) -> np.random.Generator:
    return np.random.default_rng([learner.seed, derived_seed(learner.seed, *purpose)])


_MOST_ATTEMPTS = 1000


def drawn_rows(learner: Learner, resamples: ArrayLike | None, n_resamples: int) -> IndexArray:
    """Return explicit bootstrap samples, or random ones, of shape (n_resamples, n_rows).

    Random samples are redrawn if no row is out of bag, or a class is missing in bag.
    """
    n_rows = learner.n_rows
    if resamples is not None:
        return _validation.resamples(resamples, n_rows, "row").astype(np.int64)
    n_classes = len(np.unique(learner.y)) if learner.classifier else 0
    bags = np.empty((n_resamples, n_rows), dtype=np.int64)
    for number in range(n_resamples):
        seed = derived_seed(learner.seed, "bootstrap", number)
        rng = np.random.default_rng([learner.seed, seed])
        for _ in range(_MOST_ATTEMPTS):
            drawn = rng.integers(n_rows, size=n_rows)
            complete = not n_classes or len(np.unique(learner.y[drawn])) == n_classes
            if complete and len(np.unique(drawn)) < n_rows:
                break
        else:
            raise InvalidValueError(
                "y", f": {_MOST_ATTEMPTS} bootstrap samples in a row lack a class: it is too rare"
            )
        bags[number] = drawn
    return bags


def values_on_bags(learner: Learner, bags: IndexArray, method: str, n_folds: int) -> FloatArray:
    """Return the method's estimate from each bootstrap sample."""
    if method in ("bcv", "bcv-distinct"):
        return _cross_validated(learner, bags, n_folds, distinct=method == "bcv-distinct")
    if method in ("632-per-bag", "632+-per-bag"):
        return _mixtures(learner, bags, plus=method == "632+-per-bag")
    folds = [Fold(drawn, _out_of_bag(drawn)) for drawn in bags]
    # Copies of a row stay together in the folds of a tuner.
    outputs = learner.outputs(folds, groups=method == "direct")
    return learner.values(folds, outputs)


def leave_one_out_bootstrap(learner: Learner, bags: IndexArray, *, plus: bool) -> float:
    """.632 and .632+ of all samples together (Efron and Tibshirani 1997, equations 24 to 32).

    A row's error is its mean over the samples without it; rows that all samples have are left out.
    """
    learner.need_rows(_FOR_632)
    everywhere = np.arange(learner.n_rows)
    folds = [*(Fold(drawn, _out_of_bag(drawn)) for drawn in bags), Fold(everywhere, everywhere)]
    *of_bags, of_all = learner.outputs(folds)
    sums, counts = np.zeros(learner.n_rows), np.zeros(learner.n_rows)
    for fold, predicted in zip(folds[:-1], of_bags, strict=True):
        sums[fold.test] += learner.row_values(predicted, learner.y[fold.test])
        counts[fold.test] += 1
    sign = -1.0 if learner.metric.greater_is_better else 1.0
    outside = sign * float(np.mean(sums[counts > 0] / counts[counts > 0]))
    apparent = sign * learner.score(of_all, learner.y, "on the training rows")
    ceiling = sign * learner.no_information_rate(of_all) if plus else None
    return sign * _mixture(apparent, outside, ceiling)


def _mixture(inside: float, outside: float, ceiling: float | None) -> float:
    """.632 of two errors; .632+ given a no-information rate, at which the second is capped."""
    if ceiling is None:
        return 0.368 * inside + 0.632 * outside
    outside = min(outside, ceiling)
    overfitting = (outside - inside) / (ceiling - inside) if outside > inside else 0.0
    weight = 0.632 / (1 - 0.368 * overfitting)
    return (1 - weight) * inside + weight * outside


def _out_of_bag(drawn: IndexArray) -> IndexArray:
    return np.setdiff1d(np.arange(len(drawn)), drawn)


def _mixtures(learner: Learner, bags: IndexArray, *, plus: bool) -> FloatArray:
    """.632 and .632+ of each sample (Bischl et al. 2012, Algorithm 4)."""
    learner.need_rows(_FOR_632)
    everywhere = np.arange(learner.n_rows)
    outputs = learner.outputs([Fold(drawn, everywhere) for drawn in bags])
    sign = -1.0 if learner.metric.greater_is_better else 1.0
    values = np.empty(len(bags))
    for number, (drawn, predicted) in enumerate(zip(bags, outputs, strict=True)):
        counts = np.bincount(drawn, minlength=learner.n_rows).astype(np.float64)
        inside = sign * learner.score(predicted, learner.y, "in the bag", counts)
        outside = sign * learner.score(
            predicted, learner.y, "out of the bag", (counts == 0).astype(np.float64)
        )
        ceiling = sign * learner.no_information_rate(predicted) if plus else None
        values[number] = sign * _mixture(inside, outside, ceiling)
    return values


def _cross_validated(
    learner: Learner, bags: IndexArray, n_folds: int, *, distinct: bool
) -> FloatArray:
    """Cross-validation within each sample (Fu et al. 2005).

    If `distinct`, test rows that are also training rows are left out (Hothorn et al. 2005), and
    folds without others, too.
    """
    folds: list[Fold] = []
    bag_of: list[int] = []
    for number, drawn in enumerate(bags):
        seed = derived_seed(learner.seed, "bag", number)
        for train, test in KFold(n_folds, shuffle=True, random_state=seed).split(drawn):
            tested = drawn[test]
            if distinct:
                tested = tested[~np.isin(tested, drawn[train])]
            if tested.size:
                folds.append(Fold(drawn[train], tested))
                bag_of.append(number)
    by_fold = learner.values(folds, learner.outputs(folds))
    owner = np.array(bag_of)
    empty = np.setdiff1d(np.arange(len(bags)), owner)
    if empty.size:
        raise InvalidValueError(
            "resamples", f": no test row of sample {empty[0]} is missing from its training rows"
        )
    return np.array([by_fold[owner == number].mean() for number in range(len(bags))])
