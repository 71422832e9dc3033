"""What small results share: names, the winner and findings."""

from typing import Any, ClassVar, Self

from .._frozen import kept
from ..findings import Finding
from . import _json
from ._documents import Document, load
from ._model_luck import ModelLuck


class SmallResult(Document):
    """A result of one search with names, a winner and findings."""

    _arrays: ClassVar[dict[str, Any]]

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
            _json.check_plain(cls, values)
            if values.get("model_luck") is not None:
                values["model_luck"] = ModelLuck(**values["model_luck"])
            if "data_findings" in values:
                values["data_findings"] = _json.findings(values["data_findings"])
            result = cls(**values)
            result._check()
        except (TypeError, ValueError, IndexError, KeyError, OverflowError) as error:
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
