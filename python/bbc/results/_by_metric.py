"""Results of the same winners by several metrics: mappings from the metrics' names."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from .._page import Page, Table, short

R = TypeVar("R")


class ByMetric(Mapping[str, R]):
    """What a result whose only field is a mapping has in common with one."""

    @property
    def _entries(self) -> Mapping[str, R]:
        (field,) = fields(self)  # type: ignore[arg-type]
        found: Mapping[str, R] = getattr(self, field.name)
        return found

    def __getitem__(self, name: str) -> R:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    __eq__ = Mapping.__eq__  # a dict of the same results is equal


def one_after_another(head: str, results: Mapping[str, Any]) -> Page:
    """The tables of each result, and all remarks, each once."""
    pages = [(short(name), each._page()) for name, each in results.items()]
    of_first = pages[0][1].remarks if pages else ()
    shared = [line for line in of_first if all(line in page.remarks for _, page in pages)]
    tables: list[Table] = []
    lines: list[tuple[str, str]] = []
    for name, page in pages:
        for title, *rows in page.tables:
            tables.append([(f"{name}: {title[0]}", *title[1:]), *rows])
        own = [line for line in page.remarks if line not in shared]
        lines += [(label, f"{name}: {text}") for label, text in own]
    return Page(head, tables=tables, remarks=[*lines, *shared])
