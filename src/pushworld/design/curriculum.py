"""A curriculum: thousands of designed puzzles from easy to hard, each with a plan, by one command.

The folder has the subfolders ``train`` and ``test``. A puzzle's canonical form decides which of them it
is in, so puzzles that differ only in symmetry, padding or names are never on both sides. The first line
of ``manifest.jsonl`` holds the request, each further line a puzzle with its grade and plan, in the order
of the draws: any first part of the manifest is a curriculum of the same mixture. Draws that end before
earlier ones wait in ``early.jsonl``, which goes in the end. The files are the same, byte for byte, for any
number of workers and after any interruption.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from pushworld.datasets.generated.rooms import random_room, room_plan
from pushworld.design.budget import Budget, shorten_within, solve_within
from pushworld.design.canonical import canonical_hash
from pushworld.design.difficulty import guess, stored_model
from pushworld.design.folder import OpenExecutor
from pushworld.design.gadgets.composition import begin, compose
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.towers import Stage, Stages
from pushworld.design.minimization import fill_pockets
from pushworld.design.mutations import mutate
from pushworld.design.plan_features import plan_features
from pushworld.design.variants import without_objects
from pushworld.files import locked_folder, write_text
from pushworld.journal import Kind, Row, append_rows, open_journal, read_rows
from pushworld.process import Executor, run_jobs
from pushworld.puzzle import Puzzle, crop

MANIFEST, EARLY = "manifest.jsonl", "early.jsonl"
FORMAT = 3
HELD_OUT = 10
"""One form in this number is held out for tests."""

FIRST_PUZZLES, ATTEMPTS = 12, 300
"""Puzzles that a draw looks at before it changes the best of them, and before it gives up."""

MIN_LENGTH = 8
MAX_DISTRACTORS = 2
"""How many objects may stay that the plan leaves in place."""

STAGES_LOST = 2
"""How many gadgets a puzzle of Level 4 loses when many fail on top of them."""

DRAWN: dict[str, Kind] = {"draw": int, "form": (str, type(None))}
"""What each row of a draw has."""

SPARE = 32
"""One draw in this number is made beforehand, for draws that find nothing new."""

HARDEST = 4
AGENT_WALLS = 0.3


@dataclass(frozen=True)
class Step:
    """A step of the curriculum: a source of puzzles of one level.

    Attributes:
        level: the level that its puzzles are graded with.
        gadgets: how many gadgets are composed; a random room if 0. Those of Level 4 are as many as it
            takes, added one by one.
        sides: the shortest and the longest side of the interior.
    """

    level: int
    gadgets: int
    sides: tuple[int, int]

    @property
    def source(self) -> str:
        if self.level == HARDEST:
            return "tower"
        return f"{self.gadgets} gadgets" if self.gadgets else "room"


EASIER = (
    *(Step(1, 0, (5, 8)), Step(1, 0, (6, 9)), Step(1, 1, (7, 10))),
    *(Step(2, 0, (7, 11)), Step(2, 1, (8, 12)), Step(2, 2, (9, 12))),
    *(Step(3, 0, (9, 13)), Step(3, 2, (11, 15)), Step(3, 3, (12, 16))),
)
STEPS = (*(EASIER * 10), Step(4, 1, (20, 24)))
"""Draws take them in turn: thirty of each of the levels 1 to 3, and one of Level 4, which takes longer than
all of them."""

SEARCH = Budget(30_000, 0, 30_000, 0, 0, 0, 0)
SEARCH_HARD = Budget(100_000, 0, 60_000, 0, 0, 0, 0)
"""For grading a puzzle of the levels 1 to 3, and one of Level 4."""


@dataclass(frozen=True)
class _Graded:
    """A puzzle with its grade, its best plan, and whether that is proved to be shortest."""

    puzzle: Puzzle
    score: float
    level: int
    plan: str
    optimal: bool


@dataclass(frozen=True)
class CurriculumReport:
    """The content of a folder.

    Attributes:
        puzzles, there_before: how many puzzles it holds, and how many it held before.
        train, test: how many of them each side has.
        draws: how many draws were made for them.
        levels: how many puzzles each level has.
        sha256: the digest of the manifest, which has all plans and the hashes of all forms.
    """

    folder: Path
    puzzles: int
    there_before: int
    train: int
    test: int
    draws: int
    levels: dict[int, int]
    sha256: str


def make_curriculum(
    folder: Path,
    count: int,
    seed: int,
    open_executor: OpenExecutor,
    on_progress: Callable[[int, int], None] | None = None,
) -> CurriculumReport:
    """Writes puzzles until the folder holds `count` different ones; returns a report.

    Args:
        open_executor: opens the executor of the draws; see `pushworld.design.folder.choose_executor`.
        on_progress: called with the number of puzzles and of draws so far.

    Raises:
        PushWorldError: if the folder holds something else or cannot be written.
    """
    with locked_folder(folder):
        asked = {"format": FORMAT, "kind": "curriculum", "seed": seed}
        rows = open_journal(
            folder / MANIFEST, asked, {"draw": int, "form": str, "name": str, "level": int}
        )
        for side in ("train", "test"):
            (folder / side).mkdir(exist_ok=True)
        before = len(rows)
        if before < count:
            with open_executor() as executor:
                _draw_more(folder, rows, count, partial(draw, seed), executor, on_progress)
        (folder / EARLY).unlink(missing_ok=True)
        digest = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    sides = [row["name"].split("/")[0] for row in rows]
    levels = [row["level"] for row in rows]
    return CurriculumReport(
        folder=folder,
        puzzles=len(rows),
        there_before=before,
        train=sides.count("train"),
        test=sides.count("test"),
        draws=rows[-1]["draw"] + 1 if rows else 0,
        levels={level: levels.count(level) for level in sorted(set(levels))},
        sha256=digest,
    )


def _draw_more(
    folder: Path,
    rows: list[Row],
    count: int,
    draw: Callable[[int], Row],
    executor: Executor,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    """Writes puzzles and their rows until there are `count`."""
    forms = {row["form"] for row in rows}
    first = rows[-1]["draw"] + 1 if rows else 0

    def report(waiting: int) -> None:
        if on_progress is not None:
            on_progress(min(count, len(rows) + waiting), first + waiting)

    while len(rows) < count:
        missing = count - len(rows)
        numbers = range(first, first + missing + missing // SPARE)
        for row in _in_order(folder / EARLY, numbers, draw, executor, report):
            first = row["draw"] + 1
            if row["form"] is not None and row["form"] not in forms:
                forms.add(row["form"])
                rows.append(_keep(folder, row, len(rows)))
            if len(rows) == count:
                break


def _in_order(
    path: Path,
    numbers: range,
    draw: Callable[[int], Row],
    executor: Executor,
    report: Callable[[int], None],
) -> Iterator[Row]:
    """Yields the rows of all numbers in order.

    Args:
        path: a file for rows that come before earlier ones; those that it has are not drawn again.
        report: called after each draw with the number of rows that wait for earlier ones.
    """
    early = {
        row["draw"]: row
        for row in read_rows(path, DRAWN, "remove this file")
        if row["draw"] in numbers
    }
    drawn = run_jobs(executor, draw, [number for number in numbers if number not in early])
    for number in numbers:
        while number not in early:
            row = next(drawn)
            early[row["draw"]] = row
            if row["draw"] != number:
                append_rows(path, [row])
            report(len(early))
        yield early.pop(number)


def draw(seed: int, number: int) -> Row:
    """Returns the row of a number, with its puzzle; the form is None if no puzzle was found.

    A pure function: it may run on any machine.

    The best of some first puzzles is changed step by step, and a change stays if the puzzle does not
    become easier, until it has the level of the draw's step. Puzzles of Level 4 grow gadget by gadget.
    """
    random = Random(f"pushworld curriculum {seed} {number}")
    step = STEPS[number % len(STEPS)]
    if step.level == HARDEST:
        return _row(number, step, _grown(step, random))
    best: _Graded | None = None
    for attempt in range(ATTEMPTS):
        if best is None or attempt < FIRST_PUZZLES:
            puzzle = _first(step, random)
        else:
            puzzle = mutate(best.puzzle, random, best.plan, bool(best.puzzle.agent_walls))
        least = float("-inf") if best is None else best.score
        found = None if puzzle is None else _graded(crop(fill_pockets(puzzle)), step, least)
        if found is None or found.level > step.level:
            continue
        if best is None or found.score >= best.score:
            best = found
        if best.level == step.level:
            return _row(number, step, best)
    return _row(number, step, None)


def _grown(step: Step, random: Random) -> _Graded | None:
    """Returns a puzzle that grew gadget by gadget, each of which makes it harder, or None."""
    width, height = random.randint(*step.sides), random.randint(*step.sides)
    stages = Stages(
        lambda: begin(random, width, height, (*SINKS, *VAULTS)), STAGES_LOST, recounts=True
    )
    for _ in range(ATTEMPTS):
        taken = stages.try_gadget()
        least = stages.least
        found = None if taken is None else _graded(crop(taken[1].puzzle), step, least)
        if taken is None or found is None or found.score < least:
            continue
        if found.level == step.level:
            return found
        stages.add(Stage(taken[0], found.score))
    return None


def _first(step: Step, random: Random) -> Puzzle | None:
    """Returns a room or a composition, or None if the gadgets do not fit."""
    width, height = random.randint(*step.sides), random.randint(*step.sides)
    if step.gadgets:
        composition = compose(random, width, height, step.gadgets)
        return None if composition is None else composition.puzzle
    return random_room(room_plan(step.level, width, height, AGENT_WALLS), random)


def _graded(puzzle: Puzzle, step: Step, least: float) -> _Graded | None:
    """Returns the puzzle with plan and grade.

    Returns None if it has no plan worth the name, or surely a lower score than `least`.
    """
    budget = SEARCH_HARD if step.level == HARDEST else SEARCH
    first = solve_within(puzzle, budget.search_states)
    if first.plan is None or guess(puzzle, first.plan, first.states) < least:
        return None
    solution = shorten_within(puzzle, first.plan, budget.shorten_states)
    if solution.length < MIN_LENGTH:
        return None
    plan = plan_features(puzzle, solution.plan)
    # The plan does not miss objects that it leaves in place. Some stay, as distractors.
    idle = [thing.name for thing in puzzle.movables if thing.name not in plan.moved]
    smaller = without_objects(puzzle, idle[MAX_DISTRACTORS:])
    if len(smaller.goal) != len(puzzle.goal):
        return None
    if smaller != puzzle:
        return _graded(smaller, step, least)
    score = round(guess(puzzle, solution.plan, first.states), 3)
    level = stored_model().level(score)
    return _Graded(puzzle, score, level, solution.plan, solution.optimal)


def _row(number: int, step: Step, found: _Graded | None) -> Row:
    """Returns the row of a draw, with the text of its puzzle."""
    if found is None:
        return {"draw": number, "form": None}
    return {
        "draw": number,
        "form": canonical_hash(found.puzzle),
        "level": found.level,
        "score": found.score,
        "source": step.source,
        "length": len(found.plan),
        "optimal": found.optimal,
        "plan": found.plan,
        "puzzle": found.puzzle.to_pwp(),
    }


def _keep(folder: Path, row: Row, place: int) -> Row:
    """Writes a puzzle and its line of the manifest; returns the line."""
    side = "train" if int(row["form"], 16) % HELD_OUT else "test"
    name = f"{side}/level{row['level']}-{place:05}"
    write_text(folder / f"{name}.pwp", row["puzzle"], sync=False)
    line = {"name": name, **{key: value for key, value in row.items() if key != "puzzle"}}
    append_rows(folder / MANIFEST, [line])
    return line
