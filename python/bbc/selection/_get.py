"""From a name or function to the selection rule."""

from ..errors import InvalidTypeError, InvalidValueError
from ._derived import best_threshold, greedy_ensemble, top_k
from ._rules import BEST, Selection, one_standard_error


def get(selection: object) -> Selection:
    """Return the selection rule of a name or function.

    Parameters
    ----------
    selection : "best", Selection or callable
        As in `bbc.correct`.

    Returns
    -------
    Selection
        The frozen rule.

    Examples
    --------
    >>> from bbc.selection import get
    >>> get(lambda scores, counts: 0).rule
    'callable'
    """
    if isinstance(selection, Selection):
        return selection
    if isinstance(selection, str):
        if selection == "best":
            return BEST
        raise InvalidValueError("selection", f"must be {_ALLOWED}, got {selection!r}")
    if callable(selection):
        if selection in _UNCALLED:
            raise InvalidTypeError("selection", f": call bbc.{_UNCALLED[selection]}")
        return Selection("callable", function=selection)
    raise InvalidTypeError("selection", f"must be {_ALLOWED}, got {type(selection).__name__}")


_UNCALLED: dict[object, str] = {
    one_standard_error: "one_standard_error with the complexities",
    best_threshold: "best_threshold()",
    greedy_ensemble: "greedy_ensemble()",
    top_k: "top_k with the number of configurations",
}
_ALLOWED = (
    '"best", bbc.one_standard_error(complexity), bbc.best_threshold(), bbc.greedy_ensemble(), '
    "bbc.top_k(k) or a callable"
)
