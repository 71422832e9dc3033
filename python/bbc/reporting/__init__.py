"""A result as a self-contained page."""

from ._page import report

__all__ = ["report"]
