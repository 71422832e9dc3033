"""Configurations that failed, were dropped or left out, in every question of every source.

Whatever is gone, an answer names configurations as the caller does. What it should say is computed
here in plain numpy, from the caller's own columns and the draws of the replicates.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import optuna
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, KFold

import bbc
from questions import (
    BY,
    N_CONFIGURATIONS,
    N_ROWS,
    PLACES,
    QUESTIONS,
    THRESHOLD,
    TIMES,
    ask,
    asked_questions,
    known_questions,
    takes,
)

pytestmark = pytest.mark.filterwarnings("ignore")  # of models that fail, and of findings
FAILED = [0, 2]
NAMES = tuple(f"column={place}" for place in range(N_CONFIGURATIONS))
RNG = np.random.default_rng(5)
Y = RNG.permutation(np.arange(N_ROWS) % 2)
#: One column for each configuration, with more noise in some.
NOISE = [1.0, 1.6, 1.0, 0.8, 1.3, 0.9, 1.1, 2.0, 2.5, 3.0]
X = (2 * Y - 1)[:, None] + RNG.normal(0, 1, (N_ROWS, N_CONFIGURATIONS)) * NOISE
TIME = RNG.exponential(np.exp(1 - 2 * Y)) + 0.01
CENSORED = RNG.exponential(3, N_ROWS)
SURVIVAL = np.array(
    list(zip(TIME <= CENSORED, np.minimum(TIME, CENSORED), strict=True)),
    dtype=[("event", bool), ("time", float)],
)
GRID = {"column": list(range(N_CONFIGURATIONS))}
METRICS = {"binary": "neg_log_loss", "survival": "concordance_index"}
DRAWS = np.random.default_rng(1).integers(0, N_ROWS, (50, N_ROWS))
COUNTS = np.array([np.bincount(drawn, minlength=N_ROWS) for drawn in DRAWS])
ALL = np.ones(N_ROWS)


class Known(BaseEstimator):
    """Its logit is a column, whatever it learned; training for some columns fails."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        if self.column in FAILED:
            raise RuntimeError("told to fail")
        self.n_features_in_ = X.shape[1]
        self.classes_ = np.array([0, 1])
        return self


class KnownRisk(ClassifierMixin, Known):
    """Probabilities of two classes."""

    def predict_proba(self, X):
        risk = 1 / (1 + np.exp(-X[:, self.column]))
        return np.column_stack([1 - risk, risk])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class KnownHazard(Known):
    """A hazard that does not change with time."""

    def predict(self, X):
        return X[:, self.column]

    def predict_survival_function(self, X):
        return [lambda t, h=h: np.exp(-np.exp(h) * np.asarray(t)) for h in self.predict(X)]


def columns(truth):
    """What each configuration predicts for each row; NaN where its training fails."""
    table = X.copy()
    table[:, FAILED] = np.nan
    return 1 / (1 + np.exp(-table)) if truth == "binary" else table


def score(truth, predicted, counts):
    """The metric of rows of which each counts so many times."""
    if truth == "binary":
        logs = np.log(np.where(Y == 1, predicted, 1 - predicted))
        return float(counts @ logs / counts.sum())
    time, pairs = SURVIVAL["time"], np.outer(counts, counts)
    pairs = pairs * (SURVIVAL["event"][:, None] & (time[:, None] < time))
    return float((pairs * (predicted[:, None] > predicted)).sum() / pairs.sum())


class Source(NamedTuple):
    """Predictions, with the names that the caller gave and the configurations that are gone."""

    y: Any
    given: Any
    gone: Sequence[int]
    names: Sequence[str] = NAMES
    options: Mapping[str, Any] = {}
    draws: bool = True


def arrays(truth, names=NAMES):
    """The caller's arrays, in which one more configuration lacks some rows."""
    table = columns(truth)
    table[[3, 30], 6] = np.nan
    options = {"missing": "drop-configurations"}
    if names is None:
        names = numbered(range(N_CONFIGURATIONS))
    else:
        options["names"] = list(names)
    given = table if truth == "binary" else survival_of(table)
    return Source(truth_of(truth), given, [*FAILED, 6], names, options)


def numbered(places):
    """The names of configurations that have none."""
    return [f"configuration {place}" for place in places]


def survival_of(table):
    survival = np.exp(-np.exp(table)[:, :, None] * TIMES)
    return {"scores": table, "survival": survival, "times": TIMES}


def truth_of(truth):
    return Y if truth == "binary" else SURVIVAL


def predictions(truth):
    """The same as an object that knows its names."""
    given = arrays(truth)
    held = given.given if truth == "survival" else {"scores": given.given}
    held = {name: each if name == "times" else each[None] for name, each in held.items()}
    own = bbc.results.OutOfSamplePredictions(y=given.y, names=NAMES, **held)
    return given._replace(given=own, options={"missing": "drop-configurations"})


def scoring(truth):
    """What a search reads, first what it selects by."""
    if truth == "binary":
        return {"scoring": METRICS[truth]}
    briers = {f"brier {time}": bbc.metrics.survival_brier_score(time) for time in TIMES}
    return {"scoring": {"selects": METRICS[truth]} | briers, "refit": "selects"}


def protocol(kind, truth, **options):
    learner = KnownRisk() if truth == "binary" else KnownHazard()
    given = {"cv": KFold(10), "error_score": np.nan, "random_state": 1, "n_bootstraps": 50}
    given["pooling"] = "pooled"  # as the scores that are expected
    search = kind(learner, GRID, **given | options, **scoring(truth))
    return search.fit(X, truth_of(truth))


def of_bbc(truth):
    return Source(truth_of(truth), protocol(bbc.BBC, truth), FAILED)


def of_bbcd(truth):
    search = protocol(bbc.BBCD, truth, min_predictions=10)
    dropped = np.flatnonzero(search.dropped_ >= 0).tolist()
    assert dropped
    return Source(truth_of(truth), search, sorted([*FAILED, *dropped]))


def correlation_of(model, X, y):
    """A score of the caller's, by which the search chooses; the correction has its own metric."""
    return float(np.corrcoef(model.predict(X), -y["time"])[0, 1])


def grid(truth):
    learner = KnownRisk() if truth == "binary" else KnownHazard()
    scored = METRICS[truth] if truth == "binary" else correlation_of
    given = {"scoring": scored, "cv": KFold(10), "error_score": np.nan}
    return GridSearchCV(learner, GRID, **given)


def of_kept_search(truth):
    times = None if truth == "binary" else TIMES
    search = bbc.keep_predictions(grid(truth), times=times).fit(X, truth_of(truth))
    # On all rows together, as the other sources select.
    options = {"missing": "drop-configurations", "pooling": "pooled"}
    options["reselect"] = truth == "survival"
    return Source(truth_of(truth), search, FAILED, options=options)


def of_fold_scores(truth):
    options = {} if truth == "binary" else {"metric": None}
    search = grid(truth).fit(X, truth_of(truth))
    return Source(None, search, FAILED, options=options, draws=False)


def of_table(truth):
    source = of_fold_scores(truth)
    return source._replace(given=source.given.cv_results_)


SOURCES = {
    "arrays": arrays,
    "arrays without names": lambda truth: arrays(truth, None),
    "predictions": predictions,
    "BBC": of_bbc,
    "BBCD": of_bbcd,
    "kept search": of_kept_search,
    "fold scores": of_fold_scores,
    "table of fold scores": of_table,
}
#: n: names and numbers are the caller's, x: refused. In order of questions: calibration, decision,
#: ROC and precision-recall curve, per 1000, clinical performance; calibration and performance of
#: survival; subgroups, compare, tuning path; possible winners, winner's interval, remaining
#: optimism.
TABLE = {
    "arrays": "nnnnnn nn nnn nnx",
    "arrays without names": "nnnnnn nn nnn nnx",
    "predictions": "nnnnnn nn nnn nnx",
    "BBC": "nnnnnn nn nnn nnx",
    "BBCD": "nnnnnn nn nnn nnx",
    "kept search": "nnnnnn nn nnn nnx",
    "fold scores": "xxxxxx xx xnn nnx",
    "table of fold scores": "xxxxxx xx xnn nnx",
}
CELLS = {
    (source, question): kind
    for source, kinds in TABLE.items()
    for question, kind in zip(QUESTIONS, kinds.replace(" ", ""), strict=True)
}


@cache
def made(source, truth):
    return SOURCES[source](truth)


class Expected(NamedTuple):
    """What the caller's columns say, of all configurations or of a family, by number.

    With `by_name`, numbers in answers are those of the answer's own names, and are looked up.
    """

    truth: str
    table: Any
    names: Sequence[str]
    there: Sequence[int]
    draws: bool
    by_name: bool

    @classmethod
    def of(cls, source, truth, *, by_name, places=range(N_CONFIGURATIONS), names=None):
        there = [number for number, place in enumerate(places) if place not in source.gone]
        names = names or [source.names[place] for place in places]
        table = columns(truth)[:, list(places)]
        return cls(truth, table, names, there, source.draws, by_name)

    def number(self, index, names):
        """The caller's number of what an answer with these names calls so."""
        return self.names.index(names[index]) if self.by_name and names else int(index)

    def score(self, number, counts=ALL):
        return score(self.truth, self.table[:, number], counts)

    def best(self, counts=ALL, among=None):
        """The best on rows that count so many times."""
        there = self.there if among is None else among
        return max(there, key=lambda number: self.score(number, counts))

    def out_of_bag(self, statistic, among=None):
        """What a statistic of predictions is for each replicate's winner on its rows out of bag."""
        return [
            statistic(self.table[:, self.best(counts, among)], (counts == 0) * 1.0)
            for counts in COUNTS
        ]


def scored(truth, rows=ALL):
    """The metric as a statistic, of some of the rows."""
    return lambda predicted, counts: score(truth, predicted, counts * rows)


def check_record(record, expected, rows=ALL):
    """A correction names the configurations that win here, and has their scores."""
    best = expected.best()
    assert record.winner_name == expected.names[best]
    assert expected.number(record.winner, record.names) == best
    apparent = scored(expected.truth, rows)(expected.table[:, best], ALL)
    assert record.apparent == pytest.approx(apparent, rel=1e-9)
    if not expected.by_name:
        gone = sorted(set(range(len(expected.names))) - set(expected.there))
        assert record.n_configurations == len(expected.names)
        assert record.left_out_configurations.tolist() == gone
        assert record.names is None or list(record.names) == list(expected.names)
    if record.replicates is None or not expected.draws:
        return
    winners = [expected.number(index, record.names) for index in record.replicate_winners]
    assert winners == [expected.best(counts) for counts in COUNTS]
    replicates = expected.out_of_bag(scored(expected.truth, rows))
    np.testing.assert_allclose(record.replicates, replicates, rtol=1e-9)
    shares = {
        expected.number(index, record.names): share
        for index, share in enumerate(record.selection_frequency)
        if share
    }
    assert shares == {each: pytest.approx(winners.count(each) / 50) for each in set(winners)}


def brier(predicted, counts):
    return float(np.average((predicted - Y) ** 2, weights=counts))


def net_benefit(predicted, counts):
    gains = np.where(Y == 1, 1, -THRESHOLD / (1 - THRESHOLD)) * (predicted >= THRESHOLD)
    return float(np.average(gains, weights=counts))


def area(predicted, counts):
    pairs = np.outer(counts * (Y == 1), counts * (Y == 0))
    return float((pairs * (predicted[:, None] > predicted)).sum() / pairs.sum())


def check_quantity(found, statistic, expected):
    """A quantity of the winners is that of the caller's columns."""
    winner = expected.table[:, expected.best()]
    assert found.apparent == pytest.approx(statistic(winner, ALL), rel=1e-9)
    np.testing.assert_allclose(found.replicates, expected.out_of_bag(statistic), rtol=1e-9)


def check_calibration(answer, expected):
    check_record(answer.performance, expected)
    check_quantity(answer.brier_score, brier, expected)


def check_decision_curve(answer, expected):
    check_record(answer.performance, expected)
    curve, winner = answer.net_benefit, expected.table[:, expected.best()]
    assert curve.apparent[0] == pytest.approx(net_benefit(winner, ALL), rel=1e-9)
    mean = np.mean(expected.out_of_bag(net_benefit))
    assert curve.estimates[0] == pytest.approx(mean, rel=1e-9)


def check_roc_curve(answer, expected):
    check_record(answer.performance, expected)
    check_quantity(answer.partial_auc(specificity=(0, 1)), area, expected)


def check_precision_recall_curve(answer, expected):
    check_record(answer.performance, expected)
    predicted = expected.table[:, expected.best()]
    found = predicted >= predicted[Y == 1].min()
    assert answer.curve.apparent[-1] == pytest.approx(Y[found].mean(), rel=1e-9)


def hits(predicted, counts):
    return 1000 * float(np.average((predicted >= THRESHOLD) & (Y == 1), weights=counts))


def check_per_1000(answer, expected):
    check_record(answer.performance, expected)
    check_quantity(answer.found, hits, expected)


def check_clinical_performance(answer, expected):
    check_record(answer.performances[0], expected)
    of_area, of_brier = (answer.performances[place] for place in (1, 3))
    assert (of_area.metric, of_brier.metric) == ("roc_auc", "brier_score")
    for record, statistic in ((of_area, area), (of_brier, brier)):
        check_quantity(record, statistic, expected)
    for record in answer.performances:
        assert record.winner_name == answer.performances[0].winner_name
        assert record.winner == answer.performances[0].winner
    check_calibration(answer.calibration, expected)
    check_decision_curve(answer.decision_curve, expected)
    check_roc_curve(answer.roc_curve, expected)
    check_precision_recall_curve(answer.precision_recall_curve, expected)


def check_survival_calibration(answer, expected):
    check_record(answer.performance, expected)
    hazard = np.exp(expected.table[:, expected.best()])
    risks = np.average(answer.group_risks, weights=answer.group_counts)
    assert risks == pytest.approx(1 - np.exp(-hazard * TIMES[0]).mean(), rel=1e-9)


def check_survival_performance(answer, expected):
    check_record(answer.performances[0], expected)
    for record in answer.performances:
        assert record.winner_name == answer.performances[0].winner_name
        assert record.winner == answer.performances[0].winner
    check_survival_calibration(answer.calibrations[0], expected)


def check_subgroups(answer, expected):
    check_record(answer.overall, expected)
    for each in answer.groups:
        check_record(each.estimate, expected, rows=each.name == BY)


def check_tuning_path(answer, expected):
    record = answer.estimate
    check_record(record, expected)
    assert expected.by_name or answer.n_configurations[-1] == len(expected.names)
    for place, t in enumerate(answer.n_configurations):
        first = {expected.number(index, record.names) for index in range(t)}
        among = sorted(first.intersection(expected.there))
        best = expected.best(among=among)
        assert expected.number(answer.winners[place], record.names) == best
        assert answer.apparent[place] == pytest.approx(expected.score(best), rel=1e-9)
        if expected.draws:
            mean = np.mean(expected.out_of_bag(scored(expected.truth), among))
            assert answer.estimates[place] == pytest.approx(mean, rel=1e-9)


def check_possible_winners(answer, expected):
    best = expected.best()
    assert answer.winner_name == expected.names[best]
    assert expected.number(answer.winner, answer.names) == best
    names = answer.to_frame()["name"].tolist()
    assert answer.names is None or names == list(answer.names)
    if not expected.by_name:
        assert names == list(expected.names)
    assert {len(each) for each in (answer.p_values, answer.possible, answer.scores)} == {len(names)}
    for index, found in enumerate(answer.scores):
        number = expected.number(index, answer.names)
        if number in expected.there:
            assert found == pytest.approx(expected.score(number), rel=1e-9)
        else:
            assert np.isnan([found, answer.p_values[index]]).all()
            assert not answer.possible[index]
    assert answer.possible[answer.winner]


def check_winner_interval(answer, expected):
    check_record(answer, expected)


#: A comparison is of families, each with its own numbers: see `asked`; the optimism that remains is
#: of no search from which configurations are gone.
CHECKS = {name: globals().get(f"check_{name}") for name in QUESTIONS}


def asked(name, question, *, by_name):
    """The answer, and what is expected of its parts: of each family, or of all."""
    truth = QUESTIONS[question].truth
    source = made(name, truth)
    if question != "compare":
        return answered(name, question), Expected.of(source, truth, by_name=by_name)
    return answered(name, question), {
        family: Expected.of(source, truth, by_name=by_name, places=places)
        for family, places in PLACES.items()
    }


@cache
def answered(name, question, **options):
    """The answer to a question about a source, on the draws of `COUNTS` where it takes them."""
    truth = QUESTIONS[question].truth
    source = made(name, truth)
    options |= {"metric": METRICS[truth], "random_state": 1, **source.options}
    if not takes(question, "names"):
        options.pop("names", None)
    if source.draws and takes(question, "resamples"):
        options["resamples"] = DRAWS
    return ask(question, source.y, source.given, **options)


def check(name, question, *, by_name):
    answer, expected = asked(name, question, by_name=by_name)
    if question != "compare":
        CHECKS[question](answer, expected)
        return
    for family, record in answer.estimates.items():
        check_record(record, expected[family])


@pytest.mark.parametrize(
    ("source", "question"), [cell for cell, kind in CELLS.items() if kind != "x"]
)
def test_names_are_the_callers(source, question):
    check(source, question, by_name=True)


@pytest.mark.parametrize(
    ("source", "question"), [cell for cell, kind in CELLS.items() if kind != "x"]
)
def test_numbers_are_the_callers(source, question):
    check(source, question, by_name=False)


@pytest.mark.parametrize(
    ("source", "question"), [cell for cell, kind in CELLS.items() if kind == "x"]
)
def test_others_are_refused(source, question):
    # What is left of optimism is refused of configurations of which some are gone, too.
    why = r"needs predictions of rows|were left out|pooling=\"fold\" is not taken"
    with pytest.raises((TypeError, ValueError), match=why):
        asked(source, question, by_name=True)


def of_store(path):
    """The correction of what a protocol's store holds."""
    protocol(bbc.BBC, "binary", store=path / "run.bbc")
    return bbc.correct(bbc.StoredRun(path / "run.bbc"), n_bootstraps=50, random_state=1)


def of_study(path):
    """The correction of a study whose trials are the configurations in order."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize")
    for place in range(N_CONFIGURATIONS):
        study.enqueue_trial({"column": place})
    objective = bbc.adapters.OptunaObjective(
        lambda trial: KnownRisk(trial.suggest_int("column", 0, N_CONFIGURATIONS)),
        X,
        Y,
        metric=METRICS["binary"],
        cv=KFold(10),
    )
    study.optimize(objective, n_trials=N_CONFIGURATIONS, catch=(RuntimeError,))
    return bbc.correct(objective.predictions(study), n_bootstraps=50, random_state=1)


def given_to(name):
    return made(name, "binary").given


#: What sources say themselves, by whether the numbers are the caller's.
CORRECTIONS = {
    "BBC": lambda path: given_to("BBC").performance_,
    "BBCD": lambda path: given_to("BBCD").performance_,
    "kept search": lambda path: bbc.correct(given_to("kept search"), random_state=1),
    "fold scores": lambda path: bbc.correct(given_to("fold scores"), random_state=1),
    "table of fold scores": lambda path: bbc.correct(
        given_to("table of fold scores"), metric=METRICS["binary"], random_state=1
    ),
    "stored run": of_store,
    "study": of_study,
}


@pytest.mark.parametrize("by_name", [True, False], ids=["names", "numbers"])
@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_source_says_of_itself_what_the_caller_calls_so(name, by_name, tmp_path):
    source = made(name, "binary") if name in SOURCES else made("BBC", "binary")
    names = [f"trial {i}({each})" for i, each in enumerate(NAMES)] if name == "study" else NAMES
    expected = Expected.of(source, "binary", by_name=by_name, names=names)
    expected = expected._replace(draws=False)
    record = CORRECTIONS[name](tmp_path)
    check_record(record, expected)
    winners = {expected.number(index, record.names) for index in record.replicate_winners}
    assert winners <= set(expected.there)


def test_families_of_one_matrix_call_configurations_as_the_caller_does():
    answer, _ = asked("arrays without names", "compare", by_name=False)
    source = made("arrays without names", "binary")
    for family, places in PLACES.items():
        best = Expected.of(source, "binary", by_name=False, places=places).best()
        assert answer.estimates[family].winner_name == source.names[places[best]]


def test_every_question_is_asked_of_every_source():
    assert known_questions() == asked_questions()
    assert TABLE.keys() == SOURCES.keys()
    assert set(CELLS.values()) == {"n", "x"}
    assert CHECKS.keys() - {"compare", "remaining_optimism"} == {
        name for name, one in CHECKS.items() if one
    }
