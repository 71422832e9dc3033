"""Searches that drop useless configurations on the way come out at chance when scored by rungs.

Whether a configuration is alive at a rung depends on earlier rows only, so that the expectation is
exactly a half. The plain correction of the survivors fails each of these tests.
"""

import numpy as np
import pytest

import bbc

N_SEARCHES, N_ROWS, N_CONFIGURATIONS, N_FOLDS = 150, 80, 54, 8


def right(metric, y, scores):
    """Scores of configurations on some rows: accuracy, or the AUC."""
    if metric == "accuracy":
        return ((scores > 0.5) == y[:, None]).mean(axis=0)
    ranks = np.argsort(np.argsort(scores, axis=0), axis=0) + 1
    n_positive = int(y.sum())
    pairs = n_positive * (len(y) - n_positive)
    return (ranks[y == 1].sum(axis=0) - n_positive * (n_positive + 1) / 2) / pairs


def halving(y, scores, folds, metric):
    """Successive halving: 18 of 54 go on after two folds, 6 after four."""
    alive, depth = np.arange(scores.shape[1]), np.full(scores.shape[1], N_FOLDS)
    for n_folds, n_kept in ((2, 18), (4, 6)):
        seen = folds < n_folds
        best = np.argsort(-right(metric, y[seen], scores[np.ix_(seen, alive)]), kind="stable")
        depth[np.setdiff1d(alive, alive[best[:n_kept]])] = n_folds
        alive = np.sort(alive[best[:n_kept]])
    return depth


def median_pruner(y, scores, folds, metric):
    """A trial stops where its score is below the median of earlier trials at that fold."""
    depth, histories = np.empty(scores.shape[1], int), []
    for trial in range(scores.shape[1]):
        history = []
        for fold in range(N_FOLDS):
            seen = folds <= fold
            history.append(right(metric, y[seen], scores[seen][:, [trial]])[0])
            others = [each[fold] for each in histories if len(each) > fold]
            if fold >= 1 and len(others) >= 5 and history[-1] < np.median(others):
                break
        histories.append(history)
        depth[trial] = len(history)
    depth[np.argmax(depth)] = N_FOLDS
    return depth


@pytest.fixture(scope="module", params=["accuracy", "roc_auc"])
def metric(request):
    return request.param


@pytest.fixture(scope="module", params=[halving, median_pruner])
def estimates(request, metric):
    """Of each search: rung by rung, of the survivors alone, and of all fits."""
    found = []
    for number in range(N_SEARCHES):
        rng = np.random.default_rng([number, len(metric)])
        y = rng.permutation(N_ROWS) % 2
        scores = rng.random((N_ROWS, N_CONFIGURATIONS))
        folds = np.empty(N_ROWS, int)
        for label in (0, 1):  # stratified
            folds[y == label] = rng.permutation(np.count_nonzero(y == label)) % N_FOLDS
        depth = request.param(y, scores, folds, metric)
        predictions = (scores > 0.5).astype(float) if metric == "accuracy" else scores
        holes = np.where(folds[:, None] < depth, predictions, np.nan)
        asked = {"metric": metric, "n_bootstraps": 200, "random_state": number}
        found.append(
            (
                bbc.correct(
                    y,
                    holes,
                    missing="rungs",
                    pooling="rung" if metric == "roc_auc" else "pooled",
                    **asked,
                ),
                bbc.correct(y, holes, missing="drop-configurations", **asked),
                bbc.correct(y, predictions, **asked),
            )
        )
    return found


pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")


def z(values):
    """How many standard errors their mean is from a half."""
    return (np.mean(values) - 0.5) / (np.std(values, ddof=1) / np.sqrt(len(values)))


def test_noise_is_at_chance(estimates):
    assert abs(z([rungs.estimate for rungs, _, _ in estimates])) < 4


def test_survivors_alone_are_not(estimates):
    assert z([survivors.estimate for _, survivors, _ in estimates]) > 4


def test_all_fits_would_say_the_same(estimates):
    differences = np.array([rungs.estimate - full.estimate for rungs, _, full in estimates])
    assert abs(z(differences + 0.5)) < 4


def test_intervals_cover_chance(estimates):
    covered = np.mean(
        [
            rungs.confidence_interval.low <= 0.5 <= rungs.confidence_interval.high
            for rungs, _, _ in estimates
        ]
    )
    assert covered > 0.95 - 3 * np.sqrt(0.95 * 0.05 / N_SEARCHES)


def test_plain_corrections_say_that_configurations_were_dropped(estimates):
    for rungs, survivors, full in estimates:
        assert "BBC007" in {each.code for each in survivors.findings}
        for other in (rungs, full):
            assert "BBC007" not in {each.code for each in other.findings}


def test_races_over_repeats_are_at_chance():
    """A row scores at the rung that saw it first; cells of any rung would be .02 too high."""
    found = []
    for number in range(N_SEARCHES):
        rng = np.random.default_rng(number)
        y = rng.permutation(N_ROWS) % 2
        shared = np.sqrt(0.8) * rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
        luck = np.sqrt(0.2) * rng.normal(size=(2, *shared.shape))
        labels = (shared + luck > 0).astype(float)
        folds = np.array([rng.permutation(N_ROWS) % 5, 5 + rng.permutation(N_ROWS) % 5])
        step = rng.permutation(10)[folds]  # finetune takes the folds in any order
        right = labels == y[:, None]
        depth, alive = np.full(N_CONFIGURATIONS, 10), np.arange(N_CONFIGURATIONS)
        for n_folds, n_left in ((3, 18), (5, 6)):
            scores = right[step < n_folds][:, alive].mean(axis=0)
            order = alive[np.argsort(-scores, kind="stable")]
            depth[order[n_left:]] = n_folds
            alive = np.sort(order[:n_left])
        left = np.where(step[:, :, None] < depth, labels, np.nan)
        asked = {"metric": "accuracy", "n_bootstraps": 200, "random_state": number}
        found.append(
            (
                bbc.correct(y, list(left), missing="rungs", **asked).estimate,
                bbc.correct(y, list(left), missing="drop-configurations", **asked).estimate,
                bbc.correct(y, list(labels), **asked).estimate,
            )
        )
    rungs, survivors, all_fits = np.array(found).T
    assert abs(z(rungs)) < 4
    assert abs(z(rungs - all_fits + 0.5)) < 4
    assert z(survivors) > 4
