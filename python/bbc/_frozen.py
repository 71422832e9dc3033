"""Frozen dataclasses that are quick to make, and the arrays that they keep."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(*, eq: bool = True) -> Callable[[type[_T]], type[_T]]:
    """Like ``dataclass(frozen=True)``, but the fields are set all at once.

    A frozen dataclass sets each field by a call of ``object.__setattr__``, which took a tenth of
    a small correction. Fields are ordinary ones: all of them are arguments, none by keyword only.
    """

    def made(cls: type[_T]) -> type[_T]:
        made = dataclasses.dataclass(frozen=True, eq=eq)(cls)
        made.__init__ = functools.wraps(made.__init__)(_init(made))  # type: ignore[method-assign]
        return made

    return made


def _init(cls: Any) -> Callable[..., None]:
    slowly = cls.__init__
    fields = dataclasses.fields(cls)
    names = tuple(item.name for item in fields)
    known = frozenset(names)
    missing = dataclasses.MISSING
    defaults = {item.name: item.default for item in fields if item.default is not missing}
    factories = {
        item.name: item.default_factory for item in fields if item.default_factory is not missing
    }
    checked = hasattr(cls, "__post_init__")

    def init(self: Any, *args: Any, **given: Any) -> None:
        own = {**defaults, **given}
        if args:
            own.update(zip(names, args, strict=False))
        for name, factory in factories.items():
            if name not in own:
                own[name] = factory()
        twice = bool(args) and not given.keys().isdisjoint(names[: len(args)])
        if twice or own.keys() != known or len(args) > len(names):
            slowly(self, *args, **given)  # says what is wrong
        object.__setattr__(self, "__dict__", own)
        if checked:
            self.__post_init__()

    return init


def kept(values: Any, dtype: Any = None) -> NDArray[Any]:
    """A read-only array that changes with nobody else's: a copy, unless it is read-only already."""
    if isinstance(values, np.ndarray) and dtype in (None, values.dtype):
        fixed: NDArray[Any] = values
        if not fixed.flags.writeable:
            return fixed
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of an array that nobody else has, so that `kept` need not copy it."""
    view = array.view()
    view.flags.writeable = False
    return view
