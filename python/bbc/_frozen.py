"""Frozen dataclasses that are quick to make: every correction makes a handful of them."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(*, eq: bool = True) -> Callable[[type[_T]], type[_T]]:
    """Like ``dataclass(frozen=True)``, but an object takes over the fields of a plain one.

    A frozen dataclass sets each field by a call of ``object.__setattr__``, which took a tenth of
    a small correction. Fields are ordinary ones: all of them are arguments, none by keyword only.
    """

    def made(cls: type[_T]) -> type[_T]:
        made = dataclasses.dataclass(frozen=True, eq=eq)(cls)
        made.__init__ = functools.wraps(made.__init__)(_init(made))  # type: ignore[method-assign]
        return made

    return made


def _init(cls: Any) -> Callable[..., None]:
    plain = dataclasses.make_dataclass(
        cls.__qualname__,
        [(item.name, Any, _default(item)) for item in dataclasses.fields(cls)],
        eq=False,
        repr=False,
    )
    checked = hasattr(cls, "__post_init__")

    def init(self: Any, *args: Any, **given: Any) -> None:
        object.__setattr__(self, "__dict__", plain(*args, **given).__dict__)
        if checked:
            self.__post_init__()

    return init


def _default(item: Any) -> Any:
    if item.default_factory is not dataclasses.MISSING:
        return dataclasses.field(default_factory=item.default_factory)
    return dataclasses.field(default=item.default)
