"""Renders every kind of page and picture in Chromium, to be looked at: `make look`, build/look.

Each page is shown wide and on a phone, light and dark, and printed; each display is drawn alone.
"""

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from chromium import FLAGS, Chromium

import bbc
from families import compared_arrays

VIEWS = {"wide": 1000, "phone": 390}
LONG = [f"classifier__regularisation_strength={2.0**i:g}" for i in range(30)]
FAST = {"n_bootstraps": 400, "random_state": 1}


def rare_events(seed: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Risks of a skewed cohort with 8 % events, by learners whose risks have different ranges."""
    rng = np.random.default_rng(seed)
    n = 900
    logit = -3.3 + rng.gamma(1.2, 0.9, n) - 0.75
    y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    columns = []
    for scale, top in ((1.0, 1.0), (0.9, 0.45), (1.25, 1.0), (0.8, 0.3), (1.1, 0.7)):
        noisy = scale * (logit + 2.5) - 2.5 + rng.normal(0, 0.35, n)
        columns.append(np.minimum(1 / (1 + np.exp(-noisy)), top * rng.uniform(0.97, 1, n)))
    return y, np.column_stack(columns), rng.choice(["ward A", "ward B", "outpatients"], n)


def results() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Name, result and options of each page."""
    s = bbc.simulate.accuracy(80, 30, random_state=2)
    e = bbc.correct(s.y, s.predictions, metric="accuracy", names=LONG, random_state=1)
    yield "estimate", e, {}
    yield "model-card", e, {"kind": "model-card"}
    few = bbc.correct(s.y[:16], s.predictions[:16], metric="f1", pos_label=1, random_state=1)
    yield "few-rows", few, {}
    y, risks, ward = rare_events()
    clinical = bbc.correct(y, risks, metric="log_loss", **FAST).clinical()
    found = bbc.correct(y, risks, metric="roc_auc", **FAST).subgroups(ward)
    yield "clinical-8-percent", clinical, {"subgroups": found}
    regression = np.random.default_rng(0)
    target = regression.normal(50, 20, 150)
    values = target[:, None] + regression.normal(0, 18, (150, 12))
    made = bbc.correct(
        target,
        values,
        metric="neg_root_mean_squared_error",
        secondary=["r2", "mean_absolute_error"],
        names=[f"ridge(alpha={2.0**i:g})" for i in range(12)],
        **FAST,
    )
    yield "several-metrics", made, {}
    yield "several-metrics-card", made, {"kind": "model-card"}
    times = regression.exponential(900, 150)
    truth = np.array(
        list(zip(regression.random(150) < 0.6, times, strict=True)),
        dtype=[("event", "?"), ("time", "f8")],
    )
    grid = tuple(np.linspace(200, 1400, 7).tolist())
    curves = np.exp(-np.outer(regression.uniform(0.6, 1.6, 150) / 900, grid))
    survival = np.stack([curves, curves**1.1], axis=1)
    integrated = bbc.metrics.integrated_brier_score(grid)
    yield "survival", bbc.correct(truth, survival, metric=integrated, **FAST), {}
    families = {"trees": s.predictions[:, :15], "boosted": s.predictions[:, 15:]}
    comparison = compared_arrays(s.y, families, metric="accuracy", **FAST)
    yield "comparison", comparison, {}
    apart = {"logistic regression": risks[:, :2], "nearest neighbours": risks[:, 2:4]}
    several = compared_arrays(
        y,
        apart | {"default": risks[:, 4:]},
        metric="roc_auc",
        secondary=["neg_log_loss"],
        folds=np.arange(len(y)) % 10,
        **FAST,
    )
    yield "comparison-by-two-metrics", several, {}
    c = bbc.correct(s.y, s.predictions, metric="accuracy", **FAST)
    path, possible = c.tuning_path(), c.possible_winners()
    collected = {"Trees against boosting": comparison, "Length of the search": path}
    yield (
        "everything",
        collected | {"Wards": found, "Possible winners": possible, "Accuracy": e},
        {},
    )


def displays() -> Iterator[tuple[str, Any]]:
    """Each kind of picture."""
    s = bbc.simulate.accuracy(80, 30, random_state=2)
    y, risks, ward = rare_events()
    plain = {"metric": "accuracy", **FAST}
    e = bbc.correct(s.y, s.predictions, names=LONG, **plain)
    clinical = bbc.correct(y, risks, metric="log_loss", **FAST).clinical()
    yield "replicates", e.plot()
    yield "selection", bbc.plots.selection(e)
    yield "calibration", clinical.calibration.plot()
    yield "decision-curve", clinical.decision_curve.plot()
    yield "roc", clinical.roc_curve.plot()
    yield "precision-recall", clinical.precision_recall_curve.plot()
    found = bbc.correct(y, risks, metric="roc_auc", **FAST).subgroups(ward)
    yield "subgroups", found.plot()
    yield "tuning-path", e.tuning_path().plot()
    families = {"trees": s.predictions[:, :15], "boosted": s.predictions[:, 15:]}
    yield "comparison", compared_arrays(s.y, families, **plain).plot()


def printed(page: Path, target: Path) -> None:
    """Print the page."""
    with tempfile.TemporaryDirectory() as profile:
        options = [f"--user-data-dir={profile}", f"--print-to-pdf={target}"]
        command = ["chromium", *FLAGS, *options, "--no-pdf-header-footer", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)


def main(folder: Path) -> None:
    """Write pages and pictures."""
    import matplotlib as mpl

    mpl.use("agg")
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    pages = []
    for name, result, options in results():
        page = folder / f"{name}.html"
        pages.append(Path(bbc.report(result, page, **options)))
        if options.get("kind") == "model-card":
            bbc.report(result, folder / f"{name}.md")
    for name, display in displays():
        display.figure_.savefig(folder / f"picture-{name}.png", dpi=110)
    complaints = []
    with Chromium() as browser:
        for page in pages:
            browser.open(page)
            for screen, width in VIEWS.items():
                for theme in ("light", "dark"):
                    picture = folder / f"{page.stem}-{screen}-{theme}.png"
                    browser.shot(picture, width=width, dark=theme == "dark")
                wider = browser.value("document.documentElement.scrollWidth - innerWidth")
                if wider > 0:
                    complaints.append(f"{page.name} is {wider} pixels too wide on {screen}")
        complaints += browser.complaints()
    for page in pages:
        printed(page, page.with_suffix(".pdf"))
    assert not complaints, complaints
    print(f"{len(pages)} pages and {len(list(folder.glob('picture-*')))} pictures: see {folder}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
