"""Tables of all fits: data sets of 80 rows, and every configuration's prediction of every row."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from sklearn import config_context
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.svm import SVC

from ._study import generator

N_ROWS = 80
N_TEST = 5000
N_FOLDS = 8
N_CONFIGURATIONS = 54
UNCHECKED = {"assume_finite": True, "skip_parameter_validation": True}

# (X, y, rows to predict) -> predictions, (row, configuration)
Predict = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class AllFits:
    """One data set, and what every configuration predicts of it.

    Attributes
    ----------
    metric : str
        "accuracy" or "mean_squared_error".
    X, y : ndarray
        The rows, and their truth.
    folds : ndarray of int of shape (n_rows,)
        The fold of each row; all searches take folds in the order of their numbers.
    predict : callable
        Fits all configurations.
    truth_of : callable
        ``truth_of(configuration)``: performance of its model of all rows, greater is better.
    predictions : ndarray of shape (n_rows, n_configurations)
        Of each row, by models of the other folds.
    """

    metric: str
    X: np.ndarray
    y: np.ndarray
    folds: np.ndarray
    predict: Predict
    truth_of: Callable[[int], float]
    predictions: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        with config_context(**UNCHECKED):
            found = out_of_fold(self.X, self.y, self.folds, self.predict)
        object.__setattr__(self, "predictions", found)

    def scores(self) -> np.ndarray:
        """Scores on the first 1, 2, ... folds, (configuration, fold), greater is better."""
        return scores_by_fold(self.rewards(), self.folds)

    def rewards(self) -> np.ndarray:
        """Score of each prediction, greater is better; its mean is the metric."""
        return rewards(self.y, self.predictions, self.metric)


def out_of_fold(X: np.ndarray, y: np.ndarray, folds: np.ndarray, predict: Predict) -> np.ndarray:
    """Cross-validated predictions of all configurations."""
    made = None
    for fold in np.unique(folds):
        out = folds == fold
        found = predict(X[~out], y[~out], X[out])
        if made is None:
            made = np.empty((len(y), found.shape[1]))
        made[out] = found
    assert made is not None
    return made


def rewards(y: np.ndarray, predictions: np.ndarray, metric: str) -> np.ndarray:
    """Whether a prediction is right, or its squared error, negated."""
    if metric == "accuracy":
        return np.asarray(predictions == y[:, None], dtype=float)
    return -np.square(predictions - y[:, None])


def scores_by_fold(reward: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Means over the first 1, 2, ... folds."""
    numbers = np.unique(folds)
    sums = np.stack([reward[folds == fold].sum(axis=0) for fold in numbers], axis=1)
    counts = np.array([np.count_nonzero(folds == fold) for fold in numbers])
    return np.asarray(sums.cumsum(axis=1) / counts.cumsum())


def all_fits(learner: str, signal: str, number: int) -> AllFits:
    """The table of one data set; the same rows for all learners that classify."""
    return WORLDS[learner](signal, number)


# Classification


def classes(signal: str, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Rows (the test rows last), their classes, the folds of the first ones, and a seed."""
    seed = int(generator("dynamic_search", signal, number).integers(2**31))
    X, y = make_classification(
        N_ROWS + N_TEST,
        n_features=20,
        n_informative=3,
        n_redundant=0,
        class_sep=0.7,
        flip_y=0.2,
        random_state=seed,
    )
    train = np.arange(N_ROWS)
    if signal == "none":
        # Equal classes: else predicting the sample's larger one looks better than chance.
        y = np.random.default_rng(seed).permutation(np.arange(y.size) % 2)
        y[train] = np.random.default_rng(seed).permutation(train % 2)
    folds = np.empty(N_ROWS, dtype=int)
    splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    for fold, (_, test) in enumerate(splitter.split(X[train], y[train])):
        folds[test] = fold
    return X, y, folds, seed


def classifier(
    signal: str, number: int, make: Callable[[np.random.Generator], list[Predict]]
) -> AllFits:
    """All fits of classifiers; `make` draws the configurations, one or more to a function."""
    X, y, folds, seed = classes(signal, number)
    parts = make(np.random.default_rng(seed))
    own, truth = X[:N_ROWS], y[:N_ROWS]

    def predict(X_train: np.ndarray, y_train: np.ndarray, X_new: np.ndarray) -> np.ndarray:
        return np.hstack([part(X_train, y_train, X_new) for part in parts])

    @cache
    def truth_of_part(part: int) -> np.ndarray:
        with config_context(**UNCHECKED):
            made = parts[part](own, truth, X[N_ROWS:])
        return np.asarray((made == y[N_ROWS:, None]).mean(axis=0))

    def truth_of(configuration: int) -> float:
        # Without a signal no model is better than chance, whatever the test rows say.
        if signal == "none":
            return 0.5
        size = N_CONFIGURATIONS // len(parts)
        return float(truth_of_part(configuration // size)[configuration % size])

    return AllFits("accuracy", own, truth, folds, predict, truth_of)


def support_vectors(rng: np.random.Generator) -> list[Predict]:
    """54 pairs of C and gamma."""
    return [
        _fitted(SVC(C=float(10 ** rng.uniform(-2, 3)), gamma=float(10 ** rng.uniform(-4, 1))))
        for _ in range(N_CONFIGURATIONS)
    ]


def _fitted(model: SVC) -> Predict:
    return lambda X, y, X_new: model.fit(X, y).predict(X_new)[:, None]


def neighbours(rng: np.random.Generator) -> list[Predict]:
    """18 random sets of 4 to 12 columns, with 1, 5 or 15 neighbours."""
    return [
        _nearest(rng.permutation(20)[: rng.integers(4, 13)], (1, 5, 15))
        for _ in range(N_CONFIGURATIONS // 3)
    ]


def _nearest(columns: np.ndarray, ks: tuple[int, ...]) -> Predict:
    def predict(X: np.ndarray, y: np.ndarray, X_new: np.ndarray) -> np.ndarray:
        A, B = X_new[:, columns], X[:, columns]
        distance = (A**2).sum(axis=1)[:, None] - 2 * A @ B.T + (B**2).sum(axis=1)
        near = y[np.argsort(distance, axis=1)[:, : max(ks)]]
        return np.stack([near[:, :k].mean(axis=1) > 0.5 for k in ks], axis=1).astype(int)

    return predict


def boosted(rng: np.random.Generator) -> list[Predict]:
    """18 random rates, depths and shares of rows, stopped after 3, 8 or 20 trees."""
    return [
        _staged(
            GradientBoostingClassifier(
                n_estimators=20,
                learning_rate=float(10 ** rng.uniform(-1.5, 0)),
                max_depth=int(rng.integers(1, 4)),
                subsample=float(rng.uniform(0.5, 1)),
                random_state=int(rng.integers(2**31)),
            ),
            (3, 8, 20),
        )
        for _ in range(N_CONFIGURATIONS // 3)
    ]


def _staged(model: GradientBoostingClassifier, stages: tuple[int, ...]) -> Predict:
    def predict(X: np.ndarray, y: np.ndarray, X_new: np.ndarray) -> np.ndarray:
        made = list(model.fit(X, y).staged_predict(X_new))
        return np.stack([made[stage - 1] for stage in stages], axis=1)

    return predict


# Regression

N_COLUMNS = 20
N_CHOSEN = 10


def ridge(signal: str, number: int) -> AllFits:
    """Ridge regression on random halves of 20 columns.

    The outcome has variance 1, and the mean squared error of a model on new rows is exact.
    """
    rng = generator("ridge", signal, number)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    effect = np.zeros(N_COLUMNS)
    if signal == "weak":
        effect[:6] = np.sqrt(0.2 / 6)
    noise = 1 - float(effect @ effect)
    y = X @ effect + np.sqrt(noise) * rng.normal(size=N_ROWS)
    folds = np.empty(N_ROWS, dtype=int)
    for fold, (_, test) in enumerate(KFold(N_FOLDS, shuffle=True, random_state=number).split(X)):
        folds[test] = fold
    columns = np.array([rng.permutation(N_COLUMNS)[:N_CHOSEN] for _ in range(N_CONFIGURATIONS)])
    penalty = 10 ** rng.uniform(-1, 2.5, N_CONFIGURATIONS)

    def coefficients(X_train: np.ndarray, y_train: np.ndarray) -> tuple[np.ndarray, float]:
        mean, level = X_train.mean(axis=0), float(y_train.mean())
        centred = X_train - mean
        products, with_y = centred.T @ centred, centred.T @ (y_train - level)
        own = products[columns[:, :, None], columns[:, None, :]]
        own += penalty[:, None, None] * np.eye(N_CHOSEN)
        found = np.zeros((N_CONFIGURATIONS, N_COLUMNS))
        solved = np.linalg.solve(own, with_y[columns][:, :, None])[:, :, 0]
        np.put_along_axis(found, columns, solved, axis=1)
        return found, level

    def predict(X_train: np.ndarray, y_train: np.ndarray, X_new: np.ndarray) -> np.ndarray:
        found, level = coefficients(X_train, y_train)
        return np.asarray(level + (X_new - X_train.mean(axis=0)) @ found.T)

    whole, level = coefficients(X, y)

    def truth_of(configuration: int) -> float:
        own = whole[configuration]
        constant = level - float(X.mean(axis=0) @ own)
        return -(noise + float(np.square(own - effect).sum()) + constant**2)

    return AllFits("mean_squared_error", X, y, folds, predict, truth_of)


def guesses(signal: str, number: int) -> AllFits:
    """Guesses that agree with each other: exactly equal skills, and no luck of fitted models."""
    if signal != "none":
        raise ValueError("guesses have no signal")
    rng = generator("guesses", number)
    y = np.arange(N_ROWS) % 2
    z = np.sqrt(0.3) * rng.normal(size=(N_ROWS, 1))
    z = z + np.sqrt(0.7) * rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
    made = np.where(z < 0, y[:, None], 1 - y[:, None])
    folds = rng.permutation(np.arange(N_ROWS) % N_FOLDS)
    return AllFits("accuracy", made, y, folds, lambda X, y, X_new: X_new, lambda _: 0.5)


WORLDS: dict[str, Callable[[str, int], AllFits]] = {
    "SVC": lambda signal, number: classifier(signal, number, support_vectors),
    "ridge": ridge,
    "guesses": guesses,
    "neighbours": lambda signal, number: classifier(signal, number, neighbours),
    "boosting": lambda signal, number: classifier(signal, number, boosted),
}
