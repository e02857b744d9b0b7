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
from pushworld.planners.strategies import OpenList, Strategy, default_strategies

__all__ = [
    "Availability",
    "Heuristics",
    "OpenList",
    "Planner",
    "PlannerError",
    "Progress",
    "ShortenProgress",
    "ShortenResult",
    "SolveResult",
    "Status",
    "Strategy",
    "WrongPlanError",
    "all_planners",
    "default_strategies",
    "get_planner",
    "planners",
    "shorten",
    "solve",
    "solve_many",
]
