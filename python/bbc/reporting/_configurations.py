"""What a search compared: ranges of parameters, and the configurations that won most often."""

from .._titles import concise, of_trial, parsed
from ..results import PerformanceEstimate
from ..results._estimate import most_chosen_first, selects
from ._sections import Part, table

_MOST_VALUES = 6
_MOST_CHOSEN = 10


def configurations(e: PerformanceEstimate) -> list[Part]:
    """A section with both tables; none where names do not tell parameters."""
    grids = _ranges(e)
    if not grids:
        return []
    tables = [table([("parameter", "values", "of the winner"), *grids])]
    if selects(e) and e.n_configurations > 1:
        assert e.names is not None
        short = concise(e.names)
        chosen, shares = most_chosen_first(e)
        first = zip(chosen[:_MOST_CHOSEN], shares, strict=False)
        won = [(f"{100 * share:.1f} %", short[index]) for index, share in first]
        tables.append(table([("chosen in", "configuration"), *won]))
    return [Part("Configurations", [], [], "".join(tables))]


def facts_beside(e: PerformanceEstimate) -> list[tuple[str, str]]:
    """The facts of an estimate without what won most often, where the section has it."""
    if not _ranges(e):
        return e.facts
    found, label = [], ""
    for own, text in e.facts:
        label = own or label
        if label not in ("chosen", "taking part"):
            found.append((own, text))
    return found


def _ranges(e: PerformanceEstimate) -> list[tuple[str, str, str]]:
    """Parameter, its values and that of the winner, of each learner."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    counts: dict[str, int] = {}
    names = e.names or ()
    for name in names:
        learner, parameters = _of(name)
        if not parameters:
            return []
        counts[learner] = counts.get(learner, 0) + 1
        for key, value in parameters.items():
            found.setdefault(learner, {}).setdefault(key, {})[value] = None
    if not found:
        return []
    own, values_of_winner = _of(names[e.winner])
    rows = []
    for learner, grid in found.items():
        if len(found) > 1:
            rows.append((f"{learner or 'others'} ({counts[learner]})", "", ""))
        for key, values in grid.items():
            won = values_of_winner.get(key, "-") if learner == own else ""
            rows.append((key, _values(list(values)), won))
    return rows


def _of(name: str) -> tuple[str, dict[str, str]]:
    """Learner and parameters without the steps of pipelines."""
    learner, parameters = parsed(name) or ("", {})
    parameters = {key: value.strip("'") for key, value in parameters.items()}
    last = {key.rsplit("__", 1)[-1]: value for key, value in parameters.items()}
    if len(last) < len(parameters):
        last = parameters
    return "" if of_trial(learner) else learner, last


def _values(values: list[str]) -> str:
    """All of a few, the range of many numbers, and some of many others."""
    if len(values) <= _MOST_VALUES:
        return ", ".join(values)
    try:
        ordered = sorted(values, key=float)
    except ValueError:
        return f"{', '.join(values[:3])}, ..., {values[-1]} ({len(values)} values)"
    return f"{ordered[0]} to {ordered[-1]} ({len(values)} values)"
