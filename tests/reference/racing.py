"""Racing rules in plain sums: Hoeffding races, F-race, CVST and paired t.

Each takes losses as lists of folds (or rows) of configurations and returns who is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy import stats

Table = Sequence[Sequence[float]]


def column(table: Table, j: int) -> list[float]:
    """One configuration's losses."""
    return [float(row[j]) for row in table]


def best_mean(table: Table) -> int:
    """The configuration of least total loss, the first of several."""
    sums = [math.fsum(column(table, j)) for j in range(len(table[0]))]
    return sums.index(min(sums))


def hoeffding(table: Table, level: float, width: float = 1.0) -> list[bool]:
    """Maron and Moore: upper end of the best against the lower ends of the others."""
    n = len(table)
    eps = width * math.sqrt(math.log(2 / (1 - level)) / (2 * n))
    means = [math.fsum(column(table, j)) / n for j in range(len(table[0]))]
    return [mean - eps > min(means) + eps for mean in means]


def ranks(row: Sequence[float]) -> list[float]:
    """Ranks within a fold, ties sharing theirs."""
    return [
        sum(other < value for other in row) + (sum(other == value for other in row) + 1) / 2
        for value in row
    ]


def friedman_statistic(table: Table) -> float:
    """Friedman's chi-squared with the correction for ties."""
    n, k = len(table), len(table[0])
    ranked = [ranks(row) for row in table]
    sums = [sum(column(ranked, j)) for j in range(k)]
    ties = 0
    for row in table:
        counts = [sum(other == value for other in row) for value in set(row)]
        ties += sum(count**3 - count for count in counts)
    squares = sum((total - n * (k + 1) / 2) ** 2 for total in sums)
    return 12 * squares / (n * k * (k + 1) - ties / (k - 1))


def friedman(table: Table, level: float) -> list[bool]:
    """F-race for three configurations or more."""
    n, k = len(table), len(table[0])
    alpha = 1 - level
    ranked = [ranks(row) for row in table]
    sums = [sum(column(ranked, j)) for j in range(k)]
    if stats.chi2.sf(friedman_statistic(table), k - 1) >= alpha:
        return [False] * k
    squares = sum(rank**2 for row in ranked for rank in row)
    freedom = (n - 1) * (k - 1)
    spread = 2 * (n * squares - sum(total**2 for total in sums)) / freedom
    critical = stats.t.ppf(1 - alpha / 2, freedom) * math.sqrt(max(spread, 0.0))
    return [total - min(sums) > critical for total in sums]


def paired_t(table: Table, level: float) -> list[bool]:
    """One-sided paired t-tests against the best mean."""
    n, best = len(table), best_mean(table)
    dropped = []
    for j in range(len(table[0])):
        gaps = [float(row[j]) - float(row[best]) for row in table]
        mean = math.fsum(gaps) / n
        variance = math.fsum((gap - mean) ** 2 for gap in gaps) / (n - 1)
        if variance == 0:
            dropped.append(mean > 0)
        else:
            dropped.append(bool(stats.t.cdf(mean / math.sqrt(variance / n), n - 1) > level))
    return dropped


def cochran_p(table: Table) -> float:
    """The p-value of Cochran's Q; 1 if all agree in every row."""
    k = len(table[0])
    rows, columns = [sum(row) for row in table], [sum(column(table, j)) for j in range(k)]
    spread = k * sum(rows) - sum(total**2 for total in rows)
    if spread == 0:
        return 1.0
    q = (k - 1) * (k * sum(total**2 for total in columns) - sum(columns) ** 2) / spread
    return float(stats.chi2.sf(q, k - 1))


def top(table: Table, level: float) -> list[bool]:
    """The best configurations that Cochran's Q cannot tell apart."""
    k = len(table[0])
    order = sorted(range(k), key=lambda j: (sum(column(table, j)), j))
    chosen = order[:1]
    for j in order[1:]:
        if cochran_p([[row[i] for i in (*chosen, j)] for row in table]) <= (1 - level) / (k - 1):
            break
        chosen.append(j)
    return [j in chosen for j in range(k)]


def is_flop(trace: Sequence[bool], n_folds: int, alpha: float = 0.01, beta: float = 0.1) -> bool:
    """Wald's sequential likelihood ratio of two shares, at its lower boundary or below."""
    share = 0.5 * ((1 - beta) / alpha) ** (1 / n_folds)
    ratio = sum(math.log((share if won else 1 - share) / 0.5) for won in trace)
    return ratio <= math.log(beta / (1 - alpha))
