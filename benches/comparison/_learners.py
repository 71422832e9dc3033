"""Learners that cross-validate many blocks of features at once.

Each is a function of features (row, block, feature), truth and folds that gives out-of-sample
predictions (row, block, configuration); the configurations of a block are values of one
hyperparameter.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Folds = NDArray[np.int64]
CrossValidate = Callable[[Floats, Floats, Folds], Floats]


def _parts(folds: Folds) -> Iterator[NDArray[np.bool_]]:
    """Which rows each fold tests."""
    for fold in np.unique(folds):
        yield folds == fold


def linear(penalties: tuple[float, ...] = (0.1,)) -> CrossValidate:
    """Ridge regression with an intercept."""

    def cross_validate(X: Floats, y: Floats, folds: Folds) -> Floats:
        n, n_blocks, width = X.shape
        found = np.empty((n, n_blocks, len(penalties)))
        ones = np.ones((n_blocks, n, 1))
        A = np.concatenate([ones, X.transpose(1, 0, 2)], axis=2)
        for test in _parts(folds):
            own = A[:, ~test]
            gram, right = own.transpose(0, 2, 1) @ own, own.transpose(0, 2, 1) @ y[~test]
            for i, penalty in enumerate(penalties):
                beta = np.linalg.solve(gram + penalty * np.eye(width + 1), right[..., None])
                found[test, :, i] = (A[:, test] @ beta)[..., 0].T
        return found

    return cross_validate


def discriminant(shrinkages: tuple[float, ...] = (0.1,)) -> CrossValidate:
    """Probabilities by a linear discriminant whose covariance is shrunk."""

    def cross_validate(X: Floats, y: Floats, folds: Folds) -> Floats:
        n, n_blocks, width = X.shape
        found = np.empty((n, n_blocks, len(shrinkages)))
        for test in _parts(folds):
            own, truth = X[~test], y[~test]
            one, other = own[truth == 1].mean(axis=0), own[truth == 0].mean(axis=0)
            centred = (own - np.where(truth[:, None, None] == 1, one, other)).transpose(1, 0, 2)
            within = centred.transpose(0, 2, 1) @ centred / (len(own) - 1)
            prior = np.log(truth.mean() / (1 - truth.mean()))
            for i, shrinkage in enumerate(shrinkages):
                w = np.linalg.solve(within + shrinkage * np.eye(width), (one - other)[..., None])[
                    ..., 0
                ]
                at = ((X[test] - (one + other) / 2) * w).sum(axis=2) + prior
                found[test, :, i] = 1 / (1 + np.exp(-at))
        return found

    return cross_validate


def neighbours(numbers: tuple[int, ...]) -> CrossValidate:
    """Means of the nearest rows, drawn a little towards the mean."""

    def cross_validate(X: Floats, y: Floats, folds: Folds) -> Floats:
        n, n_blocks, _ = X.shape
        found = np.empty((n, n_blocks, len(numbers)))
        same = folds[:, None] == folds
        means = np.where(same, 0, y).sum(axis=1) / (~same).sum(axis=1)
        for j in range(n_blocks):
            squares = (X[:, j] ** 2).sum(axis=1)
            distances = squares[:, None] + squares - 2 * X[:, j] @ X[:, j].T
            distances[same] = np.inf
            for i, k in enumerate(numbers):
                near = np.argpartition(distances, k - 1, axis=1)[:, :k]
                found[:, j, i] = (y[near].sum(axis=1) + means) / (k + 1)
        return found

    return cross_validate


def _bounded(predicted: Floats, y: Floats) -> Floats:
    return predicted.clip(0.02, 0.98) if set(np.unique(y)) <= {0.0, 1.0} else predicted


def tree(depths: tuple[int, ...] = (3,)) -> CrossValidate:
    """Trees whose leaves have five rows or more."""
    from sklearn.tree import DecisionTreeRegressor

    models = [
        DecisionTreeRegressor(max_depth=d, min_samples_leaf=5, random_state=0) for d in depths
    ]

    def cross_validate(X: Floats, y: Floats, folds: Folds) -> Floats:
        n, n_blocks, _ = X.shape
        found = np.empty((n, n_blocks, len(models)))
        blocks = [np.ascontiguousarray(X[:, j], np.float32) for j in range(n_blocks)]
        for test in _parts(folds):
            for j, own in enumerate(blocks):
                for i, model in enumerate(models):
                    model.fit(own[~test], y[~test], check_input=False)
                    found[test, j, i] = model.tree_.predict(own[test])[:, 0]
        return _bounded(found, y)

    return cross_validate


def boosting(n_rounds: int = 20, rate: float = 0.1) -> CrossValidate:
    """Boosted stumps by least squares, all folds and blocks at once."""

    def cross_validate(X: Floats, y: Floats, folds: Folds) -> Floats:
        n, n_blocks, _ = X.shape
        tests = np.array(list(_parts(folds)))
        n_tasks = len(tests) * n_blocks
        trained = np.repeat(~tests, n_blocks, axis=0).astype(float)  # (task, row)
        of_block = np.tile(X.transpose(1, 2, 0), (len(tests), 1, 1))  # (task, feature, row)
        order = np.argsort(of_block, axis=2)
        tasks = np.arange(n_tasks)
        in_order = trained[tasks[:, None, None], order]
        below = in_order.cumsum(axis=2)
        total = trained.sum(axis=1)
        above = total[:, None, None] - below
        # A split is after a trained row, with another one beyond it.
        allowed = (in_order > 0) & (above > 0)
        at = (trained * y).sum(axis=1) / total
        fitted = np.repeat(at[:, None], n, axis=1)
        for _ in range(n_rounds):
            residual = trained * (y - fitted)
            sums = residual[tasks[:, None, None], order].cumsum(axis=2)
            rest = sums[..., -1:] - sums
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = np.where(allowed, sums**2 / below + rest**2 / above, -1.0)
            best = gain.reshape(n_tasks, -1).argmax(axis=1)
            feature, place = np.divmod(best, n)
            ranked = order[tasks, feature]
            beyond = in_order[tasks, feature] * (np.arange(n) > place[:, None])
            after = ranked[tasks, (beyond > 0).argmax(axis=1)]
            values = of_block[tasks, feature]
            cut = (values[tasks, ranked[tasks, place]] + values[tasks, after]) / 2
            low = sums[tasks, feature, place] / below[tasks, feature, place]
            high = rest[tasks, feature, place] / above[tasks, feature, place]
            fitted += rate * np.where(values <= cut[:, None], low[:, None], high[:, None])
        found = np.empty((n, n_blocks, 1))
        for k, test in enumerate(tests):
            found[test, :, 0] = fitted[k * n_blocks : (k + 1) * n_blocks, test].T
        return _bounded(found, y)

    return cross_validate


def boosted(X: Floats, y: Floats, Z: Floats, n_rounds: int, rate: float) -> Floats:
    """Boosted stumps that are fitted to rows and predict others."""
    both = np.concatenate([X, Z])[:, None]
    folds = np.repeat([0, 1], [len(X), len(Z)])
    truth = np.concatenate([y, np.zeros(len(Z))])
    return boosting(n_rounds, rate)(both, truth, folds)[len(X) :, 0, 0]
