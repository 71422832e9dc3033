"""One picture for all papers: the numbers that each printed, and ours beside them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._results import tables_of
from ._study import Study, View
from ._verdict import Claim, judge

#: The study that repeats the main result of each paper.
HEADLINES = {
    "bias_grid": "Bias of tuned estimates, by simulation",
    "inclusion": "Lower bounds for the AUC: inclusion and tightness",
    "spo_ranks": "Rank correlations of resampling and search",
    "stratification": "Bias of tuned estimates, on real data",
}


def draw_headlines(studies: Mapping[str, Study | View], folder: Path) -> None:
    """Write `headlines.png` of what the folder has."""
    found = {name: _numbers(studies[name], folder) for name in HEADLINES}
    if not any(claims for claims, _ in found.values()):
        return
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(layout="constrained", figsize=(9, 8))
    for axes, (name, (claims, verdicts)) in zip(
        figure.subplots(2, 2).flat, found.items(), strict=True
    ):
        _panel(axes, claims)
        axes.set_title(f"{studies[name].source}\n{HEADLINES[name]}\n{verdicts}", fontsize=8)
        axes.set(xlabel="printed", ylabel="ours, 2 standard errors")
    figure.savefig(folder / "headlines.png", dpi=90, metadata={"Software": None})
    pyplot.close(figure)


def _numbers(study: Study | View, folder: Path) -> tuple[list[Claim], str]:
    """The numbers that should be equal to printed ones, and how many tables of them agree."""
    tables = [
        table
        for table in tables_of(study, folder)
        if any(claim.kind == "equal" for claim in table.claims)
    ]
    marks = [judge(table).mark for table in tables]
    claims = [
        claim
        for table in tables
        for claim in table.claims
        if claim.kind == "equal" and not isinstance(claim.ours, str)
    ]
    return claims, f"{marks.count('agrees')} of {len(marks)} tables agree" if marks else "not run"


def _panel(axes: Any, claims: list[Claim]) -> None:
    printed, ours, z = np.array(
        [(float(claim.paper), float(claim.ours), claim.statistic) for claim in claims]
    ).reshape(-1, 3).T  # fmt: skip
    # The difference is z standard errors.
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.nan_to_num(abs((ours - printed) / z), posinf=0.0)
    axes.errorbar(printed, ours, yerr=2 * error, fmt=".", alpha=0.5, elinewidth=0.6)
    if printed.size:
        ends = [min(printed.min(), ours.min()), max(printed.max(), ours.max())]
        axes.plot(ends, ends, color="black", lw=0.8)
