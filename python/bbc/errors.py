"""The exceptions and warnings of bbc."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ContextDecorator
from typing import Any, NamedTuple

__all__ = [
    "ArgumentError",
    "BBCWarning",
    "MissingExtraError",
    "NotKeptError",
    "StoreError",
    "UndefinedMetricError",
]


class BBCWarning(UserWarning):
    """Something in the data or the analysis makes the number less trustworthy."""


class Argument(NamedTuple):
    """An argument (or function) that a message mentions, with the value that it has or may get.

    As text it is Python code; other interfaces have their own names. `...` is any value.
    """

    name: str
    value: Any = None

    def __str__(self) -> str:
        if self.value is None:
            return self.name
        if self.value is ...:
            return f"{self.name}=..."
        return f"{self.name}={_code(self.value)}"


class ArgumentError(Exception):
    """An argument is invalid: a `ValueError` or a `TypeError` that says which, where and why.

    Parameters
    ----------
    argument : str or Argument
        The argument.
    problem : str
        What continues its name; a format string if there are `values`.
    *values : object
        What the problem mentions; an `Argument` is named as the interface calls it.
    code : str, optional
        That of the class by default.
    place : mapping, optional
        Index of the first invalid entry along each axis.
    count : int, default=1
        Number of invalid entries.
    hint : str or tuple, optional
        A tuple is a format string and its values.

    Attributes
    ----------
    argument, problem, hint : str
        The argument's name, what is wrong with it, and what to do about it (may be empty).
    code : str
        What kind of error it is: ``"invalid_value"``, ``"invalid_type"``, ``"undefined_metric"``,
        ``"missing"`` or a code of the kernel.
    place : dict
        Where it is, if it has a place: ``{"repeat": 0, "row": 3, "configuration": 7}``.

    Examples
    --------
    >>> import bbc
    >>> import numpy as np
    >>> scores = np.array([[0.1], [0.9], [np.inf], [0.8]])
    >>> try:
    ...     bbc.correct([0, 1, 0, 1], scores, metric="roc_auc")
    ... except bbc.errors.ArgumentError as error:
    ...     print(error)
    ...     print(error.argument, error.place["row"])
    predictions are infinite at repeat 0, row 2, configuration 0
    predictions 2
    """

    _code = "invalid_argument"

    def __init__(
        self,
        argument: str | Argument,
        problem: str,
        *values: Any,
        code: str = "",
        place: Mapping[str, Any] | None = None,
        count: int = 1,
        hint: str | tuple[Any, ...] = "",
    ) -> None:
        super().__init__(argument, problem, *values)
        self._argument = argument if isinstance(argument, Argument) else Argument(argument)
        self.code = code or self._code
        self.place = dict(place or {})
        self._named: dict[str, str] = {}
        self._count = count
        self._hint = hint if isinstance(hint, tuple) else (hint,)
        self._fill()

    def _fill(self) -> None:
        self.problem = _filled(self.args[1:]).removeprefix(": ")
        self.hint = _filled(self._hint)

    def _name(self, axis: str, names: Sequence[Any]) -> None:
        """Call the place along an axis by its name, if it has none yet."""
        index = self.place.get(axis)
        if index is not None and axis not in self._named and index < len(names):
            self._named[axis] = str(names[index])

    def _call(self, names: Mapping[str, str]) -> None:
        """Rename the argument and those that the message mentions."""

        def renamed(part: Any) -> Any:
            known = isinstance(part, Argument) and part.name in names
            return part._replace(name=names[part.name]) if known else part

        self._argument = renamed(self._argument)
        self.args, self._hint = tuple(map(renamed, self.args)), tuple(map(renamed, self._hint))
        self._fill()

    def _give_to(self, function: str, names: Collection[str]) -> None:
        """Say which function takes the argument, which was not the one called."""
        if self._argument.name in names:
            first, *values = self._hint
            given = f"{first}, given to {function}" if first else f"give it to {function}"
            self._hint = (given, *values)
            self._fill()

    @property
    def argument(self) -> str:
        """Name of the argument."""
        return self._argument.name

    def __str__(self) -> str:
        return worded(self, str)


class InvalidValueError(ArgumentError, ValueError):
    """An argument of the right type has an invalid value."""

    _code = "invalid_value"


class InvalidTypeError(ArgumentError, TypeError):
    """An argument has the wrong type."""

    _code = "invalid_type"


class NotKeptError(InvalidTypeError):
    """A question needs what the source of a correction did not keep."""

    _code = "not_kept"


class UndefinedMetricError(InvalidValueError):
    """The data leave the metric undefined, so no replicate could be scored."""

    _code = "undefined_metric"


class MissingExtraError(ImportError):
    """An optional package is needed; the message names the command that installs it."""


class StoreError(RuntimeError):
    """A store cannot be used: other data, another version, in use, or not writable."""


class arguments_called(ContextDecorator):  # noqa: N801
    """Rename arguments in errors that pass, for functions that call them otherwise."""

    def __init__(self, **names: str) -> None:
        self._names = names

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, ArgumentError):
            error._call(self._names)


def worded(error: ArgumentError, word: Callable[[Argument], str]) -> str:
    """The message of an interface that names arguments by `word`.

    A hint that mentions an argument without a name there is left out.
    """

    def named(argument: Argument) -> str:
        return word(argument) or str(argument)

    problem = _filled(error.args[1:], named)
    text = named(error._argument) + ("" if problem.startswith(":") else " ") + problem
    if error.place:
        text += " at " + ", ".join(_placed(error, axis) for axis in error.place)
        text += f" ({error._count} in total)" if error._count > 1 else ""
    known = all(word(one) for one in error._hint if isinstance(one, Argument))
    return f"{text}; {_filled(error._hint, named)}" if error.hint and known else text


def _placed(error: ArgumentError, axis: str) -> str:
    """An index along an axis, with its name where that says more."""
    name = error._named.get(axis)
    plain = f"{axis} {error.place[axis]}"
    return plain if name in (None, plain, str(error.place[axis])) else f"{plain} ({name})"


def _code(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_code, value))}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _filled(message: tuple[Any, ...], word: Callable[[Argument], str] = str) -> str:
    """A message of a format string and its values; a text without values is no format string."""
    text, *values = message
    if not values:
        return str(text)
    return str(text).format(*(word(one) if isinstance(one, Argument) else one for one in values))
