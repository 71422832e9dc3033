"""Doors from other tools: tables and searches become out-of-sample predictions."""

from ._tables import from_long, from_wide

__all__ = ["from_long", "from_wide"]
