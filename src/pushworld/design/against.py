"""Puzzles against planners: an evolutionary search for what costs its opponents most for its size.

Every puzzle carries a plan from its beginning on, which proves that it can be solved: a change that breaks the plan
moves the goals to where the plan now takes their objects. So the search may find what no planner solves.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from math import log2
from random import Random

from pushworld.datasets.generated.rooms import random_room, room_plan
from pushworld.design.budget import MEMORY_GB, shorten_within, solve_within
from pushworld.design.candidates import Archive, proposals, untidiness
from pushworld.design.gadgets.composition import compose
from pushworld.design.mutations import MAX_GOALS, MAX_MOVABLES, like_the_walls, mutate
from pushworld.design.plan_features import covered_cells, plan_features, stretches_of
from pushworld.design.presses import MOULDS, press
from pushworld.design.quality import clutter
from pushworld.design.search import SMALLEST, Designed, check_size
from pushworld.design.state_space import reach
from pushworld.design.variants import fill_pockets, from_state, goal_names
from pushworld.journal import Row
from pushworld.planners import SolveResult, get_planner, solve
from pushworld.puzzle import Position, PushWorldError, Puzzle, PuzzleError, crop
from pushworld.puzzle.free_space import free_cells
from pushworld.puzzle.transform import canonical_form

LEAST_ACTIONS, MOST_ACTIONS = 16, 150
"""Of the plans."""

GADGETS = (1, 4)
FIRST_STATES = 50_000
"""The fewest and the most gadgets of a puzzle with which a search begins, and the states in which its plan is found."""

SHORTENING = 10_000
FARTHER = 3_000
"""States of the search that shortens a plan, and of the one that makes it longer."""

FRESH, FRESH_PRESS = 0.1, 0.7
"""How often the search begins anew rather than with a change of what it found: presses are tidier as they are made."""

RAISE = 8
"""How many times as much as its parent a puzzle may cost until it counts as unsolved for now."""

LEAST_STATES, LEAST_SECONDS = 2_000, 0.5

IDEAS = (*MOULDS, "room", "gadgets")
"""With what searches begin, in turn: presses by their moulds, random rooms, and gadgets."""

PRESS_SIDE = 14
"""The shortest side of a board for a press."""

PATIENCE, PRESSES = 5, 4_000
"""After so many beginnings that are no puzzles, a search takes the next idea; how many presses are made for one that fits."""

UNTIDY, MESSY = 2.0, 4.0
"""By how much of the logarithm of the cost an untidy or a cluttered drawing is worse."""

SIZE = 0.5
"""The power of the size by which the cost is divided: 1 would favour puzzles of two objects."""

MORE = 4
"""How many times as much an unsolved puzzle is taken to cost."""

FINALISTS = 8
LENGTH_STEP = 25
"""The step of the lengths that tells the cells of the archive apart."""

PATCHES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (3, 3), (5, 5))
"""The sizes of patches of walls."""

FARTHEST = 10

Solved = tuple[Puzzle, str]
"""A puzzle with a plan."""


@dataclass(frozen=True)
class Rival:
    """A puzzle with a plan, and what it costs the opponent that solves it at the least cost.

    `unsolved` says that none of them solved it at that cost; `found` is what they did.
    """

    puzzle: Puzzle
    plan: str
    cost: float
    unsolved: bool
    found: dict[str, tuple[SolveResult, float]] = field(default_factory=dict)

    @property
    def quality(self) -> float:
        """The logarithm of the cost for the size, less what makes a drawing untidy."""
        size = len(self.plan) * len(self.puzzle.movables)
        mess = clutter(self.puzzle, plan_features(self.puzzle, self.plan).moved)
        cost = self.cost * (MORE if self.unsolved else 1)
        return log2(cost / size**SIZE) - UNTIDY * untidiness(self.puzzle) - MESSY * mess

    @property
    def cell(self) -> tuple[int, ...]:
        """Its cell in the archive: how many goals and movables it has, and how long its plan is."""
        movables, goals = len(self.puzzle.movables), len(self.puzzle.goal)
        return goals, movables, len(self.plan) // LENGTH_STEP


@dataclass(frozen=True)
class AgainstRequest:
    """Puzzles that are hard for some planners. Each search ends with the first one that no opponent solves.

    Attributes:
        opponents: names, files or attributes of planners, as `pushworld.planners.get_planner` takes them.
        judges: other planners, which try what was found.
        width, height: of the interior, at most.
        states: that an opponent may see; None if `seconds` limits them.
        seconds: that an opponent may take by the wall clock; CPU time is what it costs then.
        seed, evaluations: as in `DesignRequest`.
        unsolved: whether to keep nothing else; otherwise the best one, should all be solved.
    """

    opponents: tuple[str, ...]
    judges: tuple[str, ...]
    width: int
    height: int
    states: int | None = 300_000
    seconds: float | None = None
    seed: int = 0
    evaluations: int = 400
    unsolved: bool = False

    name = "against"

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        for planner in (*self.opponents, *self.judges):
            get_planner(planner)
        if (self.states is None) == (self.seconds is None):
            raise PushWorldError("limit the opponents by states or by seconds")

    @property
    def most(self) -> float:
        """The limit of each opponent."""
        return float(self.states or self.seconds or 0)

    def search(self, number: int) -> Designed:
        """Returns the result of the search with a number."""
        random = Random(f"pushworld against {self.seed} {number}")
        archive: Archive[Rival] = Archive()
        successes, tries = Counter(dict.fromkeys(CHANGES, 1)), Counter(dict.fromkeys(CHANGES, 1))
        ideas = IDEAS if min(self.width, self.height) >= PRESS_SIDE else IDEAS[len(MOULDS) :]
        looked_at = begun = 0

        def idea() -> str:
            return ideas[(number + begun // PATIENCE) % len(ideas)]

        def propose() -> tuple[Solved, Change | None, float] | None:
            nonlocal begun
            fresh = FRESH_PRESS if idea() in MOULDS else FRESH
            if not len(archive) or random.random() <= fresh:
                made, change, limit = self._begun(idea(), random), None, self.most
                begun += not len(archive) and made is None
            else:
                parent = archive.choose(random)
                rates = [successes[each] / tries[each] for each in CHANGES]
                (change,) = random.choices(CHANGES, rates)
                tries[change] += 1
                made, limit = _changed(change, parent, random), RAISE * parent.cost
            return made and (made, change, limit)

        for made, change, limit in proposals(
            propose, lambda each: canonical_form(each[0][0]), self.evaluations
        ):
            looked_at += 1
            rival = self._played(*made, limit)
            if archive.add(rival, rival.cell, rival.quality) and change is not None:
                successes[change] += 1
            if rival.unsolved and rival.cost >= self.most:
                break
        best = self._best(archive)
        if best is None or (self.unsolved and not best.unsolved):
            return Designed(number, None, None, looked_at, looked_at, 0)
        puzzle, found = best.puzzle, dict(best.found) if best.unsolved else {}
        for each in (*self.opponents, *self.judges):
            if each not in found:
                found[each] = self._run(puzzle, each, self.most)
        features = plan_features(puzzle, best.plan)
        facts: Row = {
            "idea": idea(),
            "unsolved": best.unsolved,
            "cost": best.cost,
            "quality": round(best.quality, 2),
            "length": len(best.plan),
            "moved": len(features.moved),
            "pushers": len(features.pushers),
            "chain": features.longest_chain,
            "stretches": len(stretches_of(puzzle, best.plan)),
            "plan": best.plan,
            "planners": {
                name: {"status": each.status, "cost": cost} for name, (each, cost) in found.items()
            },
        }
        return Designed(number, puzzle, None, looked_at, looked_at, int(best.unsolved), facts=facts)

    def _begun(self, idea: str, random: Random) -> Solved | None:
        """Returns a press, a random room, or a puzzle of a few gadgets, with a plan."""
        if idea in MOULDS:
            presses = (press(random, self.width, self.height, idea) for _ in range(PRESSES))
            return next(filter(None, map(_tidied, presses)), None)
        width, height = (
            random.randint(max(SMALLEST, side // 2), side) for side in (self.width, self.height)
        )
        if idea == "room":
            drawn = room_plan(random.randint(1, 4), width, height, 0.3)
            try:
                return _tidied(_farther(fill_pockets(random_room(drawn, random)), "", random))
            except PushWorldError:  # it does not fit
                return None
        composition = compose(random, width, height, random.randint(*GADGETS))
        if composition is None:
            return None
        puzzle = fill_pockets(composition.puzzle)
        plan = solve_within(puzzle, FIRST_STATES).plan
        return None if plan is None else _tidied((puzzle, plan))

    def _played(self, puzzle: Puzzle, plan: str, limit: float) -> Rival:
        """Returns a puzzle with what it costs the opponents, up to a limit."""
        least = LEAST_STATES if self.seconds is None else LEAST_SECONDS
        cost, unsolved, found = min(max(limit, least), self.most), True, {}
        for opponent in self.opponents:
            result, needed = found[opponent] = self._run(puzzle, opponent, cost)
            if result.status == "solved":
                cost, unsolved = min(cost, max(needed, 1e-3)), False
        return Rival(puzzle, plan, cost, unsolved, found)

    def _run(self, puzzle: Puzzle, planner: str, limit: float) -> tuple[SolveResult, float]:
        """Returns what a planner finds, and its states or its seconds of CPU time."""
        before = sum(os.times()[:4])
        if self.seconds is None:
            result = solve_within(puzzle, int(limit), planner)
        else:
            result = solve(puzzle, planner, time_limit=limit, memory_limit_gb=MEMORY_GB)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        needed = result.states if self.seconds is None else sum(os.times()[:4]) - before
        return result, needed

    def _best(self, archive: Archive[Rival]) -> Rival | None:
        """Returns the best puzzle, one that is unsolved at the limit if there is any."""
        by_quality = sorted(archive.elites.values(), key=lambda each: -each[0])
        finalists = [
            self._played(each.puzzle, each.plan, self.most)
            if each.unsolved and each.cost < self.most
            else each
            for _, each in by_quality[:FINALISTS]
        ]
        return max(finalists, key=lambda each: (each.unsolved, each.quality), default=None)


def _changed(change: Change, parent: Rival, random: Random) -> Solved | None:
    """Returns a puzzle after a change, with a plan, or None if it does not fit."""
    try:
        return _tidied(change(parent.puzzle, parent.plan, random))
    except PuzzleError:
        return None


def _tidied(made: Solved | None) -> Solved | None:
    """Returns a puzzle with a shorter plan and without pockets, or None if it has not the right size."""
    if made is None:
        return None
    puzzle = crop(fill_pockets(made[0]))
    if not 0 < len(puzzle.movables) <= MAX_MOVABLES or len(puzzle.goal) > MAX_GOALS:
        return None
    if len(made[1]) > 4 * MOST_ACTIONS or not puzzle.validate(made[1]):
        return None
    plan = shorten_within(puzzle, made[1], SHORTENING).plan
    return (puzzle, plan) if LEAST_ACTIONS <= len(plan) <= MOST_ACTIONS else None


def _aimed(puzzle: Puzzle, plan: str, goals: Collection[str]) -> Solved | None:
    """Returns the puzzle with the goals of some objects where the plan takes them; None if it moves none."""
    *_, last = puzzle.replay(plan)
    objects = tuple(
        replace(thing, goal=place if thing.name in goals and place != thing.start else None)
        for thing, place in zip(puzzle.objects, last, strict=True)
    )
    if all(thing.goal is None for thing in objects):
        return None
    return replace(puzzle, objects=objects), plan


def _walls(puzzle: Puzzle, plan: str, random: Random) -> Solved | None:
    """Puts walls on cells that the plan never uses."""
    cells = _some_of(puzzle, free_cells(puzzle) - covered_cells(puzzle, plan), random)
    if not cells:
        return None
    walls, agent_walls = puzzle.walls | cells, puzzle.agent_walls - cells
    return replace(puzzle, walls=walls, agent_walls=agent_walls), plan


def _agent_walls(puzzle: Puzzle, plan: str, random: Random) -> Solved | None:
    """Puts agent walls on cells that the agent never uses, or takes some away."""
    used = covered_cells(puzzle, plan, [puzzle.agent.name])
    cells = _some_of(puzzle, free_cells(puzzle) - used, random)
    changed = puzzle.agent_walls - cells if random.random() < 0.3 else puzzle.agent_walls | cells
    return replace(puzzle, agent_walls=changed), plan


def _some_of(puzzle: Puzzle, cells: set[Position], random: Random) -> set[Position]:
    """Returns those of the cells that lie in a small rectangle around one of them, or in its mirror image."""
    if not cells:
        return cells
    x, y = random.choice(sorted(cells))
    right, down = random.choice(PATCHES)
    patch = {(x + i, y + j) for i in range(right) for j in range(down)}
    return like_the_walls(puzzle, patch, random) & cells


def _other_goals(puzzle: Puzzle, plan: str, random: Random) -> Solved | None:
    """Gives a goal to another object, or takes one away."""
    name = random.choice(puzzle.movables).name
    return _aimed(puzzle, plan, set(goal_names(puzzle)) ^ {name})


def _farther(puzzle: Puzzle, plan: str, random: Random) -> Solved | None:
    """Goes on from a moment of the plan to where the goals are farthest away among the next states."""
    states = list(puzzle.replay(plan))
    kept = len(plan) if random.random() < 0.5 else random.randint(0, len(plan))
    space = reach(from_state(puzzle, states[kept]), FARTHER)
    goals = len(puzzle.goal)
    first: dict[bytes, int] = {}
    for number, state in enumerate(space.states[:, 1 : 1 + goals]):
        first.setdefault(state.tobytes(), number)
    farthest = random.choice(list(first.values())[-FARTHEST:])
    return _aimed(puzzle, plan[:kept] + space.plan_to(farthest), goal_names(puzzle))


def _mutated(puzzle: Puzzle, plan: str, random: Random) -> Solved | None:
    """Changes anything, and moves the goals to where the plan then takes their objects."""
    changed = mutate(puzzle, random, plan)
    return _aimed(changed, plan, goal_names(changed))


Change = Callable[[Puzzle, str, Random], Solved | None]
CHANGES: tuple[Change, ...] = (_walls, _agent_walls, _other_goals, _farther, _mutated)
