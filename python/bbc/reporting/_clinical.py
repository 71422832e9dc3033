"""The page of a clinical paper's numbers."""

import base64
from dataclasses import replace
from typing import Any

import numpy as np

from .._sentences import say, table
from .._titles import metric_title, parsed
from ..api import correct
from ..correction import record_of
from ..errors import InvalidTypeError, InvalidValueError
from ..plots import (
    CalibrationDisplay,
    DecisionCurveDisplay,
    PerformanceCurveDisplay,
    SelectionDisplay,
    SubgroupDisplay,
)
from ..results import (
    ClinicalPerformance,
    NegativeControl,
    PerformanceEstimate,
    Quantity,
    Subgroups,
    SurvivalPerformance,
)
from ..results._estimate import selects
from ..selection import get as get_selection
from . import _words
from ._template import Part, Picture, png

# Parameters of a protocol that its correction takes.
_OWN = ("stratify_bootstrap", "confidence_level", "on_undefined", "block_length", "size_correction")
#: Metrics of discrimination, which the headline tells if one was estimated.
_DISCRIMINATION = ("roc_auc", "uno_concordance", "concordance_index")


def performance_of(search: Any) -> ClinicalPerformance | SurvivalPerformance:
    """The clinical performance of a fitted protocol, on the replicates of its correction."""
    predictions = getattr(search, "oos_predictions_", None)
    e = record_of(getattr(search, "performance_", None))
    if predictions is None or e is None:
        raise InvalidTypeError(
            "result",
            "must be a fitted protocol such as bbc.BBC, or what Correction.clinical returns, "
            f"for kind='clinical', got {type(search).__name__}",
        )
    if "decision_function" in (predictions.response or ()):
        place = predictions.response.index("decision_function")
        raise InvalidValueError(
            "result",
            f": the scores of {predictions.names[place]} are decision values, and calibration "
            "needs probabilities; tune by a metric of probabilities, such as 'neg_log_loss'",
        )
    if predictions.scores is None and predictions.survival is None:
        raise InvalidValueError(
            "result",
            f": {type(search).__name__} kept labels, and calibration needs probabilities; tune by "
            "a metric of probabilities, such as 'neg_log_loss'",
        )
    if e.replicates is None:
        raise InvalidTypeError(
            "result",
            f": {type(search).__name__} draws no replicates, of which the page shows statistics; "
            "use bbc.BBC, or pass bbc.correct(search.oos_predictions_, ...).clinical()",
        )
    kept = np.setdiff1d(np.arange(e.n_configurations), e.left_out_configurations)
    rule = get_selection(getattr(search, "selection", "best"))
    asked: dict[str, Any] = {}
    if predictions.survival is not None:
        asked = {"times": predictions.times}
        if len(search.performances_) > 1:
            asked["secondary"] = list(search._scoring.metrics.values())
    corrected = correct(
        predictions,
        metric=search._scoring.metric,
        method=e.method,
        pooling=e.pooling,
        pos_label=e.pos_label,
        selection=rule if kept.size == e.n_configurations else rule.of_kept(kept),
        n_bootstraps=e.n_bootstraps,
        random_state=e.seed,
        **{name: getattr(search, name) for name in _OWN if hasattr(search, name)},
    )
    found: ClinicalPerformance | SurvivalPerformance = corrected.clinical(**asked)
    # The protocol knows all its configurations; dropped and failed ones have no predictions.
    return replace(found, performances=(e, *found.performances[1:]))


def page(
    p: ClinicalPerformance | SurvivalPerformance,
    subgroups: Subgroups | None,
    control: NegativeControl | None,
) -> dict[str, Any]:
    """The variables of the template."""
    p = replace(p, performances=tuple(map(_words.as_loss, p.performances)))
    e = p.performance
    interval = e.confidence_interval
    facts = _facts(p)
    told = {each.metric.partition("(")[0]: each for each in reversed(p.performances)}
    reported = next((told[name] for name in _DISCRIMINATION if name in told), e)
    return {
        "title": say("clinical_title", facts),
        "headline": _words.headline(reported),
        "lead": [_sentence(say("in_short", facts))],
        "findings": e.findings,
        "notes": e.notes,
        "level": "" if interval is None else f"{100 * interval.confidence_level:g} %",
        "rows": [(metric_title(name), *cells) for name, *cells in p.rows],
        "undefined": _undefined(p),
        "csv": base64.b64encode(p.to_frame().to_csv(index=False).encode()).decode("ascii"),
        "parts": [
            *_parts(p, facts),
            *([] if subgroups is None else [subgroups_part(subgroups)]),
            *_stability(e),
            *([] if control is None else [control_part(control)]),
        ],
        "learners": learners(e.names or ()),
        "facts": e.facts,
        "methods": f"{_words.methods(e)} {say('others_on_same_rows', facts)}",
        "citation": _words.citation(e),
        "checks_title": "TRIPOD+AI (2024)",
        "checks": table("tripod", facts),
        "open_items": say("open_items", facts),
        "version": e.version,
    }


def _facts(p: ClinicalPerformance | SurvivalPerformance) -> dict[str, Any]:
    """The facts that the page's sentences name."""
    facts = _words.facts_of(p.performance)
    facts["performances"] = "; ".join(say("of_metric", _words.facts_of(e)) for e in p.performances)
    if isinstance(p, SurvivalPerformance):  # with a slope at each time
        return facts | {"time": p.times[-1]}
    return facts | _of_slope(p.calibration.slope, facts)


def _of_slope(slope: Quantity, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts that the sentence of the slope names."""
    interval = slope.confidence_interval
    limits = None if interval is None else (interval.low, interval.high)
    level = facts.get("level", 0.0) if interval is None else 100 * interval.confidence_level
    return _words.slope_facts(slope.estimate, limits, level / 100)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _undefined(p: ClinicalPerformance | SurvivalPerformance) -> list[str]:
    """Quantities that some replicates lack, and notes."""
    n = p.performance.n_bootstraps
    lines = [
        say(
            "left_undefined",
            {"quantity": metric_title(name), "n_undefined": int(cells[-1]), "n_bootstraps": n},
        )
        for name, *cells in p.rows
    ]
    notes = p.notes if isinstance(p, SurvivalPerformance) else p.calibration.notes
    return [*filter(None, lines), *(f"{_sentence(note)}." for note in notes)]


def _calibrations(p: SurvivalPerformance, facts: dict[str, Any]) -> list[Part]:
    """The calibration at each time, with its groups."""
    found = []
    for each in p.calibrations:
        here = facts | {"time": each.time} | _of_slope(each.slope, facts)
        picture = Picture(
            png(CalibrationDisplay(each)),
            say("survival_calibration_alt", here),
            say("survival_calibration_caption", here),
        )
        text = say("survival_calibration_text", here)
        found.append(Part(f"Calibration at {each.time:g}", [text], [picture]))
    return found


def _parts(p: ClinicalPerformance | SurvivalPerformance, facts: dict[str, Any]) -> list[Part]:
    if isinstance(p, SurvivalPerformance):
        return _calibrations(p, facts)

    def picture(display: Any, name: str, caption: str) -> Picture:
        return Picture(png(display), say(f"{name}_alt", facts), caption)

    return [
        Part(
            "Calibration",
            [say("calibration_text", facts)],
            [
                picture(
                    CalibrationDisplay(p.calibration),
                    "calibration",
                    say("calibration_caption", facts),
                )
            ],
        ),
        Part(
            "Net benefit",
            [say("net_benefit_text", facts)],
            [
                picture(
                    DecisionCurveDisplay(p.decision_curve),
                    "net_benefit",
                    say("net_benefit_caption", facts),
                )
            ],
        ),
        Part(
            "Discrimination",
            [say("bands", facts)],
            [
                picture(PerformanceCurveDisplay(p.roc_curve), "roc_curve", "ROC curve."),
                picture(
                    PerformanceCurveDisplay(p.precision_recall_curve),
                    "precision_recall_curve",
                    "Precision-recall curve.",
                ),
            ],
        ),
    ]


def subgroups_part(found: Subgroups) -> Part:
    """The same configuration in each subgroup, and what the data show of differences."""
    facts = _words.subgroup_facts(found)
    picture = Picture(
        png(SubgroupDisplay(found)), say("subgroups_alt", facts), say("subgroups_caption", facts)
    )
    return Part("Subgroups", [say("subgroups_text", facts)], [picture])


def control_part(control: NegativeControl) -> Part:
    """The section on estimates of permuted truths."""
    return Part("Negative control", [_words.negative_control(control)], [])


def _stability(e: PerformanceEstimate) -> list[Part]:
    if not selects(e) or e.n_configurations == 1:
        return []
    facts = _words.facts_of(e)
    picture = Picture(
        png(SelectionDisplay(e)), say("stability_alt", facts), say("stability_caption", facts)
    )
    return [Part("Stability of the selection", [say("stability_text", facts)], [picture])]


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
