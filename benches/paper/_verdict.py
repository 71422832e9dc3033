"""Whether a table of ours agrees with a paper's: one rule for all studies.

Numbers that should equal the paper's agree if no more of them are beyond two standard errors than
the binomial 99 % bound allows, and if the sum of their z is within three standard deviations.
One-sided claims are tested one-sided, with Holm's correction within their table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.stats import binom, chi2, norm
from scipy.stats import t as student

FAR = 2.0
FARTHEST_SUM = 3.0
LEVEL = 0.05
Kind = Literal["equal", "not refuted", "shown", "statement", "information"]
Mark = Literal["agrees", "differs", "not shown", ""]


@dataclass(frozen=True)
class Claim:
    """Something that a paper says, or that should hold, and what we found.

    Attributes
    ----------
    text : str
        What is compared.
    ours, paper : float or str
        Our number and the paper's, as the reader should see them.
    kind : str
        How it is judged; the class methods say what each kind is.
    statistic : float
        z of "equal", a one-sided p-value of "not refuted" and "shown", 1 or 0 of "statement".
    """

    text: str
    ours: float | str
    paper: float | str
    kind: Kind
    statistic: float

    @classmethod
    def equal(cls, text: str, ours: float | str, paper: float | str, z: float) -> "Claim":
        """Two numbers that should be equal but for chance, with their difference's z."""
        return cls(text, ours, paper, "equal", z)

    @classmethod
    def not_refuted(cls, text: str, ours: float | str, paper: float | str, p: float) -> "Claim":
        """A one-sided hypothesis, such as "not optimistic", that stands unless it is rejected."""
        return cls(text, ours, paper, "not refuted", p)

    @classmethod
    def shown(cls, text: str, ours: float | str, paper: float | str, p: float) -> "Claim":
        """A direction, such as "optimistic", that stands only if its opposite is rejected."""
        return cls(text, ours, paper, "shown", p)

    @classmethod
    def statement(cls, text: str, ours: float | str, paper: float | str, holds: bool) -> "Claim":
        """What is read off the numbers, without a test."""
        return cls(text, ours, paper, "statement", float(holds))

    @classmethod
    def information(cls, text: str, ours: float | str, paper: float | str = "") -> "Claim":
        """What is worth knowing, and not judged."""
        return cls(text, ours, paper, "information", float("nan"))


@dataclass(frozen=True)
class Table:
    """Claims that are judged together.

    Attributes
    ----------
    title : str
        What the table shows.
    claims : sequence of Claim
        Its cells.
    correlation : ndarray of shape (n_equal, n_equal), optional
        Correlations of the cells of kind "equal"; without it they are independent.
    listed : bool
        Whether the page lists the cells, or only the verdict.
    """

    title: str
    claims: Sequence[Claim]
    correlation: np.ndarray | None = None
    listed: bool = True


@dataclass(frozen=True)
class Verdict:
    """What the rule says of a table.

    Attributes
    ----------
    mark : str
        "agrees", "differs", "not shown", or nothing where only information is given.
    marks : tuple of str
        The same of each claim. Numbers share the verdict of their table: a single one is not
        judged.
    reason : str
        The counts and statistics behind it.
    """

    mark: Mark
    marks: tuple[Mark, ...]
    reason: str


def judge(table: Table) -> Verdict:
    """Judge a table by the rule of this module."""
    z = np.array([c.statistic for c in table.claims if c.kind == "equal"])
    numbers, reasons = _judge_numbers(z, table.correlation) if z.size else ("", [])
    one_sided = _judge_one_sided(table.claims)
    marks: list[Mark] = []
    for place, claim in enumerate(table.claims):
        if claim.kind == "equal":
            marks.append(numbers)
        elif claim.kind == "statement":
            marks.append("agrees" if claim.statistic else "differs")
        else:
            marks.append(one_sided.get(place, ""))
    others = [
        m for m, claim in zip(marks, table.claims, strict=True) if m and claim.kind != "equal"
    ]
    if others:
        reasons.append(f"{others.count('agrees')} of {len(others)} claims")
    return Verdict(_worst(marks), tuple(marks), "; ".join(reasons))


def _worst(marks: Sequence[Mark]) -> Mark:
    order: tuple[Mark, ...] = ("differs", "not shown", "agrees")
    return next((mark for mark in order if mark in marks), "")


def _judge_numbers(z: np.ndarray, correlation: np.ndarray | None) -> tuple[Mark, list[str]]:
    n_far, allowed = int((abs(z) > FAR).sum()), most_far(z.size)
    total = pooled(z, correlation)
    agrees = n_far <= allowed and abs(total) <= FARTHEST_SUM
    reasons = [
        f"{z.size} numbers, {n_far} beyond {FAR:g} s.e. ({allowed} allowed), pooled z {total:+.1f}"
        if z.size > 1
        else f"1 number, z {total:+.1f}"
    ]
    if correlation is None and z.size > 1:
        reasons.append(f"chi-square p {chi2.sf((z**2).sum(), z.size):.2g}")
    return "agrees" if agrees else "differs", reasons


def most_far(n_cells: int) -> int:
    """Return the binomial 99 % bound on the cells that chance puts beyond two standard errors."""
    return int(binom.ppf(0.99, n_cells, 2 * norm.sf(FAR)))


def pooled(z: np.ndarray, correlation: np.ndarray | None = None) -> float:
    """Return the sum of z over its standard deviation."""
    variance = z.size if correlation is None else float(correlation.sum())
    return float(z.sum() / np.sqrt(variance))


def _judge_one_sided(claims: Sequence[Claim]) -> dict[int, Mark]:
    """Holm's correction over all one-sided claims of a table."""
    places = [i for i, claim in enumerate(claims) if claim.kind in ("not refuted", "shown")]
    p = np.nan_to_num([claims[i].statistic for i in places], nan=0.5)
    rejected, opposite = holm(p), holm(1 - p)
    found: dict[int, Mark] = {}
    for place, is_rejected, is_opposite in zip(places, rejected, opposite, strict=True):
        if claims[place].kind == "not refuted":
            found[place] = "differs" if is_rejected else "agrees"
        elif is_rejected:
            found[place] = "agrees"
        else:
            found[place] = "differs" if is_opposite else "not shown"
    return found


def holm(p: np.ndarray) -> np.ndarray:
    """Return which hypotheses Holm's step-down procedure rejects at 5 %."""
    rejected = np.zeros(p.size, dtype=bool)
    for step, place in enumerate(np.argsort(p, kind="stable")):
        if p[place] > LEVEL / (p.size - step):
            break
        rejected[place] = True
    return rejected


def p_above(mean: float, standard_error: float, n: int | None = None) -> float:
    """Return the p-value of "the mean is at most 0": normal, or Student's t of n values."""
    if not standard_error > 0:
        return 0.5
    z = mean / standard_error
    return float(norm.sf(z) if n is None else student.sf(z, n - 1))


def correlation(values: np.ndarray) -> np.ndarray:
    """Return correlations of cells between the independent units (rows) that they share.

    Units that a cell lacks are NaN, and count for nothing.
    """
    with np.errstate(invalid="ignore"):
        centred = np.nan_to_num(values - np.nanmean(values, axis=0))
    length = np.sqrt((centred**2).sum(axis=0))
    scaled = centred / np.where(length > 0, length, 1)
    found = scaled.T @ scaled
    np.fill_diagonal(found, 1)
    return np.asarray(found)
