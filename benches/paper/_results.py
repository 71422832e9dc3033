"""RESULTS.md: one section per study that has been run, written anew from the claims."""

from pathlib import Path

from ._run import read, settings_kept
from ._study import Row, Study, View

HEAD = """# The papers' tables and figures

`make paper` runs all of them and goes on where it was interrupted; `make paper ONLY=name` runs
one, `MINUTES=30` stops in time, and `QUICK=1` runs a subsample of all into `build/paper`. Each has
a CSV file with its numbers, one with the claims below, and a picture. Differences are in standard
errors of the difference; more than 4 of them is a disagreement.

Paper 000: Tsamardinos, Greasidou, Borboudakis, Machine Learning 107 (2018). Paper 002:
Paraschakis et al., AutoML (2024). Paper 003: Bischl et al., Evolutionary Computation 20 (2012).
Paper 004: Tsamardinos, Rakhshani, Lagani, IJAIT 24 (2015).
"""

QUICK = "These are subsamples, far smaller than each section says.\n"
# The source of the studies that no paper has.
BEYOND = "Beyond the papers"


def write_results(studies: list[Study | View], folder: Path, *, quick: bool) -> None:
    """Write the sections of the studies whose claims are there."""
    sections = [HEAD, *([QUICK] if quick else [])]
    for study in studies:
        claims = read(folder / f"{study.name}_claims.csv")
        if claims:
            sections.append(_section(study, claims, _kept(studies, study, folder, quick=quick)))
    missing = [study for study in studies if not (folder / f"{study.name}_claims.csv").exists()]
    if missing:
        names = ", ".join(f"`{study.name}` ({study.source})" for study in missing)
        sections.append(f"## Not run at this size yet\n\n{names}.\n")
    (folder / "RESULTS.md").write_text("\n".join(sections), encoding="utf-8")


def _kept(studies: list[Study | View], study: Study | View, folder: Path, *, quick: bool) -> str:
    """A sentence on the settings that are missing, if any."""
    if quick:
        return ""
    if isinstance(study, View):
        study = next(s for s in studies if s.name == study.uses and isinstance(s, Study))
    n_kept, n_settings = settings_kept(study, folder)
    if n_kept == n_settings:
        return ""
    return f"**Kept here are {n_kept} of {n_settings} settings; `make paper` adds the others.** "


def _section(study: Study | View, claims: list[Row], kept: str) -> str:
    against = sum(claim["agrees"] != "True" for claim in claims)
    ours = study.source == BEYOND
    good, bad = ("holds", "fails") if ours else ("agrees", "differs")
    compared_with = "expected" if ours else "the paper's"
    verdict = (
        f"**{good.capitalize()}.**"
        if against == 0
        else f"**{bad.capitalize()}** in {against} of {len(claims)} points."
    )
    lines = [
        f"## {study.source}: {study.title}",
        "",
        f"{verdict} {study.scale} {kept}`{study.name}.csv`, `{study.name}.png`.",
        "",
        f"| claim | ours | {compared_with} | difference | |",
        "|---|---|---|---|---|",
    ]
    for claim in claims:
        mark = good if claim["agrees"] == "True" else f"**{bad}**"
        lines.append(
            f"| {claim['claim']} | {claim['ours']} | {claim['paper']} "
            f"| {claim['difference_in_standard_errors']} | {mark} |"
        )
    if study.notes:
        lines += ["", study.notes.strip()]
    return "\n".join([*lines, ""])
