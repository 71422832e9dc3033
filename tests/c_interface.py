"""The C interface as ctypes sees it: bbc/c.h, field by field."""

import ctypes as c
from pathlib import Path

import numpy as np

_Int32 = c.POINTER(c.c_int32)
_Int64 = c.POINTER(c.c_int64)
_Double = c.POINTER(c.c_double)


class Predictions(c.Structure):
    """bbc_predictions."""

    _fields_ = [
        ("struct_size", c.c_size_t),
        ("repeats", c.POINTER(c.c_void_p)),
        ("n_repeats", c.c_int64),
        ("dtype", c.c_int),
        ("n_rows", c.c_int64),
        ("n_configurations", c.c_int64),
        ("n_outputs", c.c_int64),
        ("strides", c.c_int64 * 3),
    ]


class Problem(c.Structure):
    """bbc_problem."""

    _fields_ = [
        ("struct_size", c.c_size_t),
        ("metric", c.c_char_p),
        ("average", c.c_char_p),
        ("beta", c.c_double),
        ("alpha", c.c_double),
        ("negate", c.c_int),
        ("n_rows", c.c_int64),
        ("labels", _Int64),
        ("values", _Double),
        ("events", c.POINTER(c.c_uint8)),
        ("positive_label", _Int64),
        ("n_bootstraps", c.c_int64),
        ("seed", c.c_uint64),
        ("units", _Int32),
        ("strata", _Int32),
        ("resamples", _Int32),
        ("folds", _Int32),
        ("row_weights", _Double),
        ("raise_undefined", c.c_int),
        ("confidence_level", c.c_double),
        ("alternative", c.c_int),
        ("n_threads", c.c_int),
        ("poll", c.c_void_p),
        ("user_data", c.c_void_p),
        ("drawn_folds", _Int32),
        ("selection", c.c_char_p),
        ("selection_size", c.c_int64),
        ("as_published", c.c_int64),
        ("predicted", c.POINTER(c.c_uint8)),
        ("rungs", _Int32),
        ("choose_only", _Int32),
        ("n_choose_only", c.c_int64),
        ("burn", c.c_double),
        ("class_counts", c.c_char_p),
    ]


class Result(c.Structure):
    """bbc_result."""

    _fields_ = [
        ("struct_size", c.c_size_t),
        *((name, c.c_double) for name in ("estimate", "low", "high", "replicate_sd")),
        ("apparent", c.c_double),
        ("optimism", c.c_double),
        ("winner", c.c_int64),
        ("n_redrawn", c.c_int64),
        ("undefined_fold_share", c.c_double),
        ("replicates", _Double),
        ("replicate_winners", _Int64),
        ("message", c.c_char * 512),
        ("threshold", c.c_double),
        ("replicate_thresholds", _Double),
        ("weights", _Double),
        ("selection_frequency", _Double),
        ("argument", c.c_char * 32),
        ("size_bias", c.c_double),
    ]


class Library:
    """The shared library under an installation's prefix."""

    def __init__(self, prefix: Path) -> None:
        self._library = c.CDLL(str(next(prefix.rglob("libbbc.so"))))
        self._library.bbc_correction_free.argtypes = [c.c_void_p]

    def call(self, function: str, *arguments: object) -> int:
        """The status of one function of bbc/c.h."""
        return int(self._library[function](*arguments))

    def problem(self, options: dict[str, object]) -> Problem:
        """A problem with these fields; arrays must stay alive as long as it does."""
        problem = Problem()
        self._library.bbc_problem_init(c.byref(problem), c.c_size_t(c.sizeof(problem)))
        for name, value in options.items():
            if isinstance(value, np.ndarray):
                value = value.ctypes.data_as(dict(Problem._fields_)[name])
            setattr(problem, name, value)
        return problem

    def correct(
        self, repeats: list[np.ndarray], options: dict[str, object], **chosen: np.ndarray
    ) -> tuple[Result, np.ndarray, np.ndarray]:
        """bbc_correct with C-ordered arrays; `options` are fields of bbc_problem.

        `chosen` are arrays for what a rule chose, by the members of bbc_result.
        """
        problem, predictions = self.problem(options), block(repeats)
        replicates = np.empty(problem.n_bootstraps)
        winners = np.empty(problem.n_bootstraps, np.int64)
        result = result_in(replicates, winners)
        for name, array in chosen.items():
            setattr(result, name, array.ctypes.data_as(_Double))
        status = self.call("bbc_correct", *map(c.byref, (problem, predictions, result)))
        assert status == 0, result.message.decode()
        return result, replicates, winners


def block(repeats: list[np.ndarray]) -> Predictions:
    """C-ordered arrays of float64 or int64, one per repeat, as the library takes them."""
    return Predictions(
        c.sizeof(Predictions),
        (c.c_void_p * len(repeats))(*(array.ctypes.data for array in repeats)),
        len(repeats),
        0 if repeats[0].dtype == np.float64 else 5,
        *(*repeats[0].shape, 1)[:3],
    )


def result_in(replicates: np.ndarray, winners: np.ndarray) -> Result:
    """A result that fills these two arrays."""
    return Result(
        struct_size=c.sizeof(Result),
        replicates=replicates.ctypes.data_as(_Double),
        replicate_winners=winners.ctypes.data_as(_Int64),
    )
