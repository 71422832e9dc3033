"""The table of arguments, and all functions, protocols, commands and R functions that take them."""

import inspect
import re

import pytest

from bbc._validation import ARGUMENTS
from bbc.cli._parser import make_parser
from signatures import RECORD, parameters, public_objects

# Arguments of the same name with another default, and why.
OTHERS = {
    ("bbc.baselines.resampling_error", "method"),
    (
        "bbc.baselines.resampling_error",
        "interval",
    ),  # a function of bbc.baselines.intervals, none by default
    ("bbc.plan_rows", "n_bootstraps"),  # many simulations
    ("bbc.baselines.intervals.tilting", "alternative"),  # "greater": a bound
    ("bbc.plots.optimism", "n_bootstraps"),
}
#: The same of R's functions, whose twins are questions.
OTHERS_OF_R = {
    "tuning_path": "metric",  # beside the one that selects
    "subgroups": "metric",
}
#: What R has in another way, or not at all.
NOT_IN_R = {
    "labels": "levels of a factor",
    "stream": "of dropping tests inside a protocol",
}
NOT_IN_R_FUNCTION = {
    ("correct", "secondary"): "read by its generic, which takes it by `...`",
    ("compare", "families"): "`predictions`",
    ("correct", "reselect"): "read by its generic",
    ("correct", "times"): "those of the metric",
    ("correct", "design"): "`dynamic_search`; other training is not told",
    ("negative_control", "search"): "a function that makes the analysis anew",
    ("negative_control", "metric"): "the analysis knows it",
    ("negative_control", "random_state"): "set.seed(), which the analysis needs as well",
    ("negative_control", "fit_params"): "arguments of the analysis",
    ("plan_rows", "source"): "`predictions` and `truth`",
    ("plan_rows", "random_state"): "set.seed(), which functions that draw data need as well",
}
POOLING = "auto"  # protocols know which models made which decision values
R_NAMES = {"event_level": "pos_label", "seed": "random_state"}


def functions():
    """Functions, methods and protocols that users call, by name."""
    found = {}
    for path, value in public_objects().items():
        if inspect.isfunction(value):
            found[path] = value
            continue
        if hasattr(value, "fit"):
            found[path] = value
        methods = {k: getattr(value, k) for k in vars(value) if k.startswith("from_")}
        found |= {f"{path}.{k}": m for k, m in methods.items() if callable(m)}
    return found


FUNCTIONS = functions()


@pytest.mark.parametrize("path", FUNCTIONS)
def test_an_argument_has_one_default(path):
    protocol = inspect.isclass(FUNCTIONS[path])
    for name, parameter in parameters(FUNCTIONS[path]).items():
        if name not in ARGUMENTS or (path, name) in OTHERS:
            continue
        nowhere = inspect.Parameter.empty in (parameter.default, ARGUMENTS[name].default)
        if protocol and name == "pooling":
            assert parameter.default == POOLING
        elif not nowhere:
            assert parameter.default == ARGUMENTS[name].default, name


def test_the_exceptions_exist():
    for path, name in OTHERS:
        assert parameters(FUNCTIONS[path])[name].default != (ARGUMENTS[name].default), (path, name)


BY_TABLE = ("correct", "compare")


@pytest.mark.parametrize("path", [f"bbc.{name}" for name in BY_TABLE])
def test_arguments_of_the_table_are_in_the_signature_and_documented(path):
    function = FUNCTIONS[path]
    text = inspect.cleandoc(function.__doc__)
    rest = text.partition("\n**rows\n")[2].partition("\n\n")[0]
    for name in parameters(function):
        assert re.search(rf"^{name} : ", text, re.MULTILINE) or f"`{name}`" in rest, name
    with pytest.raises(TypeError, match=rf"{path}.*no argument 'n_boots'"):
        function([0, 1], [[0], [1]], metric="roc_auc", n_boots=10)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_entry_says_its_default(name):
    entry = ARGUMENTS[name]
    first = entry.text.splitlines()[0]
    if "default=" in first:
        assert first.endswith(f"default={entry.default!r}".replace("'", '"'))
    else:
        assert entry.default in (None, inspect.Parameter.empty)
    if entry.check is not None and entry.default is not None and name != "selection":
        assert entry.check(entry.default) == entry.default


def test_flags_of_the_command_line_have_the_same_defaults():
    commands = next(a for a in make_parser()._actions if a.dest == "command").choices
    seen = set()
    for command, parser in commands.items():
        for action in parser._actions:
            default = ARGUMENTS.get(action.dest)
            if default is None or action.required or action.default in (None, "==SUPPRESS=="):
                continue
            given = getattr(action.default, "rule", action.default)
            assert given == default.default, (command, action.dest)
            seen.add(action.dest)
    assert seen >= {"confidence_level", "pooling", "alternative", "missing"}


def test_functions_of_r_have_the_same_defaults():
    usages = [
        line
        for line in RECORD.read_text(encoding="utf-8").splitlines()
        if re.match(r"\\method\{|bbc_\w+\(", line) and " = " in line
    ]
    others = {path.rpartition(".")[2]: name for path, name in OTHERS} | OTHERS_OF_R
    counted = 0
    for usage in usages:
        function = re.search(r"bbc_(\w+)", usage)[1]
        for name, written in re.findall(r"(\w+) = ([^,()]+|c\([^)]*\))(?=[,\s)])", usage):
            known = R_NAMES.get(name, name)
            if known not in ARGUMENTS or others.get(function) == known:
                continue
            value = {"TRUE": True, "FALSE": False, "NULL": None}.get(
                written.strip(), written.strip()
            )
            default = ARGUMENTS[known].default
            same = value == default or str(value).strip('"') == str(default)
            assert same, (usage, name)
            counted += 1
    assert counted > 60


def signatures_of_r():
    """Names of the arguments of R's functions, with those that they pass on to `bbc_correct()`."""
    found = {}
    names_here = R_NAMES | {"truth": "y_true", "x": "X"}
    for line in RECORD.read_text(encoding="utf-8").splitlines():
        given = re.match(r"(?:bbc_(\w+)|\\method\{bbc_(\w+)\}\{default\})\((.*)\)$", line)
        if given:
            bare = re.sub(r'c\([^)]*\)|"[^"]*"', "", given[3])
            names = [each.partition("=")[0].strip() for each in bare.split(",")]
            found[given[1] or given[2]] = {names_here.get(name, name) for name in names}
    found["correct"].add("source")
    # Questions about a fit follow its options; others have `...` to refuse what they are given.
    return {k: v | found["correct"] if {"fit", "..."} <= v else v for k, v in found.items()}


def test_functions_of_r_have_the_same_arguments():
    ours = signatures_of_r()
    here = {
        path.rpartition(".")[2]: each
        for path, each in FUNCTIONS.items()
        if not re.search(r"Correction|intervals", path)
    }
    twins = {name: here[name] for name in ours if name in here}
    assert len(twins) > 9
    lacking = {
        (function, name)
        for function, twin in twins.items()
        for name in parameters(twin).keys() - ours[function]
        if name not in NOT_IN_R
    }
    assert lacking == NOT_IN_R_FUNCTION.keys()
