"""The tables of this folder as a section of the page of results, made from the CSV files."""

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
Rows = list[dict[str, str]]

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

{n} simulated settings, {quiet} of them without luck, all others with luck of a fitted model of sd
.02 or .05 (`forms.csv`, every setting in a line of its own). Mean bias with its standard error, the
largest bias of either sign, and the lowest coverages of any setting; width is relative to that of
BBC's order statistics, averaged over settings. Forms for several repeats have {repeated} settings.
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
            _bias(row),
            *_shown(row, *names),
        ]
        for row in rows
    )
    head = ("learner, seeds of fits", "metric", "rows, folds, repeats", "method", "bias",
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
        quiet = [row for row in found if float(row["luck"]) == 0]
        lucky = [row for row in found if float(row["luck"]) > 0]
        lines.append([form, interval, *_summary(quiet), *_summary(lucky), f"{ratio:.2f}"])
    head = ["form", "interval"]
    for luck in ("no luck", "luck"):
        head += [f"{luck}: bias", "largest", "expectation", "refit"]
    text = FORMS.format(
        n=len(own),
        quiet=sum(float(key[keys.index("luck")]) == 0 for key in own),
        repeated=sum(int(key[keys.index("n_repeats")]) > 1 for key in own),
    )
    return f"{text}\n{_table([*head, 'width'], lines)}"


def _summary(rows: Rows) -> list[str]:
    """Mean bias, the largest of either sign, and the lowest coverages, over settings."""
    bias, error, expectation, refit = (
        np.array([float(row[name]) for row in rows])
        for name in ("bias", "bias_se", "covers_expectation", "covers_refit")
    )
    mean_error = np.sqrt((error**2).sum()) / len(rows)
    return [
        f"{bias.mean():+.3f} ± {mean_error:.3f}",
        f"{bias.min():+.3f}, {bias.max():+.3f}",
        f"{expectation.min():.2f}",
        f"{refit.min():.2f}",
    ]


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
