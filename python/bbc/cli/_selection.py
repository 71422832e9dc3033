"""The words of ``--selection``."""

import argparse
from collections.abc import Callable

from ..selection import BEST, Selection, best_threshold, greedy_ensemble, top_k

WORDS = "best, threshold, greedy, greedy:ROUNDS or top:K"
_PLAIN = {"best": BEST, "threshold": best_threshold(), "greedy": greedy_ensemble()}
_SIZED: dict[str, Callable[[int], Selection]] = {"greedy": greedy_ensemble, "top": top_k}


def selection(word: str) -> Selection:
    """The rule that a word of the command line stands for."""
    name, _, size = word.partition(":")
    if word in _PLAIN:
        return _PLAIN[word]
    if name not in _SIZED or not (size.isascii() and size.isdigit()) or int(size) == 0:
        raise argparse.ArgumentTypeError(f"must be {WORDS}, got {word!r}")
    return _SIZED[name](int(size))
