"""The sentences of a report: each derives from a result and its `Design`.

What the design does not know is not said. A verdict ("too extreme", "differs") is given only where
its interval carries it.
"""

import numpy as np

from .._page import counted, rounded
from .._titles import metric_title
from ..results import PerformanceEstimate, Subgroups

_BBC = (
    "I. Tsamardinos, E. Greasidou, G. Borboudakis, Bootstrapping the out-of-sample predictions for "
    "efficient and accurate cross-validation, Machine Learning 107 (2018) 1895-1922, "
    "doi:10.1007/s10994-018-5714-4"
)
_BBC_F = (
    "K. Paraschakis et al., Confidence interval estimation of predictive performance in the "
    "context of AutoML, AutoML 2024"
)
_WINNERS = (
    "I. Andrews, T. Kitagawa, A. McCloskey, Inference on winners, Quarterly Journal of Economics "
    "139 (2024) 305-358"
)
_TIBSHIRANI = (
    "R. J. Tibshirani, R. Tibshirani, A bias correction for the minimum error rate in "
    "cross-validation, Annals of Applied Statistics 3 (2009) 822-829"
)
_OF_WINNERS = ("hybrid", "conditional", "projection")
_CITATIONS = {
    **dict.fromkeys(("bbc", "bbcd", "bbc-two-level"), _BBC),
    **dict.fromkeys(_OF_WINNERS, _WINNERS),
    "bbc-f": _BBC_F,
    "tt": _TIBSHIRANI,
}
_CORRECTED = ("bbc", "bbc-two-level", "bbc-f", "bbcd")
_CROSS_VALIDATED = (*_CORRECTED, *_OF_WINNERS, "cv", "cvt", "cvm-cv", "ncv", "tt")
# The other ways of bbc.resampling_error.
_SCHEMES = {
    "holdout": "a hold-out",
    "loo": "leave-one-out cross-validation",
    "subsampling": "subsampling",
    "oob": "the out-of-bag bootstrap",
    "632": "the .632 bootstrap",
    "632+": "the .632+ bootstrap",
    "632-per-bag": "the .632 bootstrap by sample",
    "632+-per-bag": "the .632+ bootstrap by sample",
    "bcv": "bootstrap cross-validation",
    "bcv-distinct": "bootstrap cross-validation without rows on both sides",
    "direct": "a bootstrap of its whole training",
}
_NOT_SEEN = "predictions were supplied; bbc did not see the training"


def interval_text(e: PerformanceEstimate) -> str:
    """The interval in words, empty if there is none."""
    interval = e.confidence_interval
    if interval is None:
        return ""
    level = f"{100 * interval.confidence_level:g} %"
    if interval.alternative == "greater":
        return f"{level} lower bound {rounded(interval.low)}"
    if interval.alternative == "less":
        return f"{level} upper bound {rounded(interval.high)}"
    return f"{level} CI {rounded(interval.low)} to {rounded(interval.high)}"


def model(e: PerformanceEstimate) -> str:
    """What the number is about."""
    if e.method in _OF_WINNERS:
        return "selected configuration"
    return "tuned model" if e.n_configurations > 1 else "model"


def choice(e: PerformanceEstimate) -> str:
    """What was selected, in words."""
    if e.weights is not None:
        return "ensemble"
    return "configuration" if e.threshold is None else "configuration, with its cut-off,"


def headline(e: PerformanceEstimate) -> str:
    """The estimate, in a sentence."""
    interval = interval_text(e)
    return (
        f"The {'expected' if e.method in _CORRECTED else 'estimated'} {metric_title(e.metric)} "
        f"of the {model(e)} on new rows is {rounded(e.estimate)}"
        f"{f' ({interval})' if interval else ''}."
    )


def uncorrected(e: PerformanceEstimate) -> str:
    """The optimism of the apparent score, in a sentence."""
    if e.apparent is None or e.optimism is None:
        return ""
    if e.method == "cvt":
        return "This is the apparent score of the winner, not corrected for selection."
    direction = "optimistic" if e.optimism >= 0 else "pessimistic"
    return (
        f"The apparent score of the selected {choice(e).split(',')[0]}, {rounded(e.apparent)}, is "
        f"estimated to be {direction} by {rounded(abs(e.optimism))}."
    )


def citation(e: PerformanceEstimate) -> str:
    """What to cite for the method; empty where a paper names none."""
    return _CITATIONS.get(e.method, "")


def rows_of(e: PerformanceEstimate) -> str:
    """The rows that were scored, with their groups and how many others there are."""
    n_scored, n_groups = e.design.n_rows_scored, e.design.n_groups
    if n_scored is None:
        return counted(e.n_rows, "row") if e.n_rows else "an unknown number of rows"
    text = counted(n_scored, "row")
    if n_groups is not None:
        text += f" in {counted(n_groups, 'group')}"
    others = e.n_rows - n_scored
    return f"{text} (of {e.n_rows}; the others have no prediction)" if others > 0 else text


def events_of(e: PerformanceEstimate) -> str:
    """The events among the scored rows, or the rows of each class; empty without classes."""
    design = e.design
    if design.n_events is not None:
        text = counted(design.n_events, "event")
        if design.n_groups_with_event is not None:
            text += f" in {counted(design.n_groups_with_event, 'group')}"
        return text
    return ", ".join(f"{count} of class {label}" for label, count in design.class_counts)


def _folds(e: PerformanceEstimate) -> str:
    """The folds, as far as they are known."""
    design = e.design
    if e.n_folds == 1:
        return "a hold-out" if e.n_repeats == 1 else f"{e.n_repeats} hold-outs"
    words = f"{e.n_folds}-fold cross-validation" if e.n_folds else "cross-validation"
    if design.stratified:
        words = f"stratified {words}"
    if design.grouped:
        words += " that keeps groups together"
    if design.time_ordered:
        words += " in order of time"
    if e.n_repeats > 1:
        words += f" with {e.n_repeats} repeats"
    return words


def _scheme(e: PerformanceEstimate) -> str:
    """How the configurations were evaluated, and on how many rows."""
    scheme = _SCHEMES.get(e.method, "held-out predictions")
    # Rows are drawn of any held-out predictions; their folds are told if they are known.
    if e.method in _CROSS_VALIDATED and (e.n_folds or e.method not in ("bbc", *_OF_WINNERS)):
        scheme = _folds(e)
    return f"{scheme} on {rows_of(e)}"


def _left_out(e: PerformanceEstimate) -> str:
    """What happened to the configurations that were not compared to the end; empty for none."""
    design, parts = e.design, []
    dropped = design.dropped_after or ()
    n_failed = design.n_failed or 0
    if dropped:
        first, last = min(dropped), max(dropped)
        span = counted(first, "fold") if first == last else f"{first} to {last} folds"
        parts.append(f"{len(dropped)} were dropped after {span}")
    if n_failed:
        parts.append(f"{n_failed} were left out because a fit failed")
    others = e.left_out_configurations.size - len(dropped) - n_failed
    if others > 0:
        parts.append(f"{others} were left out because predictions were missing")
    return f"; {' and '.join(parts)}" if parts else ""


def _selected(e: PerformanceEstimate) -> str:
    """What was selected on all rows, and how."""
    title = metric_title(e.decided_by or e.metric)
    rule = e.design.selection
    pooled = "" if e.method in ("bbc-f", "ncv", "tt") or e.decided_by else _pooling(e)
    if e.weights is not None:
        n_members = counted(int(np.count_nonzero(e.weights)), "configuration")
        return f"an ensemble of {n_members} was selected by {title}{pooled}"
    if e.threshold is not None:
        return (
            f"one was selected by {title}{pooled}, with a cut-off of {rounded(e.threshold)} for "
            "its scores"
        )
    if rule == "one_standard_error":
        return f"the least complex within one standard error of the best {title} was selected"
    if rule == "callable":
        return f"one was selected from their values of {title} by a rule of the authors"
    return f"one was selected by {title}{pooled}"


def _pooling(e: PerformanceEstimate) -> str:
    """How the metric was computed, in words."""
    return ", averaged over the folds" if e.pooling == "fold" else " on all rows together"


def _drawn(e: PerformanceEstimate) -> str:
    """What a replicate draws."""
    design = e.design
    unit = "blocks of consecutive rows" if design.block_draws else f"{e.unit}s"
    words = f"folds, and within them {unit}," if e.method == "bbc-two-level" else unit
    return f"{words} within classes" if design.stratified_draws else words


def methods(e: PerformanceEstimate) -> str:
    """A paragraph to paste into a paper."""
    sentences = [f"One configuration was evaluated by {_scheme(e)}."]
    if e.n_configurations > 1:
        sentences = [
            f"{e.n_configurations} configurations were compared by {_scheme(e)}{_left_out(e)}; "
            f"{_selected(e)}."
        ]
    if e.design.training == "unknown" and e.method in (*_CORRECTED, *_OF_WINNERS):
        sentences.append(f"{_NOT_SEEN.capitalize().replace('Bbc', 'bbc')}.")
    if e.design.weighted:
        sentences.append("Rows are weighted.")
    draws = "draws as given" if e.seed is None else f"seed {e.seed}"
    if e.method in _CORRECTED:
        name = {
            "bbc-two-level": "two-level bootstrap bias correction, which extends BBC [1] to folds,",
            "bbc-f": "BBC-F [1]",
        }.get(e.method, "bootstrap bias correction (BBC) [1]")
        out = "fold" if e.method == "bbc-two-level" else e.unit
        sentences.append(
            f"Its performance was corrected for this selection by {name} with {e.n_bootstraps} "
            f"replicates that draw {_drawn(e)} ({draws}; bbc {e.version}): each repeats the "
            f"selection, and scores the selected {choice(e)} on the {out}s out of bag."
        )
        sentences.append(
            "The estimate is the expected performance of this procedure, selection and training, "
            "on samples of this size, rather than that of the one model trained in the end."
        )
    elif e.method in _OF_WINNERS:
        sentences.append(
            f"The {e.method} interval for the selected configuration allows for its selection [1] "
            f"({draws}; bbc {e.version})."
        )
    else:
        cited = " [1]" if citation(e) else ""
        sentences.append(f"Its performance was estimated by {e.method.upper()}{cited} (bbc "
                         f"{e.version}).")  # fmt: skip
    interval = interval_text(e)
    kind = ""
    if interval and e.method in _CORRECTED:
        kind = {
            "order-statistics": "; limits are order statistics of the replicates, or those of a "
            "score interval where it is wider",
            "calibrated": "; limits are calibrated for the variance between fitted models",
        }.get(e.design.interval, "")
    found = f" ({interval}{kind})" if interval else ""
    sentences.append(f"The estimate of {metric_title(e.metric)} is {rounded(e.estimate)}{found}.")
    if e.design.dynamic_search:
        sentences.append(
            "The search chose configurations by the scores of earlier ones, which the correction "
            "does not cover."
        )
    return " ".join(sentences)


def training(e: PerformanceEstimate) -> str:
    """Whether rows were predicted by models that did not train on them, as far as it is known."""
    if e.design.training == "observed":
        return "every scored row was predicted by models that were trained without it"
    if e.design.training == "reported":
        return "scores of held-out folds as the search reports them"
    return _NOT_SEEN


def checklist(e: PerformanceEstimate) -> list[tuple[str, str]]:
    """What reporting guidelines (TRIPOD+AI, REFORMS) ask of the evaluation."""
    corrected = e.method in _CORRECTED
    resampled = corrected or e.method.startswith("naive-bootstrap")
    interval = interval_text(e) or "no interval from this method"
    return [
        ("Performance measure named", metric_title(e.metric)),
        ("Uncertainty given", interval),
        ("Evaluation on held-out rows", training(e)),
        (
            "Model selection separated from evaluation",
            "by correction: the bootstrap repeats the selection" if corrected else e.method,
        ),
        ("Sample size", "; ".join(filter(None, (rows_of(e), events_of(e))))),
        (
            "Dependence between rows",
            f"replicates draw {_drawn(e)}" if resampled else "not resampled",
        ),
        ("Reproducible", f"seed {e.seed}, bbc {e.version}" if e.seed is not None else "no seed"),
    ]


def calibration_slope(estimate: float, limits: tuple[float, float] | None, level: float) -> str:
    """The slope, and what its interval carries."""
    text = f"The calibration slope is {rounded(estimate)}"
    if limits is None:
        return f"{text}; it has no interval on these data."
    low, high = limits
    text += f" ({100 * level:g} % CI {rounded(low)} to {rounded(high)})"
    if low <= 1 <= high:
        return f"{text}: these data do not show that risks are too extreme, or too moderate."
    return f"{text}: risks are {'too extreme' if high < 1 else 'not extreme enough'}."


def subgroup_differences(found: Subgroups) -> str:
    """Which differences between subgroups the data show, at the level of the result."""
    tested = [each for each in found.differences if each.p_value is not None]
    if not tested:
        return "The subgroups are too small, or too few, to be compared."
    interval = found.overall.confidence_interval
    alpha = 1 - (0.95 if interval is None else interval.confidence_level)
    alpha = round(alpha, 12)
    differ = [
        f"{each.first} and {each.second} (p = {each.p_value:.2g})"
        for each in tested
        if each.p_value is not None and each.p_value < alpha / len(tested)
    ]
    adjusted = "" if len(tested) == 1 else f", adjusted for {len(tested)} comparisons (Bonferroni)"
    if differ:
        return f"The performance differs between {'; '.join(differ)} at {alpha:g}{adjusted}."
    return (
        f"These data do not show a difference between subgroups at {alpha:g}{adjusted}; that is no "
        "evidence that there is none: the intervals of the differences say how large it may be."
    )
