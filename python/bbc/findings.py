"""Findings: what limits the validity of a result, each with a code, a reason and advice.

Results list them (`PerformanceEstimate.findings`), and so do summaries and reports.
"""

from dataclasses import dataclass

__all__ = ["FINDINGS", "Finding", "Kind", "finding"]


@dataclass(frozen=True)
class Kind:
    """A kind of finding.

    Attributes
    ----------
    code : str
        Such as "BBC003"; the meaning of a code never changes.
    title : str
        A few words.
    why : str
        Why it matters.
    advice : str
        What to do about it.

    Examples
    --------
    >>> from bbc.findings import FINDINGS
    >>> FINDINGS["BBC003"].title
    'winner unstable'
    """

    code: str
    title: str
    why: str
    advice: str


@dataclass(frozen=True)
class Finding:
    """A finding about a result.

    Attributes
    ----------
    kind : Kind
        Its kind.
    detail : str
        What was found in this result.

    Examples
    --------
    >>> from bbc.findings import FINDINGS, Finding
    >>> Finding(FINDINGS["BBC003"], "chosen in 17 % of the replicates").code
    'BBC003'
    """

    kind: Kind
    detail: str

    @property
    def code(self) -> str:
        """The code of its kind."""
        return self.kind.code

    def __str__(self) -> str:
        return f"{self.code} {self.kind.title}: {self.detail}; {self.kind.advice}"


_KINDS = (
    Kind(
        "BBC001",
        "apparent score not corrected for selection",
        "The best cross-validation score among many configurations is optimistically biased.",
        "report a corrected estimate: bbc.BBC in the protocol's place, or bbc.correct",
    ),
    Kind(
        "BBC002",
        "few rows for this metric",
        "With few rows, or few rows of a class, the metric takes few distinct values in the "
        "replicates, and intervals are wide and coarse.",
        "report the interval with the estimate; collect more rows if possible",
    ),
    Kind(
        "BBC003",
        "winner unstable",
        "Other samples would have selected another configuration. The estimate remains valid: it "
        "is the expected performance of selection followed by training, over samples. The share of "
        "the replicates that a configuration won is not its probability of being the best.",
        "do not interpret which configuration won; bbc.possible_winners finds those that could be "
        "the best",
    ),
    Kind(
        "BBC004",
        "TT outside its range",
        "The correction of Tibshirani and Tibshirani averages differences between scores of single "
        "folds. With small folds it can leave the metric's range.",
        "use bbc.BBC, or larger folds",
    ),
    Kind(
        "BBC005",
        "pooled decision values",
        "Decision values of models from different folds need not share a scale, but pooling ranks "
        "them together, and so does a cut-off that is chosen for all folds.",
        'use probabilities, or pooling="fold" (which does not help a chosen cut-off)',
    ),
    Kind(
        "BBC006",
        "many redraws",
        "Replicates that leave the metric undefined are redrawn. If many are, the sample is too "
        "small for this metric.",
        "consider stratify_bootstrap=True",
    ),
    Kind(
        "BBC007",
        "dynamic search",
        "The search chose configurations depending on the scores of earlier ones. The theory of "
        "the correction assumes configurations that are fixed in advance.",
        "treat the estimate as approximate, or re-evaluate a fixed list of configurations",
    ),
    Kind(
        "BBC008",
        "interval uninformative",
        "An interval that spans half of the metric's range says little about the performance. One "
        "of zero width means that the replicates do not vary, not that the performance is known.",
        "check for leakage if the scores are perfect; otherwise collect more rows, or report that "
        "the data are inconclusive",
    ),
    Kind(
        "BBC009",
        "dropping began too early",
        "With fewer than 50 predictions per configuration, a good configuration can be dropped by "
        "chance.",
        "raise min_predictions",
    ),
    Kind(
        "BBC010",
        "groups ignored",
        "Rows of a group are dependent. If folds or replicates treat them as independent, the "
        "estimate is optimistically biased and its interval too short.",
        "keep each group in one fold (GroupKFold), and draw groups: bbc.correct(..., groups=...)",
    ),
    Kind(
        "BBC011",
        "fitted models differ",
        "A configuration is scored through the few models fitted for it, and some are lucky in "
        "their initial values, sampled features or training rows. Selection favours lucky models. "
        "A bootstrap of rows does not remove this bias, and the model trained on all rows does not "
        "inherit the luck.",
        'use method="bbc-two-level", give each configuration one seed for its folds and its refit, '
        "or use more folds or repeats",
    ),
    Kind(
        "BBC012",
        "uneven importance weights",
        "Bootstrap tilting weights the replicates. With an effective sample size below 100, a few "
        "of them determine the bound: it varies with the seed and, for a rare class, is often too "
        "high.",
        'use bbc.bound(..., method="bbc")',
    ),
    Kind(
        "BBC013",
        "one row dominates the loss",
        "A mean loss with outliers depends on how many of them the sample happens to contain. "
        "Intervals are then too short, and often miss the expected loss.",
        "inspect that row, and also report a metric that is less sensitive to outliers, such as "
        "mean_absolute_error",
    ),
    Kind(
        "BBC014",
        "few rows of a class for this metric",
        "With few rows of a class, the expectation of average precision is far above its "
        "population value. F1, MCC, balanced accuracy and similar metrics depend on a handful of "
        "rows: their intervals span most of the range, or miss the population value.",
        "also report roc_auc, or collect more rows of that class",
    ),
    Kind(
        "BBC015",
        "few folds to draw from",
        "Two folds allow two distinct replicates, three allow nine, and four allow 34. Intervals "
        "from two folds cover the expected performance about half of the time; with fewer than "
        "four folds there is an estimate but no interval.",
        'use five folds or more, or draw rows: method="bbc"',
    ),
    Kind(
        "BBC016",
        "labels ranked as scores",
        "Labels have a single threshold. Their AUC is the mean of sensitivity and specificity, "
        "which is lower than the AUC of the scores behind them.",
        "pass probabilities or decision values; the leaves of a fully grown tree are pure, so "
        "limit its depth",
    ),
    Kind(
        "BBC017",
        "winner equals the truth",
        "Some data are perfectly separable. More often, predictions that equal the truth in every "
        "row are the truth itself, or come from a feature that contains it.",
        "check where these predictions come from",
    ),
    Kind(
        "BBC018",
        "time-ordered splitter",
        "The bootstrap assumes exchangeable rows. Where neighbouring rows are dependent, as in a "
        "time series, intervals are too short and the estimate is optimistically biased. The "
        "models of early folds were trained on fewer rows than the final model.",
        "draw blocks of neighbouring rows: bbc.correct(..., groups=...)",
    ),
    Kind(
        "BBC019",
        "overtuned",
        "The apparent score can only rise with the number of configurations. Where the corrected "
        "one falls, later configurations are selected for their luck, in the place of better ones.",
        "stop the search earlier, or repeat the cross-validation so that its scores vary less",
    ),
    Kind(
        "BBC020",
        "winner ranks worse than chance",
        "The best of the configurations puts rows of the negative class above those of the "
        "positive one, more often than chance explains (one-sided test of the AUC of rows of one "
        "fold, at the level .001, which allows for training rows that folds share). Mostly the "
        "scores are those of the other class. Pooled scores of leave-one-out fall below one half "
        "on noise; with folds they are not tested.",
        "check which class the scores are of (pos_label), and pass folds if each left out few rows",
    ),
    Kind(
        "BBC021",
        "few events or errors",
        "Replicates of few events, or with few errors among them, vary less than scores of as many "
        "rows or groups do. The limits are those of a score interval, which counts them.",
        "nothing, the interval allows for it; more rows of the rarer class make it shorter",
    ),
    Kind(
        "BBC022",
        "scores differ from the scorer's",
        "Scikit-learn's scorer gives a fitted model another score than the correction computes "
        "from its predictions: they read another class, response, order of rows, or weights.",
        "find out which of the two is meant before the result is used",
    ),
)
#: Every kind of finding, by its code.
FINDINGS: dict[str, Kind] = {kind.code: kind for kind in _KINDS}


def finding(code: str, detail: str) -> Finding:
    """Return a finding by its code.

    Parameters
    ----------
    code : str
        The code of its kind.
    detail : str
        What was found.

    Returns
    -------
    Finding
        The finding; as text with its title and advice.

    Examples
    --------
    >>> from bbc.findings import finding
    >>> finding("BBC007", "a halving search").kind.title
    'dynamic search'
    """
    return Finding(FINDINGS[code], detail)
