"""Simulated participants: how they decide what to do next in a puzzle.

They are for pilots of studies and for tests, not models of people. `participants_browser` lets them take
part in a study.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from random import Random
from typing import Literal

from pushworld.design.variants import from_state
from pushworld.planners import solve
from pushworld.puzzle import PushWorldError, Puzzle, State

Command = Literal["L", "R", "U", "D", "undo", "reset", "hint", "give-up"]
MOVES: tuple[Command, ...] = ("L", "R", "U", "D")

SEARCH_SECONDS = 5.0
THINK_SIGMA = 0.8
FIRST_LOOK = 4.0
"""How much longer one looks at a new puzzle."""


@dataclass(frozen=True)
class Kind:
    """How a kind of participant behaves. All but `patience` are probabilities for each decision.

    Attributes:
        follow: makes the next move of a plan; otherwise any move.
        undo, reset, hint: uses that tool, where it is offered.
        patience: the least and the most decisions until it gives up. Where that is not allowed, it
            follows a plan after three times as many: every study ends.
    """

    follow: float
    undo: float
    reset: float
    hint: float
    patience: tuple[int, int]


KINDS = {
    "noisy": Kind(follow=0.8, undo=0.06, reset=0.005, hint=0.03, patience=(60, 300)),
    "random": Kind(follow=0.0, undo=0.05, reset=0.01, hint=0.01, patience=(30, 80)),
}


def kind_of(name: str) -> Kind:
    """Returns the kind of a name; raises PushWorldError if there is none."""
    if name not in KINDS:
        raise PushWorldError(
            f"there is no kind {name!r} of simulated participants: choose {' or '.join(KINDS)}"
        )
    return KINDS[name]


class Mind:
    """What a simulated participant knows about a puzzle, and its patience with it."""

    def __init__(self, kind: Kind, puzzle: Puzzle, random: Random) -> None:
        self._kind = kind
        self._puzzle = puzzle
        self._random = random
        self._patience = random.randint(*kind.patience)
        self._decisions = 0
        self._next: dict[State, Command | None] = {}

    def think(self, mean: float) -> float:
        """Returns how many seconds the next decision takes; `mean` is the usual time."""
        usual = mean * (1.0 if self._decisions else FIRST_LOOK)
        return usual * self._random.lognormvariate(-(THINK_SIGMA**2) / 2, THINK_SIGMA)

    def decide(self, state: State, offered: Set[str]) -> Command:
        """Returns what to do in a state; `offered` are the tools that can be used now."""
        self._decisions += 1
        if self._decisions > self._patience and "give-up" in offered:
            return "give-up"
        if self._decisions > 3 * self._patience:
            return self._sensible(state, offered)
        kind = self._kind
        tools: tuple[tuple[Command, float], ...]
        tools = ("undo", kind.undo), ("reset", kind.reset), ("hint", kind.hint)
        for tool, chance in tools:
            if self._random.random() < chance and tool in offered:
                return tool
        if self._random.random() < kind.follow:
            return self._sensible(state, offered)
        return self._random.choice(MOVES)

    def _sensible(self, state: State, offered: Set[str]) -> Command:
        """Returns the next move of a plan; where there is none, the way back."""
        if (planned := self._planned(state)) is not None:
            return planned
        ways: tuple[Command, ...] = ("undo", "reset", "give-up")
        return next((way for way in ways if way in offered), self._random.choice(MOVES))

    def _planned(self, state: State) -> Command | None:
        if state not in self._next:
            self._next[state] = None
            here = from_state(self._puzzle, state)
            plan = solve(here, time_limit=SEARCH_SECONDS).plan or ""
            for each, letter in zip(here.replay(plan), plan, strict=False):
                self._next[each] = next(move for move in MOVES if move == letter)
        return self._next[state]
