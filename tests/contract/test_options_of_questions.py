"""Every option of a correction in every question about its winners: used, or refused by name.

The cells are those of `TABLE`, whose rows are made from the arguments of `bbc.correct` and whose
columns are the questions, so that neither a new option nor a new question can be forgotten.
"""

import json
import typing
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import bbc
import signatures
from bbc.results import Design
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
    with_times,
)

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
ROWS = np.arange(N_ROWS)
FOLDS = ROWS % 6
N_BOOTSTRAPS, SEED = 40, 1
#: Arguments of `bbc.correct` that say what is corrected, and not how.
NOT_OPTIONS = {"source", "predictions", "metric", "secondary"}
#: Those of scores of folds, or of sources that chose: see test_finished_searches.py.
NOT_OPTIONS |= {"reselect", "greater_is_better", "y"}
#: That of survival, which `with_times` says.
NOT_OPTIONS |= {"times"}
#: What selects, by the kind of truth.
METRICS: dict[str, dict[str, Any]] = {
    "losses": {"binary": "log_loss", "survival": bbc.metrics.survival_brier_score(TIMES[0])},
    "pairs": {"binary": "roc_auc", "survival": "concordance_index"},
    "labels": {"binary": "accuracy", "survival": "concordance_index"},
    "of size": {"binary": "average_precision", "survival": "concordance_index"},
}
#: What an option needs beside it.
BESIDE: dict[str, dict[str, Any]] = {
    "": {},
    "folds": {"folds": FOLDS},
    "two-level": {"folds": FOLDS, "method": "bbc-two-level"},
    "rungs": {"missing": "rungs"},
}


class Case(NamedTuple):
    """A value of an option, and where it shows: what is beside it, the data, what selects."""

    option: str
    value: Any
    beside: str = ""
    data: str = "plain"
    metric: str = "losses"


def second_best(scores, counts):
    """A rule of the caller's, for losses."""
    return int(np.argsort(scores)[1])


DRAWS = np.random.default_rng(3).integers(0, N_ROWS, (N_BOOTSTRAPS, N_ROWS))
COMPLEXITY = range(N_CONFIGURATIONS)
NAMES = [f"model {place}" for place in range(N_CONFIGURATIONS)]
CASES = {
    "method-bbc-two-level": Case("method", "bbc-two-level", "folds"),
    "method-bbc-f": Case("method", "bbc-f", "folds"),
    "method-tt": Case("method", "tt", "folds"),
    "folds": Case("folds", FOLDS),
    "groups": Case("groups", ROWS // 3),
    "block_length": Case("block_length", 4),
    "block_length-auto": Case("block_length", "auto"),
    "stratified_by": Case("stratified_by", ROWS // 6 % 3, "two-level"),
    "stratify_bootstrap": Case("stratify_bootstrap", True),
    "class_counts": Case("class_counts", "fixed", "two-level"),
    "sample_weight": Case("sample_weight", 1.0 + ROWS % 5),
    "pos_label": Case("pos_label", "ill", data="text"),
    "labels": Case("labels", ["c", "a", "b"], data="classes"),
    "labels-numbers": Case("labels", [2, 0, 1], data="numbers"),
    "missing-drop-rows": Case("missing", "drop-rows", data="holes"),
    "missing-drop-configurations": Case("missing", "drop-configurations", data="holes"),
    "missing-rungs": Case("missing", "rungs", data="rungs"),
    "rungs": Case("rungs", ROWS // 10, "rungs", "rungs"),
    "pooling-fold": Case("pooling", "fold", "folds", metric="pairs"),
    "pooling-rung": Case("pooling", "rung", "rungs", "rungs", "pairs"),
    "selection-1se": Case("selection", bbc.one_standard_error(COMPLEXITY), "folds"),
    "selection-threshold": Case("selection", bbc.best_threshold(), metric="labels"),
    "selection-greedy": Case("selection", bbc.greedy_ensemble(5)),
    "selection-top_k": Case("selection", bbc.top_k(3)),
    "selection-callable": Case("selection", second_best),
    "n_bootstraps": Case("n_bootstraps", 50),
    "resamples": Case("resamples", DRAWS),
    "interval": Case("interval", "calibrated", "two-level"),
    "confidence_level": Case("confidence_level", 0.8),
    "alternative-greater": Case("alternative", "greater"),
    "alternative-less": Case("alternative", "less"),
    "on_undefined": Case("on_undefined", "raise", data="rare", metric="pairs"),
    "names": Case("names", NAMES),
    "design": Case("design", Design(splitter="KFold", n_failed=1)),
    "dynamic_search": Case("dynamic_search", True),
    "size_correction": Case("size_correction", False, metric="of size"),
    "random_state": Case("random_state", 7),
    "n_threads": Case("n_threads", 2),
}
#: u: used, x: refused by name, =: changes nothing, for the reason in `SAME`. In order of questions:
#: calibration, decision, ROC and precision-recall curve, per 1000, clinical performance;
#: calibration and performance of survival; subgroups, compare, tuning path; possible winners,
#: winner's interval, remaining optimism.
TABLE = {
    "method-bbc-two-level": "uuuuuu uu uuu xxx",
    "method-bbc-f": "uuuuuu uu xxx xxx",
    "method-tt": "xxxxxx xx xxx xxx",
    "folds": "uuuuuu uu uuu uuu",
    "groups": "uuuuuu uu uuu uux",
    "block_length": "uuuuuu uu uuu uux",
    "block_length-auto": "uuuuuu uu uuu uux",
    "stratified_by": "uuuuuu uu uuu xxx",
    "stratify_bootstrap": "uuuuuu xx uuu uxx",
    "class_counts": "uuuuuu uu uuu xxx",
    "sample_weight": "uuuuuu uu uuu uxx",
    "pos_label": "uuuuuu xx uuu uuu",
    "labels": "uuuuux xx uuu uuu",
    "labels-numbers": "uuuuux xx uuu uuu",
    "missing-drop-rows": "uuuuuu uu uuu uux",
    "missing-drop-configurations": "uuuuuu uu uuu uux",
    "missing-rungs": "xxxxxx xx xxu xxx",
    "rungs": "xxxxxx xx xxu xxx",
    "pooling-fold": "uuuuuu uu uuu uxx",
    "pooling-rung": "xxxxxx xx xxu xxx",
    "selection-1se": "uuuuuu uu uxx xxx",
    "selection-threshold": "xxxxux xx xux xxx",
    "selection-greedy": "xxxxxx xx xux xxx",
    "selection-top_k": "xxxxxx xx xux xxx",
    "selection-callable": "uuuuuu uu uux xxx",
    "n_bootstraps": "uuuuuu uu uuu u=u",
    "resamples": "uuuuuu uu uuu xxx",
    "interval": "xxxxxx xx xxx xxx",
    "confidence_level": "uuuuuu uu uuu uuu",
    "alternative-greater": "xxxxxx xx uuu xux",
    "alternative-less": "xxxxxx xx uuu xux",
    "on_undefined": "uuuuuu uu uuu uuu",
    "names": "uuuuuu uu uuu uuu",
    "design": "uuuuuu uu uuu uuu",
    "dynamic_search": "uuuuuu uu uuu uuu",
    "size_correction": "uuuuuu uu uuu =xx",
    "random_state": "uuuuuu uu uuu uuu",
    "n_threads": "====== == === ===",
}
CELLS = {
    (question, case): kind
    for case, kinds in TABLE.items()
    for question, kind in zip(QUESTIONS, kinds.replace(" ", ""), strict=True)
}
SAME = {
    "n_threads": "no result depends on the number of threads",
    "n_bootstraps": "the winner's interval draws its own normal variables",
    "size_correction": "scores of all rows are compared",
}
#: What a refusal names in the place of the option.
OTHER_WORDS = {
    ("clinical_performance", "labels"): ["has 3 classes"],
    # Metrics that depend on the number of rows are no means over rows.
    ("winner_interval", "size_correction"): ["must be a mean over rows"],
    # What these are of, draws of folds.
    ("possible_winners", "stratified_by"): ["method"],
    ("possible_winners", "class_counts"): ["method"],
    ("winner_interval", "stratified_by"): ["method"],
    ("winner_interval", "class_counts"): ["method"],
    ("remaining_optimism", "stratified_by"): ["method"],
    ("remaining_optimism", "class_counts"): ["method"],
    ("remaining_optimism", "size_correction"): ["must be the AUC"],
    ("remaining_optimism", "rungs"): ["missing"],
}
#: Options that these truths do not have, whatever is asked.
IMPOSSIBLE = {
    ("survival", "stratify_bootstrap"): "no classes",
    ("survival", "class_counts"): "no classes",
    ("survival", "pos_label"): "no classes",
    ("survival", "labels"): "no classes",
    ("survival", "labels-numbers"): "no classes",
    ("survival", "selection-threshold"): "no labels",
    ("survival", "selection-greedy"): "no mean of losses",
    ("survival", "selection-top_k"): "no mean of losses",
}
#: Cases that do not change the correction itself.
UNSEEN = {
    ("binary", "design"): "it is told, and compared with the document",
    ("survival", "design"): "as with two classes",
    ("binary", "n_threads"): SAME["n_threads"],
    ("survival", "n_threads"): SAME["n_threads"],
    ("survival", "size_correction"): "no metric of survival depends on the number of rows",
}
#: Options that change the correction alone, not what answers say beside it.
TOLD = {"folds", "names", "design", "dynamic_search", "stratified_by", "class_counts"}
TOLD_OF_CURVES = {
    (question, "size_correction")
    for question in ("roc_curve", "precision_recall_curve", "per_1000")
}


@cache
def made(truth, kind):
    """Truth and predictions of which weights, folds and rules choose unlike configurations."""
    rng = np.random.default_rng(1)
    signal = rng.normal(size=N_ROWS)
    y = (rng.random(N_ROWS) < 1 / (1 + np.exp(-1.5 * signal))).astype(int)
    noise = rng.normal(0, 1, (N_ROWS, 8))
    noise = np.hstack([noise, noise[::-1, :2]])  # of others, which are worse
    logit = 1.2 * signal[:, None] + noise * [1.2, 0.5, 0.7, 0.9, 0.4, 0.6, 0.45, 1.0, 1.3, 1.4]
    if truth == "survival":
        return of_survival(rng, signal, logit, kind)
    risks = with_holes(1 / (1 + np.exp(-logit)), kind)
    if kind == "text":
        y = np.array(["well", "ill"])[y]
    if kind in ("classes", "numbers"):
        y = np.digitize(signal + rng.normal(0, 0.5, N_ROWS), [-0.5, 0.5])
        middle = np.exp(-(logit**2))
        scores = np.stack([(1 - middle) * risks, (1 - middle) * (1 - risks), middle], axis=2)
        return (y if kind == "numbers" else np.array(["a", "b", "c"])[y]), scores
    if kind == "rare":  # so that draws miss a class
        y = (ROWS < 2).astype(int)
    return y, risks


def of_survival(rng, signal, logit, kind):
    """The same of times: risks, and the probabilities of surviving `TIMES`."""
    event, censored = rng.exponential(np.exp(-signal)), rng.exponential(2.0, N_ROWS)
    time, happened = np.minimum(event, censored), event <= censored
    if kind == "rare":
        happened &= np.isin(ROWS, np.argsort(time)[:8:4])
    logit = with_holes(logit, kind)
    survival = np.exp(-np.exp(logit)[:, :, None] * TIMES)
    predictions = {"scores": logit, "survival": survival, "times": TIMES}
    return np.column_stack([happened, time]), predictions


def with_holes(values, kind):
    """Predictions that some configurations lack: of both families, or from a rung on."""
    values = values.copy()
    if kind == "holes":
        values[np.ix_([3, 30], [0, 7])] = np.nan
        values[np.ix_([31], [3, 4])] = np.nan
    if kind == "rungs":
        for start, gone in ((20, [0, 5]), (40, [0, 5, 3, 7])):
            values[np.ix_(ROWS[start:], gone)] = np.nan
    return values


def plain(case, truth):
    """The case without its option: only what is beside it."""
    return case._replace(option="metric", value=METRICS[case.metric][truth])


def arguments(case, truth):
    """The arguments of a case, its option first: a function that lacks several names that one."""
    others = {"metric": METRICS[case.metric][truth], "random_state": SEED, "n_threads": 1}
    if case.option != "resamples":
        others["n_bootstraps"] = N_BOOTSTRAPS
    return {case.option: case.value} | {
        name: value for name, value in (others | BESIDE[case.beside]).items() if name != case.option
    }


def told(function, *given, **options):
    """The answer, or the error in words."""
    try:
        return function(*given, **options)
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def corrected(case, truth, columns=None, **changes):
    """What `bbc.correct` says to a case, of some configurations alone."""
    y, predictions = made(truth, case.data)
    options = arguments(case, truth) | changes
    if columns is not None:
        predictions = predictions[:, columns]
        names = options.get("names") or [f"configuration {place}" for place in ROWS]
        options["names"] = [names[place] for place in columns]
    predictions, beside = with_times(predictions)
    return told(bbc.correct, y, predictions, **options, **beside)


def asked(question, case):
    """The answer to a question about a case, or the error in words."""
    one = QUESTIONS[question]
    y, predictions = made(one.truth, case.data)
    options = dict(one.needs) | arguments(case, one.truth)
    if case.data in ("classes", "numbers") and takes(question, "of_class"):
        options["of_class"] = "b" if case.data == "classes" else 1
    return told(ask, question, y, predictions, **options)


@cache
def asked_without(question, *others):
    """The answer without the option, which cases share that differ in nothing else."""
    return asked(question, plain(Case("", None, *others), QUESTIONS[question].truth))


def numbers(question, answer):
    """What an answer says beside the correction that it holds, or its error."""
    if isinstance(answer, str):
        return answer
    one = QUESTIONS[question]

    def without(document):
        if isinstance(document, list):
            return [without(each) for each in document]
        if not isinstance(document, dict):
            return document
        return {name: without(value) for name, value in document.items() if name != one.held}

    found = without(json.loads(answer.to_json()))
    if "performances" in found:
        del found["performances"][0]
    return found


def values_of(document, name):
    """All values of a field, at any depth of a document; those of falls have their own level."""
    if isinstance(document, list):
        return [value for each in document for value in values_of(each, name)]
    if not isinstance(document, dict):
        return []
    own = [document[name]] if document.get(name) is not None else []
    return own + [
        value for key, each in document.items() if key != "falls" for value in values_of(each, name)
    ]


# What an answer says beside its correction, from `bbc.correct` or in plain numpy.


def columns_of(case, truth, record):
    """The truth as 0 and 1, the winner's predictions and the weights, of the rows that stay."""
    y, predictions = made(truth, case.data)
    stay = np.delete(ROWS, record.left_out_rows)
    if truth == "survival":
        return None, predictions["survival"][stay, record.winner, 0], None
    y = y == "ill" if case.data == "text" else y
    weights = case.value if case.option == "sample_weight" else np.ones(N_ROWS)
    return y[stay], predictions[stay, record.winner], weights[stay]


def secondary(case, truth, *metrics):
    """The same winner's performance by further metrics."""
    selects = METRICS[case.metric][truth]
    return list(corrected(case, truth, metric=selects, secondary=metrics).secondary.values())


def assert_quantity(found, expected):
    """A quantity of a report is the same number as a metric of `bbc.correct`."""
    assert found.apparent == pytest.approx(expected.apparent, rel=1e-12)
    np.testing.assert_allclose(found.replicates, expected.replicates, rtol=1e-9)


def check_calibration(answer, case, record):
    (brier,) = secondary(case, "binary", "brier_score")
    assert_quantity(answer.brier_score, brier)


def net_benefit(y, risks):
    """What each row adds to the net benefit at the threshold."""
    event = y == (1 if np.asarray(y).dtype.kind in "iuf" else "ill")
    return (risks >= THRESHOLD) * np.where(event, 1.0, -THRESHOLD / (1 - THRESHOLD))


def check_decision_curve(answer, case, record):
    metric = bbc.metrics.row_loss(net_benefit, True, response="scores", name="net benefit")
    (expected,) = secondary(case, "binary", metric)
    assert answer.net_benefit.apparent[0] == pytest.approx(expected.apparent, rel=1e-12)
    assert answer.net_benefit.estimates[0] == pytest.approx(expected.estimate, rel=1e-9)


def check_roc_curve(answer, case, record):
    if case.metric == "pairs":  # which select by the area
        assert_quantity(answer.partial_auc(specificity=(0, 1)), record)
    else:
        (expected,) = secondary(case, "binary", "roc_auc")
        assert_quantity(answer.partial_auc(specificity=(0, 1)), expected)


def check_precision_recall_curve(answer, case, record):
    y, risks, weights = columns_of(case, "binary", record)
    found = risks >= risks[y == 1].min()
    precision = weights[found & (y == 1)].sum() / weights[found].sum()
    assert answer.curve.apparent[-1] == pytest.approx(precision, rel=1e-12)
    assert answer.prevalence == pytest.approx(np.average(y, weights=weights), rel=1e-12)


def check_per_1000(answer, case, record):
    y, risks, weights = columns_of(case, "binary", record)
    counts = [
        weights[(y == 1) == event][(risks >= THRESHOLD)[(y == 1) == event] == called].sum()
        for event, called in ((1, 1), (1, 0), (0, 1), (0, 0))
    ]
    found = [each.apparent for each in answer.quantities]
    assert found == pytest.approx([1000 * each / weights.sum() for each in counts], rel=1e-12)
    metric = bbc.metrics.row_loss(hits, True, response="scores", name="hits")
    (expected,) = secondary(case, "binary", metric)
    assert answer.found.estimate == pytest.approx(1000 * expected.estimate, rel=1e-9)


def hits(y, risks):
    """Which rows are events and called so."""
    event = y == (1 if np.asarray(y).dtype.kind in "iuf" else "ill")
    return 1.0 * (event & (risks >= THRESHOLD))


def check_clinical_performance(answer, case, record):
    names = [each.metric for each in answer.performances[1:]]
    assert list(answer.performances[1:]) == secondary(case, "binary", *names)
    check_calibration(answer.calibration, case, record)
    check_decision_curve(answer.decision_curve, case, record)
    check_roc_curve(answer.roc_curve, case, record)
    check_precision_recall_curve(answer.precision_recall_curve, case, record)


def check_survival_calibration(answer, case, record):
    _, survival, _ = columns_of(case, "survival", record)
    risks = np.average(answer.group_risks, weights=answer.group_counts)
    assert risks == pytest.approx(1 - survival.mean(), rel=1e-12)


def check_survival_performance(answer, case, record):
    others = QUESTIONS["survival_performance"].own["secondary"]
    assert list(answer.performances[1:]) == secondary(case, "survival", *others)
    check_survival_calibration(answer.calibrations[0], case, record)


def check_subgroups(answer, case, record):
    shared = ("method", "pooling", "seed", "unit", "winner", "winner_name")
    y, risks, weights = columns_of(case, "binary", record)
    by = np.delete(BY, record.left_out_rows)
    for each in answer.groups:
        for name in shared:
            assert getattr(each.estimate, name) == getattr(record, name), name
        if not each.estimate.n_undefined:  # else replicates are left out
            own = each.estimate.replicate_winners
            np.testing.assert_array_equal(own, record.replicate_winners)
        if case.metric == "losses":
            losses = -np.log(np.where(y == 1, risks, 1 - risks))[by == each.name]
            expected = np.average(losses, weights=weights[by == each.name])
            assert each.estimate.apparent == pytest.approx(expected, rel=1e-12)


def check_tuning_path(answer, case, record):
    if (
        case.option == "missing" and case.value == "drop-rows"
    ):  # which rows go depends on all configurations
        return
    for place, t in enumerate(answer.n_configurations):
        own = corrected(case, "binary", range(t))
        found = (answer.estimates, answer.apparent, answer.lows, answer.highs, answer.winners)
        expected = (own.estimate, own.apparent, *own.confidence_interval, own.winner)
        assert tuple(each[place] for each in found) == expected


def check_possible_winners(answer, case, record):
    shared = ("winner", "winner_name", "n_bootstraps", "seed", "unit", "pooling", "model_luck")
    for name in shared:
        assert getattr(answer, name) == getattr(record, name), name
    if case.option == "missing":  # other rows go of each configuration alone
        return
    for place in range(N_CONFIGURATIONS):
        assert answer.scores[place] == corrected(case, "binary", [place]).apparent
    assert answer.names == record.names


def check_winner_interval(answer, case, record):
    shared = ("winner", "winner_name", "apparent", "seed", "unit", "n_folds", "model_luck")
    for name in shared:
        assert getattr(answer, name) == getattr(record, name), name
    interval, expected = answer.confidence_interval, record.confidence_interval
    assert interval.confidence_level == expected.confidence_level
    assert interval.alternative == expected.alternative


def check_remaining_optimism(answer, case, record):
    in_bag = answer.in_bag_optimism
    assert in_bag > 0
    assert 0 <= answer.further_optimism <= 0.9 * 0.6 * in_bag
    sign = 1 if record.greater_is_better else -1
    assert answer.coupled_estimate == record.estimate - sign * answer.further_optimism
    shift = answer.coupled_estimate - record.estimate
    expected = [limit + shift for limit in record.confidence_interval]
    assert list(answer.confidence_interval) == pytest.approx(expected, rel=1e-12)


#: `check_compare` is missing: an answer's families are corrections, and nothing else is known.
CHECKS = {name: globals().get(f"check_{name}") for name in QUESTIONS}


def assert_used(question, case):
    """The answer is about the correction with the option, and says something else without it."""
    one = QUESTIONS[question]
    needs = {name: value for name, value in one.needs.items() if name != case.option}
    answer, record = asked(question, case), corrected(case, one.truth, **needs)
    if isinstance(record, str):  # the option is to raise
        assert answer == record
        return
    assert not isinstance(answer, str), answer
    for family, found in one.records(answer).items():
        expected = record if family is None else corrected(case, one.truth, PLACES[family])
        assert_same(found, expected)
    document = json.loads(answer.to_json())
    interval = record.confidence_interval
    level, side = interval.confidence_level, interval.alternative
    assert set(values_of(document, "confidence_level")) == {level}
    assert set(values_of(document, "alternative")) <= {side}
    assert set(values_of(document, "seed")) <= {record.seed}
    if case.option not in TOLD and (question, case.option) not in TOLD_OF_CURVES:
        before = asked_without(question, *case[2:])
        assert numbers(question, answer) != numbers(question, before)
    of_two = case.data not in ("classes", "numbers")
    if of_two and record.method == "bbc" and record.pooling == "pooled":
        check = CHECKS[question]
        if check is not None:
            check(answer, case, record)


def assert_same(found, expected):
    """Two corrections are the same to the bit."""
    assert found == expected
    assert found.to_json() == expected.to_json()


def cells(kind):
    """The cells of a kind as parameters."""
    return [pytest.param(*cell, id="-".join(cell)) for cell, own in CELLS.items() if own == kind]


@pytest.mark.parametrize(("question", "name"), cells("u"))
def test_an_option_is_used(question, name):
    assert_used(question, CASES[name])


@pytest.mark.parametrize(("question", "name"), cells("="))
def test_an_option_changes_nothing(question, name):
    assert CASES[name].option in SAME
    answer = asked(question, CASES[name])
    assert not isinstance(answer, str), answer
    before = asked_without(question, *CASES[name][2:])
    assert answer == before
    assert answer.to_json() == before.to_json()


@pytest.mark.parametrize(("question", "name"), cells("x"))
def test_an_option_is_refused_by_name(question, name):
    answer = asked(question, CASES[name])
    assert isinstance(answer, str), answer
    case = CASES[name]
    words = [case.option, *OTHER_WORDS.get((question, case.option), ())]
    words += ["missing"] * (case.beside == "rungs")
    assert any(word in answer for word in words)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("truth", ["binary", "survival"])
def test_a_correction_takes_the_option_and_shows_it(truth, name):
    """Otherwise questions that refuse or use it would show nothing."""
    case = CASES[name]
    found, before = corrected(case, truth), corrected(plain(case, truth), truth)
    refused = isinstance(found, str)
    assert refused == ((truth, name) in IMPOSSIBLE or case.option == "on_undefined"), found
    assert (found == before) == ((truth, name) in UNSEEN)


def test_every_option_has_a_case():
    parameters = signatures.parameters(bbc.correct)
    assert {case.option for case in CASES.values()} == parameters.keys() - NOT_OPTIONS
    for name in parameters.keys() - NOT_OPTIONS:
        parameter = parameters[name]
        words = set(typing.get_args(parameter.annotation)) - {parameter.default}
        if typing.get_origin(parameter.annotation) is typing.Literal:
            assert words == {case.value for case in CASES.values() if case.option == name}


def test_every_rule_of_selection_has_a_case():
    rules = {name for name in bbc.selection.__all__ if name.islower()}
    rules -= {"get", "standard_error"}  # which make no rule
    chosen = {case.value for case in CASES.values() if case.option == "selection"}
    assert {bbc.selection.get(rule).rule for rule in chosen} == rules | {"callable"}


def test_every_question_is_in_the_table():
    assert known_questions() == asked_questions()
    assert TABLE.keys() == CASES.keys()
    assert set(CELLS.values()) == {"u", "=", "x"}
    assert CHECKS.keys() - {"compare"} == {name for name, one in CHECKS.items() if one}
