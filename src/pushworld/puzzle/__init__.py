"""The model: puzzles, states, actions and plans, and the reference dynamics."""

from pushworld.errors import PushWorldError
from pushworld.puzzle.actions import DELTAS, LETTERS, Action, Plan, format_plan, parse_plan
from pushworld.puzzle.errors import PlanError, PuzzleError
from pushworld.puzzle.model import Position, Puzzle, PuzzleObject, State
from pushworld.puzzle.transform import Symmetry, crop, pad, transform, transform_state

__all__ = [
    "DELTAS",
    "LETTERS",
    "Action",
    "Plan",
    "PlanError",
    "Position",
    "PushWorldError",
    "Puzzle",
    "PuzzleError",
    "PuzzleObject",
    "State",
    "Symmetry",
    "crop",
    "format_plan",
    "pad",
    "parse_plan",
    "transform",
    "transform_state",
]
