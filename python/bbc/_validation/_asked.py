"""What is made of the arguments of a call: its data, its checked options, and what they read."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import InvalidValueError
from ..metrics import Metric
from ..predictions import OF_ROWS
from ._arguments import ARGUMENTS, Options, checked_options
from ._problem import Data, Problem, problem
from ._values import n_threads, refuse_argument

_PASSED_ON = ARGUMENTS.keys() - {"y_true", "n_threads"}
#: What a call may say of its data.
_OF_DATA = tuple(name for name in Data._fields[2:] if name in ARGUMENTS)


class Readings(NamedTuple):
    """What metrics read of data, each validated once; of other data it is not asked."""

    own: Data
    problems: dict[Any, Problem]

    def are_of(self, data: Data) -> bool:
        """Whether these are the same arrays."""
        return all(getattr(self.own, name) is getattr(data, name) for name in _ARRAYS)


_ARRAYS = (*("y_true", "predictions", *OF_ROWS, "labels", "names", "mask"),)


class Asked(NamedTuple):
    """A call of a function of analysis: its data, its options, and draws if they were given.

    `readings` are those of the same data that were validated before.
    """

    data: Data
    options: Options
    resamples: Any
    n_threads: int
    readings: Readings | None = None

    def problem(self, options: Options | None = None) -> Problem:
        """The validated data of the metric, or of another one; only classes have labels.

        What is a problem already, as scores of folds are, stands in the place of predictions.
        """
        data, options = self.data, options or self.options
        needs, readings = options.needs, self.readings
        if isinstance(data.predictions, Problem):
            needs.check(data.predictions.folds)
            return data.predictions
        same = readings is not None and (readings.own is data or readings.are_of(data))
        known = readings.problems if readings is not None and same else {}
        key = (options.metric, needs, data.missing, data.block_length, repr(data.pos_label))
        found = known.get(key)
        if found is None:
            if not (data.pos_label is data.labels is None or options.metric.has_classes):
                data = data._replace(pos_label=None, labels=None)
            found = known[key] = problem(data, options.metric, needs, self.n_threads)
        return found


def asked(
    y_true: Any,
    predictions: Any,
    given: dict[str, Any],
    *,
    named: Mapping[str, Metric] | None = None,
    function: str = "",
) -> Asked:
    """Check the arguments of a call but for its data.

    `named` are all metrics, if there are several; `function` says where other arguments are
    unknown.
    """
    if function and not given.keys() <= _PASSED_ON:
        refuse_argument(function, next(name for name in given if name not in _PASSED_ON))
    return asked_of(Data(y_true, predictions), given, named=named)


def asked_of(
    data: Data,
    given: dict[str, Any],
    *,
    named: Mapping[str, Metric] | None = None,
    readings: Readings | None = None,
) -> Asked:
    """Check the arguments of a call about data, of which None says nothing that they do not say."""
    said = {name: given[name] for name in _OF_DATA if given.get(name) is not None}
    if "missing" in given:  # which must be one of its words
        said["missing"] = given["missing"]
    if said:
        data = data._replace(**said)
    settings = checked_options(given)
    if data.pos_label is not None or data.labels is not None:
        _refuse_labels_for_numbers(named or {settings.metric.name: settings.metric}, data)
    threads = n_threads(given.get("n_threads"))
    return Asked(data, settings, given.get("resamples"), threads, readings)


def _refuse_labels_for_numbers(named: Mapping[str, Metric], data: Data) -> None:
    """Refuse classes that are named for metrics of which none has classes."""
    if not any(metric.has_classes for metric in named.values()):
        argument = "labels" if data.pos_label is None else "pos_label"
        every = ", ".join(map(repr, named))
        raise InvalidValueError(argument, f"has no meaning for metric {every}")
