"""Statistics of reports: shares and medians with confidence intervals, and rank correlation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atanh, comb, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray

Z = 1.959963984540054
"""The quantile of the normal distribution for intervals of 95 %."""


@dataclass(frozen=True)
class Share:
    """A share of trials, with its confidence interval."""

    count: float
    trials: int

    @classmethod
    def of(cls, trials: Iterable[bool]) -> Share:
        """Returns the share of the trials that are true."""
        made = list(trials)
        return cls(sum(made), len(made))

    @property
    def value(self) -> float | None:
        return self.count / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of Wilson."""
        if not self.trials:
            return 0.0, 1.0
        n, p, z2 = self.trials, self.count / self.trials, Z * Z
        centre, half = p + z2 / (2 * n), Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        low, high = (centre - half) / (1 + z2 / n), (centre + half) / (1 + z2 / n)
        return min(p, max(0.0, low)), max(p, min(1.0, high))  # whatever was rounded

    def __str__(self) -> str:
        if not self.trials:
            return "–"
        low, high = self.interval
        return f"{100 * self.count / self.trials:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Returns a confidence interval of the median of at least 95 %, from the order of the values.

    None if there are too few values: with less than six, even their range covers less than 95 %.
    """
    n = len(values)
    tail, rank = 0.0, 0
    # The values of ranks k and n + 1 - k miss the median with the probability of k - 1 or less
    # heads, or as many tails, in n throws of a coin.
    while rank <= n // 2 and 2 * (tail + comb(n, rank) / 2**n) <= 0.05:
        tail += comb(n, rank) / 2**n
        rank += 1
    if rank == 0:
        return None
    in_order = sorted(values)
    return in_order[rank - 1], in_order[n - rank]


@dataclass(frozen=True)
class Spearman:
    """Spearman's rank correlation."""

    # the correlation of the ranks, ties at their mean rank; None if one side has only one value
    rho: float | None
    pairs: int  # how many pairs there are

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of Bonett and Wright.

        None for less than five pairs, and for the same order on both sides, where it has no width.
        """
        if self.rho is None or self.pairs < 5 or abs(self.rho) > 1 - 1e-12:
            return None
        half = Z * sqrt((1 + self.rho**2 / 2) / (self.pairs - 3))
        return tanh(atanh(self.rho) - half), tanh(atanh(self.rho) + half)


def spearman(one: ArrayLike, other: ArrayLike) -> Spearman:
    """Returns the rank correlation of two sequences of the same length."""
    ranked = [_ranks(np.asarray(side, float)) for side in (one, other)]
    pairs = len(ranked[0])
    if pairs < 2 or any(np.ptp(side) == 0 for side in ranked):
        return Spearman(None, pairs)
    return Spearman(float(np.clip(np.corrcoef(ranked[0], ranked[1])[0, 1], -1, 1)), pairs)


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]
