"""What surrounds an analysis: its negative control, and the rows that it needs."""

from ._negative_control import negative_control
from ._plan_rows import plan_rows

__all__ = ["negative_control", "plan_rows"]
