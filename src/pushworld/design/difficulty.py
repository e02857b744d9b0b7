"""How hard a puzzle is for people: a linear model of a few measures.

The coefficients are in ``difficulty.json``. `benchmarks/design.py --calibrate` fits them to the levels
that people gave the published puzzles.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from pushworld.design.budget import GRADING
from pushworld.design.deadline import OutOfTimeError
from pushworld.design.measures import Measures, PlannerEffort, measure
from pushworld.design.plan_features import plan_features
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


def difficulty_features(measures: Measures) -> dict[str, float]:
    """Returns the features that a model may use, from measures with the grading budget.

    If no plan is known, `unsolved` is 1 and the features of the plan are 0.
    """
    plan = measures.plan
    return {
        "log_length": math.log2(1 + plan.length) if plan else 0.0,
        "log_pushes": math.log2(1 + plan.pushes) if plan else 0.0,
        "log_runs": math.log2(1 + plan.runs) if plan else 0.0,
        "log_turns": math.log2(1 + plan.turns) if plan else 0.0,
        "chain": float(plan.longest_chain) if plan else 0.0,
        "moved": float(len(plan.moved)) if plan else 0.0,
        "unsolved": 0.0 if plan else 1.0,
        "log_effort": math.log2(1 + measures.efforts[0].states),
        "movables": float(measures.movables),
        "goals": float(measures.goals),
        "log_states": measures.log10_states or 0.0,
    }


@cache
def stored_model() -> Model:
    """Returns the model that comes with the package."""
    text = (files(__package__) / "difficulty.json").read_text(encoding="utf-8")
    return model_from_json(text)


def model_from_json(text: str) -> Model:
    """Returns the model that a JSON object describes."""
    values = json.loads(text)
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


def guess(puzzle: Puzzle, plan: str, states: int, share: float = 1.0) -> float:
    """Returns the score of a puzzle after a first search, which saw this number of states.

    Args:
        plan: the plan that was found.
        share: the share of its actions that the best plan is assumed to have.
    """
    measures = Measures(
        width=puzzle.width,
        height=puzzle.height,
        movables=len(puzzle.movables),
        goals=len(puzzle.goal),
        log10_states=None,
        solution=None,
        plan=replace(plan_features(puzzle, plan), length=int(share * len(plan))),
        efforts=(PlannerEffort("default", "solved", states),),
    )
    return stored_model().score(difficulty_features(measures))


def grade(puzzle: Puzzle, measures: Measures | None = None) -> Difficulty:
    """Returns how hard a puzzle is by the stored model.

    Args:
        measures: those of `measure_for_grading`, if known.
    """
    model = stored_model()
    score = model.score(difficulty_features(measures or measure_for_grading(puzzle)))
    return Difficulty(round(score, 3), model.level(score))
