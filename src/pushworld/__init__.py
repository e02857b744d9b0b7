"""PushWorld: push things until the red ones stand on their outlines."""

from importlib.metadata import version

from pushworld.envs.registration import register_when_imported
from pushworld.planners import ShortenResult, SolveResult, shorten, solve, solve_many
from pushworld.puzzle import Action, PlanError, PushWorldError, Puzzle, PuzzleError, Symmetry

__version__ = version("pushworld")

register_when_imported()

__all__ = [
    "Action",
    "PlanError",
    "PushWorldError",
    "Puzzle",
    "PuzzleError",
    "ShortenResult",
    "SolveResult",
    "Symmetry",
    "__version__",
    "shorten",
    "solve",
    "solve_many",
]
