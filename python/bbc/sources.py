"""What corrections are made of: predictions, with the truth and the design of their rows."""

import copy as copying
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from ._design import UNKNOWN, Design
from ._docstrings import described
from ._frozen import frozen_copy
from ._layouts import Columns, long, wide
from ._page import Page
from ._validation import ANALYSIS, Asked, Data, Readings, asked_of, design_name, predictions_of
from ._validation._arguments import Rows
from ._validation._values import MOST, is_frame, refuse_size
from ._warn import warn
from .errors import Argument, InvalidValueError, arguments_called
from .findings import Finding
from .metrics import Metric
from .predictions import DESIGN, OutOfSamplePredictions
from .streaming import is_stream

__all__ = ["Predictions"]

#: What `Predictions` say, not a correction: of rows and columns, and how they were made.
SAID = tuple(Rows.__annotations__)


class _Here(Enum):
    """What stands for data that are kept beside."""

    HERE = 0


_HERE = _Here.HERE


@dataclass(frozen=True)
class Source:
    """What is known of predictions that a search made, as its own correction takes it.

    `called` is the search in errors. ``pooling_of(predictions, metric)`` says how a metric is
    pooled, where `options` do not.
    """

    called: str = ""
    metric: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    pooling_of: Callable[[Any, Metric], Any] | None = None
    #: By name of a secondary metric; "" is that which selects.
    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    #: What else the search scored, by name.
    secondary: Mapping[str, Metric] = field(default_factory=dict)
    #: The learner of each configuration that was tried, where there are several.
    learners: tuple[str, ...] = ()
    #: The rungs by which they are scored, if the search looked at scores.
    rungs: Any = None
    #: Whether the first configurations are a shorter search, of one that looked at scores; halving
    #: compares all of them before it drops any.
    in_order: bool = True
    #: Why neighbouring rows are not drawn together, and what to do; None if they may be.
    no_blocks: tuple[str, str] | None = None
    #: What the tool claims of its choice, which `_settle` compares and corrects.
    kept: Any = None


#: Of predictions of which nothing is known.
_UNKNOWN = Source()


@described(ANALYSIS)
class Predictions:
    """Out-of-sample predictions of many configurations, with the truth and design of their rows.

    Said once, in one place, and the same in every question. Arrays are copied, so that nothing that
    happens to the caller's changes an answer; what a metric reads of them is validated when it is
    first asked for, once.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The truth. For survival metrics a structured array (event, time) or two columns.
    predictions : array-like, list, frame, dict, Blocks or Dask array
        Out-of-sample predictions of shape (n_rows, n_configurations), or
        (n_rows, n_configurations, n_classes) for class scores; probabilities of surviving several
        `times` have the times in place of the classes. A 4-d array or a list holds one
        array per repeat. The columns of a frame are the configurations, and so are the entries of a
        dict by name: each of shape (n_rows,) or, for class scores, (n_rows, n_classes), such as a
        frame with a column per class. A dict by the names "labels", "scores", "decisions" and, of
        `times`, "survival" holds several outputs of the same configurations, so that metrics of
        each go together. NaN is missing.
        `bbc.Blocks` and Dask arrays chunked by configuration are processed block by block, with
        the same result except for `model_luck`, which needs all configurations at once. At most
        2^31 - 1 rows, and as many configurations in a block.
    folds : array-like of shape (n_rows,) or (n_repeats, n_rows), optional
        The fold in which each row was held out. Required by all methods but "bbc", by
        ``pooling="fold"`` and by `one_standard_error`; with folds, method "bbc" also tests whether
        fitted models differ by chance (`PerformanceEstimate.model_luck`, finding BBC011).
    copy : bool, default=True
        Whether arrays are copied. With False they are taken as they are, and must not be written
        to; memory maps that were opened to be read only never are.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    See Also
    --------
    bbc.correct : Correct the performance of the selected configuration.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.auc(80, 20, random_state=0)
    >>> p = bbc.Predictions(s.y, s.predictions, folds=np.arange(80) % 5)
    >>> p
    Predictions(n_rows=80, n_configurations=20, folds)
    >>> c = bbc.correct(p, metric="roc_auc", random_state=1)
    >>> c.predictions is p, c.winner == c.score("average_precision").winner
    (True, True)

    Survival at three times, of which metrics read those that they name:

    >>> s = bbc.simulate.survival(200, 5, random_state=0)
    >>> at = [0.5, 1.0, 1.5]
    >>> S = np.exp(-np.exp(s.predictions)[:, :, None] * at)
    >>> p = bbc.Predictions(s.y, S, times=at, design=bbc.results.Design(splitter="KFold"))
    >>> c = bbc.correct(p, metric=bbc.metrics.survival_brier_score(1.0), random_state=1)
    >>> c.score(bbc.metrics.integrated_brier_score(at)).winner == c.winner, c.design.splitter
    (True, 'KFold')
    """

    def __init__(
        self,
        y: ArrayLike,
        predictions: Any,
        *,
        times: Sequence[float] | None = None,
        folds: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        stratified_by: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        design: Design | None = None,
        copy: bool = True,
    ) -> None:
        plain = times is None and design is None and type(predictions) is np.ndarray
        found = predictions
        beside: dict[str, Any] = {
            "folds": folds,
            "groups": groups,
            "stratified_by": stratified_by,
            "sample_weight": sample_weight,
        }
        if not plain:
            if times is not None or design is not None:
                _refuse_stream(predictions, "design" if times is None else "times")
            with arguments_called(y_true="y"):
                found = predictions_of(
                    predictions,
                    y,
                    listed=names is not None,
                    times=times,
                    design=design,
                    copy=copy,
                    **beside,
                )
        self._is_stream = not plain and is_stream(found)
        beside |= {"labels": labels, "names": names}
        if copy:
            y = _kept(y, "y")
            found = found if self._is_stream else _kept(found, "predictions")
            beside = {
                name: _kept(value, name) for name, value in beside.items() if value is not None
            }
        self._data = Data(y, found, pos_label=pos_label, **beside)
        #: What a metric reads of them, by what it is asked with.
        self._readings = Readings(self._data, {})
        #: What is known of them.
        self._source = _UNKNOWN

    @classmethod
    def _of(cls, kept: OutOfSamplePredictions, source: Source, **design: Any) -> "Predictions":
        """Those that a search kept, which are copies already."""
        found = cls(kept.y, kept, copy=False, **design)
        found._source = source
        return found

    @classmethod
    def from_wide(
        cls,
        table: Any,
        *,
        truth: str | Sequence[str],
        folds: str | None = None,
        groups: str | None = None,
        stratified_by: str | None = None,
        sample_weight: str | None = None,
        names: Collection[str] | None = None,
        ignore: Collection[str] = (),
        pos_label: Any = None,
        decimal: str | None = None,
        header: bool | None = None,
        na: str | Collection[str] | None = None,
    ) -> "Predictions":
        """Read a table with one row per row and one column per configuration.

        Parameters
        ----------
        table : path, data frame or mapping of columns
            A CSV, TSV or Parquet file, an open CSV file, or a pandas, polars or pyarrow table. Text
            may be separated by semicolons, and compressed by gzip (``.csv.gz``). Empty cells and
            ``NA`` are missing values (`na`). A first column without a name (R's row names) is left
            out.
        truth : str or (str, str)
            Column of the truth; two columns (event, time) for survival.
        folds, groups, stratified_by, sample_weight : str, optional
            Columns of the folds, the groups, the labels within which folds were drawn, and the
            weights.
        names : collection of str, optional
            The columns that are configurations, in this order, whatever they are called; by default
            all that are not named as something else.
        ignore : collection of str, optional
            Other columns that are not configurations. A column that is named nowhere is refused as
            a configuration if its name says otherwise (fold, group, weight, id, patient_id, row,
            index, y, target, label, truth, outcome, ...), if it numbers or identifies the rows, or
            if it copies a real-valued truth; so are two columns that are the probabilities of one
            model's two classes. The rules are in :doc:`/howto_table`.
        pos_label : label, optional
            The positive class of two.
        decimal : {".", ","}, optional
            The decimal mark of a text file. By default it is read from the numbers; where they
            leave it open, and where they have thousands separators or different marks, the file is
            refused.
        header : bool, optional
            Whether the first line of a text file names the columns; without names they are called
            0, 1, 2, ... By default it does, and is refused if it has numbers or a name twice.
        na : str or collection of str, optional
            The words of a text file that stand for no value among predictions, truth and weights,
            beside the empty cell: these and no others, so that with ``na=[]`` "NA" is a class. By
            default "NA", "NaN", "None" and "null". Other words among numbers are refused. Rows,
            groups and folds may have any name.

        Returns
        -------
        Predictions
            Those of the configurations. Numbers are scores, text is predicted labels.

        Raises
        ------
        ValueError
            If the table is not of this form, or if it is not certain what a column is.

        Examples
        --------
        >>> import bbc
        >>> table = {"y": [0, 1, 1, 0], "fold": [1, 1, 2, 2],
        ...          "C=1": [0.2, 0.7, 0.6, 0.4], "C=10": [0.1, 0.9, 0.3, 0.2]}
        >>> p = bbc.Predictions.from_wide(table, truth="y", folds="fold")
        >>> p.names, p.n_rows
        (('C=1', 'C=10'), 4)
        """
        design = folds, groups, stratified_by, sample_weight
        columns = Columns(truth, *design, names, decimal, header, na)
        read = wide(table, columns, ignore=ignore).predictions
        return cls._of(read, Source(), pos_label=pos_label)

    @classmethod
    def from_long(
        cls,
        table: Any,
        *,
        truth: str | Sequence[str],
        row: str,
        configuration: str,
        prediction: str | Mapping[Any, str],
        fold: str | None = None,
        repeat: str | None = None,
        group: str | None = None,
        stratified_by: str | None = None,
        weight: str | None = None,
        pos_label: Any = None,
        names: Collection[str] | None = None,
        ignore: Collection[str] = (),
        decimal: str | None = None,
        header: bool | None = None,
        na: str | Collection[str] | None = None,
    ) -> "Predictions":
        """Read a table with one row per prediction.

        Rows, configurations and repeats are numbered in order of their first mention. Predictions
        that are not in the table are missing.

        Parameters
        ----------
        table : path, data frame or mapping of columns
            As in `from_wide`.
        truth : str or (str, str)
            Column of the truth, the same wherever the row is mentioned; two columns (event, time)
            for survival.
        row, configuration : str
            Columns that say which row was predicted, and by which configuration.
        prediction : str or dict of class to str
            Column of the prediction; for class scores the column of each class.
        fold, repeat : str, optional
            Columns of the fold in which the row was held out and, with several partitions, of the
            partition.
        group, stratified_by, weight : str, optional
            Columns of the groups, the labels within which folds were drawn, and the weights,
            constant for each row.
        pos_label : label, optional
            The positive class of two.
        names : collection of str, optional
            The configurations to read, whatever they are called; by default all.
        ignore : collection of str, optional
            What is no configuration, such as another column of a table that was made long: its
            lines are left out.
        decimal, header, na : optional
            As in `from_wide`.

        Returns
        -------
        Predictions
            Those of the configurations.

        Examples
        --------
        >>> import bbc
        >>> table = {"row": ["a", "b", "a", "b"], "model": ["lin", "lin", "svm", "svm"],
        ...          "y": [0, 1, 0, 1], "p": [0.3, 0.6, 0.1, 0.8]}
        >>> p = bbc.Predictions.from_long(
        ...     table, truth="y", row="row", configuration="model", prediction="p")
        >>> p.values.tolist(), p.names
        ([[[0.3, 0.1], [0.6, 0.8]]], ('lin', 'svm'))
        """
        columns = Columns(truth, fold, group, stratified_by, weight, names, decimal, header, na)
        with arguments_called(folds="fold", groups="group", sample_weight="weight"):
            taken = long(
                table,
                columns,
                row=row,
                configuration=configuration,
                prediction=prediction,
                repeat=repeat,
                ignore=ignore,
            )
        unnamed = [name for name in taken.left_out if design_name([str(name)]) is not None]
        if unnamed:
            warn(
                f"from_long leaves out what no argument names: {', '.join(map(repr, unnamed))}; "
                "fold=, group= and weight= say what such columns are"
            )
        return cls._of(taken.predictions, Source(), pos_label=pos_label)

    def _pooling_of(self, metric: Metric) -> Any:
        """How a metric is pooled, as the source says; None if it does not."""
        own = self._source.pooling_of
        return None if own is None else own(self._data.predictions, metric)

    def _stratified(self, options: dict[str, Any]) -> "Predictions":
        """Those of a search with the labels of its folds, which it does not know, if given."""
        by = options.get("stratified_by")
        if by is None or not self._source.called or self.stratified_by is not None:
            return self
        found = copying.copy(self)
        found._data = self._data._replace(stratified_by=_kept(by, "stratified_by"))
        found._readings = Readings(found._data, {})
        options.pop("stratified_by")
        return found

    def _find(self, findings: Mapping[str, tuple[Finding, ...]]) -> None:
        """Have these findings in every correction, too."""
        own = self._source.findings
        more = {name: (*own.get(name, ()), *each) for name, each in findings.items()}
        self._source = replace(self._source, findings={**own, **more})

    @property
    def y(self) -> Any:
        """The truth."""
        return self._data.y_true

    @property
    def values(self) -> Any:
        """The predictions that were given.

        Of a table, a search and beside `times` or `design` an array with the axes (repeat, row,
        configuration[, class or time]).
        """
        given = self._data.predictions
        return given.values if isinstance(given, OutOfSamplePredictions) else given

    @property
    def design(self) -> Design:
        """What is known of how they were made."""
        given = self._data.predictions
        return given.training if isinstance(given, OutOfSamplePredictions) else UNKNOWN

    @property
    def times(self) -> tuple[float, ...] | None:
        """The times of survival; None of other predictions."""
        given = self._data.predictions
        return (given.times or None) if isinstance(given, OutOfSamplePredictions) else None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def n_configurations(self) -> int | None:
        """Number of configurations; None of a stream, which tells it at its end."""
        given = self._data.predictions
        if self._is_stream:
            return None
        if isinstance(given, OutOfSamplePredictions):
            return given.n_configurations
        first = given[0] if isinstance(given, list | tuple) else given
        shape: tuple[int, ...] = first.shape if hasattr(first, "shape") else np.shape(first)
        return shape[2 if len(shape) == 4 else 1]

    def __getattr__(self, name: str) -> Any:
        if name in DESIGN:
            given = getattr(self._data, name)
            own = self._data.predictions
            if given is None and isinstance(own, OutOfSamplePredictions):
                return getattr(own, "classes" if name == "labels" else name)
            return given
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _asked(self, given: dict[str, Any], named: Mapping[str, Metric] | None = None) -> Asked:
        """A call about these predictions, of which each reading is validated once."""
        return asked_of(self._data, given, named=named, readings=self._readings)

    def _without_data(self, asked: Asked) -> Asked:
        """A call about these predictions, to which `_with_data` gives them back."""
        own = self._data
        shared = [n for n in Data._fields if getattr(asked.data, n) is getattr(own, n)]
        away: dict[str, Any] = dict.fromkeys(shared, _HERE)
        return asked._replace(data=asked.data._replace(**away), readings=None)

    def _with_data(self, asked: Asked) -> Asked:
        """The call that `_without_data` took the data of."""
        shared = [n for n in Data._fields if getattr(asked.data, n) is _HERE]
        data = asked.data._replace(**{n: getattr(self._data, n) for n in shared})
        return asked._replace(data=data, readings=self._readings)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_readings": Readings(self._data, {})}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state

    @property
    def _said(self) -> list[str]:
        """What is said of rows and columns."""
        return [name for name in (*DESIGN, "times") if getattr(self, name) is not None]

    def __repr__(self) -> str:
        n = self.n_configurations
        sizes = f"n_rows={self.n_rows}" + ("" if n is None else f", n_configurations={n}")
        return f"Predictions({', '.join([sizes, *self._said])})"

    def _repr_html_(self) -> str:
        said, n = ", ".join(self._said), self.n_configurations
        facts = [
            ("rows", str(self.n_rows)),
            ("configurations", "a stream" if n is None else str(n)),
        ]
        return Page("Predictions", [*facts, *([("with", said)] if said else [])]).html()


def check_selects(metric: Metric, own: Any, called: str, hint: str) -> None:
    """Refuse a metric that is not what a source selects by, which `own` is, or its name."""
    theirs = own if isinstance(own, str) else own.name  # a store knows names
    if metric.name != theirs:
        refuse_other_metric(metric.name, called, theirs, hint)


def refuse_other_metric(name: str, called: str, own: str, hint: str) -> NoReturn:
    """Refuse a metric that is not what a source selects by."""
    raise InvalidValueError(
        Argument("metric", name),
        f"is not what the {called} selects by, which is {own!r}",
        hint=hint,
    )


def taken_design(options: dict[str, Any]) -> dict[str, Any]:
    """Take the arguments of `Predictions` out of those of a correction."""
    return {name: options.pop(name) for name in SAID if name in options}


def refuse_design(options: dict[str, Any], source: Source) -> None:
    """Refuse arguments of the rows beside `Predictions`, which have said them."""
    said = f"is known of the {source.called}" if source.called else "is of the predictions"
    for name in SAID:
        if options.get(name) is not None:
            raise InvalidValueError(name, said, hint="leave it out here" if source.called else "")


def _refuse_stream(predictions: Any, argument: str) -> None:
    if is_stream(predictions):
        raise InvalidValueError(argument, "is not for a stream, whose blocks are arrays")


def _kept(value: Any, name: str) -> Any:
    """What nobody else can change."""
    if value is None:
        return None
    if type(value) is np.ndarray:
        if value.size > MOST:
            refuse_size(value, name)
        return frozen_copy(value)
    if isinstance(value, np.memmap) and value.mode == "r":
        return value
    if type(value) in (list, tuple):
        return type(value)(_kept(each, name) for each in value)
    if hasattr(value, "iloc") or isinstance(value, np.ndarray):  # pandas, or a masked array
        return value.copy()
    return copying.deepcopy(value) if hasattr(value, "__array__") and not is_frame(value) else value
