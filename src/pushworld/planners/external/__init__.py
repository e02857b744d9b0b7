"""Planners of other projects, each a process under limits that reads PDDL or SAS+."""

from pushworld.planners.external.fast_downward import fast_downward_planners
from pushworld.planners.external.lapkt import lapkt_planners
from pushworld.planners.external.planner import ExternalPlanner
from pushworld.planners.external.toml_file import load_planner_file

EXTERNAL_PLANNERS: tuple[ExternalPlanner, ...] = (*fast_downward_planners(), *lapkt_planners())
"""The planners of other projects that the package knows, installed or not."""

__all__ = ["EXTERNAL_PLANNERS", "ExternalPlanner", "load_planner_file"]
