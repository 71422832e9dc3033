"""What a clinical paper asks about the winners of a correction."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from .. import metrics
from .._docstrings import described
from .._validation import integer
from .._winners import Winners
from ..errors import Argument, InvalidValueError, arguments_called
from ..predictions import checked_times
from ..results import (
    Calibration,
    ClinicalPerformance,
    DecisionCurve,
    Per1000,
    PerformanceCurve,
    SurvivalCalibration,
    SurvivalPerformance,
)
from ._winner import SECONDARY, WinnerPerformance

_OF_CLASS = """
of_class : optional
    For a truth of more than two classes: the one that is set against all others.
"""


class ClinicalQuestions:
    """The questions of `bbc.Correction` about risks and curves."""

    def _asks(self, question: str) -> Winners:
        raise NotImplementedError

    def _winner(self, question: str, of_class: Any = None) -> WinnerPerformance:
        return WinnerPerformance(self._asks(question), of_class)

    @described(_OF_CLASS)
    @arguments_called(y_true="y")
    def calibration(self, *, n_bins: int = 10, of_class: Any = None) -> Calibration:
        """Correct the calibration of the winner for selection.

        Each replicate's winner is calibrated on the rows that the replicate left out of bag.

        Parameters
        ----------
        n_bins : int, default=10
            Number of bins for the decomposition of the Brier score and the calibration error. Bins
            hold equal shares of the rows, tied predictions together.

        Returns
        -------
        Calibration
            Intercept, slope, observed over expected events, Brier score with its decomposition,
            expected calibration error and a smooth curve.

        Notes
        -----
        The slope of a logistic regression by maximum likelihood is 4 % too far from zero with 100
        rows and 15 % with the 37 that are out of bag. Apparent slopes and intercepts are of maximum
        likelihood, as elsewhere; those of the replicates are Firth's [4]_, without this bias. Both
        are undefined where a cut-off separates the classes [5]_. Probabilities of exactly 0 or 1
        have no logit and are left out of both (`Calibration.share_certain`).

        The curve is a local linear regression of the truth on the probability: loess of degree 1
        over three quarters of the rows. Of smoothers it is the one without bias where calibration
        is perfect, for the line that it estimates is then straight, and no sample separates it.

        The calibration error and the reliability of few rows are mostly noise, and never zero: ten
        bins of 50 rows hold 5 rows each. They tell little about small data; the curve and the slope
        tell more. Parts of the Brier score, the calibration error and observed over expected events
        depend on the number of rows; replicates lose the mean difference between the values of
        their winner out of bag and on all rows (for winners other than that of all rows, as the
        first 50 replicates show it). Calibration within folds would be calibration of even fewer
        rows: all are pooled.

        References
        ----------
        .. [1] D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45
           (1958) (intercept and slope).
        .. [2] B. Van Calster et al., "A calibration hierarchy for risk models was defined: from
           utopia to empirical data", Journal of Clinical Epidemiology 74 (2016).
        .. [3] A. H. Murphy, "A new vector partition of the probability score", Journal of Applied
           Meteorology 12 (1973); D. B. Stephenson, C. A. S. Coelho, I. T. Jolliffe, "Two extra
           components in the Brier score decomposition", Weather and Forecasting 23 (2008).
        .. [4] D. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80 (1993).
        .. [5] A. Albert, J. A. Anderson, "On the existence of maximum likelihood estimates in
           logistic regression models", Biometrika 71 (1984).

        Examples
        --------
        Risks that are twice as extreme as they should be, on the scale of logits:

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> logit = rng.normal(size=300)
        >>> y = rng.random(300) < 1 / (1 + np.exp(-logit))
        >>> risks = 1 / (1 + np.exp(-2 * logit[:, None] + rng.normal(0, 0.1, (300, 5))))
        >>> c = bbc.correct(
        ...     y, risks, metric="log_loss", n_bootstraps=200, random_state=1).calibration()
        >>> c.slope.estimate < 0.75, c.slope.ideal
        (True, 1.0)

        Of one class of three:

        >>> from sklearn.datasets import load_iris
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_val_predict
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> y = y.map({0: "setosa", 1: "versicolor", 2: "virginica"})
        >>> fits = [cross_val_predict(LogisticRegression(C=c), X, y, cv=5, method="predict_proba")
        ...         for c in (0.01, 1)]
        >>> e = bbc.correct(y, np.stack(fits, axis=1), metric="log_loss", n_bootstraps=200,
        ...                 random_state=1)
        >>> c = e.calibration(of_class="virginica")
        >>> c.of_class, c.observed_expected.estimate > 0.9
        ('virginica', True)
        """
        return self._winner("calibration", of_class).calibration(n_bins=n_bins)

    @described(_OF_CLASS)
    @arguments_called(y_true="y")
    def decision_curve(
        self, *, thresholds: ArrayLike | None = None, of_class: Any = None
    ) -> DecisionCurve:
        """Correct the net benefit of the winner for selection.

        Net benefit at a threshold t: true positives less false positives times t / (1 - t), per
        row, where rows with a probability of at least t are treated.

        Parameters
        ----------
        thresholds : array-like, optional
            Ascending threshold probabilities in (0, 1); 0.01, 0.02, ..., 0.99 by default.

        Returns
        -------
        DecisionCurve
            Net benefit with pointwise and simultaneous bands, that of treating all, the difference
            of both, and the standardised net benefit.

        References
        ----------
        .. [1] A. J. Vickers, E. B. Elkin, "Decision curve analysis: a novel method for evaluating
           prediction models", Medical Decision Making 26 (2006).
        .. [2] K. F. Kerr, M. D. Brown, K. Zhu, H. Janes, "Assessing the clinical impact of risk
           prediction models with decision curves", Journal of Clinical Oncology 34 (2016)
           (standardised net benefit).

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
        >>> d = c.decision_curve(thresholds=[0.1, 0.2])
        >>> d.net_benefit.estimates.shape, d.net_benefit.n_undefined.tolist()
        ((2,), [0, 0])
        """
        return self._winner("decision_curve", of_class).decision_curve(thresholds=thresholds)

    @described(_OF_CLASS)
    @arguments_called(y_true="y")
    def roc_curve(self, *, of_class: Any = None) -> PerformanceCurve:
        """Correct the ROC curve of the winner for selection.

        At each rate of false positives the sensitivity is averaged over the replicates. Tied scores
        are joined by a line, so the area below each curve counts ties one half.

        Returns
        -------
        PerformanceCurve
            The curve at 0, 0.01, ..., 1 with pointwise and simultaneous bands; it also gives the
            partial AUC, and the sensitivity at a fixed specificity and the reverse.

        References
        ----------
        .. [1] T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27 (2006)
           (ties, and the average of curves at fixed rates of false positives).
        .. [2] M. Myllymäki, T. Mrkvička, P. Grabarnik, H. Seijo, U. Hahn, "Global envelope tests
           for spatial processes", Journal of the Royal Statistical Society B 79 (2017) (bands by
           rank).

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> roc = bbc.correct(s.y, s.predictions, metric="roc_auc", random_state=1).roc_curve()
        >>> float(roc.curve.estimates[-1])
        1.0
        >>> area = roc.partial_auc(specificity=(0.8, 1))
        >>> bool(area.estimate < area.apparent)
        True
        """
        return self._winner("roc_curve", of_class).roc_curve()

    @described(_OF_CLASS)
    @arguments_called(y_true="y")
    def precision_recall_curve(self, *, of_class: Any = None) -> PerformanceCurve:
        """Correct the precision-recall curve of the winner for selection.

        At each recall the precision is averaged over the replicates. Between cut-offs the number of
        true and of false positives is interpolated, not the precision.

        Returns
        -------
        PerformanceCurve
            The curve at recalls 0.01, 0.02, ..., 1 with pointwise and simultaneous bands.

        References
        ----------
        .. [1] J. Davis, M. Goadrich, "The relationship between precision-recall and ROC curves",
           International Conference on Machine Learning (2006).

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> c = bbc.correct(s.y, s.predictions, metric="roc_auc", random_state=1)
        >>> curve = c.precision_recall_curve()
        >>> curve.kind, curve.curve.x.shape
        ('precision-recall', (100,))
        """
        return self._winner("precision_recall_curve", of_class).precision_recall_curve()

    @described(_OF_CLASS)
    @arguments_called(y_true="y")
    def per_1000(self, *, threshold: float | None = None, of_class: Any = None) -> Per1000:
        """Count right and wrong calls of the winner in 1000 rows, corrected for selection.

        How many events are found and missed, how many others are false alarms and how many are
        rightly left alone: shares of the rows that each replicate leaves out of bag, times 1000.

        Parameters
        ----------
        threshold : float, optional
            The probability from which on a row is called an event. By default the cut-off that the
            correction chose, the labels that it was given, or 0.5.

        Returns
        -------
        Per1000
            The four counts, with intervals.

        Notes
        -----
        The share of events is that of the rows that were seen. Where the winner will be used it may
        be another one, p in the place of q: then multiply what is found and missed by p / q, and
        the other two counts by (1 - p) / (1 - q). In data that hold as many cases as controls, for
        example, false alarms are too few.

        The counts of the apparent table add up to 1000, and so do the estimates; limits do not.

        References
        ----------
        .. [1] U. Hoffrage, S. Lindsey, R. Hertwig, G. Gigerenzer, "Communicating statistical
           information", Science 290 (2000) (natural frequencies).

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> c = bbc.correct(s.y, risks, metric="roc_auc", random_state=1)
        >>> counts = c.per_1000(threshold=0.3)
        >>> counts.threshold, counts.found.name, counts.found.confidence_interval.low > 0
        (0.3, 'found', True)
        """
        return self._winner("per_1000", of_class).per_1000(threshold=threshold)

    @arguments_called(y_true="y")
    def survival_calibration(self, time: float, *, n_groups: int = 5) -> SurvivalCalibration:
        """Correct the calibration of the winner's risks at a time for selection.

        Parameters
        ----------
        time : float
            The time, before which the truth has events and beyond which some row is followed.
        n_groups : int, default=5
            Number of groups of equal size, by the winner's risk, whose observed risk is
            Kaplan-Meier's.

        Returns
        -------
        SurvivalCalibration
            Intercept and slope on the complementary log-log scale, observed over expected risk, a
            smooth curve, and groups.

        Notes
        -----
        Whether a row that was censored before the time had the event is unknown. In its place
        stands the pseudo-value of each row [1]_: with F the Kaplan-Meier estimate of the risk of
        all n rows and F' that without the row, n F - (n - 1) F'. Given the inputs its mean is the
        risk, if censoring does not depend on them; without censoring it is 0 or 1. Pseudo-values
        are computed once, on all rows. Intercept and slope solve the estimating equations of
        pseudo-values with the complementary log-log link [2]_ [3]_; on that scale a proportional
        hazard is a shift. The curve is the local linear regression of `calibration`.

        Intercept, slope and observed over expected risk depend on the number of rows; replicates
        lose the mean difference between the values of their winner out of bag and on all rows (for
        winners other than that of all rows, as the first 50 replicates show it). With one
        configuration the estimate is the apparent value.

        References
        ----------
        .. [1] P. K. Andersen, J. P. Klein, S. Rosthoj, "Generalised linear models for correlated
           pseudo-observations, with applications to multi-state models", Biometrika 90 (2003).
        .. [2] N. van Geloven et al., "Validation of prediction models in the presence of competing
           risks: a guide through modern methods", BMJ 377 (2022).
        .. [3] D. J. McLernon et al., "Assessing performance and clinical usefulness in prediction
           models with survival outcomes", Annals of Internal Medicine 176 (2023).

        Examples
        --------
        Curves that are twice as extreme as they should be, on the complementary log-log scale:

        >>> import numpy as np
        >>> import bbc
        >>> rng = np.random.default_rng(0)
        >>> x = rng.normal(size=300)
        >>> event, censored = rng.exponential(np.exp(-x)), rng.exponential(3.0, 300)
        >>> y = np.column_stack([event <= censored, np.minimum(event, censored)])
        >>> survival = np.exp(-np.exp(2 * x[:, None] + rng.normal(0, 0.1, (300, 5))))
        >>> e = bbc.correct(y, survival, metric=bbc.metrics.survival_brier_score(1.0),
        ...                 n_bootstraps=200, random_state=1)
        >>> c = e.survival_calibration(1.0)
        >>> c.slope.estimate < 0.75, c.slope.ideal
        (True, 1.0)
        """
        reads = metrics.survival_brier_score(time)
        n_groups = integer(n_groups, "n_groups", lowest=2)
        winner = self._winner("survival_calibration")
        return winner.survival_calibration(reads, n_groups=n_groups)

    @arguments_called(y_true="y")
    def clinical(
        self,
        *,
        times: Sequence[float] | None = None,
        secondary: Sequence[Any] | Mapping[str, Any] | None = None,
        thresholds: ArrayLike | None = None,
        n_bins: int = 10,
        n_groups: int = 5,
        threshold: float | None = None,
    ) -> ClinicalPerformance | SurvivalPerformance:
        """Correct all that a clinical paper reports about the winner.

        Discrimination, calibration and net benefit; of survival, discrimination, accuracy and
        calibration at each time. `report` writes it as a page.

        Parameters
        ----------
        times : sequence of float, optional
            Of survival: ascending times at which calibration is reported. Needed for survival.
        secondary : list of metrics, or dict of metrics by name, optional
            Metrics that are reported beside the selection metric. By default AUC, average precision
            and Brier score; of survival Uno's concordance up to the last time and the dynamic AUC
            at each, if the predictions have risks, the Brier score at each time, and the integrated
            one of several.
        thresholds, n_bins, n_groups
            As in `decision_curve`, `calibration` and `survival_calibration`.
        threshold : float, optional
            As in `per_1000`, of risks; 0.5 by default. Not of survival.

        Returns
        -------
        ClinicalPerformance or SurvivalPerformance
            Estimates by every metric, and what its methods' names say.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> risks = 1 / (1 + 2.718**-s.predictions)
        >>> p = bbc.correct(s.y, risks, metric="log_loss", random_state=1).clinical()
        >>> p.n_events, p.performances[1].metric
        (39, 'roc_auc')

        Of survival:

        >>> import numpy as np
        >>> s = bbc.simulate.survival(150, 10, random_state=0)
        >>> at = (0.5, 1.0)
        >>> survival = np.exp(-np.exp(s.predictions)[:, :, None] * at / 2)
        >>> c = bbc.correct(
        ...     s.y, {"scores": s.predictions, "survival": survival}, times=at,
        ...     metric="uno_concordance", random_state=1)
        >>> [e.metric for e in c.clinical(times=at).performances][2:4]
        ['cumulative_dynamic_auc(time=0.5)', 'cumulative_dynamic_auc(time=1.0)']
        """
        winner = self._winner("clinical")
        n_groups = integer(n_groups, "n_groups", lowest=2)
        if times is None:
            return winner.clinical_performance(
                secondary=SECONDARY if secondary is None else secondary,
                n_bins=n_bins,
                thresholds=thresholds,
                threshold=threshold,
            )
        if threshold is not None:
            raise InvalidValueError(Argument("threshold", threshold), "is not of survival")
        at = checked_times(times)
        return winner.survival_performance(times=at, secondary=secondary, n_groups=n_groups)
