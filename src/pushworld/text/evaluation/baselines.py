"""Baselines in the same table as models: programs that know the rules, and people's solutions."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter

from pushworld.datasets import HumanSolutions, read_human_solutions
from pushworld.design.dead_ends import GREED
from pushworld.engine import Engine
from pushworld.planners import Heuristics, solve
from pushworld.planners.registry import get_planner
from pushworld.puzzle import Action, PushWorldError, format_plan
from pushworld.text import Task, score_plan
from pushworld.text.evaluation.journal import Evaluation, Turn, opened_journal, read_evaluation
from pushworld.text.evaluation.runner import Progress, Watcher, choose_tasks
from pushworld.text.evaluation.settings import Settings

WALKS = ("random", "greedy")
PEOPLE = "people"
LEAST_MOVES, MOST_MOVES, MOVES_PER_BEST = 40, 1000, 4
"""A walk has four times the moves of the best plan known, but 40 to 1,000."""

NO_PLAN = "no plan found"
Finder = Callable[[Task], str | None]
"""Returns a baseline's plan for a task, or None if it has none."""


def run_baseline(
    output: str | os.PathLike[str],
    settings: Settings,
    time_limit: float = 10.0,
    people: Path | None = None,
    watcher: Watcher | None = None,
    *,
    seed: str | None = None,
) -> Evaluation:
    """Returns the plans of a baseline for all tasks; finds only those that the folder lacks.

    Args:
        output: the folder.
        settings: what to evaluate; `model` names the baseline: ``random``, ``greedy``, ``people``, or
            a planner.
        time_limit: seconds of a planner for a puzzle.
        people: the file of people's solutions; see `pushworld.datasets.read_human_solutions`.
        watcher: called after each task.
        seed: the private seed, if the settings have one.

    Raises:
        PushWorldError: if there is no such baseline, or the folder holds something else.
    """
    settings, chosen = choose_tasks(settings, seed)
    solutions = None
    if settings.model == PEOPLE:
        if people is None:
            raise PushWorldError("people's solutions need a file: --people FILE")
        solutions = read_human_solutions(people)
    find = _finder(settings.model, settings.tasks_seed, time_limit, solutions)
    with opened_journal(Path(output), settings, chosen) as journal:
        known = journal.evaluation.turns
        before = sum(task.key in known for task in chosen)
        progress = Progress(journal.evaluation, len(chosen), open=before, before=before)
        for task in chosen:
            if task.key in known:
                continue
            start = perf_counter()
            plan = find(task)
            answer = NO_PLAN if plan is None else f"<plan>{plan}</plan>"
            date = datetime.now(UTC).isoformat(timespec="seconds")
            turn = Turn(task.key, 0, answer, seconds=perf_counter() - start, date=date)
            if solutions is not None:
                turn = replace(turn, games=solutions.games_of(task.puzzle))
            journal.append(turn if plan else replace(turn, finish="none"))
            solved = plan is not None and score_plan(task, plan, prove=False).solved
            progress.solved, progress.open = progress.solved + solved, progress.open + (not solved)
            if watcher is not None:
                watcher(progress)
    return read_evaluation(output)


def _finder(name: str, seed: str, time_limit: float, solutions: HumanSolutions | None) -> Finder:
    if solutions is not None:
        return lambda task: solutions.plan_of(replace(task.puzzle, name=task.name), task.set)
    if name in WALKS:
        return lambda task: walk(task, seed, greedy=name == "greedy")
    get_planner(name)  # raises an error that lists the planners

    def find(task: Task) -> str | None:
        result = solve(task.puzzle, name, time_limit=time_limit)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        return result.plan

    return find


def walk(task: Task, seed: str, *, greedy: bool) -> str:
    """Returns the moves of a walk until the puzzle is solved or its moves are used up.

    A greedy walk takes the move that leaves the smallest recursive graph distance, four times of
    five, and any move that has an effect otherwise.
    """
    puzzle = task.puzzle
    random = Random(f"{seed} {task.digest}")
    engine, heuristics = Engine(puzzle), Heuristics(puzzle)
    most = min(MOST_MOVES, max(LEAST_MOVES, MOVES_PER_BEST * (task.best_known or 100)))
    state = puzzle.initial_state
    plan: list[Action] = []
    while len(plan) < most and not puzzle.is_solved(state):
        after = {action: engine.step(state, action) for action in Action}
        choices = (
            [action for action in Action if after[action] != state] if greedy else list(Action)
        )
        if greedy and random.random() < GREED:
            values = {action: heuristics.rgd(after[action]) for action in choices}
            choices = [a for a in choices if values[a] == min(values.values())]
        action = random.choice(choices or list(Action))
        plan.append(action)
        state = after[action]
    return format_plan(plan)
