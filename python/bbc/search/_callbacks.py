"""scikit-learn's callbacks (1.9 and later); without them, nothing happens."""

from collections.abc import Callable
from typing import Any, TypeVar

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _followed
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Replacement where scikit-learn has no callbacks."""

    def _followed(method: Any) -> Any:
        """Return the method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "root_context", "with_callbacks"]

_Method = TypeVar("_Method", bound=Callable[..., Any])


def with_callbacks(method: _Method) -> _Method:
    """Let callbacks follow a method, whose type users' type checkers still see."""
    followed: _Method = _followed(method)
    return followed


def root_context(owner: Any, n_tasks: int) -> Any:
    """Begin the context of `fit` with `n_tasks` folds and final fits; None without callbacks."""
    if not getattr(owner, "_skl_callbacks", None) and not hasattr(owner, "_parent_callback_ctx"):
        return None
    if not hasattr(owner, "_init_callback_context"):
        return None
    context = owner._init_callback_context(max_subtasks=n_tasks)
    return context.call_on_fit_task_begin(estimator=owner)
