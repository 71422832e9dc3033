"""Intervals against R: pROC, boot, survival and Hmisc. golden.R wrote the numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

import bbc
from reference import tilting as oracle

GOLDEN = json.loads(
    (Path(__file__).parent.parent / "golden" / "intervals" / "golden.json").read_text()
)
AUC = {case["name"]: case for case in GOLDEN["auc"]}
BOOTSTRAP = GOLDEN["bootstrap"]
TILTING = GOLDEN["tilting"]


def limits(estimate):
    return list(estimate.confidence_interval)


@pytest.mark.parametrize("name", AUC)
def test_delong_interval_is_that_of_proc(name):
    case = AUC[name]
    for level, expected in ((0.95, case["ci_95"]), (0.80, case["ci_80"])):
        e = bbc.baselines.intervals.delong(case["y"], case["first"], confidence_level=level)
        assert e.estimate == pytest.approx(case["auc"], rel=1e-14)
        assert limits(e) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", AUC)
def test_delong_test_is_that_of_proc(name):
    case = AUC[name]
    test = bbc.baselines.intervals.delong_test(case["y"], case["first"], case["second"])
    assert test.z == pytest.approx(case["z"], rel=1e-10)
    assert test.p_value == pytest.approx(case["p_value"], rel=1e-10)


@pytest.mark.parametrize(
    "case", GOLDEN["proportions"], ids=lambda c: f"{c['k']}/{c['n']} at {c['level']}"
)
def test_proportions_are_those_of_r(case):
    # The truth has both classes; the first k calls are right.
    y = np.append(np.ones(case["n"], int), 0)[: case["n"]]
    labels = np.where(np.arange(case["n"]) < case["k"], y, 1 - y)
    for method, tolerance in (("clopper_pearson", 1e-12), ("wilson", 1e-12)):
        interval = getattr(bbc.baselines.intervals, method)
        e = interval(y, labels, confidence_level=case["level"])
        assert e.estimate == case["k"] / case["n"]
        assert limits(e) == pytest.approx(case[method], rel=tolerance, abs=1e-15)
    assert case["clopper_pearson"] == pytest.approx(case["exact_of_hmisc"], rel=1e-9)


@pytest.mark.parametrize("kind", ["percentile", "basic", "studentized"])
def test_bootstrap_intervals_are_those_of_boot(kind):
    # (R + 1) alpha / 2 = 10 is a whole number, so that boot does not interpolate.
    e = bbc.baselines.intervals.naive_bootstrap(
        BOOTSTRAP["y"],
        BOOTSTRAP["score"],
        metric="roc_auc",
        kind=kind,
        resamples=BOOTSTRAP["resamples"],
        confidence_level=0.9,
    )
    assert e.estimate == pytest.approx(BOOTSTRAP["estimate"], rel=1e-14)
    np.testing.assert_allclose(e.replicates, BOOTSTRAP["replicates"], rtol=1e-13)
    assert limits(e) == pytest.approx(BOOTSTRAP[kind], rel=1e-11)


def test_bca_is_within_an_order_statistic_of_boot():
    # boot interpolates between order statistics, and counts ties with the estimate as not below.
    e = bbc.baselines.intervals.naive_bootstrap(
        BOOTSTRAP["y"],
        BOOTSTRAP["score"],
        metric="roc_auc",
        kind="bca",
        resamples=BOOTSTRAP["resamples"],
        confidence_level=0.9,
    )
    ordered = np.sort(BOOTSTRAP["replicates"])
    for limit, rank in zip(limits(e), BOOTSTRAP["bca_ranks"], strict=True):
        near = ordered[int(rank) - 3 : int(rank) + 3]
        assert near[0] <= limit <= near[-1]


def test_tilted_weights_and_influence_are_those_of_boot():
    y = np.array(TILTING["y"], bool)
    s = np.array(TILTING["columns"])[TILTING["selected"]]
    counts = [np.bincount(drawn, minlength=len(y)) for drawn in TILTING["resamples"]]
    sample = oracle.Sample("roc_auc", y, s)
    n_class = np.where(y, y.sum(), (~y).sum())
    assert sample.influence() * n_class / len(y) == pytest.approx(TILTING["influence"], abs=1e-14)
    standard = oracle.tilted_weights(TILTING["tau"], sample.influence(), sample.strata)
    assert standard / 2 == pytest.approx(TILTING["standard_weights"], rel=1e-12)
    aucs = np.array([float(sample.exact(c)) for c in counts])
    fitted = oracle.fitted_influence(sample, np.array(counts), aucs)
    assert fitted == pytest.approx(TILTING["fitted"], abs=1e-10)


@pytest.mark.parametrize("variant", ["standard", "published"])
@pytest.mark.parametrize("method", ["bt", "mabt"])
def test_tilting_is_that_of_boots_influence_values_and_weights(method, variant):
    y, columns = TILTING["y"], np.array(TILTING["columns"]).T
    facts = {"variant": variant, "resamples": TILTING["resamples"]}
    given = columns[:, TILTING["selected"]] if method == "bt" else columns
    e = bbc.baselines.intervals.tilting(y, given, **facts)
    assert e.method == method
    assert e.winner == (0 if method == "bt" else TILTING["selected"])
    assert e.estimate == pytest.approx(TILTING["observed"], rel=1e-14)
    assert e.confidence_interval.low == pytest.approx(TILTING[variant][method], rel=1e-9)


def test_concordance_is_that_of_survival_and_hmisc():
    case = GOLDEN["concordance"]
    y = np.array(
        [(bool(e), t) for e, t in zip(case["event"], case["time"], strict=True)],
        dtype=[("event", bool), ("time", float)],
    )
    risk = np.array(case["risk"]).reshape(-1, 1)
    e = bbc.correct(y, risk, metric="concordance_index", n_bootstraps=50, random_state=0)
    assert e.apparent == pytest.approx(case["survival"], rel=1e-14)
    assert case["survival"] == pytest.approx(case["hmisc"], rel=1e-14)
