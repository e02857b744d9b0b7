"""A corpus to train on: plans, search traces and proofs of dead ends as text, none of it about an evaluation set."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from heapq import heappop, heappush
from itertools import count, pairwise
from pathlib import Path

from pushworld.datasets import DataError, load_set
from pushworld.datasets.sets import set_names
from pushworld.design.state_space import FAR, reach
from pushworld.design.variants import from_state
from pushworld.engine import Engine
from pushworld.files import replaced
from pushworld.planners import Heuristics
from pushworld.process.executors import run_jobs
from pushworld.process.workers import worker_processes
from pushworld.puzzle import Action, Puzzle, State, parse_plan
from pushworld.puzzle.transform import canonical_hash
from pushworld.text.description import describe, moved_labels
from pushworld.text.evaluation_set import frozen_digests
from pushworld.text.steps import MOST_STATES
from pushworld.text.tasks import Task, tasks

PUZZLES_PER_JOB = 50
MOST_POSITIONS = 40
"""The positions of a trace or a proof; longer ones are left out."""


@cache
def held_out() -> frozenset[str]:
    """Returns the canonical hashes of all puzzles that models are tested on, as far as they are installed."""
    found = set(frozen_digests())
    for name in set_names():
        if name.endswith("/test") or not name.startswith("level0"):
            with suppress(DataError):  # it may not be installed
                found |= {canonical_hash(puzzle) for puzzle in load_set(name)}
    return frozenset(found)


def write_corpus(
    path: Path, puzzles: int, *, seed: int | str = 0, workers: int = 1
) -> Iterator[tuple[int, int]]:
    """Writes a corpus as JSON lines, each with ``puzzle``, ``step``, ``kind`` and ``text``.

    No two puzzles have the same canonical form, and none has that of a puzzle of an evaluation set. The file
    depends on nothing but the seed and the number of puzzles. It appears when it is complete.

    Yields:
        How many puzzles and how many texts are written so far.
    """
    seen, texts = set(held_out()), 0
    known = len(seen)
    with (
        worker_processes(workers, "the corpus") as executor,
        replaced(path) as new,
        new.open("w", encoding="utf-8") as file,
    ):
        jobs = (f"{seed} {number}" for number in count())
        for found in run_jobs(executor, draw_texts, jobs, in_order=True):
            for digest, lines in found:
                if digest not in seen and len(seen) - known < puzzles:
                    seen.add(digest)
                    texts += len(lines)
                    file.writelines(f"{line}\n" for line in lines)
            yield len(seen) - known, texts
            if len(seen) - known >= puzzles:
                break


def draw_texts(seed: str) -> list[tuple[str, list[str]]]:
    """Returns the hashes of some puzzles of all steps, and the lines about each."""
    return [
        (
            digest := task.name.rpartition("-")[2],
            [
                json.dumps({"puzzle": digest, "step": task.difficulty, "kind": kind, "text": text})
                for kind, text in texts_of(task).items()
            ],
        )
        for task in tasks("stream", limit=PUZZLES_PER_JOB, seed=f"corpus {seed}")
    ]


def texts_of(task: Task) -> dict[str, str]:
    """Returns the texts about a puzzle with a shortest plan by their kinds: ``plan``, and if they are short
    ``trace``, a greedy search for it, and ``proof``, why a position cannot be solved."""
    board = describe(task.puzzle, legend=False)
    texts = {"plan": _plan(task), "trace": _trace(task.puzzle), "proof": _proof(task.puzzle)}
    return {kind: f"{board}\n\n{text}" for kind, text in texts.items() if text}


def _plan(task: Task) -> str:
    plan = parse_plan(task.plan or "")
    states = list(task.puzzle.replay(plan))
    lines = [
        f"{number}. {action.letter}: {_moved(task.puzzle, *pair)}"
        for number, (action, pair) in enumerate(zip(plan, pairwise(states), strict=True), 1)
    ]
    return "\n".join(["A shortest plan:", *lines, f"<plan>{task.plan}</plan>"])


def _trace(puzzle: Puzzle) -> str:
    """Returns the positions that a greedy best-first search by the recursive graph distance meets."""
    engine, heuristics, start = Engine(puzzle), Heuristics(puzzle), puzzle.initial_state
    plans = {start: ""}
    waiting = [(heuristics.rgd(start), 0, start)]
    lines = [
        "A search that goes on from the position that seems nearest to the goal; 0 is the start:"
    ]
    while waiting and len(plans) < MOST_POSITIONS:
        _, before, state = heappop(waiting)
        for action in Action:
            after = engine.step(state, action)
            if after in plans:
                continue
            number, plans[after] = len(plans), plans[state] + action.letter
            name = f"{number} = {before} {action.letter}: {_moved(puzzle, state, after)}"
            if puzzle.is_solved(after):
                return "\n".join([*lines, f"{name}; solved", f"<plan>{plans[after]}</plan>"])
            distance = heuristics.rgd(after)
            dead = distance == float("inf")
            lines.append(f"{name}; {'dead end' if dead else f'distance {distance}'}")
            if not dead:
                heappush(waiting, (distance, number, after))
    return ""


def _proof(puzzle: Puzzle) -> str:
    """Returns the proof that the first dead end of a breadth-first search is one: all positions after it."""
    space = reach(puzzle, MOST_STATES)
    if not space.complete or not (dead := space.distances == FAR).any():
        return ""
    first = int(dead.argmax())
    start: State = tuple((x, y) for x, y in space.states[first].tolist())
    after = reach(from_state(puzzle, start), MOST_POSITIONS)
    if not after.complete:
        return ""
    lines = [
        f"{number} {letter} = {end}"
        for number, ends in enumerate(after.successors.tolist())
        for letter, end in zip("LRUD", ends, strict=True)
        if end != number
    ]
    walk = space.plan_to(first)
    return (
        f"After {walk} the puzzle cannot be solved. From there, position 0, these moves lead to other positions, all "
        f"other moves change nothing: {'; '.join(lines) or 'none'}. In none of the {len(after)} positions do all goals "
        f"hold.\n<answer>no {len(walk)}</answer>"
    )


def _moved(puzzle: Puzzle, before: State, after: State) -> str:
    return " ".join(moved_labels(puzzle, before, after)) or "nothing"
