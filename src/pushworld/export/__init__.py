"""Puzzles for other planners, in PDDL and SAS+, and the conversion of their plans."""

from pushworld.export.cancellation import ExportStoppedError
from pushworld.export.pddl import PddlTask, export_pddl
from pushworld.export.plans import plan_from_external, plan_to_external
from pushworld.export.sas import export_sas

__all__ = [
    "ExportStoppedError",
    "PddlTask",
    "export_pddl",
    "export_sas",
    "plan_from_external",
    "plan_to_external",
]
