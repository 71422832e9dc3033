"""The content of data frames: columns with types, categories and missing values, the index."""

import sys
from typing import Any

import numpy as np


def parts_of_frame(value: Any) -> list[Any] | None:
    """Return the content of a frame, column or index in plain parts; None for anything else."""
    package = type(value).__module__.partition(".")[0]
    if package == "pandas":
        return _of_pandas(value)
    if package == "polars":
        return _of_polars(value)
    if package == "pyarrow":
        return _of_pyarrow(value)
    return None


def _of_pandas(value: Any) -> list[Any] | None:
    pd = sys.modules["pandas"]
    if isinstance(value, pd.DataFrame):
        columns = [_of_array(value.iloc[:, place].array) for place in range(value.shape[1])]
        return [value.columns, value.index, value.attrs, columns]
    if isinstance(value, pd.Series):
        return [value.name, value.index, value.attrs, _of_array(value.array)]
    if isinstance(value, pd.MultiIndex):
        levels = [value.get_level_values(place).array for place in range(value.nlevels)]
        return [list(value.names), [_of_array(level) for level in levels]]
    if isinstance(value, pd.Index):
        return [value.name, _of_array(value.array)]
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return _of_array(value)
    return None


def _of_array(array: Any) -> list[Any]:
    """Values without what missing ones hide."""
    dtype = array.dtype
    if hasattr(dtype, "categories"):
        return ["category", dtype.categories, bool(dtype.ordered), np.asarray(array.codes)]
    if isinstance(dtype, np.dtype):
        return [np.asarray(array)]
    if hasattr(array, "asi8"):  # times, with their zone or their period in the type
        return [str(dtype), array.asi8]
    mask = np.asarray(array.isna())
    numbers = getattr(dtype, "numpy_dtype", np.dtype(object))
    if numbers.kind in "biuf":
        return [str(dtype), mask, array.to_numpy(dtype=numbers, na_value=numbers.type(0))]
    return [str(dtype), mask, np.where(mask, None, array.astype(object))]


def _of_polars(value: Any) -> list[Any] | None:
    pl = sys.modules["polars"]
    if isinstance(value, pl.DataFrame):
        return [value.columns, value.get_columns()]
    if not isinstance(value, pl.Series):
        return None
    dtype = value.dtype
    categories = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else None
    numbers = dtype.is_numeric() and value.null_count() == 0
    return [value.name, str(dtype), categories, value.to_numpy() if numbers else value.to_list()]


def _of_pyarrow(value: Any) -> list[Any] | None:
    pa = sys.modules["pyarrow"]
    if isinstance(value, pa.Table):
        return [value.column_names, value.columns]
    if not isinstance(value, pa.ChunkedArray | pa.Array):
        return None
    chunks = value.chunks if isinstance(value, pa.ChunkedArray) else [value]
    categories = [chunk.dictionary for chunk in chunks if isinstance(chunk, pa.DictionaryArray)]
    numbers = pa.types.is_primitive(value.type) and value.null_count == 0
    return [
        str(value.type),
        categories,
        value.to_numpy() if numbers and isinstance(value, pa.ChunkedArray) else value.to_pylist(),
    ]
