"""The page of a clinical paper's numbers."""

import base64
from dataclasses import replace
from typing import Any

import numpy as np

from .._page import rounded
from .._titles import metric_title, parsed
from ..clinical import clinical_performance
from ..errors import InvalidTypeError, InvalidValueError
from ..plots import (
    CalibrationDisplay,
    DecisionCurveDisplay,
    PerformanceCurveDisplay,
    SelectionDisplay,
    SubgroupDisplay,
)
from ..results import ClinicalPerformance, NegativeControl, PerformanceEstimate, Subgroups
from ..selection import get as get_selection
from . import _words
from ._picture import Picture, png

# Parameters of a protocol that its correction takes.
_OWN = ("stratify_bootstrap", "confidence_level", "on_undefined")
_OPEN = (
    "title and abstract (1, 2), background and objectives (3, 4), data and participants (5, 6), "
    "data preparation (7), outcome and predictors (8, 9), missing data (11), handling of "
    "predictors (12b), heterogeneity between sites (12d, 23b), updating (12f, 24), class "
    "imbalance (13), fairness (14), model output (15), ethics (17), open science (18), public "
    "involvement (19), flow of participants (20), the model in full (22), "
    "interpretation and use (25, 27)"
)


def performance_of(search: Any) -> ClinicalPerformance:
    """The clinical performance of a fitted protocol, on the replicates of its correction."""
    predictions = getattr(search, "oos_predictions_", None)
    e = getattr(search, "performance_", None)
    if predictions is None or e is None:
        raise InvalidTypeError(
            "result",
            "must be a fitted protocol such as bbc.BBC, or what bbc.clinical_performance returns, "
            f"for kind='clinical', got {type(search).__name__}",
        )
    if "decision_function" in (predictions.response or ()):
        place = predictions.response.index("decision_function")
        raise InvalidValueError(
            "result",
            f": the scores of {predictions.names[place]} are decision values, and calibration "
            "needs probabilities; tune by a metric of probabilities, such as 'neg_log_loss'",
        )
    if predictions.scores is None:
        raise InvalidValueError(
            "result",
            f": {type(search).__name__} kept labels, and calibration needs probabilities; tune by "
            "a metric of probabilities, such as 'neg_log_loss'",
        )
    if e.replicates is None:
        raise InvalidTypeError(
            "result",
            f": {type(search).__name__} draws no replicates, of which the page shows statistics; "
            "use bbc.BBC, or pass bbc.clinical_performance(y, search.oos_predictions_, ...)",
        )
    kept = np.setdiff1d(np.arange(e.n_configurations), e.left_out_configurations)
    rule = get_selection(getattr(search, "selection", "best"))
    found = clinical_performance(
        predictions.y,
        predictions,
        metric=search._scoring.metric,
        method=e.method,
        pooling=e.pooling,
        folds=predictions.folds,
        groups=predictions.groups,
        pos_label=e.pos_label,
        selection=rule if kept.size == e.n_configurations else rule.of_kept(kept),
        n_bootstraps=e.n_bootstraps,
        random_state=e.seed,
        **{name: getattr(search, name) for name in _OWN if hasattr(search, name)},
    )
    # The protocol knows all its configurations; dropped and failed ones have no predictions.
    return replace(found, performances=(e, *found.performances[1:]))


def page(
    p: ClinicalPerformance, subgroups: Subgroups | None, control: NegativeControl | None
) -> dict[str, Any]:
    """What the template shows."""
    e = p.performance
    interval = e.confidence_interval
    reported = next((each for each in p.performances if each.metric == "roc_auc"), e)
    return {
        "title": "Performance of a tuned prediction model",
        "headline": _words.headline(reported),
        "uncorrected": _uncorrected(p),
        "findings": e.findings,
        "notes": e.notes,
        "level": "" if interval is None else f"{100 * interval.confidence_level:g} %",
        "rows": [(metric_title(name), *cells) for name, *cells in p.rows],
        "undefined": _undefined(p),
        "csv": base64.b64encode(p.to_frame().to_csv(index=False).encode()).decode("ascii"),
        "parts": [
            *_parts(p),
            *([] if subgroups is None else _subgroups(subgroups)),
            *_stability(e),
            *([] if control is None else _control(control)),
        ],
        "learners": learners(e.names or ()),
        "facts": e.facts,
        "methods": _methods(p),
        "citation": _words.citation(e),
        "answered": _answered(p),
        "open_items": _OPEN,
        "version": e.version,
    }


def _uncorrected(p: ClinicalPerformance) -> str:
    e, slope = p.performance, p.calibration.slope
    compared = (
        "1 configuration was"
        if e.n_configurations == 1
        else (f"{e.n_configurations} configurations were")
    )
    text = (
        f"{_words.rows_of(e)} with {_words.events_of(e)}; {compared} compared by "
        f"{metric_title(e.metric)}."
    )
    text = text[:1].upper() + text[1:]
    if slope.estimate is None:
        return text
    interval = slope.confidence_interval
    limits = None if interval is None else (interval.low, interval.high)
    level = 0.0 if interval is None else interval.confidence_level
    return f"{text} {_words.calibration_slope(slope.estimate, limits, level)}"


def _undefined(p: ClinicalPerformance) -> list[str]:
    n = p.performance.n_bootstraps
    named = [(metric_title(name), int(cells[-1])) for name, *cells in p.rows]
    lines = [
        f"{name[:1].upper()}{name[1:]} is undefined in {count} of {n} replicates, which are left "
        "out of its estimate."
        for name, count in named
        if count
    ]
    return [*lines, *(f"{note[:1].upper()}{note[1:]}." for note in p.calibration.notes)]


def _parts(p: ClinicalPerformance) -> list[tuple[str, str, list[Picture]]]:
    bands = (
        "Blue: corrected, with the pointwise band and, lighter, the band that holds whole curves; "
        "dashed: apparent."
    )
    level = p.roc_curve.curve.confidence_level
    return [
        (
            "Calibration",
            f"Observed against predicted risk. {bands}",
            [
                Picture(
                    png(CalibrationDisplay(p.calibration)),
                    "Calibration curve of the selected configuration with "
                    f"{100 * level:g} % bands; calibration slope "
                    f"{p.calibration.slope.cells[1]}.",
                    "A curve below the diagonal: risks are too high. Spikes: predicted risks of "
                    "rows with and without the event.",
                )
            ],
        ),
        (
            "Net benefit",
            "Decision curve: true positives per row, less false positives weighted by the odds of "
            f"the threshold. {bands}",
            [
                Picture(
                    png(DecisionCurveDisplay(p.decision_curve)),
                    "Net benefit of the selected configuration against the threshold "
                    "probability, beside treating all and treating none.",
                    "The model is useful at thresholds where its curve lies above both others.",
                )
            ],
        ),
        (
            "Discrimination",
            bands,
            [
                Picture(
                    png(PerformanceCurveDisplay(curve)),
                    f"{title} of the selected configuration with bands.",
                    f"{title}.",
                )
                for title, curve in (
                    ("ROC curve", p.roc_curve),
                    ("Precision-recall curve", p.precision_recall_curve),
                )
            ],
        ),
    ]


def _subgroups(found: Subgroups) -> list[tuple[str, str, list[Picture]]]:
    """The same configuration in each subgroup, and what the data show of differences."""
    text = (
        "The same configuration, selected on all rows, in each subgroup. "
        + _words.subgroup_differences(found)
    )
    picture = Picture(
        png(SubgroupDisplay(found)),
        f"{metric_title(found.overall.metric)} in {len(found.groups)} subgroups, with intervals.",
        "The dashed line is the estimate on all rows.",
    )
    return [("Subgroups", text, [picture])]


def _control(control: NegativeControl) -> list[tuple[str, str, list[Picture]]]:
    verdict = control.verdict
    text = (
        f"The whole analysis again, with {len(control.estimates)} permuted truths: "
        f"{verdict}. {control.n_covering} of {len(control.estimates)} intervals contain chance."
    )
    return [("Negative control", text, [])]


def _stability(e: PerformanceEstimate) -> list[tuple[str, str, list[Picture]]]:
    shares = e.selection_frequency
    if shares is None or e.n_configurations == 1:
        return []
    share = f"{100 * shares[e.winner]:.3g} %"
    picture = Picture(
        png(SelectionDisplay(e)),
        f"How often each configuration was selected; the winner in {share}.",
        "Which configuration wins is not to be interpreted where many do.",
    )
    text = (
        f"The selected configuration, {e.winner_name}, was selected in {share} of the replicates."
    )
    return [("Stability of the selection", text, [picture])]


def learners(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Learners with the values that each of their parameters took, from configurations' names."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    counts: dict[str, int] = {}
    for name in names:
        learner, parameters = parsed(name) or ("", {})
        if not parameters:
            return []
        counts[learner] = counts.get(learner, 0) + 1
        for key, value in parameters.items():
            values = found.setdefault(learner, {}).setdefault(key.rsplit("__", 1)[-1], {})
            values[value] = None
    return [
        (
            f"{learner or 'grid'} ({counts[learner]})",
            "; ".join(f"{key}: {_values(list(values))}" for key, values in grid.items()),
        )
        for learner, grid in found.items()
    ]


def _values(values: list[str]) -> str:
    if len(values) <= 6:
        return ", ".join(values)
    return f"{', '.join(values[:3])}, ..., {values[-1]} ({len(values)} values)"


def _methods(p: ClinicalPerformance) -> str:
    return (
        f"{_words.methods(p.performance)} All other measures and curves were computed on the same "
        "out-of-bag rows of the configuration that each replicate selected."
    )


def _given(e: PerformanceEstimate) -> str:
    return f"{metric_title(e.metric)} {rounded(e.estimate)}"


def _answered(p: ClinicalPerformance) -> list[tuple[str, str]]:
    """Items of TRIPOD+AI (Collins et al., BMJ 2024) to which the page contributes."""
    e = p.performance
    size = f"{_words.rows_of(e)}, {_words.events_of(e)}"
    return [
        ("10 Sample size", size),
        ("12a, 16 Use of the data", _words.training(e)),
        (
            "12c Model building, tuning and internal validation",
            f"{e.n_configurations} configurations; see the methods paragraph",
        ),
        ("12e Measures of performance", "discrimination, calibration and net benefit, above"),
        ("12g Predictions for the evaluation", "out-of-sample predictions of the tuning"),
        (
            "21 Participants and events in each analysis",
            f"{size}, in tuning and evaluation alike",
        ),
        (
            "23a Performance with confidence intervals",
            "; ".join(_given(each) for each in p.performances) + "; intervals above",
        ),
        (
            "26 Limitations",
            ", ".join(each.code for each in e.findings) or "no findings of bbc",
        ),
    ]
