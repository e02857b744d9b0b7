"""What a planner says about positions: the best plan known from there, and whether there is any.

Bounds of a position spread along the moves that people made. Let a move lead from s to t. A plan from t, with
the move before it, is a plan from s; so the best plan from s is at most one move longer. For the same reason
no plan from t is shorter than a shortest one from s less one move, and where s cannot be solved, t cannot.
"""

import math
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from threading import Event

from pushworld.datasets import installed_human_solutions, package_puzzles
from pushworld.design.budget import NO_TIME_LIMIT
from pushworld.design.state_space import FAR, explore
from pushworld.design.variants import from_state
from pushworld.engine import Engine
from pushworld.machine import usable_cores
from pushworld.planners import shorten, solve
from pushworld.puzzle import Puzzle, State, parse_plan
from pushworld.traces.cache import Cache, Outlook
from pushworld.traces.games import Game, state_text


@dataclass(frozen=True)
class Effort:
    """How hard a planner tries. Limits count states and not seconds, so results can be repeated."""

    rank: int  # a higher one tries harder
    space: int  # puzzles with at most this number of reachable states are explored completely
    search: int  # states of the search for a plan from a position
    shorten: int  # states of the search for a shorter one


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
    on_positions: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Outlooks]:
    """Returns what is known about all positions of games, by the digest of the puzzle.

    Positions that the cache knows are not searched again, so an interrupted call can be repeated.

    Args:
        effort: None to look only into the cache.
        on_positions: called with the number of positions that are done, and of all.
    """
    by_puzzle: dict[str, list[Game]] = {}
    for game in games:
        by_puzzle.setdefault(game.digest, []).append(game)
    bounds = {digest: _Bounds(own, cache.outlooks(digest)) for digest, own in by_puzzle.items()}
    people = installed_human_solutions()
    total = sum(len(each.known) for each in bounds.values())
    done = 0
    for digest, own in bounds.items():
        start = own.puzzle.initial_state
        if own.puzzle in _plans_of_the_package():
            own.follow(start, *_plans_of_the_package()[own.puzzle])
        if (human := people.plan_of(own.puzzle)) is not None:
            own.follow(start, human, optimal=False)
        if effort is not None and own.puzzle.goal:

            def show(number: int, before: int = done) -> None:
                on_positions(before + number, total)

            _search(own, effort, cache, digest, show)
        done += len(own.known)
        on_positions(done, total)
    return {digest: own.known for digest, own in bounds.items()}


@cache
def _plans_of_the_package() -> dict[Puzzle, tuple[str, bool]]:
    """Returns each puzzle's plan, and whether it is proved that none is shorter."""
    return {each.puzzle: (each.plan, each.optimal) for each in package_puzzles()}


class _Bounds:
    """The outlooks of the positions of a puzzle's games, kept consistent."""

    def __init__(self, games: Sequence[Game], stored: Mapping[str, Outlook]) -> None:
        self.puzzle = games[0].puzzle
        self._engine = Engine(self.puzzle)
        self._next: defaultdict[State, set[State]] = defaultdict(set)
        self._previous: defaultdict[State, set[State]] = defaultdict(set)
        self.known: dict[State, Outlook] = {self.puzzle.initial_state: NOTHING_KNOWN}
        self.changed: set[State] = set()
        for change in (change for game in games for change in game.changes):
            self.known |= dict.fromkeys((change.before, change.after), NOTHING_KNOWN)
            if change.is_forward:
                self._next[change.before].add(change.after)
                self._previous[change.after].add(change.before)
        for state in list(self.known):
            solved = self.puzzle.is_solved(state)
            outlook = Outlook(0, 0) if solved else stored.get(state_text(state), NOTHING_KNOWN)
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
                queue += [(each, 0, after.upper + 1, 0) for each in self._previous[state]]
            if after.lower > before.lower:
                queue += [(each, after.lower - 1, math.inf, 0) for each in self._next[state]]

    def follow(self, state: State, plan: str, optimal: bool, rank: int = 0) -> None:
        """Takes in a plan from a position: it says something about each position on its way."""
        self.tighten(state, 0, math.inf, rank)
        actions = parse_plan(plan)
        for left, action in zip(range(len(actions), 0, -1), actions, strict=True):
            self.tighten(state, left if optimal else 0, left)
            state = self._engine.step(state, action)


def _search(
    bounds: _Bounds, effort: Effort, cache: Cache, digest: str, on_state: Callable[[int], None]
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
        if open_positions() and (space := explore(bounds.puzzle, effort.space)) is not None:
            for state in open_positions():
                distance = int(space.distances[space.number_of(state)])
                found = math.inf if distance >= FAR else distance
                bounds.tighten(state, found, found, effort.rank)
            keep()
        at_once = 1
        with ThreadPoolExecutor(usable_cores(), "pushworld-traces") as pool:
            try:
                while waiting := open_positions():
                    on_state(len(bounds.known) - len(waiting))
                    # The batches do not depend on the machine, so the results do not either. They
                    # grow, since the first plans often decide many positions.
                    chosen = waiting[:at_once]
                    at_once = min(2 * at_once, MOST_AT_ONCE)
                    judged = pool.map(partial(_judge, bounds.puzzle, effort, stop), chosen)
                    for state, (plan, status) in zip(chosen, judged, strict=True):
                        if plan is not None:
                            bounds.follow(state, plan, status == "optimal", effort.rank)
                        else:
                            lower = math.inf if status == "unsolvable" else 0
                            bounds.tighten(state, lower, math.inf, effort.rank)
                    if cache.is_time_to_keep:
                        keep()
            except BaseException:
                stop.set()
                raise
    finally:
        keep()


def _judge(puzzle: Puzzle, effort: Effort, stop: Event, state: State) -> tuple[str | None, str]:
    """Returns a plan from a position, if one is found, and the status of the last search for one.

    Raises:
        KeyboardInterrupt: if it is stopped.
    """

    def check(_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    check(None)
    variant = from_state(puzzle, state)
    found = solve(variant, time_limit=NO_TIME_LIMIT, max_states=effort.search, progress=check)
    plan, status = found.plan, str(found.status)
    if plan is not None:
        shorter = shorten(variant, plan, NO_TIME_LIMIT, max_states=effort.shorten, progress=check)
        plan, status = shorter.plan, shorter.status
    if status == "interrupted":
        raise KeyboardInterrupt
    return plan, status
