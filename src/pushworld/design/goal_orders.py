"""Goal orders: plans for each goal alone, and the orders in which the goals can be achieved.

An order *works* if some plan achieves the goals for good one after the other in that order. In a small
state space this is decided exactly. In a large one an order is attempted greedily: the first goal is
solved alone, its object becomes a wall where it stands, the next goal is solved from there, and so on.
An attempt that succeeds proves that the order works; one that fails proves nothing.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from pushworld.design.budget import Budget, OutOfTimeError, length_within, plan_within
from pushworld.design.state_space import StateSpace, possible_orders
from pushworld.design.variants import from_state, frozen, goal_names, with_goals_of
from pushworld.puzzle import Puzzle

Order = tuple[str, ...]


@dataclass(frozen=True)
class GoalOrders:
    """The goals alone and in order.

    Attributes:
        alone: for each goal object, the length of a plan for its goal alone; None if none was found.
            Goals that a deadline left open are missing.
        working_orders: the orders that work.
        tried_orders: how many orders were tried.
        exact: whether the orders were decided exactly.
        decided: False if a deadline came first.
    """

    alone: dict[str, int | None]
    working_orders: tuple[Order, ...]
    tried_orders: int
    exact: bool
    decided: bool = True

    @property
    def order_matters(self) -> bool:
        """Whether some orders work and others do not."""
        return 0 < len(self.working_orders) < self.tried_orders

    @property
    def simultaneous(self) -> bool:
        """Whether no order works: goals must be achieved together, or given up on the way."""
        return self.decided and self.tried_orders > 1 and not self.working_orders


def find_goal_orders(puzzle: Puzzle, space: StateSpace | None, budget: Budget) -> GoalOrders:
    """Returns which goal orders work; exactly if the state space is given."""
    names = goal_names(puzzle)
    alone: dict[str, int | None] = {}
    orders = list(permutations(range(len(names)))) if 1 <= len(names) <= budget.max_goals else []
    exact = len(names) == 1 or (space is not None and bool(orders))
    working: list[tuple[int, ...]] = []
    tried = 0
    try:
        for name in names:
            alone[name] = length_within(with_goals_of(puzzle, {name}), budget)
        if len(names) == 1:
            working, tried = [(0,)], 1
        elif space is not None:
            working, tried = possible_orders(space, orders), len(orders)
        else:
            attempts: dict[tuple[int, ...], Attempt] = {}
            for order in orders:
                working += [order] if _attempt(puzzle, order, budget, attempts) else []
                tried += 1
        decided = True
    except OutOfTimeError:
        decided = False
    named = tuple(tuple(names[index] for index in order) for order in working)
    return GoalOrders(alone, named, tried, exact, decided)


Attempt = Puzzle | Literal[False]
"""The puzzle that remains after some goals of an order, or False if one of them failed."""


def _attempt(
    puzzle: Puzzle, order: tuple[int, ...], budget: Budget, attempts: dict[tuple[int, ...], Attempt]
) -> Attempt:
    """Returns the puzzle with the objects of an order at their goals and turned into walls."""
    if not order:
        return puzzle
    if order not in attempts:
        before = _attempt(puzzle, order[:-1], budget, attempts)
        attempts[order] = before and _achieve_last(puzzle, before, order, budget)
    return attempts[order]


def _achieve_last(
    puzzle: Puzzle, before: Puzzle, order: tuple[int, ...], budget: Budget
) -> Attempt:
    """Returns `before` with the last object of the order at its goal and turned into a wall."""
    name = goal_names(puzzle)[order[-1]]
    alone = with_goals_of(before, {name})
    plan = plan_within(alone, budget.experiment_states)
    achieved_at_the_start = all(
        puzzle.movables[index].start == puzzle.movables[index].goal for index in order
    )
    # A goal that already holds was achieved before or with the others, not after them.
    if plan is None or not (plan or achieved_at_the_start):
        return False
    # `alone` may hold the objects in another order than `before`, so positions go by name.
    *_, last = alone.replay(plan)
    positions = dict(zip((thing.name for thing in alone.objects), last, strict=True))
    state = tuple(positions[thing.name] for thing in before.objects)
    return frozen(from_state(before, state), {name})
