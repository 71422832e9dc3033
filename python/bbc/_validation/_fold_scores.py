"""Columns that hold the scores of one fold, by their names."""

import re
from collections import Counter
from collections.abc import Collection

from ..errors import Argument, InvalidValueError
from ._values import shown

_FOLD = re.compile(r"(?:split|fold|cv|resample)[ _.-]?(\d+)", re.IGNORECASE)
_REPEAT = re.compile(r"rep(?:eat)?[ _.-]?(\d+)", re.IGNORECASE)
_TRIMMED = " _.-/"
# Prefixes of columns that hold parameters: of scikit-learn, Optuna and Ray Tune.
_PARAMETERS = ("param_", "params_", "config/")
_OF_SEARCH = re.compile(r"split\d+_test_")
# Columns besides those of the folds, in a table of scores by fold: names, and a mean.
_BESIDE_FOLDS = 2


def fold_column(name: str) -> tuple[str, int, int] | None:
    """Of a column with scores of one fold: the score's name, the partition and the fold."""
    found = _FOLD.search(name)
    if found is None or name.startswith(_PARAMETERS):
        return None
    rest = name[: found.start()] + " " + name[found.end() :]
    repeat = _REPEAT.search(rest)
    if repeat is not None:
        rest = rest[: repeat.start()] + rest[repeat.end() :]
    words = [part.strip(_TRIMMED) for part in rest.split(" ")]
    key = "_".join(part for part in words if part)
    if key.startswith("train_") or key in ("train", "ranking", "support", "n_features"):
        return None
    key = key.removeprefix("test_").removeprefix("val_")
    return key or "score", int(repeat[1]) if repeat else 0, int(found[1])


def refuse_fold_scores(source: str, names: Collection[str]) -> None:
    """Refuse a table of scores by fold, such as `cv_results_`, by the names of its columns."""
    found = {name: fold_column(name) for name in names}
    n_folds = Counter(each[0] for each in found.values() if each is not None)
    folds = [name for name, each in found.items() if each and n_folds[each[0]] > 1]
    few_others = len(names) - len(folds) <= _BESIDE_FOLDS
    of_search = any(_OF_SEARCH.match(name) for name in folds)
    if folds and (few_others or of_search):
        raise InvalidValueError(
            source,
            ": columns {} hold scores of folds by their names, and no predictions: give it to {}",
            shown(folds),
            Argument("bbc.correct(table)" if of_search else "bbc.FoldScores"),
            hint=("if they are predictions, list the configurations, {}", Argument("names", ...)),
        )
