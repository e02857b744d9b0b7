"""Evaluations of language models: asked over any OpenAI-compatible endpoint, scored from their answers."""

from pushworld.text.evaluation.baselines import run_baseline
from pushworld.text.evaluation.endpoint import Budget, Endpoint
from pushworld.text.evaluation.journal import find_evaluations, read_evaluation
from pushworld.text.evaluation.outcomes import contestants_of
from pushworld.text.evaluation.report import print_tables, write_report
from pushworld.text.evaluation.runner import Result, evaluate
from pushworld.text.evaluation.settings import Settings

__all__ = [
    "Budget",
    "Endpoint",
    "Result",
    "Settings",
    "contestants_of",
    "evaluate",
    "find_evaluations",
    "print_tables",
    "read_evaluation",
    "run_baseline",
    "write_report",
]
