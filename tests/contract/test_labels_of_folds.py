"""Labels within which folds were drawn, and counts of classes that the design fixed."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold

import bbc
from bbc import _core
from c_interface import Library
from reference import drawn_limits as oracle
from reference.metrics import score

N = 90
Z = norm.ppf(0.975)
OPTIONS = {"metric": "mean_absolute_error", "n_bootstraps": 200, "random_state": 3}
FIXED = "the counts of the classes are fixed by the design, and limits hold them so"
FREE = "rows are drawn freely, so that stratified_by is not read"


def case(n_repeats=1):
    """A regression whose errors differ between the bins of the truth that each fold has equally."""
    rng = np.random.default_rng(7)
    y = np.sort(rng.normal(size=N))
    bins = np.arange(N) // 18
    predictions = [
        y[:, None] + (0.2 + bins[:, None] ** 2 / 4) * rng.normal(size=(N, 4))
        for _ in range(n_repeats)
    ]
    folds = np.array([(np.arange(N) + place) % 6 for place in range(n_repeats)])
    return y, bins, predictions, folds


def expected(c, y, bins, predictions, folds, *, fixed=False, **design):
    """The limits of the oracle, from those of the replicates."""
    errors = np.array([np.abs(repeat[:, c.winner] - y) for repeat in predictions])
    low, high = _core.order_statistic_interval(c.replicates, 0.95, "two-sided", 0, math.inf)
    w = design.get("weights", np.ones(N))
    needed, shown = oracle.class_term(
        lambda given: np.mean([np.average(own, weights=given) for own in errors]),
        bins,
        w,
        folds,
        design.get("units"),
    )
    return oracle.drawn_limits(
        c.estimate,
        low,
        high,
        needed=0 if fixed else needed,
        shown=shown,
        hull=oracle.mean_hull(
            c.estimate, errors, w, design.get("units"), Z, bins if fixed else None
        ),
        metric_range=(0, math.inf),
    )


@pytest.mark.parametrize("n_repeats", [1, 2])
@pytest.mark.parametrize("method", ["bbc-f", "bbc-two-level"])
def test_limits_hold_the_labels_of_the_folds(method, n_repeats):
    y, bins, predictions, folds = case(n_repeats)
    design = {"folds": folds, "method": method, **OPTIONS}
    plain = bbc.correct(y, predictions, **design)
    c = bbc.correct(y, predictions, stratified_by=bins, **design)
    assert (c.estimate, c.winner) == (plain.estimate, plain.winner)
    limits = expected(c, y, bins, predictions, folds)
    assert tuple(c.confidence_interval) == pytest.approx(limits, abs=1e-11)
    fixed = bbc.correct(y, predictions, stratified_by=bins, class_counts="fixed", **design)
    limits = expected(fixed, y, bins, predictions, folds, fixed=True)
    assert tuple(fixed.confidence_interval) == pytest.approx(limits, abs=1e-11)
    widths = [np.ptp(tuple(each.confidence_interval)) for each in (fixed, plain, c)]
    assert widths[0] <= widths[1] <= widths[2] != widths[0]
    assert (fixed.notes, c.notes, plain.notes) == ((FIXED,), (), ())


def test_labels_are_in_the_place_of_the_classes():
    y, bins, predictions, folds = case()
    event = (np.arange(N) % 4 == 0).astype(int)
    risks = np.abs(event[:, None] - np.minimum(np.abs(predictions[0] - y[:, None]) / 8, 1))
    design = {"folds": folds, "method": "bbc-f", **OPTIONS, "metric": "brier_score"}
    same = bbc.correct(event, risks, stratified_by=event, **design)
    other = bbc.correct(event, risks, stratified_by=bins, **design)
    assert same == bbc.correct(event, risks, **design)
    assert other.estimate == same.estimate
    losses = (risks[:, other.winner] - event) ** 2
    needed, shown = oracle.class_term(
        lambda w: np.average(losses, weights=w), bins, np.ones(N), folds
    )
    low, high = _core.order_statistic_interval(other.replicates, 0.95, "two-sided", 0, 1)
    hull = oracle.mean_hull(other.estimate, losses, np.ones(N), None, Z)
    limits = oracle.drawn_limits(other.estimate, low, high, needed=needed, shown=shown, hull=hull)
    assert tuple(other.confidence_interval) == pytest.approx(limits, abs=1e-11)
    assert other.confidence_interval != same.confidence_interval


def test_rows_are_drawn_within_the_labels():
    y, bins, predictions, _ = case()
    drawn = bbc.correct(y, predictions, stratified_by=bins, stratify_bootstrap=True, **OPTIONS)
    limits = expected(drawn, y, bins, predictions, None)
    assert tuple(drawn.confidence_interval) == pytest.approx(limits, abs=1e-11)
    one = np.repeat([0, 1], [N - 2, 2])  # a bag has one of two rows, or one of them twice
    replayed = bbc.correct(y, predictions, stratified_by=one, stratify_bootstrap=True, **OPTIONS)
    assert replayed.estimate != drawn.estimate
    with pytest.raises(ValueError, match="needs classes"):
        bbc.correct(y, predictions, stratify_bootstrap=True, **OPTIONS)


def test_weights_groups_and_rows_that_stay():
    y, bins, predictions, _ = case()
    groups = np.arange(N) // 2
    folds = (groups % 6)[None]
    weights = np.random.default_rng(1).random(N) + 0.1
    design = {"method": "bbc-f", **OPTIONS}
    c = bbc.correct(
        y, predictions, sample_weight=weights, groups=groups, folds=folds, stratified_by=bins,
        **design,
    )  # fmt: skip
    limits = expected(c, y, bins, predictions, folds, weights=weights, units=groups)
    assert tuple(c.confidence_interval) == pytest.approx(limits, abs=1e-11)
    gone, stay = predictions[0].copy(), np.delete(np.arange(N), 5)
    gone[5] = np.nan
    found = bbc.correct(y, gone, folds=folds, stratified_by=bins, **design)
    alone = bbc.correct(
        y[stay], gone[stay], folds=folds[:, stay], stratified_by=bins[stay], **design
    )
    assert found.confidence_interval == alone.confidence_interval


def test_labels_are_said_once():
    y, bins, predictions, folds = case()
    said = bbc.Predictions(y, predictions, folds=folds, stratified_by=bins)
    assert repr(said) == "Predictions(n_rows=90, n_configurations=4, folds, stratified_by)"
    np.testing.assert_array_equal(said.stratified_by, bins)
    beside = bbc.correct(y, predictions, folds=folds, stratified_by=bins, method="bbc-f", **OPTIONS)
    assert bbc.correct(said, method="bbc-f", **OPTIONS) == beside
    with pytest.raises(
        ValueError, match=r"stratified_by is of the predictions; give it to bbc\.Predictions"
    ):
        bbc.correct(said, method="bbc-f", stratified_by=bins, **OPTIONS)
    table = {"y": y, "fold": folds[0], "bin": bins, "a": predictions[0][:, 0]}
    read = bbc.Predictions.from_wide(table, truth="y", folds="fold", stratified_by="bin")
    np.testing.assert_array_equal(read.stratified_by, bins)
    lines = {"row": np.arange(N), "model": ["a"] * N, "p": table.pop("a"), **table}
    lines = bbc.Predictions.from_long(
        lines, truth="y", row="row", configuration="model", prediction="p", fold="fold",
        stratified_by="bin",
    )  # fmt: skip
    wide, long = (bbc.correct(each, method="bbc-f", **OPTIONS) for each in (read, lines))
    assert wide.confidence_interval == long.confidence_interval


def test_a_search_is_told_the_labels_of_its_folds():
    y, bins, _, _ = case()
    rng = np.random.default_rng(2)
    X = y[:, None] + rng.normal(size=(N, 3))
    splits = [(np.flatnonzero(np.arange(N) % 6 != k), np.arange(k, N, 6)) for k in range(6)]
    options = {"scoring": "neg_mean_absolute_error", "cv": splits, "random_state": 0}
    search = bbc.BBC(Ridge(), {"alpha": [0.1, 100.0]}, **options).fit(X, y)
    plain = bbc.correct(search, method="bbc-f", random_state=0)
    options = {"method": "bbc-f", "stratified_by": bins, "random_state": 0}
    told = bbc.correct(search, **options)
    fixed = bbc.correct(search, class_counts="fixed", **options)
    assert told.estimate == fixed.estimate == plain.estimate
    assert told.confidence_interval.low <= plain.confidence_interval.low
    assert fixed.confidence_interval.low > plain.confidence_interval.low
    again = bbc.correct(search, method="bbc-f", random_state=0)
    assert again.confidence_interval == plain.confidence_interval  # nothing was kept


def test_protocols_know_the_bins_of_their_splitter(tmp_path):
    y, _, _, _ = case()
    X = y[:, None] + np.random.default_rng(2).normal(size=(N, 3))
    cv = bbc.baselines.QuantileKFold(6, random_state=0)
    grid = {"alpha": [0.1, 100.0]}
    bins = cv.strata(y)
    assert np.bincount(bins).tolist() == [9] * 10
    design = {"scoring": "neg_mean_absolute_error", "cv": cv, "random_state": 0, "n_repeats": 2}
    search = bbc.BBC(Ridge(), grid, method="bbc-f", store=tmp_path / "run", **design).fit(X, y)
    kept = search.oos_predictions_
    np.testing.assert_array_equal(kept.stratified_by, bins)
    given = {"metric": "neg_mean_absolute_error", "method": "bbc-f", "random_state": 0}
    by_hand = bbc.Predictions(y, list(kept.values), folds=kept.folds, stratified_by=bins)
    expected = bbc.correct(by_hand, **given).confidence_interval
    found = search.performance_
    assert found.confidence_interval == expected
    plain = bbc.correct(y, list(kept.values), folds=kept.folds, **given)
    assert found.confidence_interval.low < plain.confidence_interval.low
    assert bbc.correct(bbc.StoredRun(tmp_path / "run"), **given).confidence_interval == expected
    # Rows that are drawn freely need no bins, and nobody said them.
    assert not bbc.BBC(Ridge(), grid, **design).fit(X, y).performance_.notes
    two_level = bbc.BBCD(Ridge(), grid, method="bbc-two-level", **design).fit(X, y)
    np.testing.assert_array_equal(two_level.oos_predictions_.stratified_by, bins)
    one = bbc.baselines.QuantileKFold(6, n_strata=1, random_state=0)
    assert bbc.BBC(Ridge(), grid, cv=one).fit(X, y).oos_predictions_.stratified_by is None


def test_kept_searches_know_the_bins_of_their_splitter():
    y, _, _, _ = case()
    X = y[:, None] + np.random.default_rng(2).normal(size=(N, 3))
    cv = bbc.baselines.QuantileKFold(6, random_state=0)
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 100.0]}, cv=cv, scoring="r2")
    kept = bbc.keep_predictions(search).fit(X, y)
    np.testing.assert_array_equal(kept.oos_predictions_.stratified_by, cv.strata(y))
    plain = bbc.keep_predictions(search.set_params(cv=KFold(6))).fit(X, y)
    assert plain.oos_predictions_.stratified_by is None


def test_a_stream_reads_them():
    y, bins, predictions, folds = case()
    given = {"folds": folds, "stratified_by": bins, "method": "bbc-two-level", **OPTIONS}
    streamed = bbc.correct(y, bbc.Blocks([predictions[0]]), **given)
    assert streamed.record == bbc.correct(y, predictions, **given).record


def test_families_have_the_same_labels():
    y, bins, predictions, folds = case()
    one = bbc.Predictions(y, predictions, folds=folds, stratified_by=bins)
    other = bbc.Predictions(y, predictions, folds=folds)
    with pytest.raises(ValueError, match="other stratified_by than 'one'"):
        bbc.compare({"one": one, "other": other}, **OPTIONS)


def test_what_changes_nothing_is_said_or_refused():
    y, bins, predictions, folds = case()
    free = bbc.correct(y, predictions, stratified_by=bins, **OPTIONS)
    assert free.notes == (FREE,)
    assert free.confidence_interval == bbc.correct(y, predictions, **OPTIONS).confidence_interval
    refused = [
        ({}, "has no effect where rows are drawn freely; stratify_bootstrap=True"),
        ({"method": "bbc-f", "folds": folds}, "needs classes, the truth has none; say them by"),
        ({"method": "tt", "folds": folds}, "class_counts has no effect"),
    ]
    for given, why in refused:
        with pytest.raises(ValueError, match=why):
            bbc.correct(y, predictions, class_counts="fixed", **given, **OPTIONS)
    for labels, why in ((y, "has 90 different real numbers"), (bins * 0, r"has one label \(0\)")):
        with pytest.raises(ValueError, match=f"stratified_by {why}"):
            bbc.correct(y, predictions, stratified_by=labels, **OPTIONS)
    scores = bbc.FoldScores(np.random.default_rng(0).random((5, 3)), metric="accuracy")
    for given in ({"stratified_by": bins}, {"class_counts": "fixed"}):
        with pytest.raises(ValueError, match=f"{next(iter(given))} is for predictions of rows"):
            bbc.correct(scores, **given)


def test_differences_hold_what_folds_hide_of_the_labels():
    y, bins, predictions, folds = case()
    sides = {"one": predictions[0][:, :2] + bins[:, None] / 4, "other": predictions[0][:, 2:]}
    families = {
        name: bbc.Predictions(y, each, folds=folds, stratified_by=bins)
        for name, each in sides.items()
    }
    own = OPTIONS | {"method": "bbc-two-level"}
    compared = {
        counts: bbc.compare(families, class_counts=counts, **own) for counts in ("sampled", "fixed")
    }
    shown, whole = (compared[name].differences[0].standard_error for name in ("fixed", "sampled"))
    one, other = (
        np.abs(sides[name][:, each.winner] - y)
        for name, each in compared["sampled"].estimates.items()
    )
    needed, hidden = oracle.class_term(
        lambda w: np.average(one - other, weights=w), bins, np.ones(N), folds
    )
    assert needed - hidden > 0.05 * shown**2
    assert whole == pytest.approx(math.hypot(shown, math.sqrt(needed - hidden)), rel=1e-10)
    assert compared["sampled"].notes == ()


def two_families():
    """Events in folds of equal shares, folds, scores, and families of two columns each."""
    y = (np.arange(N) % 3 == 0).astype(int)
    folds = np.arange(N) // 3 % 6
    scores = np.random.default_rng(3).random((N, 4))
    tables = {"one": scores[:, :2], "other": scores[:, 2:]}
    families = {name: bbc.Predictions(y, each, folds=folds) for name, each in tables.items()}
    return y, folds, tables, families


def test_differences_of_what_has_no_shares_say_so():
    families = two_families()[-1]
    own = bbc.metrics.from_callable(share_right, True, response="scores")
    options = {"metric": own, "n_bootstraps": 50, "random_state": 1}
    found = bbc.compare(families, method="bbc-two-level", **options)
    assert "do not hold how the shares of the classes vary" in found.notes[-1]
    fixed = bbc.compare(families, method="bbc-two-level", class_counts="fixed", **options)
    assert fixed.notes == ()


@pytest.mark.parametrize("other", ["mcc", "brier_score"])
def test_further_metrics_of_cut_offs_hold_what_folds_hide(other):
    """They read the labels that a cut-off makes, or the scores."""
    y, folds, tables, families = two_families()
    options = {"metric": "accuracy", "selection": bbc.best_threshold(), "secondary": [other]}
    options |= {"method": "bbc-two-level", "n_bootstraps": 50, "random_state": 1}
    found = bbc.compare(families, **options)
    fixed = bbc.compare(families, class_counts="fixed", **options)
    assert found.notes == fixed.notes == ()
    sides = []
    for name, each in found.estimates.items():
        column = tables[name][:, each.winner]
        sides.append((column > each.threshold).astype(int) if other == "mcc" else column)

    def apart(w):
        return score(other, y, sides[0], w) - score(other, y, sides[1], w)

    needed, shown = oracle.class_term(apart, y, np.ones(N), folds)
    assert needed > shown
    held, by_draws = (
        each.secondary[other].differences[0].standard_error for each in (found, fixed)
    )
    expected = math.hypot(by_draws, math.sqrt(needed - shown))
    assert held == pytest.approx(expected, rel=1e-8)


def subgroups_of_events():
    """Events in folds of equal shares, three subgroups that are in each fold, and risks."""
    rng = np.random.default_rng(5)
    y = (np.arange(N) % 3 == 0).astype(int)
    risks = np.clip(0.5 + 0.3 * (y[:, None] - 0.2) * rng.random((N, 3)), 0.05, 0.95)
    return y, np.arange(N) // 3 % 6, np.arange(N) // 18 % 3, risks


@pytest.mark.parametrize("design", ["plain", "groups", "weights", "labels"])
def test_differences_of_subgroups_hold_what_folds_hide(design):
    """Of either subgroup its own shares: the classes of the difference are those of both."""
    y, folds, by, risks = subgroups_of_events()
    given = {
        "plain": {},
        "groups": {"groups": np.arange(N) % 18 + 18 * (np.arange(N) // 36)},
        "weights": {"sample_weight": 0.5 + np.arange(N) % 4},
        "labels": {"stratified_by": np.arange(N) % 3},
    }[design]
    options = {"folds": folds, "method": "bbc-two-level", "n_bootstraps": 200, "random_state": 1}
    kinds = ("sampled", "fixed")
    found = {
        counts: bbc.correct(
            y, risks, metric="brier_score", class_counts=counts, **options, **given
        ).subgroups(by)
        for counts in kinds
    }
    losses = (risks[:, found["fixed"].overall.winner] - y) ** 2
    weights = given.get("sample_weight", np.ones(N))
    classes = given.get("stratified_by", y)
    for pair, by_draws in zip(*(found[counts].differences for counts in kinds), strict=True):

        def apart(w, pair=pair):
            means = [
                np.average(losses[by == int(one)], weights=w[by == int(one)])
                for one in (pair.first, pair.second)
            ]
            return means[0] - means[1]

        needed, shown = oracle.class_term(
            apart, classes + 3 * by, weights, folds, given.get("groups")
        )
        assert needed - shown > 0.1 * by_draws.standard_error**2
        assert pair.standard_error == pytest.approx(
            math.hypot(by_draws.standard_error, math.sqrt(needed - shown)), rel=1e-8
        )
    assert found["sampled"].notes == found["fixed"].notes == ()


def test_subgroups_whose_differences_hold_no_shares():
    y, folds, by, risks = subgroups_of_events()
    options = {"folds": folds, "method": "bbc-two-level", "n_bootstraps": 200, "random_state": 1}
    # A metric that weighs the classes by itself.
    of_auc, held = (
        bbc.correct(y, risks, metric="brier_score", class_counts=counts, **options).subgroups(
            by, metric="roc_auc"
        )
        for counts in ("sampled", "fixed")
    )
    assert of_auc.differences == held.differences
    own = bbc.metrics.from_callable(share_right, True, response="scores")
    function = bbc.correct(y, risks, metric=own, **options)
    assert "do not hold how the shares of the classes vary" in function.subgroups(by).notes[0]
    alone = np.where(np.arange(N) == 0, "one row", "others")
    assert function.subgroups(alone).notes == ()  # where there is no difference
    drawn = bbc.correct(y, risks, metric=own, n_bootstraps=50, random_state=1)
    assert drawn.subgroups(by).notes == ()


def share_right(y, predictions):
    """A metric of the caller's."""
    return float(np.mean(y == (predictions > 0.5)))


def test_functions_say_that_their_limits_hold_no_shares():
    y = (np.arange(N) % 3 == 0).astype(int)
    folds = np.arange(N) // 3 % 6
    scores = np.random.default_rng(3).random((N, 2))
    metric = bbc.metrics.from_callable(share_right, True, response="scores")
    given = {"metric": metric, "folds": folds, "n_bootstraps": 50, "random_state": 1}
    for draws in ({"method": "bbc-f"}, {"method": "bbc-two-level"}, {"stratify_bootstrap": True}):
        c = bbc.correct(y, scores, **draws, **given)
        assert "do not hold how the shares of the classes vary" in c.notes[0], draws
        assert "'share_right' is a Python function" in c.notes[0]
        fixed = bbc.correct(y, scores, stratified_by=y, class_counts="fixed", **draws, **given)
        assert fixed.notes == (FIXED,)
    assert bbc.correct(y, scores, **given).notes == ()
    numbers = bbc.correct(y + scores[:, 0], scores, method="bbc-f", **given)
    assert numbers.notes == ()


@pytest.mark.parametrize("metric", ["f1_macro", "kappa", "mcc"])
def test_limits_of_several_classes_without_width_have_a_finding(metric):
    """These have no score interval, and drawn folds of one kind show no scatter."""
    y = np.arange(N) % 3
    folds = np.arange(N) // 3 % 6
    always = np.ones((N, 1), int)
    for method in ("bbc-f", "bbc-two-level"):
        c = bbc.correct(
            y, always, metric=metric, folds=folds, method=method, n_bootstraps=50, random_state=1
        )
        interval = c.confidence_interval
        codes = [each.code for each in c.findings]
        assert ("BBC008" in codes) == (interval.low == interval.high)
        assert metric == "f1_macro" or "BBC008" in codes


def test_curves_say_that_they_leave_out_the_shares():
    y, _, predictions, folds = case()
    event = (y > 0.8).astype(int)
    risks = 1 / (1 + np.exp(-predictions[0]))

    def said(**options):
        c = bbc.correct(event, risks, metric="log_loss", folds=folds, n_bootstraps=100, **options)
        clinical = c.clinical(secondary=[])
        parts = ["calibration", "decision_curve", "precision_recall_curve", "roc_curve"]
        assert [each.code for each in clinical.findings] == [
            each.code for each in clinical.calibration.findings
        ]
        assert ("BBC035" in clinical.summary()) == clinical.calibration.shares_left_out
        found = [getattr(clinical, part).findings for part in parts]
        assert all(set(own) >= set(c.findings) for own in found)
        return [[each.detail for each in own if each.code == "BBC035"] for own in found]

    nothing = [[]] * 4
    assert said(method="bbc") == nothing
    for method in ("bbc-f", "bbc-two-level"):
        assert said(method=method) == [["whole folds are drawn"]] * 3 + [[]]
        assert said(method=method, class_counts="fixed") == nothing
    assert said(stratify_bootstrap=True) == [["rows are drawn within the classes"]] * 3 + [[]]


def test_survival_has_classes_where_folds_had_labels():
    s = bbc.simulate.survival(90, 3, random_state=0)
    survival = np.exp(-np.exp(s.predictions) / 2)

    def codes(**options):
        c = bbc.correct(
            s.y,
            survival,
            metric=bbc.metrics.survival_brier_score(1.0),
            folds=np.arange(90) % 6,
            method="bbc-f",
            n_bootstraps=100,
            **options,
        )
        return [each.code for each in c.survival_calibration(1.0).findings]

    assert "BBC035" not in codes()
    assert "BBC035" in codes(stratified_by=np.arange(90) // 45)


def test_limits_of_rungs_hold_the_shares():
    y, _, predictions, _ = case()
    event = (y > 0.8).astype(int)
    risks = 1 / (1 + np.exp(-predictions[0]))
    rows = np.random.default_rng(0).permutation(N)
    risks[np.ix_(rows[30:], [2, 3])] = np.nan  # dropped after a third of the rows
    widths = {}
    for counts in ("sampled", "fixed"):
        c = bbc.correct(
            event,
            risks,
            metric="log_loss",
            missing="rungs",
            stratify_bootstrap=True,
            class_counts=counts,
            **{name: OPTIONS[name] for name in ("n_bootstraps", "random_state")},
        )
        widths[counts] = c.confidence_interval.high - c.confidence_interval.low
    assert widths["fixed"] < widths["sampled"]


@pytest.mark.parametrize("installed", ["ON"], indirect=True)
@pytest.mark.parametrize("drawn", ["rows", "folds", "rows of folds"])
def test_c_says_the_counts_of_classes(drawn, installed):
    y, bins, predictions, folds = case()
    within = drawn != "folds"
    method = "bbc" if drawn == "rows" else "bbc-two-level"
    truth = y if within else (bins == 0).astype(np.int64)
    metric = "mean_squared_error" if within else "accuracy"
    given = [repeat if within else np.int64(repeat > 1) for repeat in predictions]
    problem = {"metric": metric.encode(), "n_rows": N, "n_bootstraps": 200, "seed": 3}
    problem |= {"values" if within else "labels": truth}
    problem |= {"strata": bins.astype(np.int32)} if within else {}
    problem |= {} if method == "bbc" else {"drawn_folds": folds.astype(np.int32)}
    widths = {}
    for counts in ("sampled", "fixed"):
        c = bbc.correct(
            truth,
            given,
            metric=metric,
            method=method,
            folds=folds,
            stratified_by=bins if within else None,
            stratify_bootstrap=within,
            class_counts=counts,
            n_bootstraps=200,
            random_state=3,
        )
        own, _, _ = Library(installed).correct(given, problem | {"class_counts": counts.encode()})
        assert (own.estimate, own.low, own.high) == (c.estimate, *c.confidence_interval)
        widths[counts] = own.high - own.low
    assert widths["fixed"] < widths["sampled"]
