"""Names of configurations, and the differences between a stored run and a call."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

#: How digests begin, which messages do not show.
DIGEST = "#"
#: Name of the rule by which learners are seeded.
SEEDING = "the rule by which learners are seeded"
_MOST_NAMED = 3
_ADVICE = {
    "the code of ": "undo the edit",
    "the class ": "undo the edit",
    "the value of ": "set it as it was",
    "the version of ": "install that version",
    "random_state": "pass that seed, or None, which takes it from the store",
    SEEDING: "finish the run with the version of bbc that began it",
    "": "pass what it began with",
}


def configuration_name(params: Mapping[str, Any], learner: str = "") -> str:
    """Return ``name=value, ...``, within ``learner(...)`` if several learners compete."""
    shown = ", ".join(f"{key}={_shown(value)}" for key, value in params.items())
    if learner:
        return f"{learner}({shown})" if shown else learner
    return shown or "defaults"


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(repr(value).split())  # reprs of nested estimators have line breaks


def without(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """The names that are not among the others."""
    known = set(others)
    return [name for name in names if name not in known]


def again(values: Iterable[Any]) -> Iterator[Any]:
    """Those of the values that were there before."""
    seen = set()
    for value in values:
        if value in seen:
            yield value
        seen.add(value)


def printable(text: str) -> str:
    """Text whose control characters, and others that are not printable, are escaped."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def difference(
    stored: Mapping[str, Any], current: Mapping[str, Any], changing: Collection[str]
) -> str:
    """The reason why a call cannot resume a stored run, and what to do; empty if it can.

    A call may add code, values and configurations to those of the run. Values in `changing`, which
    training changes, are not compared.
    """
    before = stored["code"] | stored["facts"] | stored["values"]
    now = current["code"] | current["facts"] | current["values"]
    changed = [
        name
        for name, values in before.items()
        if name not in changing and not set(values) <= set(now.get(name, ()))
    ]
    changed += [name for name in current["facts"] if name not in before]
    # Missing names follow from the rest, such as a learner that is left out.
    return (
        _in_words([name for name in changed if name in now], before, now)
        or _missing(stored["configurations"], current["configurations"])
        or _in_words(changed, before, now)
    )


def _in_words(changed: Sequence[str], stored: Mapping[str, Any], current: Mapping[str, Any]) -> str:
    if not changed:
        return ""
    first = changed[0]
    kind = next((prefix for prefix in _ADVICE if first.startswith(prefix)), "")
    named = [name for name in changed if name.startswith(kind)] if kind else [first]
    shown = ", ".join([named[0], *(name.removeprefix(kind) for name in named[1:_MOST_NAMED])])
    if len(named) > _MOST_NAMED:
        shown += f" and {len(named) - _MOST_NAMED} more"
    differ = "differs" if len(named) == 1 else "differ"
    before, now = (values.get(first) or ["nothing"] for values in (stored, current))
    if not any(value.startswith(DIGEST) for value in (*before, *now)):
        differ += f" ({', '.join(before)} there, {', '.join(now)} here)"
    return f"{shown} {differ}; {_ADVICE[kind]}, or pass another path as store"


def _missing(stored: Mapping[str, str], current: Mapping[str, str]) -> str:
    lacking = [name for digest, name in stored.items() if digest not in current]
    if not lacking:
        return ""
    shown = ", ".join(lacking[:_MOST_NAMED]) + (", ..." if len(lacking) > _MOST_NAMED else "")
    renewed = [name for name in lacking if name in current.values()]
    if renewed:
        return (
            f"the configuration {renewed[0]} differs from that of the same name in the store, by a "
            "value or by code that the name does not show; undo the change, or pass another path "
            "as store"
        )
    return (
        f"the grid lacks {len(lacking)} of its {len(stored)} configurations ({shown}); a grid may "
        "grow, but the correction must know all that were tried: add them again, or pass another "
        "path as store"
    )
