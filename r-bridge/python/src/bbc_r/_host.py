"""Python's side of an R process that runs protocols: started by bbcr, or `python -m bbc_r`."""

import atexit
import contextlib
import io
import os
import sys
import warnings
from typing import Any

from bbc.errors import ArgumentError
from bbc.findings import Finding

from . import _session
from ._interrupts import answered, python_at_work

_kept_alive: list[Any] = []  # R calls these for as long as it lives


def attach() -> None:
    """Attach to the R of this process and leave bbcr a function that calls protocols."""
    os.environ["R_SESSION_INITIALIZED"] = f"PID={os.getpid()}:NAME=bbcr"
    if not hasattr(sys, "argv"):
        sys.argv = [""]
    r = _session.rinterface()
    _kept_alive.extend([r.rternalize(_answer), r.rternalize(_close)])
    _session.call(_session.helper("register"), *_kept_alive, sys.executable)


class _Messages(io.TextIOBase):
    """Where a run prints its progress: messages of R, which its consoles show."""

    def write(self, text: str) -> int:
        if text.strip():
            _session.call(_session.helper("say"), text.rstrip())
        return len(text)


def _answer(name: Any, arguments: Any) -> Any:
    """Call a protocol for R. What is raised goes back as a value: rpy2 would swallow it."""
    from . import _protocols

    answer: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for category in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
        try:
            with contextlib.redirect_stdout(_Messages()), python_at_work():
                answer["value"] = getattr(_protocols, name[0])(*arguments)
        except KeyboardInterrupt:
            answered()
            answer["interrupted"] = True
        except BaseException as error:
            notes = getattr(error, "__notes__", [])
            if isinstance(error, ArgumentError) and not notes:
                parts = {"argument": error.argument, "problem": error.problem}
                place = _session.as_list(error.place)
                answer["refused"] = _session.as_list(parts | {"hint": error.hint, "place": place})
            answer["error"] = "\n".join([str(error) or type(error).__name__, *notes])
            answer["class"] = [base.__name__ for base in type(error).__mro__[:-2]]
    said = dict.fromkeys(getattr(one.message, "args", [str(one.message)])[0] for one in caught)
    findings = [[one.code, one.detail] for one in said if isinstance(one, Finding)]
    answer["findings"] = _session.as_list(findings)
    answer["warnings"] = [str(one) for one in said if not isinstance(one, Finding)]
    return _session.as_list(answer)


def _close() -> Any:
    """End the worker processes and do what Python does at its end: R's end is not Python's."""
    from joblib.externals.loky import reusable_executor

    if reusable_executor._executor is not None:
        reusable_executor._executor.shutdown(wait=True, kill_workers=True)
    atexit._run_exitfuncs()
    return _session.as_r(True)
