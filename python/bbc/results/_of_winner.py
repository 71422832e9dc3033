"""What results have in common that are read of the winner of a correction."""

from .._page import remarks
from ..findings import Finding, found
from ._estimate import PerformanceEstimate


class OfWinner:
    """What is read of the winner of a correction, and its findings."""

    performance: PerformanceEstimate
    shares_left_out: bool

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the correction, and BBC035."""
        facts = {"shares_left_out": self.shares_left_out, "method": self.performance.method}
        return (*self.performance.findings, *found("curves", facts))

    @property
    def _remarks(self) -> list[tuple[str, str]]:
        return remarks(self.findings, infeasible=self.performance.infeasible)
