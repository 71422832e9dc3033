"""All metrics that have a name: scikit-learn's scorers with their sign, and the plain names."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from ._spec import Metric, kernel_facts


class _Table(Mapping[str, Metric]):
    """The metrics of the kernel's table, which is read when one is asked for."""

    @cached_property
    def _metrics(self) -> dict[str, Metric]:
        return {
            name: named_metric(name)
            for name, facts in kernel_facts().items()
            # Losses that are computed already have no name here, nor has what needs its times.
            if facts["predicts"] != "losses" and None not in dict(facts["parameters"]).values()
        }

    def __getitem__(self, name: str) -> Metric:
        return self._metrics[name]

    def get(self, name: str, default: Any = None) -> Any:  # what every call asks, faster
        return self._metrics.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._metrics

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)


METRICS: Mapping[str, Metric] = _Table()


def named_metric(name: str, /, **changes: Any) -> Metric:
    """The metric of this name in the kernel's table, but for the changes."""
    facts = kernel_facts()[name]
    same = ["kernel", "family", "greater_is_better", "target", "predicts", "sign", "parameters"]
    same += ["target_range", "prediction_range", "censoring"]
    lowest, highest = facts["limits"]
    own = {"name": name, "lowest": lowest, "highest": highest} | {key: facts[key] for key in same}
    return Metric(**own | changes)


def negated(name: str, plain: Metric) -> Metric:
    """The metric whose value is the negative of another's."""
    return replace(
        plain,
        name=name,
        greater_is_better=not plain.greater_is_better,
        sign=-plain.sign,
    )
