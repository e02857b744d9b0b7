"""Fits the difficulty model to levels that people set, and reports their agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.bench.statistics import spearman
from pushworld.design.difficulty import Model

FEATURES = ("log_length", "log_effort", "movables", "unsolved")
RIDGE = 1.0
FOLDS = 10
LEVELS = (1, 2, 3, 4)

Row = dict[str, Any]


def fit_model(rows: Sequence[Row], features: Sequence[str] = FEATURES) -> Model:
    """Returns the ridge regression of the levels on the standardised features, with its cuts."""
    values = np.array([[row[name] for name in features] for row in rows], float)
    levels = np.array([row["level"] for row in rows], float)
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = (values - mean) / spread
    gram = scaled.T @ scaled + RIDGE * np.eye(len(features))
    weights = np.linalg.solve(gram, scaled.T @ (levels - levels.mean())) / spread
    base = float(levels.mean() - weights @ mean)
    scores = values @ weights + base
    named = dict(zip(features, weights.tolist(), strict=True))
    return Model(base, named, matching_cuts(scores, levels))


def matching_cuts(scores: NDArray[np.float64], levels: NDArray[np.float64]) -> tuple[float, ...]:
    """Returns the scores that give as many puzzles to each level as people did."""
    shares = [float(np.mean(levels <= level)) for level in LEVELS[:-1]]
    return tuple(np.quantile(scores, shares).tolist())


def cross_validated(
    rows: Sequence[Row], features: Sequence[str] = FEATURES
) -> list[tuple[float, int]]:
    """Returns the score and level of each puzzle by a model fitted to the other folds."""
    found: list[tuple[float, int]] = [(0.0, 0)] * len(rows)
    for fold in range(FOLDS):
        others = [row for index, row in enumerate(rows) if index % FOLDS != fold]
        model = fit_model(others, features)
        for index in range(fold, len(rows), FOLDS):
            score = model.score(rows[index])
            found[index] = (score, model.level(score))
    return found


def rank_correlation(rows: Sequence[Row], features: Sequence[str]) -> float:
    """Returns the cross-validated rank correlation of score and level with some features."""
    scores = np.array([score for score, _ in cross_validated(rows, features)])
    rho = spearman(scores, [row["level"] for row in rows]).rho
    assert rho is not None
    return rho


def report_agreement(rows: Sequence[Row], graded: Sequence[tuple[float, int]]) -> str:
    """Returns the rank correlation and the confusion matrix as text."""
    levels = np.array([row["level"] for row in rows], float)
    scores = np.array([score for score, _ in graded])
    given = np.array([level for _, level in graded])
    lines = [
        f"{len(rows)} puzzles, {FOLDS} folds",
        f"Spearman's rank correlation of score and level: {spearman(scores, levels).rho:.3f}",
        f"same level {np.mean(given == levels):.3f}, "
        f"at most one apart {np.mean(np.abs(given - levels) <= 1):.3f}",
        "level     graded as 1    2    3    4",
    ]
    for level in LEVELS:
        counts = [int(np.sum((levels == level) & (given == each))) for each in LEVELS]
        lines.append(f"{level:<17}" + "".join(f"{count:5}" for count in counts))
    return "\n".join(lines)
