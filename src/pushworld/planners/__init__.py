"""Planners: one registry, one way to call them, and one kind of result."""

from pushworld.planners.batch import solve_many
from pushworld.planners.heuristics import Heuristics
from pushworld.planners.protocol import Planner, Progress, SolveResult, Status
from pushworld.planners.registry import get_planner, planners
from pushworld.planners.shortening import ShortenProgress, ShortenResult, shorten
from pushworld.planners.solving import solve

__all__ = [
    "Heuristics",
    "Planner",
    "Progress",
    "ShortenProgress",
    "ShortenResult",
    "SolveResult",
    "Status",
    "get_planner",
    "planners",
    "shorten",
    "solve",
    "solve_many",
]
