"""Every named metric as one writes it with numpy, under every plan: what every_metric.csv compares.

A metric is a formula of weighted sums (float32 products of the weights of all replicates with
columns of all configurations), or of walks along sorted scores (cumulative sums of the weights of
all replicates, one configuration at a time). Either way does the whole job: draws, in-bag scores
of all configurations, winners, their out-of-bag scores.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ._peers import counts_of

Array = npt.NDArray[Any]
_ERRSTATE = {"divide": "ignore", "invalid": "ignore"}


class _Way(Protocol):
    def prepared(self, y: Array, predictions: Array) -> Any: ...
    def scores(self, prepared: Any, weights: Array) -> Array:
        """Of shape (replicates, configurations)."""

    def of_winners(self, prepared: Any, weights: Array, winners: Array) -> Array:
        """Of shape (replicates,)."""


@dataclass(frozen=True)
class _Sums:
    """A formula of sums: of `columns` (each n x m), of `truth` (each n) and of all weights."""

    columns: Callable[[Array, Array], Sequence[Array]]
    formula: Callable[[Sequence[Array], Sequence[Array], Array], Array]
    truth: Callable[[Array], Sequence[Array]] = lambda y: ()

    def prepared(self, y: Array, predictions: Array) -> tuple[list[Array], list[Array]]:
        columns = [np.asarray(c, dtype=np.float32) for c in self.columns(y, predictions)]
        return columns, [np.asarray(t, dtype=np.float32) for t in self.truth(y)]

    def scores(self, prepared: Any, weights: Array) -> Array:
        columns, truth = prepared
        of_truth = [(weights @ t)[:, None] for t in truth]
        sums = [weights @ c for c in columns]
        return self.formula(sums, of_truth, weights.sum(axis=1)[:, None])

    def of_winners(self, prepared: Any, weights: Array, winners: Array) -> Array:
        columns, truth = prepared
        sums = [(weights * c[:, winners].T).sum(axis=1) for c in columns]
        return self.formula(sums, [weights @ t for t in truth], weights.sum(axis=1))


@dataclass(frozen=True)
class _Walk:
    """Scores of one configuration: of weights (replicates x rows), truth and its predictions."""

    score: Callable[[Array, Array, Array], Array]

    def prepared(self, y: Array, predictions: Array) -> tuple[Array, Array]:
        return y, predictions

    def scores(self, prepared: Any, weights: Array) -> Array:
        y, predictions = prepared
        weights = weights.astype(np.float64)
        found = [self.score(weights, y, predictions[:, j]) for j in range(predictions.shape[1])]
        return np.stack(found, axis=1)

    def of_winners(self, prepared: Any, weights: Array, winners: Array) -> Array:
        y, predictions = prepared
        weights = weights.astype(np.float64)
        scores = np.empty(len(weights))
        for j in np.unique(winners):
            own = winners == j
            scores[own] = self.score(weights[own], y, predictions[:, j])
        return scores


def _loss(of: Callable[[Array, Array], Array], *, root: bool = False) -> _Sums:
    def formula(sums: Sequence[Array], truth: Sequence[Array], total: Array) -> Array:
        del truth
        return np.asarray(np.sqrt(sums[0] / total) if root else sums[0] / total)

    return _Sums(lambda y, p: [of(y[:, None], p)], formula)


def _squared(y: Array, p: Array) -> Array:
    return np.asarray((p - y) ** 2)


def _squared_log(y: Array, p: Array) -> Array:
    return np.asarray((np.log1p(p) - np.log1p(y)) ** 2)


def _huber(y: Array, p: Array) -> Array:
    size = np.abs(p - y)
    return np.where(size <= 1, size**2 / 2, size - 0.5)


def _r2(y: Array, p: Array) -> Array:
    """By the variance of all rows, as if none had a weight."""
    return np.asarray(1 - (p - y) ** 2 / np.mean((y - y.mean()) ** 2))


def _ranked(y: Array, p: Array) -> Array:
    reached = np.arange(p.shape[2]) >= y[:, :, None]
    return np.asarray(((np.cumsum(p, axis=2) - reached) ** 2).sum(axis=2) / (p.shape[2] - 1))


_LOSSES: dict[str, Callable[[Array, Array], Array]] = {
    "accuracy": lambda y, p: p == y,
    "zero_one_loss": lambda y, p: p != y,
    "ordinal_mean_absolute_error": lambda y, p: np.abs(p - y),
    "mean_squared_error": _squared,
    "mean_absolute_error": lambda y, p: np.abs(p - y),
    "mean_squared_log_error": _squared_log,
    "mean_absolute_percentage_error": lambda y, p: np.abs((p - y) / y),
    "mape_percent": lambda y, p: 100 * np.abs((p - y) / y),
    "smape_percent": lambda y, p: 200 * np.abs(p - y) / (np.abs(p) + np.abs(y)),
    "huber_loss": _huber,
    "pseudo_huber_loss": lambda y, p: np.sqrt(1 + (p - y) ** 2) - 1,
    "pinball_loss": lambda y, p: np.abs(p - y) / 2,
    "poisson_deviance": lambda y, p: 2 * (y * np.log(y / p) - y + p),
    "gamma_deviance": lambda y, p: 2 * (np.log(p / y) + y / p - 1),
    "binomial_deviance": lambda y, p: -2 * np.log(np.where(y == 1, p, 1 - p)),
    "log_loss": lambda y, p: -np.log(np.where(y == 1, p, 1 - p)),
    "brier_score": lambda y, p: (p - (y == 1)) ** 2,
    "ranked_probability_score": _ranked,
    "r2": _r2,
}


def _explained(sums: Sequence[Array], truth: Sequence[Array], total: Array) -> Array:
    left = sums[1] / total - (sums[0] / total) ** 2
    return np.asarray(1 - left / (truth[1] / total - (truth[0] / total) ** 2))


def _pearson(sums: Sequence[Array], truth: Sequence[Array], total: Array) -> Array:
    mixed = sums[2] / total - sums[0] / total * (truth[0] / total)
    own = sums[1] / total - (sums[0] / total) ** 2
    return np.asarray(mixed**2 / own / (truth[1] / total - (truth[0] / total) ** 2))


_MOMENTS = {
    "explained_variance": _Sums(
        lambda y, p: [y[:, None] - p, (y[:, None] - p) ** 2], _explained, lambda y: [y, y**2]
    ),
    "squared_pearson": _Sums(lambda y, p: [p, p**2, p * y[:, None]], _pearson, lambda y: [y, y**2]),
}

_Ratio = Callable[[Array, Array, Array, Array], Array]


def _of_positives(ratio: _Ratio) -> _Sums:
    """A ratio of true positives, those called positive, positives and all."""
    return _Sums(
        lambda y, p: [(p == 1) & (y[:, None] == 1), p == 1],
        lambda sums, truth, total: ratio(sums[0], sums[1], truth[0], total),
        lambda y: [y == 1],
    )


def _of_classes(ratio: _Ratio, *, called: bool = True) -> _Sums:
    """The same of every class, stacked along the first axis."""

    def columns(y: Array, p: Array) -> list[Array]:
        classes = range(int(y.max()) + 1)
        right = [(p == k) & (y[:, None] == k) for k in classes]
        return right + [p == k for k in classes] if called else right

    def formula(sums: Sequence[Array], truth: Sequence[Array], total: Array) -> Array:
        n = len(truth)
        right = np.stack(sums[:n])
        return ratio(right, np.stack(sums[n:]) if called else right, np.stack(truth), total)

    return _Sums(columns, formula, lambda y: [y == k for k in range(int(y.max()) + 1)])


def _of_agreement(ratio: _Ratio) -> _Sums:
    """Right ones of all classes together, and those called each class."""
    return _Sums(
        lambda y, p: [p == y[:, None], *(p == k for k in range(int(y.max()) + 1))],
        lambda sums, truth, total: ratio(sums[0], np.stack(sums[1:]), np.stack(truth), total),
        lambda y: [y == k for k in range(int(y.max()) + 1)],
    )


def _mcc(right: Array, called: Array, own: Array, total: Array) -> Array:
    covariance = right * total - (called * own).sum(axis=0)
    sizes = (total**2 - (called**2).sum(axis=0)) * (total**2 - (own**2).sum(axis=0))
    return np.asarray(covariance / np.sqrt(sizes))


def _kappa(right: Array, called: Array, own: Array, total: Array) -> Array:
    chance = (called * own).sum(axis=0) / total**2
    return np.asarray((right / total - chance) / (1 - chance))


def _specificity(right: Array, called: Array, own: Array, total: Array) -> Array:
    return np.asarray(1 - (called - right) / (total - own))


def _corner(right: Array, called: Array, own: Array, total: Array) -> Array:
    return np.hypot(1 - right / own, 1 - _specificity(right, called, own, total))


def _predicted_negative(right: Array, called: Array, own: Array, total: Array) -> Array:
    return np.asarray(1 - (own - right) / (total - called))


_RATIOS: dict[str, _Ratio] = {
    "precision": lambda right, called, own, total: right / called,
    "recall": lambda right, called, own, total: right / own,
    "f1": lambda right, called, own, total: 2 * right / (called + own),
    "jaccard": lambda right, called, own, total: right / (called + own - right),
}


def _averaged(ratio: _Ratio, average: str, right: Array, *others: Array) -> Array:
    called, own, total = others
    of_class = np.nan_to_num(ratio(right, called, own, total))
    if average == "macro":
        return np.asarray(of_class.mean(axis=0))
    return np.asarray((own / total * of_class).sum(axis=0))


def _confusion() -> dict[str, _Way]:
    ways: dict[str, _Way] = {
        "balanced_accuracy": _of_classes(
            partial(_averaged, _RATIOS["recall"], "macro"), called=False
        ),
        "specificity": _of_positives(_specificity),
        "negative_predictive_value": _of_positives(_predicted_negative),
        "youden_index": _of_positives(lambda *m: m[0] / m[2] + _specificity(*m) - 1),
        "euclidean_distance_to_corner": _of_positives(_corner),
        "mcc": _of_agreement(_mcc),
        "kappa": _of_agreement(_kappa),
        "jaccard_micro": _Sums(
            lambda y, p: [p == y[:, None]],
            lambda sums, truth, total: sums[0] / (2 * total - sums[0]),
        ),
    }
    for name, ratio in _RATIOS.items():
        ways[name] = _of_positives(ratio)
        for average in ("macro", "weighted"):
            called = name != "recall"
            ways[f"{name}_{average}"] = _of_classes(
                partial(_averaged, ratio, average), called=called
            )
        ways.setdefault(f"{name}_micro", _loss(_LOSSES["accuracy"]))
    return ways


def _auc(weights: Array, y: Array, scores: Array) -> Array:
    """Sorted once; without ties."""
    order = np.argsort(scores, kind="stable")
    positive = y[order] == 1
    ordered = weights[:, order]
    below = np.cumsum(ordered * ~positive, axis=1)
    of_positive = ordered * positive
    pairs = np.einsum("ij,ij->i", of_positive, below)
    return np.asarray(pairs / (of_positive.sum(axis=1) * below[:, -1]))


def _average_precision(weights: Array, y: Array, scores: Array) -> Array:
    order = np.argsort(-scores, kind="stable")
    ordered = weights[:, order]
    of_positive = ordered * (y[order] == 1)
    right, called = np.cumsum(of_positive, axis=1), np.cumsum(ordered, axis=1)
    precision = np.divide(right, called, out=np.zeros_like(right), where=called > 0)
    return np.asarray(np.einsum("ij,ij->i", of_positive, precision) / right[:, -1])


def _weighted_ranks(weights: Array, values: Array) -> Array:
    order = np.argsort(values, kind="stable")
    ordered = weights[:, order]
    ranks = np.empty_like(weights)
    ranks[:, order] = np.cumsum(ordered, axis=1) - ordered / 2
    return ranks - weights.sum(axis=1, keepdims=True) / 2


def _spearman(weights: Array, y: Array, scores: Array) -> Array:
    a, b = _weighted_ranks(weights, y), _weighted_ranks(weights, scores)
    mixed = np.einsum("ij,ij,ij->i", weights, a, b)
    squares = np.einsum("ij,ij,ij->i", weights, a, a) * np.einsum("ij,ij,ij->i", weights, b, b)
    return np.asarray(mixed / np.sqrt(squares))


def _weighted_kappa(power: int, weights: Array, y: Array, labels: Array) -> Array:
    """Of classes in order; those that nobody calls or is add nothing."""
    classes, codes = np.unique(np.concatenate([y, labels]), return_inverse=True)
    steps = np.abs(np.subtract.outer(np.arange(len(classes)), np.arange(len(classes)))) ** power
    own, called = (
        np.stack([weights[:, column == k].sum(axis=1) for k in classes]) for column in (y, labels)
    )
    observed = weights @ steps[codes[: len(y)], codes[len(y) :]]
    chance = np.einsum("ij,ib,jb->b", steps, own, called) / weights.sum(axis=1)
    return np.asarray(1 - observed / chance)


def _several(scheme: str, weights: Array, y: Array, scores: Array) -> Array:
    """AUC of several classes; scores of one configuration, of shape (rows, classes)."""
    classes = range(scores.shape[1])
    own = np.stack([weights[:, y == k].sum(axis=1) for k in classes])
    if scheme.startswith("roc_auc_ovr"):
        found = np.stack([_auc(weights, y == k, scores[:, k]) for k in classes])
        sizes = own
    else:
        pairs = [(a, b) for a in classes for b in classes if a != b]
        found = np.stack(
            [
                _auc(weights[:, rows], y[rows] == a, scores[rows, a])
                for a, b in pairs
                for rows in [(y == a) | (y == b)]
            ]
        )
        sizes = np.stack([own[a] + own[b] for a, b in pairs])
    if not scheme.endswith("weighted"):
        return np.asarray(found.mean(axis=0))
    return np.asarray((sizes * found).sum(axis=0) / sizes.sum(axis=0))


def _concordance(weights: Array, y: Array, risk: Array) -> Array:
    """By a matrix of comparable pairs."""
    comparable = (y["time"][:, None] < y["time"]) & y["event"][:, None]
    higher = risk[:, None] > risk
    weights = weights.astype(np.float32)
    later = weights @ np.stack([comparable, comparable & higher]).astype(np.float32).transpose(
        0, 2, 1
    )
    pairs = np.einsum("kij,ij->ki", later, weights)
    return np.asarray(pairs[1] / pairs[0])


def _ways() -> dict[str, _Way]:
    ways: dict[str, _Way] = {name: _loss(of) for name, of in _LOSSES.items()}
    for of in ("squared", "squared_log"):
        ways[f"root_mean_{of}_error"] = _loss(_LOSSES[f"mean_{of}_error"], root=True)
    walks = {"roc_auc": _auc, "average_precision": _average_precision, "spearman": _spearman}
    for scheme in ("ovr", "ovr_weighted", "ovo", "ovo_weighted", "ovo_pairs"):
        walks[f"roc_auc_{scheme}"] = partial(_several, f"roc_auc_{scheme}")
    walks["concordance_index"] = _concordance
    for power, kind in ((1, "linear"), (2, "quadratic")):
        walks[f"{kind}_weighted_kappa"] = partial(_weighted_kappa, power)
    return {**ways, **_MOMENTS, **_confusion(), **{k: _Walk(score) for k, score in walks.items()}}


WAYS: Mapping[str, _Way] = _ways()


def _two_sides(n_rows: int, options: Mapping[str, Any], n_bootstraps: int) -> tuple[Array, Array]:
    """Weights in bag and out of bag, of shape (replicates, rows)."""
    rng = np.random.default_rng(1)
    if options.get("method") == "bbc-two-level":
        folds = options["folds"]
        members = [np.flatnonzero(folds == k) for k in range(folds.max() + 1)]
        counts = np.zeros((n_bootstraps, n_rows), dtype=np.int64)
        outside = np.ones((n_bootstraps, n_rows), dtype=bool)
        for b, drawn in enumerate(rng.integers(0, len(members), (n_bootstraps, len(members)))):
            rows = np.concatenate([rng.choice(members[k], len(members[k])) for k in drawn])
            counts[b] = np.bincount(rows, minlength=n_rows)
            outside[b] = ~np.isin(folds, drawn)
    else:
        unit = options.get("groups", np.arange(n_rows))
        n_units = int(unit.max()) + 1
        counts = counts_of(rng.integers(0, n_units, (n_bootstraps, n_units)))[:, unit]
        outside = counts == 0
    weight = np.asarray(options.get("sample_weight", 1.0), dtype=np.float32)
    return counts.astype(np.float32) * weight, outside.astype(np.float32) * weight


def job(
    metric: str, greater_is_better: bool, y: Array, repeats: Sequence[Array], **options: Any
) -> tuple[Callable[[int], float], Callable[[], Array]]:
    """The whole correction of some replicates, and the scores of all rows."""
    way = WAYS[metric]
    folds = options.get("folds") if options.get("pooling") == "fold" else None
    parts = (
        [slice(None)] if folds is None else [np.flatnonzero(folds == k) for k in np.unique(folds)]
    )

    def prepared() -> list[tuple[Any, Any]]:
        return [(part, way.prepared(y[part], p[part])) for p in repeats for part in parts]

    def run(n_bootstraps: int) -> float:
        with np.errstate(**_ERRSTATE):  # type: ignore[arg-type]
            of_parts = prepared()
            in_bag, outside = _two_sides(len(y), options, n_bootstraps)
            scores = sum(way.scores(own, in_bag[:, part]) for part, own in of_parts)
            winners = (scores if greater_is_better else -scores).argmax(axis=1)
            found = [way.of_winners(own, outside[:, part], winners) for part, own in of_parts]
            return float(np.nanmean(found))

    def of_all_rows() -> Array:
        weight = options.get("sample_weight", np.ones(len(y)))
        once = np.asarray(weight, dtype=np.float32)[None, :]
        return np.asarray(
            np.mean([way.scores(own, once[:, part])[0] for part, own in prepared()], axis=0)
        )

    return run, of_all_rows
