"""One page for everything that was asked, and a model card with the same record."""

import html
import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

import bbc
from bbc.reporting import _words
from families import compared_arrays
from reference.monte_carlo_error import decimals

pytestmark = pytest.mark.filterwarnings("ignore:BBC0")
SIMULATED = bbc.simulate.accuracy(80, 12, random_state=2)
OPTIONS = {"metric": "accuracy", "n_bootstraps": 100, "random_state": 1}
ESTIMATE = bbc.correct(SIMULATED.y, SIMULATED.predictions, **OPTIONS)


def text_of(page):
    """The words of a page, without its style and pictures."""
    page = re.sub(r"<style>.*?</style>|src=\"[^\"]*\"", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def headings(page):
    return [html.unescape(found) for found in re.findall(r"<h2>(.*?)</h2>", page)]


@pytest.fixture(scope="module")
def search():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
    scoring = {"ranking": "roc_auc", "loss": "neg_log_loss"}
    return bbc.BBC(
        LogisticRegression(), {"C": [0.01, 1.0]}, scoring=scoring, refit="ranking",
        n_bootstraps=100, random_state=0,
    ).fit(X, y)  # fmt: skip


def test_all_metrics_of_a_search_are_on_its_page(search):
    page = bbc.report(search).html
    shown = text_of(page)
    assert "Performance corrected 95 % interval apparent AUC" in shown
    for e in (search.performance_.record, *search.performance_.secondary.values()):
        assert dict(e.facts)["estimate"].removeprefix("-") in shown
    assert "negated" not in re.sub(r"<img[^>]*>", "", page)  # readers are told of the loss
    assert "All metrics are of the one configuration that was selected by AUC." in shown
    assert (
        text_of(bbc.report(search.performance_).html).split("Pictures")[0]
        == (shown.split("Pictures")[0])
    )


def test_a_negated_loss_is_told_as_the_loss():
    rng = np.random.default_rng(0)
    y = rng.normal(50, 20, 80)
    search = bbc.BBC(
        Ridge(), {"alpha": [0.1, 1.0]}, scoring="neg_root_mean_squared_error", n_bootstraps=100
    ).fit(rng.normal(size=(80, 2)), y)
    e = search.performance_
    assert e.estimate < 0
    shown = text_of(bbc.report(search).html)
    low, high = e.confidence_interval
    places = decimals(max(each for each in e.monte_carlo_error if each is not None), high - low)
    estimate, low, high = (f"{-value:.{places}f}" for value in (e.estimate, high, low))
    assert (
        f"The expected RMSE of the tuned model on new rows is {estimate} (95 % CI {low} to {high})."
    ) in shown
    assert f"estimate {estimate} " in shown  # in the table, too
    told = _words.as_loss(e.record)
    assert (told.metric, told.greater_is_better) == ("root_mean_squared_error", False)
    assert told.optimism == pytest.approx(e.optimism)
    assert told.metric_range == (0, np.inf)
    assert told.findings == e.findings
    assert _words.as_loss(told) is told


def test_each_of_several_results_has_a_section(tmp_path):
    families = {"few": SIMULATED.predictions[:, :4], "many": SIMULATED.predictions[:, 4:]}
    results = {
        "Families": compared_arrays(SIMULATED.y, families, **OPTIONS),
        "Path": ESTIMATE.tuning_path(),
        "Halves": ESTIMATE.subgroups(np.arange(80) % 2),
        "Winners": ESTIMATE.possible_winners(),
        "Accuracy": ESTIMATE,
    }
    page = bbc.report(results, tmp_path / "page.html").read_text(encoding="utf-8")
    assert headings(page) == list(results)
    assert page.count("<img ") == 5
    assert "5 results" in page
    assert "&lt;" not in page  # nothing is shown as source
    listed = bbc.report(list(results.values()), tmp_path / "page.html").read_text(encoding="utf-8")
    families = "Comparison of 2 families: accuracy"
    assert headings(listed)[:4] == [families, "Tuning path", "Subgroups", "Possible winners"]
    for title, result in zip(headings(listed), results.values(), strict=True):
        assert headings(bbc.report([result]).html) == [title]


def test_several_metrics_of_a_comparison_have_one_section():
    families = {"few": SIMULATED.predictions[:, :4], "many": SIMULATED.predictions[:, 4:]}
    options = OPTIONS | {"metric": "accuracy", "secondary": ["mcc"]}
    results = {"Families": compared_arrays(SIMULATED.y, families, **options)}
    page = bbc.report(results).html
    assert headings(page) == list(results)
    assert page.count("<img ") == 1
    for each in (results["Families"], *results["Families"].secondary.values()):
        assert each.conclusion in text_of(page)


def test_findings_are_shown_in_the_section_of_their_result():
    few = bbc.correct(SIMULATED.y[:16], SIMULATED.predictions[:16], **OPTIONS)
    page = bbc.report([ESTIMATE, few]).html
    assert "BBC002 few rows for this metric" in page.split("<h2>")[2]
    assert "BBC002" not in page.split("<h2>")[1]


def test_a_model_card_has_the_record_and_says_what_is_to_be_added(search, tmp_path):
    found = search.performance_.subgroups(np.arange(120) % 2)
    path = bbc.report(search, tmp_path / "card.md", subgroups=found)
    card = path.read_text(encoding="utf-8")
    assert card.startswith("# Model card\n\n## Model details\n")
    assert "Learner: LogisticRegression" in card
    assert "120 rows; " in card
    assert "stratified 10-fold cross-validation on 120 rows" in card
    assert "| metric | corrected | 95 % interval | apparent |\n|---|---|---|---|\n| AUC | " in card
    assert "| log loss | " in card
    assert "## Subgroups" in card
    assert card.count("To be written by the authors") >= 3
    page = bbc.report(search, tmp_path / "card.html", kind="model-card", subgroups=found)
    of_markdown = re.findall(r"^## (.*)$", card, flags=re.MULTILINE)
    assert headings(page.read_text(encoding="utf-8")) == of_markdown
    assert "Model card" in bbc.report(search, kind="model-card").html


def test_names_do_not_become_marks_of_a_card(tmp_path):
    names = [f"a*b|c<i>{index}" for index in range(12)]
    e = bbc.correct(SIMULATED.y, SIMULATED.predictions, names=names, **OPTIONS)
    card = bbc.report(e, tmp_path / "card.md").read_text(encoding="utf-8")
    assert r"a\*b\|c\<i\>" in card


@pytest.mark.parametrize(
    ("result", "options", "message"),
    [
        ([], {}, "holds no result"),
        ([ESTIMATE, 3], {}, "holds a int, which is no result"),
        (ESTIMATE, {"path": "x.md", "kind": "clinical"}, "is Markdown, for model cards"),
        (ESTIMATE, {"kind": "card"}, 'must be "clinical", "model-card" or None'),
        (ESTIMATE, {"subgroups": ESTIMATE}, r"must be what Correction\.subgroups returns"),
    ],
)
def test_what_has_no_page_is_refused(result, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.report(result, **options)
    assert not list(tmp_path.iterdir())
