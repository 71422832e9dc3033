"""The bootstrap of the predictions so far."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import _validation
from ..._dominance import dominated
from ...errors import UndefinedMetricError
from ...selection import get as get_rule
from .._estimates import rule_for
from .._run import Run
from ._stage import DroppingRule, Stage, Verdict


@dataclass
class BootstrapRule(DroppingRule):
    """Drop what is strictly worse than the best in more than a share of the replicates.

    Evidence is that share.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       section 4.
    """

    level: float
    selection: Any
    stratify_bootstrap: bool
    n_bootstraps: int
    n_tests: int = 0

    def check(self, run: Run) -> None:
        """Refuse Python functions, which the kernel cannot compare."""
        if run.scoring.metric.family == "callable" or get_rule(self.selection).function is not None:
            raise ValueError(
                "BBCD drops by metrics and rules that the kernel knows, not by a Python function; "
                "use bbc.BBC"
            )
        _validation.refuse_given_censoring(
            run.scoring.metric, "the tests of BBCD are on the rows of the folds so far"
        )

    def test(self, stage: Stage) -> Verdict | None:
        """Compare by the bootstrap; the t-th test has stream t of the run's seed."""
        trained, predictions = stage.trained, stage.predictions
        run, metric = trained.run, stage.metric
        rule = rule_for(self.selection, run, trained.working)
        if stage.number == 0:
            if rule.needs_folds:  # it compares the scores of two folds or more
                return None
            # The mean over a single fold is its score.
            predictions = replace(predictions, folds=None)
        if predictions.groups is not None and len(np.unique(predictions.groups)) < 2:
            return None
        pooling = trained.poolings[run.scoring.decides]
        try:
            found = dominated(
                predictions.y,
                predictions,
                metric=metric,
                dropping_level=self.level,
                pooling="pooled" if predictions.folds is None else pooling,
                selection=rule,
                stratify_bootstrap=self.stratify_bootstrap,
                pos_label=run.pos_label_of(metric),
                n_bootstraps=self.n_bootstraps,
                stream=self.n_tests + 1,
                random_state=run.seed,
            )
        except UndefinedMetricError:
            return None
        self.n_tests += 1
        return Verdict(found.best, found.share_worse, found.dominated)
