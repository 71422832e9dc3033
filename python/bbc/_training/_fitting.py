"""The current fit, for messages from within a learner and about fits that do not return."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .._store import FitKey
from .._warn import warn

_MOST_NAMED = 8
_current: ContextVar["Fitting | None"] = ContextVar("fitting", default=None)


class Fitting:
    """A fit in progress: its position in the run, and the warnings of its learner."""

    def __init__(self, configuration: str, key: FitKey | None) -> None:
        self.configuration = configuration
        self.key = key
        self.warnings: list[Warning] = []

    @property
    def rows(self) -> str:
        """The rows that the model is trained on, in words."""
        if self.key is None:
            return "all rows"
        part = "" if self.key.part == "cv" else f"{self.key.part} "
        return f"{part}repeat {self.key.repeat}, fold {self.key.fold}"

    def __str__(self) -> str:
        return f"configuration {self.configuration!r}, {self.rows}"


@contextmanager
def fitting(configuration: str, key: FitKey | None) -> Iterator[Fitting]:
    """Set the current fit; errors get a note that names it."""
    current = Fitting(configuration, key)
    token = _current.set(current)
    try:
        yield current
    except Exception as error:
        error.add_note(f"while {current} was fitted")
        raise
    finally:
        _current.reset(token)


def fits_under_way(fits: Iterable[Fitting]) -> str:
    """Name the fits that have not returned."""
    lines = [str(fit) for fit in fits]
    more = f"; and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    return "; ".join(lines[:_MOST_NAMED]) + more


def warn_of_fit(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn from within a learner, naming the configuration and the fold.

    The warning reaches the caller of the protocol, whatever process the learner runs in. Outside
    of protocols it is a plain warning.

    Parameters
    ----------
    message : str
        The text.
    category : type of Warning, default=UserWarning
        Its class, made from one text.

    Examples
    --------
    >>> import warnings
    >>> import bbc
    >>> from sklearn.dummy import DummyClassifier
    >>> class Hesitant(DummyClassifier):
    ...     def fit(self, X, y):
    ...         bbc.search.warn_of_fit("few rows")
    ...         return super().fit(X, y)
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     search = bbc.CVT({"mean": Hesitant()}, cv=2, random_state=1).fit([[0]] * 4, [0, 1] * 2)
    >>> print(caught[0].message)
    few rows (configuration 'mean', repeat 0, fold 0)
    """
    current = _current.get()
    if current is None:
        warn(message, category)
    else:
        current.warnings.append(category(f"{message} ({current})"))
