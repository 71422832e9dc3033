"""Plans of the number of rows, from assumptions and from pilots."""

import math

import numpy as np
import pytest

import bbc
from instrumented import Witness, numbered_data

N_CONFIGURATIONS = 10


def assumed(n_rows, random_state):
    return bbc.simulate.auc(
        n_rows,
        N_CONFIGURATIONS,
        true_performance=np.full(N_CONFIGURATIONS, 0.8),
        correlation=0.8,
        random_state=random_state,
    )


def of_accuracy(n_rows, random_state):
    return bbc.simulate.accuracy(n_rows, 1, true_performance=[0.8], random_state=random_state)


FEW = {"n_simulations": 4, "n_bootstraps": 100, "random_state": 0}


def test_widths_are_those_of_corrections():
    """Each data set is corrected as bbc.correct does, on the seeds that follow from one."""
    plan = bbc.plan_rows(assumed, width=0.2, n_rows=[60, 120], **FEW)
    for place, size in enumerate((60, 120)):
        rng = np.random.default_rng([0, size])
        widths = []
        for _ in range(4):
            drawn = assumed(size, int(rng.integers(2**53)))
            e = bbc.correct(
                drawn.y,
                drawn.predictions,
                metric="roc_auc",
                n_bootstraps=100,
                random_state=int(rng.integers(2**53)),
            )
            widths.append(e.confidence_interval.high - e.confidence_interval.low)
        assert plan.widths[place] == pytest.approx(np.mean(widths), rel=1e-12)
        expected = np.std(widths, ddof=1) / 2
        assert plan.standard_errors[place] == pytest.approx(expected, rel=1e-12)


def test_one_configuration_needs_what_the_binomial_says():
    """Order statistics of out-of-bag means are 1.31 times as wide as a normal interval."""
    plan = bbc.plan_rows(of_accuracy, width=0.1, n_simulations=40, random_state=1)
    normal = (2 * 1.96 / 0.1) ** 2 * 0.8 * 0.2
    assert plan.n_needed == pytest.approx(normal * (math.e - 1), rel=0.1)


def test_a_size_does_not_depend_on_the_others():
    one = bbc.plan_rows(assumed, width=0.2, n_rows=[60, 120], **FEW)
    other = bbc.plan_rows(assumed, width=0.2, n_rows=[240, 120], **FEW)
    assert other.n_rows.tolist() == [120, 240]
    assert other.widths[0] == one.widths[1]
    assert bbc.plan_rows(assumed, width=0.2, n_rows=(60, 120), n_threads=1, **FEW) == one


def test_sizes_are_found_around_the_answer():
    plan = bbc.plan_rows(assumed, width=0.2, **FEW | {"n_simulations": 20})
    assert len(plan.n_rows) == 5
    assert plan.n_rows[0] < plan.n_needed < plan.n_rows[-1]
    assert plan.n_needed_error < 0.15 * plan.n_needed
    at_once = bbc.plan_rows(assumed, width=0.9, **FEW)
    assert at_once.n_needed == at_once.n_rows[0] == 20
    assert "or fewer" in at_once.answer


def test_pilots_agree_with_what_they_were_drawn_from():
    """On average; with rows drawn with replacement the answer is too low (`docs/planning.md`)."""
    truth = bbc.plan_rows(assumed, width=0.2, n_simulations=40, random_state=0).n_needed
    found = [
        bbc.plan_rows(
            (drawn.y, drawn.predictions),
            metric="roc_auc",
            width=0.2,
            n_simulations=6,
            n_bootstraps=200,
            random_state=0,
        ).n_needed
        for drawn in (assumed(80, seed) for seed in range(30))
    ]
    error = np.std(found, ddof=1) / math.sqrt(len(found))
    # A width's square, whose mean is above the square of the mean, is what counts.
    assert -3 * error < np.mean(found) - truth < 0.3 * truth + 3 * error


def test_a_pilot_at_its_own_size_is_the_pilot():
    pilot = assumed(80, 3)
    plan = bbc.plan_rows(
        (pilot.y, pilot.predictions), metric="roc_auc", width=0.2, n_rows=[40, 80, 320], **FEW
    )
    rng = np.random.default_rng([0, 80])
    widths = []
    for _ in range(4):
        for code in (0, 1):
            rng.permutation(np.flatnonzero(pilot.y == code))
        e = bbc.correct(
            pilot.y,
            pilot.predictions,
            metric="roc_auc",
            n_bootstraps=100,
            random_state=int(rng.integers(2**53)),
        )
        widths.append(e.confidence_interval.high - e.confidence_interval.low)
    assert plan.widths[1] == pytest.approx(np.mean(widths), rel=1e-12)
    assert plan.widths[2] == pytest.approx(plan.widths[1] / 2, rel=1e-12)


def test_groups_of_a_pilot_are_drawn_whole():
    """Copies of a row carry no information: three times the rows for the same width."""
    pilot = assumed(60, 4)
    y, predictions = np.repeat(pilot.y, 3), np.repeat(pilot.predictions, 3, axis=0)
    options = {"metric": "roc_auc", "width": 0.25, "random_state": 0}
    alone = bbc.plan_rows((pilot.y, pilot.predictions), n_rows=[60, 120], **options)
    grouped = bbc.plan_rows(
        (y, predictions), groups=np.repeat(np.arange(60), 3), n_rows=[180, 360], **options
    )
    assert grouped.widths == pytest.approx(alone.widths, rel=0.15)


def test_sources_bring_their_metric():
    X, y = numbered_data(80)
    search = bbc.BBC(Witness(), {"shift": [0.0, 0.4]}, cv=4, scoring="roc_auc", random_state=1)
    search.fit(X, y)
    sizes = {"width": 0.3, "n_rows": [40, 80]}
    of_search = bbc.plan_rows(search, **sizes, **FEW)
    assert of_search.metric == "roc_auc"
    predictions = search.oos_predictions_
    of_predictions = bbc.plan_rows(predictions, metric="roc_auc", **sizes, **FEW)
    assert of_predictions == of_search
    assert bbc.plan_rows(assumed, **sizes, **FEW).metric == "roc_auc"


@pytest.mark.parametrize(
    ("metric", "predictions"),
    [
        ("mean_absolute_error", lambda rng, y: y[:, None] + rng.normal(size=(60, 4))),
        ("accuracy", lambda rng, y: (y[:, None] + rng.normal(size=(60, 4)) > 0.5).astype(int)),
        ("r2", lambda rng, y: y[:, None] + 0.1 * rng.normal(size=(60, 4))),
    ],
)
def test_other_metrics_and_repeats(metric, predictions):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    repeats = [predictions(rng, y), predictions(rng, y)]
    plan = bbc.plan_rows((y, repeats), metric=metric, width=0.1, n_rows=[40, 90], **FEW)
    assert plan.widths[1] < plan.widths[0]


def test_the_curve_is_interpolated_on_logarithmic_axes():
    plan = bbc.results.RowsPlan(0.15, [100, 400], [0.2, 0.1], [0.002, 0.001], "roc_auc")
    # width = 2 / sqrt(rows)
    assert plan.n_needed == math.ceil((2 / 0.15) ** 2)
    shares = np.random.default_rng(0).normal([0.2, 0.1], [0.002, 0.001], size=(4000, 2))
    crossings = [
        bbc.results.RowsPlan(0.15, [100, 400], widths, [0.0, 0.0], "roc_auc")._crossing()[0]
        for widths in shares
    ]
    assert plan.n_needed_error == pytest.approx(np.std(crossings), rel=0.1)


def test_a_pilot_without_errors_needs_the_fewest_rows():
    """Its replicates agree, but a perfect score of few rows is no certainty."""
    y = np.arange(40) % 2
    plan = bbc.plan_rows((y, y[:, None]), metric="accuracy", width=0.1, **FEW)
    z = 1.959963984540054
    wilson = [z**2 / (n + z**2) for n in plan.n_rows]
    assert plan.widths[:3].tolist() == pytest.approx(wilson[:3], abs=1e-9)
    assert (plan.widths[3:] >= wilson[3:]).all()  # copies of the pilot's rows count as groups
    jump = bbc.results.RowsPlan(0.1, [50, 100], [0.2, 0.0], [0.01, 0.0], "accuracy")
    assert jump.n_needed == 100


def test_sizes_hold_two_groups_of_the_pilot():
    rng = np.random.default_rng(0)
    y, groups = np.arange(120) % 2, np.arange(120) // 30
    source = (y, y[:, None] + rng.normal(size=(120, 3)))
    plan = bbc.plan_rows(source, metric="roc_auc", width=0.9, groups=groups, **FEW)
    assert plan.n_rows[0] == 60


def test_a_width_that_no_size_reaches_is_told():
    plan = bbc.results.RowsPlan(0.05, [100, 400], [0.2, 0.1], [0.002, 0.001], "roc_auc")
    assert plan.n_needed is None
    assert plan.expected == pytest.approx(1600)
    assert "about 1.6e+03 rows" in plan.summary().replace("\n", " ")
    assert bbc.results.RowsPlan.from_json(plan.to_json()) == plan


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"width": 0}, "width must be above 0"),
        ({"width": "0.1"}, "width must be a number"),
        ({"width": 1e-4}, "width needs about .* rows; choose a wider one"),
        ({"n_rows": [50]}, "n_rows must hold at least two"),
        ({"n_rows": "50"}, "n_rows must be a list of sizes"),
        ({"n_rows": [50, 1]}, "n_rows must be at least 2"),
        ({"n_simulations": 1}, "n_simulations must be at least 2"),
        ({"n_bootstraps": 20}, "confidence_level=0.95 is too high for n_bootstraps=20"),
        ({"source": 3}, "source must be .*, got int"),
        ({"source": lambda n, random_state: 3}, "metric is needed"),
        (
            {"source": lambda n, random_state: 3, "metric": "roc_auc"},
            "source must return a Simulation",
        ),
        ({"source": (np.arange(40) % 2, np.ones((40, 2)))}, "metric is needed"),
        ({"groups": np.arange(40)}, "groups is for a pilot"),
        (
            {"source": lambda n, random_state: assumed(50, random_state), "n_rows": [50, 60]},
            "source must return 60 rows for n_rows=60, got 50",
        ),
        (
            {
                "source": (np.arange(40) % 2, np.random.default_rng(0).random((40, 2))),
                "metric": "roc_auc",
                "groups": np.arange(40) // 10,
                "n_rows": [19, 40],
            },
            "n_rows must be at least 20, the rows of two groups of the pilot, got 19",
        ),
    ],
)
def test_bad_input_is_refused(changed, message):
    arguments = {"source": assumed, "width": 0.2} | FEW | changed
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.plan_rows(arguments.pop("source"), **arguments)


def test_a_plan_needs_ascending_sizes():
    with pytest.raises(ValueError, match="at least two sizes"):
        bbc.results.RowsPlan(0.1, [100], [0.2], [0.0], "roc_auc")
    with pytest.raises(ValueError, match="not a complete RowsPlan"):
        bbc.results.RowsPlan.from_json('{"type": "bbc.RowsPlan", "schema": 1, "width": 0.1}')
