"""What goes wrong in R, as Python's exceptions and warnings."""


class RError(RuntimeError):
    """An error that R code raised; the message is R's."""


class RWarning(UserWarning):
    """A warning that R code gave; the message is R's."""


class RNotAvailableError(ImportError):
    """R or rpy2 is missing or does not fit."""
