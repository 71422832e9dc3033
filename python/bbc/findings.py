"""Findings: what makes a number less trustworthy, each with a code, a reason and advice.

Results list them (`PerformanceEstimate.findings`), and so do summaries and reports.
"""

from dataclasses import dataclass

__all__ = ["FINDINGS", "Finding", "Kind", "finding"]


@dataclass(frozen=True)
class Kind:
    """One kind of finding.

    Attributes
    ----------
    code : str
        Such as "BBC003"; codes never change their meaning.
    title : str
        What it is, in a few words.
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
    """A finding about one result.

    Attributes
    ----------
    kind : Kind
        Which kind.
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
        "apparent score is a tuned maximum",
        "The best of many scores is best partly by luck, so it says too much about new rows.",
        "report a corrected estimate: bbc.BBC in the protocol's place, or bbc.correct",
    ),
    Kind(
        "BBC002",
        "few rows for this metric",
        "With few rows, or few rows of a class, the metric of a replicate takes few values, and "
        "intervals are wide and rough.",
        "give the interval, not only the estimate; collect more rows if you can",
    ),
    Kind(
        "BBC003",
        "winner unstable",
        "Other samples would have selected another configuration. The estimate is of the expected "
        "performance of choosing and then training, over samples, and remains valid.",
        "do not read meaning into which configuration won",
    ),
    Kind(
        "BBC004",
        "TT outside its range",
        "The correction of Tibshirani and Tibshirani takes a difference between folds, and with "
        "small folds it can leave the metric's range.",
        "use bbc.BBC, or larger folds",
    ),
    Kind(
        "BBC005",
        "pooled decision values",
        "Decision values of different folds' models need not be on one scale, and pooling ranks "
        "them together.",
        'use probabilities, or pooling="fold"',
    ),
    Kind(
        "BBC006",
        "many redraws",
        "A replicate that leaves the metric undefined is drawn again. Many of them mean that the "
        "sample is too small for this metric.",
        "consider stratify_bootstrap=True",
    ),
    Kind(
        "BBC007",
        "dynamic search",
        "The search chose later configurations in the light of earlier scores. The theory of the "
        "correction assumes configurations that are fixed beforehand.",
        "treat the estimate as approximate, or re-evaluate a fixed list of configurations",
    ),
    Kind(
        "BBC008",
        "interval uninformative",
        "An interval that spans half of the metric's range, or none of it, tells next to nothing.",
        "look for leakage if the scores are perfect; else collect more rows, or say that the data "
        "do not tell",
    ),
    Kind(
        "BBC009",
        "dropping began too early",
        "With fewer than 50 predictions per configuration a good configuration can be dropped by "
        "bad luck.",
        "raise min_predictions",
    ),
    Kind(
        "BBC010",
        "groups ignored",
        "Rows of a group resemble each other. If folds or draws treat them as independent, the "
        "estimate is too good and its interval too short.",
        "keep each group in one fold (GroupKFold), and draw groups: bbc.correct(..., groups=...)",
    ),
    Kind(
        "BBC011",
        "fitted models differ",
        "A configuration is scored by the few models that were fitted for it, and some are lucky: "
        "in their initial values, in the features they drew, in their training rows. The choice of "
        "the best profits from that luck. A bootstrap of rows leaves it in the estimate, but the "
        "model that is trained on all rows does not inherit it.",
        'use method="bbc-two-level", give each configuration one seed for its folds and its refit, '
        "or take more folds or repeats",
    ),
    Kind(
        "BBC012",
        "uneven importance weights",
        "Tilting weights the replicates. With an effective sample size below 100 a few of them "
        "decide the bound: it depends on the seed, and where a class is rare it is often too high.",
        'use bbc.bound(..., method="bbc")',
    ),
    Kind(
        "BBC013",
        "one row dominates the loss",
        "The mean of losses with outliers depends on how many of them a sample happens to have. "
        "Intervals are then too short, and often miss the expected loss.",
        "look at that row, and report a metric that is less sensitive to outliers, such as "
        "mean_absolute_error, as well",
    ),
    Kind(
        "BBC014",
        "few rows of a class for this metric",
        "With few rows of a class, average precision is on average far above its population "
        "value. F1, MCC, balanced accuracy and the like rest on a handful of rows: their intervals "
        "span most of the range, or miss the population value altogether.",
        "report roc_auc as well, or collect more rows of that class",
    ),
    Kind(
        "BBC015",
        "few folds to draw from",
        "Two folds have two different draws, three have nine and four have 34. Intervals from two "
        "folds cover the expected performance about half of the time; with fewer than four folds "
        "there is an estimate and no interval.",
        'use five folds or more, or draw rows: method="bbc"',
    ),
    Kind(
        "BBC016",
        "labels where scores are ranked",
        "Labels have a single cut-off. Their AUC is the mean of sensitivity and specificity, which "
        "is lower than the AUC of the scores that were cut.",
        "give probabilities or decision values; the leaves of a fully grown tree are pure, so "
        "limit its depth",
    ),
    Kind(
        "BBC017",
        "winner equals the truth",
        "Some data can be separated without error. But predictions that are an exact copy of the "
        "truth are more often the truth itself, or come from an input that holds it.",
        "look where these predictions come from",
    ),
    Kind(
        "BBC018",
        "time-ordered splitter",
        "The bootstrap takes rows as exchangeable. Where neighbouring rows resemble each other, as "
        "in a time series, intervals are too short, and the estimate is too good. The models of "
        "early folds were trained on fewer rows than the final one.",
        "draw blocks of neighbouring rows: bbc.correct(..., groups=...)",
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
