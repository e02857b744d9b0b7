"""How hard a puzzle is for people: a linear model of a few measures.

The coefficients are in ``difficulty.json``. `benchmarks/design.py --calibrate` fits them to the levels
that people gave the published puzzles.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pushworld.design.budget import GRADING, OutOfTimeError
from pushworld.design.measures import Measures, measure
from pushworld.puzzle import Puzzle


@dataclass(frozen=True)
class Difficulty:
    """How hard a puzzle is.

    Attributes:
        score: on the scale of the levels: about 1 for Level 1, about 4 for Level 4.
        level: the level whose range the score lies in, 1 to 4.
    """

    score: float
    level: int


@dataclass(frozen=True)
class Model:
    """The model: the score is a base plus a weighted sum of features.

    Attributes:
        base: the score of a puzzle whose features are all 0.
        weights: of the features.
        cuts: the scores at which levels 2, 3 and 4 begin.
    """

    base: float
    weights: dict[str, float]
    cuts: tuple[float, ...]

    def score(self, features: dict[str, float]) -> float:
        """Returns the score of a puzzle with these features."""
        return self.base + sum(weight * features[name] for name, weight in self.weights.items())

    def level(self, score: float) -> int:
        """Returns the level whose range a score lies in."""
        return 1 + sum(score >= cut for cut in self.cuts)


def difficulty_features(movables: int, length: int | None, states: int) -> dict[str, float]:
    """Returns the features of a puzzle.

    Args:
        length: of the best plan; None if none is known.
        states: that the search for it saw.
    """
    return {
        "log_length": math.log2(1 + (length or 0)),
        "log_effort": math.log2(1 + states),
        "movables": float(movables),
        "unsolved": float(length is None),
    }


@cache
def stored_model() -> Model:
    """Returns the model that comes with the package."""
    values = json.loads((files(__package__) / "difficulty.json").read_text(encoding="utf-8"))
    return Model(values["base"], values["weights"], tuple(values["cuts"]))


def measure_for_grading(puzzle: Puzzle) -> Measures:
    """Returns the measures for the model, with the budget it was calibrated with.

    Raises:
        OutOfTimeError: if a deadline ended the search: then the measures depend on the clock.
    """
    measures = measure(puzzle, GRADING, ("default",))
    if not measures.decided:
        raise OutOfTimeError
    return measures


def grade(puzzle: Puzzle, measures: Measures | None = None) -> Difficulty:
    """Returns how hard a puzzle is by the stored model.

    Args:
        measures: those of `measure_for_grading`, if known.
    """
    model, found = stored_model(), measures or measure_for_grading(puzzle)
    length = None if found.plan is None else found.plan.length
    score = model.score(difficulty_features(found.movables, length, found.efforts[0].states))
    return Difficulty(round(score, 3), model.level(score))
