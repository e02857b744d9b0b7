"""How hard a puzzle is for people: a linear model of a few cheap measures.

The measures are the size, a good plan and the search effort of planners. The coefficients are in
``difficulty.json``. `benchmarks/design.py --calibrate` fits them to the levels that people gave the published puzzles.
"""

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pushworld.design.budget import (
    GRADING,
    Budget,
    OutOfTimeError,
    Solution,
    check_deadline,
    seconds_left,
    share_of_time,
    shorten_within,
    solve_within,
)
from pushworld.design.plan_features import PlanFeatures, plan_features
from pushworld.planners import Status
from pushworld.puzzle import Puzzle
from pushworld.puzzle.facts import log10_states_at_most

EFFORT_PLANNERS = ("default", "novelty-rgd", "rgd")


@dataclass(frozen=True)
class PlannerEffort:
    """The search effort of a planner: its status within the budget and the states that it saw."""

    planner: str
    status: Status
    states: int


@dataclass(frozen=True)
class Measures:
    """Size, plan and search effort.

    Attributes:
        width, height: of the world, with its border.
        movables, goals: how many there are.
        log10_states: logarithm of an upper bound on the number of states; None if the deadline ended
            the count.
        solution: the best plan; None if the search ended at its limit or the puzzle is unsolvable.
        plan: the features of that plan.
        efforts: the search effort of each planner, the default planner first.
        decided: False if the deadline came before a plan was found, or before it was shortened.
    """

    width: int
    height: int
    movables: int
    goals: int
    log10_states: float | None
    solution: Solution | None
    plan: PlanFeatures | None
    efforts: tuple[PlannerEffort, ...]
    decided: bool = True

    @property
    def status(self) -> Status:
        """The status of the default planner; ``unsolvable`` is a proof."""
        return self.efforts[0].status


def measure(
    puzzle: Puzzle,
    budget: Budget,
    planners: tuple[str, ...] = EFFORT_PLANNERS,
    known_plan: str | None = None,
) -> Measures:
    """Returns the measures of a puzzle.

    Args:
        planners: the planners to run, the default planner first.
        known_plan: used if the planners find no plan, or only longer ones.
    """
    log10_states = _log10_states(puzzle)
    efforts: list[PlannerEffort] = []
    solution, decided = None, True
    for planner in planners:
        states = budget.search_states if planner == "default" else budget.experiment_states
        with share_of_time(0.5 if efforts else 0.75):
            result = solve_within(puzzle, states, planner)
        efforts.append(PlannerEffort(planner, result.status, result.states))
        if solution is None and result.plan is not None:
            solution, decided = _shortened(puzzle, result.plan, budget)
    if known_plan is not None and (solution is None or len(known_plan) < solution.length):
        solution, decided = _shortened(puzzle, known_plan, budget)
    if solution is None:
        ends = {each.status for each in efforts}
        decided = "unsolvable" in ends or "time-limit" not in ends
    return Measures(
        width=puzzle.width,
        height=puzzle.height,
        movables=len(puzzle.movables),
        goals=len(puzzle.goal),
        log10_states=log10_states,
        solution=solution,
        plan=None if solution is None else plan_features(puzzle, solution.plan),
        efforts=tuple(efforts),
        decided=decided,
    )


def _shortened(puzzle: Puzzle, plan: str, budget: Budget) -> tuple[Solution, bool]:
    """Returns the plan after shortening, and whether that came to its end before the deadline."""
    with share_of_time(0.5):
        solution = shorten_within(puzzle, plan, budget.shorten_states, so_far=True)
        return solution, solution.optimal or seconds_left() > 0


def _log10_states(puzzle: Puzzle) -> float | None:
    try:
        return log10_states_at_most(puzzle, check_deadline)
    except OutOfTimeError:
        return None


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
