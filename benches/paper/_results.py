"""Claims, pictures and RESULTS.md, all of them from the CSV files of the studies."""

from collections import Counter
from pathlib import Path

from ..model_luck import _page as model_luck
from ._run import read, settings_kept, write
from ._study import Row, Study, View
from ._verdict import Claim, Table, Verdict, judge

HEAD = """# The papers' tables and figures

`make paper` runs all studies and resumes where it was interrupted; `make paper ONLY=name` runs one,
`MINUTES=30` stops in time, `MINUTES=0` only writes this page anew from the CSV files, and `QUICK=1`
runs a subsample of all into `build/paper`. Each study has a CSV file with its numbers, one with the
claims below, and a picture; `headlines.png` shows the main numbers of each paper beside ours.

Paper 000: Tsamardinos, Greasidou, Borboudakis, Machine Learning 107 (2018). Paper 002:
Paraschakis et al., AutoML (2024). Paper 003: Bischl et al., Evolutionary Computation 20 (2012).
Paper 004: Tsamardinos, Rakhshani, Lagani, IJAIT 24 (2015).

## When a table agrees

- **Numbers that should be equal** agree as a table: no more of them may differ by over 2 standard
  errors than the binomial 99 % bound allows, and the pooled z, the sum of the z over its standard
  deviation, must be within 3. Numbers from the same runs enter it with their covariance; the count
  takes them as independent, which is the stricter side. The chi-square is given for information.
- **One-sided claims** are tested one-sided at 5 %, with Holm's correction within their table.
  "Not optimistic" and "conservative" hold unless the test rejects them. A direction, such as
  "optimistic", holds only if the test rejects its opposite; otherwise it is *not shown*.
- **Statements**, such as the order of four protocols, are read off the numbers without a test.
- Rows without a verdict are information and not counted.
"""

LUCK = """In the studies marked *excluded*, rows are drawn independently given a fixed skill of each
configuration. The predictions of a fold then share no luck of the model fitted for that fold, so
these studies cannot show what such luck does to an estimate; the last section does.
"""
LUCK_HERE = (
    "Rows are drawn independently given a fixed skill: luck of fitted models is excluded by "
    "construction (see the section on model luck). "
)
QUICK = "These are subsamples, far smaller than each section says.\n"
# The source of the studies that no paper has.
BEYOND = "Beyond the papers"
WORDS = {"agrees": "holds", "differs": "fails", "not shown": "not shown", "": ""}


def conclude(study: Study | View, folder: Path) -> None:
    """Write the claims of a study and its picture, and the rows of a view, if it has been run."""
    tables = tables_of(study, folder)
    if not tables:
        return
    if isinstance(study, View):
        write(folder / f"{study.name}.csv", study.summarise(_rows(study, folder)))
    write(folder / f"{study.name}_claims.csv", claim_rows(tables))
    _draw(study, read(folder / f"{study.name}.csv"), folder / f"{study.name}.png")


def tables_of(study: Study | View, folder: Path) -> list[Table]:
    """Return the tables of a study; none if it has not been run."""
    rows = _rows(study, folder)
    return study.tables(rows) if rows else []


def _rows(study: Study | View, folder: Path) -> list[Row]:
    return read(folder / f"{study.uses if isinstance(study, View) else study.name}.csv")


def claim_rows(tables: list[Table]) -> list[Row]:
    """Return all claims with how each was judged."""
    return [
        {
            "table": table.title,
            "claim": claim.text,
            "ours": _shown(claim.ours),
            "paper": _shown(claim.paper),
            "kind": claim.kind,
            "z": f"{claim.statistic:.2f}" if claim.kind == "equal" else "",
            "p": f"{claim.statistic:.3g}" if claim.kind in ("not refuted", "shown") else "",
            "table_verdict": verdict.mark,
            "claim_verdict": mark,
        }
        for table in tables
        for verdict in (judge(table),)
        for claim, mark in zip(table.claims, verdict.marks, strict=True)
    ]


def write_results(studies: list[Study | View], folder: Path, *, quick: bool) -> None:
    """Write RESULTS.md."""
    (folder / "RESULTS.md").write_text(page(studies, folder, quick=quick), encoding="utf-8")


def page(studies: list[Study | View], folder: Path, *, quick: bool) -> str:
    """Return RESULTS.md: a table of all verdicts, and a section per study that has been run."""
    judged = {study.name: [(t, judge(t)) for t in tables_of(study, folder)] for study in studies}
    there = [study for study in studies if judged[study.name]]
    sections = [HEAD, *([QUICK] if quick else []), _overview(studies, there, judged)]
    sections += [
        _section(study, judged[study.name], _luck_excluded(studies, study),
                 "" if quick else _kept(studies, study, folder))
        for study in there
    ]  # fmt: skip
    if missing := [study for study in studies if not judged[study.name]]:
        names = ", ".join(f"`{study.name}` ({study.source})" for study in missing)
        sections.append(f"## Not run at this size yet\n\n{names}.\n")
    if not quick:
        sections.append(model_luck.section())
    return "\n".join(sections)


Judged = list[tuple[Table, Verdict]]


def _overview(
    studies: list[Study | View], there: list[Study | View], judged: dict[str, Judged]
) -> str:
    lines = [
        "## All verdicts",
        "",
        "| study | tables | agree or hold | differ or fail | not shown | luck of fitted models |",
        "|---|---|---|---|---|---|",
    ]
    total: Counter[str] = Counter()
    for study in there:
        count = count_of(judged[study.name])
        total += count
        luck = "excluded" if _luck_excluded(studies, study) else ""
        lines.append(f"| {study.source}: {study.title} | {_counts(count)} | {luck} |")
    return "\n".join([*lines, f"| **all** | {_counts(total)} | |", "", LUCK])


def count_of(judged: Judged) -> Counter[str]:
    """How many tables have each verdict."""
    return Counter(str(verdict.mark) for _, verdict in judged if verdict.mark)


def _counts(count: Counter[str]) -> str:
    numbers = (count.total(), *(count[mark] for mark in ("agrees", "differs", "not shown")))
    return " | ".join(str(number) for number in numbers)


def _study_of(studies: list[Study | View], study: Study | View) -> Study:
    if isinstance(study, Study):
        return study
    return next(s for s in studies if isinstance(s, Study) and s.name == study.uses)


def _luck_excluded(studies: list[Study | View], study: Study | View) -> bool:
    return _study_of(studies, study).fixed_skill


def _kept(studies: list[Study | View], study: Study | View, folder: Path) -> str:
    """A sentence on the settings that are missing, if any."""
    n_kept, n_settings = settings_kept(_study_of(studies, study), folder)
    if n_kept == n_settings:
        return ""
    return f"**Kept here are {n_kept} of {n_settings} settings; `make paper` adds the others.** "


def _section(study: Study | View, judged: Judged, luck_excluded: bool, kept: str) -> str:
    ours = study.source == BEYOND
    lines = [
        f"## {study.source}: {study.title}",
        "",
        f"{_headline(count_of(judged), ours)} {study.scale} "
        f"{LUCK_HERE if luck_excluded else ''}{kept}`{study.name}.csv`, `{study.name}.png`.",
        "",
        f"| claim | ours | {'expected' if ours else 'the paper'} | z or p | |",
        "|---|---|---|---|---|",
    ]
    for table, verdict in judged:
        lines.append(f"| **{table.title}** | {verdict.reason} | | | {_word(verdict.mark, ours)} |")
        if table.listed:
            lines += [
                f"| {claim.text} | {_shown(claim.ours)} | {_shown(claim.paper)} "
                f"| {_statistic(claim)} | {'' if claim.kind == 'equal' else _word(mark, ours)} |"
                for claim, mark in zip(table.claims, verdict.marks, strict=True)
            ]
    if study.notes:
        lines += ["", study.notes.strip()]
    return "\n".join([*lines, ""])


def _headline(count: Counter[str], ours: bool) -> str:
    if not count:
        return "**Information only.**"
    parts = [
        f"{WORDS[mark] if ours else mark} in {count[mark]}"
        for mark in ("agrees", "differs", "not shown")
        if count[mark]
    ]
    text = ", ".join(parts)
    return f"**{text[0].upper()}{text[1:]} of {count.total()} tables.**"


def _word(mark: str, ours: bool) -> str:
    word = WORDS[mark] if ours else mark
    return word if mark in ("agrees", "") else f"**{word}**"


def _statistic(claim: Claim) -> str:
    if claim.kind == "equal":
        return f"z {claim.statistic:+.1f}"
    if claim.kind not in ("not refuted", "shown"):
        return ""
    return "p < .001" if claim.statistic < 0.001 else f"p {claim.statistic:.2g}"


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"


def _draw(study: Study | View, rows: list[Row], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(layout="constrained", figsize=(9, 5.5))
    study.draw(rows, figure)
    figure.suptitle(f"{study.source}: {study.title}", fontsize=10)
    figure.savefig(path, dpi=90, metadata={"Software": None})
    pyplot.close(figure)
