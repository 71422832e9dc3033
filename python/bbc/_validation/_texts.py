"""Cells of text: those without a value, and those that are numbers of another make."""

import re
from collections.abc import Mapping

from .._typing import AnyArray
from ..errors import InvalidValueError
from ._values import is_missing, shown

#: Cells without a value.
MISSING = frozenset({"", "NA", "NaN", "nan", "None", "null", "NULL"})
PERCENT = re.compile(r"\s*[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)\s*%\s*")
_WITH_COMMAS = re.compile(r"\s*[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?\s*")
#: Three decimals, or thousands.
EITHER = re.compile(r"\s*[+-]?[1-9]\d{0,2}[.,]\d{3}\s*")


def refuse_number_texts(source: str, columns: Mapping[str, AnyArray]) -> None:
    """Refuse columns of a frame that a reader of files left as text, and that are numbers."""
    refuse_percentages(source, columns)
    _refuse_decimal_commas(source, columns)


def refuse_percentages(source: str, columns: Mapping[str, AnyArray]) -> None:
    """Refuse a column of text whose cells all end in %."""
    for name, column in columns.items():
        for row, cell in _cells(PERCENT, column)[:1]:
            number = cell.replace("%", "").replace(",", ".")
            raise InvalidValueError(
                source,
                ": cells of column {!r} end in %, such as {!r} in data row {} (the first is 0): "
                "write {:.15g}",
                name,
                cell,
                row,
                float(number) / 100,
            )


def _refuse_decimal_commas(source: str, columns: Mapping[str, AnyArray]) -> None:
    found = {}
    for name, column in columns.items():
        cells = [cell for _, cell in _cells(_WITH_COMMAS, column)]
        proof = next((cell for cell in cells if "," in cell and not EITHER.fullmatch(cell)), None)
        if proof is not None:
            found[name] = proof
    if found:
        several = len(found) > 1
        raise InvalidValueError(
            source,
            ": column{} {} {} text with decimal commas, such as {!r}: read the file again with "
            'read_csv(decimal=",")',
            "s" if several else "",
            shown(list(map(repr, found))),
            "are" if several else "is",
            next(iter(found.values())),
        )


def _cells(form: re.Pattern[str], column: AnyArray) -> list[tuple[int, str]]:
    """Rows and cells that have a value, if all of these are text of that form; else nothing."""
    found: list[tuple[int, str]] = []
    for row, cell in enumerate(column if column.dtype.kind in "OU" else ()):
        if cell in MISSING if isinstance(cell, str) else is_missing(cell):
            continue
        if not (isinstance(cell, str) and form.fullmatch(cell)):
            return []
        found.append((row, str(cell)))
    return found
