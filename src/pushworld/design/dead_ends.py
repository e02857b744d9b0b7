"""Dead ends: states that short careless walks reach, and proofs that they are unsolvable."""

from dataclasses import dataclass
from random import Random

from pushworld import _native
from pushworld.design.budget import (
    Budget,
    OutOfTimeError,
    check_deadline,
    run_within_deadline,
    solve_within,
)
from pushworld.design.state_space import StateSpace
from pushworld.design.variants import from_state
from pushworld.engine import Engine
from pushworld.planners import Heuristics
from pushworld.puzzle import Puzzle, State

RANDOM_ACTIONS = 60
GREEDY_ACTIONS = 40
GREED = 0.8
"""How often a greedy walk takes the action with the best heuristic value rather than any."""

FEW_STATES = 200
"""A dead end that a search of this number of states proves is plain to see."""


@dataclass(frozen=True)
class DeadEnds:
    """The states in which walks ended.

    Attributes:
        states: how many different states there are.
        dead: from how many of them the puzzle is proved unsolvable.
        alive: from how many of them it was solved.
        obvious: how many of the dead ones a heuristic or a search of a few states recognises.
        reachable_share: the share of dead ends among all reachable states, if these are known.
        decided: False if a deadline came before all states were tried.
    """

    states: int
    dead: int
    alive: int
    obvious: int
    reachable_share: float | None
    decided: bool = True

    @property
    def share(self) -> float:
        """The share of dead ends among the states that were decided."""
        return self.dead / max(1, self.dead + self.alive)


def find_dead_ends(puzzle: Puzzle, space: StateSpace | None, budget: Budget) -> DeadEnds:
    """Returns how many walks end in dead ends; the walks are the same in every run.

    Raises:
        OutOfTimeError: if the deadline comes before the walks have ended.
    """

    def walk(control: _native.Control) -> dict[State, bool]:
        """Returns the ends of the walks, and whether a heuristic proves that they are dead."""
        random = Random(0)
        engine = Engine(puzzle, control)
        heuristics = Heuristics(puzzle, control)
        ends = [random_walk(engine, random) for _ in range(budget.walks)]
        ends += [random_walk(engine, random, heuristics) for _ in range(budget.walks)]
        return {state: heuristics.rgd(state) == float("inf") for state in dict.fromkeys(ends)}

    different = run_within_deadline(walk)
    verdicts: list[bool | None] = []
    obvious = 0
    decided = True
    for state, is_dead in different.items():
        try:
            verdicts.append(is_dead or _is_dead(puzzle, state, space, budget))
            if verdicts[-1]:
                obvious += is_dead or is_dead_end(puzzle, state, None, FEW_STATES) is True
        except OutOfTimeError:
            decided = False
    return DeadEnds(
        states=len(different),
        dead=verdicts.count(True),
        alive=verdicts.count(False),
        obvious=obvious,
        reachable_share=None if space is None else float(1 - space.solvable.mean()),
        decided=decided,
    )


def random_walk(engine: Engine, random: Random, heuristics: Heuristics | None = None) -> State:
    """Returns the last state of a short careless walk; given heuristics, it is mostly greedy."""
    if heuristics is None:
        return walk(engine, random, RANDOM_ACTIONS)
    return walk(engine, random, GREEDY_ACTIONS, heuristics, GREED)


def walk(
    engine: Engine,
    random: Random,
    actions: int,
    heuristics: Heuristics | None = None,
    greed: float = 1.0,
    *,
    onwards: bool = False,
) -> State:
    """Returns the last state of a walk of random actions that each have an effect.

    Args:
        heuristics: their recursive graph distance is what a greedy action descends.
        greed: how often an action is greedy.
        onwards: whether it goes to new states if there are any.
    """
    puzzle = engine.puzzle
    state = puzzle.initial_state
    seen = {state}
    for _ in range(actions):
        choices = effective_successors(engine, state)
        if onwards:
            choices = [each for each in choices if each not in seen] or choices
        if not choices or puzzle.is_solved(state):
            break
        if heuristics is not None and (greed == 1 or random.random() < greed):
            choices = nearest(heuristics, choices)
        state = random.choice(choices)
        seen.add(state)
    return state


def nearest(heuristics: Heuristics, states: list[State]) -> list[State]:
    """Returns the states whose recursive graph distance is the least."""
    values = [heuristics.rgd(each) for each in states]
    return [each for each, value in zip(states, values, strict=True) if value == min(values)]


def effective_successors(engine: Engine, state: State) -> list[State]:
    """Returns the states after each action that changes something."""
    reached = engine.to_array([state] * 4)
    engine.step_batch(reached, range(4))
    successors = [tuple((x, y) for x, y in each) for each in reached.tolist()]
    return [each for each in successors if each != state]


def _is_dead(puzzle: Puzzle, state: State, space: StateSpace | None, budget: Budget) -> bool | None:
    """Returns whether a state is a dead end, or None if the search ended at its limit."""
    if space is not None:
        return not bool(space.solvable[space.number_of(state)])
    return is_dead_end(puzzle, state, None, budget.experiment_states)


def is_dead_end(
    puzzle: Puzzle, state: State, heuristics: Heuristics | None, max_states: int
) -> bool | None:
    """Returns whether it is proved that a state is a dead end, or None if a search hit its limit.

    Args:
        heuristics: those of the puzzle, which may prove it without a search; None to leave them out.

    Raises:
        OutOfTimeError: if a deadline comes first.
    """
    if heuristics is not None and heuristics.rgd(state) == float("inf"):
        return True
    check_deadline()
    result = solve_within(from_state(puzzle, state), max_states)
    if result.status == "time-limit":
        raise OutOfTimeError
    return None if result.status == "state-limit" else result.plan is None
