"""What configurations and runs are called: names by hyper-parameters, and how two runs differ."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

#: How digests begin, which say nothing to a reader.
DIGEST = "#"
#: What says by which rule learners get their seeds.
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


def printable(text: str) -> str:
    """Text that moves no cursor: control characters, and others without a shape, are escaped."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def difference(
    stored: Mapping[str, Any], given: Mapping[str, Any], changing: Collection[str]
) -> str:
    """What keeps a call from going on with a stored run, and what to do; empty if nothing does.

    A call may add code, values and configurations to those of the run. Values that training
    itself changes do not count.
    """
    there = stored["code"] | stored["facts"] | stored["values"]
    here = given["code"] | given["facts"] | given["values"]
    lost = [
        name
        for name, found in there.items()
        if name not in changing and not set(found) <= set(here.get(name, ()))
    ]
    lost += [name for name in given["facts"] if name not in there]
    # What is gone follows from the rest, such as a learner that is left out.
    return (
        _in_words([name for name in lost if name in here], there, here)
        or _missing(stored["configurations"], given["configurations"])
        or _in_words(lost, there, here)
    )


def _in_words(lost: Sequence[str], stored: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    if not lost:
        return ""
    first = lost[0]
    kind = next((one for one in _ADVICE if first.startswith(one)), "")
    named = [name for name in lost if name.startswith(kind)] if kind else [first]
    shown = ", ".join([named[0], *(name.removeprefix(kind) for name in named[1:_MOST_NAMED])])
    if len(named) > _MOST_NAMED:
        shown += f" and {len(named) - _MOST_NAMED} more"
    differ = "differs" if len(named) == 1 else "differ"
    there, here = (found.get(first) or ["nothing"] for found in (stored, given))
    if not any(one.startswith(DIGEST) for one in (*there, *here)):
        differ += f" ({', '.join(there)} there, {', '.join(here)} here)"
    return f"{shown} {differ}; {_ADVICE[kind]}, or pass another path as store"


def _missing(stored: Mapping[str, str], given: Mapping[str, str]) -> str:
    lacking = [name for digest, name in stored.items() if digest not in given]
    if not lacking:
        return ""
    shown = ", ".join(lacking[:_MOST_NAMED]) + (", ..." if len(lacking) > _MOST_NAMED else "")
    renewed = [name for name in lacking if name in given.values()]
    if renewed:
        return (
            f"the configuration {renewed[0]} differs from the one of that name there, by a value "
            "or by code that the name does not show; undo the change, or pass another path "
            "as store"
        )
    return (
        f"the grid lacks {len(lacking)} of its {len(stored)} configurations ({shown}); a grid may "
        "grow, but what was tried counts: add them again, or pass another path as store"
    )
