"""Page and picture of a comparison say what its fields hold, and no more than its intervals."""

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import bbc
from bbc.results import ConfidenceInterval, Difference
from bbc.results._estimate import cells
from families import compared_arrays

pytestmark = pytest.mark.filterwarnings("ignore:BBC0")
N = 200


def compared(secondary=("neg_log_loss",), **options):
    rng = np.random.default_rng(3)
    logit = rng.normal(size=N)
    y = (rng.random(N) < 1 / (1 + np.exp(-2 * logit))).astype(int)

    def risks(sd, n):
        return 1 / (1 + np.exp(-1.2 * logit[:, None] - rng.normal(0, sd, (N, n))))

    families = {"trees": risks(2.2, 8), "boosting": risks(0.5, 20), "one <rule>": risks(2.4, 1)}
    design = {"metric": "roc_auc", "folds": np.arange(N) % 10, "random_state": 1}
    return compared_arrays(
        y, families, secondary=list(secondary), **design | {"n_bootstraps": 200} | options
    )


@pytest.fixture(scope="module")
def comparison():
    return compared()


@pytest.fixture(scope="module")
def page(comparison):
    return bbc.report(comparison).html


def text_of(markup):
    markup = re.sub(r"<style>.*?</style>|src=\"[^\"]*\"", "", markup, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def tables_of(markup):
    """Rows of cells of each table, below its titles."""
    found = []
    for table in re.findall(r"<table>(.*?)</table>", markup, flags=re.DOTALL):
        rows = re.findall(r"<tr>(.*?)</tr>", table, flags=re.DOTALL)
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
        found.append([[html.unescape(cell) for cell in row] for row in cells])
    return found


def agrees(text, value):
    """Whether a number is told with the digits that are shown."""
    places = len(text.partition(".")[2])
    return abs(float(text) - value) <= 0.5000001 * 10**-places


def agree(cell, interval):
    return all(map(agrees, re.findall(r"-?[\d.]+", cell), interval))


def by_metric(comparison):
    return {"AUC": comparison, "log loss": comparison.secondary["neg_log_loss"]}


def test_tables_are_the_estimates_and_differences(comparison, page):
    winners, performances, differences = tables_of(page)
    for row, (name, e) in zip(winners[1:], comparison.estimates.items(), strict=True):
        assert row[:3] == [name, str(e.n_configurations), e.winner_name]
        share = np.mean(e.replicate_winners == e.winner)
        assert row[3] == ("-" if e.n_configurations == 1 else f"{100 * share:.3g} %")
    assert performances[0] == ["metric", "family", "corrected", "95 % interval", "apparent"]
    shown = iter(performances[1:])
    for title, each in by_metric(comparison).items():
        sign = -1 if title == "log loss" else 1  # readers are told of the loss
        for name, e in each.estimates.items():
            row = next(shown)
            assert row[:2] == [title, name]
            assert agrees(row[2], sign * e.estimate)
            assert agree(row[3], sorted(sign * limit for limit in e.confidence_interval))
            assert agrees(row[4], sign * e.apparent)
    assert not list(shown)
    shown = iter(differences[1:])
    for title, each in by_metric(comparison).items():
        for pair in each.differences:
            row = next(shown)
            assert row[:3] == [title, pair.first, pair.second]
            assert agrees(row[3], pair.estimate)
            assert agree(row[4], pair.confidence_interval)
            assert agrees(row[5], pair.p_value)
    assert not list(shown)


def test_numbers_of_a_column_have_one_number_of_digits():
    """Those of the family, or of the pair, that knows least; its heading names a single metric."""
    alone = compared(secondary=(), n_bootstraps=2000)
    _, performances, differences = tables_of(bbc.report(alone).html)
    assert performances[0] == ["family", "corrected", "95 % interval", "apparent"]
    assert differences[0] == ["first", "second", "first better by", "95 % interval", "p"]
    own = [len(cells(e)[0].partition(".")[2]) for e in alone.estimates.values()]
    assert len(set(own)) > 1
    for rows, columns in ((performances, (1, 2, 3)), (differences, (2, 3))):
        shown = [
            text for row in rows[1:] for k in columns for text in re.findall(r"[\d.]+", row[k])
        ]
        digits = {len(text.partition(".")[2]) for text in shown}
        assert len(digits) == 1
        assert rows is differences or digits == {min(own)}
    families = [line.split() for line in alone.summary().split("\n") if "[" in line][:3]
    assert {len(line[-5].partition(".")[2]) for line in families} == {min(own)}


def test_the_page_says_what_was_selected_and_how(page):
    text = text_of(page)
    assert page.count("<img ") == 1
    compared = (
        "3 families with 29 configurations in all were compared by 10-fold cross-validation on "
        "200 rows: within each family (trees, boosting), one was selected by AUC on all rows "
        "together; of one <rule>, the one configuration was evaluated."
    )
    assert text.count(compared) == 2  # also in the methods
    for said in (
        "bootstrap bias correction (BBC) [1] with 200 replicates that draw rows (seed 1; bbc",
        "each repeats the selection within every family, and scores what it selected on the same",
        "is adjusted for their number (Bonferroni)",
        "nothing is adjusted for the number of metrics",
        "[1] I. Tsamardinos",
    ):
        assert said in text
    assert "own data" not in text
    one = text_of(bbc.report({"Only": compared_of_two()}).html)
    assert "Bonferroni" not in one


def compared_of_two(**options):
    s = bbc.simulate.accuracy(80, 20, random_state=0)
    halves = {"few": s.predictions[:, :4], "many": s.predictions[:, 4:]}
    return compared_arrays(
        s.y, halves, metric="accuracy", n_bootstraps=100, random_state=1, **options
    )


def test_a_conclusion_names_the_pairs_whose_adjusted_p_values_are_small(comparison):
    for title, each in by_metric(comparison).items():
        said = each.conclusion
        differing = [d for d in each.differences if d.p_value < 0.05 / 3]
        assert said.count("was better than") == len(differing)
        for pair in differing:
            better = pair if pair.estimate > 0 else pair.reversed()
            found = re.search(
                rf"{better.first} was better than {better.second} by ([\d.]+) in {title} "
                r"\(95 % CI ([-\d.]+) to ([-\d.]+)\)",
                said,
            )
            assert all(map(agrees, found.groups(), (better.estimate, *better.confidence_interval)))
        assert "at a level of 0.05, adjusted for 3 comparisons (Bonferroni)" in said
    assert differing  # the last metric tells some apart


def told(low, high, *, estimate=None, alternative="two-sided", p=0.5):
    """The conclusion of one pair with an interval."""
    interval = ConfidenceInterval(low, high, 0.95, alternative)
    middle = estimate if estimate is not None else (low + high) / 2
    pair = Difference("few", "many", middle, 0.1, 79.0, interval, p, 0.5, 0.5)
    return replace(compared_of_two(), differences=(pair,)).conclusion


def test_a_verdict_on_one_pair_is_that_of_its_interval():
    assert told(0.01, 0.05, p=0.01).startswith("few was better than many by 0.03")
    assert told(-0.05, -0.01, p=0.01) == (
        "many was better than few by 0.03 in accuracy (95 % CI 0.01 to 0.05)."
    )
    undecided = "The data do not tell few and many apart: the difference in accuracy, positive"
    assert told(-0.01, 0.05).startswith(undecided)
    assert told(0.0, 0.05).startswith(undecided)
    # An interval that holds zero is believed, whatever p-value stands beside it.
    assert told(-0.01, 0.05, p=0.001).startswith(undecided)
    assert told(0.01, 0.05, p=0.2).startswith(undecided)


def test_one_sided_verdicts_say_their_side():
    greater = told(0.01, np.inf, estimate=0.03, alternative="greater", p=0.01)
    assert greater == "few was better than many by 0.03 in accuracy (95 % lower bound 0.01)."
    assert told(-0.01, np.inf, estimate=0.03, alternative="greater").startswith(
        "The data do not show that few is better than many: "
    )
    less = told(-np.inf, -0.01, estimate=-0.03, alternative="less", p=0.01)
    assert less == "many was better than few by 0.03 in accuracy (95 % lower bound 0.01)."
    assert told(-np.inf, 0.01, estimate=-0.03, alternative="less").startswith(
        "The data do not show that many is better than few: "
    )


def test_a_pair_without_an_interval_gets_no_verdict():
    c = compared_of_two()
    pair = Difference("few", "many", 0.3, infeasible="there are 2 rows")
    assert replace(c, differences=(pair,)).conclusion == (
        "The data do not tell few and many apart by accuracy: their difference has no interval "
        "(there are 2 rows)."
    )
    several = replace(c, differences=(pair, pair.reversed()))
    assert several.conclusion == (
        "The data do not tell the families apart by accuracy: their differences have no intervals "
        "(there are 2 rows)."
    )
    assert "p-value" not in text_of(bbc.report(several).html)


def test_a_reference_is_named_and_many_pairs_are_counted(comparison):
    against = compared((), reference="trees", confidence_level=0.9999, n_bootstraps=20_000)
    assert against.conclusion == (
        "The data do not tell any family apart from trees by AUC, at a level of 0.0001, adjusted "
        "for 2 comparisons (Bonferroni)."
    )
    interval = ConfidenceInterval(0.1, 0.3)
    pair = Difference("trees", "boosting", 0.2, 0.05, 99.0, interval, 1e-6, 1.0, 0.0)
    assert "; 2 other pairs differ, at" in replace(comparison, differences=(pair,) * 5).conclusion
    assert "; 1 other pair differs, at" in replace(comparison, differences=(pair,) * 4).conclusion


def test_the_picture_shows_every_family_and_pair_of_every_metric(comparison):
    figure = Figure(figsize=(6.4, 9.0), layout="constrained")
    display = comparison.plot(ax=figure.subplots())
    assert display.shown is comparison
    panels = iter(display.axes_)
    for each in (comparison, *comparison.secondary.values()):
        families, pairs = next(panels), next(panels)
        names = [label.get_text() for label in families.get_yticklabels()]
        assert names == list(each.estimates)
        drawn = [tuple(line.get_xdata()) for line in families.lines]
        for e in each.estimates.values():
            assert {(e.estimate,), (e.apparent,), tuple(e.confidence_interval)} <= set(drawn)
        drawn = [tuple(line.get_xdata()) for line in pairs.lines]
        for pair in each.differences:
            assert {(pair.estimate,), tuple(pair.confidence_interval)} <= set(drawn)
        assert " ".join(pairs.get_title(loc="right").split()) == each.conclusion
    assert next(panels, None) is None
    figure.draw_without_rendering()
    for panel in display.axes_:  # sentences and names are not cut
        box = panel.get_tightbbox()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1


def test_a_picture_finds_room_on_axes_of_any_kind(comparison):
    figure = Figure(figsize=(6.4, 9.0))
    axes = figure.add_axes((0.4, 0.1, 0.5, 0.8))
    display = comparison.plot(ax=axes)
    assert display.ax_ is axes
    box = axes.get_position()
    for panel in display.axes_:
        own = panel.get_position()
        assert own.y0 >= box.y0 - 1e-9
        assert own.y1 <= box.y1 + 1e-9
        assert (own.x0, own.x1) == pytest.approx((box.x0, box.x1))
