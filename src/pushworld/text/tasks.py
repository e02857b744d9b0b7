"""Tasks: puzzles with the best plan known, from sets, files, generators and the evaluation set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from random import Random
from typing import Any, TypeVar

from pushworld.bench.tasks import digest_of
from pushworld.datasets import BundledPuzzle, FrontierPuzzle, frontier_puzzles, load_set
from pushworld.datasets.sets import IN_PACKAGE, known_set
from pushworld.design.budget import BUDGETS, shorten_within, solve_within
from pushworld.puzzle import PushWorldError, Puzzle, Symmetry, format_plan, transform
from pushworld.puzzle.transform import canonical_hash
from pushworld.text.evaluation_set import NAME, Row, evaluation_set, frozen_digests
from pushworld.text.steps import ROOM_STEPS, SLIDER_STEPS, STEPS, generate_step

Item = TypeVar("Item")

EVALUATION = "evaluation"
TWINS, HARD = "twins", "hard"
TWIN = "-twin"
TWIN_EVERY = 4
"""Of the evaluation set, every fourth puzzle has a twin."""

FRONTIER_STEP = STEPS[-1] + 1
"""The step of the set ``frontier`` in the evaluation set."""

GENERATED = "generated:"
STREAM = "stream:"
IN_TURN = {
    HARD: [f"{GENERATED}{step}" for step in SLIDER_STEPS],
    "stream": [f"{STREAM}{step}" for step in ROOM_STEPS],
}
"""Sources that take one task of each of others in turn."""

ENDLESS = (GENERATED, STREAM, *IN_TURN)

KINDS = ("see", "simulate", "judge", "push", "plan")
"""What a model is asked about a puzzle, from seeing to planning."""


@dataclass(frozen=True)
class Task:
    """A puzzle for a model, and what it is asked; a question without its proved answer here is not asked."""

    name: str  # for people and tables; a prompt never contains it
    puzzle: Puzzle
    set: str = ""  # the name of the set or the source
    difficulty: int | None = None  # the step of a generated puzzle, or the level of another
    best_known: int | None = None  # the length of the best plan known
    shortest: bool = False  # whether it is proved that none is shorter
    at_least: int | None = None  # actions that every plan has, where more is not proved
    plan: str | None = None  # over ``LRUD``; a prompt never contains it
    skills: tuple[str, ...] = ()  # what the puzzle demands; empty if nobody has analysed it
    kind: str = "plan"  # what is asked, one of `KINDS`
    walk: str = ""  # what ``judge`` asks about, proved: moves from the start
    dead_after: int | None = None  # the number of the one after which there is no plan, if any
    pushes: tuple[str, ...] = ()  # for ``push``: the first of all shortest plans, such as ``M1 R``
    proved: bool = False  # whether nothing more can be proved
    sample: int = 0  # counts how often the same was asked before

    @property
    def digest(self) -> str:
        """The digest of the puzzle."""
        return _digest_of(self.puzzle)

    @property
    def key(self) -> str:
        """What names the task in results: the puzzle, what is asked, and the sample."""
        kind = "" if self.kind == "plan" else f"-{self.kind}"
        return f"{self.digest}{kind}" + (f"#{self.sample}" if self.sample else "")

    def to_json(self) -> dict[str, Any]:
        """Returns plain data for JSON."""
        return vars(self) | {"puzzle": self.puzzle.to_pwp()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Task:
        """Returns the task; raises KeyError, TypeError or PushWorldError for anything else."""
        puzzle = Puzzle.parse(values["puzzle"], name=values["name"])
        lists = {name: tuple(values.get(name, ())) for name in ("skills", "pushes")}
        return cls(**{**values, **lists, "puzzle": puzzle})


_digest_of = lru_cache(maxsize=4096)(digest_of)


def tasks(source: str, *, limit: int | None = None, seed: int | str = 0) -> Iterator[Task]:
    """Returns the tasks of a source, one after another.

    Args:
        source: ``evaluation`` or its full name ``evaluation-v2``; ``twins``, every fourth of its puzzles
            and its twin; ``generated:STEP`` with a step from 1 to 15; ``hard`` for steps 9 to 15 in turn;
            ``stream:STEP`` for new goals in the rooms of the package, many times faster, and ``stream`` for
            steps 1 to 8 in turn; or anything that `pushworld.datasets.load_set` takes. What comes without a
            plan gets the best one that a search within a budget of states finds, when its turn comes.
        limit: the number of tasks. From a set, a random sample in the order of the set. Generated
            tasks have no end without it.
        seed: of the generated puzzles or of the sample. A secret string of your own gives puzzles
            that nobody has seen. Generated tasks never contain a puzzle of the evaluation set.
    """
    if limit is not None and limit < 1:
        raise PushWorldError(f"the limit must be at least 1 task, not {limit}")
    if source in IN_TURN:
        turns = [_generated(each, seed) for each in IN_TURN[source]]
        return islice(chain.from_iterable(zip(*turns, strict=True)), limit)
    if source.startswith(ENDLESS):
        return islice(_generated(source, seed), limit)
    if source == TWINS:
        pairs = None if limit is None else max(1, limit // 2)
        rows = _sample(evaluation_set()[::TWIN_EVERY], pairs, seed)
        return chain.from_iterable((task, twin_of(task)) for task in map(_from_row, rows))
    if source in (EVALUATION, NAME):
        everything: list[Row | FrontierPuzzle] = [*evaluation_set(), *frontier_puzzles()]
        return map(_of_evaluation, _sample(everything, limit, seed))
    full_name = known_set(source)
    if full_name in IN_PACKAGE:
        known = _sample(IN_PACKAGE[full_name](), limit, seed)
        return (_from_index(each, full_name) for each in known)
    puzzles = [puzzle for puzzle in load_set(source) if puzzle.goal]
    if not puzzles:
        raise PushWorldError(f"{source} has no puzzle with goals, so there is nothing to solve")
    return (_solved(puzzle, full_name or source) for puzzle in _sample(puzzles, limit, seed))


def _generated(source: str, seed: int | str) -> Iterator[Task]:
    """Yields the tasks of ``generated:STEP`` or ``stream:STEP``."""
    kind, _, step = source.partition(":")
    steps = tuple(ROOM_STEPS) if source.startswith(STREAM) else STEPS
    if step not in map(str, steps):
        raise PushWorldError(f"{source!r} names no step: write {kind}:1 to {kind}:{steps[-1]}")
    frozen = frozen_digests()
    return (
        Task(
            name=f"{kind}-{int(step)}-{each.digest}",
            puzzle=each.puzzle,
            set=source,
            difficulty=int(step),
            best_known=len(each.plan),
            shortest=True,
            plan=each.plan,
            proved=bool(each.facts),
            **each.facts,
        )
        for each in generate_step(int(step), seed, known=source.startswith(STREAM))
        if each.digest not in frozen
    )


def twin_of(task: Task) -> Task:
    """Returns the same puzzle, turned and with other names, in a set of its own."""
    random = Random(f"twin {task.name}")
    symmetry = random.choice([each for each in Symmetry if each is not Symmetry.IDENTITY])
    puzzle = transform(task.puzzle, symmetry)
    names = [thing.name for thing in puzzle.movables]
    drawn = random.sample(names, len(names))
    pairs = zip(puzzle.movables, drawn, strict=True)
    objects = (puzzle.agent, *(replace(thing, name=name) for thing, name in pairs))
    twin = replace(puzzle, objects=objects)
    labels = {thing.name: f"M{index}" for index, thing in enumerate(twin.objects)}

    def turned(moves: str | None) -> str | None:
        return None if moves is None else format_plan(symmetry.apply_to_plan(moves))

    return replace(
        task,
        name=task.name + TWIN,
        set=TWINS,
        puzzle=twin,
        plan=turned(task.plan),
        walk=turned(task.walk) or "",
        pushes=tuple(
            f"{labels[drawn[int(label[1:]) - 1]]} {turned(letter)}"
            for label, letter in map(str.split, task.pushes)
        ),
    )


def original(name: str) -> str:
    """Returns the name of the puzzle whose twin has a name."""
    return name.removesuffix(TWIN)


def _of_evaluation(entry: Row | FrontierPuzzle) -> Task:
    """Returns a task of the evaluation set: a row of its file, or a puzzle of the set ``frontier`` as its last step."""
    if isinstance(entry, FrontierPuzzle):
        name = f"{NAME}/{FRONTIER_STEP}-{canonical_hash(entry.puzzle)}"
        task = _from_index(entry, NAME)
        return replace(task, name=name, difficulty=FRONTIER_STEP, proved=True)
    return _from_row(entry)


def _from_row(row: Row) -> Task:
    plan, rows = row["plan"], row["puzzle"].replace("/", "\n")
    known = {"set": NAME, "difficulty": row["step"], "best_known": len(plan), "shortest": True}
    return Task.from_json(
        {key: row[key] for key in row if key != "step"} | known | {"puzzle": rows, "proved": True}
    )


def _from_index(known: BundledPuzzle, set_name: str) -> Task:
    facts = known.level, len(known.plan), known.optimal, known.at_least, known.plan, known.tags
    return Task(known.name, known.puzzle, set_name, *facts)


def _solved(puzzle: Puzzle, set_name: str) -> Task:
    """Returns the task of a puzzle, with the plan that a search within a budget of states finds."""
    budget = BUDGETS["quick"]
    level = re.match(r"level([0-4])\b", set_name)
    plan = solve_within(puzzle, budget.search_states).plan
    task = Task(puzzle.name, puzzle, set_name, int(level[1]) if level else None)
    if plan is None:
        return task
    best = shorten_within(puzzle, plan, budget.shorten_states)
    return replace(task, best_known=best.length, shortest=best.optimal, plan=best.plan)


def _sample(items: Sequence[Item], limit: int | None, seed: int | str) -> Sequence[Item]:
    """Returns a random sample in the given order, or everything."""
    if limit is None or limit >= len(items):
        return items
    chosen = Random(f"PushWorld, sample, seed {seed}").sample(range(len(items)), limit)
    return [items[index] for index in sorted(chosen)]
