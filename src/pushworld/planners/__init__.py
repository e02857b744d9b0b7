"""Planners: one registry, one way to call them, and one kind of result."""

from pushworld.planners.batch import solve_many
from pushworld.planners.heuristics import Heuristics
from pushworld.planners.protocol import (
    Availability,
    Planner,
    PlannerError,
    Progress,
    SolveResult,
    Status,
    WrongPlanError,
)
from pushworld.planners.registry import all_planners, get_planner, planners
from pushworld.planners.shortening import ShortenProgress, ShortenResult, shorten
from pushworld.planners.solving import solve

__all__ = [
    "Availability",
    "Heuristics",
    "Planner",
    "PlannerError",
    "Progress",
    "ShortenProgress",
    "ShortenResult",
    "SolveResult",
    "Status",
    "WrongPlanError",
    "all_planners",
    "get_planner",
    "planners",
    "shorten",
    "solve",
    "solve_many",
]
