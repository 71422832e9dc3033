"""The only importer of the compiled module: specs in, kernel arguments out, results back."""

from ._convert import Plan, kernel_version
from ._correct import Correction, correct
from ._scores import score

__all__ = ["Correction", "Plan", "correct", "kernel_version", "score"]
