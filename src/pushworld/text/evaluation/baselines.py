"""Baselines in the same table as models: programs that know the rules, and people's solutions."""

from __future__ import annotations

import csv
import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter

from pushworld.bench.tasks import digest_of
from pushworld.design.dead_ends import GREED
from pushworld.engine import Engine
from pushworld.planners import Heuristics, solve
from pushworld.planners.registry import get_planner
from pushworld.puzzle import Action, PushWorldError, Puzzle, format_plan, parse_plan
from pushworld.text import Task
from pushworld.text.evaluation.journal import Evaluation, Turn, opened_journal, read_evaluation
from pushworld.text.evaluation.runner import Nobody, Watcher, choose_tasks
from pushworld.text.evaluation.settings import Settings
from pushworld.web.catalogue import puzzle_digest

WALKS = ("random", "greedy")
LEAST_MOVES, MOVES_PER_BEST = 40, 4
"""A walk has four times the moves of the best plan known, and at least 40: an episode's budget."""

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
        people: the file of people's solutions; see `read_people`.
        watcher: receives the events.
        seed: the private seed, if the settings have one.

    Raises:
        PushWorldError: if there is no such baseline, or the folder holds something else.
    """
    settings, chosen = choose_tasks(settings, seed)
    find = _finder(settings.model, settings.tasks_seed, time_limit, people)
    watcher = watcher or Nobody()
    with opened_journal(Path(output), settings, chosen) as journal:
        known = journal.evaluation.turns
        watcher.on_plan(len(chosen), 0, sum(digest_of(task.puzzle) in known for task in chosen))
        for task in chosen:
            digest = digest_of(task.puzzle)
            if digest in known:
                continue
            start = perf_counter()
            plan = find(task)
            answer = NO_PLAN if plan is None else f"<plan>{plan}</plan>"
            date = datetime.now(UTC).isoformat(timespec="seconds")
            turn = Turn(digest, 0, answer, seconds=perf_counter() - start, date=date)
            journal.append(turn if plan else replace(turn, finish="none"))
            solved = plan is not None and task.puzzle.validate(plan)
            watcher.on_end(task, "solved" if solved else "open")
    return read_evaluation(output)


def _finder(name: str, seed: str, time_limit: float, people: Path | None) -> Finder:
    if name == "people":
        if people is None:
            raise PushWorldError("people's solutions need a file: --people FILE")
        plans = read_people(people)
        return lambda task: plans.get(puzzle_digest(task.puzzle.to_pwp())) or plans.get(task.name)
    if name in WALKS:
        return lambda task: _walk(task, seed, greedy=name == "greedy")
    get_planner(name)  # raises an error that lists the planners

    def find(task: Task) -> str | None:
        result = solve(task.puzzle, name, time_limit=time_limit)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        return result.plan

    return find


def _walk(task: Task, seed: str, *, greedy: bool) -> str:
    """Returns the moves of a walk until the puzzle is solved or its moves are used up.

    A greedy walk takes the move that leaves the smallest recursive graph distance, four times of
    five, and any move that has an effect otherwise.
    """
    puzzle = task.puzzle
    random = Random(f"{seed} {digest_of(puzzle)}")
    engine, heuristics = Engine(puzzle), Heuristics(puzzle)
    most = max(LEAST_MOVES, MOVES_PER_BEST * (task.best_known or 100))
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


def read_people(path: Path) -> dict[str, str]:
    """Returns people's shortest solutions, by the digest of the puzzle's text or by its name.

    Args:
        path: a database of ``pushworld play --record``, or a CSV file with the columns ``puzzle`` (a
            name) and ``plan``.

    Raises:
        PushWorldError: if the file is something else.
    """
    try:
        with path.open("rb") as file:
            is_database = file.read(16) == b"SQLite format 3\0"
        games = _recorded(path) if is_database else _listed(path)
    except (OSError, sqlite3.Error, csv.Error, UnicodeDecodeError) as error:
        raise PushWorldError(f"{path} cannot be read: {error}") from error
    shortest: dict[str, str] = {}
    for puzzle, plan in games:
        if puzzle not in shortest or len(plan) < len(shortest[puzzle]):
            shortest[puzzle] = plan
    return shortest


def _listed(path: Path) -> Iterable[tuple[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"puzzle", "plan"} <= rows[0].keys():
        raise PushWorldError(f"{path} needs the columns 'puzzle' and 'plan'")
    return [(row["puzzle"], format_plan(parse_plan(row["plan"]))) for row in rows if row["plan"]]


def _recorded(path: Path) -> Iterable[tuple[str, str]]:
    """Returns the solved games of a database."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        texts = dict(database.execute("SELECT digest, pwp FROM puzzles"))
        events = database.execute(
            "SELECT session, digest, kind, action, step FROM events ORDER BY session, sequence"
        ).fetchall()
    games: dict[tuple[str, str], list[str]] = {}
    solved: list[tuple[str, str]] = []
    for session, digest, kind, action, step in events:
        moves = games.setdefault((session, digest), [])
        if kind == "start":
            moves.clear()
        elif kind in ("move", "redo") and step > len(moves):
            moves.append(action)
        elif kind in ("undo", "reset"):
            del moves[step:]
        elif kind == "solved" and Puzzle.parse(texts[digest]).validate("".join(moves)):
            solved.append((digest, "".join(moves)))
    return solved
