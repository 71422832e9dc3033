"""Messages of the package in the words of the command line."""

import re
import shlex

_OPTIONS = (
    "alternative|confidence_level|folds|groups|ignore|method|metric|missing|n_bootstraps|n_threads"
    "|pooling|pos_label|sample_weight"
)
_QUOTED = r"\"([^\"]*)\"|'([^']*)'"
_PASSED = re.compile(rf"(?<![\w.])({_OPTIONS})=(?:\[?(?:{_QUOTED})\]?)?(?:\.\.\.)?")
# What the command line calls otherwise, or has no word for.
_PHRASES = {
    r"(; | \()labels=\[\.\.\.\] names [^;)]*\)?": "",
    r"bbc\.correct\(\.\.\., (groups=\.\.\.)\)": r"\1",
    r"bbc\.correct\b(?!_)": "`bbc correct`",
    r"bbc\.metrics\.names\(\) lists": "`bbc metrics` lists",
    r" or \"(drop-rows)\"": r" or \1",
    r"\bstratify_bootstrap=True": "--stratify-bootstrap",
    r"\brandom_state\b": "--seed",
}


def spoken(text: str) -> str:
    """A message with options in the place of arguments."""
    for pattern, words in _PHRASES.items():
        text = re.sub(pattern, words, text)
    return _PASSED.sub(_option, text)


def _option(passed: re.Match[str]) -> str:
    name, *values = passed.groups()
    value = next((one for one in values if one is not None), None)
    option = "--" + str(name).replace("_", "-")
    return option if value is None else f"{option} {shlex.quote(value)}"
