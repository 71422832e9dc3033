"""Risks and survival curves go together: one winner, read by metrics of either."""

import numpy as np
import pandas
import pytest
from sklearn.model_selection import GridSearchCV

import bbc
from families import compared_arrays
from instrumented import Exponential
from kinds import of_folds
from reference.bbc import bbc as oracle_bbc
from reference.metrics import survival_brier, uno_concordance
from reference.problem import make_problem
from reference.several import on_winners

TIMES = (1.0, 3.0, 6.0)
METRICS = {
    "uno": bbc.metrics.uno_concordance(tau=8),
    "integrated": bbc.metrics.integrated_brier_score(TIMES),
    "some": bbc.metrics.integrated_brier_score((1.0, 6.0)),
    "brier": bbc.metrics.survival_brier_score(3),
    "auc": bbc.metrics.cumulative_dynamic_auc(4),
    "harrell": "concordance_index",
}
GRID = {"column": [0, 1, 2, 3, 4]}


def times_of(n_rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 5))
    event_time = 4 * rng.exponential(size=n_rows) * np.exp(-X[:, 2])
    censoring_time = rng.exponential(9, n_rows)
    y = np.empty(n_rows, [("event", bool), ("time", float)])
    y["event"], y["time"] = event_time <= censoring_time, np.minimum(event_time, censoring_time)
    return X, y


X, Y = times_of(90, 5)
RISKS = np.round(X, 1)
SURVIVAL = np.exp(-np.exp(X)[:, :, None] * np.array(TIMES) / 5)
OUTPUTS = {"scores": RISKS, "survival": SURVIVAL}
NAMED = bbc.Predictions(Y, OUTPUTS, times=TIMES)


@pytest.mark.parametrize("decides", ["uno", "brier"])
def test_the_oracle_agrees(decides):
    risk, curve = RISKS.astype(float), SURVIVAL[:, :, 1]
    read = {"uno": (risk, uno_concordance(8.0)), "brier": (curve, survival_brier(3.0))}
    other = "brier" if decides == "uno" else "uno"
    ours = bbc.correct(
        NAMED, metric=METRICS[decides], secondary={other: METRICS[other]},
        n_bootstraps=60, random_state=4,
    )  # fmt: skip
    array, metric = read[decides]
    decided = oracle_bbc(Y, array, metric, seed=4, n_bootstraps=60)
    theirs = on_winners(make_problem(Y, read[other][0], read[other][1]), decided)
    scored = ours.secondary[other]
    assert (scored.replicate_winners == decided.replicate_winners).all()
    np.testing.assert_allclose(ours.replicates, decided.replicates, rtol=1e-12)
    np.testing.assert_allclose(scored.replicates, theirs.replicates, rtol=1e-12)
    assert scored.apparent == pytest.approx(theirs.apparent, rel=1e-12)


@pytest.mark.parametrize(
    "protocol", [bbc.CVT, bbc.baselines.CVMCV, bbc.NCV, bbc.TT, bbc.BBC, of_folds, bbc.BBCD]
)
def test_every_protocol_reports_all_for_one_winner(protocol):
    fitted = protocol(
        Exponential(), GRID, cv=5, scoring=METRICS, refit="uno", random_state=3
    ).fit(X, Y)  # fmt: skip
    assert fitted.best_params_ == {"column": 2}
    found = fitted.performance_
    assert (found.winner, found.decided_by) == (fitted.best_index_, "")
    assert list(found.secondary) == [name for name in METRICS if name != "uno"]
    for estimate in found.secondary.values():
        assert (estimate.winner, estimate.decided_by) == (fitted.best_index_, METRICS["uno"].name)
    # The deciding metric is what it is alone.
    alone = protocol(Exponential(), GRID, cv=5, scoring=METRICS["uno"], random_state=3).fit(X, Y)
    assert fitted.performance_.estimate == alone.performance_.estimate


class Counted(Exponential):
    """It counts what it is asked."""

    asked: dict[str, int] = {}  # noqa: RUF012

    def predict(self, X):
        self.asked["predict"] = self.asked.get("predict", 0) + 1
        return X[:, self.column]

    def predict_survival_function(self, X):
        self.asked["survival"] = self.asked.get("survival", 0) + 1
        column, self.column = self.column, 0
        curves = Exponential.predict_survival_function(self, X)
        self.column = column
        self.asked["predict"] -= 1  # the curve asked for it
        return curves


def test_each_model_is_asked_once_for_each_output():
    Counted.asked.clear()
    bbc.BBC(
        Counted(), {"column": [0, 2]}, cv=5, scoring=METRICS, refit="uno", random_state=3
    ).fit(X, Y)  # fmt: skip
    assert Counted.asked == {"predict": 10, "survival": 10}


def test_what_is_kept_gives_what_the_search_gave(tmp_path):
    path = tmp_path / "run.bbc"
    options = {"cv": 5, "scoring": METRICS, "refit": "integrated", "random_state": 3}
    options["pooling"] = "pooled"  # as of arrays
    fitted = bbc.BBC(Exponential(), GRID, store=path, **options).fit(X, Y)
    kept = fitted.oos_predictions_
    assert kept.times == (1.0, 3.0, 6.0)
    assert kept.responses == ("values", "survival")
    assert kept.values is kept.survival
    named = {"scores": kept.scores[0], "survival": kept.survival}
    for predictions, times in ((kept, None), (named, kept.times)):
        again = bbc.correct(
            Y, predictions, times=times, metric=METRICS["integrated"], secondary=METRICS,
            random_state=3,
        )  # fmt: skip
        np.testing.assert_array_equal(again.replicates, fitted.performance_.replicates)
        for name, estimate in fitted.performance_.secondary.items():
            np.testing.assert_array_equal(again.secondary[name].replicates, estimate.replicates)
    stored = bbc.StoredRun(path)
    for name in ("uno", "brier"):
        alone = bbc.correct(Y, kept, metric=METRICS[name], random_state=3)
        np.testing.assert_array_equal(
            bbc.correct(stored, metric=METRICS[name], reselect=True).replicates, alone.replicates
        )
    again = bbc.BBC(Exponential(), GRID, store=path, **options).fit(X, Y)
    assert again.n_models_from_store_ == 25
    assert again.performance_ == fitted.performance_


def test_families_are_compared_by_each_output():
    kept = bbc.BBC(
        Exponential(), GRID, cv=5, scoring=METRICS, refit="uno", random_state=3
    ).fit(X, Y).oos_predictions_  # fmt: skip
    families = ["a", "a", "b", "a", "b"]
    for metric in (METRICS["uno"], METRICS["integrated"]):
        both = compared_arrays(Y, kept, metric=metric, by=families, random_state=1)
        own = compared_arrays(
            Y,
            {
                "a": {"scores": kept.scores[0][:, [0, 1, 3]],
                      "survival": kept.survival[:, :, [0, 1, 3]]},
                "b": {"scores": kept.scores[0][:, [2, 4]],
                      "survival": kept.survival[:, :, [2, 4]]},
            },
            times=kept.times,
            metric=metric,
            random_state=1,
        )  # fmt: skip
        assert both.difference("a", "b").estimate == own.difference("a", "b").estimate


def test_a_search_of_scikit_learn_keeps_curves_beside_risks():
    def constant(model, X, y):
        return 0.5

    search = GridSearchCV(Exponential(), {"column": [0, 2]}, cv=5, scoring=constant)
    kept = bbc.keep_predictions(search, times=TIMES).fit(X, Y)
    ours = bbc.correct(
        kept, metric=METRICS["uno"], secondary=METRICS, reselect=True, pooling="pooled",
        random_state=3,
    )  # fmt: skip
    options = {"cv": 5, "scoring": METRICS, "refit": "uno", "random_state": 3}
    fitted = bbc.BBC(Exponential(), {"column": [0, 2]}, pooling="pooled", **options).fit(X, Y)
    np.testing.assert_array_equal(ours.replicates, fitted.performance_.replicates)
    for name, estimate in fitted.performance_.secondary.items():
        np.testing.assert_array_equal(ours.secondary[name].replicates, estimate.replicates)


def test_frames_name_the_configurations():
    frame = pandas.DataFrame(RISKS, columns=list("abcde"))
    named = OUTPUTS | {"scores": frame}
    options = {"metric": METRICS["uno"], "secondary": {"brier": METRICS["brier"]}}
    found = bbc.correct(Y, named, times=TIMES, n_bootstraps=40, random_state=1, **options)
    assert found.secondary["brier"].winner_name in "abcde"
    turned = frame.set_axis(np.arange(90)[::-1])
    truth = pandas.DataFrame({"event": Y["event"], "time": Y["time"]}, index=np.arange(90) + 0)
    with pytest.raises(ValueError, match="rows of the truth in another order"):
        bbc.correct(truth, OUTPUTS | {"scores": turned}, times=TIMES, metric="roc_auc")


def test_labels_and_scores_by_name():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 60), rng.random((60, 4))
    labels = (p > 0.3).astype(int)
    found = bbc.correct(
        y, {"labels": labels, "scores": p}, metric="roc_auc", secondary=["accuracy"], random_state=1
    )
    alone = bbc.correct(y, p, metric="roc_auc", random_state=1)
    np.testing.assert_array_equal(found.replicates, alone.replicates)
    accuracy = found.secondary["accuracy"]
    assert accuracy.apparent == np.mean(labels[:, accuracy.winner] == y)


def test_a_hole_in_either_output_is_a_hole():
    holes = SURVIVAL.copy()
    holes[7, 2, 1] = np.nan
    named = bbc.Predictions(Y, OUTPUTS | {"survival": holes}, times=TIMES)
    with pytest.raises(ValueError, match=r"missing at repeat 0, row 7, configuration 2"):
        bbc.correct(named, metric=METRICS["uno"])
    found = bbc.correct(
        named, metric=METRICS["uno"], secondary={"brier": METRICS["brier"]},
        missing="drop-configurations", n_bootstraps=40, random_state=1,
    )  # fmt: skip
    for each in (found, found.secondary["brier"]):
        assert each.left_out_configurations.tolist() == [2]


@pytest.mark.parametrize(
    ("changes", "error", "match"),
    [
        ({"times": None}, ValueError, "times must be given with survival"),
        ({"times": ()}, ValueError, "times must be above 0 and ascend"),
        ({"times": []}, ValueError, "times must be above 0 and ascend"),
        ({"survival": None}, TypeError, "predictions"),
        ({"times": (1, 3)}, ValueError, r"survival must have the axes .* and 2 times"),
        ({"times": (3, 1, 6)}, ValueError, r"times must be above 0 and ascend"),
        ({"times": (1, 3, np.inf)}, ValueError, r"times must be above 0 and ascend"),
        ({"times": "abc"}, TypeError, "times must be several numbers"),
        ({"curves": SURVIVAL}, ValueError, "have 'curves' among the names of outputs"),
        ({"scores": RISKS[:, :3]}, ValueError, "survival has shape|scores has shape"),
        ({"scores": RISKS[:50]}, ValueError, "have 50 rows for 'scores', the truth has 90"),
        ({"scores": RISKS[None]}, ValueError, "1 rows for 'scores'.*one array per repeat"),
    ],
)
def test_bad_bundles_are_refused(changes, error, match):
    with pytest.raises(error, match=match):
        bbc.correct(
            Y, OUTPUTS | {name: each for name, each in changes.items() if name != "times"},
            times=changes.get("times", TIMES), metric=METRICS["brier"],
        )  # fmt: skip


def test_times_that_are_not_kept_are_named():
    with pytest.raises(ValueError, match=r"have survival at 1, 3, 6, metric .* reads it at 2, too"):
        bbc.correct(NAMED, metric=bbc.metrics.survival_brier_score(2))
    with pytest.raises(ValueError, match="kept as survival, metric 'uno_concordance' reads risks"):
        bbc.correct(Y, SURVIVAL, times=TIMES, metric="uno_concordance")
    with pytest.raises(ValueError, match=r"survival at more times is told by times=\[\.\.\.\]"):
        bbc.correct(Y, SURVIVAL, metric=bbc.metrics.survival_brier_score(3))


def test_a_function_must_say_what_it_reads():
    def own(y, prediction):
        return float(np.mean(prediction))

    metric = bbc.metrics.from_callable(own, name="own", greater_is_better=True)
    with pytest.raises(ValueError, match="does not say which it takes"):
        bbc.correct(NAMED, metric=METRICS["uno"], secondary=[metric])
    with pytest.raises(ValueError, match="'own' is a plain function, and the metrics read several"):
        bbc.BBC(
            Exponential(), GRID, scoring={"brier": METRICS["brier"], "own": metric}, refit="own"
        ).fit(X, Y)  # fmt: skip


def test_survival_is_for_learners_that_give_it():
    search = GridSearchCV(Exponential(), {"column": [0, 2]})
    with pytest.raises(ValueError, match="must be above 0 and ascend"):
        bbc.keep_predictions(search, times=(2, 1)).fit(X, Y)
    from sklearn.dummy import DummyRegressor

    with pytest.raises(ValueError, match="times are for survival, but DummyRegressor has no"):
        bbc.keep_predictions(GridSearchCV(DummyRegressor(), {}), times=(1,)).fit(X, Y["time"])
