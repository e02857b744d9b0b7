"""Towers: puzzles of the higher levels grow gadget by gadget."""

from __future__ import annotations

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
"""How many gadgets may fail on top of a chain before its last ones are taken away."""

GADGETS_TRIED = 20
"""How many gadgets are tried for one that fits and works."""

LEAST_RISE = 0.12
"""How much harder each gadget must make a chain."""

MORE_STATES = 10
"""How many times as many states the search may see after one more gadget."""


@dataclass(frozen=True)
class Stage:
    """A stage of a growing chain: the chain up to here, its difficulty, and the states that the search for a plan saw."""

    chain: Chain
    score: float
    states: int


class Tower:
    """A chain that grows gadget by gadget as long as its links are proved and it becomes harder.

    Where many gadgets fail, the last ones go.
    """

    def __init__(self, wish: Wish, width: int, height: int, random: Random) -> None:
        self.wish = wish
        self.width, self.height = width, height
        self.random = random
        self._stages: list[Stage] = []
        self._failures = [0]  # before the first stage, and after each
        self._seen: set[Puzzle] = set()

    def climb(self) -> Candidate | None:
        """Tries one more gadget; returns the puzzle as a candidate if it has a plan."""
        level = self.wish.level
        while self._stages and self._failures[-1] >= PATIENCE:
            self._stages.pop()
            self._failures.pop()
        self._failures[-1] += 1
        top = self._stages[-1] if self._stages else None
        found = self._longer(None if top is None else top.chain)
        if found is None:
            return None
        chain, composition = found
        last = composition.links[-1]
        if not proves_links(composition, PROOF_STATES, [last]):
            return None
        if gates_that_matter(composition, PROOF_STATES, [last]) != set(last.moves):
            return None
        states = max(FIRST_SHORTENING, MORE_STATES * top.states if top else 0)
        look = Look.at(composition, min(SOLVING[level - 1], states))
        if look is None:
            return None
        # Plans of hard puzzles have more to lose.
        shortening = max(FIRST_SHORTENING, 2 * look.states)
        plan = shorten_within(composition.puzzle, look.plan, shortening).plan
        look = replace(look, plan=plan)
        candidate = look.rejected(level)
        begins = stored_model().cuts[level - 2]
        enough = min(top.score + LEAST_RISE if top else float("-inf"), begins)
        if look.score < enough:
            return candidate
        if not proves_links(composition, PROVING[level - 1], composition.links[:-1]):
            return candidate
        if look.may_have(level, SLACK_LATER) and may_demand(composition, self.wish):
            candidate = judge(look, self.wish)
        if enough <= candidate.score < begins:
            self._stages.append(Stage(chain, candidate.score, look.states))
            self._failures.append(0)
        return candidate

    def _longer(self, chain: Chain | None) -> tuple[Chain, Composition] | None:
        """Returns a chain with one more gadget that works alone, and its puzzle; None if none is found."""
        for _ in range(GADGETS_TRIED):
            longer = self._begun() if chain is None else chain.copy()
            if longer is None or (chain is not None and not extend(longer, self._kinds(chain))):
                continue
            composition = longer.furnished()
            if composition is None:
                continue
            composition = replace(composition, puzzle=fill_pockets(composition.puzzle))
            if composition.puzzle in self._seen:
                continue
            self._seen.add(composition.puzzle)
            if works_alone(composition, {} if chain is None else chain.starts):
                return longer, composition
        return None

    def _begun(self) -> Chain | None:
        """Returns a chain of one gadget, or None if it does not fit."""
        useful = [kind for skill in self.wish.skills for kind in USEFUL.get(skill, ())]
        sinks = [kind for kind in useful if kind in SINKS] or list(SINKS)
        return begin(self.random, self.width, self.height, (*sinks, *VAULTS))

    def _kinds(self, chain: Chain) -> tuple[str, ...]:
        """Returns the gadgets to choose from: those that a skill needs, until the chain has one."""
        present = [link.gadget for link in chain.links]
        missing = (
            useful
            for skill in self.wish.skills
            if (useful := USEFUL.get(skill)) and set(useful).isdisjoint(present)
        )
        return next(missing, (*SINKS, *VAULTS))
