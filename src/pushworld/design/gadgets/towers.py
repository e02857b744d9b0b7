"""Towers: puzzles of the higher levels grow gadget by gadget."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.budget import shorten_within
from pushworld.design.candidates import Candidate, Wish
from pushworld.design.difficulty import stored_model
from pushworld.design.gadgets.chains import Chain
from pushworld.design.gadgets.composition import begin, extend
from pushworld.design.gadgets.evaluation import (
    FIRST_SHORTENING,
    PROVING,
    SLACK_LATER,
    SOLVING,
    USEFUL,
    Look,
    judge,
    may_demand,
)
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.links import Composition
from pushworld.design.gadgets.proof import (
    PROOF_STATES,
    gates_that_matter,
    proves_links,
    works_alone,
)
from pushworld.design.minimization import fill_pockets
from pushworld.puzzle import Puzzle

PATIENCE = 8
"""How many gadgets may fail on top of a chain before its last one is taken away."""

GADGETS_TRIED = 20
"""How many gadgets are tried for one that fits and works."""

LEAST_RISE = 0.12
"""How much harder each gadget must make a chain."""

MORE_STATES = 10
"""How many times as many states the search may see after one more gadget."""


@dataclass
class _Floor:
    """A floor of a tower.

    Attributes:
        chain: the chain up to here; None for the ground.
        score: its difficulty.
        states: how many the search for a plan saw.
        failures: how many gadgets on top of it failed.
    """

    chain: Chain | None = None
    score: float = float("-inf")
    states: int = 0
    failures: int = 0


class Tower:
    """A chain that grows gadget by gadget as long as its links are proved and it becomes harder.

    A floor on which many gadgets failed is taken away again.
    """

    def __init__(self, wish: Wish, width: int, height: int, random: Random) -> None:
        self.wish = wish
        self.width, self.height = width, height
        self.random = random
        self.floors = [_Floor()]
        self._seen: set[Puzzle] = set()

    def climb(self) -> Candidate | None:
        """Tries one more gadget; returns the puzzle as a candidate if it has a plan."""
        while len(self.floors) > 1 and self.floors[-1].failures >= PATIENCE:
            self.floors.pop()
        top, level = self.floors[-1], self.wish.level
        top.failures += 1
        found = taller(top.chain, self._begun, self._seen, self._kinds(top.chain))
        if found is None:
            return None
        chain, composition = found
        last = composition.links[-1]
        if not proves_links(composition, PROOF_STATES, [last]):
            return None
        if gates_that_matter(composition, PROOF_STATES, [last]) != set(last.moves):
            return None
        states = min(SOLVING[level - 1], max(FIRST_SHORTENING, MORE_STATES * top.states))
        look = Look.at(composition, states)
        if look is None:
            return None
        # Plans of hard puzzles have more to lose.
        shortening = max(FIRST_SHORTENING, 2 * look.states)
        plan = shorten_within(composition.puzzle, look.plan, shortening).plan
        look = replace(look, plan=plan)
        candidate = look.rejected(level)
        enough = min(top.score + LEAST_RISE, stored_model().cuts[level - 2])
        if look.score < enough:
            return candidate
        if not proves_links(composition, PROVING[level - 1], composition.links[:-1]):
            return candidate
        if look.may_have(level, SLACK_LATER) and may_demand(composition, self.wish):
            candidate = judge(look, self.wish)
        if enough <= candidate.score < stored_model().cuts[level - 2]:
            self.floors.append(_Floor(chain, candidate.score, look.states))
        return candidate

    def _begun(self) -> Chain | None:
        """Returns a chain of one gadget, or None if it does not fit."""
        useful = [kind for skill in self.wish.skills for kind in USEFUL.get(skill, ())]
        sinks = [kind for kind in useful if kind in SINKS] or list(SINKS)
        return begin(self.random, self.width, self.height, (*sinks, *VAULTS))

    def _kinds(self, chain: Chain | None) -> tuple[str, ...]:
        """Returns the gadgets to choose from: those that a skill needs, until the chain has one."""
        present = () if chain is None else [link.gadget for link in chain.links]
        missing = (
            useful
            for skill in self.wish.skills
            if (useful := USEFUL.get(skill)) and set(useful).isdisjoint(present)
        )
        return next(missing, (*SINKS, *VAULTS))


def taller(
    chain: Chain | None,
    begun: Callable[[], Chain | None],
    seen: set[Puzzle],
    kinds: Collection[str] = (*SINKS, *VAULTS),
) -> tuple[Chain, Composition] | None:
    """Returns a chain with one more gadget that works alone, and its puzzle; None if none is found.

    Args:
        chain: the chain so far; None for the first gadget.
        begun: returns a first gadget, or None if it does not fit.
        seen: puzzles that are not wanted; those that are looked at join them.
        kinds: the gadgets to choose from.
    """
    for _ in range(GADGETS_TRIED):
        longer = begun() if chain is None else chain.copy()
        if longer is None or (chain is not None and not extend(longer, kinds)):
            continue
        composition = longer.furnished()
        if composition is None:
            continue
        composition = replace(composition, puzzle=fill_pockets(composition.puzzle))
        if composition.puzzle in seen:
            continue
        seen.add(composition.puzzle)
        if works_alone(composition, {} if chain is None else chain.starts):
            return longer, composition
    return None
