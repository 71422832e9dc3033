"""A result as one self-contained page."""

from ._page import report

__all__ = ["report"]
