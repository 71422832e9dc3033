"""What small results share: equality, JSON and findings."""

from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np

from .._frozen import kept
from ..findings import Finding
from . import _json
from ._documents import dump, load
from ._model_luck import ModelLuck


class SmallResult:
    """A frozen dataclass that compares by value and can be written as JSON."""

    _arrays: ClassVar[dict[str, Any]]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        values = vars(self)
        for name, dtype in self._arrays.items():
            values[name] = kept(values[name], dtype)
        for name in ("names", "notes"):
            if values.get(name) is not None:
                values[name] = tuple(str(text) for text in values[name])
        if not values["winner_name"]:
            names, winner = values["names"], values["winner"]
            values["winner_name"] = names[winner] if names else f"configuration {winner}"

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the result as valid JSON from which `from_json` restores every bit.

        Parameters
        ----------
        indent : int, optional
            As in `json.dumps`.

        Returns
        -------
        str
            The document.
        """
        return dump(
            type(self).__name__,
            {item.name: getattr(self, item.name) for item in fields(self)},
            indent,
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Restore a result that `to_json` wrote.

        Parameters
        ----------
        text : str
            The document.

        Returns
        -------
        result
            Equal to the one that was written.

        Raises
        ------
        ValueError
            If the text is not such a document.
        """
        try:
            values = load(text, cls.__name__)
            if values.get("model_luck") is not None:
                values["model_luck"] = ModelLuck(**values["model_luck"])
            if "data_findings" in values:
                values["data_findings"] = _json.findings(values["data_findings"])
            result = cls(**values)
            result._check()
        except (TypeError, ValueError, IndexError, KeyError, RecursionError) as error:
            raise ValueError(f"text is not a complete {cls.__name__}: {error}") from None
        return result

    def _check(self) -> None:
        """Refuse values that no analysis gives."""
        values: dict[str, Any] = vars(self)
        n = values["n_configurations"]
        if not 0 <= values["winner"] < n:
            raise ValueError(f"the winner is none of the {n} configurations")
        for name in self._arrays:
            if values[name].shape != (n,):
                raise ValueError(f"{name} has shape {values[name].shape}")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the validity of the result, each with a code, a reason and advice."""
        return tuple(sorted(vars(self).get("data_findings", ()), key=lambda each: each.code))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = [(getattr(self, item.name), getattr(other, item.name)) for item in fields(self)]
        return all(
            np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b) for a, b in pairs
        )

    __hash__ = None  # type: ignore[assignment]
