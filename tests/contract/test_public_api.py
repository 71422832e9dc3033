"""The public names, arguments and defaults are those on record: a change of one is seen."""

import importlib
import inspect
import pydoc
import re
from difflib import unified_diff
from operator import attrgetter
from pathlib import Path

import pytest

import bbc
import signatures
from signatures import RECORD, lines

ROOT = Path(__file__).parents[2]
STABLE = (ROOT / "docs" / "stable.md").read_text(encoding="utf-8")


def test_the_public_interface_is_as_recorded():
    recorded = RECORD.read_text(encoding="utf-8").splitlines()
    change = list(unified_diff(recorded, lines(), "recorded", "now", n=0, lineterm=""))
    assert not change, "\n".join(
        [*change, "intended? Say so in CHANGELOG.md, then PYTHONPATH=tests python -m signatures"]
    )


def arguments_on_the_page():
    """Each "module.function: argument=default" of the side-by-side table."""
    return sorted(set(re.findall(r"`((?:bbc|sklearn|scipy)\.[\w.]+): (\w+)(?:=([^`]+))?`", STABLE)))


@pytest.mark.parametrize(("function", "argument", "default"), arguments_on_the_page())
def test_the_page_on_names_and_defaults_is_true(function, argument, default):
    module, name = function.rsplit(".", 1)
    package = module.partition(".")[0]
    own = attrgetter(module[4:])(bbc) if module.startswith("bbc.") else bbc
    called = getattr(own if package == "bbc" else importlib.import_module(module), name)
    known = signatures.parameters(called)[argument].default
    assert default == ("" if known is inspect.Parameter.empty else repr(known))


def test_the_page_compares_both_sides_and_says_where_they_are_the_same():
    rows = re.findall(r"^\| `bbc\.\S+: (\S+)` \| `[a-z]\S+: (\S+)` \| (.*) \|$", STABLE, re.M)
    assert len(rows) > 15
    for ours, theirs, remark in rows:
        assert not remark.startswith("the same") or ours == theirs


def test_results_of_earlier_versions_can_be_read():
    kept = ROOT / "tests" / "golden" / "results" / "0.1.0.json"
    result = bbc.PerformanceEstimate.from_json(kept.read_text(encoding="utf-8"))
    assert result.version == "0.1.0"
    assert bbc.PerformanceEstimate.from_json(result.to_json()) == result


def test_help_begins_with_a_signature_that_can_be_read():
    """`correct` began with 2,809 characters, most of them the inside of `ArrayLike`."""
    sizes = {}
    for name, value in signatures.public_objects().items():
        methods = vars(value) if inspect.isclass(value) else {}
        own = {key: method for key, method in methods.items() if inspect.isfunction(method)}
        for key, function in {"": value, **own}.items():
            if not (key.startswith("_") or name.startswith("bbc.errors.")):  # builtins have none
                sizes[f"{name} {key}".strip()] = len(str(inspect.signature(function)))
    assert sizes.pop("bbc.correct") <= 900
    assert len(sizes) > 100
    assert {name: size for name, size in sizes.items() if size > 400} == {}
    assert "numpy._typing" not in pydoc.render_doc(bbc.Predictions)
