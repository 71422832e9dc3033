"""How long to wait for a fit that may never end."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import joblib

from .. import _validation

_seconds: ContextVar[float | None] = ContextVar("fit_timeout", default=None)


@contextmanager
def fit_timeout(seconds: float) -> Iterator[None]:
    """Stop runs within the block in which no fit ends for so long.

    The run stops with a TimeoutError that names the fits under way. A worker that hangs does not
    keep the others from working: they train what is left first, so that with a store only the fits
    that hang are missing, and the same call trains nothing else.

    A fit can only be left alone in another process or thread. Processes of joblib are ended;
    threads and workers of Dask are not, and go on with their fit. The final fit on all rows is
    trained where the protocol is called, and is not timed.

    Parameters
    ----------
    seconds : float
        Far more than a fit takes: the start of the workers counts too.

    Raises
    ------
    ValueError
        In `fit`, if fits would run in the process of the caller (`n_jobs` of 1).

    Examples
    --------
    >>> import bbc
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> search = bbc.CVT(
    ...     DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2, n_jobs=2, random_state=1
    ... )
    >>> with bbc.search.fit_timeout(60):
    ...     search.fit([[0], [1]] * 4, [0, 1] * 4).best_score_
    1.0
    """
    token = _seconds.set(_validation.seconds(seconds))
    try:
        yield
    finally:
        _seconds.reset(token)


def timeout_for(n_jobs: int | None) -> float | None:
    """Return the seconds that a fit may take; refuse them where nobody could stop it."""
    seconds = _seconds.get()
    if seconds is not None and joblib.effective_n_jobs(n_jobs) == 1:
        raise ValueError(
            "fit_timeout: with n_jobs=1 fits run in this process, where nothing can stop them; "
            "use n_jobs=2 or more"
        )
    return seconds
