"""Which seed should a learner get whose random_state is None?

python benches/model_luck/seeds.py [--quick] [--only tree]

A fit of such a learner has luck: good or bad draws of features, rows or initial weights. Rules:

training rows   one seed per set of training rows, the same for all configurations
independent     one seed per fit, as for unseeded learners in GridSearchCV
run             one seed for all fits
configuration   one seed per configuration, the same in its folds and in its refit
resamples       one seed for all resamples, and another for the refit

Cells with several configurations choose the best by five-fold cross-validation and correct its
score by BBC. Cells with one configuration estimate the performance of a learner by 25 subsamples of
9/10, with the corrected resampled t interval. The truth is the performance of the configuration,
refitted on all rows, on 10,000 fresh rows; a learner that is trained later, by its user, gets
another seed, as by "training rows" and "resamples". The rules share the data of a run, and five
runs with data of their own share a seed.

Stage "choose" compares the rules (runs 0, 1, ...); stage "certify" repeats the chosen ones on other
data with other seeds (runs 100,000, ...). Writes seeds.csv beside this file:

apparent_bias, bias  mean of apparent score less truth, and of the estimate less truth; positive
                     means too good, for a loss, too
bias_se              standard error of `bias`, from the means of the seeds
coverage_refit       share of the 95 % intervals that contain the performance of this refit
coverage_expected    share that contain the expected performance over samples: the mean truth of
                     the other runs with this seed
coverage_any_seed    share that contain the expected performance over samples and seeds: the mean
                     truth of all runs
width                mean width of the interval
truth, truth_se      mean performance of the refit, and its standard error from the means of the
                     seeds
"""

import argparse
import csv
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import ExtraTreeClassifier

import bbc

FOLDER = Path(__file__).parent
N_FEATURES, N_INFORMATIVE, NOISE = 20, 2, 0.5
N_FRESH = 10_000
N_FOLDS = 5
N_SUBSAMPLES = 25
ALL_ROWS = -1  # the refit, among the numbers of the folds
RUNS_PER_SEED = 5
CERTIFIED_FROM = 100_000
Line = dict[str, Any]

# Each rule says from what a fit's seed is derived: the run's seed, the fold, the configuration.
RULES: dict[str, Callable[[int, int, int], tuple[int, ...]]] = {
    "training rows": lambda seed, fold, configuration: (seed, fold + 1),
    "independent": lambda seed, fold, configuration: (seed, fold + 1, configuration),
    "run": lambda seed, fold, configuration: (seed,),
    "configuration": lambda seed, fold, configuration: (seed, configuration),
    "resamples": lambda seed, fold, configuration: (seed, int(fold == ALL_ROWS)),
}
TO_CHOOSE = ("training rows", "independent", "run", "configuration")
TO_ESTIMATE = ("training rows", "configuration", "resamples")


@dataclass(frozen=True)
class Cell:
    """Configurations, given as functions of a seed, that compete on samples of some size."""

    name: str
    configurations: tuple[Callable[[int], Any], ...]
    n_rows: int
    metric: str = "accuracy"

    @property
    def sign(self) -> int:
        """What makes a difference of scores positive if the first is better."""
        return 1 if self.metric == "accuracy" else -1


def tree(max_depth: int = 4, min_samples_leaf: int = 1) -> Callable[[int], Any]:
    return lambda seed: ExtraTreeClassifier(
        max_depth=max_depth, min_samples_leaf=min_samples_leaf, max_features=1, random_state=seed
    )


def forest(max_depth: int, min_samples_leaf: int) -> Callable[[int], Any]:
    return lambda seed: RandomForestClassifier(
        5, max_depth=max_depth, min_samples_leaf=min_samples_leaf, random_state=seed
    )


def net(size: int, alpha: float) -> Callable[[int], Any]:
    return lambda seed: MLPClassifier(
        (size,), alpha=alpha, solver="lbfgs", max_iter=30, random_state=seed
    )


def svm(c: float, gamma: float) -> Callable[[int], Any]:
    return lambda seed: SVC(C=c, gamma=gamma, probability=True, random_state=seed)


def random_features(gamma: float, c: float) -> Callable[[int], Any]:
    return lambda seed: make_pipeline(
        RBFSampler(gamma=gamma, n_components=20, random_state=seed), LogisticRegression(C=c)
    )


LEAF_SIZES = (1, 2, 3, 5, 8, 10, 15, 20, 30, 40)
TREES = tuple(tree(depth, leaf) for depth in (2, 3, 4, 5, 6, 8) for leaf in LEAF_SIZES)
FORESTS = tuple(forest(depth, leaf) for depth in (2, 4, 8) for leaf in (1, 10))
NETS = tuple(net(size, alpha) for size in (2, 4, 8) for alpha in (0.01, 1.0))
SVMS = tuple(svm(c, gamma) for c in (0.1, 1.0, 10.0) for gamma in (0.01, 0.1))
FEATURES = tuple(
    random_features(gamma, c) for gamma in (0.003, 0.01, 0.03, 0.1, 0.3) for c in (0.1, 1.0, 10.0)
)
CELLS = (
    Cell("tree, 60 equal", (tree(),) * 60, 600),
    Cell("tree, 6 depths x 10 leaf sizes", TREES, 600),
    Cell("tree, 60 equal", (tree(),) * 60, 150),
    Cell("forest of 5, 3 depths x 2 leaf sizes", FORESTS, 600),
    Cell("net, 3 sizes x 2 penalties", NETS, 600),
    Cell("SVM with probability, 3 C x 2 gamma", SVMS, 300, "log_loss"),
    Cell("random features, 5 gamma x 3 C", FEATURES, 600),
    Cell("tree, one", (tree(),), 600),
    Cell("net, one", (net(4, 0.01),), 600),
)


def sample(n_rows: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Normal inputs, of which a few make the classes, with noise."""
    X = rng.normal(size=(n_rows, N_FEATURES)).astype(np.float32)
    signal = X[:, :N_INFORMATIVE].sum(axis=1) / np.sqrt(N_INFORMATIVE)
    return X, (signal + NOISE * rng.normal(size=n_rows) > 0).astype(np.int64)


def outputs(model: Any, X: Any, metric: str) -> Any:
    """What the metric reads: labels, or the probability of the second class."""
    return model.predict_proba(X)[:, 1] if metric == "log_loss" else model.predict(X)


def score(metric: str, y: Any, predicted: Any) -> float:
    if metric == "accuracy":
        return float(np.mean(predicted == y))
    likely = np.clip(np.where(y == 1, predicted, 1 - predicted), 1e-15, None)
    return float(-np.mean(np.log(likely)))


def seed_of(rule: str, run: int, fold: int, configuration: int) -> int:
    place = RULES[rule](run // RUNS_PER_SEED, fold, configuration)
    return int(np.random.SeedSequence(place).generate_state(1)[0] >> 1)


def chosen_by_cv(cell: Cell, rule: str, run: int, X: Any, y: Any) -> Any:
    """Five-fold cross-validation of all configurations, corrected by BBC."""
    predictions = np.empty((cell.n_rows, len(cell.configurations)), dtype=np.float64)
    splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=run)
    for fold, (train, test) in enumerate(splitter.split(X, y)):
        for number, build in enumerate(cell.configurations):
            model = build(seed_of(rule, run, fold, number)).fit(X[train], y[train])
            predictions[test, number] = outputs(model, X[test], cell.metric)
    if cell.metric == "accuracy":
        predictions = predictions.astype(np.int64)
    return bbc.correct(
        y, predictions, metric=cell.metric, method="bbc", random_state=run, n_threads=1
    )


def estimated_alone(cell: Cell, rule: str, run: int, X: Any, y: Any) -> Any:
    """One learner on subsamples, with the corrected resampled t interval."""
    scores = []
    splitter = ShuffleSplit(N_SUBSAMPLES, test_size=0.1, random_state=run)
    for fold, (train, test) in enumerate(splitter.split(X)):
        model = cell.configurations[0](seed_of(rule, run, fold, 0)).fit(X[train], y[train])
        scores.append(score(cell.metric, y[test], outputs(model, X[test], cell.metric)))
    return bbc.baselines.intervals.corrected_resampled_t(
        scores, n_train=len(train), n_test=len(test), metric=cell.metric
    )


def one_run(cell: Cell, rule: str, run: int) -> tuple[float, float, float, float, float]:
    """Return apparent score, estimate, limits and truth."""
    rng = np.random.default_rng(run)
    X, y = sample(cell.n_rows, rng)
    fresh, fresh_y = sample(N_FRESH, rng)
    alone = len(cell.configurations) == 1
    result = (estimated_alone if alone else chosen_by_cv)(cell, rule, run, X, y)
    winner = 0 if alone else result.winner
    refit = cell.configurations[winner](seed_of(rule, run, ALL_ROWS, winner)).fit(X, y)
    truth = score(cell.metric, fresh_y, outputs(refit, fresh, cell.metric))
    apparent = result.estimate if alone else result.apparent
    return apparent, result.estimate, *result.confidence_interval, truth


def se_of(values: Any) -> float:
    """Standard error of a mean over runs, of which some share a seed."""
    means = values.reshape(-1, RUNS_PER_SEED).mean(axis=1)
    return float(means.std(ddof=1) / np.sqrt(len(means)))


def line_of(cell: Cell, rule: str, runs: range) -> Line:
    """Run one cell by one rule."""
    found = np.array([one_run(cell, rule, run) for run in runs])
    apparent, estimate, low, high, truth = found.T
    bias = cell.sign * (estimate - truth)
    by_seed = truth.reshape(-1, RUNS_PER_SEED)
    others = (by_seed.sum(axis=1, keepdims=True) - by_seed) / (RUNS_PER_SEED - 1)

    def covered(value: Any) -> float:
        return float(np.mean((low <= value) & (value <= high)))

    line: Line = {
        "stage": "certify" if runs.start >= CERTIFIED_FROM else "choose",
        "cell": cell.name,
        "n_rows": cell.n_rows,
        "metric": cell.metric,
        "seed_per": rule,
        "runs": len(runs),
        "apparent_bias": np.mean(cell.sign * (apparent - truth)),
        "bias": bias.mean(),
        "bias_se": se_of(bias),
        "coverage_refit": covered(truth),
        "coverage_expected": covered(others.ravel()),
        "coverage_any_seed": covered(truth.mean()),
        "width": np.mean(high - low),
        "truth": truth.mean(),
        "truth_se": se_of(truth),
    }
    return {k: round(float(v), 4) if isinstance(v, float) else v for k, v in line.items()}


def lines(only: str, n_choose: int, n_certify: int) -> Iterator[Line]:
    """All cells by all rules, then each by the rule that was chosen for its kind."""
    cells = [cell for cell in CELLS if only in cell.name]
    for cell in cells:
        for rule in TO_CHOOSE if len(cell.configurations) > 1 else TO_ESTIMATE:
            yield line_of(cell, rule, range(n_choose))
    for cell in cells:
        rule = "training rows" if len(cell.configurations) == 1 else "configuration"
        yield line_of(cell, rule, range(CERTIFIED_FROM, CERTIFIED_FROM + n_certify))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python benches/model_luck/seeds.py")
    parser.add_argument("--quick", action="store_true", help="ten runs per cell; writes nothing")
    parser.add_argument("--only", default="", help="cells whose name contains this; writes nothing")
    options = parser.parse_args()
    # SVC announces that it will drop `probability`; nets need not converge here.
    for category in (FutureWarning, ConvergenceWarning):
        warnings.filterwarnings("ignore", category=category)
    made = []
    for line in lines(options.only, *((10, 10) if options.quick else (40, 100))):
        print(line, flush=True)
        made.append(line)
    if options.quick or options.only:
        return
    with (FOLDER / "seeds.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(made[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)


if __name__ == "__main__":
    main()
