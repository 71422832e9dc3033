"""The block length of Politis and White (2004; corrected 2009) for the circular bootstrap.

Of the flat-top window with the bandwidth that the autocorrelations ask for, and from it the length
for several configurations: three times the median of the first 15, at least the cube root of the
number of rows and at most an eighth of it.

Readings chosen where the texts are silent: the bandwidth is twice the lag after which K_N
autocorrelations in a row are below 2 sqrt(log10 n / n), or twice the last that is not, if no such
run is there; at least 1, at most ceil(sqrt n) + K_N, K_N = max(5, ceil(sqrt(log10 n))). A series
without variance has length 1, and no length is above ceil(min(3 sqrt n, n / 3)).
"""

import math

import numpy as np


def politis_white(series: np.ndarray) -> float:
    """The length for one series."""
    n = len(series)
    k_n = max(5, math.ceil(math.sqrt(math.log10(n))))
    most = math.ceil(math.sqrt(n)) + k_n
    centred = series - series.mean()
    lags = np.arange(min(most + 1, n - 1))
    covariance = np.array([centred[: n - lag] @ centred[lag:] for lag in lags]) / n
    if covariance[0] <= 0:
        return 1.0
    small = np.abs(covariance / covariance[0]) < 2 * math.sqrt(math.log10(n) / n)
    runs = [lag for lag in range(len(lags) - k_n) if small[lag + 1 : lag + 1 + k_n].all()]
    last = runs[0] if runs else max(np.flatnonzero(~small), default=0)
    width = int(min(max(2 * last, 1), most, len(lags) - 1))
    window = np.clip(2 * (1 - np.arange(width + 1) / width), 0, 1)
    weighted = window * covariance[: width + 1]
    spectrum = 2 * weighted.sum() - weighted[0]
    slope = 2 * (np.arange(width + 1) * weighted).sum()
    longest = math.ceil(min(3 * math.sqrt(n), n / 3))
    if spectrum == 0:
        return float(longest)
    length = (2 * slope**2 / (4 / 3 * spectrum**2)) ** (1 / 3) * n ** (1 / 3)
    return float(min(max(length, 1.0), longest))


def block_length(values: np.ndarray) -> int:
    """The length for the values of rows, of shape (rows, configurations)."""
    n = len(values)
    median = float(np.median([politis_white(column) for column in values.T[:15]]))
    root = next(number for number in range(1, n + 1) if number**3 >= n)
    return min(max(math.ceil(3 * median), root), n // 8)
