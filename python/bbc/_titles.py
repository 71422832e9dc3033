"""What readers of a page or a plot call metrics and configurations."""

import re
from collections.abc import Sequence

from .metrics._spec import kernel_facts

_KEY, _VALUE = r"[^(),= ]+", r"(?:[^()\[\],=]|\([^()]*\)|\[[^\[\]]*\])*"
_PARAMETERS = rf"{_KEY}={_VALUE}(?:, {_KEY}={_VALUE})*"
_CONFIGURATION = re.compile(rf"(?:([^(),=]+)\()?({_PARAMETERS})(\)?)")
_TRIAL = re.compile(r"trial \d+")
_FEWEST_DIGITS = 2


def metric_title(name: str) -> str:
    """The field's term for a metric."""
    title: str = kernel_facts().get(name, {}).get("title", "")
    if title:
        return title
    base, bracket, parameters = name.partition("(")
    if bracket:
        times = re.fullmatch(r"times=\((.*?),?\)\)", parameters)
        if times is not None:
            n_times = len(times[1].split(","))
            return f"{metric_title(base)} at {n_times} time{'s' if n_times > 1 else ''}"
        return f"{metric_title(base)} ({parameters}"
    if name.startswith("neg_") and not name.startswith("neg_neg_"):  # no metric is negated twice
        return f"negated {metric_title(name.removeprefix('neg_'))}"
    return name.replace("_", " ")


def readers_title(name: str) -> str:
    """The readers' name of a metric; of a negated loss, that of the loss."""
    return metric_title(name.removeprefix("neg_"))


def concise(names: Sequence[str]) -> list[str]:
    """Names of configurations without what all of a learner share, still distinct.

    Steps of pipelines, parameters that have one value, and digits that tell nothing apart are left
    out of names as the protocols form them. Others stay as they are.
    """
    found = [parsed(name) for name in names]
    if None in found or len(set(names)) < len(names):
        return list(names)
    known = [each for each in found if each is not None]
    # The number of a trial tells it apart, but less than its parameters do.
    learners = ["" if of_trial(learner) and each else learner for learner, each in known]
    values = [each for _, each in known]
    of_learner: dict[str, list[dict[str, str]]] = {}
    for learner, each in zip(learners, values, strict=True):
        of_learner.setdefault(learner, []).append(each)
    for group in of_learner.values():
        for key in set(group[0]):
            if len(group) > 1 and all(each.get(key) == group[0][key] for each in group):
                for each in group:
                    del each[key]
    for digits in range(_FEWEST_DIGITS, 7):
        short = [_joined(*each, digits) for each in zip(learners, values, strict=True)]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def of_trial(learner: str) -> bool:
    """True if the name is that of a trial, and not of what it trained."""
    return _TRIAL.fullmatch(learner) is not None


def parsed(name: str) -> tuple[str, dict[str, str]] | None:
    """Learner and parameters of a name that a protocol formed; None of another."""
    if not any(each in name for each in "(),="):
        return name, {}
    match = _CONFIGURATION.fullmatch(name)
    if match is None or bool(match[1]) != bool(match[3]):
        return None
    return match[1] or "", dict(re.findall(f"({_KEY})=({_VALUE})", match[2]))


def _joined(learner: str, values: dict[str, str], digits: int) -> str:
    last = {key: key.rsplit("__", 1)[-1] for key in values}
    if len(set(last.values())) < len(last):
        last = {key: key for key in values}
    parts = [f"{last[key]}={_rounded(value, digits)}" for key, value in values.items()]
    return " ".join([*([learner] if learner else []), ", ".join(parts)]).strip() or "defaults"


def _rounded(value: str, digits: int) -> str:
    try:
        return value if value.lstrip("-").isdigit() else f"{float(value):.{digits}g}"
    except ValueError:
        return value.strip("'")
