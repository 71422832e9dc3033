"""R inside this process. The only file that imports rpy2, and of that only the low level.

R runs on the thread that started it. rpy2's converters are not used: they turn integer NA into a
number, large integers into text and factors with NA into errors.
"""

import contextlib
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bbc.search import warn_of_fit

from ._interrupts import forward_to_r, kept_handler, r_at_work
from .errors import RError, RNotAvailableError, RWarning

# No compiler and no R headers are needed in this mode; rpy2 reads it when it is imported.
os.environ.setdefault("RPY2_CFFI_MODE", "ABI")

_PINS = "RPY2_CFFI_MODE=ABI python -m pip install rpy2-rinterface==3.6.5"


class _Session:
    """What belongs to the running R."""

    def __init__(self) -> None:
        self.rinterface: ModuleType | None = None
        self.helpers: Any = None
        self.thread = 0


_session = _Session()


def start(arguments: tuple[str, ...] = ("bbc_r", "--quiet", "--no-save", "--no-restore")) -> None:
    """Start R, or attach to the R that runs this Python; does nothing if that is done already."""
    if _session.rinterface is not None:
        if threading.get_ident() != _session.thread:
            raise RuntimeError(
                "R runs on one thread only: use processes (joblib's loky), not threads, for n_jobs"
            )
        return
    attached = f"PID={os.getpid()}" in os.environ.get("R_SESSION_INITIALIZED", "").split(":")
    if not attached:
        find_r()
    rinterface = _import_rpy2()
    embedded = sys.modules["rpy2.rinterface_lib.embedded"]
    with utf8(), kept_handler(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "R was initialized outside of rpy2": so it was
        if not attached:
            embedded.set_initoptions(arguments)
        # With 0, R keeps its own limit, and deep recursion is an R error and not a crash.
        rinterface.initr(interactive=False, _c_stack_limit=0, _want_setcallbacks=not attached)
        forward_to_r()
    _session.rinterface = rinterface
    _session.thread = threading.get_ident()
    if attached:
        # The host ends R, not Python.
        import atexit

        atexit.unregister(embedded.endr)
        for name in ("_atexit_end_r", "endr"):
            hook = getattr(rinterface, name, None)
            if hook is not None:
                atexit.unregister(hook)
    else:
        _use_python_streams()
    base = rinterface.baseenv
    _session.helpers = base["new.env"]()
    for name in ("bridge.R", "ready.R"):
        code = (Path(__file__).parent / name).read_text(encoding="utf-8")
        base["eval"](base["parse"](text=rinterface.StrSexpVector([code])), _session.helpers)


def find_r() -> str:
    """R's home; an error if there is no R."""
    command = [os.environ.get("R_HOME", "") + "/bin/R" if os.environ.get("R_HOME") else "R"]
    try:
        home = subprocess.run(
            [*command, "RHOME"], capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise RNotAvailableError(
            "R was not found: install R 4.1 or newer and put it on the PATH, or set R_HOME"
        ) from None
    os.environ["R_HOME"] = home.splitlines()[-1]
    return os.environ["R_HOME"]


def _import_rpy2() -> ModuleType:
    try:
        import rpy2.rinterface as rinterface
    except ImportError as error:
        raise RNotAvailableError(f"rpy2 cannot be imported ({error}): {_PINS}") from error
    except Exception as error:
        raise RNotAvailableError(
            f"this rpy2 does not fit the R that is installed ({error}). With R older than 4.5 use "
            f"these pins: {_PINS}"
        ) from error
    return cast(ModuleType, rinterface)


@contextlib.contextmanager
def utf8() -> Iterator[None]:
    """R reads and prints UTF-8 even where the environment says LC_ALL=C."""
    import locale

    before = os.environ.get("LC_ALL")
    # What R would read at its start; Python's own view may be forced to UTF-8.
    named = before or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or "C"
    if "utf" not in named.lower():
        os.environ["LC_ALL"] = "C.UTF-8"
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("LC_ALL", None)
        else:
            os.environ["LC_ALL"] = before


def _use_python_streams() -> None:
    """What R prints goes where Python prints; rpy2 would log R's messages as warnings."""
    from rpy2.rinterface_lib import callbacks

    def out(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def err(text: str) -> None:
        sys.stdout.flush()
        sys.stderr.write(text)
        sys.stderr.flush()

    callbacks.consolewrite_print = out
    callbacks.consolewrite_warnerror = err
    callbacks.consoleflush = lambda: None


def rinterface() -> Any:
    """rpy2's low level, with R running."""
    start()
    return _session.rinterface


def helper(name: str) -> Any:
    """A function of bridge.R."""
    start()
    return _session.helpers[name]


def call(function: Any, *args: Any) -> Any:
    """Call an R function; R's errors and warnings become Python's."""
    r = rinterface()
    try:
        with r_at_work():
            result = helper("guarded")(function, as_list(args))
    except r.embedded.RRuntimeError as error:  # R's own failure: guarded() catches all others
        raise RError(str(error).strip()) from None
    parts = dict(zip(result.names, result, strict=True))
    if "interrupted" in parts:
        raise KeyboardInterrupt
    for message in parts["warnings"]:
        warn_of_fit(f"R: {message}", RWarning)
    if "error" in parts:
        where = parts["call"][0]
        raise RError(f"{parts['error'][0]}" + (f" (in R, {where})" if where else ""))
    return parts["value"]


def evaluate(code: str) -> Any:
    """The value of R code, evaluated in R's global environment."""
    return call(helper("source_text"), strings([code]))


def as_list(values: Any) -> Any:
    """An R list, named if `values` is a dict."""
    r = rinterface()
    if isinstance(values, dict):
        vector = r.ListSexpVector([as_r(value) for value in values.values()])
        vector.do_slot_assign("names", strings(list(values)))
        return vector
    return r.ListSexpVector([as_r(value) for value in values])


def as_r(value: Any) -> Any:
    """Scalars, strings and lists of these as R vectors; R's own objects as they are."""
    r = rinterface()
    if isinstance(value, r.Sexp):
        return value
    if hasattr(value, "sexp"):
        return value.sexp
    if value is None:
        return r.NULL
    if isinstance(value, dict):
        return as_list(value)
    if isinstance(value, np.ndarray):
        return array(value)
    items = list(value) if isinstance(value, list | tuple) else [value]
    if all(isinstance(item, bool | np.bool_) for item in items):
        return r.BoolSexpVector([bool(item) for item in items])
    if all(isinstance(item, str) for item in items):
        return strings(items)
    if all(isinstance(item, int | float | np.number) for item in items):
        whole = all(isinstance(item, int | np.integer) and abs(int(item)) < 2**31 for item in items)
        if whole:
            return r.IntSexpVector([int(item) for item in items])
        return r.FloatSexpVector([float(item) for item in items])
    return as_list(items)


def strings(values: Any) -> Any:
    """An R character vector; None becomes NA."""
    r = rinterface()
    return r.StrSexpVector([r.NA_Character if value is None else str(value) for value in values])


def array(values: NDArray[Any]) -> Any:
    """A numeric R vector or matrix, filled through R's memory; integers stay integers."""
    r = rinterface()
    flat = values.ravel(order="F")
    if values.dtype.kind in "USO":
        vector = strings(flat.tolist())
    elif values.dtype.kind == "b":
        vector = r.BoolSexpVector(flat.tolist())
    elif values.dtype.kind in "iu" and values.size and abs(flat).max() < 2**31:
        vector = r.IntSexpVector.from_memoryview(flat.astype(np.int32).data)
    else:
        vector = r.FloatSexpVector.from_memoryview(flat.astype(np.float64).data)
    if values.ndim > 1:
        vector.do_slot_assign("dim", r.IntSexpVector(list(values.shape)))
    return vector


def to_numpy(vector: Any) -> NDArray[Any]:
    """A copy of a vector or matrix: a view of R's memory would dangle once R frees it."""
    r = rinterface()
    if isinstance(vector, r.StrSexpVector):
        return np.array([None if item is r.NA_Character else str(item) for item in vector])
    if isinstance(vector, r.FloatSexpVector):
        values = np.array(vector.memoryview())
    elif isinstance(vector, r.BoolSexpVector):
        return np.array([bool(item) for item in vector])
    else:
        values = np.array(vector.memoryview())
        if (values == -(2**31)).any():  # NA is a number only to those who do not know R
            values = np.where(values == -(2**31), np.nan, values)
    try:
        shape = list(vector.do_slot("dim"))
    except LookupError:
        return values
    return values.reshape(-1, order="F").reshape(shape, order="F")
