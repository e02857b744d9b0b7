"""People as a row of a report: their plans, which come without times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pushworld.bench.records import Run, TaskKey
from pushworld.bench.tables import HUMAN, PlannerRuns, all_tasks
from pushworld.datasets import installed_human_solutions, read_human_solutions
from pushworld.datasets.human import HumanSolutions
from pushworld.planners.protocol import count_pushes
from pushworld.puzzle import Puzzle

NOT_SHOWN = "none"


def chosen_solutions(source: str | None) -> HumanSolutions | None:
    """Returns the solutions of a file or folder, by default the installed ones; None for ``none``."""
    if source == NOT_SHOWN:
        return None
    return installed_human_solutions() if source is None else read_human_solutions(Path(source))


def with_people(
    planners: Sequence[PlannerRuns], puzzles: Mapping[str, Puzzle], solutions: HumanSolutions | None
) -> list[PlannerRuns]:
    """Returns the planners, and after them people if they have a plan for one of the puzzles (by digest)."""
    if not solutions:
        return list(planners)
    found = _runs(all_tasks(planners), puzzles, solutions)
    people = PlannerRuns(HUMAN, replace(planners[0].settings, clock="moves"), found)
    return [*planners, *([people] if found else [])]


def _runs(
    tasks: Iterable[TaskKey], puzzles: Mapping[str, Puzzle], solutions: HumanSolutions
) -> dict[TaskKey, Run]:
    runs = {}
    for task in tasks:
        puzzle = puzzles.get(task.digest)
        if puzzle is None:
            continue
        puzzle = replace(puzzle, name=task.puzzle)
        plan = solutions.plan_of(puzzle, task.level)
        length = solutions.length_of(puzzle, task.level)
        if length is None:
            continue
        if plan is not None and len(plan) > length:
            plan = None
        runs[task] = Run(
            planner=HUMAN,
            planner_version="",
            **task._asdict(),
            status="solved",
            plan=plan,
            length=length,
            pushes=None if plan is None else count_pushes(puzzle, plan),
        )
    return runs
