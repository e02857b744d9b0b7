"""All planners against exhaustive search on small puzzles.

The exhaustive search visits all states layer by layer and knows nothing of the planners; on every hundredth
puzzle it is compared with the one on the reference dynamics. A planner must find a plan if and only if there
is one, a valid one, a shortest one if it promises that. Plans of the default planner are made shorter, and a
proof that no shorter one exists must be right. Planners written in Python get every hundredth puzzle.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from pushworld.engine import Engine
from pushworld.planners import planners, shorten, solve
from pushworld.planners.native import NativePlanner
from pushworld.puzzle import Puzzle
from tests.grids import painted_grid, puzzle_on
from tests.laboratory.trials import Options, Outcome, Trials
from tests.planners.tiny_puzzles import random_state, tiny_puzzle
from tests.state_space import shortest_length

INPUTS = "verdicts, plans and shortest lengths of all planners against exhaustive search on small puzzles"
COUNT = 100_000
CHUNK = 200
EVERY_SLOW = 100
MAX_STATES = 20_000
TIME_LIMIT = 300.0
"""No search should come near it."""


def start(options: Options) -> Trials:
    """Returns a function that solves some puzzles."""
    chosen = set(options.chosen([*(each.name for each in planners()), "shorten"]))
    ours = [each for each in planners() if each.name in chosen]

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        for trial in trials:
            puzzle, shortest = puzzle_of(options.random(trial), outcome)
            slow = trial % EVERY_SLOW == 0
            if slow and shortest_length(puzzle) != shortest:
                outcome.findings.append(f"the exhaustive searches differ on\n{puzzle.to_pwp()}")
            outcome.counts["unsolvable" if shortest is None else "solvable"] += 1
            _count_features(puzzle, outcome)
            for planner in ours:
                if slow or isinstance(planner, NativePlanner):
                    problem = check(puzzle, shortest, planner.name, planner.optimal, trial, outcome)
                    if problem:
                        story = f"trial {trial}, {planner.name}: {problem}"
                        outcome.findings.append(f"{story}\n{puzzle.to_pwp()}")
            if "shorten" in chosen and shortest is not None:
                problem = check_shorter(puzzle, shortest, outcome)
                if problem:
                    outcome.findings.append(f"trial {trial}, shorten: {problem}\n{puzzle.to_pwp()}")
        return outcome

    return tried


def check(
    puzzle: Puzzle, shortest: int | None, planner: str, optimal: bool, seed: int, outcome: Outcome
) -> str | None:
    """Solves a puzzle; returns what is wrong with the result, or None."""
    try:
        result = solve(puzzle, planner, time_limit=TIME_LIMIT, seed=seed)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    outcome.counts[f"by {planner}"] += 1
    outcome.peak("seconds a search", round(result.seconds, 2))
    if result.status != ("unsolvable" if shortest is None else "solved"):
        return f"{result.status}, but the shortest plan has {shortest} actions"
    if result.plan is None:
        return None if shortest is None else "no plan"
    if shortest is None or not puzzle.validate(result.plan):
        return f"the plan {result.plan} does not solve the puzzle"
    if result.length != len(result.plan) or len(result.plan) < shortest:
        return f"the plan has {result.length} actions, a shortest one {shortest}"
    if optimal and result.length != shortest:
        return f"the plan has {result.length} actions and should have {shortest}"
    return None


def check_shorter(puzzle: Puzzle, shortest: int, outcome: Outcome) -> str | None:
    """Makes a plan shorter; returns what is wrong with the result, or None."""
    plan = solve(puzzle, time_limit=TIME_LIMIT).plan
    if plan is None:
        return "no plan to begin with"
    result = shorten(puzzle, plan, TIME_LIMIT)
    outcome.counts["by shorten"] += 1
    if not puzzle.validate(result.plan) or not shortest <= len(result.plan) <= len(plan):
        return f"{len(plan)} actions became {result.plan!r}; a shortest plan has {shortest}"
    if result.optimal and len(result.plan) != shortest:
        return f"{result.plan!r} should have {shortest} actions, as was proved"
    return None


def puzzle_of(random: Random, outcome: Outcome) -> tuple[Puzzle, int | None]:
    """Returns a puzzle of at most `MAX_STATES` states and the length of its shortest plans."""
    while True:
        puzzle = _tiny(random) if random.random() < 0.5 else _painted(random)
        if puzzle is not None:
            known, shortest = explore(puzzle)
            if known <= MAX_STATES:
                outcome.peak("states of a puzzle", known)
                return puzzle, shortest
        outcome.counts["too large or without goals, left out"] += 1


def _tiny(random: Random) -> Puzzle:
    return tiny_puzzle.__wrapped__(random.getrandbits(40), random.randint(1, 4))


def _painted(random: Random) -> Puzzle | None:
    """Returns a crowded puzzle, in most cases with goals that a random walk achieves."""
    puzzle = puzzle_on(painted_grid(random), random)
    if random.random() < 0.7:
        places = random_state(random, puzzle, steps=60)
        movables = [
            replace(thing, goal=places[index] if random.random() < 0.5 else None)
            for index, thing in enumerate(puzzle.movables, start=1)
        ]
        puzzle = replace(puzzle, objects=(puzzle.agent, *movables))
    return puzzle if puzzle.goal else None


def explore(puzzle: Puzzle) -> tuple[int, int | None]:
    """Returns the number of reachable states and the length of a shortest plan, or None for no plan.

    The number is a lower bound if it is larger than `MAX_STATES`.
    """
    engine = Engine(puzzle)
    sides = np.array([puzzle.width, puzzle.height], np.int64)
    weights = np.append(1, np.cumprod(np.tile(sides, len(puzzle.objects)))[:-1])
    if float(np.prod(sides.astype(float))) ** len(puzzle.objects) > 2**62:
        return MAX_STATES + 1, None
    layer = engine.initial_states(1)
    known: set[int] = set()
    shortest = None
    depth = 0
    while len(layer) and len(known) <= MAX_STATES:
        codes = layer.reshape(len(layer), -1) @ weights
        known.update(codes.tolist())
        if shortest is None and (engine.achieved_goals(layer) == len(puzzle.goal)).any():
            shortest = depth
        depth += 1
        reached = np.repeat(layer, 4, axis=0)
        engine.step_batch(reached, np.tile(np.arange(4, dtype=np.uint8), len(layer)))
        codes, first = np.unique(reached.reshape(len(reached), -1) @ weights, return_index=True)
        new = [
            index for code, index in zip(codes.tolist(), first, strict=True) if code not in known
        ]
        layer = np.ascontiguousarray(reached[new])
    return len(known), shortest


def _count_features(puzzle: Puzzle, outcome: Outcome) -> None:
    outcome.counts["with agent walls"] += bool(puzzle.agent_walls)
    outcome.counts["with several goals"] += len(puzzle.goal) > 1
    outcome.counts["with disconnected objects"] += any(
        not _connected(set(thing.shape)) for thing in puzzle.objects
    )


def _connected(cells: set[tuple[int, int]]) -> bool:
    left = set(cells)
    frontier = [left.pop()]
    while frontier:
        x, y = frontier.pop()
        near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
        left -= near
        frontier += near
    return not left
