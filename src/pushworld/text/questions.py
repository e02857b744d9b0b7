"""Questions about puzzles other than for a plan: what is seen, what moves do, what can still be solved.

Each has exact answers. They depend on the puzzle alone, so anyone can compute them again.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from random import Random
from typing import Any

from pushworld.design.budget import solve_within
from pushworld.design.dead_ends import is_dead_end
from pushworld.design.variants import from_state
from pushworld.engine import Engine
from pushworld.planners import Heuristics
from pushworld.puzzle import LETTERS, Action, Puzzle, State, format_plan, parse_plan
from pushworld.text.answers import ANSWER, AnswerError, action_words, read_block, write_actions
from pushworld.text.description import (
    AGENT_WALL,
    EMPTY,
    WALL,
    labelled_objects,
    moved_labels,
    token_rows,
)
from pushworld.text.tasks import Task

MOVES = (1, 3, 10, 30, 100, 300, 1000)  # that a model is asked to follow
MOST_LISTED = 30  # moves, of which those without effect are asked for
WALKS = 24  # that are tried for one into a dead end
SHORTEST_WALK, LONGEST_WALK = 4, 20
PUSHING = 4  # times as often, a walk takes a move that pushes
PROOF_STATES = 20_000  # of each search that proves an answer

Reading = tuple[Hashable, ...]
"""The parts of an answer."""


@dataclass(frozen=True)
class Question:
    """A question with exact answers."""

    text: str  # the question, and how to answer
    example: str  # the content of the block of an answer to another question
    right: tuple[str, ...]  # the content of all right answers
    # returns the parts of an answer; raises AnswerError if it cannot be read
    read: Callable[[str], Reading]

    @property
    def prompt(self) -> str:
        """What follows the rules and the puzzle in a prompt."""
        return (
            f"{self.text}\nWrite the answer once, in one block, for example\n"
            f"<{ANSWER}>{self.example}</{ANSWER}>\n"
            f"Do not write the tags <{ANSWER}> and </{ANSWER}> anywhere else in your answer."
        )

    def check(self, text: str) -> tuple[int, int]:
        """Returns how many parts of an answer are right, and how many a right answer has.

        Raises:
            AnswerError: if the answer cannot be read.
        """
        given = self.read(read_block(text, ANSWER))
        counts = []
        for right in map(self.read, self.right):
            same = sum(one == other for one, other in zip(given, right, strict=False))
            counts.append(
                (same if len(given) == len(right) else min(same, len(right) - 1), len(right))
            )
        return max(counts)


def asked(task: Task, kind: str) -> Task | None:
    """Returns a task with another question, and with the facts that prove its answer.

    None if there is no such question: no dead end was found, or no plan is proved to be shortest.
    """
    task = replace(task, kind=kind)
    if kind == "judge" and not task.walk:
        found = None if task.proved else _judged(task.puzzle, task.digest)
        return None if found is None else replace(task, walk=found[0], dead_after=found[1])
    if kind == "push" and not task.pushes:
        pushes = () if task.proved else _first_pushes(task)
        return replace(task, pushes=pushes) if pushes else None
    return task


def all_asked(tasks: Iterable[Task], kinds: Sequence[str]) -> Iterator[Task]:
    """Yields each task with each of some questions that can be asked."""
    return (each for task in tasks for kind in kinds if (each := asked(task, kind)) is not None)


@lru_cache(maxsize=4096)
def question_of(task: Task, notation: str = "letters") -> Question:
    """Returns the question of a task that does not ask for a plan."""
    made = {"see": _see, "simulate": _simulate, "judge": _judge, "push": _push}[task.kind]
    return made(task, notation)


@lru_cache(maxsize=1024)
def given_moves(task: Task) -> str:
    """Returns the moves that a question tells, over ``LRUD``."""
    if task.kind == "simulate":
        random = Random(f"moves {task.digest}")
        return _walk(task.puzzle, random, random.choice(MOVES))
    return task.walk if task.kind == "judge" else ""


def _see(task: Task, notation: str) -> Question:
    puzzle, random = task.puzzle, Random(f"see {task.digest}")
    if random.random() < 0.5:
        rows = token_rows(puzzle, puzzle.initial_state)
        filled = [
            (x, y) for y, row in enumerate(rows) for x, token in enumerate(row) if token != EMPTY
        ]
        x, y = random.choice(filled)
        return Question(
            f"What is in the cell ({x}, {y})? Write its names, joined with +: {WALL} for a wall, {AGENT_WALL} for an "
            "agent wall.",
            "M2+G1",
            (rows[y][x],),
            lambda content: (frozenset(content.upper().replace(" ", "").split("+")),),
        )
    outlines = {}
    for label, cells, goal in labelled_objects(puzzle, puzzle.initial_state):
        outlines[label] = cells
        if goal is not None:
            outlines[f"G{label[1:]}"] = goal
    label = random.choice(list(outlines))
    return Question(
        f"Which cells belong to {label}? Write all of them as (x, y).",
        "(3, 4) (4, 4)",
        (" ".join(f"({x}, {y})" for x, y in outlines[label]),),
        _read_cells,
    )


def _simulate(task: Task, notation: str) -> Question:
    puzzle, moves = task.puzzle, given_moves(task)
    states = _states(puzzle, moves)
    start = f"The agent makes these moves: {write_actions(parse_plan(moves), notation)}\n"
    if len(moves) <= MOST_LISTED and Random(f"simulate {task.digest}").random() < 0.5:
        idle = [
            str(number) for number, (one, other) in enumerate(pairwise(states), 1) if one == other
        ]
        return Question(
            f"{start}Which of them have no effect? Write their numbers, counted from 1, or none.",
            "3 7",
            (" ".join(idle) or "none",),
            _read_numbers,
        )
    labels = [label for label, _, _ in labelled_objects(puzzle, states[0])]
    shifts = [
        f"{label} {after[0] - before[0]} {after[1] - before[1]}"
        for label, before, after in zip(labels, states[0], states[-1], strict=True)
    ]
    return Question(
        f"{start}How far is the agent and each object then from where it was? Write for each its name, the "
        "cells to the right and the cells down, negative to the left and up.",
        "A 2 -1, M1 0 0",
        (", ".join(shifts),),
        _read_shifts,
    )


def _judge(task: Task, notation: str) -> Question:
    return Question(
        f"The agent makes these moves: {write_actions(parse_plan(task.walk), notation)}\n"
        "Can the puzzle still be solved after them? Write yes; or no and the number of the move, counted "
        "from 1, after which it could no longer be solved.",
        "no 3",
        ("yes" if task.dead_after is None else f"no {task.dead_after}",),
        _read_verdict,
    )


def _push(task: Task, notation: str) -> Question:
    left, right, up, down = words = action_words(notation)
    names = dict(zip(LETTERS, words, strict=True))
    return Question(
        "Think of a plan with as few actions as possible. Which object does it push first, and where to? "
        f"Write its name and {left}, {right}, {up} or {down}. If one action pushes several objects, any "
        "of them will do.",
        f"M1 {right}",
        tuple(f"{each[:-1]}{names[each[-1]]}" for each in task.pushes),
        lambda content: (" ".join(content.lower().split()),),
    )


def _read_cells(content: str) -> Reading:
    cells = _found(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)", content, "cells. Write them as (x, y)")
    return (frozenset((int(x), int(y)) for x, y in cells),)


def _read_numbers(content: str) -> Reading:
    if content.strip().lower() == "none":
        return (frozenset(),)
    return (frozenset(map(int, _found(r"\d+", content, "numbers. Write them, or none"))),)


def _read_shifts(content: str) -> Reading:
    shift = r"\b([AM]\d*)[\s:=(]+([+-]?\d+)[\s,]+([+-]?\d+)"
    found = _found(shift, content, "objects. Write for each its name and two numbers")
    return (frozenset((name, int(x), int(y)) for name, x, y in found),)


def _found(pattern: str, content: str, what: str) -> list[Any]:
    if not (found := re.findall(pattern, content)):
        raise AnswerError(f"There are no {what}.")
    return found


def _read_verdict(content: str) -> Reading:
    found = re.fullmatch(r"(yes)|(no)\W+(\d+)", content.strip().lower())
    if found is None:
        raise AnswerError("Write yes, or no and a number.")
    return ("yes",) if found[1] else ("no", int(found[3]))


def _walk(puzzle: Puzzle, random: Random, count: int) -> str:
    """Returns random moves, more of which push than by chance."""
    engine, state = Engine(puzzle), puzzle.initial_state
    moves = []
    for _ in range(count):
        after = {action: engine.step(state, action) for action in Action}
        weights = [PUSHING if after[action][1:] != state[1:] else 1 for action in Action]
        (action,) = random.choices(list(Action), weights)
        moves.append(action)
        state = after[action]
    return format_plan(moves)


def _states(puzzle: Puzzle, moves: str) -> list[State]:
    return [*accumulate(parse_plan(moves), Engine(puzzle).step, initial=puzzle.initial_state)]


@lru_cache(maxsize=1024)
def _judged(puzzle: Puzzle, digest: str) -> tuple[str, int | None] | None:
    """Returns moves and the one that proves fatal, or None if none does; None without such a question.

    Half of the puzzles ask about a dead end. Only puzzles are asked about that have one near the start, so
    that the puzzle does not tell the answer.
    """
    random = Random(f"judge {digest}")
    wanted_dead = random.random() < 0.5
    dead: tuple[str, int] | None = None
    alive: str | None = None

    def can_be_solved(state: State) -> bool:
        return is_dead_end(puzzle, state, None, PROOF_STATES) is False

    for _ in range(WALKS):
        walk = _walk(puzzle, random, random.randint(SHORTEST_WALK, LONGEST_WALK))
        states = _states(puzzle, walk)
        if any(map(puzzle.is_solved, states)):
            continue
        if can_be_solved(states[-1]):
            alive = alive or walk
        elif dead is None and (first := first_dead_end(puzzle, states, PROOF_STATES)):
            dead = (walk, first) if can_be_solved(states[first - 1]) else None
        if dead and alive:
            return dead if wanted_dead else (alive, None)
    return None


def first_dead_end(puzzle: Puzzle, states: Sequence[State], max_states: int) -> int | None:
    """Returns the index of the first of successive states that is proved unsolvable, or None.

    No proof is searched if the last state cannot be proved unsolvable. As every state after a dead end
    is one, bisection finds the first; a state that the search cannot decide counts as solvable.
    """
    heuristics = Heuristics(puzzle)

    def dead(index: int) -> bool:
        return is_dead_end(puzzle, states[index], heuristics, max_states) is True

    last = len(states) - 1
    return bisect_left(range(last), True, key=dead) if dead(last) else None


@lru_cache(maxsize=1024)
def _first_pushes(task: Task) -> tuple[str, ...]:
    """Returns the first pushes of all shortest plans; none if a search ends at its limit."""
    puzzle, best = task.puzzle, task.best_known
    if best is None or not task.shortest:
        return ()
    engine = Engine(puzzle)
    walked, pushed = {puzzle.initial_state: 0}, dict[State, tuple[int, set[str]]]()
    for state in (queue := [puzzle.initial_state]):
        for action in Action:
            after = engine.step(state, action)
            moved = moved_labels(puzzle, state, after)
            if len(moved) == 1 and after not in walked:
                walked[after] = walked[state] + 1
                queue.append(after)
            elif len(moved) > 1:
                cost, names = pushed.setdefault(after, (walked[state] + 1, set()))
                if cost == walked[state] + 1:
                    names.update(f"{name} {action.letter}" for name in moved[1:])
    found: set[str] = set()
    for state, (cost, names) in pushed.items():
        if cost <= best:
            rest = solve_within(from_state(puzzle, state), PROOF_STATES, "astar")
            if rest.status == "state-limit":
                return ()
            if rest.plan is not None and cost + len(rest.plan) == best:
                found |= names
    return tuple(sorted(found))
