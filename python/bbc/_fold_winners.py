"""The winners of a correction of fold scores, of which folds are what is drawn."""

from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _engine
from ._finished._scores import FoldScores, findings_of, of_scores_alone
from ._validation import Options
from ._winners import Winners
from .comparison import path_of
from .errors import InvalidValueError
from .results import Comparison, PerformanceEstimate, TuningPath
from .results._correction import facts_of, interval, monte_carlo_error, numbers, warn
from .results._fold_events import fold_event_findings

_Answer = TypeVar("_Answer")
#: With five folds the model confidence set loses the best configuration in 9 % of simulated
#: searches, with ten in 4 % at most; the discrete argmin in 10 % and more.
_FEWEST_FOLDS = 10


def told(answer: _Answer, scores: FoldScores) -> _Answer:
    """An answer with what limits of fold scores do not show, a comparison in each estimate."""
    findings = of_scores_alone(scores, by_truth=False, truth_tells=False)
    warn(findings)

    def tell(one: Any) -> Any:
        return replace(one, data_findings=(*one.data_findings, *findings))

    if isinstance(answer, Comparison):
        estimates = {name: tell(each) for name, each in answer.estimates.items()}
        return replace(answer, estimates=estimates)
    found: _Answer = tell(answer)
    return found


class FoldWinners(NamedTuple):
    """What a correction of fold scores was made of."""

    scores: FoldScores
    options: Options
    n_threads: int

    def numbers(self, n_first: int | None = None) -> dict[str, Any]:
        """The kernel's numbers, with what the truth tells: of all configurations, or the first."""
        rows = self.scores._rows
        return _engine.correct_fold_scores(
            np.ascontiguousarray(self.scores.values[:, :, :n_first]),
            self.options,
            rows=None if rows is None else rows.problem,
            classes=None if rows is None else rows.classes,
            n_threads=self.n_threads,
        )

    @property
    def estimate(self) -> PerformanceEstimate:
        """The correction of the best mean: what `correct` gives."""
        scores, rows, problem = self.scores, self.scores._rows, self.scores._problem()
        metric, n_classes = scores.metric, scores._claim.n_classes
        options = self.options.for_problem(problem)
        raw = self.numbers()
        tells = _engine.truth_tells(metric, n_classes)
        alone = of_scores_alone(scores, by_truth=raw["by_truth"], truth_tells=tells)
        of_truth = () if rows is None else fold_event_findings(rows.problem, metric, None)
        findings = (*findings_of(scores), *alone, *of_truth)
        warn(findings)
        limits = interval(raw, options, n_classes)
        facts = facts_of(problem, metric) | numbers(raw, problem)
        return PerformanceEstimate(
            **facts | {"n_rows": 0 if rows is None else rows.n_rows},
            method="bbc-f",
            confidence_interval=limits,
            pooling="pooled" if rows is not None and rows.is_pooled else "fold",
            unit="fold",
            n_folds=scores.n_folds,
            seed=options.seed,
            design=scores._claim.design,
            notes=scores._notes,
            data_findings=findings,
            monte_carlo_error=monte_carlo_error(raw, limits),
        )

    def of_means(self, question: str) -> Winners:
        """The winners by the mean over folds."""
        n_folds = self.scores.n_folds
        if question == "possible_winners" and n_folds < _FEWEST_FOLDS:
            raise InvalidValueError(
                "predictions",
                f"are scores of {n_folds} folds: with fewer than {_FEWEST_FOLDS} the best "
                "configuration would be left out too often",
                hint="use more folds, or keep predictions (bbc.keep_predictions)",
            )
        drawn = {"random_state": self.options.seed, "n_threads": self.n_threads, "method": "bbc"}
        return Winners(self.scores._asked(self.options._asdict() | drawn))

    def path(self, winners: Winners, record: PerformanceEstimate) -> TuningPath:
        """The path of means over folds, whose numbers are those of corrections of fold scores."""
        winners.tell(record)
        return path_of(winners, None, self.numbers)
