"""The sentences of a report."""

import numpy as np

from .._titles import metric_title
from ..results import PerformanceEstimate
from ..results._text import drawn, rounded

_BBC = (
    "I. Tsamardinos, E. Greasidou, G. Borboudakis, Bootstrapping the out-of-sample predictions for "
    "efficient and accurate cross-validation, Machine Learning 107 (2018) 1895-1922, "
    "doi:10.1007/s10994-018-5714-4"
)
_BBC_F = (
    "K. Paraschakis et al., Confidence interval estimation of predictive performance in the "
    "context of AutoML, AutoML 2024"
)
_CORRECTED = ("bbc", "bbc-two-level", "bbc-f", "bbcd")
_CROSS_VALIDATED = (*_CORRECTED, "cv", "cvt", "cvm-cv", "ncv", "tt")
# The other ways of bbc.resampling_error.
_SCHEMES = {
    "holdout": "a hold-out",
    "loo": "leave-one-out cross-validation",
    "subsampling": "subsampling",
    "oob": "the out-of-bag bootstrap",
    "632": "the .632 bootstrap",
    "632+": "the .632+ bootstrap",
    "bcv": "bootstrap cross-validation",
    "bcv-distinct": "bootstrap cross-validation without rows on both sides",
    "direct": "a bootstrap of its whole training",
}


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
    """What to cite for the correction; empty for other methods."""
    return {"bbc": _BBC, "bbc-two-level": _BBC, "bbcd": _BBC, "bbc-f": _BBC_F}.get(e.method, "")


def _scheme(e: PerformanceEstimate) -> str:
    """How the configurations were evaluated, and on how many rows."""
    scheme = _SCHEMES.get(e.method, "held-out predictions")
    if e.method in _CROSS_VALIDATED:
        if e.n_folds:
            scheme = f"{e.n_folds}-fold cross-validation"
        elif e.method != "bbc":  # which needs no folds
            scheme = "cross-validation"
        if e.n_repeats > 1:
            scheme += f" with {e.n_repeats} repeats"
        if e.n_folds == 1:
            scheme = "a hold-out" if e.n_repeats == 1 else f"{e.n_repeats} hold-outs"
    return f"{scheme} on {e.n_rows} rows" if e.n_rows else scheme


def _selected(e: PerformanceEstimate) -> str:
    """Who was selected on all rows."""
    if e.weights is not None:
        return f"an ensemble of {np.count_nonzero(e.weights)} of them was selected"
    if e.threshold is not None:
        return f"one was selected, and a cut-off of {rounded(e.threshold)} for its scores,"
    return "one was selected"


def methods(e: PerformanceEstimate) -> str:
    """A paragraph to paste into a paper."""
    text = f"One configuration was evaluated by {_scheme(e)}."
    if e.n_configurations > 1:
        text = (
            f"{e.n_configurations} configurations were compared by {_scheme(e)}; "
            f"{_selected(e)} by {metric_title(e.decided_by or e.metric)}."
        )
    if e.method in _CORRECTED:
        draws = "explicit draws" if e.seed is None else f"seed {e.seed}"
        two_level = e.method == "bbc-two-level"
        name = "two-level BBC" if two_level else e.method.upper()
        text += (
            f" Its performance was corrected for this selection by {name} with "
            f"{e.n_bootstraps} bootstrap replicates of {drawn(e)} ({draws}; bbc {e.version}), "
            f"which repeats the selection in every replicate and scores the selected {choice(e)} "
            f"on the {'fold' if two_level else e.unit}s out of bag [1]."
        )
    else:
        text += f" Its performance was estimated by {e.method.upper()} (bbc {e.version})."
    interval = interval_text(e)
    return f"{text} The estimate is {rounded(e.estimate)}{f' ({interval})' if interval else ''}."


def checklist(e: PerformanceEstimate) -> list[tuple[str, str]]:
    """What reporting guidelines (TRIPOD+AI, REFORMS) ask of the evaluation."""
    corrected = e.method in _CORRECTED
    resampled = corrected or e.method.startswith("naive-bootstrap")
    interval = interval_text(e) or "no interval from this method"
    return [
        ("Performance measure named", metric_title(e.metric)),
        ("Uncertainty given", interval),
        (
            "Model selection separated from evaluation",
            "by correction: the bootstrap repeats the selection" if corrected else e.method,
        ),
        ("Sample size", f"{e.n_rows or 'unknown number of'} rows, {e.left_out_rows.size} left out"),
        ("Dependence between rows", f"resampled by {e.unit}" if resampled else "not resampled"),
        ("Reproducible", f"seed {e.seed}, bbc {e.version}" if e.seed is not None else "no seed"),
    ]
