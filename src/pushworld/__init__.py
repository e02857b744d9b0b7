"""PushWorld: push things until the red ones stand on their outlines."""

from importlib.metadata import version

from pushworld.planners import SolveResult, solve, solve_many
from pushworld.puzzle import Action, PlanError, PushWorldError, Puzzle, PuzzleError, Symmetry

__version__ = version("pushworld")

__all__ = [
    "Action",
    "PlanError",
    "PushWorldError",
    "Puzzle",
    "PuzzleError",
    "SolveResult",
    "Symmetry",
    "__version__",
    "solve",
    "solve_many",
]
