"""Which protocol to use: the published guidelines as advice with reasons."""

from dataclasses import dataclass
from typing import Literal

from .. import _validation
from .._page import Page
from .._result import Result

_SMALL = 100  # rows; Tsamardinos et al. (2018), section 6
_BBC = "Tsamardinos et al. 2018"
_GUIDE = "Bischl et al. 2012"


@dataclass(frozen=True, eq=False)
class Recommendation(Result):
    """A recommended protocol and resampling scheme, with reasons.

    Attributes
    ----------
    protocol : str
        Name in `bbc`: a protocol, or "resampling_error".
    resampling : str
        The resampling scheme.
    n_repeats : int
        Number of partitions, or of resamples where there are no folds.
    call : str
        The call to make.
    reasons : tuple of str
        Sentences, each with its source.

    Examples
    --------
    >>> import bbc
    >>> bbc.baselines.recommend(60, tuning=True).call
    'bbc.BBC(estimator, param_grid, cv=10, n_repeats=10)'
    >>> bbc.baselines.recommend(2000, tuning=True, expensive=True).summary().splitlines()[1]
    '  use            bbc.BBCD'
    """

    protocol: str
    resampling: str
    n_repeats: int
    call: str
    reasons: tuple[str, ...]

    def _page(self) -> Page:
        by_folds = self.resampling.endswith("cross-validation")
        resamples = self.protocol == "resampling_error" and not by_folds
        lines = [
            ("use", f"bbc.{self.protocol}"),
            ("resampling", self.resampling),
            ("resamples" if resamples else "repeats", str(self.n_repeats)),
            ("call", self.call),
            *(("" if place else "because", why) for place, why in enumerate(self.reasons)),
        ]
        return Page("recommendation", remarks=lines)


def recommend(
    n_rows: int,
    *,
    tuning: bool,
    model_complexity: Literal["low", "high"] = "high",
    expensive: bool = False,
    fast_loo: bool = False,
) -> Recommendation:
    """Recommend a protocol and a resampling scheme, with reasons.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    tuning : bool
        Whether a configuration is selected among several: hyperparameters, learners, features.
    model_complexity : {"low", "high"}, default="high"
        Whether the learner can memorise rows ("high": nearest neighbours, trees, kernels, nets) or
        not ("low": linear models with few inputs).
    expensive : bool, default=False
        Whether the number of trained models matters more than the last bit of precision.
    fast_loo : bool, default=False
        Whether the learner gives its leave-one-out predictions without refitting, such
        as ridge regression or Kriging.

    Returns
    -------
    Recommendation
        The recommendation; `summary()` describes it.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       section 6.
    .. [2] B. Bischl, O. Mersmann, H. Trautmann, C. Weihs, "Resampling methods for meta-model
       validation with recommendations for evolutionary computation", Evolutionary Computation 20
       (2012), Figure 3 and section 4.

    Examples
    --------
    >>> import bbc
    >>> bbc.baselines.recommend(40, tuning=False, model_complexity="low").resampling
    '.632+ bootstrap'
    >>> advice = bbc.baselines.recommend(500, tuning=True)
    >>> advice.protocol, advice.n_repeats
    ('BBCD', 3)
    """
    n_rows = _validation.integer(n_rows, "n_rows", lowest=4)
    tuning = _validation.flag(tuning, "tuning")
    _validation.choice(model_complexity, "model_complexity", ("low", "high"))
    expensive = _validation.flag(expensive, "expensive")
    fast_loo = _validation.flag(fast_loo, "fast_loo")
    if tuning:
        return _tuned(n_rows, expensive, fast_loo)
    return _fixed(n_rows, model_complexity, expensive)


def _tuned(n_rows: int, expensive: bool, fast_loo: bool) -> Recommendation:
    small = n_rows < _SMALL
    reasons = [
        "The winner's score among many configurations is optimistically biased; a bootstrap of "
        f"all predictions corrects it without nested cross-validation ({_BBC}, section 6)."
    ]
    if fast_loo:
        reasons += [
            "Leave-one-out is recommended for fast tuning where it costs one fit, although it has "
            "a large variance and favours models that are too complex "
            f"({_GUIDE}, section 4, comment 7)."
        ]
        call = "bbc.BBC(estimator, param_grid, cv=LeaveOneOut())"
        return Recommendation("BBC", "leave-one-out", 1, call, tuple(reasons))
    protocol = "BBC" if small else "BBCD"
    if small:
        n_repeats = 3 if expensive else 10
        reasons += [
            f"With fewer than {_SMALL} rows, dropping saves little and may lose the best "
            f"configuration ({_BBC}, section 6).",
            "Repeats on other folds narrow the interval and improve the selection, above all with "
            f"few rows; three or four give most of the gain ({_BBC}, sections 5.2.3 and 5.2.4).",
        ]
    else:
        n_repeats = 1 if expensive else 3
        reasons += [
            "With more rows, dropping configurations that are unlikely to win trains two to five "
            f"times fewer models without impairing the selection ({_BBC}, sections 5.2.2 and 6).",
            f"With many rows one or a few repeats suffice ({_BBC}, section 5.2.3).",
        ]
    n_folds = _folds(n_rows)
    call = f"bbc.{protocol}(estimator, param_grid, cv={n_folds}, n_repeats={n_repeats})"
    reasons.append(
        "All data-dependent steps, such as the selection of features, belong inside the estimator "
        f"({_GUIDE}, section 4, comment 5)."
    )
    scheme = f"{n_folds}-fold cross-validation"
    return Recommendation(protocol, scheme, n_repeats, call, tuple(reasons))


def _fixed(n_rows: int, complexity: str, expensive: bool) -> Recommendation:
    small = n_rows < _SMALL
    reasons: tuple[str, ...]
    untuned = f"Without selection there is nothing to correct ({_GUIDE}, Figure 3)."
    if small and complexity == "low":
        reasons = (
            untuned,
            "The .632+ bootstrap has a small variance and performs very well on small samples with "
            f"models of low complexity ({_GUIDE}, Figure 3 and section 4, comment 8).",
            f"At least 200 resamples give a good estimate ({_GUIDE}, section 4, comment 9).",
        )
        call = 'bbc.baselines.resampling_error(estimator, X, y, method="632+", n_resamples=200)'
        return Recommendation("resampling_error", ".632+ bootstrap", 200, call, reasons)
    why_not = (
        "For models that memorise rows the .632+ bootstrap may be too optimistic "
        f"({_GUIDE}, section 4, comment 8)."
        if complexity == "high"
        else f"The .632+ bootstrap is for small samples ({_GUIDE}, Figure 3)."
    )
    if expensive:
        n_folds, n_repeats = _folds(n_rows), 3 if small else 1
        reasons = (
            untuned,
            why_not,
            "Cross-validation needs the fewest models; small samples need repeats, because "
            f"a single partition has a large variance ({_GUIDE}, section 4, comments 6 and 7).",
        )
        call = (
            f'bbc.baselines.resampling_error(estimator, X, y, method="cv", n_folds={n_folds}, '
            f"n_repeats={n_repeats})"
        )
        scheme = f"{n_folds}-fold cross-validation"
        return Recommendation("resampling_error", scheme, n_repeats, call, reasons)
    reasons = (
        untuned,
        why_not,
        "Subsampling with a high rate uses most rows in every fit, and its interval can be "
        f"corrected for the rows that fits share ({_GUIDE}, section 4, comments 6 and 11).",
        f"100, 250 or 500 resamples are common ({_GUIDE}, section 4, comment 9).",
    )
    call = (
        'bbc.baselines.resampling_error(estimator, X, y, method="subsampling", ratio=0.9, '
        'n_resamples=100, interval="corrected-resampled-t")'
    )
    return Recommendation("resampling_error", "subsampling of 9/10", 100, call, reasons)


def _folds(n_rows: int) -> int:
    """Ten folds, or fewer so that each has two rows."""
    return min(10, n_rows // 2)
