"""What a planner says about positions: the best plan known from there, and whether there is any.

Bounds of a position spread along the moves that people made. Let a move lead from s to t. A plan from t, with
the move before it, is a plan from s; so the best plan from s is at most one move longer. For the same reason
no plan from t is shorter than a shortest one from s less one move, and where s cannot be solved, t cannot.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Event
from typing import NamedTuple

import numpy as np

from pushworld.datasets import (
    HumanSolutions,
    bundled_puzzles,
    classic_puzzles,
    installed_human_solutions,
)
from pushworld.design.budget import NO_TIME_LIMIT
from pushworld.design.state_space import StateSpace, explore
from pushworld.design.variants import from_state
from pushworld.engine import Engine
from pushworld.machine import usable_cores
from pushworld.planners import shorten, solve
from pushworld.puzzle import Puzzle, State, parse_plan
from pushworld.traces.cache import Cache, Outlook
from pushworld.traces.games import Game, state_text


@dataclass(frozen=True)
class Effort:
    """How hard a planner tries. Limits count states and not seconds, so results can be repeated.

    Attributes:
        rank: a higher one tries harder.
        space: puzzles with at most this number of reachable states are explored completely.
        search: states of the search for a plan from a position.
        shorten: states of the search for a shorter one.
    """

    rank: int
    space: int
    search: int
    shorten: int


EFFORTS = {
    "quick": Effort(1, 20_000, 50_000, 20_000),
    "normal": Effort(2, 200_000, 300_000, 200_000),
    "thorough": Effort(3, 1_000_000, 2_000_000, 2_000_000),
}
MOST_AT_ONCE = 8
"""Positions that are searched at the same time, if there are as many cores."""


NOTHING_KNOWN = Outlook()
Outlooks = Mapping[State, Outlook]


def outlooks_of(
    games: Sequence[Game],
    effort: Effort | None,
    cache: Cache,
    on_state: Callable[[int], None] = lambda done: None,
) -> dict[str, Outlooks]:
    """Returns what is known about all positions of games, by the digest of the puzzle.

    Positions that the cache knows are not searched again, so an interrupted call can be repeated.

    Args:
        games: of any puzzles.
        effort: None to look only into the cache.
        cache: keeps what is found out.
        on_state: called with the number of positions that are done.
    """
    by_puzzle: dict[str, list[Game]] = {}
    for game in games:
        by_puzzle.setdefault(game.digest, []).append(game)
    people = installed_human_solutions()
    found: dict[str, Outlooks] = {}
    done = 0
    for digest, own in by_puzzle.items():

        def show(number: int, before: int = done) -> None:
            on_state(before + number)

        bounds = _Bounds(own, cache.outlooks(digest))
        for plan, optimal in _known_plans(own[0].puzzle, people):
            bounds.follow(Engine(own[0].puzzle), own[0].puzzle.initial_state, plan, optimal)
        if effort is not None and own[0].puzzle.goal:
            _search(own[0].puzzle, bounds, effort, cache, digest, show)
        found[digest] = bounds.known
        done += len(bounds.known)
        on_state(done)
    return found


def _known_plans(puzzle: Puzzle, people: HumanSolutions) -> Iterator[tuple[str, bool]]:
    """Yields the plans for a puzzle that come with the package or were imported.

    Each comes with whether it is proved that none is shorter.
    """
    if puzzle in _plans_of_the_package():
        yield _plans_of_the_package()[puzzle]
    human = people.plan_of(puzzle)
    if human is not None:
        yield human, False


@cache
def _plans_of_the_package() -> dict[Puzzle, tuple[str, bool]]:
    plans = {each.puzzle: (each.plan, True) for each in bundled_puzzles() if each.plan}
    return plans | {each.puzzle: (each.plan, each.optimal) for each in classic_puzzles()}


def positions(games: Iterable[Game]) -> int:
    """Returns the number of different positions of games."""
    seen = {(game.digest, game.puzzle.initial_state) for game in games}
    seen |= {(game.digest, change.after) for game in games for change in game.changes}
    return len(seen)


@dataclass
class _Bounds:
    """The outlooks of the positions of a puzzle's games, kept consistent."""

    games: Sequence[Game]
    stored: Mapping[str, Outlook]
    known: dict[State, Outlook] = field(default_factory=dict)
    changed: set[State] = field(default_factory=set)

    def __post_init__(self) -> None:
        puzzle = self.games[0].puzzle
        self.known[puzzle.initial_state] = NOTHING_KNOWN
        self._next: dict[State, set[State]] = {}
        self._previous: dict[State, set[State]] = {}
        for game in self.games:
            for change in game.changes:
                for state in (change.before, change.after):
                    self.known.setdefault(state, NOTHING_KNOWN)
                if change.is_forward:
                    self._next.setdefault(change.before, set()).add(change.after)
                    self._previous.setdefault(change.after, set()).add(change.before)
        for state in list(self.known):
            solved = puzzle.is_solved(state)
            outlook = Outlook(0, 0) if solved else self.stored.get(state_text(state))
            if outlook is not None:
                self.tighten(state, outlook.lower, outlook.upper, outlook.rank)
        self.changed.clear()

    def tighten(self, state: State, lower: float, upper: float, rank: int = 0) -> None:
        """Takes in bounds of a position, and what follows for others."""
        queue = deque([(state, lower, upper, rank)])
        while queue:
            state, lower, upper, rank = queue.popleft()
            before = self.known.get(state)
            if before is None:
                continue
            after = Outlook(
                max(before.lower, lower), min(before.upper, upper), max(before.rank, rank)
            )
            if after == before:
                continue
            self.known[state] = after
            self.changed.add(state)
            if after.upper < before.upper:
                queue += [(each, 0, after.upper + 1, 0) for each in self._previous.get(state, ())]
            if after.lower > before.lower:
                queue += [
                    (each, after.lower - 1, math.inf, 0) for each in self._next.get(state, ())
                ]

    def take(self, engine: Engine, state: State, found: _Judgement, rank: int) -> None:
        """Takes in what a search from a position found."""
        if found.plan is not None:
            self.follow(engine, state, found.plan, found.optimal, rank)
        else:
            self.tighten(state, math.inf if found.unsolvable else 0, math.inf, rank)

    def follow(self, engine: Engine, state: State, plan: str, optimal: bool, rank: int = 0) -> None:
        """Takes in a plan from a position: it says something about each position on its way."""
        self.tighten(state, 0, math.inf, rank)
        actions = parse_plan(plan)
        for left, action in zip(range(len(actions), 0, -1), actions, strict=True):
            self.tighten(state, left if optimal else 0, left)
            state = engine.step(state, action)


def _search(
    puzzle: Puzzle,
    bounds: _Bounds,
    effort: Effort,
    cache: Cache,
    digest: str,
    on_state: Callable[[int], None],
) -> None:
    """Searches for plans from all positions that are not decided, and keeps the results."""

    def open_positions() -> list[State]:
        return [
            state
            for state, outlook in bounds.known.items()
            if not outlook.decided and outlook.rank < effort.rank
        ]

    def keep() -> None:
        cache.keep(digest, {state_text(each): bounds.known[each] for each in bounds.changed})
        bounds.changed.clear()

    stop = Event()
    try:
        if open_positions() and (space := explore(puzzle, effort.space)) is not None:
            distances = _distances(space)
            for state in open_positions():
                distance = distances[space.number_of(state)]
                bounds.tighten(state, distance, distance, effort.rank)
            keep()
        engine = Engine(puzzle)
        at_once = 1
        with ThreadPoolExecutor(usable_cores(), "pushworld-traces") as pool:
            try:
                while waiting := open_positions():
                    on_state(len(bounds.known) - len(waiting))
                    # The batches do not depend on the machine, so the results do not either. They
                    # grow, since the first plans often decide many positions.
                    chosen = waiting[:at_once]
                    at_once = min(2 * at_once, MOST_AT_ONCE)
                    found = pool.map(partial(_judge, puzzle, effort, stop), chosen)
                    for state, judgement in zip(chosen, found, strict=True):
                        bounds.take(engine, state, judgement, effort.rank)
                    if cache.is_time_to_keep:
                        keep()
            except BaseException:
                stop.set()
                raise
    finally:
        keep()


class _Judgement(NamedTuple):
    """What a search found: a plan, whether none is shorter, and whether there is none at all."""

    plan: str | None
    optimal: bool
    unsolvable: bool


def _judge(puzzle: Puzzle, effort: Effort, stop: Event, state: State) -> _Judgement:
    """Returns what a search from a position finds; raises KeyboardInterrupt if it is stopped."""

    def check(_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    check(None)
    variant = from_state(puzzle, state)
    found = solve(variant, time_limit=NO_TIME_LIMIT, max_states=effort.search, progress=check)
    plan, optimal, status = found.plan, False, str(found.status)
    if plan is not None:
        shorter = shorten(variant, plan, NO_TIME_LIMIT, max_states=effort.shorten, progress=check)
        plan, optimal, status = shorter.plan, shorter.optimal, shorter.status
    if status == "interrupted":
        raise KeyboardInterrupt
    return _Judgement(plan, optimal, status == "unsolvable")


def _distances(space: StateSpace) -> list[float]:
    """Returns the length of a shortest plan from each state of a state space."""
    distances = np.full(len(space), math.inf)
    reached = space.holding(range(len(space.puzzle.goal)))
    distances[reached] = 0
    length = 0
    while True:
        length += 1
        before = space.one_step_before(reached) & ~reached
        if not before.any():
            return distances.tolist()
        distances[before] = length
        reached |= before
