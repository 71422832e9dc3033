"""What is known of a metric stands once, in metrics.inc: languages and the page ask the kernel."""

import importlib.util
import math
import re
from pathlib import Path

import pytest

import bbc
from bbc import _core
from bbc._titles import metric_title

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "cpp" / "src"
TABLE = {facts["name"]: facts for facts in _core.metric_table()}
SAME = ("kernel", "family", "greater_is_better", "target", "predicts", "sign", "censoring")
SAME += ("target_range", "prediction_range", "needs_classes", "orders_classes")


@pytest.mark.parametrize("name", sorted(bbc.metrics.names()))
def test_python_knows_what_the_kernel_knows(name):
    metric, facts = bbc.metrics.get(name), TABLE[name]
    assert {key: getattr(metric, key) for key in SAME} == {key: facts[key] for key in SAME}
    assert metric.parameters == facts["parameters"]
    kernel = _core.Metric(facts["kernel"], average=facts["average"] or "binary", sign=metric.sign)
    assert kernel.greater_is_better == metric.greater_is_better
    assert kernel.limits(2) == facts["limits"] == (metric.lowest, metric.highest)
    assert kernel.limits(math.inf) == metric.range
    assert metric_title(name) == (facts["title"] or metric_title(name))


def test_every_name_of_the_kernel_can_be_used():
    """Losses that are given have no name in Python; some metrics need their times."""
    timed = {"cumulative_dynamic_auc", "survival_brier_score", "integrated_brier_score"}
    assert set(TABLE) - set(bbc.metrics.names()) == timed | {"row_loss", "row_score"}
    assert {facts["kernel"] for facts in TABLE.values()} == set(_core.metric_names())
    for name in timed:
        ((parameter, default),) = TABLE[name]["parameters"]
        assert default is None
        given = (1.0, 2.0) if parameter == "times" else 1.0
        metric = bbc.metrics.get(name, **{parameter: given})
        assert {key: getattr(metric, key) for key in SAME} == {k: TABLE[name][k] for k in SAME}
        assert (metric.lowest, metric.highest) == TABLE[name]["limits"]


def test_other_names_are_no_names_and_stand_for_names():
    others = {other for facts in TABLE.values() for other in facts["others"].split()}
    assert others.isdisjoint(TABLE)
    for facts in TABLE.values():
        assert set(facts["multiclass"].split()) <= set(TABLE)
    of_yardstick = [f[key] for f in TABLE.values() for key in ("yardstick", "yardstick_of_two")]
    given = [name for name in of_yardstick if name]
    assert len(given) == len(set(given))
    functions = [facts["sklearn"] for facts in TABLE.values() if facts["sklearn"]]
    assert len(functions) == len(set(functions))


def test_the_page_in_the_browser_has_the_kernels_facts():
    spec = importlib.util.spec_from_file_location("build_try", ROOT / "docs/try/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    listed = {metric["name"]: metric for metric in build.facts()["metrics"]}
    assert set(listed) == {
        name
        for name, facts in TABLE.items()
        if name in bbc.metrics.names() and facts["predicts"] in build.GROUPS and facts["sign"] > 0
    }
    same = [*(set(SAME) - {"sign", "censoring", "orders_classes"}), "skewed"]
    for name, metric in listed.items():
        assert {key: metric[key] for key in same} == {key: TABLE[name][key] for key in same}


def test_no_language_lists_metrics_of_its_own():
    """What is true of several metrics is a fact of the table: four names in a row are a list."""
    quoted = rf"[\"'](?:{'|'.join(TABLE)})[\"']"
    several = re.compile(rf"{quoted}(?:\s*,\s*{quoted}){{3}}")
    lists = {
        f"{path.relative_to(ROOT)}: {' '.join(found.split())}"
        for folder in ("python/bbc", "r-bridge/bbcr/R", "docs/try")
        for suffix in ("py", "R", "js")
        for path in (ROOT / folder).rglob(f"*.{suffix}")
        if path.name not in ("_binary.py", "_clinical.py")  # fields of a result
        for found in several.findall(path.read_text(encoding="utf-8"))
    }
    assert lists == set()


def test_switches_over_metrics_are_exhaustive():
    """A label `default` hides what a new metric lacks: they are for numbers from elsewhere."""
    with_default = {
        str(path.relative_to(KERNEL))
        for path in KERNEL.rglob("*.[ch]pp")
        if re.search(r"\bdefault:", path.read_text(encoding="utf-8"))
    }
    assert with_default == {
        "detail/c_interface/predictions.cpp",
        "detail/c_interface/problem.cpp",
        "detail/isa/zero_one_loops.hpp",  # a number of groups
    }
    assert "-Werror=switch" in (ROOT / "cpp/CMakeLists.txt").read_text(encoding="utf-8")
