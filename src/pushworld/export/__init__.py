"""Puzzles for other planners: PDDL and SAS+, and the way back from their plans."""

from pushworld.export.pddl import PddlTask, export_pddl
from pushworld.export.plans import plan_from_external
from pushworld.export.sas import export_sas
from pushworld.export.stopping import ExportStoppedError

__all__ = ["ExportStoppedError", "PddlTask", "export_pddl", "export_sas", "plan_from_external"]
