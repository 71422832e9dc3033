"""Every piece of advice is taken, from where the function that printed it leaves the reader.

What a finding advises to call is parsed from its text, and called on what the reader has; what it
advises to do about data or models is done. Neither may be refused, and the finding must be gone.
"""

import ast
import re
from operator import attrgetter

import numpy as np
import optuna
import pandas as pd
import pytest
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV

import bbc
import defects
import doors
import signatures
from bbc._sentences import FILE
from bbc.cli import main
from bbc.errors import Argument, ArgumentError
from bbc.findings import FINDINGS
from instrumented import Witness, numbered_data
from situations import (
    DOORS,
    MENDED,
    SHOWN_BY,
    SOURCES,
    Labels,
    Situation,
    codes,
    of_risks,
    risks_of,
    situations,
)

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")

SITUATIONS = situations()
SHOWN = [(name, door) for name, doors in SHOWN_BY.items() for door in doors.split(", ")]
#: Advice that needs what scores of folds alone do not have.
NEEDS_PREDICTIONS = "of which the predictions are needed"


def advised_calls(text):
    """Calls that a text advises: the functions that take these arguments, and the arguments."""
    found = re.findall(r"((?:bbc\.[\w.]+(?: or )?)+)\(\.\.\., ([^)]*)\)", text)
    return [(functions.split(" or "), _keywords(f"f({said})")) for functions, said in found]


def _keywords(call):
    given = ast.parse(call, mode="eval").body.keywords
    return {each.arg: ast.literal_eval(each.value) for each in given}


def mended(name):
    """What is advised about the data of a situation."""
    return MENDED[name] if name in MENDED else MENDED[name.split()[0]]


@pytest.mark.parametrize(("name", "door"), SHOWN)
def test_what_is_advised_works_where_it_is_read(name, door):
    situation, door, code = SITUATIONS[name], DOORS[door], name.split()[0]
    given = door.made(situation)
    assert code in codes(door.ask(given, situation)), "not shown"
    advice = FINDINGS[code].advice
    for functions, arguments in advised_calls(advice):
        assert door.function in (*functions, "fit")
        if door.source == "scores":
            assert NEEDS_PREDICTIONS in advice
            given = DOORS[f"{door.function} kept"].made(situation)
        assert code not in codes(door.ask(given, situation, **arguments)), arguments
    for phrase, mend in mended(name).items():
        assert phrase in advice
        assert code not in door.codes(mend(situation)), phrase


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", SITUATIONS)
@pytest.mark.nightly
def test_no_other_door_shows_it(name, door):
    """What is not in the table is not shown, or the door refuses such data."""
    if door in SHOWN_BY[name].split(", "):
        return
    try:
        found = DOORS[door].codes(SITUATIONS[name])
    except (ValueError, TypeError):
        return
    assert name.split()[0] not in found


def test_every_function_that_is_advised_takes_the_arguments():
    for kind in FINDINGS.values():
        for functions, arguments in advised_calls(kind.advice):
            for function in functions:
                own = attrgetter(function.removeprefix("bbc."))(bbc)
                assert arguments.keys() <= signatures.parameters(own).keys()


def test_r_advises_the_same_calls():
    for kind in FILE["findings"].values():
        for functions, arguments in advised_calls(kind["advice"]):
            named = [re.sub(r"bbc\.(baselines\.)?", "bbc_", function) for function in functions]
            said = [f"{name} = {_in_r(value)}" for name, value in arguments.items()]
            assert f"{' or '.join(named)}(..., {', '.join(said)})" in kind["advice_r"]


def _in_r(value):
    return f'"{value}"' if isinstance(value, str) else str(value).upper()


def shown(answer):
    """The codes of one answer."""
    return codes([answer])


def says(code, phrase):
    """What is done below is what is advised."""
    assert phrase in FINDINGS[code].advice


def test_an_apparent_score_is_corrected():
    situation = SITUATIONS["BBC008"]
    protocol = SOURCES["CVT"](situation)
    assert "BBC001" in shown(protocol.performance_)
    says("BBC001", "bbc.correct of the fitted protocol, or bbc.BBC in its place")
    assert "BBC001" not in shown(bbc.correct(protocol, random_state=1))
    assert "BBC001" not in shown(SOURCES["BBC"](situation).performance_)


@pytest.mark.parametrize("door", ["kept", "scores", "BBC"])
def test_configurations_that_could_be_the_best_are_found(door):
    says("BBC003", "possible_winners() of bbc.correct (of scores by fold: with ten folds or more")
    situation = of_risks(120, 10, k=12, skill=0.2)
    possible = bbc.correct(SOURCES[door](situation), random_state=1).possible_winners()
    assert possible.possible[possible.winner]


@pytest.mark.parametrize("door", ["rows", "TT"])
def test_tt_outside_its_range(door):
    y, folds = np.arange(60) % 2, np.minimum(np.arange(60), 40)
    situation = Situation(Labels, y, (risks_of(60)[1] > 0.5).astype(int), folds, "accuracy")
    given = SOURCES[door](situation)
    asked = {"random_state": 1} | ({"metric": "accuracy"} if door == "rows" else {})
    assert "BBC004" in shown(bbc.correct(given, method="tt", **asked))
    ((functions, arguments),) = advised_calls(FINDINGS["BBC004"].advice)
    assert functions == ["bbc.correct"]
    assert "BBC004" not in shown(bbc.correct(given, **arguments, **asked))
    larger = SOURCES[door](situation.changed(folds=np.arange(60) // 2 % 5))
    assert "BBC004" not in shown(bbc.correct(larger, method="tt", **asked))


def detail_of(answer, code):
    """What was found."""
    (found,) = [one.detail for one in answer.findings if one.code == code]
    return found


def test_stopped_configurations_are_scored_by_rungs():
    y, risks = risks_of(80, 6)
    folds = np.arange(80) // 2 % 4
    risks[np.ix_(folds > 0, [0, 1])] = risks[np.ix_(folds > 1, [2, 3])] = np.nan
    asked = {"metric": "brier_score", "folds": folds, "random_state": 1}
    stopped = bbc.correct(y, risks, missing="drop-configurations", **asked)
    assert 'missing="rungs" avoids' in detail_of(stopped, "BBC007")
    assert "BBC007" not in shown(bbc.correct(y, risks, missing="rungs", **asked))


def test_halving_keeps_predictions():
    X, y = numbered_data(120)
    halving = HalvingGridSearchCV(
        Witness(), {"shift": [0.0, 1.0, 2.0]}, scoring="accuracy", cv=3, random_state=0
    )
    found = bbc.correct(halving.fit(X, y), random_state=1)
    assert "bbc.keep_predictions keeps" in detail_of(found, "BBC007")
    kept = bbc.keep_predictions(halving).fit(X, y)
    assert "BBC007" not in shown(bbc.correct(kept, random_state=1))


def test_folds_are_hidden_from_a_sampler():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    X, y = numbered_data(80)

    def build(trial):
        return Witness(shift=trial.suggest_float("shift", 0.0, 2.0))

    def corrected(n_hidden_folds):
        options = {"metric": "accuracy", "cv": 4, "n_hidden_folds": n_hidden_folds}
        objective = bbc.adapters.OptunaObjective(build, X, y, **options)
        study = optuna.create_study(
            direction="maximize", sampler=optuna.samplers.TPESampler(seed=0)
        )
        study.optimize(objective, n_trials=4)
        return bbc.correct(objective.predictions(study), random_state=1)

    (_, said), *_ = FILE["findings"]["BBC007"]["cases"]
    assert "n_hidden_folds of bbc.adapters.OptunaObjective hides" in said.replace("\\\n", "")
    assert "BBC007" in shown(corrected(0))
    assert "BBC007" not in shown(corrected(2))


def test_dropping_that_begins_later():
    says("BBC009", "search again with a larger min_predictions")
    X, y = numbered_data(120)
    grid = {"shift": [0.0, 0.2, 4.0, 6.0]}

    def dropped(least):
        search = bbc.BBCD(Witness(), grid, min_predictions=least, cv=6, random_state=3)
        return search.fit(X, y).performance_

    assert "BBC009" in shown(dropped(1))
    assert "BBC009" not in shown(dropped(50))


def test_a_bound_without_weights():
    rng = np.random.default_rng(1)
    y, folds = np.arange(200) % 2, np.arange(200) // 2 % 5
    scores = y[:, None] + rng.normal(size=(200, 30))
    ((_, arguments),) = advised_calls(FINDINGS["BBC012"].advice)
    uneven = bbc.baselines.bound(y, scores, folds, method="mabt", random_state=1)
    assert "BBC012" in shown(uneven)
    assert "BBC012" not in shown(bbc.baselines.bound(y, scores, folds, **arguments))
    alone = bbc.baselines.intervals.tilting(y[:20], scores[:20, 0], random_state=1)
    assert "BBC012" in shown(alone)
    assert "BBC012" not in shown(
        bbc.baselines.bound(y[:20], scores[:20, :1], folds[:20], **arguments)
    )


def test_probabilities_of_surviving():
    says("BBC023", "check that the predictions are probabilities of surviving the metric's time")
    rng = np.random.default_rng(0)
    rates = np.exp(rng.normal(size=(90, 1)))
    times = np.column_stack([np.arange(90) % 4 > 0, rng.exponential(1 / rates[:, 0])])
    survival = np.exp(-rates * [1.0, 0.9])
    asked = {"metric": bbc.metrics.survival_brier_score(1.0), "random_state": 1}
    assert "BBC023" in shown(bbc.correct(times, 1 - survival, **asked))
    assert "BBC023" not in shown(bbc.correct(times, survival, **asked))


def test_the_tool_decides():
    says("BBC024", "let the tool's own metric and rule decide")
    risks = SITUATIONS["BBC032 mean"].changed(options={})
    kept = SOURCES["kept"](risks)
    other = bbc.correct(kept, pooling="pooled", random_state=1)
    assert "BBC024" in shown(other)
    assert "BBC024" not in shown(bbc.correct(kept, random_state=1))
    pair = bbc.compare({"one": kept, "other": kept}, random_state=1)
    assert "BBC024" not in codes(list(pair.estimates.values()))


@pytest.mark.parametrize("scoring", ["accuracy", "precision"])
def test_scores_of_folds_beside_predictions(scoring):
    says("BBC025", "bbc.keep_predictions of a search of scikit-learn")
    X, y = numbered_data(120)
    search = GridSearchCV(Witness(), {"shift": [0.0, 1.0]}, scoring=scoring, cv=5).fit(X, y)
    kept = bbc.keep_predictions(search).fit(X, y)
    found = bbc.correct(search, random_state=1)
    (detail,) = [one.detail for one in found.findings if one.code == "BBC025"]
    truth = bbc.correct(search, y=y, random_state=1)
    assert ("BBC025" in shown(truth)) == ("does not mend" in detail)
    assert "BBC025" not in shown(bbc.correct(kept, random_state=1))
    pair = bbc.compare({"one": search, "other": search}, random_state=1).estimates.values()
    assert all(
        "does not mend" in one.detail for e in pair for one in e.findings if one.code == "BBC025"
    )
    pair = bbc.compare({"one": kept, "other": kept}, random_state=1).estimates.values()
    assert "BBC025" not in codes(list(pair))


def test_fits_that_succeed():
    says("BBC026", "make these fits and scores succeed")
    X, y = numbered_data(60)
    for fail_on, found in ((1.0, True), (None, False)):
        grid = {"shift": [0.0, 1.0, 2.0]}
        search = GridSearchCV(Witness(fail_on=fail_on), grid, scoring="roc_auc", cv=4).fit(X, y)
        assert ("BBC026" in shown(bbc.correct(search, random_state=1))) == found


@pytest.mark.parametrize("kept", [{"method": "bbc-f"}, {"stratify_bootstrap": True}])
def test_curves_of_rows_that_are_drawn_freely(kept):
    given = SOURCES["rows"](of_risks(120, 6))
    ((_, arguments),) = advised_calls(FINDINGS["BBC035"].advice)
    says("BBC035", "without stratify_bootstrap")
    asked = {"metric": "log_loss", "random_state": 1}
    assert "BBC035" in shown(bbc.correct(given, **kept, **asked).calibration())
    assert "BBC035" not in shown(bbc.correct(given, **arguments, **asked).calibration())


#: Tests that do what these advise, beside the table of doors. What the others advise is to look, or
#: nothing.
ELSEWHERE = {
    "BBC001",
    "BBC004",
    "BBC007",
    "BBC009",
    "BBC012",
    "BBC023",
    "BBC024",
    "BBC025",
    "BBC026",
    "BBC035",
}
TO_CONSIDER = {"BBC019", "BBC021", "BBC022", "BBC028"}


def test_every_finding_is_here():
    listed = {name.split()[0] for name in SHOWN_BY} | ELSEWHERE | TO_CONSIDER
    assert listed == FINDINGS.keys()
    assert len(SHOWN) == 171


#: Findings of rows that the command line shows, by what it is told of their options.
COMMANDS = {
    "BBC006": [],
    "BBC011": [],
    "BBC015 two levels": ["--method", "bbc-two-level"],
    "BBC020": [],
    "BBC032 mean": ["--pooling", "fold"],
    "BBC033": ["--n-bootstraps", "100"],
    "BBC036": ["--pooling", "fold"],
}


@pytest.mark.parametrize("command", ["correct", "compare"])
@pytest.mark.parametrize("name", COMMANDS)
def test_flags_that_are_advised_work_in_both_commands(name, command, tmp_path, capsys):
    situation, code = SITUATIONS[name], name.split()[0]
    frame = pd.DataFrame(situation.predictions).add_prefix("c")
    frame.insert(0, "truth", situation.y)
    frame.insert(1, "fold", situation.folds)
    frame.to_csv(tmp_path / "one.csv", index=False)
    frame.to_csv(tmp_path / "two.csv", index=False)
    files = [str(tmp_path / f"{one}.csv") for one in ("one", "two")]
    files = files[:1] if command == "correct" else files
    asked = [command, *files, "--truth", "truth", "--folds", "fold", "--metric", situation.metric]
    own = dict(zip(COMMANDS[name][::2], COMMANDS[name][1::2], strict=True))

    def said(advised):
        flags = [word for pair in (own | advised).items() for word in pair if word]
        assert main([*asked, "--seed", "1", *flags]) == 0
        return "".join(capsys.readouterr())

    assert code in said({})
    advice = FILE["findings"][code]["advice_command"]
    flags = re.findall(r"`(?:bbc correct )?(--[^`]*)`", advice)
    assert flags
    for advised in flags:
        words = advised.split()
        left = {"--n-bootstraps": "10000", "--pos-label": "0"}.get(words[-1], "")
        words += [left] * (len(words) % 2)
        assert code not in said(dict(zip(words[::2], words[1::2], strict=True)))


def hinted(path, given):
    """The hint of the error that a call raises, with the arguments that it names."""
    try:
        doors.call(path, given)
    except ArgumentError as error:
        named = {part.name for part in error._hint if isinstance(part, Argument)}
        named = {name for name in named if not name.startswith("bbc.")}
        return error.hint, named | set(re.findall(r"\b(\w+)=", error.hint))
    except Exception:
        pass
    return "", set()


def broken(path):
    """Calls of a function with each wrong value, and with each defect of the data."""
    good, taken = doors.valid(path), doors.parameters(path)
    yield from (good | {name: value} for name, value in doors.wrong_values(path))
    if "predictions" in taken:
        for given, *_ in defects.CASES.values():
            own = {name: value for name, value in given.items() if name in taken and name != "y"}
            yield good | own | {doors.truth_of(path): given["y"]} if "y" in given else good | own


@pytest.mark.parametrize("path", doors.FUNCTIONS)
def test_hints_name_what_the_function_takes(path):
    """Or a function that does."""
    for given in broken(path):
        hint, named = hinted(path, given)
        others = [attrgetter(one)(bbc) for one in re.findall(r"bbc\.(correct|Predictions)\b", hint)]
        known = set(doors.parameters(path)).union(*map(signatures.parameters, others))
        assert named <= known, hint
