"""Python's side of an R process that runs protocols: started by bbcr, or `python -m bbc_r`."""

import atexit
import os
import sys
import warnings
from typing import Any

from . import _session
from ._interrupts import python_at_work

_kept_alive: list[Any] = []  # R calls these for as long as it lives


def attach() -> None:
    """Attach to the R of this process and leave bbcr a function that calls protocols."""
    os.environ["R_SESSION_INITIALIZED"] = f"PID={os.getpid()}:NAME=bbcr"
    if not hasattr(sys, "argv"):
        sys.argv = [""]
    r = _session.rinterface()
    _kept_alive.extend([r.rternalize(_answer), r.rternalize(_close)])
    _session.call(_session.helper("register"), *_kept_alive, sys.executable)


def _answer(name: Any, arguments: Any) -> Any:
    """Call a protocol for R. What is raised goes back as a value: rpy2 would swallow it."""
    from . import _protocols

    answer: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for category in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
        try:
            with python_at_work():
                answer["value"] = getattr(_protocols, name[0])(*arguments)
        except KeyboardInterrupt:
            answer["interrupted"] = True
        except BaseException as error:
            notes = getattr(error, "__notes__", [])
            answer["error"] = "\n".join([str(error) or type(error).__name__, *notes])
            answer["class"] = type(error).__name__
    answer["warnings"] = list(dict.fromkeys(str(one.message) for one in caught))
    return _session.as_list(answer)


def _close() -> Any:
    """End the worker processes and do what Python does at its end: R's end is not Python's."""
    from joblib.externals.loky import reusable_executor

    if reusable_executor._executor is not None:
        reusable_executor._executor.shutdown(wait=True, kill_workers=True)
    atexit._run_exitfuncs()
    return _session.as_r(True)
