"""BBC-F on the fold scores that a finished search keeps."""

from typing import Any

from .._docstrings import described
from .._finished import fold_scores
from .._finished._scores import FoldScores
from .._validation import ANALYSIS

__all__ = ["from_scores"]

_SOURCE = """
search : fitted search, study, table or path
    What kept a score of each fold by each configuration:

    - a fitted search of scikit-learn, or an object that has only `cv_results_`. A halving search is
      represented by its last iteration, an Optuna search by its completed trials; these and
      searches of other packages, such as BayesSearchCV, are dynamic searches (finding BBC007);
    - LogisticRegressionCV, LassoCV, ElasticNetCV (fitted without sample weights) and RFECV;
    - `cv_results_` as a dict, its data frame, or a CSV or Parquet file of it, and other tables with
      a row per configuration and a column per fold ("fold1", "fold_2_auc", "split0_test_score"), as
      of Ray Tune, or its ResultGrid;
    - tables with a row per configuration and fold, as of caret, mlr3 and tune;
    - a finished Optuna study whose trials keep scores of folds as attributes or reported them.
      Pruned trials have no score in every fold, and are left out.
metric : str, Metric or scorer, optional
    What a single score is called, or which of several scores of a table is meant. Of a search, the
    score that it selected by is meant; another one is for `reselect`.
greater_is_better : bool, optional
    Whether larger scores are better. By default as the search, or the name of the metric, says;
    scores of scikit-learn always rise, also those of losses, which are negated ("neg_log_loss").
reselect : bool, default=False
    Whether to correct the selection of the best mean over folds of that score, where the search
    selected otherwise: by another score, or by a rule that its scores do not repeat. The estimate
    is then of another configuration than the search deploys (finding BBC024).
n_repeats : int, optional
    Number of partitions of which these are the folds, one after the other. By default what the
    search's splitter or the table says, else 1.
"""


@described(ANALYSIS, _SOURCE)
def from_scores(
    search: Any,
    *,
    metric: Any = None,
    greater_is_better: bool | None = None,
    n_repeats: int | None = None,
    reselect: bool = False,
) -> FoldScores:
    """Read the scores by fold of a finished search, for `compare` and `report`.

    `bbc.correct`, `bbc.compare` and `bbc.report` read fitted searches, studies and `cv_results_`
    themselves; other tables are read by this function first. Folds take the place of rows.

    Returns
    -------
    FoldScores
        The scores, and what they are of.

    Examples
    --------
    >>> import bbc
    >>> table = {"model": ["a", "b"], "fold1": [0.7, 0.8], "fold2": [0.6, 0.9]}
    >>> bbc.adapters.from_scores(table, metric="accuracy")
    FoldScores('accuracy', n_repeats=1, n_folds=2, n_configurations=2)
    """
    found: FoldScores = fold_scores(
        search,
        metric,
        greater_is_better=greater_is_better,
        n_repeats=n_repeats,
        reselect=reselect,
    )
    return found
