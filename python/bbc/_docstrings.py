"""Shared entries of docstrings: filled in from base classes or tables where they are missing."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

_TITLE = re.compile(r"^(\S.*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Arguments that many functions take, with one meaning and one default.
ANALYSIS = """
y_true : array-like of shape (n_rows,)
    The truth.
groups : array-like of shape (n_rows,), optional
    Rows of a group are drawn together.
stratify_bootstrap : bool, default=False
    Draw within classes, so that each replicate has the class counts of the truth.
sample_weight : array-like of shape (n_rows,), optional
    Weights of the rows.
pos_label : label, optional
    The positive class of a binary metric. By default that of scikit-learn's scorer: label 1 for
    F1, precision, recall, Jaccard, specificity and average precision, the larger label for the AUC.
    Text has no default, unless the class of the scores is known.
labels : array-like, optional
    All classes, in the order of the last axis of class scores; by default those of the truth,
    sorted or, of an ordered pandas categorical, in its order.
n_bootstraps : int, default=1000
    Number of replicates.
resamples : array-like of int of shape (n_bootstraps, n_units), optional
    Explicit draws of units instead of random ones, to reproduce an analysis.
confidence_level : float, default=0.95
    Level of the interval, in (0, 1).
alternative : {"two-sided", "greater", "less"}, default="two-sided"
    "greater" gives a lower bound only, "less" an upper bound only.
on_undefined : {"redraw", "raise"}, default="redraw"
    How to treat a replicate for which the metric is undefined.
size_correction : bool, default=True
    Keep what the number of rows does to a metric apart from selection. The rows out of bag are
    37 % of all. Means over rows and AUC are the same on fewer rows in expectation; other
    metrics are not. R2 is therefore divided by the variance of the truth over all rows, and
    replicates of other such metrics lose the mean difference between their winner's scores out
    of bag and on all rows (`PerformanceEstimate.size_bias`): with one configuration, the
    estimate is the apparent score. False is Algorithm 5 as it was published, which counts the
    difference as optimism.
names : sequence of str, optional
    Names of the configurations.
random_state : int, Generator or None, default=None
    Seed of the replicates, 0 to 2**53 - 1; None draws one, which the result reports.
n_threads : int, optional
    Worker threads; all cores by default. The result does not depend on it.
"""


def described(*tables: str) -> Callable[[_Function], _Function]:
    """Fill in the parameters that a docstring leaves to tables of entries."""
    known: dict[str, str] = {}
    for table in tables:
        known |= _entries(table.strip("\n"))

    def complete(function: _Function) -> _Function:
        if function.__doc__ is not None:  # python -OO
            text, sections = _sections(function.__doc__)
            parameters = inspect.signature(function).parameters
            filled = _filled(_entries(sections.pop("Parameters", "")), parameters, known)
            function.__doc__ = _written(text, {"Parameters": "".join(filled)} | sections)
        return function

    return complete


def inherit_docstring(cls: type) -> None:
    """Add to a class's docstring the parameters and attributes that its bases or tables describe.

    Parameters are in the order of the signature, attributes in that of the bases. Entries of the
    class itself take precedence.
    """
    if cls.__doc__ is None:  # python -OO
        return
    text, sections = _sections(cls.__doc__)
    known: dict[str, dict[str, str]] = {
        "Parameters": _entries(ANALYSIS.strip("\n")),
        "Attributes": {},
    }
    for base in reversed(cls.__mro__[1:]):
        if base.__module__.startswith(f"{__package__}.") and base.__doc__:
            inherited = _sections(base.__doc__)[1]
            for title, entries in known.items():
                entries |= _entries(inherited.get(title, ""))
    parameters = _filled(
        _entries(sections.pop("Parameters", "")),
        inspect.signature(cls).parameters,
        known["Parameters"],
    )
    attributes = known["Attributes"] | _entries(sections.pop("Attributes", ""))
    merged = {"Parameters": "".join(parameters), "Attributes": "".join(attributes.values())}
    cls.__doc__ = _written(text, merged | sections)


def _filled(
    entries: Mapping[str, str], parameters: Iterable[str], known: Mapping[str, str]
) -> list[str]:
    """Entries in the order of the signature; an entry may describe several parameters."""
    described = {**known, **entries}
    title_of = {name.strip(" *"): title for title in described for name in title.split(",")}
    filled = {title_of[name]: described[title_of[name]] for name in parameters if name in title_of}
    return list((filled | dict(entries)).values())


def _written(text: str, sections: Mapping[str, str]) -> str:
    return text + "".join(
        f"{title}\n{'-' * len(title)}\n{body.rstrip()}\n\n"
        for title, body in sections.items()
        if body
    )


def _sections(docstring: str) -> tuple[str, dict[str, str]]:
    """What comes before the first section, and the sections by title."""
    text, *parts = _TITLE.split(inspect.cleandoc(docstring) + "\n")
    return text, dict(zip(parts[::2], parts[1::2], strict=True))


def _entries(section: str) -> dict[str, str]:
    """Entries by name, each with its description."""
    parts = (part.rstrip() + "\n" for part in _ENTRY.split(section) if part.strip())
    return {part.partition("\n")[0].partition(" : ")[0]: part for part in parts}
