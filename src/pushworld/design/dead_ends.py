"""Dead ends: states that short careless walks reach, and proofs that they are unsolvable."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from pushworld.design.budget import Budget, solve_within
from pushworld.design.state_space import StateSpace
from pushworld.design.variants import from_state
from pushworld.engine import Engine
from pushworld.planners import Heuristics
from pushworld.puzzle import Puzzle, State

RANDOM_ACTIONS = 60
GREEDY_ACTIONS = 40
GREED = 0.8
"""How often a greedy walk takes the action with the best heuristic value rather than any."""


@dataclass(frozen=True)
class DeadEnds:
    """The states in which walks ended.

    Attributes:
        states: how many different states there are.
        dead: from how many of them the puzzle is proved unsolvable.
        alive: from how many of them it was solved.
        reachable_share: the share of dead ends among all reachable states, if these are known.
    """

    states: int
    dead: int
    alive: int
    reachable_share: float | None

    @property
    def share(self) -> float:
        """The share of dead ends among the states that were decided."""
        return self.dead / max(1, self.dead + self.alive)


def find_dead_ends(puzzle: Puzzle, space: StateSpace | None, budget: Budget) -> DeadEnds:
    """Returns how many walks end in dead ends; the walks are the same in every run."""
    random = Random(0)
    heuristics = Heuristics(puzzle)
    ends = [random_walk(puzzle, random) for _ in range(budget.walks)]
    ends += [greedy_walk(puzzle, heuristics, random) for _ in range(budget.walks)]
    different = list(dict.fromkeys(ends))
    verdicts = [_is_dead(puzzle, state, space, heuristics, budget) for state in different]
    return DeadEnds(
        states=len(different),
        dead=verdicts.count(True),
        alive=verdicts.count(False),
        reachable_share=None if space is None else float(1 - space.solvable.mean()),
    )


def random_walk(puzzle: Puzzle, random: Random) -> State:
    """Returns the last state of a walk of random actions that each have an effect."""
    engine = Engine(puzzle)
    state = puzzle.initial_state
    for _ in range(RANDOM_ACTIONS):
        choices = _effective_successors(engine, state)
        if not choices or puzzle.is_solved(state):
            break
        state = random.choice(choices)
    return state


def greedy_walk(puzzle: Puzzle, heuristics: Heuristics, random: Random) -> State:
    """Returns the last state of a walk that mostly descends the recursive graph distance."""
    engine = Engine(puzzle)
    state = puzzle.initial_state
    for _ in range(GREEDY_ACTIONS):
        choices = _effective_successors(engine, state)
        if not choices or puzzle.is_solved(state):
            break
        if random.random() < GREED:
            values = [heuristics.rgd(each) for each in choices]
            choices = [
                each for each, value in zip(choices, values, strict=True) if value == min(values)
            ]
        state = random.choice(choices)
    return state


def _effective_successors(engine: Engine, state: State) -> list[State]:
    reached = engine.to_array([state] * 4)
    engine.step_batch(reached, range(4))
    successors = [tuple((x, y) for x, y in each) for each in reached.tolist()]
    return [each for each in successors if each != state]


def _is_dead(
    puzzle: Puzzle,
    state: State,
    space: StateSpace | None,
    heuristics: Heuristics,
    budget: Budget,
) -> bool | None:
    """Returns whether a state is a dead end, or None if the search ended at its limit."""
    if space is not None:
        return not bool(space.solvable[space.number_of(state)])
    return is_dead_end(puzzle, state, heuristics, budget.experiment_states)


def is_dead_end(
    puzzle: Puzzle, state: State, heuristics: Heuristics, max_states: int
) -> bool | None:
    """Returns whether it is proved that a state is a dead end, or None if a search hit its limit."""
    if heuristics.rgd(state) == float("inf"):
        return True
    result = solve_within(from_state(puzzle, state), max_states)
    return None if result.status == "state-limit" else result.plan is None
