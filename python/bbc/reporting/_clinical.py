"""The page of a clinical paper's numbers."""

import base64
from dataclasses import replace
from typing import Any

from .._sentences import say, table
from .._titles import metric_title
from ..correction import Correction
from ..errors import InvalidTypeError, InvalidValueError
from ..plots._kinds import display_of
from ..plots._selection import display_of_selection
from ..predictions import OutOfSamplePredictions
from ..results import (
    ClinicalPerformance,
    NegativeControl,
    PerformanceEstimate,
    Quantity,
    Subgroups,
    SurvivalPerformance,
)
from ..results._estimate import selects
from . import _sections, _words
from ._configurations import configurations, facts_beside
from ._sections import Part, Picture, png

#: Metrics of discrimination: the headline tells the first one, that which selected before others.
_DISCRIMINATION = ("roc_auc", "uno_concordance", "concordance_index")


def performance_of(result: Any) -> ClinicalPerformance | SurvivalPerformance:
    """The clinical performance of a correction, or of a fitted protocol's own."""
    c = getattr(result, "performance_", result)
    if not isinstance(c, Correction):
        raise InvalidTypeError(
            "result",
            "must be a fitted protocol such as bbc.BBC, a Correction, or what Correction.clinical "
            f"returns, for kind='clinical', got {type(result).__name__}",
        )
    given = c.predictions
    kept = None if given is None else given._data.predictions
    if given is None or not isinstance(kept, OutOfSamplePredictions):
        return c.clinical()
    _refuse_no_probabilities(kept, type(result).__name__)
    if kept.survival is None:
        return c.clinical()
    return c.clinical(times=kept.times, secondary=given._source.secondary or None)


def _refuse_no_probabilities(kept: OutOfSamplePredictions, source: str) -> None:
    """Refuse decision values and labels, of which there is no calibration."""
    if "decision_function" in (kept.response or ()):
        assert kept.response is not None
        place = kept.response.index("decision_function")
        name = kept.names[place] if kept.names else f"configuration {place}"
        raise InvalidValueError(
            "result",
            f": the scores of {name} are decision values, and calibration needs probabilities; "
            "tune by a metric of probabilities, such as 'neg_log_loss'",
        )
    if kept.scores is None and kept.survival is None:
        raise InvalidValueError(
            "result",
            f": {source} kept labels, and calibration needs probabilities; tune by a metric of "
            "probabilities, such as 'neg_log_loss'",
        )


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
    told = [each for each in p.performances if each.metric.partition("(")[0] in _DISCRIMINATION]
    reported = told[0] if told else e
    return {
        "title": say("clinical_title", facts),
        "headline": _words.headline(reported),
        "lead": [_sentence(say("in_short", facts))],
        "findings": _words.in_readers_words(each for each in p.findings if each._is_told),
        "notes": e.notes,
        "level": "" if interval is None else f"{100 * interval.confidence_level:g} %",
        "rows": [(metric_title(name), *cells) for name, *cells in p.rows],
        "undefined": _undefined(p),
        "csv": base64.b64encode(p.to_frame().to_csv(index=False).encode()).decode("ascii"),
        "parts": [
            *_calls(p, facts),
            *_parts(p, facts),
            *([] if subgroups is None else [subgroups_part(subgroups)]),
            *_stability(e),
            *configurations(e),
            *([] if control is None else [control_part(control)]),
        ],
        "facts": facts_beside(e),
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
    n = len(slope.replicates) + slope.n_undefined
    return _words.slope_facts(slope.estimate, limits, level / 100, n)


def _calls(p: ClinicalPerformance | SurvivalPerformance, facts: dict[str, Any]) -> list[Part]:
    """Right and wrong calls in 1000 patients."""
    counts = None if isinstance(p, SurvivalPerformance) else p.per_1000
    if counts is None:
        return []
    here = {"events_per_1000": round(1000 * counts.prevalence), "called_from": counts.threshold}
    interval = f"{_sections.level(p.performance)} interval".strip()
    rows = [("", "corrected", interval, "apparent"), *(row[:-1] for row in counts.rows)]
    text = say("per_1000_text", facts | here)
    return [Part("Per 1000 patients", [text], [], _sections.table(rows))]


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


def _picture(display: Any, name: str, facts: dict[str, Any], caption: str = "") -> Picture:
    """A picture with the sentences that describe it under its name."""
    return Picture(
        png(display), say(f"{name}_alt", facts), caption or say(f"{name}_caption", facts)
    )


def _parts(p: ClinicalPerformance | SurvivalPerformance, facts: dict[str, Any]) -> list[Part]:
    if isinstance(p, SurvivalPerformance):
        found = []
        for each in p.calibrations:
            here = facts | {"time": each.time} | _of_slope(each.slope, facts)
            pictures = [_picture(display_of(each), "survival_calibration", here)]
            text = say("survival_calibration_text", here)
            found.append(Part(f"Calibration at {each.time:g}", [text], pictures))
        return found
    curves = (
        (p.roc_curve, "roc_curve", "ROC curve."),
        (
            p.precision_recall_curve,
            "precision_recall_curve",
            "Precision-recall curve.",
        ),
    )
    return [
        Part(
            "Calibration",
            [say("calibration_text", facts)],
            [_picture(display_of(p.calibration), "calibration", facts)],
        ),
        Part(
            "Net benefit",
            [say("net_benefit_text", facts)],
            [_picture(display_of(p.decision_curve), "net_benefit", facts)],
        ),
        Part(
            "Discrimination",
            [say("bands", facts)],
            [_picture(display_of(curve), name, facts, caption) for curve, name, caption in curves],
        ),
    ]


def subgroups_part(found: Subgroups) -> Part:
    """The same configuration in each subgroup, and what the data show of differences."""
    facts = _words.subgroup_facts(found)
    picture = _picture(display_of(found), "subgroups", facts)
    numbers = _sections.table(_sections.in_groups(found))
    return Part("Subgroups", [say("subgroups_text", facts)], [picture], numbers)


def control_part(control: NegativeControl) -> Part:
    """The section on estimates of permuted truths."""
    return Part("Negative control", [_words.negative_control(control)], [])


def _stability(e: PerformanceEstimate) -> list[Part]:
    if not selects(e) or e.n_configurations == 1:
        return []
    facts = _words.facts_of(e)
    picture = _picture(display_of_selection(e), "stability", facts)
    return [Part("Stability of the selection", [say("stability_text", facts)], [picture])]
