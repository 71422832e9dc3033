"""The clinical page shows the numbers of the functions, from one correction."""

import base64
import html
import io
import re
from pathlib import Path

import numpy as np
import pandas
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import bbc
from bbc.findings import FINDINGS, Finding
from bbc.reporting import _words
from bbc.reporting._clinical import performance_of
from bbc.reporting._sections import rendered
from kinds import of_folds

METRIC = {"metric": "log_loss", "random_state": 1, "n_bootstraps": 200}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    logit = rng.normal(0, 1.5, size=120)
    y = (rng.random(120) < 1 / (1 + np.exp(-logit))).astype(int)
    risks = 1 / (1 + np.exp(-logit[:, None] - rng.normal(0, 0.8, (120, 15))))
    return y, risks


@pytest.fixture(scope="module")
def performance(data):
    return bbc.correct(*data, **METRIC).clinical()


@pytest.fixture(scope="module")
def search(data):
    y, risks = data
    return bbc.BBC(
        LogisticRegression(),
        {"C": [0.01, 0.1, 1.0]},
        scoring="neg_log_loss",
        cv=5,
        n_repeats=2,
        n_bootstraps=200,
        random_state=3,
    ).fit(np.log(risks / (1 - risks)), y)


def test_it_has_the_numbers_of_the_functions(data, performance):
    y, risks = data
    c = bbc.correct(y, risks, **METRIC)
    assert performance.calibration == c.calibration()
    assert performance.decision_curve == c.decision_curve()
    assert performance.roc_curve == c.roc_curve()
    assert performance.precision_recall_curve == c.precision_recall_curve()
    assert performance.per_1000 == c.per_1000()
    assert c.clinical(threshold=0.3).per_1000 == c.per_1000(threshold=0.3)
    others = [c.score(name) for name in ("roc_auc", "average_precision", "brier_score")]
    assert list(performance.performances) == [c.record, *others]
    assert performance.n_events == y.sum()


def test_secondary_metrics_are_told_apart_by_name(data):
    def worst(y, p):
        return -float(np.max(abs(y - p)))

    named = bbc.metrics.from_callable(worst, name="mine")
    other = bbc.metrics.from_callable(lambda y, p: 0.5, name="mine")
    options = METRIC | {"metric": named, "n_bootstraps": 50, "confidence_level": 0.9}
    for secondary in ([other], ["roc_auc", "roc_auc"]):
        with pytest.raises(
            ValueError, match=r"secondary has a second metric named '(mine|roc_auc)'"
        ):
            bbc.correct(*data, **options).clinical(secondary=secondary)
    found = bbc.correct(*data, **options).clinical(secondary=[named, "roc_auc"])
    assert [each.metric for each in found.performances] == ["mine", "roc_auc"]


def test_it_is_restored_from_json(performance):
    restored = bbc.results.ClinicalPerformance.from_json(performance.to_json())
    assert restored == performance
    assert restored.summary() == performance.summary()


def test_a_notebook_shows_the_summary_as_a_table(performance):
    shown = html.unescape(performance._repr_html_())
    assert shown.startswith("<table>")
    for cells in performance.rows:
        assert all(f">{cell}</td>" in shown for cell in cells)
    assert performance.summary().split("\n")[0] in shown


def test_the_page_shows_them_and_carries_them_as_a_table(performance, tmp_path):
    text = bbc.report(performance, tmp_path / "page.html").read_text(encoding="utf-8")
    for title, *cells in performance.rows:
        del title
        assert all(f"<td>{cell}</td>" in text for cell in cells[:3])
    events = round(1000 * performance.per_1000.prevalence)
    assert f"Of 1000 patients like those of the data {events} have the event." in text
    for cells in performance.per_1000.rows:
        assert "".join(f"<td>{cell}</td>" for cell in cells[:-1]) in text
    found = re.search(r"data:text/csv;base64,([^\"]+)", text)
    table = pandas.read_csv(io.BytesIO(base64.b64decode(found[1])))
    pandas.testing.assert_frame_equal(table, performance.to_frame(), check_dtype=False)
    assert text.count("<img ") == text.count(' alt="') == 5
    assert "<script" not in text
    assert "http" not in re.sub(r"doi|data:[^\"]+", "", text)


@pytest.mark.parametrize("own", [{"block_length": 9}, {"size_correction": False}])
def test_its_numbers_are_drawn_as_those_of_a_protocols_correction(data, own):
    y, risks = data
    search = bbc.BBC(
        LogisticRegression(), {"C": [0.01, 1.0]}, scoring="neg_log_loss", cv=5,
        n_bootstraps=100, random_state=3,
    ).fit(np.log(risks / (1 - risks)), y)  # fmt: skip
    made = search.oos_predictions_
    options = {"folds": made.folds, "n_bootstraps": 100, "random_state": 3} | own
    expected = bbc.correct(y, made, metric="neg_log_loss", **options).clinical()
    found = performance_of(bbc.correct(search, **own))
    np.testing.assert_array_equal(
        found.calibration.slope.replicates, expected.calibration.slope.replicates
    )
    assert found.calibration == expected.calibration
    assert found.decision_curve == expected.decision_curve


def test_a_protocol_has_a_page_on_the_replicates_of_its_own_correction(search, tmp_path):
    text = bbc.report(search, tmp_path / "page.html", kind="clinical").read_text(encoding="utf-8")
    loss = dict(search.performance_.record.facts)["estimate"].removeprefix("-")
    assert f"<td>{loss}</td>" in text  # a loss is told as such
    predictions = search.oos_predictions_
    again = bbc.correct(
        predictions.y,
        predictions,
        metric="neg_log_loss",
        folds=predictions.folds,
        n_bootstraps=200,
        random_state=search.performance_.seed,
    ).clinical()
    assert again.performance.replicates.tolist() == search.performance_.replicates.tolist()
    bbc.report(again, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == text
    plain = bbc.report(search, tmp_path / "plain.html").read_text(encoding="utf-8")
    bbc.report(search.performance_, tmp_path / "estimate.html")
    estimate = (tmp_path / "estimate.html").read_text(encoding="utf-8")
    of_run = r'<tr>\s*<th scope="row">(learner|classes)</th>\s*<td>.*?</td></tr>\s*'
    plain, n_rows = re.subn(of_run, "", plain)
    assert n_rows == 2
    assert estimate.split() == plain.split() != text.split()


@pytest.mark.parametrize(
    "options", [{"alternative": "less"}, {"method": "bbc-two-level", "interval": "calibrated"}]
)
def test_a_page_that_cannot_follow_the_correction_is_refused(data, options):
    y, risks = data
    fixed = {"scoring": "neg_log_loss", "cv": 5, "n_bootstraps": 100, "random_state": 3}
    fitted = bbc.correct(bbc.BBC(LogisticRegression(), **fixed).fit(np.log(risks), y), **options)
    name, value = list(options.items())[-1]
    with pytest.raises(ValueError, match=rf'{name}="{value}" of the correction is not for'):
        bbc.report(fitted, kind="clinical")


@pytest.mark.parametrize(
    ("protocol", "options"),
    [
        (bbc.BBC, {"selection": bbc.one_standard_error([3, 2, 1])}),
        (bbc.BBC, {"selection": lambda scores, counts: 0}),
        (bbc.BBC, {"confidence_level": 0.8}),
        (bbc.BBC, {"scoring": bbc.metrics.get("log_loss")}),
        (of_folds, {}),
        (bbc.BBCD, {"min_predictions": 1, "dropping_level": 0.6}),
    ],
)
def test_the_page_of_a_protocol_has_its_estimate(data, protocol, options):
    """With its rule, draws, level and interval, and all configurations that it compared."""
    from bbc.reporting._clinical import performance_of

    y, risks = data
    fixed = {"scoring": "neg_log_loss", "cv": 5, "n_bootstraps": 200, "random_state": 3}
    grid = {"C": [1e-4, 0.1, 1.0]}
    fitted = protocol(LogisticRegression(), grid, **fixed | options).fit(np.log(risks), y)
    found = performance_of(fitted)
    assert found.performance == fitted.performance_
    assert found.performance.n_configurations == 3
    scored = found.calibration.performance
    assert scored.replicates.tobytes() == fitted.performance_.replicates.tobytes()
    level = options.get("confidence_level", 0.95)
    assert {e.confidence_interval.confidence_level for e in found.performances} == {level}


def test_subgroups_and_the_negative_control_are_shown_on_request(data, performance, tmp_path):
    y, risks = data
    found = bbc.correct(y, risks, **METRIC).subgroups(np.arange(120) % 2)
    noise = np.random.default_rng(1).normal(size=(60, 3))
    search = bbc.BBC(LogisticRegression(), {"C": [0.1, 1.0]}, cv=3, n_bootstraps=100)
    control = bbc.negative_control(search, noise, y[:60], n_permutations=2, random_state=0)
    path = tmp_path / "page.html"
    bbc.report(performance, path, subgroups=found, negative_control=control)
    text = html.unescape(path.read_text(encoding="utf-8"))
    assert text.count("<img ") == text.count(' alt="') == 6
    assert control.verdict in text
    assert "in 2 subgroups, with intervals" in text
    for each in found.groups:
        low, high = each.estimate.confidence_interval
        cells = [f"{each.name}", f"{each.n_rows}", f"{each.estimate.estimate:.2f}"]
        shown = f"[{low:.2f}, {high:.2f}]"
        assert "".join(f"<td>{cell}</td>" for cell in (*cells, shown)) in text
    bbc.report(performance.performance, path, subgroups=found, negative_control=control)
    plain = html.unescape(path.read_text(encoding="utf-8"))
    assert "Subgroups</h2>" in plain
    assert control.verdict in plain
    card = bbc.report(performance, tmp_path / "card.md", negative_control=control)
    assert "## Negative control\n" in card.read_text(encoding="utf-8")
    with pytest.raises(TypeError, match=r"subgroups must be what Correction\.subgroups returns"):
        bbc.report(performance, path, subgroups=control)


def test_what_has_no_such_page_is_refused(data, search, performance, tmp_path):
    y, risks = data
    path = tmp_path / "page.html"
    logits = np.log(risks / (1 - risks))
    other = GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=3).fit(logits, y)
    with pytest.raises(TypeError, match=r"result must be a fitted protocol .* got GridSearchCV"):
        bbc.report(other, path, kind="clinical")
    values = bbc.BBC(SVC(), {"C": [1.0, 2.0]}, scoring="roc_auc", cv=3, n_bootstraps=100).fit(
        logits, y
    )
    with pytest.raises(ValueError, match=r"decision values, and calibration needs probabilities"):
        bbc.report(values, path, kind="clinical")
    small = {"cv": 3, "refit": False, "n_bootstraps": 100}
    rule = {"scoring": "f1", "selection": bbc.best_threshold()}
    cut = bbc.BBC(LogisticRegression(), {"C": [1.0, 2.0]}, **small, **rule).fit(logits, y)
    with pytest.raises(ValueError, match=r"selection best_threshold\(\) makes predictions of its"):
        bbc.report(cut, path, kind="clinical")
    labels = bbc.BBC(LogisticRegression(), {"C": [1.0, 2.0]}, **small).fit(logits, y)
    with pytest.raises(ValueError, match=r"BBC kept labels, and calibration needs probabilities"):
        bbc.report(labels, path, kind="clinical")
    nested = bbc.NCV(LogisticRegression(), {"C": [1.0, 2.0]}, scoring="neg_log_loss", cv=3)
    with pytest.raises(TypeError, match=r"bbc\.NCV draws no replicates"):
        bbc.report(nested.fit(logits, y), path, kind="clinical")
    with pytest.raises(ValueError, match='kind="medical" must be "clinical", "model-card" or None'):
        bbc.report(performance, path, kind="medical")
    with pytest.raises(TypeError, match=r"secondary must be a list of metrics"):
        bbc.correct(y, risks, **METRIC).clinical(secondary="roc_auc")
    assert not path.exists()


def test_the_page_of_r_looks_alike():
    folder = Path(__file__).parents[2] / "r-bridge" / "bbcr" / "inst" / "report"
    files = [folder / name for name in ("page.css", "report.css")]
    style = "".join(file.read_text(encoding="utf-8") for file in files)
    page = rendered({}, inline=False)
    assert f"<style>\n{style}</style>" in page


def test_equal_probabilities_have_no_slope_either():
    equal = np.full((60, 3), 0.5)
    c = bbc.correct(np.arange(60) % 2, equal, metric="log_loss", n_bootstraps=50).calibration()
    assert c.slope.n_undefined == 50
    assert "all probabilities with a logit are equal" in " ".join(c.notes)


@pytest.mark.parametrize("metric", ["roc_auc", "r2"])
def test_what_is_read_later_is_of_the_data_as_they_were(metric):
    rng = np.random.default_rng(3)
    y, risks = (rng.random(80) < 0.4).astype(float), rng.random((80, 6))
    options = {"metric": metric, "n_bootstraps": 100, "random_state": 1}
    wanted = bbc.correct(y.copy(), risks.copy(), **options).roc_curve()
    roc = bbc.correct(y, risks, **options).roc_curve()
    risks[:] = y[:, None]
    y[:] = 0
    assert roc.partial_auc(specificity=(0.8, 1)) == wanted.partial_auc(specificity=(0.8, 1))
    assert roc.sensitivity_at(specificity=0.9) == wanted.sensitivity_at(specificity=0.9)


def test_limitations_are_told_without_the_names_of_this_package(performance):
    """Nothing of them is lost but sentences that name functions and arguments."""
    names = re.compile(r"\w_\w|\w=|bbc\.|Correction\.|\(\)")
    kinds = [Finding(kind, "it is so") for kind in FINDINGS.values()]
    told = _words.in_readers_words(kinds)
    assert [each.code for each in told] == list(FINDINGS)
    for each in told:
        own = FINDINGS[each.code]
        assert not names.search(f"{each.kind.title} {each.kind.why} {each.kind.advice}")
        assert each.kind.why
        assert each.kind.advice in (own.advice, "")
        assert all(part in own.why for part in each.kind.why.split(". "))
    assert told[0].kind.advice == ""  # "report a corrected estimate: bbc.BBC ..."
    assert FINDINGS["BBC030"].advice == told[list(FINDINGS).index("BBC030")].kind.advice
    page = bbc.report(performance).html
    (limitations,) = re.findall(r'<section aria-label="Limitations">.*?</section>', page, re.DOTALL)
    for each in performance.findings:
        assert each.kind.title in limitations
    assert not names.search(re.sub(r"<[^>]*>", "", limitations))
