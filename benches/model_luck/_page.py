"""The tables of this folder as a section of the page of results, made from the CSV files."""

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
Rows = list[dict[str, str]]
# The larger sd of a fitted model's luck, in the simulated settings.
SD = 0.05

HEAD = """## Model luck: where the fitted models vary, too

Bias is positive where an estimate is too good, whatever the metric; *expectation* and *refit* are
the coverages, at a nominal 95 %, of (a) the expected performance of choosing and training and (b)
the performance of the one model that is trained on all rows. All numbers come from the CSV files in
`benches/model_luck`.
"""
LEARNERS = """### Real learners

{n} settings of {learners} learners (`learners.csv`, {runs} samples each, truth on 4,000 fresh
rows). Seeds of fits: one per fit, as in a search over unseeded learners, or one per configuration,
as the protocols of `bbc` give. The data are the same kind throughout and hard; with 50 rows,
stratified folds make every method a little optimistic.
"""
FORMS = """### Forms of the bootstrap and of the interval

{n} simulated settings (`forms.csv` has a line for each), {quiet} of them without luck, the others
with luck of a fitted model of sd .02 or .05; forms for several repeats have {repeated}. Bias is the
mean over settings with its standard error, coverages are the lowest of any setting, and width is
relative to that of BBC's order statistics, averaged over settings. "two-level" is
`method="bbc-two-level"`, and "calibrated, refit" its `interval="calibrated"`.
"""
SNIPPET = """### The smallest example

{runs} samples of 500 rows, 5 folds, 100 equal configurations, luck of a fitted model of sd .05
(`example.csv`).
"""
SEEDS = """### Which seed for a learner that is left to chance

`seeds.csv`; settings of the first part chose the rule, those of the second, with other seeds,
certify it. *Any seed* is the coverage of a refit with a new seed.
"""
POWER = """### Power of the test behind finding BBC011

Share of samples with p at most .05, by the sd of a fitted model's luck (`power.csv`, {runs} samples
each; standard errors of at most .025). At luck 0 it is the level.
"""
SEED_TEXT = {"none": "", "configuration": ", one per configuration", "independent": ", one per fit"}


def section(folder: Path = HERE) -> str:
    """Return the section, in Markdown."""
    parts = (_learners, _example, _forms, _seeds, _power)
    return "\n".join([HEAD, *(part(folder) for part in parts)])


def _read(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    names = list(head)
    rows = [names, ["---"] * len(names), *(list(line) for line in lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _bias(row: dict[str, str], name: str = "bias") -> str:
    return f"{float(row[name]):+.3f} ± {float(row['bias_se']):.3f}"


def _shown(row: dict[str, str], *names: str) -> list[str]:
    return [f"{float(row[name]):.3f}" if row[name] else "" for name in names]


def _span(values: Iterable[str]) -> str:
    numbers = sorted({int(value) for value in values})
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def _learners(folder: Path) -> str:
    rows = _read(folder / "learners.csv")
    keys = ("learner", "seeds", "metric", "n_rows", "n_folds", "n_repeats")
    text = LEARNERS.format(
        n=len({tuple(row[key] for key in keys) for row in rows}),
        learners=len({row["learner"] for row in rows}),
        runs=_span(row["runs"] for row in rows),
    )
    names = ("covers_expectation", "covers_refit", "width")
    lines = (
        [
            f"{row['learner']}{SEED_TEXT[row['seeds']]}",
            row["metric"],
            f"{row['n_rows']}, {row['n_folds']}, {row['n_repeats']}",
            row["method"],
            *_shown(row, "truth"),
            _bias(row),
            *_shown(row, *names),
        ]
        for row in rows
    )
    head = ("learner, seeds of fits", "metric", "rows, folds, repeats", "method", "truth", "bias",
            "expectation", "refit", "width")  # fmt: skip
    return f"{text}\n{_table(head, lines)}"


def _example(folder: Path) -> str:
    rows = _read(folder / "example.csv")
    names = ("covers_expectation", "covers_refit", "width")
    lines = ([row["method"], row["interval"], _bias(row), *_shown(row, *names)] for row in rows)
    text = SNIPPET.format(runs=_span(row["runs"] for row in rows))
    return (
        f"{text}\n{_table(('method', 'interval', 'bias', 'expectation', 'refit', 'width'), lines)}"
    )


def _forms(folder: Path) -> str:
    rows = _read(folder / "forms.csv")
    not_setting = {"form", "interval", "bias", "bias_se", "rmse", "width", "cpu",
                   "covers_expectation", "covers_refit"}  # fmt: skip
    keys = [key for key in rows[0] if key not in not_setting]
    by_form: dict[tuple[str, str], Rows] = {}
    own: dict[tuple[str, ...], float] = {}
    for row in rows:
        by_form.setdefault((row["form"], row["interval"]), []).append(row)
        if (row["form"], row["interval"]) == ("bbc", "order statistics"):
            own[tuple(row[key] for key in keys)] = float(row["width"])
    lines = []
    for (form, interval), found in by_form.items():
        ratio = np.mean([float(r["width"]) / own[tuple(r[key] for key in keys)] for r in found])
        lines.append([form, interval, *_summary(found), f"{ratio:.2f}"])
    sizes = ("20 to 50 rows", "200 to 1000")
    head = [
        *("form", "interval"),
        *(f"bias, luck {luck:g}, {size}" for luck in (0, SD) for size in sizes),
        *(f"{of}, {luck}" for of in ("expectation", "refit") for luck in ("no luck", "luck")),
        "width",
    ]
    text = FORMS.format(
        n=len(own),
        quiet=sum(float(key[keys.index("luck")]) == 0 for key in own),
        repeated=sum(int(key[keys.index("n_repeats")]) > 1 for key in own),
    )
    return f"{text}\n{_table(head, lines)}"


def _summary(rows: Rows) -> list[str]:
    """Mean bias with and without luck, with few rows and with more; the lowest coverages."""
    cells = [
        _mean_bias(
            [r for r in rows if float(r["luck"]) == luck and (int(r["n_rows"]) >= 200) == many]
        )
        for luck in (0, SD)
        for many in (False, True)
    ]
    for name in ("covers_expectation", "covers_refit"):
        for lucky in (False, True):
            found = [float(row[name]) for row in rows if (float(row["luck"]) > 0) == lucky]
            cells.append(f"{min(found):.2f}" if found else "")
    return cells


def _mean_bias(rows: Rows) -> str:
    if not rows:
        return ""
    bias, error = (np.array([float(row[name]) for row in rows]) for name in ("bias", "bias_se"))
    return f"{bias.mean():+.3f} ± {np.sqrt((error**2).sum()) / len(rows):.3f}"


def _seeds(folder: Path) -> str:
    rows = _read(folder / "seeds.csv")
    lines = (
        [
            {"choose": "chose", "certify": "certifies"}[row["stage"]],
            f"{row['cell']}: {row['n_rows']} rows, {row['metric']}",
            row["seed_per"],
            _bias(row),
            *_shown(row, "coverage_expected", "coverage_refit", "coverage_any_seed", "width"),
            f"{float(row['truth']):.3f} ± {float(row['truth_se']):.3f}",
        ]
        for row in rows
    )
    head = ("part", "setting", "seed per", "bias", "expectation", "refit", "any seed", "width",
            "truth")  # fmt: skip
    return f"{SEEDS}\n{_table(head, lines)}"


def _power(folder: Path) -> str:
    rows = _read(folder / "power.csv")
    lucks = list(dict.fromkeys(row["luck"] for row in rows))
    by_setting: dict[str, list[str]] = {}
    for row in rows:
        by_setting.setdefault(row["setting"], []).append(f"{float(row['power']):.2f}")
    lines = ([setting, *values] for setting, values in by_setting.items())
    text = POWER.format(runs=_span(row["runs"] for row in rows))
    return f"{text}\n{_table(('setting', *(f'luck {luck}' for luck in lucks)), lines)}"
