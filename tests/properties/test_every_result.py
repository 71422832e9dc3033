"""What all results have in common, for every class and field: the matrix derives from annotations.

A class that is added is in it by existing.
"""

import copy
import json
import math
import pickle
import tracemalloc
from collections.abc import Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bbc
from bbc._result import Index, PerConfiguration, PerEntry, Result, Within, equal, layout
from bbc.findings import FINDINGS, Finding, finding

N = 3  # of everything that is counted
FLOATS = (0.25, 1 / 3, 0.5)
ROOT = Path(__file__).parents[2]
LANDED = sorted((ROOT / "tests" / "golden" / "json").glob("*.json"))


def classes(kind: type = Result) -> list[type]:
    """All that the package has below a class."""
    below = [each for one in kind.__subclasses__() for each in (one, *classes(one))]
    return [each for each in below if each.__module__.startswith("bbc.")]


for name in bbc.__all__:
    getattr(bbc, name)  # whose module is loaded only now
CLASSES = sorted(classes(), key=lambda kind: kind.__name__)
FIELDS = [(kind, field) for kind in CLASSES for field in layout(kind)]
NAMES = [f"{kind.__name__}.{field.name}" for kind, field in FIELDS]
# Where fields hang together in a way that no annotation says.
CHOSEN: dict[str, dict[str, Any]] = {
    "Subgroup": {"too_small": None},
    "PerformanceEstimate": {"metric_range": (0.0, 1.0), "method": "bbc"},
}
# Fields without which others have no meaning.
HELD_BY_OTHERS = {
    (bbc.PerformanceEstimate, "replicates"),
    (bbc.PerformanceEstimate, "winner"),  # also that of its secondary metrics
    (bbc.results.Subgroup, "estimate"),
    (bbc.results.Bound, "n_configurations"),
}


def one_of(kind: Any, strange: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation without its marks."""
    if kind is float:
        return st.sampled_from(FLOATS if strange is None else (*FLOATS, *strange))
    if kind is int:
        return st.just(N)
    if kind is str:
        return st.sampled_from(["a", "<b>", "ein\nlanger Name" * 9, "NaN"])
    if kind is bool:
        return st.booleans()
    if kind is Any:
        return st.sampled_from([None, 1, "yes", 2.5, True, "Infinity"])
    if kind is Finding:
        return st.sampled_from(sorted(FINDINGS)).map(lambda code: finding(code, "<a> & b"))
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple and args[-1] is ...:
        return st.tuples(*[one_of(args[0], strange)] * N)
    if origin is tuple:
        return st.tuples(*(one_of(each, strange) for each in args))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return one_of(args[1], strange).map(lambda value: {"a": value, "<b>": value})
    if origin is np.ndarray:
        dtype = np.dtype(get_args(args[1])[0])
        return st.just(np.array(FLOATS) if dtype.kind == "f" else np.arange(N).astype(dtype))
    return results(kind)


def holds_itself(kind: type, field: Any) -> bool:
    """Whether a field has results of its own class: of secondary metrics, which have none."""
    return kind in get_args(field.kind)


@st.composite
def results(draw, kind: type, inside: bool = False) -> Any:
    """A result of a class, whose counts are N and whose options are there or not."""
    values: dict[str, Any] = {}
    for field in layout(kind):
        if holds_itself(kind, field):
            beside = {} if inside else {"<b>": draw(results(kind, inside=True))}
            values[field.name] = beside
            continue
        bounded = any(isinstance(mark, Within) for mark in field.marks)
        value = draw(one_of(field.kind, None if bounded else (-0.0, 1e9)))
        if any(isinstance(mark, Index) for mark in field.marks) and field.kind is int:
            value = N - 1
        if any(isinstance(mark, Index) for mark in field.marks) and isinstance(value, tuple):
            value = tuple(range(N))
        values[field.name] = None if field.optional and draw(st.booleans()) else value
    values |= CHOSEN.get(kind.__name__, {})
    return made_whole(kind, values)


def made_whole(kind: type, values: dict[str, Any]) -> Any:
    """The result, with what hangs together in its fields."""
    if kind is bbc.ConfidenceInterval:
        values["low"], values["high"] = sorted((values["low"], values["high"]))
    if kind is bbc.results.Subgroup and values["estimate"] is None:
        values["too_small"] = "no row of class 1"
    if kind is bbc.PerformanceEstimate:
        values |= {"estimate": 0.5, "apparent": 0.75, "replicates": np.array(FLOATS)}
        if values["confidence_interval"] is not None:
            values["confidence_interval"] = bbc.ConfidenceInterval(0, 1)
    if kind is bbc.results.Deployed:
        values["index"] = N - 1
    if kind is bbc.results.TuningPath:
        values["falls"] = values["falls"][1:]
    if kind is bbc.Comparison:
        differences = (replace(each, first="a", second="<b>") for each in values["differences"])
        values["differences"] = tuple(differences)
    if kind is bbc.results.Subgroups:
        values["differences"] = ()
    return kind(**values)


@pytest.fixture(scope="module")
def examples() -> dict[type, Any]:
    """One of each class, in which every field has a value."""
    found = {}

    def full(kind: type, inside: bool = False) -> Any:
        values: dict[str, Any] = {}
        for field in layout(kind):
            if holds_itself(kind, field):
                values[field.name] = {} if inside else {"<b>": full(kind, inside=True)}
            else:
                values[field.name] = filled(field.kind, field.marks)
        return made_whole(kind, values | CHOSEN.get(kind.__name__, {}))

    def filled(kind: Any, marks: tuple[Any, ...] = ()) -> Any:
        origin, args = get_origin(kind), get_args(kind)
        below = any(isinstance(mark, Index) for mark in marks)
        if kind is int:
            return N - 1 if below else N
        if origin is tuple and args[-1] is ...:
            return tuple(range(N)) if below else tuple(filled(args[0]) for _ in range(N))
        if origin is tuple:
            return tuple(filled(each) for each in args)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {name: filled(args[1]) for name in ("a", "<b>")}
        if origin is np.ndarray:
            dtype = np.dtype(get_args(args[1])[0])
            return np.array(FLOATS) if dtype.kind == "f" else np.arange(N).astype(dtype)
        if origin is Literal:
            return args[0]
        plain = {float: 0.5, str: "a", bool: True, Any: "yes", Finding: finding("BBC006", "30")}
        return plain[kind] if kind in plain else full(kind)

    for kind in CLASSES:
        found[kind] = full(kind)
    return found


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_results_are_restored_copied_and_shown(kind, data):
    result = data.draw(results(kind))
    text = result.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    restored = kind.from_json(text)
    assert restored == result
    assert restored.to_json() == text
    assert kind.from_json(result.to_json(indent=1)) == result
    for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert type(again) is kind
        assert again == result
        assert again.to_json() == text
        for value in vars(again).values():
            assert not isinstance(value, np.ndarray) or not value.flags.writeable
    assert result != "something else"
    lines = result.summary().split("\n")
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    page = ElementTree.fromstring(result._repr_html_())
    assert page.tag == "table"
    assert not list(page.iter("b"))  # which a name is called
    assert "\n" not in repr(result) or "\n" in result.summary()
    assert len(result.to_frame()) >= 1
    assert all(isinstance(each, Finding) for each in result.findings)


@pytest.mark.parametrize(("kind", "field"), FIELDS, ids=NAMES)
def test_each_field_is_frozen_compared_and_may_lack_where_it_has_a_default(kind, field, examples):
    result = examples[kind]
    with pytest.raises(FrozenInstanceError):
        setattr(result, field.name, None)
    document = json.loads(result.to_json())
    del document[field.name]
    if field.default is MISSING:
        with pytest.raises(ValueError, match=f"missing .*'{field.name}'"):
            kind.from_json(json.dumps(document))
        return
    if (kind, field.name) in HELD_BY_OTHERS:
        return
    other = kind.from_json(json.dumps(document))  # as an earlier version wrote it
    if field.name != "winner_name":  # which derives from names
        assert equal(getattr(other, field.name), field.default)
    same = other.to_json() == result.to_json()
    assert (other == result) == (same or not field.compared)


def wrong_values(field: Any) -> list[Any]:
    """JSON values that are none of a field, by its annotation."""
    kind, origin, args = field.kind, get_origin(field.kind), get_args(field.kind)
    wrong: list[Any] = [{"a": {}}, [[1.5, "a"]]]
    if not field.optional:
        wrong.append(None)
    if kind is int:
        wrong += [1.0, True, "3", -1, 2**60, "NaN"]
    elif kind is float:
        wrong += [True, "0.5", "inf", [0.5]]
    elif kind is str:
        wrong += [1, False, ["a"]]
    elif kind is bool:
        wrong += [1, "true"]
    elif origin is Literal:
        wrong += ["neither", 1]
    elif origin is np.ndarray:
        dtype = np.dtype(get_args(args[1])[0])
        wrong += [1, "abc", [[0]], ["a"], [None], [{}]]
        wrong += {"f": [[True]], "i": [[0.5], [True], [-1], [2**63]], "b": [[0], [1.0]]}[dtype.kind]
    elif origin is tuple:
        wrong += [1, "abc", {}, [[]], [{"b": 1}]]
    elif kind is not Any:
        wrong += [1, "a", [], [1]]
    for mark in field.marks:
        if isinstance(mark, Within):
            beyond = ["NaN", *(x for x in (mark.low - 1, mark.high + 1) if math.isfinite(x))]
            wrong += [[x] * N for x in beyond] if origin is np.ndarray else beyond
        if isinstance(mark, Index):
            wrong += [N] if kind is int else [[N]]
        if isinstance(mark, PerEntry):
            of = {"f": 0.5, "b": True, "i": 0}
            one = of[np.dtype(get_args(args[1])[0]).kind] if origin is np.ndarray else "a"
            wrong += [[one] * (N + 1), [one] * (N - 1)]
    return wrong


@pytest.mark.parametrize(("kind", "field"), FIELDS, ids=NAMES)
def test_each_field_refuses_what_it_is_not(kind, field, examples):
    document = json.loads(examples[kind].to_json())
    assert field.name in document
    for value in wrong_values(field):
        text = json.dumps(document | {field.name: value})
        with pytest.raises(ValueError, match=f"not a complete {kind.__name__}"):
            kind.from_json(text)


@pytest.mark.parametrize("kind", CLASSES)
def test_other_documents_are_refused(kind, examples):
    document = json.loads(examples[kind].to_json())
    for damage in ({"schema": 99}, {"schema": "1"}, {"schema": True}, {"and": 1}):
        with pytest.raises(ValueError, match=f"not a complete {kind.__name__}"):
            kind.from_json(json.dumps(document | damage))
    for text in ("{}", "[]", "1", '{"type": "bbc.Other"}', json.dumps(document | {"type": "x"})):
        with pytest.raises(ValueError, match=f"not a {kind.__name__} written by to_json"):
            kind.from_json(text)
    for text in ("", "{", "nul", "NaN"):
        with pytest.raises(ValueError, match="not JSON"):
            kind.from_json(text)
    required = [field.name for field in layout(kind) if field.name in document]
    for name in required:
        twice = json.dumps(document)[:-1] + f', "{name}": 1}}'
        with pytest.raises(ValueError, match="twice"):
            kind.from_json(twice)


def test_damage_is_found_wherever_it_is(examples):
    """One reader: a part of a part is as strictly read as a result of its own."""
    text = examples[bbc.results.ClinicalPerformance].to_json()
    document = json.loads(text)
    document["decision_curve"]["performance"]["model_luck"]["p_value"] = "small"
    with pytest.raises(
        ValueError, match=r"decision_curve\.performance\.model_luck\.p_value is 'sm"
    ):
        bbc.results.ClinicalPerformance.from_json(json.dumps(document))
    document = json.loads(text)
    document["calibration"]["slope"]["confidence_interval"]["middle"] = 1
    with pytest.raises(ValueError, match=r"no field 'calibration\.slope\.confidence_interval\.mid"):
        bbc.results.ClinicalPerformance.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        pair
        for pair in FIELDS
        if pair[1].name in ("n_configurations", "n_rows") and pair[1].kind is int
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else value.name,
)
def test_impossible_sizes_are_refused_before_anything_is_allocated(kind, field, examples):
    document = json.loads(examples[kind].to_json())
    text = json.dumps(document | {field.name: 3 * 10**9})
    tracemalloc.start()
    with pytest.raises(ValueError, match=f"{field.name} is 3000000000"):
        kind.from_json(text)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


@pytest.mark.parametrize("path", LANDED, ids=lambda path: path.stem)
def test_what_the_landed_version_wrote_is_read(path):
    kind = getattr(bbc.results, path.stem.split("-")[0])
    document = json.loads(path.read_text(encoding="utf-8"))
    result = kind.from_json(path.read_text(encoding="utf-8"))
    assert kind.from_json(result.to_json()) == result
    assert max(map(len, result.summary().split("\n"))) <= 80
    lacking = unlike(document, json.loads(result.to_json()))
    assert {name for name, value in lacking if value not in (None, {}, [], False)} <= {"design"}
    assert getattr(result, "design", bbc.results.Design()) == bbc.results.Design()


def unlike(before: Any, now: Any) -> list[tuple[str, Any]]:
    """The fields that a document has gained; everything else must be as it was."""
    if isinstance(before, dict):
        gained = [(name, value) for name, value in now.items() if name not in before]
        kept = [name for name in before if name != "schema"]
        return gained + [each for name in kept for each in unlike(before[name], now[name])]
    if isinstance(before, list) and any(isinstance(each, dict) for each in before):
        assert len(before) == len(now)
        return [each for pair in zip(before, now, strict=True) for each in unlike(*pair)]
    assert before == now
    return []


def test_every_kind_that_the_landed_version_wrote_has_a_recorded_file():
    recorded = {path.stem.split("-")[0] for path in LANDED}
    parts = {"Bound", "BoundComparison", "ConfidenceInterval", "DelongTest", "Design", "Difference"}
    parts |= {"Deployed", "Dominance", "ModelLuck", "MonteCarloError", "Subgroup"}
    newer = {"Per1000", "RemainingOptimism", "SurvivalCalibration", "SurvivalPerformance"}
    assert recorded | parts | newer == {kind.__name__ for kind in CLASSES}


def test_annotations_of_other_kinds_differ():
    """Up to Python 3.11.3 `typing` gives equal ones one object: winners then were no indices."""
    assert len({PerEntry("n_rows"), Index("n_rows"), ("n_rows",)}) == 3
    assert Within(0.0, 1.0) != (0.0, 1.0)


def test_a_new_class_has_all_of_it_by_its_fields_alone():
    @dataclass(frozen=True, eq=False)
    class Small(Result):
        n_configurations: int
        weights: PerConfiguration
        note: str = ""
        interval: bbc.ConfidenceInterval | Any = None
        share: Annotated[float, Within(0, 1)] | None = None

    small = Small(2, [0.25, 0.75], interval=bbc.ConfidenceInterval(0, 1))
    assert Small.from_json(small.to_json()) == small
    assert small.summary().split("\n") == [
        "Small",
        "  n configurations 2",
        "  weights        2 values",
        "  interval       ConfidenceInterval(low=0.0, high=1.0, confidence_level=0.95,...",
    ]
    assert small.to_frame().loc[0, "high"] == 1.0
    for damage in ('"share": 2', '"share": "x"', '"shares": null'):
        with pytest.raises(ValueError, match="share"):
            Small.from_json(small.to_json().replace('"share": null', damage))
    with pytest.raises(ValueError, match="2 weights for 3 configurations"):
        Small.from_json(small.to_json().replace('"n_configurations": 2', '"n_configurations": 3'))
