"""PushWorld: push things until the red ones stand on their outlines."""

import sys
from typing import TYPE_CHECKING, Any

from pushworld.puzzle import Action, PlanError, PushWorldError, Puzzle, PuzzleError, Symmetry

if TYPE_CHECKING:
    from pushworld.planners import ShortenResult, SolveResult, shorten, solve, solve_many

    __version__: str

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
    """Imports the planners, and what reads the version, when one of their names is first used.

    Planners need the native module, which is not needed to read puzzles or to train on a device.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        return _version()
    from pushworld import planners

    return getattr(planners, name)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pushworld")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+source"


def _puzzle_as_svg(puzzle: Puzzle) -> str:
    """Returns the picture of a puzzle that notebooks show."""
    from pushworld.render.svg import render_svg

    return render_svg(puzzle)


# Attached here, because the model does not depend on the renderer.
Puzzle._repr_svg_ = _puzzle_as_svg  # type: ignore[attr-defined]

if sys.modules.get("gymnasium") is not None:
    from pushworld import envs as _envs  # noqa: F401 (registers the ids of the environments)
