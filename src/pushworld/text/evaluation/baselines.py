"""Contestants that are no language models, in the same table: programs that know the rules, people, and scripted
models, some of which have a planted weakness that a profile must find."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from time import perf_counter

from pushworld.datasets import read_human_solutions
from pushworld.design.dead_ends import GREED
from pushworld.engine import Engine
from pushworld.planners import Heuristics, solve
from pushworld.planners.registry import get_planner
from pushworld.puzzle import Action, Plan, PushWorldError, Symmetry, parse_plan
from pushworld.text import Task, score_answer
from pushworld.text.answers import ANSWER, block, write_actions
from pushworld.text.evaluation.journal import Evaluation, Turn, opened_journal, read_evaluation
from pushworld.text.evaluation.people import Games, answer_of_people
from pushworld.text.evaluation.runner import Progress, Watcher, choose_tasks, today
from pushworld.text.evaluation.settings import PEOPLE, Settings
from pushworld.text.questions import given_moves, question_of
from pushworld.text.tasks import TWINS

MEMORY = 10  # the moves that the model `forgetful` follows
LEAST_MOVES, MOST_MOVES, MOVES_PER_BEST = 40, 1000, 4
"""A walk has four times the moves of the best plan known, but 40 to 1,000."""

Script = Callable[[Task, Random, str], str]
"""Returns the answer to a task; moves are written in a notation."""


def good(task: Task, random: Random, notation: str) -> str:
    """Knows every answer, and plays the best plan known."""
    if task.kind != "plan":
        return f"I looked twice.\n\n{block(question_of(task, notation).right[0], ANSWER)}"
    return f"I push the objects home one by one.\n\n{_moves(plan_for(task), notation)}"


def blind(task: Task, random: Random, notation: str) -> str:
    """Takes the world for its mirror image, and answers questions with the example of their prompt."""
    if task.kind != "plan":
        return _example(task, notation)
    mirrored = tuple(Symmetry.FLIP_X.apply_to_action(move) for move in plan_for(task))
    return _moves(mirrored, notation)


def forgetful(task: Task, random: Random, notation: str) -> str:
    """Does not know what becomes of the moves after the first few."""
    if task.kind == "plan":
        return _moves((*plan_for(task)[:MEMORY], Action.LEFT), notation)
    if len(given_moves(task)) <= MEMORY:
        return good(task, random, notation)
    return block("yes", ANSWER) if task.kind == "judge" else _example(task, notation)


def optimist(task: Task, random: Random, notation: str) -> str:
    """Thinks that everything can be solved."""
    return block("yes", ANSWER) if task.kind == "judge" else good(task, random, notation)


def rote(task: Task, random: Random, notation: str) -> str:
    """Knows the puzzles of sets by heart, and does not recognise their twins."""
    return (blind if task.set == TWINS else good)(task, random, notation)


def wander(task: Task, random: Random, notation: str) -> str:
    """Moves at random until the puzzle is solved, and answers questions with the example of their prompt."""
    if task.kind != "plan":
        return _example(task, notation)
    return _moves(walk(task, random, greedy=False), notation)


def greedy(task: Task, random: Random, notation: str) -> str:
    """Plans by going where the goals seem nearest."""
    if task.kind != "plan":
        return good(task, random, notation)
    return _moves(walk(task, random, greedy=True), notation)


MODELS: dict[str, Script] = {
    each.__name__: each for each in (good, blind, forgetful, optimist, rote)
}
"""Scripted models, to see what a report makes of them."""

WALKS: dict[str, Script] = {"random": wander, "greedy": greedy}
"""Baselines that make moves without a plan."""


def walk(task: Task, random: Random, *, greedy: bool) -> Plan:
    """Returns the moves of a walk until the puzzle is solved or its moves are used up.

    A greedy walk takes the move that leaves the smallest recursive graph distance, four times of
    five, and any move that has an effect otherwise.
    """
    puzzle = task.puzzle
    engine, heuristics = Engine(puzzle), Heuristics(puzzle)
    most = min(MOST_MOVES, max(LEAST_MOVES, MOVES_PER_BEST * (task.best_known or 100)))
    state, plan = puzzle.initial_state, list[Action]()
    while len(plan) < most and not puzzle.is_solved(state):
        after = {action: engine.step(state, action) for action in Action}
        choices = [action for action in Action if not greedy or after[action] != state]
        if greedy and random.random() < GREED:
            values = {action: heuristics.rgd(after[action]) for action in choices}
            choices = [each for each in choices if values[each] == min(values.values())]
        plan.append(random.choice(choices or list(Action)))
        state = after[plan[-1]]
    return tuple(plan)


@cache
def plan_for(task: Task) -> Plan:
    """Returns the best plan known, or one that a planner finds; empty if it finds none."""
    return parse_plan(task.plan or solve(task.puzzle, time_limit=10).plan or "")


def _moves(plan: Plan, notation: str) -> str:
    return block(write_actions(plan or [0], notation))


def _example(task: Task, notation: str) -> str:
    return block(question_of(task, notation).example, ANSWER)


NO_PLAN = "no plan found"
Finder = Callable[[Task], tuple[str | None, Games]]
"""Returns the answer to a task, or None if there is none, and the games of people."""


def run_baseline(
    output: str | os.PathLike[str],
    settings: Settings,
    time_limit: float = 10.0,
    people: Path | None = None,
    watcher: Watcher | None = None,
    *,
    seed: str | None = None,
) -> Evaluation:
    """Returns the answers of a baseline to all tasks; finds only those that the folder lacks.

    Args:
        settings: what to evaluate; `model` names the baseline: ``random``, ``greedy``, ``people``, a
            planner, or a scripted model.
        time_limit: seconds of a planner for a puzzle.
        people: the file of people's solutions; see `pushworld.datasets.read_human_solutions`.
        seed: the private seed, if the settings have one.
    """
    settings, chosen = choose_tasks(settings, seed)
    find = _finder(settings, time_limit, people)
    with opened_journal(Path(output), settings, chosen) as journal:
        waiting = [task for task in chosen if task.key not in journal.turns]
        before = len(chosen) - len(waiting)
        progress = Progress(journal, len(chosen), open=before, before=before)
        for task in waiting:
            start = perf_counter()
            answer, games = find(task)
            seconds = perf_counter() - start
            turn = Turn(task.key, 0, answer, games=games, seconds=seconds, date=today())
            journal.append(replace(turn, answer=NO_PLAN, finish="none") if not answer else turn)
            progress.count(score_answer(task, answer or "", prove=False))
            if watcher is not None:
                watcher(progress)
    return read_evaluation(output)


def _finder(settings: Settings, time_limit: float, people: Path | None) -> Finder:
    name, seed, notation = settings.model, settings.tasks_seed, settings.notation

    def ask_planner(task: Task) -> tuple[str | None, None]:
        if task.kind != "plan":
            return good(task, Random(0), notation), None
        result = solve(task.puzzle, name, time_limit=time_limit)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        return result.plan and block(result.plan), None

    if name == PEOPLE:
        if people is None:
            raise PushWorldError("people's solutions need a file: --people FILE")
        return partial(answer_of_people, solutions=read_human_solutions(people))
    if (script := {**MODELS, **WALKS}.get(name)) is not None:
        return lambda task: (script(task, Random(f"{seed} {task.key}"), notation), None)
    get_planner(name)  # raises an error that lists the planners
    return ask_planner
