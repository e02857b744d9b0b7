"""PushWorld: push things until the red ones stand on their outlines."""

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from pushworld.envs.registration import register_when_imported
from pushworld.puzzle import Action, PlanError, PushWorldError, Puzzle, PuzzleError, Symmetry

if TYPE_CHECKING:
    from pushworld.planners import ShortenResult, SolveResult, shorten, solve, solve_many

try:
    __version__ = version("pushworld")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+source"

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


def __getattr__(name: str) -> Any:
    """Loads the planners when one of their names is first used.

    They need the native module, which those who only read puzzles or train on a device may lack.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pushworld import planners

    return getattr(planners, name)
