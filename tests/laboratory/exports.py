"""Exported puzzles, solved by a real Fast Downward, against exhaustive search.

Blind A* on the SAS+ file, on PDDL and on PDDL of low arity must solve what can be solved, with plans as short
as any, and prove the rest unsolvable. Without Fast Downward there is nothing to try; `pushworld planners` says
how to install it.
"""

from __future__ import annotations

from dataclasses import replace

from pushworld.planners.external.fast_downward import (
    fast_downward_planner,
    find_fast_downward,
    on_pddl,
)
from pushworld.puzzle import PushWorldError, Puzzle
from tests.laboratory.planners import puzzle_of
from tests.laboratory.trials import Options, Outcome, Trials

INPUTS = (
    "small puzzles as SAS+, PDDL and PDDL of low arity, by Fast Downward against exhaustive search"
)
COUNT = 1_000
CHUNK = 5
TIME_LIMIT = 600.0

BLIND = fast_downward_planner("blind", "", search="astar(blind())", optimal=True)
PLANNERS = {
    "sas": BLIND,
    "pddl": on_pddl(BLIND),
    "pddl-low-arity": replace(on_pddl(BLIND), representation="pddl-low-arity"),
}


def start(options: Options) -> Trials:
    """Returns a function that exports and solves some puzzles."""
    chosen = options.chosen(PLANNERS)
    program = find_fast_downward()
    if not program.command:
        raise SystemExit(f"there is no Fast Downward: {program.availability.install}")

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        for trial in trials:
            puzzle, shortest = puzzle_of(options.random(trial), outcome)
            outcome.counts["unsolvable" if shortest is None else "solvable"] += 1
            for representation in chosen:
                problem = check(representation, puzzle, shortest, outcome)
                if problem:
                    story = f"trial {trial}, {representation}: {problem}"
                    outcome.findings.append(f"{story}\n{puzzle.to_pwp()}")
        return outcome

    return tried


def check(
    representation: str, puzzle: Puzzle, shortest: int | None, outcome: Outcome
) -> str | None:
    """Solves a puzzle with Fast Downward; returns what is wrong with the result, or None."""
    try:
        result = PLANNERS[representation].solve(
            puzzle, time_limit=TIME_LIMIT, memory_limit_gb=4, threads=1, seed=0, progress=None
        )
    except PushWorldError as error:
        return str(error)
    outcome.counts[f"by {representation}"] += 1
    outcome.peak("seconds a run", round(result.seconds, 1))
    if result.status != ("unsolvable" if shortest is None else "solved"):
        return f"{result.status}, but the shortest plan has {shortest} actions"
    if result.plan is not None and not puzzle.validate(result.plan):
        return f"the plan {result.plan} does not solve the puzzle"
    if result.length != shortest:
        return f"the plan has {result.length} actions, a shortest one {shortest}"
    return None
