"""Ctrl-C reaches R and Python, whichever is running; the host's handler is restored."""

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_busy: list[bool] = []  # not empty while R computes for Python
_deferred: list[bool] = []  # not empty while a KeyboardInterrupt waits for a safe place


@contextlib.contextmanager
def r_at_work() -> Iterator[None]:
    """While R computes, Ctrl-C is R's; afterwards, what had to wait is raised."""
    from rpy2.rinterface_lib import openrlib

    _busy.append(True)
    try:
        yield
    finally:
        _busy.pop()
        if _deferred and not _busy:
            _deferred.clear()
            openrlib.rlib.R_interrupts_pending = 0
            raise KeyboardInterrupt


def forward_to_r() -> None:
    """Tell R of Ctrl-C at once: a thread hears of the signal while R holds the main one."""
    if threading.current_thread() is not threading.main_thread():
        return
    from rpy2.rinterface_lib import openrlib

    listener, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    previous = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)

    def listen() -> None:
        while numbers := os.read(listener, 64):
            if signal.SIGINT in numbers and _busy:
                openrlib.rlib.R_interrupts_pending = 1
            if previous >= 0:
                with contextlib.suppress(OSError):
                    os.write(previous, numbers)

    threading.Thread(target=listen, name="bbc_r-interrupts", daemon=True).start()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise_where_safe)


@contextlib.contextmanager
def kept_handler() -> Iterator[None]:
    """What handles Ctrl-C now does so afterwards.

    R's handler is a C function, which the module signal can neither read nor restore.
    """
    library = ctypes.CDLL(None)
    saved = ctypes.create_string_buffer(1024)  # larger than any struct sigaction
    library.sigaction(signal.SIGINT, None, saved)
    try:
        yield
    finally:
        library.sigaction(signal.SIGINT, saved, None)


@contextlib.contextmanager
def python_at_work() -> Iterator[None]:
    """While R waits for Python, Ctrl-C raises KeyboardInterrupt there."""
    with kept_handler():
        signal.signal(signal.SIGINT, _raise_where_safe)
        yield


def _raise_where_safe(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but not while R computes or in rpy2's callbacks, which lose it."""
    if _busy or _in_rpy2(frame):
        _deferred.append(True)
    else:
        raise KeyboardInterrupt


def _in_rpy2(frame: FrameType | None) -> bool:
    while frame is not None:
        package = frame.f_globals.get("__name__", "").split(".")[0]
        if package in ("rpy2", "bbc_r"):
            return bool(package == "rpy2")
        frame = frame.f_back
    return False
