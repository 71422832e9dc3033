"""Reports and pictures say what the result says, and need nothing else."""

import dataclasses
import html
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc.cli import main
from bbc.errors import MissingExtraError
from bbc.plots import Display
from bbc.plots._difference import Difference, draw_difference
from bbc.plots._kinds import display_of
from bbc.plots._optimism import Optimism, draw_optimism
from bbc.plots._selection import display_of_selection

SIMULATED = bbc.simulate.accuracy(80, 30, random_state=2)
ESTIMATE = bbc.correct(SIMULATED.y, SIMULATED.predictions, metric="accuracy", random_state=1)


class Tags(HTMLParser):
    """Tags in the order of the page, and whether they are closed."""

    def __init__(self, text):
        super().__init__()
        self.seen, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_alone(tmp_path):
    text = bbc.report(ESTIMATE, tmp_path / "report.html").read_text()
    tags = Tags(text)
    assert tags.open == []
    names = [tag for tag, _ in tags.seen]
    assert not {"script", "link", "iframe"} & set(names)
    assert all(attrs["src"].startswith("data:") for tag, attrs in tags.seen if tag == "img")
    assert all(attrs["alt"] for tag, attrs in tags.seen if tag == "img")
    assert names.count("img") == 2
    assert "http" not in text
    assert dict(tags.seen)["html"] == {"lang": "en"}


RISKS = bbc.simulate.auc(80, 10, random_state=0)
CLINICAL = bbc.correct(
    RISKS.y, 1 / (1 + np.exp(-RISKS.predictions)), metric="log_loss", n_bootstraps=100,
    random_state=1,
).clinical()  # fmt: skip


@pytest.mark.parametrize("result", [ESTIMATE, CLINICAL], ids=["estimate", "clinical"])
def test_a_notebook_shows_what_is_on_the_page(result, tmp_path):
    page = bbc.report(result, tmp_path / "page.html").read_text(encoding="utf-8")
    shown = bbc.report(result)._repr_html_()
    tags = Tags(shown)
    assert tags.open == []
    assert tags.seen[0] == ("article", {"class": "bbc-report"})
    assert shown.strip().endswith("</article>")
    of_documents = {"html", "head", "body", "main", "meta", "title", "script", "link", "iframe"}
    assert not of_documents & {tag for tag, _ in tags.seen}
    assert not any("id" in attrs for _, attrs in tags.seen)  # two reports in one notebook
    assert "http" not in re.sub(r"doi|data:[^\"]+", "", shown)
    assert "url(" not in shown

    def pictures(text):
        return [attrs for tag, attrs in Tags(text).seen if tag == "img"]

    assert pictures(shown) == pictures(page)
    assert len(pictures(shown)) == (2 if result is ESTIMATE else 5)

    def text_of(html_text):
        body = re.sub(r"(?s)<(style|title)>.*?</\1>", "", html_text)
        return re.sub(r"<[^>]*>", " ", body).split()

    assert text_of(shown) == text_of(page)


def test_its_style_is_that_of_nothing_else_in_the_notebook():
    style = re.search(r"(?s)<style>(.*)</style>", bbc.report(ESTIMATE)._repr_html_())[1]
    rules = re.findall(r"([^{}]+)\{", style)
    assert len(rules) > 15
    for rule in rules:
        for selector in rule.split(","):
            assert selector.strip().startswith(("article.bbc-report", "@media "))
    # The notebook's theme: no color of the text, and none of the background of the whole.
    own = re.search(r"article.bbc-report \{([^}]*)\}", style)[1]
    assert "color: inherit" in own
    assert "background" not in own
    assert "prefers-color-scheme" not in style


def test_a_report_without_a_path_is_the_same_each_time():
    assert bbc.report(CLINICAL) == bbc.report(CLINICAL)
    assert repr(bbc.report(CLINICAL)) == "Report('Performance of a tuned prediction model')"


def test_the_page_says_the_number_and_what_the_other_would_have_claimed(tmp_path):
    text = " ".join(bbc.report(ESTIMATE, tmp_path / "report.html").read_text().split())
    low, high = ESTIMATE.confidence_interval
    sentence = f"new rows is {ESTIMATE.estimate:.3f} (95 % CI {low:.3f} to {high:.3f})."
    assert sentence in text
    assert f"is estimated to be optimistic by {ESTIMATE.optimism:.3f}" in text
    assert "BBC003 winner unstable" in text
    assert f"(seed 1; bbc {ESTIMATE.version})" in text


def test_names_cannot_break_the_page(tmp_path):
    names = [f"<script>alert({i})</script>" for i in range(30)]
    e = bbc.correct(
        SIMULATED.y, SIMULATED.predictions, metric="accuracy", names=names, random_state=1
    )
    text = bbc.report(e, tmp_path / "report.html").read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    ("alternative", "words"), [("greater", "95 % lower bound"), ("less", "95 % upper bound")]
)
def test_one_sided_intervals_are_bounds(alternative, words, tmp_path):
    e = bbc.correct(
        SIMULATED.y,
        SIMULATED.predictions,
        metric="accuracy",
        alternative=alternative,
        random_state=1,
    )
    assert words in bbc.report(e, tmp_path / "report.html").read_text()


def test_results_without_replicates_have_a_page_too(tmp_path):
    e = bbc.PerformanceEstimate(
        estimate=0.8, metric="accuracy", method="cvt", greater_is_better=True, n_rows=9,
        n_configurations=4, apparent=0.8,
    )  # fmt: skip
    text = bbc.report(e, tmp_path / "report.html").read_text()
    assert "not corrected for selection" in text
    assert "BBC001" in text
    assert "<img" not in text


def page_of(estimate, tmp_path):
    return " ".join(bbc.report(estimate, tmp_path / "report.html").read_text().split())


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        ("cv", "One configuration was evaluated by 10-fold cross-validation on 60 rows."),
        ("632+", "One configuration was evaluated by the .632+ bootstrap on 60 rows."),
        ("holdout", "One configuration was evaluated by a hold-out on 60 rows."),
    ],
)
def test_what_was_not_cross_validated_is_not_said_to_be(method, sentence, tmp_path):
    X, y = load_iris(return_X_y=True)
    e = bbc.baselines.resampling_error(
        KNeighborsClassifier(), X[:60], y[:60], method=method, n_resamples=5, random_state=1
    )
    text = page_of(e, tmp_path)
    assert sentence in text
    assert "tuned model" not in text


def test_the_page_of_one_fixed_configuration(tmp_path):
    y, column = SIMULATED.y, SIMULATED.predictions[:, 0]
    e = bbc.baselines.intervals.naive_bootstrap(
        y, column, metric="accuracy", groups=np.arange(len(y)) // 2
    )
    text = page_of(e, tmp_path)
    assert (
        f"One configuration was evaluated by held-out predictions on {len(y)} rows in "
        f"{len(y) // 2} groups." in text
    )
    assert "replicates draw groups" in text


def test_the_page_says_which_metric_decided_and_that_draws_were_given(tmp_path):
    y, predictions = SIMULATED.y, SIMULATED.predictions
    drawn = np.random.default_rng(0).integers(0, len(y), (60, len(y)))
    e = bbc.correct(y, predictions, metric="accuracy", resamples=drawn).score("mcc")
    text = page_of(e, tmp_path)
    assert "one was selected by accuracy" in text
    assert "(draws as given; bbc" in text


def test_predictions_without_folds_are_not_said_to_be_cross_validated(tmp_path):
    text = page_of(ESTIMATE, tmp_path)
    assert "30 configurations were compared by held-out predictions on 80 rows;" in text
    assert "cross-validation on" not in text


@pytest.mark.parametrize(("n_repeats", "scheme"), [(1, "a hold-out"), (3, "3 hold-outs")])
def test_hold_outs_are_not_called_cross_validation(n_repeats, scheme, tmp_path):
    y, predictions = SIMULATED.y, SIMULATED.predictions
    seen = np.random.default_rng(0).random((n_repeats, len(y))) < 0.5
    held = bbc.results.OutOfSamplePredictions(
        y=y,
        labels=np.stack([predictions] * n_repeats),
        folds=np.where(seen, 0, -1),
        mask=np.broadcast_to(seen[:, :, None], (*seen.shape, predictions.shape[1])),
    )
    text = page_of(bbc.correct(y, held, metric="accuracy", random_state=1), tmp_path)
    n_scored = int(seen.any(axis=0).sum())
    assert f"were compared by {scheme} on {n_scored} rows (of {len(y)}; the others" in text
    assert "one was selected by accuracy on all rows together." in text
    assert "fold cross-validation" not in text


def test_the_command_line_writes_reports(tmp_path, capsys):
    table, page = tmp_path / "s.csv", tmp_path / "report.html"
    simulated = bbc.simulate.accuracy(100, 50, random_state=1)
    frame = pd.DataFrame(simulated.predictions).add_prefix("c")
    frame.assign(y=simulated.y, fold=simulated.folds).to_csv(table, index=False)
    words = ["--truth", "y", "--folds", "fold", "--metric", "accuracy", "--seed", "1"]
    assert main(["correct", str(table), *words, "--html", str(page)]) == 0
    assert re.search(r"bbc: report in .*report\.html", capsys.readouterr().err)
    assert "10-fold cross-validation" in page.read_text()


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_named_with_its_command(package, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bbc-cv\[\w+\]'"):
        bbc.report(ESTIMATE, tmp_path / "report.html")


def test_the_histogram_tells_no_number_that_is_unknown():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1]}).fit(X, y)
    display = bbc.correct(search, random_state=1).plot()
    assert display.ax_.get_title() == "1 configuration"
    assert ESTIMATE.plot().ax_.get_title() == "80 rows, 30 configurations"


def test_selection_shows_the_most_chosen_first():
    display = bbc.plots.selection(ESTIMATE, n_shown=3)
    widths = [bar.get_width() for bar in display.ax_.patches]
    shares = 100 * np.sort(ESTIMATE.selection_frequency)[::-1]
    np.testing.assert_allclose(widths, [*shares[:3], shares[3:].sum()])
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels[-1] == f"{np.count_nonzero(shares) - 3} others"


def test_forest_draws_estimates_intervals_and_open_ends():
    open_end = bbc.PerformanceEstimate(
        estimate=0.7, metric="accuracy", method="x", greater_is_better=True, n_rows=9,
        n_configurations=4, confidence_interval=bbc.ConfidenceInterval(0.6, np.inf),
    )  # fmt: skip
    display = bbc.plots.forest({"ours": ESTIMATE, "bound": open_end})
    drawn = [line.get_xdata() for line in display.ax_.lines]
    low, high = ESTIMATE.confidence_interval
    np.testing.assert_allclose(drawn[0], [low, high])
    np.testing.assert_allclose(drawn[1], [ESTIMATE.estimate])
    assert np.isfinite(np.concatenate([np.atleast_1d(x) for x in drawn])).all()
    with pytest.raises(ValueError, match="different metrics: accuracy, other"):
        bbc.plots.forest(
            {"a": ESTIMATE, "b": bbc.PerformanceEstimate(0.1, "other", "x", True, 9, 4)}
        )


def test_a_fitted_protocol_shows_its_performance_below_the_diagram():
    X, y = load_iris(return_X_y=True)
    search = bbc.BBC(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=5, random_state=1)
    assert "apparent" not in search._repr_mimebundle_()["text/html"].split("</style>")[-1]
    search.fit(X, y)
    shown = search._repr_mimebundle_()
    assert "apparent" in search.performance_._repr_html_()
    assert shown["text/html"].endswith(search.performance_._repr_html_())
    assert shown["text/plain"] == repr(search)


# What a learner's parameters may spell: formulas that are none, controls of a terminal, half of a
# surrogate pair, text that runs backwards, tags.
HOSTILE = (
    "sep=^$|^#$",
    r"sep=$\\frac{1}$",
    "sep='\x1b[2J\x00'",
    "sep='\ud800'",
    "sep='\u202e'",
    "sep=<script>",
    r"sep=\\$ $",
    "some\nname",
)
UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e]")


@pytest.fixture(params=HOSTILE)
def hostile(request):
    """A result whose configurations and metric have this name."""
    n_configurations = SIMULATED.predictions.shape[1]
    named = dataclasses.replace(
        ESTIMATE.record, names=(request.param,) * n_configurations, winner_name=request.param
    )
    return dataclasses.replace(named, metric=request.param, notes=(request.param,))


def test_names_are_shown_as_they_are_in_every_picture(hostile):
    shown = [
        display_of(hostile),
        display_of_selection(hostile),
        bbc.plots.forest({hostile.metric: hostile}, ax=Figure().subplots()),
        Display(
            draw_difference,
            Difference(ESTIMATE.replicates, 0.1, (0.0, 0.2), 0, 1, hostile.metric),
        ),
        Display(draw_optimism, Optimism(np.array([[0.1, 0.2]]), (10,), (2, 4), hostile.metric)),
    ]
    for display in shown:
        figure = display.plot(ax=Figure().subplots()).figure_
        figure.canvas.draw()
        texts = [text for text in figure.findobj(Text) if text.get_text()]
        assert not any(UNSHOWN.search(text.get_text()) for text in texts)
        own = [text for text in texts if text.get_text().startswith(hostile.metric[:4])]
        assert own
        for text in own:  # what matplotlib draws: nothing is a formula
            drawn, formula = text._preprocess_math(text.get_text())
            assert formula is False
            if hostile.metric.isprintable():
                assert drawn.startswith(hostile.metric)


def test_names_are_shown_as_they_are_on_the_page(hostile, tmp_path):
    page = bbc.report(hostile, tmp_path / "report.html").read_text(encoding="utf-8")
    for text in (page, bbc.report(hostile)._repr_html_(), hostile._repr_html_()):
        assert not UNSHOWN.search(text)
        assert "<script>" not in text
        if hostile.metric.isprintable():
            assert hostile.metric in html.unescape(text)


def test_a_long_search_is_told_by_its_ranges_and_what_won_most_often():
    """Not by sixty trials one by one, and without what all of them share."""
    names = [
        f"trial {i}(clf__rate={2**i / 1024:g}, clf__depth={1 + i % 3}, clf__criterion='gini')"
        for i in range(ESTIMATE.n_configurations)
    ]
    page = bbc.report(dataclasses.replace(ESTIMATE.record, names=tuple(names))).html
    (section,) = re.findall(r'<section aria-label="Configurations">.*?</section>', page, re.DOTALL)
    rows = [re.findall(r"<t[dh]>(.*?)</t[dh]>", row) for row in section.split("<tr>")[1:]]
    winner = ESTIMATE.winner
    highest = f"{2 ** (len(names) - 1) / 1024:g}"
    assert rows[:4] == [
        ["parameter", "values", "of the winner"],
        ["rate", f"0.000976562 to {highest} ({len(names)} values)", f"{2**winner / 1024:g}"],
        ["depth", "1, 2, 3", str(1 + winner % 3)],
        ["criterion", "gini", "gini"],
    ]
    assert rows[4] == ["chosen in", "configuration"]
    assert 1 <= len(rows[5:]) <= 10
    assert all(re.fullmatch(r"rate=[\d.e+-]+, depth=\d", name) for _, name in rows[5:])
    plain = bbc.report(
        dataclasses.replace(ESTIMATE.record, names=tuple(f"model {i}" for i in range(len(names))))
    ).html
    assert "Configurations" not in plain
    assert ">chosen<" in plain
