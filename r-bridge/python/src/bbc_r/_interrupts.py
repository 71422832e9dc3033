"""Ctrl-C reaches R and Python, whichever is running; the host's handler is restored."""

import contextlib
import ctypes
import functools
import os
import platform
import select
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_busy: list[bool] = []  # not empty while R computes for Python
_deferred: list[bool] = []  # not empty while a KeyboardInterrupt waits for a safe place
# A Ctrl-C is told to R by the listening thread or taken by the handler of the main thread, never by
# both: who holds the lock reads it from the pipe.
_lock = threading.RLock()
_pipe: list[int] = []  # the end that is read, and where what was read goes on to


@contextlib.contextmanager
def r_at_work() -> Iterator[None]:
    """While R computes, Ctrl-C is R's; afterwards, what had to wait is raised.

    R takes it in `guarded` of bridge.R, which allows it, and nowhere else.
    """
    _busy.append(True)
    try:
        with _no_jumps():
            yield
    finally:
        with _lock:
            _busy.pop()
            waiting = not _busy and (bool(_deferred) or _of_r("R_interrupts_pending").value == 1)
            if waiting:
                _deferred.clear()
                _tell_r(0)
        if waiting:
            raise KeyboardInterrupt


@contextlib.contextmanager
def _no_jumps() -> Iterator[None]:
    """Let R keep a Ctrl-C for later: it would jump over Python's frames.

    rpy2 evaluates R code outside of R_tryEval, too, as where it asks for the text of an error.
    """
    suspended = _of_r("R_interrupts_suspended")
    before, suspended.value = suspended.value, 1
    try:
        yield
    finally:
        suspended.value = before


def forward_to_r() -> None:
    """Tell R of Ctrl-C at once: a thread hears of the signal while R holds the main one."""
    if threading.current_thread() is not threading.main_thread():
        return
    listener, wakeup = os.pipe()
    os.set_blocking(listener, False)
    os.set_blocking(wakeup, False)
    _pipe.extend([listener, signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)])

    def listen() -> None:
        while select.select([listener], [], []):
            with _lock:
                if _pressed() and _busy:
                    _tell_r(1)

    threading.Thread(target=listen, name="bbc_r-interrupts", daemon=True).start()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise_where_safe)


def answered() -> None:
    """Forget all that tells of a Ctrl-C which has ended a run: R must not hear of it again."""
    with _lock:
        _pressed()
        _deferred.clear()
        _tell_r(0)


def _pressed() -> bool:
    """Whether the pipe, which is read empty, says that Ctrl-C was pressed."""
    if not _pipe:
        return False
    listener, previous = _pipe
    numbers = b""
    with contextlib.suppress(BlockingIOError):
        numbers = os.read(listener, 4096)
    if numbers and previous >= 0:
        with contextlib.suppress(OSError):
            os.write(previous, numbers)
    return signal.SIGINT in numbers


def _tell_r(pending: int) -> None:
    _of_r("R_interrupts_pending").value = pending


@functools.cache
def _of_r(name: str) -> ctypes.c_int:
    """A variable of the R that runs in this process."""
    from rpy2 import situation
    from rpy2.rinterface_lib import openrlib

    library = ctypes.CDLL(situation.get_rlib_path(openrlib.R_HOME, platform.system()))
    return ctypes.c_int.in_dll(library, name)


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
    with kept_handler(), _no_jumps():
        signal.signal(signal.SIGINT, _raise_where_safe)
        yield


def _raise_where_safe(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but not while R computes or in rpy2's callbacks, which lose it."""
    with _lock:
        _pressed()  # taken here: the thread that listens must not tell R of it again
        wait = bool(_busy) or _in_rpy2(frame)
        if wait:
            _deferred.append(True)
        _tell_r(int(bool(_busy)))
    if not wait:
        raise KeyboardInterrupt


def _in_rpy2(frame: FrameType | None) -> bool:
    while frame is not None:
        package = frame.f_globals.get("__name__", "").split(".")[0]
        if package in ("rpy2", "bbc_r"):
            return bool(package == "rpy2")
        frame = frame.f_back
    return False
