"""The exceptions and warnings of bbc."""

__all__ = [
    "BBCWarning",
    "MissingExtraError",
    "StoreError",
    "UndefinedMetricError",
]


class BBCWarning(UserWarning):
    """Something in the data or the analysis makes the number less trustworthy."""


class UndefinedMetricError(ValueError):
    """The data leave the metric undefined, so no replicate could be scored."""


class MissingExtraError(ImportError):
    """An optional package is needed; the message names the command that installs it."""


class StoreError(RuntimeError):
    """A store cannot be used: other data, another version, in use, or not writable."""
