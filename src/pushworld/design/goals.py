"""How the goals of a puzzle hang together: each alone, and in every order.

An order *works* if the goals can come to hold for good one after the other in that order. In a
small state space this is decided for all ways to do so. In a large one an order is attempted: the
first goal is solved alone, its object becomes a wall where it stands, the next goal is solved from
there, and so on. That an attempt succeeds is a proof, that it fails is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from pushworld.design.effort import Effort, search, shortened
from pushworld.design.state_space import StateSpace, possible_orders
from pushworld.design.variants import from_state, frozen, goal_names, with_goals_of
from pushworld.puzzle import Puzzle

Order = tuple[str, ...]


@dataclass(frozen=True)
class GoalFacts:
    """What is known about the goals.

    Attributes:
        alone: for each goal object, the length of a plan for its goal alone; None if none was found.
        working_orders: the orders that work.
        tried_orders: how many orders there are; 0 if they were not tried.
        exact: whether all ways to achieve the goals were considered.
    """

    alone: dict[str, int | None]
    working_orders: tuple[Order, ...]
    tried_orders: int
    exact: bool

    @property
    def order_matters(self) -> bool:
        """Whether some orders work and others do not."""
        return 0 < len(self.working_orders) < self.tried_orders

    @property
    def simultaneous(self) -> bool:
        """Whether no order works: goals must be reached together, or left again on the way."""
        return self.tried_orders > 1 and not self.working_orders


def find_goal_facts(puzzle: Puzzle, space: StateSpace | None, effort: Effort) -> GoalFacts:
    """Returns how the goals hang together, exactly where the state space is given."""
    names = goal_names(puzzle)
    alone = {name: _length_alone(puzzle, name, effort) for name in names}
    if not 1 < len(names) <= effort.max_goals:
        orders_of_one = (names,) if len(names) == 1 else ()
        return GoalFacts(alone, orders_of_one, len(orders_of_one), exact=len(names) == 1)
    orders = list(permutations(range(len(names))))
    if space is not None:
        working = possible_orders(space, orders)
    else:
        attempts: dict[tuple[int, ...], Attempt] = {}
        working = [each for each in orders if _attempt(puzzle, each, effort, attempts)]
    return GoalFacts(
        alone,
        tuple(tuple(names[index] for index in order) for order in working),
        len(orders),
        exact=space is not None,
    )


def _length_alone(puzzle: Puzzle, name: str, effort: Effort) -> int | None:
    alone = with_goals_of(puzzle, {name})
    plan = search(alone, effort.experiment_mb).plan
    return None if plan is None else shortened(alone, plan, effort.shorten_mb).length


Attempt = Puzzle | Literal[False]
"""What is left of the puzzle after some goals in order, or that it went wrong."""


def _attempt(
    puzzle: Puzzle,
    order: tuple[int, ...],
    effort: Effort,
    attempts: dict[tuple[int, ...], Attempt],
) -> Attempt:
    """Returns the puzzle with the objects of an order home and turned into walls."""
    if not order:
        return puzzle
    if order not in attempts:
        before = _attempt(puzzle, order[:-1], effort, attempts)
        attempts[order] = before and _bring_home(puzzle, before, order, effort)
    return attempts[order]


def _bring_home(puzzle: Puzzle, before: Puzzle, order: tuple[int, ...], effort: Effort) -> Attempt:
    """Returns what is left of `before` when the last object of the order is home too."""
    name = goal_names(puzzle)[order[-1]]
    alone = with_goals_of(before, {name})
    plan = search(alone, effort.experiment_mb).plan
    home_at_the_start = all(
        puzzle.movables[index].start == puzzle.movables[index].goal for index in order
    )
    # A goal that already holds was not achieved after the others, but before or together.
    if plan is None or not (plan or home_at_the_start):
        return False
    # `alone` may hold the objects in another order than `before`, so states are told by names.
    *_, last = alone.replay(plan)
    positions = dict(zip((thing.name for thing in alone.objects), last, strict=True))
    state = tuple(positions[thing.name] for thing in before.objects)
    return frozen(from_state(before, state), {name})
